"""twofold: plays, solves, learns, measures, explains and paints with the game 2048.

    >>> import twofold
    >>> game = twofold.new_game("4x4", seed=1)
    >>> player = twofold.make_player("greedy")
    >>> moved = game.move(player.decide(game.state).move)
    >>> moved.direction.name
    'UP'

Everything here is imported when it is first used, so that ``import twofold`` loads no compiled module, no web, no
plots and no pictures.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from twofold.errors import (
        GameOver,
        IllegalMove,
        InvalidBoard,
        InvalidFile,
        InvalidLimit,
        InvalidNotation,
        InvalidParameter,
        InvalidSpawn,
        InvalidVariant,
        PlayerError,
        TwofoldError,
        UnknownEvaluation,
        UnknownName,
        UnknownNotation,
        UnknownPlayer,
        UserCodeError,
    )
    from twofold.matches.check import check_player
    from twofold.matches.play import GameResult, new_game, play_game
    from twofold.players.base import Decision, Limit, Player
    from twofold.players.registry import list_players, make_player, player_info
    from twofold.rules import Board, Direction, Evil, Game, Outcome, Slide, Spawn, State, Variant

__version__ = "0.1.0"

_HOME = {
    "twofold.errors": (
        "GameOver",
        "IllegalMove",
        "InvalidBoard",
        "InvalidFile",
        "InvalidLimit",
        "InvalidNotation",
        "InvalidParameter",
        "InvalidSpawn",
        "InvalidVariant",
        "PlayerError",
        "TwofoldError",
        "UnknownEvaluation",
        "UnknownName",
        "UnknownNotation",
        "UnknownPlayer",
        "UserCodeError",
    ),
    "twofold.players.base": ("Decision", "Limit", "Player"),
    "twofold.matches.check": ("check_player",),
    "twofold.matches.play": ("GameResult", "new_game", "play_game"),
    "twofold.players.registry": ("list_players", "make_player", "player_info"),
    "twofold.rules": (
        "Board",
        "Direction",
        "Evil",
        "Game",
        "Outcome",
        "Slide",
        "Spawn",
        "State",
        "Variant",
    ),
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}

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
    "InvalidSpawn",
    "InvalidVariant",
    "Limit",
    "Outcome",
    "Player",
    "PlayerError",
    "Slide",
    "Spawn",
    "State",
    "TwofoldError",
    "UnknownEvaluation",
    "UnknownName",
    "UnknownNotation",
    "UnknownPlayer",
    "UserCodeError",
    "Variant",
    "__version__",
    "check_player",
    "list_players",
    "make_player",
    "new_game",
    "play_game",
    "player_info",
]


def __getattr__(name: str) -> Any:
    module = _MODULE_OF.get(name)
    if module is None:
        raise AttributeError(f"module 'twofold' has no attribute {name!r}")
    value = getattr(importlib.import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULE_OF})
