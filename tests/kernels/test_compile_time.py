"""Compiling is told apart from thinking."""

from __future__ import annotations

import threading
import time

import numpy as np

from twofold.kernels.compile_time import WATCH, CompileWatch, Stopwatch
from twofold.kernels.compiling import kernel


def test_time_in_the_watch_is_counted_once_for_all_threads() -> None:
    watch = CompileWatch()
    begun = threading.Barrier(3)

    def work() -> None:
        begun.wait()
        with watch:
            time.sleep(0.1)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    begin = time.perf_counter()
    begun.wait()
    for thread in threads:
        thread.join()
    passed = time.perf_counter() - begin
    assert watch.current == 0.0
    assert 0.1 <= watch.seconds <= passed + 1e-6  # counted for each thread it would be 0.2


def test_a_stopwatch_leaves_compiling_out() -> None:
    def grow(values):  # type: ignore[no-untyped-def]
        return values.sum()

    compiled = kernel(grow)
    before, begin, stopwatch = WATCH.seconds, time.perf_counter(), Stopwatch()
    compiled(np.zeros(9))
    thought = stopwatch.seconds
    passed, counted = time.perf_counter() - begin, WATCH.seconds - before
    assert counted > 0.5 * passed  # everything, but for the call itself
    assert 0.0 <= thought <= passed - counted + 1e-3
