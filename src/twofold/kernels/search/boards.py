"""Board operations: what fills the holes of a search template for each of the two board types."""

from __future__ import annotations

import numpy as np

from twofold.kernels.bits import U, load_u8, load_u64, pdep, popcount, store_u8, trailing_zeros
from twofold.kernels.board.bitboard import GAMMA, empties, mix64, packed_slides, transpose
from twofold.kernels.board.byteboard import cells_copy, cells_empty_count, cells_nth_empty, cells_slide
from twofold.kernels.compiling import helper
from twofold.kernels.search.words import SCRATCH, SLIDE_TABLE, STRIDE, WORDS

# Board operations on packed words.


@helper
def packed_moves(ws, b, level):  # type: ignore[no-untyped-def]
    table = load_u64(ws, SLIDE_TABLE)
    left, right, across = packed_slides(table, b)
    up, down, along = packed_slides(table, transpose(b))
    return transpose(up), right, transpose(down), left, along, across, along, across


@helper
def packed_free_count(ws, b):  # type: ignore[no-untyped-def]
    return popcount(empties(b))


@helper
def packed_is_free(ws, b, cell):  # type: ignore[no-untyped-def]
    return (b >> (cell << U(2))) & U(15) == U(0)


@helper
def packed_put(ws, b, cell, rank):  # type: ignore[no-untyped-def]
    return b | (rank << (cell << U(2)))


@helper
def packed_take(ws, b, cell):  # type: ignore[no-untyped-def]
    return None


@helper
def packed_nth_free(ws, b, n):  # type: ignore[no-untyped-def]
    return trailing_zeros(pdep(U(1) << n, empties(b))) >> U(2)


@helper
def packed_copy(ws, b, level):  # type: ignore[no-untyped-def]
    return b


@helper
def packed_key(ws, b):  # type: ignore[no-untyped-def]
    return b


PACKED = {
    "moves": packed_moves,
    "free_count": packed_free_count,
    "is_free": packed_is_free,
    "put": packed_put,
    "take": packed_take,
    "board_key": packed_key,
    "nth_free": packed_nth_free,
    "copied": packed_copy,
}


@helper
def after_move(ws, x, choice):  # type: ignore[no-untyped-def]
    """The afterstate of a legal move on x, and its reward; ws: a search's workspace."""
    up, right, down, left, along, across, _, _ = packed_moves(ws, x, 0)
    y = up if choice == 0 else right if choice == 1 else down if choice == 2 else left
    return y, along if choice & 1 == 0 else across


# Board operations on bytes at an address.


@helper
def cells_child(ws, b, level, direction):  # type: ignore[no-untyped-def]
    """Slide a copy of b in the scratch row of (level, direction); returns b itself where nothing moves."""
    target = load_u64(ws, SCRATCH) + (U(level) * U(4) + U(direction)) * load_u64(ws, STRIDE)
    cells_copy(b, target, load_u64(ws, WORDS))
    changed, reward = cells_slide(target, load_u64(ws, SLIDE_TABLE), direction)
    return (target if changed else b), reward


@helper
def cells_moves(ws, b, level):  # type: ignore[no-untyped-def]
    up, r_up = cells_child(ws, b, level, 0)
    right, r_right = cells_child(ws, b, level, 1)
    down, r_down = cells_child(ws, b, level, 2)
    left, r_left = cells_child(ws, b, level, 3)
    return up, right, down, left, r_up, r_right, r_down, r_left


@helper
def cells_free_count(ws, b):  # type: ignore[no-untyped-def]
    return cells_empty_count(b, load_u64(ws, WORDS))


@helper
def cells_is_free(ws, b, cell):  # type: ignore[no-untyped-def]
    return load_u8(b, cell) == 0


@helper
def cells_put(ws, b, cell, rank):  # type: ignore[no-untyped-def]
    store_u8(b, cell, np.uint8(rank))
    return b


@helper
def cells_take(ws, b, cell):  # type: ignore[no-untyped-def]
    store_u8(b, cell, np.uint8(0))


@helper
def cells_nth_free(ws, b, n):  # type: ignore[no-untyped-def]
    return cells_nth_empty(b, load_u64(ws, WORDS), n)


@helper
def cells_copied(ws, b, level):  # type: ignore[no-untyped-def]
    """A copy of b in the first scratch row of a level, to be changed freely."""
    target = load_u64(ws, SCRATCH) + U(level) * U(4) * load_u64(ws, STRIDE)
    cells_copy(b, target, load_u64(ws, WORDS))
    return target


@helper
def cells_key(ws, b):  # type: ignore[no-untyped-def]
    key = U(0)
    for w in range(load_u64(ws, WORDS)):
        key = mix64(key ^ load_u64(b, U(w))) + GAMMA
    return key


CELLS_BOARD = {
    "moves": cells_moves,
    "free_count": cells_free_count,
    "is_free": cells_is_free,
    "put": cells_put,
    "take": cells_take,
    "board_key": cells_key,
    "nth_free": cells_nth_free,
    "copied": cells_copied,
}
