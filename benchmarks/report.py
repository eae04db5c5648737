"""Writes docs/results/speed.md from benchmarks/history.jsonl.

    python -m benchmarks.report [--check]

With --check nothing is written, and the exit code is 1 if something would be.
"""

from __future__ import annotations

import re
import sys
from typing import Any

from benchmarks import history
from twofold.players.fingerprint import named_networks

RESULTS = history.ROOT / "docs" / "results" / "speed.md"


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
        "# Speed\n",
        "Written by `python -m benchmarks.report` from `benchmarks/history.jsonl`, to which `make bench` adds lines.\n",
        table(names) or "Nothing measured yet.\n",
        origin(names),
        f"{named_networks(['default'])} Some earlier runs had other networks.\n",
        "Figures of other programs are from one core of the machine that made the first measurements.\n",
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


def main() -> None:
    """The command."""
    text = speed_page()
    if RESULTS.exists() and RESULTS.read_text("utf-8") == text:
        return
    name = RESULTS.relative_to(history.ROOT)
    if "--check" in sys.argv[1:]:
        print(f"{name} is not what benchmarks/history.jsonl says: run python -m benchmarks.report")
        sys.exit(1)
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    RESULTS.write_text(text, "utf-8", newline="\n")
    print(f"wrote {name}")


if __name__ == "__main__":
    main()
