"""Strength of a network by depth, and what shrinking costs: games in compiled loops, on all cores asked for.

    python -m benchmarks.studies.network --games 1:1000 2:200 3:40            # the network that comes with the package
    python -m benchmarks.studies.network --file big.2048net --games 1:1000 --label "before shrinking"
    python -m benchmarks.studies.network --neural --games 1:1000 2:50         # the neural one that comes with it
    python -m benchmarks.studies.network --report                             # the table and the picture of the curve

Each measurement is one line of docs/results/network.csv; its games are kept in benchmarks/studies/games.db, so that
one that was stopped goes on. The report is docs/results/network.md, of the networks that are shipped.
"""

from __future__ import annotations

import argparse
import csv
import math
from pathlib import Path
from typing import Any

from benchmarks import history
from benchmarks.report import fill
from benchmarks.studies import games, strength
from twofold.arena.statistics import wilson
from twofold.evaluation.learned import SHIPPED, SHIPPED_NEURAL, read_network, read_neural, shipped_path
from twofold.learn.curve import draw_curves
from twofold.players.defaults import default_texts
from twofold.players.fingerprint import fingerprint, named_networks

FOLDER = history.ROOT / "docs" / "results"
IMAGES = FOLDER.parent / "images"
CURVE, PICTURE = FOLDER / "learning.csv", IMAGES / "learning.svg"
NEURAL_CURVE, NEURAL_PICTURE = FOLDER / "neural.csv", IMAGES / "neural.svg"
LINES, REPORT = FOLDER / "network.csv", FOLDER / "network.md"
_TEXTS = ("label", "cpu", "commit")
README = FOLDER.parent.parent / "README.md"
SHOWN = ("shipped", "neural, shipped")
"""Labels of the networks that come with the package."""
SEED = 2026
TILES = (2048, 4096, 8192, 16384, 32768, 65536)
PUBLISHED = [
    ("TDL2048, 8x6-tuple, optimistic TC", "greedy / 2 / 3", "412,785 / 513,301 / 563,316", "30 / 49 / 58 %"),
    (
        "Jaskowski 2017, 5x6-tuple, 16 stages",
        "greedy / 2 / 3",
        "324,710 / 457,079 / 511,759",
        "19 / 34 / 50 %",
    ),
    ("macroxue/2048-ai, 5 GB (measured here, 20 games)", "depth 3", "407,874", "35 %"),
]


def measure(
    file: str, label: str, depth: int, count: int, seed: int, jobs: int, neural: bool
) -> dict[str, Any]:
    """Play, and tell what came of it."""
    network = read_neural(file) if neural else read_network(file)
    name = "neural" if neural else "network"
    named = f"file={file}" if file else ""
    if depth == 1:
        player = f"{'neural' if neural else 'ntuple'}:{named}".strip(":")
    else:
        player = f"expectimax:depth={depth},eval={name}({named})".replace("()", "")
    mark = fingerprint(player)[:8]
    own = games.play("network", player, count, seed=seed, what=f"{label} depth {depth}", mark=mark, jobs=jobs)
    shipped = shipped_path(SHIPPED_NEURAL if neural else SHIPPED)
    return {
        "label": label,
        "depth": depth,
        "games": own.games,
        "seed": seed,
        "bytes": (Path(file) if file else shipped).stat().st_size,
        "mean": float(own.scores.mean()),
        "deviation": float(own.scores.std(ddof=1)) if own.games > 1 else 0.0,
        "median": own.median_score,
        **{str(tile): own.hits(tile) for tile in TILES},
        "moves": own.moves,
        "moves_per_core_second": own.moves_per_second,
        "learned_moves": int(network.origin.get("moves", 0)),
        "cpu": history.machine()["cpu"],
        "commit": history.commit(),
    }


def row(line: dict[str, Any]) -> str:
    """One line of the table."""
    n = int(line["games"])
    half = 1.96 * line["deviation"] / math.sqrt(n)
    cells = []
    for tile in TILES:
        hits = line[str(tile)]
        low, high = wilson(hits, n)
        cells.append(f"{100 * hits / n:.1f} ({100 * max(0.0, low):.0f}-{100 * high:.0f})")
    depth = "greedy" if line["depth"] == 1 else f"depth {line['depth']:.0f}"
    return (
        f"| {line['label']} | {line['bytes'] / 1e6:.1f} | {depth} | {n:,} | {line['mean']:,.0f} ± {half:,.0f} | "
        f"{' | '.join(cells)} | {line['moves_per_core_second']:,.0f} |"
    )


def newest() -> list[dict[str, Any]]:
    """The newest line of each label, depth and seed; of the shipped networks only lines of those shipped now."""
    with LINES.open(encoding="utf-8", newline="") as stream:
        lines: list[dict[str, Any]] = [
            {name: text if name in _TEXTS else float(text) for name, text in line.items()}
            for line in csv.DictReader(stream)
        ]
    learned = {line["label"]: line["learned_moves"] for line in lines}
    lines = [
        line
        for line in lines
        if line["label"] not in SHOWN or line["learned_moves"] == learned[line["label"]]
    ]
    latest = {(line["label"], line["depth"], line["seed"]): line for line in lines}
    order = {label: number for number, label in enumerate(SHOWN)}
    return sorted(latest.values(), key=lambda line: order.get(line["label"], len(SHOWN)))


def readme_table(lines: list[dict[str, Any]]) -> str:
    """The shipped network by depth, the default player, and other programs, for README.md."""
    rows = [
        (
            "greedy" if line["depth"] == 1 else f"depth {line['depth']:.0f}",
            line["games"],
            line["mean"],
            1.96 * line["deviation"] / math.sqrt(line["games"]),
            line["16384"],
            line["32768"],
            line["moves_per_core_second"],
        )
        for line in lines
        if line["label"] == "shipped" and line["seed"] == SEED
    ]
    # Games with an older network don't count.
    runs = {name[-8:]: run for name, run in games.stored("strength")}
    shown = {"default": default_texts()[0]} | {name: name for name in ("strongest", "strongest:nodes=20000")}
    for named_as, text in shown.items():
        run = runs.get(fingerprint(text)[:8])
        own = run.players[0] if run else None
        if own and own.mean_score_interval and own.mean_score:
            low, high = own.mean_score_interval
            hits = (own.hits(16384), own.hits(32768))
            half = (high - low) / 2
            rows.append((f"`{named_as}`", own.games, own.mean_score, half, *hits, strength.speed(own)))
    mark = fingerprint("ntuple")[:8]
    told = [
        f"| player, network {mark} | games | mean score | 16384 | 32768 | moves/s |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    told += [
        f"| {name} | {count:,.0f} | {mean:,.0f} ± {half:,.0f} | {_share(large, count)} | {_share(largest, count)} | "
        f"{speed:,.0f} |"
        for name, count, mean, half, large, largest, speed in rows
    ]
    told += [f"| {program}: {depth} | | {mean} | | {share} | |" for program, depth, mean, share in PUBLISHED]
    return "\n".join(told) + "\n"


def _share(hits: float, count: float) -> str:
    low, high = wilson(int(hits), int(count))
    return f"{100 * hits / count:.0f} % ({100 * max(0.0, low):.0f}–{100 * high:.0f})"


def report() -> None:
    """Write the table."""
    lines = newest()
    head = (
        "| network | MB | player | games | mean score | "
        + " | ".join(f"{t} %" for t in TILES)
        + " | moves/s |"
    )
    text = [
        "# Strength of the network",
        "",
        "Written by `python -m benchmarks.studies.network --report` from network.csv. Means with half the width",
        "of their 95 % interval, shares of games with Wilson intervals, moves per second on one core.",
        named_networks(["ntuple", "neural"])
        + " Other networks: [learning](../log/learning.md), [neural networks](../log/neural.md).",
        "",
        head,
        "|" + "---|" * head.count(" |"),
        *(row(line) for line in lines if line["label"] in SHOWN),
        "",
        "Published by others, unless marked as measured here:",
        "",
        "| program | depth | mean score | 32768 |",
        "|---|---|---|---|",
        *(f"| {' | '.join(entry)} |" for entry in PUBLISHED),
        "",
    ]
    REPORT.write_text("\n".join(text), encoding="utf-8")
    page = README.read_text("utf-8")
    README.write_text(fill(page, "network", readme_table(lines)), encoding="utf-8")
    print("\n".join(text))
    if CURVE.exists():
        draw_curves({"score": CURVE}, PICTURE)
    if NEURAL_CURVE.exists():
        draw_curves({"score": NEURAL_CURVE}, NEURAL_PICTURE, smooth=20)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--file", default="", help="network; default: the one that comes with the package")
    parser.add_argument(
        "--neural", action="store_true", help="the file, or the shipped one, is a neural network"
    )
    parser.add_argument("--label", default=None)
    parser.add_argument("--games", nargs="*", default=[], metavar="DEPTH:GAMES")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--report", action="store_true")
    options = parser.parse_args()
    for task in options.games:
        depth, count = (int(part) for part in task.split(":"))
        label = options.label or ("neural, shipped" if options.neural else "shipped")
        line = measure(options.file, label, depth, count, options.seed, options.jobs, options.neural)
        with LINES.open("a", encoding="utf-8", newline="") as stream:
            csv.writer(stream, lineterminator="\n").writerow(line.values())
        print(row(line), flush=True)
    if options.report:
        report()


if __name__ == "__main__":
    main()
