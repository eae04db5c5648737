"""The stage of a board: which of a network's tables value it."""

from __future__ import annotations

import functools
from typing import Any

from twofold.kernels.bits import U
from twofold.kernels.compiling import clone, helper

LOW7 = U(0x7777777777777777)
HIGH = U(0x8888888888888888)
ONES = U(0x1111111111111111)


@helper
def holds_rank(x, rank):  # type: ignore[no-untyped-def]
    """Whether some nibble of x is at least `rank` (1..15)."""
    if rank >= U(8):
        return ((x & LOW7) + (U(16) - rank) * ONES) & x & HIGH != U(0)
    return (((x & LOW7) + (U(8) - rank) * ONES) | x) & HIGH != U(0)


def no_stage(x):  # type: ignore[no-untyped-def]
    """A network of one stage."""
    return U(0)


STAGES = (15,)


def tile_stage(x):  # type: ignore[no-untyped-def]
    """How many of the ranks in STAGES are reached on x."""
    number = U(0)
    for rank in STAGES:
        number += U(holds_rank(x, U(rank)))
    return number


def sum_stage(x):  # type: ignore[no-untyped-def]
    """How many of the sums in STAGES the tiles on x reach together."""
    total = U(0)
    for i in range(16):
        total += (U(1) << ((x >> U(4 * i)) & U(15))) & ~U(1)
    number = U(0)
    for least in STAGES:
        number += U(total >= U(least))
    return number


@functools.cache
def stage_finder(stages: tuple[int, ...], by_sum: bool) -> Any:
    """The stage of a packed board: stages begin at ranks of the largest tile or at sums of tiles."""
    if not stages:
        return helper(no_stage)
    return clone(sum_stage if by_sum else tile_stage, {"STAGES": stages}, cached=False)
