"""Tile values for colours, and a plan for every row: hill-climbing over maps from ranks to colours, compiled.

A map gives each rank 1 to R a colour. For a map the rows are planned from the top, each at the least cost, given the
row above: grown in place, through the row below, or doubled, with letters raised, see `builder.py`. A map is as
good as the number of rows that can be made, plus how far the longest word comes in the others; it is changed at one
or two ranks at a time, and begun anew when it gets no better. The four sides of the picture from which rows can be
planned take turns.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from twofold.art.painter.builder import RowPlan
from twofold.art.painter.words import Word, grow, new_scratch, pieces_of
from twofold.kernels.compiling import helper, kernel
from twofold.threads import checkpoint

_MOST_DOUBLINGS = 3
_STALL = 60
_BATCH = 100
_LOWEST = 3
"""Rows at the bottom that are tried first."""


@dataclass(frozen=True, slots=True)
class PaintLayout:
    """What the search found.

    side: 0 to 3: rows from the top, from the bottom, columns from the left, from the right. ranks: the colour of each
    rank (index 0 stands for none). plans: one for each row of the picture seen from that side. maps: maps tried.
    """

    side: int
    ranks: tuple[int, ...]
    plans: tuple[RowPlan, ...]
    maps: int


class _Work(NamedTuple):
    """What the kernels write into: the choices of a row's cells, see `grow`, and the plans of all rows."""

    counts: NDArray[np.int64]
    picked: NDArray[np.int64]
    side: NDArray[np.int64]
    above: NDArray[np.int64]
    nothing: NDArray[np.int64]
    no_colour: NDArray[np.int64]
    base: NDArray[np.int64]
    final: NDArray[np.int64]
    words: NDArray[np.int64]
    sides: NDArray[np.int64]
    letters: NDArray[np.int64]
    doublings: NDArray[np.int64]
    limits: NDArray[np.int64]
    cost: NDArray[np.float64]
    best: NDArray[np.float64]
    origin: NDArray[np.int8]


def _new_work(rows: int, n: int, choices: int) -> _Work:
    shapes = [(n,)] * 6 + [(n, choices)] * 2 + [(rows, n)] * 3 + [(rows,), (2, n)]
    numbers = (np.zeros(shape, np.int64) for shape in shapes)
    work = _Work._make([*numbers, np.zeros((n, choices)), *new_scratch(n, choices)])
    work.no_colour[:] = -1
    return work


_pieces_of = helper(pieces_of)


@helper
def _list_choices(line, above, below, foresight, ranks_of, j, depth, noise, work):  # type: ignore[no-untyped-def]
    """The letters that each cell of a row may have, with `depth` rows below it, doubled `j` times or raised.

    line: colours. above: letters of the row above, 0 for none. ranks_of: the colour of each rank.
    """
    base, final, cost = work.base, work.final, work.cost
    for column in range(line.shape[0]):
        a = above[column]
        n = 0
        for w in range(1 + j, ranks_of.shape[0]):
            if ranks_of[w] != line[column]:
                continue
            for kind in range(3):
                # 0: the letter itself; 1 and 2: raised from a 2 or a 4, by tiles below it.
                low = w - j if kind == 0 else kind
                if low <= a <= w or (kind > 0 and (j > 0 or low >= w or w > depth + 2 or depth == 0)):
                    continue
                base[column, n], final[column, n] = low, w
                cost[column, n] = _pieces_of(w - j) * float(1 << j) + (0.5 if kind > 0 else 0.0)
                if noise > 0:
                    cost[column, n] *= 1 + noise * np.random.random()
                # A letter of the next row can be raised below a larger one only.
                if foresight > 0:
                    for v in range(w, ranks_of.shape[0]):
                        if ranks_of[v] == below[column]:
                            cost[column, n] += foresight
                n += 1
        work.counts[column] = n


@helper
def _list_limits(above, room, limits):  # type: ignore[no-untyped-def]
    """The largest rank after m letters from a wall, see `grow`, with `room` cells of the row below to go on in.

    What is lifted must not meet an equal letter above: that is sure if the letter above is below all that stands there
    when the row is full, or not below anything that is grown.
    """
    n = above.shape[0]
    for side in range(2):
        over = room
        for m in range(n - 1, -1, -1):
            gap = above[m if side else n - 1 - m] - (n - m + 1)
            if 0 <= gap < over:
                over = gap
            limits[side, m] = n - m + 1 + over


@helper
def _plan_row(image, row, above, foresight, ranks_of, noise, work):  # type: ignore[no-untyped-def]
    """The cheapest way to make a row, kept in `work`. Gives its cost, or minus how far a word comes."""
    rows, n = image.shape
    depth = rows - 1 - row
    # No UP comes after the last row has begun: it may stand below equal letters.
    over = above if depth else work.nothing
    under = image[row + 1] if depth > 1 else work.no_colour
    longest = 0.0
    # In the row's own room, then with that of the row below, then doubled.
    for way in range(min(depth, _MOST_DOUBLINGS) + 2):
        if way == 1 and depth == 0:
            continue
        j = max(0, way - 1)
        _list_limits(above, n - 2 if way == 1 else 0, work.limits)
        _list_choices(image[row], over, under, foresight, ranks_of, j, depth, noise, work)
        total = grow(
            work.counts,
            work.base,
            work.final,
            work.cost,
            work.best,
            work.origin,
            work.picked,
            work.side,
            work.limits,
        )
        if total > 0:
            work.doublings[row] = j
            for column in range(n):
                work.words[row, column] = work.base[column, work.picked[column]]
                work.sides[row, column] = work.side[column]
                work.letters[row, column] = work.final[column, work.picked[column]]
            return total
        longest = max(longest, -total)
    return -longest


@helper
def _fill(line, other):  # type: ignore[no-untyped-def]
    """`line[:] = other`, which takes a second more to compile."""
    for i in range(len(line)):
        line[i] = other[i]


@helper
def _rate(image, ranks_of, noise, foresight, work):  # type: ignore[no-untyped-def]
    """How good a map is, and the moves of its plans, kept in `work`.

    The lowest rows come first, as if nothing was above them: they have the least room, so most maps fail there.
    Only a map that passes is planned from the top. Good enough is a point for each of both.
    """
    rows, n = image.shape
    good, moves = 0.0, 0.0
    lowest = min(_LOWEST, rows)
    for row in range(rows - lowest, rows):
        total = _plan_row(image, row, work.nothing, 0.0, ranks_of, 0.0, work)
        good += 1.0 if total > 0 else -0.5 * total / n
    if good < lowest:
        return good, moves
    _fill(work.above, work.nothing)
    for row in range(rows):
        total = _plan_row(image, row, work.above, foresight, ranks_of, noise, work)
        if total > 0:
            good += 1
            moves += total + 2
            _fill(work.above, work.letters[row])
        else:
            good -= 0.5 * total / n
            _fill(work.above, work.nothing)
    return good, moves


@functools.partial(helper, allocates=True)
def _deal(ranks_of, colours):  # type: ignore[no-untyped-def]
    """A map by chance: each colour gets a rank, the other ranks any colour."""
    ranks = ranks_of.shape[0] - 1
    order = np.random.permutation(ranks)
    for place in range(ranks):
        ranks_of[order[place] + 1] = place if place < colours else np.random.randint(colours)


@kernel
def _climb(images, colours, maps, seed, ranks_of, work):  # type: ignore[no-untyped-def]
    """Tries `maps` maps, each climb from a map by chance. ranks_of: the map at the end.

    Gives the number of maps tried, the side, and the moves of the plan, or 0.0 if there is none.
    """
    np.random.seed(seed)
    rows, ranks = images.shape[1], ranks_of.shape[0] - 1
    enough = rows + min(_LOWEST, rows)
    tried = 0
    while tried < maps:
        turn = np.random.randint(len(images))
        _deal(ranks_of, colours)
        good, moves = _rate(images[turn], ranks_of, 0.0, 4.0, work)
        tried += 1
        stall = 0
        while good < enough and stall < _STALL and tried < maps:
            one, other = np.random.randint(1, ranks + 1), np.random.randint(1, ranks + 1)
            old_one, old_other = ranks_of[one], ranks_of[other]
            if np.random.random() < 0.5:
                other, old_other = one, old_one
                ranks_of[one] = np.random.randint(colours)
            else:
                ranks_of[one], ranks_of[other] = old_other, old_one
            noise = 0.7 if np.random.random() < 0.5 else 0.0
            foresight = 16.0 * np.random.random() * np.random.random()
            now, moves = _rate(images[turn], ranks_of, noise, foresight, work)
            tried += 1
            stall = 0 if now > good + 0.4 else stall + 1
            if now >= good:
                good = now
            else:
                ranks_of[other], ranks_of[one] = old_other, old_one
        if good >= enough:
            return tried, turn, moves
    return tried, -1, 0.0


def search(
    images: list[NDArray[np.int64]], colours: int, ranks: int, seed: int, seconds: float
) -> Iterator[PaintLayout | int]:
    """Layouts as they are found, and between them the number of maps tried so far, until the time is over.

    images: the picture seen from its four sides, colours 0 to `colours` − 1. ranks: R.
    """
    stacked = np.stack([image for image in images if image.shape == images[0].shape])
    rows, n = stacked.shape[1:]
    work = _new_work(rows, n, 3 * ranks)
    ranks_of = np.full(ranks + 1, -1, np.int64)
    _climb(stacked, colours, 0, 0, ranks_of, work)  # compiles, which is no part of the budget
    end, tried, batch = time.monotonic() + seconds, 0, 0
    while time.monotonic() < end:
        checkpoint()
        batch += 1
        now, side, moves = _climb(
            stacked, colours, _BATCH, (seed * 7919 + batch) & 0x7FFFFFFF, ranks_of, work
        )
        tried += now
        if moves > 0:
            plans = tuple(
                RowPlan(
                    Word(tuple(map(int, work.words[row])), tuple(map(int, work.sides[row])), 0.0),
                    int(work.doublings[row]),
                    tuple(map(int, work.letters[row])),
                )
                for row in range(rows)
            )
            yield PaintLayout(int(side), tuple(map(int, ranks_of)), plans, tried)
        else:
            yield tried
