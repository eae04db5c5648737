"""The pictures of a tuning, by the arena's means (matplotlib)."""

from __future__ import annotations

from typing import Any

import numpy as np

from twofold.arena.plots import Drawing
from twofold.tune.analysis import Correlation, Correlations
from twofold.tune.driver import Tuning


def fitness_curve(tuning: Tuning) -> Drawing:
    """Every candidate's fitness by generation, with the best and the mean."""

    def draw(axes: Any) -> None:
        values = [[result.fitness for result in generation] for generation in tuning.generations]
        numbers = np.arange(1, len(values) + 1)
        for number, found in zip(numbers, values, strict=True):
            axes.plot([number] * len(found), found, ".", color="tab:blue", alpha=0.35, markersize=5)
        axes.plot(numbers, [max(found) for found in values], color="tab:green", label="best")
        axes.plot(numbers, [np.mean(found) for found in values], color="tab:blue", label="mean")
        axes.set_xlabel("generation (each has seeds of its own)")
        axes.set_ylabel(f"fitness: {tuning.settings.fitness}")
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.legend(fontsize=8)

    return draw


def best_weights(tuning: Tuning) -> Drawing:
    """The best weights as bars on a scale that shows small and large ones, beside those of the start."""

    def draw(axes: Any) -> None:
        assert tuning.best is not None
        space = tuning.space
        places = np.arange(len(space.names))
        smallest = min((abs(w) for w in (*tuning.best, *space.start) if w), default=1.0)
        for offset, weights, label in ((-0.2, space.start, "start"), (0.2, tuning.best, "best")):
            bars = axes.bar(places + offset, weights, 0.38, label=label)
            axes.bar_label(bars, [f"{w:.4g}" for w in weights], fontsize=7, padding=2)
        axes.set_yscale("symlog", linthresh=smallest)
        axes.margins(y=0.15)
        axes.set_xticks(places, space.names)
        axes.set_ylabel("weight")
        axes.legend(fontsize=8)

    return draw


def correlation_bars(found: list[Correlations]) -> Drawing:
    """Correlations with fitness, over all candidates and over the first generation, with 95 % intervals."""

    def draw(axes: Any) -> None:
        places = np.arange(len(found))
        for offset, label, chosen in (
            (-0.2, "first generation", [each.first for each in found]),
            (0.2, "all candidates", [each.fitness for each in found]),
        ):
            _bars(axes, places + offset, chosen, label)
        axes.axhline(0, color="black", linewidth=0.8)
        axes.set_ylim(-1, 1)
        axes.set_xticks(places, [each.weight for each in found])
        axes.set_ylabel("correlation with fitness, 95 % interval")
        axes.legend(fontsize=8)

    return draw


def _bars(axes: Any, places: Any, found: list[Correlation], label: str) -> None:
    heights = [each.r or 0.0 for each in found]
    ends = [each.interval or (height, height) for each, height in zip(found, heights, strict=True)]
    errors = np.abs(np.array(ends).T - np.array(heights))
    axes.bar(places, heights, 0.38, yerr=errors, label=label, error_kw={"elinewidth": 0.8, "capsize": 2})


def rate_map(found: list[Correlations]) -> Drawing:
    """Correlations of weights with tile rates as a coloured table."""

    def draw(axes: Any) -> None:
        tiles = list(found[0].rates) if found else []
        values = np.array([[each.rates[tile].r or 0.0 for tile in tiles] for each in found]).reshape(
            len(found), len(tiles)
        )
        axes.grid(visible=False)
        if tiles:
            axes.imshow(values, cmap="RdBu", vmin=-1, vmax=1, aspect="auto")
        for row, each in enumerate(found):
            for column, tile in enumerate(tiles):
                r = each.rates[tile].r
                shade = "white" if r is not None and abs(r) > 0.6 else "black"
                text = "–" if r is None else f"{r:+.2f}"
                axes.text(column, row, text, ha="center", va="center", color=shade, fontsize=9)
        axes.set_xticks(np.arange(len(tiles)), [str(tile) for tile in tiles])
        axes.set_yticks(np.arange(len(found)), [each.weight for each in found])
        axes.set_xlabel("tile")

    return draw
