"""Evaluations by name, and those in users' files."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from twofold.errors import InvalidParameter, UnknownEvaluation, quote
from twofold.evaluation.base import Evaluation
from twofold.evaluation.catalogue import BUILT_IN
from twofold.registry import Info, Registry
from twofold.userfile import load_object, signature_parameters, user_code_error, user_info

DEFAULT_EVALUATION = "default"


def _from_file(path: str, name: str) -> Info:
    """`file.py:Name`: an Evaluation, a function that makes one, or a plain function of the board or of a line."""
    item = load_object(path, name)
    if isinstance(item, Evaluation):
        return user_info(path, name, lambda text: item, ())
    if not callable(item):
        raise InvalidParameter(f"{quote(path)}: {name} is neither an evaluation nor a function")
    plain = getattr(item, "py_func", item)
    if inspect.signature(plain).return_annotation in (Evaluation, "Evaluation"):
        return user_info(path, name, item, signature_parameters(plain, given=1))
    from twofold.evaluation.function import from_function

    parameters = signature_parameters(plain, given=_given(plain))

    def make(text: str, **values: Any) -> Evaluation:
        code = getattr(plain, "__code__", None)
        line = code.co_firstlineno if code else 0
        try:
            return replace(from_function(item, text=text, **values), origin=(path, line))
        except InvalidParameter:
            raise
        except Exception as error:
            raise user_code_error(error, path, line) from error

    return user_info(path, name, make, parameters)


def _given(function: Callable[..., Any]) -> int:
    """How many leading parameters the search fills in: the board, and the score if the second is called so."""
    names = list(inspect.signature(function).parameters)
    return 2 if names[:1] != ["line"] and names[1:2] == ["score"] else 1


EVALUATIONS: Registry[Evaluation] = Registry("evaluation", UnknownEvaluation, BUILT_IN, from_file=_from_file)


def make_evaluation(text: str = DEFAULT_EVALUATION) -> Evaluation:
    """The evaluation that `text` describes, for example ``snake:ratio=3`` or ``my.py:danger``."""
    return EVALUATIONS.make(text)


def canonical_text(text: str) -> str:
    """The canonical text of the evaluation that `text` describes, in the form for a value inside another call."""
    return EVALUATIONS.canonical(text, nested=True)


def list_evaluations() -> tuple[Info, ...]:
    """Every registered evaluation, without compiling any of them."""
    return EVALUATIONS.infos()


def evaluation_info(name: str) -> Info:
    """What is known about one evaluation: parameters, formula, source. Raises `UnknownEvaluation`."""
    return EVALUATIONS.info(name)
