"""Many games or positions at once, in compiled loops on any number of cores: for measuring, batches and the arena.

`play_many` gives, game by game, what `play_game` gives with the player `expectimax:depth=D,eval=…` (`ntuple` or
`neural` for depth 1), which tests/players/test_many.py checks; it only skips Python between the moves.
"""

from __future__ import annotations

import functools
import itertools
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InvalidParameter
from twofold.evaluation.base import Evaluation
from twofold.evaluation.compiled import pack, packs, unpack
from twofold.evaluation.neural import NeuralNetwork
from twofold.kernels.board.line_tables import line_table
from twofold.kernels.compiling import clone
from twofold.kernels.games import greedy, searched
from twofold.kernels.neural import evaluator
from twofold.kernels.ntuple.stages import stage_finder
from twofold.rules.board import Board
from twofold.rules.direction import DIRECTIONS
from twofold.rules.game import State
from twofold.rules.random import Stream, stream_key
from twofold.rules.spawn import draw_spawn
from twofold.rules.variant import Variant
from twofold.search.expectimax import Searcher
from twofold.search.workspace import layout_of
from twofold.threads import in_thread, results

_U = np.uint64
_CHUNK = 64  # games or boards that a thread takes at a time, at most
OVERFLOW = 1 << 16
"""Tiles that add up to less fit nibbles."""

_EMPTY = Board.empty(4, 4)
_BEGUN = _EMPTY.with_cell(0, 1)
_FIRST_STAMP, _STAMPS = 1 << 40, 1 << 24
"""Where the loops' stamps of table entries begin, and how many each call of a loop has for itself.

A searcher numbers its own searches from 1, never so far; so none finds what a loop left in the table, where the same
word may have been another board.
"""

GREEDY_LIMIT = 10 << 16
"""A score well below any game's in which a tile could outgrow its nibble: rank 16 takes at least 11 * 2^16."""


@dataclass(frozen=True)
class Games:
    """What came of games `first`, `first + 1`, …: score (points), moves, highest rank; int64 (n,) each."""

    score: NDArray[np.int64]
    moves: NDArray[np.int64]
    top: NDArray[np.int64]


Work = tuple[Callable[[int, int], Any], Callable[[], None]]


def _spread(count: int, threads: int, make: Callable[[threading.Event], Work]) -> None:
    """Call `work(begin, end)` for chunks of 0..count-1 on `threads` threads; `make` gives each work and stop.

    The event that `make` is given is set before `stop` is called: a work that starts a search, which forgets stops of
    earlier ones, looks at it then.
    """
    lock = threading.Lock()
    # One thread takes as many as it may: what is begun together is sooner done (kernels/games/greedy.py).
    chunk = max(1, min(_CHUNK, count // (4 * threads) if threads > 1 else count))
    begun = 0
    over = threading.Event()
    workers = [make(over) for _ in range(min(threads, max(1, -(-count // chunk))))]

    def run(work: Callable[[int, int], Any]) -> None:
        nonlocal begun
        try:
            while not over.is_set():
                with lock:
                    begin, begun = begun, min(count, begun + chunk)
                if begin >= count:
                    return
                work(begin, min(count, begin + chunk))
        except BaseException:
            over.set()
            raise

    def stop_all() -> None:
        over.set()
        for _, stop in workers:
            stop()

    results([in_thread(functools.partial(run, work)) for work, _ in workers], stop_all)


def _searcher(evaluation: Evaluation, variant: Variant, depth: int, table_bits: int) -> Searcher:
    searcher = Searcher(evaluation, table_bits=table_bits)
    searcher.start(State.of(_BEGUN, variant), depth=depth)
    searcher.ready()
    return searcher


def check_whole_games(evaluation: Evaluation, variant: Variant, depth: int = 1) -> None:
    """Raises InvalidParameter, saying why, if `play_many` can't play this."""
    if not variant.is_random_open_4x4:
        raise InvalidParameter(f"whole games in one loop are for the open 4x4 board, not for {variant}")
    if evaluation.scored:
        raise InvalidParameter(f"{evaluation.text} reads the score: play it game by game")
    layout = layout_of(evaluation, _BEGUN, depth)
    if not layout.packed or layout.with_bricks:
        raise InvalidParameter(f"{evaluation.text} doesn't read packed boards: play it game by game")


def play_many(
    evaluation: Evaluation,
    games: int,
    *,
    depth: int = 1,
    seed: int = 0,
    first: int = 0,
    variant: Variant | None = None,
    threads: int = 1,
    table_bits: int = 18,
) -> Games:
    """Play `games` games of run `seed`, from number `first`, looking `depth` moves ahead.

    For the open 4x4 board with random spawns and evaluations that search packed boards. Raises InvalidParameter for
    others (`check_whole_games`).
    """
    variant = variant or Variant()
    check_whole_games(evaluation, variant, depth)
    out = Games(*(np.zeros(games, np.int64) for _ in range(3)))
    boards = np.zeros(games, _U)
    greedy = depth == 1 and evaluation.network is not None and evaluation.network.design.packed

    def make(over: threading.Event) -> Work:
        searcher = _searcher(evaluation, variant, depth, table_bits)
        play = _greedy_loop(evaluation) if greedy else _searched_loop(searcher, depth)

        def work(begin: int, end: int) -> None:
            part = slice(begin, end)
            left = play(variant, seed, first + begin, boards[part], out.score[part], out.moves[part])
            for i in range(begin, end):
                if left[i - begin]:
                    state = State(variant, unpack(int(boards[i])), int(out.score[i]), int(out.moves[i]))
                    state = _finish(searcher, state, depth, stream_key(seed, first + i, Stream.SPAWN), over)
                    out.score[i], out.moves[i], out.top[i] = state.score, state.moves, state.board.max_rank
                else:
                    out.top[i] = unpack(int(boards[i])).max_rank

        return work, searcher.stop

    _spread(games, threads, make)
    return out


Loop = Callable[[Variant, int, int, Any, Any, Any], NDArray[np.bool_]]


def _greedy_loop(evaluation: Evaluation) -> Loop:
    """Plays games, and says which were left because a tile might outgrow its nibble."""
    network = evaluation.network
    assert network is not None
    keep: list[NDArray[Any]]  # the tables, memory for the games, and what the tables point to
    if isinstance(network, NeuralNetwork):
        parts: list[NDArray[Any]] = [network.flat, network.sizes, np.zeros(evaluator.SCRATCH, _U)]
        keep = [np.array([part.ctypes.data for part in parts], _U), greedy.scratch(()), *parts]
        kernel = greedy.neural_games()
    else:
        design = network.design
        keep = [network.weights, greedy.scratch(design.masks)]
        whole = network.weights.dtype == np.int16
        staged = stage_finder(design.stages, design.by_sum)
        kernel = greedy.table_games(design.masks, staged, whole=whole, scale=float(network.scale))
    table = line_table(False)
    limit = GREEDY_LIMIT

    def play(
        variant: Variant, seed: int, first: int, boards: Any, score: Any, moves: Any
    ) -> NDArray[np.bool_]:
        addresses = _U(keep[0].ctypes.data), _U(keep[1].ctypes.data)
        four = _U(round(variant.chance_of_four * 2**32))
        kernel(table, *addresses, four, _U(seed), _U(first), _U(limit), boards, score, moves)
        return score >= limit  # type: ignore[no-any-return]

    return play


def _searched_loop(searcher: Searcher, depth: int) -> Loop:
    kernel = clone(searched.searched_games, {"root": searcher.root_kernel})
    limit = OVERFLOW - 4 * depth - 4
    stamps = itertools.count(_FIRST_STAMP, _STAMPS)

    def play(
        variant: Variant, seed: int, first: int, boards: Any, score: Any, moves: Any
    ) -> NDArray[np.bool_]:
        sums = np.zeros(len(score), np.int64)
        ws, values = searcher.addresses
        four = _U(round(variant.chance_of_four * 2**32))
        stamp = _U(next(stamps))
        numbers = (four, _U(seed), _U(first), limit, stamp)
        searcher.run(kernel, ws, values, depth - 1, *numbers, boards, score, moves, sums)
        return sums >= limit

    return play


def _finish(searcher: Searcher, state: State, depth: int, key: int, over: threading.Event) -> State:
    """Play on by the rules, which hold any tile, until `over` is set."""
    while True:
        if not state.legal_moves():
            return state
        searcher.start(state, depth=depth)
        if over.is_set():
            return state
        found = searcher.search(depth)
        if found is None:  # stopped
            return state
        best = max((value, -d) for d, value in enumerate(found) if value == value)
        slide = state.board.slide(DIRECTIONS[-best[1]])
        spawn = draw_spawn(state.variant, slide.board, key, state.moves + 2, None, 0)
        board = slide.board.with_cell(spawn.cell, spawn.rank)
        state = State(state.variant, board, state.score + slide.reward, state.moves + 1)


def value_many(
    evaluation: Evaluation,
    boards: Sequence[Board],
    *,
    depth: int = 1,
    variant: Variant | None = None,
    threads: int = 1,
    table_bits: int = 18,
) -> NDArray[np.float64]:
    """Values of UP, RIGHT, DOWN, LEFT (nan: illegal) of many boards, float64 (n, 4), looking `depth` moves ahead.

    Open 4x4 boards go through one compiled loop, any others through the search one by one.
    """
    variant = variant or Variant()
    out = np.full((len(boards), 4), np.nan)
    compiled = variant.style == "random" and not evaluation.scored and packs(evaluation, _EMPTY)
    quick = np.array([compiled and b.is_open_4x4 and b.tile_sum + 4 * depth < OVERFLOW for b in boards], bool)
    words = np.array([pack(board) if fast else 0 for board, fast in zip(boards, quick, strict=True)], _U)

    def make(over: threading.Event) -> Work:
        searcher = Searcher(evaluation, table_bits=table_bits)
        stamps = itertools.count(_FIRST_STAMP, _STAMPS)
        kernel = None

        def work(begin: int, end: int) -> None:
            nonlocal kernel
            here = np.flatnonzero(quick[begin:end]) + begin
            if len(here):
                searcher.start(_state_of(_BEGUN, variant), depth=depth)
                searcher.ready()
                if over.is_set():
                    return
                kernel = kernel or clone(searched.searched_boards, {"root": searcher.root_kernel})
                values = np.zeros((len(here), 4))
                stamp = _U(next(stamps))
                searcher.run(kernel, *searcher.addresses, depth - 1, stamp, words[here], values)
                out[here] = values
            for i in (np.flatnonzero(~quick[begin:end]) + begin).tolist():
                searcher.start(_state_of(boards[i], variant), depth=depth)
                if over.is_set():
                    return
                found = searcher.search(depth)
                if found is not None:
                    out[i] = found

        return work, searcher.stop

    _spread(len(boards), threads, make)
    return out


def _state_of(board: Board, variant: Variant) -> State:
    """The board in the variant if it is one of its boards, else by the usual rules on its own."""
    same = board.without_tiles() == variant.start.without_tiles()
    return State.of(board, variant if same else None)
