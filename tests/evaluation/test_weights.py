"""Networks in files: complete or refused, in one line, without running anything."""

from __future__ import annotations

import errno
import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors.numpy
import zstandard

from tests.evaluation.test_network import random_network
from twofold.errors import InvalidFile, InvalidParameter
from twofold.evaluation.network import Design, Network
from twofold.evaluation.shrink import shrink
from twofold.evaluation.tensors import write_tensors
from twofold.evaluation.weights import describe, load_network, save_network
from twofold.learn.settings import TrainingSettings
from twofold.learn.temporal import Training
from twofold.rules.board import Board
from twofold.rules.variant import Variant

DESIGN = Design(Variant.of_size(2, 3), ((0, 1, 2), (1, 4)), 8, (5,))


def saved(path: Path, network: Network) -> bytes:
    save_network(path, network)
    return path.read_bytes()


def test_round_trip(tmp_path: Path) -> None:
    network = random_network(DESIGN)
    network.errors = np.ones((*network.weights.shape, 2), np.float32)
    network.origin = {"games": "12", "command": "twofold train ntuple — 2×3"}
    saved(tmp_path / "a", network)
    again = load_network(tmp_path / "a", learning=True)
    assert again.design == DESIGN
    assert again.origin == network.origin
    assert (again.weights == network.weights).all()
    assert again.errors is not None
    assert load_network(tmp_path / "a").errors is None


def test_the_layout_is_safetensors(tmp_path: Path) -> None:
    network = random_network(DESIGN)
    plain = zstandard.ZstdDecompressor().decompressobj().decompress(saved(tmp_path / "a", network))
    assert (safetensors.numpy.load(plain)["weights"] == network.weights).all()


def test_shrinking_keeps_what_fits(tmp_path: Path) -> None:
    design = Design(tuples=((0, 1, 2, 3), (4, 5, 6, 7)))
    network = random_network(design)
    network.errors = np.abs(np.random.default_rng(3).normal(0, 1, (*network.weights.shape, 2))).astype(
        np.float32
    )
    whole = shrink(network, 10**6, quantum=0.5)
    assert whole.kept > 0.99  # the rest round to 0
    assert np.abs(whole.network.weights * 0.5 - network.weights).max() <= 0.2501
    half = shrink(network, whole.coded.size // 4, quantum=0.5)
    assert 0.2 < half.kept < 0.95
    assert 0.9 * (whole.coded.size // 4) < half.coded.size <= whole.coded.size // 4
    known = network.errors[..., 1]
    off = np.abs(half.network.weights * 0.5 - network.weights)
    rare, common = known < np.quantile(known, 0.2), known > np.quantile(known, 0.8)
    assert off[rare].mean() > 1.5 * off[common].mean()  # the least known lost most
    save_network(tmp_path / "small", half.network, half.coded)
    assert (tmp_path / "small").stat().st_size < half.coded.size + 2000
    again = load_network(tmp_path / "small")
    assert again.weights.dtype == np.int16
    assert again.scale == 0.5
    board = Board.parse("2 4 8 2|. . 4 .|. . . .|2 . . .")
    assert again.value(board) == half.network.value(board)
    with pytest.raises(InvalidParameter, match="already shrunk"):
        shrink(again, 10**6)


def test_stages_are_shrunk_as_differences() -> None:
    before = random_network(Design(tuples=((0, 1, 2, 3),)))
    network = before.with_stages((8, 12))
    network.weights[0, :100] += 50
    network.weights[1, 50:200] += 70
    network.weights[2, 150:300] += 90
    network.weights[:, 1000:] = 0
    before.weights[:, 1000:] = 0
    small = shrink(network, 10**6, quantum=1.0, split=before).network.weights
    plain = np.rint(network.weights).astype(np.int16)
    assert (small[0, :100] == plain[0, :100]).all()
    assert (small[1, 50:200] == plain[1, 50:200]).all()
    assert (small[2, 150:300] == plain[2, 150:300]).all()
    assert (small[:, 1000:] == 0).all()
    assert (small[1, :50] == small[0, :50]).all()  # not changed by the second stage
    assert (small[2, 300:] == small[1, 300:]).all()
    with pytest.raises(InvalidParameter, match="nor images of them"):
        shrink(network, 10**6, split=random_network(DESIGN))


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a"
    data = saved(path, random_network(DESIGN))
    bad = [b"", data[:40], data[:-10], data + b"x" * 9, os.urandom(500), b"not a network", pickle.dumps([1])]
    bad += [
        data[:at] + bytes([data[at] ^ 255]) + data[at + 1 :]
        for at in range(0, len(data), max(1, len(data) // 40))
    ]
    for content in bad:
        path.write_bytes(content)
        with pytest.raises(InvalidFile) as refusal:
            load_network(path)
        assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("key", "value", "part"),
    [
        ("format", "other", "format"),
        ("version", "2", "version"),
        ("variant", "9x9;p4=7", "rules"),
        ("tuples", "0123", "size"),
        ("base", "16", "size"),
        ("stages", "", "size"),
        ("scale", "nan", "scale"),
        ("base", "x", "damaged"),
    ],
)
def test_wrong_metadata_is_refused(tmp_path: Path, key: str, value: str, part: str) -> None:
    network = random_network(DESIGN)
    write_tensors(tmp_path / "a", {"weights": network.weights}, describe(network) | {key: value})
    with pytest.raises(InvalidFile, match=part):
        load_network(tmp_path / "a")


def test_places_that_are_no_files(tmp_path: Path) -> None:
    with pytest.raises(InvalidFile, match="directory"):
        load_network(tmp_path)
    with pytest.raises(InvalidFile, match="No such file"):
        load_network(tmp_path / "none")
    with pytest.raises(InvalidFile, match="directory"):
        save_network(tmp_path, random_network(DESIGN))
    with pytest.raises(InvalidFile, match="No such file"):
        save_network(tmp_path / "none" / "a", random_network(DESIGN))


def test_a_full_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = saved(tmp_path / "a", random_network(DESIGN))

    def full(_descriptor: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InvalidFile, match="No space left"):
        save_network(tmp_path / "a", random_network(DESIGN, seed=2))
    assert (tmp_path / "a").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


@pytest.mark.slow
def test_a_shrunk_network_is_thawed_to_learn_on() -> None:
    network = Network.fresh(Design(tuples=((0, 1),)), coherent=True)
    network.weights[:] = np.arange(256) * 4
    network.errors[:] = 1
    network = network.with_local_tuples()
    small = shrink(network, 100_000, quantum=8.0).network
    large = small.dequantised()
    assert (large.weights.dtype, large.scale, large.errors) == (np.float32, 1.0, None)
    assert np.abs(large.weights - network.weights).max() <= 4
    list(Training(large, TrainingSettings(games=2, evaluation_games=0)).run())
    known = small.dequantised(0.25).errors
    assert known is not None
    there = small.weights != 0
    assert (known[there][:, 0] == 0.25 * known[there][:, 1]).all()
    assert (known[there] > 0).all()
    assert (known[~there] == 0).all()
    with pytest.raises(InvalidParameter, match="above 0"):
        small.dequantised(0.0)


def test_what_an_older_version_shrank_is_refused_with_the_way_out(tmp_path: Path) -> None:
    network = random_network(DESIGN)
    planes = np.zeros(network.weights.shape, np.uint8)
    write_tensors(tmp_path / "a", {"high": planes, "low": planes}, describe(network))
    with pytest.raises(InvalidFile, match="shrink its checkpoint again"):
        load_network(tmp_path / "a")


def test_streams_that_cannot_be_are_refused(tmp_path: Path) -> None:
    network = random_network(DESIGN)
    small = shrink(network, 10**6, quantum=1.0)
    size = small.coded.size
    codes = np.concatenate(small.coded.streams)
    for ends in ([size, 9], [9, size + 1], [-1, size], [0, 0]):
        write_tensors(
            tmp_path / "a",
            {"ends": np.array(ends, "<i8"), "codes": codes},
            describe(small.network),
        )
        with pytest.raises(InvalidFile, match="ends"):
            load_network(tmp_path / "a")


def test_what_a_quantum_cannot_hold_is_refused() -> None:
    network = random_network(DESIGN)
    with pytest.raises(InvalidParameter, match="a quantum of at least"):
        shrink(network, 10**6, quantum=1e-6)
    network.weights[0, 0] = np.nan
    with pytest.raises(InvalidParameter, match="not a finite number"):
        shrink(network, 10**6)


def test_what_stages_were_split_from_is_a_checkpoint() -> None:
    before = random_network(Design(tuples=((0, 1, 2, 3),)))
    small = shrink(before, 10**6, quantum=1.0).network
    with pytest.raises(InvalidParameter, match="checkpoint"):
        shrink(before.with_stages((8,)), 10**6, split=small)


def test_streams_with_something_behind_are_refused(tmp_path: Path) -> None:
    small = shrink(random_network(DESIGN), 10**6, quantum=1.0)
    streams = [*small.coded.streams[:-1], np.append(small.coded.streams[-1], np.zeros(9, np.uint8))]
    ends = np.cumsum([len(stream) for stream in streams]).astype("<i8")
    codes = np.concatenate(streams)
    write_tensors(tmp_path / "a", {"ends": ends, "codes": codes}, describe(small.network))
    with pytest.raises(InvalidFile, match="damaged"):
        load_network(tmp_path / "a")
