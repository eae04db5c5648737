"""Searches that repeat something random and take means: sampled trees and playouts.

A move that was never sampled has no mean. All chance comes from a key.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.evaluation.base import Evaluation
from twofold.evaluation.compiled import Evaluator
from twofold.kernels.compiling import clone
from twofold.kernels.games.random_play import ORDERS
from twofold.kernels.search import sampling, words
from twofold.rules.board import Board
from twofold.rules.random import MASK
from twofold.search.workspace import Found, Workspace, search_parts

SCRATCH_LEVELS = 6
"""Levels of scratch boards that playouts and descents need; see kernels/search/sampling.py, mcts.py."""

LONGEST, LONGEST_SMALL = 10_000, 2_000
"""Moves of a playout "to the end", on any board and on up to 16 cells. The longest of 4 million random games on 4x4 had
407; the bound only tells how far ahead a packed board must have room, so the closer the longer games stay packed."""


def longest(board: Board) -> int:
    """Moves of a playout to the end from this board, at most."""
    return LONGEST_SMALL if len(board.cells) - len(board.bricks) <= 16 else LONGEST


def sampling_parts(evaluator: Evaluator, packed: bool) -> dict[str, Any]:
    """The holes of the templates in kernels/search/sampling.py and kernels/search/mcts.py filled."""
    parts = search_parts(evaluator, packed)
    parts["random_move"] = sampling.packed_random_move if packed else sampling.cells_random_move
    for template in (sampling.drawn, sampling.best_next, sampling.evil_spawn, sampling.playout):
        parts[template.__name__] = clone(template, parts, cached=False)
    return parts


class Sampler(Workspace):
    """A search that adds up samples. Subclasses bring the kernel."""

    _immediate: Any = None

    def __init__(self, evaluation: Evaluation) -> None:
        super().__init__(evaluation, table_bits=0)
        self._set(sampling.ORDERS, ORDERS.ctypes.data)

    @property
    def is_evil(self) -> bool:
        """Whether the spawns are evil."""
        return self._get(words.STYLE) == words.EVIL

    def immediate(self) -> Found:
        """The values one move ahead."""
        values = np.uint64(self._values.ctypes.data)
        self.run(self._immediate, self._address, self._board, self._score, values)
        return tuple(self._values.tolist())

    def begin(self, key: int) -> None:
        """Start sampling anew with a key."""
        raise NotImplementedError

    def go_on(self, first: int, count: int, nodes: int) -> int:
        """Samples first, first + 1, …, until `nodes` since the start; the number of the next."""
        self._set(words.LIMIT, nodes)
        self._set(words.ABORTED, 0)
        return self._sample(first, count)

    def _sample(self, first: int, count: int) -> int:
        raise NotImplementedError

    def means(self) -> NDArray[np.float64]:
        """The mean of each move so far, nan where there is none."""
        raise NotImplementedError


@functools.lru_cache(maxsize=64)
def _compiled(trees: bool, evaluator: Evaluator, packed: bool) -> tuple[Any, Any]:
    parts = sampling_parts(evaluator, packed)
    if trees:
        kernel = clone(sampling.samples, {**parts, "sampled": clone(sampling.sampled, parts)})
    else:
        kernel = clone(sampling.playouts, parts)
    return kernel, clone(sampling.immediate, parts)


class Sums(Sampler):
    """A sum and a count for each move, over sampled trees or over playouts.

    left: moves after the first, in each line of a tree, or in a playout at most.
    """

    left = 0
    _kernel: Any = None

    def __init__(self, evaluation: Evaluation, *, trees: bool) -> None:
        self._trees = trees
        super().__init__(evaluation)

    def begin(self, key: int) -> None:
        """Start sampling anew with a key."""
        self._key = np.uint64(key & MASK)
        self._found, self._sums = np.zeros(4), np.zeros(4)
        self._counts = np.zeros(4, np.int64)

    def means(self) -> NDArray[np.float64]:
        """The mean of each move so far, nan where there is none."""
        with np.errstate(invalid="ignore"):
            return np.asarray(np.where(self._counts > 0, self._sums / self._counts, np.nan))

    def _compile(self, evaluator: Evaluator, packed: bool) -> None:
        self._kernel, self._immediate = _compiled(self._trees, evaluator, packed)

    def _sample(self, first: int, count: int) -> int:
        where = self._address, self._board, self._score
        arrays = self._found, self._sums, self._counts
        return int(self.run(self._kernel, *where, self.left, self._key, first, count, *arrays))
