"""Monte Carlo tree search over one evaluation: UCT with chance nodes; see kernels/search/mcts.py for the formula."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.evaluation.base import Evaluation
from twofold.evaluation.compiled import Evaluator
from twofold.kernels.compiling import clone
from twofold.kernels.search import mcts
from twofold.kernels.search.sampling import immediate
from twofold.rules.random import MASK
from twofold.search.sampling import Sampler, sampling_parts

DEEPEST = mcts.DEEPEST
"""Moves that a way down the tree may have."""


@functools.lru_cache(maxsize=64)
def _compiled(evaluator: Evaluator, packed: bool) -> tuple[Any, Any, Any]:
    parts = sampling_parts(evaluator, packed)
    parts["evil_label"] = clone(mcts.evil_label, parts, cached=False)
    return clone(mcts.grow, parts), clone(mcts.root_worths, {}), clone(immediate, parts)


class Tree(Sampler):
    """A search tree.

    most: moves of a playout; constant: how strongly rarely tried moves are preferred; mean: back up means.
    """

    _kernel: Any = None
    _worths: Any = None

    def __init__(self, evaluation: Evaluation, *, most: int, constant: float, mean: bool, room: int) -> None:
        super().__init__(evaluation)
        self._set(mcts.MEAN, int(mean))
        self.most = most
        self._constant = constant
        self._visits = np.zeros(room, np.int64)
        self._numbers = np.zeros((3, room))
        self._path = np.zeros(mcts.PATH, np.int64), np.zeros(mcts.PATH)
        self._info = np.array([1, 0, 0], np.int64)
        self._links = np.full((3, room), -1, np.int32)

    def _compile(self, evaluator: Evaluator, packed: bool) -> None:
        self._kernel, self._worths, self._immediate = _compiled(evaluator, packed)

    def begin(self, key: int) -> None:
        """A tree of the root alone."""
        used = int(self._info[0])
        self._visits[:used] = 0
        self._numbers[:, :used] = 0.0
        self._links[:, 0] = -1
        self._key = np.uint64(key & MASK)
        self._info = np.array([1, 0, 0], np.int64)
        self._spread = np.array([np.inf, -np.inf])

    @property
    def visits(self) -> NDArray[np.int64]:
        """How often each node was met, in the order of discovery, the root first: int64 (nodes,)."""
        return self._visits[: int(self._info[0])].copy()

    @property
    def deepest(self) -> int:
        """Moves on the longest way down the tree."""
        return int(self._info[2])

    def _sample(self, first: int, count: int) -> int:
        tree_arrays = (*self._path, self._info, self._spread, self._visits, self._numbers, self._links)
        more = self.run(
            self._kernel,
            self._address,
            self._board,
            self._score,
            self.most,
            self._constant,
            self._key,
            count,
            *tree_arrays,
        )
        return first + int(more)

    def means(self) -> NDArray[np.float64]:
        """The value of each move so far, nan where there is none."""
        out = np.full(4, np.nan)
        self._worths(self._visits, self._numbers, self._links, out)
        return out
