"""A board on which every tile is of another rank: on it any picture can be read, whatever its colours.

On a board of N cells such a game takes about 2^(N−1) moves, so it is for small boards only. The tiles are kept as one
falling chain along a snake. Each move and the cell of the 4 that follows are those that, looking a few moves ahead,
hold most in the chain; three directions are enough. When one cell is empty and all tiles differ, a 2 ends the game.
"""

from __future__ import annotations

import functools
from functools import lru_cache
from typing import Any

import numpy as np

from twofold.art.painter.painting import NotPainted, Painting, Step
from twofold.art.painter.words import slide
from twofold.art.picture import Picture
from twofold.kernels.compiling import clone, helper, kernel
from twofold.rules.board import Board
from twofold.rules.direction import Direction

MAX_CELLS = 16
"""The largest board: 4x4 takes 32,767 moves."""

_DIRECTIONS = (Direction.LEFT, Direction.RIGHT, Direction.UP)


@helper
def _rate(board, columns, path, scratch):  # type: ignore[no-untyped-def]
    """How much of the board is in the chain, less half of what is not, and less a little for each tile."""
    total, last, in_chain = 0.0, 99, True
    for place in range(board.shape[0]):
        v = board[path[place]]
        in_chain = in_chain and 0 < v <= last
        if v == 0:
            continue
        if in_chain:
            total += 2.0**v * (1 - 0.001 * place)
            last = v
        else:
            total -= 0.5 * 2.0**v
        total -= 1.5
    return total


deeper: Any = (
    None  # holes of `_look`: what rates a board after the spawn, and which row of `scratch` is its own
)
LEVEL = 0


def _look(board, columns, path, scratch):  # type: ignore[no-untyped-def]
    """The best rating after a move and a 4 on any empty cell."""
    best, out = -1e9, scratch[LEVEL]
    for way in range(3):
        if slide(board.reshape(-1, columns), way, out.reshape(-1, columns)):
            for cell in range(out.shape[0]):
                if out[cell] == 0:
                    out[cell] = 2
                    best = max(best, deeper(out, columns, path, scratch))
                    out[cell] = 0
    return best


_look_1 = clone(_look, {"deeper": _rate, "LEVEL": 0}, cached=False)
_look_2 = clone(_look, {"deeper": _look_1, "LEVEL": 1}, cached=False)
_look_3 = clone(_look, {"deeper": _look_2, "LEVEL": 2}, cached=False)


@helper
def _is_last(board):  # type: ignore[no-untyped-def]
    """True if one cell is empty and all tiles differ."""
    seen = 0
    for v in board:
        if seen >> v & 1:
            return False
        seen |= 1 << v
    return seen & 1 == 1


@functools.partial(kernel, allocates=True)
def _play(board, columns, path, scratch, moves, cells):  # type: ignore[no-untyped-def]
    """Plays from `board` until it is full of different tiles; gives the number of moves, or -1 if it comes to an end.

    scratch: (4, N). moves, cells: what is played; the last spawn is a 2, all others are 4s.
    """
    out = scratch[3]
    for number in range(moves.shape[0]):
        best, way_to_go, where = -1e8, -1, 0
        free = np.count_nonzero(board == 0)
        for way in range(3):
            if not slide(board.reshape(-1, columns), way, out.reshape(-1, columns)):
                continue
            if _is_last(out):
                moves[number], cells[number] = way, np.argmin(out)
                board[:] = out
                board[cells[number]] = 1
                return number + 1
            for cell in range(out.shape[0]):
                if out[cell]:
                    continue
                out[cell] = 2
                if free > 8:
                    rating = _look_1(out, columns, path, scratch)
                elif free > 2:
                    rating = _look_2(out, columns, path, scratch)
                else:
                    rating = _look_3(out, columns, path, scratch)
                if rating > best:
                    best, way_to_go, where = rating, way, cell
                out[cell] = 0
        if way_to_go < 0:
            return -1
        slide(board.reshape(-1, columns), way_to_go, out.reshape(-1, columns))
        out[where] = 2
        board[:] = out
        moves[number], cells[number] = way_to_go, where
    return -1


@lru_cache(maxsize=8)
def different_tiles(rows: int, columns: int) -> tuple[Board, tuple[Step, ...], bytes]:
    """A game that fills the board with tiles all different: its start, its steps, the ranks at the end.

    Raises NotPainted if the board is too large or too thin, or the game comes to an end before.
    """
    size = rows * columns
    if size > MAX_CELLS or min(rows, columns) < 2:
        raise NotPainted(f"no game fills {rows}x{columns} with tiles that all differ: too large or too thin")
    path = np.arange(size).reshape(rows, columns)
    path[1::2] = path[1::2, ::-1].copy()
    board = np.zeros(size, np.int64)
    board[0] = 2
    moves, cells = np.zeros(1 << size, np.int64), np.zeros(1 << size, np.int64)
    count = int(_play(board, columns, path.ravel().copy(), np.zeros((4, size), np.int64), moves, cells))
    if count < 0:
        raise NotPainted(f"the game that fills {rows}x{columns} came to an end before its time")
    steps = tuple(
        Step(_DIRECTIONS[moves[i]], int(cells[i]), 1 if i == count - 1 else 2) for i in range(count)
    )
    return Board.empty(rows, columns).with_cell(0, 2), steps, bytes(map(int, board))


def paint_by_chain(picture: Picture) -> Painting:
    """Any picture on a small board: each cell has a rank of its own. Raises NotPainted as `different_tiles` does."""
    start, steps, ranks = different_tiles(picture.rows, picture.columns)
    colours = tuple(
        tuple(sorted(rank for rank, cell in zip(ranks, picture.cells, strict=True) if cell == colour))
        for colour in range(len(picture.palette))
    )
    painting = Painting(picture, start, steps, colours, "planner", "every cell with a tile of its own")
    painting.prove()
    return painting
