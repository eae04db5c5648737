"""The boards that a position may come to within some moves, valued: what the player `chain` chooses by."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from twofold.evaluation.compiled import Evaluator
from twofold.kernels.compiling import clone
from twofold.kernels.search import expectimax, futures, sampling, words
from twofold.search.sampling import sampling_parts
from twofold.search.workspace import Found, Workspace

NO_WINDOW = 1e300


@functools.lru_cache(maxsize=64)
def _compiled(evaluator: Evaluator, packed: bool) -> tuple[Any, Any, Any]:
    parts = sampling_parts(evaluator, packed)
    follow = clone(futures.follow, parts)
    root = clone(futures.futures, {**parts, "follow": follow})
    return root, clone(sampling.immediate, parts), clone(expectimax.board_value, parts)


class Futures(Workspace):
    """The futures of a position: per move the largest value, the sum of (p / u) · value, and their number."""

    _kernel: Any = None
    _immediate: Any = None
    _board_value: Any = None

    def _compile(self, evaluator: Evaluator, packed: bool) -> None:
        self._kernel, self._immediate, self._board_value = _compiled(evaluator, packed)

    def look(self, depth: int, window: float | None, along: bool, nodes: int) -> bool:
        """Look `depth` moves ahead; False if it was not enough to see `nodes` boards."""
        self._set(words.LIMIT, nodes)
        for word in (words.ABORTED, words.NODES, words.PRUNED):
            self._set(word, 0)
        self._set_float(futures.WINDOW, NO_WINDOW if window is None else window)
        self._set(futures.ALONG, int(along))
        self.best, self.sums = np.zeros(4), np.zeros(4)
        self.counts = np.zeros(4, np.int64)
        sums = (self.best, self.sums, self.counts)
        self.run(self._kernel, self._address, self._board, self._score, depth, *sums)
        return not self._get(words.ABORTED)

    def differences(self) -> Found:
        """What each move changes at once, nan where it is illegal: in value, and in points where they count."""
        place = (self._address, self._board, self._score)
        now = float(self.run(self._board_value, *place))
        self.run(self._immediate, *place, np.uint64(self._values.ctypes.data))
        return tuple(v - now for v in self._values.tolist())
