"""What was found, and work in a process of its own."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable

Found = tuple[str, int]
"""A line of what was tried and found, and how many faults there are."""


def told_of(tried: str, faults: Counter[str]) -> Found:
    """One line of what was tried and found, and how many faults there are."""
    for fault, times in list(faults.items())[:10]:
        print(f"  {times} x {fault[:300]}", file=sys.stderr)
    return f"{tried}: {sum(faults.values())} faults", sum(faults.values())


def command(line: list[str]) -> tuple[int, str]:
    """Exit code of a command that runs here, -1 if anything but an exit comes out of it; and what it told as errors."""
    from twofold.ui.cli.app import run
    from twofold.ui.cli.output import guarded

    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            return guarded(lambda: run(line)), err.getvalue()
        except SystemExit as stop:
            return stop.code if isinstance(stop.code, int) else 1, err.getvalue()
        except BaseException as error:
            return -1, f"{type(error).__name__}: {error}"


def in_child(work: Callable[[], int], seconds: float | None = None, number: int = signal.SIGKILL) -> int:
    """The exit code of work in a process of its own, a copy of this one with all its compiled code.

    After so many seconds it gets a signal; one that does not end by it in half a minute is killed. Of a process that
    was killed the code is -9.
    """
    child = os.fork()
    if not child:
        code = 98
        with contextlib.suppress(BaseException):
            code = work()
        os._exit(code)
    end = None if seconds is None else time.monotonic() + seconds
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        if end is not None and time.monotonic() > end:
            os.kill(child, number)
            end, number = time.monotonic() + 30, signal.SIGKILL
        time.sleep(0.002)
