"""Whole games of a search to one depth, in one compiled loop.

The search itself is `expectimax.root`, cloned for an evaluation; the loop only spares the way through Python between
two moves, which costs more than a search of two moves.
"""

from __future__ import annotations

from typing import Any

from twofold.kernels.bits import U, load_u64, store_u64
from twofold.kernels.board.bitboard import GAMMA
from twofold.kernels.board.steps import first_best, first_state, holds, next_state
from twofold.kernels.search.boards import after_move
from twofold.kernels.search.words import NODES, STAMP, STOP

root: Any = None


def searched_games(  # type: ignore[no-untyped-def]
    ws, values, left, four, target, seed, first, limit, stamp, boards, score, moves, sums
):
    """Play games first, first + 1, … of run `seed` on the open 4x4 board; returns how many were finished or left.

    ws: workspace of a search that was started; values: address of its four values; left: spawn layers. target: a game
    ends when a tile of this rank is made, 0 for never. limit: a game whose tiles add up to this is left, for a tile may
    outgrow its nibble. Out per game: the last board, score (points), moves and sum of the tiles. The search's STOP word
    ends the loop at the next move.
    """
    for game in range(len(score)):
        x, s, tiles = first_state(seed, first + U(game), four)
        total = 0
        count = 0
        while tiles < limit:
            stamp += U(1)
            store_u64(ws, STAMP, stamp * GAMMA)
            store_u64(ws, NODES, U(0))
            root(ws, x, total, left, values)
            if load_u64(ws, STOP) != U(0):
                return game
            choice = first_best(values)
            if choice < 0:
                break
            y, reward = after_move(ws, x, choice)
            total += reward
            count += 1
            x, s, tile = next_state(y, s, four)
            tiles += tile
            if holds(x, target):
                break
        boards[game] = x
        score[game] = total
        moves[game] = count
        sums[game] = tiles
    return len(score)
