"""How S4 counts states (its tables 4.1 and 4.2): a search depth first from one board, in exact fractions.

S4 tells of the search but not of the order of the actions, nor of what is left out. Its counts on 2x2 come out when
actions are tried UP, RIGHT, DOWN, LEFT, the rest is left out once one of them wins for sure, and boards without a
move are not counted. Boards that are images of each other count one by one. Slow and plain: for small games.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from twofold.errors import InvalidParameter
from twofold.rules.board import Board

PRINTED = (
    (8, "2 2|. .", 33, "100 %"),
    (8, "2 .|. 2", 29, "100 %"),
    (16, "2 2|. .", 173, "96.26 %"),
    (16, "2 .|2 .", 173, "96.26 %"),
    (16, "2 4|. .", 112, "96.14 %"),
    (32, "4 4|. .", 275, "8.36 %"),
    (32, "2 .|. 2", 301, "8.29 %"),
    (32, "2 4|. .", 273, "8.28 %"),
    (64, "2 .|. 2", 429, "0 %"),
    (64, "4 4|. .", 403, "0 %"),
    (64, "2 .|. 4", 418, "0 %"),
)
"""S4's table 4.1: target, start, states, probability. S4's starts are lost pictures: these are some with its counts."""

FOUR = Fraction(1, 10)
MOST = 200_000
"""States that are looked at; more are refused."""


@dataclass(frozen=True, slots=True)
class Count:
    """Of a start board and a target. probability: of making it under the best play.

    searched: states that S4's search counts. alive, lost: states that the game can reach, with and without a move.
    """

    probability: Fraction
    searched: int
    alive: int
    lost: int


def count(start: Board, target: int) -> Count:
    """Raises InvalidParameter for a board without tiles and for a game of more than `MOST` states."""
    if not start.max_rank:
        raise InvalidParameter("the start has no tiles: give a board, '2 2|. .' for example")
    rank = target.bit_length() - 1
    short, whole = _Search(rank, stops=True), _Search(rank, stops=False)
    probability = short.value(start)
    whole.value(start)
    alive = sum(not board.is_dead for board in whole.values)
    searched = sum(not board.is_dead for board in short.values)
    return Count(probability, searched, alive, len(whole.values) - alive)


def printed_table() -> list[list[str]]:
    """S4's table 4.1 with what comes out here, as rows of texts, the head first."""
    table = [
        [
            "target",
            "start",
            "S4: states",
            "searched S4's way",
            "all alive",
            "lost",
            "S4: win rate",
            "win rate",
        ]
    ]
    for target, start, states, rate in PRINTED:
        found = count(Board.parse(start), target)
        numbers = (states, found.searched, found.alive, found.lost)
        exact = f"{float(100 * found.probability):.7g} %"
        table.append([str(target), f"`{start}`", *map(str, numbers), rate, exact])
    return table


class _Search:
    def __init__(self, rank: int, *, stops: bool) -> None:
        """stops: once an action wins for sure, the others are left out."""
        self._rank, self._stops = rank, stops
        self.values: dict[Board, Fraction] = {}

    def value(self, board: Board) -> Fraction:
        if board in self.values:
            return self.values[board]
        if len(self.values) >= MOST:
            raise InvalidParameter(f"more than {MOST:,} states: S4's search is for small games")
        best = Fraction(0)
        for direction in board.legal_moves():
            slide = board.slide(direction)
            won = slide.makes(self._rank)
            best = max(
                best,
                Fraction(1)
                if won
                else sum((p * self.value(b) for b, p in _spawns(slide.board)), Fraction(0)),
            )
            if best == 1 and self._stops:
                break
        self.values[board] = best
        return best


def _spawns(board: Board) -> Iterator[tuple[Board, Fraction]]:
    empty = board.empty_cells
    for cell in empty:
        yield board.with_cell(cell, 1), (1 - FOUR) / len(empty)
        yield board.with_cell(cell, 2), FOUR / len(empty)
