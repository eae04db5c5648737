"""The live picture of a game on a terminal: header, board, panel, keys."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from types import FrameType, TracebackType
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from twofold.matches.play import GameResult
from twofold.rules.game import Game
from twofold.rules.state import State
from twofold.ui.cli.human import HELP
from twofold.ui.shared.facts import game_panel, watch_panel
from twofold.ui.shared.frame import Look, Panel, compose
from twofold.ui.shared.human_game import HumanGame
from twofold.ui.shared.keys import Keyboard
from twofold.ui.shared.session import Watching


class Screen:
    """Draws on the terminal's alternate screen; a context manager that brings the shell's screen back."""

    def __init__(self, console: Console, title: str) -> None:
        """`title` heads the picture: player, seed, variant."""
        self.console = console
        self.look = Look.of(console)
        self._title = title
        self._live = Live(console=console, screen=True, auto_refresh=False, transient=True)

    def __enter__(self) -> Self:
        self._live.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.__exit__(kind, error, trace)

    def show_human(self, human: HumanGame) -> None:
        """The game that someone plays."""
        state = human.game.state
        panel = game_panel(state, human.last, self.look)
        self._draw(state, panel, human.notice, HELP)

    def show_watch(self, watching: Watching, notice: str) -> None:
        """A game that someone watches, once it has begun, with the player's values and statistics."""
        shot, pace = watching.shot, watching.pace
        assert shot is not None
        last = shot.moved.direction if shot.moved is not None else None
        panel = watch_panel(shot.state, last, shot.decision, shot.seconds, watching.rate, self.look)
        limit = "as fast as it thinks" if pace.speed is None else f"at most {pace.speed:g} moves/s"
        keys = f"space {'go on' if pace.paused else 'pause'}  n step  + - speed ({limit})  q quit"
        self._draw(shot.state, panel, notice, keys)

    def _draw(self, state: State, panel: Panel, notice: str, keys: str) -> None:
        width, height = self.console.size
        body = compose(state.board, panel, self.look, width, height - 3)
        # A blank line below the title where there is room for one.
        lines = [Text(self._title, "bold"), *([Text()] if len(body) < height - 3 else []), *body]
        lines += [Text()] * (height - 2 - len(lines))
        lines += [Text(notice, "bold yellow" if self.look.colour else "bold"), Text(keys, "dim")]
        self.show(lines)

    def show(self, lines: list[Text]) -> None:
        """As many lines as there is room for, each cut at the right."""
        width, height = self.console.size
        for line in lines:
            line.no_wrap = True
            line.truncate(width, overflow="ellipsis" if self.look.unicode else "crop")
        self._live.update(Group(*lines[:height]), refresh=True)


@contextmanager
def suspendable(keyboard: Keyboard | None, screen: Screen) -> Iterator[None]:
    """The terminal for a live picture; Ctrl-Z gives it back to the shell, and ``fg`` takes it again."""
    with keyboard or nullcontext(), screen:
        number = getattr(signal, "SIGTSTP", None)
        if number is None or threading.current_thread() is not threading.main_thread():
            yield
            return

        def suspend(_number: int, _frame: FrameType | None) -> None:
            screen.__exit__(None, None, None)
            if keyboard is not None:
                keyboard.__exit__(None, None, None)
            os.kill(os.getpid(), signal.SIGSTOP)
            # Here the process sleeps until it is brought back.
            if keyboard is not None:
                keyboard.__enter__()
            screen.__enter__()

        before = signal.signal(number, suspend)
        try:
            yield
        finally:
            signal.signal(number, before)


def play_keys(game: Game, screen: Screen) -> GameResult:
    """The game at a terminal, until the player quits."""
    human = HumanGame(game, confirm_restart=True)
    keyboard = Keyboard()
    with suspendable(keyboard, screen):
        while not human.wants_to_quit:
            screen.show_human(human)
            # Looked at twice a second without a key too, so that a resized window is drawn anew.
            key = keyboard.read(0.5)
            if key is not None:
                human.press(key)
    return human.result()
