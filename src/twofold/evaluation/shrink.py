"""Networks made small enough to ship.

Entries become whole multiples of a quantum, 16 bits in memory; in the file each is as exact as its bits are worth
(evaluation/coding.py): what is hardly ever met is left out or kept roughly, what is met all the time is kept to the
quantum. How often that is, temporal coherence tells: A, the sum of the absolute errors an entry was part of.
docs/log/learning.md tells what playing strength each size costs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InvalidParameter
from twofold.evaluation.coding import EXACTLY, Coded, encode
from twofold.evaluation.network import Network, stages_split
from twofold.evaluation.neural import is_neural, load_neural, save_neural
from twofold.evaluation.weights import describe, load_network, save_network
from twofold.files import target_file

_CHEAPEST, _USUAL = 1e-15, 1e-7
_SLOPE = 0.2
"""Of a file's size over the price, both logarithmic, until there are sizes above and below."""

_STRAIGHT = 3.0
"""Of logarithms of prices: how far apart the sizes between are taken to lie on a straight line."""

_STEPS = 16
_CLOSE = 0.985
"""The share of the size asked for that is enough."""

_HEAD = 500
"""Bytes of a small file beside its entries and what it says of itself."""


@dataclass(frozen=True)
class Shrunk:
    """A shrunk network, its streams for the file, and the share of the entries learned that were kept."""

    network: Network
    coded: Coded
    kept: float


def _touched(network: Network, split: Network | None) -> list[NDArray[np.bool_]]:
    """For each stage which entries count: of a stage begun as a copy, what it has changed since."""
    if split is None:
        return [stage != 0 for stage in network.weights]
    if split.design.entries != network.design.entries or split.design.tuples != network.design.tuples:
        raise InvalidParameter("the network was not split from that one: it has other tuples or ranks")
    sources = stages_split(split.design, network.design)
    return [
        weights != (split.weights[source] if source in sources[:stage] else 0)
        for stage, (weights, source) in enumerate(zip(network.weights, sources, strict=True))
    ]


def _known(network: Network, split: Network | None) -> NDArray[np.float32]:
    """How well known each entry is: A of temporal coherence, else its own size; 0 for what needs no bits."""
    known = np.empty(network.weights.shape, np.float32)
    for stage, touched in enumerate(_touched(network, split)):
        size = network.errors[stage, :, 1] if network.errors is not None else np.abs(network.weights[stage])
        known[stage] = np.where(touched, size, np.float32(0))
    return known


def _turned(network: Network, known: NDArray[np.float32]) -> NDArray[np.float32]:
    """Numbers of all entries, moved as the entries themselves are by `with_local_tuples`."""
    return Network(network.design, known, 1.0, None, {}).with_local_tuples().weights


def _fitted(network: Network, known: NDArray[np.float32], quantum: float, size: int) -> Coded | None:
    """The entries coded as dearly as they fit into `size` bytes, or nearly; None if they don't fit at all."""
    best, at = None, math.log(_USUAL)
    low, high = (
        (math.log(_CHEAPEST), 0.0),
        (math.log(EXACTLY), 0.0),
    )  # logarithms of prices and of sizes found there
    before = 0
    for _ in range(_STEPS):
        found = encode(network.design, network.weights, quantum=quantum, known=known, price=math.exp(at))
        over = math.log(found.size / size)
        if over <= 0:
            low, best = (at, over), found
            if at == math.log(EXACTLY) or found.size >= _CLOSE * size:
                break
        else:
            high = at, over
        if found.size == before:  # sizes make a step here
            break
        before = found.size
        aimed = math.log((1 + _CLOSE) / 2)
        if low[1] and high[1]:  # between two sizes, and not too near to either
            share = (aimed - low[1]) / (high[1] - low[1]) if high[0] - low[0] < _STRAIGHT else 0.5
            at = low[0] + min(max(share, 0.1), 0.9) * (high[0] - low[0])
        else:
            at += (aimed - over) / _SLOPE
            at = min(max(at, math.log(_CHEAPEST)), math.log(EXACTLY))
    return best


def shrink(network: Network, size: int, *, quantum: float = 4.0, split: Network | None = None) -> Shrunk:
    """The network with its entries as exact as about `size` bytes allow, most of all those known best.

    quantum: what entries are rounded to, in points. split: the network that the stages were copied from, so that what
    a stage has not changed since is left out. The tuples become those of `local_tuples`. Raises InvalidParameter for a
    network that is shrunk already.
    """
    if network.weights.dtype != np.float32:
        raise InvalidParameter("the network is already shrunk: start from a checkpoint")
    if not (math.isfinite(quantum) and 0 < quantum < 1e6) or size < 1000:
        raise InvalidParameter("the quantum must be above 0 and the size at least 1000 bytes")
    if split is not None:
        if split.weights.dtype != np.float32:
            raise InvalidParameter("--split must name a checkpoint, not a shrunk network")
        split = split.with_images(network.design.tuples)
    known = _turned(network, _known(network, split))
    network = Network(
        network.design, network.weights, 1.0, None, network.origin
    ).with_local_tuples()  # the errors stay behind
    coded = _fitted(network, known, quantum, size)
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


def shrink_file(
    file: str, out: str, megabytes: float = 30.0, *, quantum: float = 4.0, split: str | None = None
) -> dict[str, Any]:
    """Make a small network for playing, `out`, from a checkpoint, `file`; returns its file, bytes, kept and quantum.

    megabytes: the largest size of the file, in millions of bytes. quantum, split: as in `shrink`, split being a file.
    A neural network is rounded to 16-bit floating point numbers; quantum and split are for tuple networks. Raises
    InvalidParameter and InvalidFile.
    """
    target = target_file(out, None, out, resumes=False)
    if not (math.isfinite(megabytes) and 0 < megabytes < 1e5):
        raise InvalidParameter(f"--megabytes {megabytes} is not above 0")
    most = int(megabytes * 1e6)
    if is_neural(file):
        save_neural(target, load_neural(file), small=True)
        size = Path(target).stat().st_size
        if size > most:
            Path(target).unlink()
            raise InvalidParameter(f"in 16 bits the network has {size:,} bytes, more than --megabytes allows")
        return {"file": target, "bytes": size}
    network = load_network(file, learning=True)
    before = None if split is None else load_network(split)
    small = shrink(network, most - len(str(describe(network))) - _HEAD, quantum=quantum, split=before)
    save_network(target, small.network, small.coded)
    return {"file": target, "bytes": Path(target).stat().st_size, "kept": small.kept, "quantum": quantum}
