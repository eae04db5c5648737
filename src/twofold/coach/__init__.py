"""Positions and games explained: how much a move gives away, and where."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twofold.lazy import lazy_exports

if TYPE_CHECKING:
    from twofold.coach.reasons import reason
    from twofold.coach.regret import Mistake, Regret, enumerated_regret, played_regret

__all__ = [
    "Mistake",
    "Regret",
    "enumerated_regret",
    "played_regret",
    "reason",
]

__getattr__, __dir__ = lazy_exports(__name__)
