"""twofold: a Python workbench for the game 2048.

    >>> import twofold
    >>> game = twofold.new_game("4x4", seed=1)
    >>> player = twofold.make_player("greedy")
    >>> moved = game.move(player.decide(game.state).move)
    >>> moved.direction.name
    'UP'

Every name is imported on first use, so ``import twofold`` itself loads no compiled code, web page, plots or pictures.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from twofold.lazy import lazy_exports

if TYPE_CHECKING:
    from twofold import arena, art, coach, envs, evaluation, exact, learn, matches, players, rules, tune
    from twofold.art.painter.painting import NotPainted
    from twofold.errors import (
        GameOver,
        IllegalMove,
        InvalidBoard,
        InvalidFile,
        InvalidLimit,
        InvalidNotation,
        InvalidParameter,
        InvalidPattern,
        InvalidSpawn,
        InvalidVariant,
        OutOfMemory,
        PlayerError,
        StoreError,
        TwofoldError,
        UnknownDirection,
        UnknownEvaluation,
        UnknownFormat,
        UnknownName,
        UnknownNotation,
        UnknownPattern,
        UnknownPlayer,
        UnknownShape,
        UserCodeError,
    )
    from twofold.evaluation.registry import as_evaluation, make_evaluation
    from twofold.exact.formation_files import OtherVersion
    from twofold.matches.check import PlayerCheckError, check_player
    from twofold.matches.games import play_games
    from twofold.matches.play import GameResult, StopGame, new_game, play_game
    from twofold.players.base import Decision, Limit, Player
    from twofold.players.registry import as_player, list_players, make_player, player_info
    from twofold.rules import Board, Direction, Evil, Game, Outcome, Slide, Spawn, State, Variant

__version__ = "0.2.0"

__all__ = [
    "Board",
    "Decision",
    "Direction",
    "Evil",
    "Game",
    "GameOver",
    "GameResult",
    "IllegalMove",
    "InvalidBoard",
    "InvalidFile",
    "InvalidLimit",
    "InvalidNotation",
    "InvalidParameter",
    "InvalidPattern",
    "InvalidSpawn",
    "InvalidVariant",
    "Limit",
    "NotPainted",
    "OtherVersion",
    "OutOfMemory",
    "Outcome",
    "Player",
    "PlayerCheckError",
    "PlayerError",
    "Slide",
    "Spawn",
    "State",
    "StopGame",
    "StoreError",
    "TwofoldError",
    "UnknownDirection",
    "UnknownEvaluation",
    "UnknownFormat",
    "UnknownName",
    "UnknownNotation",
    "UnknownPattern",
    "UnknownPlayer",
    "UnknownShape",
    "UserCodeError",
    "Variant",
    "__version__",
    "arena",
    "art",
    "as_evaluation",
    "as_player",
    "check_player",
    "coach",
    "envs",
    "evaluation",
    "exact",
    "learn",
    "list_players",
    "make_evaluation",
    "make_player",
    "matches",
    "new_game",
    "play_game",
    "play_games",
    "player_info",
    "players",
    "rules",
    "tune",
]

__getattr__, __dir__ = lazy_exports(__name__)
