"""Players as policies and policies as players, in environments, games and the arena."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

import twofold  # noqa: E402
from tests.ui.command import here  # noqa: E402
from twofold.envs import (  # noqa: E402
    ModelPlayer,
    PlayerPolicy,
    PolicyPlayer,
    Twofold2048Env,
    Twofold2048VectorEnv,
)
from twofold.errors import InvalidFile, InvalidParameter, PlayerError  # noqa: E402
from twofold.matches.play import play_game  # noqa: E402
from twofold.rules.board import Board  # noqa: E402
from twofold.rules.direction import Direction  # noqa: E402
from twofold.rules.state import State  # noqa: E402

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.mark.parametrize("player", ["greedy", "random", "expectimax:depth=1,eval=empty"])
@pytest.mark.parametrize("variant", ["3x3", "map=2 . x|. . .|. . 4"])
def test_a_player_acts_in_an_environment_as_in_a_game(player: str, variant: str) -> None:
    env = Twofold2048Env(variant=variant, observation="planes")
    policy = PlayerPolicy(player, env)
    env.reset(seed=21)
    for index in range(2):
        expected = play_game(player, variant, seed=21, index=index)
        over = False
        while not over:
            _, _, terminated, truncated, info = env.step(policy.act(env))
            over = terminated or truncated
        assert (info["score"], info["moves"]) == (expected.score, expected.moves)
        assert env.state.board == expected.board
        env.reset()


@pytest.mark.parametrize("observation", ["ranks", "planes", "log"])
def test_a_policy_reads_every_kind_of_observation_one_or_many(observation: str) -> None:
    envs = Twofold2048VectorEnv(4, variant="3x3", observation=observation)
    policy = PlayerPolicy("greedy", envs)
    shown, info = envs.reset(seed=2)
    for _ in range(60):
        actions = policy(shown, info)
        expected = [twofold.make_player("greedy").decide(state).move or 0 for state in envs.states]
        assert actions.tolist() == expected
        assert policy(shown[0]) == actions[0]
        assert (policy.predict(shown)[0] == actions).all()
        shown, *_, info = envs.step(actions)
    with pytest.raises(InvalidParameter, match="shape"):
        policy(np.zeros((2, 2)))
    with pytest.raises(InvalidParameter, match="not both"):
        PlayerPolicy("greedy", envs, variant="3x3")


def test_a_score_reaches_the_players_that_read_it() -> None:
    seen = []

    class Reader:
        text, limit = "reader", twofold.Limit()

        def decide(self, state: State, key: int = 0) -> twofold.Decision:
            seen.append(state.score)
            return twofold.Decision(state.legal_moves()[0])

    envs = Twofold2048VectorEnv(3)
    policy = PlayerPolicy(Reader(), envs)
    shown, info = envs.reset(seed=2)
    for _ in range(20):
        seen.clear()
        actions = policy(shown, info)
        assert seen == info["score"].tolist()
        shown, *_, info = envs.step(actions)


def first_legal(shown: Any, mask: Any) -> int:
    return int(np.flatnonzero(mask)[0])


@pytest.mark.parametrize(
    "policy",
    [
        lambda shown: 2,
        lambda shown: np.array(1),
        lambda shown: np.array([3.0, 1.0, 2.0, 0.5]),
        lambda shown, rate=0.5: 0,
        first_legal,
        max,  # tells no signature; answers a row
    ],
)
def test_any_function_is_a_player(policy: Any) -> None:
    player = PolicyPlayer(policy)
    if policy is max:
        with pytest.raises((PlayerError, ValueError)):
            play_game(player, "2x2")
        return
    twofold.check_player(player, variants=["4x4", "3x5", "map=2 . x|. . .|. . 4"], round_trip=False)
    assert play_game(player, "3x3", seed=1).moves > 3


def test_there_and_back_again() -> None:
    player = PolicyPlayer(PlayerPolicy("greedy", observation="log"), observation="log")
    assert play_game(player, seed=4).score == play_game("greedy", seed=4).score


def test_preferences_and_illegal_answers() -> None:
    state = State.of(Board.parse("2 . .|. . .|. . ."))  # RIGHT and DOWN are legal
    chosen = PolicyPlayer(lambda shown: [9, 1, 2, 9]).decide(state)
    assert chosen.move is Direction.DOWN
    assert chosen.values == (None, 1.0, 2.0, None)
    illegal = PolicyPlayer(lambda shown: 0).decide(state)
    assert illegal.move is Direction.RIGHT
    assert illegal.note == "wanted UP, which is illegal"
    for answer in (4, -1, 1.5, "up", None, [1, 2]):
        with pytest.raises(PlayerError, match="0 to 3, or four preferences"):
            PolicyPlayer(lambda shown, answer=answer: answer).decide(state)
    for wrong in (5, object()):
        with pytest.raises(InvalidParameter, match="not a policy"):
            PolicyPlayer(wrong)
    with pytest.raises(InvalidParameter, match="ranks, planes, log"):
        PolicyPlayer(lambda shown: 0, observation="pixels")


def test_what_a_policy_is_shown() -> None:
    shapes = []

    def note(shown: Any) -> int:
        shapes.append((shown.shape, shown.dtype.name))
        return 1

    state = State.of(Board.parse("2 . .|. x .|. . ."))
    for kind in ("ranks", "planes", "log"):
        PolicyPlayer(note, kind).decide(state)
    assert shapes == [((3, 3), "uint8"), ((12, 3, 3), "uint8"), ((3, 3), "float32")]


POLICY_FILE = """
import numpy as np
from twofold.envs import PolicyPlayer

class Corner(PolicyPlayer):
    def __init__(self, first: int = 3):
        super().__init__(lambda shown, mask: first if mask[first] else int(np.flatnonzero(mask)[0]))
"""


def test_a_policy_plays_in_the_arena(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, store = tmp_path / "corner.py", tmp_path / "games.db"
    file.write_text(POLICY_FILE, "utf-8")
    players = ["--players", f"{file}:Corner:first=2", "--players", "random"]
    rest = [
        "--games",
        "3",
        "--size",
        "3x3",
        "--name",
        "policies",
        "--store",
        str(store),
        "--jobs",
        "1",
        "--json",
    ]
    report = here(capsys, "arena", "run", *players, *rest).json()
    assert [player["games"] for player in report["players"]] == [3, 3]


@pytest.mark.slow
def test_models_need_their_library_and_their_file(tmp_path: Path) -> None:
    pytest.importorskip("sb3_contrib")
    with pytest.raises(InvalidFile, match="can't read"):
        ModelPlayer(str(tmp_path / "none.zip"))
    with pytest.raises(InvalidParameter, match="not an algorithm"):
        ModelPlayer("none.zip", "MaskedPPO")


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_a_model_of_maskable_ppo_learns_is_saved_and_plays(tmp_path: Path) -> None:
    contrib = pytest.importorskip("sb3_contrib")
    from twofold.envs.sb3 import make_vec_env

    env = make_vec_env(8, variant="3x3", observation="planes", reward="log")
    model = contrib.MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=64, seed=0, device="cpu")
    model.learn(1000)
    model.save(tmp_path / "model.zip")
    player = ModelPlayer(str(tmp_path / "model.zip"))
    twofold.check_player(player, variants="3x3", round_trip=False)
    result = play_game(f"{EXAMPLES / 'trained.py'}:Trained:model={tmp_path / 'model.zip'}", "3x3", seed=3)
    assert result.score == play_game(player, "3x3", seed=3).score
    with pytest.raises(PlayerError, match="was trained on observations"):
        play_game(player, "4x4")
    single = contrib.MaskablePPO(
        "MlpPolicy", Twofold2048Env(variant="2x2", observation="log"), n_steps=16, batch_size=16
    )
    single.learn(64)
    from stable_baselines3.common.env_checker import check_env

    for observation in ("planes", "log"):
        check_env(Twofold2048Env(observation=observation))


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_the_environment_of_stable_baselines_tells_ends_as_it_should() -> None:
    pytest.importorskip("stable_baselines3")
    from twofold.envs.sb3 import make_vec_env

    env = make_vec_env(4, variant="2x2", max_episode_steps=6)
    shown = env.reset()
    total, lengths = np.zeros(4), np.zeros(4, int)
    for _ in range(40):
        masks = np.stack(env.env_method("action_masks"))
        assert masks.shape == (4, 4)
        env.step_async(np.array([int(np.flatnonzero(mask)[0]) for mask in masks]))
        shown, rewards, dones, infos = env.step_wait()
        total += rewards
        lengths += 1
        for row in range(4):
            assert bool(infos[row]) == dones[row]
            if dones[row]:
                assert infos[row]["episode"]["r"] == total[row] == infos[row]["score"]
                assert infos[row]["episode"]["l"] == lengths[row]
                assert infos[row]["TimeLimit.truncated"] <= (lengths[row] == 6)
                assert infos[row]["terminal_observation"].shape == shown[row].shape
                total[row] = lengths[row] = 0
    env.close()


@pytest.mark.slow
def test_the_example_trains_saves_and_draws(tmp_path: Path) -> None:
    pytest.importorskip("sb3_contrib")
    pytest.importorskip("matplotlib")
    files = {name: str(tmp_path / f"ppo.{name}") for name in ("zip", "csv", "svg")}
    command = [sys.executable, str(EXAMPLES / "train_maskable_ppo.py"), "--minutes", "0.05", "--games", "16"]
    command += ["--model", files["zip"], "--curve", files["csv"], "--picture", files["svg"], "--compare", "2"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "| MaskablePPO | 2 |" in done.stdout
    assert Path(files["csv"]).read_text("utf-8").startswith("seconds,steps,games,score")
    assert "<svg" in Path(files["svg"]).read_text("utf-8")
    assert Path(files["zip"]).stat().st_size > 10_000
