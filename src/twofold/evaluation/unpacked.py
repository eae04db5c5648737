"""The shipped network unpacked once per machine, and mapped into memory from then on.

Its file is packed for shipping; to unpack it takes seconds and a gigabyte that each process has for itself. So the
first process leaves the entries as they lie in memory in the user's folder for caches, and all later ones map that copy
read-only: it is ready at once, its pages are shared by all processes, and only those that are looked up are read.

Where the system can (Linux), it is asked for large pages: with pages of 4 KB, play without search spends a third of its
time on finding them. The entries begin at a multiple of the large page's size, and what was written is put out of the
system's cache once, since only what is read again lies there in large pages.

Only the shipped network is kept so: its size on disk is known, and everybody who starts twofold loads it. A network of
the user's own is unpacked in memory, since nobody expects that reading it leaves some hundred MB behind.

The copy's name has a mark of the network's file, its head says what it holds and when it was written. That time, in
whole seconds, is also the file's, so that anything written into it later shows; and it holds a checksum of blocks from
all over the entries, for the case that someone puts the time back. A copy that is missing, short or changed is made
anew; where none can be made, the network is unpacked in memory. What no mapped file survives is to be
cut off in place while it is in use: the system then ends the process. twofold never does so, it renames.
"""

from __future__ import annotations

import contextlib
import hashlib
import mmap
import os
import shutil
import threading
import time
import zlib
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from twofold.cache import UNPACKING, cache_folder
from twofold.errors import InvalidFile, quote
from twofold.evaluation.network import Network
from twofold.evaluation.weights import load_network, read_form
from twofold.files import is_abandoned, open_file, replacing

_FORMAT = 3
_HEAD = 1 << 21
"""Bytes before the entries: a large page, so that these begin at one. Most are a hole in the file."""

_BLOCK = 1 << 14
"""Bytes that are left out of the file where all are zero, an eighth of the shipped network."""

_ENDS = 1 << 16
_PAGE, _SAMPLES = 1 << 12, 64
_KEPT = 2
_SECOND = 1_000_000_000
_DECODING = 0.9
"""Its share of the time that unpacking takes; the rest is writing."""
_LOCK = threading.Lock()


def map_network(path: str | os.PathLike[str]) -> Network:
    """The network in a file, to play by: its entries are those of the copy if it was shrunk, and read-only then.

    Raises InvalidFile as `load_network` does.
    """
    form = read_form(path)
    if not form.shrunk:
        return load_network(path)
    with _LOCK:  # two threads would unpack it twice
        mark = _mark_of(path)
        place = _place(mark)
        weights = _map(place, mark, form.shape)
        if weights is not None:
            _tidy(place)
        else:
            UNPACKING.begin(form.nbytes, kept=_has_room(place, form.nbytes))
            try:
                network = load_network(path, on_read=lambda count: UNPACKING.add(_DECODING * count))
                _keep(place, mark, network.weights)
            finally:
                UNPACKING.begin(0)
            weights = _map(place, mark, form.shape)
            if weights is None:
                return network
    return Network(form.design, weights, form.scale, None, form.origin)


def is_unpacked(path: str | os.PathLike[str]) -> bool:
    """Whether `map_network` is done in a moment. Raises InvalidFile as it does."""
    form = read_form(path)
    if not form.shrunk:
        return True
    mark = _mark_of(path)
    return _map(_place(mark), mark, form.shape) is not None


def _place(mark: str) -> Path:
    return copies_folder() / f"network-{mark}-{_FORMAT}.unpacked"


def copies_folder() -> Path:
    """Where copies are kept: the user's folder for caches."""
    return cache_folder()


def _mark_of(path: str | os.PathLike[str]) -> str:
    """Of a network's file: by its size, its begin, and its end, where zstandard's checksum of the whole lies."""
    try:
        with open_file(path) as stream:
            size = os.fstat(stream.fileno()).st_size
            told = hashlib.sha256(f"{size}\n".encode() + stream.read(_ENDS))
            stream.seek(-min(size, _ENDS), os.SEEK_END)
            told.update(stream.read())
    except OSError as error:  # it was there a moment ago
        raise InvalidFile(f"can't read {quote(os.fspath(path))}: {error.strerror or error}") from error
    return told.hexdigest()[:16]


def _head(mark: str, shape: tuple[int, ...], stamp: int, sample: int) -> bytes:
    return f"twofold unpacked network {_FORMAT}\n{mark}\n{shape} <i2\n{stamp}\n{sample:08x}\n".encode()


def _sample(stream: IO[bytes], nbytes: int) -> int:
    """A checksum of blocks spread over the entries: all of them would take longer than a start may.

    They are read, not mapped, or each would bring a large page into memory.
    """
    found = 0
    for i in range(_SAMPLES):
        stream.seek(_HEAD + max(0, nbytes - _PAGE) * i // (_SAMPLES - 1))
        found = zlib.crc32(stream.read(_PAGE), found)
    return found


def _map(place: Path, mark: str, shape: tuple[int, int]) -> NDArray[np.int16] | None:
    """The entries in a copy, or None if there is none that can be trusted."""
    if not place.is_file():
        return None
    try:
        with open(place, "rb") as stream:
            status = os.fstat(stream.fileno())
            stamp, rest = divmod(status.st_mtime_ns, _SECOND)
            whole = status.st_size == _HEAD + 2 * shape[0] * shape[1] and rest == 0
            if not whole:
                return None
            head = _head(mark, shape, stamp, _sample(stream, status.st_size - _HEAD))
            stream.seek(0)
            if stream.read(len(head)) != head:
                return None
            mapped = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError):
        return None
    if hasattr(mmap, "MADV_HUGEPAGE"):
        with contextlib.suppress(OSError):  # a system without
            mapped.madvise(mmap.MADV_HUGEPAGE)
    return np.frombuffer(mapped, "<i2", offset=_HEAD).reshape(shape)


def _has_room(place: Path, nbytes: int) -> bool:
    """Whether a copy can be kept: there is a folder, which is made, and a disk that is by no means full."""
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.exists() and not place.is_file():
            return False  # a pipe would wait for a reader
        return os.access(place.parent, os.W_OK) and shutil.disk_usage(place.parent).free >= 3 * nbytes
    except OSError:
        return False


def _keep(place: Path, mark: str, weights: NDArray[np.int16]) -> None:
    """Write a copy, if there is a folder and a disk that is by no means full for it, and take away the oldest ones."""
    entries = weights.reshape(-1).view(np.uint8)
    stamp = int(time.time()) // 2 * 2  # some file systems count in steps of two seconds
    try:
        if not _has_room(place, entries.nbytes):
            return
        with replacing(place, stamp=stamp) as stream:
            for at in range(0, len(entries), _BLOCK):
                block = entries[at : at + _BLOCK]
                if block.any():
                    stream.seek(_HEAD + at)
                    stream.write(block.data)
                UNPACKING.add((1 - _DECODING) * len(block))
            stream.truncate(_HEAD + len(entries))
            sample = _sample(stream, len(entries))
            stream.seek(0)
            stream.write(_head(mark, weights.shape, stamp, sample))
        _tidy(place)
        if hasattr(os, "posix_fadvise"):
            with open(place, "rb") as written:
                os.posix_fadvise(written.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    except (OSError, InvalidFile):
        return


def _tidy(place: Path) -> None:
    """Keep this copy and the newest others, and nothing of copies that were never finished."""
    others = [each for each in place.parent.glob("network-*.unpacked") if each != place]
    parts = place.parent.glob(".network-*.part")
    with contextlib.suppress(OSError):  # another process tidies too
        old = sorted(others, key=lambda each: each.stat().st_mtime, reverse=True)[_KEPT - 1 :]
        old += [part for part in parts if is_abandoned(part)]
        for each in old:
            with contextlib.suppress(OSError):  # Windows keeps what is mapped
                each.unlink()
