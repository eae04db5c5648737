"""A line heuristic in which tiles fall from the top left corner, which leads games to formation tables.

It rates lines as the default evaluation does, but knows which row or column it rates: rows fall to the right and
columns downwards, the upper rows and the third column above all. So the large tiles come to lie in the block of 2x3
cells that the tables speak of.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from twofold.evaluation.base import RANKS, Evaluation
from twofold.kernels.compiling import helper
from twofold.rules.board import Board

_FALLS, _MONO, _POWER = 3, 5, 13  # where these begin among the parameters


@helper
def falling_line(line, p, number):  # type: ignore[no-untyped-def]
    """The value of line `number`, 0 to 3 for a row, 4 to 7 for a column.

    lost + empty·(empty cells) + merges·(pairs of equal neighbours) − mono·(Σ rises + falls·Σ falls of rank^mono_power).

    Equal tiles are neighbours if only empty cells lie between them. A brick ends a run.
    """
    value = p[0]
    rises = 0.0
    falls = 0.0
    last = np.uint8(0)
    before = -1.0  # the power of the cell before, −1 at the start of a run
    for i in range(len(line)):
        rank = line[i]
        if rank == 255:
            last = np.uint8(0)
            before = -1.0
            continue
        power = p[_POWER + rank]
        if rank == 0:
            value += p[1]
        else:
            if rank == last:
                value += p[2]
            last = rank
        if before >= 0.0:
            if before > power:
                falls += before - power
            else:
                rises += power - before
        before = power
    return value - p[_MONO + number] * (rises + p[_FALLS + number // 4] * falls)


def corner(
    text: str,
    *,
    lost: float,
    empty: float,
    merges: float,
    mono_power: float,
    row_falls: float,
    column_falls: float,
    sum_power: float,
    **by_line: float,
) -> Evaluation:
    """The evaluation of `falling_line`, less what tiles weigh by their rows and columns.

    by_line: `row1` to `row4` and `column1` to `column4`, the mono of each; `weight1` to `weight4`, what a tile counts
    by its row, and `beside2` to `beside4`, how much more by its column. A dead board has the value 0, less than any
    that play meets.
    """
    ranks = np.arange(RANKS, dtype=np.float64)
    mono = [by_line[f"{name}{i}"] for name in ("row", "column") for i in range(1, 5)]
    weight = np.array([by_line[f"weight{i}"] for i in range(1, 5)])
    beside = np.array([0.0, *(by_line[f"beside{i}"] for i in range(2, 5))])

    def placed(board: Board) -> NDArray[np.float64]:
        row, column = np.divmod(np.arange(len(board.cells)), board.columns)
        counts = weight[4 * row // board.rows] + beside[4 * column // board.columns]
        values: NDArray[np.float64] = -counts[:, None] * (ranks**sum_power)[None, :]
        return values

    numbers = (lost, empty, merges, row_falls, column_falls, *mono, *(ranks**mono_power))
    return Evaluation(text, line=falling_line, numbered=True, placed=placed, single=True, parameters=numbers)
