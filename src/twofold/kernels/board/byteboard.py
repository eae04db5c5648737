"""Any board as bytes: one rank per cell in reading order, 255 for a brick, padded with bricks to whole words.

Functions take the address of such a buffer and of a `geometry.py` array. Ranks are not bounded by a nibble, so
these are also the functions for positions with tiles above 32768.
"""

from __future__ import annotations

import numpy as np

from twofold.kernels.bits import (
    U,
    load_u8,
    load_u32,
    load_u64,
    pdep,
    popcount,
    store_u8,
    store_u64,
    trailing_zeros,
)
from twofold.kernels.board.bitboard import below, drawn_rank
from twofold.kernels.compiling import helper
from twofold.rules.cells import MAX_RANK

_TOP = MAX_RANK
_LOW7 = U(0x7F7F7F7F7F7F7F7F)


@helper
def zero_bytes(word):  # type: ignore[no-untyped-def]
    """Bit 8i + 7 set for each zero byte i."""
    return ~(((word & _LOW7) + _LOW7) | word | _LOW7)


@helper
def cells_words(geometry):  # type: ignore[no-untyped-def]
    return (U(load_u32(geometry, U(0))) + U(7)) >> U(3)


@helper
def cells_empty_count(buffer, words):  # type: ignore[no-untyped-def]
    count = U(0)
    for w in range(words):
        count += popcount(zero_bytes(load_u64(buffer, U(w))))
    return count


@helper
def cells_nth_empty(buffer, words, n):  # type: ignore[no-untyped-def]
    """The n-th empty cell in reading order; there must be one."""
    w = U(0)
    while w < words:
        free = zero_bytes(load_u64(buffer, w))
        here = popcount(free)
        if n < here:
            return (w << U(3)) + (trailing_zeros(pdep(U(1) << n, free)) >> U(3))
        n -= here
        w += U(1)
    return U(0)


@helper
def cells_slide(buffer, geometry, direction):  # type: ignore[no-untyped-def]
    """Slide in place. Returns (changed, reward in points); not changed if two of the largest tiles would merge."""
    changed = False
    reward = 0
    p = U(load_u32(geometry, U(4) + U(direction)))
    runs = load_u32(geometry, p)
    p += U(1)
    for _ in range(runs):
        length = U(load_u32(geometry, p))
        p += U(1)
        end = p + length
        free = p  # where the next tile comes to lie
        waiting = np.uint8(0)  # the rank at `free` that may still merge, 0 for none
        for i in range(p, end):
            cell = U(load_u32(geometry, U(i)))
            rank = load_u8(buffer, cell)
            if rank == 0:
                continue
            if rank == waiting:
                if rank >= _TOP:  # the rules refuse such a move; the buffer is left in the middle of it
                    return False, 0
                store_u8(buffer, U(load_u32(geometry, free)), np.uint8(rank + 1))
                store_u8(buffer, cell, np.uint8(0))
                reward += np.int64(1) << (np.int64(rank) + 1)
                free += U(1)
                waiting = np.uint8(0)
                changed = True
                continue
            if waiting != 0:
                free += U(1)
            waiting = rank
            if U(i) != free:
                store_u8(buffer, U(load_u32(geometry, free)), rank)
                store_u8(buffer, cell, np.uint8(0))
                changed = True
        p = end
    return changed, reward


@helper
def cells_spawn(buffer, geometry, style, word, four):  # type: ignore[no-untyped-def]
    """Put a tile as `rules.spawn` does; style 0 is random, 1..8 a corner style; four: as in `drawn_rank`."""
    rank = np.uint8(drawn_rank(word, four))
    words = cells_words(geometry)
    if style == 0:
        n = cells_empty_count(buffer, words)
        store_u8(buffer, cells_nth_empty(buffer, words, below(word, n)), rank)
        return
    p = U(load_u32(geometry, U(8) + U(style)))
    for i in range(load_u32(geometry, U(3))):
        cell = U(load_u32(geometry, p + U(i)))
        if load_u8(buffer, cell) == 0:
            store_u8(buffer, cell, rank)
            return


@helper
def cells_copy(source, target, words):  # type: ignore[no-untyped-def]
    for w in range(words):
        store_u64(target, U(w), load_u64(source, U(w)))


@helper
def cells_highest(buffer, cells):  # type: ignore[no-untyped-def]
    top = np.uint8(0)
    for i in range(cells):
        rank = load_u8(buffer, U(i))
        if rank != 255 and rank > top:
            top = rank
    return top
