"""The same tasks on a real Dask cluster of processes, one of which is killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.arena.test_play import command, played, rows, shared
from tests.waiting import wait_for
from twofold.arena.store import Store

pytestmark = pytest.mark.slow  # a scheduler and workers

pytest.importorskip("distributed", reason="Dask (extra cluster) is not installed")


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[int]]]:
    """The address of a scheduler and the process numbers of its two workers."""
    file = tmp_path / "scheduler.json"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    run = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    work = [sys.executable, "-m", "distributed.cli.dask_worker", "--scheduler-file", str(file)]
    scheduler = [*run, "--scheduler-file", str(file), "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    worker = [*work, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(tmp_path)]
    processes = [subprocess.Popen(scheduler, **quiet)]  # type: ignore[call-overload]
    try:
        wait_for(lambda: _address(file))
        processes += [subprocess.Popen(worker, **quiet) for _ in range(2)]  # type: ignore[call-overload]
        address = _address(file)
        _wait_for_workers(address, 2)
        yield address, [process.pid for process in processes[1:]]
    finally:
        for process in reversed(processes):
            process.kill()
            process.wait()


def _address(file: Path) -> str:
    """What the scheduler has written; empty before it is there whole."""
    try:
        return str(json.loads(file.read_text())["address"])
    except (OSError, ValueError):
        return ""


def _wait_for_workers(address: str, count: int) -> None:
    from distributed import Client

    with Client(address, timeout=300, set_as_default=False) as client:
        client.wait_for_workers(count, timeout=300)


@pytest.mark.filterwarnings("ignore")
def test_a_killed_worker_costs_nothing(cluster: tuple[str, list[int]], tmp_path: Path) -> None:
    address, workers = cluster
    games = 100
    path = tmp_path / "a.db"
    os.kill(
        workers[0], signal.SIGSTOP
    )  # it holds what it is given, so the run can't be over before it is killed
    process = subprocess.Popen(
        [*command(path, games), "--cluster", address],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_for(lambda: process.poll() is not None or (path.exists() and _stored(path) >= 10), 600)
    assert process.poll() is None
    os.kill(workers[0], signal.SIGKILL)
    _, told = process.communicate(timeout=600)
    assert process.returncode == 0, told
    with Store(str(path)) as store:
        assert rows(store, "run") == played(tmp_path / "b.db", shared(games))


def _stored(path: Path) -> int:
    try:
        with Store(str(path), create=False) as store:
            return sum(sum(store.done(run).values()) for run in store.runs())
    except Exception:  # it is just being made
        return 0
