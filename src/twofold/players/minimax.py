"""Minimax: the player that expects the worst spawn, with alpha-beta (S1, S2 5.2).

`depth` counts player moves: S1's levels 1, 3, 5, 7 are depths 1, 2, 3, 4. Every move gets its exact value, so each is
searched with a full window and cut-offs happen below it. The spawn is the worst of those the variant allows: any empty
cell and value for random and evil spawns, the one cell of a corner style, the script's tile. `model=random` allows
any empty cell whatever the variant.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from twofold.evaluation.base import Evaluation
from twofold.evaluation.compiled import Leaf
from twofold.evaluation.registry import make_evaluation
from twofold.kernels.compiling import clone
from twofold.kernels.search import minimax, words
from twofold.players.base import Limit
from twofold.players.deepening import DeepeningPlayer, Found
from twofold.rules.game import State
from twofold.rules.random import GAMMA
from twofold.search.workspace import Workspace, search_parts

DEFAULT_NODES = 100_000
"""Positions a move if nothing else is said."""


@functools.lru_cache(maxsize=64)
def _compiled(leaf: Leaf, packed: bool) -> Any:
    parts = search_parts(leaf, packed)
    worst = clone(minimax.worst, parts)
    return clone(minimax.minimax_root, {**parts, "worst": worst})


class MinimaxSearch(Workspace):
    """Alpha-beta over one evaluation. ordered: try promising moves and spawns first."""

    _root: Any = None

    def __init__(self, evaluation: Evaluation, *, table_bits: int = 18, ordered: bool = True) -> None:
        super().__init__(evaluation, table_bits=table_bits)
        self._set(minimax.ORDERED, int(ordered))

    def _compile(self, leaf: Leaf, packed: bool) -> None:
        self._root = _compiled(leaf, packed)

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
        up, right, down, left = (float(v) for v in self._values)
        return up, right, down, left


class MinimaxPlayer(DeepeningPlayer):
    """See the module's text; parameters as in `players/catalogue.py`."""

    def __init__(
        self,
        text: str,
        *,
        depth: int | None,
        nodes: int | None,
        time: float | None,
        eval: str,
        table: int,
        order: bool,
        model: str,
    ) -> None:
        if (depth, nodes, time) == (None, None, None):
            nodes = DEFAULT_NODES
        self._alpha_beta = MinimaxSearch(make_evaluation(eval), table_bits=table, ordered=order)
        super().__init__(text, Limit(depth, nodes, time), self._alpha_beta, model=model)

    def _search(self, depth: int, budget: int) -> Found | None:
        return self._alpha_beta.search(depth, budget)
