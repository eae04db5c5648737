"""Measures the figures of `benchmarks.history.FIGURES` and appends them to history.jsonl.

    python -m benchmarks.run [--compare] [--seconds X] [--dry]

Rates are of one core, warm, in processor time; times of commands are the median of several, in seconds of the clock,
with a compile cache of their own, so that the first start is a first start. Run it on an otherwise idle machine.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks import history

BOARD = "2 4 8 16|32 64 128 .|. . 4 .|2 . . ."


def engine(seconds: float) -> dict[str, float]:
    """The engine's rates, about `seconds` for each."""
    from twofold.microbench import expectimax_rate, general_rate, random_rate

    moves, leaves = expectimax_rate(seconds)
    return {
        "random_moves_per_second": random_rate(seconds),
        "general_moves_per_second": general_rate(seconds),
        "general_8x8_moves_per_second": general_rate(seconds, 8, 8),
        "general_16x16_moves_per_second": general_rate(seconds, 16, 16),
        "expectimax_moves_per_second": moves,
        "expectimax_leaves_per_second": leaves,
    }


def starts(repeats: int = 7) -> dict[str, float]:
    """Seconds that commands take from start to end, and how many kernels a second start compiles."""
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {"NUMBA_CACHE_DIR": cache}
        best = ["-m", "twofold", "best", BOARD, "--player", "expectimax:depth=2", "--json"]
        default = ["-m", "twofold", "best", BOARD, "--json"]

        def seconds(arguments: list[str], times: int) -> float:
            return statistics.median(_time([sys.executable, *arguments], environment) for _ in range(times))

        first = seconds(best, 1)
        compiled = _count_files(cache)
        warm, again = seconds(best, repeats), _count_files(cache)
        seconds(default, 1)
        return {
            "import_seconds": seconds(["-c", "import twofold"], repeats),
            "help_seconds": seconds(["-m", "twofold", "--help"], repeats),
            "best_seconds": warm,
            "best_default_seconds": seconds(default, repeats),
            "best_first_seconds": first,
            "second_start_compiles": float(again - compiled),
        }


def _time(command: list[str], environment: dict[str, str]) -> float:
    begin = time.perf_counter()
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin


def _count_files(folder: str) -> int:
    return sum(1 for _ in Path(folder).rglob("*.nbc"))


def show(figures: dict[str, float]) -> None:
    """The figures, with ratios where there is a peer."""
    for name, value in figures.items():
        figure = history.FIGURES[name]
        ratio = figure.ratio(value)
        beside = f"   {ratio:.2f} × {figure.peer[1]}" if ratio is not None and figure.peer is not None else ""
        print(f"{figure.label:<45} {figure.show(value):>28}{beside}")


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=3.0, help="processor time for each rate")
    parser.add_argument("--compare", action="store_true", help="also print the previous figures' ratios")
    parser.add_argument("--dry", action="store_true", help="print only, append nothing")
    options = parser.parse_args()
    before = history.latest()
    figures = {name: float(f"{value:.6g}") for name, value in (engine(options.seconds) | starts()).items()}
    show(figures)
    if options.compare:
        print("\nnow / before")
        for name, value in figures.items():
            old = before.get(name)
            if old is not None and old[0]:
                where = "" if old[1]["machine"] == history.machine() else "   (another machine)"
                print(f"{history.FIGURES[name].label:<45} {value / old[0]:>28.3f}{where}")
    if not options.dry:
        record = history.append(figures)
        print(f"\nadded to {history.HISTORY.relative_to(history.ROOT)}: {record['date']} {record['commit']}")


if __name__ == "__main__":
    main()
