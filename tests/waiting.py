"""Waiting for what comes sooner or later, instead of for a fixed time."""

from __future__ import annotations

import time
from collections.abc import Callable


def wait_for(condition: Callable[[], object], seconds: float = 300.0) -> None:
    """Return once the condition holds; fails at a deadline that no test which is right comes near."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"waited {seconds} s in vain"
        time.sleep(0.01)
