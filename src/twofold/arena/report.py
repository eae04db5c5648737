"""A run as one HTML file that needs nothing else: tables, comparisons, pictures, and how to play a game again."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping

from twofold.arena.plots import has_plots, pictures, render
from twofold.arena.replay import last_boards
from twofold.arena.summary import Summary
from twofold.arena.text import Table, comparison_lines, players_table, tiles_table
from twofold.files import write_file

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; }
.scroll { overflow-x: auto; }
th, td { padding: .3rem .7rem; border-bottom: 1px solid #ddd; text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; font-family: ui-monospace, monospace; }
.scroll :is(th, td):first-child { position: sticky; left: 0; background: #fff; }
svg { max-width: 100%; height: auto; }
@media (prefers-color-scheme: dark) { body { background: #fff; } }
"""

_TITLES = {
    "survival": "Share of games by score",
    "tiles": "Highest tiles",
    "time": "Score against thinking time",
}


def html_report(summary: Summary) -> str:
    """The page."""
    experiment = summary.run.experiment
    title = f"{experiment.name}: {experiment.games:,} games of {len(experiment.players)} players"
    facts = {
        "variant": str(experiment.variant),
        "seed": str(experiment.seed),
        "games stop at the target": "yes" if experiment.stop_at_target else "no",
        "complete": "yes" if summary.is_complete else "no",
        "played by twofold": ", ".join(summary.versions) or "–",
    }
    parts = [
        html_table(players_table(summary), "players"),
        html_table(tiles_table(summary), "highest tiles"),
        "<p>In brackets: 95 % intervals; Wilson for rates, bootstrap for scores.</p>",
        "<h2>Last boards</h2>",
        html_table(
            [
                ("player", "game", "last board, or how to see it"),
                *(each.row for each in last_boards(summary)),
            ],
            "last boards",
        ),
        "<h2>Comparisons</h2>" if summary.comparisons else "",
        *(f"<p>{html.escape(line)}</p>" for line in comparison_lines(summary)),
    ]
    if not has_plots():
        parts.append("<p>Pictures need matplotlib: pip install 'twofold[plots]'</p>")
    for name, drawing in pictures(summary).items() if has_plots() else ():
        parts += [f"<h2>{_TITLES[name]}</h2>", inline_svg(render(drawing))]
    return html_page(title, facts, parts)


def html_page(title: str, facts: Mapping[str, str], parts: Iterable[str]) -> str:
    """A page that needs no other file: title, facts as a list, and what follows as HTML; empty parts are left out."""
    head = [
        f"<!doctype html><html lang=en><head><meta charset=utf-8><title>{html.escape(title)}</title>",
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<style>{_STYLE}</style></head><body><h1>{html.escape(title)}</h1><ul>",
        *(f"<li>{html.escape(name)}: {html.escape(fact)}</li>" for name, fact in facts.items()),
        "</ul>",
    ]
    return "\n".join(part for part in [*head, *parts, "</body></html>\n"] if part)


def write_html(summary: Summary, path: str) -> None:
    """Writes the page. Raises InvalidFile."""
    write_file(path, html_report(summary))


def html_table(table: Table, label: str) -> str:
    """The table as HTML, the first row as its head; a wide one can be scrolled by keys, its first column stays.

    label: for screen readers.
    """
    head, *rows = table
    names = "".join(f'<th scope="col">{html.escape(cell)}</th>' for cell in head)
    lines = [
        f'<div class="scroll" tabindex="0" role="region" aria-label="{html.escape(label)}"><table><tr>{names}</tr>'
    ]
    lines += ["<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows]
    return "\n".join([*lines, "</table></div>"])


def inline_svg(svg: bytes) -> str:
    """An SVG without its XML head, which has no place within HTML."""
    text = svg.decode()
    return text[text.index("<svg") :]
