"""Single keys from a terminal, on Unix and Windows, and the letters that mean something in a game.

Letters are S4's (user manual, section 14.4): w a s d, u undo, r redo, x restart, q quit. Arrows and vi's h j k l
move too; p and t change where new tiles appear and which. Upper case is the same key, so the caps lock does no harm.
The terminal is always restored.
"""

from __future__ import annotations

import os
import select
import sys
import time
from enum import Enum
from types import TracebackType
from typing import Any, Self

from twofold.rules.direction import Direction


class Action(Enum):
    """What a key asks for, other than a move."""

    UNDO = "undo"
    REDO = "redo"
    RESTART = "restart"
    PLACE = "place"
    VALUE = "value"
    QUIT = "quit"
    PAUSE = "pause"
    STEP = "step"
    FASTER = "faster"
    SLOWER = "slower"


END = "end"
"""The key that a closed input gives."""

MOVE_KEYS: dict[str, Direction] = {
    "w": Direction.UP,
    "a": Direction.LEFT,
    "s": Direction.DOWN,
    "d": Direction.RIGHT,
    "k": Direction.UP,
    "h": Direction.LEFT,
    "j": Direction.DOWN,
    "l": Direction.RIGHT,
    "up": Direction.UP,
    "left": Direction.LEFT,
    "down": Direction.DOWN,
    "right": Direction.RIGHT,
}
"""Keys that move."""

GAME_ACTIONS: dict[str, Action] = {
    "u": Action.UNDO,
    "r": Action.REDO,
    "x": Action.RESTART,
    "p": Action.PLACE,
    "t": Action.VALUE,
    "q": Action.QUIT,
    "\x04": Action.QUIT,
    END: Action.QUIT,
}
"""Keys in a game that one plays."""

WATCH_ACTIONS: dict[str, Action] = {
    "q": Action.QUIT,
    " ": Action.PAUSE,
    "n": Action.STEP,
    "+": Action.FASTER,
    "=": Action.FASTER,
    "-": Action.SLOWER,
}
"""Keys in a game that one watches."""

_ARROWS = {"A": "up", "B": "down", "C": "right", "D": "left"}
_WINDOWS_ARROWS = {"H": "up", "P": "down", "M": "right", "K": "left"}


class Decoder:
    """Turns characters into keys: arrows come as escape sequences (``ESC [ A``, or ``ESC O A``)."""

    def __init__(self) -> None:
        self._pending = ""

    def feed(self, text: str) -> list[str]:
        """The keys that are complete with `text`: ``up``, ``down``, ``left``, ``right`` or one lower-case character.

        Other escape sequences give nothing.
        """
        keys = []
        for character in text:
            self._pending += character
            if not self._pending.startswith("\x1b"):
                keys.append(character.lower())
            elif self._is_open():
                continue
            elif self._pending[1:2] in ("[", "O") and character in _ARROWS:
                keys.append(_ARROWS[character])
            self._pending = ""
        return keys

    def _is_open(self) -> bool:
        """True while an escape sequence waits for more: after ESC, ``[`` or ``O``, and for digits and ``;``."""
        rest = self._pending[1:]
        if len(rest) <= 1:
            return rest in ("", "[", "O")
        return len(rest) < 16 and (rest[-1].isdigit() or rest[-1] == ";")


class Keyboard:
    """A terminal in which each key counts at once, without echo, as a context manager.

    Ctrl-C keeps its meaning. Leaving the block, by whatever way, restores what was.
    """

    def __init__(self) -> None:
        self._decoder = Decoder()
        self._keys: list[str] = []
        self._saved: list[Any] | None = None
        self._stream = 0

    def __enter__(self) -> Self:
        if os.name != "nt":
            import termios
            import tty

            self._stream = sys.stdin.fileno()
            self._saved = termios.tcgetattr(self._stream)
            tty.setcbreak(self._stream)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._saved is not None:
            import termios

            termios.tcsetattr(self._stream, termios.TCSADRAIN, self._saved)
            self._saved = None

    def read(self, timeout: float | None = None) -> str | None:
        """The next key, `END` if the input is closed, or `None` after `timeout` seconds without one."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while not self._keys:
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            text = _read_windows(left) if os.name == "nt" else self._read_unix(left)
            if text is None:
                return None
            if text == "":
                return END
            self._keys = self._decoder.feed(text) if os.name != "nt" else [text]
        return self._keys.pop(0)

    def _read_unix(self, timeout: float | None) -> str | None:
        ready, _, _ = select.select([self._stream], [], [], timeout)
        if not ready:
            return None
        try:
            return os.read(self._stream, 1024).decode("utf-8", "replace")
        except OSError:  # the terminal has gone away
            return ""


def _read_windows(timeout: float | None) -> str | None:
    """One key of the Windows console, waited for in small steps so that Ctrl-C is heard."""
    import msvcrt

    console: Any = msvcrt
    deadline = None if timeout is None else time.monotonic() + timeout
    while not console.kbhit():
        if deadline is not None and time.monotonic() >= deadline:
            return None
        time.sleep(0.01)
    character = str(console.getwch())
    if character in ("\x00", "\xe0"):
        return _WINDOWS_ARROWS.get(str(console.getwch()), " ")
    if character == "\x03":
        raise KeyboardInterrupt
    return character.lower()
