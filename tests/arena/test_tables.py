"""The tables of the reports: every line can be played, and a table is written from what is stored."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

from benchmarks.report import fill
from tests.ui.command import here
from twofold import play_game
from twofold.arena.figures import figure
from twofold.arena.seed_tables import tables
from twofold.arena.store import Store
from twofold.arena.summary import PlayerSummary
from twofold.arena.tables import (
    SEED,
    Line,
    Played,
    Section,
    Shares,
    TableInfo,
    play_section,
    section_table,
    write_table,
)
from twofold.errors import InvalidParameter
from twofold.players.registry import canonical_text
from twofold.rules import Variant

Capture = pytest.CaptureFixture[str]


def summary(tiles: list[int], seconds: float = 1.0) -> PlayerSummary:
    n = len(tiles)
    columns = {
        name: np.ones(n, np.int64) for name in ("moves", "won", "nodes", "table_hits", "pruned", "depths")
    }
    columns |= {"game": np.arange(n), "score": np.array(tiles) * 10, "max_tile": np.array(tiles)}
    return PlayerSummary("x", columns | {"seconds": np.full(n, seconds)})


def test_every_line_names_a_player_and_figures_that_there_are() -> None:
    for info in tables().values():
        for section in info.sections:
            for line in section.lines:
                assert canonical_text(line.player)
                assert str(Variant.parse(line.variant)) == line.variant
                assert set(line.report) <= set(section.columns)
            for name in section.columns:
                assert figure(name).title
    with pytest.raises(InvalidParameter):
        figure("luck")


def test_verdicts_follow_the_interval() -> None:
    played = summary([2048] * 50 + [1024] * 50)
    assert figure("2048").verdict(played, 50) == "matched"
    assert figure("2048").verdict(played, 15) == "beaten"
    assert figure("2048").verdict(played, 95) == "below"
    assert figure("1024").verdict(played, 100) == "matched"
    assert figure("2048").verdict(played, 62) == "below"
    assert figure("2048").verdict(played, 62, 100) == "matched"
    assert figure("2048").verdict(played, 70, 100) == "below"
    assert figure("2048").verdict(played, 30, 100) == "beaten"
    assert figure("seconds").verdict(played, 1000) == "beaten"
    assert figure("mean-max").verdict(played, 100) == "beaten"
    assert figure("nodes").verdict(played, 100) == ""
    # A mean of 1,536 with the deviation 514.6: of 100 games ± 102, so of a difference ± 144.
    assert figure("mean-max").verdict(played, 1670) == "below"
    assert figure("mean-max").verdict(played, 1670, 100) == "matched"
    assert figure("mean-max").verdict(played, 1690, 100) == "below"
    assert figure("mean-max").verdict(played, 1380, 100) == "beaten"
    assert figure("score").text(summary([])) == "–"


def test_fewer_than_five_games_have_no_interval() -> None:
    for name, four, five in (
        ("score", "15,360", "14,336 (7,373–21,299)"),
        ("mean-max", "1,536", "1,434 (737–2,130)"),
        ("2048", "50.0 %", "40.0 % (11.8–76.9)"),
    ):
        assert figure(name).text(summary([1024, 2048] * 2)) == four
        assert figure(name).text(summary([1024, 2048] * 2 + [1024])) == five


def test_seconds_of_fewer_games_have_no_verdict() -> None:
    section = Section("A section", (Line("one", "random", {"seconds": 1000}, games=5),), ("seconds",))
    for games, verdict in ((5, "beaten"), (4, "")):
        played = [Played(section.lines[0], summary([8] * games), ())]
        assert section_table(section, played)[1][-1] == verdict


def test_a_table_is_played_written_and_continued(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    lines = (Line("one", "random", {"64": 50.0, "score": "800"}), Line("two", "greedy", {}, "3x3"))
    section = Section(
        "A section",
        lines,
        ("64", "score", "ms"),
        games=6,
        picture="time",
        pairs=((0, 1),),
        text="Why.",
        boards=True,
    )
    info = TableInfo("small", "A title", "About.", (section,))
    with Store(str(tmp_path / "a.db")) as store:
        played = play_section(store, section)
        assert [each.summary.games for each in played] == [6, 6]
        fewer = play_section(store, section, games=3)
        assert [each.summary.games for each in fewer] == [3, 3]
        again = play_section(store, section, stored_only=True)
        assert section_table(section, again) == section_table(section, played)
        other = play_section(store, Section("B", (Line("three", "greedy"),), ("64",)), stored_only=True)
        assert other[0].summary.games == 0
    files = write_table(info, [played], str(tmp_path / "out"))
    text = Path(files[0]).read_text("utf-8")
    assert "| one | `random` | 6 |" in text
    assert "50 %" in text
    best = max((play_game("random", None, SEED, game) for game in range(6)), key=lambda each: each.score)
    assert f"{best.score:,} points | `{best.board}` |" in text.replace("\\|", "|")
    assert text.count(" game, ") == 4
    assert "common seeds" in text
    assert "![A section](small-1.svg)" in text
    assert [Path(each).name for each in files] == ["small.md", "small-1.svg"]


class Ticks:
    """A clock that goes on by a twentieth of a second whenever it is looked at: right on any machine."""

    now = 0.0
    sleep = staticmethod(time.sleep)

    def monotonic(self) -> float:
        self.now += 0.05
        return self.now


def test_time_is_shared_out_and_games_begun_are_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = Ticks()
    monkeypatch.setattr("twofold.arena.play.time", ticks)
    # On 3x3, where games are short: which are begun and played is what counts here, not how long they are.
    lines = (Line("slow", "montecarlo:playouts=3", {}, "3x3"), Line("quick", "random", {}, "3x3"))
    section = Section("A section", lines, ("score",), games=400, ranked=True)
    with Store(str(tmp_path / "a.db")) as store:
        played = play_section(store, section, shares=Shares(0.0, 2, ticks.monotonic))
        assert [each.summary.games for each in played] == [0, 0]
        played = play_section(store, section, shares=Shares(3.0, 2, ticks.monotonic))
        assert played[0].line.label == "slow"  # the better one first
        slow, quick = (each.summary for each in played)
        assert quick.games == 400
        assert 1 <= slow.games < 400
        assert slow.columns["game"].tolist() == list(range(slow.games))
        for game in range(min(2, slow.games)):
            assert play_game("montecarlo:playouts=3", "3x3", SEED, game).score == slow.scores[game]
        again = play_section(store, section, shares=Shares(1.0, 2, ticks.monotonic))
        assert again[0].summary.games >= slow.games


def test_shares_leave_more_to_the_next_line() -> None:
    times = iter([0.0, 0.0, 0.0, 0.0])
    shares = Shares(30.0, 3, lambda: next(times))
    assert [shares.next() for _ in range(3)] == [10, 15, 30]  # the first ones took no time
    times = iter([0.0, 40.0])
    late = Shares(30.0, 3, lambda: next(times))
    assert late.next() == pytest.approx(10 / 3)  # nothing is left: the least


def test_a_table_is_filled_into_a_page() -> None:
    page = "Text.\n<!-- network: begin, by hand -->\nold\n<!-- network: end -->\nMore.\n"
    assert fill(page, "network", "new\n") == page.replace("old", "new")
    assert fill(page, "speed", "x") == page


def test_the_command(capsys: Capture, tmp_path: Path) -> None:
    url = str(tmp_path / "a.db")
    answer = here(capsys, "arena", "table", "s3", "--stored", "--store", url, "--json").json()
    assert answer["table"] == "s3"
    assert len(answer["sections"][0]["lines"]) == 16
    assert answer["sections"][0]["lines"][0]["figures"]["mean-max"]["report"] == 268.8
    assert "s0, s1, s2, s3, s4" in here(capsys, "arena", "table", "s9", "--store", url).refusal()
    one = ("--section", "4", "--games", "1", "--jobs", "1", "--minutes", "10")
    answer = here(capsys, "arena", "table", "s4", *one, "--store", url, "--json").json()
    assert [(each["player"], each["games"]) for each in answer["sections"][0]["lines"]] == [("neural", 1)]
    written = ("--stored", "--store", url, "--out", str(tmp_path), "--json")
    files = here(capsys, "arena", "table", "s4", *one, *written).json()["files"]
    assert files == [str(tmp_path / "s4-4.md")]
    page = (tmp_path / "s4-4.md").read_text("utf-8")
    assert "arena table s4 --section 4" in page
    assert page.count("\n## ") == 1
    assert "from 1 to 6" in here(capsys, "arena", "table", "s4", "--section", "7", "--store", url).refusal()


@pytest.mark.slow
def test_s4s_counts_have_both_conventions(capsys: Capture, tmp_path: Path) -> None:
    six = ("arena", "table", "s4", "--section", "6", "--store", str(tmp_path / "a.db"))
    assert " 8 `2 2|. .` 33 33 54 2 100 % 100 % " in " ".join(here(capsys, *six).out.split())
    here(capsys, *six, "--out", str(tmp_path))
    page = (tmp_path / "s4-6.md").read_text("utf-8")
    assert "| 16 | `2 2\\|. .` | 173 | 173 | 182 |" in page
    assert "8.375 %" in page
    (section,) = here(capsys, *six, "--json").json()["sections"]
    assert len(section["rows"]) == 12


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(tables()) - {"ladder"}))
def test_small_tables_of_the_reports(capsys: Capture, tmp_path: Path, name: str) -> None:
    url = str(tmp_path / "a.db")
    answer = here(
        capsys, "arena", "table", name, "--games", "1", "--jobs", "1", "--store", url, "--json"
    ).json()
    assert all(line["games"] == 1 for section in answer["sections"] for line in section["lines"])
