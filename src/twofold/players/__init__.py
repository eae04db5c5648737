"""Who chooses a move: the protocol, the registry and its notation, one module per family."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twofold.lazy import lazy_exports

if TYPE_CHECKING:
    from twofold.players.adls import AdlsPlayer as Adls
    from twofold.players.base import Decision, Limit, Player, PlayerLike
    from twofold.players.chain import ChainPlayer as Chain
    from twofold.players.default import DefaultPlayer as Default
    from twofold.players.endgame import EndgamePlayer as Endgame
    from twofold.players.expectimax import ExpectimaxPlayer as Expectimax
    from twofold.players.lookahead import LookaheadPlayer as Lookahead
    from twofold.players.mcts import MctsPlayer as Mcts
    from twofold.players.minimax import MinimaxPlayer as Minimax
    from twofold.players.montecarlo import MonteCarloPlayer as MonteCarlo
    from twofold.players.ntuple import NeuralPlayer as Neural
    from twofold.players.ntuple import NtuplePlayer as Ntuple
    from twofold.players.optimal import OptimalPlayer as Optimal
    from twofold.players.registry import as_player, list_players, make_player, player_info
    from twofold.players.rules import RulesPlayer as Rules
    from twofold.players.simple import GreedyPlayer as Greedy
    from twofold.players.simple import HumanPlayer as Human
    from twofold.players.simple import RandomPlayer as Random
    from twofold.players.simple import ScriptedPlayer as Scripted

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
