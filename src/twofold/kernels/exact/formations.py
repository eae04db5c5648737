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

from twofold.kernels.bits import U, pext
from twofold.kernels.board.bitboard import empties, slide_rows, transpose
from twofold.kernels.compiling import helper, kernel

NONE = np.uint32(0xFFFFFFFF)
SUM_BITS = U(12)
_SUMS = U((1 << 12) - 1)


@helper
def after_sum(x, goes, a, b, half_a, half_b, base1, base2, count_b, next1, next2, have):  # type: ignore[no-untyped-def]
    """Value of an afterstate with the halves' fillings a and b, times 65535; -1 beyond the caps.

    base1, base2: int64, where the rectangle of each sum of A begins in the next layer and the one after; next1,
    next2: their values, uint16; have: how many of the two there are (2, 1 or 0; what lies beyond is worth 0).
    goes: mask of the free cells of each half as nibbles, see `value_rows`.
    """
    entry_a = half_a[a]
    entry_b = half_b[b]
    if entry_a == NONE or entry_b == NONE:
        return np.float32(-1.0)
    sum_a = U(entry_a) & _SUMS
    sum_b = U(entry_b) & _SUMS
    number_a = np.int64(U(entry_a) >> SUM_BITS)
    number_b = np.int64(U(entry_b) >> SUM_BITS)
    free = empties(x)
    free_a = pext(free, goes[0])
    free_b = pext(free, goes[1])
    twos = np.int64(0)
    fours = np.int64(0)
    spaces = 0
    row1 = base1[sum_a] if have > 0 else np.int64(0)
    row2 = base2[sum_a] if have > 1 else np.int64(0)
    while free_a != U(0):
        low = free_a & (~free_a + U(1))
        free_a ^= low
        spaces += 1
        if have > 0:
            entry = half_a[a | low]
            if entry != NONE:
                s = U(entry) & _SUMS
                n = np.int64(U(entry) >> SUM_BITS)
                twos += np.int64(next1[base1[s] + n * count_b[sum_b] + number_b])
        if have > 1:
            entry = half_a[a | (low << U(1))]
            if entry != NONE:
                s = U(entry) & _SUMS
                n = np.int64(U(entry) >> SUM_BITS)
                fours += np.int64(next2[base2[s] + n * count_b[sum_b] + number_b])
    while free_b != U(0):
        low = free_b & (~free_b + U(1))
        free_b ^= low
        spaces += 1
        if have > 0:
            entry = half_b[b | low]
            if entry != NONE:
                s = U(entry) & _SUMS
                n = np.int64(U(entry) >> SUM_BITS)
                twos += np.int64(next1[row1 + number_a * count_b[s] + n])
        if have > 1:
            entry = half_b[b | (low << U(1))]
            if entry != NONE:
                s = U(entry) & _SUMS
                n = np.int64(U(entry) >> SUM_BITS)
                fours += np.int64(next2[row2 + number_a * count_b[s] + n])
    return (np.float32(0.9) * np.float32(twos) + np.float32(0.1) * np.float32(fours)) / np.float32(spaces)


@helper
def is_goal(x, goals):  # type: ignore[no-untyped-def]
    """Whether the board has all tiles of one of the goals, uint64 (G, 2): mask of the cells, their nibbles."""
    for g in range(len(goals)):  # noqa: SIM110
        if x & goals[g, 0] == goals[g, 1]:
            return True
    return False


@helper
def best_after(x, lines, anchors, goes, half_a, half_b, base1, base2, count_b, next1, next2, have):  # type: ignore[no-untyped-def]
    """Largest value of the four moves of position x, times 65535; 0 if none is allowed."""
    left, right, _ = slide_rows(lines, x)
    up, down, _ = slide_rows(lines, transpose(x))
    best = np.float32(0.0)
    for d in range(4):
        if d == 0:
            y = left
        elif d == 1:
            y = transpose(up)
        elif d == 2:
            y = right
        else:
            y = transpose(down)
        if y == x or (y ^ x) & anchors != U(0):
            continue
        a = pext(y, goes[0])
        b = pext(y, goes[1])
        v = after_sum(y, goes, a, b, half_a, half_b, base1, base2, count_b, next1, next2, have)
        best = max(best, v)
    return best


@kernel
def value_rows(  # type: ignore[no-untyped-def]
    layer, first, last, lines, anchors, goes, goals, rows_a, starts_a, rows_b, starts_b, half_a, half_b,
    base, base1, base2, count_b, next1, next2, have, out,
):  # fmt: skip
    """Values of the positions of a layer whose A-filling is one of first … last − 1, into `out`, uint16.

    lines: the line table; anchors: mask of the anchors' nibbles; goes: uint64 (2,), masks of the free cells of A and B;
    rows_a, rows_b: the fillings as boards, uint64, sorted by sum; starts_a, starts_b: int64, where each sum begins;
    half_a, half_b: entries by filling; base, base1, base2: int64, where the rectangles of this layer and
    of the next two begin by sum of A. rows_a includes the anchors.
    """
    sum_a = np.int64(0)
    for i in range(first, last):
        while starts_a[sum_a + 1] <= i:
            sum_a += 1
        sum_b = layer - sum_a
        if sum_b < 0:
            return
        if sum_b >= len(starts_b) - 1:
            continue
        begin = starts_b[sum_b]
        at = base[sum_a] + (i - starts_a[sum_a]) * count_b[sum_b]
        board_a = rows_a[i]
        for k in range(count_b[sum_b]):
            x = board_a | rows_b[begin + k]
            if is_goal(x, goals):
                out[at + k] = np.uint16(65535)
            else:
                v = best_after(
                    x, lines, anchors, goes, half_a, half_b, base1, base2, count_b, next1, next2, have
                )
                out[at + k] = np.uint16(v + np.float32(0.5))
