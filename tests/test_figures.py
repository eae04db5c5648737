"""Figures that occur more than once in README.md and docs agree, and those of guides are measured somewhere."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest

from twofold.players.defaults import default_texts

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
pytestmark = pytest.mark.skipif(not DOCS.exists(), reason="documents of the source tree")

_FIGURE = re.compile(r"(\d{1,3}(?:,\d{3})+) ± (\d{1,3}(?:,\d{3})*)")
_NETWORK = re.compile(r"network ([0-9a-f]{8})\b")


def pages(*folders: str) -> list[Path]:
    """README.md, and the pages of some folders of docs."""
    return [
        ROOT / "README.md",
        *(path for folder in folders for path in sorted((DOCS / folder).glob("*.md"))),
    ]


def cells(line: str) -> list[str]:
    return [cell.strip().strip("`") for cell in line.strip().strip("|").split("|")]


def means(path: Path) -> list[tuple[tuple[str, str, str, str], str]]:
    """Rows of tables with players, games and mean scores: (network, player, games, seed) and the mean."""
    found = []
    header: list[str] = []
    seed = ""
    for line in path.read_text("utf-8").splitlines():
        if not line.startswith("|"):
            header = []
            seeds = re.findall(r"\bseed (\d+)", line)
            seed = seeds[-1] if seeds else seed
            continue
        row = cells(line)
        if not header:
            header = row
            continue
        named = dict(zip(header, row, strict=False))
        player = next((cell for name, cell in named.items() if name.split(",")[0] == "player"), "")
        mean = next((cell for name, cell in named.items() if name.startswith("mean score")), "")
        number = re.match(r"\d{1,3}(?:,\d{3})*", mean)
        if player and number and named.get("games"):
            # A table names its network in its header, or row by row; "shipped" is that of README.md.
            network = "shipped" if any(map(_NETWORK.search, header)) else named.get("network", "")
            if player == "default":
                network, player = "", default_texts()[0]
            games = named["games"].removesuffix(" games")
            found.append(((network, player, games, seed), number[0]))
    return found


def test_one_player_has_one_mean() -> None:
    told: dict[tuple[str, str, str, str], dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for path in pages("results", "guides", "tutorials", "explanation"):
        for key, mean in means(path):
            told[key][mean].append(str(path.relative_to(ROOT)))
    assert any(len(where) > 1 for by_mean in told.values() for where in by_mean.values()), (
        "nothing to compare"
    )
    assert {key: dict(by_mean) for key, by_mean in told.items() if len(by_mean) > 1} == {}


def test_one_mean_has_one_interval() -> None:
    told: dict[str, set[str]] = defaultdict(set)
    for path in pages("results", "guides", "tutorials", "explanation", "log"):
        for mean, half in _FIGURE.findall(path.read_text("utf-8")):
            told[mean].add(half)
    assert {mean: halves for mean, halves in told.items() if len(halves) > 1} == {}


def test_figures_of_guides_are_in_the_results_or_the_log() -> None:
    measured = {
        figure
        for folder in ("results", "log")
        for path in (DOCS / folder).glob("*.md")
        for figure in _FIGURE.findall(path.read_text("utf-8"))
    }
    lost = [
        f"{path.relative_to(ROOT)}: {' ± '.join(figure)}"
        for path in pages("guides", "tutorials", "explanation")
        for figure in _FIGURE.findall(path.read_text("utf-8"))
        if figure not in measured
    ]
    assert lost == []
