"""A network's tables as streams of bytes and back: one stream for each tuple, its stages one after the other.

`kernels/ntuple/arithmetic_coder.py` says what a stream is. Streams don't know of each other, so all cores work on
them at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.cores import core_count
from twofold.errors import InvalidFile, InvalidParameter
from twofold.evaluation.network import Design
from twofold.kernels.ntuple.arithmetic_coder import CONTEXTS, EVEN, HIGH, PLACE, READ, TAIL, VALUE, WRITE

EXACTLY = 1e9
"""A price at which no entry is changed."""

LARGEST = 32000
"""Quanta of an entry at most: what is rounded up from there still fits into 16 bits."""

_ROOM = 5
"""Bytes of a stream for each entry at most."""


@dataclass(frozen=True)
class Coded:
    """Streams, uint8 each, and the entries that a reader finds in them, int16 (stages + 1, entries)."""

    streams: tuple[NDArray[np.uint8], ...]
    entries: NDArray[np.int16]

    @property
    def size(self) -> int:
        """Bytes of all streams."""
        return sum(len(stream) for stream in self.streams)


def encode(
    design: Design,
    weights: NDArray[Any],
    *,
    quantum: float = 1.0,
    known: NDArray[np.float32] | None = None,
    price: float = EXACTLY,
) -> Coded:
    """Tables as streams, each entry as exactly as it is worth.

    weights: (stages + 1, entries) in points; quantum: points that entries are whole multiples of. An error of e quanta
    in an entry costs price · known · e² bits: the dearer, the more exact and the larger (None: all are known alike).
    Raises InvalidParameter for entries that are not numbers, or too large for the quantum.
    """
    most = max(max(float(np.max(row)), -float(np.min(row))) for row in weights)
    if not math.isfinite(most):
        raise InvalidParameter("an entry is not a finite number: the network's learning has failed")
    if most > LARGEST * quantum:
        raise InvalidParameter(
            f"entries of up to {most:,.0f} points need a quantum of at least {most / LARGEST:.3g}, not {quantum}"
        )
    entries = np.zeros(weights.shape, np.int16)

    def write(table: _Table) -> NDArray[np.uint8]:
        codes = np.zeros(_ROOM * table.size * len(weights) + 64, np.uint8)
        for stage, row in enumerate(weights):
            wanted = row[table.part].astype(np.float32) / np.float32(quantum)
            prices = np.full(table.size, price, np.float32)
            if known is not None:
                prices *= known[stage, table.part]
            table.code(WRITE, codes, entries, stage, wanted, prices)
        end = int(table.state[PLACE])
        codes[end : end + TAIL] = np.frombuffer(int(table.state[HIGH]).to_bytes(TAIL, "big"), np.uint8)
        return codes[: end + TAIL].copy()

    return Coded(_each(design, write), entries)


def decode(
    design: Design, streams: Sequence[NDArray[np.uint8]], on_read: Callable[[int], None] = lambda _: None
) -> NDArray[np.int16]:
    """The entries in streams, (stages + 1, entries). Raises InvalidFile if they can't be those of the design.

    on_read: told of more bytes of entries that are there, from several threads.
    """
    entries = np.zeros((len(design.stages) + 1, design.entries), np.int16)
    nothing = np.zeros(0, np.float32)
    begins = {part.start: codes for part, codes in zip(design.places.values(), streams, strict=True)}

    def read(table: _Table) -> bool:
        codes = begins[table.part.start]
        table.state[VALUE] = int.from_bytes(codes[:TAIL].tobytes().ljust(TAIL, b"\0"), "big")
        table.state[PLACE] = TAIL
        for stage in range(len(entries)):
            if not table.code(READ, codes, entries, stage, nothing, nothing):
                return False
            on_read(2 * table.size)
        return int(table.state[PLACE]) == len(codes)

    if not all(_each(design, read)):
        raise InvalidFile("its entries are damaged")
    return entries


class _Table:
    """One table while it is coded: its part of the entries, the coder's state and chances, and scratch."""

    def __init__(self, design: Design, part: slice, cells: int) -> None:
        self.part = part
        self.size = part.stop - part.start
        self.state = np.zeros(4, np.uint64)
        self.state[HIGH] = 0xFFFFFFFF
        self._chances = np.full((CONTEXTS, 2), EVEN, np.uint16)
        self._base = design.base
        self._digits = np.zeros(cells, np.int64)
        self._marks = np.zeros(self.size, np.uint8)
        self._rows = np.zeros(self.size // design.base, np.uint8)

    def code(self, kernel: Any, codes: Any, entries: Any, stage: int, wanted: Any, prices: Any) -> bool:
        """Write or read a stage of it; False if an entry doesn't fit into 16 bits."""
        table, before = entries[stage, self.part], entries[max(stage - 1, 0), self.part]
        return bool(
            kernel(
                codes,
                self.state,
                self._chances,
                self._base,
                self._digits,
                table,
                before,
                wanted,
                prices,
                self._marks,
                self._rows,
                stage > 0,
            )
        )


def _each(design: Design, work: Callable[[_Table], Any]) -> tuple[Any, ...]:
    """What `work` makes of each table, several at once."""
    with ThreadPoolExecutor(core_count()) as pool:
        tasks = [
            pool.submit(lambda place: work(_Table(design, place[1], len(place[0]))), place)
            for place in design.places.items()
        ]
        try:
            return tuple(task.result() for task in tasks)
        finally:
            for task in tasks:  # after Ctrl-C
                task.cancel()
