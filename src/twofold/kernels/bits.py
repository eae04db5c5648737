"""Machine instructions and raw memory as functions for kernels.

Recursive kernels take addresses rather than arrays: an array argument is seven words on every call, an address one.
`pext` and `pdep` use the BMI2 instructions where the processor has them and a loop elsewhere, with the same results.
"""

from __future__ import annotations

from typing import Any

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba import carray, njit, types
from numba.core import cgutils
from numba.extending import intrinsic

from twofold.kernels.compiling import helper

U = np.uint64
_I1, _I8, _I32, _I64 = ir.IntType(1), ir.IntType(8), ir.IntType(32), ir.IntType(64)
_F32, _F64 = ir.FloatType(), ir.DoubleType()


def _has_bmi2() -> bool:
    try:
        return bool(llvm.get_host_cpu_features().get("bmi2", False))
    except RuntimeError:  # LLVM does not know this processor
        return False


HAS_BMI2 = _has_bmi2()


def _word_function(name: str, arguments: int) -> Any:
    """An LLVM function from `arguments` 64-bit words to one word."""

    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        kind = ir.FunctionType(_I64, [_I64] * arguments)
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), values)

    if arguments == 1:

        @intrinsic
        def one(typing: Any, a: Any) -> Any:
            return types.uint64(types.uint64), build

        return one

    @intrinsic
    def two(typing: Any, a: Any, b: Any) -> Any:
        return types.uint64(types.uint64, types.uint64), build

    return two


popcount = _word_function("llvm.ctpop.i64", 1)


@intrinsic
def trailing_zeros(typing: Any, a: Any) -> Any:
    """Number of zero bits below the lowest one bit (64 for zero)."""

    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        kind = ir.FunctionType(_I64, [_I64, _I1])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.cttz.i64")
        return builder.call(function, [values[0], _I1(0)])

    return types.uint64(types.uint64), build


@helper
def _pext_loop(word, mask):  # type: ignore[no-untyped-def]
    out = U(0)
    bit = U(0)
    while mask != U(0):
        low = mask & (~mask + U(1))
        out |= U((word & low) != U(0)) << bit
        bit += U(1)
        mask ^= low
    return out


@helper
def _pdep_loop(word, mask):  # type: ignore[no-untyped-def]
    out = U(0)
    while mask != U(0):
        low = mask & (~mask + U(1))
        if word & U(1):
            out |= low
        word >>= U(1)
        mask ^= low
    return out


if HAS_BMI2:
    pext = _word_function("llvm.x86.bmi.pext.64", 2)
    pdep = _word_function("llvm.x86.bmi.pdep.64", 2)
else:
    pext, pdep = _pext_loop, _pdep_loop


def _load(kind: Any, result: Any) -> Any:
    @intrinsic
    def load(typing: Any, address: Any, index: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            pointer = builder.inttoptr(values[0], kind.as_pointer())
            return builder.load(builder.gep(pointer, [values[1]]))

        return result(types.uint64, types.uint64), build

    return load


def _store(kind: Any, value_type: Any) -> Any:
    @intrinsic
    def store(typing: Any, address: Any, index: Any, value: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            pointer = builder.inttoptr(values[0], kind.as_pointer())
            builder.store(values[2], builder.gep(pointer, [values[1]]))
            return context.get_dummy_value()

        return types.void(types.uint64, types.uint64, value_type), build

    return store


@intrinsic
def load_shared(typing: Any, address: Any, index: Any) -> Any:
    """A word that another thread may be writing: the old or the new one, never a part of each."""

    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        pointer = builder.inttoptr(values[0], _I64.as_pointer())
        return builder.load_atomic(builder.gep(pointer, [values[1]]), "monotonic", 8)

    return types.uint64(types.uint64, types.uint64), build


@intrinsic
def store_shared(typing: Any, address: Any, index: Any, value: Any) -> Any:
    """Write a word that other threads may be reading."""

    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        pointer = builder.inttoptr(values[0], _I64.as_pointer())
        builder.store_atomic(values[2], builder.gep(pointer, [values[1]]), "monotonic", 8)
        return context.get_dummy_value()

    return types.void(types.uint64, types.uint64, types.uint64), build


@intrinsic
def fetch_add(typing: Any, address: Any, amount: Any) -> Any:
    """Add to a word that threads share and return what it was before."""

    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        pointer = builder.inttoptr(values[0], _I64.as_pointer())
        return builder.atomic_rmw("add", pointer, values[1], "monotonic")

    return types.uint64(types.uint64, types.uint64), build


load_u8 = _load(_I8, types.uint8)
load_i16 = _load(ir.IntType(16), types.int16)
load_u32 = _load(_I32, types.uint32)
load_u64 = _load(_I64, types.uint64)
load_f32 = _load(_F32, types.float32)
load_f64 = _load(_F64, types.float64)
store_u8 = _store(_I8, types.uint8)
store_u32 = _store(_I32, types.uint32)
store_u64 = _store(_I64, types.uint64)
store_f32 = _store(_F32, types.float32)
store_f64 = _store(_F64, types.float64)


@intrinsic
def low_f32(typing: Any, word: Any) -> Any:
    """The float32 kept in the low half of a word."""

    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.bitcast(builder.trunc(values[0], _I32), _F32)

    return types.float32(types.uint64), build


@intrinsic
def bits_to_f64(typing: Any, word: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.bitcast(values[0], _F64)

    return types.float64(types.uint64), build


@intrinsic
def f64_to_bits(typing: Any, number: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.bitcast(values[0], _I64)

    return types.uint64(types.float64), build


def prefetch_at(builder: Any, pointer: Any) -> None:
    """Ask for what lies at a pointer before it is needed."""
    pointer = builder.bitcast(pointer, _I8.as_pointer())
    kind = ir.FunctionType(ir.VoidType(), [_I8.as_pointer(), _I32, _I32, _I32])
    function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
    builder.call(function, [pointer, _I32(0), _I32(3), _I32(1)])


@intrinsic
def prefetch(typing: Any, address: Any, index: Any) -> Any:
    """Ask for the 64-bit word at `address[index]` before it is needed."""

    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        prefetch_at(builder, builder.gep(builder.inttoptr(values[0], _I64.as_pointer()), [values[1]]))
        return context.get_dummy_value()

    return types.void(types.uint64, types.uint64), build


@intrinsic
def _as_pointer(typing: Any, address: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.inttoptr(values[0], cgutils.voidptr_t)

    return types.voidptr(types.uint64), build


@njit(_nrt=True)  # else numba hands no array on
def bytes_at(address, rows, columns):  # type: ignore[no-untyped-def]
    """The uint8 matrix (rows, columns) that lies at an address; no copy."""
    return carray(_as_pointer(address), (rows, columns), np.uint8)


@njit(_nrt=True)  # else numba hands no array on
def floats_at(address, count):  # type: ignore[no-untyped-def]
    """The float64 vector of `count` numbers that lies at an address; no copy."""
    return carray(_as_pointer(address), count, np.float64)
