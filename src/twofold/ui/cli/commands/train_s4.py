"""``twofold train s4``: the neural player of a student's report as it was, or with some of its choices changed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from twofold.ui.cli.commands import options
from twofold.ui.cli.output import print_json, print_text

if TYPE_CHECKING:
    from twofold.learn.actions import Look


def s4(
    setup: Annotated[
        str,
        typer.Option(
            "--setup",
            help="What to begin with: s4, s4-stuck, s4-log, s4-ranks, s4-end, s4-return, ours.",
            metavar="NAME",
        ),
    ] = "s4",
    inputs: Annotated[
        str | None,
        typer.Option("--inputs", help="raw, log or ranks.", metavar="NAME", show_default="raw"),
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--form",
            help="actions: a board in, four values out; afterstates: a board after a move in, its value out.",
            metavar="NAME",
            show_default="actions",
        ),
    ] = None,
    label: Annotated[
        str | None,
        typer.Option(
            "--label",
            help="lost: -1000 for every move of a lost game; end: -1000 at its end; return: points to come; "
            "td: points of the move and the network's value of what follows.",
            metavar="NAME",
            show_default="lost",
        ),
    ] = None,
    points: Annotated[
        float | None,
        typer.Option("--points", help="Points that are one unit.", metavar="X", show_default="1"),
    ] = None,
    discount: Annotated[
        float | None,
        typer.Option("--discount", help="Worth of a point of the next move.", metavar="X", show_default="1"),
    ] = None,
    method: Annotated[
        str | None,
        typer.Option("--method", help="momentum or adam.", metavar="NAME", show_default="momentum"),
    ] = None,
    rate: Annotated[
        float | None, typer.Option("--rate", help="Learning rate.", metavar="X", show_default="1e-4")
    ] = None,
    momentum: Annotated[
        float | None,
        typer.Option(
            "--momentum", help="Share of the last step that goes on.", metavar="X", show_default="0.9"
        ),
    ] = None,
    l2: Annotated[
        float | None,
        typer.Option("--l2", help="Strength of L2 regularisation.", metavar="X", show_default="1e-4"),
    ] = None,
    explore: Annotated[
        float | None,
        typer.Option("--explore", help="Probability of a move by chance.", metavar="X", show_default="0.1"),
    ] = None,
    update: Annotated[
        str | None,
        typer.Option(
            "--update",
            help="game: a step after each game; batch: steps on 512 moves drawn from many games.",
            metavar="NAME",
            show_default="game",
        ),
    ] = None,
    stuck: Annotated[
        bool, typer.Option("--stuck", help="A game ends when the network's choice changes nothing.")
    ] = False,
    games: Annotated[int, typer.Option("--games", help="Games to learn from.", metavar="N", min=1)] = 5000,
    every: Annotated[
        int | None,
        typer.Option(
            "--every",
            help="Games between two lines of the curve.",
            metavar="N",
            min=1,
            show_default="a tenth",
        ),
    ] = None,
    out: Annotated[
        str | None, typer.Option("--out", help="CSV file for the curve.", metavar="FILE", show_default=False)
    ] = None,
    seed: options.Seed = None,
    json: options.Json = False,
) -> None:
    """Train the neural network of student report S4, as it was or with changes, and see what it learns.

    S4's four outputs never got past tile 64. docs/neural.md tells why, and which change makes them learn. Each line is
    of 256 games without moves by chance; random play makes about 1,100 points.
    """
    from dataclasses import replace

    from twofold.errors import InvalidParameter, quote
    from twofold.learn.actions import SETUPS, ActionTraining

    if setup not in SETUPS:
        raise InvalidParameter(f"--setup {quote(setup)} is none of {', '.join(SETUPS)}")
    given: dict[str, Any] = {
        "inputs": inputs,
        "form": form,
        "label": label,
        "points": points,
        "discount": discount,
        "method": method,
        "rate": rate,
        "momentum": momentum,
        "l2": l2,
        "explore": explore,
        "update": update,
        "stuck": stuck or None,
    }
    chosen = replace(SETUPS[setup], **{key: value for key, value in given.items() if value is not None})
    training = ActionTraining(chosen, options.checked_seed(seed))
    looks = []
    table = _Table(out)
    for look in training.run(games, every or max(1, games // 10)):
        looks.append(look)
        table.add(look)
        if not json:
            print_text(_text(look))
            sys.stdout.flush()
    if json:
        print_json({"setup": vars(chosen), "curve": [_figures(look) for look in looks]})


def _figures(look: Look) -> dict[str, Any]:
    return {
        "games": look.games,
        "moves": look.moves,
        "score": look.score,
        "best": 1 << look.best,
        "favourite": look.favourite,
        "label_mean": look.labels[0],
        "label_spread": look.labels[1],
        "explained": None if look.explained != look.explained else look.explained,
        "diverged": look.diverged,
    }


def _text(look: Look) -> str:
    tops = " ".join(f"{1 << rank}:{100 * share:.0f}%" for rank, share in enumerate(look.tops) if share > 0)
    explained = "" if look.explained != look.explained else f" explained {100 * look.explained:.0f} %"
    mean, spread = look.labels
    end = " DIVERGED: a smaller --rate may help" if look.diverged else ""
    return (
        f"{look.games:,} games {look.moves:,} moves score {look.score:,.0f} {tops} favourite move "
        f"{100 * look.favourite:.0f} % labels {mean:,.0f} ± {spread:,.0f}{explained}{end}"
    )


class _Table:
    """The curve as a CSV file, or nothing without a name. Raises InvalidFile."""

    def __init__(self, path: str | None) -> None:
        self._path = path
        self._write("x", ",".join(_HEAD))

    def add(self, look: Look) -> None:
        """Append a line."""
        figures = _figures(look)
        self._write("a", ",".join("" if figures[key] is None else str(figures[key]) for key in _HEAD))

    def _write(self, mode: str, line: str) -> None:
        from twofold.errors import InvalidFile, quote

        if self._path is None:
            return
        try:
            with Path(self._path).open(mode, encoding="utf-8") as stream:
                stream.write(line + "\n")
        except FileExistsError:
            raise InvalidFile(f"{quote(self._path)} is there already: choose another --out") from None
        except OSError as error:
            raise InvalidFile(f"can't write {quote(self._path)}: {error.strerror or error}") from error


_HEAD = (
    "games",
    "moves",
    "score",
    "best",
    "favourite",
    "label_mean",
    "label_spread",
    "explained",
    "diverged",
)
