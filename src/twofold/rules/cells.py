"""Cells as bytes: what every module of the rules knows of a board without knowing `Board`."""

from __future__ import annotations

import functools
import operator
from typing import Protocol

from twofold.errors import InvalidBoard, quote

BRICK = 255
"""The cell value of a brick: it never moves and blocks sliding."""

MAX_RANK = 60
"""The largest rank; a reward of 2^60 and a long game's score still fit in 64 bits."""

MAX_SIDE = 64
"""The most rows or columns."""


class Grid(Protocol):
    """What pictures and texts are made of: a `Board`, as they see it."""

    @property
    def rows(self) -> int:
        """Number of rows."""

    @property
    def columns(self) -> int:
        """Number of columns."""

    @property
    def cells(self) -> bytes:
        """One byte per cell in reading order: 0 is empty, 1 to 60 the rank r of the tile 2^r, 255 a brick."""


def check_size(rows: int, columns: int) -> None:
    """Raise InvalidBoard unless a board may have this size."""
    for count, what in ((rows, "rows"), (columns, "columns")):
        if not isinstance(count, int) or isinstance(count, bool):
            raise InvalidBoard(f"{what} must be a whole number, not {quote(count)}")
    if not (1 <= rows <= MAX_SIDE and 1 <= columns <= MAX_SIDE and rows * columns >= 2):
        raise InvalidBoard(
            f"no board of {quote(f'{rows}x{columns}')}: sizes go from 1x2 to {MAX_SIDE}x{MAX_SIDE}"
        )


def face_value(rank: int) -> int:
    """The face value of a cell: 2^rank, 0 if it is empty, -1 for a brick."""
    return -1 if rank == BRICK else (1 << rank if rank else 0)


def cell_of_value(value: int | str | None) -> int:
    """The cell byte of a face value: 0 or None is empty, -1 or 'x' a brick. Raises InvalidBoard."""
    if value is None:
        return 0
    if isinstance(value, str):
        if value in ("x", "X"):
            return BRICK
        raise InvalidBoard(f"no tile {quote(value)}: a cell is 0, a power of two up to 2^{MAX_RANK}, or 'x'")
    number = whole(value)
    if number in (0, -1):
        return 0 if number == 0 else BRICK
    if number < 2 or number & (number - 1) or number > 1 << MAX_RANK:
        raise InvalidBoard(f"no tile {quote(number)}: tiles are the powers of two from 2 to 2^{MAX_RANK}")
    return number.bit_length() - 1


def cell_of_rank(rank: int) -> int:
    """The cell byte of a rank: -1 is a brick too. Raises InvalidBoard."""
    number = whole(rank)
    if number == -1:
        return BRICK
    if not (0 <= number <= MAX_RANK or number == BRICK):
        raise InvalidBoard(bad_rank(number))
    return number


def bad_rank(rank: int) -> str:
    """What is wrong with a rank, for a message."""
    return f"no rank {quote(rank)}: ranks go from 0 (empty) to {MAX_RANK}, and {BRICK} is a brick"


def whole(value: object) -> int:
    """`value` as an int, also from numpy's integers; refuses floats, which would be cut off silently."""
    if isinstance(value, bool):
        raise InvalidBoard(f"a cell must be a whole number, not {quote(value)}")
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise InvalidBoard(f"a cell must be a whole number, not {quote(value)}") from None


def cells_text(count: int) -> str:
    """`1 cell`, `3 cells`."""
    return f"{count} cell" if count == 1 else f"{count} cells"


def max_rank(cells: bytes) -> int:
    """The largest rank of some cells, 0 if there is no tile."""
    return max((rank for rank in cells if 0 < rank < BRICK), default=0)


def split_rows(grid: Grid) -> list[bytes]:
    """The cells row by row."""
    return [grid.cells[i : i + grid.columns] for i in range(0, len(grid.cells), grid.columns)]


@functools.lru_cache(maxsize=64)
def images(rows: int, columns: int) -> tuple[tuple[int, ...], ...]:
    """The eight images of a board, for each the cells in the order in which they come to lie.

    Itself, mirrored, upended, both; then the same of its transpose.
    """
    lines = [range(row * columns, (row + 1) * columns) for row in range(rows)]
    return tuple(
        tuple(cell for line in side[::down] for cell in line[::right])
        for side in (lines, list(zip(*lines, strict=True)))
        for down in (1, -1)
        for right in (1, -1)
    )
