"""S3, chapter 2: empty cells, order, two fixed snakes with penalties, the best of eight snakes.

S3 mixes units. Here, as it reads best: weights of snakes multiply face values; distances are differences of log₂, that
is of ranks, an empty cell having log 0; sums of elements are of face values. Bricks are left out: a brick ends a
vector, and snakes run over the free cells.
"""

from __future__ import annotations

import numpy as np

from twofold.evaluation.base import Evaluation
from twofold.evaluation.reports.faces import face
from twofold.kernels.compiling import helper

_BELOW_ORDER = -1000.0  # h2 is at least −(rows + columns + 4), or −1 for each run that bricks leave of a line


@helper
def line_order(board, row, column, down, count, tiles, pairs, ranks):  # type: ignore[no-untyped-def]
    """S3's monotonicity of the `count` cells from (row, column), downwards or to the right.

    For each vector between bricks: 0 if all are equal, −1 if not monotonic, else Σ elements / Σ |log₂ distances|.
    tiles: empty cells are left out; pairs: distances of all pairs, not of neighbours; ranks: elements are ranks.
    """
    total = 0.0
    elements = 0.0
    distance = np.int64(0)
    rises = 0
    falls = 0
    before = np.int64(-1)  # the rank of the cell before, −1 at the start of a vector
    begin = 0
    for i in range(count + 1):
        rank = np.int64(255)
        if i < count:
            rank = np.int64(board[row + i, column] if down else board[row, column + i])
        if rank == 255:
            if rises > 0 and falls > 0:
                total -= 1.0
            elif rises + falls > 0:
                total += elements / distance
            elements = 0.0
            distance = np.int64(0)
            rises = 0
            falls = 0
            before = np.int64(-1)
            begin = i + 1
            continue
        if tiles and rank == 0:
            continue
        elements += np.float64(rank) if ranks else face(rank)
        if before >= 0:
            rises += int(rank > before)
            falls += int(rank < before)
            if not pairs:
                distance += abs(rank - before)
            for k in range(begin, i if pairs else begin):
                other = np.int64(board[row + k, column] if down else board[row, column + k])
                distance += 0 if tiles and other == 0 else abs(rank - other)
        before = rank
    return total


@helper
def order_score(board, tiles, pairs, ranks):  # type: ignore[no-untyped-def]
    """Σ `line_order` over rows and columns, those on the four edges doubled."""
    rows, columns = board.shape
    total = 0.0
    for r in range(rows):
        double = 2.0 if r == 0 or r == rows - 1 else 1.0
        total += double * line_order(board, r, 0, False, columns, tiles, pairs, ranks)
    for c in range(columns):
        double = 2.0 if c == 0 or c == columns - 1 else 1.0
        total += double * line_order(board, 0, c, True, rows, tiles, pairs, ranks)
    return total


@helper
def snake_cell(board, k, bottom, right, by_columns):  # type: ignore[no-untyped-def]
    """Row and column of cell k along a snake from a corner, along rows or columns; bricks are counted."""
    rows, columns = board.shape
    length = rows if by_columns else columns
    major = k // length
    minor = k - major * length
    if major & 1:
        minor = length - 1 - minor
    r, c = (minor, major) if by_columns else (major, minor)
    return (rows - 1 - r if bottom else r), (columns - 1 - c if right else c)


@helper
def free_cells(board):  # type: ignore[no-untyped-def]
    """Cells that are not bricks, and those that are empty."""
    free = 0
    empties = 0
    for r in range(board.shape[0]):
        for c in range(board.shape[1]):
            free += board[r, c] != 255
            empties += board[r, c] == 0
    return free, empties


@helper
def cubes_snake(board, by_columns, free):  # type: ignore[no-untyped-def]
    """Σ weight·value along a snake from the bottom right, weights free³ … 1³, and the penalty's count.

    That is how many of its first four cells don't hold the tile that belongs there: the largest, the second largest, …
    """
    total = 0.0
    number = 0
    zero = np.int64(0)
    a, b, c, d = zero, zero, zero, zero  # the four largest ranks
    w, x, y, z = zero, zero, zero, zero  # the ranks on the first four cells
    for k in range(board.shape[0] * board.shape[1]):
        row, column = snake_cell(board, k, True, True, by_columns)
        rank = np.int64(board[row, column])
        if rank == 255:
            continue
        weight = np.float64(free - number)
        total += weight * weight * weight * face(rank)
        if number == 0:
            w = rank
        elif number == 1:
            x = rank
        elif number == 2:
            y = rank
        elif number == 3:
            z = rank
        number += 1
        if rank > a:
            a, b, c, d = rank, a, b, c
        elif rank > b:
            b, c, d = rank, b, c
        elif rank > c:
            c, d = rank, c
        elif rank > d:
            d = rank
    return total, (w != a) + (x != b) + (y != c) + (z != d)


@helper
def neighbour_distances(board, faces):  # type: ignore[no-untyped-def]
    """Σ |difference| over all neighbouring cells, of ranks or of face values."""
    rows, columns = board.shape
    total = 0.0
    for r in range(rows):
        for c in range(columns):
            rank = board[r, c]
            if rank == 255:
                continue
            here = face(rank) if faces else np.float64(rank)
            if r + 1 < rows and board[r + 1, c] != 255:
                other = board[r + 1, c]
                total += abs(here - (face(other) if faces else np.float64(other)))
            if c + 1 < columns and board[r, c + 1] != 255:
                other = board[r, c + 1]
                total += abs(here - (face(other) if faces else np.float64(other)))
    return total


@helper
def h2_value(board, score, p):  # type: ignore[no-untyped-def]
    """The order score; p: how `line_order` reads it."""
    return order_score(board, p[0] != 0.0, p[1] != 0.0, p[2] != 0.0)


@helper
def h3_value(board, score, p):  # type: ignore[no-untyped-def]
    """The better snake's (cubes·values − p[1]·penalty²) − p[0]·distances³; p[2]: distances of face values."""
    free, _ = free_cells(board)
    along_rows, unsorted_rows = cubes_snake(board, False, free)
    along_columns, unsorted_columns = cubes_snake(board, True, free)
    best = max(
        along_rows - p[1] * np.float64(unsorted_rows * unsorted_rows),
        along_columns - p[1] * np.float64(unsorted_columns * unsorted_columns),
    )
    distance = neighbour_distances(board, p[2] != 0.0)
    return best - p[0] * distance * distance * distance


@helper
def best_snake(board, free):  # type: ignore[no-untyped-def]
    """The best of the 8 snakes' Σ weight·value; weights 2^free … 2^1, spread over 2^16 … 2^1 on more than 16 cells."""
    top = 2.0 ** min(free, 16)
    fall = 0.5 if free <= 16 else 2.0 ** (-15.0 / (free - 1))
    best = 0.0
    for which in range(8):
        total = 0.0
        weight = top
        for k in range(board.shape[0] * board.shape[1]):
            row, column = snake_cell(board, k, which & 1 != 0, which & 2 != 0, which & 4 != 0)
            rank = board[row, column]
            if rank != 255:
                total += weight * face(rank)
                weight *= fall
        best = max(best, total)
    return best


@helper
def h4_value(board, score, p):  # type: ignore[no-untyped-def]
    """The best snake + the order score + p[0]·empty cells."""
    free, empties = free_cells(board)
    return best_snake(board, free) + order_score(board, False, False, False) + p[0] * empties


def h2(text: str, *, tiles: bool, pairs: bool, ranks: bool) -> Evaluation:
    """S3's second heuristic, the order score: Σ over rows and columns of the monotonicity, doubled on the edges.

    monotonicity: see `line_order`. A board of one row has it on an edge (once doubled), and columns of one cell that
    are worth 0. A dead board is worth −1000, less than any live one on boards of up to 16×16.

    Other readings (docs/results/s3.md): pairs=1 takes the distances of all pairs, which comes nearest to S3's figures;
    tiles=1 leaves empty cells out of a vector, ranks=1 sums ranks.
    """
    return Evaluation(
        text,
        function=h2_value,
        parameters=(float(tiles), float(pairs), float(ranks)),
        dead=_BELOW_ORDER,
    )


def h3(text: str, *, distance: float, penalty: float, faces: bool, dead: float | None) -> Evaluation:
    """S3's third heuristic: snake score − (Σ neighbour differences)³ − penalty², the better of two snakes.

    Both snakes have their head bottom right, one runs along the rows, one along the columns, with weights k³ … 1³
    (16³ … 1³ on 4×4) on face values. penalty: how many of the snake's first four cells don't hold the tile that
    belongs there by size.

    S3's units clash: cubed differences of face values would outweigh the snake a thousandfold and no two large
    tiles would ever merge. So differences are of ranks. faces=1 takes those of face values; `distance` and `penalty`
    are factors of the two terms, 1 as printed. dead: value of a dead board; unless given it is below all that 4×4 play
    can reach (−10^8, with faces −10^20) while distance is at most 1.
    """
    if dead is None:
        dead = -1e20 if faces else -1e8
    return Evaluation(text, function=h3_value, parameters=(distance, penalty, float(faces)), dead=dead)


def h4(text: str, *, empty: float) -> Evaluation:
    """S3's fourth heuristic: the best of the 8 snakes + order score + 30·(empty cells).

    Weights are 2^16 … 2^1 on 4×4, on face values; with k < 16 free cells 2^k … 2^1, with more the powers are spread
    evenly from 2^16 to 2^1. empty: the factor 30. A dead board is worth −1000, less than any live one on boards of up
    to 16×16.
    """
    return Evaluation(text, function=h4_value, parameters=(empty,), dead=_BELOW_ORDER)
