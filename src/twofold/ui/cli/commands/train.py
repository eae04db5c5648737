"""``twofold train ntuple``: train a tuple network, watch its curve, stop and go on at will."""

from __future__ import annotations

from typing import Annotated

import typer

from twofold.ui.cli.commands import options
from twofold.ui.cli.commands.options import flag, option
from twofold.ui.cli.output import print_json, print_text
from twofold.ui.cli.training import command_line, watch

Tuples = Annotated[
    str | None,
    option(
        "--tuples",
        "TEXT",
        "Groups of cells separated by spaces; a cell is a digit 0-9a-z in reading order. With --resume: those "
        "of the network, and more.",
        "012345 456789 012456 45689a on 4x4",
    ),
]
Stages = Annotated[
    str | None,
    option(
        "--stages",
        "TILES",
        "Tiles at which another set of tables begins, such as 16384,32768, or sums of all tiles, such as "
        "sum:16384,24576; with --resume the network is split.",
        "none",
    ),
]
Method = Annotated[str, option("--method", "NAME", "tc (temporal coherence) or td.")]
Optimistic = Annotated[
    float,
    option(
        "--optimistic",
        "V0",
        "Value that a new network gives every board, in points; with --resume: added to uncertain boards.",
    ),
]
Fall = Annotated[
    float,
    option(
        "--fall", "X", "Points by which a new network's value falls for each unit of the sum of the tiles."
    ),
]
Unsure = Annotated[
    float,
    option(
        "--unsure",
        "A",
        "With --resume and --optimistic: an entry is uncertain below this sum of errors, in points.",
    ),
]
Rate = Annotated[float | None, option("--rate", "X", "Learning rate.", "1 for tc, 0.1 for td")]
Restart = Annotated[
    int,
    option(
        "--restart",
        "MOVES",
        "Restart each game of at least twice this many moves from its middle; 0: never.",
    ),
]
Double = Annotated[
    str | None,
    option(
        "--double",
        "TILE",
        "After a game makes TILE, 8 to 16384, play another from there with this tile doubled; or, "
        "such as sum:14336,17408, from where the tiles reach such a sum, with large tiles doubled (open 4x4 "
        "board, random spawns).",
        "never",
    ),
]
Promote = Annotated[
    bool,
    flag(
        "--promote",
        "With --resume: untrained entries for boards with the largest tile of the tables start from "
        "the same stage's entries for boards one tile lower.",
    ),
]
Forget = Annotated[
    float | None,
    option(
        "--forget",
        "SHARE",
        "With --resume and tc: the fraction of past errors to forget, so that new ones count more.",
        "0",
    ),
]
Trust = Annotated[
    float | None,
    option(
        "--trust",
        "X",
        "With --resume of a shrunk network and tc: the rate, up to 1, at which its entries continue to learn.",
        "not resumed",
    ),
]
Expected = Annotated[
    bool,
    flag(
        "--expected",
        "Learn from the mean over all spawns, not from the one that appeared: slower, but without its noise.",
    ),
]
Explore = Annotated[
    float,
    option(
        "--explore",
        "P",
        "Probability of drawing a move among those that seem little worse; the best one is learned from.",
    ),
]
Within = Annotated[
    float | None,
    option("--within", "X", "With --explore: how much worse such a move may seem, in points.", "500"),
]
Minutes = Annotated[
    float | None, option("--minutes", "M", "Training time, in minutes.", "10 without --games")
]
Games = Annotated[int | None, option("--games", "N", "Number of training games.", False)]
Threads = Annotated[int, option("--threads", "N", "Threads that share one table; 0: as many as are idle.")]
Device = Annotated[str, option("--device", "NAME", "cpu, or cuda for an NVIDIA GPU (4x4, random spawns).")]
Lanes = Annotated[int | None, option("--lanes", "N", "Parallel games on the GPU.", "131072")]


def ntuple(
    tuples: Tuples = None,
    stages: Stages = None,
    method: Method = "tc",
    optimistic: Optimistic = 0.0,
    fall: Fall = 0.0,
    unsure: Unsure = 20000.0,
    rate: Rate = None,
    decay: options.Decay = 0.1,
    restart: Restart = 0,
    double: Double = None,
    promote: Promote = False,
    forget: Forget = None,
    trust: Trust = None,
    expected: Expected = False,
    explore: Explore = 0.0,
    within: Within = None,
    minutes: Minutes = None,
    games: Games = None,
    threads: Threads = 1,
    device: Device = "cpu",
    lanes: Lanes = None,
    out: options.NetworkOut = None,
    resume: options.Resume = None,
    checkpoint: options.Checkpoint = 60.0,
    picture: options.CurvePicture = None,
    size: options.Size = None,
    map: options.MapText = None,
    shape: options.Shape = None,
    p4: options.FourChance = None,
    spawn: options.Spawn = None,
    variant: options.VariantText = None,
    seed: options.Seed = None,
    json: options.Json = False,
) -> None:
    """Train an n-tuple network by self-play; Ctrl-C stops, --resume continues.

    The network plays as 'ntuple:file=FILE', and looks ahead as 'expectimax:eval=network(file=FILE)'.
    """
    from twofold.learn.run import TrainingRun
    from twofold.learn.settings import TrainingSettings, TupleStart
    from twofold.ui.shared.rules_form import Rules

    chosen = locals()
    if minutes is None and games is None:
        chosen["minutes"] = 10.0
    rules = Rules(**options.given(Rules, chosen))
    chosen["variant"] = None if rules == Rules() else rules.to_variant()
    settings = TrainingSettings(**options.given(TrainingSettings, chosen))
    start = TupleStart(**options.given(TupleStart, chosen))
    run = TrainingRun(settings, start, out=out, picture=picture, command=command_line())
    watch(run, quiet=json)
    figures = run.figures
    if json:
        print_json(figures)
    else:
        print_text(
            f"{run.target}: {figures['moves']:,} moves in {figures['games']:,} games; greedy mean score "
            f"{figures['score']:,.0f} in {figures['games_measured']} games"
        )


def shrink(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="A checkpoint of 'twofold train ntuple' or 'neural'.", show_default=False
        ),
    ],
    out: Annotated[str, option("--out", "FILE", "File to write.", False)],
    megabytes: Annotated[
        float, option("--megabytes", "X", "Maximum file size, in millions of bytes.")
    ] = 30.0,
    quantum: Annotated[
        float, option("--quantum", "X", "Step to which entries are rounded, in points.")
    ] = 4.0,
    split: Annotated[
        str | None,
        option(
            "--split",
            "FILE",
            "The checkpoint that --stages was applied to: entries that no stage has changed since are left out.",
            False,
        ),
    ] = None,
    json: options.Json = False,
    seed: options.UnusedSeed = None,
) -> None:
    """Make a small network for playing from a checkpoint: drop rarely learned entries, round the others.

    A neural network is rounded to 16-bit floating point numbers; --quantum and --split are for n-tuple networks.
    """
    from twofold.evaluation.shrink import shrink_file

    answer = shrink_file(file, out, megabytes, quantum=quantum, split=split)
    if json:
        print_json(answer)
        return
    kept = f", {100 * answer['kept']:.1f} % of the entries that were learned" if "kept" in answer else ""
    print_text(f"{answer['file']}: {answer['bytes']:,} bytes{kept}")
