"""S0's Perimeter Defense Formation, which S0 describes and leaves unbuilt."""

from __future__ import annotations

import numpy as np

from twofold.errors import InvalidParameter, quote
from twofold.evaluation.base import Evaluation
from twofold.evaluation.reports.faces import face
from twofold.kernels.compiling import helper
from twofold.rules.board import Board


@helper
def square_worth(board, bottom, right, disorder):  # type: ignore[no-untyped-def]
    """Σ inside − Σ outside the square of (rows−1)×(columns−1) cells at a corner − disorder·(what rises inside).

    What rises: for each step away from the corner inside the square, by how much the value grows; an empty cell is 0,
    no step is counted to a brick.
    """
    rows, columns = board.shape
    total = 0.0
    for i in range(rows):
        r = rows - 1 - i if bottom else i
        for j in range(columns):
            c = columns - 1 - j if right else j
            rank = board[r, c]
            if rank == 255:
                continue
            value = face(rank)
            if i == rows - 1 or j == columns - 1:
                total -= value
                continue
            total += value
            if i > 0:
                nearer = board[r + 1 if bottom else r - 1, c]
                if nearer != 255 and nearer < rank:
                    total -= disorder * (value - face(nearer))
            if j > 0:
                nearer = board[r, c + 1 if right else c - 1]
                if nearer != 255 and nearer < rank:
                    total -= disorder * (value - face(nearer))
    return total


@helper
def perimeter_value(board, score, p):  # type: ignore[no-untyped-def]
    """The best of the four corners' squares; p[0]: the weight of disorder."""
    best = -np.inf
    for which in range(4):
        best = max(best, square_worth(board, which & 1 != 0, which & 2 != 0, p[0]))
    return best


def perimeter(text: str, *, disorder: float, dead: float) -> Evaluation:
    """Perimeter Defense Formation: the largest tiles in a monotonic 3×3 square against the edges, the rest free.

    S0 gives the idea, not a formula. Ours, in points and with the points made on the way: the values inside the square
    less those outside it, less `disorder` times what rises away from the square's corner (`square_worth`), for the
    best of the four squares. On n×m the square has (n−1)×(m−1) cells, so boards under 3×3 are refused.

    dead: a dead board is worth its points plus this; −10^6 lies below every live board while tiles add up to less
    than 2^18, as they do on 4×4, and disorder is at most 1.
    """

    def accepts(board: Board) -> None:
        if min(board.rows, board.columns) < 3:
            raise InvalidParameter(
                f"{quote(text)} needs a board of 3x3 or more, not {board.rows}x{board.columns}: "
                "the formation is a square with a free row and column beside it"
            )

    return Evaluation(
        text, function=perimeter_value, parameters=(disorder,), reward=1.0, dead=dead, accepts=accepts
    )
