"""What the tests of the environments share: the rules' answers in the form that environments give."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from twofold.rules.board import Board
from twofold.rules.direction import DIRECTIONS
from twofold.rules.game import Game


def ranks_of(board: Board) -> NDArray[np.uint8]:
    """The ranks, uint8 (rows, columns)."""
    return np.array(board.ranks, np.uint8)


def mask_of(board: Board) -> NDArray[np.bool_]:
    """Which directions change the board, by the reference slide."""
    return np.array([board.is_legal(direction) for direction in DIRECTIONS])


def legal_action(game: Game, order: Sequence[int]) -> int:
    """The first legal one of `order`."""
    return next(action for action in order if action in game.legal_moves())
