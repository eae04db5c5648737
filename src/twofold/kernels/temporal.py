"""Learning by temporal differences: whole games on packed 4x4 boards, on one table, by any number of threads.

After each move the value of the afterstate before, V(y), is moved towards r + V(y'), the reward and value of the
best next afterstate (0 when the game is over). The difference d is spread over the entries that make up V(y):

TD(0)  w += rate/m · d, with m entries in the sum (Sutton 1988; for 2048: Szubert and Jaskowski 2014);
TC(0)  w += rate/m · |E|/A · d, then E += d and A += |d| for each entry: entries whose errors cancel out learn more
       and more slowly (temporal coherence: Beal and Smith 1999; Jaskowski 2017).

The order of work is for speed (benchmarks/training.py has the figures): V(y) and the entry numbers of y are kept from
the choice of y (afterstates.py), and its E and A, which lie side by side, are asked from memory before the next move
is chosen, so that they have come when they are needed. Threads share the tables without locks: an update is lost when
two threads write the same entry at once, which is rare and does no harm.

Greedy games hardly ever get as far as the largest tile of the tables, so what a board with it is worth stays unlearned
where nobody goes on from one. A game may therefore be followed by one from the state in which it made a tile, with that
tile doubled: the largest tile stands in its corner while the others are built anew, and its double would stand there as
well. Or by one from where its tiles have come to a sum, with all tiles of at least a sixteenth of that doubled: so the
crowded boards before a tile stand for those before its double.

A game may explore: with some chance a move other than the best one is made, among those that seem hardly worse, while
the afterstate before still learns from the best one (off-policy, as Q-learning does: Watkins 1989). So lines are met
that the network thinks too little of ever to try.

No nibble holds a 65536: a move that earns `LAST_REWARD` ends the game, so that none of its moves is against the rules.
The afterstate before learns of it rightly: with the 65536 written as 32768 the board is its downgraded twin
(`values/network.py`), which is what the network is asked about beyond its ranks.

`ask` and the other holes are filled by `trainer`.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from twofold.kernels.afterstates import AFTERSTATE, GAIN, LIST, TABLES, move_parts, record_bytes
from twofold.kernels.bits import U, load_f32, load_u32, load_u64, prefetch, store_f32, store_u64
from twofold.kernels.compiling import clone, helper
from twofold.kernels.games import first_state, next_state
from twofold.kernels.packed import GAMMA, mix64, stream_key
from twofold.kernels.symmetry import IMAGES

LONGEST = 1 << 17
"""Moves of a game that the path for restarts has room for; no game on 4x4 is longer."""

LAST_REWARD = 1 << 16
"""Points of a move that ends the game: two 32768 have merged (or, rarer still, two pairs of 16384 in one move)."""

LATE = 255
"""Mark of a game begun late, in the place of its highest rank."""

OTHER = U(0x5851F42D4C957F2D)
"""What makes the draws of exploring moves other than those of the spawns."""

ask: Any = None
choose: Any = None
other: Any = None
update: Any = None
COUNT = 0
RECORD = U(0)
COHERENT = True
LOW7 = U(0x7777777777777777)
HIGH = U(0x8888888888888888)
ONES = U(0x1111111111111111)


@helper
def holds_rank(x, rank):  # type: ignore[no-untyped-def]
    """Whether some nibble of x is at least `rank` (1..15)."""
    if rank >= U(8):
        return ((x & LOW7) + (U(16) - rank) * ONES) & x & HIGH != U(0)
    return (((x & LOW7) + (U(8) - rank) * ONES) | x) & HIGH != U(0)


def no_stage(x):  # type: ignore[no-untyped-def]
    """A network of one stage."""
    return U(0)


STAGES = (15,)


def tile_stage(x):  # type: ignore[no-untyped-def]
    """How many of the ranks in STAGES are reached on x."""
    number = U(0)
    for rank in STAGES:
        number += U(holds_rank(x, U(rank)))
    return number


def sum_stage(x):  # type: ignore[no-untyped-def]
    """How many of the sums in STAGES the tiles on x reach together."""
    total = U(0)
    for i in range(16):
        total += (U(1) << ((x >> U(4 * i)) & U(15))) & ~U(1)
    number = U(0)
    for least in STAGES:
        number += U(total >= U(least))
    return number


def update_entries(weights, errors, indices, difference, rate):  # type: ignore[no-untyped-def]
    """Move the COUNT entries at `indices` by the difference; errors: E and A of each entry side by side."""
    part = rate * difference
    size = abs(difference)
    for i in range(COUNT):
        at = U(load_u32(indices, U(i)))
        if COHERENT:
            e = load_f32(errors, at << U(1))
            a = load_f32(errors, (at << U(1)) | U(1))
            share = abs(e) / a if a > np.float32(0) else np.float32(1)
            store_f32(weights, at, load_f32(weights, at) + share * part)
            store_f32(errors, at << U(1), e + difference)
            store_f32(errors, (at << U(1)) | U(1), a + size)
        else:
            store_f32(weights, at, load_f32(weights, at) + part)


@helper
def double_tile(x, rank):  # type: ignore[no-untyped-def]
    """The board x with its first tile of `rank` (at most 14) doubled; x if it has none."""
    for i in range(16):
        if (x >> U(4 * i)) & U(15) == rank:
            return x + (U(1) << U(4 * i))
    return x


@helper
def double_tiles(x, total):  # type: ignore[no-untyped-def]
    """The board x with all tiles of at least a sixteenth of `total` doubled; none may have rank 15."""
    for i in range(16):
        rank = (x >> U(4 * i)) & U(15)
        if rank != U(0) and U(16) << rank >= total:
            x += U(1) << U(4 * i)
    return x


@helper
def highest_rank(x):  # type: ignore[no-untyped-def]
    top = U(0)
    for _ in range(16):
        top = max(top, x & U(15))
        x >>= U(4)
    return top


def learning_games(  # type: ignore[no-untyped-def]
    table,
    weights,
    errors,
    records,
    path,
    carry,
    stop,
    four,
    restart,
    double,
    sums,
    explore,
    within,
    seed,
    first,
    rates,
    score,
    moves,
    top,
):
    """Play and learn games first, first + 1, … of run `seed` until `stop` is set; returns how many.

    table: line table; weights, errors, records, path, carry, stop: addresses (records: of `record_words` words; path:
    uint64 (LONGEST,) of states of the game; carry: where the next game begins, 0 for the empty board). restart: a game
    of at least 2·restart moves is followed by one from its middle, 0 for never. double: a game that begins below this
    rank (1..14) and makes it is followed by one from there with this tile doubled instead, 0 for never. sums: uint64;
    game i from the empty board is followed by one from where its tiles have come to sum number i modulo their count,
    below 32768, with all tiles of at least a sixteenth of that doubled; none for never. explore:
    chance times 2^32 that a move, from the second on, is the first from a drawn direction on that seems at most
    `within` points worse than the best. rates: float32 per game, learning rate / entries. Out per game: score (points),
    moves, top (highest rank, 15 at most, 255 for a game begun late).
    """
    spare = records + U(4) * RECORD
    for game in range(len(score)):
        if load_u64(stop, U(0)) != U(0):
            return game
        x = load_u64(carry, U(0))
        fresh = x == U(0)
        tiles = 0
        least = U(0)
        if fresh:
            x, s, tiles = first_state(seed, first + U(game), four)
            if len(sums) > 0:
                least = sums[(first + U(game)) % U(len(sums))]
        else:
            s = stream_key(seed, first + U(game), U(0)) + GAMMA
        rate = rates[game]
        total = U(0)
        count = 0
        store_u64(path, U(0), x)
        doubled = U(0)
        climbing = double > U(0) and not holds_rank(x, double)
        ask(table, weights, x, records)
        worth, v, chosen, going = choose(table, weights, x, records)
        while going:
            kept = np.float32(v)
            reward = load_u64(chosen, GAIN)
            total += reward
            count += 1
            if reward >= U(LAST_REWARD):
                break
            w = load_u64(chosen, TABLES)
            e = errors + ((w - weights) << U(1))
            indices = chosen + LIST
            if COHERENT:
                for i in range(COUNT):
                    prefetch(e, U(load_u32(indices, U(i))))
            x, s, tile = next_state(load_u64(chosen, AFTERSTATE), s, four)
            tiles += tile
            records, spare = spare, records  # those of the move before are still needed
            ask(table, weights, x, records)
            if climbing and holds_rank(x, double):
                climbing = False
                doubled = double_tile(x, double)
            if least > U(0) and U(tiles) >= least:
                doubled = double_tiles(x, least)
                least = U(0)
            store_u64(path, U(count & (LONGEST - 1)), x)
            worth, v, chosen, going = choose(table, weights, x, records)
            target = np.float32(worth) if going else np.float32(0)
            update(w, e, indices, target - kept, rate)
            if explore > U(0) and going:
                draw = mix64(s ^ OTHER)
                if draw >> U(32) < explore:
                    v, chosen = other(records, draw, worth - within, v, chosen)
        score[game] = total
        moves[game] = count
        top[game] = highest_rank(x) if fresh else U(LATE)
        half = count >> 1
        late = restart > 0 and half >= restart and count < LONGEST
        store_u64(carry, U(0), doubled if doubled != U(0) else load_u64(path, U(half)) if late else U(0))
    return len(score)


@functools.cache
def stage_finder(stages: tuple[int, ...], by_sum: bool) -> Any:
    """The stage of a packed board: stages begin at ranks of the largest tile or at sums of tiles."""
    if not stages:
        return helper(no_stage)
    return clone(sum_stage if by_sum else tile_stage, {"STAGES": stages}, cached=False)


@functools.cache
def trainer(masks: tuple[int, ...], stages: tuple[int, ...], by_sum: bool, coherent: bool) -> Any:
    """`learning_games` for tuples of 4x4 cells (masks of nibbles) and stages as in `stage_finder`."""
    asking = move_parts(masks, stage_finder(stages, by_sum), whole=False, scale=1.0)
    common = {"COUNT": IMAGES * len(masks), "COHERENT": coherent}
    updated = clone(update_entries, common, cached=False)
    parts = {**common, **asking, "update": updated, "RECORD": U(record_bytes(masks))}
    return clone(learning_games, parts)


def record_words(masks: tuple[int, ...]) -> int:
    """Words of memory that a trainer needs for the records of two moves."""
    return 8 * record_bytes(masks) // 8
