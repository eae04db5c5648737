"""Policies in files that are looked into without being read.

The file, little-endian unless said otherwise:

| part | content |
|---|---|
| 16 bytes | `MAGIC` |
| per layer | the afterstates as big-endian numbers of `width` bytes, sorted, then their values, 8 bytes each |
| header | JSON: version, problem, value, starts, counts, width, and per layer its number, boards, place and CRC-32 |
| 24 bytes | the header's length (8), its BLAKE2b-64 (8), `END` |

An afterstate is the ranks of its free cells, four bits each, the first cell lowest, of the canonical image
(exact/states.py); a value is the word of kernels/exact/bellman.py. Files of equal problems are equal, byte for byte.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import os
import struct
import zlib
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from twofold.checking import Whole, checked_json, told_as_file
from twofold.errors import InvalidFile, quote
from twofold.exact.export import load_sqlite
from twofold.exact.layers import Words
from twofold.exact.policy import Facts, Policy, facts_of, squeeze
from twofold.exact.problem import Problem
from twofold.exact.solver import Solution
from twofold.exact.states import WordLayout
from twofold.files import open_file, replacing

MAGIC = b"twofold exact 01"
END = b"2fexact."
VERSION = 1
SUFFIX = ".2048exact"

_U = np.uint64
_MOST_HEADER = 1 << 26


def save_policy(path: str | os.PathLike[str], solution: Solution) -> int:
    """Write the policy of a solution, whole or not at all; returns its size in bytes. Raises InvalidFile."""
    layout = solution.problem.layout()
    width = (len(layout.bits) + 1) // 2
    sections = []
    with replacing(path) as stream:
        stream.write(MAGIC)
        at = len(MAGIC)
        for layer in range(solution.first, solution.last + 1):
            keys = squeeze(layout, solution.layers.get("after", layer))
            if not len(keys):
                continue
            order = np.argsort(keys)
            raw = keys[order].astype(">u8").view(np.uint8).reshape(-1, 8)[:, 8 - width :].tobytes()
            words = solution.layers.get("values", layer)[order].astype("<u8").tobytes()
            stream.write(raw)
            stream.write(words)
            sections.append([layer, len(keys), at, zlib.crc32(words, zlib.crc32(raw))])
            at += len(raw) + len(words)
        facts = {"version": VERSION, **facts_of(solution), "width": width, "layers": sections}
        text = json.dumps(facts, separators=(",", ":")).encode()
        stream.write(text)
        stream.write(struct.pack("<Q", len(text)) + _digest(text) + END)
    return at + len(text) + 24


def _digest(text: bytes) -> bytes:
    return hashlib.blake2b(text, digest_size=8).digest()


@dataclass
class _Version:
    version: int


@dataclass
class _Header(Facts):
    """The header's schema."""

    width: Whole
    layers: list[tuple[Whole, Whole, Whole, Whole]]


class _File:
    """An open policy file. A layer's checksum is compared when it is first looked into."""

    def __init__(self, name: str, data: mmap.mmap, header: _Header, layout: WordLayout) -> None:
        self._name, self._data, self._width = name, data, header.width
        self._bits = tuple(layout.bits.values())
        self._layers = {layer: (n, at, crc) for layer, n, at, crc in header.layers}
        self._checked: set[int] = set()
        end = max((at + n * (self._width + 8) for n, at, _ in self._layers.values()), default=0)
        if self._width != (len(self._bits) + 1) // 2 or end > len(data) - 24:
            raise InvalidFile(f"{quote(name)} is not a usable policy: its layers don't fit the file")

    def _check(self, layer: int) -> None:
        if layer in self._checked:
            return
        n, at, crc = self._layers[layer]
        with memoryview(self._data) as view, view[at : at + n * (self._width + 8)] as part:
            if zlib.crc32(part) != crc:
                raise InvalidFile(f"{quote(self._name)} is damaged in the layer of tile sum {2 * layer}")
        self._checked.add(layer)

    def find(self, layer: int, key: int) -> int | None:
        if layer not in self._layers:
            return None
        self._check(layer)
        n, at, _ = self._layers[layer]
        data, width = self._data, self._width
        number = sum((key >> bit & 15) << 4 * i for i, bit in enumerate(self._bits))
        wanted = number.to_bytes(width, "big")
        place = bisect_left(range(n), wanted, key=lambda i: data[at + i * width : at + (i + 1) * width])
        if place == n or data[at + place * width : at + (place + 1) * width] != wanted:
            return None
        at += n * width + 8 * place
        return int.from_bytes(data[at : at + 8], "little")

    def check_all(self) -> None:
        """Compare every checksum. Raises InvalidFile."""
        for layer in self._layers:
            self._check(layer)

    def sections(self) -> Iterator[tuple[int, Words, Words]]:
        """Layer by layer: its number, the squeezed afterstates and their words."""
        for layer, (n, at, _) in self._layers.items():
            self._check(layer)
            wide = np.zeros((n, 8), np.uint8)
            raw = np.frombuffer(self._data[at : at + n * self._width], np.uint8)
            wide[:, 8 - self._width :] = raw.reshape(n, self._width)
            at += n * self._width
            words = np.frombuffer(self._data[at : at + 8 * n], "<u8").astype(_U)
            yield layer, wide.reshape(-1).view(">u8").astype(_U), words


def load_policy(path: str | os.PathLike[str], *, verify: bool = False) -> Policy:
    """Open a policy file; verify: compare all checksums now. Raises InvalidFile for a file that isn't whole or ours."""
    name = str(path)
    if name.endswith(".sqlite"):
        return load_sqlite(path)
    try:
        with open_file(path) as stream:
            data = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError as error:
        raise InvalidFile(f"can't read {quote(name)}: {error.strerror or error}") from None
    except ValueError:
        raise InvalidFile(f"{quote(name)} is empty") from None
    if data[: len(MAGIC)] != MAGIC:
        raise InvalidFile(f"{quote(name)} is not a policy written by 'twofold exact solve'")
    if len(data) < len(MAGIC) + 24 or data[-8:] != END:
        raise InvalidFile(f"{quote(name)} is cut off: solve again, or continue with its --work folder")
    (length,) = struct.unpack("<Q", data[-24:-16])
    text = data[-24 - length : -24] if length <= len(data) - len(MAGIC) - 24 else b""
    if _digest(text) != data[-16:-8]:
        raise InvalidFile(f"{quote(name)} is damaged: its header doesn't fit its checksum")
    with told_as_file(name, "policy"):
        if length > _MOST_HEADER:
            raise InvalidFile(f"its header takes {length:,} bytes, of which {_MOST_HEADER:,} are read")
        version = checked_json(text, _Version).version
        if version != VERSION:
            raise InvalidFile(f"it has version {version}, this program reads {VERSION}")
        header = checked_json(text, _Header)
        facts = json.loads(text)
        problem = Problem.from_facts(facts["problem"])
        source = _File(name, data, header, problem.layout())
    if verify:
        source.check_all()
    return Policy(problem, source, facts)
