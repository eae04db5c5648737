"""What one learning thread needs: its buffers, and its kernel for the kind of board."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InvalidParameter, quote
from twofold.evaluation.network import Network, parse_stages
from twofold.kernels.board.geometry import buffer_of, geometry
from twofold.kernels.board.line_tables import line_table
from twofold.kernels.ntuple.temporal import LONGEST, TURNS, scratch, trainer
from twofold.kernels.ntuple.temporal_byteboard import trainer_cells
from twofold.rules.variant import CORNERS

BLOCK = 16384
"""Games that a thread may play in a round."""

MOST_SUM = (1 << 15) - 8
"""The largest sum of tiles that a game can go on from doubled: boards of the fast learner hold no 65536."""

_U = np.uint64


class Worker:
    """One thread's learner.

    Out, per game that ended: score (points), moves, top (highest rank); played: how many; made: moves in all.
    """

    _kernel: Any

    def __init__(self, network: Network, coherent: bool, explore: float, within: float) -> None:
        self._network = network
        self._explore = _U(round(explore * 2**32))
        self._within = float(within)
        self._errors = network.errors if coherent else None
        self.score = np.zeros(BLOCK, np.int64)
        self.moves = np.zeros(BLOCK, np.int64)
        self.top = np.zeros(BLOCK, np.uint8)
        self.played = 0

    @property
    def made(self) -> int:
        """Moves made."""
        return int(self.moves[: self.played].sum())

    @property
    def _tables(self) -> tuple[np.uint64, np.uint64]:
        errors = 0 if self._errors is None else self._errors.ctypes.data
        return _U(self._network.weights.ctypes.data), _U(errors)

    def play(self, seed: int, first: int, rates: NDArray[np.float32], stop: NDArray[np.uint64]) -> None:
        """Learn from game `first` on, one for each rate, until `stop` is set."""
        n = len(rates)
        out = self.score[:n], self.moves[:n], self.top[:n]
        how = self._explore, self._within
        self.played = self._kernel(*self._before(stop), *how, _U(seed), _U(first), rates, *out)

    def _before(self, stop: NDArray[np.uint64]) -> tuple[Any, ...]:
        """The kernel's arguments before those that all kernels take."""
        raise NotImplementedError


class PackedWorker(Worker):
    """For the open 4x4 board with random spawns."""

    def __init__(
        self, network: Network, coherent: bool, restart: int, double: str, explore: float, within: float
    ) -> None:
        super().__init__(network, coherent, explore, within)
        design = network.design
        self._kernel = trainer(design.masks, design.stages, design.by_sum, coherent)
        self._restart = restart
        rank, sums = parse_double(double)
        self._double, self._sums = _U(rank), np.array(sums, _U)
        self._line_table = line_table(False)
        self._lanes = scratch(design.masks)
        self._paths = np.zeros((TURNS, LONGEST), _U)
        self.next_start = np.zeros(TURNS, _U)
        """The packed board that each game in turn is followed by, with doubled tiles; 0: none."""

    def _before(self, stop: NDArray[np.uint64]) -> tuple[Any, ...]:
        return (
            self._line_table,
            *self._tables,
            _U(self._lanes.ctypes.data),
            _U(self._paths.ctypes.data),
            _U(self.next_start.ctypes.data),
            _U(stop.ctypes.data),
            _U(self._network.design.variant.four_threshold),
            self._restart,
            self._double,
            self._sums,
        )


class CellsWorker(Worker):
    """For any other board."""

    def __init__(
        self, network: Network, coherent: bool, expected: bool, explore: float, within: float
    ) -> None:
        super().__init__(network, coherent, explore, within)
        design, variant = network.design, network.design.variant
        if not variant.is_drawn:
            raise InvalidParameter(f"training needs random or corner spawns, not {variant.style}")
        self._kernel = trainer_cells(
            design.terms, design.base, design.entries, design.stages, design.by_sum, coherent, expected
        )
        self._geometry = geometry(design.shape)
        self._start = buffer_of(variant.start)
        self._boards = np.zeros(6 * len(self._start) // 8, _U)
        self._indices = np.zeros(5 * design.terms + 2, np.uint32)
        self._place = variant.start_spawns
        self._style = 0 if variant.style == "random" else 1 + CORNERS.index(variant.place)

    def _before(self, stop: NDArray[np.uint64]) -> tuple[Any, ...]:
        return (
            *self._tables,
            _U(self._network.design.lookups.ctypes.data),
            _U(self._geometry.ctypes.data),
            _U(self._start.ctypes.data),
            _U(self._boards.ctypes.data),
            _U(self._indices.ctypes.data),
            _U(self._network.design.terms),
            _U(stop.ctypes.data),
            self._place,
            self._style,
            _U(self._network.design.variant.four_threshold),
        )


def parse_double(text: str) -> tuple[int, tuple[int, ...]]:
    """Which games are followed by one with doubled tiles: a tile as its rank, 0 for none, or sums of tiles.

    text: nothing, a tile, or sums as in `sum:14336,17408`; raises InvalidParameter.
    """
    if not text:
        return 0, ()
    found, by_sum = parse_stages(text)
    if by_sum and found and all(64 <= total <= MOST_SUM for total in found):
        return 0, found
    if not by_sum and len(found) == 1 and 3 <= found[0] <= 14:
        return found[0], ()
    raise InvalidParameter(
        f"double {quote(text)} is neither a tile from 8 to 16384 nor, like sum:14336,17408, sums from 64 to {MOST_SUM}"
    )


def plays_packed(network: Network) -> bool:
    """Whether the fast learner and the fast games are for this network's rules."""
    return network.design.packed and network.design.variant.is_random_open_4x4


def make_worker(
    network: Network,
    *,
    coherent: bool,
    restart: int = 0,
    double: str = "",
    expected: bool = False,
    explore: float = 0.0,
    within: float = 0.0,
) -> Worker:
    """The learner for a network; raises InvalidParameter for rules that can't be learned on."""
    if plays_packed(network):
        if expected:
            raise InvalidParameter(
                "expected updates are for small boards, not for the open 4x4 board with random spawns"
            )
        return PackedWorker(network, coherent, restart, double, explore, within)
    if restart or double:
        what = "restarts from late states" if restart else "doubled tiles"
        raise InvalidParameter(f"{what} are for the open 4x4 board with random spawns")
    return CellsWorker(network, coherent, expected, explore, within)
