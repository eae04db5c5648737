"""The rows of a run as a file for other programs: CSV, JSON (one array of objects) or Parquet."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from twofold.arena.schema import EXPORTED
from twofold.arena.store import Run, Store
from twofold.errors import InvalidParameter, did_you_mean, quote
from twofold.files import replacing

KINDS = ("csv", "json", "parquet")
_WHOLE = ("game", "score", "max_tile", "moves", "nodes", "table_hits", "pruned", "depths")


def export(store: Store, run: Run, kind: str, out: str | None) -> int:
    """Writes all rows of `run` to the file `out`, or to standard output for None; returns how many there are.

    The columns are those of the view ``twofold_games``. Raises InvalidParameter for another kind and InvalidFile.
    """
    if kind not in KINDS:
        raise InvalidParameter(
            f"can't export to {quote(kind)}: {', '.join(KINDS)}{did_you_mean(kind, KINDS)}"
        )
    if kind == "parquet":
        return _to_parquet(store, run, out)
    with _opened(out) as stream:
        return _to_csv(store, run, stream) if kind == "csv" else _to_json(store, run, stream)


def csv_text(store: Store, run: Run) -> str:
    """All rows as CSV with a header."""
    stream = io.StringIO()
    _to_csv(store, run, stream)
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


def _to_csv(store: Store, run: Run, stream: TextIO) -> int:
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(EXPORTED)
    count = 0
    for row in store.exported(run):
        writer.writerow(row)
        count += 1
    return count


def _to_json(store: Store, run: Run, stream: TextIO) -> int:
    count = 0
    for row in store.exported(run):
        stream.write(("[\n" if not count else ",\n") + json.dumps(dict(zip(EXPORTED, row, strict=True))))
        count += 1
    stream.write("\n]\n" if count else "[]\n")
    return count


def _to_parquet(store: Store, run: Run, out: str | None) -> int:
    if out is None:
        raise InvalidParameter("Parquet is not text: name a file with --out")
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise InvalidParameter("Parquet needs pyarrow: pip install 'twofold[parquet]'") from None
    types: dict[str, Any] = dict.fromkeys(EXPORTED, pyarrow.string()) | dict.fromkeys(_WHOLE, pyarrow.int64())
    types |= {"seconds": pyarrow.float64(), "won": pyarrow.bool_(), "stop_at_target": pyarrow.bool_()}
    rows = list(store.exported(run))
    columns: list[Any] = list(zip(*rows, strict=True)) or [[] for _ in EXPORTED]
    arrays = []
    for name, values in zip(EXPORTED, columns, strict=True):
        flags = types[name] == pyarrow.bool_()
        arrays.append(
            pyarrow.array([bool(value) for value in values] if flags else list(values), types[name])
        )
    with replacing(out) as stream:
        parquet.write_table(pyarrow.table(arrays, names=list(EXPORTED)), stream)
    return len(rows)
