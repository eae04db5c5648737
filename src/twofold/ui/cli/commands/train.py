"""``twofold train ntuple``: train a tuple network, watch its curve, stop and go on at will."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from twofold.ui.cli.commands import options
from twofold.ui.cli.output import print_json, print_text
from twofold.ui.cli.training import curve_file, run_watched, signed, target_file

if TYPE_CHECKING:
    from twofold.evaluation.network import Network

DEFAULT_OUT = "ntuple.2048net"

_HEAD = 500
"""Bytes of a small file beside its entries and what it says of itself."""


def ntuple(
    tuples: Annotated[
        str | None,
        typer.Option(
            "--tuples",
            help="Groups of cells, spaces between; a cell is a digit 0-9a-z in reading order. "
            "With --resume: those of the network and more.",
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
        typer.Option(
            "--optimistic",
            help="Points that a fresh network gives every board; with --resume: that unsure boards gain.",
            metavar="V0",
        ),
    ] = 0.0,
    fall: Annotated[
        float,
        typer.Option(
            "--fall",
            help="Points that a fresh network gives a board less for each point of its tiles' sum.",
            metavar="X",
        ),
    ] = 0.0,
    unsure: Annotated[
        float,
        typer.Option(
            "--unsure",
            help="With --resume and --optimistic: sum of errors below which an entry is unsure, in points.",
            metavar="A",
        ),
    ] = 20000.0,
    rate: Annotated[
        float | None,
        typer.Option("--rate", help="Learning rate.", metavar="X", show_default="1 for tc, 0.1 for td"),
    ] = None,
    decay: options.Decay = 0.1,
    restart: Annotated[
        int,
        typer.Option(
            "--restart",
            help="Follow each game of at least twice as many moves by one from its middle; 0: never.",
            metavar="MOVES",
        ),
    ] = 0,
    double: Annotated[
        str | None,
        typer.Option(
            "--double",
            help="A game that makes TILE, 8 to 16384, is followed by one from there with this tile doubled; or, like "
            "sum:14336,17408, one that comes to such a sum by one with its large tiles doubled (open 4x4 board, "
            "random spawns).",
            metavar="TILE",
            show_default="never",
        ),
    ] = None,
    promote: Annotated[
        bool,
        typer.Option(
            "--promote",
            help="With --resume: what was never learned of boards with the largest tile of the tables begins as what "
            "the same stage knows of boards one tile lower.",
        ),
    ] = False,
    forget: Annotated[
        float | None,
        typer.Option(
            "--forget",
            help="With --resume and tc: the share of all errors so far to forget, so that new ones count more.",
            metavar="SHARE",
            show_default="0",
        ),
    ] = None,
    trust: Annotated[
        float | None,
        typer.Option(
            "--trust",
            help="With --resume of a shrunk network and tc: the rate, up to 1, at which its entries begin to learn on.",
            metavar="X",
            show_default="none is resumed",
        ),
    ] = None,
    expected: Annotated[
        bool,
        typer.Option(
            "--expected",
            help="Learn from the mean over all spawns, not from the one that came: slower moves without their noise.",
        ),
    ] = False,
    explore: Annotated[
        float,
        typer.Option(
            "--explore",
            help="Chance that a move is drawn among those that seem little worse, while the best one is learned from.",
            metavar="P",
        ),
    ] = 0.0,
    within: Annotated[
        float | None,
        typer.Option(
            "--within",
            help="With --explore: how much worse such a move may seem, in points.",
            metavar="X",
            show_default="500",
        ),
    ] = None,
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
    out: options.NetworkOut = None,
    resume: options.Resume = None,
    checkpoint: options.Checkpoint = 60.0,
    picture: options.CurvePicture = None,
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
    from twofold.errors import InvalidParameter
    from twofold.learn.curve import Curve, check_picture
    from twofold.learn.temporal import Settings
    from twofold.ui.shared.rules_form import Rules

    if minutes is None and games is None:
        minutes = 10.0
    if within is not None and not explore:
        raise InvalidParameter("--within is for exploring moves: give --explore too")
    settings = Settings(
        method=method,
        rate=rate,
        minutes=minutes,
        games=games,
        decay=decay,
        restart=restart,
        double=double or "",
        expected=expected,
        explore=explore,
        within=Settings.within if within is None else within,
        threads=threads,
        checkpoint=checkpoint,
        seed=options.checked_seed(seed),
    )
    if picture is not None:
        check_picture(picture)
    if resume and not out and trust is not None:
        raise InvalidParameter("with --trust the small file would be lost: give another one by --out")
    target = target_file(out, resume, DEFAULT_OUT)
    beside = curve_file(target, resume)
    rules = Rules(size=size, map=map, shape=shape, p4=p4, spawn=spawn, variant=variant)
    _check_points(("--optimistic", optimistic), ("--fall", fall), ("--unsure", unsure))
    if resume:
        if fall:
            raise InvalidParameter("--fall is for a fresh network: leave it out with --resume")
        if trust is not None and method != "tc":
            raise InvalidParameter("--trust is for --method tc")
        network = _resumed(resume, tuples, stages, rules, trust)
        if promote:
            network.promote()
        if optimistic:
            network.hope(optimistic, unsure)
        if forget is not None:
            if method != "tc":
                raise InvalidParameter("--forget is for --method tc, whose rates come from its errors")
            network.forget(forget)
    else:
        if promote or forget is not None:
            raise InvalidParameter("--promote and --forget are for what was learned: give --resume FILE too")
        if trust is not None:
            raise InvalidParameter("--trust is for what was learned: give --resume FILE too")
        network = _fresh(tuples, stages, rules, method, optimistic, fall)
    signed(network.origin)
    training = _training(network, settings, device, lanes)
    curve = Curve(beside, network.design, fresh=resume is None)
    began = training.games
    run_watched(training, curve, target, picture, quiet=json)
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
        typer.Argument(
            metavar="FILE", help="A checkpoint of 'twofold train ntuple' or 'neural'.", show_default=False
        ),
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
    """Make a small network for playing from a checkpoint: drop entries that are hardly known, round the others.

    A neural network is rounded to 16-bit floating point numbers; --quantum and --split are for tuple networks.
    """
    from twofold.errors import InvalidParameter
    from twofold.evaluation.neural import is_neural
    from twofold.evaluation.shrink import shrink as shrink_network
    from twofold.evaluation.weights import describe, load_network, save_network

    target = target_file(out, None, DEFAULT_OUT, resumes=False)
    if not (math.isfinite(megabytes) and 0 < megabytes < 1e5):
        raise InvalidParameter(f"--megabytes {megabytes} is not above 0")
    if is_neural(file):
        _shrink_neural(file, target, int(megabytes * 1e6), json)
        return
    network = load_network(file, learning=True)
    before = None if split is None else load_network(split)
    beside = len(str(describe(network))) + _HEAD
    small = shrink_network(network, int(megabytes * 1e6) - beside, quantum=quantum, split=before)
    save_network(target, small.network, small.coded)
    size = Path(target).stat().st_size
    if json:
        print_json({"file": target, "bytes": size, "kept": small.kept, "quantum": quantum})
    else:
        print_text(f"{target}: {size:,} bytes, {100 * small.kept:.1f} % of the entries that were learned")


def _shrink_neural(file: str, target: str, most: int, json: bool) -> None:
    from twofold.errors import InvalidParameter
    from twofold.evaluation.neural import load_neural, save_neural

    save_neural(target, load_neural(file), small=True)
    size = Path(target).stat().st_size
    if size > most:
        Path(target).unlink()
        raise InvalidParameter(f"in 16 bits the network has {size:,} bytes, more than --megabytes allows")
    if json:
        print_json({"file": target, "bytes": size})
    else:
        print_text(f"{target}: {size:,} bytes")


def _check_points(*named: tuple[str, float]) -> None:
    from twofold.errors import InvalidParameter

    for option, points in named:
        if not (math.isfinite(points) and abs(points) <= 1e9):
            raise InvalidParameter(f"{option} {points} is not a number of points")


def _fresh(
    tuples: str | None, stages: str | None, rules: Any, method: str, optimistic: float, fall: float
) -> Network:
    from twofold.evaluation.network import Design, Network, parse_stages
    from twofold.evaluation.tuples import default_base, default_tuples, parse_tuples

    variant = rules.to_variant()
    board = variant.start
    found = parse_tuples(tuples if tuples is not None else default_tuples(board), len(board.cells))
    design = Design(variant, found, default_base(board.without_tiles()), *parse_stages(stages or ""))
    return Network.fresh(design, optimistic=optimistic, fall=fall, coherent=method == "tc")


def _resumed(
    path: str, tuples: str | None, stages: str | None, rules: Any, trust: float | None = None
) -> Network:
    import numpy as np

    from twofold.errors import InvalidParameter
    from twofold.evaluation.network import parse_stages
    from twofold.evaluation.tuples import parse_tuples
    from twofold.evaluation.weights import load_network
    from twofold.ui.shared.rules_form import Rules

    network = load_network(path, learning=True)
    if trust is None:
        if network.weights.dtype != np.float32:
            raise InvalidParameter(
                "a network shrunk for shipping knows no rates: resume from a checkpoint, or by --method tc with --trust"
            )
    elif not 0 < trust <= 1:
        raise InvalidParameter(f"--trust {trust} is not above 0 and up to 1")
    elif network.weights.dtype == np.float32:
        raise InvalidParameter("--trust is for a network that was shrunk: this one knows its own rates")
    else:
        network = network.thawed(trust)
    design = network.design
    if rules != Rules() and rules.to_variant() != design.variant:
        raise InvalidParameter(f"the network in {path} is for {design.variant}, not for {rules.to_variant()}")
    if tuples is not None:
        network = network.with_tuples(parse_tuples(tuples, len(design.shape.cells)))
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


def _measure(training: Any, began: int) -> dict[str, Any]:
    games = 1000 if training.games - began > 1000 else 100
    return {
        "games": training.games,
        "moves": training.moves,
        "seconds": round(training.seconds, 1),
        "score": training.evaluate(games),
        "games_measured": games,
    }
