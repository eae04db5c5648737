"""Speeds of learning and of playing with a tuple network, on one core, beside the peers' of docs/guides/learning.md.

    python -m benchmarks.training [--seconds X] [--file CHECKPOINT] [--write]

Rates are in processor time, so that other work on the machine disturbs them little; the ratio of two threads to one
is in seconds of the clock and needs an idle machine. Play is measured twice: with the entries mapped, as everybody gets
them, and (`memory`) unpacked into memory of its own. `moved`: with the images of
the tuples that `local_tuples` chooses, as networks for playing have them. `--file`: a
checkpoint of `twofold train ntuple`, for the rates on a trained network (else the network that comes with the package,
which can't learn on, only plays). `--write` keeps the figures in docs/results/training.json.
"""

from __future__ import annotations

import argparse
import json
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import history
from twofold.evaluation.learned import from_network, read_network, shipped_path
from twofold.evaluation.network import Design, Network
from twofold.evaluation.tuples import local_tuples
from twofold.evaluation.weights import load_network
from twofold.learn.workers import BLOCK, Worker, make_worker
from twofold.rules.board import Board
from twofold.rules.variant import Variant
from twofold.search.loops import GreedyLoop, SearchedLoop

RESULTS = Path(__file__).resolve().parent.parent / "docs" / "results" / "training.json"

PEERS = {
    "td_fresh": (3.55e6, "TDL2048 3.5-3.6"),
    "td_trained": (3.15e6, "TDL2048 3.1-3.2"),
    "greedy": (3.45e6, "TDL2048 3.2-3.7"),
    "depth_2": (42e3, "TDL2048 0.042"),
    "depth_3": (2.9e3, "TDL2048 0.0029"),
}
"""Moves per second of the C++ peer, measured on one core of the machine of this project's first measurements."""


def _learn(worker: Worker, terms: int, rate: float, first: int, games: int) -> int:
    worker.play(1, first, np.full(games, rate / terms, np.float32), np.zeros(1, np.uint64))
    return int(worker.moves[: worker.played].sum())


def learning_rate(network: Network, coherent: bool, seconds: float) -> float:
    """Moves learned from per second of one core; `network` learns on."""
    if coherent and network.errors is None:
        network.errors = np.zeros((*network.weights.shape, 2), np.float32)
    worker = make_worker(network, coherent=coherent)
    rate = 1.0 if coherent else 0.1
    _learn(worker, network.design.terms, 0.0, 0, 1)  # compile
    moves, begin, first = 0, time.process_time(), 0
    while time.process_time() - begin < seconds:
        moves += _learn(worker, network.design.terms, rate, first, 100)
        first += 100
    return moves / (time.process_time() - begin)


def two_threads(make: Callable[[], Network], seconds: float) -> float:
    """How many times more moves two threads on one table learn from than one, by the clock.

    On a fresh network both write the same few entries all the time and wait for each other's cache lines.
    """

    def run(threads: int) -> float:
        network = make()
        workers = [make_worker(network, coherent=True) for _ in range(threads)]
        stop = np.zeros(1, np.uint64)
        rates = np.full(BLOCK, 1.0 / network.design.terms, np.float32)
        tasks = [
            threading.Thread(target=worker.play, args=(1, BLOCK * i, rates, stop))
            for i, worker in enumerate(workers)
        ]
        begin = time.perf_counter()
        for task in tasks:
            task.start()
        time.sleep(seconds)
        stop[0] = 1
        for task in tasks:
            task.join()
        return sum(int(w.moves[: w.played].sum()) for w in workers) / (time.perf_counter() - begin)

    return run(2) / run(1)


def playing_rate(network: Network, depth: int, seconds: float) -> float:
    """Moves played per second of one core."""
    evaluation = from_network(network)
    greedy = depth == 1
    loop = GreedyLoop(evaluation, Variant()) if greedy else SearchedLoop(evaluation, Variant(), depth, 18)
    loop.play(0, 0, 1, 0)  # compile
    chunk = {1: 50, 2: 2}.get(depth, 1)
    moves, begin, first = 0, time.process_time(), 0
    while time.process_time() - begin < seconds:
        moves += int(loop.play(2, first, chunk, 0).moves.sum())
        first += chunk
    return moves / (time.process_time() - begin)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--file", help="checkpoint of a trained network")
    parser.add_argument("--write", action="store_true", help="keep the figures")
    options = parser.parse_args()
    figures: dict[str, float] = {}
    moved = Design(tuples=local_tuples(Design().tuples, Board.empty(4, 4)))
    figures["td_fresh"] = learning_rate(Network.fresh(Design()), False, options.seconds)
    figures["td_fresh_moved"] = learning_rate(Network.fresh(moved), False, options.seconds)
    figures["tc_fresh"] = learning_rate(Network.fresh(Design()), True, options.seconds)
    if options.file:
        trained = load_network(options.file, learning=True)
        figures["td_trained"] = learning_rate(trained, False, options.seconds)
        figures["tc_trained"] = learning_rate(trained, True, options.seconds)
        figures["threads_trained"] = two_threads(lambda: trained, options.seconds)
        trained = trained.with_local_tuples()
        figures["td_trained_moved"] = learning_rate(trained, False, options.seconds)
        figures["threads_trained_moved"] = two_threads(lambda: trained, options.seconds)
    figures["threads_fresh"] = two_threads(lambda: Network.fresh(Design(), coherent=True), options.seconds)
    for depth in (1, 2, 3):
        name = "greedy" if depth == 1 else f"depth_{depth}"
        figures[name] = playing_rate(read_network(), depth, options.seconds)
        figures[f"{name}_memory"] = playing_rate(load_network(shipped_path()), depth, options.seconds)
    for name, value in figures.items():
        peer = PEERS.get(name)
        beside = f"  {value / peer[0]:.2f} x {peer[1]} million/s" if peer else ""
        print(f"{name:<21} {value:>14,.2f}{beside}")
    if options.write:
        record: dict[str, Any] = {
            "figures": figures,
            "machine": history.machine(),
            "commit": history.commit(),
        }
        RESULTS.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
