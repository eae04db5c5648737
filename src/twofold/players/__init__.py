"""Players, which choose moves: the protocol, the registry and its notation, one module per family."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twofold.lazy import lazy_exports

if TYPE_CHECKING:
    from twofold.players.adls import Adls
    from twofold.players.base import Decision, Limit, Player, PlayerLike
    from twofold.players.chain import Chain
    from twofold.players.default import Default
    from twofold.players.endgame import Endgame
    from twofold.players.expectimax import Expectimax
    from twofold.players.lookahead import Lookahead
    from twofold.players.mcts import Mcts
    from twofold.players.minimax import Minimax
    from twofold.players.montecarlo import MonteCarlo
    from twofold.players.ntuple import Neural, Ntuple
    from twofold.players.optimal import Optimal
    from twofold.players.registry import as_player, list_players, make_player, player_info
    from twofold.players.rules import Rules
    from twofold.players.simple import Greedy, Human, Random, Scripted

__all__ = [
    "Adls",
    "Chain",
    "Decision",
    "Default",
    "Endgame",
    "Expectimax",
    "Greedy",
    "Human",
    "Limit",
    "Lookahead",
    "Mcts",
    "Minimax",
    "MonteCarlo",
    "Neural",
    "Ntuple",
    "Optimal",
    "Player",
    "PlayerLike",
    "Random",
    "Rules",
    "Scripted",
    "as_player",
    "list_players",
    "make_player",
    "player_info",
]

__getattr__, __dir__ = lazy_exports(__name__)
