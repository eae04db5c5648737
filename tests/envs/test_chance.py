"""Masks and spawns over many steps: the mask is what the reference calls legal, tiles come at the right odds."""

from __future__ import annotations

import math

import numpy as np
import pytest

pytest.importorskip("gymnasium")

from tests.thorough import quick_ones
from twofold.envs import Twofold2048VectorEnv
from twofold.rules.board import Board
from twofold.rules.direction import DIRECTIONS

BRICKS = "map=2 . x .|. . . .|. x . .|. . . 4"
BIG = "map=65536 65536 32768 16384|512 1024 2048 8192|256 128 64 32|2 2 8 16"


def check_masks(variant: str, steps: int, seed: int) -> None:
    """Plays `steps` steps, half by chance and half to the left and down, and asks the reference about every board."""
    count = 100
    envs = Twofold2048VectorEnv(count, variant=variant, autoreset_mode="SameStep", illegal_limit=None)
    rng = np.random.default_rng(seed)
    shown, info = envs.reset(seed=seed)
    rows, columns = envs.options.rules.start.size
    done = 0
    while done < steps:
        mask = info["action_mask"]
        for ranks, legal in zip(shown, mask, strict=True):
            board = Board(rows, columns, ranks.tobytes())
            assert [board.is_legal(direction) for direction in DIRECTIONS] == legal.tolist(), board
        done += count
        actions = rng.integers(0, 4, count)
        tidy = np.arange(count) % 2 == 0
        actions[tidy] = np.where(mask[:, 3] == 1, 3, np.where(mask[:, 2] == 1, 2, 1))[tidy]
        shown, *_, info = envs.step(actions)


@pytest.mark.parametrize("variant", ["4x4", BRICKS, "3x5;spawn=tr-columns", "2x2", BIG])
def test_the_mask_is_what_the_reference_calls_legal(variant: str) -> None:
    check_masks(variant, 3000, 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variant", "steps"),
    [("4x4", 600_000), (BRICKS, 100_000), ("3x5", 100_000), ("2x2", 100_000), (BIG, 100_000)],
)
def test_the_mask_over_a_million_steps(variant: str, steps: int) -> None:
    check_masks(variant, steps, 2)


@pytest.mark.parametrize("chance", quick_ones([0.0, 0.1, 0.5, 1.0], {0.1, 1.0}.__contains__))
@pytest.mark.parametrize(
    "start",
    ["2 2 . .|. . . .|. . . .|. . . .", "2 2 . . .|. . . . .|. . . . .", "2 2 . x|. . . .|x . . .|. . . ."],
)
def test_tiles_come_anywhere_and_as_often_as_they_should(start: str, chance: float) -> None:
    count = 40_000
    envs = Twofold2048VectorEnv(count, variant=f"map={start};p4={chance}")
    envs.reset(seed=5)
    shown, *_ = envs.step(np.full(count, 3))
    flat = shown.reshape(count, -1)
    assert (flat[:, 0] == 2).all()
    free = [cell for cell, rank in enumerate(Board.parse(start).cells) if rank != 255 and cell != 0]
    new = flat[:, free]
    assert (np.count_nonzero(new, axis=1) == 1).all()
    fours = float((new == 2).sum()) / count
    assert abs(fours - chance) <= 4 * math.sqrt(chance * (1 - chance) / count)
    found = np.count_nonzero(new, axis=0)
    expected = count / len(free)
    chi_square = float(((found - expected) ** 2 / expected).sum())
    freedom = len(free) - 1
    assert chi_square < freedom + 5 * math.sqrt(2 * freedom)


@pytest.mark.parametrize("start", ["2 2 . .|. . . .|. . . .|. . . .", "2 2 . . .|. . . . .|. . . . ."])
def test_other_tiles_come_as_often_as_they_should(start: str) -> None:
    count, odds = 40_000, {1: 0.8, 2: 0.15, 5: 0.05}
    values = ",".join(f"{1 << rank}:{chance}" for rank, chance in odds.items())
    envs = Twofold2048VectorEnv(count, variant=f"map={start};values={values}")
    envs.reset(seed=5)
    shown, *_ = envs.step(np.full(count, 3))
    new = shown.reshape(count, -1)[:, 1:].max(axis=1)
    for rank, chance in odds.items():
        found = float((new == rank).sum()) / count
        assert abs(found - chance) <= 4 * math.sqrt(chance * (1 - chance) / count)


def test_start_tiles_come_at_the_same_odds() -> None:
    count = 40_000
    shown, _ = Twofold2048VectorEnv(count).reset(seed=6)
    flat = shown.reshape(count, -1)
    assert (np.count_nonzero(flat, axis=1) == 2).all()
    fours = float((flat == 2).sum()) / (2 * count)
    assert abs(fours - 0.1) <= 4 * math.sqrt(0.09 / (2 * count))
    found = np.count_nonzero(flat, axis=0)
    assert float(((found - count / 8) ** 2 / (count / 8)).sum()) < 15 + 5 * math.sqrt(30)


def test_mean_score_of_random_play() -> None:
    """1095.5: mean of 6 million games of another program with the same rules."""
    count = 3000
    first = first_scores(count)
    assert abs(first.mean() - 1095.5) < 4 * first.std() / math.sqrt(count)


def first_scores(count: int) -> np.ndarray:
    """The score of the first game of every row, played by chance."""
    envs = Twofold2048VectorEnv(count, autoreset_mode="SameStep")
    _, info = envs.reset(seed=9)
    rng = np.random.default_rng(10)
    scores = np.full(count, -1)
    while (scores < 0).any():
        actions = np.where(info["action_mask"] == 1, rng.random((count, 4)), -1).argmax(axis=1)
        *_, terminated, _, info = envs.step(actions)
        fresh = terminated & (scores < 0)
        if fresh.any():
            scores[fresh] = info["final_info"]["score"][fresh]
    return scores
