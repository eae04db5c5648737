"""Boards as words for exact play: how a shape is packed, which symmetries it has, where games start.

Every board with at most 16 free cells and tiles up to 2^15 (2^14 if the word also has to hold bricks) can be packed:
boards inside 4x4 as a grid, all others cell by cell (kernels/exact/canonical.py).
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InvalidBoard, InvalidVariant, quote
from twofold.exact.luck import BETTER, extreme_afterstates
from twofold.kernels.board.line_tables import BRICK_NIBBLE, line_table
from twofold.kernels.compiling import clone
from twofold.kernels.exact import bellman, canonical, locked
from twofold.rules.board import Board
from twofold.rules.cells import images
from twofold.rules.direction import Direction
from twofold.rules.slide import runs
from twofold.rules.spawn import spawns_of
from twofold.rules.variant import CORNERS, Variant

MAX_CELLS = 16
"""The most free cells of a board that can be solved: its word has 64 bits."""

_U = np.uint64
_ALL = (1 << 64) - 1


def symmetries_of(board: Board) -> tuple[bool, ...]:
    """Which of the board's eight images leave its size and bricks as they are."""
    bare = board.without_tiles()
    return tuple(image == bare for image in bare.symmetries())


def symmetric_images(board: Board) -> tuple[Board, ...]:
    """The images of a board with tiles under the symmetries of its shape, itself among them."""
    return tuple(image for image, same in zip(board.symmetries(), symmetries_of(board), strict=True) if same)


@dataclass(frozen=True)
class Passes:
    """The compiled passes of kernels/exact/bellman.py for one way of packing and one objective."""

    expand_states: Any
    expand_afterstates: Any
    value_states: Any
    value_afterstates: Any
    add_spawns: Any
    joined: Any
    canonical_all: Any
    count_raw: Any
    moves_of: Any


PACKINGS: dict[str, dict[str, Any]] = {
    "grid": canonical.GRID,
    "nibbles": canonical.NIBBLES,
    "locked": locked.LOCKED_GRID,
}
"""The operations of each way of packing a board into a word."""


@functools.cache
def passes_for(packing: str, chance: bool, luck: str = "") -> Passes:
    """The passes for one of `PACKINGS`; compiled when first called, then stored on disk. luck: as in `Problem`."""
    boards = PACKINGS[packing]
    values: dict[str, Any] = bellman.CHANCE if chance else bellman.SCORE
    parts = {name: boards[name] for name in ("slides", "upright", "free_cells", "canonical", "stabiliser")}
    spawned = {"find_spawned": clone(bellman.find_spawned, parts, cached=False)}

    def with_values(template: Any) -> Any:
        return clone(template, parts | values)

    def plain(template: Any) -> Any:
        return clone(template, parts)

    return Passes(
        plain(bellman.expand_states),
        plain(bellman.expand_afterstates),
        with_values(bellman.value_states),
        clone(extreme_afterstates, spawned | {"better": BETTER[luck]})
        if luck
        else clone(bellman.value_afterstates, spawned | values),
        with_values(bellman.add_spawns),
        with_values(bellman.joined),
        plain(bellman.canonical_all),
        plain(bellman.count_raw),
        plain(bellman.moves_of),
    )


class WordLayout:
    """How the boards of one shape are packed into words, for one target and spawn place.

    shape: the board without tiles. target_rank: the rank that wins, or None. symmetric: merge symmetric boards.
    place: the spawn place of a `Variant`; a corner breaks every symmetry. bits: for each free cell the place of its
    rank in the word. packing: which of `PACKINGS` it is.
    Raises InvalidBoard for a shape of more than 16 free cells.
    """

    def __init__(
        self, shape: Board, target_rank: int | None, *, symmetric: bool = True, place: str = "random"
    ) -> None:
        free = shape.empty_cells
        if len(free) > MAX_CELLS:
            raise InvalidBoard(
                f"{quote(str(shape))} has {len(free)} free cells: exact play allows up to {MAX_CELLS}, "
                "which fit in 64 bits"
            )
        self.shape = shape
        self.grid = shape.rows <= 4 and shape.columns <= 4
        self.packing = "grid" if self.grid else "nibbles"
        self.with_bricks = self.grid and len(free) < MAX_CELLS
        self.top = BRICK_NIBBLE - 1 if self.with_bricks else BRICK_NIBBLE
        self.bits = {
            cell: 4 * (cell // shape.columns * 4 + cell % shape.columns) if self.grid else 4 * i
            for i, cell in enumerate(free)
        }
        self._base = 0
        if self.grid:
            inside = sum(15 << bit for bit in self.bits.values())
            self._base = _ALL & ~inside
        flags = self._symmetries()
        if not symmetric or place in CORNERS:
            flags = (True, *[False] * 7)
        self.group = sum(flags)
        self.ws: NDArray[np.uint64] = np.zeros(canonical.PARAMETERS, _U)
        self.ws[canonical.TARGET] = 16 if target_rank is None else target_rank
        self._set_spawns(place)
        if self.grid:
            self._set_grid(flags)
            self.lines = winning_lines(self.with_bricks, target_rank)
        else:
            self.lines = self._set_nibbles(flags)

    def _symmetries(self) -> tuple[bool, ...]:
        return symmetries_of(self.shape)

    def _set_spawns(self, place: str) -> None:
        if place not in CORNERS:
            return
        order = Variant(start=self.shape, place=place).place_order()
        bits = [self.bits[cell] for cell in order if cell in self.bits]
        self.ws[canonical.CORNER] = 1
        self.ws[canonical.ORDER : canonical.ORDER + len(bits)] = bits

    def _set_grid(self, flags: tuple[bool, ...]) -> None:
        rows, columns = self.shape.rows, self.shape.columns
        edge = 0
        for row in range(4):
            for column in range(4):
                if row >= rows or column >= columns:
                    edge |= 15 << (16 * row + 4 * column)
        self.ws[canonical.EDGE] = edge
        self.ws[canonical.SHIFT_X] = 4 * (4 - columns)
        self.ws[canonical.SHIFT_Y] = 16 * (4 - rows)
        for k in range(7):
            self.ws[canonical.NO_IMAGE + k] = 0 if flags[k + 1] else _ALL
        self.ws[canonical.TURNS] = any(flags[4:])
        self.ws[canonical.TRANSPOSED_IS_EQUAL] = flags[4]

    def _set_nibbles(self, flags: tuple[bool, ...]) -> NDArray[np.uint64]:
        """The runs of both axes, then the permutations of the other images, as one array."""
        out: list[int] = []
        for direction in (Direction.LEFT, Direction.UP):
            found = list(runs(self.shape, direction))
            out.append(len(found))
            for run in found:
                out += [len(run), *(self.bits[cell] for cell in run)]
        self.ws[canonical.FREE] = sum(1 << bit for bit in self.bits.values())
        self.ws[canonical.IMAGES_AT] = len(out)
        out.append(len(self.bits))
        others = 0
        for numbered, is_symmetry in list(zip(images(*self.shape.size), flags, strict=True))[1:]:
            if is_symmetry:
                others += 1
                out += [self.bits[numbered.index(cell)] for cell in self.bits]
        self.ws[canonical.IMAGES] = others
        return np.array(out, _U)

    def pack(self, board: Board) -> int:
        """The word of a board of this shape, not yet canonical.

        Raises InvalidBoard for another shape or a tile that doesn't fit.
        """
        if board.without_tiles() != self.shape:
            raise InvalidBoard(f"{quote(str(board))} is not a board of the shape {quote(str(self.shape))}")
        if board.max_rank > self.top:
            raise InvalidBoard(
                f"{quote(str(board))} has a tile above {1 << self.top}, the largest in this game"
            )
        word = self._base
        for cell, bit in self.bits.items():
            word |= board.cells[cell] << bit
        return word

    def unpack(self, word: int) -> Board:
        """The board of a word."""
        cells = bytearray(self.shape.cells)
        for cell, bit in self.bits.items():
            cells[cell] = word >> bit & 15
        return self.shape.with_cells(bytes(cells))

    def canonical(self, word: int) -> int:
        """The least image of a word under the board's symmetries."""
        one = np.array([word], _U)
        self.make_canonical(one)
        return int(one[0])

    def make_canonical(self, words: NDArray[np.uint64]) -> None:
        """Replace each word by its least image."""
        passes_for(self.packing, True).canonical_all(self.ws, self.lines, words)

    def sum_of(self, word: int) -> int:
        """Half the sum of the face values: the number of its layer."""
        return sum((1 << (word >> bit & 15)) // 2 for bit in self.bits.values())

    def layer_of(self, board: Board) -> int:
        """`sum_of` its word."""
        return board.tile_sum // 2

    def largest_rank(self, words: NDArray[np.uint64]) -> int:
        """The largest rank on any of these boards."""
        return max(int(((words >> _U(bit)) & _U(15)).max()) for bit in self.bits.values())

    def every(self, layer: int) -> NDArray[np.uint64]:
        """Canonical boards of a layer that are to be solved whether or not play leads to them: here none."""
        return np.empty(0, _U)

    @property
    def layers(self) -> range:
        """The layers that `every` has boards in."""
        return range(0)

    def moves(self, board: Board) -> tuple[tuple[int, int, bool] | None, ...]:
        """For UP, RIGHT, DOWN, LEFT: the canonical afterstate, the points and whether it wins; None if illegal."""
        out = np.zeros(8, _U)
        passes_for(self.packing, True).moves_of(self.ws, self.lines, _U(self.pack(board)), out)
        return tuple(
            (int(out[d]), int(out[4 + d]) & 0x7FFFFFFF, bool(int(out[4 + d]) >> 31)) if out[d] else None
            for d in range(4)
        )


def winning_lines(with_bricks: bool, target_rank: int | None) -> NDArray[np.uint64]:
    """The line table with bit 63 set where a merge makes a tile of at least the target's rank."""
    table = line_table(with_bricks)
    if target_rank is None:
        return table
    line = np.arange(65536)
    before = np.stack([line >> 4 * i & 15 for i in range(4)])
    slid = (table & _U(0xFFFF)).astype(np.int64)
    after = np.stack([slid >> 4 * i & 15 for i in range(4)])
    rank_end = BRICK_NIBBLE if with_bricks else BRICK_NIBBLE + 1

    def above(cells: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        big = (cells >= target_rank) & (cells < rank_end)
        return big.sum(0), np.where(big, 1 << cells, 0).sum(0)

    count, total = above(before)
    count_after, total_after = above(after)
    # Merges into the target add to the total of the large tiles, merges of large tiles lower their number.
    made = (total_after - total) >> target_rank
    wins = (made > 0) | (count + made > count_after) | ((table >> _U(32)) >= _U(1 << rank_end))
    return table | (wins.astype(_U) << _U(63))


def start_boards(variant: Variant) -> Iterator[tuple[Board, float]]:
    """Every board a game can start from, with its probability; equal boards may come several times.

    The map's own tiles if it has some, else two spawns (one with an empty start), as in `Game`.
    """
    boards = [(variant.start, 1.0)]
    for _ in range(variant.start_spawns):
        boards = [(after, chance * p) for board, chance in boards for after, p in spawns_of(variant, board)]
    return iter(boards)


def check_variant(variant: Variant) -> None:
    """Raise InvalidVariant for rules that can't be solved: spawns that follow an adversary or a script."""
    if not variant.is_drawn:
        raise InvalidVariant(f"exact play supports random and corner spawns, not {quote(variant.style)}")
