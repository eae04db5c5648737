"""The window of the terminal game: a line with the rooms, the room that is shown, and keys that work everywhere."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.widgets import ContentSwitcher, Label

from twofold.players.defaults import DEFAULT_PLAYER
from twofold.rules.board import Board
from twofold.rules.game import Game
from twofold.rules.variant import Variant
from twofold.ui.shared.keys import GAME_ACTIONS, Action
from twofold.ui.shared.session import HINT_PLAYER
from twofold.ui.terminal.analyse import Analyse, starting_state
from twofold.ui.terminal.choose_player import WatchedGame
from twofold.ui.terminal.play import Play
from twofold.ui.terminal.review import Reviewing
from twofold.ui.terminal.room import Room
from twofold.ui.terminal.views import key_name
from twofold.ui.terminal.watch import Watch

ROOMS = ("play", "watch", "analyse", "review")
SPEED = 5.0
"""Moves per second at first, slow enough to follow."""

EXIT_INTERRUPTED = 130


@dataclass(frozen=True)
class Options:
    """What the window begins with.

    game: the game to play. players: asked in Analyse, the first one watched. board: to analyse. seed: of the watched
    game, None for one by chance. path: where the record of the game is kept.
    """

    game: Game
    players: Sequence[str] = (DEFAULT_PLAYER,)
    board: Board = field(default_factory=lambda: Board.parse("2 4 8 16|256 128 64 32|512 . . .|2 . . ."))
    rules: Variant = field(default_factory=Variant)
    seed: int | None = None
    speed: float | None = SPEED
    path: Path | None = None
    room: str = "play"


class TerminalGame(App[None]):
    """The application."""

    CSS_PATH = "window.tcss"
    TITLE = "twofold"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS = [  # noqa: RUF012 (textual's way to declare them)
        Binding("f1", "room('play')", show=False, priority=True),
        Binding("f2", "room('watch')", show=False, priority=True),
        Binding("f3", "room('analyse')", show=False, priority=True),
        Binding("f4", "room('review')", show=False, priority=True),
        Binding("ctrl+c", "interrupt", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False, priority=True),
    ]

    def __init__(self, options: Options) -> None:
        super().__init__()
        self._options = options
        self.play_room: Play
        self.watch_room: Watch
        self.analyse_room: Analyse
        self.review_room: Reviewing
        self._heading = Label("", id="heading", markup=False)
        self._shown = options.room

    def compose(self) -> ComposeResult:
        """The top line and the rooms (made here: text fields can't be made before the application runs)."""
        given = self._options
        self.play_room = Play(given.game, HINT_PLAYER, given.path)
        self.watch_room = Watch(WatchedGame(given.players[0], given.rules, given.seed), given.speed)
        self.analyse_room = Analyse(starting_state(given.board, given.rules), given.players)
        self.review_room = Reviewing()
        with Horizontal(id="top"):
            for number, name in enumerate(ROOMS, 1):
                yield RoomLabel(number, name)
            yield self._heading
        with ContentSwitcher(initial=self._options.room):
            yield self.play_room
            yield self.watch_room
            yield self.analyse_room
            yield self.review_room

    def on_mount(self) -> None:
        """Shows the first room; a signal to end closes the window in order."""
        self.set_interval(0.5, self._head)
        # After Ctrl-Z and fg textual draws only what changes.
        self.app_resume_signal.subscribe(self, lambda _: self.refresh(layout=True))
        self._show(self._options.room)
        for name, code in (("SIGTERM", 143), ("SIGHUP", 129)):
            # Not on Windows, and not in a thread that is not the main one.
            with suppress(AttributeError, NotImplementedError, ValueError, RuntimeError):
                asyncio.get_running_loop().add_signal_handler(getattr(signal, name), self._end, code)

    def _end(self, code: int) -> None:
        self.exit(return_code=code)

    @property
    def room(self) -> Room:
        """The room that is shown."""
        return self._rooms()[self._shown]

    def _rooms(self) -> dict[str, Room]:
        return {
            "play": self.play_room,
            "watch": self.watch_room,
            "analyse": self.analyse_room,
            "review": self.review_room,
        }

    def action_room(self, name: str) -> None:
        """Shows a room, unless a dialog is open."""
        if len(self.screen_stack) == 1 and self.room.id != name:
            self.room.leave()
            self._show(name)

    def _show(self, name: str) -> None:
        self._shown = name
        self.query_one(ContentSwitcher).current = name
        for label in self.query(RoomLabel):
            label.set_class(label.room == name, "shown")
        self._rooms()[name].enter()
        self._head()

    def _head(self) -> None:
        self._heading.update(self.room.heading)

    def action_interrupt(self) -> None:
        """Ctrl-C."""
        self.exit(return_code=EXIT_INTERRUPTED)

    def on_key(self, event: events.Key) -> None:
        """Keys that no room has taken."""
        key = key_name(event)
        if len(self.screen_stack) > 1:
            return
        if GAME_ACTIONS.get(key) is Action.QUIT:
            self.exit()
        elif key in ("1", "2", "3", "4"):
            self.action_room(ROOMS[int(key) - 1])
        else:
            return
        event.stop()

    def on_room_analyse(self, event: Room.Analyse) -> None:
        """A position of another room."""
        self.analyse_room.take(event.state)
        self.action_room("analyse")

    def on_room_review(self, event: Room.Review) -> None:
        """A game of another room."""
        self.action_room("review")
        self.review_room.take(event.record)

    def on_room_take_over(self, event: Room.TakeOver) -> None:
        """A watched game, to be played on by hand."""
        self.action_room("play")
        self.play_room.take_up(event.record)


class RoomLabel(Label):
    """The name of a room in the top line; a click shows it."""

    def __init__(self, number: int, room: str) -> None:
        super().__init__(f" {number} {room.capitalize()} ")
        self.room = room

    def on_click(self) -> None:
        """Goes there."""
        app = self.app
        assert isinstance(app, TerminalGame)
        app.action_room(self.room)
