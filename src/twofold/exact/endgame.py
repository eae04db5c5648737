"""Endgame tables in a real game: the table whose class a board is in, turned or mirrored as it may lie.

A table is the policy of a problem with locked tiles (locked.py). `Endgames` holds several, and `moves` answers in the
board's own directions; a board of no table's class costs a few microseconds.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from twofold.errors import InvalidBoard, InvalidFile, quote
from twofold.exact.locked import LockedWordLayout
from twofold.exact.policy import MoveValue, Policy
from twofold.exact.policy_file import SUFFIX, load_policy
from twofold.rules.board import Board
from twofold.rules.cells import BRICK
from twofold.rules.direction import DIRECTIONS, Direction

_Place = tuple[Board, int]
"""A board without tiles and the cells of its locked ones as bits (loose tables: their number)."""


def _turned_directions() -> tuple[tuple[Direction, ...], ...]:
    """For each image: where a slide of the board goes on its image."""
    middle = Board.parse(". . .|. 2 .|. . .")
    slid = [middle.slide(d).board.symmetries() for d in DIRECTIONS]
    return tuple(
        tuple(
            next(e for e in DIRECTIONS if middle.symmetries()[i].slide(e).board == slid[d][i])
            for d in DIRECTIONS
        )
        for i in range(8)
    )


_TURNED = _turned_directions()


@dataclass(frozen=True, slots=True)
class Found:
    """A board in a table's class. policy: the table; image: which image of the board is the table's own."""

    policy: Policy
    image: int


class Endgames:
    """Tables by the class that they hold. Raises InvalidFile for a policy without locked tiles."""

    def __init__(self, policies: Iterable[Policy]) -> None:
        self.policies = tuple(policies)
        self._fixed: dict[int, dict[_Place, Found]] = {}
        self._loose: dict[int, dict[_Place, Found]] = {}
        for policy in self.policies:
            layout = policy.layout
            if not isinstance(layout, LockedWordLayout):
                raise InvalidFile(
                    f"{quote(str(policy.problem.variant))} has no locked tiles: it is not an endgame table"
                )
            self._add(policy, layout)

    def _add(self, policy: Policy, layout: LockedWordLayout) -> None:
        start = policy.problem.variant.start
        tables = (self._loose if layout.loose else self._fixed).setdefault(layout.target_rank, {})
        marks = bytearray(start.without_tiles().cells)
        for cell in layout.held:
            marks[cell] = 1
        own = start.with_cells(bytes(marks))
        for turned in own.symmetries():
            image = next(i for i, back in enumerate(turned.symmetries()) if back == own)
            cells = len(layout.held) if layout.loose else _bits(turned, 1)
            tables.setdefault((turned.without_tiles(), cells), Found(policy, image))

    def find(self, board: Board) -> Found | None:
        """The table that contains the board, or None: the one of the largest target, fixed before loose."""
        bare = board.without_tiles()
        for target in sorted({*self._fixed, *self._loose}, reverse=True):
            large = _bits(board, target)
            found = self._fixed.get(target, {}).get((bare, large))
            if found is None:
                found = self._loose.get(target, {}).get((bare, large.bit_count()))
            if found is not None:
                return found
        return None

    def moves(self, board: Board) -> tuple[MoveValue, ...] | None:
        """The moves that stay in the class, with the probability of the next target tile; None if it is in no table.

        Also None where equal locked tiles lie side by side, and for a position that the table has no value of.
        """
        found = self.find(board)
        if found is None:
            return None
        try:
            moves = found.policy.moves(board.symmetries()[found.image])
        except InvalidBoard:
            return None
        back = {turned: DIRECTIONS[d] for d, turned in enumerate(_TURNED[found.image])}
        return tuple(
            sorted((replace(m, direction=back[m.direction]) for m in moves), key=lambda m: m.direction)
        )


def load_endgames(path: str | os.PathLike[str]) -> Endgames:
    """The tables of a file, or of all policy files in a folder. Raises InvalidFile."""
    place = Path(path)
    if not place.is_dir():
        return Endgames([load_policy(place)])
    files = sorted(place.glob(f"*{SUFFIX}"))
    if not files:
        raise InvalidFile(f"{quote(str(path))} holds no {SUFFIX} file: 'twofold exact endgames' makes them")
    return Endgames(load_policy(file) for file in files)


def _bits(board: Board, least: int) -> int:
    """The cells with a tile of at least this rank, as bits."""
    bits = 0
    for i, rank in enumerate(board.cells):
        if least <= rank != BRICK:
            bits |= 1 << i
    return bits
