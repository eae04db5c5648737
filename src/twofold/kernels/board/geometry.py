"""The shape of a board as one flat array of numbers that kernels walk through.

Layout of `geometry(board)`, uint32:

| index | content |
|---|---|
| 0, 1, 2, 3 | cells, rows, columns, cells without a brick |
| 4 + d | where the runs of direction d start |
| 8 + s | where the spawn order of style s starts (0: reading order; 1..8: the corner styles of `rules.variant`) |

A direction's runs: their number, then for each its length and its cells from the wall that tiles slide to. Runs of a
single cell never change and are left out. A spawn order lists the brick-free cells.
"""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import NDArray

from twofold.rules.board import Board
from twofold.rules.direction import DIRECTIONS
from twofold.rules.slide import BRICK, runs
from twofold.rules.variant import CORNERS, corner_order

HEADER = 8 + 1 + len(CORNERS)


def padded(cells: int) -> int:
    """Bytes of a board's buffer: whole 64-bit words, the bytes beyond the last cell are bricks."""
    return (cells + 7) // 8 * 8


@functools.lru_cache(maxsize=256)
def _geometry(rows: int, columns: int, bricks: tuple[int, ...]) -> NDArray[np.uint32]:
    cells = rows * columns
    board = Board(rows, columns, bytes(BRICK if i in bricks else 0 for i in range(cells)))
    out = [cells, rows, columns, cells - len(bricks)] + [0] * (HEADER - 4)
    for direction in DIRECTIONS:
        out[4 + direction] = len(out)
        found = [run for run in runs(board, direction) if len(run) > 1]
        out.append(len(found))
        for run in found:
            out += [len(run), *run]
    for style, order in enumerate([tuple(range(cells)), *(corner_order(c, rows, columns) for c in CORNERS)]):
        out[8 + style] = len(out)
        out += [cell for cell in order if cell not in bricks]
    array = np.array(out, np.uint32)
    array.setflags(write=False)
    return array


def geometry(board: Board) -> NDArray[np.uint32]:
    """The shape of `board` for kernels; cached, read-only."""
    return _geometry(
        board.rows, board.columns, tuple(i for i, rank in enumerate(board.cells) if rank == BRICK)
    )


def buffer_of(board: Board) -> NDArray[np.uint8]:
    """A new buffer with the board's ranks, padded with bricks."""
    buffer = np.full(padded(len(board.cells)), BRICK, np.uint8)
    buffer[: len(board.cells)] = np.frombuffer(board.cells, np.uint8)
    return buffer
