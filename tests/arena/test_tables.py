"""The tables of the reports: every line can be played, and a table is written from what is stored."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.ui.command import here
from twofold.arena.figures import figure
from twofold.arena.seed_tables import tables
from twofold.arena.store import Store
from twofold.arena.summary import PlayerSummary
from twofold.arena.tables import Line, Section, TableInfo, play_section, section_table, write_table
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
                assert set(line.seed) <= set(section.columns)
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
    assert figure("score").text(summary([])) == "–"


def test_a_table_is_played_written_and_continued(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    lines = (Line("one", "random", {"64": 50.0, "score": "800"}), Line("two", "greedy", {}, "3x3"))
    section = Section(
        "A section", lines, ("64", "score", "ms"), games=6, picture="time", pairs=((0, 1),), text="Why."
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
    assert "common seeds" in text
    assert "![A section](small-1.svg)" in text
    assert [Path(each).name for each in files] == ["small.md", "small-1.svg"]


def test_the_command(capsys: Capture, tmp_path: Path) -> None:
    url = str(tmp_path / "a.db")
    answer = here(capsys, "arena", "table", "s3", "--stored", "--store", url, "--json").json()
    assert answer["table"] == "s3"
    assert len(answer["sections"][0]["lines"]) == 16
    assert answer["sections"][0]["lines"][0]["figures"]["mean-max"]["report"] == 268.8
    assert "s0, s1, s2, s3, s4" in here(capsys, "arena", "table", "s9", "--store", url).refusal()
    assert "from 1 to 4" in here(capsys, "arena", "table", "s4", "--section", "5", "--store", url).refusal()


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(tables()) - {"ladder"}))
def test_small_tables_of_the_reports(capsys: Capture, tmp_path: Path, name: str) -> None:
    url = str(tmp_path / "a.db")
    answer = here(
        capsys, "arena", "table", name, "--games", "1", "--jobs", "1", "--store", url, "--json"
    ).json()
    assert all(line["games"] == 1 for section in answer["sections"] for line in section["lines"])
