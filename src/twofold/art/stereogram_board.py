"""Boards of stereogram textures, and their viewing keys.

Two neighbours in a row fuse to one picture if their designations are opposite, so along a row they must alternate
(report S0). A tile's texture is therefore chosen by its neighbour to the left: the other designation. Since that
goes for every tile of the row, the designation follows from the column alone, and a live game needs nothing but
the board. Seen with parallel eyes, pairs with the left texture on the left are raised and the next ones sunken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from twofold.art.stereogram import Designation, Shifts, Texture, disparity
from twofold.art.stereogram_mask import Mask, half_and_half
from twofold.art.stereogram_match import agreement, match
from twofold.art.stereogram_sets import DEPTH, DOTS, RANKS, PolyominoSet, PositionSet, ShapeSet, TextureSet
from twofold.errors import InvalidParameter, did_you_mean, quote
from twofold.registry import load_attribute
from twofold.rules.board import Board, parse_board
from twofold.rules.cells import BRICK

SETS = ("polyomino", "shape", "positions")
_EXAMPLE = "2 4 8 16|256 128 64 32|512 1024 2048 4096|65536 32768 16384 8192"


def designation_at(column: int, first: Designation = Designation.RIGHT) -> Designation:
    """The designation of the tiles of a column, counted from 0, if the leftmost column has `first`.

    S0's figure 28 begins with a right one: of its three fused columns the middle one is raised to parallel eyes.
    """
    return first if column % 2 == 0 else first.other


@dataclass(frozen=True, eq=False)
class Pair:
    """Two neighbours in a row and what they hide.

    row, column: the left one's place, from 0; crossed: whether it is for crossed eyes, and not for parallel ones.
    """

    row: int
    column: int
    left: Texture
    right: Texture
    crossed: bool = False

    @property
    def disparity(self) -> Shifts:
        """The viewing key: disparities in dots, positive where it is seen raised."""
        return self._sign * disparity(self.left, self.right)

    def seen(self) -> Shifts:
        """What a stereo matcher sees in the dots alone: disparities, like the key's."""
        return self._sign * match(self.left.bits, self.right.bits, self._most + 2)

    @property
    def _sign(self) -> np.int16:
        return np.int16(-1 if self.crossed else 1)

    def found(self) -> float:
        """The share of dots at which a stereo matcher sees what the key says, from 0 to 1.

        Dots within one disparity of an edge are left out, as one eye sees there what the other does not.
        """
        return agreement(self.seen(), self.disparity, self._most)

    @property
    def _most(self) -> int:
        return int(max(np.abs(self.disparity).max(), 1))


@dataclass(frozen=True, eq=False)
class StereoBoard:
    """Textures in rows and columns.

    textures: None where there is none (a brick); depth: the disparity of a full figure, in dots; crossed: whether it is
    for crossed eyes, and not for parallel ones.
    """

    textures: tuple[tuple[Texture | None, ...], ...]
    depth: int
    crossed: bool = False

    def __repr__(self) -> str:
        rows, columns = self.size
        return f"StereoBoard({rows}x{columns}, {self.dots} dots, depth={self.depth})"

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return str(load_attribute("twofold.art.stereogram_draw:to_svg")(self))

    @property
    def size(self) -> tuple[int, int]:
        """(rows, columns)."""
        return len(self.textures), len(self.textures[0])

    @property
    def dots(self) -> int:
        """Dots along a side of a texture."""
        return next((texture.dots for row in self.textures for texture in row if texture is not None), 1)

    def pairs(self) -> list[Pair]:
        """All neighbours in rows, in reading order, bricks left out."""
        return [
            Pair(row, column, left, right, self.crossed)
            for row, textures in enumerate(self.textures)
            for column, (left, right) in enumerate(pairwise(textures))
            if left is not None and right is not None
        ]


def board_textures(board: Board, textures: TextureSet, first: Designation = Designation.RIGHT) -> StereoBoard:
    """The board in the textures of a set, alternating along every row; an empty cell hides nothing.

    Raises InvalidParameter if the set has no texture for one of the tiles.
    """
    return StereoBoard(
        tuple(
            tuple(
                None if rank == BRICK else textures.texture(rank, designation_at(column, first))
                for column, rank in enumerate(row)
            )
            for row in board.ranks
        ),
        textures.depth,
    )


def position_board(textures: PositionSet) -> StereoBoard:
    """The full board of a set bound to places."""
    return StereoBoard(
        tuple(
            tuple(textures.texture_at(row, column) for column in range(textures.columns))
            for row in range(textures.rows)
        ),
        textures.depth,
    )


def set_sheet(
    textures: TextureSet, ranks: int, columns: int = 2, left: Designation = Designation.LEFT
) -> StereoBoard:
    """Every design of a set as a pair, left designation on the left (S0's figure 25).

    columns: pairs a row; left: another designation for the left. Raises InvalidParameter if the set has fewer designs.
    """
    if ranks < 1 or columns < 1:
        raise InvalidParameter(f"a sheet of {ranks} designs in {columns} columns has no pairs")
    cells: list[Texture | None] = []
    for rank in range(1, ranks + 1):
        cells += [textures.texture(rank, left), textures.texture(rank, left.other)]
    width = 2 * min(columns, ranks)
    cells += [None] * (-len(cells) % width)
    return StereoBoard(
        tuple(tuple(cells[i : i + width]) for i in range(0, len(cells), width)), textures.depth
    )


@dataclass(frozen=True, eq=False)
class Stereogram:
    """The settings of a stereogram; refuses combinations that don't fit together.

    Attributes:
        board: None for one with the tiles 2 to 65536; set: one of `SETS`, None for `shape` with a mask and else
            `polyomino`.
        mask: the shape of every tile of the set `shape`, or the picture of `positions`; sheet: all designs of the set
            instead of a board; size: rows and columns of `positions`.
        designs: of `polyomino`, None for 17 or what the board needs; column: squares of its column, 4 for S0's
            pentominoes and hexominoes, None for as many as the designs need in whole squares.
        first: designation of the leftmost column, as parallel eyes see it; crossed: for crossed eyes, which then see
            what parallel ones see without it.
        depth: of figures, in dots; dots: along a tile, None for the usual 120; seed: of the ground.

    Raises InvalidParameter.
    """

    board: Board | None = None
    set: str | None = None
    mask: Mask | None = None
    sheet: bool = False
    size: tuple[int, int] | None = None
    designs: int | None = None
    first: Designation = Designation.RIGHT
    depth: int = DEPTH
    dots: int | None = None
    seed: int = 0
    column: int | None = None
    crossed: bool = False

    def __post_init__(self) -> None:
        name = self.set_name
        if name not in SETS:
            raise InvalidParameter(
                f"--set {quote(name)} is not a set{did_you_mean(name, SETS)} (known: {', '.join(SETS)})"
            )
        for option in ("designs", "column"):
            if name != "polyomino" and getattr(self, option) is not None:
                raise InvalidParameter(f"--{option} is for --set polyomino")
        if name == "positions" and (self.board is not None or self.sheet):
            raise InvalidParameter("--set positions is a board of its own: leave out --board and --sheet")
        if name != "positions" and self.size is not None:
            raise InvalidParameter("--size is for --set positions: a --board has a size")
        if name == "shape" and self.mask is None:
            raise InvalidParameter("--set shape needs a --mask, for example --mask '.##.|####|.##.'")
        if name == "polyomino" and self.mask is not None:
            raise InvalidParameter("--mask is for --set shape or positions")

    @property
    def set_name(self) -> str:
        """The set that is used."""
        return self.set or ("polyomino" if self.mask is None else "shape")

    def textures(self) -> StereoBoard:
        """The textures that show it. Raises InvalidParameter for sizes that can't be drawn."""
        made = self._parallel()
        return replace(made, crossed=True) if self.crossed else made

    def _parallel(self) -> StereoBoard:
        dots = DOTS if self.dots is None else self.dots
        if self.set_name == "positions":
            rows, columns = self.size or (4, 4)
            mask = half_and_half() if self.mask is None else self.mask
            return position_board(
                PositionSet(rows, columns, -mask if self.crossed else mask, dots, self.depth, self.seed)
            )
        shown = self.board or parse_board(_EXAMPLE)
        if self.sheet:
            textures, designs = self._set(RANKS)
            return set_sheet(textures, designs, left=Designation(self._sign))
        return board_textures(shown, self._set(shown.max_rank)[0], Designation(self._sign * self.first))

    @property
    def _sign(self) -> int:
        return -1 if self.crossed else 1

    def _set(self, ranks: int) -> tuple[TextureSet, int]:
        """The set for these ranks, and its designs."""
        if self.mask is not None:
            return ShapeSet(self.mask, DOTS if self.dots is None else self.dots, self.depth, self.seed), 1
        designs = max(RANKS, ranks) if self.designs is None else self.designs
        return PolyominoSet(designs, self.dots, self.depth, self.seed, self.column), designs

    def of_boards(self, boards: Iterable[Board]) -> Iterator[StereoBoard]:
        """The boards of a game as this says, all in the same textures. Raises InvalidParameter for other sets."""
        if self.set_name == "positions" or self.sheet:
            raise InvalidParameter(
                "a game is shown in the sets polyomino and shape: leave out --sheet and positions"
            )
        shown = list(boards)
        textures, _ = self._set(max((board.max_rank for board in shown), default=1))
        for board in shown:
            made = board_textures(board, textures, Designation(self._sign * self.first))
            yield replace(made, crossed=self.crossed)


def board_for(
    board: Board, seed: int = 0, dots: int | None = None, depth: int | None = None, *, crossed: bool = False
) -> StereoBoard:
    """The board in the polyomino set that has a design for its largest tile (17 at least).

    crossed: for crossed eyes, and not for parallel ones.
    """
    return Stereogram(
        board, dots=dots, depth=DEPTH if depth is None else depth, seed=seed, crossed=crossed
    ).textures()


def key_text(pair: Pair, depth: int, width: int = 24) -> list[str]:
    """A pair's viewing key as lines of characters, `width` a line: where the eyes see what.

    `#` raised by `depth` dots, `+` by about half, `=` sunken by `depth`, `-` by about half, `.` flat. Lines are half
    as many, as characters are about twice as high as wide.
    """
    key = pair.disparity
    y = (2 * np.arange(max(1, width // 2)) + 1) * key.shape[0] // (2 * max(1, width // 2))
    x = (2 * np.arange(width) + 1) * key.shape[1] // (2 * width)
    marks = {(1, True): "#", (1, False): "+", (-1, True): "=", (-1, False): "-"}
    return [
        "".join(
            marks.get((int(np.sign(key[row, column])), 2 * abs(int(key[row, column])) > depth), ".")
            for column in x
        )
        for row in y
    ]
