"""`Painting`: a plan to paint a picture, which is a legal game, and its proof.

The game starts with tiles of our choice, each move changes the board, and after each move a 2 or a 4 appears on an
empty cell of our choice. The picture is read after the last of these spawns: every tile value stands for one colour.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from twofold.art.animate import Frame, thin_out
from twofold.art.picture import Picture
from twofold.errors import TwofoldError
from twofold.rules.board import Board
from twofold.rules.direction import Direction
from twofold.rules.draw import to_svg
from twofold.rules.palette import EMPTY, Colours, on
from twofold.rules.slide import lines, slide_run
from twofold.rules.variant import Variant
from twofold.threads import checkpoint

MAX_SCRIPT = 10_000
"""The most spawns that a variant keeps, and so the most moves of a painting that is a variant too."""


class NotPainted(TwofoldError):
    """A picture that was not painted; the message says why, and whether that is proven impossible."""


class Step(NamedTuple):
    """One move and the tile that appears after it: `cell` counts in reading order, `rank` is 1 (a 2) or 2 (a 4)."""

    direction: Direction
    cell: int
    rank: int


@dataclass(frozen=True)
class Painting:
    """A game that ends in a picture.

    picture: what is painted. start: the board at the beginning. steps: the moves with their spawns.
    colours: for each colour number the ranks that stand for it (none for a colour that does not occur).
    method: `planner` or `rows`. note: how it was painted, in words.
    """

    picture: Picture
    start: Board
    steps: tuple[Step, ...]
    colours: tuple[tuple[int, ...], ...]
    method: str = "planner"
    note: str = ""

    def __repr__(self) -> str:
        size = f"{self.picture.rows}x{self.picture.columns}"
        return f"Painting({size}, {len(self.steps):,} moves, method={self.method!r})"

    def _repr_svg_(self) -> str:
        """What a notebook shows: the last board in the colours of the picture."""
        return self.to_svg()

    @cached_property
    def colour_of(self) -> dict[int, int]:
        """The colour number of each rank that stands for one."""
        return {rank: colour for colour, ranks in enumerate(self.colours) for rank in ranks}

    @property
    def moves(self) -> str:
        """The moves as letters U, R, D, L."""
        return "".join(step.direction.letter for step in self.steps)

    @property
    def variant(self) -> Variant | None:
        """The rules under which anyone who plays `moves` paints the picture; None if they are too long a script."""
        if len(self.steps) > MAX_SCRIPT:
            return None
        # Without a step there is no script; the start board then is all there is.
        return Variant(start=self.start, script=tuple((s.cell, s.rank) for s in self.steps), empty_start=True)

    def boards(self) -> Iterator[Board]:
        """The board at the start and after each step, by the rules. Raises NotPainted at a step that is illegal."""
        board = self.start
        yield board
        for number, step in enumerate(self.steps, 1):
            checkpoint()
            slide = board.slide(step.direction)
            if not slide.changed:
                raise NotPainted(
                    f"move {number:,}, {step.direction.name}, changes nothing: the plan is wrong"
                )
            board = _spawned(slide.board, step, number)
            yield board

    def replay(self) -> Board:
        """Plays the whole game by the rules and gives the final board, proven to be the picture.

        Raises NotPainted if a move is illegal, a spawn impossible, or a cell of the wrong colour.
        """
        final = deque(self.boards(), maxlen=1)[0]
        self._check(final.cells)
        return final

    def prove(self) -> Board:
        """The same proof as `replay`, many times faster: each different line is slid once by the rules and kept.

        Gives the final board. Raises NotPainted as `replay` does.
        """
        return self._proven

    @cached_property
    def _proven(self) -> Board:
        rows, columns = self.start.size
        cells = bytearray(self.start.cells)
        slices = {d: [_slice_of(line) for line in lines(rows, columns, d)] for d in Direction}
        for number, step in enumerate(self.steps, 1):
            checkpoint()
            changed = False
            for place in slices[step.direction]:
                line = bytes(cells[place])
                slid = _slid(line)
                if slid != line:
                    cells[place] = slid
                    changed = True
            if not changed:
                raise NotPainted(
                    f"move {number:,}, {step.direction.name}, changes nothing: the plan is wrong"
                )
            if step.rank not in (1, 2) or cells[step.cell]:
                raise NotPainted(f"spawn {number:,} on cell {step.cell} is impossible: the plan is wrong")
            cells[step.cell] = step.rank
        self._check(bytes(cells))
        return self.start.with_cells(bytes(cells))

    def _check(self, cells: bytes) -> None:
        for cell, (rank, colour) in enumerate(zip(cells, self.picture.cells, strict=True)):
            if self.colour_of.get(rank) != colour:
                row, column = divmod(cell, self.picture.columns)
                raise NotPainted(
                    f"row {row + 1}, column {column + 1} ends with rank {rank}, which is not colour {colour}: "
                    "the plan is wrong"
                )

    # Looking at it

    def frame(self, board: Board) -> Frame:
        """A board of this game in the colours of the picture; empty cells have a colour of their own."""
        return Frame(board.rows, board.columns, tuple(self.look(rank).background for rank in board.cells))

    def frames(self, most: int = 240) -> list[Frame]:
        """The game as at most so many frames, the last one the picture."""
        return [self.frame(board) for board in thin_out(list(self.boards()), most)]

    def to_svg(self) -> str:
        """The last board as SVG text, its tiles in the colours of the picture. Raises NotPainted as `prove`."""
        return to_svg(self.prove(), look=self.look)

    def look(self, rank: int) -> Colours:
        """The colour that a tile stands for, with an ink; that of an empty cell if it stands for none."""
        colour = self.colour_of.get(rank)
        return EMPTY if colour is None else on(self.picture.palette[colour])

    @property
    def value_colours(self) -> dict[int, str]:
        """The colour of each tile value that stands for one, as `#rrggbb`."""
        return {1 << rank: self.look(rank).background_hex for rank in sorted(self.colour_of)}

    def transposed(self) -> Painting:
        """The same game mirrored in the main diagonal."""
        columns = self.start.columns

        def turn(cell: int) -> int:
            row, column = divmod(cell, columns)
            return column * self.start.rows + row

        steps = tuple(Step(_TRANSPOSED[s.direction], turn(s.cell), s.rank) for s in self.steps)
        return Painting(
            self.picture.transpose(), self.start.transpose(), steps, self.colours, self.method, self.note
        )

    def flipped(self) -> Painting:
        """The same game upside down."""
        rows, columns = self.start.size

        def turn(cell: int) -> int:
            row, column = divmod(cell, columns)
            return (rows - 1 - row) * columns + column

        steps = tuple(Step(_FLIPPED[s.direction], turn(s.cell), s.rank) for s in self.steps)
        return Painting(
            self.picture.flip_vertical(),
            self.start.flip_vertical(),
            steps,
            self.colours,
            self.method,
            self.note,
        )


_U, _R, _D, _L = Direction.UP, Direction.RIGHT, Direction.DOWN, Direction.LEFT
_TRANSPOSED = {_U: _L, _L: _U, _D: _R, _R: _D}
_FLIPPED = {_U: _D, _D: _U, _L: _L, _R: _R}


def _spawned(board: Board, step: Step, number: int) -> Board:
    if step.rank not in (1, 2) or not 0 <= step.cell < len(board.cells) or board.cells[step.cell]:
        raise NotPainted(f"spawn {number:,} on cell {step.cell} is impossible: the plan is wrong")
    return board.with_cell(step.cell, step.rank)


def _slice_of(line: tuple[int, ...]) -> slice:
    """A line's cells as a slice, so that they are read and written at once."""
    step = line[1] - line[0] if len(line) > 1 else 1
    stop = line[-1] + step
    return slice(line[0], stop if stop >= 0 else None, step)


@lru_cache(maxsize=1 << 16)
def _slid(line: bytes) -> bytes:
    return bytes(slide_run(line)[0])
