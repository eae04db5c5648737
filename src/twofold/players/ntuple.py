"""`ntuple` and `neural`: the players that follow a network without looking ahead further than their own move."""

from __future__ import annotations

import math
import threading

from twofold.evaluation.base import Evaluation
from twofold.evaluation.learned import network, neural
from twofold.evaluation.network import Network
from twofold.evaluation.neural import NeuralNetwork
from twofold.evaluation.registry import as_evaluation
from twofold.players.base import Decision, Limit, best_of
from twofold.players.batch import BatchRunner, depth_batch
from twofold.players.deepening import without_debts
from twofold.players.made import BuiltIn
from twofold.rules.state import State
from twofold.rules.variant import Variant
from twofold.search.expectimax import Searcher


class _NetworkPlayer(BuiltIn):
    """Plays the move with the largest reward plus network value of the afterstate; values in points to come."""

    limit = Limit(depth=1)

    def __init__(self, evaluation: Evaluation) -> None:
        self._searcher = Searcher(evaluation, table_bits=0)
        self._lock = threading.Lock()

    def decide(self, state: State, key: int = 0) -> Decision:
        """The best move by the network; `key` is not used."""
        if not state.legal_moves():
            return Decision(None)
        with self._lock:
            self._searcher.start(state, depth=1)
            values = tuple(None if math.isnan(value) else value for value in self._searcher.first_move())
            return without_debts(best_of(values, nodes=self._searcher.nodes, depth=1))

    def batch(self, variant: Variant) -> BatchRunner | None:
        """Whole games in a compiled loop, on the open 4x4 board."""
        return depth_batch(self, self._searcher.evaluation, variant, depth=1, table=0)


class Ntuple(_NetworkPlayer):
    """Follows a tuple network."""

    def __init__(self, text: str = "", *, file: str = "") -> None:
        super().__init__(network(self.text, file=file))

    @staticmethod
    def chunk_size(**_: object) -> int:
        """Games of about a tenth of a second each in a compiled loop."""
        return 256


class Neural(_NetworkPlayer):
    """Follows a neural network."""

    def __init__(self, text: str = "", *, file: str = "") -> None:
        super().__init__(neural(self.text, file=file))

    @staticmethod
    def chunk_size(**_: object) -> int:
        """Games of some tenths of a second together in a compiled loop."""
        return 4


class NetworkPlayer(_NetworkPlayer):
    """Follows a network in memory."""

    def __init__(self, text: str = "", *, network: Network | NeuralNetwork) -> None:
        super().__init__(as_evaluation(network))
