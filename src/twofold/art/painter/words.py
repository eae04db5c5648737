"""Lines of tiles grown in place: which words can be grown, the cheapest one, and the spawns that grow it.

A *word* is a full line without equal neighbours: moves along the line leave it alone for ever. It is grown letter by
letter from a first one, the core, outwards. Each move along the line is followed by a spawn at one end of what is
there, so letters collect 4s like a binary counter collects ones: 4; 4 4; 8 4; 8 4 4; 8 8 4; 16 4, … The rules:

- A letter of rank v can be grown beside the end letter u if v < u (on its way up it is never equal to u), or if u is
  a 2 (rank 1), since what grows from 4s never is.
- The m-th letter (m = 1 for the core) of a line of n cells has rank at most n − m + 2: its counter needs v − 1 cells.

The spawns are simply the pieces of the letters, one letter after the other: the carries of one letter are made while
the next one begins, and the last letters are small enough that no carry is left at the end. So a word costs as many
moves as it has pieces: one for a 2 or a 4, 2^(v−2) for rank v. All of this is proven for each plan by replaying it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from twofold.kernels.compiling import helper, kernel

NEVER = 1e30
"""The cost of a letter that may not be."""


class Piece(NamedTuple):
    """One spawn of a word: at its right end (side 1) or its left end (−1); 0 if either will do."""

    side: int
    rank: int


class Word(NamedTuple):
    """A word and how it grows.

    letters: ranks, left to right. sides: for each letter in the order in which they are grown, 0 for the core, then 1
    for the right end and −1 for the left. cost: moves.
    """

    letters: tuple[int, ...]
    sides: tuple[int, ...]
    cost: float

    @property
    def overflow(self) -> int | None:
        """How many letters are there when the first comes that needs the row below as well; None if none does."""
        n = len(self.letters)
        return next((m for m, rank in enumerate(self.in_order()) if rank > n - m + 1), None)

    def in_order(self) -> list[int]:
        """The letters in the order in which they are grown."""
        left = right = self.core
        ranks = []
        for side in self.sides:
            left, right = left - (side < 0), right + (side > 0)
            ranks.append(self.letters[left if side < 0 else right])
        return ranks

    @property
    def core(self) -> int:
        """Where the core stands."""
        return sum(side < 0 for side in self.sides)

    def pieces(self) -> list[Piece]:
        """The spawns that grow it, in order."""
        pieces: list[Piece] = []
        for side, rank in zip(self.sides, self.in_order(), strict=True):
            pieces += [Piece(side, min(rank, 2))] * pieces_of(rank)
        return pieces


def pieces_of(rank: int) -> int:
    """How many spawns a tile takes: one for a 2 or a 4, 2^(rank−2) 4s for a larger one."""
    return 1 << max(0, rank - 2)


def new_scratch(columns: int, choices: int) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
    """Room for `grow`: the costs of all intervals with the choices at their ends, and where they come from."""
    shape = (columns, columns, choices, choices)
    return np.empty(shape), np.empty(shape, np.int8)


@helper
def slide(board, way, out):  # type: ignore[no-untyped-def]
    """`board` (rows, n) after a move `way` (0 left, 1 right, 2 up), written to `out`; True if that changed anything."""
    rows, n = board.shape
    out[:] = 0
    changed = False
    for line in range(n if way == 2 else rows):
        filled, last = 0, 0
        for i in range(rows if way == 2 else n):
            at = n - 1 - i if way == 1 else i
            v = board[i, line] if way == 2 else board[line, at]
            if v == 0:
                continue
            merges = v == last
            place = filled - 1 if merges else filled
            changed = changed or merges or place != i
            v += merges
            last = 0 if merges else v
            filled = place + 1
            if way == 2:
                out[place, line] = v
            elif way == 1:
                out[line, n - 1 - place] = v
            else:
                out[line, place] = v
    return changed


@helper
def _fits(new, old, limit):  # type: ignore[no-untyped-def]
    """Whether a letter can be grown beside the end letter."""
    return new <= limit and new != old and (new < old or old == 1)


@helper
def _add_right(left, right, a, b, limit, count, base, final, cost, best, origin):  # type: ignore[no-untyped-def]
    """Adds each possible letter at the right end of an interval."""
    for v in range(count[right + 1]):
        total = best[left, right, a, b] + cost[right + 1, v]
        if (
            _fits(base[right + 1, v], base[right, b], limit)
            and total < best[left, right + 1, a, v]
            and final[right + 1, v] != final[right, b]
        ):
            best[left, right + 1, a, v] = total
            origin[left, right + 1, a, v] = b + 1


@helper
def _add_left(left, right, a, b, limit, count, base, final, cost, best, origin):  # type: ignore[no-untyped-def]
    """Adds each possible letter at the left end of an interval."""
    for v in range(count[left - 1]):
        total = best[left, right, a, b] + cost[left - 1, v]
        if (
            _fits(base[left - 1, v], base[left, a], limit)
            and total < best[left - 1, right, v, b]
            and final[left - 1, v] != final[left, a]
        ):
            best[left - 1, right, v, b] = total
            origin[left - 1, right, v, b] = -a - 1


@helper
def grow(count, base, final, cost, best, origin, picked, sides, limits):  # type: ignore[no-untyped-def]
    """The cheapest word: an interval programme over (left end, right end, choices at the two ends).

    count: (n,) choices of each cell. base, final, cost: (n, choices): the letter that grows, the letter that it
    becomes (neighbours must differ in it), the price. best, origin: scratch. picked, sides: (n,) results.
    limits: (2, n): the largest rank that can be grown after m letters at the left end of an interval that touches the
    right wall, and at the right end of one that touches the left wall; elsewhere it is n − m + 1.
    Gives the total cost, or minus the longest interval that can be grown.
    """
    n = count.shape[0]
    for left in range(n):
        for right in range(left, n):
            for a in range(count[left]):
                for b in range(count[right]):
                    best[left, right, a, b] = NEVER
        for a in range(count[left]):
            limit = max(n + 1, limits[1, 0] if left == 0 else 0, limits[0, 0] if left == n - 1 else 0)
            if base[left, a] <= limit:
                best[left, left, a, a] = cost[left, a]
    longest = 0
    for length in range(1, n):
        alive = False
        for left in range(n - length + 1):
            right = left + length - 1
            to_right = limits[1, length] if left == 0 else n - length + 1
            to_left = limits[0, length] if right == n - 1 else n - length + 1
            for a in range(count[left]):
                for b in range(count[right]):
                    total = best[left, right, a, b]
                    if total >= NEVER:
                        continue
                    alive = True
                    if right + 1 < n:
                        _add_right(left, right, a, b, to_right, count, base, final, cost, best, origin)
                    if left > 0:
                        _add_left(left, right, a, b, to_left, count, base, final, cost, best, origin)
        if not alive:
            return -float(length - 1)
        longest = length
    return _trace(n, count, best, origin, picked, sides, longest)


@helper
def _trace(n, count, best, origin, picked, sides, longest):  # type: ignore[no-untyped-def]
    total, a, b = NEVER, 0, 0
    for x in range(count[0]):
        for y in range(count[n - 1]):
            if best[0, n - 1, x, y] < total:
                total, a, b = best[0, n - 1, x, y], x, y
    if total >= NEVER:
        return -float(longest)
    left, right = 0, n - 1
    while True:
        picked[left], picked[right] = a, b
        if left == right:
            sides[0] = 0
            return total
        came = origin[left, right, a, b]
        sides[right - left] = 1 if came > 0 else -1
        if came > 0:
            b = int(came) - 1
            right -= 1
        else:
            a = -int(came) - 1
            left += 1


@kernel
def _grow_one(count, base, final, cost, best, origin, picked, sides, limits):  # type: ignore[no-untyped-def]
    return grow(count, base, final, cost, best, origin, picked, sides, limits)


def cheapest_word(allowed: tuple[frozenset[int], ...], most: int | None = None) -> Word | None:
    """The word with the fewest moves, or None if there is none.

    allowed: for each cell, left to right, the ranks that its letter may have. most: the largest rank to try; by
    default n + 1, the largest that fits a line of n cells.
    """
    n = len(allowed)
    ranks = min(n + 1, most or n + 1)
    # A dearer letter than a whole word that is known is never needed: begin with small ranks.
    for limit in sorted({min(6, ranks), min(10, ranks), ranks}):
        found = _cheapest(allowed, limit)
        if found is not None and (limit == ranks or found.cost <= pieces_of(limit + 1)):
            return found
    return found


def _cheapest(allowed: tuple[frozenset[int], ...], ranks: int) -> Word | None:
    n = len(allowed)
    letters = [sorted(rank for rank in each if 1 <= rank <= ranks) for each in allowed]
    count = np.array([len(each) for each in letters], np.int64)
    choices = max(1, int(count.max()))
    base, cost = np.zeros((n, choices), np.int64), np.zeros((n, choices))
    for place, each in enumerate(letters):
        base[place, : len(each)] = each
        cost[place, : len(each)] = [pieces_of(rank) for rank in each]
    picked, sides = np.zeros(n, np.int64), np.zeros(n, np.int64)
    limits = np.array([[n - m + 1 for m in range(n)]] * 2, np.int64)
    total = float(_grow_one(count, base, base, cost, *new_scratch(n, choices), picked, sides, limits))
    if total <= 0:
        return None
    return Word(tuple(letters[i][picked[i]] for i in range(n)), tuple(map(int, sides)), total)
