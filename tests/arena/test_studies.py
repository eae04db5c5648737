"""The studies keep their games in a store of the arena and go on where they were stopped."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.studies import games, searching, strength
from twofold import play_game


@pytest.fixture(autouse=True)
def _own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "STORE", tmp_path / "games.db")


def test_missing_games_are_played_and_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "REPORT", tmp_path / "a.md")
    other = "scripted:illegal=skip,then=repeat"
    ways = {"slow": searching.Way("greedy"), "other, tables": searching.Way(other, "slow")}
    monkeypatch.setattr(searching, "WAYS", ways)
    monkeypatch.setattr(searching, "network_mark", lambda: "9 moves 7 bytes")

    def play(name: str, count: int, mark: str) -> None:
        text = ways[name].text
        games.play("searching", text, count, seed=searching.SEED, what=name, mark=mark)

    play("slow", 2, "5 moves 7 bytes")  # another network
    for count in (3, 12):
        play("slow", count, "9 moves 7 bytes")
    play("other, tables", 8, "9 moves 7 bytes")
    found = searching.results()
    expected = [play_game("greedy", None, searching.SEED, index).score for index in range(12)]
    assert found["slow"].scores.tolist() == expected
    assert found["other, tables"].games == 8
    searching.report()
    text = searching.REPORT.read_text("utf-8")
    difference = (found["other, tables"].scores - found["slow"].scores[:8]).mean()
    assert f"slow: {difference:+,.0f} (" in text
    assert "8 pairs" in text


def test_strength_tells_whole_games_and_games_to_2048_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strength, "REPORT", tmp_path / "strength.md")
    monkeypatch.setattr(strength, "GUIDE", tmp_path / "guide.md")
    strength.GUIDE.write_text(
        "<!-- strongest: begin, of old -->\nold\n<!-- strongest: end -->\nmore\n", "utf-8"
    )
    games.play("strength", "greedy", 3, seed=1)
    games.play("strength", "greedy", 4, seed=1, stop_at_target=True)
    assert [run.players[0].games for run in strength.players()] == [3]
    strength.report()
    table = strength.REPORT.read_text("utf-8")
    assert "| `greedy` | 3 | " in table
    assert "`greedy` made 2048 in 0 of 4 games that ended there" in table
    guide = strength.GUIDE.read_text("utf-8")  # of `strongest` alone: here it has no games
    assert "old\n" not in guide
    assert "greedy" not in guide
    assert guide.endswith("|\n\n<!-- strongest: end -->\nmore\n")
