"""The methods on fitness functions whose optimum is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations as orders
from types import SimpleNamespace

import numpy as np
import pytest

from twofold.errors import InvalidParameter
from twofold.tune import methods
from twofold.tune.settings import Settings, rate_in
from twofold.tune.space import Space, Weights

EVALUATION = "chain:largest=4,monotonicity=64,empty=64,chain=1,shift=16,adjacent=1"
SPACE = Space.of(EVALUATION, None, ["-20..20"])
OPTIMUM = (3.0, -14.0, 7.0, 0.0, 18.0, -5.0)


def fitness(weights: Weights) -> float:
    """Largest, 1, at the optimum, and falling with the distance to it."""
    distance = sum(abs(w - best) for w, best in zip(weights, OPTIMUM, strict=True))
    return float(np.exp(-distance / 15))


class Evaluator:
    """Keeps what it was asked; the optimum of `fitness`."""

    def __init__(self) -> None:
        self.asked: list[list[Weights]] = []

    def __call__(self, generation: int, candidates: Sequence[Weights], keep: int) -> list[float]:
        assert generation == len(self.asked)
        assert 1 <= keep <= len(candidates)
        self.asked.append(list(candidates))
        return [fitness(weights) for weights in candidates]

    @property
    def best(self) -> Weights:
        return max((w for generation in self.asked for w in generation), key=fitness)


def settings(method: str, **changes: object) -> Settings:
    made = Settings(EVALUATION, method, "chain", population=60, generations=80, seed=1, mutation=(0.6, 0.2))
    return replace(made, ranges=("-20..20",), **changes)  # type: ignore[arg-type]


@pytest.mark.slow
def test_genetic_finds_the_optimum() -> None:
    evaluator = Evaluator()
    methods.search(settings("genetic"), SPACE, evaluator)
    assert len(evaluator.asked) == 80
    assert {len(generation) for generation in evaluator.asked} == {60}
    # Whole numbers, as S0's genes are; by chance one would come within 6 of the optimum in none of 4,800 draws.
    assert all(w == round(w) for weights in evaluator.asked[0] for w in weights)
    assert sum(abs(w - best) for w, best in zip(evaluator.best, OPTIMUM, strict=True)) <= 6


@pytest.mark.slow
def test_cma_finds_the_optimum() -> None:
    evaluator = Evaluator()
    favourites = methods.search(settings("cma", population=12, generations=120), SPACE, evaluator)
    assert len(evaluator.asked) == 120
    assert favourites[0] == pytest.approx(OPTIMUM, abs=0.05)


@pytest.mark.parametrize("method", ["genetic", "cma"])
def test_the_same_seed_gives_the_same_candidates(method: str) -> None:
    def asked(seed: int) -> list[list[Weights]]:
        evaluator = Evaluator()
        methods.search(settings(method, population=8, generations=5, seed=seed), SPACE, evaluator)
        return evaluator.asked

    np.random.seed(0)
    first = asked(7)
    np.random.seed(1)
    assert asked(7) == first
    assert asked(8) != first


def test_genetic_begins_with_what_is_given() -> None:
    text = SPACE.text((1.0, 2.0, 3.0, 4.0, 5.0, 6.0))
    evaluator = Evaluator()
    methods.search(settings("genetic", population=4, generations=1, begin=(text,)), SPACE, evaluator)
    assert evaluator.asked[0][0] == (1, 2, 3, 4, 5, 6)


def test_permutations_are_all_orders_and_their_changes() -> None:
    space = Space.of("default", ["empty", "merges", "mono"])
    evaluator = Evaluator()
    plain = Settings("default", "permutations", population=10_000, generations=1, weights=space.names)
    values = space.start
    assert set(methods.permutations(plain, space)) == set(orders(values))
    changed = methods.permutations(replace(plain, changes=(-1.0,)), space)
    assert len(changed) == 6 * (1 + 3)
    assert (values[0], -values[1], values[2]) in changed
    with pytest.raises(InvalidParameter, match="tune fewer"):
        methods.permutations(replace(plain, changes=tuple(float(i) for i in range(3000))), space)

    def all_alike(generation: int, candidates: Sequence[Weights], keep: int) -> list[float]:
        evaluator.asked.append(list(candidates))
        return [0.0] * len(candidates)

    methods.search(replace(plain, population=4), space, all_alike)
    assert len(set(evaluator.asked[0])) == 4


def test_roulette_draws_in_proportion_to_fitness() -> None:
    population = np.arange(4)[:, None]
    select = methods.roulette(np.random.default_rng(1))
    _, chosen = select([1.0, 3.0, 0.0, -5.0], 40_000, SimpleNamespace(population=population))
    shares = np.bincount(chosen, minlength=4) / 40_000
    assert shares == pytest.approx([0.25, 0.75, 0, 0], abs=0.01)
    _, chosen = select([0.0, 0.0, 0.0, 0.0], 4_000, SimpleNamespace(population=population))
    assert np.bincount(chosen, minlength=4).min() > 900


def test_crossover_swaps_one_gene_of_a_pair() -> None:
    parents = np.arange(2000 * 6).reshape(2000, 6)
    cross = methods.crossover(settings("genetic", crossover=(0.4, 0.4)), np.random.default_rng(2))
    children = cross(parents, (2000, 6), SimpleNamespace(generations_completed=3))
    swapped = children != parents
    pairs = swapped.reshape(1000, 2, 6)
    assert (pairs[:, 0] == pairs[:, 1]).all()
    assert pairs[:, 0].sum(axis=1).max() == 1
    assert 350 < pairs[:, 0].any(axis=1).sum() < 450
    assert (np.sort(children.reshape(1000, 2, 6), axis=1) == parents.reshape(1000, 2, 6)).all()


def test_mutation_renews_one_gene() -> None:
    mutate = methods.mutation(settings("genetic", mutation=(1.0, 1.0)), SPACE, np.random.default_rng(3))
    children = mutate(np.full((3000, 6), -1), SimpleNamespace(generations_completed=0))
    renewed = children != -1
    assert (renewed.sum(axis=1) == 1).all()
    assert set(np.unique(children[renewed])) == set(range(41))  # -20 to 20
    assert renewed.sum(axis=0).min() > 400


def test_rates_move_in_equal_steps() -> None:
    assert [rate_in((0.5, 0.1), i, 5) for i in range(5)] == pytest.approx([0.5, 0.4, 0.3, 0.2, 0.1])
    assert rate_in((0.5, 0.1), 0, 1) == 0.5
