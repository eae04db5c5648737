"""Monte Carlo tree search: UCT with chance nodes (S2 5.2, S4 7.3); see kernels/search/mcts.py for the formula.

A playout goes on from where the tree ends, to the end of the game or for `playout` random moves, and is worth its
points (`highscore`) or what another evaluation says where it stops; `playout=0` asks the evaluation at the tree's
edge. Rewards on the way down count, so that a search in the middle of a game sees points at once. The value of a move
approaches expectimax's as the iterations grow: with `backup=best` it is backed up from the tree as expectimax would,
with `backup=mean` it is the mean of the iterations that began with it.
"""

from __future__ import annotations

from twofold.evaluation.base import EvaluationLike
from twofold.evaluation.registry import as_evaluation
from twofold.players.base import Limit
from twofold.players.sampling import SamplingPlayer
from twofold.rules.state import State
from twofold.search.mcts import DEEPEST, Tree
from twofold.search.sampling import longest

ITERATIONS = 1000
"""Iterations if no limit is given."""

MOST_NODES = 1 << 20
"""Nodes that a tree may have (44 MB); further iterations go on within them."""


class Mcts(SamplingPlayer):
    """See the module's text; parameters as in `players/catalogue.py`."""

    noun = "iterations"

    def __init__(
        self,
        text: str = "",
        *,
        iterations: int | None = None,
        nodes: int | None = None,
        time: float | None = None,
        backup: str = "best",
        c: float = 0.5,
        evaluation: EvaluationLike = "highscore",
        playout: int | None = None,
        model: str = "variant",
    ) -> None:
        if iterations is None and nodes is None and time is None:
            iterations = ITERATIONS
        bound = min(iterations or MOST_NODES, nodes or MOST_NODES, MOST_NODES)
        grown = Tree(
            as_evaluation(evaluation),
            most=0,
            constant=c,
            mean=backup == "mean",
            room=min(MOST_NODES, 2 * bound + 4),
        )
        self.tree = grown
        super().__init__(Limit(None, nodes, time), grown, samples=iterations, depth=DEEPEST, model=model)
        self._playout = playout

    def _start(self, state: State) -> None:
        self.tree.most = self._playout if self._playout is not None else longest(state.board)
        self._depth = self.tree.most + DEEPEST
        super()._start(state)

    def _reached(self) -> int:
        return self.tree.deepest
