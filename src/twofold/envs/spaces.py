"""The spaces of Gymnasium for the options of an environment."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Discrete

from twofold.envs.options import EnvOptions
from twofold.rules.cells import BRICK
from twofold.rules.direction import DIRECTIONS


def action_space() -> Discrete:
    """UP, RIGHT, DOWN, LEFT = 0, 1, 2, 3."""
    return Discrete(len(DIRECTIONS))


def observation_space(options: EnvOptions) -> Box:
    """The Box of one observation, with bounds for every cell."""
    if options.observation == "planes":
        return Box(0, 1, options.shape, np.uint8)
    bricks = np.frombuffer(options.rules.start.cells, np.uint8).reshape(options.shape) == BRICK
    kind: Any = options.dtype
    # Gymnasium warns of a cell that can have one value only, so a brick's bounds hold "empty" too.
    logs = options.observation == "log"
    low = np.where(bricks, -1 if logs else 0, 0).astype(kind)
    high = np.where(bricks, 0 if logs else BRICK, options.top_rank).astype(kind)
    return Box(low, high, options.shape, kind)
