"""Weights of cells on any board: snakes, gradients and diagonals of any size, bricks left out.

Plain tables that evaluations by cell are made of, float64 (cells,) unless said otherwise.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from twofold.evaluation.base import RANKS
from twofold.rules.board import Board
from twofold.rules.cells import BRICK

Weights = NDArray[np.float64]


def face_values() -> Weights:
    """Face value of each rank, float64 (64,), 0 for an empty cell."""
    faces = np.exp2(np.arange(RANKS, dtype=np.float64))
    faces[0] = 0.0
    return faces


def on_cells(weights: Weights, values: Weights) -> Weights:
    """The cell table of Σ weight of the cell · value of the rank on it, float64 (cells, 64)."""
    return weights.reshape(-1, 1) * values.reshape(1, -1)


def snake_order(board: Board) -> list[int]:
    """The free cells along the snake that starts top left, every second row backwards; bricks are left out."""
    last = board.columns - 1
    cells = [
        row * board.columns + (column if row % 2 == 0 else last - column)
        for row in range(board.rows)
        for column in range(board.columns)
    ]
    return [cell for cell in cells if board.cells[cell] != BRICK]


def snake_weights(board: Board, ratio: float, span: int = 16) -> Weights:
    """Weights ratio^(k−1), …, ratio^0 along the snake of k cells, the largest top left.

    On more than `span` cells the powers are spread so that the largest weight stays ratio^(span−1); that keeps sums
    exact enough in float64 and is S2's weighting where S2 defines it.
    """
    order = snake_order(board)
    weights = np.zeros(len(board.cells))
    step = min(1.0, (span - 1) / max(1, len(order) - 1))
    for i, cell in enumerate(order):
        weights[cell] = ratio ** ((len(order) - 1 - i) * step)
    return weights


def steps_from_corner(board: Board) -> Weights:
    """Steps from the top left corner to each cell, bricks disregarded."""
    rows, columns = np.divmod(np.arange(len(board.cells)), board.columns)
    return (rows + columns).astype(np.float64)


def row_numbers(board: Board) -> Weights:
    """1 for the cells of the top row, 2 for those of the next, and so on."""
    return (np.arange(len(board.cells)) // board.columns + 1).astype(np.float64)


def diagonal_weights(board: Board) -> Weights:
    """S2's diagonal matrix, 6 5 4 1 / 5 4 1 0 / 4 1 0 −1 / 1 0 −1 −2 on 4×4, for any size.

    A cell d steps from the top left corner, of at most D, weighs D − d, less 2 from the middle (2d ≥ D) on: on every
    board the weights fall by 1 with each step and by 3 at the middle, and end at −2.
    """
    steps = steps_from_corner(board)
    most = board.rows + board.columns - 2
    return np.where(2 * steps >= most, most - steps - 2, most - steps)


def snake_diagonal_weights(board: Board) -> Weights:
    """S2's mixed matrix, 7 6 5 4 / 2 3 4 3 / 1 2 3 2 / 0 1 2 1 on 4×4, for any size.

    The first row falls from left to right to m = rows + columns − 4. Below it there is a peak of m in the second row,
    one before the last column, and the weights fall by 1 with each step from there, to 0 bottom left.
    """
    middle = board.rows + board.columns - 4
    rows, columns = np.divmod(np.arange(len(board.cells)), board.columns)
    first = middle + board.columns - 1 - columns
    below = middle - np.abs(columns - max(0, board.columns - 2)) - (rows - 1)
    return np.where(rows == 0, first, below).astype(np.float64)
