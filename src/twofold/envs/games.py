"""The games behind an environment: rows of arrays, stepped by the kernel or, where spawns have a will, by the rules."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.envs.options import EnvOptions, game_over, illegal_action, no_action
from twofold.errors import InvalidParameter, did_you_mean, quote
from twofold.kernels.games import environments
from twofold.rules.board import Board
from twofold.rules.state import State
from twofold.rules.variant import Variant

_U = np.uint64
_COLUMNS = int(environments.COLUMNS)


class Autoreset(IntEnum):
    """What becomes of a game that has ended: nothing, a new one with the next step, or one at once."""

    OFF = 0
    NEXT_STEP = 1
    SAME_STEP = 2


def buffer_shapes(options: EnvOptions, count: int) -> dict[str, tuple[tuple[int, ...], type[np.generic]]]:
    """Name, shape and dtype of the arrays that hold the observations of `count` games."""
    return {
        "observation": ((count, *options.shape), options.dtype),
        "reward": ((count,), np.float64),
        "terminated": ((count,), np.bool_),
        "truncated": ((count,), np.bool_),
        "action_mask": ((count, 4), np.int8),
    }


class Games:
    """`count` games side by side; `start` and `step` fill the arrays.

    observation, reward, terminated, truncated, action_mask: what `buffer_shapes` says, the caller's own if given.
    ranks: uint8 (count, rows, columns). actions: int64 (count,), to be filled before `step`.
    """

    def __init__(
        self,
        options: EnvOptions,
        count: int,
        autoreset: Autoreset = Autoreset.OFF,
        buffers: Mapping[str, NDArray[Any]] | None = None,
        threads: int = 1,
    ) -> None:
        """`threads`: for those kinds that can use more than one."""
        self.options, self.count, self.autoreset, self.threads = options, count, autoreset, threads
        arrays = _checked_buffers(options, count, buffers or {})
        self.observation, self.reward = arrays["observation"], arrays["reward"]
        self.terminated, self.truncated = arrays["terminated"], arrays["truncated"]
        self.action_mask = arrays["action_mask"]
        size = options.rules.start.size
        plain = options.observation == "ranks"
        self.ranks: NDArray[np.uint8] = self.observation if plain else np.zeros((count, *size), np.uint8)
        self.actions = np.zeros(count, np.int64)
        self._state = np.zeros((count, _COLUMNS), _U)
        self._state[:, environments.OVER] = 1  # nothing to step before the first start
        self.final = np.zeros((count, _COLUMNS), np.int64)
        self.final_ranks = np.zeros((count, *size), np.uint8)
        self._started: dict[int, Variant] = {}  # the rules of games that began on another board, by row
        self.stride = count
        self._prepare()

    def _prepare(self) -> None:
        """What a kind of games needs beside the arrays."""
        raise NotImplementedError

    def column(self, which: Any) -> NDArray[np.int64]:
        """A column of the games' state as int64 (count,), live: `kernels/games/environments.py` names them."""
        return self.memory()[:, int(which)]

    def start(self, rows: NDArray[np.int64], board: Board | None = None) -> None:
        """Start the games of `rows` by the columns SEED and INDEX, from the variant's board or another one."""
        rules = self.options.starting_from(board)
        for row in rows.tolist() if board is not None or self._started else ():
            self._started[row] = rules
        self._state[rows, environments.ENDED] = 0
        self._start(rows, rules)

    def number(self, rows: NDArray[np.int64], seeds: Any, indices: Any, stride: int | None = None) -> None:
        """Say which games the rows play: seeds and numbers, each a number or a vector.

        stride: how much further the next game of each row is numbered, from now on.
        """
        self._state[rows, environments.SEED] = seeds
        self._state[rows, environments.INDEX] = indices
        self.stride = stride or self.stride

    def step(self) -> int:
        """One step of every game by `actions`, checked before; how many ended. Games that are over start anew."""
        raise NotImplementedError

    def refuse(self, what: str) -> None:
        """Raise if `actions` can't be stepped: no direction, a game that is over, an illegal move that is an error."""
        off = self.autoreset is Autoreset.OFF
        row, why = environments.refused(self.actions, self._state, off, self.options.illegal == "error")
        if row < 0:
            return
        action = int(self.actions[row])
        if why == 1:
            raise no_action(action)
        if why == 2:
            raise game_over(f"{what} {row}")
        raise illegal_action(action, self.board(row))

    def numbered(self, rows: NDArray[np.int64]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        """Seeds and numbers of the games of `rows`, uint64 each, copies."""
        return self._state[rows, environments.SEED], self._state[rows, environments.INDEX]

    def legal(self) -> NDArray[np.bool_]:
        """Whether each of `actions` is legal in its game, bool (count,)."""
        return np.asarray((self._state[:, environments.LEGAL] >> self.actions.astype(_U)) & _U(1) == 1)

    def memory(self) -> NDArray[np.int64]:
        """The games' state as int64 (count, 16), live."""
        return self._state.view(np.int64)

    def board(self, row: int) -> Board:
        """The board of a game."""
        raise NotImplementedError

    def state(self, row: int) -> State:
        """A game as the rules see it."""
        variant = self._started.get(row, self.options.rules)
        cells = self._state[row]
        return State.reached(
            variant,
            self.board(row),
            int(cells[environments.SCORE]),
            int(cells[environments.MOVES]),
            bool(cells[environments.WON]),
        )

    def close(self) -> None:
        """End the threads, if there are any; may be called twice."""

    def _start(self, rows: NDArray[np.int64], variant: Variant) -> None:
        raise NotImplementedError


def _checked_buffers(
    options: EnvOptions, count: int, given: Mapping[str, NDArray[Any]]
) -> dict[str, NDArray[Any]]:
    """The caller's arrays, and new ones for the rest; raises InvalidParameter for an array that doesn't fit."""
    shapes = buffer_shapes(options, count)
    for name, array in given.items():
        if name not in shapes:
            raise InvalidParameter(
                f"no buffer {quote(name)}{did_you_mean(name, shapes)} (buffers: {', '.join(shapes)})"
            )
        shape, dtype = shapes[name]
        found = f"{getattr(array, 'dtype', type(array).__name__)} {getattr(array, 'shape', '')}"
        if not isinstance(array, np.ndarray) or array.shape != shape or array.dtype != dtype:
            raise InvalidParameter(f"buffer {name} is {found}; it must be {np.dtype(dtype)} {shape}")
        if not array.flags.c_contiguous or not array.flags.writeable:
            raise InvalidParameter(f"buffer {name} must be contiguous and writeable")
    return {name: given.get(name, np.zeros(shape, dtype)) for name, (shape, dtype) in shapes.items()}
