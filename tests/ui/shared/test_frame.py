"""The picture for a terminal: it fits, it is aligned, and every tile can be read."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.text import Text

from twofold import Board, Direction
from twofold.rules.cells import BRICK
from twofold.ui.shared.frame import (
    Look,
    Panel,
    board_lines,
    choose_layout,
    compose,
    in_units,
    tile_labels,
    value_bars,
    value_text,
)

LOOKS = [Look(colour, unicode) for colour in (True, False) for unicode in (True, False)]
BIG = Board.parse("131072 65536 32768 16384|2 4 8 16|x 32 64 .|1024 2048 4096 8192")


@pytest.mark.parametrize("look", LOOKS)
def test_six_digits_are_shown_in_full_on_a_classic_terminal(look: Look) -> None:
    layout = choose_layout(BIG, look, 80, 21, beside_height=15, below_height=4)
    text = "\n".join(line.plain for line in board_lines(BIG, layout, look))
    for value in ("131072", "65536", "32768", "16384", "8192", "2048"):
        assert value in text
    assert layout.beside


@given(
    rows=st.integers(1, 64),
    columns=st.integers(2, 64),
    rank=st.integers(1, 60),
    look=st.sampled_from(LOOKS),
    width=st.integers(20, 200),
    height=st.integers(8, 70),
)
def test_a_picture_is_aligned_and_fits(
    rows: int, columns: int, rank: int, look: Look, width: int, height: int
) -> None:
    cells = bytearray(rows * columns)
    cells[0], cells[-1] = rank, BRICK
    board = Board(rows, columns, bytes(cells))
    layout = choose_layout(board, look, width, height, beside_height=5, below_height=4)
    lines = board_lines(board, layout, look)
    assert {cell_len(line.plain) for line in lines} == {layout.board_width}
    assert len(lines) == layout.board_height
    assert layout.board_width <= width
    panel = Panel([Text("a")] * 5, [Text("b")] * 4)
    assert len(compose(board, panel, look, width, height)) <= height
    labels = tile_labels(board, layout)
    assert len(labels[rank]) <= layout.width
    places = [layout.cell_at(y, x) for y in range(layout.board_height) for x in range(layout.board_width)]
    cells = layout.rows * layout.columns
    assert len({place for place in places if place is not None}) == cells
    assert len([place for place in places if place is not None]) == cells * layout.width * layout.height
    bottom, right = layout.rows - 1, layout.columns - 1
    assert layout.cell_at(*layout.corner(bottom, right)) == (bottom, right)


@pytest.mark.parametrize("size", [8, 12, 16])
def test_large_boards_keep_their_numbers_on_80_by_24(size: int) -> None:
    board = Board.empty(size, size).with_cell(0, 11)
    layout = choose_layout(board, Look(True, True), 80, 21, beside_height=15, below_height=4)
    assert (layout.rows, layout.columns) == (size, size)
    assert tile_labels(board, layout)[11] in ("2048", "2k")


def test_units_and_ranks_are_never_mixed() -> None:
    assert [in_units(rank) for rank in (1, 9, 10, 17, 20, 60)] == ["2", "512", "1k", "128k", "1M", "1E"]
    narrow = choose_layout(BIG, Look(True, True), 12, 21, beside_height=15, below_height=4)
    labels = tile_labels(BIG, narrow)
    assert labels[17] == "17"
    assert labels[1] == "1"


def test_without_colour_no_styles_are_left() -> None:
    look = Look(colour=False, unicode=False)
    layout = choose_layout(BIG, look, 80, 21, beside_height=15, below_height=4)
    for line in board_lines(BIG, layout, look):
        assert not line.style
        assert all(not span.style for span in line.spans)
        assert line.plain.isascii()


def test_bars_rank_the_moves_and_show_illegal_ones_as_such() -> None:
    values = (10.0, None, 20.0, 15.0)
    lines = value_bars(values, Direction.DOWN, Look(False, False))
    lengths = [line.plain.count("#") for line in lines]
    assert lengths[1] == 0
    assert lengths[2] == max(lengths) > lengths[3] > lengths[0] > 0
    assert lines[1].plain.endswith("-")


@given(st.floats(allow_nan=False))
def test_a_value_is_short(value: float) -> None:
    text = value_text(value)
    assert len(text) <= 10
    assert re.fullmatch(r"-?[\d,.]+(e[+-]\d+)?|-?inf", text)
