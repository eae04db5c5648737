"""NumPy arrays as PyTorch tensors or JAX arrays, and back, without copying where the libraries can do without."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InvalidParameter, check_choice

ALIGNMENT = 64
"""Bytes: JAX takes CPU memory over only where it is aligned so."""

ARRAYS = ("numpy", "torch", "jax")


def aligned_empty(shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
    """An uninitialised array whose memory starts at a multiple of 64 bytes."""
    kind = np.dtype(dtype)
    size = math.prod(shape) * kind.itemsize
    raw = np.empty(size + ALIGNMENT, np.uint8)
    start = -raw.ctypes.data % ALIGNMENT
    array: NDArray[Any] = raw[start : start + size].view(kind).reshape(shape)
    return array


def aligned_copy(array: NDArray[Any]) -> NDArray[Any]:
    """A copy at a multiple of 64 bytes."""
    copy = aligned_empty(array.shape, array.dtype)
    copy[...] = array
    return copy


def to_torch(value: Any) -> Any:
    """Arrays as CPU tensors on the same memory; dicts and tuples are converted recursively, other things unchanged."""
    try:
        import torch
    except ImportError:
        raise InvalidParameter("tensors need PyTorch: pip install 'twofold[neural]'") from None
    return _map(value, torch.from_numpy)


def to_jax(value: Any) -> Any:
    """Arrays as JAX arrays on the CPU, on the same memory if it is aligned to 64 bytes (`aligned_empty`), else copied.

    JAX assumes that its arrays are constant: don't write into memory that it shares. 64-bit numbers become 32-bit ones,
    by a copy, unless JAX is set to `jax_enable_x64`.
    """
    try:
        import jax
    except ImportError:
        raise InvalidParameter("JAX arrays need JAX: pip install jax") from None

    def convert(array: NDArray[Any]) -> Any:
        narrow = array.itemsize == 8 and not jax.config.jax_enable_x64
        if narrow or not array.flags.writeable or array.ctypes.data % ALIGNMENT:
            return jax.numpy.asarray(array)
        return jax.numpy.from_dlpack(array)

    return _map(value, convert)


def to_numpy(value: Any) -> NDArray[Any]:
    """A CPU tensor, a JAX array or anything array-like as a NumPy array, on the same memory where that is possible."""
    detach = getattr(value, "detach", None)
    return np.asarray(detach().cpu() if detach is not None else value)


def converter(name: str) -> Callable[[Any], Any] | None:
    """The function for one of `ARRAYS`, None for `numpy`; raises InvalidParameter for another name."""
    check_choice("arrays", name, ARRAYS)
    convert = {"numpy": None, "torch": to_torch, "jax": to_jax}[name]
    if convert is not None:
        convert(())  # says at once if the library is missing
    return convert


def _map(value: Any, convert: Callable[[Any], Any]) -> Any:
    if isinstance(value, dict):
        return {key: _map(item, convert) for key, item in value.items()}
    if isinstance(value, tuple):
        return tuple(_map(item, convert) for item in value)
    if isinstance(value, np.ndarray) and value.dtype != object:
        return convert(value)
    return value
