"""The colours of tiles: one legible pair for every rank, so that no picture can run out of them.

Ranks 1 to 17 (all that a 4×4 board can hold) have colours picked by hand: warm sand to red, then round the
colour circle, so that neighbouring large tiles differ at a glance. Larger ranks follow a rule. Each pair
meets the contrast of WCAG 2.2 AA for text, 4.5 to 1 (`tests/rules/test_draw.py`).
"""

from __future__ import annotations

import colorsys
from functools import lru_cache
from typing import NamedTuple

from twofold.rules.cells import BRICK

Rgb = tuple[int, int, int]
"""Red, green, blue, 0 to 255."""


class Colours(NamedTuple):
    """The two colours of a cell."""

    background: Rgb
    text: Rgb

    @property
    def background_hex(self) -> str:
        """`#rrggbb` of the background."""
        return hex_colour(self.background)

    @property
    def text_hex(self) -> str:
        """`#rrggbb` of the text."""
        return hex_colour(self.text)


def _rgb(text: str) -> Rgb:
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


FRAME: Rgb = _rgb("#6b5a4e")
"""What shows between the cells."""

EMPTY = Colours(_rgb("#85735f"), _rgb("#ffffff"))
"""An empty cell."""

BRICK_COLOURS = Colours(_rgb("#382c25"), _rgb("#d8c7b8"))
"""A brick."""

_DARK: Rgb = _rgb("#1c1410")
_LIGHT: Rgb = _rgb("#ffffff")
_PICKED = (
    "#f6ead8", "#efd5a8", "#f7b267", "#f4934a",  # 2 to 16
    "#ec7339", "#c94522", "#f2cc3d", "#b9c441",  # 32 to 256
    "#74ad4c", "#2c7a52", "#1fa7a0", "#1b6ca8",  # 512 to 4096
    "#3b4cb0", "#7a4fc0", "#a03a9a", "#cc2a68",  # 8192 to 65536
    "#7c1533",  # 131072
)  # fmt: skip
_PALE_TO_DARK: tuple[Rgb, ...] = (
    (255, 250, 205),
    (250, 214, 80),
    (205, 160, 70),
    (120, 135, 130),
    (52, 100, 160),
    (16, 28, 66),
)
"""Corner stones of `safe_colours`."""

_GOLDEN_ANGLE = 0.381966
"""Of a full turn: consecutive multiples of it are never close to each other on the colour circle."""


@lru_cache(maxsize=256)
def colours(rank: int) -> Colours:
    """The colours of a cell: a tile's rank, 0 for empty, 255 for a brick. Any rank has some."""
    if rank == 0:
        return EMPTY
    if rank == BRICK:
        return BRICK_COLOURS
    if rank <= len(_PICKED):
        background = _rgb(_PICKED[rank - 1])
    else:
        # Dark and pale in turn, so that neighbours differ in lightness too; text is then easy to pick.
        step = rank - len(_PICKED)
        lightness = 0.27 if step % 2 == 0 else 0.74
        shade = colorsys.hls_to_rgb(step * _GOLDEN_ANGLE % 1, lightness, 0.55)
        background = _whole(shade)
    return on(background)


def on(background: Rgb) -> Colours:
    """The background with the ink that is read on it best."""
    return Colours(background, max(_DARK, _LIGHT, key=lambda ink: contrast(background, ink)))


@lru_cache(maxsize=256)
def safe_colours(rank: int) -> Colours:
    """The same for people who see few colours: ranks 1 to 17 go from pale to dark, each darker than the one before.

    From yellow to blue, which all common kinds of colour blindness tell apart; larger ranks as in `colours`.
    """
    if not 1 <= rank <= len(_PICKED):
        return colours(rank)
    place = (rank - 1) / (len(_PICKED) - 1) * (len(_PALE_TO_DARK) - 1)
    i = min(int(place), len(_PALE_TO_DARK) - 2)
    red, green, blue = (
        round(a + (b - a) * (place - i)) for a, b in zip(_PALE_TO_DARK[i], _PALE_TO_DARK[i + 1], strict=True)
    )
    return on((red, green, blue))


def contrast(one: Rgb, other: Rgb) -> float:
    """The contrast ratio of two colours by WCAG 2.2, from 1 to 21."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def hex_colour(colour: Rgb) -> str:
    """`#rrggbb`."""
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _luminance(colour: Rgb) -> float:
    """Relative luminance of an sRGB colour by WCAG 2.2, from 0 to 1."""
    red, green, blue = (
        part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _whole(shade: tuple[float, float, float]) -> Rgb:
    red, green, blue = (round(part * 255) for part in shade)
    return red, green, blue
