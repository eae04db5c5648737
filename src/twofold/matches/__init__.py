"""Whole games: played one at a time or many at once, with one result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twofold.lazy import lazy_exports

if TYPE_CHECKING:
    from twofold.matches.check import PlayerCheckError, check_player
    from twofold.matches.games import play_games
    from twofold.matches.play import GameResult, StopGame, new_game, play_game
    from twofold.players.batch import BatchGames

__all__ = [
    "BatchGames",
    "GameResult",
    "PlayerCheckError",
    "StopGame",
    "check_player",
    "new_game",
    "play_game",
    "play_games",
]

__getattr__, __dir__ = lazy_exports(__name__)
