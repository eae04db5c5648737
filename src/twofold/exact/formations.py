"""Formation tables: the crowded end of a long game, solved.

Large tiles lie as *anchors* in a block in a corner; the other cells are free. No anchor is shifted: a move that would
is not allowed, and a position without another counts as lost. Let r be the least rank of the anchors. Free cells
hold ranks below r, each up to a cap of its own, and the *goals* are tiles that collapse into the block within a few
moves, such as two of rank r − 1 side by side along it. The value of a position is the probability to get to one of
them by best play:

    V(s) = 1 where s has a goal, else max over moves of the mean over spawns of V(next)

Neighbouring anchors must differ and none is below r; their order and faces don't matter beyond that, so one table
serves every board of the formation and, with its images, eight times as many.

Each spawn raises the sum of the free tiles, so layers of equal sum are solved from the top down
(kernels/exact/formations.py): first each position's value as an afterstate, the mean over spawns into the layers above,
then as a state, the best of up to four of these. Numbers without gaps make an index: a file holds one byte a position,
the layers one after the other, and no keys. A layer above the sum of the goal by more than `slack` is left out and
counts as lost: with so much beside it no goal can be reached any more.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge, Le, MaxLen, MinLen
from numpy.typing import NDArray

from twofold.errors import InvalidParameter
from twofold.kernels.exact.formations import NONE, SUM_BITS

Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]
_U = np.uint64

BLOCK = (0, 1, 2, 4, 5, 6)
"""The cells of the block of six anchors, in reading order."""

_Nibble = Annotated[int, Ge(0), Le(15)]
_TOP = 15  # the nibble of the first anchor


@dataclass(frozen=True)
class Formation:
    """Which positions a table holds, and what it asks.

    name: of its file. rank: r, the least rank of an anchor. anchors: cells. caps: (cell, largest rank) of each free
    cell, in reading order. goals: each some (cell, rank) that must all be there. slack: see the module's text, in
    points of tile sum.
    """

    name: Annotated[str, MaxLen(100)]
    rank: _Nibble
    anchors: tuple[_Nibble, ...]
    caps: tuple[tuple[_Nibble, _Nibble], ...]
    goals: Annotated[tuple[tuple[tuple[_Nibble, _Nibble], ...], ...], MinLen(1)]
    slack: Annotated[int, Ge(0), Le(1 << 17)]

    @property
    def top(self) -> int:
        """The highest layer: half the largest sum of the free tiles."""
        most = sum(1 << cap >> 1 for _, cap in self.caps)
        return min(most, ((1 << self.rank) + self.slack) >> 1)


def _word(tiles: tuple[tuple[int, int], ...]) -> int:
    word = 0
    for cell, rank in tiles:
        word |= rank << 4 * cell
    return word


def _mask(cells: Any) -> int:
    return _word(tuple((cell, 15) for cell in cells))


@dataclass(frozen=True, eq=False)
class Half:
    """Some of the free cells, filled in every way.

    mask: their nibbles. boards: uint64, the fillings sorted by sum (unit: a 2); starts: int64, where each sum begins,
    and the end; counts: int64, how many of each; entries: uint32 by filling as `pext` gives it, see the kernel.
    """

    mask: int
    boards: Words
    starts: Numbers
    counts: Numbers
    entries: NDArray[np.uint32]


def _half(caps: tuple[tuple[int, int], ...]) -> Half:
    grid = np.indices([cap + 1 for _, cap in caps], dtype=np.int64).reshape(len(caps), -1)
    boards = np.zeros(grid.shape[1], _U)
    keys = np.zeros(grid.shape[1], np.int64)
    sums = np.zeros(grid.shape[1], np.int64)
    for i, (cell, _) in enumerate(caps):
        boards |= grid[i].astype(_U) << _U(4 * cell)
        keys |= grid[i] << (4 * i)
        sums += (1 << grid[i]) >> 1
    order = np.argsort(sums, kind="stable")
    boards, keys, sums = boards[order], keys[order], sums[order]
    starts = np.searchsorted(sums, np.arange(int(sums[-1]) + 2)).astype(np.int64)
    entries = np.full(1 << 4 * len(caps), NONE, np.uint32)
    entries[keys] = ((np.arange(len(sums)) - starts[sums]) << int(SUM_BITS) | sums).astype(np.uint32)
    return Half(_mask(cell for cell, _ in caps), boards, starts, np.diff(starts), entries)


class Index:
    """Numbers of the positions of a formation.

    a, b: the halves. anchors: mask of the anchors' nibbles; block: their nibbles. goals: uint64 (G, 2). sizes: int64,
    positions of each layer.
    """

    def __init__(self, formation: Formation) -> None:
        cells = sorted(formation.anchors + tuple(cell for cell, _ in formation.caps))
        if cells != list(range(16)) or not 2 <= len(formation.caps) <= 12:
            raise InvalidParameter(
                "a formation has each of the 16 cells once, 2 to 12 of them free and the others anchors"
            )
        if formation.rank > _TOP + 1 - len(formation.anchors) or any(
            cap >= formation.rank for _, cap in formation.caps
        ):
            raise InvalidParameter(
                f"rank {formation.rank}: a formation of {len(formation.anchors)} anchors has one up to "
                f"{_TOP + 1 - len(formation.anchors)}, and caps below it"
            )
        self.formation = formation
        middle = len(formation.caps) // 2
        self.a, self.b = _half(formation.caps[:middle]), _half(formation.caps[middle:])
        self.anchors = _mask(formation.anchors)
        self.block = _word(tuple((cell, _TOP - i) for i, cell in enumerate(formation.anchors)))
        self.goes = np.array([self.a.mask, self.b.mask], _U)
        self.goals = np.array(
            [[_mask(cell for cell, _ in goal), _word(goal)] for goal in formation.goals], _U
        )
        self.top = formation.top
        # Counts of B by sum, with zeros as far as a kernel may look.
        self.counts_b = np.zeros(self.top + 3 + len(self.b.counts), np.int64)
        self.counts_b[: len(self.b.counts)] = self.b.counts

    def base(self, layer: int) -> Numbers:
        """Where the rectangle of each sum of A begins in a layer, int64 (sums of A + 1,); the last is its size."""
        sums = layer - np.arange(len(self.a.counts))
        there = (sums >= 0) & (sums < len(self.b.counts))
        sizes = np.where(there, self.a.counts * self.b.counts[np.clip(sums, 0, len(self.b.counts) - 1)], 0)
        return np.concatenate([[0], np.cumsum(sizes)])

    @functools.cached_property
    def sizes(self) -> Numbers:
        """Positions of each layer, int64 (top + 1,)."""
        whole = np.convolve(self.a.counts, self.b.counts)
        return whole[: self.top + 1].astype(np.int64)

    @property
    def positions(self) -> int:
        """How many there are."""
        return int(self.sizes.sum())

    def rows(self, layer: int) -> tuple[int, int]:
        """First and last + 1 of the fillings of A that a layer has."""
        low = max(0, layer - len(self.b.counts) + 1)
        high = min(layer, len(self.a.counts) - 1)
        return int(self.a.starts[low]), int(self.a.starts[high + 1])


BITS = 8
_LEVELS = (1 << BITS) - 1


@functools.cache
def decoded() -> NDArray[np.float32]:
    """The probability that each byte of a file stands for, float32 (256,).

    The square root of the chance to fail goes in equal steps, so that those near 1, among which play chooses, are told
    apart best: a step is 0.008 near 0, 0.001 near 0.98.
    """
    steps = np.arange(_LEVELS + 1) / _LEVELS
    return (1.0 - (1.0 - steps) ** 2).astype(np.float32)


@functools.cache
def coded() -> NDArray[np.uint8]:
    """The byte for each probability in units of 1/65535, uint8 (65536,); 0 for 0 alone is not kept apart."""
    lost = 1.0 - np.arange(65536) / 65535
    return np.rint(_LEVELS * (1.0 - np.sqrt(lost))).astype(np.uint8)
