"""Which endgame tables are worth having on the classic board, and which of them fit a budget of disk.

The patterns are those that a few games of the shipped network were seen in most with few cells left,
and the snakes that go on from there. A table's size grows with the target's rank to the power of free cells, so
tables are taken smallest first: they are the crowded positions, where it matters most.
"""

from __future__ import annotations

from dataclasses import dataclass

from twofold.errors import InvalidParameter, quote
from twofold.exact.estimate import estimate
from twofold.exact.problem import Problem
from twofold.rules.board import Board
from twofold.rules.variant import Variant

PATTERNS = (
    "####|##..|....|....",
    "####|.##.|....|....",
    "####|###.|....|....",
    "####|####|....|....",
    "####|####|#...|....",
    "####|####|.#..|....",
    "####|####|##..|....",
    "####|####|###.|....",
)
"""Cells of locked tiles, `#`; every table serves the mirrored and turned boards too."""

TARGETS = (64, 128, 256, 512)


@dataclass(frozen=True, slots=True)
class Table:
    """A table to be made: its problem, the name of its file, about how many bytes that will have."""

    problem: Problem
    name: str
    nbytes: int


def table_of(pattern: str, target: int, p4: float = 0.1) -> Table:
    """The table of a pattern. Its locked tiles are any that differ: the board shows some from twice the target on."""
    rows = pattern.split("|")
    ranks = bytearray()
    for char in "".join(rows):
        ranks.append(target.bit_length() + sum(map(bool, ranks)) if char == "#" else 0)
    start = Board(len(rows), len(rows[0]), bytes(ranks))
    problem = Problem(Variant(start=start, target=target, p4=p4), lock="fixed")
    name = f"{target}-{pattern.replace('|', '').replace('.', '0').replace('#', '1')}"
    return Table(problem, name, estimate(problem).file)


def tables_within(budget: int, targets: tuple[int, ...] = TARGETS, p4: float = 0.1) -> tuple[Table, ...]:
    """The smallest tables that take at most `budget` bytes together. Raises InvalidParameter if not one fits."""
    found = sorted(
        (table_of(pattern, target, p4) for pattern in PATTERNS for target in targets), key=lambda t: t.nbytes
    )
    chosen = []
    for table in found:
        if table.nbytes > budget:
            break
        budget -= table.nbytes
        chosen.append(table)
    if not chosen:
        raise InvalidParameter(
            f"a budget of {quote(budget)} bytes is too small: the smallest table takes {found[0].nbytes:,}"
        )
    return tuple(chosen)
