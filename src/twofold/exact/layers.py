"""The tables of exact solving and where the layers are kept between the walk up and the walk down."""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from annotated_types import Ge, Le, MaxLen
from numpy.typing import NDArray

from twofold.checking import Positive, Whole, checked_json, told_as_file
from twofold.errors import InvalidFile, quote
from twofold.files import read_file, replacing
from twofold.kernels.exact import bellman, hashing

Words = NDArray[np.uint64]

_U = np.uint64
_SMALLEST = 1 << 10
THREADED = 100_000
"""Layers below this many boards are done by one thread: starting others takes longer."""
_CHUNK = 1 << 15
_LARGE = 1 << 20
"""Tables of fewer boards are kept emptier: they fit the cache, are searched faster, and memory isn't short yet."""
_KEPT_WORDS = 1 << 19
"""Tables of up to so many words (4 MB) are kept for the next layer."""
_KEPT_TABLES = 8
_Hex = Annotated[str, MaxLen(17)]
_ARRAY = re.compile(r"(states|after|values)-[0-9]{5}\.npy")


class Tables:
    """Memory of small tables, used again: to get it anew from the system takes longer than to clear it."""

    def __init__(self) -> None:
        self._free: list[Words] = []

    def take(self, size: int) -> Words:
        """A table of `size` words, all 0."""
        for i in range(len(self._free) - 1, -1, -1):  # what was used last is nearest to the processor
            if len(self._free[i]) == size:
                table = self._free.pop(i)
                table.fill(0)
                return table
        return np.zeros(size, _U)

    def give(self, table: Words) -> None:
        """Take back a table that nothing uses any more. Large ones are not kept, nor more than a few."""
        if len(table) <= _KEPT_WORDS:
            self._free.append(table)
            del self._free[:-_KEPT_TABLES]


class Workers:
    """Threads, each with the scratch memory of a pass. Kernels release the interpreter lock."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self.tables = Tables()
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._buffers = [np.zeros(3 * bellman.MOST, _U) for _ in range(threads)]

    def close(self) -> None:
        """Stop the threads."""
        if self._pool is not None:
            self._pool.shutdown()

    def parts(self, count: int) -> int:
        """In how many threads `count` boards are worked on."""
        return self.threads if count >= THREADED else 1

    def each(self, parts: int, work: Callable[[int, Words], None]) -> None:
        """`work(part, buffer)` for every part."""
        if parts == 1 or self._pool is None:
            for part in range(parts):
                work(part, self._buffers[part])
            return
        for done in [self._pool.submit(work, part, self._buffers[part]) for part in range(parts)]:
            done.result()

    def ranges(self, count: int, work: Callable[[int, int, Words], None]) -> None:
        """`work(first, last, buffer)` over 0 … count, in chunks that the threads take in turn."""
        parts = self.parts(count)
        if parts == 1:
            work(0, count, self._buffers[0])
            return
        chunks = iter([(at, min(at + _CHUNK, count)) for at in range(0, count, _CHUNK)])

        def take(part: int, buffer: Words) -> None:
            for first, last in chunks:  # a list iterator gives each item to one thread only
                work(first, last, buffer)

        self.each(parts, take)


class KeySet:
    """A set of boards that grows: what a pass of the walk up fills."""

    def __init__(self, tables: Tables, expected: int = 0) -> None:
        self._tables = tables
        size = _SMALLEST
        eighths = 4 if expected < _LARGE else 5
        while size * eighths // 8 < expected:
            size *= 2
        self.table = tables.take(size)
        self.count = 0

    @property
    def nbytes(self) -> int:
        """Bytes of memory."""
        return self.table.nbytes

    def add(self, keys: Words) -> None:
        """Put in a few canonical boards."""
        before = set(self.keys().tolist()) if len(keys) and self.count else set()
        for key in dict.fromkeys(keys.tolist()):
            if key not in before:
                self._reserve(1)
                one = np.array([key], _U)
                hashing.rehash(one, _U(self.table.ctypes.data), *self.where())
                self.count += 1

    def add_all(self, keys: Words) -> None:
        """Put in many canonical boards, each of them once in `keys`."""
        if self.count and len(keys):
            keys = np.setdiff1d(keys, self.keys(), assume_unique=True)
        self._reserve(len(keys))
        hashing.rehash(keys, _U(self.table.ctypes.data), *self.where())
        self.count += len(keys)

    def where(self) -> tuple[np.uint64, np.uint64]:
        """Shift and mask."""
        return hashing.shift_of(len(self.table)), _U(len(self.table) - 1)

    def _reserve(self, more: int) -> None:
        if (self.count + more) * 8 <= len(self.table) * 5:
            return
        size = len(self.table)
        while (self.count + more) * 8 > size * 5:
            size *= 2
        old = self.table
        self.table = self._tables.take(size)
        hashing.rehash(old, _U(self.table.ctypes.data), *self.where())
        self._tables.give(old)

    def expand(self, workers: Workers, count: int, run: Callable[..., None]) -> int:
        """Fill from `count` boards by `run(first, last, address, shift, mask, room, shared, buffer, out)`.

        Returns the sum of the pass's third result (states without a move).
        """
        other = 0
        parts = workers.parts(count)
        edges = [part * count // parts for part in range(parts + 1)]
        at = edges[:-1]
        out = np.zeros((parts, 3), np.int64)
        while any(first < last for first, last in zip(at, edges[1:], strict=True)):
            self._reserve(parts * bellman.MOST * 2)
            room = (len(self.table) * 5 // 8 - self.count) // parts - bellman.MOST
            table = (_U(self.table.ctypes.data), *self.where(), room, parts > 1)
            workers.each(parts, partial(self._expand_part, run, at, edges, table, out))
            self.count += int(out[:, 1].sum())
            other += int(out[:, 2].sum())
            at = [int(next_) for next_ in out[:, 0]]
        return other

    @staticmethod
    def _expand_part(
        run: Callable[..., None],
        at: list[int],
        edges: list[int],
        table: tuple[Any, ...],
        out: NDArray[np.int64],
        part: int,
        buffer: Words,
    ) -> None:
        run(at[part], edges[part + 1], *table, buffer, out[part])

    def keys(self) -> Words:
        """The boards, in the order of their slots."""
        out = np.empty(self.count + 1, _U)
        hashing.collect(self.table, out)
        return out[:-1]

    def close(self) -> None:
        """Give its memory back; the set can't be used any more."""
        self._tables.give(self.table)


class ValueMap:
    """Boards of one layer with their values, for looking up."""

    def __init__(self, keys: Words, words: Words, workers: Workers) -> None:
        size = _SMALLEST
        eighths = 3 if len(keys) < _LARGE else 5
        while size * eighths // 8 < len(keys):
            size *= 2
        self._tables = workers.tables
        self._table = self._tables.take(2 * size)
        self.address = _U(self._table.ctypes.data)
        self.shift = hashing.shift_of(size)
        self.mask = _U(size - 1)
        shared = workers.parts(len(keys)) > 1

        def part(first: int, last: int, _: Words) -> None:
            hashing.fill(keys[first:last], words[first:last], self.address, self.shift, self.mask, shared)

        workers.ranges(len(keys), part)

    @property
    def nbytes(self) -> int:
        """Bytes of memory."""
        return self._table.nbytes

    def close(self) -> None:
        """Give its memory back; the map can't be used any more."""
        self._tables.give(self._table)

    def find(self, keys: Words) -> Words:
        """The values of boards."""
        out = np.empty(len(keys), _U)
        hashing.find_all(keys, self.address, self.shift, self.mask, out)
        return out


class Layers:
    """Arrays by kind and layer, kept in memory."""

    def __init__(self) -> None:
        self._arrays: dict[tuple[str, int], Words] = {}

    def put(self, kind: str, layer: int, array: Words) -> None:
        """Keep an array."""
        self._arrays[kind, layer] = array

    def get(self, kind: str, layer: int) -> Words:
        """An array; an empty one if none was kept."""
        return self._arrays.get((kind, layer), np.empty(0, _U))

    def drop(self, kind: str, layer: int) -> None:
        """Forget an array."""
        self._arrays.pop((kind, layer), None)

    def note(self, facts: dict[str, Any]) -> None:
        """Remember how far the work has come: nothing to do in memory."""

    def facts(self) -> dict[str, Any]:
        """What was noted."""
        return {}

    def forget(self) -> None:
        """Remove everything that was kept."""
        self._arrays.clear()

    @property
    def on_disk(self) -> bool:
        """Whether what is kept outlives the process."""
        return False


_Lengths = dict[Annotated[str, MaxLen(20)], Whole]


@dataclass
class Counts:
    """What a solver has counted; largest: the largest rank."""

    states: Whole = 0
    afterstates: Whole = 0
    lost: Whole = 0
    states_raw: Whole = 0
    afterstates_raw: Whole = 0
    largest: Annotated[int, Ge(0), Le(64)] = 0


@dataclass
class _Progress:
    """The schema of the progress of a solver: see its `_note`."""

    problem: dict[str, Any]
    phase: Literal["up", "down"]
    layer: Whole
    last: Whole
    counts: Counts
    raw: bool
    values: dict[_Hex, _Hex]
    seconds: Positive
    lengths: _Lengths = field(default_factory=dict)


@dataclass
class _Done:
    """The schema of the progress of a solution that is written."""

    problem: dict[str, Any]
    answer: dict[str, Any]
    lengths: _Lengths = field(default_factory=dict)


class DiskLayers(Layers):
    """Arrays by kind and layer, each a file in a folder; the folder also says how far the work has come.

    Every file is written beside its place, brought to disk and renamed, so that after a crash each is either whole
    or not there. The note of how far the work has come lists the arrays with their lengths: only these are read, and
    one of them that is gone or of another length is refused.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        super().__init__()
        self.folder = Path(folder)
        self._lengths: dict[str, int] = {}
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._remove_parts()
        except OSError as error:
            raise InvalidFile(
                f"can't make the folder {quote(str(folder))}: {error.strerror or error}"
            ) from None

    def _remove_parts(self) -> None:
        """Remove what killed runs were writing."""
        for path in self.folder.glob(".*.part"):
            path.unlink(missing_ok=True)

    def _path(self, kind: str, layer: int) -> Path:
        return self.folder / f"{kind}-{layer:05d}.npy"

    def put(self, kind: str, layer: int, array: Words) -> None:
        """Write an array."""
        path = self._path(kind, layer)
        with replacing(path) as stream:
            np.save(stream, array)
        self._lengths[path.stem] = len(array)

    def get(self, kind: str, layer: int) -> Words:
        """Read an array; an empty one if none was put. Raises InvalidFile if it was, and is not there any more."""
        path = self._path(kind, layer)
        length = self._lengths.get(path.stem)
        if length is None:
            return np.empty(0, _U)
        again = f"remove the folder {quote(str(self.folder))} and solve again"
        try:
            array: Words = np.load(path, allow_pickle=False)
        except FileNotFoundError:
            raise InvalidFile(f"{quote(str(path))} is missing: {again}") from None
        except (OSError, ValueError, EOFError) as error:
            raise InvalidFile(f"{quote(str(path))} is damaged: {error}; {again}") from None
        if array.dtype != _U or array.shape != (length,):
            raise InvalidFile(f"{quote(str(path))} is not the layer that was written: {again}")
        return array

    def drop(self, kind: str, layer: int) -> None:
        """Remove an array."""
        path = self._path(kind, layer)
        path.unlink(missing_ok=True)
        self._lengths.pop(path.stem, None)

    def note(self, facts: dict[str, Any]) -> None:
        """Write how far the work has come."""
        with replacing(self._progress) as stream:
            stream.write(json.dumps({**facts, "lengths": self._lengths}, indent=1).encode())

    def facts(self) -> dict[str, Any]:
        """What was noted, {} in a new folder."""
        path = self._progress
        if not path.exists():
            self.forget()  # what may lie here belongs to nothing
            return {}
        text = read_file(path)
        with told_as_file(path, "progress of an exact solution"):
            checked_json(text, _Done if b'"phase": "done"' in text else _Progress)
            facts: dict[str, Any] = json.loads(text)
        self._lengths = facts.get("lengths") or self._found()
        return facts

    def _found(self) -> dict[str, int]:
        """The lengths of all arrays, for the progress of an older twofold, which does not list them."""
        with contextlib.suppress(OSError, ValueError, EOFError):
            return {path.stem: len(np.load(path, mmap_mode="r")) for path in self._arrays_here()}
        return {}

    @property
    def _progress(self) -> Path:
        return self.folder / "progress.json"

    def _arrays_here(self) -> list[Path]:
        return [path for path in self.folder.glob("*-?????.npy") if _ARRAY.fullmatch(path.name)]

    def forget(self) -> None:
        """Remove everything that was kept here: first the note, so that what is left by a crash belongs to nothing."""
        self._progress.unlink(missing_ok=True)
        self._remove_parts()
        for path in self._arrays_here():
            path.unlink(missing_ok=True)
        self._lengths = {}

    @property
    def on_disk(self) -> bool:
        """True."""
        return True

    def clear(self) -> None:
        """Remove everything that was kept here, and the folder if nothing else is in it."""
        self.forget()
        with contextlib.suppress(OSError):
            self.folder.rmdir()
