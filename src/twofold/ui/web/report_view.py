"""The report of a run on the page: tables, charts, and files of them to save."""

from __future__ import annotations

from typing import Any

import numpy as np
from nicegui import ui

from twofold.arena.plots import points_of, short
from twofold.arena.report import html_table
from twofold.arena.summary import Summary
from twofold.arena.text import comparison_lines, players_table, summary_markdown, tiles_table
from twofold.ui.web.layout import button, paragraph

_POINTS = 400
"""Of a curve, at most."""


def show_report(summary: Summary, csv: str) -> None:
    """Lay out a report; csv: the games of the run, to be saved."""
    name = summary.run.experiment.name
    file = "".join(char if char.isalnum() else "-" for char in name)[:60]
    paragraph(f"{name}: {summary.run.experiment.games:,} games per player", tag="h2")
    with ui.element("div").classes("tf-buttons"):
        button("Save games as CSV", lambda: ui.download(csv.encode(), f"{file}.csv", "text/csv"))
        text = summary_markdown(summary)
        button("Save tables as Markdown", lambda: ui.download(text.encode(), f"{file}.md", "text/markdown"))
    for label, rows in (("Players", players_table(summary)), ("Highest tiles", tiles_table(summary))):
        ui.html(html_table(rows, label), sanitize=False)
    paragraph("In brackets: 95 % intervals; Wilson for rates, bootstrap for scores.", "tf-small")
    for line in comparison_lines(summary):
        paragraph(line)
    for title, options in charts(summary).items():
        paragraph(title, tag="h3")
        ui.echart(options | {"aria": {"enabled": True}, "animation": False}).classes("tf-echart")


def charts(summary: Summary) -> dict[str, dict[str, Any]]:
    """Charts by title, as options of ECharts: score survival, highest tiles, score against time."""
    players = [each for each in summary.players if each.games]
    if not players:
        return {}
    tiles = [
        tile for tile in (2, 4, *summary.tiles) if any((each.max_tiles == tile).any() for each in players)
    ]
    shares = [
        {"type": "bar", "data": [round(100 * float((each.max_tiles == tile).mean()), 2) for tile in tiles]}
        for each in players
    ]
    curves = [
        {"type": "line", "step": "start", "showSymbol": False, "data": _survival(each.scores)}
        for each in players
    ]
    names = [short(each.player) for each in players]
    percent = {"type": "value", "name": "games, %", "max": 100}
    found = {
        "Share of games by score": _chart(names, curves, {"type": "value", "name": "score"}, percent),
        "Highest tiles": _chart(
            names,
            shares,
            {"type": "category", "data": [f"{tile:,}" for tile in tiles], "name": "tile"},
            percent,
        ),
    }
    points = points_of(players)
    if points:
        found["Mean score against thinking time"] = _chart(
            [short(each.player) for each in points],
            [
                {"type": "scatter", "symbolSize": 12, "data": [[each.milliseconds, round(each.score, 1)]]}
                for each in points
            ],
            {"type": "log", "name": "ms per move"},
            {"type": "log", "name": "mean score"},
        )
    return found


def _survival(scores: Any) -> list[list[float]]:
    """Points (score, per cent of games with at least this score)."""
    ordered = np.sort(scores)
    step = max(1, len(ordered) // _POINTS)
    places = [*range(0, len(ordered), step)]
    return [[int(ordered[i]), round(100 * (1 - i / len(ordered)), 2)] for i in places] + [
        [int(ordered[-1]), 0]
    ]


def _chart(
    names: list[str], series: list[dict[str, Any]], x: dict[str, Any], y: dict[str, Any]
) -> dict[str, Any]:
    middle = {"nameLocation": "middle", "nameGap": 28}
    return {
        "legend": {"type": "scroll", "top": 0},
        "tooltip": {},
        "grid": {"left": 60, "right": 20, "top": 56, "bottom": 48},
        "xAxis": x | middle,
        "yAxis": y,
        "series": [each | {"name": name} for name, each in zip(names, series, strict=True)],
    }
