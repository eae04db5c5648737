"""What twofold keeps in the user's cache folder, all of which can be made again; progress of unpacking a network."""

from __future__ import annotations

import contextlib
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from twofold.errors import InvalidParameter, did_you_mean, quote

PARTS = {
    "networks": ("the shipped network, unpacked", ("network-*.unpacked", ".network-*.part")),
    "lines": ("line tables", ("lines-*.npy", ".lines-*.part")),
    "exact": ("solutions of small games", ("exact/*", "exact/.*.part")),
    "formations": ("formation tables of the player strongest", ("formations/*", "formations/.*.part")),
}
"""Name of each part: what it is, and patterns of its files."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the cache. files: its files; nbytes: what they take on the disk."""

    name: str
    about: str
    files: tuple[Path, ...]
    nbytes: int


def cache_folder() -> Path:
    """The user's cache folder for twofold; it need not exist."""
    return Path(platformdirs.user_cache_dir("twofold"))


def cache_parts(only: str | None = None) -> tuple[Part, ...]:
    """All parts, or the one of that name, with what they take. Raises InvalidParameter for another name."""
    if only is not None and only not in PARTS:
        raise InvalidParameter(
            f"the cache has no part {quote(only)}: {', '.join(PARTS)}{did_you_mean(only, PARTS)}"
        )
    return tuple(_part(name) for name in PARTS if only in (None, name))


def _part(name: str) -> Part:
    about, patterns = PARTS[name]
    sizes: dict[Path, int] = {}
    with contextlib.suppress(OSError):  # no folder, or none that may be read
        for pattern in patterns:
            for path in cache_folder().glob(pattern):
                with contextlib.suppress(OSError):  # another process took it away
                    if path.is_file():
                        status = path.stat()
                        # A copy of the network is full of holes: its blocks count.
                        sizes[path] = (
                            512 * status.st_blocks if hasattr(status, "st_blocks") else status.st_size
                        )
    return Part(name, about, tuple(sorted(sizes)), sum(sizes.values()))


def clear_cache(only: str | None = None) -> int:
    """Removes all parts, or one; returns the bytes that this frees.

    Programs that have a file open keep it until they end. Raises InvalidParameter for another name, and OSError.
    """
    freed = 0
    for part in cache_parts(only):
        for path in part.files:
            path.unlink(missing_ok=True)
        freed += part.nbytes
    return freed


class Unpacking:
    """How far this process is with unpacking a network, for whoever waits for it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._done = self._total = 0.0
        self._begin = 0.0
        self._kept = True

    def begin(self, total: int, *, kept: bool = True) -> None:
        """Starts with the bytes to be unpacked; 0 when it is over. kept: whether the cache folder can hold them."""
        with self._lock:
            self._kept = kept
            self._done, self._total, self._begin = 0.0, total, time.monotonic()

    def add(self, count: float) -> None:
        """That many more are unpacked."""
        with self._lock:
            self._done += count

    @property
    def text(self) -> str:
        """One line that says how far it is; empty while nothing is unpacked."""
        with self._lock:
            if not self._total:
                return ""
            share, seconds = self._done / self._total, time.monotonic() - self._begin
            left = f", about {seconds / share - seconds:,.0f} s left" if share else ""
            # What a narrow terminal cuts off comes last.
            size, place = f"up to {self._total / 1e9:.1f} GB", cache_folder()
            if not self._kept:
                return f"unpacking the network: {share:.0%}{left} ({size}, which can't be kept in {place})"
            return f"unpacking the network, once: {share:.0%}{left} ({size} in {place})"


UNPACKING = Unpacking()
"""The one of this process."""
