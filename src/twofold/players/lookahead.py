"""lookahead: S4's depth-limited Bellman backup over moves and all spawns, on one or several threads (S4 7, 8).

`steps=N` looks N + 1 moves ahead, as S4's program does by its results: it is `expectimax:depth=N+1` with nothing
pruned, so it knows no limit but its depth. S4's heuristics are the evaluations `empty`, `highscore` and `order`.

`threads=T` shares a hard position among T threads: the states after each of the first moves and each spawn are the
tasks; every thread takes the next one. They share a table without a lock (see kernels/search/expectimax.py). Since
every value is rounded alike whether it was computed or found, and the sums are taken in the order of one thread, the
values are those of one thread, bit for bit. A position that is searched in a hundredth of a second or less stays on
one thread: waking others would take longer. To play many games, let each game have a thread instead (`twofold bench`,
the arena).
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from twofold.errors import PlayerError, quote
from twofold.evaluation.registry import make_evaluation
from twofold.players.base import Limit
from twofold.players.deepening import DeepeningPlayer, Found, Progress
from twofold.rules.direction import DIRECTIONS
from twofold.rules.game import State
from twofold.rules.slide import Slide
from twofold.search.expectimax import Searcher
from twofold.search.workspace import MOST_SCORE
from twofold.threads import in_thread, results

ALONE_NODES = 100_000
"""A search of up to this many positions (about a millisecond) stays on one thread."""


class LookaheadPlayer(DeepeningPlayer):
    """See the module's text; parameters as in `players/catalogue.py`."""

    def __init__(self, text: str, *, steps: int, eval: str, threads: int, table: int, model: str) -> None:
        evaluation = make_evaluation(eval)
        self._searcher = Searcher(evaluation, table_bits=table)
        super().__init__(text, Limit(depth=steps + 1), self._searcher, model=model)
        self._crew = [Searcher(evaluation, table_bits=0) for _ in range(threads)] if threads > 1 else []

    def _search(self, depth: int, budget: int) -> Found | None:
        return self._searcher.search(depth, nodes=budget)

    def stop(self) -> None:
        """Ends a running `decide` soon, from another thread, by a `PlayerError`."""
        for searcher in (self._searcher, *self._crew):
            searcher.stop()

    def _decide(self, state: State) -> Progress:
        depth = self._depth_for(state)
        scripted = state.variant.style == "script" and not self._random_model
        if depth < 3 or not self._crew or scripted:
            return super()._decide(state)
        self._searcher.start(state, depth=depth, random_model=self._random_model)
        found = self._searcher.search(depth, nodes=ALONE_NODES)
        return Progress(found or self._shared(state, depth), depth)

    def _shared(self, state: State, depth: int) -> Found:
        """The values of the moves, by all threads."""
        slides = [state.board.slide(d) for d in DIRECTIONS]
        tasks = [
            (d, *task) for d in DIRECTIONS if slides[d].changed for task in self._tasks(state, slides[d])
        ]
        worths = self._by_threads([(after, score) for _, after, score, _ in tasks], depth)
        values = []
        for d in DIRECTIONS:
            own = [
                (rank, worth) for (move, _, _, rank), worth in zip(tasks, worths, strict=True) if move == d
            ]
            value = self._backup(state, own) if own else float("nan")
            values.append(value + self._searcher.evaluation.reward * slides[d].reward)
        up, right, down, left = values
        return up, right, down, left

    def _style(self, state: State) -> str:
        return "random" if self._random_model else state.variant.style

    def _tasks(self, state: State, slide: Slide) -> list[tuple[tuple[np.uint64, object], int, int]]:
        """The states after a move and each spawn: the board as kernels take it, the score, the new tile's rank."""
        board, variant = slide.board, state.variant
        cells = board.empty_cells
        if self._style(state) not in ("random", "evil"):
            cells = (next(cell for cell in variant.place_order() if not board.cells[cell]),)
        after = [(board.with_cell(cell, rank), rank) for cell in cells for rank in variant.allowed_ranks]
        score = min(state.score + slide.reward, MOST_SCORE)
        return [(self._searcher.hold(b), score, rank) for b, rank in after]

    def _by_threads(
        self, tasks: list[tuple[tuple[np.uint64, object], int]], depth: int
    ) -> NDArray[np.float64]:
        """The value of each state, searched `depth` − 1 moves ahead."""
        boards = np.array([held[0] for held, _ in tasks], np.uint64)
        scores = np.array([score for _, score in tasks], np.int64)
        out = np.zeros(len(tasks))
        counter = np.zeros(1, np.uint64)

        def stop() -> None:
            for member in self._crew:
                member.stop()

        for member in self._crew:
            member.adopt(self._searcher, depth)
        results(
            [
                in_thread(partial(member.share, boards, scores, depth - 2, counter, out))
                for member in self._crew
            ],
            stop,
        )
        if any(member.stopped for member in self._crew):
            raise PlayerError(f"{quote(self.text)} was stopped before it had an answer")
        for member in self._crew:
            self._searcher.count(member)
        return out

    def _backup(self, state: State, tasks: list[tuple[int, float]]) -> float:
        """The value of an afterstate from those of the states after it, as `search.chance` computes it."""
        if self._style(state) == "evil":
            return rounded(min(worth for _, worth in tasks))
        four = state.variant.chance_of_four
        twos = fours = 0.0
        for rank, worth in tasks:
            if rank == 1:
                twos += worth
            else:
                fours += worth
        cells = len(tasks) / len(state.variant.allowed_ranks)
        return rounded((twos * (1.0 - four) + fours * four) / cells)


def rounded(value: float) -> float:
    """The value as the search keeps it: without the low byte."""
    word = np.float64(value).view(np.uint64) & ~np.uint64(255)
    return float(word.view(np.float64))
