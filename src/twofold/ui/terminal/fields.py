"""Dialogs of one-line fields: texts, and choices that left and right step through."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

from textual import events
from textual.app import ComposeResult, RenderResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Input, Label, Static

from twofold.errors import TwofoldError
from twofold.notation import Parameter, read_value

T = TypeVar("T")


class Choice(Widget, can_focus=True):
    """One of several texts: left, right, space and a click step through them."""

    def __init__(self, options: Sequence[tuple[str, str]], value: str) -> None:
        """options: (value, what is shown); a `value` that is none of them is added."""
        super().__init__()
        if value not in dict(options):
            options = [*options, (value, value)]
        self._options = list(options)
        self._place = [key for key, _ in self._options].index(value)

    @property
    def value(self) -> str:
        """The value that is chosen."""
        return self._options[self._place][0]

    def step(self, by: int) -> None:
        """Choose another one."""
        self._place = (self._place + by) % len(self._options)
        self.refresh()

    def render(self) -> RenderResult:
        """The choice between arrows."""
        return f"‹ {self._options[self._place][1]} ›"

    def on_key(self, event: events.Key) -> None:
        """Steps by keys."""
        if event.key in ("left", "right", "space"):
            self.step(-1 if event.key == "left" else 1)
            event.stop()

    def on_click(self) -> None:
        """Steps by the mouse."""
        self.step(1)


def text_field(value: str, placeholder: str = "") -> Input:
    """A text field of one line."""
    return Input(value, placeholder=placeholder, select_on_focus=False)


def number(name: str, text: str, lowest: float, highest: float, kind: type = float) -> float | None:
    """A number that was typed, None for nothing. Raises InvalidParameter."""
    if not text.strip():
        return None
    found = read_value(text.strip(), Parameter(name, kind, minimum=lowest, maximum=highest))
    assert isinstance(found, int | float)
    return found


def whole(name: str, text: str, lowest: int, highest: int) -> int | None:
    """A whole number that was typed, None for nothing. Raises InvalidParameter."""
    found = number(name, text, lowest, highest, int)
    return None if found is None else int(found)


class Form(ModalScreen[T | None], Generic[T]):
    """A dialog: Enter accepts it, Escape leaves it. A refusal is shown in it and nothing that was typed is lost."""

    BINDINGS = [  # noqa: RUF012 (textual's way to declare them)
        Binding("escape", "leave", show=False),
        Binding("enter", "accept", show=False),
        Binding("down", "app.focus_next", show=False),
        Binding("up", "app.focus_previous", show=False),
    ]
    TITLE = ""

    def rows(self) -> list[tuple[str, Widget]]:
        """The labels and fields."""
        raise NotImplementedError

    def result(self) -> T:
        """What was filled in. Raises what a refusal says."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        """Title, fields, and what is wrong with them."""
        with VerticalScroll(classes="dialog", can_focus=False):
            yield Label(self.TITLE or "", classes="title")
            for label, field in self.rows():
                with Horizontal(classes="row"):
                    yield Label(label, classes="name")
                    yield field
            yield from self.below()
            yield Static("", classes="refusal", markup=False)
            yield Static(
                "enter start   escape cancel   tab, up, down move   left, right choose", classes="help"
            )

    def below(self) -> ComposeResult:
        """What stands below the fields."""
        return ()

    def action_accept(self) -> None:
        """Closes the dialog with its result, or says why not."""
        try:
            found = self.result()
        except TwofoldError as error:
            told = self.query_one(".refusal", Static)
            told.update(str(error))
            told.scroll_visible(animate=False)
            return
        self.dismiss(found)

    def on_input_submitted(self) -> None:
        """Enter in a text field."""
        self.action_accept()

    def action_leave(self) -> None:
        """Closes the dialog without a result."""
        self.dismiss(None)
