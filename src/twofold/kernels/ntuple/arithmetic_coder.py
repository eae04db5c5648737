"""Table entries as a stream of bytes: an adaptive binary coder that expects what lies near to be alike.

A network that is to be shipped has hundreds of millions of entries, most of which are never met. What is known of an
entry before it is read decides how many bits it takes: its *neighbours*, the entries with one cell's tile a rank lower,
have been read already. Where few of these are there, an entry hardly ever is either (some thousandths of a bit), and
one that is there is near the mean of theirs. An entry of a later stage is expected to be what it is in the stage
before, plus what its neighbours have changed by.

Entries are whole numbers of quanta, each with a *level*: 0, it is absent (zero, or as in the stage before), or it is
what was expected and a whole multiple of 2^(STEP_BITS · (level - 1)) quanta more. So entries that hardly count are
kept roughly.

A *row* is the entries that differ in the first cell only. Whether anything is there in a row is one bit, which saves
most of the time: two of three rows of a trained network are empty.

Bits go through a binary arithmetic coder of 32 bits (both ends of the interval are kept, so there are no carries), with
the mean of two adaptive probabilities for each context, a quick and a slow one. Writing and reading are one function,
so that they can't differ in what they expect: `WRITE` and `READ` are its two clones. The writer chooses for each entry
the level that is worth its bits (rate-distortion optimisation, as video coders do).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from twofold.kernels.bits import U
from twofold.kernels.compiling import clone, helper

LEVELS = 4
"""Levels of entries that are there."""

STEP_BITS = 2
"""Each level is this many bits rougher than the one before."""

MOST_NEAR = 8
"""Neighbours that are counted."""

_LENGTHS = 20  # of numbers in bits, with some to spare
_QUICK, _SLOW = 4, 7
EVEN = 1 << 15
"""The chance that is neither way."""

_DEAR = 6.0
"""Bits that an entry takes at least whose row would be empty without it, or nearly."""

_LEAST = 32
"""The smallest chance, of 65536."""

_PRESENT = 0
_LEVEL = _PRESENT + 2 * 3 * (MOST_NEAR + 1) * (LEVELS + 1)
_LENGTH = _LEVEL + 2 * (LEVELS + 1) * LEVELS
_SIGN = _LENGTH + 2 * LEVELS * _LENGTHS * _LENGTHS
_TOP = _SIGN + 2 * 3
_ROW = _TOP + 4 * _LENGTHS
CONTEXTS = _ROW + 2 * (MOST_NEAR + 1)
"""Contexts of the coder: two probabilities each, uint16 (CONTEXTS, 2), `EVEN` at the start."""

LOW, HIGH, VALUE, PLACE = range(4)
"""Words of the coder's state, uint64: the interval's ends (0 and 2^32 - 1 at the start; at the end the upper one is to
be written), the 32 bits read last, how many bytes were written or read."""

TAIL = 4
"""Bytes that are read at the start, or written at the end."""

WRITING = True
coded: Any = None
_WORD, _TOP_BYTE, _LAST = U(0xFFFFFFFF), U(0xFF000000), U(0xFF)


@helper
def _learn(chances, context, bit):  # type: ignore[no-untyped-def]
    for k in range(2):
        rate = _QUICK if k == 0 else _SLOW
        old = np.int64(chances[context, k])
        new = old + ((65536 - old) >> rate) if bit else old - (old >> rate)
        chances[context, k] = np.uint16(min(max(int(new), _LEAST), 65536 - _LEAST))


def code_bit(codes, state, chances, context, bit):  # type: ignore[no-untyped-def]
    """Write a bit, or read one; chances: those of a 1. A context below 0: an even one, which doesn't learn."""
    chance = U(EVEN)
    if context >= 0:
        chance = U((np.int64(chances[context, 0]) + np.int64(chances[context, 1])) >> 1)
    low = state[LOW]
    high = state[HIGH]
    span = high - low
    middle = low + (span >> U(16)) * chance + (((span & U(0xFFFF)) * chance) >> U(16))
    if not WRITING:
        bit = np.int64(state[VALUE] <= middle)
    if bit:
        high = middle
    else:
        low = middle + U(1)
    if context >= 0:
        _learn(chances, context, bit)
    while (low ^ high) & _TOP_BYTE == U(0):
        place = np.int64(state[PLACE])
        if WRITING:
            if place < len(codes):
                codes[place] = np.uint8(high >> U(24))
        else:
            more = U(codes[place] if place < len(codes) else 0)
            state[VALUE] = ((state[VALUE] << U(8)) & _WORD) | more
        state[PLACE] = U(place + 1)
        low = (low << U(8)) & _WORD
        high = ((high << U(8)) & _WORD) | _LAST
    state[LOW] = low
    state[HIGH] = high
    return bit


@helper
def _bit_length(number):  # type: ignore[no-untyped-def]
    length = 0
    while number > 0:
        number >>= 1
        length += 1
    return length


@helper
def _bits(chances, context, bit):  # type: ignore[no-untyped-def]
    """What a bit would take, in bits."""
    chance = (np.float64(chances[context, 0]) + np.float64(chances[context, 1])) / 131072
    return -math.log2(chance if bit else 1 - chance)


@helper
def _cheapest(wanted, weight, absent, base, about, chances, context):  # type: ignore[no-untyped-def]
    """The level for which `weight` · error² and the bits that it takes are least: (level, multiple of its step).

    base: what is expected of an entry that is there; about: the mean level of its neighbours; context: that of its
    being there.
    """
    if weight <= 0:
        return 0, 0
    error = wanted - np.float32(absent)
    least = weight * error * error + _bits(chances, context, False)
    there = _bits(chances, context, True)
    level = 0
    number = 0
    for k in range(1, LEVELS + 1):
        size = np.float32(1 << (STEP_BITS * (k - 1)))
        multiple = np.int64(np.rint((wanted - np.float32(base)) / size))
        error = wanted - np.float32(base) - np.float32(multiple) * size
        bits = there + 1 + abs(k - about) + 1.5 * _bit_length(abs(multiple))  # about
        cost = weight * error * error + bits
        if cost < least:
            least = cost
            level = k
            number = multiple
    return level, number


def code_number(codes, state, chances, number, size, kind, level, sign):  # type: ignore[no-untyped-def]
    """Write a whole number, or read one: its length in bits, all but its first bit, and whether it is below 0.

    size: mean length of its neighbours; kind, level, sign: of contexts.
    """
    negative = np.int64(number < 0)
    number = abs(number)
    right = _bit_length(number)
    length = 0
    while length < _LENGTHS - 1:
        context = _LENGTH + ((kind * LEVELS + level - 1) * _LENGTHS + size) * _LENGTHS + length
        if not coded(codes, state, chances, context, np.int64(right > length)):
            break
        length += 1
    if length == 0:
        return 0
    found = 1
    for k in range(length - 1):
        context = -1 if k > 1 else _TOP + 4 * length + (0 if k == 0 else 1 + (found & 1))
        found = (found << 1) | coded(codes, state, chances, context, (number >> (length - 2 - k)) & 1)
    negative = coded(codes, state, chances, _SIGN + kind * 3 + sign, negative)
    return -found if negative else found


@helper
def _row_counts(row, ranks, rows, digits):  # type: ignore[no-untyped-def]
    """How many of the neighbours of a row are not empty; rows: uint8, which ones are not."""
    near = 0
    stride = 1
    for k in range(1, len(digits)):
        near += np.int64(rows[row - stride]) if digits[k] > 0 else 0
        stride *= ranks
    return min(near, MOST_NEAR)


@helper
def _is_dear(at, ranks, before, wanted, weights, later):  # type: ignore[no-untyped-def]
    """Whether some entry of the row that begins at `at` is worth more bits than its being there takes at least."""
    for i in range(at, at + ranks):
        error = wanted[i] - (np.float32(before[i]) if later else np.float32(0))
        if weights[i] * error * error > _DEAR:
            return True
    return False


def code_row(codes, state, chances, ranks, digits, table, before, wanted, weights, marks, kind, at):  # type: ignore[no-untyped-def]
    """Write or read the entries of a row that is not empty, those from `at` on: see `code_table`."""
    for first in range(ranks):
        i = at + first
        near = 0
        total = 0
        about = 0
        size = 0
        stride = 1
        for k in range(len(digits)):
            there = first > 0 if k == 0 else digits[k] > 0
            mark = np.int64(marks[i - stride]) if there else 0
            if mark:
                near += 1
                total += np.int64(table[i - stride])
                if kind:
                    total -= np.int64(before[i - stride])
                about += mark & 7
                size += mark >> 3
            stride *= ranks
        absent = np.int64(before[i]) if kind else 0
        base = absent
        if near:
            about = (about + near // 2) // near
            size = min((size + near // 2) // near, _LENGTHS - 1)
            base += total // near
        known = 0 if not kind else 1 if absent == 0 else 2
        context = (
            _PRESENT + ((kind * 3 + known) * (MOST_NEAR + 1) + min(near, MOST_NEAR)) * (LEVELS + 1) + about
        )
        right = 0
        number = 0
        if WRITING:
            right, number = _cheapest(wanted[i], weights[i], absent, base, about, chances, context)
        if not coded(codes, state, chances, context, np.int64(right > 0)):
            marks[i] = np.uint8(0)
            table[i] = np.int16(absent)
            continue
        level = 1
        while level < LEVELS:
            context = _LEVEL + (kind * (LEVELS + 1) + about) * LEVELS + level
            if not coded(codes, state, chances, context, np.int64(right > level)):
                break
            level += 1
        sign = 0 if base == 0 else 1 if base > 0 else 2
        number = code_number(codes, state, chances, number, size, kind, level, sign)
        number *= 1 << (STEP_BITS * (level - 1))
        value = base + number
        if not -32768 <= value <= 32767:
            return False
        table[i] = np.int16(value)
        marks[i] = np.uint8(level | (min(_bit_length(abs(number)), 31) << 3))
    return True


coded_row: Any = None


def code_table(codes, state, chances, ranks, digits, table, before, wanted, weights, marks, rows, later):  # type: ignore[no-untyped-def]
    """Write or read the entries of one table in one stage; returns False if one doesn't fit into 16 bits.

    ranks: of a cell. digits: int64 (cells,), all 0 before and after. table: int16 (ranks^cells,), out: what a reader
    finds. before: int16, that of the stage before, for a later one (else anything). When writing: wanted: float32, the
    entries in quanta; weights: float32, the bits that an error of a quantum in each is worth. marks: uint8
    (ranks^cells,), scratch: the level and the length of what was coded; rows: uint8 (ranks^(cells - 1),), scratch:
    which rows are not empty.
    """
    kind = 1 if later else 0
    for row in range(len(rows)):
        at = row * ranks
        context = _ROW + kind * (MOST_NEAR + 1) + _row_counts(row, ranks, rows, digits)
        dear = 0
        if WRITING:
            dear = np.int64(_is_dear(at, ranks, before, wanted, weights, later))
        full = coded(codes, state, chances, context, dear)
        rows[row] = np.uint8(full)
        if not full:
            for i in range(at, at + ranks):
                marks[i] = np.uint8(0)
                table[i] = before[i] if later else np.int16(0)
        elif not coded_row(
            codes, state, chances, ranks, digits, table, before, wanted, weights, marks, kind, at
        ):
            return False
        for k in range(1, len(digits)):
            digits[k] += 1
            if digits[k] < ranks:
                break
            digits[k] = 0
    return True


def _whole(writing: bool) -> Any:
    bits = {"coded": clone(code_bit, {"WRITING": writing}, cached=False), "WRITING": writing}
    numbers = bits | {"code_number": clone(code_number, bits, cached=False)}
    return clone(code_table, bits | {"coded_row": clone(code_row, numbers, cached=False)})


WRITE = _whole(True)
READ = _whole(False)
