"""Training of a tuple network by temporal differences: threads, checkpoints, curve.

Games are numbered; game i of seed s spawns the tiles of game i of that run (rules/random.py). With one thread and a
number of games the result is a function of the settings, also when the run was stopped and resumed at a checkpoint;
threads share one table without locks, so with more the numbers differ slightly from run to run.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InvalidParameter
from twofold.kernels.tables import line_table
from twofold.kernels.temporal import LONGEST, trainer
from twofold.values.network import Network
from twofold.values.weights import save_network

_U = np.uint64
METHODS = ("td", "tc")
RATES = {"td": 0.1, "tc": 1.0}
"""Learning rate of each method unless told otherwise."""

_BLOCK = 16384  # games that a thread may play in a round
_ROUND = 5.0  # seconds
TILES = tuple(range(11, 16))
"""Ranks whose share of games is reported: 2048 to 32768."""


@dataclass(frozen=True)
class Settings:
    """How to train.

    method: `td` or `tc`; rate: learning rate, None for the method's usual one. minutes or games: how long (at least
    one of them). decay: the share of the run, at its end, in which the rate falls linearly to a hundredth.
    restart: a game of at least 2*restart moves is followed by one from its middle; 0 for never. threads: 0 for as many
    as the machine has idle. checkpoint: seconds between checkpoints.
    """

    method: str = "tc"
    rate: float | None = None
    minutes: float | None = None
    games: int | None = None
    decay: float = 0.1
    restart: int = 0
    threads: int = 1
    seed: int = 0
    checkpoint: float = 60.0

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise InvalidParameter(f"method must be td or tc, not {self.method!r}")
        if self.minutes is None and self.games is None:
            raise InvalidParameter("say how long to train: minutes or games")
        if (self.minutes is not None and not 0 < self.minutes < 1e7) or (
            self.games is not None and not 0 < self.games < 1 << 40
        ):
            raise InvalidParameter("minutes and games must be above 0")
        if not 0 <= self.decay <= 1:
            raise InvalidParameter("decay is a share of the run, 0 to 1")
        if self.restart < 0 or not 0 <= self.threads <= 256 or self.checkpoint <= 0:
            raise InvalidParameter("restart, threads and checkpoint must not be negative")
        if self.rate is not None and not 0 < self.rate <= 10:
            raise InvalidParameter("rate must be above 0 and at most 10")

    @property
    def start_rate(self) -> float:
        """The learning rate at the start."""
        return RATES[self.method] if self.rate is None else self.rate

    def rate_at(self, done: float | NDArray[np.float64]) -> Any:
        """The learning rate when the share `done` of the run is over."""
        if self.decay == 0:
            return self.start_rate * np.ones_like(done)
        return self.start_rate * np.clip((1 - np.asarray(done)) / self.decay, 0.01, 1.0)


@dataclass(frozen=True)
class Progress:
    """One line of the curve: since the start of the run seconds, games and moves, and of the last stretch moves per
    second, mean score (points) of games from the start, and the share of them that reached each rank of TILES."""

    seconds: float
    games: int
    moves: int
    speed: float
    score: float
    tiles: tuple[float, ...]
    rate: float
    threads: int


class _Worker:
    """What one thread writes to."""

    def __init__(self, terms: int) -> None:
        self.indices = np.zeros(terms, np.uint32)
        self.path = np.zeros(LONGEST, _U)
        self.carry = np.zeros(1, _U)
        self.score = np.zeros(_BLOCK, np.int64)
        self.moves = np.zeros(_BLOCK, np.int64)
        self.top = np.zeros(_BLOCK, np.uint8)
        self.played = 0


@dataclass
class _Stretch:
    """Sums since the last line of the curve."""

    began: float
    games: int = 0
    moves: int = 0
    fresh: int = 0
    score: int = 0
    tiles: NDArray[np.int64] = field(default_factory=lambda: np.zeros(len(TILES), np.int64))


def idle_cores(pause: float = 0.3) -> int:
    """Cores that others leave idle at the moment, at least 1."""

    def busy() -> float:
        with open("/proc/stat", encoding="ascii") as stream:
            numbers = [int(part) for part in stream.readline().split()[1:9]]
        return (sum(numbers) - numbers[3] - numbers[4]) / os.sysconf("SC_CLK_TCK")

    cores = os.cpu_count() or 1
    try:
        before, at, own = busy(), time.monotonic(), time.process_time()
        time.sleep(pause)
        others = (busy() - before - (time.process_time() - own)) / (time.monotonic() - at)
    except (OSError, ValueError):
        return 1
    return max(1, int(cores - others + 0.25))


class Training:
    """A run of learning on one network; `run` plays it and yields its curve."""

    def __init__(self, network: Network, settings: Settings) -> None:
        design = network.design
        if not design.packed:
            raise InvalidParameter("this trainer is for open 4x4 boards")
        if network.weights.dtype != np.float32:
            raise InvalidParameter("a network shrunk for shipping can't learn on: give a checkpoint")
        if settings.method == "tc" and network.errors is None:
            network.errors = np.zeros((*network.weights.shape, 2), np.float32)
        self.network = network
        self.settings = settings
        self.games = int(network.origin.get("games", 0))
        self.moves = int(network.origin.get("moves", 0))
        self.seconds = float(network.origin.get("seconds", 0))
        self._next = int(network.origin.get("next", 0))
        self._kernel = trainer(design.masks, design.stages, settings.method == "tc")
        self._workers: list[_Worker] = []
        self._stop = np.zeros(1, _U)
        self._table = line_table(False)

    def stop(self) -> None:
        """End the round soon; may be called from another thread."""
        self._stop[0] = 1

    def _play(self, worker: _Worker, first: int, rates: NDArray[np.float32]) -> None:
        settings, network = self.settings, self.network
        errors = network.errors if network.errors is not None else worker.carry
        count = len(rates)
        worker.played = self._kernel(
            self._table,
            _U(network.weights.ctypes.data),
            _U(errors.ctypes.data),
            _U(worker.indices.ctypes.data),
            _U(worker.path.ctypes.data),
            _U(worker.carry.ctypes.data),
            _U(self._stop.ctypes.data),
            _U(network.design.variant.four_threshold),
            settings.restart,
            _U(settings.seed & (1 << 64) - 1),
            _U(first),
            rates,
            worker.score[:count],
            worker.moves[:count],
            worker.top[:count],
        )

    def _round(self, threads: int, left: int, done: Callable[[NDArray[np.float64]], Any], seconds: float) -> None:
        """One round of up to `left` games, about `seconds` long."""
        while len(self._workers) < threads:
            self._workers.append(_Worker(self.network.design.terms))
        for worker in self._workers:
            worker.played = 0
        block = min(_BLOCK, -(-left // threads))
        self._stop[0] = 0
        running = []
        for number in range(threads):
            count = min(block, max(0, left - number * block))
            rates = (self.settings.rate_at(done(np.arange(count) * threads)) / self.network.design.terms).astype(np.float32)
            task = threading.Thread(target=self._play, args=(self._workers[number], self._next + number * block, rates))
            running.append(task)
            task.start()
        end = time.monotonic() + seconds
        try:
            for task in running:
                task.join(max(0.0, end - time.monotonic()))
        finally:
            self.stop()
            for task in running:
                task.join()
        # One thread goes on with the next number; the numbers that several leave unplayed are skipped.
        self._next += self._workers[0].played if threads == 1 else threads * block

    def _count(self, stretch: _Stretch) -> None:
        for worker in self._workers:
            n = worker.played
            moves = int(worker.moves[:n].sum())
            fresh = worker.top[:n] != 255
            stretch.games += n
            stretch.moves += moves
            stretch.fresh += int(fresh.sum())
            stretch.score += int(worker.score[:n][fresh].sum())
            for i, rank in enumerate(TILES):
                stretch.tiles[i] += int((worker.top[:n][fresh] >= rank).sum())
            self.games += n
            self.moves += moves

    def run(self, out: str | None = None, *, every: float = 10.0) -> Iterator[Progress]:
        """Play the run; a line of the curve about every `every` seconds. `out`: file for checkpoints and the result.

        Leaving the iteration early (Ctrl-C too) writes a last checkpoint.
        """
        settings = self.settings
        began = time.monotonic()
        before, first_game = self.seconds, self.games
        kept = began
        stretch = _Stretch(began)
        wanted = settings.games if settings.games is not None else 1 << 40
        limit = settings.minutes * 60 if settings.minutes is not None else None

        def done(ahead: NDArray[np.float64]) -> Any:
            share = (self.games - first_game + ahead) / wanted
            return share if limit is None else np.maximum(share, (time.monotonic() - began) / limit)

        try:
            while True:
                left = wanted - (self.games - first_game)
                spare = _ROUND if limit is None else min(_ROUND, limit - (time.monotonic() - began))
                if left <= 0 or spare <= 0:
                    break
                threads = settings.threads or idle_cores()
                self._round(threads, left, done, spare)
                self._count(stretch)
                now = time.monotonic()
                self.seconds = before + now - began
                if now - stretch.began >= every or self.games - first_game >= wanted:
                    yield self._line(stretch, now, threads, float(settings.rate_at(done(np.zeros(1)))[0]))
                    stretch = _Stretch(time.monotonic())
                if out is not None and now - kept >= settings.checkpoint:
                    self.save(out)
                    kept = time.monotonic()
        finally:
            if out is not None:
                self.save(out)

    def _line(self, stretch: _Stretch, now: float, threads: int, rate: float) -> Progress:
        fresh = max(1, stretch.fresh)
        return Progress(
            self.seconds,
            self.games,
            self.moves,
            stretch.moves / (now - stretch.began),
            stretch.score / fresh,
            tuple(float(n) / fresh for n in stretch.tiles),
            rate,
            threads,
        )

    def save(self, path: str) -> None:
        """Write a checkpoint: complete or not at all."""
        self.network.origin |= {
            "games": str(self.games),
            "moves": str(self.moves),
            "seconds": f"{self.seconds:.1f}",
            "next": str(self._next),
            "seed": str(self.settings.seed),
        }
        save_network(path, self.network)
