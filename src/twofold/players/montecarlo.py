"""Plain Monte Carlo: the move after which random play goes best on average (S2, S4 7.3).

Each playout plays random legal moves to the end, or `depth` of them, the player's own move being the first. It is
worth the points it made (`highscore`), or what another evaluation says of its last afterstate (and its dead value if
it died on the way). The depth of a decision is `depth`, or 1 for playouts to the end.
"""

from __future__ import annotations

import functools
from typing import Any

from twofold.evaluation.compiled import Leaf
from twofold.evaluation.registry import make_evaluation
from twofold.kernels.compiling import clone
from twofold.kernels.search import sampling
from twofold.players.base import Limit
from twofold.players.sampling import SamplingPlayer, Sums, longest, sampling_parts
from twofold.rules.game import State

PLAYOUTS = 100
"""Playouts per move if no limit is given."""


@functools.lru_cache(maxsize=64)
def _compiled(leaf: Leaf, packed: bool) -> tuple[Any, Any]:
    parts = sampling_parts(leaf, packed)
    return clone(sampling.playouts, parts), clone(sampling.immediate, parts)


class Playouts(Sums):
    """Sums over playouts of at most `most` moves after the first."""

    most = 0
    _kernel: Any = None

    def _compile(self, leaf: Leaf, packed: bool) -> None:
        self._kernel, self._immediate = _compiled(leaf, packed)

    def _sample(self, first: int, count: int) -> int:
        return int(
            self.run(
                self._kernel,
                self._address,
                self._board,
                self._score,
                self.most,
                self._key,
                first,
                count,
                self._sums,
                self._counts,
            )
        )


class MonteCarloPlayer(SamplingPlayer):
    """See the module's text; parameters as in `players/catalogue.py`."""

    noun = "playouts per move"

    def __init__(
        self,
        text: str,
        *,
        playouts: int | None,
        depth: int | None,
        nodes: int | None,
        time: float | None,
        eval: str,
        model: str,
    ) -> None:
        runs = Playouts(make_evaluation(eval))
        if playouts is None and nodes is None and time is None:
            playouts = PLAYOUTS
        super().__init__(
            text, Limit(depth, nodes, time), runs, samples=playouts, depth=depth or 1, model=model
        )
        self._runs = runs

    def _start(self, state: State) -> None:
        self._depth = self.limit.depth or longest(state.board)
        self._runs.most = self._depth - 1
        super()._start(state)

    def _reached(self) -> int:
        return self.limit.depth or 1
