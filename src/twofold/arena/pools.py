"""Where tasks are played: in a thread of this process, in processes on its cores (loky), or on a Dask cluster.

All have the same face: `submit` a task, and its answer turns up in the queue `answers`. Only the process that submits
talks to the database, so workers need nothing but twofold.
"""

from __future__ import annotations

import os
import queue
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from twofold.arena.experiment import Chunk, Columns, Task
from twofold.arena.match import play_task
from twofold.errors import InvalidParameter, StoreError, TwofoldError, quote

Answer = tuple[Chunk, Columns | BaseException]


class Pool(Protocol):
    """The face of all pools."""

    slots: int
    """Tasks that are worth submitting at a time."""
    answers: queue.SimpleQueue[Answer]

    def submit(self, task: Task) -> None:
        """Have a task played."""

    def close(self) -> None:
        """End at once; what is being played is dropped."""


def make_pool(jobs: int, cluster: str | None) -> Pool:
    """The pool for `jobs` processes on this machine, or for the Dask scheduler at `cluster`."""
    if cluster is not None:
        return DaskPool(cluster)
    if jobs < 1:
        raise InvalidParameter(f"--jobs {jobs} must be at least 1")
    return OneThreadPool() if jobs == 1 else ProcessPool(jobs)


class OneThreadPool:
    """One game after another in a thread of this process, which meanwhile stores the games before."""

    slots = 2

    def __init__(self) -> None:
        self.answers: queue.SimpleQueue[Answer] = queue.SimpleQueue()
        self._tasks: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
        self._over = False
        # A daemon: Ctrl-C ends the program although a move is being thought about.
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None and not self._over:
            try:
                self.answers.put((task.chunk, play_task(task)))
            except BaseException as error:  # told by the thread that waits for the answer
                self.answers.put((task.chunk, error))

    def submit(self, task: Task) -> None:
        """See `Pool`."""
        self._tasks.put(task)

    def close(self) -> None:
        """See `Pool`."""
        self._over = True
        self._tasks.put(None)


def _watch_parent() -> None:
    """In a worker: end when the process that hands out tasks has been killed, not minutes later."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    if os.name == "posix":
        threading.Thread(target=watch, daemon=True).start()


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Processes started within don't hear Ctrl-C, which a terminal sends to all: this one hears it and ends them.

    A signal that comes meanwhile is kept for the end of the block, so none is lost.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class ProcessPool:
    """Processes of this machine, or of another `executor` with the methods of loky's."""

    def __init__(self, jobs: int, executor: Any = None) -> None:
        # loky (the pool of joblib) starts workers afresh, so no thread or lock of this process is copied into them,
        # and notices when one is killed.
        from loky import ProcessPoolExecutor

        self.slots = 2 * jobs
        self.answers: queue.SimpleQueue[Answer] = queue.SimpleQueue()
        self._pool = executor or ProcessPoolExecutor(jobs, initializer=_watch_parent, timeout=None)

    def submit(self, task: Task) -> None:
        """See `Pool`."""
        with _interrupts_blocked():  # the first tasks start the workers
            _forward(self._pool.submit(play_task, task), task.chunk, self.answers)

    def close(self) -> None:
        """See `Pool`."""
        self._pool.shutdown(wait=True, kill_workers=True)


class DaskPool:
    """The workers of a Dask cluster; a task whose worker dies is given to another one by the scheduler."""

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise InvalidParameter("--cluster needs Dask: pip install 'twofold[cluster]'") from None
        try:
            self._client: Any = Client(address, timeout=10, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            raise InvalidParameter(
                f"no Dask scheduler at {quote(address)} ({type(error).__name__}): write tcp://HOST:PORT"
            ) from None
        self.answers: queue.SimpleQueue[Answer] = queue.SimpleQueue()
        self._kept: dict[Chunk, Any] = {}  # Dask forgets a task whose future is gone
        self.slots = 2 * max(1, sum(self._client.nthreads().values()))

    def submit(self, task: Task) -> None:
        """See `Pool`."""
        future = self._client.submit(play_task, task, pure=False, retries=2)
        self._kept[task.chunk] = future
        future.add_done_callback(lambda done: self._answer(done, task.chunk))

    def _answer(self, future: Any, chunk: Chunk) -> None:
        self._kept.pop(chunk, None)
        try:
            self.answers.put((chunk, future.result()))
        except BaseException as error:  # told by the thread that waits for the answer
            self.answers.put((chunk, error))

    def close(self) -> None:
        """See `Pool`."""
        self._client.cancel(list(self._kept.values()))
        self._client.close()


def _forward(future: Any, chunk: Chunk, answers: queue.SimpleQueue[Answer]) -> None:
    def put(done: Any) -> None:
        if done.cancelled():
            return
        error = done.exception()
        answers.put((chunk, error if error is not None else done.result()))

    future.add_done_callback(put)


def as_refusal(error: BaseException) -> BaseException:
    """What went wrong in a worker, as an error of one line."""
    if isinstance(error, TwofoldError | KeyboardInterrupt):
        return error
    if type(error).__name__ in ("TerminatedWorkerError", "BrokenProcessPool", "KilledWorker"):
        return StoreError(
            "a worker process was killed, perhaps for lack of memory; the stored games are safe: continue with "
            "'twofold arena resume' and fewer --jobs"
        )
    return error
