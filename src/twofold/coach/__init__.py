"""Explaining positions and games: `coach.review(game)` reviews a game move by move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twofold.lazy import lazy_exports

if TYPE_CHECKING:
    from twofold.coach.about import Arithmetic, about_board
    from twofold.coach.reasons import reason
    from twofold.coach.regret import Mistake, Regret, enumerated_regret, played_regret
    from twofold.coach.reviewing import MoveReview, Review, review

__all__ = [
    "Arithmetic",
    "Mistake",
    "MoveReview",
    "Regret",
    "Review",
    "about_board",
    "enumerated_regret",
    "played_regret",
    "reason",
    "review",
]

__getattr__, __dir__ = lazy_exports(__name__)
