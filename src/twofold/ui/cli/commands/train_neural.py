"""``twofold train neural``: train a neural value network with PyTorch, watch its curve, stop and go on at will."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from twofold.ui.cli.commands import options
from twofold.ui.cli.output import print_json, print_text
from twofold.ui.cli.training import curve_file, run_watched, signed, target_file

if TYPE_CHECKING:
    from twofold.evaluation.neural import NeuralNetwork

DEFAULT_OUT = "neural.2048nn"


def neural(
    width: Annotated[
        int | None,
        typer.Option(
            "--width", help="Numbers that stand for a line or a square.", metavar="N", show_default="16"
        ),
    ] = None,
    layers: Annotated[
        str | None,
        typer.Option("--layers", help="Sizes of the two layers.", metavar="N,N", show_default="256,64"),
    ] = None,
    points: Annotated[
        float | None,
        typer.Option(
            "--points", help="Points that are one unit of the output.", metavar="X", show_default="1000"
        ),
    ] = None,
    discount: Annotated[
        float | None,
        typer.Option(
            "--discount",
            help="Worth of a point of the next move, one of this move being 1.",
            metavar="X",
            show_default="1",
        ),
    ] = None,
    rate: Annotated[float, typer.Option("--rate", help="Learning rate of Adam.", metavar="X")] = 1e-3,
    decay: options.Decay = 0.3,
    lam: Annotated[
        float,
        typer.Option(
            "--lambda", help="0: TD(0); 1: returns of --stretch moves; between: mixed.", metavar="X"
        ),
    ] = 0.8,
    stretch: Annotated[
        int, typer.Option("--stretch", help="Moves of each game between two rounds of learning.", metavar="N")
    ] = 16,
    lanes: Annotated[int, typer.Option("--lanes", help="Games side by side.", metavar="N")] = 256,
    batch: Annotated[
        int, typer.Option("--batch", help="Afterstates per step of learning.", metavar="N")
    ] = 512,
    explore: Annotated[
        float, typer.Option("--explore", help="Probability of a move by chance.", metavar="X")
    ] = 0.0,
    minutes: Annotated[
        float | None,
        typer.Option(
            "--minutes", help="Time to train.", metavar="M", show_default="10 if there is no --moves"
        ),
    ] = None,
    moves: Annotated[
        int | None,
        typer.Option(
            "--moves",
            help="Moves to train, those of the runs before --resume included.",
            metavar="N",
            show_default=False,
        ),
    ] = None,
    device: Annotated[
        str, typer.Option("--device", help="cpu, or cuda for an NVIDIA GPU.", metavar="NAME")
    ] = "cpu",
    threads: Annotated[int, typer.Option("--threads", help="Threads of PyTorch.", metavar="N")] = 1,
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
    from twofold.learn.curve import Curve, check_picture
    from twofold.learn.neural import NeuralSettings, NeuralTraining, torch_or_refusal

    torch_or_refusal()
    if minutes is None and moves is None:
        minutes = 10.0
    settings = NeuralSettings(
        minutes=minutes,
        moves=moves,
        rate=rate,
        decay=decay,
        lanes=lanes,
        stretch=stretch,
        batch=batch,
        lam=lam,
        explore=explore,
        device=device,
        threads=threads,
        seed=options.checked_seed(seed),
        checkpoint=checkpoint,
    )
    if picture is not None:
        check_picture(picture)
    target = target_file(out, resume, DEFAULT_OUT)
    beside = curve_file(target, resume)
    network = _network(resume, width, layers, points, discount, settings.seed)
    signed(network.origin)
    training = NeuralTraining(network, settings)
    curve = Curve(beside, network.design, fresh=resume is None)
    run_watched(training, curve, target, picture, quiet=json)
    figures = {
        "games": training.games,
        "moves": training.moves,
        "seconds": round(training.seconds, 1),
        "numbers": network.design.numbers,
        "file": target,
    }
    if json:
        print_json(figures)
    else:
        print_text(f"{target}: {training.moves:,} moves in {training.games:,} games")


def _network(
    resume: str | None,
    width: int | None,
    layers: str | None,
    points: float | None,
    discount: float | None,
    seed: int,
) -> NeuralNetwork:
    """The network to train: that of a checkpoint, whose sizes can't be changed, or a fresh one."""
    from twofold.errors import InvalidParameter, quote
    from twofold.evaluation.neural import NeuralDesign, NeuralNetwork, load_neural

    given: dict[str, int | float] = {}
    if width is not None:
        given["width"] = width
    if layers is not None:
        words = layers.replace(",", " ").split()
        if len(words) != 2 or not all(word.isascii() and word.isdigit() and len(word) < 6 for word in words):
            raise InvalidParameter(f"--layers {quote(layers)}: write two numbers, for example 256,64")
        given |= {"first": int(words[0]), "second": int(words[1])}
    if points is not None:
        given["points"] = points
    if discount is not None:
        given["discount"] = discount
    if resume is None:
        return NeuralNetwork.fresh(NeuralDesign(**given), seed)  # type: ignore[arg-type]
    network = load_neural(resume, learning=True)
    for name, value in given.items():
        if getattr(network.design, name) != value:
            raise InvalidParameter(f"the network in {resume} was made with another {name}: leave it out")
    return network
