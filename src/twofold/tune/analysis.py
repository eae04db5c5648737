"""How each weight goes along with success, over the candidates of a tuning (S0's figures 13, 29 and 30).

Pearson's correlation with its 95 % interval by Fisher's transformation. In the first generation of the genetic method
weights are drawn at random and independently, so only there do correlations speak of causes; over all generations they
also show what the search went for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from twofold.arena.statistics import Interval
from twofold.tune.driver import Tuning, tiles_of
from twofold.tune.judge import Result


@dataclass(frozen=True, slots=True)
class Correlation:
    """Pearson's r over `count` candidates, with its 95 % interval; None where a side never varies."""

    r: float | None
    interval: Interval | None
    count: int

    def text(self) -> str:
        """`+0.41 (+0.20 to +0.58)`, or a dash."""
        if self.r is None:
            return "–"
        if self.interval is None:
            return f"{self.r:+.2f}"
        return f"{self.r:+.2f} ({self.interval[0]:+.2f} to {self.interval[1]:+.2f})"


def correlation(a: ArrayLike, b: ArrayLike) -> Correlation:
    """Of two columns of equal length."""
    x, y = np.asarray(a, np.float64), np.asarray(b, np.float64)
    n = len(x)
    if n < 3 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return Correlation(None, None, n)
    r = float(np.clip(np.corrcoef(x, y)[0, 1], -1.0, 1.0))
    if n < 4 or abs(r) > 1 - 1e-12:
        return Correlation(r, None, n)
    half = NormalDist().inv_cdf(0.975) / math.sqrt(n - 3)
    return Correlation(r, (math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half)), n)


@dataclass(frozen=True)
class Correlations:
    """Of one weight: with fitness over all candidates and over those of the first generation; with tile rates."""

    weight: str
    fitness: Correlation
    first: Correlation
    rates: dict[int, Correlation]


def correlations(tuning: Tuning) -> list[Correlations]:
    """Of every weight, in the order of the genes. A candidate counts once a generation."""
    everyone = [result for generation in tuning.generations for result in _once(generation)]
    first = _once(tuning.generations[0]) if tuning.generations else []
    tiles = tiles_of(everyone)
    found = []
    for i, name in enumerate(tuning.space.names):
        column = [result.weights[i] for result in everyone]
        found.append(
            Correlations(
                name,
                correlation(column, [result.fitness for result in everyone]),
                correlation([result.weights[i] for result in first], [result.fitness for result in first]),
                {tile: correlation(column, [result.rate(tile) for result in everyone]) for tile in tiles},
            )
        )
    return found


def _once(generation: Sequence[Result]) -> list[Result]:
    return list({result.weights: result for result in generation}.values())
