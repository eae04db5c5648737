"""Whole tunings: races, seeds, the record, and that a killed one comes to the same end."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.ui.command import here, line
from twofold import play_game
from twofold.arena.pools import OneThreadPool
from twofold.arena.store import Store
from twofold.tune import driver
from twofold.tune.analysis import correlation
from twofold.tune.judge import Judge, Result, rounds_of
from twofold.tune.settings import Settings
from twofold.tune.space import Weights

SMALL = Settings("chain", "genetic", "chain", population=4, games=5, generations=3, seed=3, test_games=8)
OPTIONS = ["--population", "4", "--games", "5", "-g", "3", "--seed", "3", "--test-games", "8", "--jobs", "1"]
GOOD: Weights = (4.0, 64.0, 64.0, 1.0, 16.0, 1.0)
BAD: Weights = (-4.0, -64.0, -64.0, -1.0, -16.0, -1.0)


def judged(folder: Path, settings: Settings, candidates: list[Weights], keep: int) -> list[Result]:
    pool = OneThreadPool()
    with Store(str(folder / "games.db")) as store:
        found = Judge(settings.checked(), settings.space(), store, pool).generation(0, candidates, keep)
    pool.close()
    return found


@pytest.mark.slow
def test_poor_candidates_cost_few_games_and_all_meet_the_same_seeds(tmp_path: Path) -> None:
    settings = Settings("chain", player="chain", games=24)
    good, bad, again = judged(tmp_path, settings, [GOOD, BAD, GOOD], 1)
    assert (good.games, bad.games) == (24, 6)
    assert again is good
    assert good.fitness == pytest.approx(good.max_tiles.mean())
    # What the stayers gained on the later rounds is added to one that left.
    shift = good.max_tiles.mean() - good.max_tiles[:6].mean()
    assert bad.fitness == pytest.approx(bad.max_tiles.mean() + shift)
    for weights, found in ((GOOD, good), (BAD, bad)):
        game = play_game(settings.space().player("chain", weights), seed=settings.seed_of(0), index=5)
        assert (game.score, game.max_tile) == (found.scores[5], found.max_tiles[5])


def test_rounds() -> None:
    assert rounds_of(40, racing=True) == [10, 10, 20]
    assert rounds_of(40, racing=False) == [40]
    assert rounds_of(10, racing=True) == [10]


def test_seeds_are_of_one_stage_only() -> None:
    stages = [64 * generation + r for generation in range(200) for r in range(3)] + [-64, -63, -62]
    seeds = {SMALL.seed_of(stage) for stage in stages} | {SMALL.test_seed}
    assert len(seeds) == len(stages) + 1


def test_a_tuning_that_is_stopped_at_once_can_be_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(driver, "tune", stopped)
    with pytest.raises(KeyboardInterrupt):
        driver.tune_in(tmp_path, SMALL)
    assert driver.settings_in(tmp_path) == SMALL.checked()


# The command, which kills itself when it has stored thirty games, whatever the speed of the machine.
KILLED = """
import os, signal
from twofold.__main__ import main
from twofold.arena.store import Store

finish, stored = Store.finish, []

def counting(self, chunk, games, session):
    finish(self, chunk, games, session)
    stored.extend(games["game"])
    if len(stored) >= 30:
        os.kill(os.getpid(), signal.SIGKILL)

Store.finish = counting
main()
"""


@pytest.mark.slow
def test_a_killed_tuning_comes_to_the_same_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    answer = here(capsys, "tune", "chain", *OPTIONS, "--out", str(whole), "--json").json()
    done = subprocess.run(
        [sys.executable, "-c", KILLED, "tune", "chain", *OPTIONS, "--out", str(killed), "--json"],
        capture_output=True,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL
    before = _games(killed / "games.db")
    assert 0 < before < answer["games"]
    resumed = here(capsys, "tune", "--resume", "--jobs", "1", "--out", str(killed), "--json")
    later = resumed.json()
    assert later["games"] + before <= answer["games"] + 4  # a chunk may have been under way
    assert later["games"] < answer["games"]
    assert (later["best"], later["test"]) == (answer["best"], answer["test"])
    for name in ("tuning.json", "candidates.csv"):
        assert (killed / name).read_bytes() == (whole / name).read_bytes()
    # And the finished one, asked again, plays nothing.
    assert here(capsys, "tune", "--resume", "--out", str(whole), "--json").json()["games"] == 0


def _games(path: Path) -> int:
    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
            return int(database.execute("SELECT COUNT(*) FROM twofold_game").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


@pytest.mark.slow
def test_the_record_and_the_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "cma"
    options = ["tune", "chain", "--method", "cma", *OPTIONS, "--weights", "largest,empty", "--out", str(out)]
    told = here(capsys, *options)
    assert told.code == 0
    assert "best: chain(" in told.out
    record = json.loads((out / "tuning.json").read_text())
    assert record["weights"] == ["largest", "empty"]
    assert len(record["generations"]) == 3
    assert all(len(generation) == 4 for generation in record["generations"])
    assert record["test"]["games"] == 8
    assert record["best"]["player"].startswith("chain")
    assert "| weight | with fitness |" in (out / "correlations.md").read_text("utf-8")
    rows = (out / "candidates.csv").read_text().splitlines()
    assert len(rows) == 1 + 3 * 4 + len(record["final"])
    page = (out / "report.html").read_text()
    assert page.count("<svg") == 6
    for fetched in (" src=", "<link", "<script", "@import"):  # one file that needs no other
        assert fetched not in page
    with Store(str(out / "games.db"), create=False) as store:
        assert [run for run in store.runs() if run.experiment.name.endswith(" test")]
    # Other options in the same folder are refused; another tuning can begin with this one's best.
    assert "seed" in here(capsys, *options, "--seed", "4").refusal()
    begun = [
        *options[:-1],
        str(tmp_path / "next"),
        "--from",
        str(out),
        "-g",
        "1",
        "--test-games",
        "0",
        "--json",
    ]
    assert here(capsys, *begun).json()["test"] is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("tune", "name an evaluation"),
        ("tune chian", "did you mean"),
        ("tune chain --method annealing", "annealing"),
        ("tune chain --population 1", "population"),
        ("tune chain --crossover 2", "probability"),
        ("tune chain --mutation x..1", "'x..1'"),
        ("tune chain --fitness best", "fitness"),
        ("tune chain --player greedy", "takes no evaluation"),
        ("tune chain --from nowhere", "nowhere"),
        ("tune chain --resume --out nowhere", "nothing to resume"),
        ("tune chain --method permutations --changes a", "numbers separated by commas"),
        ("tune chain --changes -1,2", "--changes goes with --method permutations, not genetic"),
        ("tune empty", "no weights"),
    ],
)
def test_refusals_are_one_line(
    text: str, told: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert told in line(capsys, f"{text} --test-games 0").refusal()


@pytest.mark.parametrize(
    ("out", "told"),
    [
        ("a-file", "'a-file' is a file; --out names a folder"),
        ("a-file/below/that", "'a-file' is a file; --out names a folder"),
        ("a" * 300, "File name too long"),
        ("torn", "is not a usable record of 'twofold tune'"),
    ],
)
def test_a_bad_folder_is_refused_in_a_line(
    out: str, told: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "a-file").write_text("")
    (tmp_path / "torn").mkdir()
    (tmp_path / "torn" / "tuning.json").write_text('{"format": ')
    refusal = here(capsys, "tune", "chain", *OPTIONS, "--out", str(tmp_path / out)).refusal()
    assert told in refusal
    assert "Errno" not in refusal
    assert (tmp_path / "a-file").read_text() == ""


def test_a_folder_without_a_name_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert "--out is empty" in here(capsys, "tune", "chain", *OPTIONS, "--out", "").refusal()


def test_a_folder_that_cant_be_written_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(**_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.TemporaryFile", refused)
    refusal = here(capsys, "tune", "chain", *OPTIONS, "--out", str(tmp_path / "new")).refusal()
    assert "can't write to the folder" in refusal
    assert "Permission denied; choose another --out" in refusal


def test_correlation() -> None:
    a = [1.0, 2.0, 3.0, 4.0, 5.0]
    found = correlation(a, [2.0, 1.0, 4.0, 3.0, 5.0])
    assert found.r == pytest.approx(0.8)
    assert found.interval == pytest.approx((-0.2796, 0.9862), abs=1e-3)  # tanh(atanh(0.8) ± 1.96/√2)
    assert correlation(a, [-2 * x for x in a]).r == pytest.approx(-1)
    assert correlation(a, [1.0] * 5).r is None
    rng = np.random.default_rng(1)
    covered = 0
    for _ in range(400):  # the interval covers the true one in 95 %
        x = rng.standard_normal(30)
        interval = correlation(x, 0.6 * x + 0.8 * rng.standard_normal(30)).interval
        assert interval is not None
        covered += interval[0] < 0.6 < interval[1]
    assert 365 <= covered <= 395
