"""Tile values for colours, and a plan for every row: hill-climbing over maps from ranks to colours, compiled.

A map gives each rank 1 to R a colour. For a map the rows are planned from the top, each at the least cost, given the
row above: grown in place or doubled with letters raised, see `builder.py`. A map is as good as the number of rows
that can be made, plus how far the longest word comes in the others; it is changed at one or two ranks at a time, and
begun anew when it gets no better. The four sides of the picture from which rows can be planned take turns.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from twofold.art.paint.builder import RowPlan
from twofold.art.paint.words import NEVER, Word, grow, new_scratch
from twofold.kernels.compiling import helper, kernel

_MOST_DOUBLINGS = 3
_STALL = 60
_BATCH = 100


@dataclass(frozen=True, slots=True)
class Layout:
    """What the search found.

    side: 0 to 3: rows from the top, from the bottom, columns from the left, from the right. ranks: the colour of each
    rank (index 0 stands for none). plans: one for each row of the picture seen from that side. maps: maps tried.
    """

    side: int
    ranks: tuple[int, ...]
    plans: tuple[RowPlan, ...]
    maps: int


@helper
def _price(v):  # type: ignore[no-untyped-def]
    return 1.0 if v <= 2 else float(1 << (v - 2))


@helper
def _list_choices(line, above, below, foresight, ranks, ranks_of, j, depth, noise, count, base, final, cost):  # type: ignore[no-untyped-def]
    """The letters that each cell of a row may have, with `depth` rows below it, doubled `j` times or raised.

    line: colours. above: letters of the row above, 0 for none. ranks_of: the colour of each rank.
    """
    for column in range(line.shape[0]):
        a = above[column]
        n = 0
        for w in range(1 + j, ranks + 1):
            if ranks_of[w] != line[column]:
                continue
            for kind in range(3):
                # 0: the letter itself; 1 and 2: raised from a 2 or a 4, by tiles below it.
                low = w - j if kind == 0 else kind
                if low <= a <= w or (kind > 0 and (j > 0 or low >= w or w > depth + 2 or depth == 0)):
                    continue
                base[column, n], final[column, n] = low, w
                cost[column, n] = _price(w - j) * (1 << j) + (0.5 if kind > 0 else 0.0)
                if noise > 0:
                    cost[column, n] *= 1 + noise * np.random.random()
                # A letter of the next row can be raised below a larger one only.
                for v in range(w, ranks + 1):
                    if ranks_of[v] == below[column]:
                        cost[column, n] += foresight
                n += 1
        count[column] = n


@helper
def _plan_rows(  # type: ignore[no-untyped-def]
    image,
    ranks,
    ranks_of,
    noise,
    foresight,
    count,
    base,
    final,
    cost,
    best,
    origin,
    words,
    sides,
    doublings,
    letters,
):
    """A plan for each row. Gives how good the map is (the number of rows, if all are planned), and the moves."""
    rows, n = image.shape
    above, nothing = np.zeros(n, np.int64), np.zeros(n, np.int64)
    picked, side = np.zeros(n, np.int64), np.zeros(n, np.int64)
    good, moves = 0.0, 0.0
    for row in range(rows):
        depth = rows - 1 - row
        least, longest, made = NEVER, 0.0, False
        for j in range(min(depth, _MOST_DOUBLINGS) + 1):
            if made:
                break
            # No UP comes after the last row has begun: it may stand below equal letters.
            over = above if depth else nothing
            under = image[row + 1] if depth > 1 else nothing - 1
            _list_choices(
                image[row], over, under, foresight, ranks, ranks_of, j, depth, noise, count, base, final, cost
            )
            total = grow(count, base, final, cost, best, origin, picked, side)
            if total <= 0:
                longest = max(longest, -total)
            elif total < least:
                least, made = total, True
                doublings[row] = j
                for column in range(n):
                    words[row, column] = base[column, picked[column]]
                    sides[row, column] = side[column]
                    letters[row, column] = final[column, picked[column]]
        if made:
            good += 1
            moves += least + 2
            above[:] = letters[row]
        else:
            good += 0.5 * longest / n
            above[:] = 0
    return good, moves


@kernel
def _climb(  # type: ignore[no-untyped-def]
    images,
    ranks,
    colours,
    maps,
    seed,
    count,
    base,
    final,
    cost,
    best,
    origin,
    words,
    sides,
    doublings,
    letters,
    found,
):
    """Tries `maps` maps, each climb from a map by chance. found: the side, then the colour of each rank.

    Gives the number of maps tried, and the moves of the plan, or 0.0 if there is none.
    """
    np.random.seed(seed)
    rows = images[0].shape[0]
    tried = 0
    ranks_of = np.zeros(ranks + 1, np.int64)
    while tried < maps:
        turn = np.random.randint(len(images))
        image = images[turn]
        rows = image.shape[0]
        order = np.random.permutation(ranks)
        for place in range(ranks):
            ranks_of[order[place] + 1] = place if place < colours else np.random.randint(colours)
        good, moves = _plan_rows(
            image,
            ranks,
            ranks_of,
            0.0,
            4.0,
            count,
            base,
            final,
            cost,
            best,
            origin,
            words,
            sides,
            doublings,
            letters,
        )
        tried += 1
        stall = 0
        while good < rows and stall < _STALL and tried < maps:
            one = np.random.randint(1, ranks + 1)
            other = np.random.randint(1, ranks + 1)
            old_one, old_other = ranks_of[one], ranks_of[other]
            if np.random.random() < 0.5:
                other = one
                ranks_of[one] = np.random.randint(colours)
            else:
                ranks_of[one], ranks_of[other] = old_other, old_one
            noise = 0.7 if np.random.random() < 0.5 else 0.0
            foresight = 16.0 * np.random.random() * np.random.random()
            now, moves = _plan_rows(
                image,
                ranks,
                ranks_of,
                noise,
                foresight,
                count,
                base,
                final,
                cost,
                best,
                origin,
                words,
                sides,
                doublings,
                letters,
            )
            tried += 1
            stall = 0 if now > good + 0.4 else stall + 1
            if now >= good:
                good = now
            else:
                ranks_of[other] = old_other
                ranks_of[one] = old_one
        if good >= rows:
            found[0] = turn
            for rank in range(1, ranks + 1):
                found[rank] = ranks_of[rank]
            return tried, moves
    return tried, 0.0


def search(
    images: list[NDArray[np.int64]], colours: int, ranks: int, seed: int, seconds: float
) -> Iterator[Layout | int]:
    """Layouts as they are found, and between them the number of maps tried so far, until the time is over.

    images: the picture seen from its four sides, colours 0 to `colours` − 1. ranks: R.
    """
    rows, n = max(image.shape[0] for image in images), max(image.shape[1] for image in images)
    same = [image for image in images if image.shape == images[0].shape]
    stacked = np.stack(same)
    words, sides, letters = (np.zeros((rows, n), np.int64) for _ in range(3))
    doublings, found = np.zeros(rows, np.int64), np.zeros(ranks + 1, np.int64)
    count = np.zeros(n, np.int64)
    base, final = (np.zeros((n, 3 * ranks), np.int64) for _ in range(2))
    cost = np.zeros((n, 3 * ranks))
    best, origin = new_scratch(n, 3 * ranks)
    end, tried, batch = time.monotonic() + seconds, 0, 0
    while time.monotonic() < end:
        batch += 1
        scratch = (count, base, final, cost, best, origin, words, sides, doublings, letters, found)
        now, moves = _climb(stacked, ranks, colours, _BATCH, (seed * 7919 + batch) & 0x7FFFFFFF, *scratch)
        tried += now
        if moves > 0:
            plans = tuple(
                RowPlan(
                    Word(tuple(map(int, words[row])), tuple(map(int, sides[row])), 0.0),
                    int(doublings[row]),
                    tuple(map(int, letters[row])),
                )
                for row in range(rows)
            )
            yield Layout(int(found[0]), (-1, *map(int, found[1:])), plans, tried)
        else:
            yield tried
