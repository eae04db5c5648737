"""Intervals cover what they should, and the sequential test errs no more often than it says."""

from __future__ import annotations

import math

import numpy as np
import pytest

from twofold.arena.statistics import (
    SequentialTest,
    _log_evidence,
    mean_interval,
    median_interval,
    paired_difference,
    wilson,
)
from twofold.errors import InvalidParameter


def scores(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Skewed like the scores of games: log-normal with a deviation of half the mean."""
    return rng.lognormal(0.0, 0.5, shape)


def test_wilson_agrees_with_the_published_example() -> None:
    low, high = wilson(15, 148)  # Newcombe 1998, table I: 0.0624 to 0.1605 for the score method
    assert (round(low, 4), round(high, 4)) == (0.0624, 0.1605)
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(0, 50)[0] == 0.0
    assert wilson(50, 50)[1] == 1.0
    with pytest.raises(InvalidParameter):
        wilson(3, 2)


@pytest.mark.parametrize("n", [20, 100])
@pytest.mark.parametrize("p", [0.15, 0.5, 0.9])
def test_wilson_covers_the_rate(n: int, p: float) -> None:
    # Exactly, by adding up the probabilities of the counts whose interval holds p. A single rate may lie a little off.
    covered = sum(
        math.comb(n, k) * p**k * (1 - p) ** (n - k)
        for k in range(n + 1)
        if wilson(k, n)[0] <= p <= wilson(k, n)[1]
    )
    assert 0.93 <= covered <= 0.98


def test_wilson_covers_95_percent_on_average() -> None:
    rng = np.random.default_rng(1)
    rates = rng.uniform(0.02, 0.98, 4000)
    counts = rng.binomial(100, rates)
    covered = [
        low <= p <= high for p, (low, high) in zip(rates, (wilson(int(k), 100) for k in counts), strict=True)
    ]
    assert abs(np.mean(covered) - 0.95) < 0.015  # 4 standard errors


@pytest.mark.parametrize(("n", "rounds"), [(20, 600), (100, 400)])
def test_the_interval_of_the_mean_covers_it(n: int, rounds: int) -> None:
    rng = np.random.default_rng(n)
    truth = math.exp(0.125)
    hits = 0
    for sample in scores(rng, (rounds, n)):
        interval = mean_interval(sample)
        assert interval is not None
        hits += interval[0] <= truth <= interval[1]
    assert abs(hits / rounds - 0.95) < 0.04


def test_the_interval_of_few_numbers_is_students() -> None:
    rng = np.random.default_rng(5)
    found = [mean_interval(sample) for sample in rng.normal(0, 1, (2000, 5))]
    covered = np.mean([each[0] <= 0 <= each[1] for each in found if each is not None])
    assert abs(covered - 0.95) < 0.02


@pytest.mark.slow
@pytest.mark.parametrize("n", [20, 100])
def test_the_interval_of_the_mean_covers_it_closely(n: int) -> None:
    rng = np.random.default_rng(n)
    truth = math.exp(0.125)
    intervals = [mean_interval(sample) for sample in scores(rng, (1500, n))]
    covered = np.mean([low <= truth <= high for low, high in intervals if low is not None])
    assert abs(covered - 0.95) < 0.03


def test_the_interval_of_the_median_covers_it() -> None:
    rng = np.random.default_rng(7)
    for n in (6, 20, 101):
        found = [median_interval(sample) for sample in scores(rng, (1000, n))]
        covered = np.mean([each[0] <= 1.0 <= each[1] for each in found if each is not None])
        assert 0.93 <= covered <= 0.99
    large = median_interval(scores(rng, (20000,)))
    assert large is not None
    assert large[0] < 1 < large[1]


def test_students_quantiles() -> None:
    from twofold.arena.statistics import student_quantile

    for freedom, quantile in ((1, 12.706), (8, 2.306), (9, 2.262), (15, 2.131), (28, 2.048)):  # any table
        assert student_quantile(freedom) == pytest.approx(quantile, abs=0.002)


def test_one_odd_game_does_not_blow_up_the_interval() -> None:
    interval = mean_interval([20000, 20100, 19900, 20050, 19950, 20020, 19980, 20010, 19990, 7000])
    assert interval is not None
    assert 15000 < interval[0] < interval[1] < 25000


def test_too_few_numbers_have_no_interval() -> None:
    assert mean_interval([5]) is None
    assert mean_interval([5, 5]) == (5, 5)
    assert median_interval([1, 2, 3, 4, 5]) is None
    assert median_interval([1, 2, 3, 4, 5, 6]) == (1, 6)


def test_large_samples_have_the_normal_interval() -> None:
    values = np.random.default_rng(3).normal(10, 2, 10000)
    interval = mean_interval(values)
    assert interval is not None
    assert interval[1] - interval[0] == pytest.approx(2 * 1.96 * 2 / 100, rel=0.03)


def test_a_paired_difference_finds_what_pairs_share() -> None:
    rng = np.random.default_rng(5)
    luck = rng.normal(0, 1000, 50)
    found = paired_difference(luck + 30 + rng.normal(0, 10, 50), luck)
    assert found.p_value == 1e-4
    assert found.interval is not None
    assert found.interval[0] < 30 < found.interval[1]
    assert paired_difference([1, 2, 3], [1, 2, 3]).p_value == 1
    with pytest.raises(InvalidParameter):
        paired_difference([], [])


def test_equal_players_are_found_different_in_5_percent() -> None:
    rng = np.random.default_rng(11)
    rounds = 300
    small = sum(
        paired_difference(scores(rng, (20,)), scores(rng, (20,))).p_value <= 0.05 for _ in range(rounds)
    )
    assert small / rounds < 0.05 + 4 * math.sqrt(0.05 * 0.95 / rounds)
    assert small > 0
    large = paired_difference(rng.normal(0, 1, 6000), rng.normal(0.2, 1, 6000))
    assert large.p_value < 1e-6


def test_the_evidence_is_the_integral() -> None:
    for wins, losses in ((0, 0), (1, 0), (3, 2), (10, 4), (2, 9), (40, 25)):
        p = np.linspace(0.5, 1, 200_001)
        integral = np.trapezoid(2 * p**wins * (1 - p) ** losses, p) * 2.0 ** (wins + losses)
        assert _log_evidence(wins, losses) == pytest.approx(math.log(integral), abs=1e-6)


def run_test(rng: np.random.Generator, p: float, most: int, alpha: float = 0.05) -> tuple[str | None, int]:
    test = SequentialTest(alpha)
    for number, won in enumerate(rng.random(most) < p):
        if test.add(float(won), 0.5) is not None:
            return test.verdict, number + 1
    return None, most


def test_the_sequential_test_rarely_errs() -> None:
    rng = np.random.default_rng(13)
    rounds = 400
    false = sum(run_test(rng, 0.5, 300)[0] is not None for _ in range(rounds))
    assert false / rounds <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / rounds)
    found = [run_test(rng, 0.7, 600) for _ in range(100)]
    assert sum(verdict == "A" for verdict, _ in found) >= 98
    assert np.mean([games for _, games in found]) < 120
    assert run_test(rng, 0.1, 600)[0] == "B"


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_the_sequential_test_rarely_errs_in_long_runs(alpha: float) -> None:
    rng = np.random.default_rng(17)
    rounds = 500
    false = sum(run_test(rng, 0.5, 3000, alpha)[0] is not None for _ in range(rounds))
    assert false / rounds <= alpha + 2 * math.sqrt(alpha * (1 - alpha) / rounds)


def test_the_sequential_test_ignores_ties_and_keeps_its_verdict() -> None:
    test = SequentialTest()
    assert test.add_all([1] * 30, [1] * 30) is None
    assert test.ties == 30
    assert test.add_all([2] * 30, [1] * 30) == "A"
    assert test.wins < 15
    test.add_all([0] * 50, [1] * 50)
    assert test.as_json()["verdict"] == "A"
    with pytest.raises(InvalidParameter):
        SequentialTest(1.0)
