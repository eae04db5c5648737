"""The futures of a position, as S0's solver looks at them: a template as in search.py.

A *future* is a board after a move and a spawn, one, two, … moves ahead. Each is valued by the evaluation as it stands,
plus w · the points made on the way (its dead value where no move is legal), and counted with p / u: the probability of
its last tile's value over the number of cells the tile could have come to, or with the product of these along the way
(`ALONG`). A future whose value is below seen − window · |seen|, seen being the best value met so far, is not explored
further.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from twofold.kernels.bits import U, load_f64, load_u32, load_u64, store_f64
from twofold.kernels.search.expectimax import add, chance_of, dead_value, one_of, over
from twofold.kernels.search.sampling import EVIL
from twofold.kernels.search.words import ABORTED, CELLS, NODES, ORDER, OWN, PRUNED, RANKS, REWARD

BEST = U(OWN)  # float: the largest value under the move
SUM = U(OWN + 1)  # float: sum of (p / u) · value
COUNT = U(OWN + 2)  # futures
SEEN = U(OWN + 3)  # float: the largest value of all
WINDOW = U(OWN + 4)  # float
ALONG = U(OWN + 5)  # 1: p / u is multiplied along the way

moves: Any = None
is_free: Any = None
put: Any = None
take: Any = None
evaluate: Any = None
spawn_rule: Any = None
evil_spawn: Any = None


def follow(ws, a, score, gained, left, before, level):  # type: ignore[no-untyped-def]
    """Count the futures of afterstate `a`, `left` >= 1 spawns deep.

    score: points so far; gained: of these, since the root; before: the p / u that led to `a`; level: 1 + spawns.
    """
    if over(ws):
        return
    style, only_cell, only_rank, spread = spawn_rule(ws, a, level)
    if style == EVIL:
        cell, only_rank = evil_spawn(ws, a, score, level)
        only_cell = np.int64(cell)
    order = load_u64(ws, ORDER)
    along = load_u64(ws, ALONG) != U(0)
    ranks = load_u64(ws, RANKS)
    place = rank = U(0)
    for _ in range(load_u64(ws, CELLS) * ranks):
        if load_u64(ws, ABORTED) != U(0):
            return
        rank += U(1)
        if rank > ranks:
            rank = U(1)
            place += U(1)
        cell = U(load_u32(order, place))
        if not is_free(ws, a, cell) or (only_cell >= 0 and cell != U(only_cell)):
            continue
        if only_rank != U(0):
            if rank != only_rank:
                continue
        elif chance_of(ws, rank) == 0.0:
            continue
        q = 1.0 / np.float64(spread)
        if only_rank == U(0):
            q *= chance_of(ws, rank)
        if along:
            q *= before
        b = put(ws, a, cell, rank)
        up, right, down, left_, r_up, r_right, r_down, r_left = moves(ws, b, level)
        add(ws, NODES, 1)
        dead = up == b and right == b and down == b and left_ == b
        v = load_f64(ws, REWARD) * np.float64(gained)
        v += dead_value(ws, score) if dead else evaluate(ws, b, score)
        store_f64(ws, BEST, max(load_f64(ws, BEST), v))
        seen = max(load_f64(ws, SEEN), v)
        store_f64(ws, SEEN, seen)
        store_f64(ws, SUM, load_f64(ws, SUM) + q * v)
        add(ws, COUNT, 1)
        if left > 1 and not dead:
            if v < seen - load_f64(ws, WINDOW) * abs(seen):
                add(ws, PRUNED, 1)
            else:
                for d in range(4):
                    child = one_of(d, up, right, down, left_)
                    reward = one_of(d, r_up, r_right, r_down, r_left)
                    if child != b:
                        follow(ws, child, score + reward, gained + reward, left - 1, q, level + 1)
        take(ws, a, cell)


def futures(ws, b, score, left, best, sums, counts):  # type: ignore[no-untyped-def]
    """The futures of each move of state `b`, `left` >= 1 spawns deep: largest value, sum of (p / u) · value, number.

    best, sums: float64 (4,); counts: int64 (4,), 0 for an illegal move.
    """
    store_f64(ws, SEEN, -np.inf)
    up, right, down, left_, r_up, r_right, r_down, r_left = moves(ws, b, 0)
    for d in range(4):
        child = one_of(d, up, right, down, left_)
        reward = np.int64(one_of(d, r_up, r_right, r_down, r_left))
        store_f64(ws, BEST, -np.inf)
        store_f64(ws, SUM, 0.0)
        store_f64(ws, COUNT, 0.0)  # the word 0
        if child != b:
            follow(ws, child, score + reward, reward, left, np.float64(1.0), np.int64(1))
        best[d] = load_f64(ws, BEST)
        sums[d] = load_f64(ws, SUM)
        counts[d] = load_u64(ws, COUNT)
