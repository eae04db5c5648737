"""What came of a tuning, for people: lines of text, a CSV of all candidates, pictures, one HTML page."""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Iterator
from pathlib import Path

from twofold.arena.plots import Drawing, highest_tiles, render, short, survival, write_bytes
from twofold.arena.report import html_page, html_table, inline_svg
from twofold.arena.text import Table, aligned, comparison_lines, markdown, players_table
from twofold.tune.analysis import Correlations, correlations
from twofold.tune.driver import Tuning, tiles_of
from twofold.tune.pictures import best_weights, correlation_bars, fitness_curve, rate_map

_NOTE = (
    "<p>Pearson over candidates, with 95 % intervals. Only in the first generation of the genetic method are weights "
    "drawn independently; later ones show what the search went for too.</p>"
)

TITLES = {
    "fitness": "Fitness over the generations",
    "weights": "The best weights (S0's figure 29)",
    "correlations": "Each weight's correlation with fitness (S0's figure 13)",
    "rates": "Each weight's correlation with the rate of a tile",
    "tiles": "Highest tiles of unseen games (S0's figure 30)",
    "survival": "Scores of unseen games",
}


def summary_lines(tuning: Tuning) -> Iterator[str]:
    """For a terminal."""
    if tuning.best is not None:
        yield f"best: {tuning.space.text(tuning.best)}"
    yield from aligned(correlation_table(correlations(tuning)))
    if tuning.test is not None:
        experiment = tuning.test.run.experiment
        yield f"{experiment.games:,} games that no weights were chosen by, seed {experiment.seed}:"
        yield from aligned(players_table(tuning.test))
        yield from comparison_lines(tuning.test)


def correlation_table(found: list[Correlations]) -> Table:
    """A row a weight: with fitness, in the first generation, with tile rates."""
    tiles = list(found[0].rates) if found else []
    head = ["weight", "with fitness", "in the first generation", *(f"with rate of {tile}" for tile in tiles)]
    rows = [
        [each.weight, each.fitness.text(), each.first.text(), *(each.rates[tile].text() for tile in tiles)]
        for each in found
    ]
    return [head, *rows]


def correlations_page(tuning: Tuning) -> str:
    """The correlations as a page in Markdown, with what they are of."""
    settings, judged = tuning.settings, tuning.generations[0] if tuning.generations else []
    parts = (
        f"# Correlations of weights with success\n\nWritten by `twofold tune`: evaluation `{settings.evaluation}`",
        f"player `{settings.player}`",
        f"method {settings.method}",
        f"fitness {settings.fitness}",
        f"seed {settings.seed}",
        f"{len(judged)} candidates in the first generation of {len(tuning.generations)}",
        f"{settings.games} games each. Pearson's correlation over candidates with its 95 % interval.\n\n",
    )
    return ", ".join(parts) + markdown(correlation_table(correlations(tuning)))


def candidates_csv(tuning: Tuning) -> str:
    """A row a candidate and generation; the final is the generation `final`."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    tiles = tiles_of(tuning.candidates)
    writer.writerow(
        ["generation", *tuning.space.names, "games", "fitness", "error", "mean_score", "mean_max_tile"]
        + [f"rate_{tile}" for tile in tiles]
    )
    named = [(str(i + 1), generation) for i, generation in enumerate(tuning.generations)]
    for name, generation in [*named, ("final", tuning.final)]:
        for each in generation:
            numbers = [each.fitness, each.error, each.scores.mean(), each.max_tiles.mean()]
            numbers += [each.rate(tile) for tile in tiles]
            writer.writerow([name, *each.weights, each.games, *(f"{number:.6g}" for number in numbers)])
    return out.getvalue()


def pictures(tuning: Tuning) -> dict[str, Drawing]:
    """All pictures by name."""
    found = correlations(tuning)
    drawn = {"fitness": fitness_curve(tuning)}
    if tuning.best is not None:
        drawn["weights"] = best_weights(tuning)
    drawn["correlations"] = correlation_bars(found)
    drawn["rates"] = rate_map(found)
    if tuning.test is not None:
        drawn |= {"tiles": highest_tiles(tuning.test), "survival": survival(tuning.test)}
    return drawn


def html_report(tuning: Tuning, drawn: dict[str, Drawing]) -> str:
    """The page."""
    settings, space = tuning.settings, tuning.space
    facts = {
        "method": settings.method,
        "player": settings.player,
        "fitness": settings.fitness,
        "variant": settings.variant,
        "seed": str(settings.seed),
        "judged": f"{len(tuning.candidates):,} candidates in {len(tuning.generations)} generations, "
        f"{sum(result.games for result in tuning.candidates):,} games",
        "best": space.text(tuning.best) if tuning.best is not None else "–",
    }
    parts = []
    if tuning.test is not None:
        games = tuning.test.run.experiment.games
        parts += [
            f"<h2>{games:,} unseen games</h2>",
            html_table(players_table(tuning.test), "players"),
            *(f"<p>{html.escape(line)}</p>" for line in comparison_lines(tuning.test)),
        ]
    for name, drawing in drawn.items():
        parts += [f"<h2>{TITLES[name]}</h2>", inline_svg(render(drawing))]
    parts += [
        "<h2>Correlations</h2>",
        html_table(correlation_table(correlations(tuning)), "correlations"),
        _NOTE,
    ]
    return html_page(f"Tuning {short(space.evaluation)}", facts, parts)


def write_report(tuning: Tuning, folder: Path) -> list[str]:
    """Writes CSV, correlations, pictures and page into `folder`; returns the paths. Raises InvalidFile."""
    drawn = pictures(tuning)
    files = {
        "candidates.csv": candidates_csv(tuning).encode(),
        "correlations.md": correlations_page(tuning).encode(),
    }
    for name, drawing in drawn.items():
        for kind in ("svg", "png"):
            files[f"{name}.{kind}"] = render(drawing, kind)
    files["report.html"] = html_report(tuning, drawn).encode()
    for name, data in files.items():
        write_bytes(folder / name, data)
    return [str(folder / name) for name in files]
