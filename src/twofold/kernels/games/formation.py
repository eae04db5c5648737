"""Whole games of a search with formation tables at the root, in one compiled loop."""

from __future__ import annotations

from typing import Any

import numpy as np

from twofold.kernels.bits import U, load_f64, load_u64, store_f64
from twofold.kernels.board.bitboard import GAMMA, transpose
from twofold.kernels.board.steps import first_state, holds, next_state
from twofold.kernels.compiling import helper, kernel
from twofold.kernels.exact.formation_lookup import formation_move, image, original_move
from twofold.kernels.exact.leaning import PROMISE, line_sum
from twofold.kernels.games.chain import note_tiles
from twofold.kernels.search.boards import after_move
from twofold.kernels.search.words import FOUR, NODES

deepened: Any = None


@helper
def best_image(lean, x):  # type: ignore[no-untyped-def]
    """The first of the eight images of a board that line tables (see `line_sum`) say most of; lean: their address."""
    most = -np.inf
    best = 0
    for i in range(8):
        y = image(x, i)
        v = line_sum(lean, y, transpose(y))
        if v > most:
            most = v
            best = i
    return best


@kernel
def turned(lean, x, out):  # type: ignore[no-untyped-def]
    """`best_image`, and in `out`, int64 (4,), the board's direction for each of that image's."""
    i = best_image(lean, x)
    for d in range(4):
        out[d] = original_move(d, i)
    return i


def formation_games(  # type: ignore[no-untyped-def]
    ws, values, shallowest, deepest, budget, lean, leaf, promise, tables, count, lines, four, target, seed, first,
    limit, stamp, boards, score, counts, times,
):  # fmt: skip
    """As `searched_games`, but a move that the tables advise is played without a search.

    shallowest, deepest, budget: see `deepened_choice`. lean: address of line tables by which a board is turned before
    it is searched, 0 to leave it. leaf: address of what leaves know of formations, 0 without; there `promise` stands
    but while a goal is to collapse, which would lose it. tables, count, lines: see `formation_move`. target: as in
    `searched_games`. Out per game: counts, int64 (n, 4): moves, sum of the tiles, positions searched, moves that came
    from tables; times as in `chain_games`.
    """
    chance = load_f64(ws, FOUR)
    for game in range(len(score)):
        x, s, tiles = first_state(seed, first + U(game), four)
        total = score[game]
        moved = counts[game, 0]
        if boards[game] != U(0):
            x, s, tiles = boards[game], s + U(moved) * GAMMA, counts[game, 1]
        else:
            note_tiles(x, 0, times[game])
        while tiles < limit and not holds(x, target):
            choice = -1
            at_goal = False
            if count > 0:
                choice, _, _, _, at_goal = formation_move(tables, count, lines, x, chance)
            if choice >= 0:
                counts[game, 3] += 1
            else:
                if leaf != U(0):
                    store_f64(leaf, PROMISE, 0.0 if at_goal else promise)
                stamp += U(1)
                i = best_image(lean, x) if lean != U(0) else 0
                choice, reached = deepened(ws, values, image(x, i), total, shallowest, deepest, budget, stamp)
                if reached == 0:
                    return game
                counts[game, 2] += np.int64(load_u64(ws, NODES))
                if choice >= 0:
                    choice = original_move(choice, i)
            if choice < 0:
                break
            y, reward = after_move(ws, x, choice)
            total += reward
            moved += 1
            x, s, tile = next_state(y, s, four)
            tiles += tile
            note_tiles(x, moved, times[game])
        boards[game] = x
        score[game] = total
        counts[game, 0] = moved
        counts[game, 1] = tiles
    return len(score)
