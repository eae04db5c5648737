"""Tuples of cells: as text, the usual ones for a board, and their symmetric images.

Tuples are written as in the field, `012345 456789 012456 45689a`: a cell is a digit 0-9a-z in reading order, or a
number if a tuple is written with commas (`0,1,16,17`).
"""

from __future__ import annotations

from collections.abc import Iterable

from twofold.errors import InvalidParameter, quote
from twofold.rules.board import Board

Cells = tuple[int, ...]

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"

MOST_DEFAULT = 1 << 27
"""Entries of a network whose tuples nobody chose."""

DEFAULT_TUPLES = "012345 456789 012456 45689a"
"""Four 6-tuples (Wu, Yeh and others 2014)."""

MOST_BASE = 16
"""Ranks per cell unless asked for: 0 to 15, the tile 32768; larger tiles are downgraded."""


def default_base(board: Board) -> int:
    """Ranks per cell for a board: enough for every tile that can come up on it, or MOST_BASE."""
    return min(MOST_BASE, len(board.empty_cells) + 2)


def default_tuples(board: Board) -> str:
    """Tuples for a board: the four usual ones on 4x4, elsewhere every block of 2x3 cells up to symmetry.

    Where those would need too much memory, blocks of 2x2; on a single row, six cells side by side.
    """
    if board.size == (4, 4):
        return DEFAULT_TUPLES
    images = board.symmetric_cells()
    choices = (((2, 3), (3, 2)), ((2, 2),)) if min(board.size) > 1 else (((6, 6),),)
    for shapes in choices:
        found: dict[Cells, Cells] = {}
        for shape in shapes:
            height, width = min(shape[0], board.rows), min(shape[1], board.columns)
            for row in range(board.rows - height + 1):
                for column in range(board.columns - width + 1):
                    block = [
                        (row + r) * board.columns + column + c for r in range(height) for c in range(width)
                    ]
                    same = min(tuple(sorted(image.index(cell) for cell in block)) for image in images)
                    found.setdefault(same, tuple(block))
        if sum(default_base(board) ** len(cells) for cells in found) <= MOST_DEFAULT:
            break
    return format_tuples(found.values())


def parse_tuples(text: str, cells: int) -> tuple[Cells, ...]:
    """The tuples in `text`, each in reading order; raises InvalidParameter."""
    tuples = []
    for word in text.split():
        try:
            found = (
                [int(part) for part in word.split(",")] if "," in word else [DIGITS.index(c) for c in word]
            )
        except ValueError:
            raise InvalidParameter(
                f"tuple {quote(word)}: cells are digits 0-9a-z in reading order, or numbers with commas"
            ) from None
        if any(not 0 <= cell < cells for cell in found):
            raise InvalidParameter(f"tuple {quote(word)} has a cell outside the board's 0 to {cells - 1}")
        if len(set(found)) < len(found):
            raise InvalidParameter(f"tuple {quote(word)} names a cell twice")
        tuples.append(tuple(sorted(found)))
    if not tuples:
        raise InvalidParameter("a network needs at least one tuple, for example '0123 4567'")
    if len(set(tuples)) < len(tuples):
        raise InvalidParameter(f"{quote(text)} names a tuple twice")
    return tuple(tuples)


def format_tuples(tuples: Iterable[Cells]) -> str:
    """The text that `parse_tuples` reads."""
    words = []
    for cells in tuples:
        if len(cells) > 1 and max(cells) >= len(DIGITS):
            words.append(",".join(str(cell) for cell in cells))
        elif max(cells) >= len(DIGITS):
            raise InvalidParameter(f"a tuple of the single cell {cells[0]} can't be written")
        else:
            words.append("".join(DIGITS[cell] for cell in cells))
    return " ".join(words)


CORNERS = (0, 3, 12, 15)
"""Of the 4x4 board."""


def local_tuples(tuples: Iterable[Cells], board: Board) -> tuple[Cells, ...]:
    """On an open 4x4 board each tuple that begins in a corner as that of its symmetric images whose cells come last.

    Boards are worth the same by any image. But a tuple's first cell is the lowest digit of its entries' numbers: where
    that is a corner, whose tile is large and hardly changes, the entries that a move and the next need lie far apart;
    where it is a cell in the middle they lie side by side, and fewer lines of memory are fetched for them. That is for
    playing: one thread learns faster so too, but two get in each other's way where both write the same lines
    (`python -m benchmarks.training` has the speeds). Tuples without a corner stay, for moving them gains little.
    """
    tuples = tuple(tuples)
    if not board.is_open_4x4:
        return tuples
    images = board.symmetric_cells()
    found: list[Cells] = []
    for cells in tuples:
        near = max(tuple(sorted(image[cell] for cell in cells)) for image in images)
        twice = near in found or (near != cells and near in tuples)  # two images of one tuple stay two
        found.append(near if cells[0] in CORNERS and not twice else cells)
    return tuple(found)
