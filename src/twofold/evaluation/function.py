"""A user's own function of the board as an evaluation."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.core.errors import NumbaError
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic
from numba.np.unsafe.ndarray import to_fixed_tuple

from twofold.errors import InvalidParameter
from twofold.evaluation.base import Evaluation
from twofold.kernels.compiling import clone, guarded
from twofold.userfile import NotAnEvaluation, check_evaluation

_RANKS = types.uint8
_BOARD = types.Array(_RANKS, 2, "C")
_LINE = types.Array(_RANKS, 1, "C")
_NUMBERS = types.Array(types.float64, 1, "C")


def from_function(function: Callable[..., Any], *, text: str = "", **parameters: float) -> Evaluation:
    """An evaluation from `function(board[, score][, parameters…]) -> float`.

    board: uint8 (rows, columns) of ranks, 0 for an empty cell and 255 for a brick; it can't be written to, and an
    index outside it is an error. If the second parameter is called `score` it receives the points so far, and the
    value must contain what they are worth; otherwise points don't count. Further parameters are numbers. The function
    must be one that numba compiles: loops and arithmetic over the board (whole numbers have 64 bits), numpy
    functions, other compiled functions. It is compiled by our options, whatever those of a decorator on it were.

    If its first parameter is called `line` it is a formula of one row or column, uint8 (n,), and the evaluation is its
    sum over all of them: inside 4x4 the search looks it up in tables, which is the fastest that an evaluation can be.

    Raises InvalidParameter for a wrong parameter, numba's error if it can't be compiled, NotAnEvaluation, a TypeError,
    if it or what it returns is of the wrong kind. A search raises UserCodeError where the function fails, or gives nan
    or infinity; minus infinity is the worst value.
    """
    plain = getattr(function, "py_func", function)
    check_evaluation(plain)
    names = list(inspect.signature(plain).parameters)
    by_lines = names[:1] == ["line"]
    scored = not by_lines and names[1:2] == ["score"]
    numbers = _numbers(plain, names[2 if scored else 1 :], parameters)
    template = _TEMPLATES["line" if by_lines else "score" if scored else "board", bool(numbers)]
    parts = {"user": guarded(function), "COUNT": len(numbers)}
    arguments = (_LINE, _NUMBERS) if by_lines else (_BOARD, types.int64, _NUMBERS)
    _check(plain.__name__, clone(template, parts), arguments)
    formula = clone(template, parts, cached=False)  # never compiled alone, but inlined in each search
    about: dict[str, Any] = {
        "parameters": tuple(numbers),
        "origin": (plain.__code__.co_filename, plain.__code__.co_firstlineno),
        "recipe": (_again, function, text, parameters),
    }
    if by_lines:
        return Evaluation(text or plain.__name__, line=formula, **about)
    return Evaluation(text or plain.__name__, function=formula, scored=scored, **about)


def _again(function: Callable[..., Any], text: str, parameters: dict[str, float]) -> Evaluation:
    return from_function(function, text=text, **parameters)


def _check(name: str, formula: Any, arguments: tuple[Any, ...]) -> None:
    """Compile, or fetch from disk, what a search will use: what is wrong with it shows now and not in the search."""
    try:
        formula.compile(arguments)
    except NumbaError as error:
        told = next((words for sign, words in _UNRETURNED.items() if sign in str(error)), None)
        if told is None:
            raise
        raise NotAnEvaluation(f"{name} returns {told}") from None
    result = formula.nopython_signatures[0].return_type
    if not isinstance(result, types.Integer | types.Float | types.Boolean):
        what = next((words for kind, words in _KINDS.items() if isinstance(result, kind)), "another object")
        raise NotAnEvaluation(f"{name} returns {what}")


_KINDS = {
    types.NoneType: "nothing", types.Optional: "nothing on some boards", types.Array: "a board or other array",
    types.BaseTuple: "several values", types.Complex: "a complex number",
}  # fmt: skip
_UNRETURNED = {
    "Only accept returning of array": "a board or other array",
    "NRT required": "a text or another object",
}
"""What a function returns that numba can't hand on, by what it says then."""


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


@intrinsic
def read_only(typing, array):  # type: ignore[no-untyped-def]
    """The same array, which can't be written to."""
    kept = array.copy(readonly=True)

    def build(context, builder, signature, values):  # type: ignore[no-untyped-def]
        return impl_ret_borrowed(context, builder, signature.return_type, values[0])

    return kept(array), build


@intrinsic
def bounded(typing, worth):  # type: ignore[no-untyped-def]
    """The same value, nan for infinity, which a division by zero gives; minus infinity stays, as the worst value."""

    def build(context, builder, signature, values):  # type: ignore[no-untyped-def]
        (value,) = values
        if not isinstance(worth, types.Float):
            return impl_ret_borrowed(context, builder, signature.return_type, value)
        infinite = builder.fcmp_ordered("==", value, value.type(math.inf))
        return builder.select(infinite, value.type(math.nan), value)

    return worth(worth), build


def _board(board, score, p):  # type: ignore[no-untyped-def]
    return bounded(user(read_only(board)))


def _board_numbers(board, score, p):  # type: ignore[no-untyped-def]
    return bounded(user(read_only(board), *to_fixed_tuple(p, COUNT)))


def _board_score(board, score, p):  # type: ignore[no-untyped-def]
    return bounded(user(read_only(board), score))


def _board_score_numbers(board, score, p):  # type: ignore[no-untyped-def]
    return bounded(user(read_only(board), score, *to_fixed_tuple(p, COUNT)))


def _line(line, p):  # type: ignore[no-untyped-def]
    return bounded(user(read_only(line)))


def _line_numbers(line, p):  # type: ignore[no-untyped-def]
    return bounded(user(read_only(line), *to_fixed_tuple(p, COUNT)))


_TEMPLATES: dict[tuple[str, bool], Callable[..., Any]] = {
    ("board", False): _board,
    ("board", True): _board_numbers,
    ("score", False): _board_score,
    ("score", True): _board_score_numbers,
    ("line", False): _line,
    ("line", True): _line_numbers,
}
