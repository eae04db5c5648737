"""How the command line speaks: JSON on standard output, errors as one line, and clean exits.

Exit codes: 0 done, 2 a refusal (one line on standard error), 130 Ctrl-C, 143 SIGTERM, and 141, without a word, if
whoever reads the output has closed the pipe: 128 and the number of the signal, as a shell tells of other programs.
"""

from __future__ import annotations

import io
import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn, TextIO, TypeVar

if TYPE_CHECKING:
    from rich.console import Console

    from twofold.ui.cli.progress import StatusLine

T = TypeVar("T")

EXIT_REFUSED = 2
EXIT_INTERRUPTED = 130
EXIT_CLOSED_PIPE = 141


class Terminated(BaseException):
    """Raised in the main thread by SIGTERM or SIGHUP, so that ``finally`` blocks restore the terminal."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.code = 128 + number


_reserved: list[TextIO] = []  # standard output, while --json keeps it for the answer


def reserve_output(wanted: bool) -> bool:
    """Keeps standard output for `print_json` until `guarded` ends: what a user's player prints goes to standard error.

    The callback of the option --json; gives `wanted` back.
    """
    if wanted and not _reserved:
        _reserved.append(sys.stdout)
        sys.stdout = sys.stderr
    return wanted


def _release_output() -> None:
    if _reserved:
        sys.stdout = _reserved.pop()


def _output() -> TextIO:
    return _reserved[0] if _reserved else sys.stdout


def print_json(value: dict[str, Any]) -> None:
    """One JSON object on one line of standard output, in ASCII so that any terminal and pipe carries it."""
    _output().write(json.dumps(value, allow_nan=False) + "\n")


def print_text(text: str = "") -> None:
    """A text and a line end on standard output; characters that its encoding lacks become ``?``."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "replace").decode(encoding) + "\n")


def flush() -> None:
    """Sends what was printed on its way."""
    _output().flush()


_LONGEST_ERROR = 480


def print_error(message: str) -> None:
    """``error: message`` as one line on standard error, whatever `message` holds.

    What can't be printed is escaped and what is longer than 480 characters cut: typer repeats input as it came.
    """
    words = " ".join(message.split())
    line = "error: " + "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode()
        for char in words[:_LONGEST_ERROR]
    )
    _tell(line + ("…" if len(words) > _LONGEST_ERROR else ""))


def _tell(line: str) -> None:
    encoding = sys.stderr.encoding or "utf-8"
    try:
        sys.stderr.write(line.encode(encoding, "backslashreplace").decode(encoding) + "\n")
        sys.stderr.flush()
    except OSError:  # standard error is closed too: nobody is listening
        pass


def prepare_streams() -> bool:
    """Makes the three standard streams usable, also where they were closed (`>&-`); `False` if there is no output.

    Their places are taken by the null device, or the next file that is opened would be taken for them.
    """
    is_open = sys.stdout is not None
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 (open to the end)
    if not is_open:
        print_error("standard output is closed: there is nowhere to write the answer")
    elif isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    return is_open


def make_console() -> Console:
    """The rich console for standard output; it respects NO_COLOR and knows the terminal's size."""
    from rich.console import Console

    return Console(highlight=False, soft_wrap=False)


def is_live_terminal(stream: TextIO | None = None) -> bool:
    """True if standard output, or another stream, is a terminal that can be drawn on again and again."""
    return (stream or sys.stdout).isatty() and os.environ.get("TERM", "") != "dumb"


class Interrupted(KeyboardInterrupt):
    """Ctrl-C in the middle of something that has a result so far: `result`, or None."""

    def __init__(self, result: Any = None) -> None:
        super().__init__()
        self.result = result


PATIENCE = 2.0
"""Seconds that work gets to end in order after Ctrl-C."""

_TOLD_AFTER = 0.5
_preparing: list[StatusLine] = []


def tell_compiling() -> None:
    """Says what the machine does before it can think: that it compiles, or how far the network is unpacked."""
    from twofold.cache import UNPACKING
    from twofold.kernels.compile_time import WATCH
    from twofold.ui.cli.progress import StatusLine

    text, seconds = UNPACKING.text, WATCH.current
    if seconds > _TOLD_AFTER:
        text = f"compiling, or reading what was compiled, for {seconds:.0f} s; only the first time takes long"
    if text:
        _preparing[:] = _preparing or [StatusLine()]
        _preparing[0].tell(lambda: text)
    elif _preparing:
        _preparing.pop().__exit__()


def run_interruptibly(work: Callable[[], T], stop: Callable[[], None] | None = None) -> T:
    """`work()`, done in another thread while this one waits, so that Ctrl-C ends a long search at once.

    Compiled kernels release the interpreter lock but can't be interrupted: in the main thread a signal would
    wait for them. The thread is a daemon: it does not keep the process alive. stop: asks the work to end soon; then
    Ctrl-C raises `Interrupted` with what it has returned by then.
    """
    from twofold.threads import has_ended, in_thread

    task = in_thread(work)
    try:
        while not has_ended(task, 0.1):
            tell_compiling()
    except KeyboardInterrupt:
        if stop is None:
            raise
        stop()
        raise Interrupted(
            task.result() if has_ended(task, PATIENCE) and not task.exception() else None
        ) from None
    return task.result()


@contextmanager
def signals_end_cleanly() -> Iterator[None]:
    """Within the block SIGTERM and SIGHUP raise `Terminated` in the main thread."""
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]

    def stop(number: int, _frame: FrameType | None) -> NoReturn:
        raise Terminated(number)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in numbers}
    try:
        for number in numbers:
            if before[number] != signal.SIG_IGN:  # under nohup a hang-up stays ignored
                signal.signal(number, stop)
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


_NO_MEMORY = (
    "failed to map segment",
    "cannot allocate memory",
    "can't start new thread",
    "without exception set",
)
"""What the loader, and Python, say where memory is short."""


def guarded(program: Callable[[], int]) -> int:
    """`program()`, with every way that it can end turned into an exit code, and no traceback."""
    from twofold.errors import TwofoldError

    try:
        with signals_end_cleanly():
            try:
                code = program()
            finally:
                _release_output()
            flush()
            return code
    except TwofoldError as error:
        print_error(str(error))
        return _flushed(EXIT_REFUSED)
    except KeyboardInterrupt:
        _tell("interrupted")
        return _flushed(EXIT_INTERRUPTED)
    except Terminated as stop:
        return _flushed(stop.code)
    except BrokenPipeError:
        return _quiet_exit()
    except SystemExit as error:
        if not _is_of_a_closed_pipe(error):
            raise
        return _quiet_exit()
    except RecursionError:
        print_error("the input is nested too deeply")
        return _flushed(EXIT_REFUSED)
    except (MemoryError, ImportError, RuntimeError, SystemError) as error:
        if not isinstance(error, MemoryError) and not any(sign in str(error) for sign in _NO_MEMORY):
            raise
        print_error("out of memory: try a smaller board or a smaller limit")
        return _flushed(EXIT_REFUSED)
    except OSError as error:
        # On Windows a closed pipe shows as EINVAL.
        if error.errno == 22 and os.name == "nt":
            return _quiet_exit()
        place = f"{error.filename}: " if error.filename else ""
        print_error(f"{place}{error.strerror or error}")
        return _flushed(EXIT_REFUSED)


def _is_of_a_closed_pipe(error: BaseException | None) -> bool:
    """typer and rich leave with an exit code of their own when the reader of a pipe has gone."""
    while error is not None and not isinstance(error, BrokenPipeError):
        error = error.__context__
    return error is not None


def _flushed(code: int) -> int:
    try:
        flush()
    except OSError:
        return _quiet_exit()
    return code


def _quiet_exit() -> int:
    """The reader has gone: point standard output elsewhere, or Python would complain when it flushes at exit."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    os.close(null)
    return EXIT_CLOSED_PIPE


def leave(code: int) -> NoReturn:
    """Ends the process at once, without waiting for a search that still runs in another thread."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)
