"""Searches by chance: sampled trees (adls) and random playouts; templates as in search.py.

Randomness comes from words, as in `twofold.rules.random`: a spawn takes one word as `rules.spawn.draw_spawn` does.

*Sampled trees.* Simulation i of a decision with key k has the key word(k, i). The afterstate reached by move d from
a place with key q has the key mix64(q + (d+1)·GAMMA), and its only spawn is drawn from the word mix64(its own key).
So moves from one state meet independent spawns, and a tree can be grown again in Python from its key alone.

*Playouts.* Playout i of move d draws from the stream stream_key(k, i, d): a spawn, then a move among the legal
ones, and so on. A move is the first legal one in one of the 24 orders of directions, as the player `random` chooses it.

An evil spawn is not drawn: sampled trees take the worst one; playouts the one whose best next move is worst.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from twofold.kernels.bits import U, load_f64, load_u8, load_u32, load_u64, store_f64
from twofold.kernels.board.bitboard import GAMMA, below, drawn_rank, mix64, stream_key
from twofold.kernels.board.byteboard import cells_copy, cells_slide
from twofold.kernels.compiling import helper
from twofold.kernels.search.boards import packed_moves
from twofold.kernels.search.expectimax import add, ahead, chance_of, dead_value, one_of, over
from twofold.kernels.search.words import (
    ABORTED,
    CELLS,
    DRAWN,
    NODES,
    ORDER,
    OWN,
    RANKS,
    REWARD,
    SCRATCH,
    SLIDE_TABLE,
    STRIDE,
    WORDS,
)

ORDERS = U(OWN)  # address of the 24 orders of directions, uint8 (24, 4)
EVIL = U(2)

moves: Any = None
is_free: Any = None
put: Any = None
take: Any = None
copied: Any = None
nth_free: Any = None
evaluate: Any = None
spawn_rule: Any = None
random_move: Any = None


def drawn(ws, a, word, level):  # type: ignore[no-untyped-def]
    """The spawn (cell, rank) that a word draws on afterstate `a`; level: 1 + spawns since the root."""
    _, only_cell, only_rank, spread = spawn_rule(ws, a, level)
    rank = only_rank
    if only_rank == U(0):
        rank = drawn_rank(word, load_u64(ws, DRAWN))
    cell = U(only_cell) if only_cell >= 0 else nth_free(ws, a, below(word, spread))
    return cell, rank


def immediate(ws, b, score, values):  # type: ignore[no-untyped-def]
    """What each move is worth at once: w · reward + evaluation, into `values` (float64, nan: illegal)."""
    up, right, down, left, r_up, r_right, r_down, r_left = moves(ws, b, 0)
    for d in range(4):
        child = one_of(d, up, right, down, left)
        reward = one_of(d, r_up, r_right, r_down, r_left)
        v = np.nan
        if child != b:
            v = load_f64(ws, REWARD) * np.float64(reward) + evaluate(ws, child, score + reward)
        store_f64(values, U(d), v)


def best_next(ws, b, score, level):  # type: ignore[no-untyped-def]
    """The best of w · reward + evaluation over the moves of state `b`, or its dead value."""
    up, right, down, left, r_up, r_right, r_down, r_left = moves(ws, b, level)
    best = -np.inf
    for d in range(4):
        child = one_of(d, up, right, down, left)
        best = max(best, ahead(ws, b, child, one_of(d, r_up, r_right, r_down, r_left), score, True))
    return best if best > -np.inf else dead_value(ws, score)


def evil_spawn(ws, a, score, level):  # type: ignore[no-untyped-def]
    """The spawn whose best next move is worth least; ties by cell, then rank. Uses the scratch boards of `level`."""
    order = load_u64(ws, ORDER)
    least = np.inf
    worst_cell = U(0)
    worst_rank = U(0)
    for i in range(load_u64(ws, CELLS)):
        cell = U(load_u32(order, U(i)))
        if not is_free(ws, a, cell):
            continue
        for number in range(load_u64(ws, RANKS)):
            rank = U(1 + number)
            if chance_of(ws, rank) == 0.0:
                continue
            v = best_next(ws, put(ws, a, cell, rank), score, level)
            take(ws, a, cell)
            if v < least or worst_rank == U(0):
                least = v
                worst_cell = cell
                worst_rank = rank
    return worst_cell, worst_rank


def sampled(ws, a, score, left, path, level):  # type: ignore[no-untyped-def]
    """Value of afterstate `a` in one sampled tree with `left` >= 1 spawn layers; path: the key of its place."""
    if over(ws):
        return 0.0
    style, _, _, _ = spawn_rule(ws, a, level)
    evil = style == EVIL
    order = load_u64(ws, ORDER)
    weight = load_f64(ws, REWARD)
    ranks = np.int64(load_u64(ws, RANKS))
    count = np.int64(load_u64(ws, CELLS)) * ranks if evil else 1
    worst = np.inf
    for t in range(count):
        if load_u64(ws, ABORTED) != U(0):
            return 0.0
        cell = U(0)
        rank = U(0)
        if evil:
            cell = U(load_u32(order, U(t // ranks)))
            rank = U(1 + t % ranks)
            if not is_free(ws, a, cell) or chance_of(ws, rank) == 0.0:
                continue
        else:
            cell, rank = drawn(ws, a, mix64(path), level)
        b = put(ws, a, cell, rank)
        up, right, down, left_, r_up, r_right, r_down, r_left = moves(ws, b, level)
        best = -np.inf
        for d in range(4):
            child = one_of(d, up, right, down, left_)
            reward = one_of(d, r_up, r_right, r_down, r_left)
            if child == b:
                continue
            add(ws, NODES, 1)
            if left == 1:
                v = evaluate(ws, child, score + reward)
            else:
                v = sampled(ws, child, score + reward, left - 1, mix64(path + U(d + 1) * GAMMA), level + 1)
            best = max(best, weight * np.float64(reward) + v)
        take(ws, a, cell)
        worst = min(worst, best if best > -np.inf else dead_value(ws, score))
    return worst


def samples(ws, b, score, left, key, first, count, found, sums, counts):  # type: ignore[no-untyped-def]
    """Add the values of the moves of state `b` in sampled trees first, first + 1, … to `sums` and `counts`.

    left >= 1: spawn layers; found: scratch, float64 (4,); sums: float64 (4,); counts: int64 (4,). Returns the number of
    the next tree: fewer than `count` are added if the search was left, and of the tree begun last nothing is kept.
    """
    weight = load_f64(ws, REWARD)
    for i in range(first, first + count):
        up, right, down, left_, r_up, r_right, r_down, r_left = moves(ws, b, 0)
        own = mix64(key + U(i + 1) * GAMMA)
        for d in range(4):
            child = one_of(d, up, right, down, left_)
            reward = one_of(d, r_up, r_right, r_down, r_left)
            if child != b:
                path = mix64(own + U(d + 1) * GAMMA)
                v = sampled(ws, child, score + reward, left, path, np.int64(1))
                found[d] = v + weight * np.float64(reward)
        if load_u64(ws, ABORTED) != U(0):
            return i
        for d in range(4):
            if one_of(d, up, right, down, left_) != b:
                sums[d] += found[d]
                counts[d] += 1
    return first + count


def playout(ws, a, score, most, s, spawned, level):  # type: ignore[no-untyped-def]
    """What random play from afterstate `a` is worth: w · points made, and the evaluation after `most` moves.

    A dead end has the dead value instead of the evaluation.
    score: points so far; s: where the stream of words stands; spawned: tiles since the root; level: first of the
    scratch levels it may use.
    """
    gained = 0
    here = copied(ws, a, level + 2)
    for step in range(most):
        if over(ws):
            return 0.0
        cell, rank = U(0), U(0)
        style, _, _, _ = spawn_rule(ws, here, spawned + step + 1)
        if style == EVIL:
            cell, rank = evil_spawn(ws, here, score + gained, level + 3)
        else:
            cell, rank = drawn(ws, here, mix64(s), spawned + step + 1)
        here = put(ws, here, cell, rank)
        s += GAMMA
        child, reward = random_move(ws, here, mix64(s), level + (step & 1))
        s += GAMMA
        if child == here:
            return load_f64(ws, REWARD) * np.float64(gained) + dead_value(ws, score + gained)
        add(ws, NODES, 1)
        gained += reward
        here = child
    return load_f64(ws, REWARD) * np.float64(gained) + evaluate(ws, here, score + gained)


def playouts(ws, b, score, most, key, first, count, found, sums, counts):  # type: ignore[no-untyped-def]
    """Add the values of playouts first, first + 1, … of every move of state `b`; arguments and result as `samples`."""
    weight = load_f64(ws, REWARD)
    for i in range(first, first + count):
        up, right, down, left_, r_up, r_right, r_down, r_left = moves(ws, b, 0)
        for d in range(4):
            child = one_of(d, up, right, down, left_)
            reward = one_of(d, r_up, r_right, r_down, r_left)
            if child != b:
                s = stream_key(key, U(i), U(d)) + GAMMA
                found[d] = weight * np.float64(reward) + playout(ws, child, score + reward, most, s, 0, 1)
        if load_u64(ws, ABORTED) != U(0):
            return i
        for d in range(4):
            if one_of(d, up, right, down, left_) != b:
                sums[d] += found[d]
                counts[d] += 1
    return first + count


@helper
def packed_random_move(ws, b, word, level):  # type: ignore[no-untyped-def]
    """The child and reward of a random legal move, or b itself."""
    up, right, down, left, r_up, r_right, r_down, r_left = packed_moves(ws, b, level)
    row = below(word, U(24)) * U(4)
    orders = load_u64(ws, ORDERS)
    for i in range(4):
        d = load_u8(orders, row + U(i))
        child = one_of(d, up, right, down, left)
        if child != b:
            return child, one_of(d, r_up, r_right, r_down, r_left)
    return b, r_up


@helper
def cells_random_move(ws, b, word, level):  # type: ignore[no-untyped-def]
    """The same; the child lies in the first scratch row of `level`."""
    target = load_u64(ws, SCRATCH) + U(level) * U(4) * load_u64(ws, STRIDE)
    words = load_u64(ws, WORDS)
    cells_copy(b, target, words)
    row = below(word, U(24)) * U(4)
    orders = load_u64(ws, ORDERS)
    for i in range(4):
        changed, reward = cells_slide(target, load_u64(ws, SLIDE_TABLE), load_u8(orders, row + U(i)))
        if changed:
            return target, reward
    return b, 0
