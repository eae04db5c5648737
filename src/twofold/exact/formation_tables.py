"""Formation tables ready to be asked, together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from twofold.exact.formation_files import FormationTable
from twofold.exact.formations import BLOCK, Formation, Index, decoded
from twofold.kernels.board.line_tables import line_table
from twofold.kernels.exact import formation_lookup as words
from twofold.kernels.exact.formation_lookup import TABLE_WORDS, advise
from twofold.kernels.exact.leaning import BY_RANK, KNOWN_WORDS, PROMISE
from twofold.rules.board import Board
from twofold.rules.direction import DIRECTIONS, Direction
from twofold.rules.variant import Variant

FOUR = 0.1
"""The chance of a 4 that tables are made for."""

_U = np.uint64


def fits_tables(variant: Variant) -> bool:
    """Whether a variant's spawns are those of the tables: at random cells, 2s and 4s."""
    return variant.style == "random" and not variant.has_own_values and variant.chance_of_four == FOUR


@dataclass(frozen=True, slots=True)
class Advice:
    """What tables say of a board: the best move, its probability, that of UP, RIGHT, DOWN, LEFT, and of what.

    A move that leaves the formation has 0. formation: of the table that was heard; the tile to be made there has
    its rank.
    """

    move: Direction
    chance: float
    values: tuple[float, float, float, float]
    formation: Formation


class LeafFormations:
    """Words of kernels/exact/leaning.py for the leaves of one search at a time.

    promise: points that a sure next tile is worth at a leaf.
    """

    def __init__(self, tables: FormationTables, promise: float) -> None:
        self._tables = tables  # whose memory the words lead to
        self.promise = promise
        self.words = np.zeros(KNOWN_WORDS, _U)
        self.hope(True)

    def hope(self, wanted: bool) -> None:
        """Whether the promise stands in the next search: not while a goal is to collapse, which would lose it."""
        self.words[int(PROMISE)] = np.array([self.promise if wanted else 0.0]).view(_U)[0]

    @property
    def address(self) -> int:
        """Of the words."""
        return int(self.words.ctypes.data)


class FormationTables:
    """Some tables, in the order in which they are heard.

    least: for each the probability from which it is heard; groups: tables of the same number are compared with each
    other, those of a lower one are asked first. words: uint64, what kernels/exact/formation_lookup.py is given.
    """

    def __init__(
        self, tables: Sequence[FormationTable], least: Sequence[float], groups: Sequence[int]
    ) -> None:
        order = sorted(range(len(tables)), key=lambda i: groups[i])
        self.tables = tuple(tables[i] for i in order)
        self._keep: list[NDArray[np.generic]] = []
        self.words = np.zeros(max(1, len(tables)) * TABLE_WORDS, _U)
        for at, i in enumerate(order):
            row = self.words[at * TABLE_WORDS : (at + 1) * TABLE_WORDS]
            self._fill(row, tables[i])
            row[int(words.LEAST)] = np.array([max(least[i], 1e-9)]).view(_U)[0]
            row[int(words.GROUP)] = groups[i] + 1

    def __len__(self) -> int:
        return len(self.tables)

    def _ask(self, board: Board) -> NDArray[np.float64]:
        out = np.zeros(7)
        advise(self.address, len(self), line_table(False), _U(_packed(board)), FOUR, out)
        return out

    def at_goal(self, board: Board) -> bool:
        """Whether an open 4x4 board lies in a goal of a table: it is to collapse now, not to stay."""
        return bool(self._ask(board)[6])

    def for_leaves(self, promise: float) -> LeafFormations:
        """What an evaluation is given of the tables around the block. promise: see there."""
        known = LeafFormations(self, promise)
        for at, table in enumerate(self.tables):
            word = int(BY_RANK) + table.formation.rank
            if table.formation.anchors == BLOCK and not known.words[word]:
                known.words[word] = int(self.address) + at * TABLE_WORDS * 8
        return known

    @property
    def address(self) -> np.uint64:
        """Of `words`."""
        return _U(self.words.ctypes.data)

    def advice(self, board: Board) -> Advice | None:
        """What the tables say of an open 4x4 board; None if it is in no formation, or has reached its goal."""
        if not board.is_open_4x4:
            return None
        out = self._ask(board)
        if out[4] < 0:
            return None
        up, right, down, left = (float(value) for value in out[:4])
        move = DIRECTIONS[int(out[4])]
        chosen = self.tables[int(out[5])].formation
        return Advice(move, float(out[int(move)]), (up, right, down, left), chosen)

    def _address(self, array: NDArray[np.generic]) -> int:
        self._keep.append(array)
        return int(array.ctypes.data)

    def _fill(self, row: NDArray[np.uint64], table: FormationTable) -> None:
        index = table.index
        values = {
            words.ANCHORS: index.anchors,
            words.MASK_A: index.a.mask,
            words.MASK_B: index.b.mask,
            words.HALF_A: self._address(index.a.entries),
            words.HALF_B: self._address(index.b.entries),
            words.BASE: self._address(bases(index)),
            words.STRIDE: len(index.a.counts) + 1,
            words.COUNTS: self._address(index.counts_b),
            words.DATA: self._address(table.data),
            words.TOP: index.top,
            words.RANK: index.formation.rank,
            words.BLOCK: index.block,
            words.GOALS: self._address(index.goals),
            words.GOAL_COUNT: len(index.goals),
            words.ACROSS: _pairs(index.formation.anchors, 1),
            words.DOWN: _pairs(index.formation.anchors, 4),
            words.VALUES: self._address(decoded()),
        }
        for word, value in values.items():
            row[int(word)] = value


def bases(index: Index) -> NDArray[np.int64]:
    """Where in a file the rectangle of each layer and sum of A begins, int64 (top + 1, sums of A + 1)."""
    above = index.positions - np.cumsum(index.sizes)
    return np.stack([index.base(layer) + above[layer] for layer in range(index.top + 1)])


def _pairs(anchors: tuple[int, ...], step: int) -> int:
    pairs = [a for a in anchors if a + step in anchors and (step == 4 or a % 4 < 3)]
    return sum(1 << 4 * a for a in pairs)


_DISTINCT = 10  # no table has a larger r: beyond it only which tiles are equal counts


def _packed(board: Board) -> int:
    """The board as a word; tiles that no nibble holds get others above all r, different ones while there are enough."""
    large = sorted({rank for rank in board.cells if rank > _DISTINCT})
    if not large or large[-1] <= 15:
        names = {rank: rank for rank in large}
    else:
        names = {rank: min(_DISTINCT + 1 + i, 15) for i, rank in enumerate(large)}
    return sum(names.get(rank, rank) << 4 * i for i, rank in enumerate(board.cells))
