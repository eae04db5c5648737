"""Plays a run: claims chunks, has them played, stores them, until no game is missing."""

from __future__ import annotations

import contextlib
import os
import queue
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from twofold.arena.experiment import Chunk, Experiment
from twofold.arena.leases import LEASE
from twofold.arena.pools import OneThreadPool, Pool, as_refusal, make_pool
from twofold.arena.statistics import SequentialTest
from twofold.arena.store import Run, Store
from twofold.arena.summary import Summary, summarise
from twofold.errors import InvalidParameter, TwofoldError, quote
from twofold.players.registry import PLAYERS


@dataclass(frozen=True, slots=True)
class RunProgress:
    """Progress of a run: games stored, of how many; `here` were played by this process in `seconds`."""

    done: int
    games: int
    here: int
    seconds: float

    @property
    def rate(self) -> float:
        """Games a second, of this process."""
        return self.here / self.seconds if self.seconds > 0 else 0.0

    @property
    def left(self) -> float | None:
        """Seconds left at this rate, or None while that is unknown."""
        return (self.games - self.done) / self.rate if self.rate else None


def run(
    experiment: Experiment,
    store: Store | str | os.PathLike[str] | None = None,
    *,
    jobs: int = 1,
    cluster: str | None = None,
    watch: Callable[[RunProgress], None] | None = None,
    until_clear: float | None = None,
    seconds: float | None = None,
) -> Summary:
    """Plays the missing games of an experiment and returns the summary of all its games.

    store: where games are kept and found again, a `Store`, a file, or the URL of a database; without it they are
    forgotten. jobs: processes; in one alone, players may be objects. The other arguments are those of `play_run`.

    Raises InvalidParameter, StoreError, and what a player raises.
    """
    with contextlib.ExitStack() as stack:
        if store is None:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="twofold-"))
            store = os.path.join(folder, "games.db")
        if not isinstance(store, Store):
            store = stack.enter_context(Store(os.fspath(store)))
        begun = store.begin(experiment)
        play_run(
            store, begun, jobs=jobs, cluster=cluster, watch=watch, until_clear=until_clear, seconds=seconds
        )
        return summarise(store, begun)


def play_run(
    store: Store,
    run: Run,
    *,
    jobs: int = 1,
    cluster: str | None = None,
    watch: Callable[[RunProgress], None] | None = None,
    until_clear: float | None = None,
    pool: Pool | None = None,
    seconds: float | None = None,
) -> SequentialTest | None:
    """Plays the missing games of `run`; other processes may do the same at the same time.

    pool: play there, and leave it open, instead of on a pool of `jobs` processes or on the `cluster`.

    seconds: begin no game after this time. Games that have begun are finished: dropping them would favour short games.

    until_clear: with two players, stop once it is clear, at this significance level, which is better; returns the test.
    Whatever ends it, the games stored are whole and the others can be played later. Raises StoreError if a player
    does not mean what it meant when the run was begun.
    """
    if not isinstance(pool, OneThreadPool) if pool is not None else jobs > 1 or cluster is not None:
        _refuse_objects(run)
    store.check_fingerprints(run)
    test = _Test(store, run, until_clear) if until_clear is not None else None
    if test is not None and test.look():
        return test.test
    with contextlib.ExitStack() as stack:
        session = store.start_session()
        stack.callback(_quietly, store.end_session, session)
        stack.enter_context(_heartbeat(store, session))
        if pool is None:
            pool = make_pool(jobs, cluster)
            stack.callback(pool.close)
        _Driver(store, run, pool, session, watch, test, seconds).work()
    return test.test if test is not None else None


def _refuse_objects(run: Run) -> None:
    """Raises InvalidParameter if another process could not make one of the players from its text."""
    for each in run.entrants:
        if PLAYERS.names_object(each.player):
            raise InvalidParameter(
                f"{quote(each.player)} is an object of this process only: give its text, or a name "
                f"to import it by, such as file.py:Name; or play in one process"
            )


class _Driver:
    def __init__(
        self,
        store: Store,
        run: Run,
        pool: Pool,
        session: int,
        watch: Callable[[RunProgress], None] | None,
        test: _Test | None,
        seconds: float | None,
    ) -> None:
        self.store, self.run, self.pool, self.session = store, run, pool, session
        self.watch, self.test = watch, test
        self.out = 0  # tasks that are being played
        self.done = sum(store.done(run).values())
        self.here = 0
        self.begin = time.monotonic()
        self.end = None if seconds is None else self.begin + seconds
        # Against the clock no task waits in the pool, since it would have to be played after the end.
        self.slots = pool.slots if seconds is None else max(1, pool.slots // 2)

    def work(self) -> None:
        """Rounds over the unfinished chunks: what others hold in one is looked at again in the next."""
        self._show()
        while True:
            self.store.reap(self.session)
            chunks = self.store.unfinished(self.run)
            if not chunks or self._over() or self._play(iter(chunks)):
                return
            if not self.here and self.out == 0:
                time.sleep(0.3)  # all is held by others
            self.done = sum(self.store.done(self.run).values())
            self._show()
            if self.test is not None and self.test.look():
                return

    def _play(self, chunks: Iterator[Chunk]) -> bool:
        """Plays those chunks that are free; True if a test says that it is enough."""
        before = self.here
        more = True
        while True:
            while more and self.out < self.slots and not self._over():
                more = self._submit_next(chunks)
            if not self.out:
                break
            if self._store_next() and self.test is not None and self.test.look():
                return True
        if self.here == before and not self._over():
            time.sleep(0.3)  # others hold the rest: wait for them, or for their end
        return False

    def _over(self) -> bool:
        return self.end is not None and time.monotonic() >= self.end

    def _submit_next(self, chunks: Iterator[Chunk]) -> bool:
        for chunk in chunks:
            task = self.store.claim(self.run, chunk, self.session)
            if task is not None:
                self.pool.submit(task)
                self.out += 1
                return True
        return False

    def _store_next(self) -> bool:
        try:
            chunk, answer = self.pool.answers.get(timeout=0.2)
        except queue.Empty:
            self._show()
            return False
        self.out -= 1
        if isinstance(answer, BaseException):
            raise as_refusal(answer)
        self.store.finish(chunk, answer, self.session)
        count = len(answer["game"])
        self.done += count
        self.here += count
        self._show()
        return True

    def _show(self) -> None:
        if self.watch is not None:
            self.watch(RunProgress(self.done, self.run.games, self.here, time.monotonic() - self.begin))


class _Test:
    """The sequential test of a run with two players, over the games before the first one that either lacks."""

    def __init__(self, store: Store, run: Run, alpha: float) -> None:
        if len(run.entrants) != 2:
            raise InvalidParameter("--until-clear compares two players: give --players twice")
        self._store, self._run = store, run
        self.test = SequentialTest(alpha)
        self._seen = 0

    def look(self) -> bool:
        """Adds the pairs that are new; True if the test is over."""
        found = [self._store.scores_from(each, self._seen) for each in self._run.entrants]
        for a, b in zip(*found, strict=False):
            self._seen += 1
            if self.test.add(a, b) is not None:
                return True
        return False


@contextlib.contextmanager
def _heartbeat(store: Store, session: int) -> Iterator[None]:
    """Signs of life while the block lasts."""
    over = threading.Event()

    def beat() -> None:
        while not over.wait(LEASE / 6):
            with contextlib.suppress(
                TwofoldError
            ):  # what is wrong with the store shows where games are stored
                store.beat(session)

    thread = threading.Thread(target=beat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()


def _quietly(end: Callable[[int], None], session: int) -> None:
    # A claim that can't be given up is taken over by others: nothing to add to the error that brought us here.
    with contextlib.suppress(TwofoldError):
        end(session)
