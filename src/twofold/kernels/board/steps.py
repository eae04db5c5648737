"""What the loops of whole games on packed boards share: how a game begins, the tile after a move, the move itself."""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import NDArray

from twofold.kernels.bits import U, load_f64
from twofold.kernels.board.bitboard import GAMMA, ONES, OWN_VALUES, drawn_rank, mix64, put_drawn, stream_key
from twofold.kernels.compiling import helper
from twofold.rules.variant import Variant


@functools.cache  # kept for good: kernels know their addresses
def _bounds(thresholds: tuple[tuple[int, int], ...]) -> NDArray[np.uint64]:
    return np.array(thresholds, np.uint64)


def spawn_word(variant: Variant) -> np.uint64:
    """What spawns in a variant, as `drawn_rank` takes it."""
    if not variant.has_own_values:
        return np.uint64(variant.four_threshold)
    return OWN_VALUES | np.uint64(_bounds(variant.thresholds).ctypes.data)


STATE, STREAM, SCORE, MOVES, GAME = (U(k) for k in range(5))
"""Words of a *lane*, one of a few games that are played in turn: the board, where its stream goes on, points, moves,
the number of the game in its block."""


@helper
def next_state(y, s, four):  # type: ignore[no-untyped-def]
    """Afterstate y with a tile more: (state, where the stream goes on, value of the tile).

    s: the stream's position; four: as in `drawn_rank`.
    """
    word = mix64(s)
    rank = drawn_rank(word, four)
    return put_drawn(y, word, rank), s + GAMMA, np.int64(1) << np.int64(rank)


@helper
def first_state(seed, game, four):  # type: ignore[no-untyped-def]
    """The state that game `game` of a run begins with: (state, where its stream goes on, sum of the tiles)."""
    x, s, one = next_state(U(0), stream_key(seed, game, U(0)) + GAMMA, four)
    x, s, other = next_state(x, s, four)
    return x, s, one + other


@helper
def holds(x, rank):  # type: ignore[no-untyped-def]
    """True if a tile of this rank, 1 to 15, lies on packed board x; never for rank 0.

    A loop that ends games at a target asks this after each move: no spawn can be the target there, so a merge made it.
    """
    y = x ^ (U(rank) * ONES)  # a nibble is 0 where the tile lies
    return rank != 0 and ((y - ONES) & ~y & (ONES << U(3))) != U(0)


@helper
def first_best(values):  # type: ignore[no-untyped-def]
    """The first of UP, RIGHT, DOWN, LEFT with the largest of four values; -1 if none is legal.

    values: address of four float64, nan for a move that is not legal.
    """
    most = -np.inf
    choice = -1
    for d in range(4):
        v = load_f64(values, U(d))
        if v == v and (choice < 0 or v > most):
            most = v
            choice = d
    return choice
