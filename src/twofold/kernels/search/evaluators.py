"""Evaluators for the search template.

*Lines* (packed boards): the sum of eight table look-ups, one per row and column. `line_frontier` is the template's
frontier for them: after a spawn only one row and one column differ from the afterstate, so one look-up of each tells
what every slide does to them; the rest is added up once per afterstate (measured: three times the speed of the plain
frontier).

*Cells* and *function* evaluators call a formula on the ranks themselves, on any board. What a function says of a
packed board is remembered: a search meets a leaf in several ways (measured by `benchmarks/user_evaluation.py`).

A formula that gives nan has the board noted in the word `NAN`, since no comparison would show it; the driver refuses
the result. Infinite values become large ones: the search takes −inf for a board without moves.

The tables of a line evaluator (uint64 addresses in the workspace):
VALUES: float32 per line, what it is worth;
EXTRA: two words per line: what sliding it left and right changes (xor, bits 0-15 and 16-31) and earns (bits 32-63);
and the value of the line slid left (low float32) and right (high float32).
With `SPREAD` = 1 there are eight of each, rows 0-3 then columns 0-3; with 0 one serves all.

Values are rounded to float32 in the tables and, so that every board type agrees, wherever a line formula is called.
Values per cell may span more than float32 holds (a snake of powers does): with these the tables are float64 and the
plain frontier is used.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from twofold.kernels.bits import (
    U,
    bytes_at,
    floats_at,
    load_f32,
    load_f64,
    load_u8,
    load_u64,
    low_f32,
    pdep,
    store_f64,
    store_u8,
    store_u64,
    trailing_zeros,
)
from twofold.kernels.board.bitboard import GAMMA, LINE, empties, transpose
from twofold.kernels.compiling import helper
from twofold.kernels.search.words import DEAD, EXTRA, LINE_BYTES, MEMO, NAN, REWARD, SHAPE, VALUES

LINES = U(65536)
SPREAD = U(0)
REWARDED = False
formula: Any = None
ROUNDED = True
SCORED = False  # whether `formula` reads the score
FARTHEST = 1e300  # what a function says beyond this counts as this
FARTHEST_LINE = 1e36  # the same for a line, whose value is kept as float32


@helper
def _four(values, x, base, spread):  # type: ignore[no-untyped-def]
    """Value of the four rows of x; `base` is 0 for rows and 4 for columns."""
    step = LINES * spread
    first = base * step
    return (
        np.float64(load_f32(values, first + (x & LINE)))
        + np.float64(load_f32(values, first + step + ((x >> U(16)) & LINE)))
    ) + (
        np.float64(load_f32(values, first + step * U(2) + ((x >> U(32)) & LINE)))
        + np.float64(load_f32(values, first + step * U(3) + (x >> U(48))))
    )


def wide_evaluate(ws, b, score):  # type: ignore[no-untyped-def]
    """The same with eight float64 tables."""
    values = load_u64(ws, VALUES)
    t = transpose(b)
    total = 0.0
    for i in range(4):
        shift = U(16 * i)
        total += load_f64(values, U(i) * LINES + ((b >> shift) & LINE))
        total += load_f64(values, U(4 + i) * LINES + ((t >> shift) & LINE))
    return total


def line_evaluate(ws, b, score):  # type: ignore[no-untyped-def]
    values = load_u64(ws, VALUES)
    return _four(values, b, U(0), SPREAD) + _four(values, transpose(b), U(4), SPREAD)


@helper
def _gather(a, b, c, d, shift):  # type: ignore[no-untyped-def]
    """Bits shift..shift+15 of four words as the rows of a board."""
    return (
        ((a >> shift) & LINE)
        | (((b >> shift) & LINE) << U(16))
        | (((c >> shift) & LINE) << U(32))
        | (((d >> shift) & LINE) << U(48))
    )


@helper
def _slid(extra, x, base, spread):  # type: ignore[no-untyped-def]
    """For the rows of x: what sliding them left and right changes, earns and leaves them worth."""
    step = LINES * spread * U(2)
    first = base * step
    i = first + ((x & LINE) << U(1))
    j = first + step + (((x >> U(16)) & LINE) << U(1))
    k = first + step * U(2) + (((x >> U(32)) & LINE) << U(1))
    m = first + step * U(3) + ((x >> U(48)) << U(1))
    a, b, c, d = load_u64(extra, i), load_u64(extra, j), load_u64(extra, k), load_u64(extra, m)
    e, f, g, h = (
        load_u64(extra, i | U(1)),
        load_u64(extra, j | U(1)),
        load_u64(extra, k | U(1)),
        load_u64(extra, m | U(1)),
    )
    earned = (a >> U(32)) + (b >> U(32)) + (c >> U(32)) + (d >> U(32))
    low = (np.float64(low_f32(e)) + np.float64(low_f32(f))) + (
        np.float64(low_f32(g)) + np.float64(low_f32(h))
    )
    high = (np.float64(low_f32(e >> U(32))) + np.float64(low_f32(f >> U(32)))) + (
        np.float64(low_f32(g >> U(32))) + np.float64(low_f32(h >> U(32)))
    )
    return _gather(a, b, c, d, U(0)), _gather(a, b, c, d, U(16)), np.int64(earned), low, high


@helper
def _earned(ws, total, old, new):  # type: ignore[no-untyped-def]
    """w · the points of a move: those of all lines, with a line's old word replaced by its new one."""
    return load_f64(ws, REWARD) * np.float64(total - np.int64(old >> U(32)) + np.int64(new >> U(32)))


def line_frontier(ws, a, score, two, four, level):  # type: ignore[no-untyped-def]
    """`search.frontier` for line evaluators on packed boards."""
    values = load_u64(ws, VALUES)
    extra = load_u64(ws, EXTRA)
    t = transpose(a)
    change_l, change_r, earn_rows, worth_l, worth_r = _slid(extra, a, U(0), SPREAD)
    change_u, change_d, earn_columns, worth_u, worth_d = _slid(extra, t, U(4), SPREAD)
    step = LINES * SPREAD * U(2)
    sum2 = sum4 = 0.0
    leaves = U(0)
    free = empties(a)
    while free != U(0):
        at = trailing_zeros(free)  # bit of the cell in a
        free &= free - U(1)
        row_shift = at & U(48)
        column_shift = (at & U(12)) << U(2)
        row = (a >> row_shift) & LINE
        column = (t >> column_shift) & LINE
        keep_row = ~(LINE << row_shift)
        keep_column = ~(LINE << column_shift)
        row_table = extra + ((row_shift >> U(4)) * step << U(3))
        column_table = extra + (((column_shift >> U(4)) + U(4)) * step << U(3))
        old_row = load_u64(row_table, (row << U(1)) | U(1))
        old_column = load_u64(column_table, (column << U(1)) | U(1))
        rest_l = worth_l - np.float64(low_f32(old_row))
        rest_r = worth_r - np.float64(low_f32(old_row >> U(32)))
        rest_u = worth_u - np.float64(low_f32(old_column))
        rest_d = worth_d - np.float64(low_f32(old_column >> U(32)))
        turned = column_shift | (row_shift >> U(2))  # bit of the cell in t
        for which in range(2):
            if (which == 0 and not two) or (which == 1 and not four):
                continue
            tile = U(1 + which)
            new_row = row | (tile << (at & U(12)))
            new_column = column | (tile << (row_shift >> U(2)))
            row_word = load_u64(row_table, new_row << U(1))
            column_word = load_u64(column_table, new_column << U(1))
            row_worth = load_u64(row_table, (new_row << U(1)) | U(1))
            column_worth = load_u64(column_table, (new_column << U(1)) | U(1))
            b = a | (tile << at)
            bt = t | (tile << turned)
            dl = (change_l & keep_row) | ((row_word & LINE) << row_shift)
            dr = (change_r & keep_row) | (((row_word >> U(16)) & LINE) << row_shift)
            du = (change_u & keep_column) | ((column_word & LINE) << column_shift)
            dd = (change_d & keep_column) | (((column_word >> U(16)) & LINE) << column_shift)
            best = -np.inf
            across = 0.0
            along = 0.0
            if REWARDED:
                across = _earned(ws, earn_rows, load_u64(row_table, row << U(1)), row_word)
                along = _earned(ws, earn_columns, load_u64(column_table, column << U(1)), column_word)
            if du != U(0):
                v = (rest_u + np.float64(low_f32(column_worth))) + _four(
                    values, transpose(bt ^ du), U(0), SPREAD
                )
                best = max(best, v + along if REWARDED else v)
                leaves += U(1)
            if dr != U(0):
                v = (rest_r + np.float64(low_f32(row_worth >> U(32)))) + _four(
                    values, transpose(b ^ dr), U(4), SPREAD
                )
                best = max(best, v + across if REWARDED else v)
                leaves += U(1)
            if dd != U(0):
                v = (rest_d + np.float64(low_f32(column_worth >> U(32)))) + _four(
                    values, transpose(bt ^ dd), U(0), SPREAD
                )
                best = max(best, v + along if REWARDED else v)
                leaves += U(1)
            if dl != U(0):
                v = (rest_l + np.float64(low_f32(row_worth))) + _four(values, transpose(b ^ dl), U(4), SPREAD)
                best = max(best, v + across if REWARDED else v)
                leaves += U(1)
            if best == -np.inf:
                best = load_f64(ws, DEAD)
            if which == 0:
                sum2 += best
            else:
                sum4 += best
    return sum2, sum4, leaves


# Formulas on the ranks themselves.

LINEAR = False  # whether `formula` values a line
NUMBERED = False  # whether it knows which line it values
PLACED = False  # whether there is a table of cell values


MEMO_WORDS = U(4)  # of a remembered line: its cells (2), what it is worth, 1 once it is filled
MEMO_MASK = U((1 << 15) - 1)


@helper
def line_number(i, count):  # type: ignore[no-untyped-def]
    """Which quarter of `count` rows or columns the i-th lies in, 0 to 3; on 4x4, which row or column it is."""
    return 4 * i // count


def line_value(ws, b, first, step, count, number, parameters):  # type: ignore[no-untyped-def]
    """Value of the `count` cells of b from `first` on, `step` apart; number: 0 to 3 for a row, 4 to 7 for a column.

    Lines come back again and again in a search, so the values of lines of up to 16 cells are remembered (a search on
    5x5 was measured to run five times as fast as with the formula alone).
    """
    scratch = load_u64(ws, LINE_BYTES)
    low = ~U(0)
    high = ~U(0)
    for i in range(count):
        rank = load_u8(b, U(first + i * step))
        store_u8(scratch, U(i), rank)
        if i < 8:
            low = (low << U(8)) | U(rank)
        else:
            high = (high << U(8)) | U(rank)
    if count > 16:
        worth = line_worth(bytes_at(scratch, 1, count)[0], parameters, number)
        if worth != worth:
            store_u64(ws, NAN, b)
        return np.float64(np.float32(worth)) if ROUNDED else worth
    high ^= U(count | number << 5) << U(56)
    hashed = (low ^ (high * U(0xD6E8FEB86659FD93))) * GAMMA
    entry = load_u64(ws, MEMO) + ((((hashed >> U(32)) & MEMO_MASK) * MEMO_WORDS) << U(3))
    if load_u64(entry, U(0)) == low and load_u64(entry, U(1)) == high and load_u64(entry, U(3)) == U(1):
        return load_f64(entry, U(2))
    worth = line_worth(bytes_at(scratch, 1, count)[0], parameters, number)
    if ROUNDED:
        worth = np.float64(np.float32(worth))
    if worth != worth:
        store_u64(ws, NAN, b)
        return worth
    store_u64(entry, U(0), low)
    store_u64(entry, U(1), high)
    store_f64(entry, U(2), worth)
    store_u64(entry, U(3), U(1))
    return worth


def unnumbered(line, parameters, number):  # type: ignore[no-untyped-def]
    """A `formula` that is the same for all lines, as `line_worth` calls it."""
    return formula(line, parameters)


def line_worth(line, parameters, number):  # type: ignore[no-untyped-def]
    """`formula` of a line, or 0 if it is all bricks (an edge that only a packed board has)."""
    for i in range(len(line)):
        if line[i] != 255:
            worth = np.float64(formula(line, parameters, number))
            if worth != worth:  # min and max would lose it
                return worth
            return min(max(worth, -FARTHEST_LINE), FARTHEST_LINE)
    return 0.0


def cells_lines(ws, b, score):  # type: ignore[no-untyped-def]
    """Sum of `formula` over rows and columns, and of a value per cell and rank.

    VALUES: parameters of the formula; EXTRA: float64 (cells, 64) value of each rank on each cell.
    """
    shape = load_u64(ws, SHAPE)
    rows = np.int64(shape >> U(32))
    columns = np.int64(shape & U(0xFFFFFFFF))
    total = 0.0
    if LINEAR:
        parameters = floats_at(load_u64(ws, VALUES), 256)
        for r in range(rows):
            total += line_value(
                ws, b, r * columns, 1, columns, line_number(r, rows) if NUMBERED else 0, parameters
            )
        for c in range(columns):
            total += line_value(
                ws, b, c, columns, rows, 4 + line_number(c, columns) if NUMBERED else 0, parameters
            )
    if PLACED:
        placed = load_u64(ws, EXTRA)
        for i in range(rows * columns):
            rank = U(load_u8(b, U(i)))
            if rank != U(255):
                total += load_f64(placed, (U(i) << U(6)) | rank)
    return total


@helper
def told(ws, b, worth):  # type: ignore[no-untyped-def]
    """What a function said of board b, as the search takes it."""
    if worth != worth:  # min and max would lose it
        store_u64(ws, NAN, b)
        return worth
    return min(max(worth, -FARTHEST), FARTHEST)


def cells_function(ws, b, score):  # type: ignore[no-untyped-def]
    """`formula(board, score, parameters)`: board uint8 (rows, columns) of ranks, 255 a brick; no copy is made."""
    shape = load_u64(ws, SHAPE)
    board = bytes_at(b, np.int64(shape >> U(32)), np.int64(shape & U(0xFFFFFFFF)))
    return told(ws, b, np.float64(formula(board, score, floats_at(load_u64(ws, VALUES), 256))))


def packed_function(ws, b, score):  # type: ignore[no-untyped-def]
    """The same on an open 4x4 board, whose nibbles are spread to bytes first."""
    points = U(score) if SCORED else U(0)
    hashed = (b ^ points * U(0xD6E8FEB86659FD93)) * GAMMA
    entry = load_u64(ws, MEMO) + (((hashed >> U(40)) & MEMO_MASK) * MEMO_WORDS << U(3))
    known = load_u64(entry, U(0)) == b and load_u64(entry, U(1)) == points
    if known and load_u64(entry, U(3)) == U(1):
        return load_f64(entry, U(2))
    scratch = load_u64(ws, LINE_BYTES)
    store_u64(scratch, U(0), pdep(b & U(0xFFFFFFFF), U(0x0F0F0F0F0F0F0F0F)))
    store_u64(scratch, U(1), pdep(b >> U(32), U(0x0F0F0F0F0F0F0F0F)))
    board = bytes_at(scratch, 4, 4)
    worth = told(ws, b, np.float64(formula(board, score, floats_at(load_u64(ws, VALUES), 256))))
    if worth != worth:
        return worth
    store_u64(entry, U(0), b)
    store_u64(entry, U(1), points)
    store_f64(entry, U(2), worth)
    store_u64(entry, U(3), U(1))
    return worth


def line_values(parameters, number, top, with_bricks, line, out):  # type: ignore[no-untyped-def]
    """Fill `out`, float64 (65536,), with `formula` of every line as line `number`.

    Nibble 15 stands for rank `top`, or a brick. line: scratch, uint8 (4,).
    """
    for i in range(65536):
        for k in range(4):
            rank = (i >> (4 * k)) & 15
            line[k] = top if rank == 15 else rank
            if rank == 15 and with_bricks:
                line[k] = 255
        out[i] = line_worth(line, parameters, number)
