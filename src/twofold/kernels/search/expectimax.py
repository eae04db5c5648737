"""Expectimax, written once: a template over board operations and an evaluator.

The value of an afterstate a with `left` spawn layers still to search is

    V(a, 0)    = evaluate(a)
    V(a, left) = sum over spawns s of P(s) · max over moves of (w · reward + V(afterstate, left - 1))

with the evaluation's dead value where no move is legal, w = 1 for evaluations of the future alone whose search adds
the points on the way and 0 for those that ignore points (or read the whole score themselves: `SCORED`). An evil spawn
takes the minimum instead of the sum. A branch of probability below `CUT` is valued at once; below `FOUR_CUT` only 2s
are thought to spawn. With a `BOUND` the moves of a state are searched from the best value one move ahead
(w · reward + evaluate(afterstate)) downwards, until such a value and `BOUND` together are no more than the best found:
exact where no search adds more to it than that. Results are kept in a transposition table of 16-byte entries: the
value whose low byte is replaced by `left`, which leaves 44 bits of it, and before it the board's key xor that word. So
threads may share a table without a lock: an entry whose halves come from two threads matches no key (Hyatt and Mann
2002). And a computed value is rounded as a stored one is: without `CUT`, `FOUR_CUT` and `DEEPER` the result depends on
the position alone, not on what was found in the table.

The names that are None below are filled in by `compiling.clone`; boards are passed by value on `packed` and by
address on `cells`, so `moves` writes its four children into the scratch rows of its level, and `put` and `take`
change a board in place there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from twofold.kernels.bits import (
    U,
    bits_to_f64,
    f64_to_bits,
    fetch_add,
    load_f64,
    load_shared,
    load_u32,
    load_u64,
    prefetch,
    store_f64,
    store_shared,
    store_u64,
)
from twofold.kernels.board.bitboard import GAMMA, mix64
from twofold.kernels.compiling import helper, part
from twofold.kernels.search.words import (
    ABORTED,
    BOUND,
    CELLS,
    CHANCES,
    CUT,
    DEAD,
    DEAD_SCORE,
    DEEPER,
    FOUR,
    FOUR_CUT,
    HITS,
    LIMIT,
    MASK,
    NODES,
    ORDER,
    PRUNED,
    REWARD,
    SCRIPT,
    SCRIPTED,
    STAMP,
    STOP,
    STYLE,
    TABLE,
)

moves: Any = None
free_count: Any = None
is_free: Any = None
put: Any = None
take: Any = None
board_key: Any = None
evaluate: Any = None
SCORED = False


@helper
def one_of(i, a, b, c, d):  # type: ignore[no-untyped-def]
    """Number i of four."""
    return a if i == 0 else b if i == 1 else c if i == 2 else d


@helper
def table_slot(key, mask):  # type: ignore[no-untyped-def]
    """Word index of a key's entry."""
    h = key * GAMMA
    h ^= h >> U(32)
    return (((h * U(0xD6E8FEB86659FD93)) >> U(20)) & mask) << U(1)


@helper
def dead_value(ws, score):  # type: ignore[no-untyped-def]
    return load_f64(ws, DEAD) + load_f64(ws, DEAD_SCORE) * np.float64(score)


@helper
def add(ws, word, amount):  # type: ignore[no-untyped-def]
    store_u64(ws, word, load_u64(ws, word) + U(amount))


@helper
def chance_of(ws, rank):  # type: ignore[no-untyped-def]
    """The probability that a tile of this rank, 1 to `RANKS`, spawns."""
    return load_f64(load_u64(ws, CHANCES), rank)


@helper
def over(ws):  # type: ignore[no-untyped-def]
    """Whether the search must be left now; notes that it was."""
    if load_u64(ws, STOP) != U(0) or load_u64(ws, NODES) >= load_u64(ws, LIMIT):
        store_u64(ws, ABORTED, U(1))
        return True
    return False


@helper
def entry(ws, key):  # type: ignore[no-untyped-def]
    """Of a node's key: the key that its entry in the table has, the slot, and the word of its value, 0 for none."""
    table = load_u64(ws, TABLE)
    if table == U(0):
        return key, U(0), U(0)
    slot = table_slot(key, load_u64(ws, MASK))
    key ^= load_u64(ws, STAMP)
    word = load_shared(table, slot | U(1))
    return key, slot, word if load_shared(table, slot) ^ word == key else U(0)


@helper
def kept(ws, key, slot, value, mark):  # type: ignore[no-untyped-def]
    """A value rounded as the table has it, and stored there with a mark of eight bits, if there is one."""
    word = f64_to_bits(value) & ~U(255)
    table = load_u64(ws, TABLE)
    if table != U(0) and load_u64(ws, ABORTED) == U(0):
        store_shared(table, slot, key ^ word ^ mark)
        store_shared(table, slot | U(1), word | mark)
    return bits_to_f64(word)


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


@part
def ahead(ws, b, child, reward, score, valued):  # type: ignore[no-untyped-def]
    """w · reward + evaluation of a move of state `b`, or 0 if it need not be valued; -inf where it is illegal."""
    if child == b:
        return -np.inf
    if not valued:
        return 0.0
    return load_f64(ws, REWARD) * np.float64(reward) + evaluate(ws, child, score + reward)


@part
def prefetch_entries(ws, up, right, down, left):  # type: ignore[no-untyped-def]
    """Ask memory for what the table may hold of four boards."""
    table = load_u64(ws, TABLE)
    if table != U(0):
        mask = load_u64(ws, MASK)
        prefetch(table, table_slot(board_key(ws, up), mask))
        prefetch(table, table_slot(board_key(ws, right), mask))
        prefetch(table, table_slot(board_key(ws, down), mask))
        prefetch(table, table_slot(board_key(ws, left), mask))


def spawn_rule(ws, a, level):  # type: ignore[no-untyped-def]
    """What may spawn on afterstate `a`: (style, only_cell, only_rank, spread).

    only_cell: the one cell it can be, -1 for any empty one; only_rank: the one rank, 0 for any; spread: the
    number of equally likely cells. A script that has run out is style 0. level: as in `chance`.
    """
    style = load_u64(ws, STYLE)
    only_cell = np.int64(-1)
    only_rank = U(0)
    spread = U(1)
    if style == U(3) and U(level - 1) >= load_u64(ws, SCRIPTED):
        style = U(0)
    if style == U(0):
        return style, only_cell, only_rank, free_count(ws, a)
    order = load_u64(ws, ORDER)
    if style == U(1):
        i = U(0)
        while not is_free(ws, a, U(load_u32(order, i))):
            i += U(1)
        only_cell = np.int64(load_u32(order, i))
    elif style == U(3):
        script = load_u64(ws, SCRIPT)
        wanted = U(load_u32(script, U(level - 1) * U(2)))
        only_rank = U(load_u32(script, U(level - 1) * U(2) + U(1)))
        while not is_free(ws, a, U(load_u32(order, wanted))):
            wanted = (wanted + U(1)) % load_u64(ws, CELLS)
        only_cell = np.int64(load_u32(order, wanted))
    return style, only_cell, only_rank, spread


@helper
def node_key(ws, key, score, level, scored):  # type: ignore[no-untyped-def]
    """What a node's slot in the table comes from: its board's key and whatever else its value depends on.

    The stamp is not part of it and only marks the entry: so an entry of an earlier search is never found and never
    in the way, and results don't depend on what was searched before.
    """
    if scored:
        key ^= mix64(U(score))
    if load_u64(ws, STYLE) == U(3):
        key ^= mix64(U(level) << U(32))
    return key


@helper
def shares(ws, left, p, style, only_rank, spread):  # type: ignore[no-untyped-def]
    """How the 2s and 4s that may spawn on an afterstate are thought about.

    (share of 4s; probabilities of a 2 and of a 4 in a cell; whether a 2 and a 4 are valued at once; whether they are
    left out)
    """
    four = load_f64(ws, FOUR)
    if p < load_f64(ws, FOUR_CUT) and four < 1.0 and only_rank == U(0):
        add(ws, PRUNED, spread)
        four = 0.0
    p2 = p * (1.0 - four) / np.float64(spread)
    p4 = p * four / np.float64(spread)
    if style >= U(2):
        p2 = p4 = p
    cut = load_f64(ws, CUT)
    leaf2 = left == 1 or p2 < cut
    leaf4 = left == 1 or p4 < cut
    done2 = four >= 1.0 and only_rank == U(0)
    done4 = four <= 0.0 and only_rank == U(0)
    if left > 1:
        add(ws, PRUNED, spread * (U(leaf2 and not done2) + U(leaf4 and not done4)))
    return four, p2, p4, leaf2, leaf4, done2, done4


def chance(ws, a, score, left, p, level):  # type: ignore[no-untyped-def]
    """Value of afterstate `a`, reached with probability `p`, with `left` >= 1 spawn layers of 2s and 4s to search.

    ws: workspace address; score: points so far; level: 1 below the root, one more each layer.
    """
    if over(ws):
        return 0.0
    key, slot, word = entry(ws, node_key(ws, board_key(ws, a), score, level, SCORED))
    stored = np.int64(word & U(255))
    if stored == left or (stored > left and load_u64(ws, DEEPER) != U(0)):
        add(ws, HITS, 1)
        return bits_to_f64(word & ~U(255))

    style, only_cell, only_rank, spread = spawn_rule(ws, a, level)
    four, p2, p4, leaf2, leaf4, done2, done4 = shares(ws, left, p, style, only_rank, spread)
    sum2 = sum4 = 0.0
    add(ws, NODES, 1)
    if style == U(0):
        fused2 = leaf2 and not done2
        fused4 = leaf4 and not done4
        if fused2 or fused4:
            sum2, sum4, valued = frontier(ws, a, score, fused2, fused4, level)
            add(ws, NODES, valued)
        done2 = done2 or fused2
        done4 = done4 or fused4
    worst = np.inf
    if not (done2 and done4):
        bound = load_f64(ws, BOUND)
        order = load_u64(ws, ORDER)
        for i in range(load_u64(ws, CELLS)):
            cell = U(load_u32(order, U(i)))
            if not is_free(ws, a, cell) or (only_cell >= 0 and cell != U(only_cell)):
                continue
            for which in range(2):
                if (which == 0 and done2) or (which == 1 and (done4 or only_rank != U(0))):
                    continue
                leaf = leaf2 if which == 0 else leaf4
                q = p2 if which == 0 else p4
                rank = only_rank if only_rank != U(0) else U(which + 1)
                b = put(ws, a, cell, rank)
                up, right, down, left_, r_up, r_right, r_down, r_left = moves(ws, b, level)
                best = -np.inf
                if not leaf:
                    prefetch_entries(ws, up, right, down, left_)
                valued = leaf or bound > 0.0
                if valued:
                    add(ws, NODES, U(up != b) + U(right != b) + U(down != b) + U(left_ != b))
                e_up = ahead(ws, b, up, r_up, score, valued)
                e_right = ahead(ws, b, right, r_right, score, valued)
                e_down = ahead(ws, b, down, r_down, score, valued)
                e_left = ahead(ws, b, left_, r_left, score, valued)
                for _ in range(4):  # a loop that ends whatever the evaluation gives
                    d = first_of(e_up, e_right, e_down, e_left)
                    most = one_of(d, e_up, e_right, e_down, e_left)
                    if leaf:
                        best = most
                    if leaf or most == -np.inf:
                        break
                    if bound > 0.0 and most + bound <= best:
                        add(ws, PRUNED, U(1))
                        break
                    reward = one_of(d, r_up, r_right, r_down, r_left)
                    child = one_of(d, up, right, down, left_)
                    v = chance(ws, child, score + reward, left - 1, q, level + 1)
                    best = max(best, load_f64(ws, REWARD) * np.float64(reward) + v)
                    e_up = -np.inf if d == 0 else e_up
                    e_right = -np.inf if d == 1 else e_right
                    e_down = -np.inf if d == 2 else e_down
                    e_left = -np.inf if d == 3 else e_left
                if best == -np.inf:
                    best = dead_value(ws, score)
                take(ws, a, cell)
                worst = min(worst, best)
                sum2 += best if which == 0 else 0.0
                sum4 += best if which == 1 else 0.0
    value = (sum2 * (1.0 - four) + sum4 * four) / np.float64(spread)
    if style >= U(2):
        value = worst if style == U(2) else sum2
    return kept(ws, key, slot, value, U(left))


@part
def below(ws, a, score, left):  # type: ignore[no-untyped-def]
    """Value of an afterstate of the root.

    The level is an explicit int64: a literal would make a second version of `chance` that calls the first, and numba
    stores such pairs on disk with an unresolved call.
    """
    return chance(ws, a, score, left, np.float64(1.0), np.int64(1))


def root(ws, b, score, left, values):  # type: ignore[no-untyped-def]
    """Value of each move of state `b`, searched `left` spawn layers deep, into `values` (float64, nan: illegal)."""
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
                v = below(ws, child, score + reward, left)
            v += weight * np.float64(reward)
        store_f64(values, U(d), v)


def tasks(ws, boards, scores, left, values, counter, out):  # type: ignore[no-untyped-def]
    """Value states, the best move each, that threads share: each takes the next one that none has begun.

    boards: uint64 (n,) as kernels take them; scores: points, int64 (n,); values: address of four float64 of this
    thread's own; counter: address of the word with the next number; out: float64 (n,).
    """
    while True:
        i = fetch_add(counter, U(1))
        if i >= U(len(boards)) or load_u64(ws, STOP) != U(0):
            return
        root(ws, boards[i], scores[i], left, values)
        best = -np.inf
        for d in range(4):
            v = load_f64(values, U(d))
            if v == v:
                best = max(best, v)
        out[i] = best if best > -np.inf else dead_value(ws, scores[i])


def board_value(ws, b, score):  # type: ignore[no-untyped-def]
    """What the evaluator says of one board."""
    return evaluate(ws, b, score)


def frontier(ws, a, score, two, four, level):  # type: ignore[no-untyped-def]
    """Sums over the empty cells of the best leaf after a 2 and after a 4 there (if asked), and the leaves valued."""
    order = load_u64(ws, ORDER)
    sum2 = 0.0
    sum4 = 0.0
    leaves = U(0)
    for i in range(load_u64(ws, CELLS)):
        cell = U(load_u32(order, U(i)))
        if not is_free(ws, a, cell):
            continue
        for which in range(2):
            if (which == 0 and not two) or (which == 1 and not four):
                continue
            b = put(ws, a, cell, U(which + 1))
            up, right, down, left_, r_up, r_right, r_down, r_left = moves(ws, b, level)
            best = max(
                max(ahead(ws, b, up, r_up, score, True), ahead(ws, b, right, r_right, score, True)),
                max(ahead(ws, b, down, r_down, score, True), ahead(ws, b, left_, r_left, score, True)),
            )
            leaves += U(up != b) + U(right != b) + U(down != b) + U(left_ != b)
            if best == -np.inf:
                best = dead_value(ws, score)
            take(ws, a, cell)
            if which == 0:
                sum2 += best
            else:
                sum4 += best
    return sum2, sum4, leaves
