"""Why learning slows down: one thing changed at a time, on equal numbers of moves.

    python -m benchmarks.studies.plateau --run                # all that have no result yet; half an hour of one core
    python -m benchmarks.studies.plateau --run --only "4x4 TD"  # those whose names begin so, again
    python -m benchmarks.studies.plateau --report             # docs/log/plateau.md and the picture of the curves
    python -m benchmarks.studies.plateau --evaluate FILE …    # what trained networks play greedily, beside the optimum

Each experiment learns in one thread from games of seed 1 until it has made its moves; then its network plays games that
no experiment learned from, greedily and without learning. docs/results/plateau.csv keeps the curves (mean score of the
games learned from) and, with `evaluation` filled in, the results. What differs from chance: two runs that differ in
nothing but the seed are among the experiments.
"""

from __future__ import annotations

import argparse
import csv
import io
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.history import ROOT
from benchmarks.studies.lanes import Lanes
from benchmarks.studies.pictures import save_svg
from twofold.arena.statistics import mean_interval
from twofold.evaluation.learned import read_network
from twofold.evaluation.network import Design, Network, parse_stages
from twofold.evaluation.tuples import DEFAULT_TUPLES, parse_tuples
from twofold.evaluation.weights import load_network
from twofold.files import replacing
from twofold.kernels.ntuple.temporal import LATE
from twofold.learn.settings import TrainingSettings
from twofold.learn.workers import make_worker
from twofold.rules.variant import Variant

DOCS = ROOT / "docs"
LINES, REPORT = DOCS / "results" / "plateau.csv", DOCS / "log" / "plateau.md"
PICTURE = DOCS / "images" / "plateau.svg"
FIELDS = ("experiment", "moves", "score", "evaluation", "low", "high", "games", "tops", "seconds")
POINTS = 40
"""Points of a curve."""

EIGHT = "012456 456789 012345 234569 01259a 345678 134567 01489a"
"""Eight 6-tuples (Matsuzaki 2016), those of TDL2048's strongest network."""

MOVES = 60_000_000
WITHIN = 500.0
"""How much worse an exploring move may seem, in points."""

EVALUATION_SEED = 0x5EED
GAMES = {"4x4": 2000, "3x3": 16384}
OPTIMUM = {"2x3": 480.258, "3x3": 5468.487}
"""Largest expected scores (`twofold exact solve 3x3 --score`)."""


@dataclass(frozen=True)
class Phase:
    """A part of a run: its share of the moves, and how it learns."""

    share: float = 1.0
    method: str = "tc"
    rate: float | None = None
    decay: float = 0.1


@dataclass(frozen=True)
class Experiment:
    """What is learned and how; `lanes` games side by side if not 0; `shipped`: goes on from the shipped network."""

    phases: tuple[Phase, ...] = (Phase(),)
    board: str = "4x4"
    tuples: str = DEFAULT_TUPLES
    stages: str = ""
    optimistic: float = 0.0
    restart: int = 0
    explore: float = 0.0
    lanes: int = 0
    shipped: bool = False
    seed: int = 1
    moves: int = MOVES

    def network(self) -> Network:
        """The network before the run."""
        if self.shipped:
            return read_network().dequantised()
        rows, columns = (int(part) for part in self.board.split("x"))
        variant = Variant.of_size(rows, columns)
        base = 16 if self.board == "4x4" else rows * columns + 2
        design = Design(variant, parse_tuples(self.tuples, rows * columns), base, *parse_stages(self.stages))
        return Network.fresh(design, optimistic=self.optimistic)


_TD_THEN_TC = (Phase(0.9, "td", decay=0), Phase(0.1, "tc"))


def _small(
    *phases: Phase, optimistic: float = 0.0, explore: float = 0.0, tuples: str = "012345 013467"
) -> Experiment:
    return Experiment(phases, "3x3", tuples, optimistic=optimistic, explore=explore, moves=20_000_000)


def _shipped(*phases: Phase, restart: int = 0, moves: int = MOVES) -> Experiment:
    return Experiment(phases, restart=restart, shipped=True, moves=moves)


GROUPS: dict[str, dict[str, Experiment]] = {
    "3x3": {
        "3x3 TC": _small(Phase()),
        "3x3 TC, rate 0.5": _small(Phase(rate=0.5)),
        "3x3 TC, no decay": _small(Phase(decay=0)),
        "3x3 TC, decay 0.5": _small(Phase(decay=0.5)),
        "3x3 TD, rate 0.1": _small(Phase(method="td")),
        "3x3 TC from 4,000": _small(Phase(), optimistic=4000),
        "3x3 TD from 4,000, then TC": _small(*_TD_THEN_TC, optimistic=4000),
        "3x3 TC, exploring 0.01": _small(Phase(decay=0.5), explore=0.01),
        "3x3 TC, exploring 0.05": _small(Phase(decay=0.5), explore=0.05),
        "3x3 TC, 2 of 7 cells": _small(Phase(), tuples="0123456 0123478"),
    },
    "Method": {
        "4x4 TC": Experiment(),
        "4x4 TC, another seed": Experiment(seed=2),
        "4x4 TD, rate 0.1": Experiment((Phase(method="td"),)),
        "4x4 TD, rate 0.5": Experiment((Phase(method="td", rate=0.5),)),
        "4x4 TD for 90 %, then TC": Experiment(_TD_THEN_TC),
    },
    "Batch mean": {
        "4x4 TC, 64 lanes": Experiment(lanes=64),
        "4x4 TC, 1024 lanes": Experiment(lanes=1024),
        "4x4 TC, 16384 lanes": Experiment(lanes=16384),
    },
    "Tuples": {
        "4x4 TC, 4 of 5 cells": Experiment(tuples="01234 45678 01245 45689"),
        "4x4 TC, 8 of 6 cells": Experiment(tuples=EIGHT),
    },
    "Continued from an earlier shipped network": {
        "shipped, not learning": _shipped(moves=0),
        "shipped, TC": _shipped(Phase(decay=0.5)),
        "shipped, TC, rate 0.1": _shipped(Phase(rate=0.1, decay=0.5)),
        "shipped, TD, rate 0.02": _shipped(Phase(method="td", rate=0.02, decay=0.5)),
        "shipped, TC, rate 0.1, restarts": _shipped(Phase(rate=0.1, decay=0.5), restart=3000),
    },
    "Start": {
        "4x4 TC from 40,000": Experiment(optimistic=40_000),
        "4x4 TD from 40,000, then TC": Experiment(_TD_THEN_TC, optimistic=40_000),
    },
    "Rate": {
        "4x4 TC, no decay": Experiment((Phase(decay=0),)),
        "4x4 TC, decay 0.5": Experiment((Phase(decay=0.5),)),
    },
    "Stages and restarts": {
        "4x4 TC, stage from 4096": Experiment(stages="4096"),
        "4x4 TC, stages from sums 4096, 6144": Experiment(stages="sum:4096,6144"),
        "4x4 TC, restarts": Experiment(restart=500),
    },
}
EXPERIMENTS = {name: made for group in GROUPS.values() for name, made in group.items()}


@dataclass(frozen=True)
class Games:
    """Scores and highest ranks of games from the start."""

    score: Any
    top: Any


def learn(
    network: Network, phase: Phase, experiment: Experiment, moves: int, first: int
) -> Iterator[tuple[int, int, Games]]:
    """Learn until `moves` are made; yields moves so far, the next game's number, and the games of each stretch."""
    settings = TrainingSettings(method=phase.method, rate=phase.rate, games=1, decay=phase.decay)
    coherent = phase.method == "tc"
    if coherent and network.errors is None:
        network.errors = np.zeros((*network.weights.shape, 2), np.float32)

    def rate(made: int) -> float:
        return float(settings.rate_at(np.array([made / moves]))[0])

    made = 0
    if experiment.lanes:
        lanes = Lanes(network, coherent, experiment.lanes, experiment.seed)
        steps = max(1, moves // experiment.lanes // 1000)
        while made < moves:
            found = Games(*lanes.play(rate(made), steps))
            made += steps * experiment.lanes
            yield made, 0, found
        return
    worker = make_worker(
        network, coherent=coherent, restart=experiment.restart, explore=experiment.explore, within=WITHIN
    )
    block = 8
    while made < moves:
        rates = np.full(block, rate(made) / network.design.terms, np.float32)
        worker.play(experiment.seed, first, rates, np.zeros(1, np.uint64))
        made += worker.made
        first += block
        fresh = worker.top[:block] != LATE
        yield made, first, Games(worker.score[:block][fresh].copy(), worker.top[:block][fresh].copy())
        block = min(4096, max(1, round(block * moves / 1000 / max(1, worker.made))))


def evaluate(network: Network, games: int) -> Games:
    """Greedy games without learning."""
    worker = make_worker(network, coherent=False)
    found = []
    for begin in range(0, games, 1024):
        count = min(1024, games - begin)
        worker.play(EVALUATION_SEED, begin, np.zeros(count, np.float32), np.zeros(1, np.uint64))
        found.append((worker.score[:count].copy(), worker.top[:count].copy()))
    return Games(*(np.concatenate(part) for part in zip(*found, strict=True)))


def run(name: str, experiment: Experiment, games: int) -> list[dict[str, Any]]:
    """The rows of one experiment: its curve, then its result."""
    network = experiment.network()
    rows: list[dict[str, Any]] = []
    before, first, begin = 0, 0, time.process_time()
    scores: list[Any] = []
    for phase in experiment.phases:
        moves = round(phase.share * experiment.moves)
        made = 0
        for made, following, ended in learn(network, phase, experiment, moves, first) if moves else ():
            first = following
            scores.append(ended.score)
            if before + made >= (len(rows) + 1) * experiment.moves / POINTS:
                played = np.concatenate(scores)
                scores = []
                score = f"{played.mean():.1f}" if len(played) else ""
                rows.append({"experiment": name, "moves": before + made, "score": score})
        before += made
    spent = time.process_time() - begin
    found = evaluate(network, games)
    interval = mean_interval(found.score)
    assert interval is not None
    tops = {1 << rank: int((found.top >= rank).sum()) for rank in range(7, 16)}
    last = {
        "evaluation": f"{found.score.mean():.1f}",
        "low": f"{interval[0]:.1f}",
        "high": f"{interval[1]:.1f}",
        "games": games,
        "tops": " ".join(f"{tile}:{hits}" for tile, hits in tops.items() if hits),
        "seconds": f"{spent:.0f}",
    }
    return [*rows, {"experiment": name, "moves": before, "score": "", **last}]


def tell(path: str) -> str:
    """One line about a network in a file: mean score of greedy games, share of the optimum."""
    network = load_network(path, learning=True)
    start = network.design.variant.start
    board = f"{start.rows}x{start.columns}"
    games = GAMES.get(board, GAMES["3x3"])
    found = evaluate(network, games)
    interval = mean_interval(found.score)
    assert interval is not None
    mean, half = float(found.score.mean()), (interval[1] - interval[0]) / 2
    share = f", {100 * mean / OPTIMUM[board]:.2f} % of {OPTIMUM[board]:,}" if board in OPTIMUM else ""
    return f"{path}: {board}, {games:,} games, {mean:,.1f} ± {half:,.1f}{share}"


def read_rows() -> list[dict[str, str]]:
    """The rows kept so far."""
    if not LINES.exists():
        return []
    with LINES.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def keep(name: str, rows: list[dict[str, Any]]) -> None:
    """Put an experiment's rows into the file, in place of older ones."""
    others = [row for row in read_rows() if row["experiment"] != name]
    text = io.StringIO()
    writer = csv.DictWriter(text, FIELDS, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows([*others, *rows])
    with replacing(LINES) as stream:
        stream.write(text.getvalue().encode())


def line(name: str, row: dict[str, str]) -> str:
    """One line of a table."""
    mean, low, high, games = (float(row[key]) for key in ("evaluation", "low", "high", "games"))
    board = EXPERIMENTS[name].board
    tops = dict(part.split(":") for part in row["tops"].split())
    cells = [f"{int(row['moves']) / 1e6:,.0f}", f"{mean:,.0f}", f"{low:,.0f}–{high:,.0f}"]
    if board in OPTIMUM:
        cells.append(f"{100 * mean / OPTIMUM[board]:.1f} %")
    shown = ("512", "1024") if board == "3x3" else ("8192", "16384", "32768")
    cells += [f"{100 * int(tops.get(tile, 0)) / games:.1f}" for tile in shown]
    return f"| {name} | {' | '.join(cells)} | {row['seconds']} |"


def report() -> None:
    """Write the tables and the picture."""
    rows = read_rows()
    last = {row["experiment"]: row for row in rows if row["evaluation"]}
    text = [
        "# Why the plateau",
        "",
        "Written by `python -m benchmarks.studies.plateau --report`; benchmarks/studies/plateau.py",
        "explains the names. Scores are of greedy games without learning, after the number of moves given. The 95 %",
        "intervals are over games; training with another seed may differ by more. Shares of games with a tile are in",
        "percent, seconds are processor time for learning on a machine with other work.",
        "",
        "![Mean score of the games learned from, over moves](../images/plateau.svg)",
        "",
    ]
    for group, members in GROUPS.items():
        names = [name for name in members if name in last]
        if not names:
            continue
        small = EXPERIMENTS[names[0]].board in OPTIMUM
        tiles = "of the optimum | 512 % | 1024 %" if small else "8192 % | 16384 % | 32768 %"
        head = f"| experiment | million moves | greedy mean | 95 % | {tiles} | seconds |"
        text += [f"## {group}", "", head, "|---" * (head.count("|") - 1) + "|"]
        text += [*(line(name, last[name]) for name in names), ""]
    REPORT.write_text("\n".join(text), encoding="utf-8")
    print("\n".join(text))
    draw(rows)


def draw(rows: list[dict[str, str]]) -> None:
    """Mean score of the games learned from over moves, a panel for each group, plain TC in every one of 4x4."""
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "twofold"
    from matplotlib import pyplot as plt

    curves: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        if row["score"]:
            curves.setdefault(row["experiment"], []).append(
                (float(row["moves"]) / 1e6, float(row["score"]) / 1000)
            )
    groups = {group: [n for n in members if n in curves] for group, members in GROUPS.items()}
    groups = {group: names for group, names in groups.items() if names}
    figure, panels = plt.subplots(
        math.ceil(len(groups) / 2), 2, figsize=(11, 3.4 * math.ceil(len(groups) / 2)), squeeze=False
    )
    colours = mpl.colormaps["tab10"].colors
    for axes in panels.reshape(-1)[len(groups) :]:
        axes.set_visible(False)
    for axes, (group, names) in zip(panels.reshape(-1), groups.items(), strict=False):
        base = "4x4 TC" if names[0].startswith("4x4") else names[0]
        if base in curves and base not in names:
            axes.plot(*zip(*curves[base], strict=True), label=base, color="black", linewidth=1.2)
        for name, colour in zip(names, colours, strict=False):
            shade = "black" if name == base else colour
            axes.plot(*zip(*curves[name], strict=True), label=name, color=shade, linewidth=1.2)
        axes.set_title(group, fontsize=10)
        axes.set_xlabel("million moves", fontsize=8)
        axes.set_ylabel("mean score, thousands", fontsize=8)
        axes.set_ylim(bottom=0)
        axes.grid(alpha=0.3)
        axes.legend(fontsize=7)
    figure.tight_layout()
    save_svg(figure, PICTURE)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--run", action="store_true")
    parser.add_argument(
        "--only", nargs="*", default=[], metavar="NAME", help="experiments whose names begin so, again"
    )
    parser.add_argument("--report", action="store_true")
    parser.add_argument(
        "--evaluate", nargs="+", default=[], metavar="FILE", help="networks of `twofold train ntuple`"
    )
    options = parser.parse_args()
    for path in options.evaluate:
        print(tell(path), flush=True)
    if options.run:
        done = set() if options.only else {row["experiment"] for row in read_rows() if row["evaluation"]}
        for name, experiment in EXPERIMENTS.items():
            if name in done or (options.only and not name.startswith(tuple(options.only))):
                continue
            rows = run(name, experiment, GAMES[experiment.board])
            keep(name, rows)
            print(line(name, rows[-1]), flush=True)
    if options.report:
        report()


if __name__ == "__main__":
    main()
