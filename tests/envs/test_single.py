"""`Twofold2048Env`: Gymnasium's own checks, every option, refusals, copies, pictures."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

import twofold.envs  # noqa: E402
from tests.envs.helpers import ranks_of  # noqa: E402
from twofold.envs import ENV_ID, ResetNeeded, Twofold2048Env, decode  # noqa: E402
from twofold.envs.options import EnvOptions, highest_rank  # noqa: E402
from twofold.errors import (  # noqa: E402
    GameOver,
    IllegalMove,
    InvalidBoard,
    InvalidParameter,
    InvalidVariant,
    TwofoldError,
)
from twofold.rules.board import Board  # noqa: E402
from twofold.rules.game import Game  # noqa: E402
from twofold.rules.variant import Variant  # noqa: E402

BRICKS = "map=2 . x .|. . . .|. x . .|. . . 4"
ALL_LEGAL = "map=. . . .|. 2 4 .|. 4 2 .|. . . ."
DEAD = "2 4 2 4|4 2 4 2|2 4 2 4|4 2 4 2"


def points_of(before: Any, action: Any, points: Any, after: Any) -> Any:
    """A reward function that works for one game and for many."""
    return np.asarray(points, float) / 2 + (np.asarray(after) > 0).sum(axis=(-2, -1))


OPTIONS: list[dict[str, Any]] = [
    {},
    {"variant": "2x3"},
    {"variant": "6x5;p4=0.5;target=64"},
    {"variant": BRICKS},
    {"variant": BRICKS, "observation": "planes"},
    {"variant": BRICKS, "observation": "log"},
    {"variant": "map=131072 65536 32768 .|. . . .|. . . .|. . . .", "observation": "planes"},
    {"variant": "4x4;spawn=tl-rows;value=2"},
    {"variant": "4x4;values=2:0.5,8:0.5", "observation": "planes"},
    {"variant": "3x4;values=4:0.25,64:0.75;spawn=br-columns", "observation": "planes"},
    {"variant": "4x4;spawn=script:0@2,1@4,5@2"},
    {"variant": "2x3;spawn=evil:depth=1,eval=empty"},
    {"observation": "planes"},
    {"observation": "log"},
    {"reward": "log"},
    {"reward": "target", "stop_at_target": True},
    {"reward": points_of},
    {"illegal": "end"},
    {"illegal": "end", "illegal_reward": -10.0},
    {"illegal": "error", "variant": ALL_LEGAL},
    {"illegal_limit": None, "max_episode_steps": 1000},
]
# No addresses of functions: every process that shares a run must give a test the same name.
NAMES = [str({key: getattr(value, "__name__", value) for key, value in each.items()}) for each in OPTIONS]


def test_the_package_shows_what_it_offers() -> None:
    assert dir(twofold.envs) == sorted(twofold.envs.__all__)


@pytest.mark.parametrize("options", OPTIONS, ids=NAMES)
def test_gymnasium_finds_nothing_to_complain_of(
    options: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    env = gymnasium.make(ENV_ID, **options)
    check_env(env.unwrapped)
    env.reset(seed=1)
    for _ in range(30):  # through Gymnasium's passive checker and order enforcer, warnings being errors
        observation, _, terminated, truncated, info = env.step(
            env.action_space.sample(env.unwrapped.action_masks().astype(np.int8))
        )
        assert observation in env.observation_space
        assert env.action_space.sample(info["action_mask"]) in env.action_space
        if terminated or truncated:
            env.reset()
    env.close()
    env.close()


@pytest.mark.parametrize("observation", ["ranks", "planes", "log"])
@pytest.mark.parametrize("variant", ["4x4", "2x5", BRICKS, "map=131072 65536 . .|x . . .|. . . .|. . . ."])
def test_observations_say_the_board_and_nothing_else(observation: str, variant: str) -> None:
    env = Twofold2048Env(variant=variant, observation=observation)
    shown, _ = env.reset(seed=3)
    for action in (0, 1, 2, 3) * 10:
        board = env.state.board
        assert shown in env.observation_space
        assert shown.dtype == env.observation_space.dtype
        assert (decode(shown, env.options) == ranks_of(board)).all()
        assert (shown == env.encode(ranks_of(board))).all()
        shown, *_ = env.step(action)
    if observation == "planes":
        assert shown.shape[0] == env.options.top_rank + 1 + env.options.has_bricks
        assert (shown.sum(axis=0) == 1).all()


def test_planes_are_rows_times_columns_plus_two() -> None:
    for variant, planes in (("4x4", 18), ("2x3", 8), ("1x2", 4), ("5x5", 27)):
        assert Twofold2048Env(variant=variant, observation="planes").observation_space.shape[0] == planes


def everything(start: Board, most: int = 4000) -> set[int]:
    """The highest ranks of boards that can be reached from `start`, all of them on 2x2 unless there are too many."""
    seen, open_boards, tops = {start}, [start], set()
    while open_boards and len(seen) < most:
        board = open_boards.pop()
        tops.add(board.max_rank)
        for direction in board.legal_moves():
            slid = board.slide(direction).board
            for cell in slid.empty_cells:
                for rank in (1, 2):
                    after = slid.with_cell(cell, rank)
                    if after not in seen:
                        seen.add(after)
                        open_boards.append(after)
    return tops


@pytest.mark.parametrize(
    "start", [". .|. 2", "2 2|4 4", "8 8|8 8", "16 8|4 2", "32 4|. .", "1024 1024|. .", "1024 512|512 ."]
)
def test_no_tile_is_higher_than_the_space_can_hold(start: str) -> None:
    board = Board.parse(start)
    assert max(everything(board)) <= highest_rank(board)


def test_the_bound_is_met() -> None:
    assert max(everything(Board.parse(". .|. 2"))) == highest_rank(Board.parse(". .|. 2")) == 5
    chain = "131072 65536 32768 16384|512 1024 2048 8192|256 128 64 32|2 4 8 16"
    assert highest_rank(Board.parse(chain)) == highest_rank(Board.empty(4, 4)) == 17
    assert highest_rank(Board.parse("131072 131072 . .|. . . .|. . . .|. . . .")) == 18


def test_rewards() -> None:
    start = "2 2 4 4|. . . .|. . . .|1024 1024 . ."
    score, log, target = (
        Twofold2048Env(variant=f"map={start}", reward=kind) for kind in ("score", "log", "target")
    )
    own = Twofold2048Env(variant=f"map={start}", reward=points_of)
    rewards = []
    for env in (score, log, target, own):
        env.reset(seed=0)
        rewards += [env.step(3)[1], env.step(3)[1]]
    assert rewards[0] == 2060
    assert rewards[2] == np.log2(2060)
    assert rewards[4] == 1
    assert rewards[5] == 0
    assert rewards[6] == 1030 + 4


def test_the_target_pays_once_and_counts_merges_only() -> None:
    env = Twofold2048Env(variant="map=2 2 4 4|. . . .|. . . .|. . . .;target=8", reward="target")
    env.reset(seed=0)
    paid = sum(env.step(action)[1] for action in (3, 1, 3, 1, 0, 2) * 5)
    assert paid == 1
    with_start_tile = Twofold2048Env(variant="map=8 . . .|. . . .|. . . .|. . . 2;target=8", reward="target")
    _, info = with_start_tile.reset(seed=0)
    assert not info["won"]


def test_illegal_actions() -> None:
    start = "map=2 . . .|. . . .|. . . .|. . . ."
    noop = Twofold2048Env(variant=start, illegal_limit=3, illegal_reward=-2)
    before, _ = noop.reset(seed=1)
    for step in (1, 2, 3):
        observation, reward, terminated, truncated, info = noop.step(3)
        assert (observation == before).all()
        assert (reward, terminated, truncated) == (-2, False, step == 3)
        assert info["moves"] == info["score"] == 0
    with pytest.raises(GameOver):
        noop.step(1)
    noop.reset(seed=1)
    for action in (3, 3, 1, 1, 1):  # a legal move in between starts the count anew
        _, _, terminated, truncated, _ = noop.step(action)
        assert not terminated
        assert not truncated

    end = Twofold2048Env(variant=start, illegal="end")
    end.reset(seed=1)
    assert end.step(3)[2:4] == (True, False)

    error = Twofold2048Env(variant=start, illegal="error")
    shown, _ = error.reset(seed=1)
    with pytest.raises(
        IllegalMove, match=r"action 3 \(LEFT\) changes nothing on '2 \. \..*legal: 1 \(RIGHT\), 2 \(DOWN\)"
    ):
        error.step(3)
    assert error.state.moves == 0
    assert (error.step(1)[0] != shown).any()


def test_terminated_and_truncated_are_kept_apart() -> None:
    env = Twofold2048Env(max_episode_steps=5)
    env.reset(seed=0)
    ends = [env.step(action)[2:4] for action in (0, 1, 2, 3, 0)]
    assert ends == [(False, False)] * 4 + [(False, True)]
    # The last step ends the game by itself: that isn't cut short.
    last = Twofold2048Env(variant="1x2;p4=0", max_episode_steps=1)
    for seed in range(20):
        _, info = last.reset(seed=seed)
        action = int(np.flatnonzero(info["action_mask"])[0])
        _, _, terminated, truncated, info = last.step(action)
        assert terminated != truncated
        assert terminated == (not info["action_mask"].any())


def test_stopping_at_the_target() -> None:
    start = "map=1024 1024 . .|. . . .|. . . .|. . . ."
    env = Twofold2048Env(variant=start, stop_at_target=True)
    env.reset(seed=0)
    _, reward, terminated, truncated, info = env.step(3)
    assert (reward, terminated, truncated, info["won"]) == (2048, True, False, True)
    on = Twofold2048Env(variant=start)
    on.reset(seed=0)
    assert on.step(3)[2] is False


def test_what_is_returned_is_never_shared() -> None:
    for options in (
        {},
        {"observation": "planes"},
        {"observation": "log"},
        {"variant": "4x4;spawn=script:3@2"},
    ):
        env = Twofold2048Env(**options)
        first, info = env.reset(seed=5)
        kept, mask, masks = first.copy(), info["action_mask"].copy(), env.action_masks()
        state = env.state
        first[...] = 1
        info["action_mask"][...] = 0
        masks[...] = False
        assert env.state == state
        assert env.action_masks().any()
        again, info = env.reset(seed=5)
        assert (again == kept).all()
        assert (info["action_mask"] == mask).all()
        stepped = [env.step(action) for action in (0, 1, 2, 3)]
        arrays = [
            again,
            info["action_mask"],
            *(step[0] for step in stepped),
            *(step[4]["action_mask"] for step in stepped),
        ]
        for i, one in enumerate(arrays):
            assert one.base is None
            assert not any(np.shares_memory(one, other) for other in arrays[:i])


def test_a_copy_goes_its_own_way() -> None:
    evil = {"variant": "4x4;spawn=evil:depth=1,eval=empty"}
    for options in ({}, {"variant": "4x4;spawn=script:3@2", "observation": "log"}, {"variant": "3x5"}, evil):
        env = Twofold2048Env(**options)
        env.reset(seed=2)
        for action in (0, 1, 2, 3, 0):
            env.step(action)
        twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
        state = env.state
        futures = []
        for twin in twins:
            assert twin.state == state
            futures.append([twin.step(action)[0].tolist() for action in (1, 0, 3, 2) * 4])
            assert env.state == state
        assert futures[0] == futures[1] == [env.step(action)[0].tolist() for action in (1, 0, 3, 2) * 4]


def test_seeds_name_games_of_the_rules() -> None:
    env = Twofold2048Env()
    for seed in (0, 1, 2**63 - 1, 2**64 - 1):
        for index in range(3):
            observation, _ = env.reset(seed=seed) if index == 0 else env.reset()
            assert (observation == ranks_of(Game(seed=seed, index=index).board)).all()
    unseeded = {tuple(Twofold2048Env().reset()[0].ravel().tolist()) for _ in range(20)}
    assert len(unseeded) > 5


def test_another_start_board() -> None:
    env = Twofold2048Env()
    text = "2 2 . .|. . . .|. . . .|. . 4 8"
    board = Board.parse(text)
    for given in (text, board, board.ranks, np.array(board.ranks)):
        observation, info = env.reset(seed=4, options={"board": given})
        assert (observation == ranks_of(board)).all()
        assert info["score"] == 0
        game = Game(Variant(board), 4)
        env.step(3)
        game.move(3)
        assert env.state == game.state
    tiles = [[2, 2, 0, 0], [0] * 4, [0] * 4, [0, 0, 4, 8]]
    for given in (tiles, np.array(tiles)):
        observation, _ = env.reset(seed=4, options={"tiles": given})
        assert (observation == ranks_of(board)).all()
    observation, _ = env.reset(seed=4)
    assert (observation == ranks_of(Game(seed=4).board)).all()
    _, info = env.reset(options={"board": DEAD})
    assert not info["action_mask"].any()
    assert env.step(0)[2] is True


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"observation": "plane"}, InvalidParameter, "did you mean 'planes'"),
        ({"observation": None}, InvalidParameter, "ranks, planes, log"),
        ({"reward": "points"}, InvalidParameter, "score, log, target or a function"),
        ({"illegal": "stop"}, InvalidParameter, "noop, error, end"),
        ({"illegal_limit": 0}, InvalidParameter, "illegal_limit '0'"),
        ({"illegal_limit": True}, InvalidParameter, "illegal_limit"),
        ({"illegal_reward": float("nan")}, InvalidParameter, "finite"),
        ({"illegal_reward": "a"}, InvalidParameter, "'a'"),
        ({"max_episode_steps": 1.5}, InvalidParameter, "'1.5'"),
        ({"stop_at_target": 1}, InvalidParameter, "neither True nor False"),
        ({"variant": 4}, InvalidVariant, "neither a Variant nor"),
        ({"variant": "4by4"}, InvalidVariant, "4by4"),
        ({"variants": "4x4"}, InvalidParameter, "did you mean 'variant'"),
        ({"render_mode": "rgb_aray"}, InvalidParameter, "did you mean 'rgb_array'"),
        ({"render_mode": 3}, InvalidParameter, "'3'"),
    ],
)
def test_wrong_options(options: dict[str, Any], error: type[TwofoldError], words: str) -> None:
    with pytest.raises(error, match=words) as caught:
        Twofold2048Env(**options)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "action", [-1, 4, 10**30, 1.0, "left", None, True, np.float64(1), np.array([1]), np.array([1, 2])]
)
def test_actions_that_are_none(action: Any) -> None:
    env = Twofold2048Env()
    env.reset(seed=0)
    state = env.state
    with pytest.raises(InvalidParameter, match="is none of 0"):
        env.step(action)
    assert env.state == state


@pytest.mark.parametrize("action", [1, np.int64(1), np.uint8(1), np.array(1)])
def test_actions_of_any_whole_kind(action: Any) -> None:
    env = Twofold2048Env(variant="map=2 . .|. . .|. . .")
    env.reset(seed=0)
    env.step(action)
    assert env.state.moves == 1


def test_wrong_resets() -> None:
    env = Twofold2048Env()
    for seed in (-1, 1.5, "a", True, 2**64):
        with pytest.raises(InvalidParameter, match="seed"):
            env.reset(seed=seed)
    with pytest.raises(InvalidParameter, match="did you mean 'board'"):
        env.reset(options={"bord": "4x4"})
    with pytest.raises(InvalidBoard, match="not the 4x4"):
        env.reset(options={"board": "2 2|. ."})
    with pytest.raises(InvalidParameter, match="two start boards"):
        env.reset(options={"board": DEAD, "tiles": [[2] * 4] * 4})
    with pytest.raises(InvalidBoard, match="face values row by row"):
        env.reset(options={"tiles": "2 2 . .|. . . .|. . . .|. . . ."})
    for mistaken, refusal in ((32, InvalidVariant), (128, InvalidBoard)):
        with pytest.raises(refusal, match="'tiles' takes tiles"):
            env.reset(options={"board": [[mistaken, 0, 0, 0], [0] * 4, [0] * 4, [0] * 4]})
    with pytest.raises(InvalidVariant, match="size and bricks"):
        env.reset(options={"board": Board.parse("2 2|. .")})
    with pytest.raises(InvalidVariant, match="size and bricks"):
        env.reset(options={"board": "2 2 . x|. . . .|. . . .|. . . ."})
    with pytest.raises(InvalidVariant, match=r"above 2\^17"):
        env.reset(options={"board": "131072 131072 . .|. . . .|. . . .|. . . ."})
    with pytest.raises(InvalidBoard):
        env.reset(options={"board": "3"})
    with pytest.raises(InvalidBoard):
        env.reset(options={"board": [[1, 2], [3]]})
    with pytest.raises(InvalidBoard, match="not a board"):
        env.reset(options={"board": 5})
    with pytest.raises(InvalidParameter, match="not a dict"):
        env.reset(options=5)  # type: ignore[arg-type]


def test_steps_before_the_first_reset_and_after_the_end() -> None:
    env = Twofold2048Env(variant="1x2")
    for call in (lambda: env.step(0), Twofold2048Env(render_mode="ansi").render):
        with pytest.raises(ResetNeeded, match="reset") as caught:
            call()
        assert isinstance(caught.value, gymnasium.error.ResetNeeded)
    for closing in (env, Twofold2048Env()):
        closing.close()
        closing.close()
    env.reset(seed=0)
    while not any(env.step(1)[2:4]):
        pass
    for _ in range(2):
        with pytest.raises(GameOver, match="call reset"):
            env.step(1)
    env.reset()
    env.step(1)


def test_pictures(capsys: pytest.CaptureFixture[str]) -> None:
    text = gymnasium.make(ENV_ID, render_mode="ansi", variant="2x3")
    text.reset(seed=0)
    assert "score 0, 0 moves" in text.render()
    colours = gymnasium.make(ENV_ID, render_mode="rgb_array", variant="map=131072 65536 x|. 2 4")
    colours.reset(seed=0)
    picture = colours.render()
    assert picture.dtype == np.uint8
    assert picture.ndim == 3
    assert picture.shape[2] == 3
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 6
    assert picture.flags.writeable
    shown = Twofold2048Env(render_mode="human")
    shown.reset(seed=0)
    assert shown.render() is None
    shown.step(0)
    assert capsys.readouterr().out.count("moves") == 3
    with pytest.warns(UserWarning, match="render_mode"):
        assert Twofold2048Env().render() is None


def test_pictures_and_environment_need_nothing_heavy() -> None:
    code = (
        "import sys, twofold; assert 'gymnasium' not in sys.modules and 'numpy' not in sys.modules\n"
        "import gymnasium; env = gymnasium.make('twofold.envs:twofold/Twofold2048-v0', render_mode='rgb_array')\n"
        "env.reset(seed=0); env.render(); env.step(0)\n"
        "assert not {'torch', 'jax', 'pygame', 'matplotlib', 'stable_baselines3'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_without_gymnasium_one_line_says_what_to_install() -> None:
    code = "import sys; sys.modules['gymnasium'] = None; import twofold; twofold.Board; import twofold.envs"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (
        done.stderr.splitlines()[-1]
        == "ImportError: twofold.envs needs Gymnasium: pip install 'twofold[gym]'"
    )


def test_options_by_default() -> None:
    assert EnvOptions().rules == Variant()
    assert str(Twofold2048Env(reward=points_of)) == "<Twofold2048Env 4x4 observation=ranks reward=function>"
