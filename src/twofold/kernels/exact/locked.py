"""Slides of boards inside 4x4 that hold locked tiles: large tiles that never merge while the game is solved.

Nibble `LOCKED` stands for each of them, whatever its face value: the line table of exact/locked.py slides it like any
tile and merges it with none. Where the problem says that they stay (`FIXED`), a slide that moves one is no move.
"""

from __future__ import annotations

from twofold.kernels.bits import U
from twofold.kernels.board.bitboard import empties, transpose
from twofold.kernels.compiling import helper
from twofold.kernels.exact.canonical import GRID, TRANSPOSED_IS_EQUAL
from twofold.kernels.exact.vectors import slid

LOCKED = 14
FIXED = 34
"""The word of the parameter array that is 1 if locked tiles stay where they are."""

_EACH = U(0xEEEEEEEEEEEEEEEE)


@helper
def _staying(b, left, right, earned):  # type: ignore[no-untyped-def]
    """Both slides of `b` and what they earn; `b` itself where a slide would move a locked tile.

    Locked tiles of a line keep their order, so all stayed if the same cells hold one. Points are the same both ways.
    """
    held = empties(b ^ _EACH)
    stays = empties(left ^ _EACH) == held
    stays_too = empties(right ^ _EACH) == held
    return (left if stays else b), (right if stays_too else b), (earned if stays or stays_too else U(0))


@helper
def locked_slides(ws, lines, b):  # type: ignore[no-untyped-def]
    """As `grid_slides` of canonical.py."""
    table = U(lines.ctypes.data)
    left, right, across = slid(table, b)
    turned = transpose(b)
    up, down, along = slid(table, turned)
    if ws[FIXED] != U(0):
        left, right, across = _staying(b, left, right, across)
        up, down, along = _staying(turned, up, down, along)
    if ws[TRANSPOSED_IS_EQUAL] == U(0):
        up = transpose(up)
        down = transpose(down)
    return left, right, across, up, down, along


LOCKED_GRID = {**GRID, "slides": locked_slides}
