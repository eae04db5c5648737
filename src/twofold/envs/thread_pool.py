"""Threads that step parts of a batch, kept between steps: starting one anew would cost more than the step."""

from __future__ import annotations

import itertools
import os
import threading
import weakref
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

Kernel = Callable[[Any, int, int], int]


class ThreadPool:
    """Runs `kernel(address, begin, end)` over 0..count-1, split among `threads` threads, the caller's being one.

    least: what a thread must have to do to be worth waking; where there is less, fewer threads share it.
    The kernel must release the GIL and may not raise. The threads end with `close`, or when the pool is forgotten.
    """

    def __init__(self, kernel: Kernel, address: Any, count: int, threads: int, least: int) -> None:
        self._kernel, self._address = kernel, address
        parts = max(1, min(threads, count // least))
        edges = [count * part // parts for part in range(parts + 1)]
        self._own = (edges[0], edges[1])
        self._rest = list(itertools.pairwise(edges[1:]))
        self._orders: list[SimpleQueue[bool]] = []
        self._answers: SimpleQueue[int] = SimpleQueue()
        self._pid = 0
        self._closer: weakref.finalize[Any, ThreadPool] | None = None

    def run(self) -> int:
        """Every part once; the sum of what the kernel answers."""
        if not self._rest:
            return int(self._kernel(self._address, *self._own))
        if self._pid != os.getpid():  # threads don't survive a fork
            self._begin()
        for order in self._orders:
            order.put(True)
        total, waiting = 0, len(self._orders)
        try:
            total = int(self._kernel(self._address, *self._own))
            while waiting:
                total += self._answers.get()
                waiting -= 1
        finally:
            while waiting:  # Ctrl-C came: what was ordered must be done before anything else is
                self._answers.get()
                waiting -= 1
        return total

    def close(self) -> None:
        """Let the threads go; the next `run` would begin new ones."""
        if self._closer is not None:
            self._closer()
        self._pid = 0

    def _begin(self) -> None:
        self._pid = os.getpid()
        self._orders = [SimpleQueue() for _ in self._rest]
        self._answers = SimpleQueue()
        for order, part in zip(self._orders, self._rest, strict=True):
            arguments = (order, self._answers, self._kernel, self._address, part)
            threading.Thread(target=_work, args=arguments, daemon=True, name="twofold-step").start()
        self._closer = weakref.finalize(self, _end, self._orders)


def _work(
    order: SimpleQueue[bool], answers: SimpleQueue[int], kernel: Kernel, address: Any, part: tuple[int, int]
) -> None:
    while order.get():
        answers.put(int(kernel(address, *part)))


def _end(orders: list[SimpleQueue[bool]]) -> None:
    for order in orders:
        order.put(False)
