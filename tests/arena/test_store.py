"""The database: what it refuses, what it keeps, and that nothing is damaged."""

from __future__ import annotations

import sqlite3
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.ui.command import PROGRESS, here
from twofold.arena import schema
from twofold.arena.experiment import Columns, Experiment, Row
from twofold.arena.leases import LEASE, Owner
from twofold.arena.store import Store
from twofold.errors import StoreError
from twofold.evaluation.registry import EVALUATIONS, evaluation_info
from twofold.players.fingerprint import fingerprint

Capture = pytest.CaptureFixture[str]


def refused(url: str, **options: bool) -> str:
    with pytest.raises(StoreError) as caught:
        Store(url, **options)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 400
    return message


def games(numbers: range, score: int = 100) -> Columns:
    rows = [Row(number, score, 64, 90, 0.5, 0, "no legal move") for number in numbers]
    return {name: list(values) for name, values in zip(Row._fields, zip(*rows, strict=True), strict=True)}


@pytest.mark.parametrize(
    "url", ["nonsense", "x://", "mysql://u@h/d", "sqlite://", "sqlite:///:memory:", "://", "a.csv"]
)
def test_a_malformed_url_is_told_with_the_right_form(url: str) -> None:
    assert "postgresql://" in refused(url)


def test_a_password_is_not_shown() -> None:
    assert "secret" not in refused("mysql://user:secret@host/d")
    assert "secret" not in refused("postgresql://user:secret@127.0.0.1:1/d")


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    assert "directory" in refused(f"sqlite:///{tmp_path}")
    (tmp_path / "file").write_text("text")
    assert "folder" in refused(f"sqlite:///{tmp_path}/file/a.db")
    assert "'twofold arena run'" in refused(f"sqlite:///{tmp_path}/none.db", create=False)
    (tmp_path / "bad.db").write_bytes(b"this is no database" * 100)
    before = (tmp_path / "bad.db").read_bytes()
    assert "not a SQLite database" in refused(f"{tmp_path}/bad.db")
    assert (tmp_path / "bad.db").read_bytes() == before
    refused("/proc/nowhere/a.db")


def test_a_newer_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    Store(str(path)).close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE twofold_meta SET value = '9'")
    connection.close()
    before = path.read_bytes()
    assert "update twofold" in refused(str(path))
    assert path.read_bytes() == before


def test_a_database_with_other_tables_is_shared(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "a.db") as connection:
        connection.execute("CREATE TABLE game (x)")
    connection.close()
    assert "no experiments" in refused(str(tmp_path / "a.db"), create=False)
    with Store(str(tmp_path / "a.db")) as store:
        assert store.runs() == []


def test_a_name_stands_for_its_settings(tmp_path: Path) -> None:
    with Store(str(tmp_path / "a.db")) as store:
        run = store.begin(Experiment(["greedy"], 10, name="mine", seed=(1 << 64) - 1))
        assert run.experiment.seed == (1 << 64) - 1
        assert store.begin(Experiment(["greedy"], 5, name="mine", seed=(1 << 64) - 1)).experiment.games == 10
        assert store.begin(Experiment(["greedy"], 20, name="mine", seed=(1 << 64) - 1)).experiment.games == 20
        for other in (
            Experiment(["random"], 10, name="mine", seed=(1 << 64) - 1),
            Experiment(["greedy"], 10, name="mine"),
            Experiment(["greedy"], 10, name="mine", seed=(1 << 64) - 1, variant="3x3"),
            Experiment(["greedy"], 10, name="mine", seed=(1 << 64) - 1, stop_at_target=True),
        ):
            with pytest.raises(StoreError, match="is already in use"):
                store.begin(other)
        with pytest.raises(StoreError, match="did you mean 'mine'"):
            store.run("mien")
        assert [each.experiment.name for each in store.runs()] == ["mine"]


def test_a_chunk_has_one_owner_and_a_game_one_row(tmp_path: Path) -> None:
    with Store(str(tmp_path / "a.db")) as store:
        run = store.begin(Experiment(["greedy"], 20))
        first, second = store.start_session(), store.start_session()
        chunk = store.unfinished(run)[0]
        task = store.claim(run, chunk, first)
        assert task is not None
        assert tuple(task.games) == tuple(range(8))
        assert store.claim(run, chunk, second) is None
        assert store.claim(run, chunk, first) is None
        store.finish(chunk, games(range(3)), first)
        store.finish(chunk, games(range(4), 999), first)  # games that are there stay as they are
        assert store.columns(run.entrants[0], 20, ["score"])["score"] == [100, 100, 100, 999]
        again = store.claim(run, chunk, second)
        assert again is not None
        assert again.games == (4, 5, 6, 7)
        store.finish(chunk, games(range(4, 8)), second)
        assert store.claim(run, chunk, first) is None
        assert [each.first for each in store.unfinished(run)] == [8, 16]
        assert store.done(run) == {run.entrants[0].id: 8}
        assert store.scores_from(run.entrants[0], 3) == [999, 100, 100, 100, 100]


def test_a_row_that_the_table_refuses_is_no_silent_loss(tmp_path: Path) -> None:
    with Store(str(tmp_path / "a.db")) as store:
        run = store.begin(Experiment(["greedy"], 20))
        session = store.start_session()
        chunk = store.unfinished(run)[0]
        store.claim(run, chunk, session)
        bad = games(range(8)) | {"score": [None] * 8}
        with pytest.raises(StoreError):
            store.finish(chunk, bad, session)
        assert store.done(run) == {run.entrants[0].id: 0}


def test_the_claims_of_the_dead_are_freed(tmp_path: Path) -> None:
    with Store(str(tmp_path / "a.db")) as store:
        run = store.begin(Experiment(["greedy"], 20))
        mine, other = store.start_session(), store.start_session()
        chunk = store.unfinished(run)[0]
        assert store.claim(run, chunk, other) is not None
        assert store.reap(mine) == 0  # the other one is this process too, so it lives
        with sqlite3.connect(tmp_path / "a.db") as connection:
            connection.execute("UPDATE twofold_session SET process_start = 'long ago' WHERE id = ?", (other,))
        connection.close()
        assert store.reap(mine) == 1
        assert store.claim(run, chunk, mine) is not None
        store.end_session(mine)
        assert store.claim(run, chunk, other) is not None


def test_who_is_dead() -> None:
    import time

    here = Owner.here()
    assert not here.is_dead(1.0)
    assert here.is_dead(0.0)
    far = Owner("elsewhere", 1, "")
    assert not far.is_dead(time.time())
    assert far.is_dead(time.time() - LEASE - 1)


@pytest.mark.skipif(sys.platform == "win32", reason="limits of files are POSIX")
def test_a_full_disk_is_told_and_nothing_is_lost(tmp_path: Path, capsys: Capture) -> None:
    import json
    import subprocess

    url = str(tmp_path / "a.db")
    script = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (300000, 300000)); "
        "from twofold.ui.cli.app import main; sys.argv[0] = 'twofold'; main()"
    )
    arguments = ["arena", "run", "--players", "random", "--games", "50000", "--jobs", "1", "--store", url]
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments, "--name", "full"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    told = [text for text in done.stderr.splitlines() if not text.endswith(PROGRESS)]
    assert len(told) == 1
    assert "stored games are safe" in told[0]
    answer = here(capsys, "arena", "resume", "full", "--jobs", "1", "--store", url, "--json")
    assert json.loads(answer.out)["complete"]
    with sqlite3.connect(url) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


def test_tables_are_made_once(tmp_path: Path) -> None:
    for _ in range(2):
        with Store(str(tmp_path / "deep" / "a.db")) as store:
            assert store.runs() == []
    assert schema.is_missing(schema.read_url(f"{tmp_path}/b.db"))


OWN = "def mine(state):\n    return state.legal_moves()[{}]\n"


def test_a_run_does_not_go_on_with_a_player_that_has_changed(capsys: Capture, tmp_path: Path) -> None:
    own, url = tmp_path / "own.py", str(tmp_path / "a.db")
    own.write_text(OWN.format(0))
    run = ["arena", "run", "-p", f"{own}:mine", "--size", "2x2", "--jobs", "1", "--store", url, "--json"]
    assert here(capsys, *run, "-n", "2", "--name", "first").json()["complete"]
    assert here(capsys, *run, "-n", "3", "--name", "first").json()["complete"]
    own.write_text(OWN.format(-1))
    for again in (
        [*run, "-n", "4", "--name", "first"],
        ["arena", "resume", "first", "-p", f"{own}:mine", "--store", url, "--json"],
    ):
        assert "was started with another" in here(capsys, *again).refusal()
    assert (
        here(capsys, "arena", "report", "first", "--store", url, "--json").json()["players"][0]["games"] == 3
    )
    assert here(capsys, *run, "-n", "2", "--name", "second").json()["complete"]


def test_what_a_text_means(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    network = tmp_path / "a.2048net"
    network.write_bytes(b"one")
    texts = (
        "greedy",
        "expectimax:depth=2",
        "ntuple",
        f"ntuple:file={network}",
        "expectimax:depth=2,eval=network",
    )
    before = [fingerprint(text) for text in texts]
    assert len(set(before)) == len(texts)
    assert fingerprint("expectimax:eval=default,depth=2") == before[1]
    assert fingerprint("expectimax:depth=2,eval=default-0") != before[1]
    assert fingerprint("greedy", "default") != fingerprint("greedy", "default-0") != before[0]
    network.write_bytes(b"two")
    assert [fingerprint(text) == old for text, old in zip(texts, before, strict=True)] == [True] * 3 + [
        False,
        True,
    ]
    # Another network comes with the package.
    monkeypatch.setattr("twofold.players.fingerprint.shipped_path", lambda _: network)
    assert [fingerprint(text) == old for text, old in zip(texts, before, strict=True)] == [True] * 2 + [
        False
    ] * 3
    # The default evaluation gets another weight.
    info = evaluation_info("default")
    first = replace(info.parameters[0], default=info.parameters[0].default + 1)
    changed = replace(info, parameters=(first, *info.parameters[1:]))
    monkeypatch.setitem(EVALUATIONS._infos, "default", changed)
    assert fingerprint("expectimax:depth=2") != before[1]
    assert fingerprint("greedy") == before[0]


def test_a_store_of_version_1_opens_and_goes_on(capsys: Capture, tmp_path: Path) -> None:
    url = str(tmp_path / "a.db")
    run = [
        "arena",
        "run",
        "-p",
        "greedy",
        "--size",
        "2x2",
        "--jobs",
        "1",
        "--store",
        url,
        "--name",
        "old",
        "--json",
    ]
    assert here(capsys, *run, "-n", "2").json()["complete"]
    with sqlite3.connect(url) as connection:  # as it was made before
        connection.execute("ALTER TABLE twofold_entrant DROP COLUMN meaning")
        connection.execute("UPDATE twofold_meta SET value = '1'")
    connection.close()
    assert here(capsys, *run, "-n", "3").json()["players"][0]["games"] == 3
    with Store(url) as store:
        assert store.run("old").entrants[0].fingerprint is None
    with sqlite3.connect(url) as connection:
        assert connection.execute("SELECT value FROM twofold_meta").fetchall() == [(str(schema.VERSION),)]
    connection.close()
