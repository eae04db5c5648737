"""Every environment plays the games of the rules: boards, points, ends, masks, on any board, to rank 17 and beyond."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

from tests.envs.helpers import legal_action, mask_of, ranks_of  # noqa: E402
from tests.thorough import quick_ones  # noqa: E402
from twofold.envs import Twofold2048Env, Twofold2048VectorEnv  # noqa: E402
from twofold.matches.play import new_game  # noqa: E402
from twofold.rules.game import Game  # noqa: E402
from twofold.rules.variant import CORNERS, Variant  # noqa: E402

BIG = "131072 65536 32768 16384|512 1024 2048 8192|256 128 64 32|2 2 8 16"
VARIANTS = [
    "4x4",
    "4x4;p4=0.5;target=64",
    "4x4;p4=0",
    "4x4;value=4;target=16",
    "1x2",
    "2x2;empty-start=1",
    "2x3;value=4",
    "3x3;p4=1",
    "5x5",
    "1x6",
    "6x1;target=8",
    "3x17",
    "map=2 . x .|. . . .|. x . .|. . . 4",
    "map=x . x|. . .|x . x",
    *(f"4x4;spawn={corner}" for corner in CORNERS),
    "3x5;spawn=br-columns;value=2",
    "4x4;spawn=script:0@2,0@4,15@2,7@2",
    "2x3;spawn=evil:depth=1,eval=empty",
    f"map={BIG}",
    f"map={BIG};spawn=tr-rows",
    "map=32768 32768 . .|32768 32768 . .|. . . .|. . . .;target=65536",
    "map=65536 65536 4 .|. 2 . .|. . . .|. . . 8192;target=131072",
    "map=16384 16384 32768 65536|. . . .|. . . .|. . . .;target=65536",
    "map=32768 32768 .|. . .|. . .",
]


def same(env: Twofold2048Env, observation: Any, info: dict[str, Any], game: Game) -> None:
    assert (observation == ranks_of(game.board)).all()
    assert (info["action_mask"] == mask_of(game.board)).all()
    assert (env.action_masks() == mask_of(game.board)).all()
    assert (info["score"], info["max_tile"], info["moves"], info["won"]) == (
        game.score,
        game.board.max_tile,
        game.moves,
        game.won,
    )
    assert env.state == game.state


@pytest.mark.parametrize("text", VARIANTS)
def test_the_single_environment_plays_the_reference_game(text: str) -> None:
    env = Twofold2048Env(variant=text, illegal_limit=None)
    rng = np.random.default_rng(1)
    observation, info = env.reset(seed=77)
    for index in range(2):
        game = new_game(Variant.parse(text), 77, index=index)
        same(env, observation, info, game)
        for _ in range(60):
            if game.is_over:
                break
            action = int(rng.integers(4))
            points = 0
            if action in game.legal_moves():
                points = game.move(action).slide.reward
            observation, reward, terminated, truncated, info = env.step(action)
            assert (reward, terminated, truncated) == (points, game.is_over, False)
            same(env, observation, info, game)
        observation, info = env.reset()


@pytest.mark.parametrize("text", VARIANTS)
@pytest.mark.parametrize("mode", quick_ones(["NextStep", "SameStep"], "NextStep".__eq__))
def test_every_row_of_the_vector_environment_plays_the_reference_games(text: str, mode: str) -> None:
    variant, count = Variant.parse(text), 4
    envs = Twofold2048VectorEnv(
        count, variant=text, autoreset_mode=mode, stop_at_target=True, illegal_limit=None
    )
    rng = np.random.default_rng(2)
    games = [new_game(variant, 5, index=i, stop_at_target=True) for i in range(count)]
    observation, info = envs.reset(seed=5)
    over = [False] * count
    for _ in range(80):
        for i, game in enumerate(games):
            assert (observation[i] == ranks_of(game.board)).all()
            assert (info["action_mask"][i] == mask_of(game.board)).all()
            assert (info["score"][i], info["max_tile"][i]) == (game.score, game.board.max_tile)
            assert (info["moves"][i], info["won"][i]) == (game.moves, game.won)
            assert envs.states[i] == game.state
        actions = rng.integers(0, 4, count)
        observation, reward, terminated, truncated, info = envs.step(actions)
        assert not truncated.any()
        for i, game in enumerate(games):
            points, ended = 0, False
            if mode == "NextStep" and over[i]:
                games[i] = new_game(variant, 5, index=game.index + count, stop_at_target=True)
            else:
                if actions[i] in game.legal_moves():
                    points = game.move(int(actions[i])).slide.reward
                ended = game.is_over
            over[i] = ended
            assert (reward[i], terminated[i]) == (points, ended)
            if mode == "SameStep":
                assert bool(info.get("_final_obs", [False] * count)[i]) == ended
            if ended and mode == "SameStep":
                assert (info["final_obs"][i] == ranks_of(game.board)).all()
                final = info["final_info"]
                assert (final["score"][i], final["max_tile"][i]) == (game.score, game.board.max_tile)
                assert (final["moves"][i], final["won"][i]) == (game.moves, game.won)
                assert (final["action_mask"][i] == mask_of(game.board)).all()
                games[i] = new_game(variant, 5, index=game.index + count, stop_at_target=True)
    envs.close()


@pytest.mark.parametrize("rank", quick_ones(range(1, 61), {1, 14, 15, 16, 17, 59, 60}.__contains__))
def test_two_equal_tiles_of_any_rank_merge_and_the_largest_do_not(rank: int) -> None:
    board = f"{1 << rank} {1 << rank} . .|. . . .|. . . .|. . . ."
    env = Twofold2048Env(variant=f"map={board}")
    _, info = env.reset(seed=0)
    assert info["max_tile"] == 1 << rank
    game = new_game(Variant.parse(f"map={board}"), 0)
    if rank == 60:
        assert info["action_mask"].tolist() == [0, 0, 1, 0]
        return
    observation, reward, *_, info = env.step(3)
    game.move(3)
    assert reward == 2 << rank
    assert info["max_tile"] == 2 << rank
    assert (observation == ranks_of(game.board)).all()


@pytest.mark.slow
def test_a_game_of_good_play_is_the_same_from_2_to_its_end() -> None:
    """Thousands of moves with tiles of all sizes, by rows of different shapes of play."""
    variant = Variant()
    games = [new_game(variant, 9, index=i) for i in range(2)]
    envs = Twofold2048VectorEnv(2)
    observation, info = envs.reset(seed=9)
    for _ in range(1500):
        actions = [
            legal_action(game, order) for game, order in zip(games, ((3, 2, 1, 0), (2, 3, 1, 0)), strict=True)
        ]
        for game, action in zip(games, actions, strict=True):
            game.move(action)
        observation, _, terminated, _, info = envs.step(np.array(actions))
        for i, game in enumerate(games):
            assert (observation[i] == ranks_of(game.board)).all()
            assert info["score"][i] == game.score
            assert terminated[i] == game.is_over
        if terminated.any():
            return
    raise AssertionError("games without a search end sooner")
