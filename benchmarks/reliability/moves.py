"""Compiled moves against a plain one, over shapes, bricks and ranks."""

from __future__ import annotations

import functools
from collections import Counter
from typing import Any

import numpy as np

from benchmarks.reliability.common import Found, told_of


def plain_slide(grid, direction, out, merged):  # type: ignore[no-untyped-def]
    """The rules once more, plainly: (changed, reward); grid, out: ranks by row and column, 255 for a brick.

    Each tile goes towards the wall, over empty cells; onto an equal tile that no merge of this move has made. merged:
    bool, scratch of the same shape.
    """
    rows, columns = grid.shape
    for r in range(rows):
        for c in range(columns):
            out[r, c], merged[r, c] = grid[r, c], False
    down = 1 if direction == 2 else -1 if direction == 0 else 0
    right = 1 if direction == 1 else -1 if direction == 3 else 0
    reward, changed = 0, False
    for i in range(rows):
        r = rows - 1 - i if down == 1 else i
        for j in range(columns):
            c = columns - 1 - j if right == 1 else j
            rank = out[r, c]
            if rank in (0, 255):
                continue
            y, x = r, c
            while 0 <= y + down < rows and 0 <= x + right < columns and out[y + down, x + right] == 0:
                y, x = y + down, x + right
            out[r, c] = 0
            v, u = y + down, x + right
            if 0 <= v < rows and 0 <= u < columns and out[v, u] == rank and not merged[v, u]:
                out[v, u] = rank + 1
                merged[v, u] = True
                reward += np.int64(2) << np.int64(rank)
                changed = True
            else:
                out[y, x] = rank
                changed = changed or y != r or x != c
    return changed, reward


def _compare(grid, out, merged, flat, plan, buffer, top, count, seed):  # type: ignore[no-untyped-def]
    """Moves on random boards, both ways; the number of differences.

    grid: (rows, columns), 255 where a brick lies; out, merged: scratch of the same shape. flat: the cells of grid, of
    out and of a copy of grid, in reading order.
    """
    rows, columns = grid.shape
    cells = rows * columns
    before, after, bricks = flat
    wrong, s = 0, np.uint64(seed)
    for number in range(count):
        direction = number % 4
        if direction == 0:
            for i in range(cells):
                if bricks[i] != 255:
                    s += GAMMA  # noqa: F821
                    word = mix64(s)  # noqa: F821
                    limit = U(4) if (word >> U(61)) & U(1) else U(top + 1)  # noqa: F821
                    before[i] = 0 if word >> U(62) == U(0) else ((word & U(0xFFFFFF)) * limit) >> U(24)  # noqa: F821
        changed, reward = plain(grid, direction, out, merged)  # noqa: F821
        for i in range(cells):
            buffer[i] = before[i]
        moved, points = cells_slide(U(buffer.ctypes.data), U(plan.ctypes.data), direction)  # noqa: F821
        same = moved == changed and points == reward
        for i in range(cells):
            same &= buffer[i] == after[i]
        if rows == 4 and columns == 4 and top < 15:
            x, y = U(0), U(0)  # noqa: F821
            for i in range(16):
                x |= U(before[i] & 15) << U(4 * i)  # noqa: F821
                y |= U(after[i] & 15) << U(4 * i)  # noqa: F821
            left, right, points = slide_rows(table, transpose(x) if direction % 2 == 0 else x)  # noqa: F821
            z = left if direction in (0, 3) else right
            same &= (transpose(z) if direction % 2 == 0 else z) == y and np.int64(points) == reward  # noqa: F821
        wrong += not same
    return wrong


_WORK = 16_000_000
"""Cells that the moves of one shape go over, at most: small shapes get more of them."""


def moves(count: int, seed: int) -> Found:
    """Compiled slides, on bytes and on words, against a plain one, on boards of all shapes, with bricks, of all ranks.

    The plain one is compared with the rules themselves on some boards of each shape.
    """
    from numba import njit

    from twofold.kernels.bits import U
    from twofold.kernels.board.bitboard import GAMMA, mix64, slide_rows, transpose
    from twofold.kernels.board.byteboard import cells_slide
    from twofold.kernels.board.geometry import buffer_of, geometry
    from twofold.kernels.board.line_tables import line_table
    from twofold.kernels.compiling import clone
    from twofold.rules import Board, Direction

    plain = njit(plain_slide)  # called from Python too
    parts = {"plain": plain, "cells_slide": cells_slide, "mix64": mix64, "GAMMA": GAMMA, "U": U}
    parts |= {"slide_rows": slide_rows, "transpose": transpose}

    @functools.cache
    def kernel(bricks: bool) -> Any:
        return clone(_compare, {**parts, "table": line_table(bricks)})

    draw, faults, done, shapes = np.random.default_rng(seed), Counter[str](), 0, 0
    while done < count:
        rows, columns = (4, 4) if draw.random() < 0.2 else map(int, draw.integers(1, 9, 2))
        bricks = draw.random((rows, columns)) < draw.choice([0.0, 0.1, 0.3])
        if bricks.all() or bricks.size < 2:
            continue
        shape = np.where(bricks, 255, 0).astype(np.uint8)
        board, top = Board(rows, columns, shape.tobytes()), int(draw.choice([3, 11, 14, 30, 59]))
        some = min(_WORK // shape.size, count - done)
        with_bricks = bool(bricks.any())
        if with_bricks and top == 14:
            top = 13  # a nibble of 15 is a brick there
        begin = int(draw.integers(1 << 62))
        grid, out, merged = shape.copy(), shape.copy(), np.zeros(shape.shape, np.bool_)
        arrays = grid, out, merged, (grid.reshape(-1), out.reshape(-1), shape.reshape(-1))
        wrong = kernel(with_bricks)(*arrays, geometry(board), buffer_of(board), top, some, begin)
        for direction in Direction:
            grid = np.where(bricks, 255, draw.integers(0, top + 1, (rows, columns))).astype(np.uint8)
            out = grid.copy()
            slide = Board(rows, columns, grid.tobytes()).slide(direction)
            changed, reward = plain(grid, int(direction), out, merged)
            wrong += (out.tobytes(), reward, changed) != (slide.board.cells, slide.reward, slide.changed)
        if wrong:
            faults[f"{rows}x{columns}, ranks up to {top}, {int(bricks.sum())} bricks, seed {begin}"] += int(
                wrong
            )
        done, shapes = done + some, shapes + 1
    return told_of(f"{done:,} moves in {shapes:,} shapes", faults)
