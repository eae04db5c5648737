"""Many boards, one answer a line, in order, on all cores.

Threads suffice: compiled kernels release the interpreter lock. A reader thread hands out lines as they come and the
main thread prints answers as they are ready, so a program may also write one line, wait for its answer, and go on.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any

from twofold.cores import core_count
from twofold.errors import InvalidBoard, TwofoldError
from twofold.ui.cli.inputs import Line
from twofold.ui.cli.output import EXIT_REFUSED, flush, print_error, print_json, tell_compiling

Answer = dict[str, Any]
Answerer = Callable[[str, int], Answer]
"""Answers one line: its text and its place among the answers, counted from 0."""

AHEAD = 16
"""Lines read ahead per thread: enough to keep all busy, few enough to hold a stream of any length."""


def answer_lines(
    lines: Iterator[Line],
    make_answerer: Callable[[], Answerer],
    *,
    json: bool,
    show: Callable[[Answer], None],
    threads: int | None = None,
) -> int:
    """Prints one answer per line and gives the exit code: 2 if any line was refused, after answering the others.

    Each thread makes its own answerer, so a player need not be safe for threads. A refused line is answered by
    ``{"error": "line N: …"}``, and the first of them is also told on standard error.
    """
    count = threads or core_count()
    own = threading.local()

    def work(text: str, place: int) -> Answer:
        if not hasattr(own, "answer"):
            own.answer = make_answerer()
        answer: Answer = own.answer(text, place)
        return answer

    pool = ThreadPoolExecutor(count)
    pending: queue.Queue[tuple[Line, Future[Answer]] | BaseException | None] = queue.Queue(AHEAD * count)
    threading.Thread(target=_read, args=(lines, pool, work, pending), daemon=True).start()
    try:
        return _print_answers(pending, json=json, show=show)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _read(lines: Iterator[Line], pool: ThreadPoolExecutor, work: Answerer, pending: queue.Queue[Any]) -> None:
    try:
        for place, line in enumerate(lines):
            pending.put((line, pool.submit(work, line.text, place)))
    except BaseException as error:  # the printing thread raises it
        pending.put(error)
    else:
        pending.put(None)


def _print_answers(pending: queue.Queue[Any], *, json: bool, show: Callable[[Answer], None]) -> int:
    done = refused = 0
    first = ""
    while True:
        if pending.empty():
            flush()
        item = _next(pending)
        if item is None:
            break
        if isinstance(item, BaseException):
            raise item
        line, future = item
        done += 1
        try:
            answer = _result(future)
        except TwofoldError as error:
            refused += 1
            answer = {"error": f"line {line.number}: {error}"}
            first = first or answer["error"]
        if json:
            print_json(answer)
        elif "error" in answer:
            show({"error": answer["error"]})
        else:
            show(answer)
    if not done:
        raise InvalidBoard("there is no board to read: write one per line")
    if refused:
        print_error(first if refused == 1 else f"{first} (and {refused - 1} more line{'s' * (refused > 2)})")
    return EXIT_REFUSED if refused else 0


def _next(pending: queue.Queue[Any]) -> Any:
    # Waits in slices, so that Ctrl-C is heard on every system.
    while True:
        try:
            return pending.get(timeout=0.5)
        except queue.Empty:
            tell_compiling()


def _result(future: Future[Answer]) -> Answer:
    if not future.done():
        flush()
    while not wait([future], timeout=0.5).done:
        tell_compiling()
    return future.result()
