"""A stereo matcher: what two eyes would make of two textures, from their dots alone.

It knows nothing of how textures are made. At every dot it compares a small block of the left picture, moved by half
a disparity one way, with a block of the right one, moved by the other half, and keeps the disparity with the fewest
differences. Blocks need not be centred: of all blocks that contain the dot the best one counts (shiftable windows,
Bobick and Intille 1999), which keeps edges sharp.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from twofold.art.stereogram import Bits, Shifts
from twofold.errors import InvalidParameter, quote

BLOCK = 7
"""Side of a block in dots."""


def match(left: Bits, right: Bits, most: int, block: int = BLOCK) -> Shifts:
    """The disparity found at every dot, from −most to most, (rows, columns); of equally good ones the smallest.

    left, right: pictures of one size; block: an odd number of dots. Raises InvalidParameter.
    """
    if left.shape != right.shape:
        raise InvalidParameter(
            f"pictures of {quote(left.shape)} and {quote(right.shape)} dots: give two of the same size"
        )
    if block < 1 or block % 2 == 0 or most < 0 or min(left.shape) <= max(block, 2 * most):
        raise InvalidParameter(
            f"no matching of {left.shape} dots by blocks of {quote(block)} within {quote(most)}"
        )
    # Smallest first, and 0 before all: of equal costs the first is kept.
    candidates = sorted(range(-most, most + 1), key=lambda shift: (abs(shift), shift))
    best = np.full(left.shape, np.inf)
    found: Shifts = np.zeros(left.shape, np.int16)
    for candidate in candidates:
        cost = _lowest(_block_sums(_differences(left, right, candidate), block), block)
        better = cost < best
        best[better] = cost[better]
        found[better] = candidate
    return found


def agreement(found: Shifts, key: Shifts, border: int) -> float:
    """The share of dots where `found` equals `key`, from 0 to 1.

    Left out are dots that lie within `border` dots, along the row, of a place where the key changes or of the side:
    there one eye sees what the other does not.
    """
    counted = ~near_edges(key, border)
    return float(np.mean(found[counted] == key[counted])) if counted.any() else 0.0


def near_edges(key: Shifts, border: int) -> NDArray[np.bool_]:
    """The dots within `border` dots, along the row, of a change of the key or of the left or right side."""
    columns = key.shape[1]
    changes = np.zeros((key.shape[0], columns + 1), np.bool_)
    changes[:, 1:-1] = key[:, 1:] != key[:, :-1]
    changes[:, [0, -1]] = True
    near = np.zeros(key.shape, np.bool_)
    for step in range(border):
        near[:, : columns - step] |= changes[:, step + 1 :]
        near[:, step:] |= changes[:, : columns - step]
    return near


def _differences(left: Bits, right: Bits, disparity: int) -> NDArray[np.float64]:
    """1 where the dot at x + a on the left differs from the one at x − b on the right, a + b = `disparity`, else 0."""
    ahead = (disparity + 1) // 2
    x = np.arange(left.shape[1])
    at_left, at_right = x + ahead, x + ahead - disparity
    columns = left.shape[1]
    inside = (at_left >= 0) & (at_left < columns) & (at_right >= 0) & (at_right < columns)
    differ = np.ones(left.shape)
    differ[:, inside] = left[:, at_left[inside]] != right[:, at_right[inside]]
    return differ


def _block_sums(values: NDArray[np.float64], block: int) -> NDArray[np.float64]:
    """The sum over the block around each dot; outside the picture everything differs."""
    half = block // 2
    padded = np.pad(values, half, constant_values=1.0)
    total = np.pad(padded.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
    sums: NDArray[np.float64] = (
        total[block:, block:] - total[:-block, block:] - total[block:, :-block] + total[:-block, :-block]
    )
    return sums


def _lowest(sums: NDArray[np.float64], block: int) -> NDArray[np.float64]:
    """The least of the sums over the block around each dot."""
    half = block // 2
    windows = np.lib.stride_tricks.sliding_window_view
    padded = np.pad(sums, half, constant_values=np.inf)
    rows = windows(padded, block, axis=0).min(axis=-1)
    lowest: NDArray[np.float64] = windows(rows, block, axis=1).min(axis=-1)
    return lowest
