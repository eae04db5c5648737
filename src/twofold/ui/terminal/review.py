"""The screen Review: a game judged move by move, of Play, of Watch, or of a file."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Input, Label

from twofold.coach.report import headline, signed, summary, told
from twofold.coach.reviewing import MoveReview, Review, review
from twofold.records.formats import read_record
from twofold.records.record import Record
from twofold.ui.shared.frame import PANEL_WIDTH, Panel, behind_texts, side_by_side, value_bars
from twofold.ui.shared.session import Cancelled
from twofold.ui.terminal.fields import text_field
from twofold.ui.terminal.room import Room
from twofold.ui.terminal.views import Chart, GameView, key_name
from twofold.ui.terminal.work import IsCancelled

HELP = "left right step  n next mistake  b play on  v analyse  tab file  q quit"


class Reviewing(Room):
    """One reviewed game. at: moves made on the board that is shown."""

    def __init__(self) -> None:
        super().__init__("review")
        self.found: Review | None = None
        self.at = 0
        self.view = GameView()
        self.file = text_field("", "a game file of any format: enter reviews it")
        self._value, self._luck = Chart("value"), Chart("luck so far")

    def compose(self) -> ComposeResult:
        """Board with what is said of the move, charts up to it, the file, what happened, keys."""
        yield self.view
        yield self._value
        yield self._luck
        with Horizontal(classes="row"):
            yield Label("file", classes="name")
            yield self.file
        yield self._notice
        yield self._help

    def on_mount(self) -> None:
        """The keys."""
        self.tell_keys(HELP)
        if self.found is None and not self.work.busy:
            self.tell("Finish a game and press e, or name a file.")

    def main(self) -> GameView:
        """The board."""
        return self.view

    @property
    def heading(self) -> str:
        """The rules and the score."""
        found = self.found
        return f"{found.game.variant}  score {found.game.score:,}" if found is not None else "no game yet"

    # Reviewing

    def take(self, record: Record) -> None:
        """Review a game."""
        self._begin(lambda: record)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """A file to review."""
        event.stop()
        path = event.value.strip()
        self._begin(lambda: read_record(path))

    def _begin(self, read: Callable[[], Record]) -> None:
        def job(cancelled: IsCancelled) -> Iterator[Review]:
            def look(done: int, total: int) -> None:
                if cancelled():
                    raise Cancelled("the screen was left")
                self.app.call_from_thread(self.tell, f"{done:,} of {total:,} moves reviewed")

            yield review(read(), on_progress=look)

        self.tell("Reviewing … (on first use the search is compiled)")
        self.work.start(job, self._show, self.tell)

    def _show(self, found: Review) -> None:
        self.found = found
        self.tell(summary(found)[1])
        self.view.focus()
        self.go(found.worst[0].number - 1 if found.worst else 0)

    def go(self, at: int) -> None:
        """Show the position before another move."""
        found = self.found
        if found is None:
            return
        self.at = max(0, min(at, len(found.moves) - 1))
        move = found.moves[self.at]
        self.view.show(found.game.moved[self.at].before.board, self._panel(found, move))
        so_far = found.moves[: self.at + 1]
        self._value.show([each.value for each in so_far], f"{move.value:,.0f}")
        lucks = [0.0]
        for each in so_far:
            lucks.append(lucks[-1] + each.luck)
        self._luck.show(lucks, signed(lucks[-1]))

    def _panel(self, found: Review, move: MoveReview) -> Panel:
        look = self.view.look
        bars = value_bars(move.values, move.best, look, texts=behind_texts(move.values))
        said = [headline(found, move), *told(found, move)]
        beside = [Text(line) for text in said for line in textwrap.wrap(text, PANEL_WIDTH)]
        below = side_by_side(bars, [Text(text) for text in said], PANEL_WIDTH)
        return Panel([*beside, Text(), *bars], below)

    # Keys

    def on_key(self, event: events.Key) -> None:
        """The keys of the screen, while no field has the focus."""
        found = self.found
        key = key_name(event)
        if key == "escape":
            self.view.focus()
        elif self.file.has_focus or found is None:
            return
        elif key in ("left", "right"):
            self.go(self.at + (1 if key == "right" else -1))
        elif key in ("home", "end"):
            self.go(0 if key == "home" else len(found.moves))
        elif key == "n":
            self._next_mistake(found)
        elif key == "v":
            self.post_message(self.Analyse(found.game.moved[self.at].before))
        elif key == "b":
            self.post_message(self.TakeOver(Record.of(found.game).first(self.at)))
        else:
            return
        event.stop()

    def _next_mistake(self, found: Review) -> None:
        mistake = found.mistake_after(self.at)
        if mistake is None:
            self.tell("There are no mistakes in this game.")
        else:
            self.go(mistake.number - 1)
