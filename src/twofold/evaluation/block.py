"""The network with a liking for the block formation: what brings a game into the reach of formation tables.

The network alone builds snakes along the edges. Here the large tiles are drawn into the block of 2x3 cells in the top
left corner, and rows and columns are wanted to fall from there on; the network knows the rest.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from twofold.evaluation.base import RANKS, Evaluation
from twofold.evaluation.learned import from_network, read_network
from twofold.kernels.compiling import helper
from twofold.rules.board import Board

_CELLS = {0: 0.0, 1: 1.0, 2: 2.0, 4: 1.5, 5: 2.5, 6: 3.0}
"""The block's cells, and how little each is worth to a large tile, in units of `inside`."""

_BESIDE = {3: 2.0, 7: 2.0, 8: 0.5}
"""The cells beside the block, and how much more or less than others off it each counts."""

_SCALE_RANK = 11
_LEAST_RANK = 3


def _weights(power: float) -> NDArray[np.float64]:
    """How much a rank counts, float64 (64,): its face to a power, such that 2048 counts 2048; 2 and 4 don't."""
    ranks = np.arange(float(RANKS))
    weights = 2.0**_SCALE_RANK * 2.0 ** ((ranks - _SCALE_RANK) * power)
    weights[:_LEAST_RANK] = 0.0
    return weights


@helper
def rising(line, p):  # type: ignore[no-untyped-def]
    """Minus the sum of what each cell of a line counts more than the one before it."""
    total = 0.0
    for i in range(1, len(line)):
        if line[i] < 64 and line[i - 1] < 64:
            total += max(0.0, p[line[i]] - p[line[i - 1]])
    return -total


def block(
    text: str,
    *,
    file: str,
    outside: float,
    outside_power: float,
    inside: float,
    rises: float,
    rises_power: float,
) -> Evaluation:
    """The network, minus what large tiles off their places count; see the formula in the catalogue."""

    def placed(board: Board) -> NDArray[np.float64]:
        count = np.array(
            [
                inside * _CELLS[cell] if cell in _CELLS else outside * _BESIDE.get(cell, 1.0)
                for cell in range(16)
            ]
        )
        return -count[:, None] * _weights(outside_power)[None, :]

    network = from_network(read_network(file), text)
    return Evaluation(
        text,
        line=rising,
        placed=placed,
        network=network.network,
        parameters=tuple(rises * _weights(rises_power)),
        reward=network.reward,
        accepts=network.accepts,
    )
