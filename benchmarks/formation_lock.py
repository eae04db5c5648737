"""What a player loses on random fillings of the 3x3 lock, against the exact solution.

    python -m benchmarks.formation_lock --player formation:file=FOLDER --boards 250

The nine largest tiles `16384 8192 4096|2048 1024 512|256 128 64` lie in the corner; the other seven cells are filled at
random with tiles below 64, each of 0, 2, …, 32 as likely. The exact solution is that of `twofold exact solve` with
these tiles locked (fixed): the probability that the next 64 is made while all of them stay. What a move loses is the
best move's probability minus its own.
"""

from __future__ import annotations

import argparse
import math

import numpy as np

from twofold.exact.policy import policy_of
from twofold.exact.problem import MAX_PROBABILITY, Problem
from twofold.exact.solver import solve
from twofold.players.registry import make_player
from twofold.rules.board import Board
from twofold.rules.state import State
from twofold.rules.variant import Variant

LOCK = "16384 8192 4096 .|2048 1024 512 .|256 128 64 .|. . . ."


def fillings(count: int, seed: int) -> list[Board]:
    """Random fillings of the lock that have a legal move."""
    random = np.random.default_rng(seed)
    lock = Board.parse(LOCK)
    found: list[Board] = []
    while len(found) < count:
        cells = bytearray(lock.cells)
        for cell in lock.empty_cells:
            cells[cell] = int(random.integers(0, 6))
        board = Board(4, 4, bytes(cells))
        if State.of(board).legal_moves():
            found.append(board)
    return found


def main() -> None:
    """Parse, solve, play, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--player", default="strongest")
    parser.add_argument("--boards", type=int, default=250)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    problem = Problem(Variant(start=Board.parse(LOCK), target=64), MAX_PROBABILITY, lock="fixed")
    policy = policy_of(solve(problem))
    player = make_player(options.player)
    losses = []
    for board in fillings(options.boards, options.seed):
        values = {move.direction: move.value for move in policy.moves(board)}
        if not values:
            continue  # no move keeps the lock: nothing is lost by any
        chosen = player.decide(State.of(board)).move
        losses.append(max(values.values()) - (values.get(chosen, 0.0) if chosen is not None else 0.0))
    mean = float(np.mean(losses))
    half = 1.96 * float(np.std(losses)) / math.sqrt(len(losses))
    print(f"{options.player}: mean probability lost {mean:.4f} ± {half:.4f} on {len(losses)} boards")


if __name__ == "__main__":
    main()
