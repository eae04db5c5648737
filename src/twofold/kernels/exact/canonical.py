"""Boards as words for exact play, on any shape of up to 16 free cells: the four slides, spawns, symmetric images.

*Grid*: a board inside 4x4 as in packed.py; images are swaps of bits, and a shift brings a smaller board back to its
corner. *Nibbles*: any other shape, the free cells' ranks in reading order, four bits each, slid run by run.

`slides(ws, lines, b)` returns left, right, what these two earn, up, down, what those earn. Earnings are points, with
bit 31 (or higher) set where a merge makes the target: see `lines` in exact/states.py. `canonical` replaces words by
the least of their images under the board's own symmetries; `stabiliser` counts the images equal to a word.
"""

from __future__ import annotations

from twofold.kernels.bits import U
from twofold.kernels.board.bitboard import empties, mirror, transpose, upend
from twofold.kernels.compiling import helper
from twofold.kernels.exact.vectors import least_images, slid

# Words of the parameter array that the passes of bellman.py share.
EDGE = 0  # grid: nibble 15 in every cell beyond the board
SHIFT_X, SHIFT_Y = 1, 2  # grid: bits by which a mirrored, an upended board is moved back
NO_IMAGE = 3  # grid: 7 words, all ones where that image is no symmetry of the board
TURNS = 10  # grid: 1 if some transposed image is one
TRANSPOSED_IS_EQUAL = 11  # grid: 1 if the transpose itself is one
FREE = 12  # nibbles: bit 4i for each cell i
IMAGES = 13  # nibbles: images besides the identity
IMAGES_AT = 14  # nibbles: where their permutations begin in `lines`
TARGET = 15  # nibbles: rank that wins, 16 for none
CORNER = 16  # 1: tiles spawn on the first free cell in the order of the next 16 words
ORDER = 17  # that order: 16 shifts, cells that don't exist left out (64 ends it)
PARAMETERS = 40

WIN_BIT = U(31)


@helper
def grid_slides(ws, lines, b):  # type: ignore[no-untyped-def]
    table = U(lines.ctypes.data)
    left, right, across = slid(table, b)
    turned = transpose(b)
    up, down, along = slid(table, turned)
    if ws[TRANSPOSED_IS_EQUAL] == U(0):
        up = transpose(up)
        down = transpose(down)
    return left, right, across, up, down, along


@helper
def grid_upright(ws, b):  # type: ignore[no-untyped-def]
    """The board that `up` and `down` are compared with to see whether they changed anything."""
    return b if ws[TRANSPOSED_IS_EQUAL] == U(0) else transpose(b)


@helper
def grid_free(ws, b):  # type: ignore[no-untyped-def]
    return empties(b)


@helper
def _least(a, b):  # type: ignore[no-untyped-def]
    return a if a < b else b  # noqa: FURB136 (the compiler vectorises this)


@helper
def grid_canonical(ws, lines, words, n):  # type: ignore[no-untyped-def]
    least_images(U(words.ctypes.data), n, U(ws.ctypes.data), ws[TURNS] != U(0))


@helper
def grid_stabiliser(ws, lines, x):  # type: ignore[no-untyped-def]
    edge, sx, sy = ws[EDGE], ws[SHIFT_X], ws[SHIFT_Y]
    t = transpose(x)
    u = (upend(x) >> sy) | edge
    v = (upend(t) >> sy) | edge
    same = 1 + (((mirror(x) >> sx) | edge | ws[3]) == x) + ((u | ws[4]) == x)
    same += (((mirror(u) >> sx) | edge | ws[5]) == x) + ((t | ws[6]) == x)
    same += (((mirror(t) >> sx) | edge | ws[7]) == x) + ((v | ws[8]) == x)
    return same + (((mirror(v) >> sx) | edge | ws[9]) == x)


@helper
def _slide_run(lines, p, length, backwards, target, b):  # type: ignore[no-untyped-def]
    """The nibbles of one run after a slide (the rest 0), and what it earns; lines[p:p+length] are their shifts."""
    out = U(0)
    earned = U(0)
    waiting = U(0)
    place = U(0)
    for i in range(length):
        k = length - U(1) - U(i) if backwards else U(i)
        rank = (b >> lines[p + k]) & U(15)
        if rank == U(0):
            continue
        if rank == waiting:
            where = lines[p + (length - place if backwards else place - U(1))]
            made = rank + U(1)
            out = (out & ~(U(15) << where)) | ((made & U(15)) << where)
            earned += U(1) << made
            if made >= target:
                earned |= U(1) << WIN_BIT
            waiting = U(0)
            continue
        out |= rank << lines[p + (length - U(1) - place if backwards else place)]
        place += U(1)
        waiting = rank
    return out, earned


@helper
def _slide_axis(lines, p, target, b):  # type: ignore[no-untyped-def]
    """Both slides along the runs listed from lines[p]: their number, then each one's length and shifts."""
    runs = lines[p]
    p += U(1)
    forth = U(0)
    back = U(0)
    earned = U(0)
    won = U(0)
    for _ in range(runs):
        length = lines[p]
        p += U(1)
        a, points = _slide_run(lines, p, length, False, target, b)
        forth |= a
        a, points = _slide_run(lines, p, length, True, target, b)
        back |= a
        won |= points & (U(1) << WIN_BIT)
        earned += points & ~(U(1) << WIN_BIT)
        p += length
    return forth, back, earned | won, p


@helper
def nibbles_slides(ws, lines, b):  # type: ignore[no-untyped-def]
    left, right, across, p = _slide_axis(lines, U(0), ws[TARGET], b)
    up, down, along, p = _slide_axis(lines, p, ws[TARGET], b)
    return left, right, across, up, down, along


@helper
def nibbles_upright(ws, b):  # type: ignore[no-untyped-def]
    return b


@helper
def nibbles_free(ws, b):  # type: ignore[no-untyped-def]
    return empties(b) & ws[FREE]


@helper
def _image(lines, p, cells, x):  # type: ignore[no-untyped-def]
    out = U(0)
    for i in range(cells):
        out |= ((x >> U(4 * i)) & U(15)) << lines[p + U(i)]
    return out


@helper
def nibbles_canonical(ws, lines, words, n):  # type: ignore[no-untyped-def]
    for i in range(n):
        x = words[i]
        best = x
        p = ws[IMAGES_AT]
        cells = lines[p]
        for _ in range(ws[IMAGES]):
            best = _least(best, _image(lines, p + U(1), cells, x))
            p += cells
        words[i] = best


@helper
def nibbles_stabiliser(ws, lines, x):  # type: ignore[no-untyped-def]
    same = 1
    p = ws[IMAGES_AT]
    cells = lines[p]
    for _ in range(ws[IMAGES]):
        same += _image(lines, p + U(1), cells, x) == x
        p += cells
    return same


GRID = {
    "slides": grid_slides,
    "upright": grid_upright,
    "free_cells": grid_free,
    "canonical": grid_canonical,
    "stabiliser": grid_stabiliser,
}
NIBBLES = {
    "slides": nibbles_slides,
    "upright": nibbles_upright,
    "free_cells": nibbles_free,
    "canonical": nibbles_canonical,
    "stabiliser": nibbles_stabiliser,
}
