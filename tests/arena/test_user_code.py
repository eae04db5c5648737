"""Code in a Python file that a store or a record names: read, listed and reported without being run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.ui.command import here
from twofold.errors import InvalidParameter, TwofoldError
from twofold.records.record import Record
from twofold.tune.driver import recorded_settings
from twofold.tune.settings import Settings

Capture = pytest.CaptureFixture[str]

PLAYER = """from pathlib import Path
with open(Path(__file__).with_suffix(".ran"), "a") as told:
    told.write("x")
def move(state):
    return state.legal_moves()[0]
"""


@pytest.fixture
def played(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store with two runs, one of which has a player in a file that has changed since."""
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(PLAYER)
    store = ["--store", "a.db", "--jobs", "1"]
    for name, player in (("own", "mine.py:move"), ("other", "greedy")):
        here(capsys, "arena", "run", "-p", player, "--games", "2", "--name", name, *store)
    Path("mine.py").write_text(PLAYER + "\n# another\n")  # a process runs a file once
    Path("mine.ran").unlink(missing_ok=True)
    return tmp_path


@pytest.mark.parametrize("gone", [False, True])
@pytest.mark.parametrize("command", [["list"], ["report", "own"], ["report", "other"], ["export", "own"]])
def test_reading_figures_runs_no_code(capsys: Capture, played: Path, command: list[str], gone: bool) -> None:
    if gone:
        Path("mine.py").unlink()
    out = ["--out", "own.csv"] if command[0] == "export" else []
    assert here(capsys, "arena", *command, "--store", "a.db", *out).code == 0
    assert not Path("mine.ran").exists()


@pytest.mark.parametrize("command", [["resume", "own", "--games", "3"], ["replay", "own"]])
def test_a_stored_players_code_runs_only_where_it_is_typed(
    capsys: Capture, played: Path, command: list[str]
) -> None:
    told = here(capsys, "arena", *command, "--store", "a.db").refusal()
    assert "mine.py:move" in told
    assert not Path("mine.ran").exists()
    Path("mine.py").write_text(PLAYER)
    assert here(capsys, "arena", *command, "--store", "a.db", "-p", "mine.py:move").code == 0


def test_the_pages_experiments_run_no_code(played: Path) -> None:
    pytest.importorskip("nicegui", reason="the web page needs NiceGUI: pip install 'twofold[web]'")
    from twofold.ui.web import experiments

    experiments.SETTINGS.store = "a.db"
    try:
        assert [run.experiment.name for run, _ in experiments._runs()] == ["other", "own"]
        summary, games = experiments._with_store(lambda store: experiments._report_of(store, "own"), None)
        assert summary.players[0].games == len(games.splitlines()) - 1 == 2
    finally:
        experiments.SETTINGS.store = None
    assert not Path("mine.ran").exists()


def test_records_name_no_code() -> None:
    with pytest.raises(TwofoldError, match="type that name yourself"):
        Record.from_fragment("#variant=4x4;spawn=evil:depth=1,eval=/tmp/x.py:f&seed=1&moves=")
    with pytest.raises(TwofoldError, match="type that name yourself"):
        Record.from_json(json.dumps({"twofold": 1, "variant": "4x4;spawn=evil:depth=1,eval=x.py:f"}))


@pytest.mark.parametrize("name", ["evaluation", "player", "variant", "begin"])
def test_records_of_tunings_name_no_code(tmp_path: Path, name: str) -> None:
    kept = Settings("chain").as_json()
    kept[name] = ["x.py:f"] if name == "begin" else "x.py:f"
    with pytest.raises(InvalidParameter, match="type that name yourself"):
        recorded_settings({"settings": kept}, tmp_path)
