"""What came of a run: rates with intervals, scores, costs and comparisons, as values and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.arena.statistics import (
    Interval,
    PairedDifference,
    mean_interval,
    median_interval,
    paired_difference,
    wilson,
)
from twofold.arena.store import Run, Store
from twofold.registry import load_attribute

_COLUMNS = ("game", "score", "max_tile", "moves", "seconds", "won", "nodes", "table_hits", "pruned", "depths")


@dataclass(frozen=True)
class PlayerSummary:
    """The games of one player of a run, as columns (length: games stored), and the figures from them."""

    player: str
    columns: dict[str, NDArray[Any]]

    def __repr__(self) -> str:
        mean = "" if self.mean_score is None else f", mean score {self.mean_score:,.1f}"
        return f"PlayerSummary({self.player!r}: {self.games:,} games{mean})"

    @property
    def games(self) -> int:
        """Games stored."""
        return len(self.columns["game"])

    @property
    def scores(self) -> NDArray[np.int64]:
        """Points of each game."""
        return self.columns["score"]

    @property
    def max_tiles(self) -> NDArray[np.int64]:
        """Highest tile of each game."""
        return self.columns["max_tile"]

    @cached_property
    def mean_score(self) -> float | None:
        """Mean score, None without games."""
        return float(self.scores.mean()) if self.games else None

    @cached_property
    def mean_score_interval(self) -> Interval | None:
        """95 % interval of the mean score."""
        return mean_interval(self.scores)

    @cached_property
    def median_score(self) -> float | None:
        """Median score."""
        return float(np.median(self.scores)) if self.games else None

    @property
    def best_game(self) -> int | None:
        """The number of the game with the highest score, the first of several; None without games."""
        return int(self.columns["game"][self.scores.argmax()]) if self.games else None

    @property
    def worst_game(self) -> int | None:
        """The number of the game with the lowest score, the first of several; None without games."""
        return int(self.columns["game"][self.scores.argmin()]) if self.games else None

    @property
    def seconds(self) -> float:
        """Time thought in all games."""
        return float(self.columns["seconds"].sum())

    @property
    def moves(self) -> int:
        """Moves of all games."""
        return int(self.columns["moves"].sum())

    @property
    def moves_per_second(self) -> float | None:
        """Moves per second of thinking."""
        return self.moves / self.seconds if self.seconds > 0 else None

    def hits(self, tile: int) -> int:
        """Games that reached `tile`."""
        return int((self.max_tiles >= tile).sum())

    def per_move(self, column: str) -> float | None:
        """Nodes, table_hits, pruned or depths a move; None where a game did not count them."""
        values = self.columns[column]
        if not self.moves or any(value is None for value in values):
            return None
        return float(sum(values)) / self.moves

    def as_json(self, tiles: Sequence[int]) -> dict[str, Any]:
        """The figures, with rates of `tiles`."""
        median = median_interval(self.scores)
        return {
            "player": self.player,
            "games": self.games,
            "mean_score": _rounded(self.mean_score, 2),
            "mean_score_interval": _pair(self.mean_score_interval, 2),
            "median_score": self.median_score,
            "median_score_interval": _pair(median, 2),
            "mean_max_tile": round(float(self.max_tiles.mean()), 2) if self.games else None,
            "best_max_tile": int(self.max_tiles.max()) if self.games else None,
            "worst_max_tile": int(self.max_tiles.min()) if self.games else None,
            "best_game": self.best_game,
            "worst_game": self.worst_game,
            "tile_rates": {str(tile): self._rate(tile) for tile in tiles} if self.games else {},
            "moves_per_second": _rounded(self.moves_per_second, 3),
            "seconds": _rounded(self.seconds, 6),
            "moves": self.moves,
            "nodes_per_move": _rounded(self.per_move("nodes"), 2),
            "table_hits_per_move": _rounded(self.per_move("table_hits"), 2),
            "pruned_per_move": _rounded(self.per_move("pruned"), 2),
            "depth": _rounded(self.per_move("depths"), 3),
        }

    def _rate(self, tile: int) -> dict[str, float]:
        low, high = wilson(self.hits(tile), self.games)
        return {"rate": round(self.hits(tile) / self.games, 6), "low": round(low, 6), "high": round(high, 6)}


@dataclass(frozen=True)
class Comparison:
    """Two players of a run, compared on the games that both have played."""

    a: str
    b: str
    difference: PairedDifference

    def __repr__(self) -> str:
        found = self.difference
        between = "" if found.interval is None else f" ({found.interval[0]:,.1f} to {found.interval[1]:,.1f})"
        return (
            f"Comparison({self.a!r} - {self.b!r}: {found.mean:,.1f}{between} points on {found.pairs:,} games)"
        )

    def as_json(self) -> dict[str, Any]:
        """The comparison; the difference is A − B in points."""
        found = self.difference
        return {
            "a": self.a,
            "b": self.b,
            "pairs": found.pairs,
            "mean_difference": round(found.mean, 2),
            "interval": _pair(found.interval, 2),
            "p_value": float(f"{found.p_value:.4g}"),
            "wins": found.wins,
            "losses": found.losses,
        }


@dataclass(frozen=True)
class Summary:
    """A run and its results."""

    run: Run
    players: tuple[PlayerSummary, ...]
    versions: tuple[str, ...]

    def __repr__(self) -> str:
        return f"Summary({self.run.experiment.name!r}: {', '.join(map(repr, self.players))})"

    def __str__(self) -> str:
        """The table and the comparisons, as `twofold arena report` prints them."""
        return "\n".join(load_attribute("twofold.arena.text:summary_lines")(self))

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        table = load_attribute("twofold.arena.text:players_table")(self)
        lines = load_attribute("twofold.arena.text:comparison_lines")(self)
        paragraphs = "".join(f"<p>{escape(line)}</p>" for line in lines)
        return str(load_attribute("twofold.arena.report:html_table")(table, "players")) + paragraphs

    @property
    def is_complete(self) -> bool:
        """True if no game is missing."""
        return all(each.games == self.run.experiment.games for each in self.players)

    @property
    def tiles(self) -> tuple[int, ...]:
        """The tiles whose rates are told: from 8 to the highest that was reached or is the target."""
        most = max(
            [self.run.experiment.variant.target, *(int(p.max_tiles.max(initial=0)) for p in self.players)]
        )
        return tuple(1 << rank for rank in range(3, most.bit_length()))

    @cached_property
    def comparisons(self) -> tuple[Comparison, ...]:
        """Every two players on their common games."""
        found = []
        for a, b in combinations(self.players, 2):
            _, at_a, at_b = np.intersect1d(a.columns["game"], b.columns["game"], return_indices=True)
            if len(at_a):
                found.append(
                    Comparison(a.player, b.player, paired_difference(a.scores[at_a], b.scores[at_b]))
                )
        return tuple(found)

    def as_json(self) -> dict[str, Any]:
        """Everything for programs."""
        experiment = self.run.experiment
        return {
            "name": experiment.name,
            "variant": str(experiment.variant),
            "seed": experiment.seed,
            "stop_at_target": experiment.stop_at_target,
            "games": experiment.games,
            "complete": self.is_complete,
            "versions": list(self.versions),
            "players": [each.as_json(self.tiles) for each in self.players],
            "comparisons": [each.as_json() for each in self.comparisons],
        }


def summarise(store: Store, run: Run) -> Summary:
    """Reads all stored games of `run`."""
    players = []
    for each in run.entrants:
        columns = store.columns(each, run.experiment.games, _COLUMNS)
        arrays = {name: _array(name, values) for name, values in columns.items()}
        players.append(PlayerSummary(each.player, arrays))
    return Summary(run, tuple(players), tuple(store.versions(run)))


def _array(name: str, values: list[Any]) -> NDArray[Any]:
    if name == "seconds":
        return np.array(values, np.float64)
    return np.array(values, object if any(value is None for value in values) else np.int64)


def _rounded(number: float | None, digits: int) -> float | None:
    return None if number is None else round(number, digits)


def _pair(interval: Interval | None, digits: int) -> list[float] | None:
    return None if interval is None else [round(interval[0], digits), round(interval[1], digits)]
