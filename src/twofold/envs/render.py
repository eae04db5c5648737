"""Pictures of a game for Gymnasium's render modes."""

from __future__ import annotations

from typing import Any

import numpy as np

from twofold.envs.options import EnvOptions
from twofold.rules.draw import to_ansi, to_image
from twofold.rules.state import State

_SIDE = 64
_WIDEST = 1024


def frame(state: State, mode: str) -> Any:
    """A text with colours (`ansi`), or uint8 (height, width, 3) (`rgb_array`)."""
    if mode == "ansi":
        return f"score {state.score}, {state.moves} moves\n{to_ansi(state.board)}\n"
    # A copy: what Pillow lends is read-only.
    return np.array(to_image(state.board, max(8, min(_SIDE, _WIDEST // max(state.board.size)))), np.uint8)


def title(options: EnvOptions) -> str:
    """The options in short."""
    reward = options.reward if isinstance(options.reward, str) else "function"
    return f"{options.rules} observation={options.observation} reward={reward}"
