"""Whole games in compiled loops, with all that an arena's row tells, for the players that are played by the thousand.

`whole_games(text, variant)` gives a function that plays games of a player, move for move what `play_game` plays
(tests/players/test_whole.py), or None for a player that has no such loop:

- `expectimax` limited by `nodes` alone (kernels/games/deepened.py), about twice as fast as one move at a time;
- `chain` in mode `best`, two moves ahead, without a window (kernels/games/chain.py), some twenty times as fast, for
  most futures need not be looked at to know the best one.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.evaluation.base import Evaluation
from twofold.evaluation.compiled import unpack
from twofold.evaluation.registry import EVALUATIONS, make_evaluation
from twofold.kernels.board.line_tables import line_table
from twofold.kernels.compiling import clone
from twofold.kernels.games import deepened
from twofold.kernels.games.chain import SEEN, chain_games
from twofold.matches.many import OVERFLOW
from twofold.players.deepening import INLINE_NODES, MOST_DEPTH
from twofold.players.registry import PLAYERS, make_player
from twofold.rules.board import Board
from twofold.rules.game import State
from twofold.rules.random import Stream, stream_key
from twofold.rules.spawn import draw_spawn
from twofold.rules.variant import Variant
from twofold.search.expectimax import Searcher
from twofold.search.workspace import layout_of
from twofold.threads import beside

_U = np.uint64
_BEGUN = Board.empty(4, 4).with_cell(0, 1)
_FIRST_STAMP = 1 << 40  # no searcher numbers its own searches so far, see matches/many.py


@dataclass(frozen=True)
class Played:
    """What came of some games: int64 (n,) each, `nodes`, `table_hits` and `depths` None where they aren't counted.

    score: points; moves; top: highest rank; depths: sum of the depths reached; times (n, 64): moves made when each
    rank first lay on the board, −1 if it never did.
    """

    score: NDArray[np.int64]
    moves: NDArray[np.int64]
    top: NDArray[np.int64]
    times: NDArray[np.int64]
    nodes: NDArray[np.int64] | None = None
    table_hits: NDArray[np.int64] | None = None
    depths: NDArray[np.int64] | None = None


Play = Callable[[int, int, int], Played]
"""Plays `count` games from number `first` of run `seed`: (first, count, seed)."""


def whole_games(text: str, variant: Variant) -> Play | None:
    """A function that plays whole games of the player, or None if it has no compiled loop on this variant."""
    if not variant.is_random_open_4x4:
        return None
    info, values = PLAYERS.parse(text)
    if info.name == "expectimax":
        return _deepening(text, values, variant)
    if info.name == "chain":
        return _chain(text, values, variant)
    return None


_PLAIN = {
    "depth": None,
    "adaptive": False,
    "danger": 0,
    "time": None,
    "cut": 0.0,
    "four_cut": 0.0,
    "bound": 0.0,
    "deeper": False,
}


def _deepening(text: str, values: dict[str, Any], variant: Variant) -> Play | None:
    nodes = values["nodes"]
    if nodes is None or nodes > INLINE_NODES or any(values[key] != value for key, value in _PLAIN.items()):
        return None
    evaluation = make_evaluation(values["eval"])
    if evaluation.scored or not layout_of(evaluation, _BEGUN, MOST_DEPTH).packed:
        return None
    return functools.partial(_play_deepening, text, evaluation, nodes, values["table"], variant)


def _play_deepening(
    text: str,
    evaluation: Evaluation,
    nodes: int,
    table: int,
    variant: Variant,
    first: int,
    count: int,
    seed: int,
) -> Played:
    searcher = Searcher(evaluation, table_bits=table)
    searcher.start(State.of(_BEGUN, variant), depth=MOST_DEPTH)
    searcher.ready()
    loop = clone(deepened.deepened_games, {"root": searcher.root_kernel})
    boards, score, times = np.zeros(count, _U), np.zeros(count, np.int64), _no_times(count)
    counts = np.zeros((count, 5), np.int64)
    limit = OVERFLOW - 4 * MOST_DEPTH - 4
    four = _U(variant.four_threshold)
    numbers = (_U(seed), _U(first), limit, _U(_FIRST_STAMP))
    ws, found = searcher.addresses
    arrays = (boards, score, counts, times)
    beside(lambda: searcher.run(loop, ws, found, MOST_DEPTH, nodes, four, *numbers, *arrays), searcher.stop)
    left = _Left(text, variant, seed, first)
    totals = {"nodes": counts[:, 2], "table_hits": counts[:, 3], "depths": counts[:, 4]}
    return left.finish(boards, score, counts[:, 0], counts[:, 1] >= limit, times, totals)


def _chain(text: str, values: dict[str, Any], variant: Variant) -> Play | None:
    if values["mode"] != "best" or values["depth"] != 2 or values["window"] is not None:
        return None
    if EVALUATIONS.parse(values["eval"])[0].name != "chain":
        return None
    return functools.partial(_play_chain, text, make_evaluation(values["eval"]), variant)


def _play_chain(
    text: str, evaluation: Evaluation, variant: Variant, first: int, count: int, seed: int
) -> Played:
    boards, score, times = np.zeros(count, _U), np.zeros(count, np.int64), _no_times(count)
    moves, sums = np.zeros(count, np.int64), np.zeros(count, np.int64)
    weights = evaluation.parameter_array()
    limit = OVERFLOW - 16
    over = np.zeros(1, np.uint8)
    tables = (line_table(False), chain_lines(), distances(), np.zeros(SEEN, _U))
    numbers = (evaluation.dead, _U(variant.four_threshold), _U(seed), _U(first), limit)
    arrays = (over, boards, score, moves, sums, times)
    beside(lambda: chain_games(*tables, weights, *numbers, *arrays), functools.partial(over.fill, 1))
    return _Left(text, variant, seed, first).finish(boards, score, moves, sums >= limit, times, {})


def _no_times(count: int) -> NDArray[np.int64]:
    return np.full((count, 64), -1, np.int64)


@functools.cache
def distances() -> NDArray[np.float64]:
    """Euclidean distances between the cells of a 4x4 board, float64 (16, 16)."""
    row, column = np.divmod(np.arange(16), 4)
    return np.sqrt((row[:, None] - row) ** 2.0 + (column[:, None] - column) ** 2.0)


@functools.cache
def chain_lines() -> NDArray[np.int64]:
    """What kernels/games/chain.py knows of each of the 65,536 lines of four ranks.

    Bit 0: it never rises; bit 1: it never falls; bits 2 and 3: the merges of a slide.
    """
    ranks = (np.arange(1 << 16)[:, None] >> np.array([0, 4, 8, 12])) & 15
    steps = np.diff(ranks, axis=1)
    flags = np.all(steps <= 0, axis=1) | np.all(steps >= 0, axis=1).astype(np.int64) << 1
    waiting = np.zeros(1 << 16, np.int64)
    merges = np.zeros(1 << 16, np.int64)
    for cell in range(4):
        rank = ranks[:, cell]
        merged = (rank == waiting) & (rank > 0)
        merges += merged
        waiting = np.where(merged, 0, np.where(rank > 0, rank, waiting))
    lines: NDArray[np.int64] = flags | merges << 2
    return lines


class _Left:
    """Plays on, move by move by the rules, the games that a loop left because a tile may outgrow its nibble."""

    def __init__(self, text: str, variant: Variant, seed: int, first: int) -> None:
        self._text, self._variant, self._seed, self._first = text, variant, seed, first

    def finish(
        self,
        boards: NDArray[np.uint64],
        score: NDArray[np.int64],
        moves: NDArray[np.int64],
        left: NDArray[np.bool_],
        times: NDArray[np.int64],
        totals: dict[str, NDArray[np.int64]],
    ) -> Played:
        """The games, all of them played to the end; the arrays are changed in place."""
        top = np.array([unpack(int(word)).max_rank for word in boards], np.int64)
        for i in np.flatnonzero(left).tolist():
            state = State(self._variant, unpack(int(boards[i])), int(score[i]), int(moves[i]))
            key = stream_key(self._seed, self._first + i, Stream.SPAWN)
            state = self._play_on(
                state, key, times[i], {name: column[i : i + 1] for name, column in totals.items()}
            )
            score[i], moves[i], top[i] = state.score, state.moves, state.board.max_rank
        return Played(score, moves, top, times, **totals)

    def _play_on(
        self, state: State, key: int, times: NDArray[np.int64], totals: dict[str, NDArray[np.int64]]
    ) -> State:
        player = make_player(self._text)
        while (decision := player.decide(state)).move is not None:
            slide = state.board.slide(decision.move)
            spawn = draw_spawn(state.variant, slide.board, key, state.moves + 2, None, 0)
            board = slide.board.with_cell(spawn.cell, spawn.rank)
            state = State(state.variant, board, state.score + slide.reward, state.moves + 1)
            for rank in set(board.cells):
                if times[rank] < 0:
                    times[rank] = state.moves
            told = {"nodes": decision.nodes, "table_hits": decision.table_hits, "depths": decision.depth}
            for name, column in totals.items():
                column += told[name]
        return state
