"""Files of formation tables: made layer by layer, gone on with after a stop, checked and mapped.

A file is a head of 4096 bytes (a line, then JSON), and a byte for each position, the highest layer first. While it is
made it lies beside its place as `NAME.part`, with `NAME.state` for the last two layers at full precision and how far
the work has come; it gets its name when it is whole.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import json
import os
import re
import threading
import time
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from twofold.checking import Whole, checked_json, told_as_file
from twofold.cores import core_count
from twofold.errors import InvalidFile, quote
from twofold.exact.formations import BITS, Formation, Index, coded
from twofold.files import read_file, replacing
from twofold.kernels.board.line_tables import line_table
from twofold.kernels.exact.formations import after_rows, value_rows

VERSION = 1
"""Of the files and of what their values mean: a table of another version is made anew."""

SUFFIX = ".formation"
HEAD = 4096
_MAGIC = b"twofold formation table\n"
_PIECES = 8  # parts of a layer per thread
_THREADED = 20_000  # positions from which a layer is worth several threads
_KEEP_SECONDS = 30.0
_U = np.uint64


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a table is: positions done in this table, of `total`; positions a second in this run; seconds left."""

    name: str
    done: int
    total: int
    rate: float
    left: float


OnProgress = Callable[[Progress], None]


class OtherVersion(InvalidFile):
    """A table that another version of twofold made, or for another formation of the same name."""


# Heads


@dataclass(frozen=True)
class _Head:
    """What a file says of itself; checksum: of the values that it has."""

    version: int
    bits: int
    positions: Whole
    checksum: Whole
    formation: Formation


@dataclass(frozen=True)
class _State(_Head):
    """How far a table is: the next layer, -1 at the end, the values before it, the checksum of the last two layers."""

    layer: int
    done: Whole
    layers: Whole


_H = TypeVar("_H", bound=_Head)


def _written(head: _Head) -> bytes:
    text = json.dumps(asdict(head)).encode()
    body = _MAGIC + f"{zlib.crc32(text):08x} ".encode() + text + b"\n"
    assert len(body) < HEAD
    return body.ljust(HEAD, b" ")


def read_head(path: str | os.PathLike[str], schema: type[_H] = _Head) -> _H:  # type: ignore[assignment]
    """What a file says of itself. Raises InvalidFile, or OtherVersion."""
    name, head = quote(os.fspath(path)), read_file(path, HEAD)
    if not head.startswith(_MAGIC):
        raise InvalidFile(f"{name} is not a formation table: `twofold exact formations` makes them")
    mark, _, text = head[len(_MAGIC) :].rstrip(b" \n").partition(b" ")
    if len(head) < HEAD or mark != f"{zlib.crc32(text):08x}".encode():
        raise InvalidFile(f"{name} is damaged: make it again with `twofold exact formations`")
    if not re.match(rb'{"version": %d\b' % VERSION, text):
        raise OtherVersion(f"{name} was made by another version of twofold: make it again")
    with told_as_file(path, "formation table"):
        return checked_json(text, schema)


# Tables


@dataclass(frozen=True, eq=False)
class FormationTable:
    """A table that is ready to be asked: data, uint8, a byte for each position, the highest layer first."""

    path: Path
    index: Index
    data: NDArray[np.uint8]

    @property
    def formation(self) -> Formation:
        """Which positions it holds."""
        return self.index.formation


def open_table(path: str | os.PathLike[str], formation: Formation | None = None) -> FormationTable:
    """A table on disk, mapped. Raises InvalidFile, or OtherVersion if it isn't that of `formation`.

    A file is read through once and its checksum compared; a note beside it, `NAME.checked`, spares that for as long as
    its size and time of change stay.
    """
    head: _Head = read_head(path)
    name = quote(os.fspath(path))
    if (formation is not None and head.formation != formation) or head.bits != BITS:
        raise OtherVersion(f"{name} is a table of another formation: make it again")
    size = os.stat(path).st_size
    if size != HEAD + head.positions:  # before an index takes memory
        raise InvalidFile(
            f"{name} is damaged: {size:,} bytes, {HEAD + head.positions:,} expected; make it again"
        )
    with told_as_file(path, "formation table"):
        index = Index(head.formation)
    if index.positions != head.positions:
        raise InvalidFile(
            f"{name} is damaged: its formation has {index.positions:,} positions; make it again"
        )
    data: NDArray[np.uint8] = np.memmap(path, np.uint8, "r", HEAD)
    if not _is_checked(Path(path)):
        if _checksum(data) != head.checksum:
            raise InvalidFile(f"{name} is damaged: its checksum is wrong; make it again")
        _note_checked(Path(path))
    return FormationTable(Path(path), index, data)


def _checksum(data: NDArray[np.uint8]) -> int:
    total = 0
    for at in range(0, len(data), 1 << 24):
        total = zlib.crc32(data[at : at + (1 << 24)].tobytes(), total)
    return total


def _stamp(path: Path) -> str:
    stat = path.stat()
    return f"{stat.st_size} {stat.st_mtime_ns}"


def _is_checked(path: Path) -> bool:
    with contextlib.suppress(OSError, UnicodeDecodeError):
        return path.with_suffix(".checked").read_text("utf-8") == _stamp(path)
    return False


def _note_checked(path: Path) -> None:
    with contextlib.suppress(OSError):  # in a folder that can't be written the file is read each time
        path.with_suffix(".checked").write_text(_stamp(path), "utf-8")


# Making them


def make_table(
    formation: Formation,
    path: str | os.PathLike[str],
    *,
    threads: int = 0,
    stop: threading.Event | None = None,
    on_progress: OnProgress | None = None,
) -> bool:
    """Solve a formation into a file; False if `stop` was set meanwhile. Raises InvalidFile.

    After a stop, or a crash, the same call goes on where it was. threads: 0 for all cores.
    """
    path = Path(path)
    try:
        return _Maker(formation, path, threads or core_count(), on_progress).run(stop or threading.Event())
    except OSError as error:
        raise InvalidFile(f"can't write {quote(str(path))}: {error.strerror or error}") from error


class _Maker:
    """One run of `make_table`."""

    def __init__(
        self, formation: Formation, path: Path, threads: int, on_progress: OnProgress | None
    ) -> None:
        self.formation, self.path = formation, path
        self.index = Index(formation)
        self.threads, self.on_progress = threads, on_progress
        self.part, self.state = path.with_suffix(".part"), path.with_suffix(".state")
        self.lines = line_table(False)
        nothing = np.zeros(1, np.uint16)
        self.next = [nothing, nothing]  # the layers above, the nearest first, in units of 1/65535
        self.have = 0
        self.layer = self.index.top  # the next to be solved
        self.checksum = 0
        self.done = 0

    def run(self, stop: threading.Event) -> bool:
        self._resume()
        began, before = time.perf_counter(), self.done
        kept = began
        with (
            ThreadPoolExecutor(self.threads) as pool,
            open(self.part, "r+b" if self.done else "wb") as stream,
        ):
            stream.truncate(HEAD + self.done)
            stream.seek(HEAD + self.done)
            while self.layer >= 0:
                if stop.is_set():
                    self._keep(stream)
                    return False
                self._solve(pool, stream)
                now = time.perf_counter()
                if now - kept > _KEEP_SECONDS:
                    self._keep(stream)
                    kept = now
                self._tell(before, now - began)
            stream.seek(0)
            stream.write(_written(_Head(*self._facts())))
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(self.part, self.path)
        _note_checked(self.path)
        self.state.unlink(missing_ok=True)
        return True

    def _facts(self) -> tuple[int, int, int, int, Formation]:
        return VERSION, BITS, self.index.positions, self.checksum, self.formation

    def _solve(self, pool: ThreadPoolExecutor, stream: Any) -> None:
        """The next layer, into the file."""
        index, layer = self.index, self.layer
        bases = np.stack([index.base(layer + i) for i in range(3)])
        size = int(bases[0, -1])
        out, after = np.zeros(max(1, size), np.uint16), np.zeros(max(1, size), np.float32)
        block = index.a.boards | _U(index.block)
        fillings = block, index.a.starts, index.b.boards, index.b.starts, index.a.entries, index.b.entries

        def means(first: int, last: int) -> None:
            above = index.counts_b, tuple(self.next), self.have
            after_rows(layer, first, last, index.goes, *fillings, bases, *above, after)

        def values(first: int, last: int) -> None:
            masks = _U(index.anchors), index.goes, index.goals
            value_rows(
                layer, first, last, self.lines, *masks, *fillings, bases[0], index.counts_b, after, out
            )

        first, last = index.rows(layer)
        cuts = self._cuts(layer, first, last) if size >= _THREADED and self.threads > 1 else [first, last]
        for rows in (means, values):
            for piece in [pool.submit(rows, a, b) for a, b in itertools.pairwise(cuts)]:
                piece.result()
        coded_layer = coded()[out[:size]]
        stream.write(coded_layer)
        self.checksum = zlib.crc32(coded_layer.tobytes(), self.checksum)
        self.done += size
        self.next = [out, self.next[0]]
        self.have = min(2, self.have + 1)
        self.layer -= 1

    def _cuts(self, layer: int, first: int, last: int) -> list[int]:
        """Fillings of A that cut a layer into pieces of about the same number of positions."""
        index = self.index
        sums = np.searchsorted(index.a.starts, np.arange(first, last), "right") - 1
        ends = np.cumsum(index.counts_b[np.clip(layer - sums, 0, len(index.counts_b) - 1)])
        wanted = np.linspace(0, ends[-1], self.threads * _PIECES + 1)[1:-1]
        inner = (np.searchsorted(ends, wanted) + first).tolist()
        return [first, *inner, last]

    def _tell(self, before: int, seconds: float) -> None:
        if self.on_progress is not None:
            rate = (self.done - before) / max(seconds, 1e-9)
            total = self.index.positions
            left = (total - self.done) / max(rate, 1e-9)
            self.on_progress(Progress(self.formation.name, self.done, total, rate, left))

    def _keep(self, stream: Any) -> None:
        """Note how far the work is, so that it can go on from here."""
        stream.flush()
        os.fsync(stream.fileno())
        buffer = io.BytesIO()
        np.save(buffer, self.next[0])
        np.save(buffer, self.next[1])
        layers = buffer.getvalue()
        state = _State(*self._facts(), self.layer, self.done, zlib.crc32(layers))
        with replacing(self.state) as out:
            out.write(_written(state))
            out.write(layers)

    def _resume(self) -> None:
        """Go on from what an earlier run left, if it is of the same table and whole."""
        sizes = self.index.sizes
        try:
            state = read_head(self.state, _State)
            above = [int(size) for size in sizes[state.layer + 1 :]]
            fits = state.formation == self.formation and state.bits == BITS and -1 <= state.layer < len(sizes)
            if not fits or state.done != sum(above) or self.part.stat().st_size < HEAD + state.done:
                return
            with open(self.state, "rb") as stream:
                stream.seek(HEAD)
                layers = stream.read()
            buffer = io.BytesIO(layers)
            found = [np.load(buffer), np.load(buffer)]
            shapes = [(max(1, size),) for size in (*above, 0, 0)[:2]]
            if state.layers != zlib.crc32(layers) or [each.shape for each in found] != shapes:
                return
            if any(each.dtype != np.uint16 for each in found):
                return
            if (
                state.done
                and _checksum(np.memmap(self.part, np.uint8, "r", HEAD, state.done)) != state.checksum
            ):
                return
        except (InvalidFile, OSError, ValueError, EOFError, MemoryError):
            return
        self.next, self.have = found, min(2, len(above))
        self.layer, self.done, self.checksum = state.layer, state.done, state.checksum
