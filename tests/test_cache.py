"""The command `twofold cache`: what there is, and that clearing takes that and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.command import Answer, here
from twofold import cache


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(cache.platformdirs, "user_cache_dir", lambda _: str(tmp_path))
    (tmp_path / "exact").mkdir()
    for name in (
        "network-1-3.unpacked",
        "lines-open-1.npy",
        "exact/1.policy",
        "exact/.2.policy.77.part",
        "own.txt",
    ):
        (tmp_path / name).write_bytes(b"x" * 5_000)
    return tmp_path


def parts(answer: Answer) -> dict[str, int]:
    return {name: part["files"] for name, part in answer.json()["parts"].items()}


def test_it_shows_and_clears_parts(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = here(capsys, "cache", "--json")
    assert parts(shown) == {"networks": 1, "lines": 1, "exact": 2, "formations": 0}
    assert shown.json()["parts"]["lines"]["bytes"] >= 5_000
    assert parts(here(capsys, "cache", "clear", "exact", "--yes", "--json")) == {"exact": 0}
    assert sum(parts(here(capsys, "cache", "clear", "--yes", "--json")).values()) == 0
    assert [path.name for path in folder.rglob("*") if path.is_file()] == ["own.txt"]


def test_without_a_terminal_it_asks_for_yes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "add --yes" in here(capsys, "cache", "clear").refusal()
    assert len(list(folder.rglob("*.*"))) == 5
