"""Which cases of a test are left out of `make test`: for CI, or for `make test-all` alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest


def quick_ones(
    cases: Iterable[Any], is_quick: Callable[[Any], bool], mark: pytest.MarkDecorator = pytest.mark.slow
) -> list[Any]:
    """The cases for `parametrize`: those that are quick as they are, the others marked."""
    return [case if is_quick(case) else _marked(case, mark) for case in cases]


def _marked(case: Any, mark: pytest.MarkDecorator) -> Any:
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=mark)
