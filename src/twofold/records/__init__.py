"""Games in files: our own record and other programs' replays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twofold.lazy import lazy_exports

if TYPE_CHECKING:
    from twofold.records.formats import convert, decode_record, encode_record, read_record
    from twofold.records.record import Record

__all__ = [
    "Record",
    "convert",
    "decode_record",
    "encode_record",
    "read_record",
]

__getattr__, __dir__ = lazy_exports(__name__)
