"""Many games of the open 4x4 board side by side, one move at a time, for learners that value boards in batches.

A round is `spawn_tiles` (a tile on every afterstate; a game that is over is followed by the next of the run),
`expand` (every legal afterstate of every board), the learner's own valuation, and `choose`. Game i of a run spawns
the tiles of `Game(variant, seed, index=i)`, and random moves come from its player stream.

No nibble holds a 65536: the game ends with the move that earns `LAST_REWARD`, as in `temporal.py`.
"""

from __future__ import annotations

import numpy as np

from twofold.kernels.bits import U
from twofold.kernels.board.bitboard import (
    GAMMA,
    below,
    highest_rank,
    mix64,
    slide_rows,
    stream_key,
    transpose,
)
from twofold.kernels.board.steps import first_state, next_state
from twofold.kernels.compiling import helper, kernel
from twofold.kernels.neural.evaluator import FEATURES, canonical, feature
from twofold.kernels.ntuple.temporal import LAST_REWARD

GOES_ON, DEAD, LEFT = 0, 1, 2
"""What became of a game: it goes on, no move is legal, it was left because a tile may outgrow its nibble."""


@kernel
def first_boards(four, seed, first, spawns, players, boards):  # type: ignore[no-untyped-def]
    """Begin games first, first + 1, …: their streams (the next word's position) and boards with two tiles, uint64."""
    for b in range(len(boards)):
        boards[b], spawns[b], _ = first_state(seed, first + U(b), four)
        players[b] = stream_key(seed, first + U(b), U(1)) + GAMMA


@kernel
def spawn_tiles(  # type: ignore[no-untyped-def]
    table,
    four,
    seed,
    following,
    after,
    spawns,
    players,
    last,
    score,
    moves,
    boards,
    ended,
    scores,
    lengths,
    tops,
):
    """A tile on every afterstate of `after`, into `boards`; games that are over begin anew with number `following`.

    last: 1 where the last move earned `LAST_REWARD`. In and out per game: the streams, score (points), moves.
    Out: `ended` as above; and of the games that ended their score, moves and highest rank. Returns the next number
    and how many ended.
    """
    done = 0
    for b in range(len(after)):
        x, spawns[b], _ = next_state(after[b], spawns[b], four)
        t = transpose(x)
        left, right, _ = slide_rows(table, x)
        up, down, _ = slide_rows(table, t)
        ended[b] = GOES_ON
        if last[b] != 0:
            ended[b] = LEFT
        elif left == x and right == x and up == t and down == t:
            ended[b] = DEAD
        if ended[b] != GOES_ON:
            scores[done], lengths[done] = score[b], moves[b]
            tops[done] = np.int64(highest_rank(x)) if last[b] == 0 else 16
            done += 1
            x, spawns[b], _ = first_state(seed, following, four)
            players[b] = stream_key(seed, following, U(1)) + GAMMA
            following += U(1)
            score[b] = 0
            moves[b] = 0
        boards[b] = x
    return following, done


@helper
def _put(x, gain, n, words, gains, features):  # type: ignore[no-untyped-def]
    words[n] = x
    gains[n] = gain
    y = canonical(x)
    t = transpose(y)
    for k in range(FEATURES):
        features[n, k] = feature(y, t, k)
    return n + 1


@kernel
def expand(table, boards, words, gains, first, features):  # type: ignore[no-untyped-def]
    """The legal afterstates of every board, in the order UP, RIGHT, DOWN, LEFT; returns how many.

    Out: afterstates uint64 (4B,), rewards int64 (4B,), where those of each board begin int64 (B + 1,), and the rows
    of the network's tables for each, int32 (4B, 17).
    """
    n = 0
    for b in range(len(boards)):
        first[b] = n
        x = boards[b]
        t = transpose(x)
        left, right, across = slide_rows(table, x)
        up, down, along = slide_rows(table, t)
        if up != t:
            n = _put(transpose(up), along, n, words, gains, features)
        if right != x:
            n = _put(right, across, n, words, gains, features)
        if down != t:
            n = _put(transpose(down), along, n, words, gains, features)
        if left != x:
            n = _put(left, across, n, words, gains, features)
    first[len(boards)] = n
    return n


@kernel
def choose(  # type: ignore[no-untyped-def]
    words,
    gains,
    first,
    features,
    values,
    points,
    explore,
    players,
    after,
    last,
    score,
    moves,
    chosen,
    value,
    best,
    strayed,
):
    """Every game makes the move of the largest reward + points * value, or with probability explore / 2^32 any other.

    words, gains, first, features: of `expand`; values: float32, in units of `points`. Out per game: the afterstate,
    its row of features, its value, `best` (the largest sum, points) and whether a random move was made instead.
    """
    for b in range(len(after)):
        most = -np.inf
        at = first[b]
        for i in range(first[b], first[b + 1]):
            worth = np.float64(gains[i]) + points * np.float64(values[i])
            if worth > most:
                most = worth
                at = i
        strayed[b] = 0
        if explore > U(0):
            word = mix64(players[b])
            players[b] += GAMMA
            if (word & U(0xFFFFFFFF)) < explore:
                other = first[b] + np.int64(below(word, U(first[b + 1] - first[b])))
                strayed[b] = np.uint8(other != at)
                at = other
        after[b] = words[at]
        last[b] = np.uint8(gains[at] >= LAST_REWARD)
        value[b] = values[at]
        best[b] = np.float32(most)
        score[b] += gains[at]
        moves[b] += 1
        for k in range(FEATURES):
            chosen[b, k] = features[at, k]


@kernel
def four_moves(table, boards, after, gains):  # type: ignore[no-untyped-def]
    """What UP, RIGHT, DOWN, LEFT make of every board, uint64 (B, 4), and the points, int64 (B, 4), -1 for illegal."""
    for b in range(len(boards)):
        x = boards[b]
        t = transpose(x)
        left, right, across = slide_rows(table, x)
        up, down, along = slide_rows(table, t)
        after[b, 0] = transpose(up)
        after[b, 1] = right
        after[b, 2] = transpose(down)
        after[b, 3] = left
        for d in range(4):
            gains[b, d] = -1 if after[b, d] == x else np.int64(along if d & 1 == 0 else across)
