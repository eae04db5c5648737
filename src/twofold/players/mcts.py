"""Monte Carlo tree search: UCT with chance nodes (S2 5.2, S4 7.3); see kernels/search/mcts.py for the formula.

A playout goes on from where the tree ends, to the end of the game or for `playout` random moves, and is worth its
points (`highscore`) or what another evaluation says where it stops; `playout=0` asks the evaluation at the tree's
edge. Rewards on the way down count, so that a search in the middle of a game sees points at once. The value of a move
approaches expectimax's as the iterations grow: with `backup=best` it is backed up from the tree as expectimax would,
with `backup=mean` it is the mean of the iterations that began with it.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.evaluation.base import Evaluation
from twofold.evaluation.compiled import Leaf
from twofold.evaluation.registry import make_evaluation
from twofold.kernels.compiling import clone
from twofold.kernels.search import mcts
from twofold.kernels.search.sampling import immediate
from twofold.players.base import Limit
from twofold.players.sampling import Sampler, SamplingPlayer, longest, sampling_parts
from twofold.rules.game import State
from twofold.rules.random import MASK

ITERATIONS = 1000
"""Iterations if no limit is given."""

MOST_NODES = 1 << 20
"""Nodes that a tree may have (44 MB); further iterations go on within them."""


@functools.lru_cache(maxsize=64)
def _compiled(leaf: Leaf, packed: bool) -> tuple[Any, Any, Any]:
    parts = sampling_parts(leaf, packed)
    parts["evil_label"] = clone(mcts.evil_label, parts, cached=False)
    return clone(mcts.grow, parts), clone(mcts.root_worths, {}), clone(immediate, parts)


class Tree(Sampler):
    """A search tree.

    most: moves of a playout; constant: how strongly rarely tried moves are preferred; mean: back up means.
    """

    _kernel: Any = None
    _worths: Any = None

    def __init__(self, evaluation: Evaluation, *, most: int, constant: float, mean: bool, room: int) -> None:
        super().__init__(evaluation)
        self._set(mcts.MEAN, int(mean))
        self.most = most
        self._constant = constant
        self._visits = np.zeros(room, np.int64)
        self._numbers = np.zeros((3, room))
        self._info = np.array([1, 0, 0], np.int64)
        self._links = np.full((3, room), -1, np.int32)

    def _compile(self, leaf: Leaf, packed: bool) -> None:
        self._kernel, self._worths, self._immediate = _compiled(leaf, packed)

    def begin(self, key: int) -> None:
        """A tree of the root alone."""
        used = int(self._info[0])
        self._visits[:used] = 0
        self._numbers[:, :used] = 0.0
        self._links[:, 0] = -1
        self._key = np.uint64(key & MASK)
        self._info = np.array([1, 0, 0], np.int64)
        self._spread = np.array([np.inf, -np.inf])

    @property
    def deepest(self) -> int:
        """Moves on the longest way down the tree."""
        return int(self._info[2])

    def _sample(self, first: int, count: int) -> int:
        tree_arrays = (self._info, self._spread, self._visits, self._numbers, self._links)
        more = self.run(
            self._kernel,
            self._address,
            self._board,
            self._score,
            self.most,
            self._constant,
            self._key,
            count,
            *tree_arrays,
        )
        return first + int(more)

    def means(self) -> NDArray[np.float64]:
        """The worth of each move so far, nan where there is none."""
        out = np.full(4, np.nan)
        self._worths(self._visits, self._numbers, self._links, out)
        return out


class MctsPlayer(SamplingPlayer):
    """See the module's text; parameters as in `players/catalogue.py`."""

    noun = "iterations"

    def __init__(
        self,
        text: str,
        *,
        iterations: int | None,
        nodes: int | None,
        time: float | None,
        c: float,
        backup: str,
        eval: str,
        playout: int | None,
        model: str,
    ) -> None:
        if iterations is None and nodes is None and time is None:
            iterations = ITERATIONS
        bound = min(iterations or MOST_NODES, nodes or MOST_NODES, MOST_NODES)
        grown = Tree(
            make_evaluation(eval),
            most=0,
            constant=c,
            mean=backup == "mean",
            room=min(MOST_NODES, 2 * bound + 4),
        )
        self._tree = grown
        super().__init__(
            text, Limit(None, nodes, time), grown, samples=iterations, depth=mcts.DEEPEST, model=model
        )
        self._playout = playout

    def _start(self, state: State) -> None:
        self._tree.most = self._playout if self._playout is not None else longest(state.board)
        self._depth = self._tree.most + mcts.DEEPEST
        super()._start(state)

    def _reached(self) -> int:
        return self._tree.deepest
