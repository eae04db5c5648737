"""The three ways to look for weights. Each asks an `Evaluator` about one generation after the other.

- `genetic`: S0's algorithm (its "Formulation of Heuristics") on pygad, with S0's operators: parents by roulette, one
  gene swapped between the two of a pair with probability `crossover`, one gene of a child replaced by a random one with
  probability `mutation`; nothing survives unchanged but by luck. The rates may change over the generations.
- `cma`: CMA-ES (Hansen 2016) from the library cma, on weights in units of their first steps.
- `permutations`: what S0 tried before: the values that the weights have now, in every order, and each of them negated,
  doubled, … if `changes` says so; one generation.

All chance comes from a generator of the method's own, so the same seed gives the same candidates if the
evaluator gives the same answers.
"""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InvalidParameter
from twofold.tune.settings import Settings, rate_in
from twofold.tune.space import Space, Weights

Evaluator = Callable[[int, Sequence[Weights], int], Sequence[float]]
"""The fitness of each candidate of a generation, of which so many matter: (generation, candidates, keep)."""

MOST_PERMUTATIONS = 50_000


def check_libraries(method: str) -> None:
    """Raises InvalidParameter if the method's library is missing."""
    library = {"genetic": "pygad", "cma": "cma"}.get(method)
    if library is not None and find_spec(library) is None:
        raise InvalidParameter(f"--method {method} needs {library}: pip install 'twofold[tune]'")


def search(settings: Settings, space: Space, evaluate: Evaluator) -> list[Weights]:
    """Goes through all generations; returns the weights that the method itself holds for the best, the best first."""
    check_libraries(settings.method)
    rng = np.random.default_rng(settings.seed)
    method = {"genetic": _genetic, "cma": _cma, "permutations": _permutations}[settings.method]
    return method(settings, space, evaluate, rng)


def _genetic(
    settings: Settings, space: Space, evaluate: Evaluator, rng: np.random.Generator
) -> list[Weights]:
    import pygad

    population, generations = settings.population, settings.generations
    given = [space.weights_of(text) for text in settings.begin][:population]
    first = given + [space.draw(rng) for _ in range(population - len(given))]
    begin = np.array(
        [[g.number(w) for g, w in zip(space.genes, each, strict=True)] for each in first], np.int64
    )
    last: list[tuple[float, Weights]] = []

    def fitness(algorithm: Any, solutions: Any, _: Any) -> list[float]:
        candidates = [_weights(space, numbers) for numbers in np.atleast_2d(solutions)]
        keep = max(1, len(candidates) // 4)
        found = [float(value) for value in evaluate(algorithm.generations_completed, candidates, keep)]
        last[:] = sorted(zip(found, candidates, strict=True), key=lambda pair: -pair[0])
        return found

    if generations == 1:
        evaluate(0, first, max(1, population // 4))
        return []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pygad's remarks on settings that are meant as they are
        algorithm = pygad.GA(
            num_generations=generations - 1,
            num_parents_mating=population,
            fitness_func=fitness,
            fitness_batch_size=population,
            initial_population=begin,
            gene_type=int,
            parent_selection_type=roulette(rng),
            crossover_type=crossover(settings, rng),
            mutation_type=mutation(settings, space, rng),
            keep_parents=0,
            keep_elitism=0,
            suppress_warnings=True,
        )
        algorithm.run()
    return [last[0][1]]


def _weights(space: Space, numbers: Sequence[int]) -> Weights:
    return tuple(gene.value(int(number)) for gene, number in zip(space.genes, numbers, strict=True))


def roulette(rng: np.random.Generator) -> Callable[..., Any]:
    """Parents drawn in proportion to their fitness; without a positive one, all alike."""

    def select(fitness: Any, count: int, algorithm: Any) -> tuple[Any, Any]:
        chances = np.maximum(np.asarray(fitness, np.float64), 0.0)
        total = chances.sum()
        chances = chances / total if total > 0 else np.full(len(chances), 1 / len(chances))
        chosen = rng.choice(len(chances), count, p=chances)
        return algorithm.population[chosen].copy(), chosen

    return select


def crossover(settings: Settings, rng: np.random.Generator) -> Callable[..., Any]:
    """Of every two parents, with the crossover rate, one gene of each goes to the other."""

    def cross(parents: Any, size: tuple[int, int], algorithm: Any) -> Any:
        rate = rate_in(settings.crossover, algorithm.generations_completed, settings.generations - 1)
        children = parents[: size[0]].copy()
        for i in range(0, len(children) - 1, 2):
            if rng.random() < rate:
                gene = rng.integers(children.shape[1])
                children[i, gene], children[i + 1, gene] = children[i + 1, gene], children[i, gene]
        return children

    return cross


def mutation(settings: Settings, space: Space, rng: np.random.Generator) -> Callable[..., Any]:
    """In a child, with the mutation rate, one gene becomes a random one."""

    def mutate(children: Any, algorithm: Any) -> Any:
        rate = rate_in(settings.mutation, algorithm.generations_completed, settings.generations - 1)
        for child in children:
            if rng.random() < rate:
                gene = int(rng.integers(len(space.genes)))
                child[gene] = rng.integers(space.genes[gene].count)
        return children

    return mutate


def _cma(settings: Settings, space: Space, evaluate: Evaluator, rng: np.random.Generator) -> list[Weights]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its own about libraries for plots
        import cma

    steps = np.array([gene.step for gene in space.genes])
    start = np.array(space.weights_of(settings.begin[0]) if settings.begin else space.start)
    start = np.array(space.rounded(start.tolist()))
    low = [None if gene.least is None else gene.least / gene.step for gene in space.genes]
    high = [None if gene.most is None else gene.most / gene.step for gene in space.genes]

    def normal(*shape: int) -> NDArray[np.float64]:
        return np.asarray(rng.standard_normal(shape or None))

    options = {
        "bounds": [low, high],
        "popsize": settings.population,
        "randn": normal,
        "seed": np.nan,  # leave the global generator alone
        "verbose": -9,
        "verb_log": 0,
        "verb_disp": 0,
        "maxiter": settings.generations,
        "tolfun": 0,
        "tolfunhist": 0,
        "tolx": 0,
        "tolstagnation": 10**9,
        "tolflatfitness": 10**9,
    }
    strategy = cma.CMAEvolutionStrategy(start / steps, 1.0, options)
    for generation in range(settings.generations):
        points = strategy.ask()
        candidates = [space.rounded((np.asarray(point) * steps).tolist()) for point in points]
        found = evaluate(generation, candidates, max(1, settings.population // 2))
        strategy.tell(points, [-float(value) for value in found])
    return [space.rounded((np.asarray(strategy.result.xfavorite) * steps).tolist())]


def permutations(settings: Settings, space: Space) -> list[Weights]:
    """All orders of the values that the weights have now, each as it is and with one value changed."""
    values = space.weights_of(settings.begin[0]) if settings.begin else space.start
    count = math.factorial(len(values)) * (1 + len(values) * len(settings.changes))
    if count > MOST_PERMUTATIONS:
        raise InvalidParameter(
            f"{len(values)} weights have {count:,} permutations with their changes: tune fewer of them with --weights"
        )
    found: dict[Weights, None] = {}
    for order in itertools.permutations(values):
        found[space.rounded(order)] = None
        for factor, i in itertools.product(settings.changes, range(len(order))):
            found[space.rounded([v * factor if i == j else v for j, v in enumerate(order)])] = None
    return list(found)


def _permutations(
    settings: Settings, space: Space, evaluate: Evaluator, rng: np.random.Generator
) -> list[Weights]:
    candidates = permutations(settings, space)
    if len(candidates) > settings.population:
        chosen = sorted(rng.choice(len(candidates), settings.population, replace=False).tolist())
        candidates = [candidates[i] for i in chosen]
    evaluate(0, candidates, 1)
    return []
