"""The command, as ``twofold`` or ``python -m twofold``; it imports the rest itself, so Ctrl-C is obeyed at once."""

from __future__ import annotations

import os
import sys

_LEAST_MEMORY = 512 * 2**20
"""Bytes of address space below which numpy and numba end in errors of their own, each time another one."""

_LEAST_FOR_TEXTS = 128 * 2**20
"""The same for what needs neither."""


def main() -> None:
    """The entry point of the installed command."""
    allowed = _memory_allowed()
    least = _LEAST_FOR_TEXTS if sys.argv[1:] in (["--help"], ["-h"], ["--version"]) else _LEAST_MEMORY
    if allowed is not None and allowed < least:
        _end(
            f"error: not enough memory: ulimit -v is {allowed // 1024:,} KiB, and twofold needs {least // 1024:,}",
            2,
        )
    try:
        from twofold.ui.cli.app import main as run
    except KeyboardInterrupt:
        _end("interrupted", 130)
    run()


def _memory_allowed() -> int | None:
    """The bytes of address space that the system allows this process; None where it sets no limit."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
    return None if allowed == resource.RLIM_INFINITY else allowed


def _end(message: str, code: int) -> None:
    sys.stderr.write(f"{message}\n")
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
