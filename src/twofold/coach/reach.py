"""What a game can come to, by search: all positions of a sum of tiles, and short ways to a target with lucky tiles."""

from __future__ import annotations

import functools
import heapq
import math
from collections.abc import Iterable, Iterator
from itertools import combinations, pairwise, product

from twofold.rules.board import Board
from twofold.rules.direction import DIRECTIONS
from twofold.rules.slide import runs, slide_run

Cells = tuple[int, ...]
"""The ranks of a board in reading order, bricks as `BRICK`."""

MOST_POSITIONS = 6_000
"""Positions that are looked through: a part of a second."""

MOST_STEPS = 700
"""Moves of a way that is looked for; longer games take too long."""

_WIDTH, _SMALL_WIDTH, _SMALL = 12, 3_000, 6


@functools.lru_cache(maxsize=1 << 16)
def _line(line: Cells) -> tuple[Cells, int]:
    slid, reward, *_ = slide_run(line)
    return tuple(slid), reward


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


def positions_of_sum(bare: Board, ranks: tuple[int, ...], total: int) -> set[Cells] | None:
    """All positions that games on a board without tiles come to whose tiles add up to `total`.

    ranks: of the tiles that appear; a game begins with two of them, or with as many as there is room for. None if that
    takes more than `MOST_POSITIONS`.
    """
    layers, beyond = _layers(bare, ranks)
    return layers.get(total, set()) if total < beyond else None


@functools.lru_cache(maxsize=8)
def _layers(bare: Board, ranks: tuple[int, ...]) -> tuple[dict[int, set[Cells]], float]:
    """The positions by the sum of their tiles, and the sum from which on they aren't all there, inf if all are."""
    game, empty = _Game(bare), bare.empty_cells
    layers: dict[int, set[Cells]] = {}
    for where in combinations(empty, min(2, len(empty))):
        for which in product(ranks, repeat=len(where)):
            start = list(bare.cells)
            for cell, rank in zip(where, which, strict=True):
                start[cell] = rank
            layers.setdefault(sum(1 << rank for rank in which), set()).add(tuple(start))
    count, now = 0, 0
    while now <= max(layers):
        layer = layers.get(now, set())
        count += len(layer)
        if count > MOST_POSITIONS:
            return layers, now + 2
        for cells in layer:
            for left, _ in game.slides(cells):
                for rank in ranks:
                    layers.setdefault(now + (1 << rank), set()).update(game.spawns(left, (rank,)))
        now += 2
    return layers, math.inf


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


__all__ = ["MOST_STEPS", "positions_of_sum", "shortest_way"]
