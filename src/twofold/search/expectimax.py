"""Expectimax over one evaluation, ready to be asked about positions."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.evaluation.compiled import Evaluator
from twofold.kernels.compiling import clone
from twofold.kernels.search import expectimax, own_values, words
from twofold.rules.board import Board
from twofold.rules.random import GAMMA
from twofold.rules.state import State
from twofold.search.workspace import MOST_SCORE, UNLIMITED, Found, Workspace, layout_of, search_parts

_CUTS = 0xD6E8FEB86659FD93
_FOUR_CUTS = 0xBF58476D1CE4E5B9
_BOUNDS = 0x94D049BB133111EB


@functools.lru_cache(maxsize=64)
def _compiled(evaluator: Evaluator, packed: bool, own: bool) -> tuple[Any, Any]:
    """The root of the search and the evaluator alone, compiled for one; own: other tiles than 2s and 4s spawn."""
    parts = search_parts(evaluator, packed)
    chance = clone(own_values.chance if own else expectimax.chance, parts)
    root = clone(expectimax.root, {**parts, "chance": chance})
    return root, clone(expectimax.board_value, parts)


@functools.lru_cache(maxsize=64)
def _compiled_tasks(root: Any) -> Any:
    return clone(expectimax.tasks, {"root": root})


class Searcher(Workspace):
    """Expectimax over one evaluation. One search at a time; not for several threads at once."""

    _root: Any = None
    _board_value: Any = None
    _game: Any = None

    def _compile(self, evaluator: Evaluator, packed: bool) -> None:
        self._root, self._board_value = _compiled(evaluator, packed, self._own_values)

    def search(
        self,
        depth: int,
        *,
        cut: float = 0.0,
        four_cut: float = 0.0,
        bound: float = 0.0,
        deeper: bool = False,
        nodes: int = UNLIMITED,
    ) -> Found | None:
        """Values of UP, RIGHT, DOWN, LEFT (nan: illegal) looking `depth` moves ahead; None if it was stopped.

        cut: branches less probable than this are valued at once. four_cut: below this probability only 2s are
        thought to spawn (if 2s can). bound: below the root moves whose value one move ahead is too low for the best
        found, by this much or more, are left out; 0: none. deeper: results searched deeper than asked may be
        used. nodes: stop when this many positions were valued since `start`.
        """
        # Results of another position, or of another cut, must not be found in the table.
        cuts = hash(cut) * _CUTS ^ hash(four_cut) * _FOUR_CUTS ^ hash(bound) * _BOUNDS
        self._stamp(cuts)
        self._set_float(words.CUT, cut)
        self._set_float(words.FOUR_CUT, four_cut)
        self._set_float(words.BOUND, bound)
        self._set(words.DEEPER, int(deeper))
        self._set(words.LIMIT, nodes)
        self._set(words.ABORTED, 0)
        ws, values = self.addresses
        self.run(self._root, ws, self._board, self._score, depth - 1, values)
        if self._get(words.ABORTED):
            return None
        return tuple(self._values.tolist())

    def search_many(self, states: Sequence[State], depth: int) -> NDArray[np.float64]:
        """Values of the moves of positions of one game, each `depth` moves ahead, float64 (n, 4), nan where illegal.

        What is found of one serves the others, whatever their depth, until `start` is called: a game reviewed takes
        half the time. The values are those of `search`.
        """
        found = np.full((len(states), 4), np.nan)
        ws, values = self.addresses
        for row, state in zip(found, states, strict=True):
            layout = layout_of(self.evaluation, state.board, depth)
            if (layout, state.variant, self._searches) == self._game and state.variant.style != "script":
                self._score = min(state.score, MOST_SCORE)
                self._place(state.board, layout, depth)
            else:
                self.start(state, depth=depth)
                self.ready()
                self._stamp(0)
                self._game = layout, state.variant, self._searches
            self.run(self._root, ws, self._board, self._score, depth - 1, values)
            row[:] = self._values
        return found

    def _stamp(self, cuts: int) -> None:
        self._set(words.STAMP, (self._searches * GAMMA ^ cuts) & (1 << 64) - 1)

    def first_move(self) -> Found:
        """The values one move ahead, whatever the limits: there is always an answer."""
        values = self.search(1)
        assert values is not None  # one move ahead there is no spawn layer to be stopped in
        return values

    def ready(self, *, cut: float = 0.0) -> None:
        """Set the limits of a search for compiled loops over whole games (search/loops.py); cut: as in `search`."""
        self._set_float(words.CUT, cut)
        self._set_float(words.FOUR_CUT, 0.0)
        self._set_float(words.BOUND, 0.0)
        self._set(words.DEEPER, 0)
        self._set(words.LIMIT, UNLIMITED)

    @property
    def root_kernel(self) -> Any:
        """The compiled `expectimax.root` for the position's board type."""
        return self._root

    def share(self, boards: Any, scores: Any, left: int, counter: Any, out: Any) -> None:
        """Value states along with other threads: see `expectimax.tasks`. The limits are those of the last search."""
        self._set(words.LIMIT, UNLIMITED)
        ws, values = self.addresses
        tasks = _compiled_tasks(self._root)
        self.run(tasks, ws, boards, scores, left, values, np.uint64(counter.ctypes.data), out)

    @property
    def addresses(self) -> tuple[Any, Any]:
        """Addresses of the workspace and of the four values, for `root_kernel`."""
        return self._address, np.uint64(self._values.ctypes.data)

    def evaluate(self, board: Board, score: int) -> float:
        """What the evaluation says of one board."""
        self.start(State.of(board, score=score), depth=1)
        return float(self.run(self._board_value, self._address, self._board, self._score))
