"""The slide that S0's shift load looks at: the same boards as the reference."""

from __future__ import annotations

import random

import numpy as np
from numba import njit

from twofold.evaluation.reports.s0_chain import shifted
from twofold.rules import BRICK, Board
from twofold.rules.direction import DIRECTIONS


@njit
def compiled(ranks, out, direction):  # type: ignore[no-untyped-def]
    shifted(ranks, out, direction)


def test_shifted_boards_are_those_of_the_reference() -> None:
    dice = random.Random(8)
    for _ in range(1000):
        rows, columns = dice.randint(1, 6), dice.randint(2, 6)
        empty, bricks = dice.random(), dice.random() / 2
        cells = [
            BRICK if dice.random() < bricks else 0 if dice.random() < empty else dice.randint(1, 3)
            for _ in range(rows * columns)
        ]
        board = Board(rows, columns, bytes(cells))
        ranks = np.array(cells, np.uint8).reshape(rows, columns)
        out = np.full_like(ranks, 99)
        for direction in DIRECTIONS:
            compiled(ranks, out, int(direction))
            assert out.tobytes() == board.slide(direction).board.cells, (str(board), direction)
