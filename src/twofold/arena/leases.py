"""Is the process that claimed games still there? A claim of a dead one is taken over."""

from __future__ import annotations

import os
import socket
import time
from dataclasses import dataclass
from pathlib import Path

LEASE = 120.0
"""Seconds without a sign of life after which a process on another machine counts as dead."""


@dataclass(frozen=True, slots=True)
class Owner:
    """A process by machine, number and start; numbers are given out again, so the start tells two apart."""

    host: str
    process: int
    process_start: str

    @classmethod
    def here(cls) -> Owner:
        """This process."""
        return cls(_host(), os.getpid(), _start_of(os.getpid()))

    def is_dead(self, beat: float) -> bool:
        """True if it can't come back: gone from this machine, or silent for long on another. `beat`: its last sign."""
        if beat <= 0:
            return True
        if self.host == _host() and os.name == "posix":
            return not _runs(self.process) or _start_of(self.process) != self.process_start
        return time.time() - beat > LEASE


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it runs, but is another user's
        return True
    return True


def _host() -> str:
    """The machine since it was started: after a restart, process numbers mean nothing."""
    boot = Path("/proc/sys/kernel/random/boot_id")
    try:
        return f"{socket.gethostname()} {boot.read_text('ascii').strip()}"
    except OSError:
        return socket.gethostname()


def _start_of(process: int) -> str:
    """When a process began, in the machine's own ticks; empty where the system does not tell."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text("utf-8", errors="replace")
        state, *fields = stat.rpartition(")")[2].split()
        return "dead" if state == "Z" else fields[18]
    except (OSError, IndexError):
        return ""
