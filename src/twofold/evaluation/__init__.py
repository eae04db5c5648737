"""Evaluations, which give boards values: by formula, by network or by a user's function."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twofold.lazy import lazy_exports

if TYPE_CHECKING:
    from twofold.evaluation.base import Evaluation, EvaluationLike
    from twofold.evaluation.function import from_function
    from twofold.evaluation.network import Design, Network
    from twofold.evaluation.neural import NeuralDesign, NeuralNetwork, load_neural, save_neural
    from twofold.evaluation.registry import as_evaluation, evaluation_info, list_evaluations, make_evaluation
    from twofold.evaluation.weights import load_network, save_network
    from twofold.search.evaluate import evaluate_board

__all__ = [
    "Design",
    "Evaluation",
    "EvaluationLike",
    "Network",
    "NeuralDesign",
    "NeuralNetwork",
    "as_evaluation",
    "evaluate_board",
    "evaluation_info",
    "from_function",
    "list_evaluations",
    "load_network",
    "load_neural",
    "make_evaluation",
    "save_network",
    "save_neural",
]

__getattr__, __dir__ = lazy_exports(__name__)
