"""Networks made small enough to ship.

Entries that were hardly ever learned from are dropped, and the rest rounded to whole multiples of a quantum in 16
bits. In the file the high and the low bytes lie apart: zstandard packs the high ones, and the runs of zeros, well.
docs/learning.md tells what playing strength each size costs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import zstandard
from numpy.typing import NDArray

from twofold.errors import InvalidParameter
from twofold.values.network import Network

_TOP = 32767


@dataclass(frozen=True)
class Shrunk:
    """A shrunk network, the share of its entries that were kept, and its estimated size in bytes."""

    network: Network
    kept: float
    size: int


def planes(weights: NDArray[np.int16]) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The low and the high bytes of the entries."""
    pairs: NDArray[np.uint8] = np.ascontiguousarray(weights).view(np.uint8).reshape(*weights.shape, 2)
    return np.ascontiguousarray(pairs[..., 0]), np.ascontiguousarray(pairs[..., 1])


def join_planes(low: NDArray[np.uint8], high: NDArray[np.uint8]) -> NDArray[np.int16]:
    """The entries whose low and high bytes these are."""
    pairs = np.empty((*low.shape, 2), np.uint8)
    pairs[..., 0] = low
    pairs[..., 1] = high
    return pairs.view("<i2")[..., 0]


def _quantised(network: Network, quantum: float, least: float) -> NDArray[np.int16]:
    """The entries with at least `least` changes (A of temporal coherence, else their own size), in quanta."""
    out = np.empty(network.weights.shape, np.int16)
    for stage in range(len(out)):
        weights = network.weights[stage]
        weight = network.errors[stage, :, 1] if network.errors is not None else np.abs(weights)
        kept = np.where(weight >= least, weights, np.float32(0))
        out[stage] = np.clip(np.rint(kept / np.float32(quantum)), -_TOP, _TOP)
    return out


def _size(weights: NDArray[np.int16], level: int) -> int:
    compressor = zstandard.ZstdCompressor(level=level)
    return sum(len(compressor.compress(plane.tobytes())) for plane in planes(weights))


def shrink(network: Network, size: int, *, quantum: float = 4.0) -> Shrunk:
    """The network with as many of its best-known entries as fit into about `size` bytes.

    quantum: what entries are rounded to, in points. Raises InvalidParameter for a network that is shrunk already.
    """
    if network.weights.dtype != np.float32:
        raise InvalidParameter("the network was shrunk before: start from a checkpoint")
    if not (math.isfinite(quantum) and 0 < quantum < 1e6) or size < 1000:
        raise InvalidParameter("a quantum above 0 and a size of at least 1000 bytes are needed")
    measure: Any = network.errors[..., 1] if network.errors is not None else np.abs(network.weights)
    known = np.sort(measure.reshape(-1)[network.weights.reshape(-1) != 0])
    # The fast level packs some percent worse than the one that files are written with: an estimate on the safe side.
    low, high, best = 0.0, 1.0, None
    for step in range(7):
        share = 0.0 if step == 0 else (low + high) / 2
        least = float(known[min(len(known) - 1, int(share * len(known)))]) if len(known) else 0.0
        weights = _quantised(network, quantum, least)
        estimate = _size(weights, 3)
        if estimate <= size:
            high, best = share, (weights, share, estimate)
            if step == 0:
                break
        else:
            low = share
    if best is None:
        raise InvalidParameter(f"the network can't be made as small as {size:,} bytes")
    weights, share, estimate = best
    origin = dict(network.origin) | {"quantum": repr(quantum), "kept": f"{1 - share:.4f}"}
    return Shrunk(Network(network.design, weights, quantum, None, origin), 1 - share, estimate)
