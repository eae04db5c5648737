"""Training on a CUDA device: the driver of `kernels/gpu/cuda.py`, with files, rates and curve as on the processor.

The network's tables and all games stay on the device; they come back for a checkpoint. Games are numbered as on the
CPU: lane k plays games k, k + lanes, k + 2·lanes, … of the run. Which entries are taught together depends on the
number of lanes, not on chance, so a run with `games` is a function of its settings.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InvalidParameter, quote
from twofold.evaluation.network import Network
from twofold.kernels.board.line_tables import line_table
from twofold.kernels.gpu.cuda import MOST_LANES, play_kernels
from twofold.learn.settings import TrainingSettings
from twofold.learn.temporal import Training
from twofold.learn.workers import parse_double

LANES = 131072
"""Games side by side unless told otherwise: enough to hide the memory's latency on an H100."""

THREADS = 128
"""Lanes of a block."""

_STEPS = 100
"""Moves of each lane between two looks at the clock."""

_RESULTS = 1 << 20
"""Ended games that a look can note."""

_U = np.uint64


def find_device() -> str:
    """The name of the CUDA device that will be used; raises InvalidParameter saying what is missing."""
    try:
        from numba import cuda
        from numba.cuda.cudadrv.error import CudaSupportError
    except ImportError:
        raise InvalidParameter("--device cuda needs numba-cuda: pip install 'twofold[gpu]'") from None
    try:
        if not cuda.is_available():
            raise InvalidParameter(
                "no CUDA device was found: leave out --device cuda to train on the processor"
            )
        name = getattr(cuda.get_current_device(), "name", "numba's CUDA simulator")
    except CudaSupportError as error:
        raise InvalidParameter(f"the CUDA device can't be used: {quote(str(error))}") from None
    return name.decode() if isinstance(name, bytes) else str(name)


class Lanes:
    """Games side by side on the device, learning on one network.

    Out, of the games that ended in the last round, as `workers.Worker` has it: score, moves, top, and played, how
    many; made: moves of all lanes in the round.
    """

    def __init__(
        self,
        network: Network,
        coherent: bool,
        lanes: int,
        restart: int,
        *,
        double: str = "",
        learning: bool = True,
    ) -> None:
        from numba import cuda

        design = network.design
        self._cuda, self._network, self._coherent = cuda, network, coherent
        self._restart, self._learning = restart, learning
        self._double = _U(parse_double(double)[0])
        self._kernels = play_kernels(design.masks, design.stages, design.by_sum, coherent)
        self._grid = -(-lanes // THREADS), min(THREADS, lanes)
        size = network.weights.size if learning else 1
        self._table = cuda.to_device(line_table(False))
        self._weights = cuda.to_device(network.weights.reshape(-1))
        errors = network.errors if coherent and network.errors is not None else np.zeros(2, np.float32)
        self._errors = cuda.to_device(errors.reshape(-1))
        self._sums = cuda.to_device(np.zeros(size, np.int64))
        self._ended = cuda.to_device(np.zeros(1, np.int64))
        self._results = cuda.to_device(np.zeros((_RESULTS, 4), np.int64))
        self._words = [
            cuda.to_device(np.zeros(lanes, _U)) for _ in range(6)
        ]  # boards after before keys middle doubled
        self._numbers = [cuda.to_device(np.zeros(lanes, np.int64)) for _ in range(3)]  # games score moves
        self._late = cuda.to_device(np.zeros(lanes, np.uint8))
        self._lanes = lanes
        self._four = _U(design.variant.four_threshold)
        self._seed, self._last = _U(0), 0
        self._ends: NDArray[np.int64] = np.zeros((0, 4), np.int64)
        self.made = 0

    def begin(self, seed: int, first: int, last: int) -> None:
        """Begin games first to last - 1 of run `seed`, as many at a time as there are lanes."""
        self._seed, self._last = _U(seed), last
        games = np.arange(first, first + self._lanes, dtype=np.int64)
        self._numbers[0].copy_to_device(games)
        boards, _, _, keys, _, _ = self._words
        self._kernels.start[self._grid](
            boards, keys, self._numbers[0], self._seed, self._four, np.int64(last)
        )

    def round(self, rate: Any, seconds: float, steps: int = _STEPS) -> None:
        """Play on for about `seconds`, or until no game is left. rate(): learning rate / entries."""
        found = []
        end = time.monotonic() + seconds
        self.made = 0
        active = self._active()
        while active:
            self._advance(np.float32(rate()), steps)
            self.made += steps * active
            ended = self._drain()
            found.append(ended)
            if len(ended):
                active = self._active()
            if time.monotonic() >= end:
                break
        self._ends = np.concatenate(found) if found else self._ends[:0]

    def _active(self) -> int:
        return int((self._numbers[0].copy_to_host() < self._last).sum())

    def _advance(self, rate: np.float32, steps: int) -> None:
        boards, after, before, keys, middle, doubled = self._words
        step, settle = self._kernels.step[self._grid], self._kernels.settle[self._grid]
        last, restart = np.int64(self._last), np.int64(self._restart)
        for _ in range(steps):
            step(
                boards, after, before, keys, *self._numbers, middle, doubled, self._late, self._table,
                self._weights, self._sums, self._ended, self._results, self._seed, self._four, last, restart,
                self._double, self._learning,
            )  # fmt: skip
            if self._learning:
                settle(before, self._weights, self._errors, self._sums, rate)
        self._cuda.synchronize()

    def _drain(self) -> NDArray[np.int64]:
        """The games that ended since the last call, (n, 4): number, score, moves, highest rank."""
        count = int(self._ended.copy_to_host()[0])
        if count > _RESULTS:
            raise RuntimeError(f"{count} games ended between two looks, more than {_RESULTS}")
        if count == 0:
            return np.zeros((0, 4), np.int64)
        self._ended.copy_to_device(np.zeros(1, np.int64))
        return np.asarray(self._results[:count].copy_to_host())

    def fetch(self) -> None:
        """Bring the tables back into the network."""
        self._weights.copy_to_host(self._network.weights.reshape(-1))
        if self._coherent and self._network.errors is not None:
            self._errors.copy_to_host(self._network.errors.reshape(-1))

    @property
    def next(self) -> int:
        """The number after that of the last game begun."""
        return min(self._last, int(self._numbers[0].copy_to_host().max()) + 1)

    @property
    def ends(self) -> NDArray[np.int64]:
        """The ended games of the last round, (n, 4): number, score, moves, highest rank."""
        return self._ends

    @property
    def played(self) -> int:
        """How many games ended in the last round."""
        return len(self._ends)

    @property
    def score(self) -> NDArray[np.int64]:
        """Points of each."""
        return self._ends[:, 1]

    @property
    def moves(self) -> NDArray[np.int64]:
        """Moves of each."""
        return self._ends[:, 2]

    @property
    def top(self) -> NDArray[np.uint8]:
        """Highest rank of each, LATE for a game begun late."""
        return self._ends[:, 3].astype(np.uint8)


class GpuTraining(Training):
    """`Training` with the games on a CUDA device. Raises InvalidParameter for anything but open 4x4 boards."""

    def __init__(self, network: Network, settings: TrainingSettings) -> None:
        lanes = LANES if settings.lanes is None else settings.lanes
        if not 1 <= lanes <= MOST_LANES:
            raise InvalidParameter(f"--lanes {lanes} is not 1 to {MOST_LANES}")
        if not (network.design.packed and network.design.variant.style == "random"):
            raise InvalidParameter(
                "--device cuda plays the open 4x4 board with random spawns: leave it out for others"
            )
        if settings.expected:
            raise InvalidParameter("expected updates are for small boards on --device cpu")
        if settings.explore:
            raise InvalidParameter("exploring moves are for --device cpu")
        if parse_double(settings.double)[1]:
            raise InvalidParameter("doubling at a sum of tiles is for --device cpu: give a tile")
        find_device()
        self._side_by_side = lanes
        self._begun = False
        super().__init__(network, settings)

    def _worker(self) -> Any:
        settings = self.settings
        return Lanes(
            self.network,
            settings.method == "tc",
            self._side_by_side,
            settings.restart,
            double=settings.double,
        )

    def _round(self, threads: int, left: int, seconds: float) -> None:
        lanes: Any = self._workers[0]
        if not self._begun:
            last = self._next + left if self.settings.games is not None else 1 << 62
            lanes.begin(self.settings.seed or 0, self._next, last)
            self._begun = True
        terms = self.network.design.terms
        lanes.round(lambda: self.settings.rate_at(self._done(np.zeros(1)))[0] / terms, seconds)
        self.games += lanes.played
        self.moves += lanes.made
        self._next = lanes.next

    def evaluate(self, games: int) -> float:
        """See `Training.evaluate`: on the processor, with the tables as they are now."""
        self.fetch()
        return super().evaluate(games)

    def save(self, path: str) -> None:
        """See `Training.save`."""
        self.fetch()
        super().save(path)

    def fetch(self) -> None:
        """Bring the tables back from the device."""
        lanes: Any = self._workers[0]
        lanes.fetch()
