"""Waiting for what comes sooner or later, and bounds of processor time: both hold on a busy machine."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator


def wait_for(condition: Callable[[], object], seconds: float = 300.0) -> None:
    """Return once the condition holds; fails at a deadline that no test which is right comes near."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"waited {seconds} s in vain"
        time.sleep(0.01)


@contextlib.contextmanager
def at_once(seconds: float = 5.0) -> Iterator[None]:
    """Fails where what is inside takes so much processor time: hundredths if it is right, else minutes."""
    begin = time.process_time()
    try:
        yield
    finally:
        assert time.process_time() - begin < seconds
