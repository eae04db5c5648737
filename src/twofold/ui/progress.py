"""One line on standard error that tells how far long work has come."""

from __future__ import annotations

import sys
import time

from twofold.ui.output import is_live_terminal

PLAIN_SECONDS = 10.0
"""Between two lines where standard error is no terminal, as in the log of a run in the background."""


class ProgressLine:
    """Tells counted work: redrawn in place on a terminal, else a line now and then; a context manager.

    On a terminal nothing is shown of work that is done within half a second.
    """

    def __init__(self, unit: str, total: int | None = None, *, seconds: float = 0.0) -> None:
        """`unit` in the plural, such as `generations`; `total` of them are to be done.

        Without a total the work goes on until it succeeds, for `seconds` at most.
        """
        self._unit = unit
        self._total = total
        self._seconds = seconds
        self._live = is_live_terminal(sys.stderr)
        self._begin = time.monotonic()
        self._next = self._begin + (0.5 if self._live else PLAIN_SECONDS)
        self._shown = False

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(self, *_error: object) -> None:
        if self._shown and self._live:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def show(self, done: int) -> None:
        """So many are done."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + (0.2 if self._live else PLAIN_SECONDS)
        self._shown = True
        rate = done / max(now - self._begin, 1e-9)
        if self._total is None:
            left = max(0.0, self._begin + self._seconds - now)
            text = f"{done:,} {self._unit}, {rate:,.1f} a second, at most {left:,.0f} s left"
        else:
            left = (self._total - done) / rate if rate else 0.0
            text = f"{done:,} of {self._total:,} {self._unit}, {rate:,.1f} a second, about {left:,.0f} s left"
        sys.stderr.write(f"\r{text}\x1b[K" if self._live else f"{text}\n")
        sys.stderr.flush()
