"""Boards of a shape: what lies outside the shape is bricks (S4 1.10.4).

Every shape exists at any size from 3×3 and is one connected piece.
"""

from __future__ import annotations

from collections.abc import Callable

from twofold.errors import InvalidBoard, UnknownShape
from twofold.rules.board import Board
from twofold.rules.cells import BRICK, check_size

_SMALLEST = 3


def shape(name: str, rows: int = 4, columns: int = 4) -> Board:
    """An empty board of the shape `name`, one of `SHAPES`, in any case.

    Raises UnknownShape, or InvalidBoard for a size that has no such shape.
    """
    inside = _SHAPES.get(name.strip().lower())
    if inside is None:
        raise UnknownShape(name, SHAPES)
    check_size(rows, columns)
    if min(rows, columns) < _SMALLEST:
        raise InvalidBoard(f"no shape at {rows}x{columns}: shapes need at least {_SMALLEST}x{_SMALLEST}")
    cells = (
        0 if inside(row, column, rows, columns) else BRICK for row in range(rows) for column in range(columns)
    )
    return Board(rows, columns, bytes(cells))


def _in_middle(index: int, count: int) -> bool:
    """True in the middle third of `count` lines, widened to lie evenly."""
    thickness = count // 3
    thickness += (count - thickness) % 2
    return abs(2 * index - count + 1) < thickness


# Counted from the centre of the board, the centre of a cell has the doubled coordinates 2·row − rows + 1 and
# 2·column − columns + 1; all comparisons stay in whole numbers, so that shapes are exactly symmetric.


def _diamond(row: int, column: int, rows: int, columns: int) -> bool:
    down, across = abs(2 * row - rows + 1), abs(2 * column - columns + 1)
    return down * columns + across * rows <= rows * columns


def _circle(row: int, column: int, rows: int, columns: int) -> bool:
    """The ellipse that touches the sides; its corners are always cut."""
    down, across = abs(2 * row - rows + 1), abs(2 * column - columns + 1)
    at_corner = down == rows - 1 and across == columns - 1
    return not at_corner and (down * columns) ** 2 + (across * rows) ** 2 <= (rows * columns) ** 2


_SHAPES: dict[str, Callable[[int, int, int, int], bool]] = {
    "plus": lambda r, c, rows, columns: _in_middle(r, rows) or _in_middle(c, columns),
    # A frame, one cell thick, thicker from 8 lines on.
    "ring": lambda r, c, rows, columns: (
        min(r, c, rows - 1 - r, columns - 1 - c) < max(1, min(rows, columns) // 4)
    ),
    "diamond": _diamond,
    "circle": _circle,
    # Right-angled, the right angle at the bottom left.
    "triangle": lambda r, c, rows, columns: c * rows < (r + 1) * columns,
    # Two side bars of a third of the width, joined by a bar in the middle rows.
    "h": lambda r, c, rows, columns: min(c, columns - 1 - c) < columns // 3 or _in_middle(r, rows),
}

SHAPES: tuple[str, ...] = tuple(_SHAPES)
"""The names of the shapes."""
