"""The text that names a player or an evaluation: `name:key=value,key=value`.

A value may itself be a name with parameters; it is then written with parentheses, so that its commas stay
its own: `expectimax:depth=3,eval=lines(empty=270,merge=700)`. Both forms are read everywhere. A name may be
a reference to a user's file, `path/to/file.py:Name`.

`parse_call` splits such a text, `read_parameters` turns its strings into checked Python values, and
`write_call` writes the one canonical text: defaults left out, keys in their declared order.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal

from twofold.errors import InvalidParameter, did_you_mean, quote

MAX_TEXT = 100_000
"""The longest text, in characters, that any parser of twofold looks at."""

MAX_DEPTH = 16
"""How deep calls may lie in calls."""

_PARAMETERS_START = re.compile(r":(?=\s*[A-Za-z_][\w-]*\s*=)")
_KEY = re.compile(r"[A-Za-z_][\w-]*")
_FLAGS = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
_WHOLE = re.compile(r"[+-]?[0-9][0-9_]{0,29}(?:[eE]\+?[0-9]{1,2})?")  # limits of nodes are long: 200_000, 1e6
_OTHER_FILE = re.compile(r"(?!.*\.py:)[^:=,()]*[/.][^:=,()]*:[A-Za-z_]\w*")
_REFERENCE = re.compile(r".*\.py:[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class Call:
    """A name and its parameters as they were written, in order."""

    name: str
    parameters: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        """The form at the top of a text: `name:key=value,key=value`."""
        return f"{self.name}:{self._inside()}" if self.parameters else self.name

    def nested(self) -> str:
        """The form inside another call: `name(key=value,key=value)`."""
        return f"{self.name}({self._inside()})" if self.parameters else self.name

    def _inside(self) -> str:
        return ",".join(f"{key}={value}" for key, value in self.parameters)


def split_outside(text: str, separator: str) -> list[str]:
    """Split at the one-character `separator` wherever it is outside parentheses.

    Raises InvalidParameter if the parentheses do not balance.
    """
    parts: list[str] = []
    depth = start = 0
    for i, char in enumerate(text):
        if char == "(":
            depth += 1
            if depth > MAX_DEPTH:
                raise InvalidParameter(f"more than {MAX_DEPTH} nested parentheses in {quote(text)}")
        elif char == ")":
            depth -= 1
            if depth < 0:
                raise InvalidParameter(f"a ')' without '(' in {quote(text)}")
        elif char == separator and not depth:
            parts.append(text[start:i])
            start = i + 1
    if depth:
        raise InvalidParameter(f"a '(' without ')' in {quote(text)}")
    return [*parts, text[start:]]


def parse_call(text: str) -> Call:
    """Split `name:key=value,…` or `name(key=value,…)`. Raises InvalidParameter with what is wrong."""
    if not isinstance(text, str):
        raise InvalidParameter(
            f"a name must be a text, not {quote(text)}; write name or name:key=value,key=value"
        )
    if len(text) > MAX_TEXT:
        raise InvalidParameter(f"{quote(text)} is too long; write name:key=value,key=value")
    stripped = text.strip()
    if not stripped or not stripped.isprintable():
        raise InvalidParameter(f"{quote(text)} is not a name; write name or name:key=value,key=value")
    split_outside(stripped, ",")  # refuses unbalanced parentheses first
    name, inside = _name_and_inside(stripped)
    if _OTHER_FILE.fullmatch(name):
        raise InvalidParameter(f"{quote(text)} names no Python file: code of your own is FILE.py:NAME")
    if not name or (set(name) & set(":=,()") and not is_reference(name)):
        raise InvalidParameter(f"{quote(text)} is not of the form name:key=value,key=value")
    pairs: dict[str, str] = {}
    for part in split_outside(inside, ",") if inside is not None else []:
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not _KEY.fullmatch(key) or not value:
            raise InvalidParameter(f"{quote(part.strip())} in {quote(text)} is not of the form key=value")
        if key in pairs:
            raise InvalidParameter(f"{quote(key)} is given twice in {quote(text)}")
        pairs[key] = value
    return Call(name, tuple(pairs.items()))


def _name_and_inside(text: str) -> tuple[str, str | None]:
    """The name, and the text of its parameters (None if there are none)."""
    colon = _PARAMETERS_START.search(text)
    bracket = text.find("(")
    if bracket >= 0 and text.endswith(")") and (colon is None or bracket < colon.start()):
        return text[:bracket].strip(), text[bracket + 1 : -1]
    if colon:
        return text[: colon.start()].strip(), text[colon.end() :]
    return text, None


def is_reference(name: str) -> bool:
    """True for `file.py:Name`, which names an object in a user's file."""
    return bool(_REFERENCE.fullmatch(name))


def may_name_code(text: str) -> bool:
    """False only for a text in which no name, however deep, can be a reference; nothing is parsed or imported."""
    return ".py:" in text


def without_code(text: str, source: str) -> str:
    """`text`, which comes from `source`, a file or a link; raises InvalidParameter if it may name a user's code.

    Such code runs only where a person types its name.
    """
    if may_name_code(text):
        raise InvalidParameter(
            f"{source} names code in a Python file, {quote(text)}: it runs only if you type that name yourself"
        )
    return text


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter that a name understands.

    kind: `int`, `float`, `bool` (written 1 and 0) or `str`. default: the value when the key is left out;
    None means "not set", and REQUIRED that the key must be given. choices: the strings allowed, empty for
    any. minimum, maximum: inclusive bounds of a number. registry: `module:attribute` of the registry whose
    call a string is, for a value that is itself a call. is_file: a string names a file or folder to read.
    argument: what the parameter is called in Python, if not `name`.
    """

    name: str
    kind: type
    default: object = None
    help: str = ""
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    registry: str = ""
    is_file: bool = False
    argument: str = ""

    @property
    def keyword(self) -> str:
        """What the parameter is called in Python."""
        return self.argument or self.name


class _Required:
    def __repr__(self) -> str:
        return "REQUIRED"


REQUIRED = _Required()
"""The default of a parameter that must be given."""

_NESTED = {
    "player": ("twofold.players.registry:PLAYERS", ""),
    "evaluation": ("twofold.evaluation.registry:EVALUATIONS", "evaluation"),
}
"""Kinds of values that are calls: the registry, and the argument's name in Python if it isn't the parameter's."""


def parameters(table: str) -> tuple[Parameter, ...]:
    """The parameters in a table, one a line: `name=default`, its kind, what it is for, two or more spaces between.

    kind: `int`, `float` (both with bounds, `1..40` or `0..`, if there are any), `bool`, `text`, `file`, the words that
    it may be (`best|mean`), `player` or `evaluation`. No `=`: not set unless given; `=!`: it must be given.
    """
    found = []
    for line in table.strip().splitlines():
        call, kind, help = re.split(r"\s{2,}", line.strip(), maxsplit=2)
        name, equals, default = call.partition("=")
        word, _, bounds = kind.partition(" ")
        low, _, high = bounds.partition("..")
        registry, argument = _NESTED.get(kind, ("", ""))
        parameter = Parameter(
            name,
            {"int": int, "float": float, "bool": bool}.get(word, str),
            help=" ".join(help.split()),
            choices=tuple(kind.split("|")) if "|" in kind else (),
            minimum=float(low) if low else None,
            maximum=float(high) if high else None,
            registry=registry,
            is_file=kind == "file",
            argument=argument,
        )
        value = REQUIRED if default == "!" else read_value(default, parameter) if equals else None
        found.append(replace(parameter, default=value))
    return tuple(found)


def read_parameters(call: Call, parameters: Iterable[Parameter]) -> dict[str, object]:
    """The value of every declared parameter: as given in `call`, or its default.

    Raises InvalidParameter for an unknown key, a value of the wrong kind or out of bounds, or a required
    key left out.
    """
    declared = {parameter.name: parameter for parameter in parameters}
    for key, _ in call.parameters:
        if key not in declared:
            known = ", ".join(declared) or "none"
            raise InvalidParameter(
                f"{call.name} has no parameter {quote(key)}{did_you_mean(key, declared)} (it has: {known})"
            )
    given = dict(call.parameters)
    for parameter in declared.values():
        if parameter.default is REQUIRED and parameter.name not in given:
            raise InvalidParameter(f"{call.name} needs {parameter.name}=…")
    return {
        name: read_value(given[name], parameter) if name in given else parameter.default
        for name, parameter in declared.items()
    }


def read_value(text: str, parameter: Parameter) -> object:
    """`text` as a value of the parameter's kind. Raises InvalidParameter naming what would be right."""
    value = _convert(text, parameter.kind)
    right = expectation(parameter)
    if value is None and parameter.kind is float and _overflows(text):
        raise InvalidParameter(f"{parameter.name}={quote(text)} is too large for a 64-bit number")
    if value is None or (parameter.choices and value not in parameter.choices):
        hint = did_you_mean(text, parameter.choices)
        raise InvalidParameter(f"{parameter.name}={quote(text)} is not {right}{hint}")
    if isinstance(value, float) and underflows(text, value):
        raise InvalidParameter(f"{parameter.name}={quote(text)} is too near 0 for a 64-bit number: write 0")
    if isinstance(value, int | float):
        low = -math.inf if parameter.minimum is None else parameter.minimum
        high = math.inf if parameter.maximum is None else parameter.maximum
        if not low <= value <= high:
            raise InvalidParameter(f"{parameter.name}={quote(text)} is not {right}")
    return value


def _convert(text: str, kind: type) -> object:
    """`text` as `kind`, or None if it is not one."""
    if kind is bool:
        return _FLAGS.get(text.lower())
    if kind is int:
        return int(Decimal(text.replace("_", ""))) if _WHOLE.fullmatch(text) else None
    if kind is float:
        try:
            value = float(text) if len(text) <= 100 else math.nan
        except ValueError:
            return None
        return value if math.isfinite(value) else None
    return text


def _overflows(text: str) -> bool:
    """Whether a number is written in `text` that is too large for a float."""
    try:
        return any(char.isdigit() for char in text) and math.isinf(float(text))
    except ValueError:
        return False


def underflows(text: str, value: float) -> bool:
    """Whether `value` is 0 only because the number written in `text` is too small for a float."""
    return value == 0 and any(char in "123456789" for char in text.lower().partition("e")[0])


def expectation(parameter: Parameter) -> str:
    """What would be right, for a message."""
    if parameter.choices:
        return "one of " + ", ".join(parameter.choices)
    what = {bool: "1 or 0", int: "a whole number", float: "a number"}.get(parameter.kind, "a text")
    low, high = parameter.minimum, parameter.maximum
    if low is not None and high is not None:
        return f"{what} from {low:g} to {high:g}"
    if low is not None:
        return f"{what} of at least {low:g}"
    return f"{what} of at most {high:g}" if high is not None else what


def write_call(name: str, values: Mapping[str, object], parameters: Iterable[Parameter]) -> Call:
    """The canonical call: declared order, defaults left out; `str()` or `.nested()` it.

    A string value with parameters of its own is written in its nested form.
    """
    pairs = [
        (parameter.name, _write_value(values[parameter.name]))
        for parameter in parameters
        if parameter.name in values and values[parameter.name] != parameter.default
    ]
    return Call(name, tuple(pairs))


def _write_value(value: object) -> str:
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, float):
        return format_number(value)
    if isinstance(value, str) and _PARAMETERS_START.search(value):
        return parse_call(value).nested()
    return str(value)


def format_number(value: float) -> str:
    """The shortest text that reads back as `value`, whole numbers without `.0`."""
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
