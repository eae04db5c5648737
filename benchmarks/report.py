"""Writes docs/results/speed.md and the table of README.md from benchmarks/history.jsonl.

    python -m benchmarks.report [--check]

The README's table lies between two comments, ``<!-- speed: begin -->`` and ``<!-- speed: end -->``; everything else
stays as it is. With --check nothing is written, and the exit code is 1 if something would be.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from benchmarks import history

README = history.ROOT / "README.md"
RESULTS = history.ROOT / "docs" / "results" / "speed.md"
IN_README = (
    "random_moves_per_second",
    "general_moves_per_second",
    "expectimax_moves_per_second",
    "expectimax_over_nneonneo",
    "help_seconds",
    "best_seconds",
)


def fill(page: str, name: str, filling: str) -> str:
    """`page` with `filling` between the comments ``<!-- NAME: begin … -->`` and ``<!-- NAME: end -->``."""
    between = re.compile(rf"(<!-- {name}: begin.*? -->\n).*?(<!-- {name}: end -->)", re.DOTALL)
    return between.sub(lambda found: found[1] + filling + found[2], page)


def table(names: tuple[str, ...]) -> str:
    """A Markdown table of the newest value of each figure that was measured."""
    found = history.latest()
    lines = ["| what | twofold | compared |", "|---|--:|---|"]
    for name in names:
        if name not in found:
            continue
        figure, value = history.FIGURES[name], found[name][0]
        ratio = figure.ratio(value)
        compared = ""
        if ratio is not None and figure.peer is not None:
            compared = f"{ratio:.1f} × {figure.peer[1]}: {figure.show(figure.peer[0])}"
        lines.append(f"| {figure.label} | {figure.show(value)} | {compared} |")
    return "\n".join(lines) + "\n" if len(lines) > 2 else ""


def origin(names: tuple[str, ...]) -> str:
    """Where and when the newest values were measured, a sentence for each measurement."""
    found = history.latest()
    records: list[dict[str, Any]] = []
    for name in names:
        if name in found and found[name][1] not in records:
            records.append(found[name][1])
    sentences = dict.fromkeys(f"Measured {_origin(record)}." for record in records)  # each once
    return "\n".join(sentences) + "\n"


def _origin(record: dict[str, Any]) -> str:
    where = record["machine"]
    code = f"version {record['version']}" + (f", commit {record['commit']}" if record["commit"] else "")
    return (
        f"{record['date'][:10]} on one core of {where['cpu']} ({where['system']}, Python {where['python']}, "
        f"numba {where['numba']}), {code}"
    )


def speed_page() -> str:
    """docs/results/speed.md: the newest values, then all of history."""
    names = tuple(history.FIGURES)
    pages = [
        "# How fast\n",
        "Written by `make report` from `benchmarks/history.jsonl`, which `make bench` adds to; not by hand.\n",
        table(names) or "Nothing measured yet.\n",
        origin(names),
        "Figures of other programs are from one core of the machine of the first measurements.\n",
        "## History\n",
    ]
    for record in reversed(history.read()):
        rows = [
            f"| {history.FIGURES[name].label} | {history.FIGURES[name].show(value)} |"
            for name, value in record["figures"].items()
            if name in history.FIGURES
        ]
        if rows:
            pages.append(f"### {_origin(record)}\n\n| what | twofold |\n|---|--:|\n" + "\n".join(rows) + "\n")
    return "\n".join(pages)


def readme() -> str:
    """README.md with today's table."""
    filling = table(IN_README) + "\n" + origin(IN_README) if table(IN_README) else ""
    return fill(README.read_text("utf-8"), "speed", filling)


def main() -> None:
    """The command."""
    stale = False
    for path, text in ((README, readme()), (RESULTS, speed_page())):
        if path.exists() and path.read_text("utf-8") == text:
            continue
        stale = True
        if "--check" in sys.argv[1:]:
            print(
                f"{path.relative_to(history.ROOT)} is not what benchmarks/history.jsonl says: run make report"
            )
            continue
        _write(path, text)
        print(f"wrote {path.relative_to(history.ROOT)}")
    sys.exit(stale and "--check" in sys.argv[1:])


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8", newline="\n")


if __name__ == "__main__":
    main()
