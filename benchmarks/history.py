"""benchmarks/history.jsonl: one JSON object a line, one line a measurement, oldest first; committed.

Each line tells what was measured (`figures`, a number for each name in `FIGURES`), when, of which version and
commit (with `+` if files were changed since), and on which machine. Lines are added, never edited.
"""

from __future__ import annotations

import datetime
import importlib.metadata
import json
import os
import platform
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import twofold

ROOT = Path(__file__).resolve().parent.parent
HISTORY = Path(__file__).resolve().parent / "history.jsonl"


@dataclass(frozen=True, slots=True)
class Figure:
    """How a figure is shown, and what it is compared with.

    Attributes:
        label: what was measured, in words.
        unit: of the number.
        digits: after the decimal point.
        peer: another program's figure for the same task and its name; measured on one core of the reference
            machine of this project's first measurements, so a ratio on another machine is a rough one.
        less_is_better: for times.
    """

    label: str
    unit: str
    digits: int = 0
    peer: tuple[float, str] | None = None
    less_is_better: bool = False

    def show(self, value: float) -> str:
        """The number with thousands and its unit; rates from a million on in millions."""
        if self.unit.startswith("moves") and value >= 1e6:
            return f"{value / 1e6:,.1f} million {self.unit}"
        return f"{value:,.{self.digits}f} {self.unit}".rstrip()

    def ratio(self, value: float) -> float | None:
        """How many times better than the peer: above 1 is better, whatever the unit."""
        if self.peer is None:
            return None
        return self.peer[0] / value if self.less_is_better else value / self.peer[0]


TDL2048 = (41e6, "TDL2048 (C++)")
NNEONNEO = (25.0, "nneonneo/2048-ai (C++)")

FIGURES: dict[str, Figure] = {
    "random_moves_per_second": Figure("random play, 4×4", "moves/s", peer=TDL2048),
    "general_moves_per_second": Figure("random play, general board, 5×5", "moves/s"),
    "general_8x8_moves_per_second": Figure("random play, general board, 8×8", "moves/s"),
    "general_16x16_moves_per_second": Figure("random play, general board, 16×16", "moves/s"),
    "expectimax_moves_per_second": Figure("expectimax at nneonneo's rule", "moves/s", 1, NNEONNEO),
    "expectimax_over_nneonneo": Figure("the same beside nneonneo's program, same run", "times", 2),
    "expectimax_same_as_nneonneo": Figure("share of positions with the same move", "", 3),
    "expectimax_leaves_per_second": Figure("expectimax, positions looked at", "positions/s"),
    "default_moves_per_second": Figure("whole games of `default`", "moves/s"),
    "strongest_moves_per_second": Figure("whole games of `strongest`", "moves/s"),
    "strongest_20000_moves_per_second": Figure("whole games of `strongest:nodes=20000`", "moves/s"),
    "import_seconds": Figure("`import twofold`, a new process", "s", 3, less_is_better=True),
    "help_seconds": Figure("`twofold --help`", "s", 3, less_is_better=True),
    "best_seconds": Figure("`twofold best` on a classic board, warm", "s", 3, less_is_better=True),
    "best_default_seconds": Figure("`twofold best` by the default player, warm", "s", 3, less_is_better=True),
    "best_first_seconds": Figure("`twofold best`, first start ever (compiles)", "s", 1, less_is_better=True),
    "second_start_compiles": Figure("kernels compiled by the second start", "", less_is_better=True),
}


def machine() -> dict[str, Any]:
    """What a figure depends on besides the code. The processor's model, no names of machines or people."""
    return {
        "cpu": _cpu_model(),
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
        "numba": importlib.metadata.version("numba"),
        "numpy": importlib.metadata.version("numpy"),
    }


def _cpu_model() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:  # not Linux
        pass
    return platform.processor() or platform.machine()


def commit() -> str:
    """The short hash of the commit, with `+` if files under version control differ from it; '' without git."""
    try:
        name = _git("rev-parse", "--short=12", "HEAD")
        changed = _git("status", "--porcelain", "--untracked-files=no", "--", "src", "benchmarks/*.py")
    except (OSError, subprocess.CalledProcessError):
        return ""
    return name + ("+" if changed else "")


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def append(figures: dict[str, float], **more: Any) -> dict[str, Any]:
    """Adds one line; `more` is kept beside the figures, for example the player and the seeds. Returns the line."""
    record = {
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%MZ"),
        "version": twofold.__version__,
        "commit": commit(),
        "machine": machine(),
        "figures": figures,
        **more,
    }
    with HISTORY.open("a", encoding="utf-8", newline="\n") as stream:
        stream.write(json.dumps(record, ensure_ascii=False) + "\n")
    return record


def read() -> list[dict[str, Any]]:
    """All lines, oldest first."""
    if not HISTORY.exists():
        return []
    return [json.loads(line) for line in HISTORY.read_text("utf-8").splitlines() if line.strip()]


def latest() -> dict[str, tuple[float, dict[str, Any]]]:
    """For each figure its newest value and the line that has it."""
    found: dict[str, tuple[float, dict[str, Any]]] = {}
    for record in read():
        for name, value in record["figures"].items():
            found[name] = (value, record)
    return found
