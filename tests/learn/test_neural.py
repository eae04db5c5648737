"""Training of the neural network: against the rules and formulas, repeatable, resumable; what the command refuses."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.ui.command import here
from tests.waiting import wait_for
from twofold.errors import InvalidParameter
from twofold.evaluation.neural import NeuralDesign, NeuralNetwork, features, load_neural, save_neural
from twofold.kernels.neural import batches
from twofold.learn.curve import read_curve
from twofold.rules.game import Game
from twofold.rules.variant import Variant

pytest.importorskip("torch")
from twofold.learn.neural import NeuralTraining
from twofold.learn.settings import NeuralSettings
from twofold.learn.temporal import Interval

DESIGN = NeuralDesign(4, 16, 8)
QUICK = NeuralSettings(moves=2048, lanes=8, stretch=16, batch=64, seed=3)


def trained(settings: NeuralSettings, design: NeuralDesign = DESIGN) -> NeuralTraining:
    training = NeuralTraining(NeuralNetwork.fresh(design, 5), settings)
    list(training.run())
    training.update()
    return training


def same(one: NeuralTraining, other: NeuralTraining) -> bool:
    a, b = one.network, other.network
    return all((a.arrays[name] == b.arrays[name]).all() for name in a.arrays) and all(
        (a.training[name] == b.training[name]).all() for name in a.training
    )


def test_games_and_returns_by_the_rules() -> None:
    """What is met in a stretch, and its targets, as a plain program finds them with the public rules."""
    network = NeuralNetwork.fresh(DESIGN, 5)
    settings = replace(QUICK, lanes=2, stretch=150, lam=0.6)
    training = NeuralTraining(network, settings)
    training.lanes.move(training.values)
    stretch = Interval(0.0)
    met, targets = training.play(stretch)
    met, targets = met.reshape(150, 2, 17), targets.reshape(150, 2)

    following = 2
    for lane in range(2):
        game = Game(Variant(), 3, index=lane)
        path = []  # features and value of each afterstate, points of the move to it, whether the game ended after it
        while len(path) < 151:
            worths = {}
            for direction in game.legal_moves():
                slide = game.board.slide(direction)
                rows = np.array([features(slide.board)], np.int32)
                worths[direction] = (slide.reward, float(training.values(rows)[0]), rows[0])
            best = max(worths, key=lambda d: (worths[d][0] + 1000.0 * worths[d][1], -d))
            game.move(best)
            path.append((*worths[best], game.is_over))
            if game.is_over:
                if lane == 0:
                    game = Game(Variant(), 3, index=following)
                    following += 1
                else:
                    break  # which number comes next depends on the other lane
        count = min(150, len(path))
        assert count > 20
        assert all((met[step, lane] == path[step][2]).all() for step in range(count))
        if lane == 0:
            expected = path[150][1]
            for step in range(149, -1, -1):
                reward, value, _, _ = path[step + 1]
                expected = 0.0 if path[step][3] else reward / 1000 + 0.4 * value + 0.6 * expected
                assert targets[step, lane] == pytest.approx(expected, rel=1e-4, abs=1e-5)
    assert stretch.moves == 300


def test_returns_by_hand() -> None:
    training = NeuralTraining(
        NeuralNetwork.fresh(replace(DESIGN, discount=0.5), 5), replace(QUICK, lam=0.5, stretch=3, lanes=4)
    )
    value = np.array([[9] * 4, [4] * 4, [6] * 4, [8] * 4], np.float32)
    best = np.array([[0] * 4, [5] * 4, [7] * 4, [10] * 4], np.float32)
    ended, strayed = np.zeros((3, 4), np.uint8), np.zeros((3, 4), np.uint8)
    ended[1, 1], ended[1, 2], strayed[1, 3] = batches.DEAD, batches.LEFT, 1
    # Last row: the best move's worth, and nothing beyond; before: + lambda * discount * (return - value) of the next.
    straight = [5 + 0.25 * ((7 + 0.25 * (10 - 6)) - 4), 7 + 0.25 * (10 - 6), 10]
    dead = [5 + 0.25 * (0 - 4), 0, 10]
    left = [5 + 0.25 * (4 - 4), 4, 10]
    stray = [5 + 0.25 * (7 - 4), 7, 10]
    found = training.returns(value, best, ended, strayed)
    assert found.T.tolist() == [straight, dead, left, stray]


def test_one_step_follows_the_gradient() -> None:
    """Adam's first step has the size of the rate and the sign of the gradient, which differences give."""
    training = NeuralTraining(NeuralNetwork.fresh(DESIGN, 5), replace(QUICK, moves=1 << 40, rate=1e-3))
    rows = np.array([list(range(17)), list(range(20, 37))], np.int32)
    targets = np.array([3.0, -2.0], np.float32)

    def loss() -> float:
        return float(((training.values(rows) - targets) ** 2).mean())

    before = {name: weight.detach().numpy().copy() for name, weight in training.weights.items()}
    signs = {}
    for name, index in (("table", (3, 1)), ("w1", (5, 2)), ("b2", (1,)), ("b3", (0,))):
        weight = training.weights[name].detach().numpy()
        there = []
        for shift in (1e-2, -1e-2):
            weight[index] = before[name][index] + shift
            there.append(loss())
        weight[index] = before[name][index]
        signs[name, index] = np.sign(there[0] - there[1])
    first = loss()
    training.learn(rows, targets)
    assert loss() < first
    for (name, index), sign in signs.items():
        change = training.weights[name].detach().numpy()[index] - before[name][index]
        assert change == pytest.approx(-1e-3 * sign, rel=1e-2, abs=1e-9)
    untouched = training.weights["table"].detach().numpy()[100:]
    assert (untouched == before["table"][100:]).all()


def test_the_same_seed_learns_the_same() -> None:
    first = trained(QUICK)
    assert same(first, trained(QUICK))
    assert not same(first, trained(replace(QUICK, seed=4)))
    assert first.moves == 2048


def test_a_stopped_run_goes_on_bit_for_bit(tmp_path: Path) -> None:
    whole = trained(QUICK)
    path = str(tmp_path / "a")
    training = NeuralTraining(NeuralNetwork.fresh(DESIGN, 5), QUICK)
    lines = training.run(path, every=0.0)
    for _ in range(5):
        next(lines)
    lines.close()
    resumed = NeuralTraining(load_neural(path, learning=True), QUICK)
    assert 0 < resumed.moves < whole.moves
    list(resumed.run(path))
    resumed.update()
    assert same(whole, resumed)
    assert resumed.network.origin["games"] == str(whole.games)


def test_an_interruption_within_a_round_keeps_the_games_of_its_begin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(tmp_path / "a")
    training = NeuralTraining(NeuralNetwork.fresh(DESIGN, 5), QUICK)
    lines = training.run(path, every=0.0)
    next(lines)
    moves = training.moves
    state = {name: array.copy() for name, array in training.lanes.state().items()}

    def interrupted(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(training, "learn", interrupted)
    with pytest.raises(KeyboardInterrupt):
        next(lines)
    again = load_neural(path, learning=True)
    assert again.origin["moves"] == str(moves)
    assert all((again.training[name] == array).all() for name, array in state.items())


def test_it_learns() -> None:
    """By the games that end in the second half of the moves: how many games a second holds is chance."""
    design = NeuralDesign(8, 64, 32)
    training = NeuralTraining(NeuralNetwork.fresh(design, 1), NeuralSettings(moves=100_000, lanes=64, seed=1))
    ended, points, games = 0, 0.0, 0
    for line in training.run(every=0.0):
        if line.moves > 50_000:
            ended += line.games - games
            points += (line.games - games) * line.score
        games = line.games
    assert points / ended > 3000  # random play: 1,100; 4,150 here


def test_chance_moves_as_often_as_asked() -> None:
    training = NeuralTraining(NeuralNetwork.fresh(DESIGN, 5), replace(QUICK, explore=0.5, lanes=2000))
    training.lanes.move(training.values)
    assert 0.2 < training.lanes.strayed.mean() < 0.45  # half of them, some of which are the best move
    again = NeuralTraining(NeuralNetwork.fresh(DESIGN, 5), replace(QUICK, explore=0.5, lanes=2000))
    again.lanes.move(again.values)
    assert (again.lanes.after == training.lanes.after).all()


@pytest.mark.parametrize(
    ("settings", "part"),
    [
        ({}, "--minutes or --moves"),
        ({"moves": 0}, "moves 0"),
        ({"minutes": float("nan")}, "minutes nan"),
        ({"moves": 1, "lam": 2}, "lambda 2"),
        ({"moves": 1, "rate": 0}, "rate 0"),
        ({"moves": 1, "device": "tpu"}, "neither cpu nor cuda"),
    ],
)
def test_settings_that_make_no_sense(settings: dict[str, float], part: str) -> None:
    with pytest.raises(InvalidParameter, match=part):
        NeuralSettings(**settings)  # type: ignore[arg-type]


def test_networks_for_playing_do_not_learn_on(tmp_path: Path) -> None:
    save_neural(tmp_path / "a", trained(QUICK).network, small=True)
    with pytest.raises(InvalidParameter, match="only for playing"):
        NeuralTraining(load_neural(tmp_path / "a", learning=True), QUICK)


SIZES = ["--width", "2", "--layers", "16,16", "--lanes", "16"]


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "a.2048nn"
    run = ["train", "neural", "--seed", "2", "--json"]
    figures = here(capsys, *run, *SIZES, "--moves", "3000", "--out", str(out)).json()
    assert figures["moves"] == 3072
    assert figures["file"] == str(out)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.2048nn", "a.csv"]
    again = here(capsys, *run, "--lanes", "16", "--moves", "4000", "--resume", str(out)).json()
    assert again["moves"] == 4096
    moves = read_curve(tmp_path / "a.csv")["moves"]
    assert 3072 in moves
    assert moves[-1] == 4096
    origin = load_neural(out).origin
    assert origin["command"].count("twofold") == 2
    small = here(capsys, "train", "shrink", str(out), "--out", str(tmp_path / "b"), "--json").json()
    assert small["bytes"] == (tmp_path / "b").stat().st_size < 100_000
    foreign = tmp_path / "foreign"
    foreign.write_text("hello")
    for arguments, part in (
        (["--resume", str(out), "--width", "3"], "another width"),
        (["--resume", str(out), "--lanes", "8"], "parallel games"),
        (["--resume", str(tmp_path / "b"), "--lanes", "16"], "only for playing"),
        (["--resume", str(foreign)], "not a usable neural network"),
        (["--out", str(out)], "already exists"),
        (["--layers", "12"], "two numbers"),
        (["--out", str(tmp_path / "c"), "--layers", "2000,2"], "1 to 1024"),
        (["--out", str(tmp_path / "c"), "--device", "cuda"], "CUDA"),
    ):
        assert part in here(capsys, "train", "neural", *arguments, "--moves", "5000").refusal()


def test_without_torch_one_line_says_what_to_install(tmp_path: Path) -> None:
    code = "import sys; sys.modules['torch'] = None\nfrom twofold.__main__ import main\nmain()\n"
    for name in ("neural", "s4"):
        arguments = [sys.executable, "-c", code, "train", name, "--out", str(tmp_path / "a")]
        done = subprocess.run(arguments, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.count("\n") == 1
        assert "pip install 'twofold[neural]'" in done.stderr
    assert not list(tmp_path.iterdir())


def test_ctrl_c_and_kill_leave_a_checkpoint_to_go_on_from(tmp_path: Path) -> None:
    out = tmp_path / "a.2048nn"
    arguments = [
        sys.executable,
        "-m",
        "twofold",
        "train",
        "neural",
        *SIZES,
        "--minutes",
        "60",
        "--checkpoint",
        "0.1",
    ]
    first = subprocess.Popen(
        [*arguments, "--out", str(out)], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    )
    _wait_for_moves(out, 0)
    first.send_signal(signal.SIGINT)
    _, err = first.communicate(timeout=300)
    assert first.returncode == 130
    assert f"continue with --resume {out}" in err
    moves = int(load_neural(out).origin["moves"])
    second = subprocess.Popen(
        [*arguments, "--resume", str(out)], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )
    _wait_for_moves(out, moves)
    os.kill(second.pid, signal.SIGKILL)
    second.wait()
    assert int(load_neural(out, learning=True).origin["moves"]) > moves


def _wait_for_moves(path: Path, more_than: int) -> None:
    wait_for(lambda: path.exists() and int(load_neural(path).origin.get("moves", 0)) > more_than, 600)
