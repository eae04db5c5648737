"""Monte Carlo tree search with chance nodes (UCT): a template as in search.py.

The tree has states (a move is chosen) and afterstates (a spawn is drawn) as nodes, in flat arrays: how often a node
was visited, the sum of what came after it, its first child, its next sibling, its label (direction, or cell·16 + rank).
Boards aren't stored: a descent slides its way down from the root.

One iteration: from the root choose the move with the largest

    w · reward + value of the afterstate + c · range · sqrt(ln N / n)

(moves not tried yet first, in the order UP, RIGHT, DOWN, LEFT) and draw spawns until a move is tried for the first
time; play on from its afterstate by chance; add to each node on the way what came after it, rewards included.
`range` is the distance between the largest and the smallest of these values met in this tree: values of 2048 grow
with the game, so a fixed constant would explore either everything or nothing. At the root a move that had less than
one in SHARE of the iterations comes first, so that the value of every move gets better with time, not only the best
one's. An evil spawn is chosen like a move, for the least. A tree that has no room left goes on with the nodes it has:
a descent ends, and a playout begins, at the first spawn that is not among them.

The value of a node is the mean of what came after it, as in the textbook (`MEAN`), or else backed up as in expectimax:
a state is worth its best move tried so far, an afterstate the mean over its spawns tried so far, weighted with their
probabilities (their least, if evil). Means come to the same in the end, but a mean remembers every poor move that was
ever tried below it: on 2x2 it takes a hundred times as many iterations.

Source: Kocsis and Szepesvari 2006; chance nodes drawn as in S4 7.3 and S2 5.2.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from twofold.kernels.bits import U, load_f64, load_u32, load_u64
from twofold.kernels.board.bitboard import GAMMA, mix64
from twofold.kernels.compiling import helper, part
from twofold.kernels.search.expectimax import add, chance_of, dead_value, one_of, over
from twofold.kernels.search.sampling import EVIL
from twofold.kernels.search.words import ABORTED, CELLS, NODES, ORDER, OWN, RANKS, REWARD, STYLE

MEAN = U(OWN + 1)  # 1: the value of a node is the mean of what came after it
SHARE = 16
DEEPEST = 256
"""Spawns on the way down; a descent that is longer goes on as a playout."""

PATH = 2 * DEEPEST + 4
"""Nodes on the way down at most."""

moves: Any = None
is_free: Any = None
put: Any = None
evaluate: Any = None
spawn_rule: Any = None
drawn: Any = None
playout: Any = None


@helper
def child_with(node, label, first, sibling, labels):  # type: ignore[no-untyped-def]
    """The child of a node with a label, or -1."""
    at = first[node]
    while at >= 0 and labels[at] != label:
        at = sibling[at]
    return at


@helper
def grown(node, label, info, first, sibling, labels):  # type: ignore[no-untyped-def]
    """A new child of a node; there must be room."""
    at = info[0]
    info[0] += 1
    labels[at] = label
    first[at] = -1
    sibling[at] = first[node]
    first[node] = at
    return at


@helper
def bonus(constant, spread, parent, child):  # type: ignore[no-untyped-def]
    scale = spread[1] - spread[0] if spread[1] > spread[0] else 1.0
    return constant * scale * np.sqrt(np.log(np.float64(parent)) / np.float64(child))


@helper
def state_worth(node, visits, sums, worth, edge, first, sibling):  # type: ignore[no-untyped-def]
    best = -np.inf
    at = first[node]
    while at >= 0:
        if visits[at] > 0:
            best = max(best, edge[at] + worth[at])
        at = sibling[at]
    return best if best > -np.inf else sums[node] / visits[node]


@helper
def afterstate_worth(ws, node, visits, sums, worth, first, sibling, labels):  # type: ignore[no-untyped-def]
    total = 0.0
    weights = 0.0
    least = np.inf
    at = first[node]
    while at >= 0:
        if visits[at] > 0:
            weight = chance_of(ws, U(labels[at] & 15))
            total += weight * worth[at]
            weights += weight
            least = min(least, worth[at])
        at = sibling[at]
    if load_u64(ws, STYLE) == EVIL and least < np.inf:
        return least
    return total / weights if weights > 0.0 else sums[node] / visits[node]


def evil_label(ws, a, node, constant, info, spread, visits, worth, first, sibling, labels):  # type: ignore[no-untyped-def]
    """The spawn to look at next below afterstate `node`: one never tried, or that of the least lower bound."""
    order = load_u64(ws, ORDER)
    least = np.inf
    found = np.int64(-1)
    ranks = np.int64(load_u64(ws, RANKS))
    for t in range(np.int64(load_u64(ws, CELLS)) * ranks):
        cell = U(load_u32(order, U(t // ranks)))
        rank = U(1 + t % ranks)
        if not is_free(ws, a, cell) or chance_of(ws, rank) == 0.0:
            continue
        label = np.int64(cell << U(4) | rank)
        at = child_with(node, label, first, sibling, labels)
        if at < 0 or visits[at] == 0:
            return label
        v = worth[at] - bonus(constant, spread, max(1, visits[node]), visits[at])
        if v < least:
            least = v
            found = label
    return found


@part
def select(ws, here, node, level, constant, info, spread, visits, worth, first, sibling, labels):  # type: ignore[no-untyped-def]
    """The move to look at next from the state `here` of a node.

    (direction, -1 if there is none; its afterstate and reward; its node, -1 if it has none; whether it was never tried)
    """
    up, right, down, left, r_up, r_right, r_down, r_left = moves(ws, here, level)
    best = -np.inf
    choice = -1
    tried = -1
    for d in range(4):
        if one_of(d, up, right, down, left) == here:
            continue
        at = child_with(node, d, first, sibling, labels)
        if at < 0 and info[0] >= len(visits) - 2:
            # No room to remember it: tried only where no move of the tree is known.
            choice = d if choice < 0 else choice
            continue
        if at < 0 or visits[at] == 0:
            choice = d
            tried = at
            best = np.inf
            break
        v = load_f64(ws, REWARD) * np.float64(one_of(d, r_up, r_right, r_down, r_left)) + worth[at]
        v += bonus(constant, spread, visits[node], visits[at])
        if node == 0 and visits[at] * SHARE < visits[0]:
            v = 1e300
        if v > best:
            best = v
            choice = d
            tried = at
    a = one_of(choice, up, right, down, left)
    return choice, a, one_of(choice, r_up, r_right, r_down, r_left), tried, best == np.inf


@helper
def back_up(ws, path, rewards, length, value, spread, visits, sums, worth, edge, first, sibling, labels):  # type: ignore[no-untyped-def]
    """Add what came after the end of a way to the nodes on it, which begin at the root."""
    for i in range(length - 1, 0, -1):
        at = path[i]
        if at >= 0:
            visits[at] += 1
            sums[at] += value
            if (i & 1) == 1:
                edge[at] = rewards[i]
                worth[at] = afterstate_worth(ws, at, visits, sums, worth, first, sibling, labels)
            else:
                worth[at] = state_worth(at, visits, sums, worth, edge, first, sibling)
            if load_u64(ws, MEAN) != U(0):
                worth[at] = sums[at] / visits[at]
            if (i & 1) == 1:
                spread[0] = min(spread[0], rewards[i] + worth[at])
                spread[1] = max(spread[1], rewards[i] + worth[at])
        value += rewards[i]
    visits[0] += 1
    sums[0] += value


def grow(ws, b, score, most, constant, key, count, path, rewards, info, spread, visits, numbers, links):  # type: ignore[no-untyped-def]
    """Add `count` iterations to the tree of state `b` (fewer if the search is left); returns how many.

    most: moves of a playout; key: stream of words; path, rewards: scratch, int64 and float64 (PATH,); info: int64
    (3,): nodes in use (at least 1: the root), words used, moves on the longest way down; spread: float64 (2,): least
    and largest value of a move so far; the arrays of nodes: visits int64 (n,); numbers float64 (3, n): sums, worth,
    edge (w · reward of the move to an afterstate); links int32 (3, n): first, sibling, labels.
    """
    sums, worth, edge = numbers[0], numbers[1], numbers[2]
    first, sibling, labels = links[0], links[1], links[2]
    weight = load_f64(ws, REWARD)
    room = len(visits) - 2
    for done in range(count):
        node = 0
        here = b
        points = score
        length = 1
        spawned = 0
        value = 0.0
        while True:
            if over(ws):
                return done
            add(ws, NODES, 1)
            choice, a, reward, tried, fresh = select(
                ws, here, node, spawned & 1, constant, info, spread, visits, worth, first, sibling, labels
            )
            if choice < 0:
                value = dead_value(ws, points)
                break
            points += reward
            s = mix64(key + U(info[1] + 1) * GAMMA)
            info[1] += 1
            if tried < 0 and info[0] < room:
                tried = grown(node, choice, info, first, sibling, labels)
            path[length] = tried
            rewards[length] = weight * np.float64(reward)
            length += 1
            if fresh or tried < 0 or spawned >= DEEPEST:
                value = playout(ws, a, points, most, s, spawned, 2)
                break
            style, _, _, _ = spawn_rule(ws, a, spawned + 1)
            if style == EVIL:
                label = evil_label(
                    ws, a, tried, constant, info, spread, visits, worth, first, sibling, labels
                )
                cell = U(label) >> U(4)
                rank = U(label) & U(15)
            else:
                cell, rank = drawn(ws, a, s, spawned + 1)
                label = np.int64(cell << U(4) | rank)
            at = child_with(tried, label, first, sibling, labels)
            if at < 0 and info[0] >= room:
                value = playout(ws, a, points, most, s, spawned, 2)
                break
            if at < 0:
                at = grown(tried, label, info, first, sibling, labels)
            here = put(ws, a, cell, rank)
            spawned += 1
            path[length] = at
            rewards[length] = 0.0
            length += 1
            node = at
        if load_u64(ws, ABORTED) != U(0):
            return done
        back_up(ws, path, rewards, length, value, spread, visits, sums, worth, edge, first, sibling, labels)
        info[2] = max(info[2], length >> 1)
    return count


def root_worths(visits, numbers, links, values):  # type: ignore[no-untyped-def]
    """w · reward + value of each move of the root into `values`, float64 (4,), left as they are where not tried."""
    first, sibling, labels = links[0], links[1], links[2]
    for d in range(4):
        at = child_with(0, d, first, sibling, labels)
        if at >= 0 and visits[at] > 0:
            values[d] = numbers[2, at] + numbers[1, at]
