"""Pictures of stereograms and of their viewing keys: PNG, SVG, sizes for print, and textures for a web page."""

from __future__ import annotations

import io
import re
from base64 import b64encode
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from twofold.art.animate import thin_out
from twofold.art.stereogram import Bits, Designation, Texture
from twofold.art.stereogram_board import Pair, StereoBoard, key_text
from twofold.art.stereogram_sets import TextureSet
from twofold.errors import InvalidFile, InvalidParameter, quote
from twofold.files import write_file
from twofold.rules.palette import Rgb, colours, hex_colour

if TYPE_CHECKING:
    from PIL import Image

MAX_PIXELS = 8192
"""The most pixels along a side of a picture."""
_SCREEN_PIXELS = 2048  # what a picture fits in unless told otherwise
MM_PER_INCH = 25.4
EYES_APART = 65.0
"""Millimetres between the eyes of most adults: parallel eyes cannot fuse tiles farther apart than this."""

PAPERS: dict[str, tuple[float, float]] = {
    "a3": (297.0, 420.0),
    "a4": (210.0, 297.0),
    "a5": (148.0, 210.0),
    "letter": (215.9, 279.4),
}
"""Width and height of papers in millimetres, upright."""
_MARGIN_MM = 10.0
_LEAST_MM, _MOST_MM = 10.0, 2000.0  # of a side
_UNITS = {"mm": 1.0, "cm": 10.0, "in": MM_PER_INCH}
_WIDTH = re.compile(r"([0-9]{1,6}(?:\.[0-9]{0,6})?)\s*(mm|cm|in)")


@dataclass(frozen=True, slots=True)
class Look:
    """How a stereogram is drawn.

    dot: pixels of a dot, 0 for as many as fit a screen; gap: dots between tiles and round the board; ink, paper,
    frame: colours of black dots, white dots and gaps; guides: two marks above the board, one tile apart: when three
    are seen, the eyes are right.
    """

    dot: int = 0
    gap: int = 6
    ink: Rgb = (0, 0, 0)
    paper: Rgb = (255, 255, 255)
    frame: Rgb = (140, 140, 140)
    guides: bool = True

    def __post_init__(self) -> None:
        if not 0 <= self.dot <= 64:
            raise InvalidParameter(f"{quote(self.dot)} pixels a dot: take 1 to 64")
        if not 0 <= self.gap <= 200:
            raise InvalidParameter(f"a gap of {quote(self.gap)} dots: take 0 to 200")


@dataclass(frozen=True, slots=True)
class Print:
    """A size on paper.

    width, height: millimetres that the picture may take at most; dpi: dots of the printer an inch.
    """

    width: float
    height: float
    dpi: int = 300

    def __post_init__(self) -> None:
        if not all(_LEAST_MM <= side <= _MOST_MM for side in (self.width, self.height)):
            raise InvalidParameter(
                f"a print of {quote(f'{self.width:g} x {self.height:g}')} mm: "
                f"sides go from {_LEAST_MM:g} to {_MOST_MM:g}"
            )
        if not 72 <= self.dpi <= 2400:
            raise InvalidParameter(f"{quote(self.dpi)} dots an inch: take 72 to 2400")

    @classmethod
    def parse(cls, text: str, dpi: int = 300) -> Print:
        """From the name of a paper (`a4`), or a width (`180mm`, `18cm`, `7in`). Raises InvalidParameter."""
        name = text.strip().lower()
        if name in PAPERS:
            width, height = PAPERS[name]
            return cls(width - 2 * _MARGIN_MM, height - 2 * _MARGIN_MM, dpi)
        width_text = _WIDTH.fullmatch(name)
        if width_text is not None:
            width = float(width_text[1]) * _UNITS[width_text[2]]
            if not _LEAST_MM <= width <= _MOST_MM:
                raise InvalidParameter(
                    f"a print {quote(text)} wide: take {_LEAST_MM:g} to {_MOST_MM:g} millimetres"
                )
            return cls(width, _MOST_MM, dpi)
        raise InvalidParameter(
            f"{quote(text)} is not a size for print: write {', '.join(PAPERS)}, or a width such as 180mm, 18cm, 7in"
        )


@dataclass(frozen=True, slots=True)
class SheetLayout:
    """Where things are in a picture, in dots; made by `layout`."""

    width: int
    height: int
    top: int
    pitch: int


def layout(board: StereoBoard, look: Look) -> SheetLayout:
    """The size of the picture of a board and the pitch of its tiles, in dots."""
    rows, columns = board.size
    pitch = board.dots + look.gap
    top = look.gap + (_guide_size(board) + 2 * max(look.gap, 4) if look.guides and columns > 1 else 0)
    return SheetLayout(columns * pitch + look.gap, top + rows * pitch, top, pitch)


def to_image(board: StereoBoard, look: Look | None = None, sized: Print | None = None) -> Image.Image:
    """The stereogram as a Pillow image; with `sized` it carries the resolution at which it has that size.

    Raises InvalidParameter if it would have more than 8192 pixels along a side.
    """
    from PIL import Image

    look = look or Look()
    place = layout(board, look)
    dot, dpi = _resolution(place, look, sized)
    pixels = np.empty((place.height, place.width, 3), np.uint8)
    pixels[:] = look.frame
    ink, paper = np.array(look.ink, np.uint8), np.array(look.paper, np.uint8)
    for row, textures in enumerate(board.textures):
        for column, texture in enumerate(textures):
            if texture is not None:
                y, x = place.top + row * place.pitch, look.gap + column * place.pitch
                colour = np.where(texture.bits[:, :, None], ink, paper)
                pixels[y : y + board.dots, x : x + board.dots] = colour
    for y, x, side in _guides(board, look, place):
        pixels[y : y + side, x : x + side] = ink
    image = Image.fromarray(pixels.repeat(dot, axis=0).repeat(dot, axis=1))
    if dpi:
        image.info["dpi"] = (dpi, dpi)
    return image


def to_svg(board: StereoBoard, look: Look | None = None, sized: Print | None = None) -> str:
    """The stereogram as SVG text, each texture drawn once; with `sized` it has that size in millimetres."""
    look = look or Look()
    place = layout(board, look)
    if sized is None:
        dot = look.dot or _screen_dot(place)
        size = f'width="{place.width * dot}" height="{place.height * dot}"'
    else:
        scale = _fit_mm(place, sized)
        size = f'width="{place.width * scale:.3f}mm" height="{place.height * scale:.3f}mm"'
    rows, columns = board.size
    title = f"Random-dot stereogram of {rows} by {columns} tiles"
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {place.width} {place.height}" {size} '
            f'shape-rendering="crispEdges" role="img" aria-label="{title}">'
        ),
        f"<title>{title}</title>",
        f'<rect width="{place.width}" height="{place.height}" fill="{hex_colour(look.frame)}"/>',
    ]
    names: dict[int, str] = {}
    uses: list[str] = []
    for row, textures in enumerate(board.textures):
        for column, texture in enumerate(textures):
            if texture is None:
                continue
            if id(texture) not in names:
                names[id(texture)] = f"t{len(names)}"
                parts.append(_svg_texture(names[id(texture)], texture.bits, look))
            y, x = place.top + row * place.pitch, look.gap + column * place.pitch
            uses.append(f'<use href="#{names[id(texture)]}" x="{x}" y="{y}"/>')
    marks = [
        f'<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="{hex_colour(look.ink)}"/>'
        for y, x, side in _guides(board, look, place)
    ]
    return "\n".join([*parts, *uses, *marks, "</svg>", ""])


def key_image(board: StereoBoard, look: Look | None = None, *, seen: bool = False) -> Image.Image:
    """The viewing key: one picture for every two neighbours, as the eyes that the board is for see it.

    Orange is raised and blue sunken, paler at half depth, grey flat. seen: what a stereo matcher finds in the dots
    instead of what was hidden in them. Raises InvalidParameter for a board of one column.
    """
    from PIL import Image

    look = look or Look()
    rows, columns = board.size
    if columns < 2:
        raise InvalidParameter("a board of one column has no neighbours in a row, so it hides no shapes")
    pitch = board.dots + look.gap
    pixels = np.empty((rows * pitch + look.gap, (columns - 1) * pitch + look.gap, 3), np.uint8)
    pixels[:] = (90, 90, 90)
    for pair in board.pairs():
        y, x = look.gap + pair.row * pitch, look.gap + pair.column * pitch
        pixels[y : y + board.dots, x : x + board.dots] = _key_colours(
            pair.seen() if seen else pair.disparity, board.depth
        )
    side = max(pixels.shape)
    _check_pixels(side, side)
    dot = look.dot if 0 < look.dot * side <= MAX_PIXELS else max(1, _SCREEN_PIXELS // 2 // side)
    return Image.fromarray(pixels.repeat(dot, axis=0).repeat(dot, axis=1))


def gif_bytes(
    boards: Iterable[StereoBoard],
    look: Look | None = None,
    seconds: float = 2.0,
    watch: Callable[[int], None] = lambda drawn: None,
) -> bytes:
    """The boards of a game, each shown for some seconds, as a GIF that repeats for ever.

    A long game is thinned out to `animate.MAX_FRAMES` boards. `watch` is told how many are drawn.
    Raises InvalidParameter.
    """
    if not 0.02 <= seconds <= 60:
        raise InvalidParameter(f"{quote(seconds)} seconds a move: take 0.02 to 60")
    images = []
    for board in thin_out(list(boards)):
        images.append(to_image(board, look).quantize(4))
        watch(len(images))
    held = io.BytesIO()
    images[0].save(
        held,
        "GIF",
        save_all=True,
        append_images=images[1:],
        duration=round(1000 * seconds),
        loop=0,
        optimize=False,
    )
    return held.getvalue()


def texture_png(texture: Texture, look: Look | None = None) -> bytes:
    """One texture as the bytes of a PNG with two colours; `look.dot` pixels a dot, 1 if it is 0."""
    from PIL import Image

    look = look or Look()
    dot = look.dot or 1
    image = Image.fromarray(texture.bits.astype(np.uint8).repeat(dot, axis=0).repeat(dot, axis=1), "L")
    image = image.convert("P") if image.mode != "P" else image
    image.putpalette([*look.paper, *look.ink])
    held = io.BytesIO()
    image.save(held, "PNG", bits=1, optimize=True)
    return held.getvalue()


def data_url(png: bytes) -> str:
    """A PNG as a `data:` URL, for an `img` or a style."""
    return "data:image/png;base64," + b64encode(png).decode("ascii")


def texture_url(
    textures: TextureSet,
    rank: int,
    designation: Designation,
    look: Look | None = None,
    *,
    tinted: bool = False,
) -> str:
    """The texture of a tile of a live game as a `data:` URL.

    tinted: in the colours of the tile, so that the game can be played by colour too. A set caches its textures; a
    page that shows many boards should keep these texts by (rank, designation).
    """
    look = look or Look()
    if tinted:
        look = replace(look, paper=_pale(colours(rank).background), ink=_dark(colours(rank).background))
    return data_url(texture_png(textures.texture(rank, designation), look))


def save(
    board: StereoBoard, path: str | PathLike[str], look: Look | None = None, sized: Print | None = None
) -> None:
    """Writes the stereogram as SVG or PNG, by the ending. Raises InvalidFile, InvalidParameter."""
    name = fspath(path)
    check_picture(name)
    if name.lower().endswith(".svg"):
        write_file(name, to_svg(board, look, sized).encode())
    else:
        write_file(name, png_bytes(to_image(board, look, sized)))


def check_picture(name: str, *, moves: bool = False) -> None:
    """Raises InvalidFile for the name of a file that is no picture, or no moving one."""
    endings = (".gif",) if moves else (".svg", ".png")
    if not name.lower().endswith(endings):
        raise InvalidFile(
            f"can't tell the kind of picture from {quote(name)}; end it in {' or '.join(endings)}"
        )


def save_all(
    board: StereoBoard,
    path: str,
    look: Look | None = None,
    sized: Print | None = None,
    *,
    key: bool = False,
    check: bool = False,
) -> list[str]:
    """`save`, and beside it the viewing key (-key.png) and what a stereo matcher sees (-seen.png); the files."""
    first, *beside = picture_files(path, key=key, check=check)
    save(board, first, look, sized)
    for name in beside:
        save_key(board, name, look, seen=name.endswith("-seen.png"))
    return [first, *beside]


def picture_files(path: str, *, key: bool = False, check: bool = False) -> list[str]:
    """The files that `save_all` writes."""
    beside = [name for wanted, name in ((key, "key"), (check, "seen")) if wanted]
    return [path, *(str(Path(path).with_name(f"{Path(path).stem}-{name}.png")) for name in beside)]


def save_key(
    board: StereoBoard, path: str | PathLike[str], look: Look | None = None, *, seen: bool = False
) -> None:
    """Writes `key_image` as PNG. Raises InvalidFile, InvalidParameter."""
    write_file(fspath(path), png_bytes(key_image(board, look, seen=seen)))


def describe(
    board: StereoBoard, look: Look, sized: Print | None = None, *, key: bool = False, check: bool = False
) -> dict[str, Any]:
    """Sizes and designations, for JSON; for each pair its viewing key, and the share that a stereo matcher finds."""
    place = layout(board, look)
    rows, columns = board.size
    told: dict[str, Any] = {
        "rows": rows,
        "columns": columns,
        "dots": board.dots,
        "picture_dots": [place.width, place.height],
        "eyes": "crossed" if board.crossed else "parallel",
        "textures": [[texture.name if texture else None for texture in row] for row in board.textures],
    }
    if sized is not None:
        pitch = tile_pitch_mm(board, sized, look)
        told |= {"tile_pitch_mm": round(pitch, 2), "parallel_eyes_can": pitch <= EYES_APART}
    if key or check:
        told["pairs"] = [_pair_json(pair, board.depth, key=key, check=check) for pair in board.pairs()]
    return told


def _pair_json(pair: Pair, depth: int, *, key: bool, check: bool) -> dict[str, Any]:
    told: dict[str, Any] = {"row": pair.row, "column": pair.column}
    told |= {"left": pair.left.name, "right": pair.right.name}
    if key:
        told["disparities"] = sorted(set(pair.disparity.ravel().tolist()))
        told["key"] = key_text(pair, depth)
    if check:
        told["found"] = round(pair.found(), 4)
    return told


def png_bytes(image: Image.Image) -> bytes:
    """A Pillow image as the bytes of a PNG, with its resolution if it has one."""
    held = io.BytesIO()
    options = {"dpi": image.info["dpi"]} if "dpi" in image.info else {}
    image.save(held, "PNG", optimize=True, **options)
    return held.getvalue()


def tile_pitch_mm(board: StereoBoard, sized: Print, look: Look | None = None) -> float:
    """Millimetres from tile to tile on paper: parallel eyes need at most `EYES_APART`."""
    place = layout(board, look or Look())
    return place.pitch * _fit_mm(place, sized)


def _screen_dot(place: SheetLayout) -> int:
    return max(1, min(4, _SCREEN_PIXELS // max(place.width, place.height)))


def _resolution(place: SheetLayout, look: Look, sized: Print | None) -> tuple[int, float]:
    """(pixels a dot, pixels an inch): whole pixels, so that dots stay sharp; the size on paper is exact."""
    if sized is None:
        dot, dpi = look.dot or _screen_dot(place), 0.0
    else:
        inches = _fit_mm(place, sized) / MM_PER_INCH
        dot = look.dot or max(1, round(inches * sized.dpi))
        dpi = dot / inches
    _check_pixels(place.width * dot, place.height * dot)
    return dot, dpi


def _check_pixels(width: int, height: int) -> None:
    if max(width, height) > MAX_PIXELS:
        raise InvalidParameter(
            f"a picture of {width}x{height} pixels: the most is {MAX_PIXELS}; take fewer dots or pixels, or .svg"
        )


def _fit_mm(place: SheetLayout, sized: Print) -> float:
    """Millimetres of a dot when the picture fills the paper one way and fits it the other way."""
    return min(sized.width / place.width, sized.height / place.height)


def _guide_size(board: StereoBoard) -> int:
    return max(4, board.dots // 12)


def _guides(board: StereoBoard, look: Look, place: SheetLayout) -> list[tuple[int, int, int]]:
    """(y, x, side) of the two marks, above the two middle tiles."""
    columns = board.size[1]
    if not look.guides or columns < 2:
        return []
    side = _guide_size(board)
    left = (columns - 2) // 2
    y = (place.top - side) // 2
    return [
        (y, look.gap + column * place.pitch + (board.dots - side) // 2, side) for column in (left, left + 1)
    ]


def _svg_texture(name: str, bits: Bits, look: Look) -> str:
    """A texture as a symbol: black runs of dots as rectangles of one path."""
    size = bits.shape[0]
    steps: list[str] = []
    for y, row in enumerate(bits):
        edges = np.flatnonzero(np.diff(np.concatenate(([0], row.astype(np.int8), [0]))))
        steps += [f"M{x} {y}h{end - x}v1h{x - end}z" for x, end in edges.reshape(-1, 2).tolist()]
    return (
        f'<symbol id="{name}" overflow="visible"><rect width="{size}" height="{size}" '
        f'fill="{hex_colour(look.paper)}"/><path fill="{hex_colour(look.ink)}" d="{"".join(steps)}"/></symbol>'
    )


def _key_colours(key: NDArray[np.int16], depth: int) -> NDArray[np.uint8]:
    """A disparity map as colours, (rows, columns, 3), full at `depth`."""
    raised, sunken, flat = (np.array(colour) for colour in ((232, 120, 24), (32, 96, 200), (225, 225, 225)))
    strength = np.minimum(np.abs(key) / depth, 1.0)[:, :, None]
    full = np.where((key > 0)[:, :, None], raised, sunken)
    mixed: NDArray[np.uint8] = np.round(flat + (full - flat) * strength).astype(np.uint8)
    return mixed


def _pale(colour: Rgb) -> Rgb:
    red, green, blue = (round(255 - (255 - part) * 0.55) for part in colour)
    return red, green, blue


def _dark(colour: Rgb) -> Rgb:
    red, green, blue = (round(part * 0.3) for part in colour)
    return red, green, blue
