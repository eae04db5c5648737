"""The rows of a run as a file for other programs: CSV, JSON (one array of objects) or Parquet."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from twofold.arena.replay import last_boards
from twofold.arena.schema import EXPORTED
from twofold.arena.store import Run, Store
from twofold.arena.summary import summarise
from twofold.errors import InvalidParameter, did_you_mean, quote
from twofold.files import begins, check_target, replacing

Names = tuple[str, ...]
Rows = Iterator[tuple[Any, ...]]

KINDS = ("csv", "json", "parquet")
_WHOLE = ("game", "score", "max_tile", "moves", "nodes", "table_hits", "pruned", "depths")


BOARD = "last_board"
"""The column that only some rows have."""


def export(store: Store, run: Run, kind: str, out: str | None, *, boards: bool = False) -> int:
    """Writes all rows of `run` to the file `out`, or to standard output for None; returns how many there are.

    The columns are those of the view ``twofold_games``. boards: a column more, the last board in the rows of each
    player's best and worst game (`replay.Extreme`). Raises InvalidParameter for another kind and InvalidFile.
    """
    _check_kind(kind)
    names: Names = EXPORTED
    rows: Rows = store.exported(run)
    if boards:
        names, rows = (*EXPORTED, BOARD), _with_boards(store, run, rows)
    if kind == "parquet":
        return _to_parquet(names, rows, out)
    with _opened(out) as stream:
        return (_to_csv if kind == "csv" else _to_json)(names, rows, stream)


def check_export(kind: str, out: str) -> None:
    """Refuses, before the work, a file that `export` can't write. Raises InvalidParameter, InvalidFile."""
    _check_kind(kind)
    heads = {"csv": b"name,player,", "json": b"[", "parquet": b"PAR1"}
    check_target(out, f"games as {kind}", begins(heads[kind]))


def _check_kind(kind: str) -> None:
    if kind not in KINDS:
        raise InvalidParameter(
            f"can't export to {quote(kind)}: {', '.join(KINDS)}{did_you_mean(kind, KINDS)}"
        )


def _with_boards(store: Store, run: Run, rows: Rows) -> Rows:
    known = {(each.player, each.game): each.board for each in last_boards(summarise(store, run))}
    player, game = EXPORTED.index("player"), EXPORTED.index("game")
    for row in rows:
        board = known.get((row[player], row[game]))
        yield (*row, None if board is None else str(board))


def csv_text(store: Store, run: Run) -> str:
    """All rows as CSV with a header."""
    stream = io.StringIO()
    _to_csv(EXPORTED, store.exported(run), stream)
    return stream.getvalue()


@contextmanager
def _opened(out: str | None) -> Iterator[TextIO]:
    if out is None:
        yield sys.stdout
        return
    with replacing(out) as raw:
        stream = io.TextIOWrapper(raw, encoding="utf-8", newline="")
        yield stream
        stream.detach()  # what it held goes on to `raw`, which `replacing` closes


def _to_csv(names: Names, rows: Rows, stream: TextIO) -> int:
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(names)
    count = 0
    for row in rows:
        writer.writerow(row)
        count += 1
    return count


def _to_json(names: Names, rows: Rows, stream: TextIO) -> int:
    count = 0
    for row in rows:
        stream.write(("[\n" if not count else ",\n") + json.dumps(dict(zip(names, row, strict=True))))
        count += 1
    stream.write("\n]\n" if count else "[]\n")
    return count


def _to_parquet(names: Names, rows: Rows, out: str | None) -> int:
    if out is None:
        raise InvalidParameter("Parquet is not text: name a file with --out")
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise InvalidParameter("Parquet needs pyarrow: pip install 'twofold[parquet]'") from None
    types: dict[str, Any] = dict.fromkeys(names, pyarrow.string()) | dict.fromkeys(_WHOLE, pyarrow.int64())
    types |= {"seconds": pyarrow.float64(), "won": pyarrow.bool_(), "stop_at_target": pyarrow.bool_()}
    found = list(rows)
    columns: list[Any] = list(zip(*found, strict=True)) or [[] for _ in names]
    arrays = []
    for name, values in zip(names, columns, strict=True):
        flags = types[name] == pyarrow.bool_()
        arrays.append(
            pyarrow.array([bool(value) for value in values] if flags else list(values), types[name])
        )
    with replacing(out) as stream:
        parquet.write_table(pyarrow.table(arrays, names=list(names)), stream)
    return len(found)
