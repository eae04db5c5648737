"""Life on a terminal: each generation as the board of 2048 that paints it, with keys for pace."""

from __future__ import annotations

import time
from collections.abc import Iterator

from rich.style import Style
from rich.text import Text

from twofold.art.life_paint import ALIVE, DEAD, Generation
from twofold.rules.palette import contrast, hex_colour
from twofold.ui.cli.screen import Screen
from twofold.ui.cli.watch import watch_work
from twofold.ui.shared.frame import Look, in_units
from twofold.ui.shared.pace import Pace

_SIZES = ((6, 3), (4, 2), (4, 1), (2, 1), (1, 1))
"""Width and height of a cell in characters; the first that fits is used."""
_BESIDE = 4
"""Lines that are no board: title, facts, notice, keys."""


class LifeScreen(Screen):
    """The picture of a run on the alternate screen."""

    def show_generation(self, shown: Generation, pace: Pace, notice: str) -> None:
        """One generation and the keys."""
        width, height = self.console.size
        facts = f"generation {shown.number:,}  alive {shown.life.alive:,}"
        if shown.painting is not None:
            facts += f"  painted in {shown.moves:,} moves"
        speed = "as fast as it paints" if pace.speed is None else f"at most {pace.speed:g} a second"
        keys = f"space {'go on' if pace.paused else 'pause'}  n step  + - speed ({speed})  q quit"
        lines = [Text(self._title, "bold"), *life_lines(shown, self.look, width, height - _BESIDE)]
        lines += [Text()] * (height - 3 - len(lines))
        self.show([*lines, Text(facts, "bold"), Text(notice, "italic"), Text(keys, "dim")])


def life_lines(shown: Generation, look: Look, width: int, height: int) -> list[Text]:
    """A generation as lines of coloured cells, with its tiles' numbers where they have room.

    Without colour live cells are `#` and dead ones `.`. What does not fit is left out at the right and the bottom.
    """
    rows, columns = shown.life.size
    fitting = (size for size in _SIZES if columns * size[0] <= width and rows * size[1] <= height)
    cell_width, cell_height = next(fitting, _SIZES[-1])
    board = shown.board
    lines: list[Text] = []
    for row in range(min(rows, max(1, height))):
        for level in range(cell_height):
            line = Text(no_wrap=True)
            for column in range(columns):
                index = row * columns + column
                is_alive = shown.life.cells[index]
                label = ""
                if board is not None and level == (cell_height - 1) // 2 and cell_width >= 4:
                    label = in_units(board.cells[index])
                if look.colour:
                    line.append(f"{label:^{cell_width}}", _style(alive=bool(is_alive)))
                else:
                    line.append((".#"[is_alive] + label).ljust(cell_width)[:cell_width])
            lines.append(line)
    return lines


def _style(*, alive: bool) -> Style:
    back, other = (ALIVE, DEAD) if alive else (DEAD, ALIVE)
    assert contrast(back, other) >= 4.5
    return Style(color=hex_colour(other), bgcolor=hex_colour(back))


def watch_life(
    run: Iterator[Generation], screen: LifeScreen, speed: float | None, ending: str
) -> list[Generation]:
    """Shows a run until it ends and someone quits; gives the generations that were shown.

    speed: generations a second at most, None for no limit; ending: what is told at the end.
    """
    pace = Pace(speed)
    shown: list[Generation] = []
    ended = False

    def go_on() -> None:
        nonlocal ended
        for generation in run:
            shown.append(generation)
            if not pace.wait():
                return
        ended = True
        while not pace.stopped:  # the last picture stays until q
            time.sleep(0.05)

    def draw() -> None:
        if shown:
            screen.show_generation(shown[-1], pace, ending if ended else "")

    watch_work(go_on, draw, pace, screen)
    return shown
