"""Which formation tables are made, and sets of them in a folder for a budget of disk space."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

from twofold.errors import InvalidFile, InvalidParameter, quote
from twofold.exact.formation_files import (
    HEAD,
    SUFFIX,
    VERSION,
    FormationTable,
    OnProgress,
    OtherVersion,
    make_table,
    open_table,
)
from twofold.exact.formation_tables import FormationTables
from twofold.exact.formations import BLOCK, Formation, Index

GIB = 1 << 30

PAIRS = ((3, 7), (7, 11), (8, 9), (9, 10), (10, 11), (8, 12), (9, 13), (10, 14))
"""Neighbouring cells, one at least beside the block: two tiles r − 1 there are a goal."""

SLACK = {9: 96}
"""Points of tile sum beyond the goal's that a table holds, by rank; 48 for others. Twice as many for 512 hold some
more crowded boards for 14 % more bytes; for 1024 they would take the set of 8 GiB beyond its budget."""


def block(rank: int) -> Formation:
    """The formation of six anchors in a block of 2x3, the least of rank `rank`, 2 to 10."""
    caps = tuple((cell, rank - 1) for cell in range(16) if cell not in BLOCK)
    goals = tuple(tuple((cell, rank - 1) for cell in pair) for pair in PAIRS)
    return Formation(f"block-{rank}", rank, BLOCK, caps, goals, SLACK.get(rank, 48))


SETS: tuple[tuple[float, range], ...] = ((1.0, range(4, 9)), (4.0, range(4, 10)), (8.0, range(4, 11)))
"""For budgets of at least so many GiB the least ranks of the tables."""


def formations_for(budget: float) -> tuple[Formation, ...]:
    """The tables of the best set for a budget in GiB; none below 1. Raises InvalidParameter."""
    if not budget >= 0:
        raise InvalidParameter(f"a budget of {budget:g} GiB: give 0 for no tables, or 1 and more")
    ranks = range(0)
    for least, these in SETS:
        if budget >= least:
            ranks = these
    return tuple(block(rank) for rank in ranks)


def set_name(budget: float) -> str:
    """What tells the tables of a budget from those of other versions."""
    return f"version {VERSION}: {formations_for(budget)}"


def set_bytes(formations: tuple[Formation, ...]) -> int:
    """How much disk space their files take."""
    return sum(HEAD + Index(formation).positions for formation in formations)


def table_path(folder: str | os.PathLike[str], formation: Formation) -> Path:
    """The file of a formation in a folder."""
    return Path(folder) / f"{formation.name}{SUFFIX}"


def missing(
    folder: str | os.PathLike[str],
    formations: tuple[Formation, ...],
    on_remade: Callable[[str], None] | None = None,
) -> tuple[Formation, ...]:
    """Those that aren't there yet, or were made by another version: of these `on_remade` is told the file's name.

    Raises InvalidFile for a damaged file.
    """
    left = []
    for formation in formations:
        path = table_path(folder, formation)
        if not path.exists():
            left.append(formation)
            continue
        try:
            open_table(path, formation)
        except OtherVersion:
            if on_remade is not None:
                on_remade(str(path))
            left.append(formation)
    return tuple(left)


def make_set(
    folder: str | os.PathLike[str],
    formations: tuple[Formation, ...],
    *,
    threads: int = 0,
    stop: threading.Event | None = None,
    on_progress: OnProgress | None = None,
) -> bool:
    """Make these tables in a folder; False if `stop` was set meanwhile. Raises InvalidFile."""
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidFile(
            f"can't make the folder {quote(os.fspath(folder))}: {error.strerror or error}"
        ) from None
    return all(
        make_table(each, table_path(folder, each), threads=threads, stop=stop, on_progress=on_progress)
        for each in formations
    )


def is_formation(path: str | os.PathLike[str]) -> bool:
    """Whether a path is that of a table, or of a folder that may hold some."""
    return Path(path).is_dir() or os.fspath(path).endswith(SUFFIX)


def load_set(folder: str | os.PathLike[str], *, least: float = 0.0) -> FormationTables:
    """All tables in a folder, or the one in a file, ready to be asked. Raises InvalidFile, also if there are none.

    least: the probability from which they are heard.
    """
    name = quote(os.fspath(folder))
    try:
        paths = sorted(Path(folder).glob(f"*{SUFFIX}")) if Path(folder).is_dir() else [Path(folder)]
    except OSError as error:
        raise InvalidFile(f"can't read {name}: {error.strerror or error}") from None
    if not paths or not (Path(folder).exists()):
        raise InvalidFile(f"{name} has no formation tables: `twofold exact formations` makes them")
    tables: list[FormationTable] = [open_table(path) for path in paths]
    return FormationTables(tables, [least] * len(tables), [0] * len(tables))
