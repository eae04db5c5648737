"""Learning by temporal differences on any board: the algorithm of `temporal.py` on boards of bytes.

Slower than on packed boards, for every entry number is put together cell by cell, and right for any size, bricks,
rank and spawn style that is not adversarial or scripted.

With EXPECTED the target is the mean of r + V(y') over all spawns instead of that of the spawn that came (expected and
sample updates: Sutton and Barto 2018, section 8.5): several times the work of a move, and free of the spawns' noise.

Games explore as in `temporal.py`.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from twofold.kernels.bits import U, load_u8, load_u32, load_u64, store_u8
from twofold.kernels.board.bitboard import GAMMA, mix64, stream_key
from twofold.kernels.board.byteboard import cells_copy, cells_highest, cells_slide, cells_spawn, cells_words
from twofold.kernels.compiling import clone
from twofold.kernels.ntuple import lookup, temporal

lookup_value: Any = None
update: Any = None
best: Any = None
mean: Any = None
explored: Any = None
EXPECTED = False


def best_cells(weights, lookups, geometry, state, boards, indices, terms, words):  # type: ignore[no-untyped-def]
    """The best move on `state` by reward + V: (worth, V, its number 0..3 or -1, reward in points).

    The afterstate of direction d is left in row d of `boards`, the numbers of its entries in row d of `indices`. Equal
    values: the first of UP, RIGHT, DOWN, LEFT.
    """
    most = -np.inf
    kept = 0.0
    choice = -1
    earned = 0
    size = words << U(3)
    for d in range(4):
        child = boards + U(d) * size
        cells_copy(state, child, words)
        changed, reward = cells_slide(child, geometry, d)
        if not changed:
            continue
        v = lookup_value(
            weights, lookups, boards + U(4) * size, child, words, indices + ((U(d) * terms) << U(2))
        )
        worth = np.float64(reward) + v
        if choice < 0 or worth > most:
            most = worth
            kept = v
            choice = d
            earned = reward
    return most, kept, choice, earned


def mean_cells(  # type: ignore[no-untyped-def]
    weights, lookups, geometry, state, boards, indices, terms, words, style, four
):
    """The mean value of the best move over all spawns on the afterstate at `state`; a lost board counts 0."""
    chance = np.float64(four) / np.float64(1 << 32)
    order = U(load_u32(geometry, U(8) + U(style)))
    total = 0.0
    places = 0
    for i in range(load_u32(geometry, U(3))):
        cell = U(load_u32(geometry, order + U(i)))
        if load_u8(state, cell) != 0:
            continue
        places += 1
        for rank in range(1, 3):
            weight = chance if rank == 2 else 1.0 - chance
            if weight > 0.0:
                store_u8(state, cell, np.uint8(rank))
                worth, _, choice, _ = best(weights, lookups, geometry, state, boards, indices, terms, words)
                if choice >= 0:
                    total += weight * worth
        store_u8(state, cell, np.uint8(0))
        if style != 0:
            break
    return total / places


def explored_cells(  # type: ignore[no-untyped-def]
    weights, lookups, geometry, state, boards, indices, terms, words, draw, least, v, choice, reward
):
    """The first move from direction `draw` mod 4 on that is worth at least `least`: (V, its number, its reward).

    Its afterstate and the numbers of its entries are left as by `best_cells`. If there is none (the network has learned
    since `least` was found), that which was given.
    """
    size = words << U(3)
    for turn in range(4):
        d = np.int64((draw + U(turn)) & U(3))
        child = boards + U(d) * size
        cells_copy(state, child, words)
        changed, points = cells_slide(child, geometry, d)
        if changed:
            worth = lookup_value(
                weights, lookups, boards + U(4) * size, child, words, indices + ((U(d) * terms) << U(2))
            )
            if np.float64(points) + worth >= least:
                return worth, d, points
    return v, choice, reward


def learning_games_cells(  # type: ignore[no-untyped-def]
    weights,
    errors,
    lookups,
    geometry,
    start,
    boards,
    indices,
    terms,
    stop,
    place,
    style,
    four,
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

    weights, errors, lookups, geometry, start, boards, indices, stop: addresses; start: the board before `place`
    spawns; boards: six boards' room; indices: five times `terms` numbers. style: spawn style 0..8. explore: chance
    times 2^32 that a move, from the second on, is the first from a drawn direction on that seems at most `within`
    points worse than the best. rates, score, moves, top: as in `temporal.learning_games`.
    """
    words = cells_words(geometry)
    size = words << U(3)
    state = boards + U(5) * size
    before = indices + ((U(4) * terms) << U(2))
    for game in range(len(score)):
        if load_u64(stop, U(0)) != U(0):
            return game
        s = stream_key(seed, first + U(game), U(0)) + GAMMA
        cells_copy(start, state, words)
        for _ in range(place):
            cells_spawn(state, geometry, style, mix64(s), four)
            s += GAMMA
        total = count = 0
        rate = rates[game]
        worth, kept, choice, reward = best(weights, lookups, geometry, state, boards, indices, terms, words)
        while choice >= 0:
            total += reward
            count += 1
            cells_copy(indices + ((U(choice) * terms) << U(2)), before, (terms + U(1)) >> U(1))
            cells_copy(boards + U(choice) * size, state, words)
            if EXPECTED:
                target = mean(weights, lookups, geometry, state, boards, indices, terms, words, style, four)
                update(weights, errors, before, np.float32(target - kept), rate)
            cells_spawn(state, geometry, style, mix64(s), four)
            s += GAMMA
            worth, v, choice, reward = best(weights, lookups, geometry, state, boards, indices, terms, words)
            if not EXPECTED:
                target = worth if choice >= 0 else 0.0
                update(weights, errors, before, np.float32(target - kept), rate)
            draw, least = mix64(s ^ temporal.OTHER), worth - within
            if choice >= 0 and draw >> U(32) < explore:
                v, choice, reward = explored(
                    weights,
                    lookups,
                    geometry,
                    state,
                    boards,
                    indices,
                    terms,
                    words,
                    draw,
                    least,
                    v,
                    choice,
                    reward,
                )
            kept = v
        score[game] = total
        moves[game] = count
        top[game] = cells_highest(state, size)
    return len(score)


@functools.cache
def trainer_cells(
    terms: int, base: int, entries: int, stages: tuple[int, ...], by_sum: bool, coherent: bool, expected: bool
) -> Any:
    """`learning_games_cells` for networks of this many look-ups per board, ranks, entries per stage and stages."""
    constants = {
        "BASE": base,
        "SIZE": U(entries),
        "STAGES": stages or (0,),
        "BY_SUM": by_sum,
        "LEARNING": True,
    }
    valued = clone(lookup.lookup_value, constants, cached=False)
    chosen = clone(best_cells, {"lookup_value": valued}, cached=False)
    updated = clone(temporal.update_entries, {"COUNT": terms, "COHERENT": coherent}, cached=False)
    parts: dict[str, Any] = {"best": chosen, "update": updated, "EXPECTED": expected}
    parts["explored"] = clone(explored_cells, {"lookup_value": valued}, cached=False)
    if expected:
        parts["mean"] = clone(mean_cells, {"best": chosen}, cached=False)
    return clone(learning_games_cells, parts)
