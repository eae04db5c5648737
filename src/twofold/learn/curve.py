"""The learning curve of a run: a CSV file that grows while the run goes on, and a picture of it."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from twofold.errors import InvalidFile, InvalidParameter, quote
from twofold.evaluation.network import Design
from twofold.evaluation.neural import NeuralDesign
from twofold.files import check_target, read_file, replacing
from twofold.learn.temporal import CurvePoint

_PLAIN = ("seconds", "games", "moves", "moves_per_second", "score", "evaluation", "rate", "threads")


def reported_ranks(design: Design | NeuralDesign) -> tuple[int, ...]:
    """The ranks whose share of games a curve tells: the six largest that the tables hold."""
    return tuple(range(max(1, design.base - 6), design.base))


class CsvFile:
    """A CSV file that grows row by row, with `names` as its first row unless it goes on. Raises InvalidFile.

    mode: `w` begins it anew, `x` too, but refuses one that is there, `a` goes on with it.
    """

    def __init__(self, path: str | Path, names: Sequence[str], mode: str = "x") -> None:
        self.path = Path(path)
        if mode != "a":
            self._write(mode, names)

    def add_row(self, row: Sequence[Any]) -> None:
        """Append a row."""
        self._write("a", row)

    def _write(self, mode: str, row: Sequence[Any]) -> None:
        try:
            with self.path.open(mode, newline="", encoding="utf-8") as stream:
                csv.writer(stream, lineterminator="\n").writerow(row)
        except FileExistsError:
            raise InvalidFile(f"{quote(str(self.path))} already exists: choose another --out") from None
        except OSError as error:
            raise InvalidFile(f"can't write {quote(str(self.path))}: {error.strerror or error}") from error


class Curve(CsvFile):
    """A CSV file with one row per line of the curve; `fresh` starts it anew. Raises InvalidFile."""

    def __init__(self, path: str | Path, design: Design | NeuralDesign, *, fresh: bool) -> None:
        self.ranks = reported_ranks(design)
        names = [*_PLAIN, *(f"share_{1 << rank}" for rank in self.ranks)]
        super().__init__(path, names, "w" if fresh or not Path(path).is_file() else "a")

    def add(self, line: CurvePoint) -> None:
        """Append a line."""
        evaluation = "" if math.isnan(line.evaluation) else f"{line.evaluation:.1f}"
        row = [
            f"{line.seconds:.1f}",
            line.games,
            line.moves,
            f"{line.speed:.0f}",
            f"{line.score:.1f}",
            evaluation,
        ]
        row += [f"{line.rate:.4g}", line.threads, *(f"{line.tops[rank]:.4f}" for rank in self.ranks)]
        self.add_row(row)


def read_curve(path: str | Path) -> dict[str, list[float]]:
    """The columns of a curve's file; nan where nothing is written. Raises InvalidFile."""
    try:
        reader = csv.DictReader(io.StringIO(read_file(path).decode("utf-8"), newline=""))
        rows = list(reader)
        names = reader.fieldnames or ()
        return {name: [float(row[name] or "nan") for row in rows] for name in names}
    except (ValueError, TypeError, KeyError, csv.Error) as error:
        raise InvalidFile(f"{quote(str(path))} is not a learning curve: {error}") from error


def score_curve(path: str | Path) -> list[tuple[float, float]]:
    """Millions of moves and mean scores of a curve's file, line by line. Raises InvalidFile, also for another file."""
    columns = read_curve(path)
    if not {"moves", "score"} <= columns.keys():
        raise InvalidFile(
            f"{quote(str(path))} is not a learning curve: it has no columns 'moves' and 'score'"
        )
    return [(moves / 1e6, score) for moves, score in zip(columns["moves"], columns["score"], strict=True)]


def check_plots() -> None:
    """Raises InvalidParameter if matplotlib is missing."""
    if find_spec("matplotlib") is None:
        raise InvalidParameter("pictures of curves need matplotlib: pip install 'twofold[plots]'")


def check_picture(path: str | Path) -> str:
    """The kind of picture that `draw_curves` can write there, png or svg.

    Raises InvalidParameter for another ending or without matplotlib, InvalidFile where there is no such folder.
    """
    kind = Path(path).suffix.lstrip(".").lower()
    if kind not in ("png", "svg"):
        raise InvalidParameter(f"{quote(str(path))} should end in .png or .svg")
    check_target(str(path))
    check_plots()
    return kind


def _units(most: float) -> tuple[float, str]:
    """What moves are counted in on an axis that ends at `most`."""
    return (1e9, "billions") if most >= 1e9 else (1e6, "millions")


def _smoothed(numbers: Sequence[float], rows: int) -> list[float]:
    """Each number as the mean of up to `rows` numbers that end with it."""
    return [
        sum(part) / len(part) for part in (numbers[max(0, i + 1 - rows) : i + 1] for i in range(len(numbers)))
    ]


def draw_curves(curves: dict[str, str | Path], picture: str | Path, *, smooth: int = 1) -> None:
    """Draw the mean score over moves of some curves, by label, into a .png or .svg file.

    smooth: lines of a curve that a point is the mean of, for curves whose lines tell of few games.
    Raises InvalidParameter without matplotlib and InvalidFile for what can't be read or written.
    """
    kind = check_picture(picture)
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "twofold"
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4))
    found = {label: columns for label, path in curves.items() if (columns := read_curve(path)).get("moves")}
    unit, word = _units(max((columns["moves"][-1] for columns in found.values()), default=0))
    for label, columns in found.items():
        moves = [number / unit for number in columns["moves"]]
        axes.plot(moves, _smoothed(columns["score"], smooth), label=label, linewidth=1.2)
    axes.set_xlabel(f"training moves, {word}")
    axes.set_ylabel("mean score of training games")
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    if len(curves) > 1:
        axes.legend()
    buffer = io.BytesIO()
    figure.savefig(
        buffer, format=kind, dpi=110, bbox_inches="tight", metadata={"Date": None} if kind == "svg" else {}
    )
    plt.close(figure)
    with replacing(picture) as stream:
        stream.write(buffer.getvalue())
