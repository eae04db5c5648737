"""Measures the exact solver: seconds on one core and on all, memory, look-ups, and a database beside a file.

    python -m benchmarks.exact [--large] [--threads N]

Wall-clock and processor seconds after a warm-up; run it on an otherwise idle machine. The processor time is the one to
compare on a busy machine, though two busy threads of one core slow each other down. Peak memory is that of the
process so far, so the boards come in the order of their size. `--large` adds 3x4 to 64 and 4x4 to 16.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from twofold.exact.export import write_sqlite
from twofold.exact.policy_file import load_policy, save_policy
from twofold.exact.problem import MAX_EXPECTED_SCORE, MAX_PROBABILITY, Problem
from twofold.exact.solver import solve
from twofold.rules.board import Board
from twofold.rules.variant import Variant

BOARDS = (("2x3", None, 0.0), ("2x4", None, 1.0), ("3x3", 512, 0.0), ("3x3", None, 6.0))
LARGE = (("4x4", 16, 20.0), ("3x4", 64, 90.0))


def problem(size: str, target: int | None) -> Problem:
    """A problem of a full board."""
    return Problem(
        Variant.parse(size if target is None else f"{size};target={target}"),
        MAX_EXPECTED_SCORE if target is None else MAX_PROBABILITY,
    )


def measure(size: str, target: int | None, threads: int, goal: float) -> None:
    """One line: what was solved, and what it took."""
    wanted = problem(size, target)
    wall, used = time.perf_counter(), time.process_time()
    found = solve(wanted, threads=threads, keep=False)
    wall, used = time.perf_counter() - wall, time.process_time() - used
    boards = found.states + found.afterstates
    print(
        f"{size} {'score' if target is None else f'to {target}':<8} {threads} thread{'s' * (threads > 1):<1} "
        f"{wall:8.2f} s wall {used:8.2f} s cpu {boards:>12,} boards {1e9 * used / boards:5.0f} ns each "
        f"{found.peak_memory_bytes / 1e9:6.2f} GB" + (f"   (goal {goal:g} s)" if goal else "")
    )


def microseconds(run: Callable[[], object], repeats: int) -> float:
    """The mean time of a call."""
    begin = time.perf_counter()
    for _ in range(repeats):
        run()
    return 1e6 * (time.perf_counter() - begin) / repeats


def measure_stores(size: str) -> None:
    """A policy in a file and in a database: size, seconds to write, microseconds to look all moves of a board up."""
    found = solve(problem(size, None))
    boards = [start.board for start in found.starts]
    with tempfile.TemporaryDirectory() as folder:
        path, base = Path(folder) / "p.2048exact", Path(folder) / "p.sqlite"
        begin = time.perf_counter()
        save_policy(path, found)
        saved = time.perf_counter() - begin
        policy = load_policy(path)
        begin = time.perf_counter()
        write_sqlite(policy, base)
        written = time.perf_counter() - begin
        for name, place, seconds in (("file", path, saved), ("database", base, written)):
            opened = load_policy(place)
            deep = [Board(b.rows, b.columns, b.cells) for b in boards]
            first = microseconds(lambda o=opened, d=deep: [o.moves(b) for b in d], 1) / len(deep)  # type: ignore[misc]
            again = microseconds(lambda o=opened, d=deep: [o.moves(b) for b in d], 20) / len(deep)  # type: ignore[misc]
            print(
                f"{size} {name:<9} {place.stat().st_size / found.afterstates:5.1f} bytes each, written in "
                f"{seconds:6.2f} s, a board's moves in {first:7.1f} µs at first, {again:6.1f} µs again"
            )


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--large", action="store_true", help="also boards of a hundred million positions")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    for target in (None, 8):  # compile
        solve(problem("2x2", target))
    for size, target, goal in BOARDS:
        for threads in sorted({1, options.threads}):
            measure(size, target, threads, goal if threads == 1 else 0.0)
    measure_stores("2x4")
    for size, target, goal in LARGE if options.large else ():
        measure(size, target, options.threads, goal)


if __name__ == "__main__":
    main()
