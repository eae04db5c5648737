"""chain: the solver of S0, which looks at the boards it might come to.

Futures are the boards after a move and a spawn, up to `depth` (S0: 2) moves ahead; S0's six features value them
(evaluation `chain`). `mode` says how a move is valued:

- `best`: by the best single future that it can lead to (S0's final choice);
- `sum`: by the sum over its futures of (p / u) · value, p being the probability of the future's last tile (0.9 for a
  2, 0.1 for a 4) and u the number of cells it could have come to; `mean`: that sum over the number of futures. S0 found
  both much worse (its figure 14): a sum favours moves with many futures. `along=1` multiplies p / u along the way,
  which S0 may have meant too;
- `difference`: S0's earlier comparative scoring: the value after the move, before a tile spawns, minus the board's
  value now.

`window=X`: a future whose value is below best − X · |best|, best being the best value seen so far, is not explored
further (S0's search window). A dead future is worth the evaluation's dead value.
"""

from __future__ import annotations

import functools
import math
import threading

from twofold.errors import PlayerError, quote
from twofold.evaluation.base import EvaluationLike
from twofold.evaluation.registry import as_evaluation
from twofold.kernels.compile_time import Stopwatch
from twofold.notation import parse_call
from twofold.players.base import Decision, Limit, best_of
from twofold.players.batch import BatchRunner, chain_batch
from twofold.players.deepening import INLINE_NODES, as_values
from twofold.players.made import BuiltIn
from twofold.rules.state import State
from twofold.rules.variant import Variant
from twofold.search.futures import Futures
from twofold.search.workspace import UNLIMITED, Found
from twofold.threads import beside


class Chain(BuiltIn):
    """See the module's text; parameters as in `players/catalogue.py`."""

    def __init__(
        self,
        text: str = "",
        *,
        depth: int = 2,
        mode: str = "best",
        window: float | None = None,
        along: bool = False,
        evaluation: EvaluationLike = "chain",
        model: str = "variant",
    ) -> None:
        self.limit = Limit(depth)
        self._depth = depth
        self._mode = mode
        self._window = window
        self._along = along
        self._futures = Futures(as_evaluation(evaluation), table_bits=0)
        self._random_model = model == "random"
        self._lock = threading.Lock()

    def decide(self, state: State, key: int = 0) -> Decision:
        """The move with the best futures; `key` is not used."""
        if not state.legal_moves():
            return Decision(None)
        with self._lock:
            watch = Stopwatch()
            search = self._futures
            search.start(state, depth=self._depth + 1, random_model=self._random_model)
            if self._mode == "difference":
                found, depth, nodes = search.differences(), 1, len(state.legal_moves())
            else:
                found, depth, nodes = self._look(), self._depth, search.nodes
            spent = watch.seconds
            return best_of(
                as_values(found, state), nodes=nodes, depth=depth, seconds=spent, pruned=search.pruned
            )

    def batch(self, variant: Variant) -> BatchRunner | None:
        """Whole games in a compiled loop, for S0's final choice: the best of all boards two moves ahead."""
        evaluation = self._futures.evaluation
        if (self._mode, self._depth, self._window) != ("best", 2, None):
            return None
        if parse_call(evaluation.text).name != "chain":
            return None
        return chain_batch(self, evaluation, variant)

    def stop(self) -> None:
        """Ends a running `decide` soon, from another thread, by a `PlayerError`."""
        self._futures.stop()

    def _look(self) -> Found:
        search = self._futures
        if not search.look(self._depth, self._window, self._along, INLINE_NODES):
            more = functools.partial(search.look, self._depth, self._window, self._along, UNLIMITED)
            if not beside(more, search.stop):
                raise PlayerError(f"{quote(self.text)} was stopped before it had an answer")
        values = []
        for best, total, count in zip(search.best, search.sums, search.counts, strict=True):
            value = float(best if self._mode == "best" else total)
            if self._mode == "mean" and count:
                value /= int(count)
            values.append(value if count else math.nan)
        return tuple(values)
