"""What a game can come to, by search: whether a position arises at all, and short ways to a target with lucky tiles.

A position arises if it is a start, or if one of its 2s and 4s can have spawned on what a slide leaves of another one
that arises. So the search goes back in time, deepest first, towards a start. Each step takes 2 or 4 from the sum of the
tiles: if it ends without a start, there is none.
"""

from __future__ import annotations

import functools
import heapq
from collections.abc import Iterable, Iterator
from itertools import combinations, islice, pairwise, product

from twofold.rules.board import Board
from twofold.rules.direction import DIRECTIONS
from twofold.rules.slide import BRICK, runs, slide_run

Cells = tuple[int, ...]
"""The ranks of a board in reading order, bricks as `BRICK`."""

MOST_POSITIONS = 10_000
"""Earlier positions that are looked at: about a second."""

_AT_ONCE = 48
"""Of the positions before one, how many are put in order before the search goes on."""

_LONGEST = 12
"""Cells of a line whose fillings before a slide are listed."""

MOST_STEPS = 700
"""Moves of a way that is looked for; longer games take too long."""

_WIDTH, _SMALL_WIDTH, _SMALL = 12, 3_000, 6


@functools.lru_cache(maxsize=1 << 16)
def _line(line: Cells) -> tuple[Cells, int]:
    slid, reward, *_ = slide_run(line)
    return tuple(slid), reward


@functools.lru_cache(maxsize=1 << 16)
def _lines_before(line: Cells) -> tuple[Cells, ...]:
    """What a slide, which may change nothing, makes this line of."""
    tiles = [rank for rank in line if rank]
    found = []
    for split in product((False, True), repeat=len(tiles)):
        before: list[int] = []
        for rank, halved in zip(tiles, split, strict=True):
            before += [rank - 1, rank - 1] if halved else [rank]
        if 0 in before:
            continue
        for where in combinations(range(len(line)), len(before)):
            filled = [0] * len(line)
            for cell, rank in zip(where, before, strict=True):
                filled[cell] = rank
            if _line(tuple(filled))[0] == line:
                found.append(tuple(filled))
    return tuple(found)


class _Game:
    """The moves on boards of one shape."""

    def __init__(self, bare: Board) -> None:
        self._runs = [tuple(map(tuple, runs(bare, direction))) for direction in DIRECTIONS]
        self._pairs = [pair for lines in self._runs[:2] for line in lines for pair in pairwise(line)]

    def slides(self, cells: Cells) -> Iterator[tuple[Cells, int]]:
        """The boards after each legal move, and the points."""
        for lines in self._runs:
            after, points = list(cells), 0
            for line in lines:
                slid, reward = _line(tuple(cells[cell] for cell in line))
                points += reward
                for cell, rank in zip(line, slid, strict=True):
                    after[cell] = rank
            left = tuple(after)
            if left != cells:
                yield left, points

    def before(self, cells: Cells, ranks: tuple[int, ...]) -> Iterator[Cells]:
        """The boards that a move and a new tile make this one of, whether they arise or not; some more than once."""
        for cell, rank in enumerate(cells):
            if rank not in ranks:
                continue
            left = (*cells[:cell], 0, *cells[cell + 1 :])
            for lines in self._runs:
                for filled in product(*(_lines_before(tuple(left[cell] for cell in line)) for line in lines)):
                    earlier = list(left)
                    for line, tiles in zip(lines, filled, strict=True):
                        for place, tile in zip(line, tiles, strict=True):
                            earlier[place] = tile
                    if tuple(earlier) != left:
                        yield tuple(earlier)

    @property
    def longest(self) -> int:
        """Cells of its longest line."""
        return max((len(line) for lines in self._runs for line in lines), default=0)

    def promise(self, cells: Cells) -> int:
        """How good a position is, beside its points: the largest merge ahead, less the steps between neighbours."""
        rough = 0
        for one, other in self._pairs:
            a, b = cells[one], cells[other]
            rough += abs(a - b) * min(a, b) if a and b else a or b
        return max((reward for _, reward in self.slides(cells)), default=-(1 << 30)) - rough

    @staticmethod
    def spawns(cells: Cells, ranks: Iterable[int]) -> Iterator[Cells]:
        """The boards after each tile that may appear."""
        empty = [cell for cell, rank in enumerate(cells) if not rank]
        for cell, rank in product(empty, ranks):
            yield (*cells[:cell], rank, *cells[cell + 1 :])


def arises(board: Board, ranks: tuple[int, ...]) -> bool | None:
    """Whether a game comes to a position; None if `MOST_POSITIONS` earlier ones don't tell.

    ranks: of the tiles that appear; a game begins with two of them, or with as many as there is room for.
    """
    starts = min(2, len(board.cells) - len(board.bricks))
    game, position = _Game(board.without_tiles()), tuple(board.cells)
    if game.longest > _LONGEST:
        return None

    def spawned(cells: Cells) -> int:
        return sum(rank in ranks for rank in cells)

    def is_start(cells: Cells) -> bool:
        return spawned(cells) == starts == sum(rank not in (0, BRICK) for rank in cells)

    if is_start(position):
        return True
    seen, looked, stack = {position}, 0, [game.before(position, ranks)]
    while stack:
        part = list(islice(stack[-1], _AT_ONCE))
        looked += len(part)
        if not part:
            stack.pop()
            continue
        new = [cells for cells in dict.fromkeys(part) if cells not in seen]
        if any(map(is_start, new)):
            return True
        if looked > MOST_POSITIONS:
            return None
        seen.update(new)
        # Where more tiles may have appeared last, it is likelier to go on. The last of these is looked at first.
        stack += [game.before(cells, ranks) for cells in sorted(new, key=spawned)]
    return False


def comes_after_a_move(board: Board, ranks: tuple[int, ...]) -> bool:
    """Whether some move and a new tile can have led to a position, from whatever position."""
    game = _Game(board.without_tiles())
    return game.longest > _LONGEST or any(True for _ in game.before(tuple(board.cells), ranks))


def shortest_way(board: Board, ranks: tuple[int, ...], target_rank: int) -> tuple[int | None, bool]:
    """The moves of a short way to a tile, with tiles that appear where they help; and whether none is shorter.

    ranks: of the tiles that appear. A beam search: of the positions after as many moves the `_WIDTH` best by points
    and `promise` are kept. On small boards all are, and the number is exact; None is then "never".
    """
    if board.max_rank >= target_rank:
        return 0, True
    game = _Game(board.without_tiles())
    small = len(board.cells) - len(board.bricks) <= _SMALL
    width, some = (_SMALL_WIDTH, ranks) if small else (_WIDTH, ranks[-1:])
    exact = some == ranks
    beam: dict[Cells, int] = {tuple(board.cells): 0}
    for steps in range(1, MOST_STEPS + 1):
        found: dict[Cells, int] = {}
        for cells, points in beam.items():
            for left, reward in game.slides(cells):
                if target_rank in left:
                    return steps, exact
                for after in game.spawns(left, some):
                    found[after] = max(found.get(after, 0), points + reward)
        if len(found) > width:
            exact = False
            worth = {cells: points + game.promise(cells) for cells, points in found.items()}
            found = {cells: found[cells] for cells in heapq.nlargest(width, found, key=worth.__getitem__)}
        if not found:
            return None, exact
        beam = found
    return None, False


__all__ = ["MOST_STEPS", "arises", "comes_after_a_move", "shortest_way"]
