"""The columns that tables of experiments can have: a figure of a player's games, with its interval."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from twofold.arena.statistics import Interval, mean_interval, wilson
from twofold.arena.summary import PlayerSummary
from twofold.arena.text import mean_text, pace_text, rate_text
from twofold.errors import InvalidParameter, quote

_Z = 1.96  # of the normal distribution, 95 %
FEWEST = 5
"""Games from which an interval is told: those of fewer go far beyond what can be, a negative score for example."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A column: title, value, 95 % interval (None where there is none), text; `up`: is more better (None: neither)?"""

    title: str
    value: Callable[[PlayerSummary], float | None]
    interval: Callable[[PlayerSummary], Interval | None]
    text: Callable[[PlayerSummary], str]
    up: bool | None = True
    spread: Callable[[PlayerSummary], float] | None = None
    """Of a mean: the standard deviation of the games."""

    def verdict(self, player: PlayerSummary, report: float, games: int | None = None) -> str:
        """How our figure stands to a report's: ``beaten``, ``matched`` or ``below``; empty if nothing can be said.

        games: how many the report's figure is from, a rate in percent or a mean, whose games are taken to spread like
        ours. The interval of the difference is Newcombe's (1998, method 10), from both intervals; "matched" if it
        holds 0.
        """
        value = self.value(player)
        if value is None or self.up is None:
            return ""
        low, high = self.interval(player) or (value, value)
        report_low, report_high = report, report
        if games is not None and self.spread is not None:
            half = _Z * self.spread(player) / math.sqrt(games)
            report_low, report_high = report - half, report + half
        elif games is not None:
            report_low, report_high = (100 * end for end in wilson(round(report * games / 100), games))
        difference = value - report
        if difference - math.hypot(value - low, report_high - report) > 0:
            return "beaten" if self.up else "below"
        if difference + math.hypot(high - value, report - report_low) < 0:
            return "below" if self.up else "beaten"
        return "matched"


def tile_rate(tile: int) -> Figure:
    """The share of games that reached `tile`, in percent."""

    def value(player: PlayerSummary) -> float | None:
        return 100 * player.hits(tile) / player.games if player.games else None

    def interval(player: PlayerSummary) -> Interval:
        low, high = wilson(player.hits(tile), player.games)
        return 100 * low, 100 * high

    def text(player: PlayerSummary) -> str:
        hits, games = player.hits(tile), player.games
        return rate_text(hits, games) if not games or games >= FEWEST else f"{100 * hits / games:.1f} %"

    return Figure(f"{tile}", value, interval, text)


def _mean_text(games: int, mean: float | None, interval: Interval | None) -> str:
    return mean_text(mean, interval if games >= FEWEST else None)


def _mean_max(player: PlayerSummary) -> float | None:
    return float(player.max_tiles.mean()) if player.games else None


def _plain(title: str, value: Callable[[PlayerSummary], float | None], up: bool | None) -> Figure:
    return Figure(title, value, lambda _: None, lambda player: pace_text(value(player)), up)


def _milliseconds(player: PlayerSummary) -> float | None:
    return 1000 * player.seconds / player.moves if player.moves else None


def _per_millisecond(player: PlayerSummary) -> float | None:
    used = _milliseconds(player)
    return player.mean_score / used if used and player.mean_score is not None else None


def _pruned_share(player: PlayerSummary) -> float | None:
    pruned, nodes = player.per_move("pruned"), player.per_move("nodes")
    return 100 * pruned / (pruned + nodes) if pruned is not None and nodes else None


def _hit_share(player: PlayerSummary) -> float | None:
    hits, nodes = player.per_move("table_hits"), player.per_move("nodes")
    return 100 * hits / (hits + nodes) if hits is not None and nodes else None


_FIGURES = {
    "score": Figure(
        "mean score",
        lambda player: player.mean_score,
        lambda player: player.mean_score_interval,
        lambda player: _mean_text(player.games, player.mean_score, player.mean_score_interval),
    ),
    "mean-max": Figure(
        "mean highest tile",
        _mean_max,
        lambda player: mean_interval(player.max_tiles),
        lambda player: _mean_text(player.games, _mean_max(player), mean_interval(player.max_tiles)),
        spread=lambda player: float(player.max_tiles.std(ddof=1)) if player.games > 1 else 0.0,
    ),
    "best-max": _plain(
        "highest tile, best game", lambda p: float(p.max_tiles.max()) if p.games else None, True
    ),
    "worst-max": _plain(
        "highest tile, worst game", lambda p: float(p.max_tiles.min()) if p.games else None, True
    ),
    "seconds": _plain("seconds", lambda player: player.seconds if player.games else None, False),
    "ms": _plain("ms/move", _milliseconds, False),
    "score-per-ms": _plain("score per ms/move", _per_millisecond, True),
    "nodes": _plain("nodes/move", lambda player: player.per_move("nodes"), None),
    "depth": _plain("mean depth", lambda player: player.per_move("depths"), None),
    "pruned": _plain("branches cut, % of all", _pruned_share, None),
    "hits": _plain("found in the table, %", _hit_share, None),
    "moves": _plain("moves", lambda player: float(player.moves), None),
}


def figure(name: str) -> Figure:
    """The figure called `name`; a number is the rate of that tile."""
    if name.isdigit():
        return tile_rate(int(name))
    if name not in _FIGURES:
        raise InvalidParameter(f"no figure {quote(name)}: {', '.join(_FIGURES)} or a tile")
    return _FIGURES[name]
