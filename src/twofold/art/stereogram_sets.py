"""Sets of textures: polyominoes told apart by an arm, one shape of your own, and pictures bound to places.

In the polyomino set (report S0, figures 25 and 26) every texture hides a column of squares and one more square,
the *arm*, beside it at a place that no other tile has. A pair of opposite designations shows the column and both
arms: with four squares in the column a tile and its own counterpart show a pentomino, two different tiles a
hexomino. The column is at full depth, and so is an arm that both textures have; an arm that only one of them has
is at half depth. A pair of equal designation shows no column, only the two arms, one raised and one sunken.

A column of n squares has 2n + 2 neighbours (S0's four squares: ten). So the column is made as long as the ranks need,
eight squares for ranks 1 to 17; or it keeps the length that is asked for, and further arms lie half a square between
two of these places: four squares then have room for 20 arms, and S0's pentominoes and hexominoes serve every tile of a
4×4 game.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol

import numpy as np

from twofold.art.stereogram import MAX_DOTS, Designation, Dots, Shifts, Texture, check_depth
from twofold.art.stereogram_mask import Mask, fit_mask, half_and_half, levels
from twofold.errors import InvalidParameter, quote
from twofold.rules.cells import MAX_RANK

DOTS = 120
"""Dots along a tile unless told otherwise."""
DEPTH = 4
"""The disparity of a full figure in dots unless told otherwise."""
RANKS = 17
"""The designs of a set unless told otherwise: all tiles of a 4×4 board."""
_SHORTEST, _MIN_SQUARE = 4, 8


class TextureSet(Protocol):
    """Textures for the tiles of a game: one design a rank, each in two designations."""

    @property
    def dots(self) -> int:
        """Dots along a side of every texture."""

    @property
    def depth(self) -> int:
        """The disparity of the figure, in dots, between opposite designations."""

    @property
    def ranks(self) -> int:
        """Designs exist for ranks 1 to this."""

    def texture(self, rank: int, designation: Designation) -> Texture:
        """The picture of a tile; rank 0 is an empty cell, which hides nothing. Raises InvalidParameter."""


class PolyominoSet:
    """A central column with one arm a rank, clockwise: rank 1 on top, then down the right side, and so on."""

    def __init__(
        self,
        ranks: int = RANKS,
        dots: int | None = None,
        depth: int = DEPTH,
        seed: int = 0,
        column: int | None = None,
    ) -> None:
        """A set for ranks 1 to `ranks` at least.

        dots: along a tile, by default 120 or what keeps squares at 8 dots; depth: even, in dots; column: squares of
        the column, at least 4, by default as many as the ranks need in whole squares. Raises InvalidParameter.
        """
        if not 1 <= ranks <= MAX_RANK:
            raise InvalidParameter(f"{quote(ranks)} designs: a set has one for each of 1 to {MAX_RANK} ranks")
        self.column = max(_SHORTEST, -(-(ranks - 2) // 2)) if column is None else column
        least = max(_SHORTEST, -(-(ranks - 4) // 4))
        if not least <= self.column <= MAX_DOTS // _MIN_SQUARE:
            raise InvalidParameter(
                f"a column of {quote(self.column)} squares: ranks up to {ranks} need {least} to "
                f"{MAX_DOTS // _MIN_SQUARE}"
            )
        self._halved = ranks > 2 * self.column + 2
        # Two squares for arms at the ends, and a square of margin at either end.
        squares = self.column + 4
        self.dots = max(DOTS, _MIN_SQUARE * squares) if dots is None else dots
        self._dots = Dots(self.dots, seed)
        self.square = self.dots // squares
        self.depth = check_depth(depth, self.dots)
        if self.square < 2 * self.depth:
            raise InvalidParameter(
                f"{self.dots} dots along a tile give squares of {self.square}: too small for depth {self.depth}; "
                f"take at least {2 * self.depth * squares} dots or a smaller depth"
            )
        self._cached = lru_cache(maxsize=None)(self._make)

    @property
    def ranks(self) -> int:
        """Designs: 2n + 2 with n squares in the column, twice that with halves; at most one a rank that can be."""
        return min(MAX_RANK, (4 if self._halved else 2) * (self.column + 1))

    def arm(self, rank: int) -> tuple[float, float]:
        """(row, column) of the arm of `rank` in the grid of column + 2 rows and 3 columns of squares."""
        if not 1 <= rank <= self.ranks:
            raise InvalidParameter(f"no texture for rank {quote(rank)}: this set has ranks 1 to {self.ranks}")
        length = self.column
        if rank > 2 * length + 2:
            return self._between(rank - 2 * length - 3)
        if rank == 1:
            return 0, 1
        if rank <= length + 1:
            return rank - 1, 2
        if rank == length + 2:
            return length + 1, 1
        return 2 * length + 3 - rank, 0

    def _between(self, number: int) -> tuple[float, float]:
        """The places half a square beside those of whole squares, from 0, clockwise from the top."""
        length = self.column
        right = [(row + 0.5, 2.0) for row in range(1, length)]
        left = [(row, 0.0) for row, _ in reversed(right)]
        return [(0, 1.5), *right, (length + 1, 1.5), (length + 1, 0.5), *left, (0, 0.5)][number]

    def squares(self, *ranks: int) -> set[tuple[float, float]]:
        """The polyomino that a pair of these ranks hides: the column and their arms."""
        return {(row, 1) for row in range(1, self.column + 1)} | {self.arm(rank) for rank in ranks}

    def mask(self, *ranks: int) -> Mask:
        """The same as dots, (dots, dots)."""
        mask = np.zeros((self.dots, self.dots), np.float32)
        top = (self.dots - (self.column + 2) * self.square) // 2
        left = (self.dots - 3 * self.square) // 2
        for row, column in self.squares(*ranks):
            y, x = top + int(row * self.square), left + int(column * self.square)
            mask[y : y + self.square, x : x + self.square] = 1
        return mask

    def texture(self, rank: int, designation: Designation) -> Texture:
        """The picture of a tile; rank 0 is an empty cell, which hides nothing."""
        return self._cached(rank, designation)

    def _make(self, rank: int, designation: Designation) -> Texture:
        if rank == 0:
            return self._dots.plain("empty")
        shift = _shifted(levels(self.mask(rank), self.depth), designation)
        return self._dots.texture(f"{rank}{designation.letter}", shift)


class ShapeSet:
    """One shape of your own in every tile, whatever its rank: each pair of neighbours shows it."""

    def __init__(self, mask: Mask, dots: int = DOTS, depth: int = DEPTH, seed: int = 0) -> None:
        """`mask` of any size, (rows, columns): it is scaled to fit a tile with a margin. Raises InvalidParameter."""
        self._dots = Dots(dots, seed)
        self.dots = dots
        self.depth = check_depth(depth, dots)
        self.ranks = MAX_RANK
        margin = dots // 10
        self.mask: Mask = np.zeros((dots, dots), np.float32)
        self.mask[margin : dots - margin, margin : dots - margin] = fit_mask(
            mask, dots - 2 * margin, dots - 2 * margin
        )
        self._levels = levels(self.mask, depth)
        self._cached = lru_cache(maxsize=None)(self._make)

    def texture(self, rank: int, designation: Designation) -> Texture:
        """The picture of any tile; rank 0 is an empty cell, which hides nothing."""
        if not 0 <= rank <= self.ranks:
            raise InvalidParameter(f"no texture for rank {quote(rank)}: ranks go from 0 to {self.ranks}")
        return self._cached(rank > 0, designation)

    def _make(self, is_tile: bool, designation: Designation) -> Texture:
        if not is_tile:
            return self._dots.plain("empty")
        return self._dots.texture(designation.letter, _shifted(self._levels, designation))


class PositionSet:
    """Textures bound to their places on a full board: together they hide one large picture.

    The board's neighbours in a row fuse to one column of places less; over these the picture is spread. A texture's
    shift is minus the sum of the disparities wanted to its left, so any picture can be hidden; each place is then
    centred, which changes no disparity and keeps shifts small.
    """

    def __init__(
        self,
        rows: int = 4,
        columns: int = 4,
        mask: Mask | None = None,
        dots: int = DOTS,
        depth: int = DEPTH,
        seed: int = 0,
    ) -> None:
        """`mask`: the picture, fitted into rows × (columns − 1) tiles; by default `half_and_half`.

        Raises InvalidParameter.
        """
        if not (1 <= rows <= 16 and 2 <= columns <= 16):
            raise InvalidParameter(
                f"{quote(f'{rows}x{columns}')} textures bound to places: boards go from 1x2 to 16x16"
            )
        self.rows, self.columns, self.dots = rows, columns, dots
        self._dots = Dots(dots, seed)
        self.depth = check_depth(depth, dots)
        height, width = rows * dots, (columns - 1) * dots
        self.picture: Mask = fit_mask(half_and_half() if mask is None else mask, height, width)
        self._levels = levels(self.picture, self.depth)
        self._cached = lru_cache(maxsize=None)(self._make)

    def place(self, row: int, pair: int) -> Shifts:
        """The disparities that textures `pair` and `pair` + 1 of a row are to show, (dots, dots)."""
        size = self.dots
        return self._levels[row * size : (row + 1) * size, pair * size : (pair + 1) * size]

    def texture_at(self, row: int, column: int) -> Texture:
        """The texture of a place, counted from 0 at the top left."""
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            raise InvalidParameter(
                f"no place {quote((row, column))}: the set is for {self.rows}x{self.columns} boards"
            )
        return self._cached(row, column)

    def _make(self, row: int, column: int) -> Texture:
        steps = [self.place(row, pair) for pair in range(self.columns - 1)]
        shifts = np.zeros((self.columns, self.dots, self.dots), np.int16)
        shifts[1:] = -np.cumsum(steps, axis=0)
        middle = (shifts.max(axis=0) + shifts.min(axis=0)) // 2
        return self._dots.texture(f"{row + 1}-{column + 1}", shifts[column] - middle)


def _shifted(depths: Shifts, designation: Designation) -> Shifts:
    """The shift map of one of a pair that shows these disparities: each does half of it, the left one the larger."""
    smaller = depths // 2
    return depths - smaller if designation is Designation.LEFT else -smaller
