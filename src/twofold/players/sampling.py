"""Players that repeat something random and take means: adls, montecarlo, mcts.

`samples=N` (or playouts, iterations) bounds how often, `nodes=N` the positions looked at, `time=S` the seconds; what
was begun when a limit is reached is dropped. With time, results depend on the machine. A move that was never sampled
within the limit has its value one move ahead. All chance comes from the key.
"""

from __future__ import annotations

import math
import threading
import time as clock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.evaluation.base import Evaluation
from twofold.evaluation.compiled import Leaf
from twofold.kernels.compile_time import Stopwatch
from twofold.kernels.compiling import clone
from twofold.kernels.games.random_play import ORDERS
from twofold.kernels.search import sampling, words
from twofold.players.base import Decision, Limit, best_of
from twofold.players.deepening import INLINE_NODES, Found, as_values
from twofold.rules.board import Board
from twofold.rules.game import State
from twofold.rules.random import MASK
from twofold.search.workspace import UNLIMITED, Workspace, search_parts
from twofold.threads import beside

SCRATCH_LEVELS = 6
"""Levels of scratch boards that playouts and descents need; see kernels/search/sampling.py, mcts.py."""

TIMED_NODES = 50_000
"""Positions between two looks at the clock."""

LONGEST, LONGEST_SMALL = 10_000, 2_000
"""Moves of a playout "to the end", on any board and on up to 16 cells. The longest of 4 million random games on 4x4 had
407; the bound only tells how far ahead a packed board must have room, so the closer the longer games stay packed."""


def longest(board: Board) -> int:
    """Moves of a playout to the end from this board, at most."""
    return LONGEST_SMALL if len(board.cells) - len(board.bricks) <= 16 else LONGEST


def sampling_parts(leaf: Leaf, packed: bool) -> dict[str, Any]:
    """The holes of the templates in kernels/search/sampling.py and kernels/search/mcts.py filled."""
    parts = search_parts(leaf, packed)
    parts["random_move"] = sampling.packed_random_move if packed else sampling.cells_random_move
    for template in (sampling.drawn, sampling.best_next, sampling.evil_spawn, sampling.playout):
        parts[template.__name__] = clone(template, parts, cached=False)
    return parts


class Sampler(Workspace):
    """A search that adds up samples. Subclasses bring the kernel."""

    _immediate: Any = None

    def __init__(self, evaluation: Evaluation) -> None:
        super().__init__(evaluation, table_bits=0)
        self._set(sampling.ORDERS, ORDERS.ctypes.data)

    @property
    def is_evil(self) -> bool:
        """Whether the spawns are evil."""
        return self._get(words.STYLE) == words.EVIL

    def immediate(self) -> Found:
        """The values one move ahead."""
        values = np.uint64(self._values.ctypes.data)
        self.run(self._immediate, self._address, self._board, self._score, values)
        up, right, down, left = (float(v) for v in self._values)
        return up, right, down, left

    def begin(self, key: int) -> None:
        """Start sampling anew with a key."""
        raise NotImplementedError

    def go_on(self, first: int, count: int, nodes: int) -> int:
        """Samples first, first + 1, …, until `nodes` since the start; the number of the next."""
        self._set(words.LIMIT, nodes)
        self._set(words.ABORTED, 0)
        return self._sample(first, count)

    def _sample(self, first: int, count: int) -> int:
        raise NotImplementedError

    def means(self) -> NDArray[np.float64]:
        """The mean of each move so far, nan where there is none."""
        raise NotImplementedError


class SamplingPlayer:
    """A player that samples until a limit is reached."""

    def __init__(
        self, text: str, limit: Limit, sampler: Sampler, *, samples: int | None, depth: int, model: str
    ) -> None:
        """samples: how many (None: until another limit). depth: moves looked ahead, at most, as the decision says."""
        self.text = text
        self.limit = limit
        self._sampler = sampler
        self._samples = samples
        self._depth = depth
        self._random_model = model == "random"
        self._lock = threading.Lock()

    def _start(self, state: State) -> None:
        depth = max(self._depth, SCRATCH_LEVELS)
        self._sampler.start(state, depth=min(depth, 64), spawns=self._depth, random_model=self._random_model)

    def decide(self, state: State, key: int = 0) -> Decision:
        """The move with the best mean."""
        if not state.legal_moves():
            return Decision(None)
        with self._lock:
            watch = Stopwatch()
            sampler = self._sampler
            self._start(state)
            values = np.array(sampler.immediate())
            sampler.begin(key)
            taken = self._run()
            means = sampler.means()
            values = np.where(np.isnan(means), values, means)
            up, right, down, left = (float(v) for v in values)
            return best_of(
                as_values((up, right, down, left), state),
                nodes=sampler.nodes,
                depth=self._reached() if taken else 1,
                seconds=watch.seconds,
                note=f"{taken:,} {self.noun}",
            )

    noun = "samples"

    def stop(self) -> None:
        """Ends a running `decide` soon, from another thread, with what it has."""
        self._sampler.stop()

    def _reached(self) -> int:
        """Moves looked ahead, for the decision."""
        return self._depth

    def _run(self) -> int:
        """Samples until the limit, where Ctrl-C can end them; how many there were."""
        sampler = self._sampler
        budget = self.limit.nodes or UNLIMITED
        most = self._samples if self._samples is not None else 1 << 40
        timer = None
        chunk, end = INLINE_NODES, math.inf
        if self.limit.seconds is not None:
            # The timer ends a long sample; between short ones the clock is asked, since a busy machine delays timers.
            chunk, end = TIMED_NODES, clock.perf_counter() + self.limit.seconds
            timer = threading.Timer(self.limit.seconds, sampler.stop)
            timer.start()
        taken = 0
        try:
            while taken < most and not sampler.stopped and sampler.nodes < budget:
                begun = taken
                taken = sampler.go_on(begun, most - begun, min(budget, sampler.nodes + chunk))
                if clock.perf_counter() >= end:
                    break
                if taken == begun and not sampler.stopped and sampler.nodes < budget:
                    # One sample is longer than what runs inline.
                    taken = beside(lambda first=begun: sampler.go_on(first, 1, budget), sampler.stop)  # type: ignore[misc]
        finally:
            if timer is not None:
                timer.cancel()
        return taken


class Sums(Sampler):
    """A sampler that keeps a sum and a count for each move."""

    def begin(self, key: int) -> None:
        """Start sampling anew with a key."""
        self._key = np.uint64(key & MASK)
        self._sums = np.zeros(4)
        self._counts = np.zeros(4, np.int64)

    def means(self) -> NDArray[np.float64]:
        """The mean of each move so far, nan where there is none."""
        with np.errstate(invalid="ignore"):
            return np.asarray(np.where(self._counts > 0, self._sums / self._counts, np.nan))
