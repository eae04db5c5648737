"""``twofold train ntuple``: train a tuple network, watch its curve, stop and go on at will."""

from __future__ import annotations

import contextlib
import itertools
import math
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from twofold.ui.commands import options
from twofold.ui.output import is_live_terminal, make_console, print_json, print_text

if TYPE_CHECKING:
    from twofold.learn.temporal import Progress, Settings
    from twofold.values.network import Network

DEFAULT_OUT = "ntuple.2048net"


def ntuple(
    tuples: Annotated[
        str | None,
        typer.Option(
            "--tuples",
            help="Groups of cells, digits 0-9a-z in reading order.",
            metavar="TEXT",
            show_default="012345 456789 012456 45689a on 4x4",
        ),
    ] = None,
    stages: Annotated[
        str | None,
        typer.Option(
            "--stages",
            help="Tiles at which another set of tables begins, like 16384,32768, or sums of all tiles, like "
            "sum:16384,24576; with --resume the network is split.",
            metavar="TILES",
            show_default="none",
        ),
    ] = None,
    method: Annotated[
        str, typer.Option("--method", help="tc (temporal coherence) or td.", metavar="NAME")
    ] = "tc",
    optimistic: Annotated[
        float,
        typer.Option("--optimistic", help="Points that a fresh network gives every board.", metavar="V0"),
    ] = 0.0,
    rate: Annotated[
        float | None,
        typer.Option("--rate", help="Learning rate.", metavar="X", show_default="1 for tc, 0.1 for td"),
    ] = None,
    decay: Annotated[
        float,
        typer.Option(
            "--decay",
            help="Share of the run, at its end, in which the rate falls to a hundredth.",
            metavar="X",
        ),
    ] = 0.1,
    restart: Annotated[
        int,
        typer.Option(
            "--restart",
            help="Follow each game of at least twice as many moves by one from its middle; 0: never.",
            metavar="MOVES",
        ),
    ] = 0,
    minutes: Annotated[
        float | None,
        typer.Option(
            "--minutes", help="Time to train.", metavar="M", show_default="10 if there is no --games"
        ),
    ] = None,
    games: Annotated[
        int | None, typer.Option("--games", help="Games to train.", metavar="N", show_default=False)
    ] = None,
    threads: Annotated[
        int,
        typer.Option("--threads", help="Threads on one table; 0: as many as others leave idle.", metavar="N"),
    ] = 1,
    device: Annotated[
        str,
        typer.Option("--device", help="cpu, or cuda for an NVIDIA GPU (4x4, random spawns).", metavar="NAME"),
    ] = "cpu",
    lanes: Annotated[
        int | None,
        typer.Option(
            "--lanes",
            help="Games side by side on the GPU.",
            metavar="N",
            show_default="131072",
        ),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            help="File for checkpoints and the result; the curve goes beside it as .csv.",
            metavar="FILE",
            show_default="the file of --resume, or " + DEFAULT_OUT,
        ),
    ] = None,
    resume: Annotated[
        str | None,
        typer.Option(
            "--resume", help="Go on with the network in this file.", metavar="FILE", show_default=False
        ),
    ] = None,
    checkpoint: Annotated[
        float, typer.Option("--checkpoint", help="Seconds between checkpoints.", metavar="X")
    ] = 60.0,
    picture: Annotated[
        str | None,
        typer.Option(
            "--picture", help="Draw the curve into this .png or .svg.", metavar="FILE", show_default=False
        ),
    ] = None,
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
    from twofold.learn.curve import Curve, check_plots, draw_curves
    from twofold.learn.temporal import Settings, origin_of
    from twofold.ui.inputs import Rules

    if minutes is None and games is None:
        minutes = 10.0
    settings = Settings(
        method=method,
        rate=rate,
        minutes=minutes,
        games=games,
        decay=decay,
        restart=restart,
        threads=threads,
        checkpoint=checkpoint,
        seed=options.checked_seed(seed),
    )
    if picture is not None:
        check_plots()
    target = _target(out, resume)
    beside = _curve_file(target, resume)
    rules = Rules(size=size, map=map, shape=shape, p4=p4, spawn=spawn, variant=variant)
    network = (
        _resumed(resume, tuples, stages, rules)
        if resume
        else _fresh(tuples, stages, rules, method, optimistic)
    )
    before = network.origin.get("command", "")
    command = "twofold " + " ".join(sys.argv[1:])
    network.origin |= origin_of(f"{before}; {command}" if before else command)
    training = _training(network, settings, device, lanes)
    curve = Curve(beside, network.design, fresh=resume is None)
    training.save(target)  # a path that can't be written shows now, not after hours
    began = training.games
    try:
        _watch(training, settings, curve, target, quiet=json)
    except KeyboardInterrupt:
        print(f"stopped: go on with --resume {target}", file=sys.stderr)
        raise
    finally:
        if picture is not None:
            draw_curves({Path(target).stem: curve.path}, picture)
    figures = _measure(training, began)
    network.origin |= {"score": f"{figures['score']:.0f}", "score_games": str(figures["games_measured"])}
    training.save(target)
    figures["file"] = target
    if json:
        print_json(figures)
    else:
        print_text(
            f"{target}: {figures['moves']:,} moves in {figures['games']:,} games; greedy mean score "
            f"{figures['score']:,.0f} in {figures['games_measured']} games"
        )


def shrink(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="A checkpoint of 'twofold train ntuple'.", show_default=False),
    ],
    out: Annotated[str, typer.Option("--out", help="File to write.", metavar="FILE", show_default=False)],
    megabytes: Annotated[
        float,
        typer.Option("--megabytes", help="Largest size of the file, in millions of bytes.", metavar="X"),
    ] = 30.0,
    quantum: Annotated[
        float, typer.Option("--quantum", help="Points that entries are rounded to.", metavar="X")
    ] = 4.0,
    split: Annotated[
        str | None,
        typer.Option(
            "--split",
            help="The checkpoint that --stages was applied to: what no stage has changed since is left out.",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    json: options.Json = False,
    seed: options.UnusedSeed = None,
) -> None:
    """Make a small network for playing from a checkpoint: drop entries that are hardly known, round the others."""
    from twofold.errors import InvalidParameter
    from twofold.values.shrink import shrink as shrink_network
    from twofold.values.weights import load_network, save_network

    target = _target(out, None)
    if not (math.isfinite(megabytes) and 0 < megabytes < 1e5):
        raise InvalidParameter(f"--megabytes {megabytes} is not above 0")
    network = load_network(file, learning=True)
    before = None if split is None else load_network(split)
    small = shrink_network(network, int(megabytes * 1e6), quantum=quantum, split=before)
    save_network(target, small.network, level=19)
    size = Path(target).stat().st_size
    if json:
        print_json({"file": target, "bytes": size, "kept": small.kept, "quantum": quantum})
    else:
        print_text(f"{target}: {size:,} bytes, {100 * small.kept:.1f} % of the entries that were learned")


def _target(out: str | None, resume: str | None, usual: str = DEFAULT_OUT) -> str:
    from twofold.errors import InvalidFile, quote

    target = out or resume or usual
    if Path(target).is_dir():
        raise InvalidFile(f"{quote(target)} is a directory: give the name of a file")
    if Path(target).exists() and target != resume:
        raise InvalidFile(f"{quote(target)} is there already: go on with --resume, or choose another --out")
    return target


def _curve_file(target: str, resume: str | None) -> Path:
    """Where the curve goes; only the curve of the network that goes on may be there already."""
    from twofold.errors import InvalidFile, quote

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


def _fresh(tuples: str | None, stages: str | None, rules: Any, method: str, optimistic: float) -> Network:
    from twofold.errors import InvalidParameter
    from twofold.values.network import (
        Design,
        Network,
        default_base,
        default_tuples,
        parse_stages,
        parse_tuples,
    )

    if not (math.isfinite(optimistic) and abs(optimistic) <= 1e9):
        raise InvalidParameter(f"--optimistic {optimistic} is not a number of points")
    variant = rules.to_variant()
    board = variant.start
    found = parse_tuples(tuples if tuples is not None else default_tuples(board), len(board.cells))
    design = Design(variant, found, default_base(board.without_tiles()), *parse_stages(stages or ""))
    return Network.fresh(design, optimistic=optimistic, coherent=method == "tc")


def _resumed(path: str, tuples: str | None, stages: str | None, rules: Any) -> Network:
    from twofold.errors import InvalidParameter
    from twofold.ui.inputs import Rules
    from twofold.values.network import parse_stages, parse_tuples
    from twofold.values.weights import load_network

    network = load_network(path, learning=True)
    design = network.design
    if rules != Rules() and rules.to_variant() != design.variant:
        raise InvalidParameter(f"the network in {path} is for {design.variant}, not for {rules.to_variant()}")
    if tuples is not None and parse_tuples(tuples, len(design.shape.cells)) != design.tuples:
        raise InvalidParameter(f"the network in {path} has the tuples {design.text}: leave out --tuples")
    return network if stages is None else network.with_stages(*parse_stages(stages))


def _training(network: Network, settings: Any, device: str, lanes: int | None) -> Any:
    from twofold.errors import InvalidParameter, quote
    from twofold.learn.gpu import LANES, GpuTraining
    from twofold.learn.temporal import Training

    if device == "cuda":
        return GpuTraining(network, settings, LANES if lanes is None else lanes)
    if device != "cpu":
        raise InvalidParameter(f"--device {quote(device)} is neither cpu nor cuda")
    if lanes is not None:
        raise InvalidParameter("--lanes is for --device cuda")
    return Training(network, settings)


def _watch(training: Any, settings: Settings, curve: Any, target: str, *, quiet: bool) -> None:
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
        f"{line.seconds:7.0f} s {line.games:,} games {line.moves / 1e6:,.0f} M moves {line.speed / 1e6:.2f} M/s "
        f"score {line.score:,.0f}{judged} {shares}"
    )


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
    table.add_row(
        "speed", f"{line.speed / 1e6:.2f} million moves/s on {line.threads} threads, rate {line.rate:.3f}"
    )
    judged = "" if math.isnan(line.evaluation) else f", evaluation {line.evaluation:,.0f}"
    table.add_row("mean score", f"{line.score:,.0f}{judged}")
    table.add_row("tiles", "  ".join(f"{1 << rank}: {100 * line.tops[rank]:.1f} %" for rank in ranks))
    table.add_row("file", target)
    return Group(table, Text(sparkline([each.score for each in history], 72)))


def _measure(training: Any, began: int) -> dict[str, Any]:
    games = 1000 if training.games - began > 1000 else 100
    return {
        "games": training.games,
        "moves": training.moves,
        "seconds": round(training.seconds, 1),
        "score": training.evaluate(games),
        "games_measured": games,
    }
