"""Fuzzers and killers: what must hold whatever is typed, read, asked of the page, or killed, and what they found.

    python -m benchmarks.reliability texts    [--count 100000]  fuzzed texts for each notation
    python -m benchmarks.reliability commands [--count 5000]    odd command lines, in this process
    python -m benchmarks.reliability files    [--count 5000]    damaged files of all formats
    python -m benchmarks.reliability kills    [--count 50]      kill -9 at random moments, so many for each kind of run
    python -m benchmarks.reliability moves    [--count 1000000000]  differential moves over shapes, bricks and ranks
    python -m benchmarks.reliability visitors [--count 200]     visitors of the page beside five slow searches

One line at the end, and exit code 1 if anything was found. `--seed` names another draw. `tests/test_reliability.py`
runs small counts of each; docs/reliability.md has the figures of larger ones. How other sites are kept out is tried by
Chromium in `tests/ui/web/test_gate.py`.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Callable

from benchmarks.reliability.common import Found
from benchmarks.reliability.inputs import commands, files, texts
from benchmarks.reliability.kills import kills
from benchmarks.reliability.moves import moves
from benchmarks.reliability.visitors import visitors

KINDS: dict[str, tuple[Callable[[int, int], Found], int]] = {
    "texts": (texts, 100_000),
    "commands": (commands, 5_000),
    "files": (files, 5_000),
    "kills": (kills, 50),
    "moves": (moves, 1_000_000_000),
    "visitors": (visitors, 200),
}


def main() -> None:
    """See the module's text."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background it may be ignored
    work, usual = KINDS[options.kind]
    begin = time.monotonic()
    try:
        line, wrong = work(options.count or usual, options.seed)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C comes too late
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        print("interrupted", file=sys.stderr)
        raise SystemExit(130) from None
    print(f"{options.kind}: {line}, {time.monotonic() - begin:,.0f} s")
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
