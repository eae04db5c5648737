"""What is sure in a solved game: won positions, and targets that no play can reach."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from twofold.errors import InvalidParameter
from twofold.exact.policy import Policy, starts_of
from twofold.exact.solver import Solution
from twofold.rules.board import Board
from twofold.rules.spawn import spawns_of


def out_of_reach(solution: Solution) -> bool:
    """True if the target's probability is 0 from every start: no play, however lucky, makes it.

    A probability is kept down to 1e-308, so it is 0 only where no sequence of moves and spawns wins.
    """
    return solution.problem.chance and all(start.value == 0 for start in solution.starts)


MOST_POSITIONS = 300_000
"""The most positions that `count_moves` looks at."""

NEVER = float("inf")


@dataclass(frozen=True, slots=True)
class Moves:
    """How many moves a position needs.

    fewest: to the target with the best of luck, inf if it is out of reach. surely: moves within which it can be made
    whatever spawns, inf if it can't. expected: of the game under the best play, to the target or to the end.
    """

    fewest: float
    surely: float
    expected: float


def count_moves(policy: Policy, progress: Callable[[int], None] | None = None) -> dict[Board, Moves]:
    """The moves that each start board of a solved target needs. Raises InvalidParameter for scores or large games.

    progress: told the number of positions looked at; each is, twice: when it is found and when it is counted.
    """
    if not policy.problem.chance:
        raise InvalidParameter("moves are counted up to a target: solve for a target, not for the score")
    return _Counter(policy, progress or (lambda _: None)).starts()


class _Counter:
    """One walk down over canonical boards, in plain Python."""

    def __init__(self, policy: Policy, progress: Callable[[int], None]) -> None:
        self.policy, self.layout, self.progress = policy, policy.layout, progress
        self._states: dict[int, Moves] = {}
        self._after: dict[int, Moves] = {}

    def starts(self) -> dict[Board, Moves]:
        boards = [start.board for start in starts_of(self.policy.facts)]
        layers = self._layers([self._key(board) for board in boards])
        found = sum(map(len, layers.values()))
        for layer in sorted(layers, reverse=True):
            for key in layers[layer]:
                self._states[key] = self._state(key)
                self.progress(found + len(self._states))
        return {board: self._states[self._key(board)] for board in boards}

    def _key(self, board: Board) -> int:
        return self.layout.canonical(self.layout.pack(board))

    def _layers(self, keys: list[int]) -> dict[int, set[int]]:
        """The states by tile sum."""
        layers: dict[int, set[int]] = {}
        seen = set(keys)
        todo = list(seen)
        known: set[int] = set()
        while todo:
            if len(seen) > MOST_POSITIONS:
                raise InvalidParameter(
                    f"more than {MOST_POSITIONS:,} positions: moves are counted in small games only"
                )
            key = todo.pop()
            self.progress(len(seen) - len(todo))
            layers.setdefault(self.layout.sum_of(key), set()).add(key)
            for move in self.layout.moves(self.layout.unpack(key)):
                if move is not None and not move[2] and move[0] not in known:
                    known.add(move[0])
                    fresh = {after for after, _ in self._spawns(move[0])} - seen
                    seen |= fresh
                    todo += fresh
        return layers

    def _spawns(self, key: int) -> list[tuple[int, float]]:
        variant = self.policy.problem.variant
        return [(self._key(board), p) for board, p in spawns_of(variant, self.layout.unpack(key))]

    def _state(self, key: int) -> Moves:
        board = self.layout.unpack(key)
        best = self.policy.best(board)
        if best is None:
            return Moves(NEVER, NEVER, 0.0)
        fewest = surely = NEVER
        expected = 0.0
        for direction, move in enumerate(self.layout.moves(board)):
            if move is None:
                continue
            after = Moves(0, 0, 0.0) if move[2] else self._after_of(move[0])
            fewest, surely = min(fewest, 1 + after.fewest), min(surely, 1 + after.surely)
            if direction == best.direction:
                expected = 1 + after.expected
        return Moves(fewest, surely, expected)

    def _after_of(self, key: int) -> Moves:
        if key not in self._after:
            found = [(self._states[after], p) for after, p in self._spawns(key)]
            self._after[key] = Moves(
                min(each.fewest for each, _ in found),
                max(each.surely for each, _ in found),
                sum(p * each.expected for each, p in found),
            )
        return self._after[key]
