"""Expectimax: the player that averages over spawns and maximises over moves, with any evaluation at the leaves.

How deep it looks: `depth`, `nodes` and `time` as in players/deepening.py; with `adaptive=1` max(3, distinct tiles − 2)
+ 1 moves, the rule of nneonneo's 2048-ai; with none of them `nodes=500000`, a few milliseconds a move. With `danger=N`
a depth that was given or came from that rule is one move more where at most N cells are empty: games are lost there,
and with few cells to spawn in a search is cheap.

What it leaves out, each on its own: `cut` values branches below that probability at once; below the probability
`four_cut` only 2s are thought to spawn; below the root `bound=B` tries moves in the order of their values one move
ahead and leaves out those that B more (in units of the evaluation) would not make the best; `table` is the size of the
transposition table, 0 for none; with `deeper=1` a table entry searched deeper than asked serves too (what nneonneo's
program does). With none of them the values are those of the whole tree to 13 digits. A decision's `pruned` and
`table_hits` say what they saved.
"""

from __future__ import annotations

from twofold.evaluation.base import EvaluationLike
from twofold.evaluation.registry import as_evaluation
from twofold.players.base import Limit
from twofold.players.batch import LOOP_DEPTH, BatchRunner, depth_batch, nodes_batch
from twofold.players.deepening import INLINE_NODES, MOST_DEPTH, DeepeningPlayer
from twofold.rules.board import Board
from twofold.rules.state import State
from twofold.rules.variant import Variant
from twofold.search.expectimax import Searcher
from twofold.search.workspace import Found

DEFAULT_NODES = 500_000
"""Positions a move if nothing else is said."""


NODES_OF_A_CHUNK = 40_000
"""Positions that a move of all the games of a chunk takes together: some tenths of a second."""


def adaptive_depth(board: Board) -> int:
    """nneonneo's depth, in player moves: max(3, distinct tiles − 2) + 1."""
    return max(3, len(set(board.tile_ranks)) - 2) + 1


class Expectimax(DeepeningPlayer):
    """See the module's text; parameters as in `players/catalogue.py`."""

    def __init__(
        self,
        text: str = "",
        *,
        depth: int | None = None,
        adaptive: bool = False,
        danger: int = 0,
        nodes: int | None = None,
        time: float | None = None,
        evaluation: EvaluationLike = "default",
        cut: float = 0.0,
        four_cut: float = 0.0,
        bound: float = 0.0,
        deeper: bool = False,
        table: int = 18,
        model: str = "variant",
    ) -> None:
        self._searcher = Searcher(as_evaluation(evaluation), table_bits=table)
        if not adaptive and (depth, nodes, time) == (None, None, None):
            nodes = DEFAULT_NODES
        super().__init__(Limit(depth, nodes, time), self._searcher, model=model)
        self._adaptive = adaptive
        self._danger = danger
        self._cut = cut
        self._four_cut = four_cut
        self._bound = bound
        self._deeper = deeper
        self._table = table

    @staticmethod
    def chunk_size(
        *, depth: int | None, nodes: int | None, time: float | None, eval: str, **_: object
    ) -> int:
        """Games that the arena plays at once, by the values of the parameters."""
        if depth == 1:
            return 64
        if nodes is not None:
            return min(32, max(1, NODES_OF_A_CHUNK // nodes))
        learned = eval.partition("(")[0] in ("network", "neural")
        return 4 if learned and depth == 2 and time is None else 1

    def batch(self, variant: Variant) -> BatchRunner | None:
        """Whole games in a compiled loop, where neither time limits the search nor anything is left out of it.

        To a depth of 1 to 3, where a loop saves most of the time, though it counts no positions; without a table they
        are counted, for that is what one leaves it out for. By positions up to `INLINE_NODES`, with all counts.
        """
        depth, nodes = self.limit.depth, self.limit.nodes
        special = self._adaptive or self._danger or self._cut or self._four_cut or self._bound or self._deeper
        if special or self.limit.is_timed:
            return None
        evaluation = self._searcher.evaluation
        if nodes is None and depth is not None and depth <= LOOP_DEPTH and self._table:
            return depth_batch(self, evaluation, variant, depth, self._table)
        if depth is None and nodes is not None and nodes <= INLINE_NODES:
            return nodes_batch(self, evaluation, variant, MOST_DEPTH, nodes, self._table)
        return None

    def _depth_for(self, state: State) -> int:
        most = super()._depth_for(state)
        if self._adaptive:
            adaptive = adaptive_depth(state.board)
            limited = self.limit.depth or self.limit.nodes or self.limit.seconds
            most = min(most, adaptive) if limited else adaptive
        if self._danger and len(state.board.empty_cells) <= self._danger:
            most = min(most + 1, MOST_DEPTH)
        return most

    def _search(self, depth: int, budget: int) -> Found | None:
        return self._searcher.search(
            depth,
            cut=self._cut,
            four_cut=self._four_cut,
            bound=self._bound,
            deeper=self._deeper,
            nodes=budget,
        )
