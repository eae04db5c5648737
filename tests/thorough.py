"""Which cases of a test are left out of `make test`: `make test-all` runs them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest


def quick_ones(cases: Iterable[Any], is_quick: Callable[[Any], bool]) -> list[Any]:
    """The cases for `parametrize`: those that are quick as they are, the others marked as slow."""
    return [case if is_quick(case) else _slow(case) for case in cases]


def _slow(case: Any) -> Any:
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=pytest.mark.slow)
