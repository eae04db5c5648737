"""Games played by the rules one by one: for evil and scripted spawns, which no compiled loop can draw."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.envs.games import Autoreset, Games
from twofold.envs.options import encode
from twofold.kernels.games import environments
from twofold.players.adversary import make_adversary
from twofold.rules.board import Board
from twofold.rules.direction import DIRECTIONS
from twofold.rules.random import Stream, stream_key
from twofold.rules.state import State, first_state, step
from twofold.rules.variant import Variant

_U = np.uint64


class RuleGames(Games):
    """Games played by the rules one by one: for evil and scripted spawns."""

    def _prepare(self) -> None:
        self._games: dict[int, State] = {}
        self._keys: dict[int, int] = {}
        rules = self.options.rules
        self._adversary = None if rules.evil is None else make_adversary(rules)  # one for all: it has tables

    def _start(self, rows: NDArray[np.int64], variant: Variant) -> None:
        for row in rows.tolist():
            self._begin(row, variant)
            self._show(row)

    def _begin(self, row: int, variant: Variant) -> None:
        state = self._state[row]
        key = stream_key(int(state[environments.SEED]), int(state[environments.INDEX]), Stream.SPAWN)
        self._keys[row] = key
        self._games[row] = first_state(variant, key, self._adversary)
        for column in (environments.STEPS, environments.IDLE, environments.POINTS, environments.OVER):
            state[column] = 0

    def _show(self, row: int) -> None:
        game, state = self._games[row], self._state[row]
        legal = game.legal_moves()
        state[environments.SCORE], state[environments.MOVES], state[environments.WON] = (
            game.score,
            game.moves,
            game.won,
        )
        state[environments.TOP], state[environments.TILE] = game.board.max_rank, game.board.max_tile
        state[environments.LEGAL] = sum(1 << direction for direction in legal)
        self.ranks[row] = np.frombuffer(game.board.cells, np.uint8).reshape(game.board.size)
        if self.options.observation != "ranks":
            self.observation[row] = encode(self.ranks[row], self.options)
        self.action_mask[row] = [direction in legal for direction in DIRECTIONS]

    def step(self) -> int:
        """One step of every game by `actions`, checked before; how many ended. Games that are over start anew."""
        ended = 0
        for row in range(self.count):
            state = self._state[row]
            self.reward[row] = 0.0
            self.terminated[row] = self.truncated[row] = False
            state[environments.ENDED] = 0
            if state[environments.OVER]:
                state[environments.INDEX] += _U(self.stride)
                self._begin(row, self.options.rules)
                self._show(row)
                continue
            self._play(row)
            self._show(row)
            if self.terminated[row] or self.truncated[row]:
                ended += 1
                self._end(row)
        return ended

    def _play(self, row: int) -> None:
        options, state, game = self.options, self._state[row], self._games[row]
        action = DIRECTIONS[int(self.actions[row])]
        state[environments.STEPS] += _U(1)
        stuck = False
        if action in game.legal_moves():
            after = step(game, action, self._keys[row], self._adversary)
            points = after.score - game.score
            state[environments.POINTS], state[environments.IDLE] = points, 0
            self.reward[row] = _reward(options.reward, points, after.won and not game.won)
            self._games[row] = after
        else:
            state[environments.POINTS] = 0
            state[environments.IDLE] += _U(1)
            self.reward[row] = options.illegal_reward
            limit = options.illegal_limit if options.illegal == "noop" else None
            stuck = limit is not None and int(state[environments.IDLE]) >= limit
            self.terminated[row] = options.illegal == "end"
        game = self._games[row]
        self.terminated[row] |= game.is_dead or (options.stop_at_target and game.won)
        late = (
            options.max_episode_steps is not None
            and int(state[environments.STEPS]) >= options.max_episode_steps
        )
        self.truncated[row] = (stuck or late) and not self.terminated[row]

    def _end(self, row: int) -> None:
        state = self._state[row]
        state[environments.ENDED] = 1
        if self.autoreset is not Autoreset.SAME_STEP:
            state[environments.OVER] = 1
            return
        points = state[environments.POINTS]
        self.final[row], self.final_ranks[row] = state.view(np.int64), self.ranks[row]
        state[environments.INDEX] += _U(self.stride)
        self._begin(row, self.options.rules)
        state[environments.POINTS] = points
        self._show(row)

    def board(self, row: int) -> Board:
        """The board of a game."""
        return self._games[row].board

    def state(self, row: int) -> State:
        """A game as the rules see it."""
        return self._games[row]

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if self.options.observation == "ranks":
            self.ranks = self.observation


def _reward(kind: Any, points: int, wins: bool) -> float:
    """The reward of a legal move; 0 where a function of the user is asked later."""
    if kind == "score":
        return float(points)
    if kind == "log":
        return float(np.log2(float(points))) if points else 0.0
    return 1.0 if kind == "target" and wins else 0.0
