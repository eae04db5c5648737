"""``twofold train s4``: the neural player of a student's report as it was, or with some of its choices changed."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from twofold.ui.cli.commands import options
from twofold.ui.cli.output import print_json, print_text

if TYPE_CHECKING:
    from twofold.learn.actions import Measurement


Setup = Annotated[
    str,
    typer.Option(
        "--setup",
        help="What to begin with: s4, s4-stuck, s4-log, s4-ranks, s4-end, s4-return, ours.",
        metavar="NAME",
    ),
]
Inputs = Annotated[
    str | None, typer.Option("--inputs", help="raw, log or ranks.", metavar="NAME", show_default="raw")
]
Form = Annotated[
    str | None,
    typer.Option(
        "--form",
        help="actions: a board in, four values out; afterstates: a board after a move in, its value out.",
        metavar="NAME",
        show_default="actions",
    ),
]
Label = Annotated[
    str | None,
    typer.Option(
        "--label",
        help="lost: -1000 for every move of a lost game; end: -1000 at its end; return: points to come; "
        "td: points of the move and the network's value of what follows.",
        metavar="NAME",
        show_default="lost",
    ),
]
Points = Annotated[
    float | None, typer.Option("--points", help="Points that are one unit.", metavar="X", show_default="1")
]
Discount = Annotated[
    float | None,
    typer.Option("--discount", help="Worth of a point of the next move.", metavar="X", show_default="1"),
]
Method = Annotated[
    str | None, typer.Option("--method", help="momentum or adam.", metavar="NAME", show_default="momentum")
]
Rate = Annotated[
    float | None, typer.Option("--rate", help="Learning rate.", metavar="X", show_default="1e-4")
]
Momentum = Annotated[
    float | None,
    typer.Option("--momentum", help="Share of the last step that goes on.", metavar="X", show_default="0.9"),
]
L2 = Annotated[
    float | None,
    typer.Option("--l2", help="Strength of L2 regularisation.", metavar="X", show_default="1e-4"),
]
Explore = Annotated[
    float | None,
    typer.Option("--explore", help="Probability of a move by chance.", metavar="X", show_default="0.1"),
]
Update = Annotated[
    str | None,
    typer.Option(
        "--update",
        help="game: a step after each game; batch: steps on 512 moves drawn from many games.",
        metavar="NAME",
        show_default="game",
    ),
]
Stuck = Annotated[
    bool, typer.Option("--stuck", help="A game ends when the network's choice changes nothing.")
]
Games = Annotated[int, typer.Option("--games", help="Games to learn from.", metavar="N", min=1)]
Every = Annotated[
    int | None,
    typer.Option(
        "--every", help="Games between two lines of the curve.", metavar="N", min=1, show_default="a tenth"
    ),
]
Out = Annotated[
    str | None, typer.Option("--out", help="CSV file for the curve.", metavar="FILE", show_default=False)
]


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

    S4's four outputs never got past tile 64. docs/neural.md tells why, and which change makes them learn. Each line is
    of 256 games without moves by chance; random play makes about 1,100 points.
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
