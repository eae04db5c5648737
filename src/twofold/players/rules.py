"""rules: S0's first player, which makes its moves "exclusively upon conditional checks".

The conditions are asked in order; each keeps the moves that meet it best and the first that leaves one move decides.
The value of a move is the number of conditions it came through. Nothing is looked ahead but the move itself.

S0 names the properties (largest tile in the corner, locking an important row, the chain and the values in it) and the
guarantee that a move of the largest tile into a corner is made; the order of the rest is ours. Merges come before
locked lines: a line that is kept locked is one in which nothing is merged, and a player that asks for it first makes
1,200 points, hardly more than one that plays at random.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from twofold.evaluation.reports import s0_chain
from twofold.kernels.compile_time import Stopwatch
from twofold.kernels.compiling import clone
from twofold.players.base import Decision, Limit, best_of
from twofold.players.made import BuiltIn
from twofold.rules.board import Board, Slide
from twofold.rules.cells import BRICK, face_value
from twofold.rules.direction import DIRECTIONS, Direction
from twofold.rules.state import State

CORNER = 2  # the stability of a corner


class Features(NamedTuple):
    """What the rules ask of a board: S0's root and chain, as its evaluation finds them.

    root: the cell of the largest tile, in a corner rather than on a border rather than inside (-1: no tiles);
    stability: 2 in a corner, 1 on a border, 0 inside; chain: its cells in reading order.
    """

    root: int
    stability: int
    chain: tuple[int, ...]


@functools.cache
def _compiled() -> Any:
    return clone(s0_chain.root_and_chain, {})


def features(board: Board) -> Features:
    """Root and chain of a board; see `evaluation/reports/s0_chain.py` for their definitions."""
    ranks = np.array(list(board.cells), np.uint8).reshape(board.rows, board.columns)
    marks = np.zeros_like(ranks)
    row, column, place, _ = _compiled()(ranks, marks)
    root = int(row) * board.columns + int(column) if row >= 0 else -1
    return Features(root, int(place), tuple(int(cell) for cell in np.flatnonzero(marks)))


def _locked(board: Board, cells: range) -> bool:
    ranks = [board.cells[cell] for cell in cells]
    return all(ranks) and all(a != b or a == BRICK for a, b in pairwise(ranks))


def locked_lines(board: Board) -> int:
    """How many of the row and the column of the largest tile are full and can't merge: 0, 1 or 2."""
    row, column = divmod(features(board).root, board.columns)
    across = range(row * board.columns, (row + 1) * board.columns)
    return _locked(board, across) + _locked(board, range(column, len(board.cells), board.columns))


@dataclass(frozen=True, slots=True)
class Rule:
    """A condition: what to say when it decides, and how well a move meets it (more is better)."""

    name: str
    score: Callable[[Board, Slide], float]


_CORNER = Rule(
    "the largest tile goes to a corner or stays there",
    lambda board, slide: features(slide.board).stability == CORNER,
)
_PLACE = Rule("the largest tile keeps its place", lambda board, slide: _keeps(board, slide))
_MERGES = Rule("the merges score the most", lambda board, slide: slide.reward)
_CHAIN = Rule("the chain scores the most", lambda board, slide: _chain_sum(slide.board))
_LENGTH = Rule("the chain is the longest", lambda board, slide: len(features(slide.board).chain))
_LOCKS = Rule("its row and column are locked", lambda board, slide: locked_lines(slide.board))
_EMPTY = Rule("the most cells are empty", lambda board, slide: len(slide.board.empty_cells))

RULES = {
    "merges": (_CORNER, _PLACE, _MERGES, _CHAIN, _LOCKS, _EMPTY),
    "locks": (_CORNER, _PLACE, _LOCKS, _LENGTH, _MERGES, _EMPTY),
}
"""The conditions by the player's `order`: what is asked first once the largest tile has its place."""


def _chain_sum(board: Board) -> int:
    return sum(face_value(board.cells[cell]) for cell in features(board).chain)


def _keeps(board: Board, slide: Slide) -> bool:
    """Whether the chain's root is where it was (or a larger tile was made of it there)."""
    root = features(board).root
    return slide.board.cells[root] >= board.cells[root]


class Rules(BuiltIn):
    """See the module's text."""

    limit = Limit(depth=1)

    def __init__(self, text: str = "", *, order: str = "merges") -> None:
        self._rules = RULES[order]

    @staticmethod
    def chunk_size(**_: object) -> int:
        """Games of some hundredths of a second each."""
        return 8

    def decide(self, state: State, key: int = 0) -> Decision:
        """The move that the rules leave; `note` names the one that decided."""
        legal = state.legal_moves()
        if not legal:
            return Decision(None)
        watch = Stopwatch()
        slides = {direction: state.board.slide(direction) for direction in legal}
        passed: dict[Direction, float] = dict.fromkeys(legal, 0.0)
        left = list(legal)
        note = "the only legal move" if len(left) == 1 else "the rules leave several moves: the first"
        for rule in self._rules:
            if len(left) == 1:
                break
            scores = {direction: rule.score(state.board, slides[direction]) for direction in left}
            best = max(scores.values())
            left = [direction for direction in left if scores[direction] == best]
            for direction in left:
                passed[direction] += 1.0
            if len(left) == 1:
                note = rule.name
        up, right, down, left_ = (passed.get(direction) for direction in DIRECTIONS)
        spent = watch.seconds
        return best_of((up, right, down, left_), nodes=len(legal), depth=1, seconds=spent, note=note)
