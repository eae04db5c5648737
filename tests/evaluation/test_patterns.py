"""Weights of cells: the printed matrices, and other sizes."""

from __future__ import annotations

import numpy as np
import pytest

from twofold.evaluation import patterns
from twofold.rules import Board


def shown(weights: patterns.Weights, board: Board) -> list[list[float]]:
    return weights.reshape(board.rows, board.columns).tolist()  # type: ignore[no-any-return]


def test_the_printed_matrices() -> None:
    board = Board.empty()
    diagonal = [[6, 5, 4, 1], [5, 4, 1, 0], [4, 1, 0, -1], [1, 0, -1, -2]]
    assert shown(patterns.diagonal_weights(board), board) == diagonal
    mixed = [[7, 6, 5, 4], [2, 3, 4, 3], [1, 2, 3, 2], [0, 1, 2, 1]]
    assert shown(patterns.snake_diagonal_weights(board), board) == mixed
    powers = [[15, 14, 13, 12], [8, 9, 10, 11], [7, 6, 5, 4], [0, 1, 2, 3]]
    assert shown(patterns.snake_weights(board, 4.0), board) == [[4.0**k for k in row] for row in powers]


def test_other_sizes() -> None:
    board = Board.empty(3, 5)
    assert shown(patterns.diagonal_weights(board), board) == [
        [6, 5, 4, 1, 0],
        [5, 4, 1, 0, -1],
        [4, 1, 0, -1, -2],
    ]
    assert shown(patterns.snake_diagonal_weights(board), board) == [
        [8, 7, 6, 5, 4],
        [1, 2, 3, 4, 3],
        [0, 1, 2, 3, 2],
    ]
    assert shown(patterns.row_numbers(board), board) == [[1] * 5, [2] * 5, [3] * 5]


def test_snakes_leave_bricks_out_and_spread_on_large_boards() -> None:
    board = Board.parse(". x .|. . x")
    assert patterns.snake_order(board) == [0, 2, 4, 3]
    assert shown(patterns.snake_weights(board, 2.0), board) == [[8, 0, 4], [1, 2, 0]]
    large = patterns.snake_weights(Board.empty(8, 8), 4.0)
    assert large[0] == pytest.approx(4.0**15)
    assert large.min() == 1.0
    assert np.isfinite(large).all()
