"""What the commands that train networks share: where files go, and a run watched line by line or as a picture."""

from __future__ import annotations

import contextlib
import itertools
import math
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from twofold.errors import InvalidFile, quote
from twofold.ui.cli.output import is_live_terminal, make_console, print_text

if TYPE_CHECKING:
    from twofold.learn.curve import Curve
    from twofold.learn.temporal import Progress


def target_file(out: str | None, resume: str | None, usual: str, *, resumes: bool = True) -> str:
    """Where checkpoints go; only the file that is gone on with may be there already. Raises InvalidFile.

    resumes: whether the command knows --resume.
    """
    if out == "":
        raise InvalidFile("the name of the file to write is empty: give one, or leave --out out")
    target = out or resume or usual
    if Path(target).is_dir():
        raise InvalidFile(f"{quote(target)} is a directory: give the name of a file")
    if not Path(target).parent.is_dir():
        raise InvalidFile(
            f"{quote(target)} can't be written: there is no folder {quote(str(Path(target).parent))}"
        )
    if Path(target).exists() and target != resume:
        hint = "go on with --resume, or choose another --out" if resumes else "choose another --out"
        raise InvalidFile(f"{quote(target)} is there already: {hint}")
    return target


def curve_file(target: str, resume: str | None) -> Path:
    """Where the curve goes; only the curve of the network that goes on may be there already. Raises InvalidFile."""
    if Path(target).suffix.lower() == ".csv":
        raise InvalidFile(
            f"{quote(Path(target).name)} would be the curve's file too: give a name that doesn't end in .csv"
        )
    path = Path(target).with_suffix(".csv")
    if path.exists() and (resume is None or Path(resume).with_suffix(".csv") != path):
        raise InvalidFile(
            f"{quote(path.name)}, where the curve would go, is there already: choose another --out"
        )
    return path


def signed(origin: dict[str, str]) -> None:
    """Add to a network's origin the command that is running, behind those that made it before."""
    from twofold.learn.temporal import origin_of

    before = origin.get("command", "")
    command = "twofold " + " ".join(sys.argv[1:])
    origin |= origin_of(f"{before}; {command}" if before else command)


def run_watched(training: Any, curve: Curve, target: str, picture: str | None, *, quiet: bool) -> None:
    """Run a training to its end or to Ctrl-C, with its curve in a file, on the screen and, if wanted, as a picture."""
    from twofold.learn.curve import draw_curves

    training.save(target)  # a path that can't be written shows now, not after hours
    try:
        watch(training, curve, target, quiet=quiet)
    except KeyboardInterrupt:
        print(f"stopped: go on with --resume {target}", file=sys.stderr)
        raise
    finally:
        if picture is not None:
            draw_curves({Path(target).stem: curve.path}, picture)


def watch(training: Any, curve: Curve, target: str, *, quiet: bool) -> None:
    """Run the training and show its lines: as a picture on a terminal, else one by one."""
    live = is_live_terminal() and not quiet
    with contextlib.ExitStack() as stack:
        lines = stack.enter_context(contextlib.closing(training.run(target, every=2.0 if live else 10.0)))
        if not live:
            for line in lines:
                curve.add(line)
                if not quiet:
                    print_text(_text(line, curve.ranks))
                    sys.stdout.flush()
            return
        from rich.live import Live

        kept = 0.0
        history: list[Progress] = []
        screen = stack.enter_context(Live(console=make_console(), auto_refresh=False, transient=False))
        for line in lines:
            history.append(line)
            if time.monotonic() - kept >= 10.0 or training.done >= 1:
                curve.add(line)
                kept = time.monotonic()
            screen.update(_picture(history, curve.ranks, training.done, target), refresh=True)


def _text(line: Progress, ranks: tuple[int, ...]) -> str:
    shares = " ".join(f"{1 << rank}:{100 * line.tops[rank]:.1f}%" for rank in ranks[-5:])
    judged = "" if math.isnan(line.evaluation) else f" evaluation {line.evaluation:,.0f}"
    return (
        f"{line.seconds:7.0f} s {line.games:,} games {_short(line.moves)} moves {_short(line.speed)}/s "
        f"score {line.score:,.0f}{judged} {shares}"
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


def _picture(history: list[Progress], ranks: tuple[int, ...], done: float, target: str) -> Any:
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
    judged = "" if math.isnan(line.evaluation) else f", evaluation {line.evaluation:,.0f}"
    table.add_row("mean score", f"{line.score:,.0f}{judged}")
    table.add_row("tiles", "  ".join(f"{1 << rank}: {100 * line.tops[rank]:.1f} %" for rank in ranks))
    table.add_row("file", target)
    return Group(table, Text(sparkline([each.score for each in history], 72)))
