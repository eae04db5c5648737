"""What the players that search to a depth have in common: limits, iterative deepening, Ctrl-C, statistics.

- `depth=N`: N moves, always;
- `nodes=N` or `time=S`: iterative deepening. Each round looks one move further; a round that was cut off is dropped,
  and with `nodes` a round that by the growth so far would not fit is not begun. So `nodes` bounds the work, and
  results don't depend on the machine.
"""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass, replace

from twofold.errors import PlayerError, quote
from twofold.kernels.compile_time import Stopwatch
from twofold.players.base import Decision, Limit, Values, best_of
from twofold.players.made import BuiltIn
from twofold.rules.state import State
from twofold.search.workspace import UNLIMITED, Found, Workspace
from twofold.threads import beside

INLINE_NODES = 400_000
"""A search this long (some hundredths of a second) runs in the calling thread; a longer one beside it, where Ctrl-C
can reach it."""

MOST_DEPTH = 40


def as_values(found: Found, state: State) -> Values:
    """The values of a decision: `None` where the move is illegal.

    The rules are asked, not only the search: kernels have no largest tile, so they would merge two of rank 60.
    """
    legal = state.legal_moves()
    return tuple(value if d in legal else None for d, value in enumerate(found))


def without_debts(decision: Decision) -> Decision:
    """The decision with no value below 0: points still to come can't be, though a network may say so."""
    if all(value is None or value >= 0.0 for value in decision.values):
        return decision
    value, *values = (None if each is None else max(0.0, each) for each in (decision.value, *decision.values))
    return replace(decision, value=value, values=tuple(values))


@dataclass
class SearchResult:
    """What is known so far in one decision."""

    values: Found
    depth: int


class DeepeningPlayer(BuiltIn):
    """A player whose search looks a number of moves ahead; a subclass says how in `_search`."""

    def __init__(self, limit: Limit, search: Workspace, *, model: str) -> None:
        self.limit = limit
        self._base = search
        self._random_model = model == "random"
        self._lock = threading.Lock()

    def _search(self, depth: int, budget: int) -> Found | None:
        """Search `depth` moves ahead until `budget` nodes since the start; None if that was not enough."""
        raise NotImplementedError

    def _first_move(self) -> Found:
        """The values one move ahead, whatever the limits."""
        found = self._search(1, UNLIMITED)
        assert found is not None  # one move ahead there is no spawn layer to be stopped in
        return found

    def _depth_for(self, state: State) -> int:
        """How deep to look if nothing else ends the search."""
        return self.limit.depth or MOST_DEPTH

    def decide(self, state: State, key: int = 0) -> Decision:
        """The move with the best value; `key` is not used. Raises `PlayerError` if the evaluation gives no number."""
        legal = state.legal_moves()
        if not legal:
            return Decision(None)
        with self._lock:
            watch = Stopwatch()
            found = self._decide(state)
            values = as_values(found.values, state)
            if any(math.isnan(found.values[move]) for move in legal):  # no order among such values
                raise PlayerError(
                    f"{quote(self.text)}: the evaluation gives nan, not a number, after a move of "
                    f"{quote(str(state.board))}"
                )
            decision = best_of(
                values,
                nodes=self._base.nodes,
                depth=found.depth,
                seconds=watch.seconds,
                table_hits=self._base.table_hits,
                pruned=self._base.pruned,
            )
            return without_debts(decision) if self._base.evaluation.network is not None else decision

    def stop(self) -> None:
        """Ends a running `decide` soon, from another thread; a search without limits then raises `PlayerError`."""
        self._base.stop()

    def _decide(self, state: State) -> SearchResult:
        limit, search = self.limit, self._base
        most = self._depth_for(state)
        search.start(state, depth=most, random_model=self._random_model)
        if limit.nodes is None and limit.seconds is None:
            values = self._run(most, UNLIMITED)
            if values is None:
                raise PlayerError(f"{quote(self.text)} was stopped before it had an answer")
            return SearchResult(values, most)
        timer = None
        if limit.seconds is not None:
            # The clock starts when everything is compiled, or a first move would have no time left to think.
            self._first_move()
            search.start(state, depth=most, random_model=self._random_model)
            timer = threading.Timer(limit.seconds, search.stop)
            timer.start()
        try:
            return self._deepen(most, limit.nodes or UNLIMITED)
        finally:
            if timer is not None:
                timer.cancel()

    def _deepen(self, most: int, budget: int) -> SearchResult:
        """Rounds of growing size until the limit; the first one always ends."""
        search = self._base
        found: SearchResult | None = None
        last = growth = 0.0
        for depth in range(1, most + 1):
            used = search.nodes
            if found is not None and used + last * growth > budget:
                break
            values = self._run(depth, budget) if found else self._first_move()
            if values is None:
                break
            size = search.nodes - used
            growth = min(20.0, max(1.5, size / last)) if last else 2.0
            last = size
            found = SearchResult(values, depth)
        assert found is not None
        return found

    def _run(self, depth: int, budget: int) -> Found | None:
        """A search that Ctrl-C can end even while it takes minutes."""
        search = self._base
        values = self._search(depth, min(budget, search.nodes + INLINE_NODES))
        if values is not None or search.stopped or search.nodes >= budget:
            return values
        return beside(lambda: self._search(depth, budget), search.stop)
