"""Hand-made evaluations.

The default one rates each row and column by empty cells, merges at hand, monotonicity and the weight of its tiles:
the features that nneonneo's 2048-ai found by optimisation (CMA-ES) and that hand-made programs have used since.
Powers of ranks keep large tiles from drowning small ones. The weights are ours; docs/default-evaluation.md tells how they
were found.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from twofold.kernels.compiling import helper
from twofold.rules.board import Board
from twofold.rules.slide import BRICK
from twofold.values.base import RANKS, Evaluation

_FIRST_POWER = 8  # where the two tables of powers start among the parameters
_SECOND_POWER = _FIRST_POWER + RANKS


@helper
def smooth_line(line, p):  # type: ignore[no-untyped-def]
    """Worth of one line.

    lost + empty·(empty cells) + merges·(tiles in equal neighbours)
    − mono·min(Σ falls, Σ rises of rank^mono_power) − sum·Σ rank^sum_power.

    Equal tiles are neighbours if only empty cells lie between them. A brick ends a run: nothing merges across it and
    no step is counted to it.
    """
    empty = 0
    merges = 0
    equal = 0
    last = np.uint8(0)
    falls = 0.0
    rises = 0.0
    weight = 0.0
    before = -1.0  # the power of the cell before, −1 at the start of a run
    for i in range(len(line)):
        rank = line[i]
        if rank == 255:
            merges += equal + 1 if equal > 0 else 0
            equal = 0
            last = np.uint8(0)
            before = -1.0
            continue
        power = p[8 + rank]
        weight += p[72 + rank]
        if rank == 0:
            empty += 1
        elif rank == last:
            equal += 1
        else:
            merges += equal + 1 if equal > 0 else 0
            equal = 0
            last = rank
        if before >= 0.0:
            if before > power:
                falls += before - power
            else:
                rises += power - before
        before = power
    merges += equal + 1 if equal > 0 else 0
    return p[0] + p[1] * empty + p[2] * merges - p[3] * min(falls, rises) - p[4] * weight


def smooth(
    text: str,
    *,
    lost: float,
    empty: float,
    merges: float,
    mono: float,
    mono_power: float,
    sum: float,
    sum_power: float,
) -> Evaluation:
    """The default evaluation; see `smooth_line` for the formula. A dead board is worth 0, less than any live one."""
    ranks = np.arange(RANKS, dtype=np.float64)
    numbers = [lost, empty, merges, mono, sum, 0.0, 0.0, 0.0]
    numbers += list(ranks**mono_power) + list(ranks**sum_power)
    return Evaluation(text, line=smooth_line, parameters=tuple(numbers))


# Worth per cell and rank.


def face_values() -> NDArray[np.float64]:
    """Face value of each rank, float64 (64,), 0 for an empty cell."""
    faces: NDArray[np.float64] = np.ldexp(1.0, np.arange(RANKS))
    faces[0] = 0.0
    return faces


def _on_cells(weights: NDArray[np.float64], worth: NDArray[np.float64]) -> NDArray[np.float64]:
    return weights.reshape(-1, 1) * worth.reshape(1, -1)


def snake_order(board: Board) -> list[int]:
    """The free cells along the snake that starts top left, every second row backwards; bricks are left out."""
    cells = [r * board.columns + (c if r % 2 == 0 else board.columns - 1 - c)
             for r in range(board.rows) for c in range(board.columns)]
    return [cell for cell in cells if board.cells[cell] != BRICK]


def snake_weights(board: Board, ratio: float, span: int = 16) -> NDArray[np.float64]:
    """Weights ratio^(k−1), …, ratio^0 along the snake, the largest top left, float64 (cells,).

    On more than `span` cells the powers are spread so that the largest weight stays ratio^(span−1); that keeps sums
    exact enough in float64 and is S2's weighting where S2 defines it.
    """
    order = snake_order(board)
    weights = np.zeros(len(board.cells))
    step = min(1.0, (span - 1) / max(1, len(order) - 1))
    for i, cell in enumerate(order):
        weights[cell] = ratio ** ((len(order) - 1 - i) * step)
    return weights


def snake(text: str, *, ratio: float) -> Evaluation:
    """S2's snake: Σ weight·value with weights 4^15 … 4^0 along a snake from the top left corner."""
    return Evaluation(text, placed=lambda board: _on_cells(snake_weights(board, ratio), face_values()))


def empty(text: str) -> Evaluation:
    """S4's `empty`: the number of empty cells."""
    worth = np.zeros(RANKS)
    worth[0] = 1.0
    return Evaluation(text, placed=lambda board: _on_cells(np.ones(len(board.cells)), worth))


def highscore(text: str) -> Evaluation:
    """S4's `highscore`: the score at the leaf, that is the points made on the way there."""
    return Evaluation(text, placed=lambda board: np.zeros((len(board.cells), RANKS)), reward=1.0)


def order(text: str, *, ratio: float, scale: float) -> Evaluation:
    """S4's `order`: Σ matrix·value + score. The matrix is a snake of powers: scale·ratio^(−i) on the i-th cell."""

    def placed(board: Board) -> NDArray[np.float64]:
        weights = np.zeros(len(board.cells))
        for i, cell in enumerate(snake_order(board)):
            weights[cell] = scale * ratio**-i
        return _on_cells(weights, face_values())

    return Evaluation(text, placed=placed, reward=1.0)
