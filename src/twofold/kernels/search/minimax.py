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

from twofold.kernels.bits import U, bits_to_f64, load_f64, load_u32, load_u64, store_u64
from twofold.kernels.compiling import helper, part
from twofold.kernels.search.expectimax import (
    add,
    ahead,
    dead_value,
    entry,
    first_of,
    kept,
    node_key,
    one_of,
    over,
)
from twofold.kernels.search.words import ABORTED, ALLOWED, CELLS, HITS, NODES, ORDER, OWN, PRUNED, REWARD

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


@part
def spawn_at(ws, a, t, killer, only_cell, only_rank):  # type: ignore[no-untyped-def]
    """Number t of the spawns on afterstate `a`, -1 for the killer: (cell, rank), rank 0 where there is none to try."""
    cell = killer >> U(4)
    rank = killer & U(15)
    allowed = load_u64(ws, ALLOWED)
    if t >= 0:
        shift = rank_bits(allowed)
        cell = U(load_u32(load_u64(ws, ORDER), U(t >> shift)))
        rank = U(1 + (t & ((1 << shift) - 1)))
        if (cell << U(4) | rank) == killer:
            return cell, U(0)
    if rank == U(0) or not is_free(ws, a, cell) or (only_cell >= 0 and cell != U(only_cell)):
        return cell, U(0)
    if only_rank != U(0):
        return cell, only_rank if rank == U(1) else U(0)
    return cell, rank if (allowed >> rank) & U(1) != U(0) else U(0)


@helper
def rank_bits(allowed):  # type: ignore[no-untyped-def]
    """So many bits of the number of a spawn are its rank, for these allowed ranks."""
    return 1 if allowed < U(8) else 4


def worst(ws, a, score, left, alpha, beta, level):  # type: ignore[no-untyped-def]
    """Value of afterstate `a` with `left` >= 1 spawn layers to search, exact if strictly between alpha and beta."""
    if over(ws):
        return 0.0
    add(ws, NODES, 1)
    key, slot, word = entry(ws, node_key(ws, board_key(ws, a), score, level, SCORED))
    if (word & U(255)) >> U(2) == U(left):
        found = bits_to_f64(word & ~U(255))
        kind = word & U(3)
        if kind == U(0) or (kind == U(1) and found >= beta) or (kind == U(2) and found <= alpha):
            add(ws, HITS, 1)
            return found
    _, only_cell, only_rank, _ = spawn_rule(ws, a, level)
    weight = load_f64(ws, REWARD)
    ordered = load_u64(ws, ORDERED) != U(0)
    killer = load_u64(ws, KILLER + U(level)) if ordered and only_cell < 0 else U(0)
    least = np.inf
    top = beta  # what a move has to stay below to matter
    skipped = U(0)
    for t in range(-1, np.int64(load_u64(ws, CELLS)) << rank_bits(load_u64(ws, ALLOWED))):
        if load_u64(ws, ABORTED) != U(0):
            break
        cell, rank = spawn_at(ws, a, t, killer, only_cell, only_rank)
        if rank == U(0):
            continue
        if least <= alpha:  # the move that led here is refuted
            skipped += U(1)
            continue
        b = put(ws, a, cell, rank)
        up, right, down, left_, r_up, r_right, r_down, r_left = moves(ws, b, level)
        legal = U(up != b) + U(right != b) + U(down != b) + U(left_ != b)
        add(ws, NODES, legal)
        o_up = ahead(ws, b, up, r_up, score, left == 1 or ordered)
        o_right = ahead(ws, b, right, r_right, score, left == 1 or ordered)
        o_down = ahead(ws, b, down, r_down, score, left == 1 or ordered)
        o_left = ahead(ws, b, left_, r_left, score, left == 1 or ordered)
        most = -np.inf
        if legal == U(0):
            most = dead_value(ws, score)
        elif left == 1:
            most = max(max(o_up, o_right), max(o_down, o_left))
        else:
            for tried in range(legal):
                if most >= top:
                    skipped += legal - U(tried)
                    break
                i = first_of(o_up, o_right, o_down, o_left)
                child = one_of(i, up, right, down, left_)
                reward = one_of(i, r_up, r_right, r_down, r_left)
                points = weight * np.float64(reward)
                above = max(alpha, most) - points
                v = worst(ws, child, score + reward, left - 1, above, top - points, level + 1)
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
    kind = U(2) if least <= alpha else U(1) if least >= beta else U(0)
    return kept(ws, key, slot, least, U(left) << U(2) | kind)


@part
def below(ws, a, score, left):  # type: ignore[no-untyped-def]
    """Value of an afterstate of `expectimax.root`'s state: every move has the full window."""
    return worst(ws, a, score, left, np.float64(-np.inf), np.float64(np.inf), np.int64(1))
