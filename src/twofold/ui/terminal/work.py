"""Searches beside the window: one at a time for each room, called off when it is left."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, TypeVar

from textual.widget import Widget

from twofold.errors import TwofoldError
from twofold.threads import in_thread
from twofold.ui.shared.session import Cancelled

T = TypeVar("T")
IsCancelled = Callable[[], bool]


class Work:
    """The work of one widget. Its threads are daemons, not textual's: those are waited for when the window closes."""

    def __init__(self, owner: Widget) -> None:
        self._owner = owner
        self._cancelled = threading.Event()
        self._running = 0
        self._number = 0

    @property
    def busy(self) -> bool:
        """True while something is under way."""
        return self._running != 0

    def cancel(self) -> None:
        """Calls off what is under way: nothing of it arrives any more."""
        self._cancelled.set()
        self._running = 0

    def start(
        self,
        job: Callable[[IsCancelled], Iterator[T]],
        found: Callable[[T], None],
        failed: Callable[[str], None],
        ended: Callable[[], None] = lambda: None,
    ) -> None:
        """Runs `job` in a thread; what it yields is handed to `found`, as an event of the window.

        What was under way is called off. failed: gets a refusal as one line; ended: called after the last result, and
        not after a refusal.
        """
        self.cancel()
        self._cancelled = cancelled = threading.Event()
        self._number += 1
        self._running = number = self._number

        def arrive(call: Callable[..., None], *arguments: Any, last: bool = False) -> None:
            if self._running != number:
                return
            if last:
                self._running = 0
            call(*arguments)

        def send(call: Callable[..., None], *arguments: Any, last: bool = False) -> None:
            with suppress(RuntimeError):  # the window has closed
                self._owner.call_later(arrive, call, *arguments, last=last)

        def run() -> None:
            try:
                for result in job(cancelled.is_set):
                    send(found, result)
                send(ended, last=True)
            except Cancelled:
                pass
            except TwofoldError as error:
                send(failed, str(error), last=True)
            except Exception as error:  # a fault in a player must not leave the room waiting
                send(failed, f"that failed: {type(error).__name__}", last=True)

        in_thread(run)
