"""A line heuristic in which tiles fall from the top left corner, which leads games to formation tables.

It rates lines as the default evaluation does, but knows a direction: rows fall to the right and columns downwards. So
the large tiles come to lie in the block of 2x3 cells that the tables speak of, from the beginning of a game.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from twofold.evaluation.base import RANKS, Evaluation
from twofold.kernels.compiling import helper
from twofold.rules.board import Board

_FIRST_POWER = 8  # where the two tables of powers start among the parameters
_SECOND_POWER = _FIRST_POWER + RANKS


@helper
def falling_line(line, p):  # type: ignore[no-untyped-def]
    """The value of one line.

    lost + empty·(empty cells) + merges·(pairs of equal neighbours) − mono·(Σ rises + falls·Σ falls of rank^mono_power)
    − sum·Σ rank^sum_power.

    Equal tiles are neighbours if only empty cells lie between them. A brick ends a run.
    """
    worth = p[0]
    last = np.uint8(0)
    before = -1.0  # the power of the cell before, −1 at the start of a run
    for i in range(len(line)):
        rank = line[i]
        if rank == 255:
            last = np.uint8(0)
            before = -1.0
            continue
        power = p[_FIRST_POWER + rank]
        worth += p[_SECOND_POWER + rank]
        if rank == 0:
            worth += p[1]
        else:
            if rank == last:
                worth += p[2]
            last = rank
        if before >= 0.0:
            worth -= p[3] * (p[4] * (before - power) if before > power else power - before)
        before = power
    return worth


def corner(
    text: str,
    *,
    lost: float,
    empty: float,
    merges: float,
    mono: float,
    mono_power: float,
    falls: float,
    sum: float,
    sum_power: float,
    low: float,
) -> Evaluation:
    """The evaluation of `falling_line`, with the sum of a row larger by `low` in the lower half of the board.

    In the upper half it is smaller by as much. A dead board has the value 0, less than any that play meets.
    """
    ranks = np.arange(RANKS, dtype=np.float64)

    def placed(board: Board) -> NDArray[np.float64]:
        row = np.arange(len(board.cells)) // board.columns
        more = np.where(2 * row < board.rows, -low, low)
        return -sum * more[:, None] * (ranks**sum_power)[None, :]

    numbers = [lost, empty, merges, mono, falls, 0.0, 0.0, 0.0]
    numbers += list(ranks**mono_power) + list(-sum * ranks**sum_power)
    return Evaluation(text, line=falling_line, placed=placed, single=True, parameters=tuple(numbers))
