"""Expectimax where other tiles than 2s and 4s spawn: another `chance` for the template of expectimax.py.

Each rank has its own probability, which that template, made for speed with two of them, can't tell. Here all values of
an afterstate are summed in the order of cells and ranks; `FOUR_CUT` and `BOUND` are not heard.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from twofold.kernels.bits import U, bits_to_f64, load_f64, load_u32, load_u64
from twofold.kernels.search.expectimax import add, chance_of, dead_value, entry, kept, node_key, one_of, over
from twofold.kernels.search.words import CELLS, CUT, DEEPER, HITS, NODES, ORDER, PRUNED, RANKS, REWARD

moves: Any = None
is_free: Any = None
put: Any = None
take: Any = None
board_key: Any = None
evaluate: Any = None
spawn_rule: Any = None
SCORED = False


def chance(ws, a, score, left, p, level):  # type: ignore[no-untyped-def]
    """Value of an afterstate; arguments as for `expectimax.chance`."""
    if over(ws):
        return 0.0
    key, slot, word = entry(ws, node_key(ws, board_key(ws, a), score, level, SCORED))
    stored = np.int64(word & U(255))
    if stored == left or (stored > left and load_u64(ws, DEEPER) != U(0)):
        add(ws, HITS, 1)
        return bits_to_f64(word & ~U(255))
    style, only_cell, only_rank, spread = spawn_rule(ws, a, level)
    evil = style == U(2)
    order = load_u64(ws, ORDER)
    weight = load_f64(ws, REWARD)
    ranks = np.int64(load_u64(ws, RANKS))
    add(ws, NODES, 1)
    total = 0.0
    least = np.inf
    for i in range(np.int64(load_u64(ws, CELLS))):
        cell = U(load_u32(order, U(i)))
        if not is_free(ws, a, cell) or (only_cell >= 0 and cell != U(only_cell)):
            continue
        for rank in range(1, ranks + 1):
            share = chance_of(ws, U(rank))
            if only_rank != U(0):
                share = 1.0 if U(rank) == only_rank else 0.0
            if share == 0.0:
                continue
            q = p if evil else p * share / np.float64(spread)
            leaf = left == 1 or q < load_f64(ws, CUT)
            add(ws, PRUNED, U(leaf and left > 1))
            b = put(ws, a, cell, U(rank))
            up, right, down, left_, r_up, r_right, r_down, r_left = moves(ws, b, level)
            best = -np.inf
            for d in range(4):
                child = one_of(d, up, right, down, left_)
                reward = one_of(d, r_up, r_right, r_down, r_left)
                if child == b:
                    continue
                if leaf:
                    add(ws, NODES, 1)
                    v = evaluate(ws, child, score + reward)
                else:
                    v = chance(ws, child, score + reward, left - 1, q, level + 1)
                best = max(best, weight * np.float64(reward) + v)
            if best == -np.inf:
                best = dead_value(ws, score)
            take(ws, a, cell)
            total += share * best
            least = min(least, best)
    return kept(ws, key, slot, least if evil else total / np.float64(spread), U(left))
