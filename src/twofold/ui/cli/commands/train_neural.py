"""``twofold train neural``: train a neural value network with PyTorch, watch its curve, stop and go on at will."""

from __future__ import annotations

from typing import Annotated

from twofold.ui.cli.commands import options
from twofold.ui.cli.commands.options import option
from twofold.ui.cli.output import print_json, print_text
from twofold.ui.cli.training import command_line, watch

Width = Annotated[int | None, option("--width", "N", "Size of the vector for a line or a square.", "16")]
Layers = Annotated[str | None, option("--layers", "N,N", "Sizes of the two dense layers.", "256,64")]
Points = Annotated[float | None, option("--points", "X", "Points per unit of the output.", "1000")]
Discount = Annotated[
    float | None,
    option("--discount", "X", "Value of a point in the next move, relative to one in this move.", "1"),
]
Rate = Annotated[float, option("--rate", "X", "Learning rate of Adam.")]
Lambda = Annotated[float, option("--lambda", "X", "0: TD(0); 1: returns of --stretch moves; between: mixed.")]
Stretch = Annotated[int, option("--stretch", "N", "Moves per game between two rounds of learning.")]
Lanes = Annotated[int, option("--lanes", "N", "Parallel games.")]
Batch = Annotated[int, option("--batch", "N", "Afterstates per learning step.")]
Explore = Annotated[float, option("--explore", "X", "Probability of a random move.")]
Minutes = Annotated[
    float | None, option("--minutes", "M", "Training time, in minutes.", "10 without --moves")
]
Moves = Annotated[
    int | None, option("--moves", "N", "Number of training moves, including those before --resume.", False)
]
Device = Annotated[str, option("--device", "NAME", "cpu, or cuda for an NVIDIA GPU.")]
Threads = Annotated[int, option("--threads", "N", "Threads for PyTorch.")]


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
    """Train a neural network by self-play, with PyTorch; Ctrl-C stops, --resume continues.

    It evaluates the rows, columns and squares of the board after each move, and learns by TD(lambda) from many
    parallel games. The network plays as 'neural:file=FILE', and looks ahead as 'expectimax:eval=neural(file=FILE)'.
    """
    from twofold.learn.run import TrainingRun
    from twofold.learn.settings import NeuralSettings, NeuralStart

    chosen = locals() | {"layers": _two_sizes(layers)}
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
