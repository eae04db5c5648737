"""How long this process has compiled so far, so that nobody takes it for thinking.

Numba compiles, or fetches from disk, at the first call of a kernel, in the middle of whatever is measured. It holds
one lock meanwhile and tells when; `compiling.py` has it tell `WATCH`. Nothing here needs numba, so a clock can be
read before it is loaded.
"""

from __future__ import annotations

import threading
import time


class CompileWatch:
    """The time that threads have spent compiling, or waiting for a thread that compiles, counted once for all."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._active = 0
        self._begin = 0.0
        self._total = 0.0

    def __enter__(self) -> None:
        """A thread starts compiling (or filling tables), or waiting for it."""
        with self._lock:
            if not self._active:
                self._begin = time.perf_counter()
            self._active += 1

    def __exit__(self, *_: object) -> None:
        """It goes on."""
        with self._lock:
            self._active -= 1
            if not self._active:
                self._total += time.perf_counter() - self._begin

    @property
    def seconds(self) -> float:
        """Seconds so far."""
        with self._lock:
            return self._total + self._current()

    @property
    def current(self) -> float:
        """Seconds since the compiling that is going on began; 0 if none is."""
        with self._lock:
            return self._current()

    def _current(self) -> float:
        return time.perf_counter() - self._begin if self._active else 0.0


WATCH = CompileWatch()
"""The one of this process."""


class Stopwatch:
    """Seconds since it was made, without those spent compiling."""

    def __init__(self) -> None:
        self._compiled = WATCH.seconds
        self._begin = time.perf_counter()

    @property
    def seconds(self) -> float:
        """Seconds so far, at least 0."""
        return max(0.0, time.perf_counter() - self._begin - (WATCH.seconds - self._compiled))
