"""The evil spawner: puts the tile where it hurts most.

For every empty cell and every tile the variant allows, the best value that the player can reach from there is found
by expectimax at the variant's stated depth and evaluation, every later spawn being evil too; the tile with the least
value is placed, ties by cell in reading order, then by value (S0).
"""

from __future__ import annotations

import math

from twofold.errors import InvalidVariant, quote
from twofold.evaluation.registry import make_evaluation
from twofold.rules.board import Board
from twofold.rules.spawn import Spawn
from twofold.rules.state import State
from twofold.rules.variant import Variant
from twofold.search.expectimax import Searcher
from twofold.threads import checkpoint


class EvilSpawner:
    """An `Adversary` (see `rules.spawn`) at a fixed depth and evaluation."""

    def __init__(self, depth: int, evaluation: str) -> None:
        self._depth, self._evaluation = depth, evaluation
        self._searcher = Searcher(make_evaluation(evaluation))

    def __reduce__(self) -> tuple[type[EvilSpawner], tuple[int, str]]:
        # A searcher holds addresses of its own memory: a copy has to make one for itself.
        return type(self), (self._depth, self._evaluation)

    def __call__(self, board: Board, score: int, variant: Variant) -> Spawn:
        """The worst tile for the player on the afterstate `board`, which must have an empty cell."""
        worst: Spawn | None = None
        least = math.inf
        for cell in board.empty_cells:
            for rank in variant.allowed_ranks:
                checkpoint()
                value = self._value(State(variant, board.with_cell(cell, rank), score))
                if value < least or worst is None:
                    least, worst = value, Spawn(cell, rank)
        assert worst is not None
        return worst

    def _value(self, state: State) -> float:
        evaluation = self._searcher.evaluation
        if state.is_dead:
            return evaluation.dead + evaluation.dead_score * state.score
        self._searcher.start(state, depth=self._depth)
        values = self._searcher.search(self._depth)
        assert values is not None
        numbers = [value for value in values if not math.isnan(value)]
        if not numbers:  # the state is not dead, so it is the user's evaluation
            raise InvalidVariant(
                f"the evaluation {quote(evaluation.text)} of the evil spawns gives nan, not a number, on "
                f"{quote(str(state.board))}"
            )
        return max(numbers)


def make_adversary(variant: Variant) -> EvilSpawner:
    """The spawner of an evil variant; raises InvalidVariant for another, UnknownEvaluation for a wrong name."""
    if variant.evil is None:
        raise InvalidVariant(f"the variant {variant} has no evil spawns")
    return EvilSpawner(variant.evil.depth, variant.evil.evaluation)
