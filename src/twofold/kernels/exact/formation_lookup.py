"""Formation tables asked about boards of a game, in all eight images (twofold/exact/formation_tables.py).

Tables of different sizes are known by their addresses: `TABLE_WORDS` words each, one table after the other, sorted by
group. All groups are asked in turn, and the first whose best move promises its `LEAST` is heard.
"""

from __future__ import annotations

import numpy as np

from twofold.kernels.bits import U, bits_to_f64, load_f32, load_u8, load_u32, load_u64, pext
from twofold.kernels.board.bitboard import ONES, empties, mirror, slide_rows, transpose, upend
from twofold.kernels.compiling import helper, kernel
from twofold.kernels.exact.formations import NONE, SUM_BITS

ANCHORS = U(0)  # mask of the anchors' nibbles
MASK_A = U(1)  # masks of the halves' cells
MASK_B = U(2)
HALF_A = U(3)  # address of the entries of A, uint32
HALF_B = U(4)
BASE = U(5)  # address of where rectangles begin in the data, uint64 (layers, STRIDE)
STRIDE = U(6)
COUNTS = U(7)  # address of the counts of B by sum, uint64
DATA = U(8)  # address of the values, uint8
TOP = U(9)  # highest layer
RANK = U(10)  # r
BLOCK = U(11)  # the nibbles that anchors have in positions
GOALS = U(12)  # address of the goals, uint64 (G, 2)
GOAL_COUNT = U(13)
ACROSS = U(14)  # bit 4i: cells i and i + 1 are anchors side by side
DOWN = U(15)  # bit 4i: cells i and i + 4 are anchors one above the other
LEAST = U(16)  # float: least probability at which the table is heard
GROUP = U(17)  # tables of the same group are compared with each other
VALUES = U(18)  # address of what each byte of the data means, float32 (256,)
TABLE_WORDS = 20

_SUMS = U((1 << 12) - 1)


@helper
def image(x, i):  # type: ignore[no-untyped-def]
    """Image i of 0 … 7: bit 0 mirrors, bit 1 turns upside down, bit 2 transposes at last."""
    if i & 1:
        x = mirror(x)
    if i & 2:
        x = upend(x)
    return transpose(x) if i & 4 else x


@helper
def original_move(d, i):  # type: ignore[no-untyped-def]
    """The direction on the board that is direction d on its image i."""
    if i & 4:
        d = 3 - d  # up and left change places, and right and down
    if i & 2 and d & 1 == 0:
        d = 2 - d
    if i & 1 and d & 1 == 1:
        d = 4 - d
    return d


@helper
def position_of(table, x):  # type: ignore[no-untyped-def]
    """The position of a table that an image of a board is, 0 if none."""
    anchors = load_u64(table, ANCHORS)
    rank = load_u64(table, RANK)
    left = anchors & ONES
    least = U(99)
    while left != U(0):
        low = left & (~left + U(1))
        left ^= low
        tile = pext(x, low * U(15))
        if tile < rank:
            return U(0)
        least = min(least, tile)
    if least != rank:
        return U(0)
    if empties(x ^ (x >> U(4))) & load_u64(table, ACROSS) != U(0):
        return U(0)
    if empties(x ^ (x >> U(16))) & load_u64(table, DOWN) != U(0):
        return U(0)
    a = load_u32(load_u64(table, HALF_A), pext(x, load_u64(table, MASK_A)))
    b = load_u32(load_u64(table, HALF_B), pext(x, load_u64(table, MASK_B)))
    if a == NONE or b == NONE or (U(a) & _SUMS) + (U(b) & _SUMS) > load_u64(table, TOP):
        return U(0)
    return (x & ~anchors) | load_u64(table, BLOCK)


@helper
def has_goal(table, x):  # type: ignore[no-untyped-def]
    """Whether a position has a goal."""
    goals = load_u64(table, GOALS)
    for g in range(load_u64(table, GOAL_COUNT)):
        if x & load_u64(goals, U(2 * g)) == load_u64(goals, U(2 * g + 1)):
            return True
    return False


@helper
def state_value(table, a, b):  # type: ignore[no-untyped-def]
    """The probability of the position with the halves' fillings a and b; 0 beyond the caps or the layers."""
    entry_a = load_u32(load_u64(table, HALF_A), a)
    entry_b = load_u32(load_u64(table, HALF_B), b)
    if entry_a == NONE or entry_b == NONE:
        return np.float32(0.0)
    sum_a, sum_b = U(entry_a) & _SUMS, U(entry_b) & _SUMS
    if sum_a + sum_b > load_u64(table, TOP):
        return np.float32(0.0)
    base = load_u64(load_u64(table, BASE), (sum_a + sum_b) * load_u64(table, STRIDE) + sum_a)
    count = load_u64(load_u64(table, COUNTS), sum_b)
    at = base + (U(entry_a) >> SUM_BITS) * count + (U(entry_b) >> SUM_BITS)
    return load_f32(load_u64(table, VALUES), U(load_u8(load_u64(table, DATA), at)))


@helper
def afterstate_value(table, x, four):  # type: ignore[no-untyped-def]
    """The probability of an afterstate; -1 beyond the caps. four: chance of a 4."""
    mask_a, mask_b = load_u64(table, MASK_A), load_u64(table, MASK_B)
    a, b = pext(x, mask_a), pext(x, mask_b)
    if load_u32(load_u64(table, HALF_A), a) == NONE or load_u32(load_u64(table, HALF_B), b) == NONE:
        return -1.0
    free = empties(x)
    twos = 0.0
    fours = 0.0
    spaces = 0
    for half in range(2):
        left = pext(free, mask_a if half == 0 else mask_b)
        while left != U(0):
            low = left & (~left + U(1))
            left ^= low
            spaces += 1
            if half == 0:
                twos += np.float64(state_value(table, a | low, b))
                fours += np.float64(state_value(table, a | (low << U(1)), b))
            else:
                twos += np.float64(state_value(table, a, b | low))
                fours += np.float64(state_value(table, a, b | (low << U(1))))
    return (twos * (1.0 - four) + fours * four) / spaces


@helper
def move_value(table, lines, x, d, four):  # type: ignore[no-untyped-def]
    """The probability after move d of a position; -1 if it is not allowed or leads beyond the caps."""
    if d & 1:
        left, right, _ = slide_rows(lines, x)
        y = right if d == 1 else left
    else:
        up, down, _ = slide_rows(lines, transpose(x))
        y = transpose(up if d == 0 else down)
    if y == x or (y ^ x) & load_u64(table, ANCHORS) != U(0):
        return -1.0
    return afterstate_value(table, y, four)


@helper
def formation_move(tables, count, lines, board, four):  # type: ignore[no-untyped-def]
    """What the tables advise on a board: (move or -1, probability, number of the table, image of the board, at a goal).

    tables: address of `count` tables; a board that has a goal already, or that no table promises enough, has no
    advice.
    """
    at_goal = False
    choice = -1
    most = 0.0
    which = -1
    best_image = 0
    group = U(0)
    for k in range(count):
        table = tables + U(k * TABLE_WORDS * 8)
        if load_u64(table, GROUP) != group:
            if choice >= 0:
                break
            group = load_u64(table, GROUP)
        for i in range(8):
            x = position_of(table, image(board, i))
            if x == U(0):
                continue
            if has_goal(table, x):
                at_goal = True
                continue
            for d in range(4):
                v = move_value(table, lines, x, d, four)
                if v > most and v >= bits_to_f64(load_u64(table, LEAST)):
                    most = v
                    choice = original_move(d, i)
                    which = k
                    best_image = i
    return choice, most, which, best_image, at_goal


@kernel
def advise(tables, count, lines, board, four, out):  # type: ignore[no-untyped-def]
    """`formation_move` for one board, and the probability of each move.

    out: float64 (7,): the values of UP, RIGHT, DOWN, LEFT (0 for a move that leaves the formation), the move or -1,
    the number of the table, and 1 for a board at a goal.
    """
    choice, _, which, i, at_goal = formation_move(tables, count, lines, board, four)
    for d in range(4):
        out[d] = 0.0
    if choice >= 0:
        table = tables + U(which * TABLE_WORDS * 8)
        x = position_of(table, image(board, i))
        for d in range(4):
            out[original_move(d, i)] = max(0.0, move_value(table, lines, x, d, four))
    out[4] = choice
    out[5] = which
    out[6] = at_goal
