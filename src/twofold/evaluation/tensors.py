"""Arrays in a file: the safetensors layout inside a zstandard stream.

Safetensors: eight bytes with the length of a JSON header, the header (for each array its type, shape and place, and
texts under `__metadata__`), then the raw numbers. Reading checks every length against the header and runs no code.
Writing goes to a file beside the target that is renamed when it is complete and on disk, so that a reader, or a killed
writer, never leaves half a file under the name.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import struct
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import zstandard
from numpy.typing import NDArray

from twofold.checking import told_as_file
from twofold.cores import free_memory
from twofold.errors import InvalidFile, OutOfMemory, quote
from twofold.files import open_file, replacing

_TYPES: dict[str, np.dtype[Any]] = {
    "F16": np.dtype("<f2"),
    "F32": np.dtype("<f4"),
    "F64": np.dtype("<f8"),
    "I16": np.dtype("<i2"),
    "I32": np.dtype("<i4"),
    "I64": np.dtype("<i8"),
    "U8": np.dtype("u1"),
    "U32": np.dtype("<u4"),
    "U64": np.dtype("<u8"),
}
_NAMES = {dtype: name for name, dtype in _TYPES.items()}
_MOST_HEADER = 1 << 20
_CHUNK = 1 << 24
_USUAL = 1 << 30
_MOST_RATIO = 1000


def write_tensors(
    path: str | os.PathLike[str],
    tensors: Mapping[str, NDArray[Any]],
    metadata: Mapping[str, str],
    *,
    level: int = 1,
) -> None:
    """Write arrays and texts; level: zstandard's, 1 fast to 22 small. Raises InvalidFile if it can't be written."""
    header: dict[str, Any] = {"__metadata__": dict(metadata)}
    offset = 0
    for name, array in tensors.items():
        end = offset + array.nbytes
        kind = _NAMES[array.dtype.newbyteorder("<") if array.dtype.itemsize > 1 else array.dtype]
        header[name] = {"dtype": kind, "shape": list(array.shape), "data_offsets": [offset, end]}
        offset = end
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    compressor = zstandard.ZstdCompressor(level=level, write_checksum=True)
    with replacing(path) as stream, compressor.stream_writer(stream, closefd=False) as out:
        out.write(struct.pack("<Q", len(text)) + text)
        for array in tensors.values():
            raw = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
            for at in range(0, len(raw), _CHUNK):
                out.write(raw[at : at + _CHUNK].data)


def _read_exactly(stream: Any, count: int) -> bytes:
    data = stream.read(count)
    if len(data) != count:
        raise InvalidFile("it ends too early")
    return bytes(data)


def _header(stream: Any) -> dict[str, Any]:
    (length,) = struct.unpack("<Q", _read_exactly(stream, 8))
    if length > _MOST_HEADER:
        raise InvalidFile("its header is damaged")
    header = json.loads(_read_exactly(stream, length))
    if not isinstance(header, dict):
        raise InvalidFile("its header is damaged")
    return header


def _check_header(metadata: object, header: dict[str, Any]) -> None:
    """The schema of the header, whole, before anything in it is used; by hand, since each start reads one."""
    if not isinstance(metadata, dict) or not all(isinstance(text, str) for text in metadata.values()):
        raise InvalidFile("its metadata are not texts")
    for entry in header.values():
        if not isinstance(entry, dict) or entry.get("dtype") not in _TYPES:
            raise InvalidFile("one of its arrays is of no known type")
        shape, offsets = entry.get("shape"), entry.get("data_offsets")
        if not _are_sizes(shape, 8) or not _are_sizes(offsets, 2):
            raise InvalidFile("the positions of its arrays don't fit their sizes")


def _are_sizes(numbers: object, most: int) -> bool:
    return (
        isinstance(numbers, list)
        and len(numbers) <= most
        and all(type(number) is int and 0 <= number < 1 << 48 for number in numbers)
    )


def check_memory(nbytes: int, path: str | os.PathLike[str]) -> None:
    """Raises OutOfMemory for a file that says it takes more memory than there is, before any of it is taken."""
    free = free_memory()
    if nbytes > _USUAL and free and nbytes > free:
        raise OutOfMemory(
            f"{quote(os.fspath(path))} takes {nbytes / 1e9:.1f} GB of memory, of which {free / 1e9:.1f} are free"
        )


def check_ratio(nbytes: int, path: str | os.PathLike[str]) -> None:
    """Raises InvalidFile for a small file that unfolds to gigabytes: no network that has learned anything does."""
    size = os.stat(path).st_size
    if nbytes > _USUAL and nbytes > _MOST_RATIO * size:
        raise InvalidFile(
            f"its {size / 1e3:,.0f} KB expand to {nbytes / 1e9:.1f} GB, more than a file of its size is trusted with"
        )


def origin_number(origin: Mapping[str, str], name: str) -> int:
    """A whole number of what a file says of its origin, 0 if it says none. Raises InvalidFile for anything else."""
    text = origin.get(name, "0")
    if not (text.isascii() and text.isdigit() and len(text) <= 20 and int(text) < 1 << 64):
        raise InvalidFile(f"its {name}, {quote(text)}, are not a whole number: the checkpoint is damaged")
    return int(text)


def origin_seconds(origin: Mapping[str, str]) -> float:
    """The seconds that a file says it took, 0 if it says none. Raises InvalidFile for anything else."""
    text = origin.get("seconds", "0")
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds < 1e12:
        raise InvalidFile(f"its seconds, {quote(text)}, are not a time: the checkpoint is damaged")
    return seconds


class TensorFile:
    """An open file: `metadata`, the `shapes` of its arrays, and `read` for their numbers, in the file's order."""

    def __init__(self, stream: Any) -> None:
        header = _header(stream)
        self._stream = stream
        self.metadata: dict[str, str] = header.pop("__metadata__", {})
        _check_header(self.metadata, header)
        self.shapes: dict[str, tuple[np.dtype[Any], tuple[int, ...]]] = {}
        offset = 0
        for name, entry in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
            dtype = _TYPES[entry["dtype"]]
            shape = tuple(entry["shape"])
            size = dtype.itemsize * int(np.prod(shape, dtype=object))
            if entry["data_offsets"] != [offset, offset + size]:
                raise InvalidFile("the positions of its arrays don't fit their sizes")
            offset += size
            self.shapes[name] = (dtype, shape)

    def check_format(self, name: str, version: int) -> None:
        """Raises InvalidFile unless the metadata say that it is of this format and version."""
        if self.metadata.get("format") != name:
            raise InvalidFile(f"its format is not '{name}'")
        if self.metadata["version"] != str(version):
            raise InvalidFile(f"its version is {self.metadata['version'][:9]}, this program reads {version}")

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays together."""
        return sum(dtype.itemsize * math.prod(shape) for dtype, shape in self.shapes.values())

    def read(self) -> dict[str, NDArray[Any]]:
        """All arrays. Check `shapes` first: this takes the memory that they say."""
        out = {}
        for name, (dtype, shape) in self.shapes.items():
            array = np.empty(shape, dtype)
            raw = array.reshape(-1).view(np.uint8).data if array.size else memoryview(b"")
            at = 0
            while at < len(raw):
                got = self._stream.readinto(raw[at : at + _CHUNK])
                if not got:
                    raise InvalidFile("it ends too early")
                at += got
            out[name] = array
        if self._stream.read(1):
            raise InvalidFile("there is data after its last array")
        return out


@contextlib.contextmanager
def open_tensors(path: str | os.PathLike[str], what: str) -> Iterator[TensorFile]:
    """Open a file for reading; every fault, also within the block, is one InvalidFile that names path and `what`."""
    with told_as_file(path, what):
        try:
            with open_file(path) as stream, zstandard.ZstdDecompressor().stream_reader(stream) as reader:
                yield TensorFile(reader)
        except zstandard.ZstdError as error:
            raise (MemoryError if "llocation" in str(error) else ValueError)(str(error)) from error
