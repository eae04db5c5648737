"""Why S4's neural player did not learn: its set-up changed step by step, and ours with one thing put back each.

    python -m benchmarks.studies.neural_study --run         # some ten minutes of one core; lines go to neural.jsonl
    python -m benchmarks.studies.neural_study --report      # docs/results/neural.md and the picture of the curves

Each set-up (twofold/learn/actions.py) first learns from `PILOT` games at each of some learning rates; the one whose
player is best then learns from `GAMES`. A line of docs/results/neural.jsonl is one such run with its curve.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks import history
from benchmarks.studies.pictures import save_svg
from twofold.kernels.neural import batches
from twofold.learn.action_network import OURS, S4, Setup
from twofold.learn.actions import ActionTraining, Measurement, _Games

FOLDER = history.ROOT / "docs" / "results"
LINES, REPORT, PICTURE = (
    FOLDER / "neural.jsonl",
    FOLDER / "neural.md",
    FOLDER.parent / "images" / "neural-study.svg",
)
PILOT, GAMES, EVERY, SEED = 1000, 5000, 500, 1
RATES = {"momentum": (1e-2, 1e-3, 1e-4, 1e-6, 1e-8), "adam": (1e-2, 1e-3, 1e-4)}

_POINTS = replace(S4, label="return", points=1000.0)
_LOG = replace(_POINTS, inputs="log")
_RANKS = replace(_POINTS, inputs="ranks")
_ADAM = replace(_RANKS, method="adam", l2=0.0)
_BATCH = replace(_ADAM, update="batch")
_STRAIGHT = replace(_BATCH, explore=0.0)
_TD = replace(_STRAIGHT, label="td")

LADDER: dict[str, Setup] = {
    "S4": S4,
    "S4, useless moves end a game": replace(S4, stuck=True),
    "S4 with logarithms": replace(S4, inputs="log"),
    "S4 with one input per cell and rank": replace(S4, inputs="ranks"),
    "S4, -1000 only at the end": replace(S4, label="end"),
    "labels: points to come, in thousands": _POINTS,
    "+ logarithms": _LOG,
    "+ one input per cell and rank": _RANKS,
    "+ Adam, no L2": _ADAM,
    "+ batches from many games": _BATCH,
    "+ no moves by chance": _STRAIGHT,
    "+ temporal differences": _TD,
    "+ afterstates": OURS,
}
ALONE: dict[str, Setup] = {
    "S4, but temporal differences": replace(_POINTS, label="td"),
    "S4, but temporal differences, one input per cell and rank": replace(_RANKS, label="td"),
    "S4, but afterstates and their points to come": replace(_POINTS, form="afterstates"),
    "S4, but Adam": replace(S4, method="adam"),
}
BACK: dict[str, Setup] = {
    "all changes, but raw values": replace(OURS, inputs="raw"),
    "all changes, but logarithms": replace(OURS, inputs="log"),
    "all changes, but returns of whole games": replace(OURS, label="return"),
    "all changes, but momentum": replace(OURS, method="momentum"),
    "all changes, but a step per game": replace(OURS, update="game"),
    "all changes, but 10 % by chance": replace(OURS, explore=0.1),
    "all changes, but -1000 for every move": replace(OURS, label="lost"),
}

NOISE = "noise"
EVERYTHING = LADDER | ALONE | BACK


def learn(setup: Setup, games: int, every: int) -> list[Measurement]:
    """The curve of a run."""
    return list(ActionTraining(setup, SEED).run(games, every))


def worth(measurements: list[Measurement]) -> float:
    """How good a run's last player is; a network that left the finite numbers is none."""
    return -math.inf if measurements[-1].diverged else measurements[-1].score


def study(name: str, setup: Setup) -> dict[str, Any]:
    """The best rate by short runs, and a run with it."""
    pilots = {rate: worth(learn(replace(setup, rate=rate), PILOT, PILOT)) for rate in RATES[setup.method]}
    rate = max(pilots, key=lambda each: pilots[each])
    measurements = learn(replace(setup, rate=rate), GAMES, EVERY)
    last = measurements[-1]
    return {
        "name": name,
        "rate": rate,
        "rates": {f"{each:g}": None if math.isinf(score) else round(score) for each, score in pilots.items()},
        "games": [measurement.games for measurement in measurements],
        "moves": [measurement.moves for measurement in measurements],
        "score": [round(measurement.score, 1) for measurement in measurements],
        "best": 1 << max(measurement.best for measurement in measurements),
        "tops": {str(1 << rank): round(float(share), 4) for rank, share in enumerate(last.tops) if share > 0},
        "favourite": round(last.favourite, 3),
        "labels": [round(number, 1) for number in last.labels],
        "explained": None if math.isnan(last.explained) else round(last.explained, 3),
        "diverged": last.diverged,
        "setup": {key: value for key, value in vars(setup).items() if key != "rate"},
        "seed": SEED,
        "commit": history.commit(),
    }


def noise() -> dict[str, float]:
    """How much a move matters, and how much the points to come vary whatever is chosen.

    In positions of games played by our set-up after 2,000 games: the mean difference between the best and the second
    best move by its network, and the mean standard deviation of the points to come when it plays on 16 times from one
    position. Points.
    """
    training = ActionTraining(OURS, SEED)
    list(training.run(2000, 2000))
    games = _Games(SEED, 1 << 33, 256)
    for _ in range(100):
        games.expand()
        games.play(training._choose(games, 0.0)[0])
    games.expand()
    values = training.values(games.after.reshape(-1)).reshape(-1, 4) * OURS.points + games.gains
    best = np.sort(np.where(games.gains >= 0, values, -np.inf), axis=1)
    gaps = (best[:, 3] - best[:, 2])[np.isfinite(best[:, 2])]
    games.boards[:] = np.repeat(games.boards[:16], 16)
    points = play_on(games, lambda: training._choose(games, 0.0)[0])
    spread = points.reshape(16, 16).std(axis=1, ddof=1)
    return {"gap": round(float(gaps.mean()), 1), "spread": round(float(spread.mean()), 1)}


def play_on(games: _Games, choose: Callable[[], Any]) -> Any:
    """The points that 256 games make from now to their ends, (256,)."""
    running, total = np.ones(256, bool), np.zeros(256)
    while running.any():
        games.expand()
        choice = choose()
        total += np.where(running, games.gains[np.arange(256), choice], 0)
        games.play(choice)
        running &= games.ended == batches.GOES_ON
    return total


def fixed_orders() -> dict[str, int]:
    """Mean points of 256 games of a player that makes the first legal move of a fixed order, which begins with U."""
    found = {}
    for order in itertools.permutations(range(1, 4)):
        wanted = np.zeros(4)
        wanted[[0, *order]] = (4, 3, 2, 1)
        games = _Games(SEED, 1 << 32, 256)
        points = play_on(games, lambda: np.argmax(np.where(games.gains >= 0, wanted, 0), axis=1))  # noqa: B023
        found["U" + "".join("URDL"[d] for d in order)] = round(float(points.mean()))
    return found


def row(line: dict[str, Any]) -> str:
    """One line of the table."""
    median = _median(line["tops"])
    explained = "–" if line["explained"] is None else f"{100 * line['explained']:.0f} %"
    rates = ", ".join(rate for rate, score in line["rates"].items() if score is None) or "none"
    mean, spread = line["labels"]
    return (
        f"| {line['name']} | {line['rate']:g} | {rates} | {line['score'][0]:,.0f} | {line['score'][-1]:,.0f} | "
        f"{median} | {line['best']} | {mean:,.0f} ± {spread:,.0f} | {explained} | {100 * line['favourite']:.0f} % |"
    )


def _median(tops: dict[str, float]) -> int:
    total = 0.0
    for tile, share in sorted((int(tile), share) for tile, share in tops.items()):
        total += share
        if total >= 0.5:
            return tile
    return 0


def report() -> None:
    """Write the tables and the picture."""
    lines = {line["name"]: line for line in map(json.loads, LINES.read_text("utf-8").splitlines())}
    head = (
        "| set-up | rate | rates that diverged | untrained | mean score | median tile | best tile | labels, points "
        "| explained | favourite move |"
    )
    rule = "|" + "---|" * (head.count("|") - 1)
    text = [
        "# What makes S4's neural player learn",
        "",
        "Written by `python -m benchmarks.studies.neural_study --report` from neural.jsonl. Each set-up learned",
        f"from {GAMES:,} games; its player then played 256 other games without random moves. Random play makes about",
        "1,100 points. *explained*: share of the labels' variance that the network predicts before learning from them.",
        "*favourite move*: the largest share of one direction.",
        "",
        "One change after the other; from *labels* on, each line includes all changes above it:",
        "",
        head,
        rule,
        *(row(lines[name]) for name in LADDER if name in lines),
        "",
        "S4's set-up with one change, or two (temporal differences and points to come in thousands):",
        "",
        head,
        rule,
        *(row(lines[name]) for name in ALONE if name in lines),
        "",
        "All changes, with one undone:",
        "",
        head,
        rule,
        *(row(lines[name]) for name in BACK if name in lines),
        "",
    ]
    if NOISE in lines:
        gap, spread = lines[NOISE]["gap"], lines[NOISE]["spread"]
        text += [
            "How much whole games can teach: in positions after 100 moves of this network's player (2,000 games), the",
            f"network's value of the best move is {gap:,.0f} points above that of the second best. The points to come",
            f"from one such position vary by {spread:,.0f} (standard deviation over 16 games continued from it).",
            "",
            "Scores of players that prefer directions in a fixed order, whatever the board: "
            + ", ".join(f"{order} {score:,}" for order, score in lines[NOISE]["orders"].items())
            + " points.",
            "",
            *first_change(lines),
            "",
        ]
    REPORT.write_text("\n".join(text), encoding="utf-8")
    print("\n".join(text))
    draw([lines[name] for name in EVERYTHING if name in lines])


def first_change(lines: dict[str, Any]) -> list[str]:
    """Which change first makes the network learn: play clearly better than any fixed order of directions."""
    order = max(lines[NOISE]["orders"].values())
    learns = [name for name in EVERYTHING if name in lines and lines[name]["score"][-1] > 1.1 * order]
    first = next(name for name in LADDER if name in learns)
    alone = [f"*{name}*, {lines[name]['score'][-1]:,.0f}" for name in ALONE if name in learns]
    best = f"{lines[first]['score'][-1]:,.0f}"
    return [
        "**What makes it learn.** A network counts as having learned if it beats the best fixed order,",
        f"{order:,} points, by more than a tenth.",
        f"When the changes are made one after the other, *{first}* is the first that achieves this: {best} points.",
        f"From S4's set-up with one change or two: {'; '.join(alone) or 'none'}.",
    ]


def draw(lines: list[dict[str, Any]]) -> None:
    """The curves: mean score over games learned from."""
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "twofold"
    from matplotlib import pyplot as plt

    figure, three = plt.subplots(1, 3, figsize=(15, 6.5), sharey=True)
    colours = mpl.colormaps["tab20"].colors
    for axes, names in zip(three, (LADDER, ALONE, BACK), strict=True):
        shown = [line for line in lines if line["name"] in names]
        for line, colour in zip(shown, colours, strict=False):
            axes.plot(line["games"], line["score"], label=line["name"], linewidth=1.4, color=colour)
        axes.set_xlabel("games learned from")
        axes.set_yscale("log")
        axes.set_ylim(500, 20000)  # where a useless move ends a game the score is far below
        axes.grid(alpha=0.3, which="both")
        axes.legend(fontsize=8, loc="upper center", bbox_to_anchor=(0.5, -0.12))
    three[0].set_ylabel("mean score of 256 games without random moves")
    save_svg(figure, PICTURE)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--run", action="store_true")
    parser.add_argument(
        "--only", nargs="*", default=[], help="names of set-ups; default: all that have no line"
    )
    parser.add_argument("--report", action="store_true")
    options = parser.parse_args()
    if options.run:
        known = LINES.read_text("utf-8").splitlines() if LINES.exists() else []
        done = set() if options.only else {json.loads(line)["name"] for line in known}
        for name, setup in EVERYTHING.items():
            if name in done or (options.only and name not in options.only):
                continue
            line = study(name, setup)
            with LINES.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(line) + "\n")
            print(row(line), flush=True)
        if not options.only and NOISE not in done:
            with LINES.open("a", encoding="utf-8") as stream:
                stream.write(
                    json.dumps(
                        {"name": NOISE, **noise(), "orders": fixed_orders(), "commit": history.commit()}
                    )
                    + "\n"
                )
    if options.report:
        report()


if __name__ == "__main__":
    main()
