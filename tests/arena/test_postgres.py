"""The same store on a real PostgreSQL server, started for the tests from the system's package where there is one."""

from __future__ import annotations

import glob
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.arena.test_play import PLAYERS, command, played, rows, shared
from twofold.arena.experiment import Experiment
from twofold.arena.store import Store
from twofold.errors import StoreError

pytestmark = pytest.mark.slow  # a database server


def _binaries() -> Path | None:
    """Debian keeps the server's programs out of the search path."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"), key=lambda path: int(path.split("/")[4]))
    named = found[-1] if found else shutil.which("initdb")
    return Path(named).parent if named else None


def _as_user() -> list[str]:
    """The server refuses to run as root."""
    return ["runuser", "-u", "postgres", "--"] if os.name == "posix" and os.geteuid() == 0 else []


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """A server of its own on a free port; its URL without the database."""
    pytest.importorskip("psycopg", reason="the driver of PostgreSQL (extra postgres) is not installed")
    programs = _binaries()
    if programs is None:
        pytest.skip("no PostgreSQL server here: apt-get install postgresql")
    if _as_user() and shutil.which("runuser") is None:
        pytest.skip("PostgreSQL does not run as root, and there is no runuser")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    # Not in pytest's folder, which only its owner may enter.
    folder = Path(tempfile.mkdtemp(prefix="twofold-postgres-"))
    try:
        if _as_user():
            shutil.chown(folder, "postgres")
        data = folder / "data"
        make = [
            *_as_user(),
            str(programs / "initdb"),
            "-D",
            str(data),
            "-U",
            "twofold",
            "-A",
            "trust",
            "--no-sync",
        ]
        made = subprocess.run(make, capture_output=True, text=True, check=False, cwd="/")
        if made.returncode:
            pytest.skip(f"initdb failed: {made.stderr.strip().splitlines()[-1:]}")
        options = f"-F -h 127.0.0.1 -p {port} -k {folder}"
        control = [*_as_user(), str(programs / "pg_ctl"), "-D", str(data), "-w"]
        log = str(folder / "log")
        subprocess.run(
            [*control, "-l", log, "-o", options, "start"],
            check=True, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            yield f"postgresql://twofold@127.0.0.1:{port}"
        finally:
            subprocess.run([*control, "-m", "immediate", "stop"], capture_output=True, check=False, cwd="/")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def url(server: str, request: pytest.FixtureRequest) -> str:
    """A new database."""
    import psycopg

    name = f"t{abs(hash(request.node.name))}"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return f"{server}/{name}"


def test_the_rows_are_those_of_sqlite(url: str, tmp_path: Path) -> None:
    experiment = Experiment(PLAYERS, 12, seed=(1 << 64) - 1, variant="3x3")
    assert played(url, experiment) == played(tmp_path / "a.db", experiment)
    with Store(url, create=False) as store:
        assert store.name.startswith("postgresql+psycopg://")
        with pytest.raises(StoreError, match="is already in use"):
            store.begin(Experiment(["greedy"], 12, name=experiment.name))
        run = store.run(experiment.name)
        assert sum(store.done(run).values()) == 36
        assert store.versions(run)


def test_two_processes_share_a_run(url: str, tmp_path: Path) -> None:
    games = 60
    arguments = [word if word != "URL" else url for word in command(Path("URL"), games)]
    both = [subprocess.Popen(arguments, stdout=subprocess.DEVNULL) for _ in range(2)]
    assert [process.wait(timeout=600) for process in both] == [0, 0]
    with Store(url) as store:
        assert rows(store, "run") == played(tmp_path / "b.db", shared(games))


def test_claims_and_newer_tables(url: str) -> None:
    import psycopg

    with Store(url) as store:
        run = store.begin(Experiment(["greedy"], 20))
        first, second = store.start_session(), store.start_session()
        chunk = store.unfinished(run)[0]
        assert store.claim(run, chunk, first) is not None
        assert store.claim(run, chunk, second) is None
        store.end_session(first)
        assert store.claim(run, chunk, second) is not None
    with psycopg.connect(url) as connection:  # as version 1 made it
        connection.execute("ALTER TABLE twofold_entrant DROP COLUMN meaning")
        connection.execute("UPDATE twofold_meta SET value = '1'")
    with Store(url) as store:
        assert [run.entrants[0].fingerprint for run in store.runs()] == [None]
    with psycopg.connect(url) as connection:
        connection.execute("UPDATE twofold_meta SET value = '9'")
    with pytest.raises(StoreError, match="update twofold"):
        Store(url)


def test_refusals(server: str) -> None:
    with pytest.raises(StoreError) as caught:
        Store(f"{server}/nowhere")
    assert "nowhere" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert sys.getsizeof(str(caught.value)) < 600
