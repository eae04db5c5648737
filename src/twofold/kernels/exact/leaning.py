"""A tuple network's value and what else a board is liked for: its lines, and a chance that a formation table knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from twofold.kernels.bits import U, load_f32, load_f64, load_u64, pext
from twofold.kernels.board.bitboard import LINE
from twofold.kernels.compiling import helper
from twofold.kernels.exact.formation_lookup import MASK_A, MASK_B, position_of, state_value

network_value: Any = None
FORMATIONS = False

NETWORK, LINES, KNOWN = U(0), U(1), U(2)
"""Words of `leaning_value`: addresses of the network's tables, of line tables, and of the words below, if any."""

PROMISE, BY_RANK = U(0), U(1)
"""What is known of formations: the points that a sure next tile is worth (float64), and sixteen addresses of formation
tables by least rank of the anchors, 0 for none."""

KNOWN_WORDS = 17


@helper
def line_sum(tables, y, t):  # type: ignore[no-untyped-def]
    """Sum over rows of y and of its transpose t of float32 tables, (8, 65536), at an address."""
    total = 0.0
    for i in range(4):
        shift = U(16 * i)
        total += np.float64(load_f32(tables, U(i << 16) + ((y >> shift) & LINE)))
        total += np.float64(load_f32(tables, U((4 + i) << 16) + ((t >> shift) & LINE)))
    return total


@helper
def least_of_block(x):  # type: ignore[no-untyped-def]
    """The least rank in the block of 2x3 cells in the top left corner; 0 if a cell is empty."""
    least = x & U(15)
    for cell in (1, 2, 4, 5, 6):
        least = min(least, (x >> U(4 * cell)) & U(15))
    return least


@helper
def formation_chance(known, y, t):  # type: ignore[no-untyped-def]
    """The chance that a formation table gives board y, or its transpose t, if it lies in the top left corner.

    The board is taken as a state, though a leaf waits for a spawn yet: one look-up instead of one for each spawn.
    """
    best = 0.0
    for which in range(2):
        x = y if which == 0 else t
        table = load_u64(known, BY_RANK + least_of_block(x))
        if table == U(0) or position_of(table, x) == U(0):
            continue
        v = state_value(table, pext(x, load_u64(table, MASK_A)), pext(x, load_u64(table, MASK_B)))
        best = max(best, np.float64(v))
    return best


def leaning_value(words, y, t):  # type: ignore[no-untyped-def]
    """`lookup.network_value` of board y with transpose t, plus `line_sum`, plus PROMISE times `formation_chance`."""
    value = network_value(load_u64(words, NETWORK), y, t) + line_sum(load_u64(words, LINES), y, t)
    if FORMATIONS:
        known = load_u64(words, KNOWN)
        value += load_f64(known, PROMISE) * formation_chance(known, y, t)
    return value
