"""The loops of the study of searches play the games that the players play."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import searching


@pytest.mark.parametrize("text", ["expectimax:depth=1,danger=3,eval=snake", "expectimax:nodes=40,eval=snake"])
def test_loops_play_as_the_players_do(text: str) -> None:
    found = searching.loop_of(text)(5, 2, 3)
    for column, expected in zip(found, searching.one_by_one(text, 5, 2, 3), strict=True):
        assert column.tolist() == expected.tolist()


def test_missing_games_are_played_and_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "LINES", tmp_path / "a.jsonl")
    monkeypatch.setattr(searching, "REPORT", tmp_path / "a.md")
    ways = {
        "slow": searching.Way("greedy"),
        "other": searching.Way("scripted:illegal=skip,then=repeat", "slow"),
    }
    monkeypatch.setattr(searching, "WAYS", ways)
    monkeypatch.setattr(searching, "network_mark", lambda: "this one")
    old = {
        "name": "slow",
        "network": "another",
        "first": 0,
        "scores": [10**6],
        "moves": [1],
        "tops": [9],
        "seconds": 1,
    }
    searching.LINES.write_text(json.dumps(old) + "\n", "utf-8")
    searching.run("slow", 3, "")
    searching.run("slow", 12, "")
    searching.run("other", 8, "")
    found = searching.results()
    assert found["slow"].scores.tolist() == searching.one_by_one("greedy", 0, 12, searching.SEED)[0].tolist()
    assert len(found["other"].scores) == 8
    searching.report()
    text = searching.REPORT.read_text("utf-8")
    difference = (found["other"].scores - found["slow"].scores[:8]).mean()
    assert f"slow: {difference:+,.0f} (" in text
    assert "8 pairs" in text
