"""Find weights for the default evaluation: the cross-entropy method on mean scores of shallow games.

    python benchmarks/tune_default.py --minutes 2 --depth 2
    python benchmarks/tune_default.py --minutes 20 --depth 3 --start 470 690 25 3.5 14 2.85

Each generation draws candidates around the current centre in log space, plays the same seeds with each, and moves the
centre and the spread to the best quarter. One JSON line a generation: best weights, centre, mean scores. The search
for better weights by other means is `twofold tune`; this script is how the first defaults came about
(docs/default-evaluation.md).
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np

from twofold.players.many import play_many
from twofold.values.registry import make_evaluation

NAMES = ("empty", "merges", "mono", "mono_power", "sum", "sum_power")
START = (270.0, 700.0, 47.0, 4.0, 11.0, 3.5)
SPREAD = (0.4, 0.4, 0.4, 0.08, 0.4, 0.08)


def mean_score(weights: np.ndarray, depth: int, games: int, seed: int) -> float:
    """Mean of log2 score, which a few lucky games don't rule, scaled back to points."""
    text = "default:" + ",".join(f"{name}={value:.6g}" for name, value in zip(NAMES, weights, strict=True))
    played = play_many(make_evaluation(text), games, depth=depth, seed=seed)
    return float(2 ** np.log2(played.score).mean())


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--depth", type=int, default=2)
    parser.add_argument("--games", type=int, default=80)
    parser.add_argument("--population", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--start", type=float, nargs=len(NAMES), default=START, metavar="X", help=" ".join(NAMES)
    )
    parser.add_argument("--out", type=Path, default=Path("tuned.jsonl"))
    options = parser.parse_args()
    dice = np.random.default_rng(options.seed)
    centre, spread = np.log(options.start), np.array(SPREAD)
    end = time.monotonic() + 60 * options.minutes
    generation = 0
    while time.monotonic() < end:
        generation += 1
        candidates = centre + spread * dice.standard_normal((options.population, len(NAMES)))
        candidates[0] = centre
        seed = options.seed * 1_000_003 + generation
        scores = np.array([mean_score(np.exp(c), options.depth, options.games, seed) for c in candidates])
        best = np.argsort(-scores)[: options.population // 4]
        centre = 0.3 * centre + 0.7 * candidates[best].mean(axis=0)
        spread = np.maximum(0.6 * spread + 0.4 * candidates[best].std(axis=0), 0.02)
        line = {
            "generation": generation,
            "centre_score": round(scores[0]),
            "best_score": round(scores[best[0]]),
            "centre": dict(zip(NAMES, np.exp(centre).round(3).tolist(), strict=True)),
            "spread": spread.round(3).tolist(),
        }
        with options.out.open("a") as stream:
            stream.write(json.dumps(line) + "\n")
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
