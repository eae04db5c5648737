"""Whole games of a search that deepens until its positions are used up (players/deepening.py), in one compiled loop."""

from __future__ import annotations

from typing import Any

import numpy as np

from twofold.kernels.bits import U, load_u64, store_u64
from twofold.kernels.board.bitboard import GAMMA
from twofold.kernels.board.steps import first_best, first_state, holds, next_state
from twofold.kernels.games.chain import note_tiles
from twofold.kernels.search.boards import after_move
from twofold.kernels.search.words import ABORTED, HITS, LIMIT, NODES, STAMP, STOP

root: Any = None
deepened: Any = None

UNLIMITED = U((1 << 63) - 1)


def deepened_choice(ws, values, x, score, shallowest, deepest, budget, stamp):  # type: ignore[no-untyped-def]
    """The best move of board x, -1 if none is legal, and the depth reached; 0 if the search was stopped.

    Rounds from `shallowest` moves on, by the rules of `DeepeningPlayer._deepen`; the others as for `deepened_games`.
    """
    store_u64(ws, STAMP, stamp * GAMMA)
    store_u64(ws, NODES, U(0))
    store_u64(ws, HITS, U(0))
    choice = -1
    last = 0.0
    growth = 0.0
    reached = shallowest
    for depth in range(shallowest, deepest + 1):
        used = np.float64(load_u64(ws, NODES))
        if depth > shallowest and used + last * growth > np.float64(budget):
            break
        store_u64(ws, LIMIT, UNLIMITED if depth == shallowest else U(budget))
        store_u64(ws, ABORTED, U(0))
        root(ws, x, score, np.int64(depth - 1), values)
        if load_u64(ws, STOP) != U(0):
            return -1, 0
        if load_u64(ws, ABORTED) != U(0):
            break
        size = np.float64(load_u64(ws, NODES)) - used
        growth = min(20.0, max(1.5, size / last)) if last > 0.0 else 2.0
        last = size
        reached = depth
        choice = first_best(values)
        if choice < 0:
            break
    return choice, reached


def deepened_games(  # type: ignore[no-untyped-def]
    ws, values, deepest, budget, four, target, seed, first, limit, stamp, boards, score, counts, times
):
    """Play games first, first + 1, … of run `seed` on the open 4x4 board; returns how many were finished or left.

    ws: workspace of a search that was started; values: address of its four values; deepest: most moves ahead;
    budget: positions a move, see `DeepeningPlayer._deepen`, whose rules are these; target: a game ends when a tile of
    this rank is made, 0 for never; limit: a game whose tiles add up to this is left, for a tile may outgrow its nibble.
    Out per game: board, score (points), counts, int64 (n, 5): moves, sum of the tiles, positions, table hits, sum of
    depths; times as in `chain_games`. The search's STOP word ends the loop at the next move.
    """
    for game in range(len(score)):
        x, s, tiles = first_state(seed, first + U(game), four)
        total = 0
        count = 0
        note_tiles(x, 0, times[game])
        while tiles < limit:
            stamp += U(1)
            choice, reached = deepened(ws, values, x, total, 1, deepest, budget, stamp)
            if reached == 0:
                return game
            if choice < 0:
                break
            counts[game, 2] += np.int64(load_u64(ws, NODES))
            counts[game, 3] += np.int64(load_u64(ws, HITS))
            counts[game, 4] += reached
            y, reward = after_move(ws, x, choice)
            total += reward
            count += 1
            x, s, tile = next_state(y, s, four)
            tiles += tile
            note_tiles(x, count, times[game])
            if holds(x, target):
                break
        boards[game] = x
        score[game] = total
        counts[game, 0] = count
        counts[game, 1] = tiles
    return len(score)
