"""How fast a user's compiled evaluation searches beside a built-in one.

    python benchmarks/user_evaluation.py [--depth 4] [--rounds 3]

Prints positions valued per second for the built-in `default` evaluation, for a built-in function evaluation and for
users' evaluations, each the best of a few rounds on the same positions, and each as a share of the first. A
user's evaluation is asked to reach a third of the built-in speed: of the default's as a light function or as a formula
of lines, of a built-in function's as a function with the same work to do.
"""

from __future__ import annotations

import argparse
import time

from twofold.evaluation.base import Evaluation
from twofold.evaluation.function import from_function
from twofold.evaluation.registry import make_evaluation
from twofold.rules import Board, State
from twofold.search.expectimax import Searcher

BOARDS = (
    "2 4 8 16|. 2 4 8|. . 2 4|. . . 2",
    "512 128 32 8|2 16 64 4|. 4 8 2|. . 2 .",
    ". 2 . .|4 . . 2|. 8 . .|. . 16 .",
)


def empties(board):  # type: ignore[no-untyped-def]
    """The plainest: empty cells."""
    count = 0
    for row in range(board.shape[0]):
        for column in range(board.shape[1]):
            count += board[row, column] == 0
    return float(count)


def smooth(board, empty=270.0, merge=700.0, mono=47.0, total=11.0):  # type: ignore[no-untyped-def]
    """Much like the default evaluation, without its tables."""
    value = 0.0
    for turned in range(2):
        for line in range(board.shape[turned]):
            falls, rises = 0.0, 0.0
            before = -1.0
            for i in range(board.shape[1 - turned]):
                rank = board[i, line] if turned else board[line, i]
                here = float(rank) * float(rank)
                if rank == 0:
                    value += empty
                if before >= 0.0:
                    if before > here:
                        falls += before - here
                    else:
                        rises += here - before
                    if before == here and rank != 0:
                        value += merge
                before = here
                value -= total * here
            value -= mono * min(falls, rises)
    return value


def smooth_line(line):  # type: ignore[no-untyped-def]
    """The same formula of one row or column: the search looks its values up in tables inside 4x4."""
    value, falls, rises, before = 0.0, 0.0, 0.0, -1.0
    for i in range(len(line)):
        here = float(line[i]) * float(line[i])
        if line[i] == 0:
            value += 270.0
        if before >= 0.0:
            falls += max(0.0, before - here)
            rises += max(0.0, here - before)
            if before == here and line[i] != 0:
                value += 700.0
        before = here
        value -= 11.0 * here
    return value - 47.0 * min(falls, rises)


def rate(evaluation: Evaluation, depth: int, rounds: int) -> float:
    """Positions valued per second, the best of the rounds."""
    searcher = Searcher(evaluation)
    best = 0.0
    for _ in range(rounds + 1):  # the first one compiles
        nodes = 0
        start = time.perf_counter()
        for text in BOARDS:
            searcher.start(State.of(Board.parse(text)), depth=depth)
            searcher.search(depth)
            nodes += searcher.nodes
        best = max(best, nodes / (time.perf_counter() - start))
    return best


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--depth", type=int, default=4, help="moves searched")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    evaluations = {
        "default (tables)": make_evaluation("default"),
        "snake (tables)": make_evaluation("snake"),
        "h2 (built-in function)": make_evaluation("h2"),
        "user: empties": from_function(empties),
        "user: smooth": from_function(smooth),
        "user: smooth by lines": from_function(smooth_line),
    }
    first = 0.0
    for name, evaluation in evaluations.items():
        speed = rate(evaluation, options.depth, options.rounds)
        first = first or speed
        print(f"{name:24}{speed / 1e6:8.1f} M positions/s{speed / first:8.2f}")


if __name__ == "__main__":
    main()
