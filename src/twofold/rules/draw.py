"""Pictures of a board: a text grid, colours for a terminal, SVG and PNG.

All of them show any rank: colours come from `rules/palette.py`, and a number that is too wide for its cell
is written smaller (or, in text, widens the cells), never cut off.
"""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike, fspath
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from twofold.errors import InvalidFile, InvalidParameter, quote
from twofold.files import replacing, write_file
from twofold.rules.cells import BRICK, Grid, face_value, max_rank, split_rows
from twofold.rules.palette import FRAME, Colours, colours, hex_colour

if TYPE_CHECKING:
    from PIL import Image

CELL = 100
"""Side of a cell in an SVG picture, in its own units."""

GAP = 12
"""Width of the frame between cells, in the same units."""

_RADIUS = 8
_LARGEST_TEXT = 46.0
_TEXT_WIDTH = 0.86  # of a cell, for the widest number
_DIGIT_WIDTH = 0.62  # of the text's size: wide enough for the digits of common bold sans-serif fonts
_MAX_PIXELS = 8192
_RESET = "\x1b[0m"


def cell_text(rank: int) -> str:
    """What is written on a cell: the face value, `x` for a brick, nothing if it is empty."""
    return "" if rank == 0 else "x" if rank == BRICK else str(face_value(rank))


def text_size(text: str, cell: float) -> float:
    """The size of a text on a cell of side `cell`, so that its digits fit, in the same unit."""
    fitting = _TEXT_WIDTH * cell / (_DIGIT_WIDTH * max(len(text), 1))
    return min(_LARGEST_TEXT * cell / CELL, fitting)


def describe(board: Grid) -> str:
    """The board in words, row by row, for a screen reader."""
    names = {0: "empty", BRICK: "brick"}
    rows = (
        f"row {number}: " + ", ".join(names.get(rank) or str(face_value(rank)) for rank in row)
        for number, row in enumerate(split_rows(board), 1)
    )
    return f"2048 board, {board.rows} by {board.columns}; " + "; ".join(rows)


# Text


def to_grid(board: Grid) -> str:
    """The board as lines of plain ASCII, one row of cells a line; `.` is empty and `x` a brick."""
    width = max(4, len(str(face_value(max_rank(board.cells)))))
    rule = "+" + "+".join(["-" * (width + 2)] * board.columns) + "+"
    lines = [rule]
    for row in split_rows(board):
        lines.append("|" + "|".join(f" {cell_text(rank) or '.':>{width}} " for rank in row) + "|")
        lines.append(rule)
    return "\n".join(lines)


def to_ansi(board: Grid, height: int = 3) -> str:
    """The board as lines for a terminal with 24-bit colours.

    height: lines per cell, 1 to 9; the number stands in the middle one. Every line ends in a reset.
    """
    return "\n".join(ansi_lines(board, height))


def ansi_lines(board: Grid, height: int = 3) -> list[str]:
    """The lines of `to_ansi`, all of one width."""
    if not 1 <= height <= 9:
        raise InvalidParameter(f"height {quote(height)} is not a number of lines from 1 to 9")
    width = _ansi_cell(board)
    lines = []
    for row in split_rows(board):
        blank = _ansi_line(row, width, numbers=False)
        above = (height - 1) // 2
        lines += [blank] * above + [_ansi_line(row, width, numbers=True)] + [blank] * (height - 1 - above)
    return lines


def _ansi_cell(board: Grid) -> int:
    return max(6, len(str(face_value(max_rank(board.cells)))) + 2)


def _ansi_line(row: bytes, width: int, *, numbers: bool) -> str:
    cells = (ansi_cell(rank, f"{cell_text(rank) if numbers else '':^{width}}") for rank in row)
    return "".join(cells) + _RESET


def ansi_cell(rank: int, text: str) -> str:
    """`text` in the colours of `rank`, bold, without a reset after it."""
    pair = colours(rank)
    back, ink = (";".join(map(str, colour)) for colour in pair)
    return f"\x1b[1;48;2;{back};38;2;{ink}m{text}"


# SVG


def to_svg(board: Grid, cell_pixels: int = 64, look: Callable[[int], Colours] = colours) -> str:
    """The board as SVG text, with a title and a label for screen readers.

    cell_pixels: the side of a cell when the picture is shown in its natural size. look: the colours of a rank.
    """
    width, height = _extent(board.columns), _extent(board.rows)
    scale = cell_pixels / CELL
    title = escape(describe(board), {'"': "&quot;"})
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width * scale:g}" height="{height * scale:g}" role="img" aria-label="{title}">'
        ),
        f"<title>{title}</title>",
        f'<rect width="{width}" height="{height}" rx="{_RADIUS}" fill="{hex_colour(FRAME)}"/>',
        '<g text-anchor="middle" font-family="system-ui, Helvetica, Arial, sans-serif" font-weight="700">',
    ]
    for cell, rank in enumerate(board.cells):
        row, column = divmod(cell, board.columns)
        parts.append(_svg_cell(_corner(column), _corner(row), rank, look(rank)))
    return "\n".join([*parts, "</g>", "</svg>", ""])


def _svg_cell(x: int, y: int, rank: int, pair: Colours) -> str:
    rect = (
        f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" rx="{_RADIUS}" fill="{pair.background_hex}"/>'
    )
    text = cell_text(rank)
    if rank == BRICK or not text:
        return rect
    size = text_size(text, CELL)
    # A digit is about 0.72 of its size high; half of that below the middle centres it in any viewer.
    return (
        f'{rect}<text x="{x + CELL // 2}" y="{y + CELL / 2 + 0.36 * size:.1f}" '
        f'font-size="{size:.1f}" fill="{pair.text_hex}">{text}</text>'
    )


def _extent(count: int) -> int:
    return count * CELL + (count + 1) * GAP


def _corner(index: int) -> int:
    return GAP + index * (CELL + GAP)


# PNG


def to_image(board: Grid, cell_pixels: int = 96) -> Image.Image:
    """The board as a Pillow image.

    cell_pixels: the side of a cell. Raises InvalidParameter if the picture would be wider or higher than
    8192 pixels or a cell smaller than 8.
    """
    from PIL import Image

    scale = cell_pixels / CELL
    size = (round(_extent(board.columns) * scale), round(_extent(board.rows) * scale))
    if cell_pixels < 8 or max(size) > _MAX_PIXELS:
        raise InvalidParameter(
            f"a picture of {size[0]}x{size[1]} pixels with cells of {quote(cell_pixels)}; "
            f"cells must be at least 8 and the picture at most {_MAX_PIXELS} pixels"
        )
    image = Image.new("RGB", size, FRAME)
    tiles: dict[int, Image.Image] = {}
    for cell, rank in enumerate(board.cells):
        row, column = divmod(cell, board.columns)
        if rank not in tiles:
            tiles[rank] = _tile_image(rank, cell_pixels)
        image.paste(tiles[rank], (round(_corner(column) * scale), round(_corner(row) * scale)))
    return image


def _tile_image(rank: int, pixels: int) -> Image.Image:
    """One cell, drawn four times as large and reduced, which smooths its round corners."""
    from PIL import Image, ImageDraw, ImageFont

    fine = 4
    side = pixels * fine
    pair = colours(rank)
    tile = Image.new("RGB", (side, side), FRAME)
    draw = ImageDraw.Draw(tile)
    draw.rounded_rectangle((0, 0, side - 1, side - 1), _RADIUS * side // CELL, fill=pair.background)
    text = cell_text(rank)
    if text and rank != BRICK:
        font = ImageFont.load_default(size=text_size(text, side))
        draw.text((side / 2, side / 2), text, fill=pair.text, font=font, anchor="mm")
    return tile.resize((pixels, pixels), Image.Resampling.LANCZOS)


# Files


def save(board: Grid, path: str | PathLike[str], cell_pixels: int | None = None) -> None:
    """Write a picture of the board: SVG or PNG, by the ending of the path.

    cell_pixels: the side of a cell, by default 64 in SVG and 96 in PNG (less on a very large board).
    Raises InvalidFile for another ending or a path that can't be written.
    """
    name = fspath(path)
    ending = name.lower().rpartition(".")[2] if "." in name else ""
    if ending not in ("svg", "png"):
        raise InvalidFile(f"can't tell the kind of picture from {quote(name)}; end it in .svg or .png")
    if ending == "svg":
        write_file(name, to_svg(board, cell_pixels or 64))
        return
    most = _MAX_PIXELS * CELL // _extent(max(board.rows, board.columns))
    image = to_image(board, cell_pixels or min(96, most))
    with replacing(name) as stream:
        image.save(stream, "PNG", optimize=True)
