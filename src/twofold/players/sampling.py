"""Players that repeat something random and take means: adls, montecarlo, mcts.

`samples=N` (or playouts, iterations) bounds how often, `nodes=N` the positions looked at, `time=S` the seconds; what
was begun when a limit is reached is dropped. With time, results depend on the machine. A move that was never sampled
within the limit has its value one move ahead. All chance comes from the key.
"""

from __future__ import annotations

import math
import threading
import time as clock

import numpy as np

from twofold.kernels.compile_time import Stopwatch
from twofold.players.base import Decision, Limit, best_of
from twofold.players.deepening import INLINE_NODES, as_values
from twofold.players.made import BuiltIn
from twofold.rules.state import State
from twofold.search.sampling import SCRATCH_LEVELS, Sampler
from twofold.search.workspace import UNLIMITED
from twofold.threads import beside

TIMED_NODES = 50_000
"""Positions between two looks at the clock."""


class SamplingPlayer(BuiltIn):
    """A player that samples until a limit is reached."""

    def __init__(
        self, limit: Limit, sampler: Sampler, *, samples: int | None, depth: int, model: str
    ) -> None:
        """samples: how many (None: until another limit). depth: moves looked ahead, at most, as the decision says."""
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
            return best_of(
                as_values(values.tolist(), state),
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
