"""The game as an environment for reinforcement learning (extra `gym`).

    import gymnasium
    import twofold.envs

    env = gymnasium.make("twofold/Twofold2048-v0", variant="4x4", observation="planes")
    many = gymnasium.make_vec("twofold/Twofold2048-v0", num_envs=1024)

Importing this package registers the name with Gymnasium; `gymnasium.make("twofold.envs:twofold/Twofold2048-v0")`
imports it. docs/guides/gym.md is the guide.
"""

from __future__ import annotations

try:
    import gymnasium
except ImportError:
    raise ImportError("twofold.envs needs Gymnasium: pip install 'twofold[gym]'") from None

from twofold.envs.arrays import to_jax, to_numpy, to_torch
from twofold.envs.games import buffer_shapes
from twofold.envs.options import EnvOptions, decode, encode
from twofold.envs.policies import ModelPlayer, PlayerPolicy, PolicyPlayer
from twofold.envs.single import ResetNeeded, Twofold2048Env
from twofold.envs.vector import Twofold2048VectorEnv

ENV_ID = "twofold/Twofold2048-v0"
"""The name for `gymnasium.make` and `gymnasium.make_vec`."""

if ENV_ID not in gymnasium.registry:
    gymnasium.register(
        ENV_ID,
        entry_point="twofold.envs.single:Twofold2048Env",
        vector_entry_point="twofold.envs.vector:Twofold2048VectorEnv",
    )

__all__ = [
    "ENV_ID",
    "EnvOptions",
    "ModelPlayer",
    "PlayerPolicy",
    "PolicyPlayer",
    "ResetNeeded",
    "Twofold2048Env",
    "Twofold2048VectorEnv",
    "buffer_shapes",
    "decode",
    "encode",
    "to_jax",
    "to_numpy",
    "to_torch",
]


def __dir__() -> list[str]:
    return __all__
