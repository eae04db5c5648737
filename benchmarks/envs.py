"""Steps per second of the environments, beside those of other projects in the same run.

    python -m benchmarks.envs [--gymnasium-2048 PYTHON] [--jax PYTHON] [--seconds X] [--threads] [--write]
    python -m benchmarks.envs --stored                    # write the page again from docs/results/envs.json

PYTHON: interpreters of virtual environments that have gymnasium-2048, and pgx and jumanji (`benchmarks/env_peers.py`
runs there; `-` leaves a peer out). All play random actions. Rates are given per second of processor time, which other
work on the machine disturbs little, and per second of the clock, in the median of calls of some steps and over all.
With --threads the batch is also stepped by one and two threads at several sizes. --write keeps the figures in
docs/results/envs.json and writes docs/results/envs.md.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

import twofold.envs
from benchmarks import history
from benchmarks.env_peers import measure
from twofold.envs import Twofold2048VectorEnv

RESULTS = history.ROOT / "docs" / "results"
GAMES = 1024
VECTORS: dict[str, dict[str, Any]] = {
    "ranks and masks": {},
    "planes and masks": {"observation": "planes"},
    "ranks and masks, 5×5": {"variant": "5x5"},
    "ranks and masks, 4×4 with bricks": {"variant": "map=x . . .|. . . .|. . . .|. . . x"},
}

Rates = dict[str, Any]


def single(seconds: float, **options: Any) -> Rates:
    """One environment without Gymnasium's wrappers."""
    env = gymnasium.make(twofold.envs.ENV_ID, **options).unwrapped
    env.reset(seed=0)
    actions = np.random.default_rng(0).integers(0, 4, 100).tolist()

    def run() -> int:
        for action in actions:
            _, _, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                env.reset()
        return len(actions)

    return measure(seconds, run)


def vector(seconds: float, games: int = GAMES, threads: int | None = None, **options: Any) -> Rates:
    """A batch with new games where some end."""
    envs = Twofold2048VectorEnv(games, threads=threads, **options)
    envs.reset(seed=0)
    actions = np.random.default_rng(0).integers(0, 4, (5, games))

    def run() -> int:
        for row in actions:
            envs.step(row)
        return actions.size

    rates = measure(seconds, run)
    envs.close()
    return rates


def peer(python: str, name: str, seconds: float) -> Rates | None:
    """The rates of another project's environment, in an interpreter that has it."""
    if python == "-":
        return None
    script = Path(__file__).with_name("env_peers.py")
    done = subprocess.run(
        [python, str(script), name, str(seconds), str(GAMES)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        print(f"{name} doesn't run there: {done.stderr.strip().splitlines()[-1]}", file=sys.stderr)
        return None
    rates: Rates = json.loads(done.stdout.splitlines()[-1])
    return rates


def run_all(options: argparse.Namespace) -> dict[str, Rates]:
    """Every figure by its label."""
    seconds = options.seconds
    found: dict[str, Rates | None] = {
        "one game, ranks": single(seconds),
        "one game, planes": single(seconds, observation="planes"),
        "one game, planes: gymnasium-2048": peer(options.gymnasium_2048, "gymnasium-2048", seconds),
    }
    found |= {f"{GAMES} games, {label}": vector(seconds, **more) for label, more in VECTORS.items()}
    for name in ("pgx", "jumanji"):
        found[f"{GAMES} games: {name}"] = peer(options.jax, name, seconds)
    if options.threads:
        for games in (512, 1024, 2048, 4096, 16384, 65536):
            for threads in (1, 2):
                label = f"{games} games, ranks and masks, threads={threads}"
                found[label] = vector(seconds, games, threads)
    return {label: rates for label, rates in found.items() if rates is not None}


def table(found: dict[str, Rates]) -> str:
    """The figures as a Markdown table, in million steps per second."""
    lines = [
        "| environment, million steps/s | processor time | clock, median | clock, all |",
        "|---|--:|--:|--:|",
    ]
    for label, rates in found.items():
        version = f" {rates['version']}" if "version" in rates else ""
        columns = " | ".join(f"{rates[kind] / 1e6:.3f}" for kind in ("cpu", "median", "wall"))
        lines.append(f"| {label}{version} | {columns} |")
    return "\n".join(lines) + "\n"


def page(found: dict[str, Rates], machine: dict[str, Any]) -> str:
    """docs/results/envs.md."""
    ratios = []
    for ours, theirs in (
        ("one game, planes", "one game, planes: gymnasium-2048"),
        (f"{GAMES} games, ranks and masks", f"{GAMES} games: pgx"),
        (f"{GAMES} games, ranks and masks", f"{GAMES} games: jumanji"),
    ):
        if theirs in found:
            name = theirs.partition(": ")[2]
            times = found[ours]["cpu"] / found[theirs]["cpu"]
            ratios.append(f"{times:.0f} times as many as {name} ({ours})")
    return (
        "# Speed of the environments\n\n"
        "Written by `python -m benchmarks.envs --write`. Random actions, including illegal ones.\n\n"
        f"{table(found)}\n"
        f"Steps per second of processor time, compared: {'; '.join(ratios)}.\n\n"
        f"Measured on {machine['cores']} cores of {machine['cpu']} ({machine['system']}, Python {machine['python']}, "
        f"numba {machine['numba']}). {machine['load']}\n"
    )


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--gymnasium-2048", default="-", metavar="PYTHON")
    parser.add_argument("--jax", default="-", metavar="PYTHON")
    parser.add_argument("--seconds", type=float, default=3.0, help="of the clock, for each figure")
    parser.add_argument("--threads", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--stored", action="store_true", help="measure nothing")
    options = parser.parse_args()
    if options.stored:
        stored = json.loads((RESULTS / "envs.json").read_text("utf-8"))
        found, machine = stored["figures"], stored["machine"]
    else:
        found, machine = run_all(options), history.machine() | {"load": load()}
    print(table(found))
    if options.write:
        text = json.dumps({"machine": machine, "figures": found}, indent=1, ensure_ascii=False)
        (RESULTS / "envs.json").write_text(text + "\n", "utf-8", newline="\n")
    if options.write or options.stored:
        (RESULTS / "envs.md").write_text(page(found, machine), "utf-8", newline="\n")


def load() -> str:
    """A sentence on what else ran, where the system tells."""
    try:
        running = float(Path("/proc/loadavg").read_text("utf-8").split()[0])
    except (OSError, ValueError):
        return ""
    return (
        f"About {running:.0f} processes ran at the same time: figures by the clock are too low, "
        "and two threads had to share a core."
        if running > 1.5
        else "Nothing else ran."
    )


if __name__ == "__main__":
    main()
