"""Expectimax: the player that averages over spawns and maximises over moves, with any evaluation at the leaves.

How deep it looks:

- `depth=N`: N moves, always;
- `adaptive=1`: max(3, distinct tiles − 2) + 1 moves, the rule of nneonneo's 2048-ai;
- `nodes=N` or `time=S`: iterative deepening. Each round looks one move further; a round that was cut off is dropped,
  and with `nodes` a round that by the growth so far would not fit is not begun. So `nodes` bounds the work, and
  results don't depend on the machine.

`cut` values branches below that probability at once; with `deeper=1` a table entry searched deeper than asked serves
too (what nneonneo's program does).
"""

from __future__ import annotations

import math
import threading
import time as clock
from dataclasses import dataclass

from twofold.players.base import Decision, Limit, Values, best_of
from twofold.rules.board import Board
from twofold.rules.game import State
from twofold.values.registry import make_evaluation
from twofold.values.searching import UNLIMITED, Searcher

INLINE_NODES = 400_000
"""A search this long (some hundredths of a second) runs in the calling thread; a longer one beside it, where Ctrl-C
can reach it."""

MOST_DEPTH = 40

Found = tuple[float, float, float, float]


def adaptive_depth(board: Board) -> int:
    """nneonneo's depth, in player moves: max(3, distinct tiles − 2) + 1."""
    return max(3, len(set(board.tile_ranks)) - 2) + 1


@dataclass
class _Progress:
    """What is known so far in one decision."""

    values: Found
    depth: int
    nodes: int


class ExpectimaxPlayer:
    """See the module's text; parameters as in `players/catalogue.py`."""

    def __init__(
        self,
        text: str,
        *,
        depth: int | None,
        adaptive: bool,
        nodes: int | None,
        time: float | None,
        eval: str,
        cut: float,
        deeper: bool,
        table: int,
        model: str,
    ) -> None:
        self.text = text
        self.limit = Limit(depth, nodes, time)
        self._adaptive = adaptive
        self._cut = cut
        self._deeper = deeper
        self._random_model = model == "random"
        self._searcher = Searcher(make_evaluation(eval), table_bits=table)
        self._lock = threading.Lock()

    def decide(self, state: State, key: int = 0) -> Decision:
        """The move with the best expected value; `key` is not used."""
        if not state.legal_moves():
            return Decision(None)
        with self._lock:
            begin = clock.perf_counter()
            found = self._decide(state)
            return best_of(
                _values(found.values),
                nodes=self._searcher.nodes,
                depth=found.depth,
                seconds=clock.perf_counter() - begin,
                table_hits=self._searcher.table_hits,
                pruned=self._searcher.pruned,
            )

    def _decide(self, state: State) -> _Progress:
        limit, searcher = self.limit, self._searcher
        deepening = limit.nodes is not None or limit.seconds is not None
        most = limit.depth or (MOST_DEPTH if deepening else adaptive_depth(state.board))
        if self._adaptive:
            most = min(most, adaptive_depth(state.board))
        searcher.start(state, depth=most, random_model=self._random_model)
        if not deepening:
            values = self._run(most, self._cut, UNLIMITED)
            assert values is not None  # only a limit or another thread could have stopped it
            return _Progress(values, most, searcher.nodes)
        timer = None
        if limit.seconds is not None:
            timer = threading.Timer(limit.seconds, searcher.stop)
            timer.start()
        try:
            return self._deepen(most, limit.nodes or UNLIMITED)
        finally:
            if timer is not None:
                timer.cancel()

    def _deepen(self, most: int, budget: int) -> _Progress:
        """Rounds of growing size until the limit; the first one always ends."""
        searcher = self._searcher
        found: _Progress | None = None
        last = growth = 0.0
        for depth in range(1, most + 1):
            used = searcher.nodes
            if found is not None and used + last * growth > budget:
                break
            values = self._run(depth, self._cut, budget) if found else searcher.first_move()
            if values is None:
                break
            size = searcher.nodes - used
            growth = min(20.0, max(1.5, size / last)) if last else 2.0
            last = size
            found = _Progress(values, depth, searcher.nodes)
        assert found is not None
        return found

    def _run(self, depth: int, cut: float, budget: int) -> Found | None:
        """A search that Ctrl-C can end even while it takes minutes."""
        searcher = self._searcher
        inline = min(budget, searcher.nodes + INLINE_NODES)
        values = searcher.search(depth, cut=cut, deeper=self._deeper, nodes=inline)
        if values is not None or searcher.stopped or searcher.nodes >= budget:
            return values
        result: list[Found | None] = []
        worker = threading.Thread(
            target=lambda: result.append(searcher.search(depth, cut=cut, deeper=self._deeper, nodes=budget)),
            daemon=True,
        )
        worker.start()
        try:
            while worker.is_alive():
                worker.join(0.05)
        except BaseException:
            searcher.stop()
            worker.join()
            raise
        return result[0]


def _values(found: Found) -> Values:
    up, right, down, left = (None if math.isnan(value) else value for value in found)
    return up, right, down, left
