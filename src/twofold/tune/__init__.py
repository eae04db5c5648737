"""Tuning weights of evaluations by playing: genetic search, CMA-ES, permutations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twofold.lazy import lazy_exports

if TYPE_CHECKING:
    from twofold.tune.analysis import Correlations, correlations
    from twofold.tune.driver import Tuning, tune, tune_in
    from twofold.tune.report import write_report
    from twofold.tune.settings import Settings
    from twofold.tune.space import Gene, Space

__all__ = [
    "Correlations",
    "Gene",
    "Settings",
    "Space",
    "Tuning",
    "correlations",
    "tune",
    "tune_in",
    "write_report",
]

__getattr__, __dir__ = lazy_exports(__name__)
