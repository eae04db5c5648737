"""Expectimax of one position shared among several threads."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from twofold.evaluation.base import Evaluation
from twofold.rules.board import Slide
from twofold.rules.direction import DIRECTIONS
from twofold.rules.spawn import spawn_cells
from twofold.rules.state import State
from twofold.search.expectimax import Searcher
from twofold.search.workspace import MOST_SCORE, Found
from twofold.threads import in_thread, results

ALONE_NODES = 100_000
"""A search of up to this many positions (about a millisecond) stays on one thread."""


class SharedSearcher(Searcher):
    """Expectimax without limits that shares hard positions among threads; the values are those of one, bit for bit.

    The states after each of the first moves and each spawn are the tasks, and every thread takes the next one. They
    share a table without a lock (see kernels/search/expectimax.py). Every value is rounded alike whether it was
    computed or found, and sums are taken in the order of one thread.
    """

    def __init__(self, evaluation: Evaluation, *, threads: int = 1, table_bits: int = 18) -> None:
        super().__init__(evaluation, table_bits=table_bits)
        self._others = [Searcher(evaluation, table_bits=0) for _ in range(threads)] if threads > 1 else []

    def shares(self, state: State, depth: int, *, random_model: bool) -> bool:
        """Whether several threads can work on the position: no script is shared, and no search that is shallow."""
        return depth > 2 and bool(self._others) and (random_model or state.variant.style != "script")

    def stop(self) -> None:
        """Make a running search return None soon; may be called from another thread."""
        super().stop()
        for member in self._others:
            member.stop()

    def search_shared(self, state: State, depth: int, *, random_model: bool) -> Found | None:
        """Values of the moves of a position, `depth` moves deep; None if it was stopped."""
        self.start(state, depth=depth, random_model=random_model)
        found = self.search(depth, nodes=ALONE_NODES)
        if found is not None or self.stopped:
            return found
        style = "random" if random_model else state.variant.style
        slides = [state.board.slide(d) for d in DIRECTIONS]
        tasks = [
            (d, *task)
            for d in DIRECTIONS
            if slides[d].changed
            for task in self._tasks(state, slides[d], style)
        ]
        parts = self._by_threads([(after, score) for _, after, score, _ in tasks], depth)
        if parts is None:
            return None
        values = []
        for d in DIRECTIONS:
            own = [(rank, value) for (move, _, _, rank), value in zip(tasks, parts, strict=True) if move == d]
            value = _backup(state, own, style) if own else float("nan")
            values.append(value + self.evaluation.reward * slides[d].reward)
        return tuple(values)

    def _tasks(
        self, state: State, slide: Slide, style: str
    ) -> list[tuple[tuple[np.uint64, object], int, int]]:
        """The states after a move and each spawn: the board as kernels take it, the score, the new tile's rank."""
        board, variant = slide.board, state.variant
        cells = board.empty_cells
        if style not in ("random", "evil"):
            cells = spawn_cells(variant, board)
        after = [(board.with_cell(cell, rank), rank) for cell in cells for rank in variant.allowed_ranks]
        score = min(state.score + slide.reward, MOST_SCORE)
        return [(self.hold(b), score, rank) for b, rank in after]

    def _by_threads(
        self, tasks: list[tuple[tuple[np.uint64, object], int]], depth: int
    ) -> NDArray[np.float64] | None:
        """The value of each state, searched `depth` − 1 moves ahead; None if it was stopped."""
        boards = np.array([held[0] for held, _ in tasks], np.uint64)
        scores = np.array([score for _, score in tasks], np.int64)
        out = np.zeros(len(tasks))
        counter = np.zeros(1, np.uint64)

        def stop() -> None:
            for member in self._others:
                member.stop()

        for member in self._others:
            member.adopt(self, depth)
        run = partial(Searcher.share, boards=boards, scores=scores, left=depth - 2, counter=counter, out=out)
        results([in_thread(partial(run, member)) for member in self._others], stop)
        if any(member.stopped for member in self._others):
            return None
        for member in self._others:
            self.count(member)
        return out


def _backup(state: State, tasks: list[tuple[int, float]], style: str) -> float:
    """The value of an afterstate from those of the states after it, as the kernels' `chance` computes it."""
    if style == "evil":
        return _rounded(min(value for _, value in tasks))
    cells = len(tasks) / len(state.variant.allowed_ranks)
    if state.variant.has_own_values:
        chances = dict(state.variant.chances)
        total = 0.0
        for rank, value in tasks:
            total += chances[rank] * value
        return _rounded(total / cells)
    four = state.variant.chance_of_four
    twos = fours = 0.0
    for rank, value in tasks:
        if rank == 1:
            twos += value
        else:
            fours += value
    return _rounded((twos * (1.0 - four) + fours * four) / cells)


def _rounded(value: float) -> float:
    """The value as the search keeps it: without the low byte."""
    word = np.float64(value).view(np.uint64) & ~np.uint64(255)
    return float(word.view(np.float64))
