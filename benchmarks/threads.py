"""lookahead on 1 and on 2 threads: one hard position, and the same values bit for bit.

    python benchmarks/threads.py [steps] [threads]

Prints the best of several runs for each (wall-clock seconds). Needs as many idle cores as threads.
"""

from __future__ import annotations

import sys
import time

from twofold.players.registry import make_player
from twofold.rules import Board, State

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


def main() -> None:
    """Measure and print."""
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    threads = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    state = State.of(Board.parse(POSITION))
    for evaluation in ("order", "default"):
        one, values = seconds(f"lookahead:steps={steps},eval={evaluation},table=22", state)
        many, same = seconds(f"lookahead:steps={steps},eval={evaluation},table=22,threads={threads}", state)
        print(
            f"{evaluation:10} 1 thread {one:.3f} s, {threads} threads {many:.3f} s: {one / many:.2f} x",
            end="",
        )
        print(", same values" if values == same else f", DIFFERENT: {values} {same}")


if __name__ == "__main__":
    main()
