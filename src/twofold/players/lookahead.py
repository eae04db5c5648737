"""lookahead: S4's depth-limited Bellman backup over moves and all spawns, on one or several threads (S4 7, 8).

`steps=N` looks N + 1 moves ahead, as S4's program does by its results: it is `expectimax:depth=N+1` with nothing
pruned, so it knows no limit but its depth. S4's heuristics are the evaluations `empty`, `highscore` and `order`.

`threads=T` shares a hard position among T threads (search/shared.py): the values are those of one thread, bit for
bit. A position that is searched in a hundredth of a second or less stays on
one thread: waking others would take longer. To play many games, let each game have a thread instead (`twofold bench`,
the arena).
"""

from __future__ import annotations

from twofold.errors import PlayerError, quote
from twofold.evaluation.base import EvaluationLike
from twofold.evaluation.registry import as_evaluation
from twofold.players.base import Limit
from twofold.players.batch import LOOP_DEPTH, BatchRunner, depth_batch
from twofold.players.deepening import DeepeningPlayer, SearchResult
from twofold.rules.state import State
from twofold.rules.variant import Variant
from twofold.search.shared import SharedSearcher
from twofold.search.workspace import Found


class Lookahead(DeepeningPlayer):
    """See the module's text; parameters as in `players/catalogue.py`."""

    def __init__(
        self,
        text: str = "",
        *,
        steps: int = 2,
        evaluation: EvaluationLike = "order",
        threads: int = 1,
        table: int = 18,
        model: str = "variant",
    ) -> None:
        self._searcher = SharedSearcher(as_evaluation(evaluation), threads=threads, table_bits=table)
        super().__init__(Limit(depth=steps + 1), self._searcher, model=model)
        self._loops = threads == 1 and steps < LOOP_DEPTH and table > 0
        self._table = table

    def batch(self, variant: Variant) -> BatchRunner | None:
        """Whole games in a compiled loop, as those of `expectimax`."""
        if not self._loops or self.limit.depth is None:
            return None
        return depth_batch(self, self._searcher.evaluation, variant, self.limit.depth, self._table)

    def _search(self, depth: int, budget: int) -> Found | None:
        return self._searcher.search(depth, nodes=budget)

    def _decide(self, state: State) -> SearchResult:
        depth = self._depth_for(state)
        if not self._searcher.shares(state, depth, random_model=self._random_model):
            return super()._decide(state)
        found = self._searcher.search_shared(state, depth, random_model=self._random_model)
        if found is None:
            raise PlayerError(f"{quote(self.text)} was stopped before it had an answer")
        return SearchResult(found, depth)
