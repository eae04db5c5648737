"""Trains a network on a CUDA device by one command, in stretches that add up.

    python -m benchmarks.studies.gpu_train --minutes 8 --out run1                      # from zero
    python -m benchmarks.studies.gpu_train --minutes 8 --resume run1 --out run2        # goes on with run1's parts
    python -m benchmarks.studies.gpu_train --out run2 --join mine.2048net              # the parts as one network file

In the folder of --out: `figures.json` (device, moves learned from and played per second, greedy mean with interval,
command, commit), `curve.csv`, and the network in 16 bits as `network.0`, `network.1`, … of at most 16 MB each and 56
MB in all, written before the time is over.

`--resume` starts temporal coherence anew: the parts hold what was learned, not how sure it is.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks import history
from twofold.arena.statistics import mean_interval
from twofold.errors import TwofoldError
from twofold.evaluation.network import Design, Network, parse_stages
from twofold.evaluation.shrink import shrink
from twofold.evaluation.tuples import DEFAULT_TUPLES, parse_tuples
from twofold.evaluation.weights import load_network, save_network
from twofold.learn.curve import Curve
from twofold.learn.gpu import LANES, GpuTraining, Lanes, find_device
from twofold.learn.settings import TrainingSettings
from twofold.learn.temporal import origin_of

PART = 16_000_000
SIZE = 56_000_000
TRUST = 0.1
"""The rate at which what was kept of a network learns on."""

EVALUATION_SEED = 0x5EED


def join(folder: Path, out: Path) -> None:
    """Write the network file that the parts in `folder` make up."""
    parts = sorted(folder.glob("network.[0-9]"), key=lambda path: path.name)
    if not parts:
        raise FileNotFoundError(f"no network.0 in {folder}")
    out.write_bytes(b"".join(part.read_bytes() for part in parts))


def resumed(folder: Path, scratch: Path) -> Network:
    """The network in a folder's parts, ready to learn on."""
    join(folder, scratch)
    network = load_network(scratch)
    scratch.unlink()
    return network.dequantised(TRUST)


def keep(network: Network, folder: Path) -> None:
    """Write the network as parts."""
    whole = folder / "network.whole"
    small = shrink(network, SIZE, quantum=16.0)
    save_network(whole, small.network, small.coded)
    data = whole.read_bytes()
    whole.unlink()
    for old in folder.glob("network.[0-9]"):
        old.unlink()
    for number in range(-(-len(data) // PART)):
        (folder / f"network.{number}").write_bytes(data[number * PART : (number + 1) * PART])


def rate(network: Network, lanes: int, seconds: float, *, learning: bool) -> float:
    """Moves per second: learned from (TC), or played."""
    games = Lanes(network, learning, lanes, 0, learning=learning)
    games.begin(1, 0, 1 << 62)
    games.round(lambda: 1.0 / network.design.terms, 0.0)  # compiled, caches filled
    begin = time.perf_counter()
    games.round(lambda: 1.0 / network.design.terms, seconds)
    return games.made / (time.perf_counter() - begin)


def evaluate(network: Network, games: int) -> dict[str, Any]:
    """Greedy games without learning: mean with 95 % interval and shares of large tiles."""
    lanes = Lanes(network, False, games, 0, learning=False)
    lanes.begin(EVALUATION_SEED, 0, games)
    lanes.round(lambda: 0.0, 1e9)
    shares = {str(1 << rank): float((lanes.top >= rank).mean()) for rank in range(11, 16)}
    return {
        "games": games,
        "mean": float(lanes.score.mean()),
        "interval": mean_interval(lanes.score),
        "shares": shares,
    }


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=8.0, help="time to learn")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--resume", type=Path, help="folder of an earlier run")
    parser.add_argument("--join", type=Path, help="only write the network in --out's parts to this file")
    parser.add_argument("--tuples", default=DEFAULT_TUPLES)
    parser.add_argument(
        "--stages", default="", help="like 16384 or sum:16384,24576; splits a resumed network"
    )
    parser.add_argument("--optimistic", type=float, default=0.0)
    parser.add_argument("--method", default="tc")
    parser.add_argument("--rate", type=float)
    parser.add_argument("--decay", type=float, default=0.1)
    parser.add_argument("--restart", type=int, default=0)
    parser.add_argument("--double", default="", help="tile that games go on from doubled")
    parser.add_argument(
        "--promote", action="store_true", help="entries of the largest rank: one tile lower's"
    )
    parser.add_argument("--forget", type=float, default=0.0, help="share of the errors so far")
    parser.add_argument("--lanes", type=int, default=LANES)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--games", type=int, default=1000, help="greedy games at the end")
    options = parser.parse_args()
    if options.join:
        join(options.out, options.join)
        return
    print("device:", device := find_device(), flush=True)
    options.out.mkdir(parents=True, exist_ok=True)
    stages = parse_stages(options.stages)
    if options.resume:
        network = resumed(options.resume, options.out / "joined")
        network = network.with_stages(*stages) if options.stages else network
        if options.promote:
            network.promote()
        if options.forget:
            network.forget(options.forget)
    else:
        design = Design(tuples=parse_tuples(options.tuples, 16), stages=stages[0], by_sum=stages[1])
        network = Network.fresh(design, optimistic=options.optimistic, coherent=options.method == "tc")
    before = network.origin.get("command", "")
    command = "python -m benchmarks.studies.gpu_train " + " ".join(sys.argv[1:])
    network.origin |= origin_of(f"{before}; {command}" if before else command)
    settings = TrainingSettings(
        method=options.method,
        rate=options.rate,
        minutes=options.minutes,
        decay=options.decay,
        restart=options.restart,
        double=options.double,
        seed=options.seed,
        evaluation_games=0,
        device="cuda",
        lanes=options.lanes,
    )
    training = GpuTraining(network, settings)
    curve = Curve(options.out / "curve.csv", network.design, fresh=True)
    for line in training.run(every=10.0):
        curve.add(line)
        print(
            f"{line.seconds:6.0f} s {line.moves / 1e9:8.2f} G moves {line.speed / 1e6:6.0f} M/s {line.score:8.0f}",
            flush=True,
        )
    training.fetch()
    figures: dict[str, Any] = {"device": device, "moves": training.moves, "games": training.games}
    figures["greedy"] = evaluate(network, options.games)
    network.origin |= {"score": f"{figures['greedy']['mean']:.0f}", "score_games": str(options.games)}
    print(json.dumps(figures["greedy"]), flush=True)
    keep(network, options.out)
    figures["learning_moves_per_second"] = training.moves / max(1e-9, training.seconds)
    figures["playing_moves_per_second"] = rate(network, options.lanes, 3.0, learning=False)
    figures |= {"command": network.origin["command"], "commit": history.commit(), "seconds": training.seconds}
    (options.out / "figures.json").write_text(json.dumps(figures, indent=1) + "\n")
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    try:
        main()
    except (TwofoldError, OSError) as error:
        sys.exit(f"error: {error}")
