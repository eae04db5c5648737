"""S4, chapters 7.2 and 11: the number of empty cells, the score, and an order matrix.

None of them can be negative, and afterstates have an empty cell, so a dead board (worth 0 beyond the points made on
the way) is never preferred to a live one.
"""

from __future__ import annotations

import numpy as np

from twofold.errors import InvalidParameter, quote
from twofold.evaluation.base import RANKS, Evaluation
from twofold.evaluation.patterns import Weights, face_values, on_cells, snake_order, steps_from_corner
from twofold.rules.board import Board


def empty(text: str) -> Evaluation:
    """S4 7.2.2: the number of empty cells. Points don't count; a dead board is worth 0."""
    return Evaluation(text, placed=_empties)


def highscore(text: str) -> Evaluation:
    """S4 7.2.4: the score at the leaf, that is the points made on the way there; a dead board keeps its points."""
    return Evaluation(text, placed=_nothing, reward=1.0)


# Functions of their own, so that an evaluation made twice is equal and its tables are filled once.
def _empties(board: Board) -> Weights:
    return on_cells(np.ones(len(board.cells)), np.eye(1, RANKS)[0])


def _nothing(board: Board) -> Weights:
    return np.zeros((len(board.cells), RANKS))


def order(text: str, *, matrix: str, shape: str, ratio: float, scale: float) -> Evaluation:
    """S4 11.2: Σ matrix·value + score; a dead board is worth its points alone.

    The matrices that S4 tried are lost pictures ("positive integers", falling from a corner). By default the matrix is
    `scale`·`ratio`^(−i) with i the number of the cell along the snake from the top left corner (`shape` snake,
    bricks not counted) or its steps from that corner (`shape` gradient: equal along the diagonals).

    matrix: the weights themselves, rows joined by `|` and numbers by spaces (``16 8|4 2``); such an evaluation is for
    boards of that size and refuses others, bricks' weights are not used. Empty for shape, ratio and scale.

    Raises InvalidParameter for a matrix that isn't one.
    """
    if matrix:
        weights = read_matrix(matrix)
        rows, columns = weights.shape

        def accepts(board: Board) -> None:
            if (board.rows, board.columns) != (rows, columns):
                raise InvalidParameter(
                    f"{quote(text)} is for {rows}x{columns} boards, not {board.rows}x{board.columns}: "
                    "give a matrix of the board's size, or shape, ratio and scale"
                )

        placed = on_cells(weights.reshape(-1), face_values())
        return Evaluation(text, placed=lambda board: placed, reward=1.0, accepts=accepts)
    weigh = _snake if shape == "snake" else _gradient
    return Evaluation(
        text, placed=lambda board: on_cells(weigh(board, ratio, scale), face_values()), reward=1.0
    )


def read_matrix(text: str) -> Weights:
    """The matrix in `text`, float64 (rows, columns): rows joined by `|`, numbers by spaces, at most 1e6 in size."""
    try:
        rows = [[float(word) for word in row.split()] for row in text.split("|")]
    except ValueError:
        rows = []
    flat = [number for row in rows for number in row]
    if (
        len(flat) < 2
        or len({len(row) for row in rows}) != 1
        or not all(abs(number) <= 1e6 for number in flat)
    ):
        raise InvalidParameter(
            f"{quote(text)} is not a matrix: write rows of equally many numbers (to 1e6), as in '16 8|4 2'"
        )
    return np.array(rows)


def _snake(board: Board, ratio: float, scale: float) -> Weights:
    weights = np.zeros(len(board.cells))
    for i, cell in enumerate(snake_order(board)):
        weights[cell] = scale * ratio**-i
    return weights


def _gradient(board: Board, ratio: float, scale: float) -> Weights:
    return scale * ratio ** -steps_from_corner(board)
