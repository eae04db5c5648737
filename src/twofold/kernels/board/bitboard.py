"""Boards inside 4x4 as one 64-bit word: cell i (reading order) in bits 4i, its rank in the nibble.

A board with bricks, or smaller than 4x4, is the same word with nibble 15 for each brick and for each cell beyond
its edge, slid by the `bricks` table of line_tables.py.
"""

from __future__ import annotations

import numpy as np

from twofold.kernels.bits import U, load_u64, pdep, popcount
from twofold.kernels.compiling import helper
from twofold.rules import random

LINE = U(0xFFFF)
ONES = U(0x1111111111111111)
GAMMA = U(random.GAMMA)
OWN_VALUES = U(1) << U(63)
"""Marks the address of a table of spawns: see `drawn_rank`."""


@helper
def transpose(x):  # type: ignore[no-untyped-def]
    """Rows become columns: 2x2 blocks inside each quarter, then the quarters."""
    a = (
        (x & U(0xF0F00F0FF0F00F0F))
        | ((x & U(0x0000F0F00000F0F0)) << U(12))
        | ((x & U(0x0F0F00000F0F0000)) >> U(12))
    )
    return (
        (a & U(0xFF00FF0000FF00FF))
        | ((a & U(0x00FF00FF00000000)) >> U(24))
        | ((a & U(0x00000000FF00FF00)) << U(24))
    )


@helper
def mirror(x):  # type: ignore[no-untyped-def]
    """Each row reversed."""
    x = ((x & U(0x0F0F0F0F0F0F0F0F)) << U(4)) | ((x >> U(4)) & U(0x0F0F0F0F0F0F0F0F))
    return ((x & U(0x00FF00FF00FF00FF)) << U(8)) | ((x >> U(8)) & U(0x00FF00FF00FF00FF))


@helper
def upend(x):  # type: ignore[no-untyped-def]
    """The rows in reverse order."""
    x = ((x & U(0x0000FFFF0000FFFF)) << U(16)) | ((x >> U(16)) & U(0x0000FFFF0000FFFF))
    return (x << U(32)) | (x >> U(32))


@helper
def empties(x):  # type: ignore[no-untyped-def]
    """Bit 4i set for each empty cell i."""
    x |= (x >> U(2)) & U(0x3333333333333333)
    return ~(x | (x >> U(1))) & ONES


@helper
def highest_rank(x):  # type: ignore[no-untyped-def]
    """The largest nibble."""
    top = U(0)
    for _ in range(16):
        top = max(top, x & U(15))
        x >>= U(4)
    return top


@helper
def slide_rows(table, x):  # type: ignore[no-untyped-def]
    """All rows slid left, all rows slid right, and the reward of either, from one look-up per row."""
    a = table[x & LINE]
    b = table[(x >> U(16)) & LINE]
    c = table[(x >> U(32)) & LINE]
    d = table[x >> U(48)]
    left = (a & LINE) | ((b & LINE) << U(16)) | ((c & LINE) << U(32)) | (d << U(48))
    right = (
        ((a >> U(16)) & LINE)
        | (b & U(0xFFFF0000))
        | ((c & U(0xFFFF0000)) << U(16))
        | ((d & U(0xFFFF0000)) << U(32))
    )
    return left, right, (a >> U(32)) + (b >> U(32)) + (c >> U(32)) + (d >> U(32))


@helper
def packed_line(table, x, shift):  # type: ignore[no-untyped-def]
    return load_u64(table, (x >> shift) & LINE)


@helper
def packed_slides(table, x):  # type: ignore[no-untyped-def]
    """All rows slid left and right and their reward; the table by address."""
    a = packed_line(table, x, U(0))
    b = packed_line(table, x, U(16))
    c = packed_line(table, x, U(32))
    d = packed_line(table, x, U(48))
    left = (a & LINE) | ((b & LINE) << U(16)) | ((c & LINE) << U(32)) | (d << U(48))
    right = (
        ((a >> U(16)) & LINE)
        | (b & U(0xFFFF0000))
        | ((c & U(0xFFFF0000)) << U(16))
        | ((d & U(0xFFFF0000)) << U(32))
    )
    return left, right, np.int64((a >> U(32)) + (b >> U(32)) + (c >> U(32)) + (d >> U(32)))


@helper
def mix64(z):  # type: ignore[no-untyped-def]
    """SplitMix64's output function; `twofold.rules.random` is its readable twin."""
    z = (z ^ (z >> U(30))) * U(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> U(27))) * U(0x94D049BB133111EB)
    return z ^ (z >> U(31))


@helper
def stream_key(seed, index, stream):  # type: ignore[no-untyped-def]
    """The key of a stream of game `index` of a run; the twin of `twofold.rules.random.stream_key`."""
    a = mix64(seed + GAMMA)
    b = mix64(a + (index + U(1)) * GAMMA)
    return mix64(b + (stream + U(1)) * GAMMA)


@helper
def below(word, n):  # type: ignore[no-untyped-def]
    """The high half of a word as a number in 0..n-1."""
    return ((word >> U(32)) * n) >> U(32)


@helper
def drawn_rank(word, four):  # type: ignore[no-untyped-def]
    """The rank of the tile that a word draws, as `rules.spawn` does.

    four: a 4 spawns if the low half of the word is below this, else a 2; or, with `OWN_VALUES` added, the address of
    the bounds and ranks of `Variant.thresholds`, uint64 (n, 2).
    """
    low = word & U(0xFFFFFFFF)
    if four < OWN_VALUES:
        return U(1) + U(low < four)
    at = four ^ OWN_VALUES
    while low >= load_u64(at, U(0)):
        at += U(16)
    return load_u64(at, U(1))


@helper
def put_drawn(x, word, rank):  # type: ignore[no-untyped-def]
    """Put a tile of `rank` on the cell that the word's high half draws."""
    free = empties(x)
    return x | (pdep(U(1) << below(word, popcount(free)), free) * rank)


@helper
def spawn(x, word, four):  # type: ignore[no-untyped-def]
    """Put a 2, or a 4 if the low half of the word is below `four`, as `rules.spawn` does."""
    free = empties(x)
    bit = pdep(U(1) << below(word, popcount(free)), free)
    return x | (bit << U((word & U(0xFFFFFFFF)) < four))
