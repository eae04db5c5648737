"""Compiled loops over whole games of the open 4x4 board with random spawns, a class each, for one thread.

A loop plays games `first`, `first + 1`, … of a run, move for move those that its player plays (tests/matches/
test_games.py), and leaves the ones in which a tile may outgrow its nibble: `players/batch.py` plays these on.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from twofold.evaluation.base import Evaluation
from twofold.evaluation.neural import NeuralNetwork
from twofold.kernels.board.line_tables import line_table
from twofold.kernels.board.steps import spawn_word
from twofold.kernels.compiling import clone
from twofold.kernels.games import deepened, formation, greedy, searched
from twofold.kernels.games.chain import SEEN, chain_games
from twofold.kernels.neural import evaluator
from twofold.kernels.ntuple.stages import stage_finder
from twofold.rules.board import Board
from twofold.rules.state import State
from twofold.rules.variant import Variant
from twofold.search.expectimax import Searcher
from twofold.search.workspace import UNLIMITED, layout_of

_U = np.uint64
OVERFLOW = 1 << 16
"""Tiles that add up to less fit nibbles."""


def greedy_limit(variant: Variant) -> int:
    """A score well below any game's in which a tile could outgrow its nibble.

    Rank 16 takes at least 11 · 2^16 points where 4s spawn, and 2^16 less for each rank above that.
    """
    return 12 - _top(variant) << 16


_BEGUN = Board.empty(4, 4).with_cell(0, 1)
_STAMPS = 1 << 24
"""How many marks of table entries each call of a loop has for itself."""


@dataclass(frozen=True)
class LoopGames:
    """What came of n games in a loop.

    words: packed last boards, uint64 (n,). score (points), moves: int64 (n,). left: bool (n,), games to be played on.
    nodes, table_hits, depths, times: as in `players.batch.BatchGames`, None where the loop doesn't count.
    """

    words: NDArray[np.uint64]
    score: NDArray[np.int64]
    moves: NDArray[np.int64]
    left: NDArray[np.bool_]
    nodes: NDArray[np.int64] | None = None
    table_hits: NDArray[np.int64] | None = None
    depths: NDArray[np.int64] | None = None
    times: NDArray[np.int64] | None = None


class GameLoop(Protocol):
    """A compiled loop over whole games."""

    def play(self, seed: int, first: int, count: int, target: int) -> LoopGames:
        """Games `first` to `first + count - 1` of run `seed`; target: the rank that ends a game, 0 for none."""

    def stop(self) -> None:
        """Make a running `play` return soon; may be called from another thread."""


def reads_packed(evaluation: Evaluation, depth: int) -> bool:
    """Whether searches with this evaluation so deep can stay on packed boards for a whole game, but for huge tiles."""
    return not evaluation.scored and layout_of(evaluation, _BEGUN, depth).packed


class GreedyLoop:
    """Games by the largest reward + value of a network, without search."""

    def __init__(self, evaluation: Evaluation, variant: Variant) -> None:
        network = evaluation.network
        assert network is not None
        # The tables, memory for the games, and what the tables point to.
        if isinstance(network, NeuralNetwork):
            parts: list[NDArray[Any]] = [network.flat, network.sizes, np.zeros(evaluator.SCRATCH, _U)]
            self._keep = [np.array([part.ctypes.data for part in parts], _U), greedy.scratch(()), *parts]
            self._kernel = greedy.neural_games()
        else:
            design = network.design
            self._keep = [network.weights, greedy.scratch(design.masks)]
            staged = stage_finder(design.stages, design.by_sum)
            whole = network.weights.dtype == np.int16
            self._kernel = greedy.table_games(design.masks, staged, whole=whole, scale=float(network.scale))
        self._four = spawn_word(variant)
        self._limit = greedy_limit(variant)
        self._over = np.zeros(1, np.uint8)

    def play(self, seed: int, first: int, count: int, target: int) -> LoopGames:
        """See `GameLoop`."""
        words, score, moves = _no_games(count)
        addresses = _U(self._keep[0].ctypes.data), _U(self._keep[1].ctypes.data)
        numbers = (self._four, target, _U(seed), _U(first), _U(self._limit))
        self._kernel(line_table(False), *addresses, *numbers, self._over, words, score, moves)
        return LoopGames(words, score, moves, score >= self._limit)

    def stop(self) -> None:
        """See `GameLoop`."""
        self._over[0] = 1


class SearchedLoop:
    """Games of expectimax to one depth. It counts no positions."""

    def __init__(self, evaluation: Evaluation, variant: Variant, depth: int, table_bits: int) -> None:
        self._depth = depth
        self._searcher = _searcher(evaluation, variant, depth, table_bits)
        self._four = spawn_word(variant)
        self._limit = OVERFLOW - (depth + 1 << _top(variant))
        self._stamps = itertools.count(0, _STAMPS)

    def play(self, seed: int, first: int, count: int, target: int) -> LoopGames:
        """See `GameLoop`."""
        words, score, moves = _no_games(count)
        sums = np.zeros(count, np.int64)
        searcher, limit = self._searcher, self._limit
        numbers = (self._depth - 1, self._four, target, _U(seed), _U(first), limit, _U(next(self._stamps)))
        kernel = _compiled(searched.searched_games, searcher.root_kernel)
        searcher.run(kernel, *searcher.addresses, *numbers, words, score, moves, sums)
        return LoopGames(words, score, moves, sums >= limit)

    def stop(self) -> None:
        """See `GameLoop`."""
        self._searcher.stop()


class DeepenedLoop:
    """Games of expectimax that deepens, to `deepest` moves at most, until `nodes` positions a move are used up."""

    def __init__(
        self, evaluation: Evaluation, variant: Variant, deepest: int, nodes: int, table_bits: int
    ) -> None:
        self._deepest, self._nodes = deepest, nodes
        self._searcher = _searcher(evaluation, variant, deepest, table_bits)
        self._four = spawn_word(variant)
        self._limit = OVERFLOW - (deepest + 1 << _top(variant))
        self._stamps = itertools.count(0, _STAMPS)

    def play(self, seed: int, first: int, count: int, target: int) -> LoopGames:
        """See `GameLoop`."""
        words, score, _ = _no_games(count)
        counts, times = np.zeros((count, 5), np.int64), _no_times(count)
        searcher, limit = self._searcher, self._limit
        limits = (self._deepest, self._nodes, self._four, target)
        numbers = (_U(seed), _U(first), limit, _U(next(self._stamps)))
        kernel = _compiled_deepened(deepened.deepened_games, searcher.root_kernel)
        searcher.run(kernel, *searcher.addresses, *limits, *numbers, words, score, counts, times)
        moves, sums, nodes, hits, depths = counts.T.copy()
        return LoopGames(words, score, moves, sums >= limit, nodes, hits, depths, times)

    def stop(self) -> None:
        """See `GameLoop`."""
        self._searcher.stop()


class FormationLoop:
    """Games of expectimax with formation tables at the root.

    depth: moves looked ahead, at most if `nodes` are given: then it deepens until they are used up. cut: branches less
    probable than this are valued at once.
    tables: address, number, an array that keeps them. lean: line tables by which boards are turned, None for none;
    promise: points that a sure next tile is worth at a leaf, where the evaluation knows formations. opening: makes
    the loop that plays until a tile of the rank given is made; None to search from the first move on.
    """

    def __init__(
        self,
        evaluation: Evaluation,
        variant: Variant,
        depth: int,
        nodes: int | None,
        cut: float,
        table_bits: int,
        tables: tuple[Any, int],
        lean: NDArray[np.float32] | None,
        promise: float,
        opening: tuple[Callable[[], GameLoop], int] | None,
    ) -> None:
        self._limits = (1, depth, nodes) if nodes else (depth, depth, UNLIMITED)
        self._tables, self._promise = tables, promise
        self._opening = opening[0]() if opening else None
        self._until = opening[1] if opening else 0
        self._searcher = _searcher(evaluation, variant, depth, table_bits, cut)
        self._four = spawn_word(variant)
        self._stamps = itertools.count(0, _STAMPS)
        self._lean = lean
        known = evaluation.formations
        self._addresses = _U(0 if lean is None else lean.ctypes.data), _U(known.address if known else 0)

    def play(self, seed: int, first: int, count: int, target: int) -> LoopGames:
        """See `GameLoop`."""
        words, score, _ = _no_games(count)
        counts, times = np.zeros((count, 4), np.int64), _no_times(count)
        begun = None
        if self._opening is not None:
            begun = self._opening.play(seed, first, count, min(self._until, target or self._until))
            ranks = begun.words[:, None] >> np.arange(0, 64, 4, dtype=_U) & _U(15)
            words[:], score[:], counts[:, 0] = begun.words, begun.score, begun.moves
            counts[:, 1] = (1 << ranks.astype(np.int64)).sum(axis=1, where=ranks > 0)
            counts[:, 2] = 0 if begun.nodes is None else begun.nodes
            times = times if begun.times is None else begun.times
        searcher, limit = self._searcher, OVERFLOW - 4 * self._limits[1] - 4
        how = (*self._limits, *self._addresses, self._promise, *self._tables)
        numbers = (self._four, target, _U(seed), _U(first), limit, _U(next(self._stamps)))
        kernel = _compiled_deepened(formation.formation_games, searcher.root_kernel)
        arrays = (words, score, counts, times)
        searcher.run(kernel, *searcher.addresses, *how, line_table(False), *numbers, *arrays)
        moves, sums, nodes, hits = counts.T.copy()
        found = LoopGames(words, score, moves, sums >= limit, nodes, hits, None, times)
        if begun is None:
            return found
        # What the opening doesn't count is not known of the whole game.
        unknown: dict[str, Any] = {
            name: None for name in ("nodes", "table_hits", "times") if getattr(begun, name) is None
        }
        return replace(found, **unknown)

    def stop(self) -> None:
        """See `GameLoop`."""
        if self._opening is not None:
            self._opening.stop()
        self._searcher.stop()


class ChainLoop:
    """Games of S0's solver, two moves ahead, by its evaluation `chain` (kernels/games/chain.py)."""

    def __init__(self, evaluation: Evaluation, variant: Variant) -> None:
        self._weights, self._dead = evaluation.parameter_array(), evaluation.dead
        self._tables = (line_table(False), chain_lines(), distances(), np.zeros(SEEN, _U))
        self._four = spawn_word(variant)
        self._over = np.zeros(1, np.uint8)

    def play(self, seed: int, first: int, count: int, target: int) -> LoopGames:
        """See `GameLoop`."""
        words, score, moves = _no_games(count)
        sums, times = np.zeros(count, np.int64), _no_times(count)
        limit = OVERFLOW - 16
        numbers = (self._dead, self._four, target, _U(seed), _U(first), limit)
        chain_games(*self._tables, self._weights, *numbers, self._over, words, score, moves, sums, times)
        return LoopGames(words, score, moves, sums >= limit, times=times)

    def stop(self) -> None:
        """See `GameLoop`."""
        self._over[0] = 1


def _top(variant: Variant) -> int:
    """The rank of the largest tile that may spawn, at least 2."""
    return max(2, *variant.allowed_ranks)


def _searcher(
    evaluation: Evaluation, variant: Variant, depth: int, table_bits: int, cut: float = 0.0
) -> Searcher:
    searcher = Searcher(evaluation, table_bits=table_bits)
    searcher.start(State.of(_BEGUN, variant), depth=depth)
    searcher.ready(cut=cut)
    return searcher


@functools.lru_cache(maxsize=16)
def _compiled(loop: Any, root: Any) -> Any:
    return clone(loop, {"root": root})


@functools.lru_cache(maxsize=16)
def _compiled_deepened(loop: Any, root: Any) -> Any:
    return clone(loop, {"deepened": clone(deepened.deepened_choice, {"root": root}, cached=False)})


def _no_games(count: int) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64]]:
    return np.zeros(count, _U), np.zeros(count, np.int64), np.zeros(count, np.int64)


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
