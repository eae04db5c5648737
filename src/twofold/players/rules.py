"""rules: S0's first player, which makes its moves "exclusively upon conditional checks".

The conditions are asked in order; each keeps the moves that meet it best and the first that leaves one move decides.
The value of a move is the number of conditions it came through. Nothing is looked ahead but the move itself.

S0 names the properties (largest tile in the corner, locking an important row, the chain and the values in it) and the
guarantee that a move of the largest tile into a corner is made; the order of the rest is ours.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from twofold.players.base import Decision, Limit, best_of
from twofold.rules.board import Board, Slide
from twofold.rules.direction import DIRECTIONS, Direction
from twofold.rules.game import State
from twofold.rules.slide import BRICK


def corners(board: Board) -> frozenset[int]:
    """The corner cells, those that bricks leave free."""
    last_row, last = (board.rows - 1) * board.columns, board.columns - 1
    cells = {0, last, last_row, last_row + last}
    return frozenset(cell for cell in cells if board.cells[cell] != BRICK)


def largest_in_corner(board: Board) -> bool:
    """Whether a tile of the largest rank lies in a corner."""
    top = board.max_rank
    return any(board.cells[cell] == top for cell in corners(board))


def root_of(board: Board) -> int:
    """The cell where the chain starts: the largest tile, in a corner rather than on the border rather than inside."""
    top = board.max_rank
    places = [cell for cell, rank in enumerate(board.cells) if rank == top]
    inner = [cell for cell in places if _on_border(board, cell)]
    return next((cell for cell in places if cell in corners(board)), (inner or places)[0])


def _on_border(board: Board, cell: int) -> bool:
    row, column = divmod(cell, board.columns)
    return row in (0, board.rows - 1) or column in (0, board.columns - 1)


def _locked(board: Board, cells: range) -> bool:
    ranks = [board.cells[cell] for cell in cells]
    return all(ranks) and all(a != b or a == BRICK for a, b in pairwise(ranks))


def locked_lines(board: Board) -> int:
    """How many of the row and the column of the largest tile are full and can't merge: 0, 1 or 2."""
    row, column = divmod(root_of(board), board.columns)
    across = range(row * board.columns, (row + 1) * board.columns)
    return _locked(board, across) + _locked(board, range(column, len(board.cells), board.columns))


def chain(board: Board) -> tuple[int, ...]:
    """The longest path of neighbouring cells from the largest tile on which each tile is half of the one before."""
    return _longest(board, (root_of(board),))


def _longest(board: Board, path: tuple[int, ...]) -> tuple[int, ...]:
    best = path
    for cell in _neighbours(board, path[-1]):
        if board.cells[cell] == board.cells[path[-1]] - 1 > 0:
            longer = _longest(board, (*path, cell))
            if len(longer) > len(best):
                best = longer
    return best


def _neighbours(board: Board, cell: int) -> list[int]:
    row, column = divmod(cell, board.columns)
    steps = ((row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1))
    return [
        r * board.columns + c
        for r, c in steps
        if 0 <= r < board.rows and 0 <= c < board.columns and board.cells[r * board.columns + c] != BRICK
    ]


@dataclass(frozen=True, slots=True)
class Rule:
    """A condition: what to say when it decides, and how well a move meets it (more is better)."""

    name: str
    score: Callable[[Board, Slide], float]


RULES = (
    Rule(
        "the largest tile goes to a corner or stays there",
        lambda board, slide: largest_in_corner(slide.board),
    ),
    Rule("the largest tile keeps its place", lambda board, slide: _keeps(board, slide)),
    Rule("its row and column stay locked", lambda board, slide: locked_lines(slide.board)),
    Rule("the chain is the longest", lambda board, slide: len(chain(slide.board))),
    Rule("the merges are worth the most", lambda board, slide: slide.reward),
    Rule("the most cells are empty", lambda board, slide: len(slide.board.empty_cells)),
)


def _keeps(board: Board, slide: Slide) -> bool:
    """Whether the chain's root is where it was (or a larger tile was made of it there)."""
    root = root_of(board)
    return slide.board.cells[root] >= board.cells[root]


class RulesPlayer:
    """See the module's text."""

    limit = Limit(depth=1)

    def __init__(self, text: str = "rules") -> None:
        self.text = text

    def decide(self, state: State, key: int = 0) -> Decision:
        """The move that the rules leave; `note` names the one that decided."""
        legal = state.legal_moves()
        if not legal:
            return Decision(None)
        begin = time.perf_counter()
        slides = {direction: state.board.slide(direction) for direction in legal}
        passed: dict[Direction, float] = dict.fromkeys(legal, 0.0)
        left = list(legal)
        note = "the only legal move" if len(left) == 1 else "the rules leave several moves: the first"
        for rule in RULES:
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
        spent = time.perf_counter() - begin
        return best_of((up, right, down, left_), nodes=len(legal), depth=1, seconds=spent, note=note)
