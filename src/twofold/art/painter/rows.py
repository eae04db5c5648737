"""S0's method: rows made on one edge and slid across; its table of rows, its inequality, its message.

S0 (section "Image Creation") fills the edge row by moves along it, each followed by a 2 or a 4 on the empty cell
nearest to either end, and slides a row without equal neighbours to the other side. Equal rows slid one after the
other merge (composite rows): a row d lines from the edge can be a sum of up to 2^(d+1) − 1 equal rows, the edge row of
one. Each colour gets one tile value, or two if it touches itself somewhere; all combinations of values up to 2^(2n)
are tried, first for the rows, then for the columns.
"""

from __future__ import annotations

import functools
import itertools
import time
from collections.abc import Callable, Iterator
from functools import lru_cache

import numpy as np

from twofold.art.painter.painting import NotPainted, Painting, Step
from twofold.art.painter.words import slide
from twofold.art.picture import Picture
from twofold.kernels.compiling import kernel
from twofold.rules.board import Board
from twofold.rules.direction import Direction
from twofold.rules.slide import slide_run

MAX_SIDE = 8
"""S0's limit, kept: the list of rows grows eightfold with each cell."""


@functools.partial(kernel, allocates=True)
def _enumerate(n, seen, codes, parents, hows):  # type: ignore[no-untyped-def]
    """All rows of n cells, breadth first. seen: a bit for each code to base n + 2. Gives the number of rows.

    hows: 4·right + 2·(spawn at the upper end of the empty cells) + (a 4), or 8 + cell·2 + (a 4) for a first tile.
    """
    b = n + 2
    cells, out = np.zeros(n, np.int64), np.zeros(n, np.int64)
    total, done = 0, 0
    for end in range(2):
        for four in range(2):
            place = (n - 1) * end
            code = (four + 1) * b**place
            if not seen[code >> 3] & (1 << (code & 7)):
                seen[code >> 3] |= np.uint8(1 << (code & 7))
                codes[total], parents[total], hows[total] = code, -1, 8 + place * 2 + four
                total += 1
    while done < total:
        rest = codes[done]
        for i in range(n):
            cells[i] = rest % b
            rest //= b
        for right in range(2):
            if not slide(cells.reshape(1, n), right, out.reshape(1, n)):
                continue
            low, high, code = -1, -1, 0
            for i in range(n - 1, -1, -1):
                code = code * b + out[i]
            for i in range(n):
                if out[i] == 0:
                    high = i
                    low = i if low < 0 else low
            if low < 0:
                continue
            for upper in range(2):
                for four in range(2):
                    new = code + (four + 1) * b ** (high if upper else low)
                    if not seen[new >> 3] & (1 << (new & 7)):
                        seen[new >> 3] |= np.uint8(1 << (new & 7))
                        codes[total], parents[total] = new, done
                        hows[total] = 4 * right + 2 * upper + four
                        total += 1
        done += 1
    return total


class Rows:
    """All rows that can be made in one line of n cells. met: their number; filled: those that are full and locked."""

    def __init__(self, n: int) -> None:
        if not 1 <= n <= MAX_SIDE:
            raise NotPainted(f"S0's method lists all rows, which is done for 1 to {MAX_SIDE} cells, not {n}")
        self.n, room = n, (2, 12, 67, 431, 2_923, 20_738, 156_031, 1_245_210)[n - 1] + 1
        seen = np.zeros(((n + 2) ** n >> 3) + 1, np.uint8)
        self._codes, self._parents = np.zeros(room, np.int64), np.zeros(room, np.int32)
        self._hows = np.zeros(room, np.uint8)
        self.met = int(_enumerate(n, seen, self._codes, self._parents, self._hows))
        digits = self._codes[: self.met, None] // (n + 2) ** np.arange(n) % (n + 2)
        full = (digits > 0).all(1) & (digits[:, 1:] != digits[:, :-1]).all(1)
        self._place = {tuple(map(int, digits[i])): int(i) for i in np.flatnonzero(full)}

    @property
    def filled(self) -> int:
        """Rows without an empty cell and without equal neighbours."""
        return len(self._place)

    def __contains__(self, row: tuple[int, ...]) -> bool:
        return row in self._place

    def history(self, row: tuple[int, ...]) -> list[int]:
        """How a filled row is made: codes as in `_enumerate`, the first tile first."""
        place, found = self._place[row], []
        while place >= 0:
            found.append(int(self._hows[place]))
            place = int(self._parents[place])
        return found[::-1]


@lru_cache(maxsize=MAX_SIDE)
def rows_of(n: int) -> Rows:
    """The rows of n cells, listed once."""
    return Rows(n)


def table(most: int = MAX_SIDE) -> list[tuple[int, int, int]]:
    """S0's figure 18: (n, filled rows, rows met) for n = 1 to `most`."""
    return [(n, rows_of(n).filled, rows_of(n).met) for n in range(1, most + 1)]


def values_needed(picture: Picture) -> dict[int, int]:
    """For each colour 2 if it touches itself along a row or a column somewhere, else 1."""
    needed = dict.fromkeys(sorted(set(picture.cells)), 1)
    for image in (picture, picture.transpose()):
        for line in image.lines:
            for one, other in itertools.pairwise(line):
                if one == other:
                    needed[one] = 2
    return needed


def paint_rows(
    picture: Picture, *, seconds: float, progress: Callable[[int], None] | None = None
) -> Painting:
    """S0's method. Raises NotPainted: its inequality, no assignment of values, or the time spent."""
    n = picture.rows
    if picture.columns != n or not 2 <= n <= MAX_SIDE:
        raise NotPainted(
            f"S0's method paints squares from 2x2 to {MAX_SIDE}x{MAX_SIDE}, not {n}x{picture.columns}"
        )
    needed = values_needed(picture)
    once = sum(values == 1 for values in needed.values())
    twice = len(needed) - once
    if once + 2 * twice > 2 * n:
        raise NotPainted(
            f"impossible by S0's method: {once} colours that nowhere touch themselves + 2·{twice} that do = "
            f"{once + 2 * twice} tile values, and an {n}x{n} board has 2·{n} = {2 * n}"
        )
    end, tried = time.monotonic() + seconds, 0
    for turned in (False, True):
        for upside_down in (False, True):
            image = picture.transpose() if turned else picture
            image = image.flip_vertical() if upside_down else image
            for values in _assignments(needed, 2 * n):
                tried += 1
                if tried % 64 == 0 and progress is not None:
                    progress(tried)
                if tried % 64 == 0 and time.monotonic() > end:
                    raise NotPainted(
                        f"not found within {seconds:g} s by S0's method: {tried:,} assignments of tile values tried"
                    )
                chosen = _choose_rows(image, values, rows_of(n))
                if chosen is not None:
                    painting = _carry_out(image, chosen, values, len(picture.palette))
                    painting = painting.flipped() if upside_down else painting
                    painting = painting.transposed() if turned else painting
                    painting.prove()
                    return painting
    raise NotPainted(
        f"S0's method finds no way: all {tried:,} assignments of tile values, by rows and by columns, were tried"
    )


def _assignments(needed: dict[int, int], most: int) -> Iterator[dict[int, tuple[int, ...]]]:
    """All choices of values for colours: combinations of as many as are needed, small ones first, dealt out."""
    total = sum(needed.values())
    for chosen in itertools.combinations(range(1, most + 1), total):
        yield from _deal(list(needed.items()), chosen)


def _deal(left: list[tuple[int, int]], values: tuple[int, ...]) -> Iterator[dict[int, tuple[int, ...]]]:
    if not left:
        yield {}
        return
    (colour, count), *others = left
    for mine in itertools.combinations(values, count):
        for rest in _deal(others, tuple(value for value in values if value not in mine)):
            yield {colour: mine, **rest}


_Choice = tuple[tuple[int, ...], int]
"""The letters of a row at the end, and how often it is doubled."""


def _choose_rows(image: Picture, values: dict[int, tuple[int, ...]], rows: Rows) -> list[_Choice] | None:
    """Letters for every row, the far one first, so that each can be made and none merges with the one before."""
    options: dict[tuple[int, ...], list[_Choice]] = {}
    for line in set(image.lines):
        options[line] = [
            (letters, j)
            for letters in itertools.product(*(values[colour] for colour in line))
            if all(one != other for one, other in itertools.pairwise(letters))
            for j in range(min(letters))
            if tuple(letter - j for letter in letters) in rows
        ]
        if not options[line]:
            return None
    reached: list[dict[_Choice, _Choice | None]] = []
    for number, line in enumerate(image.lines):
        depth = image.rows - 1 - number
        now: dict[_Choice, _Choice | None] = {}
        for choice in options[line]:
            letters, j = choice
            if j > depth:
                continue
            if not reached:
                now[choice] = None
                continue
            for before in reached[-1]:
                if not any(v - j <= a <= v for a, v in zip(before[0], letters, strict=True)):
                    now[choice] = before
                    break
        if not now:
            return None
        reached.append(now)
    choice = next(iter(reached[-1]))
    chosen = [choice]
    for layer in reversed(reached[1:]):
        before_it = layer[chosen[-1]]
        assert before_it is not None
        chosen.append(before_it)
    return chosen[::-1]


def _carry_out(
    image: Picture, chosen: list[_Choice], values: dict[int, tuple[int, ...]], colours: int
) -> Painting:
    """The game: rows made at the bottom edge and slid up, equal ones in succession."""
    n = image.rows
    edge = n * (n - 1)
    start = Board.empty(n, n)
    steps: list[Step] = []
    for letters, j in chosen:
        history = rows_of(n).history(tuple(letter - j for letter in letters))
        for _ in range(1 << j):
            cells = [0] * n
            for code in history:
                place, rank = _play_code(cells, code)
                cells[place] = rank
                if code >= 8 and not steps and not start.tile_ranks:
                    start = start.with_cell(edge + place, rank)
                    continue
                direction = Direction.UP if code >= 8 else Direction.RIGHT if code & 4 else Direction.LEFT
                steps.append(Step(direction, edge + place, rank))
    ranks = tuple(values.get(colour, ()) for colour in range(colours))
    return Painting(image, start, tuple(steps), ranks, "rows", "S0: rows made on one edge and slid across")


def _play_code(cells: list[int], code: int) -> tuple[int, int]:
    """Makes the move of `code` in `cells`; gives where the tile appears and its rank."""
    if code >= 8:
        return (code - 8) // 2, 1 + code % 2
    cells[:] = slide_run(cells[::-1])[0][::-1] if code & 4 else slide_run(cells)[0]
    empty = [place for place, rank in enumerate(cells) if not rank]
    return (empty[-1] if code & 2 else empty[0]), 1 + code % 2
