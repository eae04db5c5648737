"""`Twofold2048Env`: one game at a time, for Gymnasium."""

from __future__ import annotations

import sys
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from twofold.envs.compiled import make_games
from twofold.envs.options import (
    EnvOptions,
    checked_reset_options,
    encode,
    game_over,
    illegal_action,
    no_action,
)
from twofold.envs.render import frame, title
from twofold.envs.spaces import action_space, observation_space
from twofold.errors import GameOver, check_choice
from twofold.kernels.games import environments
from twofold.rules.random import Stream, checked_word, stream_key, word
from twofold.rules.state import State

_ROW = np.zeros(1, np.int64)
_OVER, _LEGAL, _SCORE, _MOVES = (
    int(environments.OVER),
    int(environments.LEGAL),
    int(environments.SCORE),
    int(environments.MOVES),
)
_POINTS, _TILE, _WON = int(environments.POINTS), int(environments.TILE), int(environments.WON)
RENDER_MODES = ("ansi", "rgb_array", "human")
_view: Any = memoryview  # of an array: numpy's types say that there is none


class ResetNeeded(GameOver, gymnasium.error.ResetNeeded):
    """A step before the first reset."""


class Twofold2048Env(gymnasium.Env[Any, Any]):
    """The game 2048, any variant; the keywords are those of `EnvOptions`.

    Actions 0 to 3 are UP, RIGHT, DOWN, LEFT. Observations, masks and infos are new with every call. A game
    *terminates* when no move is left (or, by option, at the target or at an illegal action) and is *truncated* by
    `max_episode_steps` or `illegal_limit`, never both.

    `info` holds `action_mask` (int8 (4,), as `action_space.sample` takes it), `score` (points), `max_tile` (face
    value), `moves` (legal moves) and `won` (a merge has made the target).

    `reset(seed=s)` starts game 0 of run s, that is `Game(variant, s)` tile for tile; every reset without a seed starts
    the next game of the run. `reset(options={"board": …})` starts from another board: a Board, a text in any notation,
    or nested ranks (3 for an 8); `{"tiles": …}` takes nested tiles (8 for an 8).

    render_mode: `ansi` (a text with colours), `rgb_array` (uint8 (height, width, 3)) or `human` (drawn on the
    terminal at every step).
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 10}  # noqa: RUF012 (as Gymnasium declares it)

    def __init__(self, *, render_mode: str | None = None, **options: Any) -> None:
        self.options = EnvOptions.of(options)
        if render_mode is not None:
            check_choice("render_mode", render_mode, RENDER_MODES)
        self.render_mode = render_mode
        self.action_space = action_space()
        self.observation_space = observation_space(self.options)
        self._seed: int | None = None
        self._games = make_games(self.options, 1)
        self._watch()

    def _watch(self) -> None:
        """Short ways to what every step reads: memoryviews cost a third of array items."""
        games = self._games
        self._state = _view(games.memory()[0])
        self._reward = _view(games.reward)
        self._ended = _view(games.terminated), _view(games.truncated)
        self._actions = _view(games.actions)
        self._own_reward = self.options.reward if callable(self.options.reward) else None
        self._error = self.options.illegal == "error"

    def __getstate__(self) -> dict[str, Any]:
        left_out = ("_state", "_reward", "_ended", "_actions")
        return {name: value for name, value in self.__dict__.items() if name not in left_out}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._watch()

    # Gymnasium

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Start a game; see the class for seed and options. Raises InvalidParameter, InvalidBoard, InvalidVariant."""
        board = self.options.board_of(checked_reset_options(options, ("board", "tiles")))
        if seed is not None:
            seed = checked_word("seed", seed)
        super().reset(seed=seed)
        if seed is None and self._seed is None:
            seed = int(self.np_random.integers(1 << 63))
        if seed is not None:
            self._seed, index = seed, 0
        else:
            assert self._seed is not None
            index = int(self._games.numbered(_ROW)[1][0]) + 1
        self._games.number(_ROW, self._seed, index)
        self._games.start(_ROW, board)
        self._draw()
        return self._games.observation[0].copy(), self._info()

    def step(self, action: int) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Play an action: observation, reward, terminated, truncated, info.

        Raises InvalidParameter for an invalid action, GameOver after the end, and, with `illegal="error"`, IllegalMove;
        then nothing has happened.
        """
        if type(action) is not int or not 0 <= action <= 3:
            action = _checked_action(action)
        state, games = self._state, self._games
        if state[_OVER]:
            raise (
                game_over("the game")
                if self._seed is not None
                else ResetNeeded("call reset before the first step")
            )
        legal = state[_LEGAL] >> action & 1
        if self._error and not legal:
            raise illegal_action(action, games.board(0))
        self._actions[0] = action
        before = games.ranks[0].copy() if self._own_reward is not None else None
        games.step()
        reward = self._reward[0]
        if self._own_reward is not None and legal:
            reward = float(self._own_reward(before, action, state[_POINTS], games.ranks[0].copy()))
        if self.render_mode == "human":
            self._draw()
        return games.observation[0].copy(), reward, self._ended[0][0], self._ended[1][0], self._info()

    def _info(self) -> dict[str, Any]:
        state = self._state
        return {
            "action_mask": self._games.action_mask[0].copy(),
            "score": state[_SCORE],
            "max_tile": state[_TILE],
            "moves": state[_MOVES],
            "won": state[_WON] == 1,
        }

    def render(self) -> Any:
        """The board as `render_mode` says; None for `human`, and without a mode."""
        if self.render_mode is None:
            gymnasium.logger.warn(
                "no render_mode was given: make the environment with ansi, rgb_array or human"
            )
            return None
        if self._seed is None:
            raise ResetNeeded("call reset before render")
        if self.render_mode == "human":
            self._draw()
            return None
        return frame(self.state, self.render_mode)

    def _draw(self) -> None:
        if self.render_mode == "human":
            home = "\x1b[H\x1b[2J" if sys.stdout.isatty() else ""
            print(f"{home}{frame(self.state, 'ansi')}", flush=True)

    def close(self) -> None:
        """Nothing to release; may be called at any time, even twice."""
        self._games.close()

    # For agents

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal, bool (4,), a copy: the method that sb3-contrib's MaskablePPO looks for."""
        mask: NDArray[np.bool_] = self._games.action_mask[0].astype(np.bool_)
        return mask

    @property
    def state(self) -> State:
        """The game as a value of `twofold.rules`: board, score, moves."""
        return self._games.state(0)

    @property
    def player_key(self) -> int:
        """The key that a twofold player gets for its next move, as in `play_game`."""
        seeds, indices = self._games.numbered(_ROW)
        return word(stream_key(int(seeds[0]), int(indices[0]), Stream.PLAYER), self._state[_MOVES])

    def encode(self, ranks: NDArray[np.uint8]) -> NDArray[Any]:
        """Boards as uint8 ranks (..., rows, columns) the way this environment shows them."""
        return encode(ranks, self.options)

    def __str__(self) -> str:
        return f"<{type(self).__name__} {title(self.options)}>"


def _checked_action(action: Any) -> int:
    """A direction's number from a whole number of any kind; raises InvalidParameter."""
    try:
        number = action.__index__() if not isinstance(action, bool | np.bool_) else -1
    except (AttributeError, TypeError):
        number = -1
    if not 0 <= number <= 3:
        raise no_action(action)
    return int(number)
