"""Minimax: the player that expects the worst spawn, with alpha-beta (S1, S2 5.2).

`depth` counts player moves: S1's levels 1, 3, 5, 7 are depths 1, 2, 3, 4. Every move gets its exact value, so each is
searched with a full window and cut-offs happen below it. The spawn is the worst of those the variant allows: any empty
cell and value for random and evil spawns, the one cell of a corner style, the script's tile. `model=random` allows
any empty cell whatever the variant.
"""

from __future__ import annotations

from twofold.evaluation.base import EvaluationLike
from twofold.evaluation.registry import as_evaluation
from twofold.players.base import Limit
from twofold.players.deepening import DeepeningPlayer
from twofold.search.minimax import MinimaxSearch
from twofold.search.workspace import Found

DEFAULT_NODES = 100_000
"""Positions a move if nothing else is said."""


class Minimax(DeepeningPlayer):
    """See the module's text; parameters as in `players/catalogue.py`."""

    def __init__(
        self,
        text: str = "",
        *,
        depth: int | None = None,
        nodes: int | None = None,
        time: float | None = None,
        evaluation: EvaluationLike = "sah",
        table: int = 18,
        order: bool = True,
        model: str = "variant",
    ) -> None:
        if (depth, nodes, time) == (None, None, None):
            nodes = DEFAULT_NODES
        self._alpha_beta = MinimaxSearch(as_evaluation(evaluation), table_bits=table, ordered=order)
        super().__init__(Limit(depth, nodes, time), self._alpha_beta, model=model)

    def _search(self, depth: int, budget: int) -> Found | None:
        return self._alpha_beta.search(depth, budget)
