"""Runs: killed, continued, shared and spread over processes, they come to the same rows."""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.waiting import wait_for
from twofold import play_game
from twofold.arena.experiment import Experiment
from twofold.arena.play import RunProgress, play_run
from twofold.arena.schema import EXPORTED
from twofold.arena.store import Store
from twofold.errors import InvalidParameter, PlayerError

PLAYERS = ("greedy", "scripted:moves=LDRU,illegal=skip,then=repeat", "random")
_KEPT = [i for i, name in enumerate(EXPORTED) if name not in ("seconds", "name")]


def played(url: str | Path, experiment: Experiment, **options: Any) -> list[tuple[Any, ...]]:
    with Store(str(url)) as store:
        run = store.begin(experiment)
        play_run(store, run, **options)
        return rows(store, experiment.name)


def rows(store: Store, name: str) -> list[tuple[Any, ...]]:
    """All games of a run, times left out."""
    return [tuple(each[i] for i in _KEPT) for each in store.exported(store.run(name))]


def command(url: Path, games: int, name: str = "run", jobs: int = 1) -> list[str]:
    players = [word for player in PLAYERS for word in ("--players", player)]
    return [
        sys.executable, "-m", "twofold", "arena", "run", *players, "--games", str(games), "--seed", "5",
        "--size", "3x3", "--store", str(url), "--name", name, "--jobs", str(jobs), "--json",
    ]  # fmt: skip


def shared(games: int) -> Experiment:
    """What `command` plays; games on 3x3 are short."""
    return Experiment(PLAYERS, games, seed=5, variant="3x3", name="run")


def test_every_row_can_be_played_again(tmp_path: Path) -> None:
    seen: list[RunProgress] = []
    found = played(tmp_path / "a.db", Experiment(PLAYERS, 9, seed=5, variant="3x4"), watch=seen.append)
    assert len(found) == 27
    names = [EXPORTED[i] for i in _KEPT]
    for each in found:
        kept = dict(zip(names, each, strict=True))
        game = play_game(kept["player"], kept["variant"], int(kept["seed"]), kept["game"])
        assert (game.score, game.max_tile, game.moves) == (kept["score"], kept["max_tile"], kept["moves"])
    assert (seen[0].done, seen[-1].done, seen[-1].here) == (0, 27, 27)
    assert seen[-1].left == 0


def test_one_and_two_jobs_give_the_same_rows(tmp_path: Path) -> None:
    experiment = Experiment(PLAYERS, 8, seed=5)
    assert played(tmp_path / "a.db", experiment, jobs=1) == played(tmp_path / "b.db", experiment, jobs=2)


def kill_and_resume(tmp_path: Path, kills: int, games: int) -> None:
    path = tmp_path / "a.db"
    rng = random.Random(kills)
    for _ in range(kills):
        process = subprocess.Popen(command(path, games), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        more = stored(path) + rng.randrange(1, 40)
        wait_for(lambda process=process, more=more: stored(path) >= more or process.poll() is not None, 600)
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert subprocess.run(command(path, games), capture_output=True, check=False).returncode == 0
    experiment = shared(games)
    with Store(str(path)) as store:
        assert rows(store, "run") == played(tmp_path / "b.db", experiment)
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT COUNT(*) FROM twofold_claim").fetchone() == (0,)
    connection.close()


def stored(path: Path) -> int:
    if not path.exists():
        return 0
    try:
        with sqlite3.connect(path) as connection:
            count: int = connection.execute("SELECT COUNT(*) FROM twofold_game").fetchone()[0]
        connection.close()
    except sqlite3.Error:  # it is just being made
        return 0
    return count


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="kill -9 is POSIX")
def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    kill_and_resume(tmp_path, 2, 200)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="kill -9 is POSIX")
def test_a_run_killed_twenty_times_goes_on(tmp_path: Path) -> None:
    kill_and_resume(tmp_path, 20, 1500)


@pytest.mark.slow
def test_two_processes_share_a_run(tmp_path: Path) -> None:
    games = 100
    both = [subprocess.Popen(command(tmp_path / "a.db", games), stdout=subprocess.DEVNULL) for _ in range(2)]
    assert [process.wait(timeout=600) for process in both] == [0, 0]
    with Store(str(tmp_path / "a.db")) as store:
        assert rows(store, "run") == played(tmp_path / "b.db", shared(games))


def test_ctrl_c_leaves_whole_games_and_no_claims(tmp_path: Path) -> None:
    experiment = Experiment(["greedy"], 500)

    def stop(progress: RunProgress) -> None:
        if progress.here:
            raise KeyboardInterrupt

    with Store(str(tmp_path / "a.db")) as store:
        run = store.begin(experiment)
        with pytest.raises(KeyboardInterrupt):
            play_run(store, run, watch=stop)
        assert store.done(run) == {run.entrants[0].id: 8}
    with sqlite3.connect(tmp_path / "a.db") as connection:
        assert connection.execute("SELECT COUNT(*) FROM twofold_claim").fetchone() == (0,)
    connection.close()


def test_a_player_that_fails_ends_the_run_with_its_error(tmp_path: Path) -> None:
    for jobs in (1, 2):
        with pytest.raises(PlayerError):
            played(tmp_path / f"{jobs}.db", Experiment(["scripted"], 4), jobs=jobs)


def test_a_run_stops_once_it_is_clear(tmp_path: Path) -> None:
    with Store(str(tmp_path / "a.db")) as store:
        run = store.begin(Experiment(["greedy", "random"], 2000))
        test = play_run(store, run, until_clear=0.05)
        assert test is not None
        assert test.verdict == "A"
        assert test.wins + test.losses < 60
        assert store.done(run)[run.entrants[0].id] < 100
        again = play_run(store, run, until_clear=0.05)
        assert again == test
        with pytest.raises(InvalidParameter):
            play_run(store, store.begin(Experiment(["greedy"], 5)), until_clear=0.05)
