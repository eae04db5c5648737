"""Files that are written whole or not at all: a full disk, or Ctrl-C, leaves the old file or none, never a part."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, BinaryIO

from twofold.errors import InvalidFile, quote

_STALE = 3600
"""Seconds after which a part is taken away if nobody can tell whether its process was killed."""

_READER_SECONDS = 1.0
"""How long a pipe waits for its reader, which may just be starting."""

_KEPT = 50
"""Characters of a file's name in the name of its part: a name may be as long as the system allows."""


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str], *, stamp: int | None = None) -> Iterator[IO[bytes]]:
    """A stream whose content becomes the file at `path` when the block ends well; raises InvalidFile.

    It is written beside the target, and renamed when it is complete and on disk; what killed processes left there of
    the same file is removed. A link stays, and what it leads to is replaced. Into a device, as /dev/null, or a pipe
    that someone reads is written at once: renaming would put a file in its place. stamp: the time of change that the
    file is given, in seconds.
    """
    name = os.fspath(path)
    if "\0" in name:
        raise InvalidFile(f"can't write {quote(name)}: a file name can't contain NUL")
    try:
        if Path(name).is_dir():
            raise InvalidFile(f"{quote(name)} is a directory: give the name of a file")
        if Path(name).exists() and not Path(name).is_file():
            with open(name, "wb", opener=_open_at_once) as stream:
                yield stream
            return
        if _is_endless(name):
            os.stat(name)  # raises what the system says of it
        with _beside(Path(os.path.realpath(name)), stamp) as stream:
            yield stream
    except OSError as error:
        raise InvalidFile(f"can't write {quote(name)}: {error.strerror or error}") from error


def _is_endless(path: str) -> bool:
    """Whether a path is a link that leads to itself."""
    return os.path.islink(path) and os.path.islink(os.path.realpath(path))


def open_file(path: str | os.PathLike[str]) -> BinaryIO:
    """A file opened to be read. Raises InvalidFile, also for a pipe, on which reading may wait for ever, or a device.

    A pipe that the shell has opened, as `<(command)`, is taken.
    """
    name = os.fspath(path)
    try:
        stream = open(name, "rb", opener=_without_waiting)  # noqa: SIM115 (the caller's)
        mode = os.fstat(stream.fileno()).st_mode
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise InvalidFile(f"can't read {quote(name)}: {getattr(error, 'strerror', None) or error}") from None
    if stat.S_ISREG(mode):
        return stream
    if name.startswith(("/dev/fd/", "/dev/stdin")):
        os.set_blocking(stream.fileno(), True)
        return stream
    stream.close()
    kind = "pipe" if stat.S_ISFIFO(mode) else "device"
    raise InvalidFile(f"can't read {quote(name)}: it is a {kind}, not a file")


def _without_waiting(name: str, flags: int) -> int:
    """Opens a pipe that nobody writes into at once."""
    return os.open(name, flags | getattr(os, "O_NONBLOCK", 0))


def read_file(path: str | os.PathLike[str], most: int = -1) -> bytes:
    """What is in a file, at most so many bytes of it. Raises InvalidFile."""
    try:
        with open_file(path) as stream:
            return stream.read(most)
    except OSError as error:
        raise InvalidFile(f"can't read {quote(os.fspath(path))}: {error.strerror or error}") from None


def _open_at_once(name: str, flags: int) -> int:
    """Opens a device or a pipe; one that nobody reads is an error, where to wait for a reader might take for ever."""
    if not hasattr(os, "O_NONBLOCK"):
        return os.open(name, flags)
    end = time.monotonic() + _READER_SECONDS
    while True:
        try:
            descriptor = os.open(name, flags & ~os.O_CREAT & ~os.O_TRUNC | os.O_NONBLOCK)
            break
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            if time.monotonic() >= end:
                raise OSError(error.errno, "nothing reads from this pipe") from None
        time.sleep(0.01)
    os.set_blocking(descriptor, True)
    return descriptor


def is_abandoned(part: Path) -> bool:
    """Whether the process that was writing a part, whose number is in its name, is gone."""
    with contextlib.suppress(OSError):
        if time.time() - part.stat().st_mtime > _STALE:
            return True
    if os.name != "posix":
        return False
    try:
        os.kill(int(part.name.split(".")[-2]), 0)  # no signal, only the question whether it is there
    except ProcessLookupError:
        return True
    except (OSError, ValueError, OverflowError, IndexError):
        return False
    return False


def _tidy(target: Path) -> None:
    """Removes what killed processes had written of a file."""
    begin, end = f".{target.name[:_KEPT]}.", ".part"
    with contextlib.suppress(OSError):
        for part in target.parent.iterdir():
            number = part.name[len(begin) : -len(end)]
            if (
                part.name.startswith(begin)
                and part.name.endswith(end)
                and number.isdigit()
                and is_abandoned(part)
            ):
                part.unlink()


@contextlib.contextmanager
def _beside(target: Path, stamp: int | None) -> Iterator[IO[bytes]]:
    part = target.with_name(f".{target.name[:_KEPT]}.{os.getpid()}.part")
    _tidy(target)
    try:
        with open(part, "w+b") as stream:
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
        hint = "continue with --resume, or choose another --out" if resumes else "choose another --out"
        raise InvalidFile(f"{quote(target)} already exists: {hint}")
    return target


def check_apart(written: Iterable[tuple[str, str]], read: Iterable[tuple[str, str]] = ()) -> None:
    """Refuses a file that would be written twice, or that is read too. Raises InvalidFile.

    Each as what it is called and the file's name; what is read may be no file at all.
    """
    outputs = list(written)
    for i, (what, name) in enumerate(outputs):
        if os.path.exists(name) and not os.path.isfile(name):  # a device, or a folder
            continue
        inputs = [(other, text) for other, text in read if os.path.isfile(text)]
        for other, text in (*outputs[:i], *inputs):
            if _is_same(name, text):
                both = f"{other} and {what} are both" if other != what else f"{what} is twice"
                raise InvalidFile(f"{both} {quote(name)}: name another file to write")


def _is_same(one: str, other: str) -> bool:
    """Whether two names are of one file, by links or another spelling too; it need not be there."""
    try:
        return os.path.realpath(one) == os.path.realpath(other) or os.path.samefile(one, other)
    except (OSError, ValueError):  # one of them isn't there; a NUL in a name
        return False


_HEADS = {
    ".gif": (b"GIF8",), ".html": (b"<",), ".json": (b"{", b"["), ".parquet": (b"PAR1",), ".png": (b"\x89PNG",),
    ".sqlite": (b"SQLite format 3",), ".svg": (b"<",),
}  # fmt: skip
"""How files begin, by the ending of their names."""


def check_target(path: str, what: str = "", looks: Callable[[bytes], bool] | None = None) -> None:
    """Refuses, before the work, a file that could not be written after it, or that another would be lost for.

    A file that is there is replaced only if it is empty or `looks`, by its content, like one of the kind that is
    written, `what` for the message; by default, like what its ending says. Raises InvalidFile.
    """
    if not path:
        raise InvalidFile("the name of the file to write is empty")
    if not Path(path).parent.is_dir():
        raise InvalidFile(f"can't write {quote(path)}: there is no such folder")
    if Path(path).is_dir():
        raise InvalidFile(f"can't write {quote(path)}: it is a folder")
    if _is_endless(path):
        raise InvalidFile(f"can't write {quote(path)}: {os.strerror(errno.ELOOP)}")
    heads = _HEADS.get(Path(path).suffix.lower())
    if heads is not None and looks is None:
        what, looks = f"a {Path(path).suffix} file", begins(*heads)
    if looks is None or not Path(path).is_file():
        return
    there = read_file(path, _LOOKED_AT)
    if there and not looks(there):
        raise InvalidFile(f"{quote(path)} is there already and is not {what}: choose another file to write")


_LOOKED_AT = 8 << 20


def begins(*heads: bytes) -> Callable[[bytes], bool]:
    """Tells whether a content begins with one of `heads`."""
    return lambda content: content.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(heads)


def check_new_folder(path: str) -> None:
    """Refuses, before the work, a folder that could not be made after it, if it isn't there. Raises InvalidFile."""
    there = next(place for place in (Path(path), *Path(path).absolute().parents) if place.exists())
    if not there.is_dir():
        raise InvalidFile(f"can't write to the folder {quote(path)}: {quote(there.name)} is a file")
