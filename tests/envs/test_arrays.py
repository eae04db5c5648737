"""Tensors and JAX arrays: on the same memory, and as actions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium")

from twofold.envs import Twofold2048VectorEnv, to_jax, to_numpy, to_torch
from twofold.envs.arrays import ALIGNMENT, aligned_copy, aligned_empty


def test_aligned_memory() -> None:
    for shape, dtype in (((3, 5), np.uint8), ((7,), np.float64), ((2, 3, 4), np.bool_)):
        array = aligned_empty(shape, dtype)
        assert (array.shape, array.dtype) == (shape, dtype)
        assert array.ctypes.data % ALIGNMENT == 0
    source = np.arange(10.0)
    assert (aligned_copy(source) == source).all()
    assert not np.shares_memory(aligned_copy(source), source)


def play(arrays: str, actions: Any) -> tuple[Any, ...]:
    """The last step of some, with the actions as the library's own arrays."""
    envs = Twofold2048VectorEnv(4, variant="2x2", arrays=arrays, autoreset_mode="SameStep")
    out: tuple[Any, ...] = envs.reset(seed=3)
    for row in actions:
        out = envs.step(row)
    return out


ACTIONS = np.random.default_rng(1).integers(0, 4, (30, 4))


def test_torch() -> None:
    torch = pytest.importorskip("torch")
    array = np.arange(6, dtype=np.uint8)
    tensor = to_torch(array)
    array[0] = 9
    assert tensor[0] == 9
    assert np.shares_memory(to_numpy(tensor), array)
    nested = to_torch({"a": array, "b": ({"c": array}, "text")})
    assert nested["b"][1] == "text"
    assert torch.equal(nested["b"][0]["c"], nested["a"])
    expected, got = play("numpy", ACTIONS), play("torch", torch.from_numpy(ACTIONS))
    for one, other in zip(got[:4], expected[:4], strict=True):
        assert isinstance(one, torch.Tensor)
        assert (one.numpy() == other).all()
    assert isinstance(got[4]["action_mask"], torch.Tensor)
    buffers = {"observation": torch.zeros((4, 4, 4), dtype=torch.uint8).numpy()}
    envs = Twofold2048VectorEnv(4, arrays="torch", buffers=buffers)
    shown, _ = envs.reset(seed=1)
    assert shown.data_ptr() == buffers["observation"].ctypes.data
    assert torch.from_dlpack(envs.reset(seed=1)[0].numpy()).equal(shown)


def test_jax() -> None:
    jax = pytest.importorskip("jax")
    array = aligned_copy(np.arange(64, dtype=np.uint8))
    shared = to_jax(array)
    assert shared.unsafe_buffer_pointer() == array.ctypes.data
    assert (np.asarray(to_jax(np.arange(5.0))) == np.arange(5)).all()
    expected, got = play("numpy", ACTIONS), play("jax", jax.numpy.asarray(ACTIONS))
    for one, other in zip(got[:4], expected[:4], strict=True):
        assert isinstance(one, jax.Array)
        assert (np.asarray(one) == other).all()
    assert isinstance(got[4]["action_mask"], jax.Array)
