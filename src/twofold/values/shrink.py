"""Networks made small enough to ship.

Entries become whole multiples of a quantum, 16 bits in memory; in the file each is as exact as its bits are worth
(values/coding.py): what is hardly ever met is left out or kept roughly, what is met all the time is kept to the
quantum. How often that is, temporal coherence tells: A, the sum of the absolute errors an entry was part of.
docs/learning.md tells what playing strength each size costs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InvalidParameter
from twofold.values.coding import EXACTLY, Coded, encode
from twofold.values.network import FROZEN, Network

_CHEAPEST, _USUAL = 1e-15, 1e-7
_POWER = 0.4
"""What power of the price a file's size is, roughly."""

_STEPS = 12
_CLOSE = 0.985
"""The share of the size asked for that is enough."""


@dataclass(frozen=True)
class Shrunk:
    """A shrunk network, its streams for the file, and the share of the entries learned that were kept."""

    network: Network
    coded: Coded
    kept: float


def _touched(network: Network, split: Network | None) -> list[NDArray[np.bool_]]:
    """For each stage which entries it has changed: since the stages were split, if it is known from what."""
    if split is None:
        return [stage != 0 for stage in network.weights]
    if split.design.entries != network.design.entries or len(split.weights) > len(network.weights):
        raise InvalidParameter("the network was not split from that one: it has other tuples or more stages")
    sources = [0] + [sum(rank >= old for old in split.design.stages) for rank in network.design.stages]
    return [network.weights[stage] != split.weights[source] for stage, source in enumerate(sources)]


def _known(network: Network, split: Network | None) -> NDArray[np.float32]:
    """How well known each entry is: A of temporal coherence, else its own size; 0 for what needs no bits."""
    known = np.empty(network.weights.shape, np.float32)
    for stage, touched in enumerate(_touched(network, split)):
        size = network.errors[stage, :, 1] if network.errors is not None else np.abs(network.weights[stage])
        known[stage] = np.where(touched & (size < FROZEN), size, np.float32(0))
    return known


def shrink(network: Network, size: int, *, quantum: float = 4.0, split: Network | None = None) -> Shrunk:
    """The network with its entries as exact as about `size` bytes allow, most of all those known best.

    quantum: what entries are rounded to, in points. split: the network that the stages were copied from, so that what
    a stage has not changed since is left out. The tuples become those of `near_tuples`. Raises InvalidParameter for a
    network that is shrunk already.
    """
    if network.weights.dtype != np.float32:
        raise InvalidParameter("the network was shrunk before: start from a checkpoint")
    if not (math.isfinite(quantum) and 0 < quantum < 1e6) or size < 1000:
        raise InvalidParameter("a quantum above 0 and a size of at least 1000 bytes are needed")
    network = network.near()
    known = _known(network, None if split is None else split.near())
    coded, at = None, math.log(_USUAL)
    low, high = math.log(_CHEAPEST), math.log(EXACTLY)
    for _ in range(_STEPS):
        found = encode(network.design, network.weights, quantum=quantum, known=known, price=math.exp(at))
        if found.size <= size:
            low, coded = at, found
            if at == high or found.size >= _CLOSE * size:
                break
        else:
            high = at
        aimed = at + math.log((1 + _CLOSE) / 2 * size / found.size) / _POWER
        whole = high if high == math.log(EXACTLY) else (low + high) / 2
        at = aimed if low < aimed < high else whole if aimed > at else (low + high) / 2
    if coded is None:
        raise InvalidParameter(f"the network can't be made as small as {size:,} bytes")
    learned = int(np.count_nonzero(known))
    there = sum(
        int(np.count_nonzero(entries != (coded.entries[stage - 1] if stage else 0)))
        for stage, entries in enumerate(coded.entries)
    )
    kept = there / learned if learned else 1.0
    origin = dict(network.origin) | {"quantum": repr(quantum), "kept": f"{kept:.4f}"}
    small = Network(network.design, coded.entries, quantum, None, origin)
    return Shrunk(small, coded, kept)
