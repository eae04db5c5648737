"""Exact solving: the passes over one layer.

All boards of a layer have the same tile sum; moves keep it, a 2 raises it by one unit of two points and a 4 by two,
so the graph of the game is solved by one walk up and one walk down:

    V(state)      = max over legal moves of gain(move) + gamma · V(afterstate); without a legal move 0
    V(afterstate) = sum over free cells of ((1 - p4) · V(with a 2) + p4 · V(with a 4)) / free cells

(or so with other tiles and their probabilities), with points as gain for the expected score; for the probability of a
target the move that makes it is worth gamma and no other move gains anything. (Bellman 1957; states and afterstates as
in Sutton and Barto 6.8.)

A value is kept as a word whose order as an unsigned number is the order of values. Scores: the bits of the float64.
Probabilities: the bits of p up to one half, and the complement of the bits of 1 - p above, so that neither a small
chance of winning nor a small chance of losing is rounded away.

Templates for `compiling.clone`; the names that are None below are filled from canonical.py and from SCORE or CHANCE.
Boards come in blocks: write all successors of a block, find their canonical images, look them up, then put together
what was found. Each of these is a loop of its own with hardly a branch that depends on the boards, since a processor
guesses those wrong (on 3x3 that takes a third off `expand_afterstates`). `buffer` needs MOST words per list that the
pass says it uses.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from twofold.kernels.bits import U, bits_to_f64, f64_to_bits, prefetch
from twofold.kernels.compiling import helper
from twofold.kernels.exact.canonical import CORNER, ORDER, WIN_BIT
from twofold.kernels.exact.hashing import MISSING, find, insert, slot_of
from twofold.kernels.exact.vectors import largest

BLOCK = 128
MOST = BLOCK * 16
SPELT_OUT = 2
"""So many free cells are worked on without asking whether there are as many: guessing wrong costs more."""

slides: Any = None
upright: Any = None
free_cells: Any = None
canonical: Any = None
stabiliser: Any = None
split: Any = None
join: Any = None
step: Any = None


@helper
def spawn_cells(ws, free):  # type: ignore[no-untyped-def]
    """Of the free cells (bit 4i each), those where a tile may appear."""
    if ws[CORNER] == U(0):
        return free
    i = ORDER
    while (free >> ws[i]) & U(1) == U(0):
        i += 1
    return U(1) << ws[i]


def expand_states(ws, lines, states, first, last, table, shift, mask, room, shared, buffer, out):  # type: ignore[no-untyped-def]
    """Put the afterstates of states[first:last] into a set. Ends early, after a block, when `room` were new.

    out (int64): the next index, how many afterstates were new, how many states have no legal move.
    Uses one list of `buffer`.
    """
    new = 0
    lost = 0
    i = first
    while i < last and new <= room:
        end = min(i + BLOCK, last)
        n = 0
        for j in range(i, end):
            b = states[j]
            left, right, across, up, down, along = slides(ws, lines, b)
            turned = upright(ws, b)
            if (left == b) & (right == b) & (up == turned) & (down == turned):
                lost += 1
            if across >> WIN_BIT == U(0):
                buffer[n] = left
                n += left != b
                buffer[n] = right
                n += right != b
            if along >> WIN_BIT == U(0):
                buffer[n] = up
                n += up != turned
                buffer[n] = down
                n += down != turned
        canonical(ws, lines, buffer, n)
        new += insert(table, shift, mask, buffer, n, shared)
        i = end
    out[0] = i
    out[1] = new
    out[2] = lost


def expand_afterstates(  # type: ignore[no-untyped-def]
    ws, lines, afterstates, first, last, rank, table, shift, mask, room, shared, buffer, out
):
    """Put the states after a spawn of `rank` on afterstates[first:last] into a set; as `expand_states`."""
    new = 0
    i = first
    while i < last and new <= room:
        end = min(i + BLOCK, last)
        n = 0
        for j in range(i, end):
            a = afterstates[j]
            cells = spawn_cells(ws, free_cells(ws, a))
            for _ in range(SPELT_OUT):
                cell = cells & (~cells + U(1))
                cells ^= cell
                buffer[n] = a | (cell * rank)
                n += cell != U(0)
            while cells != U(0):
                cell = cells & (~cells + U(1))
                cells ^= cell
                buffer[n] = a | (cell * rank)
                n += 1
        canonical(ws, lines, buffer, n)
        new += insert(table, shift, mask, buffer, n, shared)
        i = end
    out[0] = i
    out[1] = new
    out[2] = 0


def value_states(ws, lines, states, first, last, gamma, table, shift, mask, words, buffer):  # type: ignore[no-untyped-def]
    """The value of each of states[first:last] into `words`, from the map of afterstates. Uses three lists.

    Returns how many afterstates were not in the map (0 unless the layers don't belong together).
    """
    missing = 0
    win = step(U(1), U(0), U(0), gamma)
    i = first
    while i < last:
        end = min(i + BLOCK, last)
        n = 0
        for j in range(i, end):
            b = states[j]
            left, right, across, up, down, along = slides(ws, lines, b)
            turned = upright(ws, b)
            won = across >> WIN_BIT != U(0)
            words[j] = win if won or along >> WIN_BIT != U(0) else U(0)
            if not won:
                buffer[n] = left
                buffer[MOST + n] = across
                n += left != b
                buffer[n] = right
                buffer[MOST + n] = across
                n += right != b
            if along >> WIN_BIT == U(0):
                buffer[n] = up
                buffer[MOST + n] = along
                n += up != turned
                buffer[n] = down
                buffer[MOST + n] = along
                n += down != turned
            buffer[2 * MOST + j - i] = U(n)
        canonical(ws, lines, buffer, n)
        for k in range(n):
            prefetch(table, slot_of(buffer[k], shift) << U(1))
        for k in range(n):
            word = find(table, shift, mask, buffer[k])
            missing += word == MISSING
            buffer[k] = step(U(0), buffer[MOST + k], word, gamma)
        k = 0
        for j in range(i, end):
            best = words[j]
            stop = np.int64(buffer[2 * MOST + j - i])
            value = largest(U(buffer.ctypes.data) + U(8 * k), U(stop - k))
            words[j] = value if value > best else best  # noqa: FURB136 (numba: no branch)
            k = stop
        i = end
    return missing


@helper
def _look_up(wanted, table, shift, mask, boards, n):  # type: ignore[no-untyped-def]
    """Replace boards[:n] by their values, by 0 if they aren't wanted; returns how many are missing."""
    missing = 0
    if wanted:
        for k in range(n):
            prefetch(table, slot_of(boards[k], shift) << U(1))
        for k in range(n):
            word = find(table, shift, mask, boards[k])
            missing += word == MISSING
            boards[k] = word
    else:
        for k in range(n):
            boards[k] = U(0)
    return missing


@helper
def _masked(number, mask):  # type: ignore[no-untyped-def]
    return bits_to_f64(f64_to_bits(number) & mask)


def find_spawned(  # type: ignore[no-untyped-def]
    ws, lines, afterstates, i, end, four, twos, shift2, mask2, fours, shift4, mask4, buffer
):
    """The words of all states after the block afterstates[i:end], from the maps of those after a 2 and after a 4.

    Fills three lists: the words after a 2, those after a 4, and where those of each afterstate end. four: the
    probability of a 4; a map that can't be reached (four is 0 or 1) is not looked at. Returns how many were in neither.
    """
    n = 0
    for j in range(i, end):
        a = afterstates[j]
        cells = spawn_cells(ws, free_cells(ws, a))
        for _ in range(SPELT_OUT):
            cell = cells & (~cells + U(1))
            cells ^= cell
            buffer[n] = a | cell
            buffer[MOST + n] = a | (cell << U(1))
            n += cell != U(0)
        while cells != U(0):
            cell = cells & (~cells + U(1))
            cells ^= cell
            buffer[n] = a | cell
            buffer[MOST + n] = a | (cell << U(1))
            n += 1
        buffer[2 * MOST + j - i] = U(n)
    if four < 1.0:
        canonical(ws, lines, buffer, n)
    missing = _look_up(four < 1.0, twos, shift2, mask2, buffer, n)
    if four > 0.0:
        canonical(ws, lines, buffer[MOST:], n)
    return missing + _look_up(four > 0.0, fours, shift4, mask4, buffer[MOST:], n)


def value_afterstates(  # type: ignore[no-untyped-def]
    ws, lines, afterstates, first, last, four, twos, shift2, mask2, fours, shift4, mask4, words, buffer
):
    """The value of each of afterstates[first:last] into `words`; the rest as in `find_spawned`. Uses three lists."""
    missing = 0
    i = first
    while i < last:
        end = min(i + BLOCK, last)
        missing += find_spawned(
            ws, lines, afterstates, i, end, four, twos, shift2, mask2, fours, shift4, mask4, buffer
        )
        k = 0
        for j in range(i, end):
            stop = np.int64(buffer[2 * MOST + j - i])
            spread = np.float64(stop - k)
            p = 0.0
            q = 0.0
            p4 = 0.0
            q4 = 0.0
            for more in range(SPELT_OUT):
                mask = U(-np.int64(k + more < stop))
                x, y = split(buffer[k + more])
                p += _masked(x, mask)
                q += _masked(y, mask)
                x, y = split(buffer[MOST + k + more])
                p4 += _masked(x, mask)
                q4 += _masked(y, mask)
            for more in range(k + SPELT_OUT, stop):
                x, y = split(buffer[more])
                p += x
                q += y
                x, y = split(buffer[MOST + more])
                p4 += x
                q4 += y
            k = stop
            p = ((1.0 - four) * p + four * p4) / spread
            q = ((1.0 - four) * q + four * q4) / spread
            words[j] = join(p, q)
        i = end
    return missing


def add_spawns(  # type: ignore[no-untyped-def]
    ws, lines, afterstates, first, last, rank, weight, table, shift, mask, sums, buffer
):
    """Add weight · value after a spawn of `rank`, the mean over its cells, of afterstates[first:last] to `sums`.

    For games in which other tiles than 2s and 4s spawn. table, shift, mask: the map of the states then; sums: float64
    (2, n), the two halves of a value as `split` gives them. Uses two lists. Returns how many were not in the map.
    """
    missing = 0
    for i in range(first, last, BLOCK):
        end = min(i + BLOCK, last)
        n = 0
        for j in range(i, end):
            cells = spawn_cells(ws, free_cells(ws, afterstates[j]))
            while cells != U(0):
                cell = cells & (~cells + U(1))
                cells ^= cell
                buffer[n] = afterstates[j] | (cell * rank)
                n += 1
            buffer[MOST + j - i] = U(n)
        canonical(ws, lines, buffer, n)
        missing += _look_up(True, table, shift, mask, buffer, n)
        k = 0
        for j in range(i, end):
            stop = np.int64(buffer[MOST + j - i])
            share = weight / np.float64(stop - k)
            for more in range(k, stop):
                p, q = split(buffer[more])
                sums[0, j] += share * p
                sums[1, j] += share * q
            k = stop
    return missing


def joined(sums, words):  # type: ignore[no-untyped-def]
    """The values whose halves `add_spawns` has summed, as words."""
    for j in range(len(words)):
        words[j] = join(sums[0, j], sums[1, j])


def canonical_all(ws, lines, boards):  # type: ignore[no-untyped-def]
    """Replace each board by its canonical image."""
    canonical(ws, lines, boards, len(boards))


def count_raw(ws, lines, boards, images):  # type: ignore[no-untyped-def]
    """How many boards the canonical ones stand for; images: the size of the symmetry group."""
    count = 0
    for i in range(len(boards)):
        count += images // stabiliser(ws, lines, boards[i])
    return count


def moves_of(ws, lines, b, out):  # type: ignore[no-untyped-def]
    """The canonical afterstates UP, RIGHT, DOWN, LEFT of `b` (0: illegal) and what these moves earn.

    out: uint64 (8): the afterstates, then the earnings, with bit 31 or higher set for a win.
    """
    left, right, across, up, down, along = slides(ws, lines, b)
    turned = upright(ws, b)
    out[0] = up
    out[1] = right
    out[2] = down
    out[3] = left
    canonical(ws, lines, out, 4)
    out[0] = out[0] if up != turned else U(0)
    out[1] = out[1] if right != b else U(0)
    out[2] = out[2] if down != turned else U(0)
    out[3] = out[3] if left != b else U(0)
    out[4] = along
    out[5] = across
    out[6] = along
    out[7] = across


@helper
def split_score(word):  # type: ignore[no-untyped-def]
    return bits_to_f64(word), 0.0


@helper
def join_score(p, q):  # type: ignore[no-untyped-def]
    return f64_to_bits(p)


@helper
def step_score(won, points, word, gamma):  # type: ignore[no-untyped-def]
    return f64_to_bits(np.float64(points) + gamma * bits_to_f64(word))


@helper
def split_chance(word):  # type: ignore[no-untyped-def]
    """The probability and its complement."""
    high = word >> U(63) != U(0)
    x = bits_to_f64(~word if high else word)
    return (1.0 - x if high else x), (x if high else 1.0 - x)


@helper
def join_chance(p, q):  # type: ignore[no-untyped-def]
    return f64_to_bits(p) if p <= 0.5 else ~f64_to_bits(q)


@helper
def step_chance(won, points, word, gamma):  # type: ignore[no-untyped-def]
    if won != U(0):
        return join_chance(gamma, 1.0 - gamma)
    if gamma == 1.0:
        return word
    p, q = split_chance(word)
    return join_chance(gamma * p, (1.0 - gamma) + gamma * q)


SCORE = {"split": split_score, "join": join_score, "step": step_score}
CHANCE = {"split": split_chance, "join": join_chance, "step": step_chance}
