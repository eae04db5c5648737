"""What is seen: a board with its panel, a board to edit, a chart. All of them fill the room they are given."""

from __future__ import annotations

import os
from collections.abc import Sequence

from rich.console import Group
from rich.text import Text
from textual import events
from textual.app import ComposeResult, RenderResult
from textual.containers import Horizontal
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Label, Sparkline

from twofold.errors import TwofoldError
from twofold.rules.board import Board
from twofold.ui.shared.editing import edited
from twofold.ui.shared.frame import FrameLayout, Look, Panel, board_lines, choose_layout, compose
from twofold.ui.shared.keys import MOVE_KEYS, WATCH_ACTIONS, Action

POINTS = 400
"""Points of a chart at most; there are no wider terminals."""


def window_look() -> Look:
    """textual draws with colours and Unicode, but it respects NO_COLOR."""
    return Look(colour="NO_COLOR" not in os.environ, unicode=True)


def key_name(event: events.Key) -> str:
    """The key as `ui/shared/keys.py` calls it: an arrow by its name, a letter as the letter in lower case."""
    return event.character.lower() if event.character and event.is_printable else event.key


class Picture(Widget, can_focus=True):
    """Lines that are made for the size of the widget, each time it is drawn."""

    def __init__(self) -> None:
        super().__init__()
        self.look = window_look()

    def lines(self, width: int, height: int) -> list[Text]:
        """At most `height` lines."""
        raise NotImplementedError

    def render(self) -> RenderResult:
        """The lines, cut at the right edge."""
        width, height = self.size
        if not (width and height):
            return ""
        lines = self.lines(width, height)
        for line in lines:
            line.no_wrap = True
            line.truncate(width, overflow="ellipsis")
        return Group(*lines)


class GameView(Picture):
    """A board and its panel, beside it or below."""

    def __init__(self) -> None:
        super().__init__()
        self.board = Board.empty(4, 4)
        self._panel = Panel([], [])

    def show(self, board: Board, panel: Panel) -> None:
        """Show another board."""
        self.board, self._panel = board, panel
        self.refresh()

    def lines(self, width: int, height: int) -> list[Text]:
        """Board and panel."""
        return compose(self.board, self._panel, self.look, width, height)


class BoardEditor(Picture):
    """A board with a cursor: arrows move it, digits, x, ., + and - change the cell, as the mouse does."""

    class Changed(Message):
        """The board was edited; refusal: why it was not, else empty."""

        def __init__(self, refusal: str) -> None:
            super().__init__()
            self.refusal = refusal

    def __init__(self, board: Board) -> None:
        super().__init__()
        self.board = board
        self.cursor = (0, 0)
        self._typed = ""

    def show(self, board: Board) -> None:
        """Show another board."""
        self.board = board
        self.move_to(min(self.cursor[0], board.rows - 1), min(self.cursor[1], board.columns - 1))

    def move_to(self, row: int, column: int) -> None:
        """Put the cursor on a cell; begins another number."""
        self.cursor = (row, column)
        self._typed = ""
        self.refresh()

    def layout_now(self, width: int, height: int) -> FrameLayout:
        """The layout of the board in `width` × `height` characters."""
        return choose_layout(self.board, self.look, width, height, beside_height=0, below_height=0)

    def lines(self, width: int, height: int) -> list[Text]:
        """The board, the cell under the cursor inverted."""
        layout = self.layout_now(width, height)
        lines = board_lines(self.board, layout, self.look)
        row, column = self.cursor
        if row < layout.rows and column < layout.columns:
            top, left = layout.corner(row, column)
            for line in lines[top : top + layout.height]:
                line.stylize("reverse" if self.has_focus else "underline", left, left + layout.width)
        return lines[:height]

    def on_focus(self) -> None:
        """The cursor looks different."""
        self.refresh()

    def on_blur(self) -> None:
        """The cursor looks different."""
        self.refresh()

    def on_key(self, event: events.Key) -> None:
        """Moves the cursor or changes the cell; other keys are left to the room."""
        key = key_name(event)
        change = _CHANGES.get(key) or _SIGNS.get(WATCH_ACTIONS.get(key, Action.QUIT))
        if key.isascii() and key.isdigit():
            self._type(key)
        elif change is not None:
            self._typed = ""
            self._change(change)
        elif key in MOVE_KEYS and key not in "wasd":
            row, column = self.cursor
            down, right = _STEPS[MOVE_KEYS[key].name]
            self.move_to((row + down) % self.board.rows, (column + right) % self.board.columns)
        else:
            return
        event.stop()

    def on_click(self, event: events.Click) -> None:
        """The first click on a cell goes there; more of them raise its tile, or with shift lower it."""
        layout = self.layout_now(*self.size)
        cell = layout.cell_at(event.y, event.x)
        if cell is None:
            return
        if cell != self.cursor:
            self.move_to(*cell)
        else:
            self._change("lower" if event.shift else "raise")

    def _type(self, digit: str) -> None:
        self._typed += digit
        self._change("value", self._typed)

    def _change(self, what: str, value: str = "") -> None:
        row, column = self.cursor
        cell, refusal = row * self.board.columns + column, ""
        try:
            self.board = edited(self.board, {"cell": cell, "change": what, "value": value})
        except TwofoldError as error:
            refusal = str(error)
        self.refresh()
        self.post_message(self.Changed(refusal))


_CHANGES = {"x": "brick", ".": "clear", "delete": "clear", "backspace": "clear"}
_SIGNS = {Action.FASTER: "raise", Action.SLOWER: "lower"}  # + and = and -
_STEPS = {"UP": (-1, 0), "DOWN": (1, 0), "LEFT": (0, -1), "RIGHT": (0, 1)}


class Chart(Horizontal):
    """A sparkline with its name and the last value at the left."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._title = name
        self._label = Label(name)
        self.line = Sparkline([])

    def compose(self) -> ComposeResult:
        """The label and the line."""
        yield self._label
        yield self.line

    def show(self, values: Sequence[float], last: str) -> None:
        """Draw other values; last: the text of the last one."""
        self.line.data = list(values[:: max(1, len(values) // POINTS)])
        self._label.update(f"{self._title}\n{last}" if self.size.height > 1 else f"{self._title} {last}")
