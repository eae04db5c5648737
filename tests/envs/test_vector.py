"""`Twofold2048VectorEnv`: beside Gymnasium's own vector environment, seeds, buffers, threads, refusals."""

from __future__ import annotations

import copy
import gc
import threading
import time
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402
from gymnasium.vector.utils import batch_space  # noqa: E402
from gymnasium.wrappers.vector import (  # noqa: E402
    DictInfoToList,
    RecordEpisodeStatistics,
    VectorizeTransformObservation,
)

from tests.envs.helpers import ranks_of  # noqa: E402
from tests.envs.test_single import NAMES, OPTIONS  # noqa: E402
from tests.thorough import quick_ones  # noqa: E402
from twofold.envs import (  # noqa: E402
    ENV_ID,
    ResetNeeded,
    Twofold2048Env,
    Twofold2048VectorEnv,
    buffer_shapes,
)
from twofold.errors import GameOver, IllegalMove, InvalidBoard, InvalidParameter  # noqa: E402
from twofold.rules.board import Board  # noqa: E402
from twofold.rules.game import Game  # noqa: E402
from twofold.rules.variant import Variant  # noqa: E402

MODES = list(AutoresetMode)


def equal(one: Any, other: Any) -> bool:
    """Whether two values of an info are the same, object arrays and dicts included."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(equal(one[key], other[key]) for key in one)
    if isinstance(one, np.ndarray) and one.dtype == object:
        return all((a is None and b is None) or (a == b).all() for a, b in zip(one, other, strict=True))
    return bool(one.dtype.kind == other.dtype.kind and (one == other).all())


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.value)
@pytest.mark.parametrize(
    "options", quick_ones(OPTIONS, lambda options: "evil" not in options.get("variant", "")), ids=NAMES
)
def test_it_does_what_gymnasiums_vector_of_single_environments_does(
    options: dict[str, Any], mode: AutoresetMode
) -> None:
    count, seeds = 3, [11, 12, 13]
    short = {"max_episode_steps": 12, **options}
    theirs = SyncVectorEnv([lambda: Twofold2048Env(**short)] * count, autoreset_mode=mode)
    ours = Twofold2048VectorEnv(count, autoreset_mode=mode, **short)
    assert ours.metadata["autoreset_mode"] is mode
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space == batch_space(ours.single_action_space, count)
    expected, info = theirs.reset(seed=seeds)
    shown, mine = ours.reset(seed=seeds)
    rng = np.random.default_rng(3)
    for _ in range(40):
        assert shown.dtype == expected.dtype
        assert (shown == expected).all()
        assert shown in ours.observation_space
        for key, value in mine.items():
            assert equal(value, info[key]), key
        if options.get("illegal") == "error":
            actions = np.array(
                [rng.choice(np.flatnonzero(row)) if row.any() else 0 for row in mine["action_mask"]]
            )
        else:
            actions = rng.integers(0, 4, count)
        if mode is AutoresetMode.DISABLED and (over := theirs._terminations | theirs._truncations).any():
            with pytest.raises(GameOver, match=f"game {np.flatnonzero(over)[0]} is over"):
                ours.step(actions)
            expected, part = theirs.reset(options={"reset_mask": over.copy()})
            shown, mine = ours.reset(options={"reset_mask": over.copy()})
            assert (shown == expected).all()
            for key in part:
                if not key.startswith("_"):
                    assert (mine[key][over] == part[key][over]).all()
            info = mine
            continue
        expected, *rest, info = theirs.step(actions)
        shown, *mine_rest, mine = ours.step(actions)
        for one, other in zip(mine_rest, rest, strict=True):
            assert one.dtype == other.dtype
            np.testing.assert_allclose(one, other, rtol=1e-15)
    ours.close()
    theirs.close()


class Scaled(gymnasium.wrappers.TransformObservation):  # type: ignore[misc, name-defined]
    """Logarithms from 0 to 1."""

    def __init__(self, env: Any) -> None:
        super().__init__(env, lambda shown: shown / 17, gymnasium.spaces.Box(0, 1, (4, 4), np.float32))


def test_make_vec_makes_it_and_wrappers_of_gymnasium_go_round_it() -> None:
    envs = gymnasium.make_vec(
        ENV_ID, num_envs=5, observation="log", autoreset_mode="next_step", max_episode_steps=9
    )
    assert isinstance(envs, Twofold2048VectorEnv)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    wrapped = DictInfoToList(RecordEpisodeStatistics(VectorizeTransformObservation(envs, Scaled)))
    shown, infos = wrapped.reset(seed=1)
    assert shown.max() <= 1
    assert len(infos) == 5
    ended = 0
    for _ in range(20):
        *_, truncated, infos = wrapped.step(envs.action_space.sample())
        for row in np.flatnonzero(truncated):
            ended += 1
            assert infos[row]["episode"]["l"] == 9
            assert infos[row]["score"] == infos[row]["episode"]["r"]
    assert ended >= 10
    wrapped.close()


def test_game_i_of_a_seed_is_game_i_of_the_rules() -> None:
    envs = Twofold2048VectorEnv(300, threads=1)
    for seed in (0, 2**64 - 1):
        shown, _ = envs.reset(seed=seed)
        assert all((shown[i] == ranks_of(Game(seed=seed, index=i).board)).all() for i in range(300))
        shown, _ = envs.reset()
        assert all((shown[i] == ranks_of(Game(seed=seed, index=300 + i).board)).all() for i in range(300))
    mask = np.arange(300) % 3 == 0
    before = shown
    shown, _ = envs.reset(options={"reset_mask": mask})
    assert (shown[~mask] == before[~mask]).all()
    assert all(
        (shown[i] == ranks_of(Game(seed=seed, index=600 + i).board)).all()
        for i in np.flatnonzero(mask).tolist()
    )
    a, b = (Twofold2048VectorEnv(50).reset()[0] for _ in range(2))
    assert (a != b).any()


def test_threads_change_nothing() -> None:
    rng = np.random.default_rng(4)
    actions = rng.integers(0, 4, (150, 3000))
    for options in ({}, {"variant": "3x3", "observation": "planes"}):
        runs = []
        for threads in (1, 2, 5):
            envs = Twofold2048VectorEnv(3000, threads=threads, autoreset_mode="SameStep", **options)
            envs.reset(seed=6)
            total = 0.0
            for row in actions:
                shown, reward, terminated, truncated, info = envs.step(row)
                total += float(reward.sum())
            runs.append((total, shown, info["score"], info["action_mask"], terminated, truncated))
            envs.close()
        for run in runs[1:]:
            assert all(np.array_equal(one, other) for one, other in zip(run, runs[0], strict=True))


def test_threads_end_with_the_environment() -> None:
    others = set(threading.enumerate())

    def workers(expected: int) -> bool:
        """Whether so many threads came since the test began, after a while if need be."""
        until = time.monotonic() + 60
        while (found := len(set(threading.enumerate()) - others)) != expected and time.monotonic() < until:
            time.sleep(0.01)
        return found == expected

    envs = Twofold2048VectorEnv(4096, threads=3)
    envs.reset(seed=0)
    envs.step(np.zeros(4096, int))
    assert workers(2)
    twin = copy.deepcopy(envs)
    envs.close()
    envs.close()
    assert workers(0)
    twin.step(np.ones(4096, int))
    assert workers(2)
    del twin
    gc.collect()
    assert workers(0)


def test_what_is_returned_is_new_with_every_step() -> None:
    for options in ({}, {"observation": "planes"}, {"observation": "log"}):
        envs = Twofold2048VectorEnv(8, **options)
        first, info = envs.reset(seed=7)
        masks = envs.action_masks()
        kept = first.copy()
        first[...] = 1
        info["action_mask"][...] = 0
        masks[...] = False
        assert (envs.reset(seed=7)[0] == kept).all()
        assert envs.action_masks().any()
        steps = [envs.step(np.full(8, action)) for action in (0, 1, 2)]
        arrays = [step[i] for step in steps for i in range(4)] + [
            v for step in steps for v in step[4].values()
        ]
        for i, one in enumerate(arrays):
            assert not any(np.shares_memory(one, other) for other in arrays[:i])


def test_given_buffers_are_written_into_and_returned() -> None:
    plain = Twofold2048VectorEnv(6, observation="planes")
    shapes = buffer_shapes(plain.options, 6)
    buffers = {name: np.zeros(shape, dtype) for name, (shape, dtype) in shapes.items()}
    envs = Twofold2048VectorEnv(6, observation="planes", buffers=buffers)
    plain.reset(seed=8)
    envs.reset(seed=8)
    rng = np.random.default_rng(5)
    for _ in range(50):
        actions = rng.integers(0, 4, 6)
        expected, got = plain.step(actions), envs.step(actions)
        for name, one, other in zip(
            ("observation", "reward", "terminated", "truncated"), got, expected, strict=False
        ):
            assert one is buffers[name]
            assert (one == other).all()
        assert got[4]["action_mask"] is buffers["action_mask"]
        buffers["observation"][...] = 9  # the games don't read what they show
        buffers["action_mask"][...] = 0
    only = Twofold2048VectorEnv(6, buffers={"observation": np.zeros((6, 4, 4), np.uint8)})
    only.reset(seed=8)
    only.step(np.zeros(6, int))


@pytest.mark.parametrize(
    ("buffers", "words"),
    [
        ({"obs": np.zeros(3)}, "no buffer 'obs'"),
        ({"observation": np.zeros((3, 4, 4))}, r"must be uint8 \(3, 4, 4\)"),
        ({"reward": np.zeros(4)}, r"must be float64 \(3,\)"),
        ({"reward": [0, 0, 0]}, "must be float64"),
        ({"observation": np.zeros((3, 8, 4), np.uint8)[:, ::2]}, "contiguous"),
    ],
)
def test_buffers_that_do_not_fit(buffers: Any, words: str) -> None:
    with pytest.raises(InvalidParameter, match=words):
        Twofold2048VectorEnv(3, buffers=buffers)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"num_envs": 0}, "num_envs '0'"),
        ({"num_envs": 2.5}, "num_envs"),
        ({"threads": 0}, "threads '0'"),
        ({"autoreset_mode": "sometimes"}, "NextStep, SameStep, Disabled"),
        ({"autoreset_mode": "NextSteps"}, "did you mean 'NextStep'"),
        ({"arrays": "tensorflow"}, "numpy, torch, jax"),
        ({"render_mode": "human"}, "ansi, rgb_array"),
        ({"observations": "ranks"}, "did you mean 'observation'"),
    ],
)
def test_wrong_options(options: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidParameter, match=words):
        Twofold2048VectorEnv(**options)


@pytest.mark.parametrize(
    "actions",
    [
        0,
        [0, 1],
        [0, 1, 4],
        [0, -1, 2],
        [0.0, 1.0, 2.0],
        ["U", "R", "D"],
        [True, False, True],
        [[0, 1, 2]],
        None,
    ],
)
def test_actions_that_are_none(actions: Any) -> None:
    envs = Twofold2048VectorEnv(3)
    envs.reset(seed=0)
    before = envs.states
    with pytest.raises(InvalidParameter, match=r"action"):
        envs.step(actions)
    assert envs.states == before


def test_an_illegal_action_that_is_an_error_stops_the_whole_step() -> None:
    envs = Twofold2048VectorEnv(2, variant="map=2 . .|. . .|. . .", illegal="error")
    envs.reset(seed=0)
    before = envs.states
    with pytest.raises(IllegalMove, match="LEFT"):
        envs.step([1, 3])
    assert envs.states == before
    envs.step([1, 1])


def test_a_start_board_for_each_row() -> None:
    envs = Twofold2048VectorEnv(3)
    boards = [
        Board.parse("2 2 . .|. . . .|. . . .|. . 4 8"),
        None,
        Board.parse("8 4 2 .|. . . .|. . . .|. . . ."),
    ]
    shown, _ = envs.reset(seed=[5, 6, 7], options={"boards": boards})
    games = [Game(None if board is None else Variant(board), 5 + row) for row, board in enumerate(boards)]
    for row, game in enumerate(games):
        assert (shown[row] == ranks_of(game.board)).all()
    moves = np.array([int(game.legal_moves()[-1]) for game in games])
    shown = envs.step(moves)[0]
    for row, (game, move) in enumerate(zip(games, moves.tolist(), strict=True)):
        game.move(move)
        assert (shown[row] == ranks_of(game.board)).all()
        assert envs.states[row] == game.state
    with pytest.raises(InvalidParameter, match="a list of 3 boards"):
        envs.reset(options={"boards": boards[:2]})
    with pytest.raises(InvalidParameter, match="leave out 'board'"):
        envs.reset(options={"boards": boards, "board": boards[0]})
    for name in ("board", "tiles"):
        with pytest.raises(InvalidBoard, match="'boards' takes one for each game"):
            envs.reset(options={name: np.full((3, 4, 4), 2)})


def test_wrong_resets() -> None:
    envs = Twofold2048VectorEnv(3)
    with pytest.raises(ResetNeeded):
        envs.step([0, 0, 0])
    with pytest.raises(ResetNeeded):
        envs.reset(options={"reset_mask": np.array([True, False, False])})
    for seed in (-1, "a", 1.5, [1, 2], [1, 2, -3], [1, 2, None]):
        with pytest.raises(InvalidParameter, match="seed"):
            envs.reset(seed=seed)
    envs.reset(seed=0)
    for mask in (np.array([1, 0, 0]), np.zeros(3, bool), np.ones(2, bool)):
        with pytest.raises(InvalidParameter, match="reset_mask"):
            envs.reset(options={"reset_mask": mask})
    with pytest.raises(InvalidParameter, match="did you mean 'reset_mask'"):
        envs.reset(options={"resetmask": None})


def test_other_start_boards_hold_for_one_game() -> None:
    envs = Twofold2048VectorEnv(2, autoreset_mode="SameStep", max_episode_steps=1)
    shown, _ = envs.reset(seed=3, options={"board": "65536 65536 . .|. . . .|. . . .|. . . 2"})
    assert shown.max() == 16
    shown, reward, _, truncated, info = envs.step([3, 3])
    assert (reward == 131072).all()
    assert truncated.all()
    assert info["final_obs"][0].max() == 17
    assert shown.max() <= 2
    assert (shown[1] == ranks_of(Game(seed=3, index=3).board)).all()


def test_a_reward_function_sees_the_end_of_a_game_and_not_the_next() -> None:
    seen: list[Any] = []

    def reward(before: Any, action: Any, points: Any, after: Any) -> Any:
        seen.append((before.copy(), action.copy(), points.copy(), after.copy()))
        return points * 2

    for mode in ("SameStep", "NextStep"):
        seen.clear()
        envs = Twofold2048VectorEnv(3, variant="2x2", reward=reward, autoreset_mode=mode, illegal_reward=-1)
        shown, info = envs.reset(seed=1)
        rng, score = np.random.default_rng(0), np.zeros(3)
        for _ in range(60):
            before, mask = shown.copy(), info["action_mask"]
            actions = rng.integers(0, 4, 3)
            shown, rewards, terminated, _, info = envs.step(actions)
            assert (seen[-1][0] == before).all()
            after = seen[-1][3]
            for row in range(3):
                if mode == "SameStep" and terminated[row]:
                    assert (after[row] == info["final_obs"][row]).all()
                else:
                    assert (after[row] == shown[row]).all()
            legal = mask[np.arange(3), actions] == 1
            assert (rewards[legal] == 2 * seen[-1][2][legal]).all()
            score += rewards
        assert score.max() > 0
    wrong = Twofold2048VectorEnv(3, reward=lambda *given: np.zeros(2))
    wrong.reset(seed=0)
    with pytest.raises(InvalidParameter, match="one number for each of 3"):
        wrong.step([0, 1, 2])


def test_frames() -> None:
    envs = Twofold2048VectorEnv(2, render_mode="rgb_array")
    with pytest.raises(ResetNeeded):
        envs.render()
    envs.reset(seed=0)
    frames = envs.render()
    assert frames is not None
    assert [frame.dtype for frame in frames] == [np.uint8, np.uint8]
    with pytest.warns(UserWarning, match="render_mode"):
        assert Twofold2048VectorEnv(2).render() is None
