"""The native vector environment for Stable-Baselines3, whose algorithms want a `VecEnv` of its own kind.

    from twofold.envs.sb3 import make_vec_env

    model = MaskablePPO("MlpPolicy", make_vec_env(64, observation="planes", reward="log"))

Importing this module imports stable_baselines3 and with it torch.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.envs.vector import Twofold2048VectorEnv
from twofold.errors import InvalidParameter

try:
    from stable_baselines3.common.vec_env import VecEnv
except ImportError:
    raise ImportError("twofold.envs.sb3 needs Stable-Baselines3: pip install sb3-contrib") from None


class Sb3VecEnv(VecEnv):  # type: ignore[misc]
    """`Twofold2048VectorEnv` with the interface of Stable-Baselines3, masks included.

    Its `infos` hold, for games that ended, `terminal_observation`, `TimeLimit.truncated` and `episode` (r, l, t: the
    sum of rewards, steps and seconds, as `VecMonitor` gives them) beside `score` and `max_tile`; empty for the others.
    """

    def __init__(self, env: Twofold2048VectorEnv) -> None:
        self.env = env
        super().__init__(env.num_envs, env.single_observation_space, env.single_action_space)
        self.render_mode = env.render_mode
        self._actions: Any = None
        self._returns = np.zeros(env.num_envs)
        self._lengths = np.zeros(env.num_envs, np.int64)
        self._begun = time.monotonic()

    def reset(self) -> Any:
        """Start all games; by the seed given to `seed`, if there was one."""
        seed = next(iter(self._seeds), None)
        observation, _ = self.env.reset(seed=seed)
        self._reset_seeds()
        self._returns[:], self._lengths[:] = 0, 0
        return observation

    def step_async(self, actions: NDArray[Any]) -> None:
        """Keep the actions for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Step all games."""
        observation, reward, terminated, truncated, info = self.env.step(self._actions)
        self._returns += reward
        self._lengths += 1
        done = terminated | truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for row in np.flatnonzero(done).tolist():
            finals = info["final_info"]
            infos[row] = {
                "terminal_observation": info["final_obs"][row],
                "TimeLimit.truncated": bool(truncated[row]),
                "episode": {
                    "r": float(self._returns[row]),
                    "l": int(self._lengths[row]),
                    "t": time.monotonic() - self._begun,
                },
                "score": int(finals["score"][row]),
                "max_tile": int(finals["max_tile"][row]),
            }
        self._returns[done], self._lengths[done] = 0, 0
        return observation, reward.astype(np.float32), done, infos

    def close(self) -> None:
        """Close the environment."""
        self.env.close()

    def env_method(
        self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any
    ) -> list[Any]:
        """`action_masks` of each game; there are no others."""
        if method_name != "action_masks":
            raise InvalidParameter(
                f"the games are rows of one environment: they have no method {method_name!r}"
            )
        masks = self.env.action_masks()
        return [masks[row] for row in self._get_indices(indices)]

    def has_attr(self, attr_name: str) -> bool:
        """Whether the environment has such an attribute."""
        return hasattr(self.env, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The environment's attribute, once for each game."""
        value = getattr(self.env, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute of the environment."""
        setattr(self.env, attr_name, value)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """False for each game."""
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[NDArray[np.uint8] | None]:
        """Pictures of all games, if the render mode is `rgb_array`."""
        return self.env.render() or [None] * self.num_envs


def make_vec_env(num_envs: int = 64, **options: Any) -> Sb3VecEnv:
    """Games for an algorithm of Stable-Baselines3; the options are those of `Twofold2048VectorEnv`."""
    return Sb3VecEnv(Twofold2048VectorEnv(num_envs, autoreset_mode="SameStep", **options))
