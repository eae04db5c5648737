"""A game of your own player, and the decision of a search in a new game."""

import twofold
from twofold.players import Expectimax


def corner(state):
    """Left if it can, else down, right, up."""
    return next((move for move in ("LEFT", "DOWN", "RIGHT", "UP") if state.board.is_legal(move)), None)


print(twofold.play_game(corner, seed=1))
print(Expectimax(depth=3).decide(twofold.new_game(seed=1).state))
