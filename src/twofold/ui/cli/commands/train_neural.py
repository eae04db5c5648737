"""``twofold train neural``: train a neural value network with PyTorch, watch its curve, stop and go on at will."""

from __future__ import annotations

from typing import Any

from twofold.ui.cli.commands import options
from twofold.ui.cli.output import print_json, print_text
from twofold.ui.cli.training import DECAY, FILES, command_line, watch


@options.table(f"""
    --width           int N       Size of the vector for a line or a square. [16]
    --layers          text N,N    Sizes of the two dense layers. [256,64]
    --points          float X     Points per unit of the output. [1000]
    --discount        float X     Value of a point in the next move, relative to one in this move. [1]
    --rate=0.001      float X     Learning rate of Adam.
    --decay=0.3       float X     {DECAY}
    --lambda=0.8      float X     0: TD(0); 1: returns of --stretch moves; between: mixed.
    --stretch=16      int N       Moves per game between two rounds of learning.
    --lanes=256       int N       Parallel games.
    --batch=512       int N       Afterstates per learning step.
    --explore=0       float X     Probability of a random move.
    --minutes         float M     Training time, in minutes. [10 without --moves]
    --moves           int N       Number of training moves, including those before --resume.
    --device=cpu      text NAME   cpu, or cuda for an NVIDIA GPU.
    --threads=1       int N       Threads for PyTorch.
    {FILES}
    seed json
""")
def neural(*, out: str | None, picture: str | None, layers: str | None, json: bool, **chosen: Any) -> None:
    """Train a neural network by self-play, with PyTorch; Ctrl-C stops, --resume continues.

    It evaluates the rows, columns and squares of the board after each move, and learns by TD(lambda) from many
    parallel games. The network plays as 'neural:file=FILE', and looks ahead as 'expectimax:eval=neural(file=FILE)'.
    """
    from twofold.learn.run import TrainingRun
    from twofold.learn.settings import NeuralSettings, NeuralStart

    chosen |= {"layers": _two_sizes(layers), "lam": chosen["lambda_"]}
    if chosen["minutes"] is None and chosen["moves"] is None:
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
