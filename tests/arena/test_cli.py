"""``twofold arena``: its JSON, texts, files and refusals."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.ui.command import command, here
from twofold import play_game
from twofold.arena.play import RunProgress
from twofold.ui.cli.commands.arena import progress_lines

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    name = str(tmp_path / "a.db")
    monkeypatch.setenv("TWOFOLD_STORE", name)
    return name


RUN = (
    "arena",
    "run",
    "--players",
    "random",
    "--players",
    "greedy",
    "--games",
    "8",
    "--jobs",
    "1",
    "--size",
    "3x3",
)


def test_a_run_as_json(capsys: Capture, url: str) -> None:
    answer = here(capsys, *RUN, "--seed", "3", "--name", "first", "--json").json()
    assert answer["name"] == "first"
    assert (answer["variant"], answer["seed"], answer["complete"]) == ("3x3", 3, True)
    assert [each["player"] for each in answer["players"]] == ["random", "greedy"]
    for each in answer["players"]:
        assert each["games"] == 8
        low, high = each["mean_score_interval"]
        assert low <= each["mean_score"] <= high
        assert each["median_score"] > 0
        assert each["moves_per_second"] > 0
        assert each["seconds"] > 0
        rate = each["tile_rates"]["2048"]
        assert rate["rate"] == 0
        assert 0 <= rate["low"] <= rate["rate"] <= rate["high"] <= 1
    comparison = answer["comparisons"][0]
    assert comparison["pairs"] == 8
    assert 0 < comparison["p_value"] <= 1
    assert (
        here(capsys, *RUN, "--seed", "3", "--name", "first", "--json").json() == answer
    )  # nothing is played again
    longer = here(capsys, "arena", "resume", "first", "--games", "12", "--jobs", "1", "--json").json()
    assert [each["games"] for each in longer["players"]] == [12, 12]
    listed = here(capsys, "arena", "list", "--json").json()
    assert [(each["name"], each["done"], each["total"]) for each in listed["runs"]] == [("first", 24, 24)]


def test_reports_tell_the_best_and_the_worst_game(capsys: Capture, url: str) -> None:
    answer = here(capsys, *RUN, "--seed", "3", "--name", "first", "--json").json()
    games = [play_game("greedy", "3x3", seed=3, index=index) for index in range(8)]
    best, worst = max(games, key=lambda game: game.score), min(games, key=lambda game: game.score)
    told = answer["players"][1]
    assert (told["best_game"], told["worst_game"]) == (best.index, worst.index)
    tiles = [game.max_tile for game in games]
    assert told["mean_max_tile"] == sum(tiles) / 8
    assert (told["best_max_tile"], told["worst_max_tile"]) == (max(tiles), min(tiles))
    out = here(capsys, "arena", "report", "first").out
    assert f"greedy, best game, {best.index}, {best.score:,} points: {best.board}" in out
    assert f"greedy, worst game, {worst.index}, {worst.score:,} points: {worst.board}" in out
    boards = str(best.board), str(worst.board)
    told = here(capsys, "arena", "report", "first", "--json").json()["players"][1]
    assert (told["best_board"], told["worst_board"]) == boards
    text = here(capsys, "arena", "export", "first", "--boards").out
    rows = [row for row in csv.DictReader(io.StringIO(text)) if row["player"] == "greedy"]
    assert (rows[best.index]["last_board"], rows[worst.index]["last_board"]) == boards
    assert sum(bool(row["last_board"]) for row in rows) == len({best.index, worst.index})


@pytest.mark.slow
def test_texts_files_and_pages(capsys: Capture, url: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    assert here(capsys, "arena", "list").out.startswith("no runs yet")
    answer = here(capsys, *RUN, "--name", "first")
    assert "random - greedy" in answer.out
    page = tmp_path / "report.html"
    answer = here(capsys, "arena", "report", "first", "--html", str(page), "--plots", str(tmp_path / "plots"))
    assert answer.code == 0
    text = page.read_text("utf-8")
    assert text.count("<svg") == 3
    assert "http" not in text.replace("http://www.w3.org", "").replace("http://purl.org", "").replace(
        "http://creativecommons.org", ""
    ).replace("https://matplotlib.org", "")
    assert sorted(each.name for each in (tmp_path / "plots").iterdir()) == [
        "survival.png", "survival.svg", "tiles.png", "tiles.svg", "time.png", "time.svg",
    ]  # fmt: skip
    assert "first: 16 of 16 games" in here(capsys, "arena", "list").out


def test_exports(capsys: Capture, url: str, tmp_path: Path) -> None:
    here(capsys, *RUN, "--name", "first", "--json").json()
    rows = list(csv.DictReader(io.StringIO(here(capsys, "arena", "export", "first").out)))
    assert len(rows) == 16
    assert {"player", "variant", "seed", "game", "score", "version"} <= set(rows[0])
    objects = json.loads(here(capsys, "arena", "export", "first", "--to", "json").out)
    assert [str(each["score"]) for each in objects] == [each["score"] for each in rows]
    parquet = pytest.importorskip("pyarrow.parquet")
    file = tmp_path / "games.parquet"
    told = here(capsys, "arena", "export", "first", "--to", "parquet", "--out", str(file), "--json").json()
    assert told["rows"] == 16
    table = parquet.read_table(file)
    assert table.column("score").to_pylist() == [each["score"] for each in objects]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("run --players greddy", "did you mean 'greedy'"),
        ("run --players greedy --games 0", "games must be"),
        ("run --players greedy --store nonsense", "postgresql://"),
        ("run --players greedy --players greedy", "twice"),
        ("run --players greedy --seed -1", "seed"),
        ("run --players greedy --until-clear 0.05", "two players"),
        ("run --players greedy --players random --until-clear 2", "significance level"),
        ("run --players greedy --size 0x4", "0x4"),
        ("run --players greedy --cluster nowhere", "Dask"),
        ("run --players greedy --jobs 0", "jobs"),
        ("resume nobody", "no run"),
        ("report nobody", "no run"),
        ("export nobody", "no run"),
        # Where nothing can be written is told before anything else.
        ("report nobody --html pyproject.toml/a.html", "no such folder"),
        ("report nobody --html no/such/a.html", "no such folder"),
        ("report nobody --markdown no/such/a", "no such folder"),
        ("report nobody --html src", "it is a folder"),
        ("report nobody --plots pyproject.toml/a", "'pyproject.toml' is a file"),
        ("export nobody --out no/such/a.csv", "no such folder"),
        ("table s4 --out pyproject.toml", "'pyproject.toml' is a file"),
    ],
)
def test_refusals(
    capsys: Capture, url: str, monkeypatch: pytest.MonkeyPatch, arguments: str, words: str
) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    here(capsys, *RUN, "--name", "first", "--json").json()
    assert words in here(capsys, "arena", *arguments.split(" ")).refusal()


def test_refusals_of_export(capsys: Capture, url: str) -> None:
    here(capsys, *RUN, "--name", "first", "--json").json()
    assert "csv, json, parquet" in here(capsys, "arena", "export", "first", "--to", "xls").refusal()
    assert "--out" in here(capsys, "arena", "export", "first", "--to", "parquet").refusal()
    assert "can't write" in here(capsys, "arena", "export", "first", "--out", "/proc/no/a.csv").refusal()
    assert "is already in use" in here(capsys, *RUN, "--name", "first", "--seed", "4").refusal()


def test_help_is_quick_and_loads_no_database() -> None:
    import subprocess
    import sys

    script = (
        "import sys; from twofold.ui.cli.app import run; run(['arena', '--help']); print(sorted(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    for heavy in ("sqlalchemy", "numpy", "loky", "matplotlib"):
        assert f"'{heavy}'" not in done.stdout
    assert command("arena", "list", "--store", "/proc/no.db").code == 2


def test_progress_is_told_before_a_game_is_over(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("twofold.ui.cli.progress.PLAIN_SECONDS", 0.0)
    tell = progress_lines()
    tell(RunProgress(0, 50, 0, 20.0))
    tell(RunProgress(40, 50, 40, 20.0))
    assert capsys.readouterr().err.splitlines() == [
        "0 of 50 games, time left unknown",
        "40 of 50 games, 2.0 games/s, 0:00:05 left",
    ]


def test_replays(capsys: Capture, url: str) -> None:
    import sqlite3

    here(capsys, *RUN, "--name", "first", "--json").json()
    assert here(capsys, "arena", "replay", "first", "--games", "2", "--json").json()["agree"] == 4
    with sqlite3.connect(url) as connection:
        connection.execute("UPDATE twofold_game SET score = score + 4 WHERE game = 0")
    connection.close()
    assert "another version" in here(capsys, "arena", "replay", "first").refusal()
