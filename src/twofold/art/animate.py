"""Moving pictures of boards: GIF files, and frames for a terminal. Shared by painting and Life.

A frame is a grid of colours, one for each cell. Long games are thinned out evenly; the last frame always stays.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any, TypeVar

from twofold.errors import InvalidParameter, quote
from twofold.files import replacing
from twofold.rules.palette import Rgb

T = TypeVar("T")

MAX_FRAMES = 240
"""The most frames of a GIF file; a longer game is thinned out to so many."""

_MAX_PIXELS = 480
_GAP = (74, 64, 56)


@dataclass(frozen=True, slots=True)
class Frame:
    """One moment: the colours of rows × columns cells, row by row."""

    rows: int
    columns: int
    cells: tuple[Rgb, ...]


def thin_out(items: Sequence[T], most: int = MAX_FRAMES) -> list[T]:
    """At most `most` of the items, spread evenly, the first and the last among them."""
    if most < 2:
        raise InvalidParameter(f"{quote(most)} frames: at least 2")
    if len(items) <= most:
        return list(items)
    return [items[round(number * (len(items) - 1) / (most - 1))] for number in range(most)]


def write_gif(frames: Iterable[Frame], path: str | PathLike[str], **look: Any) -> int:
    """Writes `gif_bytes` and returns the number of frames. Raises InvalidFile if the file can't be written."""
    shown = list(frames)
    data = gif_bytes(shown, **look)
    with replacing(path) as stream:
        stream.write(data)
    return len(shown)


def gif_bytes(
    frames: Iterable[Frame],
    *,
    frame_seconds: float = 0.06,
    last_seconds: float = 2.0,
    cell_pixels: int | None = None,
) -> bytes:
    """An animated GIF that repeats for ever.

    frame_seconds: how long a frame is shown, the last one `last_seconds`. cell_pixels: the side of a cell, by
    default as large as fits 480 pixels, at most 48.
    """
    shown = list(frames)
    if not shown:
        raise InvalidParameter("an animation needs at least one frame")
    pixels = cell_pixels or max(2, min(48, _MAX_PIXELS // max(shown[0].rows, shown[0].columns)))
    colours = sorted({colour for frame in shown for colour in frame.cells} | {_GAP})
    if len(colours) > 256:
        raise InvalidParameter(f"{len(colours)} colours; a GIF file holds 256")
    number_of = {colour: number for number, colour in enumerate(colours)}
    palette = bytes(part for colour in colours for part in colour)
    images = [_gif_image(frame, number_of, pixels) for frame in shown]
    for image in images:
        image.putpalette(palette)
    times = [max(20, round(1000 * frame_seconds))] * (len(images) - 1) + [round(1000 * last_seconds)]
    held = io.BytesIO()
    images[0].save(
        held, "GIF", save_all=True, append_images=images[1:], duration=times, loop=0, optimize=False
    )
    return held.getvalue()


def _gif_image(frame: Frame, number_of: dict[Rgb, int], pixels: int):  # type: ignore[no-untyped-def]
    from PIL import Image

    small = Image.frombytes("P", (frame.columns, frame.rows), bytes(number_of[c] for c in frame.cells))
    large = small.resize((frame.columns * pixels, frame.rows * pixels), Image.Resampling.NEAREST)
    if pixels >= 8:  # thin lines between cells
        for number in range(1, frame.columns):
            large.paste(number_of[_GAP], (number * pixels, 0, number * pixels + 1, large.height))
        for number in range(1, frame.rows):
            large.paste(number_of[_GAP], (0, number * pixels, large.width, number * pixels + 1))
    return large


def ansi_lines(frame: Frame) -> list[str]:
    """The frame for a terminal with 24-bit colours: two columns a cell; every line ends in a reset."""
    lines = []
    for start in range(0, len(frame.cells), frame.columns):
        row = frame.cells[start : start + frame.columns]
        lines.append("".join(f"\x1b[48;2;{r};{g};{b}m  " for r, g, b in row) + "\x1b[0m")
    return lines


def plain_lines(frame: Frame) -> list[str]:
    """The frame in ASCII: two columns a cell, from `  ` for the lightest to `##` for the darkest."""
    lines = []
    for start in range(0, len(frame.cells), frame.columns):
        row = frame.cells[start : start + frame.columns]
        lines.append("".join(2 * "#%*+=-:. "[min(8, sum(colour) * 9 // 766)] for colour in row))
    return lines


def terminal_frames(frames: Iterable[Frame], *, colour: bool = True) -> Iterator[str]:
    """Each frame as one text that draws over the one before it: the cursor goes up by the height of a frame."""
    height = 0
    for frame in frames:
        lines = ansi_lines(frame) if colour else plain_lines(frame)
        yield (f"\x1b[{height}A" if height else "") + "\r" + "\n".join(lines) + "\n"
        height = len(lines)
