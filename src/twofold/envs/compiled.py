"""Games stepped by `kernels/games/environments.py`, and the choice between them and games played by the rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.envs.games import Autoreset, Games
from twofold.envs.options import OBSERVATIONS, REWARDS, UNLIMITED, EnvOptions
from twofold.envs.reference_backend import RuleGames
from twofold.envs.thread_pool import ThreadPool
from twofold.evaluation.compiled import pack
from twofold.kernels.board.geometry import buffer_of, geometry, padded
from twofold.kernels.board.line_tables import line_table
from twofold.kernels.board.steps import spawn_word
from twofold.kernels.games import environments
from twofold.rules.board import Board
from twofold.rules.variant import CORNERS, Variant

_U = np.uint64
_MOST_PACKED = 15
_LEAST_PACKED, _LEAST_CELLS = 1024, 256
"""Games that make a thread worth waking: some 30 microseconds of work (`python -m benchmarks.envs --threads`)."""


def make_games(
    options: EnvOptions,
    count: int,
    autoreset: Autoreset = Autoreset.OFF,
    buffers: Mapping[str, NDArray[Any]] | None = None,
    threads: int = 1,
) -> Games:
    """Games in compiled loops, or by the rules for what no loop can play: evil and scripted spawns, tiles of 2^60."""
    if not options.rules.is_drawn or options.rules.start.tile_sum >= 1 << 60:
        return RuleGames(options, count, autoreset, buffers, threads)
    return CompiledGames(options, count, autoreset, buffers, threads)


class CompiledGames(Games):
    """Games stepped by `kernels/games/environments.py`, spread over threads where there are many."""

    def _prepare(self) -> None:
        board = self.options.rules.start
        self._cells = np.tile(buffer_of(board), (self.count, 1))
        self._packs = board.is_open_4x4 and self.options.rules.style == "random"
        self._connect()

    def _connect(self) -> None:
        """Fill the block of words that leads the kernels to everything."""
        options, rules = self.options, self.options.rules
        board = rules.start
        self._table, self._shape = line_table(False), geometry(board)
        self._block = np.zeros(environments.WORDS, _U)
        penalty = np.array([options.illegal_reward]).view(_U)[0]
        noop = options.illegal == "noop"
        words = {
            environments.COUNT: len(board.cells),
            environments.STRIDE: padded(len(board.cells)),
            environments.STYLE: 0 if rules.style == "random" else 1 + CORNERS.index(rules.style),
            environments.FOUR: spawn_word(rules),
            environments.TARGET: rules.target_rank,
            environments.STOP: options.stop_at_target,
            environments.ILLEGAL: options.illegal == "end",
            environments.PATIENCE: options.illegal_limit if noop and options.illegal_limit else UNLIMITED,
            environments.LENGTH: options.max_episode_steps or UNLIMITED,
            environments.REWARD_KIND: 3 if callable(options.reward) else REWARDS.index(options.reward),
            environments.PENALTY: penalty,
            environments.AUTORESET: int(self.autoreset),
            environments.OBSERVATION: OBSERVATIONS.index(options.observation),
            environments.PLANES: options.planes,
            environments.NEXT: self.stride,
        }
        arrays: dict[Any, NDArray[Any]] = {
            environments.TABLE: self._table,
            environments.GEOMETRY: self._shape,
            environments.CELLS: self._cells,
            environments.STATE: self._state,
            environments.ACTIONS: self.actions,
            environments.RANKS: self.ranks,
            environments.OBSERVED: self.observation,
            environments.MASK: self.action_mask,
            environments.REWARD: self.reward,
            environments.TERMINATED: self.terminated,
            environments.TRUNCATED: self.truncated,
            environments.FINAL_RANKS: self.final_ranks,
            environments.FINAL: self.final,
        }
        for word, value in words.items():
            self._block[int(word)] = _U(value)
        for word, array in arrays.items():
            self._block[int(word)] = array.ctypes.data
        self._place(rules)
        self._address = _U(self._block.ctypes.data)
        least = _LEAST_PACKED if self._packs else _LEAST_CELLS
        self._pool = ThreadPool(environments.step_games, self._address, self.count, self.threads, least)

    def _place(self, variant: Variant) -> None:
        """Say where games start."""
        board = variant.start
        packed = self._packs and board.max_rank <= _MOST_PACKED
        self._start_board = buffer_of(board)
        self._block[int(environments.START)] = self._start_board.ctypes.data
        self._block[int(environments.START_WORD)] = pack(board) if packed else 0
        self._block[int(environments.PLACE)] = variant.start_spawns
        self._block[int(environments.PACKED)] = packed

    def _start(self, rows: NDArray[np.int64], variant: Variant) -> None:
        self._block[int(environments.NEXT)] = self.stride
        self._place(variant)
        environments.start_games(self._address, rows)
        self._place(self.options.rules)  # where autoreset starts

    def step(self) -> int:
        """One step of every game by `actions`, checked before; how many ended. Games that are over start anew."""
        return self._pool.run()

    def board(self, row: int) -> Board:
        """The board of a game."""
        start = self.options.rules.start
        if self._state[row, environments.WIDE]:
            return start.with_cells(self._cells[row, : len(start.cells)].tobytes())
        word = int(self._state[row, environments.BOARD])
        return start.with_cells(bytes(word >> 4 * i & 15 for i in range(16)))

    def close(self) -> None:
        """End the threads; may be called twice."""
        self._pool.close()

    def __getstate__(self) -> dict[str, Any]:
        # Addresses, and threads that know them, are made anew in a copy.
        left_out = ("_block", "_address", "_pool", "_table", "_shape", "_start_board")
        return {name: value for name, value in self.__dict__.items() if name not in left_out}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if self.options.observation == "ranks":
            self.ranks = self.observation
        self._connect()
