"""How optimistic adls is: its values minus expectimax's at the same depth, and the bias that stays with any samples.

    python -m benchmarks.studies.adls_bias [positions] [samples]

In a sampled tree the best move is chosen with the spawns to come known, so a mean of maxima stands where expectimax has
a maximum of means. Positions come from one game of expectimax:depth=2; values are points (`highscore`) or empty cells.
"""

from __future__ import annotations

import statistics
import sys

from twofold.matches.play import play_game
from twofold.players.registry import make_player
from twofold.rules import State


def positions(count: int) -> list[State]:
    """States spread over a game."""
    states: list[State] = []
    play_game("expectimax:depth=2", None, seed=3, on_event=lambda event, _: states.append(event.state))
    alive = [state for state in states if state.legal_moves()]
    return alive[:: max(1, len(alive) // count)][:count]


def main() -> None:
    """Measure and print a table."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    samples = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    print("eval       depth  mean bias  standard error  mean |value|  same move")
    for evaluation in ("highscore", "empty"):
        for depth in (1, 2, 3, 4):
            sampled = make_player(f"adls:depth={depth},samples={samples},eval={evaluation}")
            exact = make_player(f"expectimax:depth={depth},eval={evaluation}")
            biases, sizes, same = [], [], 0
            for key, state in enumerate(positions(count)):
                one, two = sampled.decide(state, key), exact.decide(state)
                pairs = [
                    (a, b)
                    for a, b in zip(one.values, two.values, strict=True)
                    if a is not None and b is not None
                ]
                biases.append(statistics.fmean(a - b for a, b in pairs))
                sizes.append(statistics.fmean(abs(b) for _, b in pairs))
                same += one.move == two.move
            error = statistics.stdev(biases) / len(biases) ** 0.5
            print(
                f"{evaluation:10} {depth:5}  {statistics.fmean(biases):9.4f}  {error:14.4f}  "
                f"{statistics.fmean(sizes):12.3f}  {same / len(biases):8.0%}"
            )


if __name__ == "__main__":
    main()
