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
from twofold.kernels.board.bitboard import empties, mirror, slide_rows, transpose, upend
from twofold.kernels.compiling import helper, kernel

NONE = np.uint32(0xFFFFFFFF)
SUM_BITS = U(12)
_SUMS = U((1 << 12) - 1)


@helper
def slides(lines, x):  # type: ignore[no-untyped-def]
    """A board after UP, RIGHT, DOWN and LEFT, without a spawn."""
    left, right, _ = slide_rows(lines, x)
    up, down, _ = slide_rows(lines, transpose(x))
    return transpose(up), right, transpose(down), left


@helper
def in_corner(y, d, anchors, block):  # type: ignore[no-untyped-def]
    """Whether all anchors of a position lie in a corner after move d, and the image of y with them at their place.

    block: the anchors' nibbles there. RIGHT (1) and DOWN (2) can take them all to another corner.
    """
    if y & anchors == block:
        return True, y
    if d == 1 and y & (anchors << U(4)) == block << U(4):
        return True, mirror(y)
    if d == 2 and y & (anchors << U(32)) == block << U(32):
        return True, upend(y)
    return False, y


@helper
def is_goal(x, goals):  # type: ignore[no-untyped-def]
    """Whether the board has all tiles of one of the goals, uint64 (G, 2): mask of the cells, their nibbles."""
    for g in range(len(goals)):  # noqa: SIM110
        if x & goals[g, 0] == goals[g, 1]:
            return True
    return False


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
        while starts_a[sum_a + 1] <= i:
            sum_a += 1
        sum_b = layer - sum_a
        if sum_b < 0:
            return
        if sum_b >= len(starts_b) - 1:
            continue
        begin, count = starts_b[sum_b], count_b[sum_b]
        number = i - starts_a[sum_a]
        at = base[sum_a] + number * count
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


@helper
def return_value(x, back, lines, anchors, block, goes, half_a, half_b, bases, count_b, after, have):  # type: ignore[no-untyped-def]
    """Value of an afterstate x with anchors shifted, times 65535, if the next move is back: LEFT (3) or UP (0).

    A spawn that keeps them from returning counts as lost.
    """
    free = empties(x)
    spaces = 0
    total = np.float32(0.0)
    while free != U(0):
        low = free & (~free + U(1))
        free ^= low
        spaces += 1
        y = slides(lines, x | low)[back]
        if have > 0 and y & anchors == block:
            value = after_value(y, goes, half_a, half_b, bases[1], count_b, after[1])
            total += np.float32(0.9) * max(value, np.float32(0.0))
        y = slides(lines, x | (low << U(1)))[back]
        if have > 1 and y & anchors == block:
            value = after_value(y, goes, half_a, half_b, bases[2], count_b, after[2])
            total += np.float32(0.1) * max(value, np.float32(0.0))
    return total / np.float32(spaces)


@kernel
def value_rows(  # type: ignore[no-untyped-def]
    layer, first, last, lines, anchors, block, goes, goals, rows_a, starts_a, rows_b, starts_b, half_a, half_b,
    bases, count_b, after, have, out,
):  # fmt: skip
    """Values of a layer's positions as states: 1 at a goal, else the best move's, times 65535, into `out`, uint16.

    lines: the line table; anchors: mask of the anchors' nibbles; block: these nibbles; goals: see `is_goal`; after:
    what `after_rows` found for this layer and the next two, three float32 arrays; the others: see there. RIGHT and DOWN
    may take all anchors to another corner. A move that shifts only some is allowed where no other is, and its value is
    that of going back at once.
    """
    base = bases[0]
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
        board_a = rows_a[i] | block
        for k in range(count_b[sum_b]):
            x = board_a | rows_b[begin + k]
            if is_goal(x, goals):
                out[at + k] = np.uint16(65535)
                continue
            afters = slides(lines, x)
            best = np.float32(-1.0)
            for d in range(4):
                kept, y = in_corner(afters[d], d, anchors, block)
                if kept and afters[d] != x:
                    best = max(best, after_value(y, goes, half_a, half_b, base, count_b, after[0]))
            if best < np.float32(0.0):
                for d in range(1, 3):
                    y = afters[d]
                    if y & anchors != block:
                        value = return_value(
                            y,
                            (d + 2) & 3,
                            lines,
                            anchors,
                            block,
                            goes,
                            half_a,
                            half_b,
                            bases,
                            count_b,
                            after,
                            have,
                        )
                        best = max(best, value)
            out[at + k] = np.uint16(max(best, np.float32(0.0)) + np.float32(0.5))
