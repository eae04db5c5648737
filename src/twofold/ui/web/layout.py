"""What all pages have in common: head, buttons, refusals, work beside the event loop, and its end with the client."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import wraps
from html import escape
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from nicegui import Client, context, ui

from twofold.errors import InvalidLimit, TwofoldError
from twofold.rules.cells import MAX_RANK
from twofold.rules.palette import colours, safe_colours
from twofold.threads import in_thread, interrupted_by
from twofold.ui.shared.session import Cancelled
from twofold.ui.web.limits import LIMITS, MEMORY

T = TypeVar("T")

PAGES = (
    ("/", "Play"),
    ("/watch", "Watch"),
    ("/analyse", "Analyse"),
    ("/review", "Review"),
    ("/experiments", "Experiments"),
    ("/rooms", "Art"),
)
_HERE = Path(__file__).parent
_HEAD = (_HERE / "head.html").read_text(encoding="utf-8")


def tiles_css() -> str:
    """The colours of all tiles, and those for people who see few colours."""
    lines = []
    for start, palette in (("", colours), (":root[data-palette=safe] ", safe_colours)):
        for rank in range(1, MAX_RANK + 1):
            pair = palette(rank)
            lines.append(f"{start}.t{rank}{{background:{pair.background_hex};color:{pair.text_hex}}}")
    return "\n".join(lines)


def style_css() -> str:
    """The style sheet of all pages."""
    return (_HERE / "style.css").read_text(encoding="utf-8")


def page_head(current: str, title: str = "") -> None:
    """Head, navigation and the name of the tab, by which its history is told apart: that of the page unless given.

    Head and navigation are plain HTML, so that they are painted before any script has run.
    """
    ui.add_body_html(_head_html(current))
    ui.page_title(f"{title or dict(PAGES)[current]} – twofold")


def _head_html(current: str) -> str:
    links = "".join(
        f'<a href="{path}"{" aria-current=page" if path == current else ""}>{escape(name)}</a>'
        for path, name in PAGES
    )
    return _HEAD.replace("NAVIGATION", links)


def missing_page(style: str) -> str:
    """What is shown for an address that leads nowhere: the way to all pages. style: the path of the style sheet."""
    return (
        '<!doctype html><html lang="en-US"><head><meta charset="utf-8"><title>No such page – twofold</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<link rel="stylesheet" href="{style}"><style>body {{ margin: 0 }}</style></head><body>{_head_html("")}'
        '<main id="app" class="nicegui-content"><h1>There is no such page</h1>'
        '<p><a href="/">Play a game</a>, or choose a page above.</p></main></body></html>'
    )


def button(text: str, handler: Callable[..., Any], *, primary: bool = False) -> ui.element:
    """A button."""
    made = ui.element("button").classes("tf-button" + (" primary" if primary else ""))
    made._text = text
    made.props["type"] = "button"
    made.on("click", handler, args=[])
    return made


def paragraph(text: str, classes: str = "", tag: str = "p") -> ui.element:
    """A line of text."""
    made = ui.element(tag).classes(classes)
    made._text = text
    return made


def set_text(element: ui.element, text: str) -> None:
    """Another text for a paragraph or a button."""
    if element._text != text:
        element._text = text
        element.update()


# Refusals

_REFUSED: WeakKeyDictionary[Client, ui.notification] = WeakKeyDictionary()


def told(handler: Callable[..., Any]) -> Callable[..., Awaitable[None]]:
    """Turns a refusal of a handler into one line on the page; anything else goes to the server's log alone."""

    @wraps(handler)
    async def guarded(*args: Any, **kwargs: Any) -> None:
        try:
            result = handler(*args, **kwargs)
            if asyncio.iscoroutine(result):
                await result
        except Cancelled:
            return  # the client has left
        except TwofoldError as error:
            refuse(error)
        except MemoryError:
            refuse("the server is out of memory: try again in a moment")

    return guarded


def refuse(error: TwofoldError | str) -> None:
    """One line that says what was wrong, in place of the one before: several would hide the board."""
    before = _REFUSED.pop(context.client, None)
    if before is not None and not before.is_deleted:
        before.dismiss()
    _REFUSED[context.client] = ui.notification(
        str(error), type="warning", position="top", multi_line=True, timeout=6, close_button="Close"
    )


# Work beside the event loop

_searches = threading.BoundedSemaphore(LIMITS.searches)
_USUAL = 16 << 20


def step_back() -> None:
    """Lets the thread that answers go before this one, and before those that it begins (Linux).

    With 200 visitors beside five searches on two cores (`python -m benchmarks.reliability visitors`).
    """
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)


class Work:
    """What one client has going on. `gone` is true once it has left; whatever thinks for it is then called off."""

    def __init__(self) -> None:
        self._gone = threading.Event()
        self._ends: list[Callable[[], None]] = []
        self._running = 0
        context.client.on_delete(self.end)

    @property
    def gone(self) -> bool:
        """True once the client has left."""
        return self._gone.is_set()

    def at_end(self, end: Callable[[], None]) -> None:
        """Call `end` when the client leaves."""
        self._ends.append(end)

    def end(self) -> None:
        """Call everything off."""
        self._gone.set()
        for end in self._ends:
            end()

    async def run(
        self, function: Callable[[], T], *, memory: int = _USUAL, seconds: float = LIMITS.hint
    ) -> T:
        """Run `function` in a thread; memory, seconds: bytes and time that it may take.

        It ends at its next `threads.checkpoint` when the time is over, or when the client has left: `Cancelled`.
        Raises InvalidLimit if this client, or the server, has too much to do.
        """
        if self._running >= LIMITS.own:
            raise InvalidLimit("your other searches are still running: wait until one ends")
        if not _searches.acquire(blocking=False):
            raise InvalidLimit("the server is busy with other searches: try again in a moment")
        try:
            give_back = MEMORY.take(memory)
        except InvalidLimit:
            _searches.release()
            raise

        end = time.monotonic() + seconds

        def look() -> None:
            if self.gone:
                raise Cancelled("the visitor has left")
            if time.monotonic() > end:
                raise InvalidLimit(f"this took longer than {seconds:g} s and was stopped")

        def work() -> T:
            step_back()
            try:
                with interrupted_by(look):
                    return function()
            finally:
                give_back()
                _searches.release()

        self._running += 1
        try:
            found = await asyncio.wrap_future(in_thread(work))
        finally:
            self._running -= 1
        if self.gone:  # nobody is there to be shown anything
            raise Cancelled("the visitor has left")
        return found
