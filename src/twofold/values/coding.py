"""A network's tables as streams of bytes and back: one stream for each tuple, its stages one after the other.

`kernels/entries.py` says what a stream is. Streams don't know of each other, so all cores work on them at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.cores import core_count
from twofold.errors import InvalidFile, InvalidParameter
from twofold.kernels.entries import CONTEXTS, EVEN, HIGH, PLACE, READ, TAIL, VALUE, WRITE
from twofold.values.network import Design

EXACTLY = 1e9
"""A price at which no entry is changed."""

LARGEST = 32000
"""Quanta of an entry at most; larger ones are cut off."""

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
    """
    entries = np.zeros(weights.shape, np.int16)

    def write(part: slice, cells: int) -> NDArray[np.uint8]:
        size = part.stop - part.start
        codes = np.zeros(_ROOM * size * len(weights) + 64, np.uint8)
        state, chances, digits, marks, rows = _fresh(design, cells)
        for stage, row in enumerate(weights):
            if not np.isfinite(row[part]).all():
                raise InvalidParameter("an entry is no finite number")
            wanted = np.clip(row[part].astype(np.float32) / np.float32(quantum), -LARGEST, LARGEST)
            worth = (
                np.full(size, price, np.float32) if known is None else known[stage, part] * np.float32(price)
            )
            table, before = entries[stage, part], entries[max(stage - 1, 0), part]
            if not WRITE(
                codes,
                state,
                chances,
                design.base,
                digits,
                table,
                before,
                wanted,
                worth,
                marks,
                rows,
                stage > 0,
            ):
                raise InvalidParameter("an entry doesn't fit into 16 bits: choose a larger quantum")
        end = int(state[PLACE])
        codes[end : end + TAIL] = np.frombuffer(int(state[HIGH]).to_bytes(TAIL, "big"), np.uint8)
        return codes[: end + TAIL].copy()

    return Coded(_each(design, write), entries)


def decode(design: Design, streams: Sequence[NDArray[np.uint8]]) -> NDArray[np.int16]:
    """The entries in streams, (stages + 1, entries). Raises InvalidFile if they can't be those of the design."""
    entries = np.zeros((len(design.stages) + 1, design.entries), np.int16)
    nothing = np.zeros(0, np.float32)
    begins = {part.start: codes for part, codes in zip(design.places.values(), streams, strict=True)}

    def read(part: slice, cells: int) -> bool:
        codes = begins[part.start]
        state, chances, digits, marks, rows = _fresh(design, cells)
        state[VALUE] = int.from_bytes(codes[:TAIL].tobytes().ljust(TAIL, b"\0"), "big")
        state[PLACE] = TAIL
        for stage, row in enumerate(entries):
            table, before = row[part], entries[max(stage - 1, 0), part]
            if not READ(
                codes,
                state,
                chances,
                design.base,
                digits,
                table,
                before,
                nothing,
                nothing,
                marks,
                rows,
                stage > 0,
            ):
                return False
        return True

    if not all(_each(design, read)):
        raise InvalidFile("its entries are damaged")
    return entries


def _fresh(design: Design, cells: int) -> tuple[Any, Any, Any, Any, Any]:
    """The coder's state, its chances, and its scratch at the start of a stream."""
    state = np.zeros(4, np.uint64)
    state[HIGH] = 0xFFFFFFFF
    chances = np.full((CONTEXTS, 2), EVEN, np.uint16)
    marks = np.zeros(design.base**cells, np.uint8)
    return state, chances, np.zeros(cells, np.int64), marks, np.zeros(len(marks) // design.base, np.uint8)


def _each(design: Design, work: Callable[[slice, int], Any]) -> tuple[Any, ...]:
    """What `work` makes of each table, several at once."""
    with ThreadPoolExecutor(core_count()) as pool:
        tasks = [pool.submit(work, part, len(cells)) for cells, part in design.places.items()]
        return tuple(task.result() for task in tasks)
