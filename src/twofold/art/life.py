"""Conway's Game of Life on boards up to 256x256, bounded or wrapped.

A live cell with two or three live neighbours lives on, a dead cell with three is born, all others are dead in the
next generation (Gardner 1970); other rules of that kind are written `B36/S23`. On a bounded board cells beyond the
side are dead. A wrapped board is a torus: its top joins its bottom and its left side its right side, as if the
plane were covered with copies of it (so on a board of one or two rows a neighbour can count more than once).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from twofold.art.picture import cells_svg
from twofold.errors import InvalidBoard, InvalidParameter, InvalidPattern, quote
from twofold.rules.random import stream_key, word
from twofold.threads import checkpoint

Cells = NDArray[np.uint8]
"""1 alive, 0 dead; (rows, columns)."""

MAX_GENERATIONS = 10_000
"""The most generations of one run."""

MOST_SIDE = 256
"""The most rows and columns of Life; a board of 2048, on which generations are painted, has at most 64."""

_BIRTH_FIRST = re.compile(r"[Bb]([0-8]*)/?[Ss]([0-8]*)")
_SURVIVAL_FIRST = re.compile(r"([0-8]*)/([0-8]*)|[Ss]([0-8]*)/?[Bb]([0-8]*)")


@dataclass(frozen=True, slots=True)
class Rule:
    """Which cells are born and which survive, by the number of live neighbours, 0 to 8."""

    birth: frozenset[int] = frozenset({3})
    survival: frozenset[int] = frozenset({2, 3})

    @classmethod
    def parse(cls, text: str) -> Rule:
        """From `B3/S23`, `S23/B3`, or the older `23/3` (survival first). Raises InvalidPattern."""
        cleaned = text.strip()
        found = _BIRTH_FIRST.fullmatch(cleaned)
        older = _SURVIVAL_FIRST.fullmatch(cleaned)
        if found is not None:
            return cls(_counts(found[1]), _counts(found[2]))
        if older is not None and cleaned != "/":
            return cls(_counts(older[2] or older[4] or ""), _counts(older[1] or older[3] or ""))
        raise InvalidPattern(
            f"{quote(text)} is not a rule of Life: write the neighbour counts for birth and survival, as in B3/S23"
        )

    def __str__(self) -> str:
        born, kept = ("".join(map(str, sorted(counts))) for counts in (self.birth, self.survival))
        return f"B{born}/S{kept}"


CONWAY = Rule()
"""B3/S23."""


def step(cells: Cells, *, wrap: bool, rule: Rule = CONWAY) -> Cells:
    """The next generation of cells of any size, as a new array."""
    around = np.pad(cells, 1, mode="wrap" if wrap else "constant")
    rows, columns = cells.shape
    neighbours = np.zeros(cells.shape, np.uint8)
    for down in range(3):
        for right in range(3):
            if (down, right) != (1, 1):
                neighbours += around[down : down + rows, right : right + columns]
    table = np.zeros((2, 9), np.uint8)
    table[0, list(rule.birth)] = 1
    table[1, list(rule.survival)] = 1
    following: Cells = table[cells, neighbours]
    return following


def check_life_size(rows: int, columns: int) -> None:
    """Raises InvalidBoard for a size outside 1x2 to 256x256."""
    if not (1 <= rows <= MOST_SIDE and 1 <= columns <= MOST_SIDE and rows * columns >= 2):
        raise InvalidBoard(
            f"no board of {quote(f'{rows}x{columns}')}: Life runs on 1x2 to {MOST_SIDE}x{MOST_SIDE} cells"
        )


@dataclass(frozen=True, slots=True)
class Life:
    """One generation on a board: a value, never changed.

    cells: one byte per cell in reading order, 1 alive and 0 dead; wrap: a torus, else a bounded board.
    Raises InvalidParameter for other bytes or a wrong number of them, InvalidBoard for a size no board has.
    """

    rows: int
    columns: int
    cells: bytes
    wrap: bool = False
    rule: Rule = CONWAY

    def __post_init__(self) -> None:
        check_life_size(self.rows, self.columns)
        if len(self.cells) != self.rows * self.columns or self.cells.translate(None, b"\0\1"):
            raise InvalidParameter(
                f"{self.rows}x{self.columns} cells of Life are {self.rows * self.columns} bytes of 0 and 1"
            )

    @classmethod
    def of(cls, cells: Cells, *, wrap: bool = False, rule: Rule = CONWAY) -> Life:
        """From an array of 0 and 1, shape (rows, columns)."""
        rows, columns = cells.shape
        return cls(rows, columns, np.ascontiguousarray(cells, np.uint8).tobytes(), wrap, rule)

    @property
    def size(self) -> tuple[int, int]:
        """(rows, columns)."""
        return self.rows, self.columns

    @property
    def array(self) -> Cells:
        """The cells as a read-only array, (rows, columns)."""
        return np.frombuffer(self.cells, np.uint8).reshape(self.rows, self.columns)

    @property
    def alive(self) -> int:
        """Live cells."""
        return sum(self.cells)

    def next(self) -> Life:
        """The next generation."""
        return replace(self, cells=step(self.array, wrap=self.wrap, rule=self.rule).tobytes())

    def toggled(self, row: int, column: int) -> Life:
        """With one cell switched, for drawing. Raises InvalidParameter if there is no such cell."""
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            raise InvalidParameter(f"no cell {quote((row, column))} on a {self.rows}x{self.columns} board")
        index = row * self.columns + column
        return replace(
            self, cells=self.cells[:index] + bytes([1 - self.cells[index]]) + self.cells[index + 1 :]
        )

    def __repr__(self) -> str:
        return f"Life({self.rows}x{self.columns}, {self.alive:,} alive{', torus' if self.wrap else ''})"

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return cells_svg(self.rows, self.columns, self.cells, ("#ffffff", "#222222"))

    def __str__(self) -> str:
        """Rows of `#` and `.` joined by `|`, which `life_patterns.parse_pattern` reads."""
        return "|".join("".join(".#"[cell] for cell in row) for row in self.array.tolist())


def generations(start: Life) -> Iterator[Life]:
    """`start` and all that follow, without end."""
    while True:
        yield start
        start = start.next()


@dataclass(frozen=True, slots=True)
class Fate:
    """How a run ends: what repeats for ever.

    begin: the first generation that recurs; period: after how many, 1 if nothing changes any more;
    extinct: no cell is alive.
    """

    begin: int
    period: int
    extinct: bool

    def __str__(self) -> str:
        if self.extinct:
            return f"all dead from generation {self.begin:,}"
        if self.period == 1:
            return f"still from generation {self.begin:,}"
        return f"repeats every {self.period:,} generations from generation {self.begin:,}"


def fate(start: Life, most: int = MAX_GENERATIONS) -> Fate | None:
    """The fate of `start` on its board; None if nothing has repeated within `most` generations.

    Boards are finite, so every run repeats eventually.
    """
    seen: dict[bytes, int] = {}  # by digest: 10,000 generations of 256x256 cells would be 650 MB
    for number, life in enumerate(generations(start)):
        checkpoint()
        digest = hashlib.blake2b(life.cells, digest_size=16).digest()
        if digest in seen:
            begin = seen[digest]
            return Fate(begin, number - begin, not life.alive)
        if number > most:
            return None
        seen[digest] = number
    raise AssertionError("generations never end")


def soup(rows: int, columns: int, density: float = 0.5, seed: int = 0, *, wrap: bool = False) -> Life:
    """Random cells, each alive with probability `density`. Raises InvalidParameter."""
    check_life_size(rows, columns)
    if not 0 <= density <= 1:
        raise InvalidParameter(f"density {quote(density)} is not a number from 0 to 1")
    key = stream_key(seed, 0, 2)
    limit = round(density * 2**32)
    cells = bytes((word(key, k) & 0xFFFFFFFF) < limit for k in range(rows * columns))
    return Life(rows, columns, cells, wrap)


def check_generations(count: int) -> int:
    """`count` if a run may have so many generations. Raises InvalidParameter."""
    if not 0 <= count <= MAX_GENERATIONS:
        raise InvalidParameter(f"{quote(count)} generations: a run has 0 to {MAX_GENERATIONS:,}")
    return count


def _counts(text: str) -> frozenset[int]:
    return frozenset(map(int, text))
