"""The live picture of a game on a terminal: header, board, panel, keys."""

from __future__ import annotations

import time
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from twofold.players.base import Decision
from twofold.rules.direction import Direction
from twofold.rules.game import State
from twofold.ui.frame import Look, compose, value_bars
from twofold.ui.human import HELP, HumanGame


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
        game = human.game
        self._draw(game.state, self._facts(game.state, human.last), human.notice, HELP)

    def show_watch(self, shot: Snapshot, *, paused: bool, speed: float | None) -> None:
        """The game that someone watches, with the player's values and statistics."""
        panel = self._facts(shot.state, shot.last)
        if shot.decision is not None:
            panel += [Text(), *value_bars(shot.decision.values, shot.decision.move, self.look), Text()]
            panel += self._statistics(shot)
        limit = "as fast as it thinks" if speed is None else f"at most {speed:g} moves/s"
        keys = f"space {'go on' if paused else 'pause'}  n step  + - speed ({limit})  q quit"
        self._draw(shot.state, panel, shot.notice, keys)

    def _facts(self, state: State, last: Direction | None) -> list[Text]:
        return [
            Text(f"score      {state.score:>12,}", "bold"),
            Text(f"best tile  {state.board.max_tile:>12,}"),
            Text(f"moves      {state.moves:>12,}"),
            Text(f"last       {self.look.arrow(last) if last is not None else '':>12}"),
        ]

    def _statistics(self, shot: Snapshot) -> list[Text]:
        decision, moves = shot.decision, shot.state.moves
        assert decision is not None
        lines = [Text(f"depth      {decision.depth:>12,}"), Text(f"nodes      {decision.nodes:>12,}")]
        if decision.table_hits:
            lines.append(Text(f"in table   {decision.table_hits:>12,}"))
        if decision.pruned:
            lines.append(Text(f"pruned     {decision.pruned:>12,}"))
        per_move = 1000 * shot.seconds / moves if moves else 0.0
        lines.append(Text(f"ms/move    {per_move:>12,.2f}"))
        lines.append(Text(f"moves/s    {self._speed.rate(moves):>12,.1f}"))
        if decision.note:
            lines.append(Text(decision.note, "italic"))
        return lines

    def _draw(self, state: State, panel: list[Text], notice: str, keys: str) -> None:
        width, height = self.console.size
        body = compose(state.board, panel, self.look, width, height - 4)
        lines = [Text(self._title, "bold"), Text(), *body]
        lines += [Text()] * max(0, height - 2 - len(lines))
        lines += [Text(notice, "bold yellow" if self.look.colour else "bold"), Text(keys, "dim")]
        for line in lines:
            line.no_wrap = True
            line.truncate(width, overflow="ellipsis" if self.look.unicode else "crop")
        self._live.update(Group(*lines), refresh=True)


class Speedometer:
    """Moves per second over the last two seconds."""

    def __init__(self) -> None:
        self._marks: list[tuple[float, int]] = []

    def rate(self, moves: int) -> float:
        """The rate when `moves` moves have been made by now."""
        now = time.monotonic()
        self._marks.append((now, moves))
        while len(self._marks) > 2 and self._marks[0][0] < now - 2:
            self._marks.pop(0)
        (begin, first), (end, last) = self._marks[0], self._marks[-1]
        return max(0.0, (last - first) / (end - begin)) if end > begin else 0.0
