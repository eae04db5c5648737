"""S4's neural player as an experiment: inputs, labels and steps by hand, and what docs/log/neural.md says it does."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.ui.command import here
from twofold import play_game
from twofold.errors import InvalidFile, InvalidParameter
from twofold.evaluation.compiled import pack
from twofold.rules.board import Board

pytest.importorskip("torch")
from twofold.learn.action_network import OURS, S4, SETUPS, Setup, encode, load_actions, ranks_of, save_actions
from twofold.learn.actions import ActionTraining, _Games

BOARD = Board.from_values([[2, 0, 0, 0], [4, 4, 0, 0], [0, 0, 0, 0], [0, 0, 0, 128]])


def words(*boards: Board) -> Any:
    return np.array([pack(board) for board in boards], np.uint64)


def test_inputs_by_hand() -> None:
    raw, log, ranks = (encode(ranks_of(words(BOARD)), inputs)[0] for inputs in ("raw", "log", "ranks"))
    assert raw.tolist() == [2, 0, 0, 0, 4, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 128]
    assert log.tolist() == [1, 0, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7]
    assert np.flatnonzero(ranks).tolist() == [16 * cell + rank for cell, rank in enumerate(log.astype(int))]


def labels(setup: Setup, after: list[Board] | None = None) -> list[float]:
    """Labels of a game of three moves worth 4, 8 and 16 points."""
    boards = words(BOARD, BOARD, BOARD)
    gains = np.array([4.0, 8.0, 16.0])
    training = ActionTraining(setup, 1)
    ends = words(*(after or [BOARD] * 3))
    found: list[float] = training.label(boards, ends, gains).tolist()
    return found


def test_labels_by_hand() -> None:
    assert labels(S4) == [-1000.0] * 3
    assert labels(replace(S4, label="end")) == [-972, -976, -984]
    assert labels(replace(S4, penalty=50.0)) == [-50] * 3
    assert labels(replace(S4, label="end", penalty=100.0, discount=0.5)) == [12 - 12.5, 16 - 25, 16 - 50]
    assert labels(replace(S4, label="return", points=4.0)) == [7, 6, 4]
    assert labels(replace(S4, label="return", discount=0.5)) == [12, 16, 16]
    assert labels(replace(S4, label="return", form="afterstates")) == [24, 16, 0]
    won = BOARD.with_cell(1, 11)
    for label in ("lost", "end"):
        assert labels(replace(S4, label=label), [BOARD, BOARD, won]) == [28, 24, 16]


def test_labels_by_temporal_differences() -> None:
    setup = replace(S4, label="td", discount=0.5, inputs="log")
    legal = [move for move in range(4) if BOARD.is_legal(move)]  # type: ignore[arg-type]
    best = float(ActionTraining(setup, 1).values(words(BOARD))[0][legal].max())
    assert labels(setup) == pytest.approx([4 + 0.5 * best, 8 + 0.5 * best, 16])
    setup = replace(setup, form="afterstates")
    value = float(ActionTraining(setup, 1).values(words(BOARD))[0, 0])
    assert labels(setup) == pytest.approx([8 + 0.5 * value, 16 + 0.5 * value, 0])


def test_a_step_is_momentum_with_l2_on_the_mean_of_the_moves_made() -> None:
    """Two steps against the formulas of S4's figure 9.2, with gradients from differences."""
    setup = replace(S4, inputs="log", rate=1e-3, momentum=0.5, l2=0.1, points=1000.0)
    training = ActionTraining(setup, 1)
    boards, choice = words(BOARD, BOARD.transpose()), np.array([1, 2])
    wanted = np.array([0.5, -1.0], np.float32)
    bias = training.weights[-1]

    def gradient() -> np.ndarray[Any, Any]:
        outputs = training.values(boards)
        out = np.zeros(4)
        for row in range(2):
            out[choice[row]] += 2 * (outputs[row, choice[row]] - wanted[row]) / 2
        return out + 0.1 * bias.detach().numpy()

    velocity = np.zeros(4)
    for _ in range(2):
        velocity = 0.5 * velocity + gradient()
        expected = bias.detach().numpy() - 1e-3 * velocity
        training.learn(boards, choice, wanted)
        assert bias.detach().numpy() == pytest.approx(expected, rel=1e-5)


def test_the_same_seed_learns_the_same() -> None:
    first, second = (list(ActionTraining(replace(OURS, hidden=(8, 8)), 3).run(80, 40)) for _ in range(2))
    assert [measurement.score for measurement in first] == [measurement.score for measurement in second]
    assert [measurement.games for measurement in first][-1] >= 80


def test_s4_has_nothing_to_learn_and_ours_learns() -> None:
    old = list(ActionTraining(replace(SETUPS["s4-log"], rate=1e-3), 1).run(400, 400))[-1]
    assert old.labels == (-1000, 0)
    assert math.isnan(old.explained)
    new = list(ActionTraining(OURS, 1).run(400, 400))
    assert new[-1].explained > 0.5
    assert new[-1].score > 1.3 * new[0].score
    assert new[-1].tops.sum() == pytest.approx(1)


def test_a_useless_choice_ends_the_game_where_that_is_asked() -> None:
    assert ActionTraining(SETUPS["s4-stuck"], 1).measure().score < 200


def test_divergence_is_told() -> None:
    measurements = list(ActionTraining(replace(S4, label="end", rate=1.0), 1).run(200, 50))
    assert measurements[-1].diverged
    assert measurements[-1].games < 200


@pytest.mark.parametrize(
    "wrong", [{"inputs": "x"}, {"label": "y"}, {"rate": 0.0}, {"explore": math.nan}, {"hidden": (0,)}]
)
def test_set_ups_that_make_no_sense(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidParameter):
        replace(S4, **wrong)


@pytest.mark.parametrize("form", ["actions", "afterstates"])
def test_a_saved_network_plays_as_it_did_when_it_learned(form: str, tmp_path: Path) -> None:
    file = str(tmp_path / "a.2048s4")
    setup = Setup("log", form, "td", points=100.0, discount=0.9, rate=1e-5, hidden=(8, 4, 6))
    training = ActionTraining(setup, 2)
    list(training.run(70, 70))
    training.save(file)
    network = load_actions(file)
    assert network.setup == setup
    boards = words(BOARD, BOARD.transpose())
    learned = training.values(boards) * np.float32(setup.points)
    assert network.values(ranks_of(boards)) == pytest.approx(learned, rel=1e-4, abs=1e-2)
    games = _Games(3, 0, 1)
    score = moves = 0
    while games.following == 1:
        games.expand()
        choice, _ = training._choose(games, 0.0)
        score, moves = score + int(games.gains[0, choice[0]]), moves + 1
        games.play(choice)
    game = play_game(f"s4:file={file}", seed=3, index=0)
    assert (game.score, game.moves) == (score, moves)


def test_files_that_are_no_network(tmp_path: Path) -> None:
    file = tmp_path / "a.2048s4"
    file.write_bytes(b"no")
    with pytest.raises(InvalidFile):
        load_actions(file)
    save_actions(file, S4, [np.zeros((2, 2), np.float32)])
    with pytest.raises(InvalidFile, match="size"):
        load_actions(file)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "a.csv")
    run = ["train", "s4", "--games", "40", "--every", "20", "--seed", "1"]
    answer = here(capsys, *run, "--inputs", "log", "--rate", "0.001", "--out", out, "--json").json()
    assert answer["setup"]["inputs"] == "log"
    assert [line["games"] >= wanted for line, wanted in zip(answer["curve"], (0, 20, 40), strict=True)]
    assert Path(out).read_text("utf-8").count("\n") == 4
    saved = str(tmp_path / "a.2048s4")
    with_file = here(capsys, *run, "--hidden", "16", "--penalty", "10", "--save", saved, "--json").json()
    assert (with_file["setup"]["hidden"], with_file["setup"]["penalty"]) == ([16], 10)
    assert here(capsys, "best", "2 2 . .|. . . .|. . . .|. . . 4", "-p", f"s4:file={saved}").code == 0
    assert "4x4" in here(capsys, "best", "2 2|. .", "-p", f"s4:file={saved}").refusal()
    assert "write sizes" in here(capsys, *run, "--hidden", "a").refusal()
    plain = here(capsys, *run)
    assert plain.code == 0
    assert "labels -1,000 ± 0" in plain.out
    assert "already exists" in here(capsys, *run, "--out", out).refusal()
    assert "not one of" in here(capsys, *run, "--setup", "s5").refusal()
    assert "not one of" in here(capsys, *run, "--label", "loss").refusal()
