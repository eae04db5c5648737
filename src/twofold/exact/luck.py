"""The best and the worst of luck: every tile appears where, and as what, suits the player best, or least.

The equation of kernels/exact/bellman.py with another line for afterstates:

    V(afterstate) = max (or min) over free cells and tiles that may appear of V(with the tile)

So the score's value is the most points that any game can make, or the most that play can make sure of. For a target
the value is 2^-n, n the fewest moves to it, or the moves within which it can be forced: `Problem` sets gamma to 1/2,
and powers of two are exact down to 2^-1074.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from twofold.kernels.compiling import helper
from twofold.kernels.exact.bellman import BLOCK, MOST

LUCKS = ("best", "worst")
MOST_MOVES = 1000
"""Halvings that float64 surely holds; no more moves can be counted."""

better: Any = None
find_spawned: Any = None


def extreme_afterstates(  # type: ignore[no-untyped-def]
    ws, lines, afterstates, first, last, four, twos, shift2, mask2, fours, shift4, mask4, words, buffer
):
    """Like `bellman.value_afterstates`, with the better of all spawns instead of their mean. A template."""
    missing = 0
    for i in range(first, last, BLOCK):
        end = min(i + BLOCK, last)
        missing += find_spawned(
            ws, lines, afterstates, i, end, four, twos, shift2, mask2, fours, shift4, mask4, buffer
        )
        k = 0
        for j in range(i, end):
            stop = np.int64(buffer[2 * MOST + j - i])
            found = buffer[k] if four < 1.0 else buffer[MOST + k]
            while k < stop:
                if four < 1.0:
                    found = better(found, buffer[k])
                if four > 0.0:
                    found = better(found, buffer[MOST + k])
                k += 1
            words[j] = found
    return missing


@helper
def larger(a, b):  # type: ignore[no-untyped-def]
    """The larger of two words, that is of two values."""
    return a if a > b else b  # noqa: FURB136 (numba: unsigned)


@helper
def smaller(a, b):  # type: ignore[no-untyped-def]
    """The smaller of two words."""
    return a if a < b else b  # noqa: FURB136


BETTER = {"best": larger, "worst": smaller}
