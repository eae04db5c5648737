"""The value network of lines and squares as an evaluator of the search: `evaluation/neural.py` has the readable twin.

A board is turned so that, of its eight images, the one with the largest word is looked at: the largest corner tile
lies in the last cell. Its eight lines and nine squares of 2x2 cells are 16-bit numbers; each is looked up as a vector
(lines in the first table, squares in the second), the vectors side by side go through two dense layers with ReLU and
a last sum. Float32 throughout; every sum is added up in one order, whatever the size of the batch, and nothing is
fused, so that the same network gives the same values on every machine and in every search.

All leaves above one afterstate of the search are valued as one batch, four boards at a time (kernels/neural/dense.py).

Workspace: VALUES is the address of the network's numbers (float32), EXTRA of `SIZES` and what follows (uint64), MEMO
of scratch memory.
"""

from __future__ import annotations

import numpy as np

from twofold.kernels.bits import (
    U,
    bits_to_f64,
    load_f32,
    load_f64,
    load_u8,
    load_u64,
    store_f32,
    store_f64,
    store_u8,
    store_u64,
    trailing_zeros,
)
from twofold.kernels.board.bitboard import LINE, empties, mirror, packed_slides, slide_rows, transpose, upend
from twofold.kernels.compiling import helper, kernel
from twofold.kernels.neural.dense import ROWS, dense4
from twofold.kernels.ntuple.afterstates import AFTERSTATE, GAIN
from twofold.kernels.ntuple.lookup import downgrade_bytes
from twofold.kernels.search.words import DEAD, EXTRA, LINE_BYTES, MEMO, REWARD, SLIDE_TABLE, VALUES, WORDS

LINES, SQUARES = 8, 9
FEATURES = LINES + SQUARES
TABLE = 65536
"""Entries of the table of lines, and of that of squares."""

# Words at EXTRA: widths of a vector and of the two layers, points per unit (float64), then the places of the parts
# among the numbers, counted in float32.
WIDTH, FIRST, SECOND, POINTS, W1, B1, W2, B2, W3, B3 = (U(i) for i in range(10))

MOST_WIDTH, MOST_FIRST, MOST_SECOND = 64, 1024, 512
# Scratch, in bytes: words of the leaves, their rewards, their values, then the layers of a block.
_LEAVES = 128  # at least 15 cells times 2 tiles times 4 moves
_GAINS, _FOUND, _LAYERS = U(8 * _LEAVES), U(16 * _LEAVES), U(24 * _LEAVES)
_MOST_INPUTS, _MOST_FIRST, _MOST_SECOND = U(FEATURES * MOST_WIDTH), U(MOST_FIRST), U(MOST_SECOND)
SCRATCH = 3 * _LEAVES + 2 * (FEATURES * MOST_WIDTH + MOST_FIRST + MOST_SECOND)
"""Words of scratch memory that are used; a workspace's MEMO has more."""


@helper
def canonical(x):  # type: ignore[no-untyped-def]
    """Of the eight images of a packed board the one with the largest word."""
    best = x
    for turned in range(2):
        y = mirror(x)
        z = upend(x)
        best = max(max(best, x), max(y, z))
        best = max(best, upend(y))
        if turned == 0:
            x = transpose(x)
    return best


@helper
def feature(y, t, k):  # type: ignore[no-untyped-def]
    """Row in the two tables, one behind the other, of number k of the 17 parts of a canonical board; t: transposed."""
    if k < 4:
        return (y >> U(16 * k)) & LINE
    if k < LINES:
        return (t >> U(16 * (k - 4))) & LINE
    square = k - LINES
    z = y >> U(16 * (square // 3) + 4 * (square % 3))
    return U(TABLE) + ((z & U(0xFF)) | ((z >> U(8)) & U(0xFF00)))


@helper
def _block(weights, sizes, boards, count, layers):  # type: ignore[no-untyped-def]
    """The second layer of up to four boards; returns the address of its rows of MOST_SECOND numbers."""
    width = load_u64(sizes, WIDTH)
    last = U(count - 1)
    for b in range(ROWS):
        # A block that isn't full values its last board again: no loop needs to ask how many there are.
        y = canonical(load_u64(boards, min(U(b), last)))
        t = transpose(y)
        place = U(b) * _MOST_INPUTS
        for k in range(FEATURES):
            row = feature(y, t, k) * width
            for j in range(width):
                store_f32(layers, place, load_f32(weights, row + U(j)))
                place += U(1)
    first = layers + ((U(ROWS) * _MOST_INPUTS) << U(2))
    second = first + ((U(ROWS) * _MOST_FIRST) << U(2))
    w1 = weights + (load_u64(sizes, W1) << U(2))
    b1 = weights + (load_u64(sizes, B1) << U(2))
    w2 = weights + (load_u64(sizes, W2) << U(2))
    b2 = weights + (load_u64(sizes, B2) << U(2))
    inputs = U(FEATURES) * width
    columns = load_u64(sizes, FIRST)
    dense4(layers, _MOST_INPUTS, w1, b1, first, _MOST_FIRST, inputs, columns)
    dense4(first, _MOST_FIRST, w2, b2, second, _MOST_SECOND, columns, load_u64(sizes, SECOND))
    return second


@helper
def values_of(weights, sizes, boards, count, found, layers):  # type: ignore[no-untyped-def]
    """Values of `count` packed boards at an address, points, as float64 to the address `found`."""
    points = bits_to_f64(load_u64(sizes, POINTS))
    w3 = load_u64(sizes, W3)
    for begin in range(0, count, ROWS):
        many = min(ROWS, count - begin)
        second = _block(weights, sizes, boards + U(8 * begin), many, layers)
        for b in range(many):
            total = load_f32(weights, load_u64(sizes, B3))
            for j in range(load_u64(sizes, SECOND)):
                total += load_f32(second, U(b) * _MOST_SECOND + U(j)) * load_f32(weights, w3 + U(j))
            store_f64(found, U(begin + b), np.float64(total) * points)


def neural_evaluate(ws, b, score):  # type: ignore[no-untyped-def]
    """Value of one packed board in points."""
    scratch = load_u64(ws, MEMO)
    store_u64(scratch, U(0), b)
    found = scratch + _FOUND
    values_of(load_u64(ws, VALUES), load_u64(ws, EXTRA), scratch, 1, found, scratch + _LAYERS)
    return load_f64(found, U(0))


@helper
def _sum_of_best(ws, a, rank):  # type: ignore[no-untyped-def]
    """Sum over the empty cells of the best leaf after a tile of `rank` there, and the leaves: valued as one batch."""
    table = load_u64(ws, SLIDE_TABLE)
    weight = load_f64(ws, REWARD)
    scratch = load_u64(ws, MEMO)
    gains = scratch + _GAINS
    found = scratch + _FOUND
    n = 0
    free = empties(a)
    while free != U(0):
        b = a | (rank << trailing_zeros(free))
        free &= free - U(1)
        t = transpose(b)
        left, right, across = packed_slides(table, b)
        up, down, along = packed_slides(table, t)
        for d in range(4):
            y = transpose(up) if d == 0 else right if d == 1 else transpose(down) if d == 2 else left
            if y != b:
                store_u64(scratch, U(n), y)
                store_f64(gains, U(n), weight * np.float64(along if d & 1 == 0 else across))
                n += 1
    values_of(load_u64(ws, VALUES), load_u64(ws, EXTRA), scratch, n, found, scratch + _LAYERS)
    # The same walk again: the leaves of one spawn lie side by side.
    i = 0
    total = 0.0
    free = empties(a)
    while free != U(0):
        b = a | (rank << trailing_zeros(free))
        free &= free - U(1)
        t = transpose(b)
        left, right, _ = packed_slides(table, b)
        up, down, _ = packed_slides(table, t)
        many = np.int64(up != t) + np.int64(right != b) + np.int64(down != t) + np.int64(left != b)
        most = -np.inf if many > 0 else load_f64(ws, DEAD)
        for _ in range(many):
            most = max(most, load_f64(gains, U(i)) + load_f64(found, U(i)))
            i += 1
        total += most
    return total, U(n)


def neural_frontier(ws, a, score, two, four, level):  # type: ignore[no-untyped-def]
    """`search.frontier` on packed boards."""
    sum2 = sum4 = 0.0
    leaves = U(0)
    if two:
        sum2, valued = _sum_of_best(ws, a, U(1))
        leaves += valued
    if four:
        sum4, valued = _sum_of_best(ws, a, U(2))
        leaves += valued
    return sum2, sum4, leaves


@helper
def packed_bytes(scratch):  # type: ignore[no-untyped-def]
    """The 16 ranks at an address, downgraded in place, as a packed board."""
    downgrade_bytes(scratch, 16, 16)
    word = U(0)
    for i in range(16):
        word |= U(load_u8(scratch, U(i))) << U(4 * i)
    return word


def neural_cells(ws, b, score):  # type: ignore[no-untyped-def]
    """Value of a 4x4 board of bytes at an address: downgraded, packed, valued."""
    scratch = load_u64(ws, LINE_BYTES)
    for i in range(np.int64(load_u64(ws, WORDS)) << 3):
        store_u8(scratch, U(i), load_u8(b, U(i)))
    return neural_evaluate(ws, packed_bytes(scratch), score)


def neural_ask(table, parts, x, record):  # type: ignore[no-untyped-def]
    """`afterstates.ask`: all there is to do is done by `neural_choose`."""


def neural_choose(table, parts, x, record):  # type: ignore[no-untyped-def]
    """`afterstates.choose` with all moves valued at once; the best one is written to the record.

    parts: address of three words: the addresses of the numbers, the sizes and scratch memory.
    """
    weights, sizes, scratch = load_u64(parts, U(0)), load_u64(parts, U(1)), load_u64(parts, U(2))
    t = transpose(x)
    left, right, across = slide_rows(table, x)
    up, down, along = slide_rows(table, t)
    n = 0
    for d in range(4):
        y = transpose(up) if d == 0 else right if d == 1 else transpose(down) if d == 2 else left
        if y != x:
            store_u64(scratch, U(n), y)
            store_u64(scratch + _GAINS, U(n), along if d & 1 == 0 else across)
            n += 1
    values_of(weights, sizes, scratch, n, scratch + _FOUND, scratch + _LAYERS)
    most = -np.inf
    at = U(0)
    for i in range(n):
        worth = np.float64(load_u64(scratch + _GAINS, U(i))) + load_f64(scratch + _FOUND, U(i))
        if worth > most:
            most = worth
            at = U(i)
    store_u64(record, AFTERSTATE, load_u64(scratch, at))
    store_u64(record, GAIN, load_u64(scratch + _GAINS, at))
    return most, load_f64(scratch + _FOUND, at), record, n > 0


@kernel
def many_values(weights, sizes, scratch, boards, out):  # type: ignore[no-untyped-def]
    """Values of packed boards, uint64 (n,), into out, float64 (n,), points; the rest are addresses."""
    begin = 0
    while begin < len(boards):
        many = min(_LEAVES, len(boards) - begin)
        for i in range(many):
            store_u64(scratch, U(i), boards[begin + i])
        values_of(weights, sizes, scratch, many, scratch + _FOUND, scratch + _LAYERS)
        for i in range(many):
            out[begin + i] = load_f64(scratch + _FOUND, U(i))
        begin += many
