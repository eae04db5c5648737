"""Players and evaluations in a user's own file: ``file.py:Name``.

The object is loaded from the file, its parameters are read from its signature (default values give their kinds),
and what goes wrong in it is told in one line that names the file and the line, because the traceback of a search
would be about our code, not the user's.
"""

from __future__ import annotations

import dis
import hashlib
import importlib.util
import inspect
import re
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from twofold.errors import InvalidFile, InvalidParameter, UserCodeError, did_you_mean, quote
from twofold.files import read_file
from twofold.notation import REQUIRED, Parameter
from twofold.registry import Info

_KINDS: dict[object, type] = {kind: kind for kind in (int, float, bool, str)}
_KINDS |= {kind.__name__: kind for kind in (int, float, bool, str)}
_FORBIDDEN = set("=,()")
_TOLD_LINE = re.compile(r'File "([^"]+)", line (\d+)')
_NUMBA_STEP = re.compile(r"Failed in nopython mode pipeline \(step: [^)]*\) ")


def load_object(path: str, name: str) -> Any:
    """The object called `name` in the Python file at `path`, running the file (once per process).

    Raises `InvalidFile` when there is no such file or object, `UserCodeError` when the file fails.
    """
    if _FORBIDDEN & set(path):
        raise InvalidFile(
            f"{quote(path)} has one of = , ( ) in it: rename the file to use it in a player's text"
        )
    module = _load_module(path)
    found = getattr(module, name, None) if name.isidentifier() else None
    if found is None:
        names = [key for key in vars(module) if not key.startswith("_")]
        raise InvalidFile(f"{quote(path)} defines no {quote(name)}{did_you_mean(name, names)}")
    return found


def _load_module(path: str) -> ModuleType:
    content = read_file(path)
    source = Path(path).resolve()
    # The name holds a hash of path and content: an edited file is loaded afresh in a long-lived process.
    digest = hashlib.blake2b(str(source).encode() + b"\0" + content, digest_size=8).hexdigest()
    module_name = f"twofold_user_{digest}"
    if module_name in sys.modules:
        return sys.modules[module_name]
    spec = importlib.util.spec_from_file_location(module_name, source)
    if spec is None or spec.loader is None:
        raise InvalidFile(f"{quote(path)} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[module_name]
        raise user_code_error(error, path) from error
    return module


def user_code_error(error: BaseException, path: str, default_line: int = 0) -> UserCodeError:
    """`error` in one line, at the deepest line of the user's file that led to it.

    Numba tells lines in its text alone. default_line: the line to name where neither does.
    """
    source = str(Path(path).resolve())
    kind, text = type(error).__name__, " ".join(str(error).split())
    if isinstance(error, SyntaxError) and error.lineno is not None:
        line, text = error.lineno, error.msg
    else:
        frames = traceback.extract_tb(error.__traceback__)
        line = next(
            (f.lineno or 0 for f in reversed(frames) if Path(f.filename).resolve() == Path(source)), 0
        )
        told = [
            int(number) for file, number in _TOLD_LINE.findall(text) if Path(file).name == Path(path).name
        ]
        line = line or (told[-1] if told else default_line)
        if "setitem(readonly array" in text:
            text = "the board can't be written to: change a board.copy()"
        text = _TOLD_LINE.split(_NUMBA_STEP.sub("", text))[0].removesuffix("During: ").strip()
    place = f"{path}:{line}" if line else path
    return UserCodeError(f"{place}: {kind}: {text[:200]}" if text else f"{place}: {kind}")


class NotAnEvaluation(TypeError):
    """An object, or what a function returns, that can't be an evaluation; the text says what would be right."""

    def __init__(self, fault: str) -> None:
        super().__init__(f"{fault}: an evaluation is a function of a board that returns a number")


def check_evaluation(item: Any) -> None:
    """Raises NotAnEvaluation for what is no plain function with a parameter, as far as that shows without compiling."""
    name = getattr(item, "__name__", type(item).__name__)
    if inspect.isclass(item):
        raise NotAnEvaluation(f"{name} is a class")
    if not inspect.isfunction(item):
        raise NotAnEvaluation(f"{name} is no function written in Python")
    if inspect.iscoroutinefunction(item) or inspect.isasyncgenfunction(item):
        raise NotAnEvaluation(f"{name} is async")
    if inspect.isgeneratorfunction(item):
        raise NotAnEvaluation(f"{name} yields values")
    if not inspect.signature(item).parameters:
        raise NotAnEvaluation(f"{name} has no parameter")
    if not any(
        each.opname.startswith("RETURN_") and each.opname != "RETURN_GENERATOR"
        for each in dis.get_instructions(item)
    ):
        raise NotAnEvaluation(f"{name} only raises an error")


def line_of(item: Any) -> int:
    """The line that a function or class of a user's file begins in, 0 if that isn't known."""
    code = getattr(item, "__code__", None)
    if code is not None:
        return int(code.co_firstlineno)
    try:
        return inspect.getsourcelines(item)[1]
    except (TypeError, OSError):
        return 0


def signature_parameters(item: Callable[..., Any], given: int = 0) -> tuple[Parameter, ...]:
    """The parameters that a call text can set: those of `item`'s signature after the first `given`.

    The kind comes from the annotation or the default value; parameters of other kinds can't be set by text.
    """
    parameters = []
    for parameter in list(inspect.signature(item).parameters.values())[given:]:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        is_required = parameter.default is parameter.empty
        kind = _KINDS.get(parameter.annotation) or _KINDS.get(type(parameter.default))
        if kind is not None:
            default = REQUIRED if is_required else parameter.default
            parameters.append(Parameter(parameter.name, kind, default))
        elif is_required:
            raise InvalidParameter(
                f"parameter {quote(parameter.name)} needs a default, or an annotation int, float, bool or str"
            )
    return tuple(parameters)


def user_info(path: str, name: str, factory: Callable[..., Any], parameters: tuple[Parameter, ...]) -> Info:
    """The registry's entry for an object in a user's file, its summary being the first line of its docstring."""
    summary = (inspect.getdoc(load_object(path, name)) or "").partition("\n")[0]
    return Info(f"{path}:{name}", factory, parameters, summary, source=path)
