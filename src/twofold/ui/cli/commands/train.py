"""``twofold train ntuple``: train a tuple network, watch its curve, stop and go on at will."""

from __future__ import annotations

from typing import Annotated, Any

from twofold.ui.cli.commands import options
from twofold.ui.cli.commands.options import argument, option
from twofold.ui.cli.output import print_json, print_text
from twofold.ui.cli.training import DECAY, FILES, command_line, watch


@options.table(f"""
    --tuples  text TEXT  Groups of cells separated by spaces; a cell is a digit 0-9a-z in reading order. \
        With --resume: those of the network, and more. [012345 456789 012456 45689a on 4x4]
    --stages  text TILES  Tiles at which another set of tables begins, such as 16384,32768, or sums of all tiles, such \
        as sum:16384,24576; with --resume the network is split. [none]
    --method=tc  text NAME  tc (temporal coherence) or td.
    --optimistic=0  float V0  Value that a new network gives every board, in points; with --resume: added to \
        uncertain boards.
    --fall=0  float X  Points by which a new network's value falls for each unit of the sum of the tiles.
    --unsure=20000  float A  With --resume and --optimistic: an entry is uncertain below this sum of errors, in points.
    --rate  float X  Learning rate. [1 for tc, 0.1 for td]
    --decay=0.1  float X  {DECAY}
    --restart=0  int MOVES  Restart each game of at least twice this many moves from its middle; 0: never.
    --double  text TILE  After a game makes TILE, 8 to 16384, play another from there with this tile doubled; or, \
        such as sum:14336,17408, from where the tiles reach such a sum, with large tiles doubled (open 4x4 board, \
        random spawns). [never]
    --promote  flag  With --resume: untrained entries for boards with the largest tile of the tables start from the \
        same stage's entries for boards one tile lower.
    --forget  float SHARE  With --resume and tc: the fraction of past errors to forget, so that new ones count more. [0]
    --trust  float X  With --resume of a shrunk network and tc: the rate, up to 1, at which its entries continue to \
        learn. [not resumed]
    --expected  flag  Learn from the mean over all spawns, not from the one that appeared: slower, but without its \
        noise.
    --explore=0  float P  Probability of drawing a move among those that seem little worse; the best one is learned \
        from.
    --within  float X  With --explore: how much worse such a move may seem, in points. [500]
    --minutes  float M  Training time, in minutes. [10 without --games]
    --games  int N  Number of training games.
    --threads=1  int N  Threads that share one table; 0: as many as are idle.
    --device=cpu  text NAME  cpu, or cuda for an NVIDIA GPU (4x4, random spawns).
    --lanes  int N  Parallel games on the GPU. [131072]
    {FILES}
    size map shape p4 spawn variant seed json
""")
def ntuple(*, out: str | None, picture: str | None, json: bool, **chosen: Any) -> None:
    """Train an n-tuple network by self-play; Ctrl-C stops, --resume continues.

    The network plays as 'ntuple:file=FILE', and looks ahead as 'expectimax:eval=network(file=FILE)'.
    """
    from twofold.learn.run import TrainingRun
    from twofold.learn.settings import TrainingSettings, TupleStart
    from twofold.ui.shared.rules_form import Rules

    if chosen["minutes"] is None and chosen["games"] is None:
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
    file: Annotated[str, argument("FILE", "A checkpoint of 'twofold train ntuple' or 'neural'.")],
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
