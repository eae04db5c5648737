"""Files that nobody here wrote, with right checksums: refused in one line or read, and nothing else happens."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import sqlite3
import struct
import subprocess
import sys
import threading
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zstandard

from tests.thorough import quick_ones
from tests.ui.command import here
from tests.waiting import at_once
from twofold.arena.play import play_run
from twofold.arena.store import Store
from twofold.arena.summary import summarise
from twofold.errors import InvalidFile, StoreError, TwofoldError
from twofold.evaluation.network import Design, Network
from twofold.evaluation.neural import NeuralDesign, NeuralNetwork, load_neural, save_neural
from twofold.evaluation.tuples import parse_tuples
from twofold.evaluation.weights import load_network, save_network
from twofold.exact import formation_files
from twofold.exact.export import load_sqlite, write_sqlite
from twofold.exact.formation_files import HEAD, make_table, open_table
from twofold.exact.formation_sets import block
from twofold.exact.layers import DiskLayers
from twofold.exact.policy_file import _digest, load_policy, save_policy
from twofold.exact.problem import MAX_PROBABILITY, Problem
from twofold.exact.solver import solve
from twofold.files import check_target, write_file
from twofold.learn.settings import TrainingSettings, TupleStart
from twofold.learn.temporal import Training
from twofold.records.formats import decode_record, encode_record
from twofold.records.record import Record
from twofold.rules import Board, Variant
from twofold.tune.driver import best_of_record, read_record, recorded_settings
from twofold.tune.settings import Settings

Capture = pytest.CaptureFixture[str]

HOSTILE: tuple[Any, ...] = (
    float("inf"), float("-inf"), float("nan"), 1e400, -1, 1.5, 10**30, -(10**30), 1 << 63, True, None, "", "x", "\x00",
    "9" * 5000, [], [[]], {}, [1, 2], {"a": 1}, [[[[[[]]]]]], "1e999", "inf", "../../etc/passwd",
)  # fmt: skip


def leaves(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of all values within, the containers too; of a long list the first."""
    if at:
        yield at
    if isinstance(value, dict):
        for key in value:
            yield from leaves(value[key], (*at, key))
    elif isinstance(value, list):
        for i in range(min(len(value), 2)):
            yield from leaves(value[i], (*at, i))


def variations(facts: Any) -> Iterator[tuple[str, Any]]:
    """Each value in turn replaced by each hostile one, and left out."""
    for at in leaves(facts):
        for bad in (*HOSTILE, "gone"):
            copy = json.loads(json.dumps(facts))
            within = copy
            for step in at[:-1]:
                within = within[step]
            if bad == "gone":
                del within[at[-1]]
            else:
                within[at[-1]] = bad
            yield f"{at} = {bad!r:.40}", copy


def is_told(read: Callable[[], Any], what: str) -> None:
    """Reading either works or is refused in one line."""
    try:
        read()
    except TwofoldError as error:
        assert "\n" not in str(error), what
        assert len(str(error)) < 800, what
    except Exception as error:
        raise AssertionError(f"{what}: {type(error).__name__}: {error}") from error


def with_header(path: Path, header: dict[str, Any], body: bytes) -> None:
    text = json.dumps(header).encode()
    raw = struct.pack("<Q", len(text)) + text + body
    path.write_bytes(zstandard.ZstdCompressor(write_checksum=True).compress(raw))


def parts_of(path: Path) -> tuple[dict[str, Any], bytes]:
    raw = zstandard.ZstdDecompressor().stream_reader(path.read_bytes()).read()
    (length,) = struct.unpack("<Q", raw[:8])
    return json.loads(raw[8 : 8 + length]), raw[8 + length :]


def tuple_network() -> Network:
    return Network.fresh(Design(variant=Variant.of_size(2, 2), tuples=parse_tuples("01 23", 4), base=8))


def test_headers_of_networks(tmp_path: Path) -> None:
    good, bad = tmp_path / "good", tmp_path / "bad"
    network = tuple_network()
    network.origin |= {"games": "3", "moves": "40", "next": "3", "seconds": "1.5", "seed": "7"}
    save_network(good, network)
    header, body = parts_of(good)

    def learn_on() -> None:
        Training(load_network(bad, learning=True), TrainingSettings(games=1, evaluation_games=0))

    for what, crafted in variations(header):
        with_header(bad, crafted, body)
        is_told(learn_on if "origin" in what else lambda: load_network(bad), what)


@pytest.mark.parametrize("every", quick_ones([16, 1], (16).__eq__))
def test_headers_of_neural_networks(tmp_path: Path, every: int) -> None:
    good, bad = tmp_path / "good", tmp_path / "bad"
    save_neural(good, NeuralNetwork.fresh(NeuralDesign(2, 16, 16)))
    header, body = parts_of(good)
    for what, crafted in itertools.islice(variations(header), 0, None, every):
        with_header(bad, crafted, body)
        is_told(lambda: load_neural(bad), what)


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("crafted") / "policy"
    save_policy(path, solve(Problem(Variant(start=Board.parse("##|##"), target=16), MAX_PROBABILITY)))
    return path


BOARD = Board.parse("2 4|. .")


def test_headers_of_policies(policy: Path, tmp_path: Path) -> None:
    raw, bad = policy.read_bytes(), tmp_path / "bad"
    (length,) = struct.unpack("<Q", raw[-24:-16])
    facts, body = json.loads(raw[-24 - length : -24]), raw[: -24 - length]
    for what, crafted in variations(facts):
        text = json.dumps(crafted).encode()
        bad.write_bytes(body + text + struct.pack("<Q", len(text)) + _digest(text) + raw[-8:])
        is_told(lambda: load_policy(bad, verify=True).moves(BOARD), what)


@pytest.mark.slow
def test_databases_of_policies(policy: Path, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.sqlite", tmp_path / "bad.sqlite"
    write_sqlite(load_policy(policy), good)
    facts = json.loads(sqlite3.connect(good).execute("SELECT facts FROM about").fetchone()[0])

    def change(statement: str, *values: Any) -> None:
        bad.write_bytes(good.read_bytes())
        with contextlib.closing(sqlite3.connect(bad)) as base, base:
            base.execute("PRAGMA synchronous=OFF")
            base.execute(statement, values)

    for what, crafted in variations(facts):
        change("UPDATE about SET facts = ?", json.dumps(crafted))
        is_told(lambda: load_sqlite(bad).moves(BOARD), what)
    for value in ("text", b"blob", 1.5, b"", "9" * 50):
        change("UPDATE afterstate SET word = ?", value)
        with pytest.raises(InvalidFile, match="not a whole number"):
            load_sqlite(bad).moves(BOARD)
    for value in (b"\x80", "{", "[" * 100_000, b"", "null", "[1]"):
        change("UPDATE about SET facts = ?", value)
        with pytest.raises(InvalidFile):
            load_sqlite(bad)


def test_progress_of_exact_solutions(tmp_path: Path) -> None:
    problem = Problem(Variant(start=Board.parse("##|##"), target=16), MAX_PROBABILITY)
    solve(problem, layers=DiskLayers(tmp_path))
    progress = tmp_path / "progress.json"
    facts = json.loads(progress.read_text())
    for what, crafted in variations(facts):
        progress.write_text(json.dumps(crafted))
        is_told(lambda: DiskLayers(tmp_path).facts(), what)
    for text in ("[" * 100_000, "{", "null", "[]", "\x80", ""):
        progress.write_text(text)
        with pytest.raises(InvalidFile):
            DiskLayers(tmp_path).facts()


def with_head(path: Path, facts: dict[str, Any], body: bytes) -> None:
    text = json.dumps(facts).encode()
    head = b"twofold formation table\n%08x %b\n" % (zlib.crc32(text), text)
    path.write_bytes(head[:HEAD].ljust(HEAD) + body)


def head_of(path: Path) -> tuple[dict[str, Any], bytes]:
    raw = path.read_bytes()
    return json.loads(raw[:HEAD].split(b"\n")[1][9:]), raw[HEAD:]


def test_heads_of_formation_tables(tmp_path: Path) -> None:
    good, bad = tmp_path / "block-2.formation", tmp_path / "bad.formation"
    make_table(block(2), good, threads=1)
    facts, body = head_of(good)
    with_head(bad, facts, body)
    open_table(bad)
    for what, crafted in variations(facts):
        with_head(bad, crafted, body)
        is_told(lambda: open_table(bad), what)


@pytest.mark.slow
def test_half_made_formation_tables_of_others_are_begun_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, stop = tmp_path / "block-2.formation", threading.Event()
    make_table(block(2), path, threads=1)
    good = path.read_bytes()
    path.unlink()
    monkeypatch.setattr(formation_files, "_KEEP_SECONDS", 0.0)
    assert not make_table(
        block(2), path, threads=1, stop=stop, on_progress=lambda at: stop.set() if at.done > 999 else None
    )
    part, state = path.with_suffix(".part"), path.with_suffix(".state")
    half = part.read_bytes()
    facts, layers = head_of(state)

    def made(part_now: bytes, facts_now: dict[str, Any], layers_now: bytes) -> list[int]:
        """Positions done each time that it is told; the table is right whatever lay there."""
        told: list[int] = []
        part.write_bytes(part_now)
        with_head(state, facts_now, layers_now)
        make_table(block(2), path, threads=1, on_progress=lambda at: told.append(at.done))
        assert path.read_bytes() == good
        return told

    anew = made(half[:-1], facts, layers)  # shorter than it says
    assert made(half, facts, layers)[0] > facts["done"] >= 999 > anew[0]
    assert made(half[:-1] + bytes([half[-1] ^ 0xFF]), facts, layers) == anew
    short = layers[: len(layers) // 2]
    assert made(half, {**facts, "layers": zlib.crc32(short)}, short) == anew
    assert made(half, {**facts, "layer": facts["layer"] - 1}, layers) == anew
    for what, crafted in variations(facts):
        if not what.startswith("('formation'"):
            made(half, crafted, layers)


def test_records_of_games() -> None:
    facts = {"twofold": 1, "variant": "4x4", "seed": 7, "index": 0, "moves": "LDL", "undone": "U", "spawns": "8@2,4@2",
             "start_score": 12, "changes": "2:tl-rows,2"}  # fmt: skip
    for what, crafted in variations(facts):
        data = json.dumps(crafted).encode()
        for use in (Record.replay, lambda record: record.first(2), lambda record: record.to_fragment()):
            is_told(lambda use=use, data=data: use(decode_record(data, ".json")), what)
        for form in ("twofold", "rpl"):
            is_told(
                lambda form=form, data=data: encode_record(decode_record(data, ".json"), form, last=True),
                what,
            )


def test_records_of_tunings(tmp_path: Path) -> None:
    result = {"weights": [1.0, 2.0], "games": 3, "fitness": 1.5, "error": 0.1, "mean_score": 3.0, "rates": {}}
    best = {"evaluation": "default", "player": "expectimax:nodes=2000", "weights": {}}
    facts = {
        "format": 1,
        "settings": Settings("default", weights=("empty", "merges")).as_json(),
        "generations": [[result]],
        "best": best,
    }
    path = tmp_path / "tuning.json"

    def read() -> None:
        record = read_record(tmp_path)
        assert record is not None
        recorded_settings(record, tmp_path)
        best_of_record(str(tmp_path))

    path.write_text(json.dumps(facts))
    read()
    for what, crafted in variations(facts):
        path.write_text(json.dumps(crafted))
        is_told(read, what)


@pytest.fixture
def store(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, games in (("a", "8"), ("b", "1")):
        more = ["--size", "2x2", "--store", "a.db", "-j", "1"]
        here(capsys, "arena", "run", "-p", "greedy", "-n", games, "--name", name, *more)
    return tmp_path / "a.db"


def set_value(store: Path, statement: str, value: Any) -> None:
    with (
        contextlib.closing(sqlite3.connect(store)) as base,
        base,
        contextlib.suppress(sqlite3.IntegrityError),
    ):
        base.execute(statement, (value,))


COLUMNS = {
    "twofold_run": ("name", "variant", "seed", "stop_at_target", "games", "created"),
    "twofold_entrant": ("player", "chunk", "meaning", "position"),
    "twofold_game": ("score", "max_tile", "moves", "seconds", "won", "reason", "nodes", "tiles"),
    "twofold_session": ("host", "process", "process_start", "beat", "version"),
}
VALUES = ("text", b"blob", 1.5, -5, 0, 1 << 62, float("inf"), "", "x" * 10_000, "2026")


@pytest.mark.slow
def test_values_of_stores(store: Path) -> None:
    good = store.read_bytes()

    def use() -> None:
        with Store(str(store), create=False) as opened:
            for run in opened.runs():
                opened.done(run)
            run = opened.run("a")
            summarise(opened, run).as_json()
            list(opened.exported(run))
            play_run(opened, run, jobs=1, seconds=40)
            assert sum(opened.done(run).values()) == run.games

    for table, columns in COLUMNS.items():
        for column in columns:
            for value in VALUES:
                store.write_bytes(good)
                key = "game = 0" if table == "twofold_game" else "id = 1"
                set_value(store, f"UPDATE {table} SET {column} = ? WHERE {key}", value)
                with at_once(60):
                    is_told(use, f"{table}.{column} = {value!r:.30}")


def test_games_that_are_none_and_claims_of_nobody_hold_nothing_up(store: Path) -> None:
    with contextlib.closing(sqlite3.connect(store)) as base, base:
        base.execute("DELETE FROM twofold_game WHERE game >= 4")
        base.execute("INSERT INTO twofold_claim SELECT id, 0, 999 FROM twofold_entrant LIMIT 1")
    with Store(str(store)) as opened:
        play_run(opened, opened.run("a"), jobs=1)
        assert sum(opened.done(opened.run("a")).values()) == 8
    with contextlib.closing(sqlite3.connect(store)) as base, base:
        base.execute("UPDATE twofold_game SET game = 'three' WHERE game = 3")
    with Store(str(store)) as opened, pytest.raises(StoreError, match="damaged: game 'three'"):
        opened.run("a")


@pytest.mark.parametrize("damaged", [b"CREATE TABLE \xff\xfe\xfd\xfc\xfb", b"CREATE TABLX \xffwofold"])
def test_a_store_with_names_that_are_no_text_is_refused(store: Path, damaged: bytes) -> None:
    data = store.read_bytes()
    assert b"CREATE TABLE twofo" in data
    store.write_bytes(data.replace(b"CREATE TABLE twofold"[: len(damaged)], damaged))
    with pytest.raises(StoreError), Store(str(store), create=False) as opened:
        opened.run("a")


def test_a_small_file_that_takes_gigabytes_is_refused_before_it_takes_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "large"
    design = Design(tuples=parse_tuples("0123456 1234567", 16))  # 2 * 16^7 entries, 2 GB
    entries = design.entries
    texts = {"format": "twofold tuple network", "version": "1", "variant": str(design.variant), "tuples": design.text,
             "base": "16", "stages": "", "scale": "1.0"}  # fmt: skip
    header = {
        "__metadata__": texts,
        "weights": {"dtype": "F32", "shape": [1, entries], "data_offsets": [0, 4 * entries]},
    }
    text = json.dumps(header).encode()
    with path.open("wb") as stream, zstandard.ZstdCompressor().stream_writer(stream) as out:
        out.write(struct.pack("<Q", len(text)) + text)
        for _ in range(4 * entries >> 24):
            out.write(bytes(1 << 24))
    monkeypatch.setattr(np, "empty", lambda *_, **__: pytest.fail("memory was taken"))
    with pytest.raises(InvalidFile, match=r"expand to 2\.1 GB"):
        load_network(path)
    monkeypatch.setattr("twofold.evaluation.tensors.free_memory", lambda: 1 << 30)
    with pytest.raises(TwofoldError, match=r"takes 2\.1 GB of memory, of which 1\.1 are free"):
        load_network(path, learning=True)


def test_a_resumed_training_keeps_its_seed(tmp_path: Path) -> None:
    path = tmp_path / "network"
    for seed, expected in ((7, "7"), (None, "7"), (8, "8"), (None, "8")):
        start = TupleStart(
            **({"resume": str(path)} if path.exists() else {"variant": Variant.of_size(2, 3)})
        ).network()
        training = Training(start, TrainingSettings(games=2, evaluation_games=0, seed=seed))
        for _ in training.run(str(path)):
            pass
        assert load_network(path).origin["seed"] == expected


@pytest.mark.skipif(os.name == "nt", reason="links and pipes as on Unix")
def test_places_where_no_file_can_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    os.symlink("loop", "loop")
    os.mkfifo("pipe")
    for place, why in (("loop", "symbolic links"), ("pipe", "nothing reads")):
        with pytest.raises(InvalidFile, match=why):
            write_file(place, "text")
    with pytest.raises(InvalidFile, match="symbolic links"):
        check_target("loop")  # before the work
    assert sorted(path.name for path in tmp_path.iterdir()) == ["loop", "pipe"]


def test_what_a_killed_process_left_is_tidied(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True
    )
    gone, alive = tmp_path / f".a.{int(done.stdout)}.part", tmp_path / f".a.{os.getppid()}.part"
    for part in (gone, alive, tmp_path / ".ab.1.part", tmp_path / ".a.part"):
        part.write_text("half")
    write_file(tmp_path / "a", "whole")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        [alive.name, ".ab.1.part", ".a.part", "a"]
    )


def test_a_database_that_the_disk_had_no_room_for_is_not_there(policy: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.sqlite"
    read = load_policy(policy)
    with pytest.raises(RuntimeError):
        write_sqlite(read, out, fail)
    assert list(tmp_path.iterdir()) == []
    assert write_sqlite(read, out) > 0


def fail(_: int) -> None:
    raise RuntimeError
