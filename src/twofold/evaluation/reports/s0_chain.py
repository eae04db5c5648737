"""S0, "Gameplay Solver": six features of a board around its chain, and their weighted sum.

The chain is a path of neighbouring tiles from the largest tile (the root), each half of the one before. What S0
leaves open is settled here: *corner* and *border* are cells that walls or bricks hold in place, a corner on a
horizontal and on a vertical side, a border on any. Points don't count.
"""

from __future__ import annotations

import functools
import math

import numpy as np

from twofold.evaluation.base import Evaluation
from twofold.evaluation.reports.faces import face
from twofold.kernels.compiling import helper


@helper
def _solid(board, r, c):  # type: ignore[no-untyped-def]
    """Whether there is a wall or a brick at (r, c)."""
    return not (0 <= r < board.shape[0] and 0 <= c < board.shape[1]) or board[r, c] == 255


@helper
def stability(board, r, c):  # type: ignore[no-untyped-def]
    """2 for a corner, 1 for a border, 0 for the middle."""
    vertical = _solid(board, r - 1, c) or _solid(board, r + 1, c)
    horizontal = _solid(board, r, c - 1) or _solid(board, r, c + 1)
    return 2 if vertical and horizontal else 1 if vertical or horizontal else 0


@helper
def find_root(board):  # type: ignore[no-untyped-def]
    """Row, column and stability of the largest tile; of several a corner, else a border, else the first.

    All −1 on a board without tiles.
    """
    row, column, best = -1, -1, -1
    top = np.int64(0)
    for r in range(board.shape[0]):
        for c in range(board.shape[1]):
            rank = np.int64(board[r, c])
            if rank == 0 or rank == 255 or rank < top:
                continue
            here = stability(board, r, c)
            if rank > top or here > best:
                row, column, best, top = r, c, here, rank
    return row, column, best


@helper
def walk_chain(board, r, c, by_columns, marks):  # type: ignore[no-untyped-def]
    """Length and sum of the snake-wise chain from (r, c), along its row or its column first; marks its cells.

    It goes towards the side with more cells (right or down if equal), turns at a wall or a brick, one line on towards
    the side with more lines, and so on; it ends where a tile isn't half of the one before.
    """
    down = 1 if board.shape[0] - 1 - r >= r else -1
    right = 1 if board.shape[1] - 1 - c >= c else -1
    length = 1
    total = face(board[r, c])
    if marks.size > 0:
        marks[r, c] = 1
    while True:
        y, x = (r + down, c) if by_columns else (r, c + right)
        if _solid(board, y, x):
            y, x = (r, c + right) if by_columns else (r + down, c)
            if by_columns:
                down = -down
            else:
                right = -right
            if _solid(board, y, x):
                break
        if board[y, x] == 0 or board[y, x] + 1 != board[r, c]:
            break
        r, c = y, x
        length += 1
        total += face(board[r, c])
        if marks.size > 0:
            marks[r, c] = 1
    return length, total


@functools.partial(helper, allocates=True)
def chain_of(board, r, c, marks):  # type: ignore[no-untyped-def]
    """Length and sum of the longer of the two chains from (r, c), the one along its row if equal; marks its cells."""
    none = np.empty((0, 0), np.uint8)
    by_row, row_sum = walk_chain(board, r, c, False, none)
    by_column, column_sum = walk_chain(board, r, c, True, none)
    by_columns = by_column > by_row
    if marks.size > 0:
        walk_chain(board, r, c, by_columns, marks)
    return (by_column, column_sum) if by_columns else (by_row, row_sum)


def root_and_chain(board, marks):  # type: ignore[no-untyped-def]
    """Row, column and stability of the root and the length of its chain, whose cells are marked; for Python.

    board, marks: uint8 (rows, columns). All -1 but the length, which is 0, on a board without tiles. A template for
    `compiling.clone`.
    """
    row, column, place = find_root(board)
    if row < 0:
        return row, column, place, 0
    length, _ = chain_of(board, row, column, marks)
    return row, column, place, length


@helper
def line_monotonic(board, row, column, down, count):  # type: ignore[no-untyped-def]
    """Whether a line never rises, and whether it never falls; empty cells are 0, no step is counted to a brick.

    A line without a free cell is neither.
    """
    rises, falls, free = 0, 0, False
    before = np.int64(255)
    for i in range(count):
        rank = np.int64(board[row + i, column] if down else board[row, column + i])
        if rank != 255:
            free = True
            if before != 255:
                rises += int(rank > before)
                falls += int(rank < before)
        before = rank
    return free and rises == 0, free and falls == 0


@helper
def monotonicity(board):  # type: ignore[no-untyped-def]
    """The rows monotonic in the commoner direction plus the columns monotonic in the commoner direction."""
    rows, columns = board.shape
    total = 0
    for down in range(2):
        falling, rising = 0, 0
        for i in range(columns if down else rows):
            if down:
                falls, rises = line_monotonic(board, 0, i, True, rows)
            else:
                falls, rises = line_monotonic(board, i, 0, False, columns)
            falling += falls
            rising += rises
        total += max(falling, rising)
    return total


@helper
def shifted(board, out, direction):  # type: ignore[no-untyped-def]
    """The board slid UP, RIGHT, DOWN or LEFT (0-3) into `out`; tests hold it against the rules' own slide."""
    rows, columns = board.shape
    upright = direction == 0 or direction == 2
    backwards = direction == 1 or direction == 2
    length = rows if upright else columns
    for line in range(columns if upright else rows):
        free = 0  # where the next tile comes to lie
        waiting = np.uint8(0)  # the rank there that may still merge
        for i in range(length):
            at = length - 1 - i if backwards else i
            r, c = (at, line) if upright else (line, at)
            rank = board[r, c]
            out[r, c] = 0
            if rank == 0:
                continue
            if rank == 255:
                out[r, c] = 255
                free = i + 1
                waiting = np.uint8(0)
                continue
            if rank == waiting:
                rank = np.uint8(rank + 1)
                waiting = np.uint8(0)
            else:
                if waiting != 0:
                    free += 1
                waiting = rank
            at = length - 1 - free if backwards else free
            r, c = (at, line) if upright else (line, at)
            out[r, c] = rank
            if waiting == 0:
                free += 1


@helper
def open_merges(board, down):  # type: ignore[no-untyped-def]
    """Merges that a slide along the columns (down) or the rows would make."""
    rows, columns = board.shape
    total = 0
    for line in range(columns if down else rows):
        waiting = np.uint8(0)
        for i in range(rows if down else columns):
            rank = board[i, line] if down else board[line, i]
            if rank == 0:
                continue
            if rank == waiting and rank != 255:
                total += 1
                waiting = np.uint8(0)
            else:
                waiting = rank
    return total


@functools.partial(helper, allocates=True)
def shift_load(board, along):  # type: ignore[no-untyped-def]
    """The most merges open after one of the four shifts, across its direction (and along it)."""
    out = np.empty(board.shape, np.uint8)
    most = 0
    for direction in range(4):
        shifted(board, out, direction)
        upright = direction == 0 or direction == 2
        merges = open_merges(out, not upright)
        if along:
            merges += open_merges(out, upright)
        most = max(most, merges)
    return most


@helper
def adjacent_mean(board, r, c, marks):  # type: ignore[no-untyped-def]
    """Mean over the tiles that aren't marked of value / Euclidean distance to (r, c); 0 if there is none."""
    total = 0.0
    count = 0
    for y in range(board.shape[0]):
        for x in range(board.shape[1]):
            rank = board[y, x]
            if rank != 0 and rank != 255 and marks[y, x] == 0:
                total += face(rank) / math.sqrt(np.float64((y - r) * (y - r) + (x - c) * (x - c)))
                count += 1
    return total / count if count > 0 else 0.0


@functools.partial(helper, allocates=True)
def chain_value(board, score, p):  # type: ignore[no-untyped-def]
    """p[0]·largest + p[1]·monotonicity + p[2]·empty + p[3]·chain + p[4]·shift + p[5]·adjacent.

    p[6]: the part of its value that the largest tile is worth on a border; p[7]: shifts count merges along them.
    """
    total = 0.0
    if p[1] != 0.0:
        total += p[1] * monotonicity(board)
    if p[2] != 0.0:
        empties = 0
        for r in range(board.shape[0]):
            for c in range(board.shape[1]):
                empties += board[r, c] == 0
        total += p[2] * empties
    if p[4] != 0.0:
        total += p[4] * shift_load(board, p[7] != 0.0)
    row, column, place = find_root(board)
    if row < 0:
        return total
    value = face(board[row, column])
    total += p[0] * (value if place == 2 else p[6] * value if place == 1 else 1.0)
    if p[3] != 0.0 or p[5] != 0.0:
        marks = np.zeros(board.shape if p[5] != 0.0 else (0, 0), np.uint8)
        _, chain_sum = chain_of(board, row, column, marks)
        total += p[3] * chain_sum
        if p[5] != 0.0:
            total += p[5] * adjacent_mean(board, row, column, marks)
    return total


@helper
def locked_lines(board, row, column):  # type: ignore[no-untyped-def]
    """How many of the row and the column of (row, column) are full and can't merge: 0, 1 or 2."""
    across, down = 1, 1
    for c in range(board.shape[1]):
        if board[row, c] == 0 or (c > 0 and board[row, c] == board[row, c - 1] and board[row, c] != 255):
            across = 0
    for r in range(board.shape[0]):
        if board[r, column] == 0 or (
            r > 0 and board[r, column] == board[r - 1, column] and board[r, column] != 255
        ):
            down = 0
    return across + down


@functools.partial(helper, allocates=True)
def both_value(board, score, p):  # type: ignore[no-untyped-def]
    """`chain_value` + p[8]·length of the chain + p[9]·locked lines of its root + p[10]·mean value on the chain."""
    total = chain_value(board, score, p)
    row, column, _ = find_root(board)
    if row < 0:
        return total
    if p[8] != 0.0 or p[10] != 0.0:
        length, chain_sum = chain_of(board, row, column, np.zeros((0, 0), np.uint8))
        total += p[8] * length + p[10] * chain_sum / length
    if p[9] != 0.0:
        total += p[9] * locked_lines(board, row, column)
    return total


def chain(text: str, *, dead: float, **numbers: float) -> Evaluation:
    """S0's evaluation: the weighted sum of its six features.

    largest: the value of the largest tile if it is in a corner, `border` of it on a border, 1 in the middle.
    monotonicity: most rows monotonic in one common direction + most columns likewise (a snake has 6 of 8).
    empty: empty cells. chain: Σ of the values along the longer of the two chains of `walk_chain`, root included.
    shift: the most merges open after one of the four shifts, across it; along=1 counts those along it too (S0's
    suggestion). adjacent: mean over the tiles off the chain of value / Euclidean distance to the root.

    S0's best weights are a lost picture; ours are what `twofold tune` found, rounded (docs/log/tuning.md). dead: value
    of a dead board; as it is, it is below any live 4x4 board unless weights are far below zero: no feature is above
    262,142 there. For such weights choose it yourself.
    """
    return Evaluation(text, function=chain_value, parameters=_ordered(numbers), dead=dead)


def both_lists(
    text: str, *, length: float, values: float, locked: float, dead: float, **numbers: float
) -> Evaluation:
    """The features of both of S0's lists: the six of `chain`, and what its comparative scoring had besides.

    That compared the place of the largest tile, the chain's score, its length and its values, and whether the row or
    the column of the largest tile is locked. S0 doesn't say how score and values differ: here the score is `chain`,
    the sum of the values, and `values` their mean, so that a chain can have larger values without being longer.
    length: tiles of the chain. locked: how many of the row and the column of the largest tile are full and can't merge.
    """
    weights = (*_ordered(numbers), length, locked, values)
    return Evaluation(text, function=both_value, parameters=weights, dead=dead)


def _ordered(numbers: dict[str, float]) -> tuple[float, ...]:
    """The parameters of `chain_value` from those of the catalogue."""
    names = ("largest", "monotonicity", "empty", "chain", "shift", "adjacent", "border", "along")
    return tuple(float(numbers[name]) for name in names)


def _feature(which: int, text: str, *, border: float = 0.5, along: bool = False) -> Evaluation:
    """One of S0's features alone; a dead board is worth −1."""
    weights = [0.0] * 6
    weights[which] = 1.0
    return Evaluation(text, function=chain_value, parameters=(*weights, border, float(along)), dead=-1.0)


largest, monotonic, longest_chain, shift_loads, adjacent = (
    functools.partial(_feature, which) for which in (0, 1, 3, 4, 5)
)
