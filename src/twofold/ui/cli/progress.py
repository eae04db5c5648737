"""One line on standard error that tells how far long work has come."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from twofold.ui.cli.output import is_live_terminal

PLAIN_SECONDS = 1.0
"""Between two lines where standard error is not a terminal, as in the log of a run in the background."""


class StatusLine:
    """A line that is redrawn in place on a terminal, else written once a second; a context manager.

    On a terminal nothing is shown of work that is done within half a second.
    """

    def __init__(self, *, redrawn: bool = True) -> None:
        """`redrawn`: whether a terminal gets one line that changes; False where other lines come between."""
        self._live = redrawn and is_live_terminal(sys.stderr)
        self.began = time.monotonic()
        self._next = self.began + (0.5 if self._live else PLAIN_SECONDS)
        self._shown = False

    def __enter__(self) -> StatusLine:
        return self

    def __exit__(self, *_error: object) -> None:
        if self._shown and self._live:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def tell(self, text: Callable[[], str]) -> None:
        """Show what `text` says, if it is time for a line."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + (0.2 if self._live else PLAIN_SECONDS)
        self._shown = True
        sys.stderr.write(f"\r{text()}\x1b[K" if self._live else f"{text()}\n")
        sys.stderr.flush()


class ProgressLine(StatusLine):
    """The line of counted work."""

    def __init__(self, unit: str, total: int | None = None, *, seconds: float | None = None) -> None:
        """`unit` in the plural, such as `generations`; `total` of them are to be done.

        Without a total the work goes on until it succeeds: for `seconds` at most, if they are given.
        """
        super().__init__()
        self._unit = unit
        self._total = total
        self._seconds = seconds

    def __enter__(self) -> ProgressLine:
        return self

    def show(self, done: int) -> None:
        """So many are done."""
        self.tell(lambda: self._text(done, time.monotonic() - self.began))

    def _text(self, done: int, seconds: float) -> str:
        rate = done / max(seconds, 1e-9)
        if self._total is not None:
            left = (self._total - done) / rate if rate else 0.0
            return f"{done:,} of {self._total:,} {self._unit}, {rate:,.1f} a second, about {left:,.0f} s left"
        if self._seconds is not None:
            left = max(0.0, self._seconds - seconds)
            return f"{done:,} {self._unit}, {rate:,.1f} a second, at most {left:,.0f} s left"
        return f"{done:,} {self._unit}, {rate:,.1f} a second, time left unknown"
