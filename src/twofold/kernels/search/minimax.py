"""Minimax with alpha-beta: a template as in search.py, for a spawn that always does the most harm.

    W(a, 0)    = evaluate(a)
    W(a, left) = min over the spawns that the variant allows of max over moves of (w · reward + W(afterstate, left - 1))

with the evaluation's dead value where no move is legal. Fail-soft: outside the window the result is a bound. Moves are
tried in the order of what the evaluation says of their afterstates, spawns beginning with the one that last refuted
a move on the same level. Values are rounded to 44 bits as in search.py; rounding is monotonic, so it does not matter
to the minima and maxima whether a value was computed or found.

Table entries as in search.py; the low byte is `left` · 4 + 0 for a value, + 1 for a lower, + 2 for an upper bound.

Source: S1 (alpha-beta); Knuth and Moore 1975.
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
    store_f64,
    store_shared,
    store_u64,
)
from twofold.kernels.compiling import helper
from twofold.kernels.search.expectimax import (
    add,
    dead_value,
    node_key,
    one_of,
    table_slot,
)
from twofold.kernels.search.words import (
    ABORTED,
    ALLOWED,
    CELLS,
    HITS,
    LIMIT,
    MASK,
    NODES,
    ORDER,
    OWN,
    PRUNED,
    REWARD,
    STAMP,
    STOP,
    TABLE,
)

ORDERED = U(OWN)  # 1: order moves and spawns
KILLER = U(OWN + 1)  # and following: per level the spawn that last refuted, cell << 4 | rank, 0 for none
LEVELS = 41
SCORED = False

moves: Any = None
is_free: Any = None
put: Any = None
take: Any = None
board_key: Any = None
evaluate: Any = None
spawn_rule: Any = None


@helper
def first_of(a, b, c, d):  # type: ignore[no-untyped-def]
    """Index of the largest of four numbers, the first of equals."""
    i = 0
    most = a
    if b > most:
        i, most = 1, b
    if c > most:
        i, most = 2, c
    if d > most:
        i, most = 3, d
    return i


def worst(ws, a, score, left, alpha, beta, level):  # type: ignore[no-untyped-def]
    """Value of afterstate `a` with `left` >= 1 spawn layers to search, exact if strictly between alpha and beta."""
    if load_u64(ws, STOP) != U(0) or load_u64(ws, NODES) >= load_u64(ws, LIMIT):
        store_u64(ws, ABORTED, U(1))
        return 0.0
    add(ws, NODES, 1)
    key = node_key(ws, board_key(ws, a), score, level, SCORED)
    table = load_u64(ws, TABLE)
    slot = U(0)
    if table != U(0):
        slot = table_slot(key, load_u64(ws, MASK))
        key ^= load_u64(ws, STAMP)
        word = load_shared(table, slot | U(1))
        if load_shared(table, slot) ^ word == key and (word & U(255)) >> U(2) == U(left):
            found = bits_to_f64(word & ~U(255))
            kind = word & U(3)
            if kind == U(0) or (kind == U(1) and found >= beta) or (kind == U(2) and found <= alpha):
                add(ws, HITS, 1)
                return found
    _, only_cell, only_rank, _ = spawn_rule(ws, a, level)
    weight = load_f64(ws, REWARD)
    allowed = load_u64(ws, ALLOWED)
    order = load_u64(ws, ORDER)
    cells = np.int64(load_u64(ws, CELLS))
    ordered = load_u64(ws, ORDERED) != U(0)
    killer = load_u64(ws, KILLER + U(level)) if ordered and only_cell < 0 else U(0)
    least = np.inf
    top = beta  # what a move has to stay below to matter
    skipped = U(0)
    shift = 1 if allowed < U(8) else 4  # so many bits of `t` are the rank
    for t in range(-1, cells << shift):
        if load_u64(ws, ABORTED) != U(0):
            break
        if t < 0:
            if killer == U(0):
                continue
            cell = killer >> U(4)
            rank = killer & U(15)
        else:
            cell = U(load_u32(order, U(t >> shift)))
            rank = U(1 + (t & ((1 << shift) - 1)))
            if (cell << U(4) | rank) == killer:
                continue
        if not is_free(ws, a, cell) or (only_cell >= 0 and cell != U(only_cell)):
            continue
        if only_rank != U(0):
            if rank != U(1):
                continue
            rank = only_rank
        elif (allowed >> rank) & U(1) == U(0):
            continue
        if least <= alpha:  # the move that led here is refuted
            skipped += U(1)
            continue
        b = put(ws, a, cell, rank)
        up, right, down, left_, r_up, r_right, r_down, r_left = moves(ws, b, level)
        o_up = o_right = o_down = o_left = -np.inf
        weigh = left == 1 or ordered
        if up != b:
            o_up = weight * np.float64(r_up) + evaluate(ws, up, score + r_up) if weigh else 0.0
            add(ws, NODES, 1)
        if right != b:
            o_right = weight * np.float64(r_right) + evaluate(ws, right, score + r_right) if weigh else 0.0
            add(ws, NODES, 1)
        if down != b:
            o_down = weight * np.float64(r_down) + evaluate(ws, down, score + r_down) if weigh else 0.0
            add(ws, NODES, 1)
        if left_ != b:
            o_left = weight * np.float64(r_left) + evaluate(ws, left_, score + r_left) if weigh else 0.0
            add(ws, NODES, 1)
        most = -np.inf
        if up == b and right == b and down == b and left_ == b:
            most = dead_value(ws, score)
        elif left == 1:
            most = max(max(o_up, o_right), max(o_down, o_left))
        else:
            for _ in range(4):
                i = first_of(o_up, o_right, o_down, o_left)
                if one_of(i, o_up, o_right, o_down, o_left) == -np.inf:
                    break
                if most >= top:
                    skipped += (
                        U(o_up > -np.inf) + U(o_right > -np.inf) + U(o_down > -np.inf) + U(o_left > -np.inf)
                    )
                    break
                child = one_of(i, up, right, down, left_)
                reward = one_of(i, r_up, r_right, r_down, r_left)
                points = weight * np.float64(reward)
                v = worst(
                    ws, child, score + reward, left - 1, max(alpha, most) - points, top - points, level + 1
                )
                most = max(most, points + v)
                o_up = -np.inf if i == 0 else o_up
                o_right = -np.inf if i == 1 else o_right
                o_down = -np.inf if i == 2 else o_down
                o_left = -np.inf if i == 3 else o_left
        take(ws, a, cell)
        if most < least:
            least = most
            top = min(top, least)
            if least <= alpha and ordered:
                store_u64(ws, KILLER + U(level), cell << U(4) | rank)
    add(ws, PRUNED, skipped)
    word = f64_to_bits(least) & ~U(255)
    if table != U(0) and load_u64(ws, ABORTED) == U(0):
        kind = U(2) if least <= alpha else U(1) if least >= beta else U(0)
        mark = U(left) << U(2) | kind
        store_shared(table, slot, key ^ word ^ mark)
        store_shared(table, slot | U(1), word | mark)
    return bits_to_f64(word)


def minimax_root(ws, b, score, left, values):  # type: ignore[no-untyped-def]
    """Exact value of each move of state `b` into `values` (float64, nan: illegal); every move has the full window."""
    weight = load_f64(ws, REWARD)
    up, right, down, left_, r_up, r_right, r_down, r_left = moves(ws, b, 0)
    for d in range(4):
        child = one_of(d, up, right, down, left_)
        reward = one_of(d, r_up, r_right, r_down, r_left)
        v = np.nan
        if child != b:
            if left == 0:
                add(ws, NODES, 1)
                v = evaluate(ws, child, score + reward)
            else:
                v = worst(
                    ws, child, score + reward, left, np.float64(-np.inf), np.float64(np.inf), np.int64(1)
                )
            v += weight * np.float64(reward)
        store_f64(values, U(d), v)
