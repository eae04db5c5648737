"""`Board`: an immutable grid of empty cells, tiles and bricks, of any size up to 64×64."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from twofold.errors import IllegalMove, InvalidBoard, quote
from twofold.rules.cells import (
    BRICK,
    MAX_RANK,
    bad_rank,
    cell_of_rank,
    cell_of_value,
    cells_text,
    check_size,
    face_value,
    images,
    max_rank,
    split_rows,
    whole,
)
from twofold.rules.direction import DIRECTIONS, Direction, parse_direction
from twofold.rules.notation import format_board, parse_rows
from twofold.rules.slide import Motion, slide_cells

if TYPE_CHECKING:
    from os import PathLike

_Value = TypeVar("_Value")

_CELL_VALUES = bytes([*range(MAX_RANK + 1), BRICK])


@dataclass(frozen=True, slots=True)
class Board:
    """A grid of `rows` × `columns` cells.

    cells: one byte per cell in reading order: 0 is empty, 1 to 60 the rank r of the tile 2^r, 255 a brick.
    Boards are immutable; equal boards compare equal and have equal hashes.
    Raises InvalidBoard for a size outside 1×2 … 64×64, a wrong number of cells, or a rank above 60.
    """

    rows: int
    columns: int
    cells: bytes

    def __post_init__(self) -> None:
        check_size(self.rows, self.columns)
        if not isinstance(self.cells, bytes):
            raise InvalidBoard(f"cells must be bytes, one per cell, not {type(self.cells).__name__}")
        if len(self.cells) != self.rows * self.columns:
            raise InvalidBoard(
                f"a {self.rows}x{self.columns} board has {self.rows * self.columns} cells, "
                f"not {len(self.cells)}"
            )
        wrong = self.cells.translate(None, _CELL_VALUES)
        if wrong:
            raise InvalidBoard(bad_rank(wrong[0]))

    # Making boards

    @classmethod
    def empty(cls, rows: int = 4, columns: int = 4) -> Board:
        """A board with no tile and no brick."""
        check_size(rows, columns)
        return cls(rows, columns, bytes(rows * columns))

    @classmethod
    def from_ranks(cls, rows: Iterable[Iterable[int]]) -> Board:
        """A board from nested ranks: 0 is empty, 255 or -1 a brick."""
        return _from_nested(rows, cell_of_rank)

    @classmethod
    def from_values(cls, rows: Iterable[Iterable[int | str | None]]) -> Board:
        """A board from nested face values: 0 or None is empty, -1 or 'x' a brick."""
        return _from_nested(rows, cell_of_value)

    @classmethod
    def parse(cls, text: str, size: tuple[int, int] | None = None, notation: str | None = None) -> Board:
        """A board from text in any notation; see `parse_board`."""
        return parse_board(text, size, notation)

    def with_cells(self, cells: bytes) -> Board:
        """A board of this size with other cells."""
        return Board(self.rows, self.columns, cells)

    def with_cell(self, cell: int, rank: int) -> Board:
        """This board with the cell of index `cell` set to `rank` (0 empties it, 255 makes a brick)."""
        cell, rank = whole(cell), whole(rank)
        if not 0 <= cell < len(self.cells):
            raise InvalidBoard(f"no cell {cell} on a {self.rows}x{self.columns} board; cells count from 0")
        if not 0 <= rank <= BRICK:
            raise InvalidBoard(bad_rank(rank))
        return self.with_cells(self.cells[:cell] + bytes([rank]) + self.cells[cell + 1 :])

    def without_tiles(self) -> Board:
        """This board with only its bricks."""
        return self.with_cells(bytes(BRICK if cell == BRICK else 0 for cell in self.cells))

    # Looking at boards

    @property
    def size(self) -> tuple[int, int]:
        """(rows, columns)."""
        return self.rows, self.columns

    @property
    def ranks(self) -> tuple[tuple[int, ...], ...]:
        """The ranks row by row; 0 is empty, 255 a brick."""
        return tuple(map(tuple, split_rows(self)))

    @property
    def values(self) -> tuple[tuple[int, ...], ...]:
        """The face values row by row; 0 is empty, -1 a brick."""
        return tuple(tuple(face_value(rank) for rank in row) for row in self.ranks)

    @property
    def empty_cells(self) -> tuple[int, ...]:
        """The indices of the empty cells, in reading order."""
        return tuple(cell for cell, rank in enumerate(self.cells) if not rank)

    @property
    def tile_ranks(self) -> tuple[int, ...]:
        """The ranks of the tiles, in reading order."""
        return tuple(rank for rank in self.cells if 0 < rank < BRICK)

    @property
    def bricks(self) -> tuple[int, ...]:
        """The indices of the bricks, in reading order."""
        return tuple(cell for cell, rank in enumerate(self.cells) if rank == BRICK)

    @property
    def has_bricks(self) -> bool:
        """True if any cell is a brick."""
        return BRICK in self.cells

    @property
    def is_open_4x4(self) -> bool:
        """True for the classic board: 4×4 without bricks."""
        return self.size == (4, 4) and not self.has_bricks

    @property
    def max_rank(self) -> int:
        """The largest rank, 0 if there is no tile."""
        return max_rank(self.cells)

    @property
    def max_tile(self) -> int:
        """The face value of the largest tile, 0 if there is none."""
        return face_value(self.max_rank)

    @property
    def tile_sum(self) -> int:
        """The sum of the face values."""
        return sum(1 << rank for rank in self.tile_ranks)

    @property
    def is_full(self) -> bool:
        """True if no cell is empty."""
        return 0 not in self.cells

    def default_score(self) -> int:
        """The score of this board if only 2s had spawned: Σ (r−1)·2^r over its tiles."""
        return sum((rank - 1) << rank for rank in self.tile_ranks)

    def __getitem__(self, place: tuple[int, int]) -> int:
        """The rank at (row, column), counted from 0 at the top left."""
        row, column = place
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            raise IndexError(f"no cell {place} on a {self.rows}x{self.columns} board")
        return self.cells[row * self.columns + column]

    # Moves

    def slide(self, direction: Direction | str | int) -> Slide:
        """What the move does to this board, before the spawn; a direction in any form of `parse_direction`."""
        known = parse_direction(direction)
        cells, reward, motions = slide_cells(self, known)
        return Slide(self.with_cells(cells), reward, cells != self.cells, motions)

    def is_legal(self, direction: Direction | str | int) -> bool:
        """True if the move changes the board (and makes no tile above the largest). Raises UnknownDirection."""
        known = parse_direction(direction)
        try:
            return slide_cells(self, known)[0] != self.cells
        except IllegalMove:
            return False

    def legal_moves(self) -> tuple[Direction, ...]:
        """The legal moves, in the order of `Direction`."""
        return tuple(direction for direction in DIRECTIONS if self.is_legal(direction))

    @property
    def is_dead(self) -> bool:
        """True if no move is legal."""
        return not any(self.is_legal(direction) for direction in DIRECTIONS)

    # Symmetries

    def transpose(self) -> Board:
        """Mirrored at the main diagonal: rows become columns."""
        cells = b"".join(self.cells[column :: self.columns] for column in range(self.columns))
        return Board(self.columns, self.rows, cells)

    def flip_horizontal(self) -> Board:
        """Left and right swapped."""
        return self.with_cells(b"".join(row[::-1] for row in split_rows(self)))

    def flip_vertical(self) -> Board:
        """Top and bottom swapped."""
        return self.with_cells(b"".join(reversed(split_rows(self))))

    def rotate(self) -> Board:
        """A quarter turn clockwise."""
        return self.transpose().flip_horizontal()

    def symmetries(self) -> tuple[Board, ...]:
        """The eight images: this board, mirrored, flipped, both; then the same of its transpose."""
        sizes = [self.size] * 4 + [self.size[::-1]] * 4
        orders = images(*self.size)
        return tuple(
            Board(*size, bytes(map(self.cells.__getitem__, order)))
            for size, order in zip(sizes, orders, strict=True)
        )

    def symmetric_cells(self) -> tuple[tuple[int, ...], ...]:
        """For each symmetry of the board's shape, the old cell that moves to every cell.

        A square has eight, in the order of `symmetries`; one that moves a brick to a cell without one is left out.
        """
        orders = images(*self.size)
        bricks = set(self.bricks)
        return tuple(
            order
            for order in dict.fromkeys(orders if self.rows == self.columns else orders[:4])
            if {order[cell] for cell in bricks} == bricks
        )

    def canonical(self) -> Board:
        """The same board for all eight images: the least by (rows, columns, cells)."""
        return min(self.symmetries(), key=lambda image: (image.rows, image.columns, image.cells))

    # Texts and pictures

    def format(self, notation: str = "spaced") -> str:
        """This board in a notation; see `twofold.rules.notation.format_board`."""
        return format_board(self, notation)

    def __str__(self) -> str:
        """The spaced map text, for example `2 . 4 .|. . . .|x 16 . .|. . . 2`."""
        return self.format()

    def __repr__(self) -> str:
        return f"Board.parse({self.format()!r})"

    def pretty(self) -> str:
        """A grid of several lines, in plain ASCII."""
        from twofold.rules.draw import to_grid

        return to_grid(self)

    def to_ansi(self) -> str:
        """A picture for a terminal with 24-bit colours."""
        from twofold.rules.draw import to_ansi

        return to_ansi(self)

    def to_svg(self) -> str:
        """A picture as SVG text, with a title for screen readers."""
        from twofold.rules.draw import to_svg

        return to_svg(self)

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return self.to_svg()

    def save(self, path: str | PathLike[str]) -> None:
        """Write a picture: SVG or PNG, by the ending of the path. Raises InvalidFile for another ending."""
        from twofold.rules.draw import save

        save(self, path)


@dataclass(frozen=True, slots=True)
class Slide:
    """What a move does before the spawn.

    `board` is the afterstate, `reward` the points, `changed` false if the move is illegal, and `motions`
    has one entry for every tile, lines in order, the tile nearest the edge first.
    """

    board: Board
    reward: int
    changed: bool
    motions: tuple[Motion, ...]

    def makes(self, rank: int) -> bool:
        """True if a merge makes a tile of at least `rank`."""
        return any(motion.merged and self.board.cells[motion.target] >= rank for motion in self.motions)


def parse_board(text: str, size: tuple[int, int] | None = None, notation: str | None = None) -> Board:
    """The board that `text` shows.

    text: any notation of rules/notation.py, recognised by its look, or the one named by `notation`.
    size: (rows, columns) the board must have; one row of the right number of cells is cut into that size.
    Raises InvalidBoard (InvalidNotation when a notation was named) with one line saying what is wrong.
    """
    return board_of_rows(parse_rows(text, size, notation))


def _from_nested(rows: Iterable[Iterable[_Value]], cell_of: Callable[[_Value], int]) -> Board:
    try:
        nested = [list(row) for row in rows]
    except TypeError:
        raise InvalidBoard(
            f"{quote(rows)} is not a board: write rows of cells, as [[2, 4], [0, 2]]"
        ) from None
    return board_of_rows([[cell_of(value) for value in row] for row in nested])


def board_of_rows(rows: list[list[int]]) -> Board:
    """A board from rows of cell bytes. Raises InvalidBoard if they differ in length."""
    width = len(rows[0]) if rows else 0
    for number, row in enumerate(rows, 1):
        if len(row) != width:
            raise InvalidBoard(
                f"row {number} has {cells_text(len(row))} but row 1 has {width}; make all rows equally long"
            )
    check_size(len(rows), width)
    return Board(len(rows), width, b"".join(map(bytes, rows)))
