"""Whole games of greedy play by reward + V on the open 4x4 board, a few games in turn.

While one game waits for the entries of its values the next one moves. The games don't know of each other: each is the
one that the player `ntuple` or `neural` plays. How many at once pay was measured with the shipped network (moves per
second, one game = 1): 2 games 1.12, 3 games 1.01, 4 games 0.9; with many, the entries of a game that are still near
from its moves before are driven out.

A *lane* holds a game: the words of `games.py`, then the records of `afterstates.py`.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.kernels.bits import U, load_u64, store_u64
from twofold.kernels.board.steps import GAME, MOVES, SCORE, STATE, STREAM, first_state, holds, next_state
from twofold.kernels.compiling import clone, helper
from twofold.kernels.neural.evaluator import neural_ask, neural_choose
from twofold.kernels.ntuple.afterstates import AFTERSTATE, GAIN, LIST, move_parts, record_bytes

RECORDS = U(64)
TURNS = 2
"""Games played in turn with a network of tables."""

ask: Any = None
choose: Any = None
LANES = 1
LANE = U(64)  # bytes of a lane


@helper
def _begin(lane, seed, first, game, four):  # type: ignore[no-untyped-def]
    x, s, _ = first_state(seed, first + U(game), four)
    store_u64(lane, STATE, x)
    store_u64(lane, STREAM, s)
    store_u64(lane, SCORE, U(0))
    store_u64(lane, MOVES, U(0))
    store_u64(lane, GAME, U(game))


@helper
def _move(lane, y, reward, four):  # type: ignore[no-untyped-def]
    """Make a move to y, with the tile that follows."""
    x, s, _ = next_state(y, load_u64(lane, STREAM), four)
    store_u64(lane, STATE, x)
    store_u64(lane, STREAM, s)
    store_u64(lane, SCORE, load_u64(lane, SCORE) + reward)
    store_u64(lane, MOVES, load_u64(lane, MOVES) + U(1))


def greedy_games(  # type: ignore[no-untyped-def]
    table, tables, lanes, four, target, seed, first, most, stop, boards, score, moves
):
    """Play games first, first + 1, … of run `seed` by the best reward + value, as the player `ntuple` does.

    table: line table; tables: address of the network's; lanes: address of `scratch`. target: a game ends
    when a tile of this rank is made, 0 for never. most: the score from which a tile may outgrow its nibble: such a game
    is left there. stop: uint8 (1,), set by anyone to leave. Out per game: the last board, score (points), moves.
    """
    lanes = (lanes + U(63)) & ~U(63)
    count = len(score)
    playing = min(LANES, count)
    begun = playing
    for i in range(playing):
        lane = lanes + U(i) * LANE
        _begin(lane, seed, first, i, four)
        ask(table, tables, load_u64(lane, STATE), lane + RECORDS)
    i = 0
    while playing > 0 and stop[0] == 0:
        lane = lanes + U(i) * LANE
        _, _, best, going = choose(table, tables, load_u64(lane, STATE), lane + RECORDS)
        if going:
            _move(lane, load_u64(best, AFTERSTATE), load_u64(best, GAIN), four)
        if not going or load_u64(lane, SCORE) >= most or holds(load_u64(lane, STATE), target):
            game = load_u64(lane, GAME)
            boards[game] = load_u64(lane, STATE)
            score[game] = load_u64(lane, SCORE)
            moves[game] = load_u64(lane, MOVES)
            if begun < count:
                _begin(lane, seed, first, begun, four)
                begun += 1
            else:  # the last lane takes the place of this one
                playing -= 1
                other = lanes + U(playing) * LANE
                for word in range(LANE >> U(3)):
                    store_u64(lane, U(word), load_u64(other, U(word)))
                i = i + 1 if i + 1 < playing else 0
                continue
        ask(table, tables, load_u64(lane, STATE), lane + RECORDS)
        i = i + 1 if i + 1 < playing else 0


def _lane_bytes(masks: tuple[int, ...]) -> int:
    return int(RECORDS) + 4 * record_bytes(masks)


def scratch(masks: tuple[int, ...]) -> NDArray[np.uint64]:
    """Memory for the lanes of a network with these tuples, none for a neural one."""
    return np.zeros(TURNS * _lane_bytes(masks) // 8 + 8, np.uint64)


@functools.lru_cache(maxsize=8)
def table_games(masks: tuple[int, ...], staged: Any, *, whole: bool, scale: float) -> Any:
    """`greedy_games` for a tuple network; the parameters are those of `move_parts`."""
    parts = move_parts(masks, staged, whole=whole, scale=scale)
    return clone(greedy_games, {**parts, "LANES": TURNS, "LANE": U(_lane_bytes(masks))})


@functools.lru_cache(maxsize=1)
def neural_games() -> Any:
    """`greedy_games` for a neural network, whose `tables` are the parts of `neural.neural_choose`."""
    parts = {"ask": clone(neural_ask, {}, cached=False), "choose": clone(neural_choose, {}, cached=False)}
    return clone(greedy_games, {**parts, "LANES": 1, "LANE": RECORDS + LIST})
