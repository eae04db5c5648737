"""What the screens have in common: a line for what happened, a line of keys, work that ends when one leaves."""

from __future__ import annotations

from textual.containers import Vertical
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from twofold.records.record import Record
from twofold.rules.state import State
from twofold.ui.terminal.work import Work


class Room(Vertical):
    """A room of the window; shown one at a time."""

    class Analyse(Message):
        """A room asks to have a position analysed."""

        def __init__(self, state: State) -> None:
            super().__init__()
            self.state = state

    class TakeOver(Message):
        """A room asks to have a game played on by hand."""

        def __init__(self, record: Record) -> None:
            super().__init__()
            self.record = record

    class Review(Message):
        """A room asks to have its game reviewed."""

        def __init__(self, record: Record) -> None:
            super().__init__()
            self.record = record

    def __init__(self, name: str) -> None:
        super().__init__(id=name)
        self.work = Work(self)
        self._notice = Static("", classes="notice", markup=False)
        self._help = Static("", classes="help", markup=False)

    @property
    def heading(self) -> str:
        """What the top line of the window says about this room."""
        return ""

    def main(self) -> Widget:
        """The widget that the keys go to."""
        raise NotImplementedError

    def enter(self) -> None:
        """Called when the room is shown."""
        self.main().focus()

    def leave(self) -> None:
        """Called when another room is shown, and at the end: nothing goes on thinking."""
        self.work.cancel()

    def tell(self, notice: str) -> None:
        """One line about what happened, empty to take it away."""
        self._notice.update(notice)

    def tell_keys(self, text: str) -> None:
        """The line of keys."""
        self._help.update(text)

    def on_unmount(self) -> None:
        """The window closes."""
        self.leave()
