"""Faults that users reported on other environments and programs: none of them can happen here.

The numbers are those of the collected reports; each test is about the kind of fault, not only the one case.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium")

from tests.envs.helpers import mask_of, ranks_of
from twofold.envs import Twofold2048Env, Twofold2048VectorEnv
from twofold.rules.board import Board
from twofold.rules.draw import cell_text


def step(board: str, action: int, **options: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
    """One action from a board, in the single environment, checked against one row of the vector environment."""
    env = Twofold2048Env(variant=f"map={board}", **options)
    env.reset(seed=3)
    envs = Twofold2048VectorEnv(2, variant=f"map={board}", autoreset_mode="Disabled", **options)
    envs.reset(seed=[3, 4])
    one, many = env.step(action), envs.step([action, action])
    assert (one[0] == many[0][0]).all()
    assert one[1:4] == (many[1][0], many[2][0], many[3][0])
    return one


@pytest.mark.parametrize(
    ("line", "slid"),
    [
        ([3, 3, 4, 0], [4, 4, 0, 0]),  # 1: 8 8 16 must not collapse to 32
        ([1, 1, 1, 1], [2, 2, 0, 0]),  # 2: 2 2 2 2 is 4 4
        ([2, 2, 2, 0], [3, 2, 0, 0]),  # 3: the pair at the wall merges
        ([2, 0, 0, 2], [3, 0, 0, 0]),
        ([1, 2, 1, 2], None),
    ],
)
@pytest.mark.parametrize("action", [0, 1, 2, 3])
def test_1_to_4_merging_in_every_direction(line: list[int], slid: list[int] | None, action: int) -> None:
    board = np.zeros((4, 4), int)
    turns = {3: 0, 2: 1, 1: 2, 0: 3}[action]  # LEFT turned so often counterclockwise
    board[0] = line
    board = np.rot90(board, turns)
    text = "|".join(" ".join("." if rank == 0 else str(1 << rank) for rank in row) for row in board.tolist())
    shown, *_, info = step(text, action)
    first = np.rot90(shown, -turns)[0]
    if slid is None:
        assert info["moves"] == 0
        return
    wall = slid.index(0)
    assert first[:wall].tolist() == slid[:wall]


def test_5_6_and_21_an_action_that_changes_nothing_spawns_nothing_and_is_masked() -> None:
    for board in ("2 . .|4 . .|2 . .", "2 4 8|. . .|. . .", "2 4 2|4 2 4|2 4 ."):
        env = Twofold2048Env(variant=f"map={board}")
        before, info = env.reset(seed=0)
        for action in np.flatnonzero(info["action_mask"] == 0):
            shown, reward, terminated, truncated, after = env.step(int(action))
            assert (shown == before).all()
            assert (reward, terminated, truncated, after["score"], after["moves"]) == (0, False, False, 0, 0)


def test_7_a_full_board_hangs_nothing() -> None:
    shown, _, terminated, truncated, info = step("2 2 4 8|16 32 64 128|2 4 8 16|32 64 128 256", 0)
    assert (terminated, truncated) == (False, False)
    assert info["action_mask"].tolist() == [0, 1, 0, 1]
    assert (shown > 0).all()


def test_8_every_merge_scores() -> None:
    assert step("2 2 4 4|8 8 . .|. . . .|16 16 32 32", 3)[1] == 4 + 8 + 16 + 32 + 64


def test_9_to_11_fours_come_as_often_as_asked() -> None:
    for chance in (0.0, 0.2, 1.0):
        shown, _ = Twofold2048VectorEnv(20_000, variant=f"4x4;p4={chance}").reset(seed=1)
        fours = (shown == 2).sum() / 40_000
        assert abs(fours - chance) < 0.01


def test_12_and_13_the_game_ends_with_the_last_move_and_not_before() -> None:
    _, _, terminated, _, info = step("2 4 8 16|32 64 128 256|2 4 8 16|32 64 128 128", 3)
    assert terminated == (not info["action_mask"].any())
    ended = 0
    for seed in range(30):
        env = Twofold2048Env(variant="2x2")
        _, info = env.reset(seed=seed)
        terminated = False
        while not terminated:
            assert info["action_mask"].any()
            full = not (env.state.board.empty_cells)
            assert not (full and env.state.board.is_dead)
            _, _, terminated, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        ended += 1
        assert not info["action_mask"].any()
        assert env.state.board.is_dead
    assert ended == 30


def test_14_the_target_made_by_the_last_move_counts() -> None:
    won = 0
    for seed in range(40):
        env = Twofold2048Env(variant="map=1024 1024 8|2 4 16|8 32 64", reward="target")
        env.reset(seed=seed)
        _, reward, terminated, truncated, info = env.step(3)
        assert (reward, info["won"], truncated) == (1, True, False)
        won += terminated
    assert won > 0


def test_16_to_18_large_tiles_merge_are_shown_and_drawn() -> None:
    for rank in (14, 15, 16, 17, 30):
        tile = 1 << rank
        env = Twofold2048Env(variant=f"map={tile} {tile} . .|. . . .|. . . .|. . . 2", render_mode="ansi")
        env.reset(seed=0)
        shown, reward, *_, info = env.step(3)
        assert shown[0, 0] == rank + 1
        assert reward == info["score"] == info["max_tile"] == 2 * tile
        assert cell_text(rank + 1) in env.render()
        assert Twofold2048Env(variant="4x4", render_mode="rgb_array").observation_space.high.max() == 17


def test_18_scores_are_64_bits_wide() -> None:
    tile = 1 << 40
    _, reward, *_, info = step(f"{tile} {tile}|{tile} {tile}", 3)
    assert reward == info["score"] == 4 * tile


def test_22_no_direction_is_legal_because_of_packed_tiles() -> None:
    for action, board in ((3, "2 . . .|4 . . .|8 . . .|16 . . ."), (0, "2 4 8 16|. . . .|. . . .|. . . .")):
        env = Twofold2048Env(variant=f"map={board}")
        _, info = env.reset(seed=0)
        assert info["action_mask"][action] == 0
        assert (info["action_mask"] == mask_of(Board.parse(board))).all()


def test_23_endless_illegal_actions_end_and_the_end_is_said_once() -> None:
    env = Twofold2048Env(variant="map=2 4 8 16|. . . .|. . . .|. . . .")
    env.reset(seed=0)
    for count in range(1, 101):
        *_, terminated, truncated, _ = env.step(0)
        assert (terminated, truncated) == (False, count == 100)
    envs = Twofold2048VectorEnv(3, variant="map=2 4 8 16|. . . .|. . . .|. . . .", illegal_limit=5)
    envs.reset(seed=0)
    ends = [envs.step([0, 0, 1])[3].tolist() for _ in range(12)]
    assert [row[0] for row in ends] == [False] * 4 + [True] + [False] * 5 + [True, False]


def test_25_every_step_tells_its_reward_and_they_add_up_to_the_score() -> None:
    env = Twofold2048Env()
    _, info = env.reset(seed=5)
    total, terminated = 0.0, False
    while not terminated:
        _, reward, terminated, _, info = env.step(int(np.flatnonzero(info["action_mask"])[-1]))
        total += reward
        assert total == info["score"]


def test_26_the_same_seed_and_actions_are_the_same_game_anywhere() -> None:
    actions = np.random.default_rng(0).integers(0, 4, 60)
    env = Twofold2048Env(illegal_limit=None)
    env.reset(seed=2048)
    ends = [env.step(int(action)) for action in actions]
    envs = Twofold2048VectorEnv(1, illegal_limit=None)
    envs.reset(seed=2048)
    for action, end in zip(actions, ends, strict=True):
        assert (envs.step([action])[0][0] == end[0]).all()
    # Written down: the board is a function of the generator that docs/explanation/details.md names, not of the machine.
    assert str(env.state.board) == RECORDED


RECORDED = "2 . . 2|4 . . .|2 4 4 .|4 64 8 4"


def test_27_observations_lie_within_their_space_at_the_largest_tile() -> None:
    for observation in ("ranks", "planes", "log"):
        chain = "65536 65536 32768 16384|512 1024 2048 8192|256 128 64 32|2 2 8 16"
        env = Twofold2048Env(observation=observation)
        env.reset(seed=0, options={"board": chain})
        shown, *_ = env.step(3)
        assert shown in env.observation_space
        assert env.observation_space.shape == shown.shape


def test_43_rows_and_columns_are_not_mixed_up() -> None:
    env = Twofold2048Env(variant="map=2 2 . . .|. . . . .")
    shown, info = env.reset(seed=0)
    assert shown.shape == (2, 5)
    assert info["action_mask"].tolist() == [0, 1, 1, 1]
    shown, *_ = env.step(1)
    assert shown[0, 4] == 2
    assert (shown == ranks_of(env.state.board)).all()
