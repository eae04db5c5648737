"""Small counts of the fuzzers and killers of benchmarks/reliability; full ones are run by hand."""

from __future__ import annotations

import pytest

reliability = pytest.importorskip(
    "benchmarks.reliability.__main__", reason="benchmarks are in the source tree only"
)


@pytest.mark.parametrize(
    ("kind", "count"), [("texts", 200), ("files", 100), pytest.param("moves", 2_000, marks=pytest.mark.slow)]
)
def test_nothing_is_found_in_a_few_seconds(kind: str, count: int) -> None:
    work, _ = reliability.KINDS[kind]
    line, faults = work(count, 2)
    assert not faults, line


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "count"), [("texts", 3_000), ("commands", 200), ("files", 1_000), ("kills", 2)]
)
def test_nothing_is_found(kind: str, count: int) -> None:
    work, _ = reliability.KINDS[kind]
    line, faults = work(count, 1)
    assert not faults, line
