"""The compiled slides against the reference: every line, random boards of all shapes, and one against the other."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from numba import njit

from tests.rules.strategies import boards
from twofold.evaluation.compiled import pack
from twofold.kernels.bits import U, load_u8, store_u8
from twofold.kernels.board.bitboard import mix64, transpose
from twofold.kernels.board.byteboard import cells_copy, cells_slide
from twofold.kernels.board.geometry import buffer_of, geometry
from twofold.kernels.board.line_tables import build_line_table, line_table
from twofold.kernels.search.boards import packed_slides
from twofold.rules.board import Board
from twofold.rules.cells import BRICK
from twofold.rules.direction import DIRECTIONS, Direction

LINES = 65536


@njit
def slide_packed(table, x, direction):  # type: ignore[no-untyped-def]
    """One slide of a packed board, as the search does it."""
    if direction == 1 or direction == 3:
        left, right, reward = packed_slides(table, x)
        return (right if direction == 1 else left), reward
    up, down, reward = packed_slides(table, transpose(x))
    return transpose(up if direction == 0 else down), reward


@njit
def slide_cells(address, shape, direction):  # type: ignore[no-untyped-def]
    return cells_slide(address, shape, direction)


def by_packed(board: Board, direction: Direction, with_bricks: bool) -> tuple[int, int]:
    table = line_table(with_bricks)
    slid, reward = slide_packed(U(table.ctypes.data), U(pack(board)), int(direction))
    return int(slid), int(reward)


def by_cells(board: Board, direction: Direction) -> tuple[bytes, int, bool]:
    buffer, shape = buffer_of(board), geometry(board)
    changed, reward = slide_cells(U(buffer.ctypes.data), U(shape.ctypes.data), int(direction))
    padding = buffer[len(board.cells) :]
    assert (padding == BRICK).all()
    return bytes(buffer[: len(board.cells)]), int(reward), bool(changed)


def check(board: Board, with_bricks: bool | None) -> None:
    """Reference = cells, and = packed if `with_bricks` says how (None: not packed)."""
    for direction in DIRECTIONS:
        expected = board.slide(direction)
        assert by_cells(board, direction) == (expected.board.cells, expected.reward, expected.changed)
        if with_bricks is not None:
            assert by_packed(board, direction, with_bricks) == (pack(expected.board), expected.reward)


def line_board(line: int, with_bricks: bool, vertical: bool) -> Board:
    ranks = [line >> (4 * i) & 15 for i in range(4)]
    if with_bricks:
        ranks = [BRICK if rank == 15 else rank for rank in ranks]
    return Board(4, 1, bytes(ranks)) if vertical else Board(1, 4, bytes(ranks))


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("with_bricks", [False, True])
def test_every_line_of_the_table_is_what_the_reference_says(with_bricks: bool, step: int) -> None:
    table = line_table(with_bricks)
    assert (table == build_line_table(with_bricks)).all()
    top = 14 if with_bricks else 15
    for line in range(0, LINES, step):
        board = line_board(line, with_bricks, vertical=False)
        left, right = board.slide(Direction.LEFT), board.slide(Direction.RIGHT)
        for slid, shift in ((left, 0), (right, 16)):
            # A merge beyond the nibble keeps its rank, which the reward tells.
            ranks = [15 if rank == BRICK else min(rank, top) for rank in slid.board.cells]
            expected = sum(rank << (4 * i) for i, rank in enumerate(ranks))
            assert int(table[line]) >> shift & 0xFFFF == expected
        assert int(table[line]) >> 32 == left.reward == right.reward


@pytest.mark.parametrize("step", [17, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("vertical", [False, True])
def test_cells_slide_every_line_as_the_reference(vertical: bool, step: int) -> None:
    for line in range(0, LINES, step):
        check(line_board(line, True, vertical), None)


@given(boards(max_rank=17))
def test_cells_slide_any_board_as_the_reference(board: Board) -> None:
    check(board, None)


def random_board(dice: random.Random, rows: int, columns: int, top: int, bricks: float) -> Board:
    empty = dice.random()
    cells = [
        BRICK if dice.random() < bricks else 0 if dice.random() < empty else dice.randint(1, top)
        for _ in range(rows * columns)
    ]
    return Board(rows, columns, bytes(cells))


def test_packed_slides_random_boards_as_the_reference() -> None:
    dice = random.Random(1)
    for _ in range(3000):
        check(random_board(dice, 4, 4, 14, 0), False)
        check(random_board(dice, dice.randint(2, 4), dice.randint(2, 4), 13, 0.2), True)


def test_large_boards_and_ranks_on_cells() -> None:
    dice = random.Random(2)
    for _ in range(300):
        check(random_board(dice, dice.randint(1, 16), dice.randint(2, 16), 59, dice.random() / 2), None)


@njit(nogil=True)
def differences(table, shape, buffer, copy, count, seed):  # type: ignore[no-untyped-def]
    """Number of random 4x4 moves of `count` on which packed and cells disagree."""
    wrong = 0
    for i in range(count):
        word = mix64(seed + U(i) * U(0x9E3779B97F4A7C15))
        mask = mix64(word)
        x = U(0)
        for cell in range(16):
            rank = (word >> U(4 * cell)) & U(15)
            # About a third of the cells empty, and neighbours often equal.
            rank = U(0) if (mask >> U(4 * cell)) & U(15) < U(5) else min(rank, U(14)) >> (mask >> U(63))
            x |= rank << U(4 * cell)
            store_u8(copy, U(cell), np.uint8(rank))
        for direction in range(4):
            cells_copy(copy, buffer, U(2))
            changed, reward = cells_slide(buffer, shape, direction)
            slid, earned = slide_packed(table, x, direction)
            y = U(0)
            for cell in range(16):
                y |= U(load_u8(buffer, U(cell))) << U(4 * cell)
            if y != slid or reward != earned or changed != (slid != x):
                wrong += 1
    return wrong


def count_differences(moves: int, seed: int) -> int:
    board = Board.empty(4, 4)
    table, shape = line_table(), geometry(board)
    buffer, copy = buffer_of(board), buffer_of(board)
    return int(
        differences(
            U(table.ctypes.data),
            U(shape.ctypes.data),
            U(buffer.ctypes.data),
            U(copy.ctypes.data),
            moves // 4,
            U(seed),
        )
    )


def test_packed_and_cells_agree_on_a_million_moves() -> None:
    assert count_differences(1_000_000, 3) == 0


@pytest.mark.slow
def test_packed_and_cells_agree_on_a_billion_moves() -> None:
    assert count_differences(1_000_000_000, 4) == 0


@pytest.mark.slow
def test_packed_and_cells_slide_a_million_moves_as_the_reference() -> None:
    """More, and on other boards, by `python -m benchmarks.reliability moves`."""
    dice = random.Random(5)
    for _ in range(250_000):
        check(random_board(dice, 4, 4, 14, 0), False)
