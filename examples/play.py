"""A game of a player of your own, and what a search says of its last board but one."""

import twofold
from twofold.players import Expectimax


def corner(state):
    """Left if it can, else down, right, up."""
    return next((move for move in ("LEFT", "DOWN", "RIGHT", "UP") if state.board.is_legal(move)), None)


print(twofold.play_game(corner, seed=1))
print(Expectimax(depth=3).decide(twofold.new_game(seed=1).state))
