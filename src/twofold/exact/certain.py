"""What is sure in a solved game: won positions, and targets that no play can reach."""

from __future__ import annotations

import numpy as np

from twofold.exact.solve import Solution

SURE = np.uint64(0xFFFFFFFFFFFFFFFF)
"""The word of an afterstate that is won whatever spawns."""


def out_of_reach(solution: Solution) -> bool:
    """True if the target's probability is 0 from every start: no play, however lucky, makes it.

    A probability is kept down to 1e-308, so it is 0 only where no sequence of moves and spawns wins.
    """
    return solution.problem.chance and all(start.value == 0 for start in solution.starts)


def sure_wins(solution: Solution) -> tuple[int, int]:
    """(afterstates won for sure: some play wins whatever spawns; afterstates in all)."""
    sure = total = 0
    for layer in range(solution.first, solution.last + 1):
        words = solution.layers.get("values", layer)
        sure += int((words == SURE).sum()) if solution.problem.chance else 0
        total += len(words)
    return sure, total
