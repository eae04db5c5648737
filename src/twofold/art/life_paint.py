"""Generations of Life, each painted by legal play (report S0): dead and live cells are tiles of different values.

Every generation is a game of its own that ends in its picture; `Painting` proves it by the rules.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from twofold.art.animate import MAX_FRAMES, Frame, thin_out
from twofold.art.life import Life, check_generations, generations
from twofold.art.painter import NotPainted, Painting, paint
from twofold.art.picture import PALETTE, Picture
from twofold.rules.board import Board
from twofold.rules.cells import MAX_SIDE

DEAD, ALIVE = PALETTE[:2]
"""How dead and live cells look, red, green, blue."""

_KEPT_STEPS = 500_000
"""Steps of paintings that are kept for generations that come again."""


@dataclass(frozen=True)
class Generation:
    """One generation of a run.

    number: from 0; life: its cells; painting: the game that ends in it, or None with a `reason`, if it was not
    painted; seconds: what finding and proving the painting took, 0 if it had been painted before.
    """

    number: int
    life: Life
    painting: Painting | None = None
    reason: str = ""
    seconds: float = 0.0

    @property
    def moves(self) -> int:
        """Moves of the game."""
        return len(self.painting.steps) if self.painting is not None else 0

    @property
    def board(self) -> Board | None:
        """The board at the end of the game, proven by the rules."""
        return self.painting.prove() if self.painting is not None else None

    @property
    def frame(self) -> Frame:
        """The cells in the two colours."""
        colours = tuple(ALIVE if cell else DEAD for cell in self.life.cells)
        return Frame(self.life.rows, self.life.columns, colours)


def life_picture(life: Life) -> Picture:
    """The cells as a picture: dead is colour 0 and alive colour 1."""
    return Picture(life.rows, life.columns, life.cells, (DEAD, ALIVE))


def run_painted(start: Life, count: int, *, painted: bool = True) -> Iterator[Generation]:
    """Generations 0 to `count`, each painted; a picture that recurs is painted once.

    painted: False leaves painting out. Raises InvalidParameter for a count outside 0 to 10,000.
    """
    check_generations(count)
    return _run(start, count, painted)


def _run(start: Life, count: int, painted: bool) -> Iterator[Generation]:
    known: OrderedDict[bytes, tuple[Painting | None, str]] = OrderedDict()
    kept = 0
    for number, life in zip(range(count + 1), generations(start), strict=False):
        if not painted:
            yield Generation(number, life)
            continue
        begin = time.perf_counter()
        is_new = life.cells not in known
        if is_new:
            known[life.cells] = _painted(life)
            kept += _steps(known[life.cells])
        seconds = time.perf_counter() - begin if is_new else 0.0
        yield Generation(number, life, *known[life.cells], seconds)
        while kept > _KEPT_STEPS and len(known) > 1:
            kept -= _steps(known.popitem(last=False)[1])


def _painted(life: Life) -> tuple[Painting | None, str]:
    if max(life.size) > MAX_SIDE:
        return None, f"a board of 2048 has at most {MAX_SIDE}x{MAX_SIDE} cells"
    try:
        return paint(life_picture(life)), ""
    except NotPainted as error:
        return None, str(error)


def _steps(outcome: tuple[Painting | None, str]) -> int:
    return len(outcome[0].steps) if outcome[0] is not None else 1


def gif_frames(run: Sequence[Generation], *, moves: bool = False, most: int = MAX_FRAMES) -> list[Frame]:
    """A frame for each generation, at most `most` of them, spread evenly.

    moves: also every board on the way to a generation that was painted, the last of which is the generation.
    """
    counts = [generation.moves + 1 if moves else 1 for generation in run]
    wanted = thin_out(range(sum(counts)), most)
    frames: list[Frame] = []
    begin = 0
    for generation, count in zip(run, counts, strict=True):
        chosen = {number - begin for number in wanted if begin <= number < begin + count}
        begin += count
        if generation.painting is not None and chosen - {count - 1}:
            boards = enumerate(generation.painting.boards())
            frames += [generation.painting.frame(board) for number, board in boards if number in chosen]
        elif chosen:
            frames.append(generation.frame)
    return frames
