"""`s4`: plays by a network of student report S4, trained by `twofold train s4`."""

from __future__ import annotations

import numpy as np

from twofold.errors import PlayerError, quote
from twofold.learn.action_network import load_actions
from twofold.players.base import Decision, Limit, best_of
from twofold.players.made import BuiltIn
from twofold.rules.board import Board
from twofold.rules.direction import DIRECTIONS
from twofold.rules.state import State


class S4(BuiltIn):
    """Plays the legal move with the largest output, or the largest reward plus discounted value of the afterstate."""

    limit = Limit(depth=1)

    def __init__(self, text: str = "", *, file: str) -> None:
        self._network = load_actions(file)

    def decide(self, state: State, key: int = 0) -> Decision:
        """The best move by the network; `key` is not used. Raises PlayerError for boards that it has no inputs for."""
        board, setup = state.board, self._network.setup
        if (board.rows, board.columns) != (4, 4) or board.has_bricks:
            raise PlayerError(f"{quote(self.text)} plays on 4x4 without bricks, not on {quote(str(board))}")
        slides = [board.slide(direction) for direction in DIRECTIONS]
        if setup.form == "actions":
            values = self._network.values(_ranks(board))[0]
        else:
            ahead = self._network.values(_ranks(*(slide.board for slide in slides)))[:, 0]
            values = np.array([slide.reward for slide in slides]) + setup.discount * ahead
        legal = [float(v) if s.changed else None for v, s in zip(values, slides, strict=True)]
        return best_of(tuple(legal), depth=1)


def _ranks(*boards: Board) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    return np.array([list(board.cells) for board in boards], np.int64)
