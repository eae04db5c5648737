"""A policy as a table: CSV and Parquet for other programs, SQLite for looking up and playing (report S4, 6.2).

One row per afterstate: its canonical board as text (SQLite: as the number of policy.py), and its value. Rows
go into the database in batches inside one transaction, which is what S4 found missing; `SqlSource` keeps what it has
read in a local buffer.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from twofold.checking import checked_json, told_as_file
from twofold.errors import InvalidFile, InvalidParameter, quote
from twofold.exact.policy import Facts, Policy
from twofold.exact.problem import Problem, decode, losses
from twofold.files import begins, check_target, replacing

BATCH = 10_000
"""Rows written together."""

_SCHEMA = """
CREATE TABLE about (facts TEXT NOT NULL);
CREATE TABLE afterstate (board INTEGER PRIMARY KEY, word INTEGER NOT NULL) WITHOUT ROWID;
"""


def _board_text(policy: Policy, number: int) -> str:
    word = 0
    for i, bit in enumerate(policy.layout.bits.values()):
        word |= (number >> 4 * i & 15) << bit
    return str(policy.layout.unpack(word))


def _columns(policy: Policy) -> Iterator[dict[str, list[Any]]]:
    """The rows, some thousands at a time: tile_sum, afterstate, value, and for chances loss."""
    chance = policy.problem.chance
    for layer, keys, words in policy.source.sections():
        for at in range(0, len(keys), BATCH):
            numbers, part = keys[at : at + BATCH].tolist(), words[at : at + BATCH]
            rows: dict[str, list[Any]] = {
                "tile_sum": [2 * layer] * len(numbers),
                "afterstate": [_board_text(policy, number) for number in numbers],
                "value": decode(part, chance).tolist(),
            }
            yield rows | {"loss": losses(part).tolist()} if chance else rows


OnRows = Callable[[int], None]
"""Told how many rows are written."""


def _untold(_: int) -> None:
    """Nobody wants to know."""


def write_csv(policy: Policy, path: str | os.PathLike[str], progress: OnRows = _untold) -> int:
    """Write tile_sum (of the tiles that aren't locked), afterstate, value and, for chances, loss.

    Returns the number of rows. Raises InvalidFile.
    """
    rows = 0
    with replacing(path) as stream:
        for columns in _columns(policy):
            if not rows:
                stream.write(f"{','.join(columns)}\n".encode())
            lines = zip(*columns.values(), strict=True)
            stream.write("".join(f"{','.join(map(str, line))}\n" for line in lines).encode())
            rows += len(columns["value"])
            progress(rows)
    return rows


def write_parquet(policy: Policy, path: str | os.PathLike[str], progress: OnRows = _untold) -> int:
    """As `write_csv`, as a Parquet file. Raises InvalidParameter without pyarrow, InvalidFile if it can't write."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise InvalidParameter("Parquet needs pyarrow: pip install 'twofold[parquet]'") from None
    kinds = {"tile_sum": pyarrow.int64(), "afterstate": pyarrow.string(), "value": pyarrow.float64()}
    if policy.problem.chance:
        kinds["loss"] = pyarrow.float64()
    schema = pyarrow.schema(list(kinds.items()))
    rows = 0
    with replacing(path) as stream, parquet.ParquetWriter(stream, schema) as writer:
        for columns in _columns(policy):
            writer.write_table(pyarrow.table(columns, schema=schema))
            rows += len(columns["value"])
            progress(rows)
    return rows


def write_sqlite(policy: Policy, path: str | os.PathLike[str], progress: OnRows = _untold) -> int:
    """Write a database; returns the number of rows. Raises InvalidFile, also where the file is there already."""
    if Path(path).exists():
        raise InvalidFile(f"{quote(str(path))} already exists")
    rows = 0
    # SQLite fills the part that is renamed in the end: it wants a name, and takes an empty file for a new database.
    with replacing(path) as stream:
        try:
            with closing(sqlite3.connect(stream.name)) as base, base:
                base.executescript(f"PRAGMA journal_mode=MEMORY; {_SCHEMA}")
                base.execute("INSERT INTO about VALUES (?)", (json.dumps(policy.facts),))
                for batch in _batches(policy):
                    base.executemany("INSERT INTO afterstate VALUES (?, ?)", batch)
                    rows += len(batch)
                    progress(rows)
        except sqlite3.Error as error:
            raise InvalidFile(f"can't write {quote(str(path))}: {error}") from None
    return rows


def check_table(path: str) -> None:
    """Refuses, before the work, a file that `write_table` can't write. Raises InvalidFile."""
    if Path(path).suffix not in _WRITERS:
        raise InvalidFile(f"{path}: the name must end in .csv, .parquet or .sqlite")
    if Path(path).suffix == ".csv":
        check_target(path, "a table of a policy", begins(b"tile_sum,"))
    else:
        check_target(path)


def write_table(policy: Policy, path: str, progress: OnRows = _untold) -> int:
    """Write every afterstate with its value as .csv, .parquet or .sqlite; returns how many. Raises InvalidFile."""
    check_table(path)
    return _WRITERS[Path(path).suffix](policy, path, progress)


_WRITERS = {".csv": write_csv, ".parquet": write_parquet, ".sqlite": write_sqlite}


def _batches(policy: Policy) -> Iterator[list[tuple[int, int]]]:
    for _, keys, words in policy.source.sections():
        signed = words.view(np.int64).tolist()
        numbers = keys.view(np.int64).tolist()
        for at in range(0, len(numbers), BATCH):
            yield list(zip(numbers[at : at + BATCH], signed[at : at + BATCH], strict=True))


class SqlSource:
    """Values from a database, with a buffer of what was read before."""

    def __init__(
        self, path: str, base: sqlite3.Connection, bits: tuple[int, ...], *, buffer: int = 100_000
    ) -> None:
        self._path, self._base, self._bits, self._most = path, base, bits, buffer
        self._buffer: dict[int, int | None] = {}

    def find(self, layer: int, key: int) -> int | None:
        """The word of an afterstate, None if it isn't there."""
        word = sum((key >> bit & 15) << 4 * i for i, bit in enumerate(self._bits))
        number = word - (1 << 64) if word >> 63 else word  # as SQLite keeps 64 bits
        if number not in self._buffer:
            if len(self._buffer) >= self._most:
                self._buffer.clear()
            with told_as_file(self._path, "policy database"):
                row = self._base.execute("SELECT word FROM afterstate WHERE board = ?", (number,)).fetchone()
            if row is not None and type(row[0]) is not int:
                raise InvalidFile(
                    f"{quote(self._path)} is damaged: the value of a board is not a whole number"
                )
            self._buffer[number] = None if row is None else row[0] & (1 << 64) - 1
        return self._buffer[number]

    def sections(self) -> Iterator[tuple[int, Any, Any]]:
        """Not kept by layer in a database."""
        raise InvalidFile("this is already a database: read its table 'afterstate'")


def load_sqlite(path: str | os.PathLike[str]) -> Policy:
    """Open a database of `write_sqlite`. Raises InvalidFile for anything else."""
    if not Path(path).is_file():
        raise InvalidFile(f"can't read {quote(str(path))}: no such file")
    with told_as_file(path, "policy database"):
        base = sqlite3.connect(f"{Path(path).absolute().as_uri()}?mode=ro", uri=True, check_same_thread=False)
        text = base.execute("SELECT facts FROM about").fetchone()[0]
        checked_json(text, Facts)
        facts = json.loads(text)
        base.execute("SELECT board, word FROM afterstate LIMIT 1")
        problem = Problem.from_facts(facts["problem"])
        return Policy(problem, SqlSource(str(path), base, tuple(problem.layout().bits.values())), facts)
