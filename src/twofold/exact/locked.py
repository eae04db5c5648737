"""Locked tiles: classes of positions with large tiles that never merge until the next target tile is made.

A map's tiles of at least the target are the locked ones; all other tiles are smaller. The question is how likely the
next merge into the target is, as in an endgame table. Two models, both tested against recursion over real tiles:

`fixed`: they stay where they are. A move that would shift or merge one of them is not allowed, and a position without
another move counts as lost; that differs from bricks, since `64 2 2 .` can be slid left but not right. The value is
what the best play reaches that keeps them in place, hence never more than the game's own. Neighbours must differ
(else a slide would merge them); beyond that their face values don't matter, so one table serves every board of the
pattern and, through `endgame.py`, of its images.

`loose`: they move like any tile. All must differ, then no two can merge before the target is made and nothing is
left out: the value is the game's own. It takes many more positions, one for each place they may be in.

If the map has no smaller tiles, the whole class is solved: every way to fill the other cells with tiles below the
target, whether or not play from the start leads there, so that a position met in a game is always found.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InvalidBoard, InvalidParameter, quote
from twofold.exact.states import WordLayout, symmetries_of
from twofold.kernels.board.line_tables import BRICK_NIBBLE, LINES, line_table
from twofold.kernels.exact.canonical import TARGET
from twofold.kernels.exact.locked import FIXED, LOCKED
from twofold.rules.board import Board
from twofold.rules.cells import BRICK
from twofold.rules.slide import slide_run
from twofold.rules.spawn import spawns_of
from twofold.rules.variant import Variant

LOCKS = ("fixed", "loose")
TOP_TARGET = 1 << (LOCKED - 1)
"""The largest target: the smaller tiles have the ranks below the nibble that stands for a locked tile."""

Words = NDArray[np.uint64]
_U = np.uint64
_DISTINCT = 100
"""Ranks from here on stand for locked tiles while lines are slid by the reference: each its own."""


def held_cells(variant: Variant) -> tuple[int, ...]:
    """The cells of the start board with a tile of at least the target: the locked ones."""
    target = variant.target_rank
    return tuple(i for i, rank in enumerate(variant.start.cells) if target <= rank != BRICK)


def starts_of_class(variant: Variant) -> Iterator[tuple[Board, float]]:
    """As `start_boards`: the map itself if it has smaller tiles too, else two spawns beside the locked ones."""
    boards = [(variant.start, 1.0)]
    if is_whole(variant):
        for _ in range(min(1 if variant.empty_start else 2, len(variant.start.empty_cells))):
            boards = [(after, p * q) for board, p in boards for after, q in spawns_of(variant, board)]
    return iter(boards)


def is_whole(variant: Variant) -> bool:
    """Whether every position of the class is solved: the map has no tiles but the locked ones."""
    return len(variant.start.tile_ranks) == len(held_cells(variant))


class LockedWordLayout(WordLayout):
    """How the boards of a class are packed: as a grid, each locked tile in the nibble `LOCKED`.

    variant: the map with its locked tiles, and the target. lock: one of `LOCKS`.
    Raises InvalidBoard or InvalidParameter for a map that is not a class.
    """

    def __init__(self, variant: Variant, lock: str, *, symmetric: bool = True) -> None:
        start = variant.start
        self.loose = lock == "loose"
        self.held = held_cells(variant)
        self._start, self._target = start, variant.target_rank
        if start.rows > 4 or start.columns > 4:
            raise InvalidBoard(f"{quote(str(start))} is not inside 4x4: tiles can be locked there only")
        if variant.target > TOP_TARGET:
            raise InvalidParameter(
                f"target {variant.target} is above {TOP_TARGET}, the largest with locked tiles"
            )
        if not self.held:
            raise InvalidBoard(
                f"{quote(str(start))} has no tile of {variant.target} or more that could be locked"
            )
        if len(self.held) == len(start.cells) - start.cells.count(BRICK):
            raise InvalidBoard(f"{quote(str(start))} has locked tiles only: leave at least one cell free")
        bare = start.without_tiles()
        fence = bytearray(bare.cells)
        if not self.loose:
            for cell in self.held:
                fence[cell] = BRICK
        self._bare = bare
        super().__init__(bare.with_cells(bytes(fence)), None, symmetric=symmetric, place=variant.place)
        self.packing = "locked"
        self.top = LOCKED - 1
        self.with_bricks = True
        self.lines = locked_lines(variant.target_rank)
        self.ws[TARGET] = variant.target_rank
        self.ws[FIXED] = not self.loose
        if not self.loose:
            for cell in self.held:
                self._base ^= (LOCKED ^ BRICK_NIBBLE) << 4 * (
                    cell // start.columns * 4 + cell % start.columns
                )
        self._whole = is_whole(variant)
        self.pack(start)

    def _symmetries(self) -> tuple[bool, ...]:
        return tuple(
            a and b for a, b in zip(symmetries_of(self.shape), symmetries_of(self._bare), strict=True)
        )

    @property
    def target_rank(self) -> int:
        """The rank to be made: locked tiles have at least this one, all others less."""
        return self._target

    def pack(self, board: Board) -> int:
        """The word of a board of the class. Raises InvalidBoard for any other."""
        if board.without_tiles() != self._bare:
            raise InvalidBoard(f"{quote(str(board))} is not a board of the shape {quote(str(self._bare))}")
        large = tuple(i for i, rank in enumerate(board.cells) if self._target <= rank != BRICK)
        if len(large) != len(self.held) if self.loose else large != self.held:
            where = "as many" if self.loose else "the same"
            raise InvalidBoard(
                f"{quote(str(board))} is not in the class of {quote(str(self._start))}: "
                f"tiles of {1 << self._target} and more must lie on {where} cells"
            )
        self._check_differ(board, large)
        word = self._base
        for cell, bit in self.bits.items():
            rank = board.cells[cell]
            word |= (LOCKED if rank >= self._target else rank) << bit
        return word

    def _check_differ(self, board: Board, large: tuple[int, ...]) -> None:
        cells, columns = board.cells, board.columns
        if self.loose:
            equal = len({cells[cell] for cell in large}) < len(large)
        else:
            equal = any(
                cells[a] == cells[b] and (b == a + columns or (b == a + 1 and b % columns))
                for a in large
                for b in large
            )
        if equal:
            which = "all" if self.loose else "neighbouring"
            raise InvalidBoard(f"{quote(str(board))}: {which} locked tiles must differ, or they would merge")

    def unpack(self, word: int) -> Board:
        """A board of the word, with the map's own locked tiles in some order that keeps it in the class."""
        if not self.loose:
            cells = bytearray(self._start.cells)
            for cell, bit in self.bits.items():
                cells[cell] = word >> bit & 15
            return self._start.with_cells(bytes(cells))
        tiles = iter(sorted((self._start.cells[cell] for cell in self.held), reverse=True))
        cells = bytearray(self._bare.cells)
        for cell, bit in self.bits.items():
            rank = word >> bit & 15
            cells[cell] = next(tiles) if rank == LOCKED else rank
        return self._start.with_cells(bytes(cells))

    def sum_of(self, word: int) -> int:
        """Half the sum of the smaller tiles."""
        ranks = [word >> bit & 15 for bit in self.bits.values()]
        return sum(1 << rank >> 1 for rank in ranks if rank != LOCKED)

    def layer_of(self, board: Board) -> int:
        """Half the sum of the smaller tiles."""
        return sum(1 << rank >> 1 for rank in board.cells if rank < self._target)

    def largest_rank(self, words: Words) -> int:
        """The largest rank of a smaller tile on any of these boards."""
        ranks = [(words >> _U(bit)) & _U(15) for bit in self.bits.values()]
        return max(int(np.where(each == LOCKED, 0, each).max()) for each in ranks)

    # The whole class

    @property
    def layers(self) -> range:
        """The layers of the class, the one without smaller tiles left out; none unless it is solved whole."""
        free = len(self.bits) - (len(self.held) if self.loose else 0)
        return range(1, (free << self._target - 2) + 1) if self._whole else range(0)

    def every(self, layer: int) -> Words:
        """The canonical boards of a layer of the class."""
        if layer not in self.layers:
            return np.empty(0, _U)
        held = len(self.held) if self.loose else 0
        first, second = self._halves
        found = [
            (one[:, None] | second[layer - total, held - count][None, :]).ravel()
            for (total, count), one in first.items()
            if (layer - total, held - count) in second
        ]
        if not found:
            return np.empty(0, _U)
        words = np.concatenate(found) | _U(self._base)
        self.make_canonical(words)
        return np.unique(words)

    @functools.cached_property
    def _halves(self) -> tuple[dict[tuple[int, int], Words], dict[tuple[int, int], Words]]:
        """Each half of the free cells filled in every way: words by half their sum and number of locked tiles."""
        bits = list(self.bits.values())
        return self._fillings(bits[: len(bits) // 2]), self._fillings(bits[len(bits) // 2 :])

    def _fillings(self, bits: list[int]) -> dict[tuple[int, int], Words]:
        words, sums, counts = np.zeros(1, _U), np.zeros(1, np.int64), np.zeros(1, np.int64)
        ranks = np.array([*range(self._target), *([LOCKED] if self.loose else [])])
        is_held = ranks == LOCKED
        faces = np.where(is_held, 0, 1 << ranks >> 1)
        for bit in bits:
            words = (words[:, None] | (ranks.astype(_U) << _U(bit))[None, :]).ravel()
            sums = (sums[:, None] + faces[None, :]).ravel()
            counts = (counts[:, None] + is_held[None, :]).ravel()
        keys = sums * 17 + counts
        order = np.argsort(keys, kind="stable")
        edges = np.flatnonzero(np.diff(keys[order], prepend=-1))
        parts = np.split(words[order], edges[1:])
        return {divmod(int(keys[order[at]]), 17): part for at, part in zip(edges, parts, strict=True)}


@functools.cache
def locked_lines(target_rank: int) -> Words:
    """The line table for bricks with nibble `LOCKED` as tiles that all differ, and bit 63 where the target is made."""
    table = line_table(with_bricks=True).copy()
    line = np.arange(LINES)
    with_locked = np.any([line >> 4 * i & 15 == LOCKED for i in range(4)], axis=0)
    for at in np.flatnonzero(with_locked).tolist():
        ranks = [at >> 4 * i & 15 for i in range(4)]
        left, points = _slid(ranks)
        right, _ = _slid(ranks[::-1])
        both = sum(rank << 4 * i for i, rank in enumerate([*left, *right[::-1]]))
        table[at] = both | points << 32
    # No other tile has the target's rank, and a slide makes the same tiles both ways.
    wins = np.any([(table >> _U(4 * i) & _U(15)) == _U(target_rank) for i in range(4)], axis=0)
    lines: Words = table | (wins.astype(_U) << _U(63))
    return lines


def _runs(ranks: list[int]) -> Iterator[list[int]]:
    """The runs between walls, each locked tile with a rank of its own."""
    run: list[int] = []
    for i, rank in enumerate(ranks):
        if rank == BRICK_NIBBLE:
            yield run
            run = []
        else:
            run.append(_DISTINCT + i if rank == LOCKED else rank)
    yield run


def _slid(ranks: list[int]) -> tuple[list[int], int]:
    """A line slid towards its first cell by the reference, and its points."""
    out: list[int] = []
    points = 0
    for run in _runs(ranks):
        slid, earned, _ = slide_run(run)
        out += [LOCKED if rank >= _DISTINCT else min(rank, LOCKED - 1) for rank in slid]
        out.append(BRICK_NIBBLE)
        points += earned
    return out[: len(ranks)], points
