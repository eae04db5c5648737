"""``twofold train neural``: train a neural value network with PyTorch, watch its curve, stop and go on at will."""

from __future__ import annotations

from typing import Annotated

import typer

from twofold.ui.cli.commands import options
from twofold.ui.cli.output import print_json, print_text
from twofold.ui.cli.training import command_line, watch

Width = Annotated[
    int | None,
    typer.Option(
        "--width", help="Numbers that stand for a line or a square.", metavar="N", show_default="16"
    ),
]
Layers = Annotated[
    str | None,
    typer.Option("--layers", help="Sizes of the two layers.", metavar="N,N", show_default="256,64"),
]
Points = Annotated[
    float | None,
    typer.Option(
        "--points", help="Points that are one unit of the output.", metavar="X", show_default="1000"
    ),
]
Discount = Annotated[
    float | None,
    typer.Option(
        "--discount",
        help="Worth of a point of the next move, one of this move being 1.",
        metavar="X",
        show_default="1",
    ),
]
Rate = Annotated[float, typer.Option("--rate", help="Learning rate of Adam.", metavar="X")]
Lambda = Annotated[
    float,
    typer.Option("--lambda", help="0: TD(0); 1: returns of --stretch moves; between: mixed.", metavar="X"),
]
Stretch = Annotated[
    int, typer.Option("--stretch", help="Moves of each game between two rounds of learning.", metavar="N")
]
Lanes = Annotated[int, typer.Option("--lanes", help="Games side by side.", metavar="N")]
Batch = Annotated[int, typer.Option("--batch", help="Afterstates per step of learning.", metavar="N")]
Explore = Annotated[float, typer.Option("--explore", help="Probability of a move by chance.", metavar="X")]
Minutes = Annotated[
    float | None,
    typer.Option("--minutes", help="Time to train.", metavar="M", show_default="10 if there is no --moves"),
]
Moves = Annotated[
    int | None,
    typer.Option(
        "--moves",
        help="Moves to train, those of the runs before --resume included.",
        metavar="N",
        show_default=False,
    ),
]
Device = Annotated[str, typer.Option("--device", help="cpu, or cuda for an NVIDIA GPU.", metavar="NAME")]
Threads = Annotated[int, typer.Option("--threads", help="Threads of PyTorch.", metavar="N")]


def neural(
    width: Width = None,
    layers: Layers = None,
    points: Points = None,
    discount: Discount = None,
    rate: Rate = 1e-3,
    decay: options.Decay = 0.3,
    lam: Lambda = 0.8,
    stretch: Stretch = 16,
    lanes: Lanes = 256,
    batch: Batch = 512,
    explore: Explore = 0.0,
    minutes: Minutes = None,
    moves: Moves = None,
    device: Device = "cpu",
    threads: Threads = 1,
    out: options.NetworkOut = None,
    resume: options.Resume = None,
    checkpoint: options.Checkpoint = 60.0,
    picture: options.CurvePicture = None,
    seed: options.Seed = None,
    json: options.Json = False,
) -> None:
    """Train a neural network by playing, with PyTorch; Ctrl-C stops, --resume goes on.

    It values the rows, columns and squares of the board after each move, and learns by TD(lambda) from many games side
    by side. The network plays as 'neural:file=FILE', and looks ahead as 'expectimax:eval=neural(file=FILE)'.
    """
    from twofold.learn.run import TrainingRun
    from twofold.learn.settings import NeuralSettings, NeuralStart

    chosen = locals() | {"seed": options.checked_seed(seed), "layers": _two_sizes(layers)}
    if minutes is None and moves is None:
        chosen["minutes"] = 10.0
    settings = NeuralSettings(**options.given(NeuralSettings, chosen))
    start = NeuralStart(**options.given(NeuralStart, chosen))
    run = TrainingRun(settings, start, out=out, picture=picture, command=command_line())
    watch(run, quiet=json)
    if json:
        print_json(run.figures)
    else:
        print_text(f"{run.target}: {run.figures['moves']:,} moves in {run.figures['games']:,} games")


def _two_sizes(text: str | None) -> tuple[int, int] | None:
    from twofold.errors import InvalidParameter, quote

    if text is None:
        return None
    words = text.replace(",", " ").split()
    if len(words) != 2 or not all(word.isascii() and word.isdigit() and len(word) < 6 for word in words):
        raise InvalidParameter(f"--layers {quote(text)}: write two numbers, for example 256,64")
    return int(words[0]), int(words[1])
