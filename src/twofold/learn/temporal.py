"""Training of a tuple network by temporal differences: threads, checkpoints, curve.

Games are numbered; game i of seed s spawns the tiles of game i of that run (rules/random.py). With one thread and a
number of games instead of minutes the result is a function of the settings. Runs that go on with each other's
checkpoints then learn what one run of all their games does without `decay`, since the rate falls at the end of each
run, but for the open 4x4 board: there a thread plays two games in turn, which end together with a round, and where a
game begins late (`restart`, `double`) is not in the file. Threads share one table without locks, so with more the
numbers differ slightly from run to run.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Generator
from concurrent.futures import Future, wait
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.cores import core_count
from twofold.errors import InvalidParameter
from twofold.evaluation.network import Network
from twofold.evaluation.tensors import origin_number, origin_seconds
from twofold.evaluation.weights import save_network
from twofold.kernels.ntuple.temporal import LATE
from twofold.learn.settings import WITHIN, TrainingSettings, seeded
from twofold.learn.workers import BLOCK, Worker, make_worker, plays_packed
from twofold.threads import in_thread

RANKS = 64
_ROUND = 5.0
"""Seconds of a round at most."""

_ROUND_MOVES = 4_000_000
"""Moves of a thread in a round where two games are played in turn: no clock may decide where such a round ends."""

_FIRST_GAMES = 1000
"""Games of a thread in such a round while nobody knows how long they are."""

_EVALUATION_SEED = 0x5EED  # its games are never learned from: no run is likely to have this seed


@dataclass(frozen=True)
class CurvePoint:
    """One line of the curve.

    Attributes:
        seconds, games, moves: since the network was fresh.
        speed: moves per second of the last stretch; score: mean points of its games from the start;
        tops: for each rank the share of them whose largest tile had at least that rank, (64,).
        rate: learning rate; threads: as used; evaluation: mean points of the last evaluation, nan before it.
    """

    seconds: float
    games: int
    moves: int
    speed: float
    score: float
    tops: tuple[float, ...]
    rate: float
    threads: int
    evaluation: float = math.nan


@dataclass
class Interval:
    """Sums since the last line of the curve. games: those played from the start."""

    began: float
    moves: int = 0
    games: int = 0
    score: int = 0
    tops: NDArray[np.int64] = field(default_factory=lambda: np.zeros(RANKS, np.int64))

    def add(self, moves: int, scores: NDArray[np.int64], tops: NDArray[Any]) -> None:
        """Moves made, and the scores and highest ranks of the games that ended."""
        self.moves += moves
        self.games += len(scores)
        self.score += int(scores.sum())
        self.tops += np.bincount(tops, minlength=RANKS)

    @property
    def mean(self) -> float:
        """Mean points of its games, 0 without any."""
        return self.score / max(1, self.games)

    def line(self, training: Any, now: float, score: float, rate: float, *more: Any) -> CurvePoint:
        """The line of the curve; more: threads and evaluation."""
        reached = np.cumsum(self.tops[::-1])[::-1] / max(1, self.games)
        speed = self.moves / max(1e-9, now - self.began)
        known = (training.seconds, training.games, training.moves, speed, score)
        return CurvePoint(*known, tuple(reached.tolist()), rate, *more)


def idle_cores(pause: float = 0.3) -> int:
    """Cores that others leave idle at the moment, at least 1 (and 1 where the system doesn't tell)."""

    def busy() -> float:
        numbers = [int(part) for part in Path("/proc/stat").read_text("ascii").split("\n", 1)[0].split()[1:9]]
        return (sum(numbers) - numbers[3] - numbers[4]) / os.sysconf("SC_CLK_TCK")

    try:
        before, at, own = busy(), time.monotonic(), time.process_time()
        time.sleep(pause)
        others = (busy() - before - (time.process_time() - own)) / (time.monotonic() - at)
    except (OSError, ValueError, AttributeError):
        return 1
    return max(1, int(core_count() - others + 0.25))


def check_learns(network: Network) -> None:
    """Raises InvalidParameter for a network that was shrunk."""
    if network.weights.dtype != np.float32:
        raise InvalidParameter("a shrunk network can't be trained further: resume from a checkpoint")


class Training:
    """A run of learning on one network; `run` plays it and yields its curve.

    Raises InvalidParameter for a network that can't learn: one for adversarial spawns, or one that was shrunk.
    """

    def __init__(self, network: Network, settings: TrainingSettings) -> None:
        check_learns(network)
        if settings.method == "tc" and network.errors is None:
            network.errors = np.zeros((*network.weights.shape, 2), np.float32)
        self.network = network
        self.settings = settings = seeded(settings, network.origin)
        self.games = origin_number(network.origin, "games")
        self.moves = origin_number(network.origin, "moves")
        self.seconds = origin_seconds(network.origin)
        self._next = origin_number(network.origin, "next")
        self._first_game, self._before, self._began = self.games, self.seconds, 0.0
        self._stop = np.zeros(1, np.uint64)
        self._workers = [self._worker()]
        self._evaluator: Worker | None = None
        self._evaluation = math.nan

    def _worker(self) -> Worker:
        settings = self.settings
        return make_worker(
            self.network,
            coherent=settings.method == "tc",
            restart=settings.restart,
            double=settings.double,
            expected=settings.expected,
            explore=settings.explore,
            within=WITHIN if settings.within is None else settings.within,
        )

    @property
    def done(self) -> float:
        """The fraction of the run that is done."""
        return float(self._done(np.zeros(1))[0])

    def _done(self, ahead: NDArray[np.float64]) -> NDArray[np.float64]:
        """The share of the run that is over after `ahead` more games."""
        share = np.zeros(len(ahead))
        if self.settings.games is not None:
            share = (self.games - self._first_game + ahead) / self.settings.games
        if self.settings.minutes is not None:
            share = np.maximum(share, (time.monotonic() - self._began) / (self.settings.minutes * 60))
        return share

    def _round(self, threads: int, left: int, seconds: float) -> None:
        """Up to `left` games in about `seconds`, then count them. Raises what a worker raised."""
        while len(self._workers) < threads:
            self._workers.append(self._worker())
        workers = self._workers[:threads]
        block = min(BLOCK, -(-left // threads))
        if plays_packed(self.network) and self.settings.minutes is None:
            seconds = math.inf
            usual = math.ceil(_ROUND_MOVES * self.games / self.moves) if self.moves else _FIRST_GAMES
            block = min(block, usual)
        self._stop[0] = 0
        tasks: list[Future[None]] = []

        def play(worker: Worker, *arguments: Any) -> None:
            try:
                worker.play(*arguments)
            except BaseException:
                self._stop[0] = 1
                raise

        for number, worker in enumerate(workers):
            worker.played = 0
            count = min(block, max(0, left - number * block))
            rates = (
                self.settings.rate_at(self._done(np.arange(count, dtype=np.float64) * threads))
                / self.network.design.terms
            )
            arguments = (
                worker,
                self.settings.seed or 0,
                self._next + number * block,
                rates.astype(np.float32),
                self._stop,
            )
            tasks.append(in_thread(partial(play, *arguments)))
        end = time.monotonic() + seconds
        try:
            while (rest := end - time.monotonic()) > 0 and wait(tasks, min(rest, 1.0)).not_done:
                pass
        finally:
            self._stop[0] = 1
            wait(tasks)
            self.games += sum(worker.played for worker in workers)
            self.moves += sum(worker.made for worker in workers)
            # One thread goes on with the next number; the numbers that several leave unplayed are skipped.
            self._next += workers[0].played if threads == 1 else threads * block
        for task in tasks:
            task.result()

    def evaluate(self, games: int) -> float:
        """Mean points of `games` games without learning, always the same spawns.

        On the open 4x4 board a game ends with the move that makes 65536 (kernels/ntuple/temporal.py).
        """
        self._evaluator = self._evaluator or make_worker(self.network, coherent=False)
        self._evaluator.play(_EVALUATION_SEED, 0, np.zeros(games, np.float32), np.zeros(1, np.uint64))
        return float(self._evaluator.score[:games].mean())

    def run(self, out: str | None = None, *, every: float = 10.0) -> Generator[CurvePoint, None, None]:
        """Play the run; a line of the curve about every `every` seconds. `out`: file for checkpoints and the result.

        Leaving the iteration early (by Ctrl-C too) writes a last checkpoint. Raises InvalidFile if one can't be
        written.
        """
        settings = self.settings
        self._began = time.monotonic()
        self._first_game, self._before = self.games, self.seconds
        saved = evaluated = self._began
        interval = Interval(self._began)
        try:
            while True:
                left = (settings.games or 1 << 40) - (self.games - self._first_game)
                spare = _ROUND
                if settings.minutes is not None:
                    spare = min(spare, settings.minutes * 60 - (time.monotonic() - self._began))
                if left <= 0 or spare <= 0:
                    break
                threads = settings.threads or idle_cores()
                self._round(threads, left, min(spare, every))
                for worker in self._workers[:threads]:
                    scores, tops = worker.score[: worker.played], worker.top[: worker.played]
                    interval.add(worker.made, scores[tops != LATE], tops[tops != LATE])
                now = time.monotonic()
                self.seconds = self._before + now - self._began
                if settings.evaluation_games and now - evaluated >= settings.evaluation:
                    self._evaluation = self.evaluate(settings.evaluation_games)
                    evaluated = time.monotonic()
                if now - interval.began >= every or self.done >= 1:
                    rate = float(settings.rate_at(self._done(np.zeros(1)))[0])
                    yield interval.line(self, now, interval.mean, rate, threads, self._evaluation)
                    interval = Interval(time.monotonic())
                if out is not None and now - saved >= settings.checkpoint:
                    self.save(out)
                    saved = time.monotonic()
        finally:
            if out is not None:
                self.save(out)

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

    def finish(self, path: str) -> dict[str, Any]:
        """After the run: evaluate the network, note how good it is in its origin, and save it. Returns figures."""
        games = 1000 if self.games - self._first_game > 1000 else 100
        score = self.evaluate(games)
        self.network.origin |= {"score": f"{score:.0f}", "score_games": str(games)}
        self.save(path)
        return {
            "games": self.games,
            "moves": self.moves,
            "seconds": round(self.seconds, 1),
            "score": score,
            "games_measured": games,
        }


def origin_of(command: str) -> dict[str, str]:
    """Who made a network: the command, the version and, in a source tree, the commit."""
    from twofold import __version__

    return {"command": command, "version": __version__, "commit": _commit()}


def _commit() -> str:
    """The commit of the source tree that this code lies in, read from git's own files; empty outside of one."""
    for folder in Path(__file__).resolve().parents:
        head: Any = folder / ".git" / "HEAD"
        if head.is_file():
            try:
                text = head.read_text("ascii").strip()
                if text.startswith("ref: "):
                    text = (folder / ".git" / text[5:]).read_text("ascii").strip()
            except OSError:
                return ""
            return str(text)[:12]
    return ""
