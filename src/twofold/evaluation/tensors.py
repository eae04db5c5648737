"""Arrays in a file: the safetensors layout inside a zstandard stream.

Safetensors: eight bytes with the length of a JSON header, the header (for each array its type, shape and place, and
texts under `__metadata__`), then the raw numbers. Reading checks every length against the header and runs no code.
Writing goes to a file beside the target that is renamed when it is complete and on disk, so that a reader, or a killed
writer, never leaves half a file under the name.
"""

from __future__ import annotations

import contextlib
import json
import os
import struct
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import zstandard
from numpy.typing import NDArray

from twofold.errors import InvalidFile, OutOfMemory, quote
from twofold.files import replacing

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


class TensorFile:
    """An open file: `metadata`, the `shapes` of its arrays, and `read` for their numbers, in the file's order."""

    def __init__(self, stream: Any) -> None:
        header = _header(stream)
        self._stream = stream
        self.metadata: dict[str, str] = {
            str(key): str(text) for key, text in dict(header.pop("__metadata__", {})).items()
        }
        self.shapes: dict[str, tuple[np.dtype[Any], tuple[int, ...]]] = {}
        offset = 0
        for name, entry in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
            dtype = _TYPES[entry["dtype"]]
            shape = tuple(int(n) for n in entry["shape"])
            size = dtype.itemsize * int(np.prod(shape, dtype=object))
            if min(shape, default=0) < 0 or entry["data_offsets"] != [offset, offset + size]:
                raise InvalidFile("the places of its arrays don't fit their sizes")
            offset += size
            self.shapes[name] = (dtype, shape)

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
            raise InvalidFile("there is something behind its last array")
        return out


@contextlib.contextmanager
def open_tensors(path: str | os.PathLike[str], what: str) -> Iterator[TensorFile]:
    """Open a file for reading; every fault, also within the block, is one InvalidFile that names path and `what`."""
    try:
        with open(path, "rb") as stream, zstandard.ZstdDecompressor().stream_reader(stream) as reader:
            yield TensorFile(reader)
    except OSError as error:
        raise InvalidFile(f"can't read {quote(str(path))}: {error.strerror or error}") from error
    except InvalidFile as error:
        raise InvalidFile(f"{quote(str(path))} is no usable {what}: {error}") from error
    except MemoryError as error:
        raise OutOfMemory(f"there is not enough memory to read {quote(str(path))}") from error
    except (zstandard.ZstdError, ValueError, TypeError, KeyError, AttributeError, struct.error) as error:
        if "llocation" in str(error):  # as zstandard tells that it got no memory
            raise OutOfMemory(f"there is not enough memory to read {quote(str(path))}") from error
        raise InvalidFile(
            f"{quote(str(path))} is no usable {what}: it is damaged or of another kind"
        ) from error
