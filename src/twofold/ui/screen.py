"""The live picture of a game on a terminal: header, board, panel, keys."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from types import FrameType, TracebackType
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from twofold.players.base import Decision
from twofold.players.play import GameResult
from twofold.rules.direction import Direction
from twofold.rules.game import Game, State
from twofold.ui.frame import PANEL_WIDTH, Look, Panel, compose, side_by_side, value_bars
from twofold.ui.human import HELP, HumanGame
from twofold.ui.keys import Keyboard
from twofold.ui.pace import Speedometer


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a watched game looks like at one moment; made in the playing thread, drawn in the main thread."""

    state: State
    last: Direction | None = None
    decision: Decision | None = None
    nodes: int = 0
    seconds: float = 0.0
    notice: str = ""


class Screen:
    """Draws on the terminal's alternate screen; a context manager that brings the shell's screen back."""

    def __init__(self, console: Console, title: str) -> None:
        """`title` heads the picture: player, seed, variant."""
        self.console = console
        self.look = Look.of(console)
        self._title = title
        self._live = Live(console=console, screen=True, auto_refresh=False, transient=True)
        self._speed = Speedometer()

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
        panel = Panel(self._facts(state, human.last), [self._brief(state, human.last)])
        self._draw(state, panel, human.notice, HELP)

    def show_watch(self, shot: Snapshot, *, paused: bool, speed: float | None) -> None:
        """The game that someone watches, with the player's values and statistics."""
        panel = Panel(self._facts(shot.state, shot.last), [self._brief(shot.state, shot.last)])
        if shot.decision is not None:
            bars = value_bars(shot.decision.values, shot.decision.move, self.look)
            facts = self._statistics(shot.decision, shot)
            beside = [*panel.beside, Text(), *bars, Text(), *(_fact(name, value) for name, value in facts)]
            if shot.decision.note:
                beside.append(Text(shot.decision.note, "italic"))
            told = [Text("  ".join(f"{name} {value}" for name, value in pair)) for pair in _pairs(facts)]
            panel = Panel(beside, side_by_side(bars, [*panel.below, *told], PANEL_WIDTH))
        limit = "as fast as it thinks" if speed is None else f"at most {speed:g} moves/s"
        keys = f"space {'go on' if paused else 'pause'}  n step  + - speed ({limit})  q quit"
        self._draw(shot.state, panel, shot.notice, keys)

    def _facts(self, state: State, last: Direction | None) -> list[Text]:
        made = f"{state.variant.target:,} {'made' if state.won else 'wanted'}"
        return [
            _fact("score", f"{state.score:,}", "bold"),
            _fact("best tile", f"{state.board.max_tile:,}"),
            _fact("target", made),
            _fact("moves", f"{state.moves:,}"),
            _fact("last", self.look.arrow(last) if last is not None else ""),
        ]

    def _brief(self, state: State, last: Direction | None) -> Text:
        """The facts on one line."""
        move = self.look.arrow(last) if last is not None else ""
        return Text(
            f"score {state.score:,}  best {state.board.max_tile:,}  moves {state.moves:,}  {move}", "bold"
        )

    def _statistics(self, decision: Decision, shot: Snapshot) -> list[tuple[str, str]]:
        moves = shot.state.moves
        facts = [("depth", f"{decision.depth:,}"), ("nodes", f"{decision.nodes:,}")]
        if decision.table_hits:
            facts.append(("found in table", f"{decision.table_hits:,}"))
        if decision.pruned:
            facts.append(("pruned", f"{decision.pruned:,}"))
        facts.append(("ms a move", f"{1000 * shot.seconds / moves if moves else 0.0:,.2f}"))
        facts.append(("moves a second", f"{self._speed.rate(moves):,.1f}"))
        return facts

    def _draw(self, state: State, panel: Panel, notice: str, keys: str) -> None:
        width, height = self.console.size
        body = compose(state.board, panel, self.look, width, height - 3)
        # A blank line below the title where there is room for one.
        lines = [Text(self._title, "bold"), *([Text()] if len(body) < height - 3 else []), *body]
        lines += [Text()] * (height - 2 - len(lines))
        lines += [Text(notice, "bold yellow" if self.look.colour else "bold"), Text(keys, "dim")]
        for line in lines:
            line.no_wrap = True
            line.truncate(width, overflow="ellipsis" if self.look.unicode else "crop")
        self._live.update(Group(*lines[:height]), refresh=True)


def _pairs(facts: list[tuple[str, str]]) -> list[list[tuple[str, str]]]:
    """Two by two, for the lines below a board."""
    return [facts[i : i + 2] for i in range(0, len(facts), 2)]


def _fact(name: str, value: str, style: str = "") -> Text:
    """A line of the panel: the name at the left, the value at the right."""
    return Text(f"{name:<{PANEL_WIDTH - len(value)}}{value}", style)


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
