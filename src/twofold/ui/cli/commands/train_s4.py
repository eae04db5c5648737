"""``twofold train s4``: the neural player of a student's report as it was, or with some of its choices changed."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

from twofold.ui.cli.commands import options
from twofold.ui.cli.commands.options import flag, option
from twofold.ui.cli.output import print_json, print_text

if TYPE_CHECKING:
    from twofold.learn.actions import Measurement


Setup = Annotated[
    str,
    option(
        "--setup", "NAME", "Setup to start from: s4, s4-stuck, s4-log, s4-ranks, s4-end, s4-return, ours."
    ),
]
Inputs = Annotated[str | None, option("--inputs", "NAME", "raw, log or ranks.", "raw")]
Form = Annotated[
    str | None,
    option(
        "--form",
        "NAME",
        "actions: a board in, four values out; afterstates: a board after a move in, its value out.",
        "actions",
    ),
]
Label = Annotated[
    str | None,
    option(
        "--label",
        "NAME",
        "lost: -1000 for every move of a lost game; end: -1000 at its end; return: future points; td: "
        "points of the move plus the network's value of what follows.",
        "lost",
    ),
]
Points = Annotated[float | None, option("--points", "X", "Points per unit of the output.", "1")]
Discount = Annotated[float | None, option("--discount", "X", "Value of a point in the next move.", "1")]
Method = Annotated[str | None, option("--method", "NAME", "momentum or adam.", "momentum")]
Rate = Annotated[float | None, option("--rate", "X", "Learning rate.", "1e-4")]
Momentum = Annotated[
    float | None, option("--momentum", "X", "Fraction of the last step to carry over.", "0.9")
]
L2 = Annotated[float | None, option("--l2", "X", "Strength of L2 regularisation.", "1e-4")]
Explore = Annotated[float | None, option("--explore", "X", "Probability of a random move.", "0.1")]
Update = Annotated[
    str | None,
    option(
        "--update",
        "NAME",
        "game: a step after each game; batch: steps on 512 moves drawn from many games.",
        "game",
    ),
]
Stuck = Annotated[bool, flag("--stuck", "End a game when the network's move is illegal.")]
Games = Annotated[int, option("--games", "N", "Number of training games.", min=1)]
Every = Annotated[
    int | None, option("--every", "N", "Games between two lines of the learning curve.", "a tenth", min=1)
]
Out = Annotated[str | None, option("--out", "FILE", "CSV file for the learning curve.", False)]


def s4(
    setup: Setup = "s4",
    inputs: Inputs = None,
    form: Form = None,
    label: Label = None,
    points: Points = None,
    discount: Discount = None,
    method: Method = None,
    rate: Rate = None,
    momentum: Momentum = None,
    l2: L2 = None,
    explore: Explore = None,
    update: Update = None,
    stuck: Stuck = False,
    games: Games = 5000,
    every: Every = None,
    out: Out = None,
    seed: options.Seed = None,
    json: options.Json = False,
) -> None:
    """Train the neural network of student report S4, as it was or with changes, and see what it learns.

    S4's four outputs never got past tile 64. docs/log/neural.md explains why, and which change makes them learn. Each
    line is for 256 games without random moves; random play scores about 1,100 points.
    """
    from twofold.learn.actions import ActionTraining, Setup, setup_of

    chosen = setup_of(setup, **options.given(Setup, locals() | {"stuck": stuck or None}))
    lines = []
    for line in ActionTraining(chosen, options.checked_seed(seed)).run(games, every, out):
        lines.append(line)
        if not json:
            print_text(_text(line))
            sys.stdout.flush()
    if json:
        print_json({"setup": vars(chosen), "curve": [line.as_json() for line in lines]})


def _text(line: Measurement) -> str:
    tops = " ".join(f"{1 << rank}:{100 * share:.0f}%" for rank, share in enumerate(line.tops) if share > 0)
    explained = "" if line.explained != line.explained else f" explained {100 * line.explained:.0f} %"
    mean, spread = line.labels
    end = " DIVERGED: a smaller --rate may help" if line.diverged else ""
    return (
        f"{line.games:,} games {line.moves:,} moves score {line.score:,.0f} {tops} favourite move "
        f"{100 * line.favourite:.0f} % labels {mean:,.0f} ± {spread:,.0f}{explained}{end}"
    )
