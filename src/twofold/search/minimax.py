"""Minimax with alpha-beta over one evaluation, ready to be asked about positions."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from twofold.evaluation.base import Evaluation
from twofold.evaluation.compiled import Evaluator
from twofold.kernels.compiling import clone
from twofold.kernels.search import expectimax, minimax, words
from twofold.rules.random import GAMMA
from twofold.rules.state import State
from twofold.search.workspace import Found, Workspace, search_parts


@functools.lru_cache(maxsize=64)
def _compiled(evaluator: Evaluator, packed: bool) -> Any:
    parts = search_parts(evaluator, packed)
    worst = clone(minimax.worst, parts)
    return clone(expectimax.root, {**parts, "worst": worst, "below": minimax.below})


class MinimaxSearch(Workspace):
    """Alpha-beta over one evaluation. ordered: try promising moves and spawns first."""

    _root: Any = None

    def __init__(self, evaluation: Evaluation, *, table_bits: int = 18, ordered: bool = True) -> None:
        super().__init__(evaluation, table_bits=table_bits)
        self._set(minimax.ORDERED, int(ordered))

    def _compile(self, evaluator: Evaluator, packed: bool) -> None:
        self._root = _compiled(evaluator, packed)

    def start(
        self, state: State, *, depth: int, random_model: bool = False, spawns: int | None = None
    ) -> None:
        """As `Workspace.start`; forgets the refutations of other positions."""
        super().start(state, depth=depth, random_model=random_model, spawns=spawns)
        first = int(minimax.KILLER)
        self._ws[first : first + minimax.LEVELS] = 0

    def search(self, depth: int, nodes: int) -> Found | None:
        """Values of UP, RIGHT, DOWN, LEFT (nan: illegal); None if stopped, or after `nodes` since the start."""
        self._set(words.STAMP, self._searches * GAMMA & (1 << 64) - 1)
        self._set(words.LIMIT, nodes)
        self._set(words.ABORTED, 0)
        values = np.uint64(self._values.ctypes.data)
        self.run(self._root, self._address, self._board, self._score, depth - 1, values)
        if self._get(words.ABORTED):
            return None
        return tuple(self._values.tolist())
