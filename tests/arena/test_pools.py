"""Pools: what is true of their workers before any game is played."""

from __future__ import annotations

import signal
from concurrent.futures import Future
from types import SimpleNamespace
from typing import Any

import pytest

from twofold.arena.pools import ProcessPool


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="no signal masks")
def test_workers_are_started_deaf_to_ctrl_c() -> None:
    """Else each of them would print a traceback when Ctrl-C comes while it is starting."""
    masks: list[set[Any]] = []

    def submit(*_: object) -> Future[Any]:
        masks.append(signal.pthread_sigmask(signal.SIG_BLOCK, []))
        return Future()

    pool = ProcessPool(2, SimpleNamespace(submit=submit))
    pool.submit(SimpleNamespace(chunk=None))  # type: ignore[arg-type]
    assert [signal.SIGINT in mask for mask in masks] == [True]
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])
