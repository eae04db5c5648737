"""The least image of many boards at once, against the images that the rules' own boards give."""

from __future__ import annotations

import random

import numpy as np
import pytest

from twofold import Board, Variant
from twofold.exact.problem import MAX_EXPECTED_SCORE, Problem
from twofold.exact.states import symmetric_images

SHAPES = [
    "...|...|...",
    "....|....|....|....",
    "...|...",
    "....",
    ".|.|.",
    "...|...|...|...",
    "x..x|....|x..x",
    ".x|..",
]


@pytest.mark.parametrize("shape", SHAPES)
def test_boards_in_fours_and_what_is_left_over(shape: str) -> None:
    empty = Board.parse(shape)
    layout = Problem(Variant(start=empty), MAX_EXPECTED_SCORE).layout()
    rng = random.Random(shape)
    boards = []
    for _ in range(4 * 25 + 3):
        cells = bytearray(empty.cells)
        for cell in empty.empty_cells:
            cells[cell] = rng.choice((0, 1, 1, 2, 3, 11, 14))
        boards.append(empty.with_cells(bytes(cells)))
    words = np.array([layout.pack(board) for board in boards], np.uint64)
    layout.make_canonical(words)
    least = [min(layout.pack(image) for image in symmetric_images(board)) for board in boards]
    assert words.tolist() == least
    assert [layout.canonical(layout.pack(board)) for board in boards] == least
