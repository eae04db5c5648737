"""Steps per second of other environments of the game, for `benchmarks/envs.py`.

    PYTHON benchmarks/env_peers.py gymnasium-2048|pgx|jumanji SECONDS [GAMES]

It runs in the interpreter that has the peer and needs nothing of twofold. Actions are random and drawn beforehand,
for gymnasium-2048 among all four, for pgx and jumanji too: a step costs them the same whether the action is legal or
not. Prints one JSON object: what `measure` says, and the version.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import numpy as np


def measure(seconds: float, run: Callable[[], int]) -> dict[str, float]:
    """Steps per second of `run`, which makes some steps and says how many, after a first call that isn't counted.

    wall: of the clock; median: of the clock, in the median call, which other work on the machine disturbs less; cpu: of
    processor time, all threads together.
    """
    run()
    steps, calls, wall, cpu = 0, [], time.perf_counter(), time.process_time()
    while (begun := time.perf_counter()) - wall < seconds:
        done = run()
        calls.append((time.perf_counter() - begun) / done)
        steps += done
    return {
        "wall": steps / (time.perf_counter() - wall),
        "median": 1 / statistics.median(calls),
        "cpu": steps / (time.process_time() - cpu),
    }


def gymnasium_2048(seconds: float, games: int) -> dict[str, float]:
    """One environment without wrappers; a new game where one ends."""
    import gymnasium
    import gymnasium_2048  # noqa: F401 (registers the environment)

    env = gymnasium.make("gymnasium_2048/TwentyFortyEight-v0").unwrapped
    env.reset(seed=0)
    actions = np.random.default_rng(0).integers(0, 4, 20).tolist()

    def run() -> int:
        for action in actions:
            _, _, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                env.reset()
        return len(actions)

    return measure(seconds, run)


def pgx(seconds: float, games: int) -> dict[str, float]:
    """A batch, reset by pgx's own wrapper where a game ends; observation and mask are part of its state."""
    import jax
    import pgx as library
    from pgx.experimental import auto_reset

    env = library.make("2048")
    step = jax.jit(jax.vmap(auto_reset(env.step, env.init)))
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), games))
    actions = jax.random.randint(jax.random.PRNGKey(1), (5, games), 0, 4)
    keys = [jax.random.split(jax.random.PRNGKey(i), games) for i in range(5)]
    box = [state]

    def run() -> int:
        for action, key in zip(actions, keys, strict=True):
            box[0] = step(box[0], action, key)
        jax.block_until_ready(box[0].legal_action_mask)
        return 5 * games

    return measure(seconds, run)


def jumanji(seconds: float, games: int) -> dict[str, float]:
    """A batch with its own wrappers for batches and new games."""
    import jax
    from jumanji.environments import Game2048
    from jumanji.wrappers import VmapAutoResetWrapper

    env = VmapAutoResetWrapper(Game2048())
    step = jax.jit(env.step)
    state, _ = jax.jit(env.reset)(jax.random.split(jax.random.PRNGKey(0), games))
    actions = jax.random.randint(jax.random.PRNGKey(1), (5, games), 0, 4)
    box: list[Any] = [state]

    def run() -> int:
        shown = None
        for action in actions:
            box[0], shown = step(box[0], action)
        jax.block_until_ready(shown)
        return 5 * games

    return measure(seconds, run)


PEERS = {"gymnasium-2048": gymnasium_2048, "pgx": pgx, "jumanji": jumanji}


def main() -> None:
    """The command."""
    name, seconds = sys.argv[1], float(sys.argv[2])
    games = int(sys.argv[3]) if len(sys.argv) > 3 else 1024
    print(json.dumps({**PEERS[name](seconds, games), "version": version(name)}))


if __name__ == "__main__":
    main()
