"""Line tables: what a slide does to four cells, for every content of them, asked from the reference slide.

A line is 16 bits, cell i in bits 4i. One uint64 per line holds the line slid towards cell 0 (bits 0-15), slid
towards cell 3 (bits 16-31) and the reward in points (bits 32-63; the same both ways).

Two tables: `open` reads nibble 15 as the tile 32768, `bricks` as a brick. Where a merge would make a tile that no
nibble can hold, the merged cell keeps its rank, and only a reward of 2^16 (`open`) or 2^15 (`bricks`) and
more tells: callers replay such games on `cells`.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import zlib
from pathlib import Path

import numpy as np
import platformdirs
from numpy.typing import NDArray

from twofold.errors import InvalidFile
from twofold.files import replacing
from twofold.rules.slide import slide_run

LINES = 65536
BRICK_NIBBLE = 15


def _slide_line(ranks: list[int], with_bricks: bool) -> tuple[list[int], int]:
    """Slide four nibbles towards index 0, each brick-free run on its own."""
    top = BRICK_NIBBLE - 1 if with_bricks else BRICK_NIBBLE
    out: list[int] = []
    reward = 0
    run: list[int] = []
    for rank in [*ranks, None]:
        if rank is not None and not (with_bricks and rank == BRICK_NIBBLE):
            run.append(rank)
            continue
        slid, points, _ = slide_run(run)
        out += [min(r, top) for r in slid]
        reward += points
        run = []
        if rank is not None:
            out.append(BRICK_NIBBLE)
    return out, reward


def build_line_table(with_bricks: bool) -> NDArray[np.uint64]:
    """The table, shape (65536,), asked line by line from the reference."""
    left = np.zeros(LINES, np.uint64)
    rewards = np.zeros(LINES, np.uint64)
    mirror = np.zeros(LINES, np.int64)
    for line in range(LINES):
        ranks = [line & 15, line >> 4 & 15, line >> 8 & 15, line >> 12]
        slid, reward = _slide_line(ranks, with_bricks)
        left[line] = slid[0] | slid[1] << 4 | slid[2] << 8 | slid[3] << 12
        rewards[line] = reward
        mirror[line] = ranks[3] | ranks[2] << 4 | ranks[1] << 8 | ranks[0] << 12
    right = mirror[left[mirror].astype(np.int64)].astype(np.uint64)
    table: NDArray[np.uint64] = left | right << np.uint64(16) | rewards << np.uint64(32)
    return table


@functools.cache
def line_table(with_bricks: bool = False) -> NDArray[np.uint64]:
    """The table for boards without or with bricks; built once per machine and version of the rules."""
    sources = inspect.getsource(slide_run) + Path(__file__).read_text("utf-8")
    mark = hashlib.sha256(sources.encode()).hexdigest()[:12]
    path = (
        Path(platformdirs.user_cache_dir("twofold"))
        / f"lines-{'bricks' if with_bricks else 'open'}-{mark}.npy"
    )
    table = _load(path)
    if table is None:
        table = build_line_table(with_bricks)
        _store(path, table)
    return table


@functools.cache
def two_ways(with_bricks: bool = False) -> NDArray[np.uint64]:
    """Line slid towards cell 0 in bits 0-15, towards cell 3 in bits 32-47: two rows join by one shift for both ways."""
    table = line_table(with_bricks)
    return (table & np.uint64(0xFFFF)) | ((table & np.uint64(0xFFFF0000)) << np.uint64(16))


def _load(path: Path) -> NDArray[np.uint64] | None:
    """The table in a file, whose last word is the checksum of the others; None for anything else."""
    try:
        words = np.load(path, allow_pickle=False) if path.is_file() else np.zeros(0)
    except (OSError, ValueError, EOFError):
        return None
    if (
        words.shape != (LINES + 1,)
        or words.dtype != np.uint64
        or words[-1] != zlib.crc32(words[:-1].tobytes())
    ):
        return None
    table: NDArray[np.uint64] = words[:-1]
    return table


def _store(path: Path, table: NDArray[np.uint64]) -> None:
    """Keep a table with its checksum; a home that can't be written, or is full, is no error."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():
            return  # a pipe would wait for a reader
        with replacing(path) as stream:
            np.save(stream, np.append(table, np.uint64(zlib.crc32(table.tobytes()))))
    except (OSError, InvalidFile):
        return
