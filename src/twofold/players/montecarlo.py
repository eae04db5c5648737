"""Plain Monte Carlo: the move after which random play goes best on average (S2, S4 7.3).

Each playout plays random legal moves to the end, or `depth` of them, the player's own move being the first. It is
worth the points it made (`highscore`), or what another evaluation says of its last afterstate (and its dead value if
it died on the way). The depth of a decision is `depth`, or 1 for playouts to the end.
"""

from __future__ import annotations

from twofold.evaluation.base import EvaluationLike
from twofold.evaluation.registry import as_evaluation
from twofold.players.base import Limit
from twofold.players.sampling import SamplingPlayer
from twofold.rules.state import State
from twofold.search.sampling import Sums, longest

PLAYOUTS = 100
"""Playouts per move if no limit is given."""


class MonteCarlo(SamplingPlayer):
    """See the module's text; parameters as in `players/catalogue.py`."""

    noun = "playouts per move"

    def __init__(
        self,
        text: str = "",
        *,
        playouts: int | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        time: float | None = None,
        evaluation: EvaluationLike = "highscore",
        model: str = "variant",
    ) -> None:
        runs = Sums(as_evaluation(evaluation), trees=False)
        if playouts is None and nodes is None and time is None:
            playouts = PLAYOUTS
        super().__init__(Limit(depth, nodes, time), runs, samples=playouts, depth=depth or 1, model=model)
        self._runs = runs

    def _start(self, state: State) -> None:
        self._depth = self.limit.depth or longest(state.board)
        self._runs.left = self._depth - 1
        super()._start(state)

    def _reached(self) -> int:
        return self.limit.depth or 1
