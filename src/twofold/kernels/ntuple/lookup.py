"""Tuple networks as evaluators of the search.

Packed 4x4 boards use the vector of eight images of `symmetry.py`; `network_frontier` is the search's frontier for
them, which has both a board and its transpose at hand. Any other board, and one with a rank that the tables don't
hold, is looked up cell by cell after downgrading (`evaluation/network.py` has the readable twin).

Workspace: VALUES is the address of the tables, EXTRA of `Design.lookups`, LINE_BYTES of scratch bytes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from twofold.kernels.bits import (
    U,
    load_f32,
    load_f64,
    load_i16,
    load_u8,
    load_u32,
    load_u64,
    store_u8,
    store_u32,
    trailing_zeros,
)
from twofold.kernels.board.bitboard import empties, packed_slides, transpose
from twofold.kernels.compiling import helper
from twofold.kernels.search.words import DEAD, EXTRA, LINE_BYTES, REWARD, SLIDE_TABLE, VALUES, WORDS

entries: Any = None
stage: Any = None
BYTES = U(0)  # of the tables of one stage
SCALE = 1.0
WHOLE = False
LEARNING = False
BASE = 16
SIZE = U(0)
STAGES: tuple[int, ...] = (1,)
BY_SUM = False


def network_value(tables, y, t):  # type: ignore[no-untyped-def]
    """Value of a packed board in points, float64; t: its transpose."""
    return np.float64(entries(tables + stage(y) * BYTES, y, t)) * SCALE


def network_evaluate(ws, b, score):  # type: ignore[no-untyped-def]
    return network_value(load_u64(ws, VALUES), b, transpose(b))


def network_frontier(ws, a, score, two, four, level):  # type: ignore[no-untyped-def]
    """`search.frontier` for networks on packed boards."""
    table = load_u64(ws, SLIDE_TABLE)
    values = load_u64(ws, VALUES)
    weight = load_f64(ws, REWARD)
    dead = load_f64(ws, DEAD)
    t = transpose(a)
    sum2 = 0.0
    sum4 = 0.0
    leaves = U(0)
    free = empties(a)
    while free != U(0):
        at = trailing_zeros(free)
        free &= free - U(1)
        turned = ((at & U(12)) << U(2)) | ((at & U(48)) >> U(2))  # bit of the cell in t
        for which in range(2):
            if (which == 0 and not two) or (which == 1 and not four):
                continue
            tile = U(1 + which)
            b = a | (tile << at)
            bt = t | (tile << turned)
            left, right, across = packed_slides(table, b)
            up, down, along = packed_slides(table, bt)
            flat = weight * np.float64(across)
            steep = weight * np.float64(along)
            most = -np.inf
            if up != bt:
                most = max(most, steep + network_value(values, transpose(up), up))
                leaves += U(1)
            if right != b:
                most = max(most, flat + network_value(values, right, transpose(right)))
                leaves += U(1)
            if down != bt:
                most = max(most, steep + network_value(values, transpose(down), down))
                leaves += U(1)
            if left != b:
                most = max(most, flat + network_value(values, left, transpose(left)))
                leaves += U(1)
            if most == -np.inf:
                most = dead
            if which == 0:
                sum2 += most
            else:
                sum4 += most
    return sum2, sum4, leaves


# Any board.


@helper
def downgrade_bytes(buffer, count, base):  # type: ignore[no-untyped-def]
    """`values.network.downgrade` in place; bricks (255) stay. Returns the highest rank."""
    while True:
        seen = U(0)
        top = 0
        for i in range(count):
            rank = load_u8(buffer, U(i))
            if rank != 255 and rank > 0:
                seen |= U(1) << U(rank)
                top = max(top, np.int64(rank))
        if top < base:
            return top
        gap = top - 1
        while gap > 0 and seen & (U(1) << U(gap)) != U(0):
            gap -= 1
        for i in range(count):
            rank = load_u8(buffer, U(i))
            if rank == 255:
                continue
            if gap == 0:
                store_u8(buffer, U(i), np.uint8(min(np.int64(rank), base - 1)))
            elif rank > gap:
                store_u8(buffer, U(i), np.uint8(rank - 1))


@helper
def sum_bytes(buffer, count):  # type: ignore[no-untyped-def]
    """The sum of the tiles of a board of bytes."""
    total = 0
    for i in range(count):
        rank = np.int64(load_u8(buffer, U(i)))
        if rank != 255 and rank > 0:
            total += 1 << rank
    return total


def lookup_value(tables, lookups, scratch, b, words, indices):  # type: ignore[no-untyped-def]
    """Value of the board of bytes at address b in points, float64.

    words: 64-bit words of the board; scratch: address of as many bytes. With LEARNING the numbers of the entries are
    written to `indices`, uint32.
    """
    cells = np.int64(words) << 3
    for i in range(cells):
        store_u8(scratch, U(i), load_u8(b, U(i)))
    reached = np.int64(downgrade_bytes(scratch, cells, BASE))
    if BY_SUM:
        reached = sum_bytes(scratch, cells)
    first = U(0)
    for least in STAGES:
        if least > 0 and reached >= least:
            first += SIZE
    images = load_u32(lookups, U(0))
    p = U(3)
    count = U(0)
    total = np.float64(0)
    for _ in range(load_u32(lookups, U(1))):
        length = load_u32(lookups, p)
        start = first + U(load_u32(lookups, p + U(1)))
        p += U(2)
        for _ in range(images):
            index = start
            power = U(1)
            for _ in range(length):
                rank = load_u8(scratch, U(load_u32(lookups, p)))
                p += U(1)
                if rank != 255:
                    index += U(rank) * power
                power *= U(BASE)
            if LEARNING:
                store_u32(indices, count, np.uint32(index))
                count += U(1)
            if WHOLE:
                total += np.float64(load_i16(tables, index))
            else:
                total += np.float64(load_f32(tables, index))
    return total * SCALE


def lookup_evaluate(ws, b, score):  # type: ignore[no-untyped-def]
    scratch = load_u64(ws, LINE_BYTES)
    return lookup_value(load_u64(ws, VALUES), load_u64(ws, EXTRA), scratch, b, load_u64(ws, WORDS), U(0))
