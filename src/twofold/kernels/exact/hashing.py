"""Open-addressing hash tables of board words that several threads may fill at once.

A *set* has one word per slot, a *map* two: the key and its value. 0 marks a free slot, since no board that waits for
a move or a spawn is empty. The slot is the top bits of a product, so a walk through one table meets the slots of
another table in order (filling is then nearly sequential). Keys come in blocks: all their slots are asked for before
the first is looked at, which hides the memory's latency (benchmarks/exact.py).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from twofold.kernels.bits import U, load_shared, load_u64, prefetch, store_u64
from twofold.kernels.board.bitboard import GAMMA
from twofold.kernels.compiling import helper, kernel

_I64 = ir.IntType(64)
MISSING = U(0x7FFFFFFFFFFFFFFF)
"""What `find` answers for a key that isn't there."""


@intrinsic
def compare_and_set(typing: Any, address: Any, index: Any, expected: Any, word: Any) -> Any:
    """Write `word` to `address[index]` if `expected` is there; returns what was there. One step for all threads."""

    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        pointer = builder.gep(builder.inttoptr(values[0], _I64.as_pointer()), [values[1]])
        pair = builder.cmpxchg(pointer, values[2], values[3], "monotonic", "monotonic")
        return builder.extract_value(pair, 0)

    return types.uint64(types.uint64, types.uint64, types.uint64, types.uint64), build


@helper
def slot_of(key, shift):  # type: ignore[no-untyped-def]
    return ((key ^ (key >> U(29))) * GAMMA) >> shift


@helper
def insert(table, shift, mask, keys, n, shared):  # type: ignore[no-untyped-def]
    """Put keys[:n] into the set at address `table`; returns how many were new. shared: other threads do the same."""
    for i in range(n):
        prefetch(table, slot_of(keys[i], shift))
    if shared:
        return _insert_shared(table, shift, mask, keys, n)
    new = 0
    for i in range(n):
        key = keys[i]
        slot = slot_of(key, shift)
        found = load_u64(table, slot)
        while (found != U(0)) & (found != key):
            slot = (slot + U(1)) & mask
            found = load_u64(table, slot)
        store_u64(table, slot, key)  # also where it was there: no branch that a processor would have to guess
        new += found == U(0)
    return new


@helper
def _insert_shared(table, shift, mask, keys, n):  # type: ignore[no-untyped-def]
    new = 0
    for i in range(n):
        key = keys[i]
        slot = slot_of(key, shift)
        while True:
            found = load_shared(table, slot)
            if found == U(0):
                found = compare_and_set(table, slot, U(0), key)
                if found == U(0):
                    new += 1
                    break
            if found == key:
                break
            slot = (slot + U(1)) & mask
    return new


@helper
def find(table, shift, mask, key):  # type: ignore[no-untyped-def]
    """The value of a key in the map at address `table`."""
    slot = slot_of(key, shift)
    while True:
        found = load_shared(table, slot << U(1))
        if found == key:
            return load_shared(table, (slot << U(1)) | U(1))
        if found == U(0):
            return MISSING
        slot = (slot + U(1)) & mask


@kernel
def rehash(old, table, shift, mask):  # type: ignore[no-untyped-def]
    """Put every key of the set `old` (uint64 array) into the empty set at address `table`."""
    for i in range(len(old)):
        key = old[i]
        if key != U(0):
            slot = slot_of(key, shift)
            while load_shared(table, slot) != U(0):
                slot = (slot + U(1)) & mask
            store_u64(table, slot, key)


@kernel
def collect(table, out):  # type: ignore[no-untyped-def]
    """Copy the keys of the set `table` (uint64 array) to `out`, in the order of their slots.

    `out` has one word more than there are keys, so that writing needs no branch.
    """
    n = 0
    for i in range(len(table)):
        key = table[i]
        out[n] = key
        n += key != U(0)
    return n


@kernel
def fill(keys, words, table, shift, mask, shared):  # type: ignore[no-untyped-def]
    """Put the pairs keys[i], words[i] into the map at address `table`; every key comes once."""
    for i in range(len(keys)):
        key = keys[i]
        slot = slot_of(key, shift)
        while True:
            found = load_shared(table, slot << U(1))
            if found == U(0):
                if shared:
                    found = compare_and_set(table, slot << U(1), U(0), key)
                else:
                    store_u64(table, slot << U(1), key)
                if found == U(0):
                    break
            slot = (slot + U(1)) & mask
        store_u64(table, (slot << U(1)) | U(1), words[i])


@kernel
def find_all(keys, table, shift, mask, out):  # type: ignore[no-untyped-def]
    """The value of each key, `MISSING` for one that isn't there."""
    for i in range(len(keys)):
        out[i] = find(table, shift, mask, keys[i])


def shift_of(size: int) -> np.uint64:
    """The shift that makes slots of a table of `size` (a power of two of at least 2) slots."""
    return U(64 - (size.bit_length() - 1))
