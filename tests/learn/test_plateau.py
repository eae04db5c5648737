"""The study of the plateau: its batch rule against the plain program, its runs, its files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks.studies import plateau
from benchmarks.studies.lanes import Lanes
from tests.learn.gpu_checks import SEED, learn_plainly, network

pytestmark = pytest.mark.slow  # a study: trains networks


@pytest.mark.parametrize("method", ["td", "tc"])
def test_lanes_learn_as_the_plain_program_says(method: str) -> None:
    fast, plain = (network("16", method == "tc") for _ in range(2))
    lanes = Lanes(fast, method == "tc", 3, SEED)
    scores, _ = lanes.play(0.02 * fast.design.terms, 25)
    assert len(scores) == 0
    learn_plainly(plain, method, 3, 25, 0.02)
    np.testing.assert_array_equal(fast.weights, plain.weights)
    if method == "tc":
        np.testing.assert_array_equal(fast.errors, plain.errors)


def test_lanes_play_the_games_of_their_numbers() -> None:
    """Without learning the first game of each lane is the one that the learner plays alone."""
    made = network("", False)
    scores, tops = Lanes(made, False, 2, SEED).play(0.0, 2000)
    alone = plateau.make_worker(made, coherent=False)
    alone.play(SEED, 0, np.zeros(200, np.float32), np.zeros(1, np.uint64))
    expected = list(zip(alone.score.tolist(), alone.top.tolist(), strict=True))
    found = list(zip(scores.tolist(), tops.tolist(), strict=True))
    assert len(found) > 10
    assert set(found) <= set(expected)


SMALL = plateau.Experiment(board="2x3", tuples="012 34", moves=20_000)


def test_a_run_is_a_function_of_its_options_and_every_option_counts() -> None:
    changes = (
        {},
        {"seed": 2},
        {"optimistic": 300.0},
        {"phases": (plateau.Phase(decay=0),)},
        {"phases": (plateau.Phase(0.5, "td"), plateau.Phase(0.5, "tc"))},
    )
    found = {}
    for change in changes:
        rows = plateau.run("x", replace(SMALL, **change), 200)
        assert 20_000 <= rows[-1]["moves"] < 21_000
        assert len(rows) >= plateau.POINTS - 1
        assert [row["moves"] for row in rows] == sorted(row["moves"] for row in rows)
        found[str(change)] = [row["score"] for row in rows[:-1]] + [rows[-1]["evaluation"]]
    assert len({tuple(scores) for scores in found.values()}) == len(changes)
    again = plateau.run("x", SMALL, 200)
    assert found["{}"] == [row["score"] for row in again[:-1]] + [again[-1]["evaluation"]]


def test_learning_pays() -> None:
    untaught = plateau.run("x", replace(SMALL, moves=0), 200)[-1]
    taught = plateau.run("x", SMALL, 200)[-1]
    assert float(taught["evaluation"]) > 1.3 * float(untaught["evaluation"])


def test_the_rate_falls_over_the_share_of_moves_not_of_games() -> None:
    seen = []

    class Watched:
        def __init__(self, worker: plateau.Any) -> None:
            self._worker = worker

        def __getattr__(self, name: str) -> plateau.Any:
            return getattr(self._worker, name)

        def play(self, seed: int, first: int, rates: np.ndarray, stop: np.ndarray) -> None:
            self._worker.play(seed, first, rates, stop)
            seen.append((first, float(rates[0]), self._worker.made))

    with pytest.MonkeyPatch.context() as patch:
        make = plateau.make_worker
        patch.setattr(plateau, "make_worker", lambda *a, **k: Watched(make(*a, **k)))
        made = SMALL.network()
        for _ in plateau.learn(made, plateau.Phase(decay=0.5), SMALL, 20_000, 7):
            pass
    terms, done = made.design.terms, 0
    assert seen[0][0] == 7
    for _, rate, moves in seen:
        assert rate == pytest.approx(max(0.01, min(1.0, (1 - done / 20_000) / 0.5)) / terms, rel=1e-6)
        done += moves


def test_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LINES", "REPORT", "PICTURE"):
        monkeypatch.setattr(plateau, name, tmp_path / getattr(plateau, name).name)
    first = plateau.run("4x4 TC", replace(SMALL, moves=5000), 100)
    plateau.keep("4x4 TC", first)
    plateau.keep("4x4 TC, no decay", plateau.run("4x4 TC, no decay", SMALL, 100))
    plateau.keep("4x4 TC", first)
    rows = plateau.read_rows()
    assert sum(bool(row["evaluation"]) for row in rows) == 2
    assert sum(row["experiment"] == "4x4 TC" for row in rows) == len(first)
    plateau.report()
    text = plateau.REPORT.read_text("utf-8")
    assert f"| 4x4 TC | 0 | {float(first[-1]['evaluation']):,.0f} |" in text
    assert "<svg" in plateau.PICTURE.read_text("utf-8")
