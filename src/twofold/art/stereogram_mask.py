"""Shapes to hide in stereograms: masks from text, from pictures, and one of ours."""

from __future__ import annotations

from os import PathLike, fspath

import numpy as np
from numpy.typing import NDArray

from twofold.art.picture import load_image, read_image
from twofold.errors import InvalidFile, InvalidParameter, quote

Mask = NDArray[np.float32]
"""Where a figure is: 1 raised, −1 sunken, 0 flat, and all between; (rows, columns)."""

MAX_SIDE = 4096
"""The most rows or columns of a mask."""
_FLAT, _SUNKEN = ". 0_", "-="


def half_and_half() -> Mask:
    """A ring round a disc, the left half raised and the right half sunken, (360, 360)."""
    y, x = np.mgrid[-179.5:180.5, -179.5:180.5]
    distance = np.hypot(y, x)
    inside = (distance < 70) | ((distance > 110) & (distance < 165))
    return np.where(inside, np.where(x < 0, 1, -1), 0).astype(np.float32)


def fit_mask(mask: Mask, rows: int, columns: int) -> Mask:
    """`mask` scaled by whole dots of its own to the largest size within (rows, columns), in the middle."""
    height, width = mask.shape
    scale = min(rows / height, columns / width)
    new_rows, new_columns = max(1, int(height * scale)), max(1, int(width * scale))
    y = np.arange(new_rows) * height // new_rows
    x = np.arange(new_columns) * width // new_columns
    fitted: Mask = np.zeros((rows, columns), np.float32)
    top, left = (rows - new_rows) // 2, (columns - new_columns) // 2
    fitted[top : top + new_rows, left : left + new_columns] = mask[np.ix_(y, x)]
    return fitted


def parse_mask(text: str) -> Mask:
    """A mask from lines of characters, or rows joined by `|`: `.`, `0`, `_` and space are flat, `-` and `=` sunken.

    Every other character is raised; short lines are filled up. Raises InvalidParameter.
    """
    lines = text.replace("\r\n", "\n").replace("\t", " ").strip("\n").replace("|", "\n").split("\n")
    width = max(map(len, lines))
    if not width or max(width, len(lines)) > MAX_SIDE:
        raise InvalidParameter(
            f"{quote(text)} is not a shape: write 1 to {MAX_SIDE} rows such as '.##.|####' (. flat, # raised, - sunken)"
        )
    mask = np.array(
        [[0 if c in _FLAT else -1 if c in _SUNKEN else 1 for c in line.ljust(width)] for line in lines],
        np.float32,
    )
    return _with_figure(mask, text)


def read_mask(path: str | PathLike[str]) -> Mask:
    """A mask from a file: a picture, or text. Black is raised, white and what is transparent flat, greys are between.

    Raises InvalidFile, InvalidParameter.
    """
    name = fspath(path)
    return mask_of(read_image(name), name)


def mask_of(content: bytes, name: str) -> Mask:
    """A mask from what a file of this name holds; see `read_mask`."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return _with_figure(_picture_mask(content, name), name)
    if any(not (character.isprintable() or character in "\n\r\t") for character in text):
        return _with_figure(_picture_mask(content, name), name)
    return parse_mask(text)


def as_mask(text: str) -> Mask:
    """A mask from rows as `parse_mask` reads them, or else from the file of this name."""
    looks_like_rows = "|" in text or "\n" in text or not set(text) - set(".#-=x0 ")
    return parse_mask(text) if looks_like_rows else read_mask(text)


def _picture_mask(content: bytes, name: str) -> Mask:
    shown = load_image(content, name).convert("RGBA")
    if max(shown.size) > MAX_SIDE:
        raise InvalidFile(
            f"{quote(name)} has {shown.height:,}x{shown.width:,} pixels: the most is {MAX_SIDE:,} along a side"
        )
    pixels = np.asarray(shown).astype(np.float64)
    light = pixels[:, :, :3] @ np.array([0.299, 0.587, 0.114]) * (pixels[:, :, 3] / 255)
    mask: Mask = ((pixels[:, :, 3] - light) / 255).astype(np.float32)
    return mask


def levels(mask: Mask, depth: int) -> NDArray[np.int16]:
    """The mask in dots of disparity, −depth to depth. Raises InvalidParameter if it is then the same everywhere."""
    dots: NDArray[np.int16] = np.rint(mask * depth).astype(np.int16)
    if (dots == dots.flat[0]).all():
        raise InvalidParameter(
            f"the shape is too faint for {depth} levels of depth: darken it, or take more depth"
        )
    return dots


def _with_figure(mask: Mask, source: str) -> Mask:
    if (mask == mask.flat[0]).all():
        kind = "flat" if not mask.any() else "one figure without a ground"
        raise InvalidParameter(f"the shape of {quote(source)} is all {kind}: nothing would be visible")
    return mask
