"""The frontier: mean score against thinking time and memory, ours beside what others published.

    python -m benchmarks.studies.frontier        # writes docs/results/frontier.md and docs/images/frontier.svg

Ours are the newest figures of docs/results/network.csv (`python -m benchmarks.studies.network`) and of the games in
benchmarks/studies/games.db (`python -m benchmarks.studies.searching` and `.strength`). The others' are published,
their speeds measured on a machine like the one of our figures where the note says so; machines differ, so close
neighbours on the time axis are no different.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from benchmarks.history import ROOT
from benchmarks.studies import searching, strength
from benchmarks.studies.network import SHOWN, newest
from twofold.arena.statistics import Interval, wilson
from twofold.arena.summary import PlayerSummary
from twofold.evaluation.learned import shipped_path
from twofold.exact.formation_sets import formations_for, set_bytes
from twofold.players.fingerprint import named_networks

REPORT, PICTURE = ROOT / "docs" / "results" / "frontier.md", ROOT / "docs" / "images" / "frontier.svg"
LEAST_GAMES = 3
FIXED = ("greedy", "depth 2", "depth 3", "depth 4")
"""Ways that benchmarks.studies.network measures, with more games."""

TABLES = 385e6
"""Bytes of the endgame tables of `twofold exact endgames --budget 1`."""


@dataclass(frozen=True)
class Point:
    """A player: mean score with the half width of its 95 % interval, speed, and what it needs.

    speed: moves per second of one core. memory: bytes of weights or tables. large: rates of 32768 and 65536 as text.
    """

    name: str
    mean: float
    half: float
    speed: float
    memory: float
    large: str
    source: str


OTHERS = (
    Point("2048EndgameTablebase", 772_353, 0, 11, 1e12, "86.1 / 8.4 %", "published"),
    Point("macroxue, depth 3", 493_058, 0, 6461, 27e9, "52.5 / 1.3 %", "published"),
    Point("macroxue, depth 5", 660_650, 0, 594, 27e9, "74.8 / 2.7 %", "published"),
    Point("macroxue, depth 8", 711_769, 0, 17, 27e9, "80.5 / 3.5 %", "published"),
    Point("macroxue, small", 407_874, 0, 12_423, 5e9, "35 %", "measured, 20 games"),
    Point(
        "TDL2048 8x6, greedy", 412_785, 0, 3.45e6, 537e6, "30 / 0.02 %", "published; speed measured with 4x6"
    ),
    Point("TDL2048 8x6, depth 2", 513_301, 0, 42e3, 537e6, "49 %", "published; speed measured with 4x6"),
    Point("TDL2048 8x6, depth 3", 563_316, 0, 2.9e3, 537e6, "58 %", "published; speed measured with 4x6"),
    Point("Jaskowski 2017, greedy", 324_710, 0, 258_371, 5.4e9, "19 %", "published"),
    Point("Jaskowski 2017, depth 2", 457_079, 0, 20_524, 5.4e9, "34 %", "published"),
    Point("Jaskowski 2017, depth 3", 511_759, 0, 1_484, 5.4e9, "50 %", "published"),
    Point("Jaskowski 2017, 1 s", 609_104, 0, 1, 5.4e9, "69 %", "published"),
    Point("ziap, 2^15 nodes", 259_989, 0, 1324, 0, "3.6 %", "published"),
    Point("ziap, 2^17 nodes", 319_221, 0, 384, 0, "9.1 %", "published"),
    Point("ziap, 2^19 nodes", 371_887, 0, 119, 0, "17.6 %", "published"),
)
"""Sources: docs/explanation/credits.md. Memory of Jaskowski's: five 6-tuples in 16 stages of float32."""


def networks() -> list[Point]:
    """The newest measurement of the shipped network at each depth."""
    latest = {line["depth"]: line for line in newest() if line["label"] == SHOWN[0]}
    points = []
    for depth, line in sorted(latest.items()):
        n = int(line["games"])
        name = "network, greedy" if depth == 1 else f"network, depth {depth:.0f}"
        half = 1.96 * line["deviation"] / math.sqrt(n)
        large = " / ".join(f"{100 * line[tile] / n:.1f}" for tile in ("32768", "65536"))
        speed = line["moves_per_core_second"]
        points.append(Point(name, line["mean"], half, speed, line["bytes"], f"{large} %", f"{n:,} games"))
    return points


def ways() -> list[Point]:
    """The other ways to search with the shipped network that played at least `LEAST_GAMES` games."""
    points = []
    for name, own in searching.results().items():
        interval = own.mean_score_interval
        if name in FIXED or own.games < LEAST_GAMES or interval is None:
            continue
        large = " / ".join(f"{100 * own.hits(tile) / own.games:.1f}" for tile in (32768, 65536))
        memory = shipped_path().stat().st_size + (TABLES if "tables" in name else 0)
        points.append(_point(f"network, {name}", own, interval, memory, f"{large} %"))
    return points


def _point(name: str, own: PlayerSummary, interval: Interval, memory: float, large: str) -> Point:
    half = (interval[1] - interval[0]) / 2
    return Point(
        name, float(own.scores.mean()), half, strength.speed(own), memory, large, f"{own.games:,} games"
    )


def searches() -> list[Point]:
    """The players of benchmarks.studies.strength that played at least `LEAST_GAMES` whole games."""
    points = []
    for run in strength.players():
        own = run.players[0]
        interval = own.mean_score_interval
        if own.games < LEAST_GAMES or interval is None:
            continue
        reached = [own.hits(tile) for tile in (32768, 65536)]
        low, high = wilson(reached[0], own.games)
        first, second = (100 * count / own.games for count in reached)
        large = f"{first:.0f} ({100 * low:.0f}-{100 * high:.0f}) / {second:.0f} %"
        memory = shipped_path().stat().st_size if "network" in own.player else 0.0
        if own.player.startswith("strongest"):
            memory = shipped_path().stat().st_size + set_bytes(formations_for(4.0))
        points.append(_point(own.player, own, interval, memory, large))
    return points


def table(points: list[Point]) -> str:
    """Rows from fast to slow."""
    lines = [
        "| player | mean score | 32768 / 65536 | moves/s | ms a move | weights, tables | games |",
        "|---|--:|--:|--:|--:|--:|---|",
    ]
    for point in sorted(points, key=lambda point: -point.speed):
        mean = f"{point.mean:,.0f}" + (f" ± {point.half:,.0f}" if point.half else "")
        memory = f"{point.memory / 1e6:,.0f} MB" if point.memory else "none"
        cells = (f"{point.speed:,.0f}", f"{1000 / point.speed:.3g}", memory, point.source)
        lines.append(f"| {point.name} | {mean} | {point.large} | {' | '.join(cells)} |")
    return "\n".join(lines)


def draw(ours: list[Point]) -> None:
    """Mean score over milliseconds a move; a dot's area grows with the memory."""
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "twofold"
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(9.5, 7.5))
    for points, color, label in ((OTHERS, "#8f8577", "others, published"), (ours, "#c4511a", "twofold")):
        x = [1000 / point.speed for point in points]
        sizes = [18 + 14 * math.log10(1 + point.memory / 1e6) for point in points]
        axes.scatter(
            x, [point.mean / 1000 for point in points], s=sizes, color=color, label=label, alpha=0.85
        )
        for number, (at, point) in enumerate(zip(x, points, strict=True)):
            if point.half:
                axes.errorbar(at, point.mean / 1000, point.half / 1000, color=color, linewidth=1)
            below = label == "twofold" and number % 2 == 0
            place = {"xytext": (5, -9 if below else 4), "textcoords": "offset points"}
            axes.annotate(_short(point.name), (at, point.mean / 1000), fontsize=6.5, **place)
    axes.set_xscale("log")
    axes.set_xlabel("milliseconds a move, one core (area: memory of weights and tables)")
    axes.set_ylabel("mean score, thousands")
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    axes.legend(loc="lower right")
    figure.savefig(PICTURE, bbox_inches="tight", metadata={"Date": None})
    plt.close(figure)


def _short(name: str) -> str:
    """A player's text as a label: what it values boards with, and its nodes."""
    found = re.match(r"expectimax:nodes=(\d+)", name)
    if not found:
        return name
    what = "network" if "eval=network" in name else "default-0" if "eval=default-0" in name else "hand-made"
    return f"{what}, {int(found[1]):,} nodes"


def main() -> None:
    """Write both files."""
    ours = networks() + ways() + searches()
    draw(ours)
    text = [
        "# Score against time",
        "",
        "Written by `python -m benchmarks.studies.frontier`. Scores of twofold have 95 % intervals. Rows with danger,",
        "cuts, bounds, nodes or tables come from `python -m benchmarks.studies.searching`. Compare their times only",
        "with the fixed depths in searching.md, which were measured on the same machine under the same load.",
        named_networks(["ntuple"]),
        "",
        "![Mean score over milliseconds a move.](../images/frontier.svg)",
        "",
        "## twofold",
        "",
        table(ours),
        "",
        "## Other programs",
        "",
        table(list(OTHERS)),
        "",
    ]
    REPORT.write_text("\n".join(text), encoding="utf-8")
    print(REPORT.read_text("utf-8"))


if __name__ == "__main__":
    main()
