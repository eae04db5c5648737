"""A picture as twofold paints it: a small grid of colour numbers, from text or from an image file.

Colour numbers are 0, 1, 2, …; what they look like is the palette. Image files are reduced: to a size, and to a few
colours, always in the same way, so that the same file gives the same picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from typing import TYPE_CHECKING

from twofold.errors import InvalidFile, InvalidParameter, quote
from twofold.files import read_file
from twofold.rules.cells import MAX_SIDE
from twofold.rules.palette import Rgb, hex_colour

if TYPE_CHECKING:
    from PIL import Image

MAX_COLOURS = 16
"""The most colours of a picture; more can't be told apart on a board, and hardly be painted."""

MAX_IMAGE_PIXELS = 1 << 24
"""The most pixels of an image file; a larger one is refused before it is unpacked."""

MAX_FILE_BYTES = 32 << 20
"""The largest file that is read."""

MAX_GIVEN_COLOURS = 32
"""An image with more colours than this is a photograph: it is reduced only if told to how many."""

PALETTE: tuple[Rgb, ...] = (
    (248, 243, 232), (38, 52, 89), (222, 82, 60), (246, 189, 70),
    (63, 142, 108), (122, 88, 166), (88, 172, 216), (235, 145, 170),
    (120, 78, 50), (160, 196, 76), (20, 110, 120), (190, 40, 110),
    (160, 160, 160), (250, 130, 40), (90, 90, 20), (0, 0, 0),
)  # fmt: skip
"""Colours that are easily told apart, for pictures that bring none."""

LETTER_COLOURS: dict[str, tuple[str, Rgb]] = {
    "R": ("red", (206, 45, 45)), "O": ("orange", (250, 130, 40)), "Y": ("yellow", (250, 205, 60)),
    "L": ("lime", (160, 196, 76)), "G": ("green", (40, 135, 75)), "T": ("teal", (20, 110, 120)),
    "C": ("cyan", (88, 172, 216)), "B": ("blue", (40, 85, 190)), "P": ("purple", (122, 88, 166)),
    "M": ("magenta", (190, 40, 110)), "N": ("brown", (120, 78, 50)), "S": ("silver", (160, 160, 160)),
    "W": ("white", (255, 255, 255)), "K": ("black", (0, 0, 0)),
}  # fmt: skip
"""Colours that capital letters choose in a picture as text, and their names."""

_LETTERS = "0123456789abcdef"
_BACKGROUND = "._ "


@dataclass(frozen=True, slots=True)
class Picture:
    """rows × columns colour numbers, row by row in `cells`; `palette[c]` is how colour c looks.

    Raises InvalidParameter for sizes that no board has, a number without a colour, or too many colours.
    """

    rows: int
    columns: int
    cells: bytes
    palette: tuple[Rgb, ...] = PALETTE

    def __post_init__(self) -> None:
        size = f"{self.rows}x{self.columns}"
        if not (
            1 <= self.rows <= MAX_SIDE and 1 <= self.columns <= MAX_SIDE and self.rows * self.columns > 1
        ):
            raise InvalidParameter(
                f"a picture of {quote(size)} cells doesn't fit a board: sizes go from 1x2 to {MAX_SIDE}x{MAX_SIDE}"
            )
        if len(self.cells) != self.rows * self.columns:
            raise InvalidParameter(f"{len(self.cells):,} cells don't make a picture of {size}")
        if len(self.palette) > MAX_COLOURS:
            raise InvalidParameter(f"{len(self.palette)} colours; a picture has at most {MAX_COLOURS}")
        if max(self.cells) >= len(self.palette):
            raise InvalidParameter(
                f"colour {max(self.cells)} is not among the {len(self.palette)} of the palette"
            )

    def __repr__(self) -> str:
        return f"Picture({self.rows}x{self.columns}, {len(set(self.cells))} colours)"

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return cells_svg(self.rows, self.columns, self.cells, [hex_colour(rgb) for rgb in self.palette])

    # Making one

    @classmethod
    def from_rows(cls, rows: Iterable[Sequence[int]], palette: tuple[Rgb, ...] = PALETTE) -> Picture:
        """From nested colour numbers. Raises InvalidParameter if the rows differ in length."""
        lines = [list(map(int, row)) for row in rows]
        width = len(lines[0]) if lines else 0
        for number, line in enumerate(lines, 1):
            if len(line) != width:
                raise InvalidParameter(
                    f"row {number} of the picture has {len(line)} cells but row 1 has {width}; make all equally long"
                )
            for colour in line:
                if not 0 <= colour < MAX_COLOURS:
                    raise InvalidParameter(
                        f"colour {colour} in row {number}: colours go from 0 to {MAX_COLOURS - 1}"
                    )
        return cls(len(lines), width, bytes(colour for line in lines for colour in line), palette)

    @classmethod
    def from_text(cls, text: str) -> Picture:
        """From lines of characters, or rows joined by `|`.

        With digits and letters a to f only, they are the colour numbers. Otherwise each character that occurs is a
        colour: `.`, `_` and space are colour 0 if one of them occurs, the rest get numbers as they come, so
        `.##.|#..#` has two colours. The capital letters of `LETTER_COLOURS` look as they say: `R` is red, `B` blue.
        Raises InvalidParameter for rows of different lengths or too many colours.
        """
        lines = text.replace("\r\n", "\n").strip("\n").replace("|", "\n").split("\n")
        if max(map(len, lines), default=0) > MAX_SIDE or len(lines) > MAX_SIDE:
            raise InvalidParameter(
                f"{quote(text)} is not a picture: at most {MAX_SIDE} rows of {MAX_SIDE} cells"
            )
        used = set("".join(lines))
        if used <= set(_LETTERS):
            return cls.from_rows([[_LETTERS.index(char) for char in line] for line in lines])
        numbers: dict[str, int] = dict.fromkeys(_BACKGROUND, 0) if used & set(_BACKGROUND) else {}
        for char in "".join(lines):
            numbers.setdefault(char, len(set(numbers.values())))
        if max(numbers.values()) >= MAX_COLOURS:
            raise InvalidParameter(
                f"{quote(text)} has more than {MAX_COLOURS} colours, one for each kind of character"
            )
        named = {numbers[char]: LETTER_COLOURS[char][1] for char in numbers if char in LETTER_COLOURS}
        others = iter([colour for colour in PALETTE if colour not in named.values()])
        palette = [
            named[number] if number in named else next(others) for number in range(len(set(numbers.values())))
        ]
        return cls.from_rows(
            [[numbers[char] for char in line] for line in lines], (*palette, *others)[:MAX_COLOURS]
        )

    @classmethod
    def open(
        cls, path: str | PathLike[str], colours: int | None = None, size: tuple[int, int] | None = None
    ) -> Picture:
        """From an image file (PNG and what else Pillow reads), or a text file of `from_text`.

        colours: reduce an image to so many, 2 to 16. size: reduce it to (rows, columns); without it each pixel is
        a cell. Raises InvalidFile for what is not an image or too large, InvalidParameter for what can't be a picture.
        """
        name = fspath(path)
        return cls.from_bytes(read_image(name), name, colours, size)

    @classmethod
    def from_bytes(
        cls, data: bytes, name: str, colours: int | None = None, size: tuple[int, int] | None = None
    ) -> Picture:
        """From what a file of this name holds; see `open`."""
        if _is_text(data):
            return cls.from_text(_text_of(data))
        return cls.from_image(load_image(data, name), colours, size)

    @classmethod
    def from_image(
        cls, image: Image.Image, colours: int | None = None, size: tuple[int, int] | None = None
    ) -> Picture:
        """From a Pillow image; see `open`. Transparent pixels count as white."""
        from PIL import Image

        if colours is not None and not 2 <= colours <= MAX_COLOURS:
            raise InvalidParameter(f"{quote(colours)} colours: a picture is reduced to 2 to {MAX_COLOURS}")
        rgba = image.convert("RGBA")
        flat = Image.alpha_composite(Image.new("RGBA", rgba.size, (255, 255, 255, 255)), rgba).convert("RGB")
        if size is not None:
            flat = flat.resize((size[1], size[0]), Image.Resampling.BOX)
        if max(flat.size) > MAX_SIDE:
            raise InvalidParameter(
                f"an image of {flat.height}x{flat.width} pixels has more cells than the largest board, "
                f"{MAX_SIDE}x{MAX_SIDE}: give a size to reduce it to"
            )
        found = flat.getcolors(MAX_GIVEN_COLOURS if colours is None else flat.width * flat.height)
        limit = MAX_COLOURS if colours is None else colours
        if found is None or (colours is None and len(found) > limit):
            number = "more than 32" if found is None else str(len(found))
            raise InvalidParameter(
                f"the image has {number} colours and a picture at most {MAX_COLOURS}: give a number to reduce it to"
            )
        if len(found) > limit:
            flat = flat.quantize(limit, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).convert("RGB")
            found = flat.getcolors(limit) or []
        # The most frequent first, so that the background is colour 0; ties by colour, so that nothing is by chance.
        palette = [
            rgb for _, rgb in sorted(found, key=lambda pair: (-pair[0], pair[1])) if isinstance(rgb, tuple)
        ]
        number_of = {rgb: number for number, rgb in enumerate(palette)}
        data = flat.tobytes()
        cells = bytes(
            number_of[data[place], data[place + 1], data[place + 2]] for place in range(0, len(data), 3)
        )
        return cls(flat.height, flat.width, cells, tuple((r, g, b) for r, g, b in palette))

    # Looking at it

    @property
    def size(self) -> tuple[int, int]:
        """(rows, columns)."""
        return self.rows, self.columns

    @property
    def colours(self) -> int:
        """The number of different colours that occur."""
        return len(set(self.cells))

    @property
    def lines(self) -> tuple[tuple[int, ...], ...]:
        """The colour numbers row by row."""
        return tuple(
            tuple(self.cells[start : start + self.columns])
            for start in range(0, len(self.cells), self.columns)
        )

    def __str__(self) -> str:
        """One line that `from_text` reads, for example `0110|1001`."""
        return "|".join("".join(_LETTERS[colour] for colour in line) for line in self.lines)

    def transpose(self) -> Picture:
        """Mirrored at the main diagonal."""
        cells = b"".join(self.cells[column :: self.columns] for column in range(self.columns))
        return Picture(self.columns, self.rows, cells, self.palette)

    def resized(self, rows: int, columns: int) -> Picture:
        """With rows and columns of colour 0 more at the bottom and the right, or fewer."""
        lines = [(*line[:columns], *[0] * (columns - self.columns)) for line in self.lines[:rows]]
        return Picture.from_rows([*lines, *[(0,) * columns] * (rows - self.rows)], self.palette)

    def flip_vertical(self) -> Picture:
        """Top and bottom swapped."""
        return Picture.from_rows(self.lines[::-1], self.palette)

    def to_image(self, cell_pixels: int = 1) -> Image.Image:
        """A Pillow image, each cell a square of `cell_pixels` pixels."""
        from PIL import Image

        image = Image.frombytes(
            "RGB",
            (self.columns, self.rows),
            bytes(part for cell in self.cells for part in self.palette[cell]),
        )
        return image.resize((self.columns * cell_pixels, self.rows * cell_pixels), Image.Resampling.NEAREST)


def cells_svg(rows: int, columns: int, cells: bytes, colours: Sequence[str]) -> str:
    """Squares of some colours as SVG, the smaller the more there are; `cells`: a number of `colours` each."""
    side = max(2, min(24, 480 // max(rows, columns)))
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {columns} {rows}" width="{columns * side}" '
        f'height="{rows * side}" role="img" aria-label="{rows} by {columns} cells" shape-rendering="crispEdges">'
    )
    parts = [head]
    for number, colour in enumerate(colours):
        squares = "".join(
            f"M{i % columns} {i // columns}h1v1h-1z" for i, cell in enumerate(cells) if cell == number
        )
        if squares:
            parts.append(f'<path d="{squares}" fill="{colour}"/>')
    return "".join([*parts, "</svg>"])


def read_picture(argument: str, colours: int | None = None, size: tuple[int, int] | None = None) -> Picture:
    """The picture that a PICTURE argument means: the path of a file that exists, or a text such as `.##.|#..#`.

    colours, size: see `Picture.open`; a text has its own, and is refused with others. Raises what `Picture.open` does.
    """
    from pathlib import Path

    try:
        is_file = Path(argument).exists()
    except (OSError, ValueError):
        is_file = False
    if is_file or argument.lower().endswith((".png", ".gif", ".jpg", ".jpeg", ".txt", ".bmp", ".webp")):
        data = read_image(argument)
        if not _is_text(data):
            return Picture.from_image(load_image(data, argument), colours, size)
        argument = _text_of(data)
    if colours is not None or size is not None:
        raise InvalidParameter(
            f"{quote(argument)} is a picture in text, with colours and a size of its own: leave out "
            f"{'--colours' if colours is not None else '--size'}, which is for images"
        )
    return Picture.from_text(argument)


def read_image(name: str) -> bytes:
    """The bytes of a picture's file. Raises InvalidFile if it is missing, empty or larger than 32 MiB."""
    data = read_file(name, MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise InvalidFile(f"{quote(name)} is larger than {MAX_FILE_BYTES >> 20} MiB: give a smaller picture")
    if not data:
        raise InvalidFile(f"{quote(name)} is empty")
    return data


def _is_text(data: bytes) -> bool:
    if len(data) > 4 * MAX_SIDE * (MAX_SIDE + 2) or b"\0" in data:
        return False
    try:
        return all(char.isprintable() or char in "\r\n" for char in data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return False


def _text_of(data: bytes) -> str:
    return data.decode("utf-8-sig").rstrip()


_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "PPM", "ICO")
"""Those of Pillow's that are read; it gives an EPS, for one, to Ghostscript, which runs it."""

_FAULTS = (OSError, ValueError, SyntaxError, RuntimeError, LookupError, ArithmeticError, TypeError, EOFError)
"""What Pillow raises for a damaged image."""


def load_image(data: bytes, name: str) -> Image.Image:
    """The first frame of an image. What it says about its size is looked at before its pixels are unpacked.

    Raises InvalidFile, which names the file `name`, for what is not an image, damaged or too large.
    """
    import io
    import warnings

    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of damage, and of a limit that is higher than ours
            image = Image.open(io.BytesIO(data), formats=_FORMATS)
    except Image.DecompressionBombError:
        raise InvalidFile(
            f"{quote(name)} unpacks to far too many pixels; at most {MAX_IMAGE_PIXELS:,}"
        ) from None
    except _FAULTS:
        raise InvalidFile(
            f"{quote(name)} is neither an image nor a text picture such as '.##.|#..#'"
        ) from None
    if image.width * image.height > MAX_IMAGE_PIXELS:
        raise InvalidFile(
            f"{quote(name)} has {image.height:,}x{image.width:,} pixels; at most {MAX_IMAGE_PIXELS:,} are read"
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            image.load()
    except _FAULTS as error:
        raise InvalidFile(f"{quote(name)} is a damaged image: {error}") from None
    return image
