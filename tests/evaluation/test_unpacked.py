"""The unpacked copy of a network: the very same numbers, shared, and never anything but those."""

from __future__ import annotations

import errno
import functools
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.evaluation.test_network import random_network
from twofold import Board, State
from twofold.cache import Unpacking
from twofold.evaluation import learned, unpacked
from twofold.evaluation.learned import from_network, read_network, shipped_path
from twofold.evaluation.network import Design, Network
from twofold.evaluation.shrink import Shrunk, shrink
from twofold.evaluation.unpacked import map_network
from twofold.evaluation.weights import load_network, save_network
from twofold.players.default import meanwhile
from twofold.rules.variant import Variant
from twofold.search.expectimax import Searcher

DESIGN = Design(Variant(), ((0, 1, 2, 3), (4, 5, 6, 7)), 16, (8,))


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setattr(unpacked, "copies_folder", lambda: folder)
    return folder


@functools.cache
def small(seed: int) -> Shrunk:
    """A shrunk network, with stretches of zeros as pruned ones have them, one at the very end."""
    network = random_network(DESIGN, seed=seed)
    network.weights[:, 5_000:60_000] = 0
    network.weights[:, 65_000:] = 0
    return shrink(network, 10**7, quantum=0.25)


def shrunk(path: Path, seed: int = 1) -> Path:
    """A file of a shrunk network."""
    save_network(path, small(seed).network, small(seed).coded)
    return path


def copies(cache: Path) -> list[Path]:
    return sorted(cache.glob("*"))


def no_unpacking(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> Network:
        raise AssertionError("unpacked again")

    monkeypatch.setattr(unpacked, "load_network", refuse)


def test_the_copy_holds_what_the_file_holds(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = shrunk(tmp_path / "a")
    plain, first = load_network(path), map_network(path)
    no_unpacking(monkeypatch)
    second = map_network(path)
    (copy,) = copies(cache)
    for network in (first, second):
        assert network.weights.dtype == np.int16
        assert np.array_equal(network.weights, plain.weights)
        assert (network.design, network.scale, network.origin) == (plain.design, plain.scale, plain.origin)
        assert not network.weights.flags.writeable
        board = Board.parse("2 4 8 2|. . 4 .|. . . .|2 . . .")
        assert network.value(board) == plain.value(board) != 0
    assert copy.stat().st_size == (1 << 21) + plain.weights.nbytes


@pytest.mark.slow
def test_the_shipped_network_plays_the_same_from_the_copy() -> None:
    plain, mapped = load_network(shipped_path()), read_network()
    assert np.array_equal(plain.weights, mapped.weights)
    searcher = Searcher(from_network(mapped))
    for text in ("2 4 8 16|256 128 64 32|512 . . .|2 . . .", "131072 65536 4 2|2 . . .|. . . .|. . . 4"):
        board = Board.parse(text)
        searcher.start(State.of(board), depth=1)
        found = searcher.search(1)
        assert found is not None
        for direction in board.legal_moves():
            slide = board.slide(direction)
            assert found[direction] == pytest.approx(slide.reward + plain.value(slide.board), rel=1e-12)


def flip(copy: Path, at: int) -> None:
    data = bytearray(copy.read_bytes())
    data[at] ^= 255
    copy.write_bytes(data)


def keeping_the_time(copy: Path, harm: Callable[[], object]) -> None:
    status = copy.stat()
    harm()
    os.utime(copy, ns=(status.st_atime_ns, status.st_mtime_ns))


def overwrite(copy: Path) -> None:
    with copy.open("r+b") as stream:
        stream.seek(1 << 21)
        stream.write(b"\x01" * 4000)


def put_another(copy: Path) -> None:
    """The copy of another network under this one's name, with its time of writing."""
    map_network(shrunk(copy.parent.parent / "other", seed=9))
    (other,) = set(copies(copy.parent)) - {copy}
    os.replace(other, copy)


HARMS: dict[str, Callable[[Path], object]] = {
    "cut off": lambda copy: os.truncate(copy, copy.stat().st_size - 2),
    "cut off and filled up": lambda copy: [os.truncate(copy, 9000), os.truncate(copy, copy_size(DESIGN))],
    "cut off in secret": lambda copy: keeping_the_time(copy, lambda: os.truncate(copy, 9000)),
    "empty": lambda copy: copy.write_bytes(b""),
    "longer": lambda copy: copy.write_bytes(copy.read_bytes() + b"x"),
    "head": lambda copy: flip(copy, 30),
    "middle": lambda copy: flip(copy, (1 << 21) + 100_000),
    "end": lambda copy: flip(copy, -1),
    "gone": lambda copy: copy.unlink(),
    "overwritten, with its time put back": lambda copy: keeping_the_time(copy, lambda: overwrite(copy)),
    "of another network": put_another,
    "a folder": lambda copy: [copy.unlink(), copy.mkdir()],
}


def copy_size(design: Design) -> int:
    return (1 << 21) + 2 * design.entries * (len(design.stages) + 1)


@pytest.mark.parametrize("harm", HARMS)
def test_a_damaged_copy_is_made_anew(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, harm: str
) -> None:
    path = shrunk(tmp_path / "a")
    map_network(path)
    (copy,) = copies(cache)
    HARMS[harm](copy)
    expected = load_network(path).weights
    assert np.array_equal(map_network(path).weights, expected)
    if harm == "a folder":  # nothing is written there, and nothing is lost
        assert copies(cache) == [copy]
        return
    no_unpacking(monkeypatch)
    assert np.array_equal(map_network(path).weights, expected)


def fail(*_: Any, **__: Any) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


FAULTS: dict[str, tuple[Any, str, Any]] = {
    "no home": (Path, "mkdir", fail),
    "a nearly full disk": (shutil, "disk_usage", lambda _: SimpleNamespace(free=1000)),
    "a full disk": (os, "fsync", fail),
    "no renaming": (os, "replace", fail),
    "no mapping": (unpacked.mmap, "mmap", fail),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_without_a_copy_it_is_unpacked_in_memory(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    path = shrunk(tmp_path / "a")
    expected = load_network(path).weights
    monkeypatch.setattr(*FAULTS[fault])
    for _ in range(2):
        assert np.array_equal(map_network(path).weights, expected)
    if fault != "no mapping":
        assert copies(cache) == []


def test_a_file_in_the_place_of_the_folder(tmp_path: Path, cache: Path) -> None:
    cache.write_text("no folder")
    path = shrunk(tmp_path / "a")
    assert np.array_equal(map_network(path).weights, load_network(path).weights)
    assert cache.read_text() == "no folder"


def test_old_copies_do_not_pile_up(tmp_path: Path, cache: Path) -> None:
    cache.mkdir()
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    names = ("old.unpacked.1", "new.unpacked.1", f"killed.unpacked.{gone.pid}")
    halves = [cache / f".network-{name}.part" for name in names]
    for half in halves:
        half.write_bytes(b"half")
    os.utime(halves[0], (1e9, 1e9))
    (cache / "lines-open.npy").write_bytes(b"not ours")
    path = tmp_path / "a"
    made: list[Path] = []
    for seed in range(5):
        assert np.array_equal(map_network(shrunk(path, seed)).weights, load_network(path).weights)
        found = set(cache.glob("*.unpacked"))
        (new,) = found - set(made)
        assert found == {*made[-1:], new}
        os.utime(new, (1e9 + seed, 1e9 + seed))
        made.append(new)
    assert {each.name for each in set(copies(cache)) - set(made)} == {"lines-open.npy", halves[1].name}


PROCESS = """
import hashlib, sys
from pathlib import Path
from twofold.evaluation import learned, unpacked
unpacked.copies_folder = lambda: Path(sys.argv[2])
if sys.argv[3] == "mapped":
    unpacked.load_network = None
print(hashlib.sha256(unpacked.map_network(sys.argv[1]).weights.tobytes()).hexdigest())
"""


@pytest.mark.slow
def test_two_processes_at_once_and_a_third(tmp_path: Path) -> None:
    path = shrunk(tmp_path / "a")

    def begin(how: str) -> subprocess.Popen[str]:
        arguments = [sys.executable, "-c", PROCESS, str(path), str(tmp_path / "cache"), how]
        return subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)

    both = [begin("any"), begin("any")]
    found = {process.communicate(timeout=300)[0] for process in both}
    found.add(begin("mapped").communicate(timeout=300)[0])
    assert len(found) == 1
    assert len(found.pop()) == 65
    assert len(copies(tmp_path / "cache")) == 1


def test_a_network_of_ones_own_is_read_into_memory_of_its_own(tmp_path: Path, cache: Path) -> None:
    path = shrunk(tmp_path / "a")
    assert read_network(path).weights.flags.writeable
    assert load_network(path, learning=True).weights.flags.writeable
    save_network(tmp_path / "b", random_network(DESIGN))
    assert map_network(tmp_path / "b").weights.dtype == np.float32  # learned on, not shrunk
    assert not cache.exists()


def test_the_time_of_a_copy_is_that_of_its_writing(tmp_path: Path, cache: Path) -> None:
    begin = time.time()
    map_network(shrunk(tmp_path / "a"))
    (copy,) = copies(cache)
    assert begin - 2 <= copy.stat().st_mtime <= time.time()


def test_a_folder_that_cannot_keep_it_is_not_named_as_its_place(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(unpacked.UNPACKING, "add", lambda count: told.append(unpacked.UNPACKING.text))
    cache.parent.mkdir(parents=True, exist_ok=True)
    cache.write_text("a file, not a folder")
    assert map_network(shrunk(tmp_path / "a")).weights.size
    assert "unpacking the network: 0% (" in told[0]
    assert "which can't be kept in" in told[0]


def test_how_far_it_is_is_told_and_who_answers_meanwhile(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []

    def add(count: float) -> None:
        told.append(unpacked.UNPACKING.text)
        Unpacking.add(unpacked.UNPACKING, count)

    monkeypatch.setattr(unpacked.UNPACKING, "add", add)
    path = shrunk(tmp_path / "a")
    monkeypatch.setattr(learned, "shipped_path", lambda: path)
    monkeypatch.setattr(learned, "_unpacking", [])
    with learned._READING:  # it can't be done before it is asked for
        assert meanwhile("default:nodes=7", Board.empty(4, 4)) == "expectimax:nodes=7,cut=0.0001"
        assert meanwhile("default", Board.empty(3, 4)) is meanwhile("greedy", Board.empty(4, 4)) is None
    assert learned._unpacking[0].result().weights.size
    assert meanwhile("default:nodes=7", Board.empty(4, 4)) is None
    assert "once: 0%" in told[0]
    assert any("once: 9" in line for line in told)
    assert unpacked.UNPACKING.text == ""
    assert unpacked.is_unpacked(path)
