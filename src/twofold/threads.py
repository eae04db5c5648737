"""Work in a thread of its own, while its caller stays free to hear Ctrl-C, to keep a limit of time, or to draw.

Waiting goes in slices of time, so that Ctrl-C is heard on every system; and never by `Thread.join`, since a thread
whose join is interrupted counts as ended from then on (CPython issue 90882).
"""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, wait
from typing import Any, TypeVar

T = TypeVar("T")
Work = tuple[Callable[[int, int], Any], Callable[[], None]]

_SLICE = 0.05
_ASKED = threading.local()


@contextlib.contextmanager
def interrupted_by(look: Callable[[], None]) -> Iterator[None]:
    """Within the block `checkpoint`, in this thread and those that `in_thread` begins from it, calls `look`.

    look: raises what is to end the work.
    """
    before = getattr(_ASKED, "look", None)
    _ASKED.look = look
    try:
        yield
    finally:
        _ASKED.look = before


def checkpoint() -> None:
    """A place at which long work may be ended by whoever has it done; does nothing where nobody asked for it."""
    look = getattr(_ASKED, "look", None)
    if look is not None:
        look()


def in_thread(work: Callable[[], T]) -> Future[T]:
    """Begins `work` in a daemon thread; the future, which can't be cancelled, has what it returns or raises."""
    future: Future[T] = Future()
    look = getattr(_ASKED, "look", None)

    def run() -> None:
        _ASKED.look = look
        try:
            future.set_result(work())
        except BaseException as error:  # raised by whoever asks for the result
            future.set_exception(error)

    future.set_running_or_notify_cancel()  # or an await that is cancelled would cancel it, and `run` couldn't set it
    threading.Thread(target=run, daemon=True).start()
    return future


def has_ended(task: Future[T], seconds: float) -> bool:
    """Waits up to `seconds` for the end of a task; True once it has ended."""
    return bool(wait([task], seconds).done)


def results(tasks: Iterable[Future[T]], stop: Callable[[], None]) -> list[T]:
    """What all tasks return, when all have ended. Raises what the first that failed raised.

    Ctrl-C calls `stop`, which asks the tasks to end soon, waits for that and goes on.
    """
    tasks = list(tasks)
    try:
        while wait(tasks, _SLICE).not_done:
            pass
    except BaseException:
        stop()
        wait(tasks)
        raise
    return [task.result() for task in tasks]


def beside(work: Callable[[], T], stop: Callable[[], None]) -> T:
    """What `work` returns, done in a thread so that Ctrl-C reaches the caller, who then calls `stop`."""
    return results([in_thread(work)], stop)[0]


def spread(count: int, threads: int, most: int, make: Callable[[threading.Event], Work]) -> None:
    """Calls `work(begin, end)` for parts of 0..count-1 on some threads; `make` gives each thread its (work, stop).

    most: numbers in a part, at most. The event that `make` is given is set before `stop` is called: a work that starts
    a search, which forgets stops of earlier ones, looks at it then.
    """
    lock = threading.Lock()
    # One thread takes as many as it may: what is begun together is sooner done (kernels/games/greedy.py).
    part = max(1, min(most, count // (4 * threads) if threads > 1 else count))
    begun = 0
    over = threading.Event()
    workers = [make(over) for _ in range(min(threads, max(1, -(-count // part))))]

    def run(work: Callable[[int, int], Any]) -> None:
        nonlocal begun
        try:
            while not over.is_set():
                with lock:
                    begin, begun = begun, min(count, begun + part)
                if begin >= count:
                    return
                work(begin, min(count, begin + part))
        except BaseException:
            over.set()
            raise

    def stop_all() -> None:
        over.set()
        for _, stop in workers:
            stop()

    results([in_thread(functools.partial(run, work)) for work, _ in workers], stop_all)
