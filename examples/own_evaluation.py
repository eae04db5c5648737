"""An evaluation of your own, compiled into the search: empty cells, and a large tile in the corner."""

import twofold
from twofold.players import Expectimax


def roomy(board, corner=2.0):
    """Empty cells count, and the rank in the corner."""
    return (board == 0).sum() + corner * board[0, 0]


print(twofold.play_game(Expectimax(depth=2, evaluation=roomy), "3x3", seed=1))
