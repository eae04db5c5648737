"""``twofold train s4``: the neural player of a student's report as it was, or with some of its choices changed."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from twofold.ui.cli.commands import options
from twofold.ui.cli.output import print_json, print_text

if TYPE_CHECKING:
    from twofold.learn.actions import Measurement


@options.table("""
    --setup=s4     text NAME  Setup to start from: s4, s4-stuck, s4-log, s4-ranks, s4-end, s4-return, ours.
    --inputs       text NAME  raw, log or ranks. [raw]
    --form         text NAME  actions: a board in, four values out; afterstates: a board after a move in, its value \
        out. [actions]
    --label        text NAME  The reward. lost: minus the penalty for every move of a lost game; end: at its end; \
        return: future points; td: points of the move plus the network's value of what follows. [lost]
    --penalty      float X    Points that a lost game costs. [1000]
    --hidden       text N,N   Sizes of the hidden layers. [64,64]
    --points       float X    Points per unit of the output. [1]
    --discount     float X    Value of a point in the next move. [1]
    --method       text NAME  momentum or adam. [momentum]
    --rate         float X    Learning rate. [1e-4]
    --momentum     float X    Fraction of the last step to carry over. [0.9]
    --l2           float X    Strength of L2 regularisation. [1e-4]
    --explore      float X    Probability of a random move. [0.1]
    --update       text NAME  game: a step after each game; batch: steps on 512 moves drawn from many games. [game]
    --stuck        flag       End a game when the network's move is illegal.
    --games=5000   int 1.. N  Number of training games.
    --every        int 1.. N  Games between two lines of the learning curve. [a tenth]
    --out          text FILE  CSV file for the learning curve.
    --save         text FILE  File for the trained network; 's4:file=FILE' plays by it.
    seed json
""")
def s4(
    *,
    setup: str,
    games: int,
    every: int | None,
    out: str | None,
    save: str | None,
    seed: int | None,
    json: bool,
    **chosen: Any,
) -> None:
    """Train the neural network of student report S4, as it was or with changes, and see what it learns.

    S4's four outputs never got past tile 64. docs/log/neural.md explains why, and which change makes them learn. Each
    line is for 256 games without random moves; random play scores about 1,100 points.
    """
    from twofold.files import check_target
    from twofold.learn.action_network import FORMAT, Setup, setup_of
    from twofold.learn.actions import ActionTraining

    if save is not None:
        check_target(
            save, "a network of 'twofold train s4'", lambda content: FORMAT.encode() in content[:4096]
        )
    chosen |= {"stuck": chosen["stuck"] or None, "hidden": _sizes(chosen["hidden"])}
    changed = setup_of(setup, **options.given(Setup, chosen))
    training = ActionTraining(changed, options.checked_seed(seed))
    lines = []
    for line in training.run(games, every, out):
        lines.append(line)
        if not json:
            print_text(_text(line))
            sys.stdout.flush()
    if save is not None:
        training.save(save)
    if json:
        print_json({"setup": vars(changed), "curve": [line.as_json() for line in lines]})


def _sizes(text: str | None) -> tuple[int, ...] | None:
    from twofold.errors import InvalidParameter, quote

    if text is None:
        return None
    words = text.replace(",", " ").split()
    if not all(word.isascii() and word.isdigit() and len(word) < 6 for word in words):
        raise InvalidParameter(f"--hidden {quote(text)}: write sizes, for example 64,64")
    return tuple(map(int, words))


def _text(line: Measurement) -> str:
    tops = " ".join(f"{1 << rank}:{100 * share:.0f}%" for rank, share in enumerate(line.tops) if share > 0)
    explained = "" if line.explained != line.explained else f" explained {100 * line.explained:.0f} %"
    mean, spread = line.labels
    end = " DIVERGED: a smaller --rate may help" if line.diverged else ""
    return (
        f"{line.games:,} games {line.moves:,} moves score {line.score:,.0f} {tops} favourite move "
        f"{100 * line.favourite:.0f} % labels {mean:,.0f} ± {spread:,.0f}{explained}{end}"
    )
