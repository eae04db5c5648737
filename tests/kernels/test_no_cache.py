"""Compiled code that can't be kept, or whose files are damaged: the answers are right all the same."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

KERNEL = """
from twofold.kernels.compiling import kernel

@kernel
def cube(x):
    return x * x * x
"""

RUN = """
import sys
sys.path.insert(0, {folder!r})
{before}
from own_kernel import cube
assert cube(3) == 27
print(sum(cube.stats.cache_hits.values()))
"""

NO_FOLDER = """
from numba.core.caching import CompileResultCacheImpl
CompileResultCacheImpl._locator_classes = []
"""
FULL_DISK = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
"""

NO_LOCKS = """
import errno, fcntl, time
def flock(*_):
    raise OSError(errno.ENOLCK, "No locks available")
fcntl.flock, time.sleep = flock, None  # nobody is waited for
"""


def run(folder: Path, before: str = "") -> tuple[str, str]:
    (folder / "own_kernel.py").write_text(KERNEL)
    os.utime(folder / "own_kernel.py", (10**9, 10**9))
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "kept"), "PYTHONDONTWRITEBYTECODE": "1"}
    environment.pop("TWOFOLD_SAID_NO_CACHE", None)
    code = RUN.format(folder=str(folder), before=before)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip(), done.stderr


@pytest.mark.parametrize(
    "before",
    [
        NO_FOLDER,
        pytest.param(FULL_DISK, marks=pytest.mark.skipif(os.name == "nt", reason="limits as on Unix")),
    ],
    ids=["no folder", "full disk"],
)
def test_what_cant_be_kept_costs_one_line(tmp_path: Path, before: str) -> None:
    hits, told = run(tmp_path, before)
    assert hits == "0"
    assert told.startswith("warning: compiled code can't be kept (")
    assert told.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ending", "left"),
    [("nbi", 0), ("nbi", 0.5), ("nbc", 0.5), ("nb?", 0)],
    ids=lambda value: str(value),
)
def test_a_damaged_file_is_made_anew(tmp_path: Path, ending: str, left: float) -> None:
    assert run(tmp_path) == ("0", "")
    files = list((tmp_path / "kept").rglob(f"*.{ending}"))
    assert files
    for file in files:
        data = file.read_bytes()
        file.write_bytes(data[: int(left * len(data))])
    assert run(tmp_path) == ("0", "")
    assert run(tmp_path) == ("1", "")


@pytest.mark.slow
def test_an_index_that_is_a_folder_is_no_reason_to_fail(tmp_path: Path) -> None:
    run(tmp_path)
    for file in list((tmp_path / "kept").rglob("*.nbi")):
        file.unlink()
        file.mkdir()
    hits, told = run(tmp_path)
    assert hits == "0"
    assert told.count("\n") == 1


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="locks as on Unix")
def test_a_file_system_without_locks_keeps_code_all_the_same(tmp_path: Path) -> None:
    assert run(tmp_path, NO_LOCKS) == ("0", "")
    assert run(tmp_path, NO_LOCKS) == ("1", "")


@pytest.mark.skipif(os.name == "nt", reason="locks as on Unix")
def test_a_compilation_that_failed_keeps_nobody_waiting(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text(KERNEL.replace("x * x * x", "nowhere(x)"), "utf-8")
    code = f"""
import importlib, sys, time
sys.path.insert(0, {str(tmp_path)!r})
import broken
time.sleep = None  # nobody is waited for
for _ in range(2):
    try:
        importlib.reload(broken).cube(3)
    except Exception as error:
        print(type(error).__name__)
"""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "kept")}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False
    )
    assert done.stdout == "TypingError\n" * 2, done.stderr
