"""Learning: networks that learn by playing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twofold.lazy import lazy_exports

if TYPE_CHECKING:
    from twofold.learn.curve import draw_curves, read_curve
    from twofold.learn.neural import NeuralTraining
    from twofold.learn.run import TrainingRun, train
    from twofold.learn.settings import NeuralSettings, NeuralStart, TrainingSettings, TupleStart
    from twofold.learn.temporal import CurvePoint, Training

__all__ = [
    "CurvePoint",
    "NeuralSettings",
    "NeuralStart",
    "NeuralTraining",
    "Training",
    "TrainingRun",
    "TrainingSettings",
    "TupleStart",
    "draw_curves",
    "read_curve",
    "train",
]

__getattr__, __dir__ = lazy_exports(__name__)
