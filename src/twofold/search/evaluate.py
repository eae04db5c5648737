"""The value of single boards, outside a search."""

from __future__ import annotations

from twofold.evaluation.base import EvaluationLike
from twofold.evaluation.registry import as_evaluation
from twofold.rules.board import Board


def evaluate_board(evaluation: EvaluationLike, board: Board, score: int | None = None) -> float:
    """The value that `evaluation` gives `board`; score: points so far, `board.default_score()` unless given.

    The value is that of the leaf alone: for an evaluation of the future, without the points made so far.
    """
    from twofold.search.expectimax import Searcher

    return Searcher(as_evaluation(evaluation), table_bits=0).evaluate(
        board, board.default_score() if score is None else score
    )
