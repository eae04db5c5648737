"""Candidates are judged by playing: the same seeds for all of a generation, fresh ones in the next.

*Racing.* Games are played in rounds. After each but the last, a candidate leaves if it is clearly worse than the one on
rank `keep` by the games that both have played: mean difference more than two standard errors below 0. Those that stay
differ little, so poor candidates cost few games. A candidate that left has played easier or harder seeds than those
that stayed, so what the stayers scored more or less on the later rounds is added to its fitness.

*Nothing is kept but games.* What is played follows from the settings; each round is a run in the arena's store. So a
tuning that was killed is begun anew from its seed, finds its games, plays those that are missing, and goes the way it
would have gone (tests/tune/test_tuning.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from twofold.arena.experiment import Experiment
from twofold.arena.play import RunProgress, play_run
from twofold.arena.pools import Pool
from twofold.arena.store import Store
from twofold.rules.variant import Variant
from twofold.tune.fitness import Fitness
from twofold.tune.settings import Settings
from twofold.tune.space import Space, Weights

ROUNDS = 3
"""Rounds of a race: a quarter of the games, another one, and the other half."""

_LEAST = 6  # games of a round; fewer say too little about a standard error
_ERRORS = 2.0


@dataclass(frozen=True)
class Result:
    """What came of a candidate: its games (columns of equal length) and what they are worth.

    fitness: comparable within a generation; error: standard error of the mean.
    """

    weights: Weights
    scores: NDArray[np.int64]
    max_tiles: NDArray[np.int64]
    fitness: float
    error: float

    @property
    def games(self) -> int:
        """Games played."""
        return len(self.scores)

    def rate(self, tile: int) -> float:
        """Share of games that reached `tile`."""
        return float((self.max_tiles >= tile).mean())


Watch = Callable[[str, int, int, RunProgress], None]
"""Told what is judged, the round, candidates left, and the progress of the round's games."""


def rounds_of(games: int, racing: bool) -> list[int]:
    """Games of each round of a race, all together `games`."""
    if not racing or games < ROUNDS * _LEAST:
        return [games]
    quarter = games // 4
    return [quarter, quarter, games - 2 * quarter]


class Judge:
    """Plays candidates in a store; see the module's text."""

    def __init__(
        self, settings: Settings, space: Space, store: Store, pool: Pool, watch: Watch | None = None
    ) -> None:
        self._settings, self._space, self._store, self._pool = settings, space, store, pool
        self._watch = watch
        self._fitness = Fitness.parse(settings.fitness)
        self._variant = Variant.parse(settings.variant)

    def generation(self, number: int, candidates: Sequence[Weights], keep: int) -> list[Result]:
        """Results of the candidates of generation `number`, in their order; `keep` of them matter."""
        return self._race(f"generation {number + 1}", 64 * number, candidates, keep, self._settings.games)

    def final(self, candidates: Sequence[Weights]) -> list[Result]:
        """The candidates for being the best on seeds of their own, four times as many games."""
        return self._race("final", -64, candidates, 1, 4 * self._settings.games)

    def _race(
        self, what: str, stage: int, candidates: Sequence[Weights], keep: int, games: int
    ) -> list[Result]:
        different = list(dict.fromkeys(candidates))
        found: dict[Weights, list[tuple[NDArray[np.int64], NDArray[np.int64]]]] = {w: [] for w in different}
        remaining = different
        for number, count in enumerate(rounds_of(games, self._settings.racing and len(different) > keep)):
            played = self._play(what, stage + number, remaining, number, count)
            for weights, columns in zip(remaining, played, strict=True):
                found[weights].append(columns)
            remaining = self._better(remaining, found, keep)
        results = self._results(found)
        return [results[weights] for weights in candidates]

    def _play(
        self, what: str, stage: int, remaining: Sequence[Weights], number: int, count: int
    ) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        players = tuple(self._space.player(self._settings.player, weights) for weights in remaining)
        name = f"{self._settings.name} {what}.{number + 1}"
        experiment = Experiment(
            players, count, name=name, variant=self._variant, seed=self._settings.seed_of(stage)
        )
        run = self._store.begin(experiment)
        watch = self._watch

        def show(progress: RunProgress) -> None:
            if watch is not None:
                watch(what, number + 1, len(remaining), progress)

        play_run(self._store, run, pool=self._pool, watch=show)
        out = []
        for entrant in run.entrants:
            columns = self._store.columns(entrant, count, ("score", "max_tile"))
            out.append((np.array(columns["score"], np.int64), np.array(columns["max_tile"], np.int64)))
        return out

    def _values(self, rounds: Sequence[tuple[NDArray[np.int64], NDArray[np.int64]]]) -> NDArray[np.float64]:
        return np.concatenate([self._fitness.of_games(*columns) for columns in rounds])

    def _better(
        self,
        remaining: list[Weights],
        found: dict[Weights, list[tuple[NDArray[np.int64], NDArray[np.int64]]]],
        keep: int,
    ) -> list[Weights]:
        """Those that aren't clearly worse than the one on rank `keep`."""
        if len(remaining) <= keep:
            return remaining
        values = {weights: self._values(found[weights]) for weights in remaining}
        ranked = sorted(remaining, key=lambda weights: -float(values[weights].mean()))
        threshold = values[ranked[keep - 1]]
        return [
            weights
            for weights in remaining
            if weights in ranked[:keep] or not _clearly_less(values[weights], threshold)
        ]

    def _results(
        self, found: dict[Weights, list[tuple[NDArray[np.int64], NDArray[np.int64]]]]
    ) -> dict[Weights, Result]:
        longest = max(len(rounds) for rounds in found.values())
        stayed = [self._values(rounds) for rounds in found.values() if len(rounds) == longest]
        results = {}
        for weights, rounds in found.items():
            values = self._values(rounds)
            shift = np.mean([each.mean() - each[: len(values)].mean() for each in stayed])
            error = float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else 0.0
            scores = np.concatenate([columns[0] for columns in rounds])
            tiles = np.concatenate([columns[1] for columns in rounds])
            results[weights] = Result(weights, scores, tiles, float(values.mean() + shift), error)
        return results


def _clearly_less(values: NDArray[np.float64], threshold: NDArray[np.float64]) -> bool:
    difference = values - threshold
    if len(difference) < 2:
        return False
    error = float(difference.std(ddof=1) / np.sqrt(len(difference)))
    return float(difference.mean()) < -_ERRORS * error
