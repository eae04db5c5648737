"""The size of a solution, said before it is begun."""

from __future__ import annotations

import pytest

from tests.exact.test_solve import REFERENCE, problem
from tests.thorough import quick_ones
from twofold.cores import free_memory
from twofold.exact.estimate import estimate
from twofold.exact.solver import solve

ENTRIES = [entry for entry in REFERENCE["results"] if entry["states_canon"] > 50]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: f"{e['map']} {e['target'] or 'score'}")
def test_reference_boards_are_estimated_within_a_factor(entry: dict[str, object]) -> None:
    size = estimate(problem(str(entry["map"]), entry["target"]))  # type: ignore[arg-type]
    states, after = entry["states_canon"], entry["after_canon"]
    assert isinstance(states, int)
    assert isinstance(after, int)
    assert size.states == states if size.known else states / 3 < size.states < 3 * states
    assert after / 3 < size.afterstates < 3 * after


@pytest.mark.parametrize(
    ("text", "target"),
    quick_ones(
        [("#####", None), ("######", 32), ("x##|###|##x", 64), ("##x##|#####", 32)],
        ("x##|###|##x", 64).__eq__,
    ),
)
def test_other_shapes_too(text: str, target: int | None) -> None:
    states = solve(problem(text, target)).states
    assert states / 2 < estimate(problem(text, target)).states < 20 * states


def test_free_memory_is_known_here() -> None:
    assert free_memory() == 0 or free_memory() > 1 << 26


def test_memory_of_the_largest_layer() -> None:
    size = estimate(problem("####|####|####|####", 32))
    assert 6.2e9 < size.streamed < 1.5 * 6.23e9  # measured: docs/log/exact.md
    assert 16.04e9 < size.work < 1.2 * 16.04e9
    assert estimate(problem("####|####|####|####", 64)).streamed == pytest.approx(90e9, rel=0.3)
