"""What the commands that train networks share: a run watched line by line or as a picture."""

from __future__ import annotations

import contextlib
import itertools
import math
import sys
from typing import TYPE_CHECKING, Any

from twofold.ui.cli.output import is_live_terminal, make_console, print_text

if TYPE_CHECKING:
    from twofold.learn.run import TrainingRun
    from twofold.learn.temporal import CurvePoint

DECAY = "Last part of the run, as a fraction, in which the rate falls to 1/100."

FILES = """
    --out  text FILE  File for checkpoints and the result; the learning curve is stored next to it as .csv. \
        [the file of --resume, or one named after the kind of network]
    --resume  text FILE  Continue training the network in this file.
    --checkpoint=60  float X  Seconds between checkpoints.
    --picture  text FILE  Draw the learning curve to this .png or .svg file.
""".strip()
"""Options of the commands that train networks."""


def command_line() -> str:
    """The command that is running."""
    return "twofold " + " ".join(sys.argv[1:])


def watch(run: TrainingRun, *, quiet: bool) -> None:
    """Train to the end or to Ctrl-C and show the curve's lines: as a picture on a terminal, else one by one."""
    live = is_live_terminal() and not quiet
    try:
        with contextlib.ExitStack() as stack:
            lines = stack.enter_context(contextlib.closing(run.lines(2.0 if live else 10.0)))
            if live:
                from rich.live import Live

                history: list[CurvePoint] = []
                screen = stack.enter_context(
                    Live(console=make_console(), auto_refresh=False, transient=False)
                )
            for line in lines:
                if live:
                    history.append(line)
                    screen.update(
                        _picture(history, run.curve.ranks, run.training.done, run.target), refresh=True
                    )
                elif not quiet:
                    print_text(_text(line, run.curve.ranks))
                    sys.stdout.flush()
    except KeyboardInterrupt:
        print(f"stopped: continue with --resume {run.target}", file=sys.stderr)
        raise


def _text(line: CurvePoint, ranks: tuple[int, ...]) -> str:
    shares = " ".join(f"{1 << rank}:{100 * line.tops[rank]:.1f}%" for rank in ranks[-5:])
    evaluated = "" if math.isnan(line.evaluation) else f" evaluation {line.evaluation:,.0f}"
    return (
        f"{line.seconds:7.0f} s {line.games:,} games {_short(line.moves)} moves {_short(line.speed)}/s "
        f"score {line.score:,.0f}{evaluated} {shares}"
    )


def _short(number: float) -> str:
    """Three digits or more, in millions or thousands."""
    for unit, letter in ((1e6, " M"), (1e3, " k")):
        if number >= unit:
            scaled = number / unit
            return f"{scaled:,.{0 if scaled >= 100 else 1 if scaled >= 10 else 2}f}{letter}"
    return f"{number:.0f}"


_BARS = "▁▂▃▄▅▆▇█"


def sparkline(numbers: list[float], width: int) -> str:
    """The numbers as one line of bars from 0 to their largest, averaged to at most `width` characters."""
    if not numbers:
        return ""
    width = min(width, len(numbers))
    edges = [round(i * len(numbers) / width) for i in range(width + 1)]
    means = [sum(numbers[a:b]) / (b - a) for a, b in itertools.pairwise(edges)]
    most = max(*means, 1e-9, 0.0)
    return "".join(_BARS[min(7, max(0, int(8 * mean / most)))] for mean in means)


def _picture(history: list[CurvePoint], ranks: tuple[int, ...], done: float, target: str) -> Any:
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    line = history[-1]
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_row(
        "learned",
        f"{line.games:,} games, {line.moves:,} moves, {line.seconds:,.0f} s, {100 * done:.0f} % of the run",
    )
    table.add_row("speed", f"{_short(line.speed)} moves/s on {line.threads} threads, rate {line.rate:.3g}")
    evaluated = "" if math.isnan(line.evaluation) else f", evaluation {line.evaluation:,.0f}"
    table.add_row("mean score", f"{line.score:,.0f}{evaluated}")
    table.add_row("tiles", "  ".join(f"{1 << rank}: {100 * line.tops[rank]:.1f} %" for rank in ranks))
    table.add_row("file", target)
    return Group(table, Text(sparkline([each.score for each in history], 72)))
