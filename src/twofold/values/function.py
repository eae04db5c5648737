"""A user's own function of the board as an evaluation."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.np.unsafe.ndarray import to_fixed_tuple

from twofold.errors import InvalidParameter
from twofold.kernels.compiling import clone, helper
from twofold.values.base import Evaluation

_BOARD = types.Array(types.uint8, 2, "C")


def from_function(function: Callable[..., Any], *, text: str = "", **parameters: float) -> Evaluation:
    """An evaluation from `function(board[, score][, parameters…]) -> float`.

    board: uint8 (rows, columns) of ranks, 0 for an empty cell and 255 for a brick; not to be written to. If the
    second parameter is called `score` it receives the points so far, and the value must contain what they are worth;
    otherwise points don't count. Further parameters are numbers. The function must be one that numba compiles: loops
    and arithmetic over the board, numpy functions, other compiled functions.

    Raises InvalidParameter for a wrong parameter, numba's error if it can't be compiled, TypeError if what it
    returns is no number.
    """
    plain = getattr(function, "py_func", function)
    names = list(inspect.signature(plain).parameters)
    scored = len(names) > 1 and names[1] == "score"
    numbers = _numbers(plain, names[2 if scored else 1 :], parameters)
    compiled = function if hasattr(function, "py_func") else helper(function)
    template = _TEMPLATES[scored, bool(numbers)]
    parts = {"user": compiled, "COUNT": len(numbers)}
    _check(plain.__name__, clone(template, parts))
    formula = clone(template, parts, cached=False)  # never compiled alone, but inlined in each search
    return Evaluation(text or plain.__name__, function=formula, parameters=tuple(numbers), scored=scored)


def _check(name: str, formula: Any) -> None:
    """Compile, or fetch from disk, what a search will use: what is wrong with it shows now and not in the search."""
    formula.compile((_BOARD, types.int64, types.Array(types.float64, 1, "C")))
    result = formula.nopython_signatures[0].return_type
    if not isinstance(result, types.Number | types.Boolean):
        raise TypeError(f"{name} returns {result}, not a number")


def _numbers(function: Callable[..., Any], names: list[str], given: dict[str, float]) -> list[float]:
    defaults = inspect.signature(function).parameters
    unknown = set(given) - set(names)
    if unknown:
        raise InvalidParameter(f"{function.__name__} has no parameter {', '.join(sorted(unknown))}")
    numbers = []
    for name in names:
        value = given.get(name, defaults[name].default)
        if isinstance(value, bool) or not isinstance(value, int | float | np.number):
            raise InvalidParameter(f"parameter {name} of {function.__name__} must be a number with a default")
        numbers.append(float(value))
    return numbers


user: Any = None
COUNT = 0


def _board(board, score, p):  # type: ignore[no-untyped-def]
    return user(board)


def _board_numbers(board, score, p):  # type: ignore[no-untyped-def]
    return user(board, *to_fixed_tuple(p, COUNT))


def _board_score(board, score, p):  # type: ignore[no-untyped-def]
    return user(board, score)


def _board_score_numbers(board, score, p):  # type: ignore[no-untyped-def]
    return user(board, score, *to_fixed_tuple(p, COUNT))


_TEMPLATES = {
    (False, False): _board,
    (False, True): _board_numbers,
    (True, False): _board_score,
    (True, True): _board_score_numbers,
}
