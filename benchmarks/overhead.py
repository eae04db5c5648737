"""What the arena adds to the time of the quickest games: random ones, in the arena and by the kernel alone.

    python -m benchmarks.overhead [--games 100000] [--repeats 5]

One job, that is one thread that plays and one that stores. Both are timed in turn, by the clock and in processor time
(of both threads, so a store that keeps up costs there what it doesn't cost by the clock). The arena's time holds
claiming, playing and storing every game in a new SQLite file. Exit code 1 if the median by the clock is below 50 %,
which is what the arena is made for on an idle machine.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from twofold.arena.experiment import Experiment
from twofold.arena.play import play_run
from twofold.arena.store import Store
from twofold.players.random_games import random_games

LEAST = 0.5


def _time(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds of the clock and of processors."""
    begin, spent = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - begin, time.process_time() - spent


def shares(games: int, seed: int, folder: Path) -> tuple[float, float]:
    """The arena's rate over the kernel's on the same games: by the clock and in processor time."""
    alone = _time(lambda: random_games(count=games, seed=seed))
    with Store(str(folder / f"{seed}.db")) as store:
        run = store.begin(Experiment(["random"], games, seed=seed))
        through = _time(lambda: play_run(store, run))
        if sum(store.done(run).values()) != games:
            raise AssertionError("games are missing in the store")
    return alone[0] / through[0], alone[1] / through[1]


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    found = []
    with tempfile.TemporaryDirectory() as folder:
        shares(10_000, 0, Path(folder))  # loads compiled code
        for seed in range(1, options.repeats + 1):
            found.append(shares(options.games, seed, Path(folder)))
            print(f"arena / kernel: {found[-1][0]:.0%} by the clock, {found[-1][1]:.0%} in processor time")
    clock, processor = (statistics.median(each) for each in zip(*found, strict=True))
    print(
        f"{options.games:,} random games: the arena plays at {clock:.0%} of the kernel's rate by the clock, "
        f"{processor:.0%} in processor time (medians of {len(found)})"
    )
    sys.exit(clock < LEAST)


if __name__ == "__main__":
    main()
