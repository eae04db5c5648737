"""Words turned into moves and spawns, row by row from the top.

A row is grown where it stays, by LEFT and RIGHT alone: finished rows are words, so these moves don't touch them. For
the next row to begin, one of its tiles, the seed, must be there before the row above is full.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from twofold.art.paint.painting import NotPainted, Step
from twofold.art.paint.words import Piece, Word
from twofold.rules.board import Board
from twofold.rules.direction import Direction
from twofold.rules.slide import slide_run

Row = tuple[int, ...]
LEFT, RIGHT, UP = Direction.LEFT, Direction.RIGHT, Direction.UP


@lru_cache(maxsize=1 << 16)
def slid(row: Row, direction: Direction) -> Row:
    """A row after a move, by the rules."""
    if direction is LEFT:
        return tuple(slide_run(row)[0])
    return tuple(slide_run(row[::-1])[0][::-1])


class Builder:
    """Grows words on a board and keeps the steps. Only the row in work and the one below it are looked at."""

    def __init__(self, rows: int, columns: int) -> None:
        self.rows, self.columns = rows, columns
        self.steps: list[Step] = []
        self.start = Board.empty(rows, columns)
        self.below: Row = (0,) * columns
        """The tiles of the next row."""

    def build(self, words: Sequence[Word]) -> tuple[Board, tuple[Step, ...]]:
        """Grows one word in each row; gives the start board and the steps."""
        pieces = [word.pieces() for word in words]
        # Nothing is sown in the last row's time, so it must begin with the one move that its seed can make.
        lies_left = len(words) == 1 or pieces[-2][-1].side >= 0
        pieces[-1] = _begin_opposite(pieces[-1], at_left=lies_left)
        for row, word in enumerate(words):
            seed = pieces[row + 1][0] if row + 1 < len(words) else None
            self._grow(row, word, pieces[row], seed)
        return self.start, tuple(self.steps)

    def _grow(self, row: int, word: Word, pieces: list[Piece], seed: Piece | None) -> None:
        tiles, self.below = self.below, (0,) * self.columns
        if not any(tiles):  # the first row: the game starts with its first piece
            self.start = self.start.with_cell(row * self.columns, pieces[0].rank)
            tiles = (pieces[0].rank, *tiles[1:])
        if seed is not None:
            tiles = self._sow(row, tiles, seed.rank)
        for piece in pieces[1:]:
            direction = LEFT if piece.side >= 0 else RIGHT
            place = self.columns - 1 if direction is LEFT else 0
            tiles = self._move(tiles, direction)
            tiles = _with(tiles, place, piece.rank)
            self.steps.append(Step(direction, row * self.columns + place, piece.rank))
        if tiles != word.letters:
            raise NotPainted(
                f"row {row + 1} came out as {tiles} instead of {word.letters}: the plan is wrong"
            )

    def _sow(self, row: int, tiles: Row, rank: int) -> Row:
        """A move that changes nothing but where tiles stand, for the seed of the next row."""
        direction = RIGHT if tiles[0] else LEFT
        place = 0 if direction is RIGHT else self.columns - 1
        tiles = self._move(tiles, direction)
        self.below = _with(self.below, place, rank)
        self.steps.append(Step(direction, (row + 1) * self.columns + place, rank))
        return tiles

    def _move(self, tiles: Row, direction: Direction) -> Row:
        self.below = slid(self.below, direction)
        return slid(tiles, direction)


def _begin_opposite(pieces: list[Piece], *, at_left: bool) -> list[Piece]:
    """The pieces so that the second one comes to the side where the first one lies, alone at a wall.

    The only legal move then is away from that wall. If the second piece belongs to the core, both sides are the
    same; if not, the two change their parts.
    """
    wanted = -1 if at_left else 1
    first, second, *rest = pieces
    if second.side == 0:
        return [first, Piece(wanted, second.rank), *rest]
    if second.side == wanted:
        return pieces
    return [Piece(0, second.rank), Piece(wanted, first.rank), *rest]


def _with(tiles: Row, place: int, rank: int) -> Row:
    if tiles[place]:
        raise NotPainted("a spawn falls on a tile: the plan is wrong")
    return (*tiles[:place], rank, *tiles[place + 1 :])
