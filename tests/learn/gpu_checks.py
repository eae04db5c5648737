"""What test_gpu.py runs in a process of its own: numba chooses its CUDA simulator when it is imported.

Run as `NUMBA_ENABLE_CUDASIM=1 python -m tests.learn.gpu_checks`; prints the names of the checks that passed.
"""

from __future__ import annotations

import math
import tempfile
import warnings
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import numpy as np

from tests.learn.test_temporal import best, entries_of
from twofold.evaluation.learned import from_network
from twofold.evaluation.network import Design, Network, parse_stages
from twofold.evaluation.tuples import parse_tuples
from twofold.evaluation.weights import load_network
from twofold.kernels.ntuple.temporal import LATE
from twofold.learn.gpu import GpuTraining, Lanes
from twofold.learn.settings import TrainingSettings
from twofold.learn.workers import make_worker
from twofold.rules.direction import DIRECTIONS
from twofold.rules.game import Game
from twofold.rules.variant import Variant
from twofold.search.expectimax import Searcher

SEED = 11


def network(stages: str, coherent: bool) -> Network:
    design = Design(Variant(p4=0.2), parse_tuples("0123 0145 05af", 16), 16, *parse_stages(stages))
    made = Network.fresh(design, coherent=coherent)
    made.weights[:] = np.random.default_rng(3).normal(0, 5, made.weights.shape)
    return made


def games_of(lanes: Lanes, games: int) -> np.ndarray:
    lanes.begin(SEED, 0, games)
    lanes.round(lambda: 0.01, 1e9, steps=10)
    return lanes.ends[np.argsort(lanes.ends[:, 0])]


def check_play() -> None:
    """Without learning each game is, to the point, the one that the processor plays."""
    for stages in ("", "64 128", "sum:100"):
        played = network(stages, False)
        ends = games_of(Lanes(played, False, 2, 0, learning=False), 3)
        worker = make_worker(played, coherent=False)
        worker.play(SEED, 0, np.zeros(3, np.float32), np.zeros(1, np.uint64))
        expected = [(n, worker.score[n], worker.moves[n], worker.top[n]) for n in range(3)]
        assert [tuple(row) for row in ends.tolist()] == expected, stages


def check_doubling() -> None:
    """The same games as on the processor are followed by one with their tile doubled."""
    played = network("", False)
    ends = games_of(Lanes(played, False, 1, 0, double="64", learning=False), 5)
    worker = make_worker(played, coherent=False, double="64")
    assert ends[:, 3].tolist().count(LATE) in (1, 2)
    for n in range(5):  # one by one, for a worker plays two side by side
        worker.play(SEED, n, np.zeros(1, np.float32), np.zeros(1, np.uint64))
        assert (ends[n, 3] == LATE) == (worker.top[0] == LATE)
        if worker.top[0] != LATE:  # those that begin late draw other tiles
            assert ends[n, 1] == worker.score[0]


def learn_plainly(learned: Network, method: str, lanes: int, moves: int, rate: float) -> None:
    """The batch as the texts of kernels/gpu/cuda.py say it, by the public rules."""
    games = [Game(learned.design.variant, SEED, index=lane) for lane in range(lanes)]
    before = [None] * lanes
    for _ in range(moves):
        sums: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0])
        searcher = Searcher(from_network(learned), table_bits=0)
        choices = [best(searcher, game.board) for game in games]
        for lane, choice in enumerate(choices):
            if before[lane] is not None:
                target = np.float32(choice[0] if choice else 0.0)
                difference = target - np.float32(searcher.evaluate(before[lane], 0))
                for at in entries_of(learned, before[lane]):
                    sums[at][0] += math.floor(difference * np.float32(4) + np.float32(0.5))
                    sums[at][1] += 1
        for at, (total, count) in sums.items():
            mean = np.float32(total) / (np.float32(4) * np.float32(count))
            share = np.float32(1)
            if method == "tc":
                assert learned.errors is not None
                e, a = learned.errors[at]
                share = abs(e) / a if a > 0 else share
                learned.errors[at] = (e + mean, a + abs(mean))
            learned.weights[at] += share * (np.float32(rate) * mean)
        for lane, choice in enumerate(choices):
            assert choice is not None, "the moves are few enough for no game to end"
            before[lane] = games[lane].move(DIRECTIONS[choice[2]]).slide.board


def check_learning() -> None:
    """Tables and sums after some moves of several games are those of the plain program, bit by bit."""
    for method in ("td", "tc"):
        fast, plain = (network("16", method == "tc") for _ in range(2))
        lanes = Lanes(fast, method == "tc", 3, 0)
        lanes.begin(SEED, 0, 10)
        lanes.round(lambda: 0.02, 0.0, steps=25)
        assert lanes.made == 75
        lanes.fetch()
        learn_plainly(plain, method, 3, 25, 0.02)
        np.testing.assert_array_equal(fast.weights, plain.weights)
        if method == "tc":
            np.testing.assert_array_equal(fast.errors, plain.errors)


def check_training() -> None:
    """A run by games plays each once, writes its file, and goes on from it; late games are told apart."""
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "a.2048net")
        settings = TrainingSettings(
            games=3, seed=SEED, evaluation_games=0, decay=0, restart=20, device="cuda", lanes=2
        )
        training = GpuTraining(network("", True), settings)
        lines = list(training.run(file))
        kept = load_network(file, learning=True)
        assert (training.games, kept.origin["games"], kept.origin["next"]) == (3, "3", "3")
        assert int(kept.origin["moves"]) >= sum(line.moves for line in lines[-1:]) > 0
        assert kept.errors is not None
        assert (kept.weights == training.network.weights).all()
        again = GpuTraining(kept, replace(settings, games=1, evaluation_games=2, restart=0))
        list(again.run(file))
        assert load_network(file).origin["games"] == "4"
        assert again.evaluate(2) > 0


def main() -> None:
    warnings.filterwarnings("ignore")  # words wrap round, and numpy says so in the simulator
    for check in (check_play, check_doubling, check_learning, check_training):
        check()
        print(check.__name__, flush=True)


if __name__ == "__main__":
    main()
