"""The GPU's way of learning on the processor: games side by side, and every entry taught once, by a mean.

The rule of kernels/gpu/cuda.py step by step, in one thread: all lanes choose and move, each adds its difference to
the sums of its entries, then every entry that was asked for moves by the mean of what it was asked
(tests/learn/test_plateau.py compares it, bit by bit, with the plain program that the GPU is tested against). For
comparing this rule with learning one move after the other on equal numbers of moves (plateau.py), where no GPU is.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from twofold.evaluation.network import Network
from twofold.kernels.bits import U, load_f32, store_f32
from twofold.kernels.board.bitboard import GAMMA, highest_rank, mix64, slide_rows, spawn, transpose
from twofold.kernels.board.line_tables import line_table
from twofold.kernels.board.steps import first_state
from twofold.kernels.compiling import clone, kernel
from twofold.kernels.gpu import cuda
from twofold.kernels.gpu.cuda import COUNT_BITS, COUNT_MASK, MOST_DIFFERENCE, QUARTERS
from twofold.kernels.ntuple.symmetry import IMAGES, mask_size, table_ask, table_sum
from twofold.kernels.ntuple.temporal import LAST_REWARD, stage_finder

_RESULTS = 1 << 16

entries: Any = None
best: Any = None
value: Any = None
stage: Any = None
list_entries: Any = None
learn_entry: Any = None
COUNT = 0
SIZE = U(0)
COHERENT = True


@kernel
def new_game(seed, game, four):  # type: ignore[no-untyped-def]
    """The first board of a game and the key of its next spawn."""
    x, s, _ = first_state(seed, game, four)
    return x, s


def lane_value(weights, y, t):  # type: ignore[no-untyped-def]
    """V(y), float32 like the GPU's; t: y transposed."""
    return entries(weights + ((stage(y) * SIZE) << U(2)), y, t)


def mean_entry(weights, errors, sums, at, rate):  # type: ignore[no-untyped-def]
    """Move entry `at` by the mean of the differences in its sum, and clear the sum."""
    both = sums[at]
    if both == np.int64(0):
        return
    sums[at] = np.int64(0)
    mean = np.float32(both >> COUNT_BITS) / (QUARTERS * np.float32(both & COUNT_MASK))
    share = np.float32(1)
    if COHERENT:
        e = load_f32(errors, at << U(1))
        a = load_f32(errors, (at << U(1)) | U(1))
        share = abs(e) / a if a > np.float32(0) else share
        store_f32(errors, at << U(1), e + mean)
        store_f32(errors, (at << U(1)) | U(1), a + abs(mean))
    store_f32(weights, at, load_f32(weights, at) + share * (rate * mean))


def lane_steps(  # type: ignore[no-untyped-def]
    table,
    weights,
    errors,
    sums,
    indices,
    taught,
    boards,
    after,
    keys,
    games,
    score,
    seed,
    four,
    rate,
    steps,
    results,
):
    """`steps` moves of every lane; returns the number of games that ended, noted in `results` (n, 2): score, top.

    weights, errors: addresses. sums: int64 per entry, all 0 between calls. indices, taught: scratch, uint32 (lanes,
    COUNT) and uint64 (lanes,). Per lane: boards, after (the last afterstate, 0 for none), keys (spawn stream), games
    (its number), score.
    """
    ended = 0
    lanes = len(boards)
    start = U(indices.ctypes.data)
    for _ in range(steps):
        for lane in range(lanes):
            taught[lane] = after[lane]
        for lane in range(lanes):
            x = boards[lane]
            y = taught[lane]
            worth, _, child, _, reward, going = best(table, weights, x)
            if y != U(0):
                t = transpose(y)
                list_entries(start + U(4 * COUNT * lane), weights + ((stage(y) * SIZE) << U(2)), y, t)
                target = np.float32(worth) if going else np.float32(0)
                difference = min(max(target - value(weights, y, t), -MOST_DIFFERENCE), MOST_DIFFERENCE)
                quarters = np.int64(np.floor(difference * QUARTERS + np.float32(0.5)))
                offset = stage(y) * SIZE
                for i in range(COUNT):
                    sums[offset + U(indices[lane, i])] += (quarters << COUNT_BITS) + np.int64(1)
            if going:
                score[lane] += np.int64(reward)
            if going and reward < U(LAST_REWARD):
                s = keys[lane]
                boards[lane] = spawn(child, mix64(s), four)
                after[lane] = child
                keys[lane] = s + GAMMA
                continue
            if ended < len(results):
                results[ended, 0] = score[lane]
                results[ended, 1] = highest_rank(child if going else x)
            ended += 1
            games[lane] += lanes
            score[lane] = 0
            after[lane] = U(0)
            boards[lane], keys[lane] = new_game(seed, U(games[lane]), four)
        for lane in range(lanes):
            y = taught[lane]
            if y != U(0):
                offset = stage(y) * SIZE
                for i in range(COUNT):
                    learn_entry(weights, errors, sums, offset + U(indices[lane, i]), rate)
    return ended


@functools.cache
def _kernel(masks: tuple[int, ...], stages: tuple[int, ...], by_sum: bool, coherent: bool) -> Any:
    staged = stage_finder(stages, by_sum)
    size = sum(mask_size(mask) for mask in masks)
    common = {"SIZE": U(size), "COUNT": IMAGES * len(masks), "stage": staged, "COHERENT": coherent}
    summed = table_sum(masks, whole=False)
    valued = clone(lane_value, {**common, "entries": summed}, cached=False)
    moved = {"value": valued, "transpose": transpose, "slide_rows": slide_rows}
    better = clone(cuda.weighed, moved, cached=False)
    chosen = clone(cuda.best_afterstate, {**moved, "weighed": better}, cached=False)
    learned = clone(mean_entry, common, cached=False)
    parts = {"best": chosen, "value": valued, "learn_entry": learned, "list_entries": table_ask(masks, 4)}
    return clone(lane_steps, {**common, **parts})


class Lanes:
    """Games side by side that learn on a 4x4 network: numbers 0 to lanes - 1 of run `seed`, then the next ones."""

    def __init__(self, network: Network, coherent: bool, lanes: int, seed: int) -> None:
        design = network.design
        self._network = network
        self._kernel = _kernel(design.masks, design.stages, design.by_sum, coherent)
        self._errors = network.errors if coherent and network.errors is not None else np.zeros(2, np.float32)
        self._sums = np.zeros(network.weights.size, np.int64)
        self._indices = np.zeros((lanes, design.terms), np.uint32)
        words = [np.zeros(lanes, np.uint64) for _ in range(3)]
        numbers = [np.arange(lanes), np.zeros(lanes, np.int64)]
        self._state = (*words, *numbers)
        self._seed, self._four = np.uint64(seed), np.uint64(design.variant.four_threshold)
        self._taught = np.zeros(lanes, np.uint64)
        self._results = np.zeros((_RESULTS, 2), np.int64)
        self._table = line_table(False)
        boards, _, keys, games, _ = self._state
        for lane in range(lanes):
            boards[lane], keys[lane] = new_game(self._seed, np.uint64(games[lane]), self._four)

    def play(self, rate: float, steps: int) -> tuple[Any, Any]:
        """`steps` moves of each lane at `rate` / look-ups; the scores and highest ranks of the games that ended."""
        ended = self._kernel(
            self._table,
            np.uint64(self._network.weights.ctypes.data),
            np.uint64(self._errors.ctypes.data),
            self._sums,
            self._indices,
            self._taught,
            *self._state,
            self._seed,
            self._four,
            np.float32(rate / self._network.design.terms),
            steps,
            self._results,
        )
        found = self._results[: min(ended, _RESULTS)]
        return found[:, 0].copy(), found[:, 1].copy()
