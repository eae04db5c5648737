"""`Twofold2048VectorEnv`: many games at a time, for Gymnasium, stepped by compiled code on all cores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from gymnasium import logger
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from twofold.cores import core_count
from twofold.envs.arrays import aligned_copy, converter, to_numpy
from twofold.envs.compiled import make_games
from twofold.envs.games import Autoreset, Games
from twofold.envs.options import EnvOptions, checked_reset_options, encode, no_action
from twofold.envs.render import frame
from twofold.envs.single import ResetNeeded
from twofold.envs.spaces import action_space, observation_space
from twofold.errors import InvalidBoard, InvalidParameter, check_choice, quote
from twofold.kernels.games import environments
from twofold.rules.board import Board
from twofold.rules.random import checked_word
from twofold.rules.state import State

_AUTORESETS = {
    AutoresetMode.DISABLED: Autoreset.OFF,
    AutoresetMode.NEXT_STEP: Autoreset.NEXT_STEP,
    AutoresetMode.SAME_STEP: Autoreset.SAME_STEP,
}
RENDER_MODES = ("ansi", "rgb_array")


class Twofold2048VectorEnv(VectorEnv[Any, Any, Any]):
    """`num_envs` games of 2048; options, actions and `info` are those of `Twofold2048Env`, as arrays.

    num_envs: games, at least 1.
    autoreset_mode: `AutoresetMode` or its value, `NextStep`, `SameStep` (the last observation and info of a game that
        ended are in `final_obs` and `final_info`) or `Disabled` (`reset(options={"reset_mask": …})` starts games anew;
        stepping one that is over raises GameOver). It is declared in `metadata`.
    threads: threads that share the work, by default one for each core; few games are stepped by one.
    buffers: arrays of your own, by name (`observation`, `reward`, `terminated`, `truncated`, `action_mask`), that
        every step writes into and returns. What isn't named is new with every step.
    arrays: `numpy`, `torch` or `jax`: what steps return. Actions may be any of them.
    render_mode: `ansi` or `rgb_array`; `render` then gives a tuple with a frame for each game.

    `reset(seed=s)` starts games 0 to n - 1 of run s: game i is `Game(variant, s, index=i)` tile for tile. Row i goes on
    with games i + n, i + 2n, …. `reset(seed=[…])` gives every row a run of its own, as `Twofold2048Env` plays it.
    The same options as there start from another board; `options={"boards": […]}` gives every row a board of its own,
    each as in `board`, None for the variant's.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 10}  # noqa: RUF012
    _reset_options: ClassVar[tuple[str, ...]] = ("board", "tiles", "boards", "reset_mask")

    def __init__(
        self,
        num_envs: int = 1,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int | None = None,
        buffers: Mapping[str, NDArray[Any]] | None = None,
        arrays: str = "numpy",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        if not isinstance(num_envs, int) or isinstance(num_envs, bool) or num_envs < 1:
            raise InvalidParameter(f"num_envs {quote(num_envs)} is not a whole number of at least 1")
        if threads is not None and (not isinstance(threads, int) or isinstance(threads, bool) or threads < 1):
            raise InvalidParameter(
                f"threads {quote(threads)} is neither a whole number of at least 1 nor None"
            )
        if render_mode is not None:
            check_choice("render_mode", render_mode, RENDER_MODES)
        self.options = EnvOptions.of(options)
        self.num_envs = num_envs
        self.render_mode = render_mode
        mode = _mode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": mode}
        self.single_action_space = action_space()
        self.single_observation_space = observation_space(self.options)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._given = frozenset(buffers or ())
        self._convert = converter(arrays)
        self._copy = aligned_copy if arrays == "jax" else np.copy
        self._games: Games = make_games(
            self.options, num_envs, _AUTORESETS[mode], buffers, threads or core_count()
        )
        self._rows = np.arange(num_envs)
        self._seeded = False

    # Gymnasium

    def reset(
        self,
        *,
        seed: int | Sequence[int] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Start all games, or those of `options["reset_mask"]`; see the class."""
        given = checked_reset_options(options, self._reset_options)
        rows = self._masked(given.get("reset_mask"))
        try:
            board = self.options.board_of(given)
        except InvalidBoard as error:
            raise InvalidBoard(f"{error}; 'boards' takes one for each game") from None
        boards = None if given.get("boards") is None else self._boards_of(given["boards"], board)
        self._number(rows, seed)
        if boards is None:
            self._games.start(rows, board)
        else:
            for row in rows.tolist():
                self._games.start(np.array([row], np.int64), boards[row])
        observation, info = self._out("observation"), self._info()
        return (observation, info) if self._convert is None else self._convert((observation, info))

    def _boards_of(self, given: Any, other: Board | None) -> list[Board | None]:
        """A start board for each row."""
        if other is not None:
            raise InvalidParameter("'boards' gives every game its start board: leave out 'board' and 'tiles'")
        if isinstance(given, str) or not hasattr(given, "__len__") or len(given) != self.num_envs:
            raise InvalidParameter(f"'boards' is a list of {self.num_envs} boards, one for each game")
        return [None if each is None else self.options.start_board(each) for each in given]

    def _masked(self, mask: Any) -> NDArray[np.int64]:
        """The rows to start."""
        if mask is None:
            return self._rows
        mask = to_numpy(mask)
        if mask.dtype != np.bool_ or mask.shape != (self.num_envs,) or not mask.any():
            raise InvalidParameter(
                f"reset_mask must be bool ({self.num_envs},) with at least one True, not {mask.dtype} {mask.shape}"
            )
        if not self._seeded and not mask.all():
            raise ResetNeeded("the first reset starts all games: leave reset_mask out")
        return np.flatnonzero(mask)

    def _number(self, rows: NDArray[np.int64], seed: Any) -> None:
        """Say which games of which runs the rows play."""
        every = len(rows) == self.num_envs
        if seed is None and self._seeded:
            seeds, indices = self._games.numbered(rows)
            self._games.number(rows, seeds, indices + np.uint64(self._games.stride))
            return
        if seed is None:
            seed = int(self.np_random.integers(1 << 63))
        if isinstance(seed, Sequence | np.ndarray) and not isinstance(seed, str):
            if len(seed) != self.num_envs:
                raise InvalidParameter(
                    f"{len(seed)} seeds for {self.num_envs} games: give one for each, or one number"
                )
            seeds = np.array([checked_word("seed", one) for one in seed], np.uint64)
            super().reset(seed=int(seeds[0]))
            self._games.number(rows, seeds[rows], 0, 1 if every else None)
        else:
            run = checked_word("seed", seed)
            super().reset(seed=run)
            self._games.number(rows, run, rows.astype(np.uint64), self.num_envs if every else None)
        self._seeded = True

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Play an action in every game: observations, rewards, terminated, truncated, infos.

        Raises InvalidParameter for what are not actions, and GameOver or IllegalMove where the options say so; then
        nothing has happened in any game. An action for a game that this step starts anew is not looked at, but must be
        one.
        """
        if not self._seeded:
            raise ResetNeeded("call reset before the first step")
        games = self._games
        games.actions[:] = self._checked(actions)
        games.refuse("game")
        own = self.options.reward if callable(self.options.reward) else None
        if own is None:
            ended = games.step()
        else:
            before, legal = games.ranks.copy(), games.legal() & (games.column(environments.OVER) == 0)
            ended = games.step()
            self._reward(own, before, legal)
        info = self._info()
        if ended and games.autoreset is Autoreset.SAME_STEP:
            self._add_finals(info)
        out = [self._out(name) for name in ("observation", "reward", "terminated", "truncated")]
        if self._convert is not None:
            *out, info = self._convert((*out, info))
        return out[0], out[1], out[2], out[3], info

    def _checked(self, actions: Any) -> NDArray[Any]:
        array = to_numpy(actions)
        if array.shape != (self.num_envs,):
            raise InvalidParameter(
                f"actions of shape {array.shape}: one for each of {self.num_envs} games are needed"
            )
        if array.dtype.kind not in "iu":
            raise no_action(array.flat[0]) if self.num_envs else InvalidParameter("no actions")
        return array

    def _reward(self, own: Any, before: NDArray[np.uint8], legal: NDArray[np.bool_]) -> None:
        """Ask the user's function about all games; its answer counts where a legal move was played."""
        games = self._games
        after = games.ranks.copy()
        if games.autoreset is Autoreset.SAME_STEP:
            ended = games.terminated | games.truncated
            after[ended] = games.final_ranks[ended]
        answer = np.asarray(
            own(before, games.actions.copy(), games.column(environments.POINTS).copy(), after), np.float64
        )
        if answer.shape not in ((), (self.num_envs,)):
            raise InvalidParameter(
                f"the reward function returned shape {answer.shape}: one number for each of {self.num_envs} games "
                "is right"
            )
        np.copyto(games.reward, answer, where=legal)

    def _out(self, name: str) -> NDArray[Any]:
        array: NDArray[Any] = getattr(self._games, name)
        return array if name in self._given else self._copy(array)

    def _info(self) -> dict[str, Any]:
        games, copy = self._games, self._copy
        return {
            "action_mask": self._out("action_mask"),
            "score": copy(games.column(environments.SCORE)),
            "max_tile": copy(games.column(environments.TILE)),
            "moves": copy(games.column(environments.MOVES)),
            "won": games.column(environments.WON) == 1,
        }

    def _add_finals(self, info: dict[str, Any]) -> None:
        """What Gymnasium's own vector environments add when games ended in this step."""
        games = self._games
        ended = games.terminated | games.truncated
        last = np.full(self.num_envs, None, object)
        rows = np.flatnonzero(ended)
        for row, observation in zip(
            rows.tolist(), encode(games.final_ranks[rows], self.options), strict=True
        ):
            last[row] = observation
        legal = games.final[:, int(environments.LEGAL)]
        finals: dict[str, NDArray[Any]] = {
            "action_mask": (legal[:, None] >> np.arange(4) & 1).astype(np.int8),
            "score": games.final[:, int(environments.SCORE)].copy(),
            "max_tile": games.final[:, int(environments.TILE)].copy(),
            "moves": games.final[:, int(environments.MOVES)].copy(),
            "won": games.final[:, int(environments.WON)] == 1,
        }
        for name in tuple(finals):
            finals[name][~ended] = 0
            finals[f"_{name}"] = ended.copy()
        info |= {"final_obs": last, "_final_obs": ended.copy(), "final_info": finals, "_final_info": ended}

    def render(self) -> tuple[Any, ...] | None:
        """A frame for each game, as `render_mode` says; None without a mode."""
        if self.render_mode is None:
            logger.warn("no render_mode was given: make the environment with ansi or rgb_array")
            return None
        if not self._seeded:
            raise ResetNeeded("call reset before render")
        return tuple(frame(state, self.render_mode) for state in self.states)

    def close_extras(self, **kwargs: Any) -> None:
        """Stop the threads."""
        self._games.close()

    # For agents

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal, bool (num_envs, 4), a copy."""
        return self._games.action_mask.astype(np.bool_)

    @property
    def states(self) -> tuple[State, ...]:
        """The games as values of `twofold.rules`."""
        return tuple(self._games.state(row) for row in range(self.num_envs))


def _mode(given: Any) -> AutoresetMode:
    if isinstance(given, AutoresetMode):
        return given
    names = {text.lower(): mode for mode in AutoresetMode for text in (mode.value, mode.name)}
    found = names.get(given.lower()) if isinstance(given, str) else None
    check_choice("autoreset_mode", found.value if found else given, [mode.value for mode in AutoresetMode])
    return AutoresetMode(found)
