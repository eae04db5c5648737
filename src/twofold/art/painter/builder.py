"""Words turned into moves and spawns, row by row from the top.

Four ways to make a row (`RowPlan`), all of which leave the rows above alone:

- *In place*: its word is grown where it stays, by LEFT and RIGHT alone; finished rows are words, which these moves
  don't touch. For the next row to begin, one of its tiles, the seed, must be there before this one is full.
- *Through the row below*: letters too large for the row overflow into the next one, see `overflow.py`.
- *Doubled* (S0's composite rows): the same word is grown 2^j times, one below the other, and moved up by UP, which
  merges equal words; every letter ends j ranks higher.
- *Raised*: the word is grown with a 2 or a 4 where a larger letter shall be; then these letters are raised one by one
  by tiles that grow below them, by UP alone. So a line may have deep valleys between high letters.

UP is harmless to the rows above if no letter meets an equal one above it on its way; `layout.py` sees to that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from twofold.art.painter.overflow import finish
from twofold.art.painter.painting import NotPainted, Step
from twofold.art.painter.words import Piece, Word, pieces_of
from twofold.rules.board import Board
from twofold.rules.direction import Direction
from twofold.rules.slide import slide_run
from twofold.threads import checkpoint

Row = tuple[int, ...]
_EDGE = (98, 99) * 32
"""Stands above the first row: nothing merges with it."""

LEFT, RIGHT, UP = Direction.LEFT, Direction.RIGHT, Direction.UP


class RowPlan(NamedTuple):
    """How a row is made. word: what is grown. doublings: j. letters: the ranks at the end."""

    word: Word
    doublings: int
    letters: Row

    @classmethod
    def in_place(cls, word: Word) -> RowPlan:
        """A row that is its word."""
        return cls(word, 0, word.letters)

    @property
    def raised(self) -> dict[int, int]:
        """The columns whose letters are raised, with their ranks at the end."""
        if self.doublings:
            return {}
        return {
            column: rank
            for column, (rank, base) in enumerate(zip(self.letters, self.word.letters, strict=True))
            if rank != base
        }


@dataclass
class _Job:
    """One word to grow. top: the first row of the heap that it belongs to. ups: merges that follow when it is full."""

    plan: RowPlan
    top: int
    ups: int
    pieces: list[Piece]
    placed: int = 0

    @property
    def overflow(self) -> int | None:
        """See `Word.overflow`."""
        return self.plan.word.overflow

    @property
    def sows(self) -> bool:
        """True if the seed of the next word must be sown while this one grows."""
        return self.ups == 0 and self.overflow is None


@lru_cache(maxsize=1 << 16)
def slid(row: Row, direction: Direction) -> Row:
    """A row after LEFT or RIGHT, by the rules."""
    if direction is LEFT:
        return tuple(slide_run(row)[0])
    return tuple(slide_run(row[::-1])[0][::-1])


class Builder:
    """Carries out the plans of all rows on a board of `rows` × `columns` and keeps the steps.

    Raises NotPainted where a plan can't be carried out, which is rare; the caller tries another plan then.
    """

    def __init__(self, rows: int, columns: int) -> None:
        self.rows, self.columns = rows, columns
        self.steps: list[Step] = []
        self.start = Board.empty(rows, columns)
        self.grid: list[Row] = [(0,) * columns for _ in range(rows)]
        self.row = 0
        """Where the word in work grows."""

    def build(self, plans: Sequence[RowPlan]) -> tuple[Board, tuple[Step, ...]]:
        """Makes the rows; gives the start board and the steps."""
        jobs = _jobs(plans)
        if len(jobs) == 1 or not jobs[0].sows:
            jobs[0].pieces = begin_opposite(jobs[0].pieces, at_left=True)
        first = jobs[0].pieces[0].rank
        self.start = self.start.with_cell(0, first)
        self._put(0, 0, first)
        jobs[0].placed = 1
        for number, job in enumerate(jobs):
            following = jobs[number + 1] if number + 1 < len(jobs) else None
            self._grow(job, following)
            if job.ups and following is not None:
                self._pile_up(job, following)
            elif job.plan.raised and following is not None:
                self._raise(job, following)
            self.row += 1
        return self.start, tuple(self.steps)

    # Growing a word

    def _grow(self, job: _Job, following: _Job | None) -> None:
        if following is not None and job.sows:
            self._sow(job, following)
        alone = len(job.pieces)
        if job.overflow is not None:
            alone -= sum(map(pieces_of, job.plan.word.in_order()[job.overflow :]))
        for piece in job.pieces[job.placed : alone]:
            direction = self._towards(piece)
            self._slide(direction)
            self._spawn(direction, self.row, self.columns - 1 if direction is LEFT else 0, piece.rank)
        if job.overflow is not None:
            self._overflow(job, following)
        if self.grid[self.row] != job.plan.word.letters:
            raise NotPainted(
                f"row {self.row + 1} came out as {self.grid[self.row]}, not {job.plan.word.letters}"
            )

    def _towards(self, piece: Piece) -> Direction:
        """The move before this piece appears: away from its side, or any that is legal for the core's first tile."""
        tiles = self.grid[self.row]
        alone = sum(map(bool, tiles)) == 1
        if piece.side == 0 and alone and all(slid(row, LEFT) == row for row in self.grid[self.row :]):
            return RIGHT
        return LEFT if piece.side >= 0 else RIGHT

    def _sow(self, job: _Job, following: _Job) -> None:
        """A move for the seed of the next word, which comes to lie where nothing of this one is in its way."""
        tiles = self.grid[self.row]
        rest = job.pieces[job.placed :]
        # Tiles that lie apart, as after UP, must merge as the pieces that follow would have them.
        several = sum(map(bool, tiles)) > 1
        wanted = LEFT if several and rest and rest[0].side >= 0 else RIGHT
        other = RIGHT if wanted is LEFT else LEFT
        direction = wanted if slid(tiles, wanted) != tiles else other
        lies_left = rest[-1].side >= 0 if rest else direction is RIGHT
        rank = self._choose_seed(job, following, lies_left=lies_left)
        self._slide(direction)
        self._spawn(direction, self.row + 1, 0 if direction is RIGHT else self.columns - 1, rank)

    def _choose_seed(self, job: _Job, following: _Job, *, lies_left: bool) -> int:
        """The rank of the seed; `following` is told if that is its first piece, and begins to suit it."""
        raised = job.plan.raised
        if raised:
            # Raising begins with a move that takes the seed to the other wall.
            wall = self.columns - 1 if lies_left else 0
            letter = job.plan.word.letters[wall]
            if wall in raised:
                return letter  # it is the first tile that raises this letter
            following.pieces = _begin_between(following.pieces, not_rank=letter, at_left=not lies_left)
        elif not following.sows or following.top + 1 == self.rows:
            following.pieces = begin_opposite(following.pieces, at_left=lies_left)
        following.placed = 1
        return following.pieces[0].rank

    def _overflow(self, job: _Job, following: _Job | None) -> None:
        """The rest of a word too large for its row; what is left in the row below begins the next word."""
        if following is None or any(map(any, self.grid[self.row + 1 :])):
            raise NotPainted("there is no room below for letters too large for their row")
        word = job.plan.word
        mirrored = word.sides[job.overflow or 0] < 0 or (job.overflow == 0 and word.core > 0)
        turn = -1 if mirrored else 1
        above = self.grid[self.row - 1] if self.row else _EDGE[: self.columns]
        rows = np.array([line[::turn] for line in (above, *self.grid[self.row : self.row + 2])], np.int64)
        core = following.plan.word.in_order()[0]
        most = 2 * len(job.pieces) + 40
        raised = tuple(column in job.plan.raised for column in range(self.columns))[::turn]
        found = finish(rows, word.letters[::turn], core, raised, most)
        if found is None:
            raise NotPainted(f"letters too large for row {self.row + 1} were not made in {most} moves")
        steps, side = found
        for way, cell, rank in steps:
            row, column = divmod(cell, self.columns)
            direction = (LEFT, RIGHT, UP)[1 - way if mirrored and way < 2 else way]
            if direction is UP:
                self._slide_up(self.row)
            else:
                self._slide(direction)
            self._spawn(direction, self.row + row, self.columns - 1 - column if mirrored else column, rank)
        rest = sum(map(pieces_of, filter(None, self.grid[self.row + 1])))
        first = pieces_of(core)
        following.pieces = [Piece(side * turn, 2)] * first + following.pieces[first:]
        following.placed = rest

    # Moving words up

    def _pile_up(self, job: _Job, following: _Job) -> None:
        """Merges equal words; the tiles that appear meanwhile are the first pieces of the next word."""
        for up in range(job.ups):
            self._slide_up(job.top)
            self.row -= 1
            most = job.plan.doublings
            barred = {
                column: range(letter, letter + most + 1)
                for column, letter in enumerate(job.plan.word.letters)
            }
            self._spawn_next(UP, following, barred if up + 1 < job.ups else {})

    def _raise(self, job: _Job, following: _Job) -> None:
        """Raises letters: one move along the row, which the seed makes legal, then UP until all are there."""
        goal = job.plan.letters
        queue = self._raising_pieces(job, seed_is_piece=following.placed == 0)
        seed = self.grid[self.row + 1]
        direction = RIGHT if seed[0] else LEFT
        if job.overflow is not None:
            direction = LEFT if following.pieces[0].side > 0 else RIGHT
        self._slide(direction)
        while True:
            if queue:
                column, rank = queue.pop(0)
                self._spawn(direction, self.rows - 1, column, rank)
            else:
                barred = {c: range(letter, goal[c] + 1) for c, letter in enumerate(job.plan.word.letters)}
                self._spawn_next(direction, following, barred)
            if not queue and self.grid[self.row] == goal:
                return
            direction = UP
            self._slide_up(self.row)

    def _raising_pieces(self, job: _Job, *, seed_is_piece: bool) -> list[tuple[int, int]]:
        """What appears below which column; the highest letters first, so that their carries are made meanwhile."""
        wall = 0 if self.grid[self.row + 1][self.columns - 1] else self.columns - 1
        queue = []
        for column, rank in sorted(job.plan.raised.items(), key=lambda pair: -pair[1]):
            base = job.plan.word.letters[column]
            pieces = [(column, 2)] * ((1 << (rank - 2)) - 1)
            if base == 1:
                pieces = [(column, 1), *pieces]
            queue += pieces[1:] if seed_is_piece and column == wall else pieces
        return queue

    def _spawn_next(self, direction: Direction, following: _Job, barred: dict[int, range]) -> None:
        """The next piece of the next word, below what is there, on the side of its other pieces where it belongs."""
        if following.placed >= len(following.pieces):
            raise NotPainted("the next row is full before its time")
        side, rank = following.pieces[following.placed]
        row = self.row + 1
        taken = [column for column in range(self.columns) if any(line[column] for line in self.grid[row:])]
        mine = taken if following.placed else []
        free = [
            column
            for column in range(self.columns)
            if column not in taken and rank not in barred.get(column, ())
        ]
        if mine and side > 0:
            free = [column for column in free if column > max(mine)]
        elif mine and side < 0:
            free = [column for column in free if column < min(mine)]
        twos = [column for column in taken if any(line[column] == 1 for line in self.grid[row:])]
        if side == 0 and rank == 2 and len(twos) == 2:
            free = [column for column in free if not twos[0] < column < twos[1]]
        if not free:
            raise NotPainted("there is no column for the next tile")
        # The second 2 of a core goes next to the first: a 4 between them would keep them apart.
        near = mine[0] if mine and rank == 1 and side == 0 else (self.columns - 1) / 2
        column = min(free, key=lambda column: abs(column - near))
        self._spawn(direction, row, column, rank)
        following.placed += 1

    # The board

    def _slide(self, direction: Direction) -> None:
        checkpoint()
        before = self.grid[self.row :]
        self.grid[self.row :] = [slid(row, direction) for row in before]
        if self.grid[self.row :] == before:
            raise NotPainted(f"{direction.name} changes nothing in row {self.row + 1}")

    def _slide_up(self, top: int) -> None:
        columns = list(zip(*self.grid[top:], strict=True))
        after = [slid(column, LEFT) for column in columns]
        if after == columns:
            raise NotPainted(f"UP changes nothing below row {top + 1}")
        self.grid[top:] = list(zip(*after, strict=True))

    def _spawn(self, direction: Direction, row: int, column: int, rank: int) -> None:
        self._put(row, column, rank)
        self.steps.append(Step(direction, row * self.columns + column, rank))

    def _put(self, row: int, column: int, rank: int) -> None:
        if row >= self.rows or self.grid[row][column]:
            raise NotPainted(f"no room for a tile in row {row + 1}, column {column + 1}")
        self.grid[row] = (*self.grid[row][:column], rank, *self.grid[row][column + 1 :])


def _jobs(plans: Sequence[RowPlan]) -> list[_Job]:
    """The words to grow, each with the number of merges that follow it: the carries of a binary counter."""
    jobs = []
    for top, plan in enumerate(plans):
        copies = 1 << plan.doublings
        for copy in range(1, copies + 1):
            ups = (copy & -copy).bit_length() - 1
            jobs.append(_Job(plan, top, ups, plan.word.pieces()))
    return jobs


def begin_opposite(pieces: list[Piece], *, at_left: bool) -> list[Piece]:
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


def _begin_between(pieces: list[Piece], *, not_rank: int, at_left: bool) -> list[Piece]:
    """The pieces so that the first is not of `not_rank`, and the second comes away from the wall where it lies."""
    wanted = 1 if at_left else -1
    first, second, *rest = pieces
    begin_with_twos = [Piece(0, 1), Piece(0, 1), second, *rest]
    exchanged = [Piece(0, second.rank), Piece(wanted, first.rank), *rest]
    choices = [pieces] if second.side in (0, wanted) else [exchanged]
    if first.rank == 2:
        choices.append(begin_with_twos)
    for choice in choices:
        if choice[0].rank != not_rank:
            return choice
    raise NotPainted("the seed would merge with the letter above it")
