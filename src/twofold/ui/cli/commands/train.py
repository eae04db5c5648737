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
        "Groups of cells, spaces between; a cell is a digit 0-9a-z in reading order. With --resume: those "
        "of the network and more.",
        "012345 456789 012456 45689a on 4x4",
    ),
]
Stages = Annotated[
    str | None,
    option(
        "--stages",
        "TILES",
        "Tiles at which another set of tables begins, like 16384,32768, or sums of all tiles, like "
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
        "Points that a fresh network gives every board; with --resume: that unsure boards gain.",
    ),
]
Fall = Annotated[
    float,
    option("--fall", "X", "Points that a fresh network gives a board less for each point of its tiles' sum."),
]
Unsure = Annotated[
    float,
    option(
        "--unsure",
        "A",
        "With --resume and --optimistic: sum of errors below which an entry is unsure, in points.",
    ),
]
Rate = Annotated[float | None, option("--rate", "X", "Learning rate.", "1 for tc, 0.1 for td")]
Restart = Annotated[
    int,
    option(
        "--restart",
        "MOVES",
        "Follow each game of at least twice as many moves by one from its middle; 0: never.",
    ),
]
Double = Annotated[
    str | None,
    option(
        "--double",
        "TILE",
        "A game that makes TILE, 8 to 16384, is followed by one from there with this tile doubled; or, "
        "like sum:14336,17408, one that comes to such a sum by one with its large tiles doubled (open 4x4 "
        "board, random spawns).",
        "never",
    ),
]
Promote = Annotated[
    bool,
    flag(
        "--promote",
        "With --resume: what was never learned of boards with the largest tile of the tables begins as "
        "what the same stage knows of boards one tile lower.",
    ),
]
Forget = Annotated[
    float | None,
    option(
        "--forget",
        "SHARE",
        "With --resume and tc: the share of all errors so far to forget, so that new ones count more.",
        "0",
    ),
]
Trust = Annotated[
    float | None,
    option(
        "--trust",
        "X",
        "With --resume of a shrunk network and tc: the rate, up to 1, at which its entries begin to learn on.",
        "none is resumed",
    ),
]
Expected = Annotated[
    bool,
    flag(
        "--expected",
        "Learn from the mean over all spawns, not from the one that came: slower moves without their noise.",
    ),
]
Explore = Annotated[
    float,
    option(
        "--explore",
        "P",
        "Chance that a move is drawn among those that seem little worse, while the best one is learned from.",
    ),
]
Within = Annotated[
    float | None,
    option("--within", "X", "With --explore: how much worse such a move may seem, in points.", "500"),
]
Minutes = Annotated[float | None, option("--minutes", "M", "Time to train.", "10 if there is no --games")]
Games = Annotated[int | None, option("--games", "N", "Games to train.", False)]
Threads = Annotated[int, option("--threads", "N", "Threads on one table; 0: as many as others leave idle.")]
Device = Annotated[str, option("--device", "NAME", "cpu, or cuda for an NVIDIA GPU (4x4, random spawns).")]
Lanes = Annotated[int | None, option("--lanes", "N", "Games side by side on the GPU.", "131072")]


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
    """Train a tuple network by playing; Ctrl-C stops, --resume goes on.

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
        float, option("--megabytes", "X", "Largest size of the file, in millions of bytes.")
    ] = 30.0,
    quantum: Annotated[float, option("--quantum", "X", "Points that entries are rounded to.")] = 4.0,
    split: Annotated[
        str | None,
        option(
            "--split",
            "FILE",
            "The checkpoint that --stages was applied to: what no stage has changed since is left out.",
            False,
        ),
    ] = None,
    json: options.Json = False,
    seed: options.UnusedSeed = None,
) -> None:
    """Make a small network for playing from a checkpoint: drop entries that are hardly known, round the others.

    A neural network is rounded to 16-bit floating point numbers; --quantum and --split are for tuple networks.
    """
    from twofold.evaluation.shrink import shrink_file

    answer = shrink_file(file, out, megabytes, quantum=quantum, split=split)
    if json:
        print_json(answer)
        return
    kept = f", {100 * answer['kept']:.1f} % of the entries that were learned" if "kept" in answer else ""
    print_text(f"{answer['file']}: {answer['bytes']:,} bytes{kept}")
