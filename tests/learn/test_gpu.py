"""The GPU twin, as far as that can be seen without a GPU: in numba's CUDA simulator, and as assembly."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.ui.command import here
from twofold.evaluation.network import Design
from twofold.evaluation.tuples import DEFAULT_TUPLES, parse_tuples
from twofold.kernels.gpu import cuda as kernels

ROOT = Path(__file__).parents[2]
needs_numba_cuda = pytest.mark.skipif(
    importlib.util.find_spec("numba_cuda") is None, reason="numba-cuda is not installed (extra gpu)"
)


@needs_numba_cuda
def test_in_the_simulator() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.learn.gpu_checks"],
        cwd=ROOT,
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    checks = ["check_play", "check_doubling", "check_learning", "check_training"]
    assert done.stdout.split() == checks, done.stderr


@needs_numba_cuda
def test_assembly_for_an_h100(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernels compile to PTX in which nothing is left to call and no register spills to memory."""
    from numba import cuda

    dispatcher = sys.modules[type(cuda.jit(device=True)(lambda x: x)).__module__]
    monkeypatch.setattr(dispatcher, "get_current_device", lambda: SimpleNamespace(compute_capability=(9, 0)))
    design = Design(tuples=parse_tuples(DEFAULT_TUPLES, 16), stages=(14,))
    parts = kernels.device_parts(design.masks, design.stages, by_sum=False, coherent=True)
    for function, signature in kernels.templates(parts):
        try:
            text = cuda.compile_ptx(function, signature, cc=(9, 0))[0]
        except Exception as error:
            if "NVRTC" in str(error).upper() or "NVVM" in str(error).upper():
                pytest.skip(f"no CUDA toolkit: {type(error).__name__}")
            raise
        assert ".entry" in text
        assert ".local" not in text
        assert text.count("atom.") >= {"start": 0, "step": 33, "settle": 32}[function.__name__]


def test_without_a_gpu(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "a")
    arguments = ("train", "ntuple", "--games", "1", "--out", out, "--device")
    for more, part in (
        (("cuda",), "cuda"),
        (("tpu",), "neither cpu nor cuda"),
        (("cuda", "--size", "3x3"), "open 4x4"),
        (("cuda", "--lanes", "0"), "--lanes"),
        (("cpu", "--lanes", "5"), "--lanes"),
    ):
        assert part in here(capsys, *arguments, *more).refusal().lower()
    assert not Path(out).exists()
