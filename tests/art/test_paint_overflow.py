"""Words too large for their row, grown along a snake through the row below: replayed by the rules."""

import random

import numpy as np
import pytest

from benchmarks.studies.painting import smooth_picture
from tests.art.test_paint import check
from twofold.art.painter import NotPainted, paint
from twofold.art.painter.overflow import finish
from twofold.art.painter.words import Word
from twofold.rules import Board, Direction

_WAYS = (Direction.LEFT, Direction.RIGHT, Direction.UP)


@pytest.mark.slow
@pytest.mark.parametrize("above", [None, (4, 6, 4, 6)])
def test_the_rest_of_a_word_is_made_by_legal_moves(above):
    word = (6, 5, 3, 4)  # a 16 beside an 8 on the last cell, where a row of four alone has room for a 4
    top = above or (98, 99, 98, 99)
    begun = (6, 5, 3, 0)
    found = finish(np.array([top, begun, (0, 0, 0, 0)]), word, 6, (False,) * 4, 200)
    assert found is None  # a letter grown beside a smaller one meets it
    word, begun = (6, 5, 1, 4), (6, 5, 1, 0)
    found = finish(np.array([top, begun, (0, 0, 0, 0)]), word, 6, (False,) * 4, 200)
    assert found is not None
    steps, side = found
    rows = ([] if above is None else [above]) + [begun, (0, 0, 0, 0)]
    board = Board(len(rows), 4, bytes(rank for row in rows for rank in row))
    shift = len(board.cells) - 8
    for way, cell, rank in steps:
        slide = board.slide(_WAYS[way])
        assert slide.changed
        assert slide.board.cells[shift + cell] == 0
        assert rank in (1, 2)
        board = slide.board.with_cell(shift + cell, rank)
    assert tuple(board.cells[shift : shift + 4]) == word
    assert tuple(board.cells[:shift]) == (above or ())
    assert side in (1, -1)
    assert 0 < sum(1 << rank for rank in board.cells[shift + 4 :] if rank) < 1 << 6


def test_where_a_word_overflows():
    assert Word((4, 3, 2), (0, 1, 1), 0).overflow is None
    assert Word((4, 3, 3), (0, 1, 1), 0).overflow == 2
    assert Word((2, 3, 5), (0, -1, -1), 0).overflow == 0


@pytest.mark.slow
def test_most_smooth_pictures_of_8x8_with_four_colours():
    """The floor is 60 %, here for smooth pictures alone; without the row below it was about half of them."""
    chance = random.Random("smooth 8 4")
    painted = 0
    for number in range(8):
        picture = smooth_picture(chance, 8, 4)
        try:
            check(paint(picture, seconds=60, seed=number), picture)
        except NotPainted:
            continue
        painted += 1
    assert painted >= 5, painted
