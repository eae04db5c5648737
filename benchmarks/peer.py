"""Expectimax at nneonneo's rule beside nneonneo's own program, on the same positions in the same run.

    python -m benchmarks.peer PROGRAM [--dry]

PROGRAM reads boards from standard input, one a line as 16 hexadecimal digits with the top left cell in the lowest
digit (nneonneo's order), and writes to standard output for each the number of its move (0 up, 1 down, 2 left, 3
right), and at the end a line `rate X` with its moves per second of processor time. A dozen lines of C++ around
`find_best_move` do that; peers' code is not part of this project.

The positions (positions.txt) are every 60th of games of `expectimax:nodes=8000,cut=0.0001`. The rule: depth
max(3, distinct tiles - 2) + 1 moves, branches below probability 1e-4 valued at once, deeper table entries reused.
Where the moves differ, the share of positions in which ours values the two moves within 0.1 % is told too.
"""

from __future__ import annotations

import argparse
import subprocess
import time
from pathlib import Path

from benchmarks import history
from twofold import Board, Direction, State, make_player

POSITIONS = Path(__file__).parent / "positions.txt"
THEIR_MOVES = (Direction.UP, Direction.DOWN, Direction.LEFT, Direction.RIGHT)
PLAYER = "expectimax:adaptive=1,cut=0.0001,deeper=1"


def low_first(board: Board) -> str:
    """The board as hexadecimal digits, top left in the lowest."""
    return f"{sum(rank << 4 * i for i, rank in enumerate(board.cells)):016x}"


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("program")
    parser.add_argument("--dry", action="store_true", help="print only, append nothing")
    options = parser.parse_args()
    boards = [Board.parse(line) for line in POSITIONS.read_text("utf-8").splitlines()]
    asked = "\n".join(map(low_first, boards))
    answer = subprocess.run(
        [options.program], input=asked, capture_output=True, text=True, check=True
    ).stdout.split()
    rate = float(answer[answer.index("rate") + 1])
    theirs = [THEIR_MOVES[int(word)] for word in answer[: len(boards)]]

    player = make_player(PLAYER)
    player.decide(State.of(boards[0]))
    same = near = leaves = 0
    begin = time.process_time()
    decisions = [player.decide(State.of(board)) for board in boards]
    used = time.process_time() - begin
    for decision, move in zip(decisions, theirs, strict=True):
        leaves += decision.nodes
        other = decision.values[move]
        if decision.move == move:
            same += 1
        elif (
            other is not None
            and decision.value is not None
            and decision.value - other < 1e-3 * abs(decision.value)
        ):
            near += 1
    ours = len(boards) / used
    print(f"{len(boards)} positions; ours {ours:.1f}, theirs {rate:.1f} moves/s: {ours / rate:.2f} times")
    print(
        f"{leaves / used / 1e6:.1f} million leaves/s; same move {same}, else within 0.1 % of its value {near}"
    )
    if not options.dry:
        history.append(
            {"expectimax_over_nneonneo": ours / rate, "expectimax_same_as_nneonneo": same / len(boards)}
        )


if __name__ == "__main__":
    main()
