"""How much faster two threads are: on one hard position, and on many games.

    python benchmarks/threads.py [steps] [threads] [games]

One position: `lookahead:threads=N` against one thread, with the same values bit for bit. Many games: games of one
thread each, in a compiled loop (`LoopRunner`) and as processes of the arena, with the same scores. Prints the best of
several runs for each (wall-clock seconds). Needs as many idle cores as threads.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from twofold.arena.experiment import Experiment
from twofold.arena.play import play_run
from twofold.arena.pools import make_pool
from twofold.arena.store import Store
from twofold.evaluation.registry import make_evaluation
from twofold.players.batch import depth_batch
from twofold.players.registry import make_player
from twofold.rules import Board, State, Variant

POSITION = "2 . . 4|8 2 4 .|64 16 8 2|512 128 32 4"


def seconds(text: str, state: State, runs: int = 5) -> tuple[float, object]:
    """The fastest of several decisions, and the values."""
    player = make_player(text)
    best, found = float("inf"), None
    for _ in range(runs):
        begin = time.perf_counter()
        found = player.decide(state)
        best = min(best, time.perf_counter() - begin)
    assert found is not None
    return best, found.values


def games_by_threads(games: int, threads: int, runs: int = 3) -> tuple[float, list[int]]:
    """The fastest of several times for whole games in a compiled loop, and the scores."""
    loop = depth_batch(make_player("expectimax:depth=3"), make_evaluation("default"), Variant(), 3, 18)
    assert loop is not None
    best, scores = float("inf"), []
    for _ in range(runs):
        begin = time.perf_counter()
        scores = loop(0, games, 1, threads=threads).score.tolist()
        best = min(best, time.perf_counter() - begin)
    return best, scores


def games_by_jobs(games: int, jobs: int) -> tuple[float, list[int]]:
    """Seconds of the arena for games of S4's player, the start of its processes left out, and the scores."""
    players = ["lookahead:steps=2,eval=order(ratio=2,scale=1000)"]
    pool = make_pool(jobs, None)
    with tempfile.TemporaryDirectory() as folder, Store(str(Path(folder) / "games.db")) as store:
        play_run(store, store.begin(Experiment(players, 4 * jobs, seed=2)), pool=pool)
        run = store.begin(Experiment(players, games, seed=1))
        begin = time.perf_counter()
        play_run(store, run, pool=pool)
        seconds = time.perf_counter() - begin
        pool.close()
        return seconds, store.scores_from(run.entrants[0], 0)


def tell(name: str, one: float, many: float, threads: int, same: bool) -> None:
    """One line."""
    ratio = f"1 thread {one:.3f} s, {threads} threads {many:.3f} s: {one / many:.2f} x"
    print(f"{name:24} {ratio}, {'same results' if same else 'DIFFERENT RESULTS'}", flush=True)


def main() -> None:
    """Measure and print."""
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    threads = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    games = int(sys.argv[3]) if len(sys.argv) > 3 else 16
    state = State.of(Board.parse(POSITION))
    for evaluation in ("order", "default"):
        one, values = seconds(f"lookahead:steps={steps},eval={evaluation},table=22", state)
        many, same = seconds(f"lookahead:steps={steps},eval={evaluation},table=22,threads={threads}", state)
        tell(f"one position, {evaluation}", one, many, threads, values == same)
    for name, timed in (("games, one loop", games_by_threads), ("games, arena", games_by_jobs)):
        timed(threads, threads)  # compiles
        one, scores = timed(games, 1)
        many, again = timed(games, threads)
        tell(f"{games} {name}", one, many, threads, scores == again)


if __name__ == "__main__":
    main()
