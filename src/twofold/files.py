"""Files that are written whole or not at all: a full disk, or Ctrl-C, leaves the old file or none, never a part."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from twofold.errors import InvalidFile, quote

_KEPT = 50
"""Characters of a file's name in the name of its part: a name may be as long as the system allows."""


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str], *, stamp: int | None = None) -> Iterator[IO[bytes]]:
    """A stream whose content becomes the file at `path` when the block ends well; raises InvalidFile.

    It is written beside the target, and renamed when it is complete and on disk. A link stays, and what it leads to
    is replaced. Into a device or a pipe, as /dev/null, is written at once: renaming would put a file in its place.
    stamp: the time of change that the file is given, in seconds.
    """
    name = os.fspath(path)
    if "\0" in name:
        raise InvalidFile(f"can't write {quote(name)}: no name of a file has a NUL in it")
    try:
        if Path(name).is_dir():
            raise InvalidFile(f"{quote(name)} is a directory: give the name of a file")
        if Path(name).exists() and not Path(name).is_file():
            with open(name, "wb") as stream:
                yield stream
            return
        with _beside(Path(name).resolve(), stamp) as stream:
            yield stream
    except OSError as error:
        raise InvalidFile(f"can't write {quote(name)}: {error.strerror or error}") from error


@contextlib.contextmanager
def _beside(target: Path, stamp: int | None) -> Iterator[IO[bytes]]:
    part = target.with_name(f".{target.name[:_KEPT]}.{os.getpid()}.part")
    try:
        with open(part, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        if stamp is not None:
            os.utime(part, (stamp, stamp))
        os.replace(part, target)
    finally:
        with contextlib.suppress(OSError):
            part.unlink()


def write_file(path: str | os.PathLike[str], content: bytes | str) -> None:
    """Write a whole file, text as UTF-8 with the line ends that it has. Raises InvalidFile."""
    with replacing(path) as stream:
        stream.write(content.encode("utf-8", "replace") if isinstance(content, str) else content)


def target_file(out: str | None, resume: str | None, usual: str, *, resumes: bool = True) -> str:
    """The file to write: `out`, else `resume`, which is gone on with, else `usual`; raises InvalidFile.

    Only `resume` may be there already. resumes: whether a refusal names --resume as a way out.
    """
    if out == "":
        raise InvalidFile("the name of the file to write is empty: give one, or leave --out out")
    target = out or resume or usual
    if Path(target).is_dir():
        raise InvalidFile(f"{quote(target)} is a directory: give the name of a file")
    if not Path(target).parent.is_dir():
        raise InvalidFile(
            f"{quote(target)} can't be written: there is no folder {quote(str(Path(target).parent))}"
        )
    if Path(target).exists() and target != resume:
        hint = "go on with --resume, or choose another --out" if resumes else "choose another --out"
        raise InvalidFile(f"{quote(target)} is there already: {hint}")
    return target


def check_folder(path: str, *, made: bool = False) -> None:
    """Refuses, before the work, a file that could not be written after it. Raises InvalidFile.

    made: whether its folder is made if it isn't there.
    """
    if not path:
        raise InvalidFile("the name of the file to write is empty")
    if made:
        check_new_folder(str(Path(path).parent))
    elif not Path(path).parent.is_dir():
        raise InvalidFile(f"can't write {quote(path)}: there is no such folder")
    if Path(path).is_dir():
        raise InvalidFile(f"can't write {quote(path)}: it is a folder")


def check_new_folder(path: str) -> None:
    """Refuses, before the work, a folder that could not be made after it, if it isn't there. Raises InvalidFile."""
    there = next(place for place in (Path(path), *Path(path).absolute().parents) if place.exists())
    if not there.is_dir():
        raise InvalidFile(f"can't write to the folder {quote(path)}: {quote(there.name)} is a file")
