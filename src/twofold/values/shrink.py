"""Networks made small enough to ship.

Entries that were hardly ever learned from are dropped, and the rest rounded to whole multiples of a quantum in 16
bits. In a file every stage but the first is the difference to the stage before, and the high and the low bytes lie
apart: zstandard packs the high ones, and the runs of zeros, well. docs/learning.md tells what playing strength each
size costs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

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
    """The low and the high bytes of the entries, (stages, entries) each; stages after the first as differences."""
    differences = weights.copy()
    differences[1:] -= weights[:-1]  # modulo 2^16
    pairs: NDArray[np.uint8] = differences.view(np.uint8).reshape(*weights.shape, 2)
    return np.ascontiguousarray(pairs[..., 0]), np.ascontiguousarray(pairs[..., 1])


def join_planes(low: NDArray[np.uint8], high: NDArray[np.uint8]) -> NDArray[np.int16]:
    """The entries whose low and high bytes these are."""
    pairs = np.empty((*low.shape, 2), np.uint8)
    pairs[..., 0] = low
    pairs[..., 1] = high
    weights = pairs.view("<i2")[..., 0]
    for stage in range(1, len(weights)):
        weights[stage] += weights[stage - 1]
    return weights


def _touched(network: Network, split: Network | None) -> list[NDArray[np.bool_]]:
    """For each stage which entries it has changed: since the stages were split, if it is known from what."""
    if split is None:
        return [stage != 0 for stage in network.weights]
    if split.design.entries != network.design.entries or len(split.weights) > len(network.weights):
        raise InvalidParameter("the network was not split from that one: it has other tuples or more stages")
    sources = [0] + [sum(rank >= old for old in split.design.stages) for rank in network.design.stages]
    return [network.weights[stage] != split.weights[source] for stage, source in enumerate(sources)]


class _Entries:
    """Entries in quanta and how well each is known (A of temporal coherence, else their own size).

    Where a stage has not changed an entry, any value will do there: it gets that of the stage before or, in the first
    stage, of the next one that has changed it. So most differences between stages are zero.
    """

    def __init__(self, network: Network, split: Network | None, quantum: float) -> None:
        touched = _touched(network, split)
        self.quanta = np.empty(network.weights.shape, np.int16)
        self.known = np.empty(network.weights.shape, np.float32)
        for stage, weights in enumerate(network.weights):
            self.quanta[stage] = np.clip(np.rint(weights / np.float32(quantum)), -_TOP, _TOP)
            self.known[stage] = network.errors[stage, :, 1] if network.errors is not None else np.abs(weights)
        missing = ~touched[0]
        for stage in range(1, len(touched)):
            here = missing & touched[stage]
            self.quanta[0][here] = self.quanta[stage][here]
            self.known[0][here] = self.known[stage][here]
            missing &= ~here
        for stage in range(1, len(touched)):
            same = ~touched[stage]
            self.quanta[stage][same] = self.quanta[stage - 1][same]
            self.known[stage][self.quanta[stage] == self.quanta[stage - 1]] = 0
        self.known[0][self.quanta[0] == 0] = 0

    def least(self, share: float) -> float:
        """How well known an entry is that more than `share` of the entries are not."""
        counted = np.concatenate([known[known > 0] for known in self.known])
        if not len(counted):
            return 0.0
        return float(np.partition(counted, int(share * (len(counted) - 1)))[int(share * (len(counted) - 1))])

    def cut(self, least: float) -> NDArray[np.int16]:
        """The entries with those less known than `least` dropped: zero, or as in the stage before."""
        out = np.empty_like(self.quanta)
        out[0] = np.where(self.known[0] >= least, self.quanta[0], np.int16(0))
        for stage in range(1, len(out)):
            out[stage] = np.where(self.known[stage] >= max(least, 1e-9), self.quanta[stage], out[stage - 1])
        return out


def _size(weights: NDArray[np.int16], level: int) -> int:
    compressor = zstandard.ZstdCompressor(level=level)
    return sum(len(compressor.compress(plane.tobytes())) for plane in planes(weights))


def shrink(network: Network, size: int, *, quantum: float = 4.0, split: Network | None = None) -> Shrunk:
    """The network with as many of its best-known entries as fit into about `size` bytes.

    quantum: what entries are rounded to, in points. split: the network that the stages were copied from, so that what
    a stage has not changed since is left out. Raises InvalidParameter for a network that is shrunk already.
    """
    if network.weights.dtype != np.float32:
        raise InvalidParameter("the network was shrunk before: start from a checkpoint")
    if not (math.isfinite(quantum) and 0 < quantum < 1e6) or size < 1000:
        raise InvalidParameter("a quantum above 0 and a size of at least 1000 bytes are needed")
    entries = _Entries(network, split, quantum)
    # The fast level packs some percent worse than the one that files are written with: an estimate on the safe side.
    low, high, best = 0.0, 1.0, None
    for step in range(7):
        share = 0.0 if step == 0 else (low + high) / 2
        weights = entries.cut(entries.least(share))
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
