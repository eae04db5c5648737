"""Files for users: written whole or not at all, and no device replaced by one."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from tests.ui.command import here, line
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


# What a command writes is kept apart from what it reads, and from files of another kind


def _lost(folder: Path, before: dict[str, bytes]) -> list[str]:
    return [name for name, content in before.items() if (folder / name).read_bytes() != content]


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """A folder with a store, a record, a pattern, a picture, a policy, a network and a file of something else."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TWOFOLD_STORE", "default.db")
    for text in (
        "arena run -p random -n 2 --jobs 1 --size 2x2 --name a --store a.db",
        "arena run -p random -n 2 --jobs 1 --size 2x2 --name a",
        "play -p random --size 2x2 --seed 1 --record game.json",
        "life -p block --generations 0 --no-paint --out block.rle",
        "life -p block --generations 0 --out life.json",
        "stereogram --sheet --out s.png",
        "exact solve 2x2 --target 8 --out p.policy",
    ):
        assert line(capsys, text).code == 0, text
    (tmp_path / "other.json").write_text('{"a": 1}')
    (tmp_path / "s-key.png").write_bytes((tmp_path / "s.png").read_bytes())
    (tmp_path / "link.json").symlink_to("game.json")
    os.link("block.rle", "hard.rle")
    (tmp_path / "mine.py").write_text("class Mine:\n    pass\n")
    return tmp_path


@pytest.mark.skipif(os.name == "nt", reason="links as on Unix")
def test_no_command_writes_what_it_reads_or_another_kind_of_file(
    capsys: pytest.CaptureFixture[str], made: Path
) -> None:
    before = {name: (made / name).read_bytes() for name in os.listdir(made)}
    for text, words in (
        ("arena report a --store a.db --html a.db", "--store and --html are both 'a.db'"),
        ("arena report a --store sqlite:///a.db --html ./a.db", "--store and --html are both './a.db'"),
        ("arena report a --store a.db --markdown default.db", "is not a report in Markdown"),
        ("arena report a --html default.db", "is not a web page"),
        ("arena report a --html both.x --markdown both.x", "--html and --markdown are both 'both.x'"),
        ("arena export a --store a.db --out a.db", "--store and --out are both 'a.db'"),
        ("arena export a --out a.db", "is not games as csv"),
        ("arena export a --to json --out game.json", "is not games as json"),
        ("review game.json --out game.json", "GAME and --out are both 'game.json'"),
        ("review game.json --out game.pdf", "a review is written as .html, not 'game.pdf'"),
        ("record convert game.json link.json", "FROM and TO are both 'link.json'"),
        ("record convert game.json other.json", "is not a record of a game"),
        ("play -p random --record other.json", "is not a record of a game"),
        ("play -p random --record life.json", "is not a record of a game"),
        ("play -p mine.py:Mine --record mine.py", "--player and --record are both 'mine.py'"),
        ("paint s.png --size 3x3 --out s.png", "PICTURE and --out are both 's.png'"),
        ("paint .# --out other.json", "is not a painting"),
        ("life -p block.rle --generations 0 --out hard.rle", "--pattern and --out are both 'hard.rle'"),
        ("life --generations 0 --out new.gif --out ./new.gif", "--out is twice './new.gif'"),
        ("life --generations 0 --out other.json", "is not a pattern or a run as .json"),
        ("stereogram --mask s.png --out s.png", "--mask and --out are both 's.png'"),
        ("stereogram --mask s-key.png --out s.png --key", "a file beside --out are both 's-key.png'"),
        ("exact solve 2x2 --target 8 --out game.json", "is not a policy"),
        ("exact solve 2x2 --target 8 --out new --work new", "--work and --out are both 'new'"),
        ("exact export p.policy --out p.policy", "FILE and --out are both 'p.policy'"),
        ("exact tree 2|2 --target 8 --out other.json", "is not a tree as text"),
        ("train ntuple --games 1 --out new.svg --picture new.svg", "--out and --picture are both 'new.svg'"),
        ("train ntuple --resume s.png --out new --picture s.png", "--resume and --picture are both 's.png'"),
        ("train s4 --games 1 --save other.json", "is not a network of 'twofold train s4'"),
    ):
        assert words in line(capsys, text).refusal(), text
        assert _lost(made, before) == [], text
    assert set(os.listdir(made)) == set(before)


def test_a_file_of_ones_own_kind_is_replaced(capsys: pytest.CaptureFixture[str], made: Path) -> None:
    (made / "empty.json").touch()
    for text in (
        "play -p random --size 2x2 --record empty.json",
        "play -p random --size 2x2 --record game.json",
        "exact solve 2x2 --target 8 --out p.policy",
        "exact export p.policy --out p.csv",
        "exact tree 2|2 --target 8 --out tree",
        "exact tree 2|2 --target 8 --format dot --out tree.dot",
        "exact tree 2|2 --target 8 --format mermaid --out tree.mmd",
        "arena report a --markdown a.md --html a.html",
        "arena export a --out a.csv",
        "arena export a --to json --out a",
        "paint .#|## --out painting.json",
        "life -p block --generations 1 --no-paint --out l.json --out l.gif --out l.rle --out l.cells",
    ):
        assert [line(capsys, text).code for _ in range(2)] == [0, 0], text
