"""Learning by temporal differences: whole games on packed 4x4 boards, on one table, by any number of threads.

After each move the value of the afterstate before, V(y), is moved towards r + V(y'), the reward and value of the
best next afterstate (0 when the game is over). The difference d is spread over the entries that make up V(y):

TD(0)  w += rate/m · d, with m entries in the sum (Sutton 1988; for 2048: Szubert and Jaskowski 2014);
TC(0)  w += rate/m · |E|/A · d, then E += d and A += |d| for each entry: entries whose errors cancel out learn more
       and more slowly (temporal coherence: Beal and Smith 1999; Jaskowski 2017).

The order of work is for speed (benchmarks/training.py has the figures): a thread plays two games in turn, so that one
moves while memory brings the entries of the other (1.1 times as fast as one game; three, 0.95 times); the numbers of
the entries of y are kept from the choice of y (afterstates.py), and its E and A, which lie side by side, are asked for
at once. V(y) is added up anew for the difference: with what it was when y was chosen, two games that begin alike teach
the same entries the same twice, and TC at rate 1 blows up. Games and threads share the tables without locks: an update
is lost when two threads write the same entry at once, which is rare and does no harm.

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
(`evaluation/network.py`), which is what the network is asked about beyond its ranks.

`ask` and the other holes are filled by `trainer`.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.kernels.bits import U, load_f32, load_u32, load_u64, prefetch, store_f32, store_u64
from twofold.kernels.board.bitboard import GAMMA, highest_rank, mix64, stream_key
from twofold.kernels.board.steps import GAME, MOVES, SCORE, STATE, STREAM, first_state, next_state
from twofold.kernels.compiling import clone, helper
from twofold.kernels.ntuple.afterstates import AFTERSTATE, GAIN, LIST, TABLES, move_parts, record_bytes
from twofold.kernels.ntuple.stages import holds_rank, stage_finder
from twofold.kernels.ntuple.symmetry import IMAGES

LONGEST = 1 << 17
"""Moves of a game that the path for restarts has room for; no game on 4x4 is longer."""

LAST_REWARD = 1 << 16
"""Points of a move that ends the game: two 32768 have merged (or, rarer still, two pairs of 16384 in one move)."""

LATE = 255
"""Mark of a game begun late, in the place of its highest rank."""

OTHER = U(0x5851F42D4C957F2D)
"""What makes the draws of exploring moves other than those of the spawns."""

TURNS = 2
"""Games that a thread plays in turn."""

TILES, LEAST, CLIMBING, DOUBLED, FRESH, BEFORE, ASKED = (U(k) for k in range(5, 12))
"""More words of a lane, after those of `games.py`: the sum of the tiles; the sum at which they are doubled, 0 for
none; 1 while the tile that is doubled isn't made; the board with doubled tiles, 0 for none; 1 for a game from the empty
board; address of the record of afterstate y, 0 before the first move; address of the records of the state."""

HEAD = U(128)
"""Bytes of a lane before its records: those of two moves."""

NONE = U(0xFFFFFFFFFFFFFFFF)
"""The number of the game in a lane that has no more to play."""

add_entries: Any = None
ask: Any = None
choose: Any = None
other: Any = None
update: Any = None
COUNT = 0
RECORD = U(0)
LANE = U(0)  # bytes of a lane
COHERENT = True


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
def _begin(lane, path, carry, four, double, sums, seed, first, game):  # type: ignore[no-untyped-def]
    """Begin game first + `game` in a lane: from where the one before says, or from the empty board."""
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
    store_u64(lane, STATE, x)
    store_u64(lane, STREAM, s)
    store_u64(lane, SCORE, U(0))
    store_u64(lane, MOVES, U(0))
    store_u64(lane, GAME, U(game))
    store_u64(lane, FRESH, U(fresh))
    store_u64(lane, TILES, U(tiles))
    store_u64(lane, LEAST, least)
    store_u64(lane, CLIMBING, U(double > U(0) and not holds_rank(x, double)))
    store_u64(lane, DOUBLED, U(0))
    store_u64(lane, BEFORE, U(0))
    store_u64(lane, ASKED, lane + HEAD)
    store_u64(path, U(0), x)


@helper
def _go_on(lane, path, x, tile, double):  # type: ignore[no-untyped-def]
    """Note state x, which a game has come to with a new tile: for what follows the game."""
    tiles = load_u64(lane, TILES) + U(tile)
    store_u64(lane, TILES, tiles)
    if load_u64(lane, CLIMBING) != U(0) and holds_rank(x, double):
        store_u64(lane, CLIMBING, U(0))
        store_u64(lane, DOUBLED, double_tile(x, double))
    least = load_u64(lane, LEAST)
    if least > U(0) and tiles >= least:
        store_u64(lane, DOUBLED, double_tiles(x, least))
        store_u64(lane, LEAST, U(0))
    store_u64(path, load_u64(lane, MOVES) & U(LONGEST - 1), x)


@helper
def _following(lane, path, restart):  # type: ignore[no-untyped-def]
    """Where the game after the one in a lane begins; 0 for the empty board."""
    doubled = load_u64(lane, DOUBLED)
    count = load_u64(lane, MOVES)
    half = count >> U(1)
    late = restart > 0 and half >= U(restart) and count < U(LONGEST)
    return doubled if doubled != U(0) else load_u64(path, half) if late else U(0)


def learning_games(  # type: ignore[no-untyped-def]
    table,
    weights,
    errors,
    lanes,
    paths,
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

    table: line table; weights, errors, lanes, paths, carry, stop: addresses (lanes: `scratch`; paths: uint64 (TURNS,
    LONGEST) of states of the games; carry: uint64 (TURNS,), where the next game of each lane begins, 0 for the empty
    board). restart: a game of at least 2·restart moves is followed by one from its middle, 0 for never. double: a game
    that begins below this rank (1..14) and makes it is followed by one from there with this tile doubled instead, 0 for
    never. sums: uint64; game i from the empty board is followed by one from where its tiles have come to sum number i
    modulo their count, below 32768, with all tiles of at least a sixteenth of that doubled; none for never. explore:
    chance times 2^32 that a move, from the second on, is the first from a drawn direction on that seems at most
    `within` points worse than the best. rates: float32 per game, learning rate / entries. Out per game: score (points),
    moves, top (highest rank, 15 at most, 255 for a game begun late).
    """
    lanes = (lanes + U(63)) & ~U(63)
    begun = 0
    playing = 0
    for i in range(TURNS):
        lane = lanes + U(i) * LANE
        store_u64(lane, GAME, NONE)
        if begun < len(score) and load_u64(stop, U(0)) == U(0):
            path = paths + U(i) * U(8 * LONGEST)
            _begin(lane, path, carry + U(8 * i), four, double, sums, seed, first, begun)
            ask(table, weights, load_u64(lane, STATE), lane + HEAD)
            begun += 1
            playing += 1
    i = TURNS - 1
    while playing > 0:
        i = i + 1 if i + 1 < TURNS else 0
        lane = lanes + U(i) * LANE
        game = load_u64(lane, GAME)
        if game == NONE:
            continue
        path = paths + U(i) * U(8 * LONGEST)
        records = load_u64(lane, ASKED)
        rate = rates[game]
        worth, v, chosen, going = choose(table, weights, load_u64(lane, STATE), records)
        before = load_u64(lane, BEFORE)
        if before != U(0):
            w = load_u64(before, TABLES)
            target = np.float32(worth) if going else np.float32(0)
            difference = target - add_entries(before + LIST, w)
            update(w, errors + ((w - weights) << U(1)), before + LIST, difference, rate)
            if explore > U(0) and going:
                draw = mix64(load_u64(lane, STREAM) ^ OTHER)
                if draw >> U(32) < explore:
                    v, chosen = other(records, draw, worth - within, v, chosen)
        if going:
            reward = load_u64(chosen, GAIN)
            store_u64(lane, SCORE, load_u64(lane, SCORE) + reward)
            store_u64(lane, MOVES, load_u64(lane, MOVES) + U(1))
            going = reward < U(LAST_REWARD)
        if going:
            if COHERENT:
                e = errors + ((load_u64(chosen, TABLES) - weights) << U(1))
                for k in range(COUNT):
                    prefetch(e, U(load_u32(chosen + LIST, U(k))))
            store_u64(lane, BEFORE, chosen)
            x, s, tile = next_state(load_u64(chosen, AFTERSTATE), load_u64(lane, STREAM), four)
            store_u64(lane, STATE, x)
            store_u64(lane, STREAM, s)
            # Those of this move are still needed: the next one's lie where those of the move before did.
            records = lane + HEAD + (lane + HEAD + U(4) * RECORD - records)
            store_u64(lane, ASKED, records)
            ask(table, weights, x, records)
            _go_on(lane, path, x, tile, double)
            continue
        score[game] = load_u64(lane, SCORE)
        moves[game] = load_u64(lane, MOVES)
        top[game] = highest_rank(load_u64(lane, STATE)) if load_u64(lane, FRESH) != U(0) else U(LATE)
        start = carry + U(8 * i)
        store_u64(start, U(0), _following(lane, path, restart))
        if begun < len(score) and load_u64(stop, U(0)) == U(0):
            _begin(lane, path, start, four, double, sums, seed, first, begun)
            ask(table, weights, load_u64(lane, STATE), lane + HEAD)
            begun += 1
        else:
            store_u64(lane, GAME, NONE)
            playing -= 1
    return begun


@functools.cache
def trainer(masks: tuple[int, ...], stages: tuple[int, ...], by_sum: bool, coherent: bool) -> Any:
    """`learning_games` for tuples of 4x4 cells (masks of nibbles) and stages as in `stage_finder`."""
    asking = move_parts(masks, stage_finder(stages, by_sum), whole=False, scale=1.0)
    common = {"COUNT": IMAGES * len(masks), "COHERENT": coherent}
    updated = clone(update_entries, common, cached=False)
    lane = {"LANE": U(_lane_bytes(masks)), "RECORD": U(record_bytes(masks))}
    return clone(learning_games, {**common, **asking, **lane, "update": updated})


def _lane_bytes(masks: tuple[int, ...]) -> int:
    return int(HEAD) + 8 * record_bytes(masks)


def scratch(masks: tuple[int, ...]) -> NDArray[np.uint64]:
    """Memory for the lanes of a trainer."""
    return np.zeros(TURNS * _lane_bytes(masks) // 8 + 8, np.uint64)
