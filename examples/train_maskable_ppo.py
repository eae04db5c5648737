"""Trains MaskablePPO of sb3-contrib on the game for some minutes, and lets it play against other players.

    pip install 'twofold[gym,plots]' sb3-contrib
    python examples/train_maskable_ppo.py --minutes 4 --model ppo.zip --curve ppo.csv --picture ppo.svg
    twofold arena run --players examples/trained.py:Trained:model=ppo.zip --players random --games 100 --name ppo

The policy sees one plane for each rank and may choose among legal moves only. Its reward is the logarithm of the
points of a move: points themselves grow by a factor of a thousand in the course of a game. `--picture` draws what is
in the curve's file; with `--minutes 0` it only draws.
"""

from __future__ import annotations

import argparse
import csv
import signal
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from twofold.arena.plots import render
from twofold.envs import PolicyPlayer
from twofold.envs.sb3 import make_vec_env
from twofold.matches.play import play_game

COLUMNS = ("seconds", "steps", "games", "score", "best_tile", "share_512", "share_1024")


class Curve(BaseCallback):
    """Writes a row for every rollout: the games that ended in it, and stops when the processor time is used."""

    def __init__(self, path: str, seconds: float) -> None:
        super().__init__()
        self._file = Path(path).open("w", newline="", encoding="utf-8")  # noqa: SIM115 (closed when training ends)
        self._rows = csv.writer(self._file, lineterminator="\n")
        self._rows.writerow(COLUMNS)
        self._seconds, self._begun = seconds, time.process_time()
        self._ended: list[tuple[int, int]] = []
        self._games = 0

    def _on_step(self) -> bool:
        self._ended += [(info["score"], info["max_tile"]) for info in self.locals["infos"] if info]
        return time.process_time() - self._begun < self._seconds

    def _on_rollout_end(self) -> None:
        if not self._ended:
            return
        scores, tiles = np.array(self._ended).T
        self._games += len(scores)
        spent = time.process_time() - self._begun
        shares = [float((tiles >= tile).mean()) for tile in (512, 1024)]
        row = [f"{spent:.1f}", self.num_timesteps, self._games, f"{scores.mean():.1f}", tiles.max()]
        self._rows.writerow([*row, *(f"{share:.4f}" for share in shares)])
        self._file.flush()
        print(
            f"{spent:6.0f} s {self.num_timesteps:>10,} steps {self._games:>7,} games  mean score {scores.mean():7.0f}"
            f"  512 in {shares[0]:.1%}  1024 in {shares[1]:.1%}",
            flush=True,
        )
        self._ended.clear()

    def _on_training_end(self) -> None:
        self._file.close()


def train(minutes: float, curve: str, seed: int, games: int) -> MaskablePPO:
    """A model trained for so many minutes in `games` games at a time."""
    env = make_vec_env(games, observation="planes", reward="log")
    model = MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=64,
        batch_size=1024,
        n_epochs=4,
        gamma=0.995,
        gae_lambda=0.9,
        learning_rate=1e-3,
        ent_coef=0.005,
        policy_kwargs={"net_arch": [128, 128]},
        seed=seed,
        device="cpu",
    )
    try:
        model.learn(total_timesteps=10**12, callback=Curve(curve, 60 * minutes))
    except KeyboardInterrupt:
        print("stopped; what was learned so far is kept")
    return model


def draw(curve: str, picture: str) -> None:
    """The mean score of the games that ended, over the steps learned from."""
    with Path(curve).open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))

    def drawing(axes: Any) -> None:
        steps = [int(row["steps"]) / 1e6 for row in rows]
        axes.plot(steps, [float(row["score"]) for row in rows], color="#1b6ca8")
        axes.set_xlabel("million steps")
        axes.set_ylabel("mean score of the games that ended")
        axes.set_ylim(bottom=0)
        axes.set_title(f"MaskablePPO, {float(rows[-1]['seconds']) / 60:.0f} minutes of processor time")

    Path(picture).write_bytes(render(drawing, Path(picture).suffix.lstrip(".")))


def compare(players: Sequence[Any], games: int, seed: int) -> None:
    """Every player in the same games, its figures printed as a table row."""
    print("\n| player | games | mean score | 512 | 1024 | 2048 |\n|---|---|---|---|---|---|")
    for player in players:
        results = [play_game(player, seed=seed, index=i) for i in range(games)]
        scores = np.array([result.score for result in results])
        tiles = np.array([result.max_tile for result in results])
        error = 1.96 * scores.std(ddof=1) / len(scores) ** 0.5
        shares = " | ".join(f"{(tiles >= tile).mean():.0%}" for tile in (512, 1024, 2048))
        print(
            f"| {results[0].player} | {games} | {scores.mean():,.0f} ± {error:,.0f} | {shares} |", flush=True
        )


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=4.0, help="of processor time, all threads together")
    parser.add_argument("--games", type=int, default=256, help="games played at a time")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--model", default="ppo.zip", help="where the model is saved")
    parser.add_argument("--curve", default="ppo.csv", help="where the curve is written")
    parser.add_argument("--picture", help="an .svg or .png file to draw the curve into")
    parser.add_argument("--compare", type=int, default=100, help="games played with the model at the end")
    options = parser.parse_args()
    # A shell starts what it runs in the background with Ctrl-C ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if options.minutes > 0:
        model = train(options.minutes, options.curve, options.seed, options.games)
        model.save(options.model)
        players = [PolicyPlayer(model, text="MaskablePPO"), "random", "greedy"]
        compare(players, options.compare, options.seed + 1)
    if options.picture:
        draw(options.curve, options.picture)


if __name__ == "__main__":
    main()
