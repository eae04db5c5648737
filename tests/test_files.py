"""Files for users: written whole or not at all, and no device replaced by one."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from tests.ui.command import here
from twofold.errors import InvalidFile
from twofold.files import read_file, replacing, write_file

full_disk = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
posix = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")


def test_text_and_bytes_and_nothing_else_left(tmp_path: Path) -> None:
    write_file(tmp_path / "a.txt", "é\r\n")
    write_file(str(tmp_path / "a.txt"), b"new")
    write_file(tmp_path / "b.txt", "é\r\n\udcff")
    assert (tmp_path / "a.txt").read_bytes() == b"new"
    assert (tmp_path / "b.txt").read_bytes() == "é\r\n?".encode()
    assert sorted(os.listdir(tmp_path)) == ["a.txt", "b.txt"]


@pytest.mark.parametrize("failure", [KeyboardInterrupt, OSError(28, "No space left on device"), ValueError])
def test_what_ends_in_the_middle_leaves_the_old_file(tmp_path: Path, failure: BaseException) -> None:
    write_file(tmp_path / "a", "old")

    def write_half() -> None:
        with replacing(tmp_path / "a") as stream:
            stream.write(b"half")
            raise failure

    with pytest.raises((InvalidFile, KeyboardInterrupt, ValueError)):
        write_half()
    assert (tmp_path / "a").read_text() == "old"
    assert os.listdir(tmp_path) == ["a"]


def test_a_file_gets_the_time_that_is_asked_for(tmp_path: Path) -> None:
    with replacing(tmp_path / "a", stamp=1_000_000_000) as stream:
        stream.write(b"old")
    assert (tmp_path / "a").stat().st_mtime_ns == 10**18


def test_a_name_as_long_as_the_system_allows(tmp_path: Path) -> None:
    write_file(tmp_path / ("n" * 255), "x")
    assert os.listdir(tmp_path) == ["n" * 255]


@posix
def test_a_link_stays(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_file(tmp_path / "link", "1")
    write_file(tmp_path / "link", "2")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "2"


@posix
def test_a_pipe_is_written_into(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    write_file(pipe, "told")
    reader.join(60)
    assert got == [b"told"]
    assert pipe.is_fifo()


@posix
@pytest.mark.parametrize(
    "command",
    [
        "review {}",
        "record convert {} new.json",
        "best {}",
        "best --file {} -p greedy",
        "exact moves {}",
        "exact value {} 24|48",
        "life --pattern {}.rle",
        "paint {}",
        "arena list --store {}.db",
        "play -p {}.py:Player",
        "play -p optimal:file={}",
        "play -p expectimax:depth=1,eval=network:file={}",
        "terminal --record {}",
        "train ntuple --resume {} --out new",
    ],
)
def test_nothing_is_read_from_a_pipe_that_may_never_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (place,) = [part for part in command.replace("=", " ").replace(":", " ").split() if "{}" in part]
    os.mkfifo(place.format("pipe"))
    said = here(capsys, *command.format("pipe").split()).refusal()
    assert "it is a pipe, not a file" in said or "is a pipe or a device" in said


@posix
def test_an_open_pipe_and_no_device_is_read() -> None:
    read, write = os.pipe()
    os.write(write, b"told")
    os.close(write)
    assert read_file(f"/dev/fd/{read}") == b"told"
    os.close(read)
    with pytest.raises(InvalidFile, match="it is a device"):
        read_file("/dev/zero", 10)


@full_disk
def test_a_full_device_is_told_and_stays(tmp_path: Path) -> None:
    (tmp_path / "full.svg").symlink_to("/dev/full")
    with pytest.raises(InvalidFile, match="No space left"):
        write_file(tmp_path / "full.svg", "x")
    assert Path("/dev/full").is_char_device()
    assert (tmp_path / "full.svg").is_symlink()


@pytest.mark.parametrize("name", ["", "no\0name", "nowhere/a", "."])
def test_names_of_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidFile) as refused:
        write_file(name, "x")
    assert str(refused.value).isprintable()
    assert os.listdir(tmp_path) == []
