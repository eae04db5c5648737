"""adls: average depth-limited search (S2 5.2).

Each sample is a tree `depth` moves deep in which every afterstate has a single spawn, drawn by chance; the value of a
move is its mean over the samples. "ADLS approximates expectimax by running multiple simulations; it does not try to
calculate all possibilities."

Its bias: in a sampled tree the best move is chosen after the spawns are known, so each maximum is a maximum over lucky
draws, and the mean of maxima is at least the maximum of means. At depth 1 and 2 there is none below the root (no
maximum sees a later spawn); from depth 3 on values are too high on average. benchmarks/studies/adls_bias.py tells.

Evil spawns are not drawn but the worst ones, so one sample says all; the same holds for scripts until they run out.
"""

from __future__ import annotations

from twofold.evaluation.base import EvaluationLike
from twofold.evaluation.registry import as_evaluation
from twofold.players.base import Limit
from twofold.players.sampling import SamplingPlayer
from twofold.rules.state import State
from twofold.search.sampling import Sums

SAMPLES = 100
"""Samples if no limit is given."""


class Adls(SamplingPlayer):
    """See the module's text; parameters as in `players/catalogue.py`."""

    noun = "sampled trees"

    def __init__(
        self,
        text: str = "",
        *,
        depth: int = 3,
        samples: int | None = None,
        nodes: int | None = None,
        time: float | None = None,
        evaluation: EvaluationLike = "default",
        model: str = "variant",
    ) -> None:
        trees = Sums(as_evaluation(evaluation), trees=True)
        trees.left = depth - 1
        if depth == 1:
            samples = 0  # nothing is drawn
        elif samples is None and nodes is None and time is None:
            samples = SAMPLES
        super().__init__(Limit(depth, nodes, time), trees, samples=samples, depth=depth, model=model)
        self._asked = self._samples

    def _start(self, state: State) -> None:
        super()._start(state)
        self._samples = min(1, self._asked or 1) if self._sampler.is_evil and self._depth > 1 else self._asked
