"""Whole games of random play, uniform over the legal moves, on one core and without holding the GIL.

Game `first + i` of run `seed` is the game that `Game(variant, seed, index=first + i)` plays with the player
`random`: tile k comes from word k of the spawn stream; move m from word m of the player stream, whose high half
picks one of the 24 orders of the directions: the first legal one in that order is played.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.kernels.bits import U, load_u8, pdep, popcount, trailing_zeros
from twofold.kernels.board.bitboard import GAMMA, LINE, below, empties, mix64, spawn, stream_key, transpose
from twofold.kernels.board.byteboard import cells_copy, cells_highest, cells_slide, cells_spawn, cells_words
from twofold.kernels.board.steps import holds
from twofold.kernels.compiling import clone, helper, kernel
from twofold.rules.direction import PERMUTATIONS

ORDERS = np.array(PERMUTATIONS, np.uint8)
"""uint8 (24, 4): the orders of the directions, lexicographic."""

_AXIS_ORDER = (3, 1, 0, 2)
"""LEFT, RIGHT, UP, DOWN: the order in which `_step` holds the four slides, so that one comparison tells the axis."""


def _picks() -> NDArray[np.uint8]:
    rank = [_AXIS_ORDER.index(direction) for direction in range(4)]
    return np.array(
        [
            [next((rank[d] for d in order if legal >> rank[d] & 1), 0) for legal in range(16)]
            for order in ORDERS
        ],
        np.uint8,
    )


PICKS = _picks()
"""uint8 (24, 16): the slide played for an order of directions and a set of legal slides, both in _AXIS_ORDER."""

HALF = U(0xFFFFFFFF)

STOPS = False
"""Whether the kernel ends games at a target: only its copy in `stopping_games` looks for one after each move."""

REPLAY = np.uint8(255)
"""Mark of a game that outgrew the packed board and has to be replayed on `cells`."""


@helper
def _two_ways(table, x):  # type: ignore[no-untyped-def]
    """All rows slid left and all rows slid right, from `line_tables.two_ways`."""
    a = table[x & LINE]
    b = table[(x >> U(16)) & LINE]
    c = table[(x >> U(32)) & LINE]
    d = table[x >> U(48)]
    upper = a | (b << U(16))
    lower = c | (d << U(16))
    return (upper & HALF) | (lower << U(32)), (upper >> U(32)) | (lower & ~HALF)


@helper
def _step(table, picks, x, t, move_word, spawn_word, four):  # type: ignore[no-untyped-def]
    """One random legal move and a spawn on board x with transpose t, without a branch.

    Returns board and transpose after the spawn, and whether a move was legal.
    """
    left, right = _two_ways(table, x)
    up, down = _two_ways(table, t)
    legal = U(left != x) | (U(right != x) << U(1)) | (U(up != t) << U(2)) | (U(down != t) << U(3))
    pick = U(load_u8(picks, below(move_word, U(24)) * U(16) + legal))
    flat = pick < U(2)
    y = (left if pick == U(0) else right) if flat else (up if pick == U(2) else down)
    other = transpose(y)
    board = y if flat else other
    turned = other if flat else y
    # The spawn's cell counts in reading order: draw it on the board, then set the same cell in the transpose.
    free = empties(board)
    tile = pdep(U(1) << below(spawn_word, popcount(free)), free) << U((spawn_word & U(0xFFFFFFFF)) < four)
    at = trailing_zeros(tile)
    turned_at = ((at & U(12)) << U(2)) | ((at >> U(2)) & U(12)) | (at & U(3))
    return board | tile, turned | (U(1) << turned_at), legal != U(0)


@helper
def _new_game(start, place, seed, index, four):  # type: ignore[no-untyped-def]
    """A game's stream positions (spawns, moves) and first board with its transpose."""
    s = stream_key(seed, index, U(0)) + GAMMA
    m = stream_key(seed, index, U(1)) + GAMMA
    x = start
    for _ in range(place):
        x = spawn(x, mix64(s), four)
        s += GAMMA
    return s, m, x, transpose(x)


@helper
def _content(x, brick):  # type: ignore[no-untyped-def]
    """Sum of the tiles on x, what merging 2s into them earned, and the highest rank."""
    total = 0
    earned = 0
    top = 0
    for _ in range(16):
        rank = np.int64(x & U(15))
        if rank > 0 and rank != brick:
            total += 1 << rank
            earned += (rank - 1) << rank
            top = max(top, rank)
        x >>= U(4)
    return total, earned, top


@helper
def _result(x, start, tiles, brick, largest):  # type: ignore[no-untyped-def]
    """Score and highest rank (or REPLAY) of a game from `start` to x in which `tiles` tiles appeared.

    A tile of rank r that was merged from 2s earned (r - 1) 2^r points, and 4 less for each 4 in it; how many 4s
    appeared follows from the sum of the tiles.
    """
    before, worth, _ = _content(start, brick)
    total, earned, top = _content(x, brick)
    fours = (total - before) // 2 - tiles
    return earned - worth - 4 * fours, REPLAY if top >= largest else np.uint8(top)


@helper
def _note(game, n, x, start, place, brick, largest, boards, score, moves, top):  # type: ignore[no-untyped-def]
    """Write down game number `game`, if it is one, after n moves."""
    if game >= 0:
        boards[game] = x
        moves[game] = n
        score[game], top[game] = _result(x, start, place + n, brick, largest)


@kernel
def random_games(  # type: ignore[no-untyped-def]
    table, picks, brick, largest, start, place, four, target, seed, first, boards, score, moves, top
):
    """Play len(score) random games from the packed board `start` (after `place` spawns), two side by side.

    table: `line_tables.two_ways`, uint64 (65536,); picks: address of PICKS; brick: the nibble of a brick, 16 for none;
    largest: the rank that stays what it is when it merges; four: p(4) * 2^32; target: the rank that ends a game where
    STOPS is set. Writes per game the last board (uint64), the score (points, int64), the moves (int64) and the highest
    rank (uint8), REPLAY where one of rank `largest` may have outgrown the
    nibbles.
    """
    count = len(score)
    next_game = 0
    game_a = game_b = -1
    s_a = m_a = x_a = t_a = s_b = m_b = x_b = t_b = U(0)
    n_a = n_b = 0
    ok_a = ok_b = False
    while True:
        if not ok_a:
            _note(game_a, n_a, x_a, start, place, brick, largest, boards, score, moves, top)
            game_a = -1
            if next_game < count:
                game_a = next_game
                next_game += 1
                s_a, m_a, x_a, t_a = _new_game(start, place, seed, first + U(game_a), four)
                n_a = 0
        if not ok_b:
            _note(game_b, n_b, x_b, start, place, brick, largest, boards, score, moves, top)
            game_b = -1
            if next_game < count:
                game_b = next_game
                next_game += 1
                s_b, m_b, x_b, t_b = _new_game(start, place, seed, first + U(game_b), four)
                n_b = 0
        if game_a < 0 and game_b < 0:
            return
        # A lane without a game steps on from its last board; nobody looks at that.
        while True:
            y_a, z_a, ok_a = _step(table, picks, x_a, t_a, mix64(m_a), mix64(s_a), four)
            y_b, z_b, ok_b = _step(table, picks, x_b, t_b, mix64(m_b), mix64(s_b), four)
            if ok_a:
                x_a, t_a = y_a, z_a
                n_a += 1
                m_a += GAMMA
                s_a += GAMMA
                if STOPS and holds(x_a, target):
                    ok_a = False
            if ok_b:
                x_b, t_b = y_b, z_b
                n_b += 1
                m_b += GAMMA
                s_b += GAMMA
                if STOPS and holds(x_b, target):
                    ok_b = False
            if not (ok_a and ok_b) and ((not ok_a and game_a >= 0) or (not ok_b and game_b >= 0)):
                break


@functools.cache
def stopping_games() -> Any:
    """The kernel `random_games` with games that end at the target."""
    return clone(random_games.py_func, {"STOPS": True})


@kernel
def random_games_cells(  # type: ignore[no-untyped-def]
    start, geometry, orders, place, style, four, target, seed, first, most, buffer, boards, score, moves
):
    """The same games on any board, one after another.

    start, buffer: addresses of padded boards; orders: address of ORDERS; style: spawn style 0..8; target: the rank
    that ends a game, 0 for none; most: the number of moves after which a game is left (-1: none); boards: uint8 (games,
    bytes of a padded board), the last ones.
    """
    words = cells_words(geometry)
    for game in range(len(score)):
        s = stream_key(seed, first + U(game), U(0)) + GAMMA
        m = stream_key(seed, first + U(game), U(1)) + GAMMA
        cells_copy(start, buffer, words)
        for _ in range(place):
            cells_spawn(buffer, geometry, style, mix64(s), four)
            s += GAMMA
        total = 0
        count = 0
        while count != most:
            row = below(mix64(m), U(24)) * U(4)
            changed = False
            reward = 0
            for i in range(4):
                changed, reward = cells_slide(buffer, geometry, load_u8(orders, row + U(i)))
                if changed:
                    break
            if not changed:
                break
            total += reward
            count += 1
            cells_spawn(buffer, geometry, style, mix64(s), four)
            m += GAMMA
            s += GAMMA
            if target and cells_highest(buffer, words << U(3)) >= target:
                break
        for i in range(words << U(3)):
            boards[game, i] = load_u8(buffer, U(i))
        score[game] = total
        moves[game] = count
