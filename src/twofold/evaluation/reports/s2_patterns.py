"""S2, chapters 2.5 and 5: sums, snakes, diagonals and what human players look for.

S2 fixes the best corner at the top left. All are values of the board alone: points don't count. Dead boards: where no
value can be negative they are worth 0, less than any live board; where a penalty or a negative weight may be, they are
worth `dead`, whose default lies below every live board whose tiles add up to less than 2^18, that is every board that
4×4 play can reach. On larger boards with larger tiles, lower it.
"""

from __future__ import annotations

import numpy as np

from twofold.evaluation.base import Evaluation
from twofold.evaluation.patterns import (
    Weights,
    diagonal_weights,
    face_values,
    on_cells,
    row_numbers,
    snake_diagonal_weights,
    snake_weights,
    steps_from_corner,
)
from twofold.evaluation.reports.faces import face
from twofold.kernels.compiling import helper
from twofold.rules.board import Board

_MOST_SUM = float(1 << 18)  # no tiles that add up to this on 4x4
_MOST_PENALTY = 8 * _MOST_SUM  # a tile is the larger one in at most 8 of the differences counted


@helper
def differences(line, p):  # type: ignore[no-untyped-def]
    """−p[0] · the line's part of S2's penalty: |difference| of neighbouring tiles, seen from both of them."""
    total = 0.0
    for i in range(len(line) - 1):
        a, b = line[i], line[i + 1]
        if a != 0 and b != 0 and a != 255 and b != 255:
            total += abs(face(a) - face(b))
    return -2.0 * p[0] * total


def tile_sum(text: str) -> Evaluation:
    """S2 2.5, first heuristic: Σ value. It hardly tells boards apart: only spawns change it."""
    return Evaluation(text, placed=lambda board: on_cells(np.ones(len(board.cells)), face_values()))


def rows(text: str) -> Evaluation:
    """S2 2.5, second heuristic: Σ value · number of its row, the top row 1 and the bottom row `rows`."""
    return Evaluation(text, placed=lambda board: on_cells(row_numbers(board), face_values()))


def snake(text: str, *, ratio: float, penalty: float) -> Evaluation:
    """S2 5.2.1, and with `penalty` = w also 5.3: Σ weight·value − w·(S2's penalty).

    weight: `ratio`^(k−1), …, `ratio`^0 along the snake of the board's k free cells, S2's 4^15 … 4^0 on 4×4; on more
    than 16 cells the powers are spread, see `snake_weights`. penalty: Σ over tiles of the differences to each
    neighbouring tile (5.2.2), times w. S2 wants to try "various weights"; with ratio 4 the top left cell alone
    weighs 10^9, so a w that matters is large.
    """

    def placed(board: Board) -> Weights:
        return on_cells(snake_weights(board, ratio), face_values())

    if not penalty:
        return Evaluation(text, placed=placed)
    dead = -abs(penalty) * _MOST_PENALTY
    return Evaluation(text, placed=placed, line=differences, parameters=(penalty,), dead=dead)


def diagonal(text: str, *, penalty: float, dead: float) -> Evaluation:
    """S2 5.2.2: Σ W·value² − Σ over tiles of |difference| to each neighbouring tile.

    W is 6 5 4 1 / 5 4 1 0 / 4 1 0 −1 / 1 0 −1 −2 on 4×4, see `diagonal_weights` for other sizes. penalty: a factor of
    the second sum, 1 in S2.
    """
    squares = face_values() ** 2
    return Evaluation(
        text,
        placed=lambda board: on_cells(diagonal_weights(board), squares),
        line=differences,
        parameters=(penalty,),
        dead=dead,
    )


def snake_diagonal(text: str, *, power: float, penalty: float, dead: float) -> Evaluation:
    """S2 5.3: large tiles in a row as on a snake, those between in diagonals: Σ W·value^power − w·(S2's penalty).

    S2 gives only the matrix, 7 6 5 4 / 2 3 4 3 / 1 2 3 2 / 0 1 2 1, see `snake_diagonal_weights` for other sizes.
    power and penalty (w): those of the diagonal heuristic unless given.
    """
    worth = face_values() ** power
    return Evaluation(
        text,
        placed=lambda board: on_cells(snake_diagonal_weights(board), worth),
        line=differences,
        parameters=(penalty,),
        dead=dead,
    )


@helper
def trapped_values(board):  # type: ignore[no-untyped-def]
    """Σ over trapped tiles of (smallest neighbour − tile); trapped: all neighbours are larger tiles."""
    rows, columns = board.shape
    total = 0.0
    for r in range(rows):
        for c in range(columns):
            rank = board[r, c]
            if rank == 0 or rank == 255:
                continue
            least = np.int64(255)
            for d in range(4):
                y = r + (d == 2) - (d == 0)
                x = c + (d == 1) - (d == 3)
                if 0 <= y < rows and 0 <= x < columns and board[y, x] != 255:
                    least = min(least, np.int64(board[y, x]))
            if rank < least < 255:
                total += face(least) - face(rank)
    return total


@helper
def gradient_trapped(board, score, p):  # type: ignore[no-untyped-def]
    """p[0]·Σ value·p[1]^(steps from the top left corner) − p[2]·`trapped_values`."""
    total = 0.0
    if p[0] != 0.0:
        row_weight = p[0]
        for r in range(board.shape[0]):
            weight = row_weight
            for c in range(board.shape[1]):
                rank = board[r, c]
                if rank != 0 and rank != 255:
                    total += weight * face(rank)
                weight *= p[1]
            row_weight *= p[1]
    return total - p[2] * trapped_values(board)


def gradient(text: str, *, ratio: float, trapped: float) -> Evaluation:
    """S2 5.1, the gradient of human players: Σ value·ratio^(−steps from the top left corner) − w·(trapped tiles).

    S2 draws the pattern and gives no formula. trapped: w, the weight of `trapped_values`; 0 leaves them out.
    """
    if trapped:
        numbers = (1.0, 1.0 / ratio, trapped)
        dead = -abs(trapped) * _MOST_PENALTY
        return Evaluation(text, function=gradient_trapped, parameters=numbers, dead=dead)
    return Evaluation(text, placed=lambda board: on_cells(ratio ** -steps_from_corner(board), face_values()))


def trapped(text: str) -> Evaluation:
    """S2 5.1, trapped tiles as a penalty alone: −Σ over trapped tiles of (smallest neighbour − tile).

    A tile is trapped if it has neighbours and all of them are larger tiles; bricks are no neighbours.
    """
    return Evaluation(text, function=gradient_trapped, parameters=(0.0, 0.0, 1.0), dead=-_MOST_PENALTY)
