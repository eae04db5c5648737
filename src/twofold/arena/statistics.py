"""Intervals and tests for games: how far can the figures be trusted?

- `wilson`: the rate of a tile (Wilson 1927).
- `mean_interval`: the bootstrap-t of Efron (1979) and Hall (1988), which allows for the skewness of scores; Student's
  interval below 30 games and the normal one above 5,000, where the three agree.
- `median_interval`: from the order statistics, exact for any distribution.
- `paired_difference`: two players on the same seeds; p-value by flipping the signs of the differences.
- `SequentialTest`: who wins more seeds? May be looked at after every pair: errs with at most the stated probability.

All are functions of the numbers alone: the resampling has a fixed seed. tests/arena/test_statistics.py shows the
coverage by simulation.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from twofold.errors import InvalidParameter

Interval = tuple[float, float]

RESAMPLES = 2000
FLIPS = 9999
_FEW = 30  # below, the bootstrap-t is thrown off by a single odd game
_MANY = 5000
_BLOCK = 1 << 20  # numbers resampled at a time
# Student's quantile for 1 to 8 degrees of freedom.
_T_975 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306)
_Z_975 = NormalDist().inv_cdf(0.975)


def wilson(hits: int, games: int) -> Interval:
    """The 95 % interval of a rate after `hits` in `games`; (0, 1) for no games."""
    if not 0 <= hits <= games:
        raise InvalidParameter(f"{hits} hits in {games} games is impossible")
    if not games:
        return 0.0, 1.0
    z, p = _Z_975, hits / games
    middle = (p + z * z / (2 * games)) / (1 + z * z / games)
    half = z * math.sqrt(p * (1 - p) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    low = 0.0 if hits == 0 else max(0.0, middle - half)
    return low, 1.0 if hits == games else min(1.0, middle + half)


def mean_interval(numbers: ArrayLike) -> Interval | None:
    """The 95 % interval of the mean; None for fewer than two numbers.

    Below 30 games it trusts the scores to be about normal; for very skewed ones it then covers rather 91 to 93 %.
    """
    values = np.asarray(numbers, np.float64)
    n = len(values)
    if n < 2:
        return None
    mean, error = float(values.mean()), float(values.std(ddof=1)) / math.sqrt(n)
    if error == 0:
        return mean, mean
    if n < _FEW:
        return mean - student_quantile(n - 1) * error, mean + student_quantile(n - 1) * error
    if n > _MANY:
        return mean - _Z_975 * error, mean + _Z_975 * error
    low, high = np.quantile(_bootstrap_t(values), (0.025, 0.975))
    return mean - float(high) * error, mean - float(low) * error


def student_quantile(freedom: int) -> float:
    """The 97.5 % quantile of Student's distribution, to three digits (Abramowitz and Stegun 26.7.5 from 9 on)."""
    if freedom <= len(_T_975):
        return _T_975[freedom - 1]
    z = _Z_975
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    correction: float = sum(term / freedom ** (i + 1) for i, term in enumerate(terms))
    return z + correction


def _bootstrap_t(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The studentised means of resamples."""
    n, mean = len(values), values.mean()
    rng = np.random.default_rng(2048)
    found: list[NDArray[np.float64]] = []
    left = RESAMPLES
    while left:
        count = min(left, max(1, _BLOCK // n))
        drawn = values[rng.integers(0, n, (count, n))]
        errors = drawn.std(axis=1, ddof=1) / math.sqrt(n)
        means = drawn.mean(axis=1)
        found.append(((means - mean)[errors > 0]) / errors[errors > 0])
        left -= count
    return np.concatenate(found)


def median_interval(numbers: ArrayLike) -> Interval | None:
    """An interval of the median that covers it in at least 95 %; None below 6 numbers, where there is none."""
    values = np.sort(np.asarray(numbers, np.float64))
    n = len(values)
    if n < 6:
        return None
    if n > _MANY:
        skipped = max(1, math.floor(n / 2 - _Z_975 * math.sqrt(n) / 2))
    else:
        # The largest k with P(Bin(n, 1/2) < k) <= 2.5 %: the k-th smallest and k-th largest value.
        log_half, total, skipped = n * math.log(0.5), 0.0, 0
        for k in range(n // 2):
            total += math.exp(math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) + log_half)
            if total > 0.025:
                break
            skipped = k + 1
    return float(values[skipped - 1]), float(values[n - skipped])


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """Mean of A − B over `pairs` seeds, its 95 % interval, and the p-value of "no difference"."""

    pairs: int
    mean: float
    interval: Interval | None
    p_value: float
    wins: int
    losses: int


def paired_difference(a: ArrayLike, b: ArrayLike) -> PairedDifference:
    """Compares two players' scores of the same games, in the same order.

    The p-value is that of the mean among the means with signs flipped by chance (9,999 flips, so at least 0.0001),
    which needs no assumption but that A and B could be exchanged; above 5,000 pairs it is that of the normal law.
    """
    difference = np.asarray(a, np.float64) - np.asarray(b, np.float64)
    n = len(difference)
    if not n:
        raise InvalidParameter("the two players have no game in common")
    mean = float(difference.mean())
    wins, losses = int((difference > 0).sum()), int((difference < 0).sum())
    return PairedDifference(n, mean, mean_interval(difference), _flip_p(difference), wins, losses)


def _flip_p(difference: NDArray[np.float64]) -> float:
    n = len(difference)
    total = abs(float(difference.sum()))
    if not difference.any():
        return 1.0
    if n > _MANY:
        error = math.sqrt(float((difference**2).sum()))
        return 2 * NormalDist().cdf(-total / error)
    rng = np.random.default_rng(2048)
    as_large, left = 0, FLIPS
    slack = 1e-9 * float(np.abs(difference).sum())  # sums in another order differ in the last digits
    while left:
        count = min(left, max(1, _BLOCK // n))
        signs = rng.integers(0, 2, (count, n), np.int8) * 2 - 1
        as_large += int((np.abs(signs @ difference) >= total - slack).sum())
        left -= count
    return (1 + as_large) / (1 + FLIPS)


def _log_evidence(wins: int, losses: int, needed: float = -math.inf) -> float:
    """Logarithm of how much likelier the results are with p uniform on (1/2, 1) than with p = 1/2.

    That is log(2 · ∫ p^wins (1−p)^losses dp / 2^−n) over (1/2, 1); the integral is B(w+1, l+1) · P(Bin(n+1, 1/2) <= w).
    Where it can't reach `needed`, an upper bound is given, which costs less.
    """
    n = wins + losses
    bound = (n + 1) * math.log(2) + math.lgamma(wins + 1) + math.lgamma(losses + 1) - math.lgamma(n + 2)
    return bound if bound < needed else bound + _log_half_tail(n + 1, wins)


def _log_half_tail(n: int, k: int) -> float:
    """log P(Bin(n, 1/2) <= k)."""
    if k >= n:
        return 0.0
    log_half = n * math.log(0.5)
    counts = np.arange(k + 1)
    logs = math.lgamma(n + 1) - _lgamma(counts + 1) - _lgamma(n - counts + 1) + log_half
    most = float(logs.max())
    return min(0.0, most + math.log(float(np.exp(logs - most).sum())))


_LGAMMA: NDArray[np.float64] = np.zeros(2)


def _lgamma(whole: NDArray[np.int64]) -> NDArray[np.float64]:
    """lgamma of whole numbers, from a table of sums of logarithms that grows as needed."""
    global _LGAMMA
    most = int(whole.max())
    if most >= len(_LGAMMA):
        size = max(1024, 2 * most)
        _LGAMMA = np.concatenate((np.zeros(2), np.cumsum(np.log(np.arange(1, size)))))[: size + 1]
    return _LGAMMA[whole]


@dataclass
class SequentialTest:
    """Is A better than B? Tested after every pair of games, and stopped as soon as it is clear.

    "Better" is: A has the higher score in more than half of the seeds that are not tied. Pairs must be added in the
    order of the seeds, never in the order in which games end (short games are bad games). The evidence for A is the
    likelihood ratio of a uniform mixture over p > 1/2 against p = 1/2 (Robbins 1970), a martingale if the players
    are equal, so by Ville's inequality it ever reaches 2/alpha with probability at most alpha/2; the same for B. So
    the test names the wrong player, or any player when both are equal, with probability at most `alpha`.
    """

    alpha: float = 0.05
    wins: int = 0
    losses: int = 0
    ties: int = 0
    verdict: str | None = field(default=None, init=False)
    """``A`` or ``B`` once it is clear, and for good."""

    def __post_init__(self) -> None:
        if not 0 < self.alpha < 1:
            raise InvalidParameter(f"a significance level of {self.alpha} is not between 0 and 1")

    def add(self, a: float, b: float) -> str | None:
        """One more pair of scores; returns the verdict so far."""
        if a == b:
            self.ties += 1
            return self.verdict
        if a > b:
            self.wins += 1
        else:
            self.losses += 1
        if self.verdict is None:
            most = max(self.wins, self.losses)
            needed = math.log(2 / self.alpha)
            if _log_evidence(most, self.wins + self.losses - most, needed) >= needed:
                self.verdict = "A" if self.wins > self.losses else "B"
        return self.verdict

    def add_all(self, a: Sequence[float], b: Sequence[float]) -> str | None:
        """Pairs in the order of their seeds, until the test is over."""
        for left, right in zip(a, b, strict=True):
            if self.verdict is not None:
                break
            self.add(left, right)
        return self.verdict

    def as_json(self) -> dict[str, Any]:
        """The state of the test."""
        return {
            "alpha": self.alpha,
            "wins": self.wins,
            "losses": self.losses,
            "ties": self.ties,
            "verdict": self.verdict,
        }
