"""The eight symmetric images of a packed board as one vector, and table look-ups for all of them at once.

A tuple of cells is a mask with 15 in the nibble of each of its cells; its index is the nibbles under the mask, pushed
together, the first cell in the lowest nibble. `table_sum` and `table_ask` build, for a list of masks, functions that
shift and mask the eight images in one go and load or ask for entry by entry: 10-20 % faster than image by image, and
they need no BMI2 (benchmarks/training.py).

Tables lie one behind the other, table k of n cells having 16^n entries.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from twofold.kernels.bits import prefetch_at

IMAGES = 8
_I1, _I16, _I32, _I64 = ir.IntType(1), ir.IntType(16), ir.IntType(32), ir.IntType(64)
_F32 = ir.FloatType()
_WORDS = ir.VectorType(_I64, IMAGES)
_HALVES = ir.VectorType(_I32, IMAGES)


def _all(word: int) -> Any:
    return ir.Constant(_WORDS, [ir.Constant(_I64, word)] * IMAGES)


def _choose(builder: Any, where: tuple[int, ...], yes: Any, no: Any) -> Any:
    condition = ir.Constant(ir.VectorType(_I1, IMAGES), [_I1(bit) for bit in where])
    return builder.select(condition, yes, no)


def _swap(builder: Any, boards: Any, mask: int, shift: int) -> Any:
    """Exchange the bits under `mask` with those `shift` higher."""
    low = builder.shl(builder.and_(boards, _all(mask)), _all(shift))
    return builder.or_(low, builder.and_(builder.lshr(boards, _all(shift)), _all(mask)))


def _images(builder: Any, board: Any, turned: Any) -> Any:
    """The board, mirrored, upended, both, and the same of its transpose."""
    undefined = ir.Constant(_WORDS, ir.Undefined)
    boards = builder.insert_element(undefined, board, _I32(0))
    boards = builder.insert_element(boards, turned, _I32(1))
    spread = ir.Constant(_HALVES, [_I32(k) for k in (0, 0, 0, 0, 1, 1, 1, 1)])
    boards = builder.shuffle_vector(boards, undefined, spread)
    mirrored = _swap(builder, boards, 0x0F0F0F0F0F0F0F0F, 4)
    mirrored = _swap(builder, mirrored, 0x00FF00FF00FF00FF, 8)
    boards = _choose(builder, (0, 1, 0, 1, 0, 1, 0, 1), mirrored, boards)
    upended = _swap(builder, boards, 0x0000FFFF0000FFFF, 16)
    upended = _swap(builder, upended, 0x00000000FFFFFFFF, 32)
    return _choose(builder, (0, 0, 1, 1, 0, 0, 1, 1), upended, boards)


def mask_runs(mask: int) -> list[tuple[int, int]]:
    """The runs of ones in a mask: (lowest bit, length)."""
    runs = []
    bit = 0
    while mask >> bit:
        if mask >> bit & 1:
            length = 1
            while mask >> (bit + length) & 1:
                length += 1
            runs.append((bit, length))
            bit += length
        bit += 1
    return runs


def mask_size(mask: int) -> int:
    """Entries of the table of a mask."""
    return 1 << mask.bit_count()


def _index(builder: Any, boards: Any, mask: int, offset: int) -> Any:
    parts = None
    at = 0
    for low, length in mask_runs(mask):
        part = boards if low == at else builder.lshr(boards, _all(low - at))
        part = builder.and_(part, _all(((1 << length) - 1) << at))
        parts = part if parts is None else builder.or_(parts, part)
        at += length
    return builder.add(parts, _all(offset)) if offset else parts


def _indices(builder: Any, board: Any, turned: Any, masks: Sequence[int]) -> list[Any]:
    boards = _images(builder, board, turned)
    out = []
    offset = 0
    for mask in masks:
        out.append(_index(builder, boards, mask, offset))
        offset += mask_size(mask)
    return out


def _tree(parts: list[Any], join: Any) -> Any:
    while len(parts) > 1:
        paired = [join(a, b) for a, b in zip(parts[::2], parts[1::2], strict=False)]
        parts = paired + parts[len(paired) * 2 :]
    return parts[0]


def _sum(builder: Any, address: Any, whole: bool, rows: Sequence[Sequence[Any]]) -> Any:
    """Entries added up mask by mask, then in pairs: in one order, so that a value is the same bits everywhere."""
    base = builder.inttoptr(address, (_I16 if whole else _F32).as_pointer())
    add = builder.add if whole else builder.fadd
    sums = []
    for row in rows:
        total = None
        for index in row:
            entry = builder.load(builder.gep(base, [index]))
            if whole:
                entry = builder.sext(entry, _I32)
            total = entry if total is None else add(total, entry)
        sums.append(total)
    return _tree(sums, add)


def table_sum(masks: Sequence[int], *, whole: bool) -> Any:
    """`sum(address, board, transposed)`: the entries of all masks and images added up.

    whole: entries are int16 and the sum is an int32 (exact in any order); otherwise float32 both.
    """
    masks = tuple(masks)

    @intrinsic
    def summed(typing: Any, address: Any, board: Any, turned: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            vectors = _indices(builder, values[1], values[2], masks)
            rows = [[builder.extract_element(vector, _I32(k)) for k in range(IMAGES)] for vector in vectors]
            return _sum(builder, values[0], whole, rows)

        result = types.int32 if whole else types.float32
        return result(types.uint64, types.uint64, types.uint64), build

    summed.identity = f"table_sum({masks},{whole})"
    return summed


def _numbers(builder: Any, buffer: Any, masks: int) -> list[list[Any]]:
    """The entry numbers that lie at an address, mask by mask, as 64-bit words."""
    base = builder.inttoptr(buffer, _I32.as_pointer())
    return [
        [
            builder.zext(builder.load(builder.gep(base, [_I64(IMAGES * mask + k)])), _I64)
            for k in range(IMAGES)
        ]
        for mask in range(masks)
    ]


def listed_sum(masks: int, *, whole: bool) -> Any:
    """`sum(buffer, address)`: as `table_sum`, the numbers of the entries of so many masks lying in a buffer."""

    @intrinsic
    def summed(typing: Any, buffer: Any, address: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            return _sum(builder, values[1], whole, _numbers(builder, values[0], masks))

        result = types.int32 if whole else types.float32
        return result(types.uint64, types.uint64), build

    summed.identity = f"listed_sum({masks},{whole})"
    return summed


def table_ask(masks: Sequence[int], width: int) -> Any:
    """`ask(buffer, address, board, transposed)`: write the entry numbers as uint32 and prefetch the entries.

    width: bytes of an entry.
    """
    masks = tuple(masks)

    @intrinsic
    def ask(typing: Any, buffer: Any, address: Any, board: Any, turned: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            base = builder.inttoptr(values[0], _I32.as_pointer())
            for k, vector in enumerate(_indices(builder, values[2], values[3], masks)):
                place = builder.bitcast(builder.gep(base, [_I64(IMAGES * k)]), _HALVES.as_pointer())
                store = builder.store(builder.trunc(vector, _HALVES), place)
                store.align = 4
            entries = builder.inttoptr(values[1], ir.IntType(8 * width).as_pointer())
            for row in _numbers(builder, values[0], len(masks)):
                for index in row:
                    prefetch_at(builder, builder.gep(entries, [index]))
            return context.get_dummy_value()

        return types.void(types.uint64, types.uint64, types.uint64, types.uint64), build

    ask.identity = f"table_ask({masks},{width})"
    return ask
