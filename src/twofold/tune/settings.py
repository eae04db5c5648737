"""A tuning as it is asked for: everything that its result is a function of."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from twofold.errors import InvalidParameter, check_choice, quote
from twofold.rules.random import MASK, checked_word, word
from twofold.rules.variant import Variant
from twofold.tune.fitness import Fitness
from twofold.tune.space import Space, check_player

METHODS = ("genetic", "cma", "permutations")
POPULATIONS = {"genetic": 24, "cma": 12, "permutations": 1000}
"""Candidates of a generation unless told otherwise."""

FINALISTS = 6
"""Candidates that play on fresh seeds for being the best."""

Rates = tuple[float, float]
"""A rate in the first and in the last generation; between them it moves in equal steps."""


@dataclass(frozen=True)
class Settings:
    """See the options of `twofold tune`.

    weights: names, empty for all that are weights; ranges: as in `Space.of`; changes: factors that the permutations may
    put on one value; begin: evaluations to start from, texts; test_games: unseen games of the best weights and of the
    start, 0 for none.
    """

    evaluation: str
    method: str = "genetic"
    player: str = "expectimax:nodes=2000"
    fitness: str = "s0"
    population: int = 24
    games: int = 40
    generations: int = 20
    crossover: Rates = (0.5, 0.5)
    mutation: Rates = (0.3, 0.1)
    seed: int = 0
    weights: tuple[str, ...] = ()
    ranges: tuple[str, ...] = ()
    changes: tuple[float, ...] = ()
    begin: tuple[str, ...] = ()
    racing: bool = True
    test_games: int = 500
    variant: str = "4x4"

    def __post_init__(self) -> None:
        check_choice("method", self.method, METHODS)
        smallest = {"genetic": 2, "cma": 4, "permutations": 1}[self.method]
        _check("population", self.population, smallest, 10_000)
        _check("games", self.games, 1, 1_000_000)
        _check("generations", self.generations, 1, 100_000)
        _check("test-games", self.test_games, 0, 1_000_000)
        for name, rates in (("crossover", self.crossover), ("mutation", self.mutation)):
            if any(not 0 <= rate <= 1 for rate in rates):
                raise InvalidParameter(f"--{name} is a probability or two, FIRST..LAST, from 0 to 1")
        checked_word("seed", self.seed)
        if self.changes and self.method != "permutations":
            raise InvalidParameter(
                f"--changes goes with --method permutations, not {self.method}: leave one of them out"
            )
        Fitness.parse(self.fitness)

    @classmethod
    def of(
        cls,
        evaluation: str | None,
        *,
        method: str = "genetic",
        player: str | None = None,
        population: int | None = None,
        generations: int = 20,
        **others: Any,
    ) -> Settings:
        """Settings with the player that is usual for the evaluation, and the population of the method; checked."""
        if evaluation is None:
            raise InvalidParameter("name an evaluation to tune, for example: twofold tune chain")
        usual = "chain" if evaluation.partition(":")[0] == "chain" else "expectimax:nodes=2000"
        return cls(
            evaluation,
            method,
            player or usual,
            population=POPULATIONS.get(method, 1) if population is None else population,
            generations=1 if method == "permutations" else generations,
            **others,
        ).checked()

    def checked(self) -> Settings:
        """The same with canonical texts. Raises for names and texts that don't exist."""
        space = self.space()
        return replace(
            self,
            evaluation=space.evaluation,
            player=check_player(self.player),
            variant=str(Variant.parse(self.variant)),
            begin=tuple(space.text(space.weights_of(text)) for text in self.begin),
        )

    def space(self) -> Space:
        """What is tuned."""
        return Space.of(self.evaluation, self.weights or None, self.ranges)

    @property
    def texts(self) -> tuple[str, ...]:
        """Those that may name code in a user's file."""
        return (self.evaluation, self.player, self.variant, *self.begin)

    def difference(self, other: Settings) -> str:
        """The first setting that differs from `other`, in words; empty if none does."""
        for field in fields(self):
            mine, its = getattr(self, field.name), getattr(other, field.name)
            if mine != its:
                return f"{field.name} {quote(str(its))}, not {quote(str(mine))}"
        return ""

    def as_json(self) -> dict[str, Any]:
        """For a file."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Settings:
        """Reads what `as_json` gave."""
        plain: dict[str, Any] = {name: tuple(x) if isinstance(x, list) else x for name, x in value.items()}
        return cls(**plain)

    @property
    def name(self) -> str:
        """What its runs in the store are called after: another one for other settings."""
        text = json.dumps(self.as_json(), sort_keys=True)
        return f"tune-{hashlib.sha256(text.encode()).hexdigest()[:10]}"

    def seed_of(self, stage: int) -> int:
        """The seed of the games of a stage: common to all candidates in it, and of no other stage.

        Stages are numbered 64 · generation + round; those of the final are negative. The test has its own.
        """
        return word(self.seed, (stage + (1 << 40)) & MASK)

    @property
    def test_seed(self) -> int:
        """The seed of the games that were not used to choose candidates."""
        return word(self.seed, 1 << 41)


def rate_in(rates: Rates, generation: int, generations: int) -> float:
    """The rate in generation 0, 1, …, generations − 1."""
    first, last = rates
    return first + (last - first) * generation / max(1, generations - 1)


def _check(name: str, value: int, least: int, most: int) -> None:
    if not isinstance(value, int) or not least <= value <= most:
        raise InvalidParameter(f"--{name} must be from {least} to {most:,}, not {quote(value)}")
