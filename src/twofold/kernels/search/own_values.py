"""Expectimax where other tiles than 2s and 4s spawn: another `chance` for the template of expectimax.py.

Each rank has its own probability, which that template, made for speed with two of them, can't tell. Here all values of
an afterstate are summed in the order of cells and ranks; `FOUR_CUT` and `BOUND` are not heard.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from twofold.kernels.bits import (
    U,
    bits_to_f64,
    f64_to_bits,
    load_f64,
    load_shared,
    load_u32,
    load_u64,
    store_shared,
    store_u64,
)
from twofold.kernels.search.expectimax import add, chance_of, dead_value, node_key, one_of, table_slot
from twofold.kernels.search.words import (
    ABORTED,
    CELLS,
    CUT,
    DEEPER,
    HITS,
    LIMIT,
    MASK,
    NODES,
    ORDER,
    PRUNED,
    RANKS,
    REWARD,
    STAMP,
    STOP,
    TABLE,
)

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
    if load_u64(ws, STOP) != U(0) or load_u64(ws, NODES) >= load_u64(ws, LIMIT):
        store_u64(ws, ABORTED, U(1))
        return 0.0
    key = node_key(ws, board_key(ws, a), score, level, SCORED)
    table = load_u64(ws, TABLE)
    slot = table_slot(key, load_u64(ws, MASK))
    key ^= load_u64(ws, STAMP)
    if table != U(0):
        word = load_shared(table, slot | U(1))
        stored = np.int64(word & U(255))
        deep = stored == left or (stored > left and load_u64(ws, DEEPER) != U(0))
        if load_shared(table, slot) ^ word == key and deep:
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
    word = f64_to_bits(least if evil else total / np.float64(spread)) & ~U(255)
    if table != U(0) and load_u64(ws, ABORTED) == U(0):
        store_shared(table, slot, key ^ word ^ U(left))
        store_shared(table, slot | U(1), word | U(left))
    return bits_to_f64(word)
