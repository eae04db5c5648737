"""Evaluations by name, and those in users' files."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from twofold.errors import InvalidParameter, UnknownEvaluation, UserCodeError, quote
from twofold.evaluation.base import Evaluation, EvaluationLike
from twofold.evaluation.catalogue import BUILT_IN
from twofold.registry import Info, Registry
from twofold.userfile import (
    NotAnEvaluation,
    check_evaluation,
    line_of,
    load_object,
    signature_parameters,
    user_code_error,
    user_info,
)

if TYPE_CHECKING:
    from twofold.evaluation.network import Network
    from twofold.evaluation.neural import NeuralNetwork

DEFAULT_EVALUATION = "default"


def _from_file(path: str, name: str) -> Info:
    """`file.py:Name`: an Evaluation, a function that makes one, or a plain function of the board or of a line."""
    item = load_object(path, name)
    if isinstance(item, Evaluation):
        return user_info(path, name, lambda text: item, ())
    if not callable(item):
        raise InvalidParameter(f"{quote(path)}: {name} is neither an evaluation nor a function")
    plain = getattr(item, "py_func", item)
    if inspect.isfunction(plain) and _makes_one(plain):
        return user_info(path, name, item, signature_parameters(plain, given=1))
    with _told(path, line_of(plain)):
        check_evaluation(plain)
    parameters = signature_parameters(plain, given=_given(plain))

    def make(text: str, **values: Any) -> Evaluation:
        return replace(_compiled(item, path, **values), text=text, recipe=None)  # remade by its text

    return user_info(path, name, make, parameters)


def _compiled(function: Callable[..., Any], path: str, **values: Any) -> Evaluation:
    """The evaluation of a user's function; what is wrong with it is told by file and line."""
    from twofold.evaluation.function import from_function

    line = line_of(getattr(function, "py_func", function))
    with _told(path, line):
        made = from_function(function, **values)
    return replace(made, origin=(path, line))


@contextmanager
def _told(path: str, line: int) -> Iterator[None]:
    """Turns what is wrong with a user's function into an error that names file and line."""
    try:
        yield
    except InvalidParameter:
        raise
    except NotAnEvaluation as error:
        raise UserCodeError(f"{path}:{line}: {error}" if line else f"{path}: {error}") from None
    except Exception as error:
        raise user_code_error(error, path, line) from error


def _makes_one(function: Callable[..., Any]) -> bool:
    """Whether a function says that it returns an Evaluation."""
    return inspect.signature(function).return_annotation in (Evaluation, "Evaluation")


def _given(function: Callable[..., Any]) -> int:
    """How many leading parameters the search fills in: the board, and the score if the second is called so."""
    names = list(inspect.signature(function).parameters)
    return 2 if names[:1] != ["line"] and names[1:2] == ["score"] else 1


def network_of(item: Any) -> Network | NeuralNetwork | None:
    """The network that `item` is, or that a trained run has."""
    from twofold.evaluation.network import Network
    from twofold.evaluation.neural import NeuralNetwork

    found = item if isinstance(item, Network | NeuralNetwork) else getattr(item, "network", None)
    return found if isinstance(found, Network | NeuralNetwork) and not isinstance(item, Evaluation) else None


def _from_object(item: Any, given: dict[str, Any]) -> Evaluation:
    """The evaluation of an object; see `as_evaluation`."""
    if isinstance(item, Evaluation):
        return item
    network = network_of(item)
    if network is not None:
        from twofold.evaluation.learned import from_network

        return _kept("network", from_network(network))
    if inspect.isclass(item):
        made = item(**given)
        if isinstance(made, Evaluation) or network_of(made) is not None:
            return _from_object(made, {})
    elif inspect.isfunction(item) or hasattr(item, "py_func"):
        return _of_function(item, **given)
    raise InvalidParameter(
        f"{quote(item)} is not an evaluation: give a text, a function of a board, an Evaluation or a network"
    )


@functools.lru_cache(maxsize=64)
def _of_function(function: Callable[..., Any], **given: Any) -> Evaluation:
    plain = getattr(function, "py_func", function)
    if _makes_one(plain):
        return _from_object(plain(**given), {})
    made = replace(_compiled(function, plain.__code__.co_filename, **given), recipe=(_again, function, given))
    return _kept(plain.__name__, made)


def _again(function: Callable[..., Any], given: dict[str, Any]) -> Evaluation:
    return make_evaluation(function, **given)


def _kept(name: str, evaluation: Evaluation) -> Evaluation:
    object.__setattr__(
        evaluation, "text", EVALUATIONS.keep(name, evaluation)
    )  # new: nobody has seen its old text
    return evaluation


def _own_text(evaluation: Evaluation) -> str | None:
    recipe = evaluation.recipe
    return str(recipe[1]) if recipe and recipe[0] is make_evaluation else None


EVALUATIONS: Registry[Evaluation] = Registry(
    "evaluation",
    UnknownEvaluation,
    BUILT_IN,
    from_file=_from_file,
    from_object=_from_object,
    own_text=_own_text,
)


def as_evaluation(evaluation: EvaluationLike) -> Evaluation:
    """The evaluation that `evaluation` means.

    A text such as ``snake:ratio=3`` or ``my.py:danger``; an `Evaluation`; a function from a board to a number, which
    numba compiles (see `twofold.evaluation.function.from_function`); a class that makes an `Evaluation`; a network,
    or a trained run that has one. The text of a function or network, ``<name>``, is known to this process alone.

    Raises InvalidParameter for anything else, UnknownEvaluation, or UserCodeError for a function that does not compile.
    """
    return make_evaluation(evaluation)


def make_evaluation(evaluation: EvaluationLike = DEFAULT_EVALUATION, **parameters: Any) -> Evaluation:
    """The evaluation that `evaluation` means, see `as_evaluation`; parameters of a name or a function by keyword."""
    made = EVALUATIONS.take(evaluation, parameters)
    if isinstance(evaluation, str) and made.recipe is None:
        text = EVALUATIONS.spell(evaluation, parameters) if parameters else EVALUATIONS.canonical(evaluation)
        object.__setattr__(made, "recipe", (make_evaluation, text))
    return made


def canonical_text(text: str) -> str:
    """The canonical text of the evaluation that `text` describes, in the form for a value inside another call."""
    return EVALUATIONS.canonical(text, nested=True)


def list_evaluations() -> tuple[Info, ...]:
    """Every registered evaluation, without compiling any of them."""
    return EVALUATIONS.infos()


def evaluation_info(name: str) -> Info:
    """Information about one evaluation: parameters, formula, source. Raises `UnknownEvaluation`."""
    return EVALUATIONS.info(name)
