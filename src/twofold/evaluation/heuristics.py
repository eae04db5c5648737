"""The default evaluation.

It rates each row and column by empty cells, merges at hand, monotonicity and the weight of its tiles:
the features that nneonneo's 2048-ai found by optimisation (CMA-ES) and that hand-made programs have used since.
Powers of ranks keep large tiles from drowning small ones. The weights are ours; docs/log/tuning.md
tells how they were found.
"""

from __future__ import annotations

import numpy as np

from twofold.evaluation.base import RANKS, Evaluation
from twofold.kernels.compiling import helper

_FIRST_POWER = 8  # where the two tables of powers start among the parameters
_SECOND_POWER = _FIRST_POWER + RANKS


@helper
def smooth_line(line, p):  # type: ignore[no-untyped-def]
    """The value of one line.

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
        power = p[_FIRST_POWER + rank]
        weight += p[_SECOND_POWER + rank]
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
    """The default evaluation; see `smooth_line` for the formula. A dead board is worth 0.

    On 4x4 that is less than what live boards are worth in play, but a lone 16384 away from the edge, or large tiles far
    out of order, can be worth less than 0: give a larger `lost` for boards on which that is ordinary.
    """
    ranks = np.arange(RANKS, dtype=np.float64)
    numbers = [lost, empty, merges, mono, sum, 0.0, 0.0, 0.0]
    numbers += list(ranks**mono_power) + list(ranks**sum_power)
    return Evaluation(text, line=smooth_line, parameters=tuple(numbers))
