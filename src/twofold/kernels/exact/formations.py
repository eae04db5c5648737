"""Probabilities of formation tables, one layer of equal tile sum at a time (twofold/exact/formations.py).

A *position* is a packed board whose anchors hold the nibbles 15, 14, 13, … and whose free cells hold ranks below all
of these. The free cells are dealt into two halves, A and B, of at most six cells each. A half's fillings are sorted by
their sum (unit: a 2), so a layer of sum S is the rectangles A-fillings of sum s by B-fillings of sum S − s for
s = 0, 1, …, row after row: its positions have numbers without gaps, and lie together in memory. Of each filling a
table says its *entry*, uint32: its number among the fillings of its sum, times 2^12, plus the sum; `NONE` for one
beyond the caps.
"""

from __future__ import annotations

import numpy as np

from twofold.kernels.bits import U, pext, popcount
from twofold.kernels.board.bitboard import slide_rows, transpose
from twofold.kernels.compiling import helper, kernel

NONE = np.uint32(0xFFFFFFFF)
SUM_BITS = U(12)
_SUMS = U((1 << 12) - 1)


@helper
def is_goal(x, goals):  # type: ignore[no-untyped-def]
    """Whether the board has all tiles of one of the goals, uint64 (G, 2): mask of the cells, their nibbles."""
    for g in range(len(goals)):  # noqa: SIM110
        if x & goals[g, 0] == goals[g, 1]:
            return True
    return False


@helper
def row_of(i, sum_a, layer, starts_a, starts_b, base, count_b):  # type: ignore[no-untyped-def]
    """The sum of A-filling i, not below `sum_a`, and its row in a layer: first B-filling, how many, where it begins."""
    while starts_a[sum_a + 1] <= i:
        sum_a += 1
    sum_b = layer - sum_a
    if sum_b < 0 or sum_b >= len(starts_b) - 1:
        return sum_a, np.int64(0), np.int64(0), np.int64(0)
    count = count_b[sum_b]
    return sum_a, starts_b[sum_b], count, base[sum_a] + (i - starts_a[sum_a]) * count


@kernel
def after_rows(  # type: ignore[no-untyped-def]
    layer,
    first,
    last,
    goes,
    rows_a,
    starts_a,
    rows_b,
    starts_b,
    half_a,
    half_b,
    bases,
    count_b,
    above,
    have,
    out,
):
    """Values of a layer's positions as afterstates: the mean over spawns, times 65535, into `out`, float32.

    first, last: of which A-fillings; goes: uint64 (2,), masks of the free cells of A and B; rows_a, rows_b: the
    fillings as boards, uint64, sorted by sum; starts_a, starts_b: int64, where each sum begins; half_a, half_b: entries
    by filling; bases: int64 (3, sums of A + 1), where the rectangles of this layer and of the next two begin by sum of
    A; count_b: int64, fillings of B by sum; above: the values of the next two layers as states, two uint16 arrays;
    have: how many of these there are (what lies beyond is worth 0).
    """
    base, base1, base2 = bases[0], bases[1], bases[2]
    next1, next2 = above
    cells_a, cells_b = popcount(goes[0]) >> 2, popcount(goes[1]) >> 2
    two, four = np.float32(0.9), np.float32(0.1)
    sum_a = np.int64(0)
    for i in range(first, last):
        sum_a, begin, count, at = row_of(i, sum_a, layer, starts_a, starts_b, base, count_b)
        number = i - starts_a[sum_a]
        out[at : at + count] = np.float32(0.0)
        a = pext(rows_a[i], goes[0])
        free_a = 0
        for j in range(
            cells_a
        ):  # a spawn in A: the same for all fillings of B, whose values lie side by side
            low = U(1) << U(4 * j)
            if a & (low * U(15)) != U(0):
                continue
            free_a += 1
            entry = half_a[a | low]
            if have > 0 and entry != NONE:
                there = base1[U(entry) & _SUMS] + np.int64(U(entry) >> SUM_BITS) * count
                for k in range(count):
                    out[at + k] += two * np.float32(next1[there + k])
            entry = half_a[a | (low << U(1))]
            if have > 1 and entry != NONE:
                there = base2[U(entry) & _SUMS] + np.int64(U(entry) >> SUM_BITS) * count
                for k in range(count):
                    out[at + k] += four * np.float32(next2[there + k])
        for k in range(count):
            b = pext(rows_b[begin + k], goes[1])
            value = out[at + k]
            free = free_a
            for j in range(cells_b):
                low = U(1) << U(4 * j)
                if b & (low * U(15)) != U(0):
                    continue
                free += 1
                entry = half_b[b | low]
                if have > 0 and entry != NONE:
                    there = base1[sum_a] + number * count_b[U(entry) & _SUMS] + np.int64(U(entry) >> SUM_BITS)
                    value += two * np.float32(next1[there])
                entry = half_b[b | (low << U(1))]
                if have > 1 and entry != NONE:
                    there = base2[sum_a] + number * count_b[U(entry) & _SUMS] + np.int64(U(entry) >> SUM_BITS)
                    value += four * np.float32(next2[there])
            out[at + k] = value / np.float32(max(free, 1))


@helper
def after_value(x, goes, half_a, half_b, base, count_b, values):  # type: ignore[no-untyped-def]
    """What `after_rows` found for an afterstate in the layer whose rectangles begin at `base`; -1 beyond the caps."""
    entry_a, entry_b = half_a[pext(x, goes[0])], half_b[pext(x, goes[1])]
    if entry_a == NONE or entry_b == NONE:
        return np.float32(-1.0)
    number_a, number_b = np.int64(U(entry_a) >> SUM_BITS), np.int64(U(entry_b) >> SUM_BITS)
    return values[base[U(entry_a) & _SUMS] + number_a * count_b[U(entry_b) & _SUMS] + number_b]


@kernel
def value_rows(  # type: ignore[no-untyped-def]
    layer, first, last, lines, anchors, goes, goals, rows_a, starts_a, rows_b, starts_b, half_a, half_b,
    base, count_b, after, out,
):  # fmt: skip
    """Values of a layer's positions as states: 1 at a goal, else the best move's, times 65535, into `out`, uint16.

    lines: the line table; anchors: mask of the anchors' nibbles, which rows_a includes; goals: see `is_goal`; base:
    where the rectangles of this layer begin; after: what `after_rows` found for it; the others: see there.
    """
    sum_a = np.int64(0)
    for i in range(first, last):
        sum_a, begin, count, at = row_of(i, sum_a, layer, starts_a, starts_b, base, count_b)
        board_a = rows_a[i]
        for k in range(count):
            x = board_a | rows_b[begin + k]
            if is_goal(x, goals):
                out[at + k] = np.uint16(65535)
                continue
            left, right, _ = slide_rows(lines, x)
            up, down, _ = slide_rows(lines, transpose(x))
            best = np.float32(0.0)
            for y in (transpose(up), right, transpose(down), left):
                if y != x and (y ^ x) & anchors == U(0):
                    best = max(best, after_value(y, goes, half_a, half_b, base, count_b, after))
            out[at + k] = np.uint16(best + np.float32(0.5))
