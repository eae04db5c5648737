"""Experiments: many seeded games kept in a database, with intervals, reports and the tables of the five reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twofold.lazy import lazy_exports

if TYPE_CHECKING:
    from twofold.arena.experiment import Experiment
    from twofold.arena.play import RunProgress, play_run, run
    from twofold.arena.statistics import Interval, PairedDifference, SequentialTest
    from twofold.arena.store import Run, Store
    from twofold.arena.summary import Comparison, PlayerSummary, Summary, summarise

__all__ = [
    "Comparison",
    "Experiment",
    "Interval",
    "PairedDifference",
    "PlayerSummary",
    "Run",
    "RunProgress",
    "SequentialTest",
    "Store",
    "Summary",
    "play_run",
    "run",
    "summarise",
]

__getattr__, __dir__ = lazy_exports(__name__)
