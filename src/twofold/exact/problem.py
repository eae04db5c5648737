"""What is to be solved, and how values are kept in words."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge, Le
from numpy.typing import NDArray

from twofold.checking import Text
from twofold.errors import InvalidParameter, check_choice, quote
from twofold.exact.layers import Words
from twofold.exact.locked import LOCKS, LockedWordLayout, starts_of_class
from twofold.exact.luck import LUCKS
from twofold.exact.states import WordLayout, check_variant, start_boards
from twofold.notation import without_code
from twofold.rules.board import Board
from twofold.rules.variant import Variant

MAX_PROBABILITY = "max_probability"
MAX_EXPECTED_SCORE = "max_expected_score"
OBJECTIVES = (MAX_PROBABILITY, MAX_EXPECTED_SCORE)

_U = np.uint64


@dataclass(frozen=True, slots=True)
class Problem:
    """What to solve.

    variant: the rules; its target is what `max_probability` is about.
    gamma: discount per move: the value of a state is its best move's points plus gamma times what follows, and a
        win that is one move away is worth gamma.
    symmetric: merge boards that are images of each other; without it `states` counts raw boards.
    lock: "", or how the map's tiles of at least the target are locked, `fixed` or `loose`: see locked.py.
    luck: "" for spawns by chance, `best` or `worst` for those that suit the player best or least: see luck.py. With a
        target it is moves that count then, and `gamma` is 1/2.
    Raises InvalidParameter, InvalidVariant, or InvalidBoard for a board that doesn't fit a word.
    """

    variant: Variant
    objective: str = MAX_PROBABILITY
    gamma: float = 1.0
    symmetric: bool = True
    lock: str = ""
    luck: str = ""

    def __post_init__(self) -> None:
        if self.objective not in OBJECTIVES:
            raise InvalidParameter(f"objective {quote(self.objective)} is not one of {', '.join(OBJECTIVES)}")
        if not (math.isfinite(self.gamma) and 0 < self.gamma <= 1):
            raise InvalidParameter(f"gamma {quote(self.gamma)} is not above 0 and at most 1")
        check_variant(self.variant)
        if self.lock:
            check_choice("lock", self.lock, LOCKS)
            if not self.chance:
                raise InvalidParameter("locked tiles need a target, not the score")
        if (self.lock or self.luck) and self.variant.has_own_values:
            what = "locked tiles need" if self.lock else "luck needs"
            raise InvalidParameter(f"{what} spawns of 2s and 4s, not {quote(str(self.variant))}")
        if self.luck:
            self._check_luck()
        self.layout()

    def _check_luck(self) -> None:
        check_choice("luck", self.luck, LUCKS)
        if self.lock:
            raise InvalidParameter("locked tiles need random spawns: leave out lock or luck")
        if self.gamma not in {1.0, self._halving}:
            raise InvalidParameter(f"gamma {self.gamma:g} needs random spawns: leave out gamma or luck")
        object.__setattr__(self, "gamma", self._halving)

    @property
    def _halving(self) -> float:
        return 0.5 if self.chance else 1.0

    @property
    def counts_moves(self) -> bool:
        """True if the value of n moves to the target is 2^-n."""
        return self.chance and bool(self.luck)

    def told(self, value: float) -> float | None:
        """A value in words that people use: a probability, points, or moves to the target (None: it can't be made)."""
        if not self.counts_moves:
            return value
        return round(-math.log2(value)) if value else None

    @property
    def chance(self) -> bool:
        """True if a target counts and not the score: values are from 0 to 1."""
        return self.objective == MAX_PROBABILITY

    @property
    def is_probability(self) -> bool:
        """True if values are the probabilities to make the target, neither discounted nor counts of moves."""
        return self.chance and not self.luck and self.gamma == 1.0

    @property
    def target(self) -> int | None:
        """The face value that wins, None if the score counts."""
        return self.variant.target if self.chance else None

    def layout(self) -> WordLayout:
        """How its boards are packed."""
        variant = self.variant
        if self.lock:
            return LockedWordLayout(variant, self.lock, symmetric=self.symmetric)
        return WordLayout(
            variant.start.without_tiles(),
            variant.target_rank if self.chance else None,
            symmetric=self.symmetric,
            place=variant.place,
        )

    def starts(self) -> Iterator[tuple[Board, float]]:
        """Every board a game starts from, with its probability; equal boards may come several times."""
        return starts_of_class(self.variant) if self.lock else start_boards(self.variant)

    def facts(self) -> dict[str, Any]:
        """The problem as JSON."""
        facts = {
            "variant": str(self.variant),
            "objective": self.objective,
            "gamma": self.gamma,
            "symmetric": self.symmetric,
        }
        return facts | {name: text for name in ("lock", "luck") if (text := getattr(self, name))}

    @classmethod
    def from_facts(cls, facts: dict[str, Any]) -> Problem:
        """The problem of `facts`."""
        return cls(
            Variant.parse(without_code(str(facts["variant"]), "the file")),
            str(facts["objective"]),
            float(facts["gamma"]),
            bool(facts["symmetric"]),
            str(facts.get("lock", "")),
            str(facts.get("luck", "")),
        )


@dataclass
class ProblemFacts:
    """The schema of `Problem.facts` in a file."""

    variant: Text
    objective: Text
    gamma: Annotated[float, Ge(0), Le(1)]
    symmetric: bool
    lock: Text = ""
    luck: Text = ""


@dataclass(frozen=True, slots=True)
class Start:
    """A canonical board that games start from, the probability of starting there, and its value.

    loss: the probability of not winning, exact where it is tiny: 0 means won for sure; 0 for scores.
    """

    board: Board
    probability: float
    value: float
    loss: float = 0.0


def decode(words: Words, chance: bool) -> NDArray[np.float64]:
    """Values from words: see kernels/exact/bellman.py."""
    if not chance:
        return words.view(np.float64).copy()
    high = (words >> _U(63)) != 0
    x = np.where(high, ~words, words).view(np.float64)
    return np.where(high, 1.0 - x, x)


def losses(words: Words) -> NDArray[np.float64]:
    """The probabilities of not winning, exact also where they are tiny."""
    high = (words >> _U(63)) != 0
    x = np.where(high, ~words, words).view(np.float64)
    return np.where(high, x, 1.0 - x)


def weighted_mean(weights: Sequence[float], values: Sequence[float]) -> float:
    """The mean of values with weights that add up to 1; rounding never takes it beyond the values."""
    mean = math.fsum(map(operator.mul, weights, values)) / math.fsum(weights)
    return min(max(values), max(min(values), mean))
