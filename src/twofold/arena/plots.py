"""The pictures of a run, by matplotlib (extra `plots`): score survival, highest tiles, score against thinking time.

All are made as SVG or PNG bytes that depend on the games alone, so a picture in a repository changes when figures do.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from twofold.arena.statistics import wilson
from twofold.arena.summary import PlayerSummary, Summary
from twofold.errors import InvalidFile, InvalidParameter, quote
from twofold.files import write_file

Drawing = Callable[[Any], None]
"""Draws on matplotlib axes."""


def has_plots() -> bool:
    """Whether matplotlib is there."""
    return find_spec("matplotlib") is not None


def check_plots() -> None:
    """Raises InvalidParameter if matplotlib is missing."""
    if not has_plots():
        raise InvalidParameter("plots need matplotlib: pip install 'twofold[plots]'")


def render(drawing: Drawing, kind: str = "svg", *, width: float = 8.0, height: float = 4.5) -> bytes:
    """The picture as the bytes of an SVG or PNG file."""
    check_plots()
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"svg.hashsalt": "twofold", "font.size": 9, "axes.grid": True, "grid.alpha": 0.3}):
        figure = Figure(figsize=(width, height), layout="constrained")
        drawing(figure.subplots())
        buffer = io.BytesIO()
        metadata = {"Date": None} if kind == "svg" else {"Software": None}
        figure.savefig(buffer, format=kind, dpi=110, metadata=metadata)
    return buffer.getvalue()


def survival(summary: Summary) -> Drawing:
    """The share of games with at least so many points, one curve a player."""

    def draw(axes: Any) -> None:
        for each in summary.players:
            scores = np.sort(each.scores)
            axes.step(
                scores,
                1 - np.arange(len(scores)) / max(1, len(scores)),
                where="pre",
                label=short(each.player),
            )
        axes.set_xlabel("score")
        axes.set_ylabel("share of games with at least this score")
        axes.set_ylim(0, 1.02)
        axes.set_xlim(left=0)
        axes.legend(fontsize=8)

    return draw


def highest_tiles(summary: Summary) -> Drawing:
    """The share of games by their highest tile, with Wilson intervals."""

    def draw(axes: Any) -> None:
        tiles = [t for t in (2, 4, *summary.tiles) if any((p.max_tiles == t).any() for p in summary.players)]
        width = 0.8 / max(1, len(summary.players))
        for i, each in enumerate(summary.players):
            _bars(axes, each, tiles, i * width, width)
        axes.set_xticks(np.arange(len(tiles)) + 0.4 - width / 2, [str(tile) for tile in tiles])
        axes.set_xlabel("highest tile")
        axes.set_ylabel("share of games, %")
        axes.legend(fontsize=8)

    return draw


def _bars(axes: Any, player: PlayerSummary, tiles: Sequence[int], offset: float, width: float) -> None:
    if not player.games:
        return
    counts = [int((player.max_tiles == tile).sum()) for tile in tiles]
    shares = np.array([100 * count / player.games for count in counts])
    ends = 100 * np.array([wilson(count, player.games) for count in counts]).T
    errors = np.abs(ends - shares)
    places = np.arange(len(tiles)) + offset
    axes.bar(
        places,
        shares,
        width,
        yerr=errors,
        label=short(player.player),
        error_kw={"elinewidth": 0.8, "capsize": 2},
    )


@dataclass(frozen=True, slots=True)
class Point:
    """A player's mean score with its interval, and its milliseconds a move."""

    player: str
    score: float
    low: float
    high: float
    milliseconds: float


def points_of(players: Sequence[PlayerSummary]) -> list[Point]:
    """The points of all players that have played."""
    points = []
    for each in players:
        if each.mean_score is not None and each.moves and each.seconds > 0:
            low, high = each.mean_score_interval or (each.mean_score, each.mean_score)
            points.append(Point(each.player, each.mean_score, low, high, 1000 * each.seconds / each.moves))
    return points


def score_against_time(points: Sequence[Point]) -> Drawing:
    """Mean score over thinking time a move, both logarithmic."""

    def draw(axes: Any) -> None:
        for each in points:
            errors = [[each.score - max(1.0, each.low)], [each.high - each.score]]
            axes.errorbar([each.milliseconds], [each.score], yerr=errors, fmt="o", markersize=5, capsize=2)
            axes.annotate(
                short(each.player, 40),
                (each.milliseconds, each.score),
                xytext=(5, 4),
                textcoords="offset points",
                fontsize=7,
            )
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.margins(x=0.15)
        axes.set_xlabel("thinking time, milliseconds per move")
        axes.set_ylabel("mean score, 95 % interval")

    return draw


def pictures(summary: Summary) -> dict[str, Drawing]:
    """All pictures of a run by name."""
    return {
        "survival": survival(summary),
        "tiles": highest_tiles(summary),
        "time": score_against_time(points_of(summary.players)),
    }


def write_plots(summary: Summary, folder: str) -> list[str]:
    """Writes all pictures as SVG and PNG into `folder`; returns their paths. Raises InvalidFile."""
    written = []
    for name, drawing in pictures(summary).items():
        for kind in ("svg", "png"):
            path = Path(folder) / f"{name}.{kind}"
            write_bytes(path, render(drawing, kind))
            written.append(str(path))
    return written


def write_bytes(path: Path, data: bytes) -> None:
    """Writes a file, with its folder if need be. Raises InvalidFile."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidFile(f"can't write {quote(str(path))}: {error.strerror or error}") from None
    write_file(path, data)


def short(text: str, most: int = 60) -> str:
    """A player's text for a legend."""
    return text if len(text) <= most else text[: most - 1] + "…"
