"""The line tables' files: a copy that can't be trusted is made anew, and a home that takes nothing is no error."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from twofold.kernels.board import line_tables


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of the open table, written once."""
    monkeypatch.setattr(line_tables.platformdirs, "user_cache_dir", lambda name: str(tmp_path / name))
    fresh = line_tables.line_table.__wrapped__
    fresh(False)
    (found,) = (tmp_path / "twofold").iterdir()
    return found


def _flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[70_000:70_040] = bytes(40)
    path.write_bytes(data)


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:1000])


def _pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("spoil", [_flip, _cut, _pipe, _folder])
def test_a_spoilt_file_is_not_trusted(file: Path, spoil: object) -> None:
    assert callable(spoil)
    if spoil is _pipe and not hasattr(os, "mkfifo"):
        pytest.skip("no pipes in the file system")
    spoil(file)
    again = line_tables.line_table.__wrapped__(False)
    assert np.array_equal(again, line_tables.build_line_table(False))
    assert [each.name for each in file.parent.iterdir()] == [file.name]  # and no half files


def test_the_file_is_read_and_not_built_again(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_tables, "build_line_table", lambda with_bricks: pytest.fail("built again"))
    assert line_tables.line_table.__wrapped__(False).shape == (line_tables.LINES,)
