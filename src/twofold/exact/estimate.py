"""How large a solution will be, said before it is begun."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass

from twofold.exact.locked import LockedWordLayout
from twofold.exact.problem import Problem
from twofold.exact.states import WordLayout

_KNOWN = {
    # (size, rank that wins or 0 for the score) of full boards: canonical states, from tests/data/exact.json
    ((2, 4), 8): 1_484_919, ((2, 4), 0): 4_980_767, ((3, 3), 9): 14_314_189, ((3, 3), 10): 29_063_397,
    ((3, 3), 0): 48_713_519, ((3, 4), 6): 158_719_987, ((3, 4), 0): 1_152_817_492_752,
    ((4, 4), 4): 23_483_970, ((4, 4), 5): 1_566_798_892, ((4, 4), 6): 40_652_843_433,
}  # fmt: skip

STATE_BYTES = 8
AFTER_BYTES = 16
LARGEST_BYTES = 100
"""Bytes of memory per state of the largest layer, everything else on disk: measured on 4x4 to 32."""
TABLES = 1.0
"""Bytes per state that hash tables take at their largest: layers are small beside the whole."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """The expected size of a solution.

    states, afterstates: canonical boards; known: whether the number of states is exact.
    memory: bytes in memory; streamed: bytes in memory with --work, for the largest layer.
    work: bytes of the folder with --work; file: bytes of a policy file.
    """

    states: int
    afterstates: int
    known: bool
    memory: int
    streamed: int
    work: int
    file: int


def estimate(problem: Problem) -> Estimate:
    """An estimate from the number of ways to fill the board with tiles below the target.

    Of these a share is reachable that shrinks from a half on 6 cells to a twentieth on 16 (tests/data/exact.json).
    """
    layout: WordLayout = problem.layout()
    if isinstance(layout, LockedWordLayout):
        return _of_class(layout)
    cells = len(layout.shape.empty_cells)
    variant = problem.variant
    most = cells + max(variant.allowed_ranks)  # ranks that can lie on the board, and none
    wins = variant.target_rank if problem.chance and variant.target_rank < most else 0
    size = min(layout.shape.size, layout.shape.size[::-1])
    filled = cells == layout.shape.rows * layout.shape.columns and problem.symmetric
    standard = filled and not variant.start.tile_ranks and variant.allowed_ranks == (1, 2)
    states = _KNOWN.get((size, wins)) if standard and variant.place == "random" else None
    known = states is not None
    if states is None:
        kinds = wins or most
        share = 0.5 * 0.86 ** max(0, cells - 6)
        states = max(1, int(kinds**cells * share) // layout.group)
    layers = cells << wins >> 2 if wins else 1 << cells + 1
    after = int(states * (0.66 if cells < 12 else 0.45 if cells < 16 else 0.36))
    return _of_counts(states, after, cells, layers, known)


def _of_class(layout: LockedWordLayout) -> Estimate:
    """Every way to fill the cells that are not locked; what a start with smaller tiles leads to is less."""
    cells = len(layout.bits)
    held = len(layout.held) if layout.loose else 0
    states = math.comb(cells, held) * layout.target_rank ** (cells - held) // layout.group
    return _of_counts(max(1, states), max(1, int(states * 0.6)), cells, len(layout.layers) or 1, False)


def _of_counts(states: int, after: int, cells: int, layers: int, known: bool) -> Estimate:
    """layers: how many there can be; the largest holds up to six times their mean (docs/log/exact.md)."""
    streamed = LARGEST_BYTES * min(states, 6 * states // layers + 1) + (200 << 20)
    memory = int(states * (STATE_BYTES + TABLES) + after * AFTER_BYTES) + (200 << 20)
    work = int(1.05 * STATE_BYTES * (states + after))  # states leave as values come: most at the turn
    return Estimate(states, after, known, memory, streamed, work, after * (8 + (cells + 1) // 2))


def peak_memory() -> int:
    """The most memory that this process has had so far, in bytes; 0 where the system doesn't tell."""
    try:
        import resource
    except ImportError:  # Windows
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
