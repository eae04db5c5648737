"""`Board` as a value: what it refuses, what it tells, and its eight images."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given

from tests.rules.strategies import boards
from twofold.errors import InvalidBoard, UnknownDirection
from twofold.rules import BRICK, Board, Direction

BOARD = Board.parse("2 . 4 .|. . . .|x 16 . .|. . . 2")


def test_a_board_tells_what_it_holds() -> None:
    assert BOARD.size == (4, 4)
    assert BOARD.ranks == ((1, 0, 2, 0), (0, 0, 0, 0), (255, 4, 0, 0), (0, 0, 0, 1))
    assert BOARD.values == ((2, 0, 4, 0), (0, 0, 0, 0), (-1, 16, 0, 0), (0, 0, 0, 2))
    assert BOARD.empty_cells == (1, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14)
    assert BOARD.bricks == (8,)
    assert BOARD.has_bricks
    assert (BOARD.max_rank, BOARD.max_tile, BOARD.tile_sum) == (4, 16, 24)
    assert not BOARD.is_full
    assert BOARD.default_score() == 0 + 4 + 48 + 0
    assert BOARD[2, 1] == 4
    assert str(BOARD) == "2 . 4 .|. . . .|x 16 . .|. . . 2"
    assert str(BOARD.without_tiles()) == ". . . .|. . . .|x . . .|. . . ."


def test_an_empty_board() -> None:
    board = Board.empty()
    assert (board.max_rank, board.max_tile, board.tile_sum, board.default_score()) == (0, 0, 0, 0)
    assert board.is_dead
    assert Board.empty(1, 2).size == (1, 2)
    assert Board.empty(64, 64).size == (64, 64)


def test_boards_from_nested_lists() -> None:
    assert Board.from_values([[2, None, "x"], [0, -1, 131072]]) == Board.from_ranks(
        [[1, 0, 255], [0, -1, 17]]
    )
    assert Board.from_ranks([[0, 60]]).max_tile == 1 << 60


def test_boards_from_numpy_rows() -> None:
    numpy = pytest.importorskip("numpy")
    assert Board.from_ranks(numpy.array([[1, 0], [2, 3]], dtype=numpy.uint8)).values == ((2, 0), (4, 8))
    with pytest.raises(InvalidBoard, match="whole number"):
        Board.from_values(numpy.array([[2.0, 4.5]]))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Board(2, 2, b"\0\0\0"), "2x2 board has 4 cells, not 3"),
        (lambda: Board(1, 2, b"\0\x3d"), "no rank '61': ranks go from 0"),
        (
            lambda: Board(1, 2, [0, 0]),  # type: ignore[arg-type]
            "cells must be bytes",
        ),
        (lambda: Board.empty(1, 1), "1x1.*1x2 to 64x64"),
        (lambda: Board.empty(-4, 4), "-4x4.*1x2 to 64x64"),
        (lambda: Board.empty(99999, 99999), "99999x99999.*1x2 to 64x64"),
        (
            lambda: Board.empty(2.0, 2),  # type: ignore[arg-type]
            "rows must be a whole number",
        ),
        (lambda: Board.empty(True, 2), "rows must be a whole number"),
        (lambda: Board.from_ranks([[1, 61]]), "no rank '61'"),
        (lambda: Board.from_ranks([[1, -2]]), "no rank '-2'"),
        (lambda: Board.from_values([[2, 3]]), "no tile '3'.*powers of two"),
        (lambda: Board.from_values([[2, 1]]), "no tile '1'"),
        (lambda: Board.from_values([[2, 1 << 61]]), "no tile '2305843009213693952'"),
        (
            lambda: Board.from_values([[2, 4.0]]),  # type: ignore[list-item]
            "whole number, not '4.0'",
        ),
        (lambda: Board.from_values([[2, True]]), "whole number, not 'True'"),
        (lambda: Board.from_values([[2, "y"]]), "no tile 'y'"),
        (lambda: Board.from_values([[2, 2], [2]]), "row 2 has 1 cell but row 1 has 2"),
        (lambda: Board.from_values([]), "0x0"),
        (lambda: BOARD.with_cell(16, 1), "no cell 16"),
        (lambda: BOARD.with_cell(0, 300), "no rank '300'"),
        (lambda: BOARD.with_cell("a", 1), "whole number, not 'a'"),  # type: ignore[arg-type]
        (lambda: BOARD.with_cell(0, 1.5), "whole number, not '1.5'"),  # type: ignore[arg-type]
        (lambda: Board.from_values(5), "'5' is not a board: write rows"),  # type: ignore[arg-type]
        (lambda: Board.from_values([2, 4]), "not a board: write rows"),  # type: ignore[list-item]
        (lambda: Board.parse("2 4", "4x4"), "give .rows, columns."),  # type: ignore[arg-type]
        (lambda: Board.parse("2 4", (4,)), "give .rows, columns."),  # type: ignore[arg-type]
    ],
)
def test_what_a_board_refuses(make: object, message: str) -> None:
    with pytest.raises(InvalidBoard, match=message) as caught:
        make()  # type: ignore[operator]
    assert "\n" not in str(caught.value)


def test_no_direction_is_not_an_illegal_move() -> None:
    with pytest.raises(UnknownDirection, match="unknown direction 'west'"):
        BOARD.is_legal("west")


def test_a_board_never_changes() -> None:
    with pytest.raises(AttributeError):
        BOARD.rows = 3  # type: ignore[misc]
    changed = BOARD.with_cell(0, BRICK)
    assert changed.cells[0] == BRICK
    assert BOARD.cells[0] == 1
    with pytest.raises(IndexError):
        BOARD[4, 0]


@given(boards())
def test_boards_are_values(board: Board) -> None:
    same = Board(board.rows, board.columns, bytes(board.cells))
    assert same == board
    assert hash(same) == hash(board)
    assert pickle.loads(pickle.dumps(board)) == board
    assert copy.deepcopy(board) == board
    assert eval(repr(board), {"Board": Board}) == board


@given(boards())
def test_symmetries(board: Board) -> None:
    assert board.transpose().transpose() == board
    assert board.flip_horizontal().flip_horizontal() == board
    assert board.flip_vertical() == board.rotate().rotate().flip_horizontal()
    assert board.rotate().rotate().rotate().rotate() == board
    images = board.symmetries()
    assert len(images) == 8
    assert {image.canonical() for image in images} == {board.canonical()}
    assert board.canonical() in images
    assert {image.tile_sum for image in images} == {board.tile_sum}


def test_the_eight_images_are_all_different_in_general() -> None:
    board = Board.from_values([[2, 4], [8, 16]])
    assert len(set(board.symmetries())) == 8
    assert board.rotate() == Board.from_values([[8, 2], [16, 4]])


@given(boards())
def test_legal_moves_are_those_that_change_the_board(board: Board) -> None:
    changing = tuple(d for d in Direction if board.slide(d).changed)
    assert board.legal_moves() == changing
    assert board.is_dead == (not changing)
