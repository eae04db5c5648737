"""Named things with parameters: the boring registry behind players and evaluations.

A *call text* names one thing and sets some of its parameters:

    name                        everything at its default
    name:key=value,key=value    the usual form, on the command line and in records
    name(key=value,key=value)   the same, for use inside another call's value

so ``expectimax:depth=3,eval=lines(empty=270,merge=700)`` nests one call in another. Commas and ``=`` inside
balanced parentheses belong to the inner value. ``file.py:Name`` with the same two ways to set parameters refers to
a class or function in a user's file (see :mod:`twofold.userfile`).

The *canonical text* of a call has its parameters in the order of registration and leaves out those at their
default, so two texts that mean the same thing have one canonical text and it can serve as a key in a store.

Registering imports nothing: a factory may be given as ``"module:attribute"`` and is imported when a thing is made,
so that listing what there is costs no compiled module.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Generic, TypeVar

from twofold.errors import InvalidParameter, UnknownName, did_you_mean, quote

T = TypeVar("T")
Value = int | float | str | bool | None

MAX_TEXT = 4000
"""Longest call text that is read, in characters: far beyond honest use, short enough to be harmless."""

_KINDS: dict[type, str] = {int: "a whole number", float: "a number", bool: "1 or 0", str: "a text"}
_FLAGS = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}


@dataclass(frozen=True, slots=True)
class Parameter:
    """One ``key=value`` that a registered thing understands.

    Attributes:
        name: the key.
        kind: ``int``, ``float``, ``bool`` or ``str``.
        default: what the factory receives when the text doesn't set the key; ``None`` stands for "not set".
        help: one line for people, with the unit.
        choices: the only texts allowed (``str`` parameters), or empty.
        minimum, maximum: inclusive bounds of a number, or ``None``.
        normalise: ``"module:attribute"`` of a function from text to canonical text, imported when the key is
            used. For values that are calls of another registry: it checks them and gives them one spelling.
    """

    name: str
    kind: type = str
    default: Value = None
    help: str = ""
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    normalise: str = ""

    def parse(self, text: str) -> Value:
        """The value that `text` means; raises `InvalidParameter` saying what would be right."""
        value = self._read(text.strip())
        if isinstance(value, int | float) and not isinstance(value, bool):
            low, high = self.minimum, self.maximum
            if (low is not None and value < low) or (high is not None and value > high):
                raise InvalidParameter(f"{self.name}={quote(text)} is out of range: {self.expects()}")
        return value

    def _read(self, text: str) -> Value:
        try:
            if self.kind is bool:
                return _FLAGS[text.lower()]
            if self.kind is int:
                return _whole(text)
            if self.kind is float:
                number = float(text)
                if not math.isfinite(number):
                    raise ValueError(text)
                return number
        except (ValueError, KeyError, OverflowError):
            raise InvalidParameter(f"{self.name}={quote(text)} must be {self.expects()}") from None
        if not text:
            raise InvalidParameter(f"{self.name}= needs a value: {self.expects()}")
        if self.choices and text not in self.choices:
            hint = did_you_mean(text, self.choices)
            raise InvalidParameter(f"{self.name}={quote(text)} must be {self.expects()}{hint}")
        if self.normalise:
            return str(load_attribute(self.normalise)(text))
        return text

    def format(self, value: Value) -> str:
        """The shortest text that `parse` reads back as the same value."""
        if isinstance(value, bool):
            return "1" if value else "0"
        if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
            return str(int(value))
        return str(value)

    def expects(self) -> str:
        """What a right value looks like, in words."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        words = _KINDS.get(self.kind, "a text")
        bounds = (self.minimum, self.maximum)
        if bounds[0] is not None and bounds[1] is not None:
            return f"{words} from {self.format(bounds[0])} to {self.format(bounds[1])}"
        if bounds[0] is not None:
            return f"{words} of at least {self.format(bounds[0])}"
        if bounds[1] is not None:
            return f"{words} of at most {self.format(bounds[1])}"
        return words


def _whole(text: str) -> int:
    """A whole number, also written like 1e6 or 200_000 (node limits are long)."""
    try:
        return int(text)
    except ValueError:
        number = float(text)
        if not number.is_integer() or abs(number) > 2**53:
            raise ValueError(text) from None
        return int(number)


@dataclass(frozen=True, slots=True)
class Info:
    """What a registry knows about one name.

    Attributes:
        factory: a callable, or ``"module:attribute"`` of one, called as ``factory(text, **values)`` with the
            canonical text and the value of every parameter.
        summary: one line; source: where the idea comes from; formula: how the value comes about, may be empty.
    """

    name: str
    factory: str | Callable[..., Any]
    parameters: tuple[Parameter, ...] = ()
    summary: str = ""
    source: str = ""
    formula: str = ""

    def parameter(self, key: str) -> Parameter:
        """The parameter called `key`; raises `InvalidParameter` with a suggestion."""
        for parameter in self.parameters:
            if parameter.name == key:
                return parameter
        names = [parameter.name for parameter in self.parameters]
        known = f"it has {', '.join(names)}" if names else "it has no parameters"
        hint = did_you_mean(key, names)
        raise InvalidParameter(f"{quote(self.name)} has no parameter {quote(key)}: {known}{hint}")


@dataclass(frozen=True, slots=True)
class Call:
    """A parsed call: the name's `info` and every parameter's value, in the order of registration."""

    info: Info
    values: Mapping[str, Value] = field(default_factory=dict)

    def text(self, *, nested: bool = False) -> str:
        """The canonical text; `nested` gives the form with parentheses, for use as a value."""
        pairs = [
            f"{parameter.name}={parameter.format(self.values[parameter.name])}"
            for parameter in self.info.parameters
            if self.values[parameter.name] != parameter.default
        ]
        if not pairs:
            return self.info.name
        inner = ",".join(pairs)
        return f"{self.info.name}({inner})" if nested else f"{self.info.name}:{inner}"


class Registry(Generic[T]):
    """A dict from names to `Info`, with the call grammar on top. No duplicates, errors that list the names."""

    def __init__(
        self,
        noun: str,
        unknown: type[UnknownName],
        *,
        from_file: Callable[[str, str], Info] | None = None,
    ) -> None:
        """A registry of things called `noun` that raises `unknown` for a name it hasn't.

        `from_file(path, name)` makes the `Info` of an object in a user's file, so that ``file.py:Name`` works.
        """
        self.noun = noun
        self._unknown = unknown
        self._from_file = from_file
        self._infos: dict[str, Info] = {}

    def register(
        self,
        name: str,
        factory: str | Callable[..., T],
        parameters: Iterable[Parameter] = (),
        summary: str = "",
        source: str = "",
        formula: str = "",
    ) -> None:
        """Adds a name; raises `ValueError` when it is taken or can't be written in a call text."""
        if name in self._infos:
            raise ValueError(f"{self.noun} {name!r} is registered already")
        if not name or not name.replace("-", "").replace("_", "").isalnum():
            raise ValueError(f"a {self.noun} name consists of letters, digits, - and _, not {name!r}")
        self._infos[name] = Info(name, factory, tuple(parameters), summary, source, formula)

    def names(self) -> tuple[str, ...]:
        """All names, in the order of registration."""
        return tuple(self._infos)

    def list(self) -> tuple[Info, ...]:
        """Everything registered, in the order of registration."""
        return tuple(self._infos.values())

    def info(self, name: str) -> Info:
        """What is known about `name` (or about ``file.py:Name``)."""
        found = self._infos.get(name)
        if found is not None:
            return found
        path, _, item = name.rpartition(":")
        if self._from_file is not None and path.endswith(".py"):
            return self._from_file(path, item)
        hint = did_you_mean(name, self._infos)
        raise self._unknown(f"there is no {self.noun} {quote(name)}: choose {', '.join(self._infos)}{hint}")

    def parse(self, text: str) -> Call:
        """The call that `text` writes down, every value checked."""
        name, pairs = split_call(text)
        info = self.info(name)
        given: dict[str, Value] = {}
        for key, value in pairs:
            if key in given:
                raise InvalidParameter(f"{quote(text)} sets {quote(key)} twice: keep one")
            given[key] = info.parameter(key).parse(value)
        return Call(info, {p.name: given.get(p.name, p.default) for p in info.parameters})

    def canonical(self, text: str, *, nested: bool = False) -> str:
        """The one canonical text of everything that means the same as `text`."""
        return self.parse(text).text(nested=nested)

    def make(self, text: str) -> T:
        """The thing that `text` describes, from its factory."""
        call = self.parse(text)
        factory = call.info.factory
        if isinstance(factory, str):
            factory = load_attribute(factory)
        made: T = factory(call.text(), **call.values)
        return made


def load_attribute(reference: str) -> Any:
    """The object at ``"module:attribute"``, importing the module now."""
    module, _, attribute = reference.partition(":")
    return getattr(import_module(module), attribute)


def split_call(text: str) -> tuple[str, list[tuple[str, str]]]:
    """The name and the ``(key, value)`` pairs of a call text, in the order written, nothing interpreted."""
    if not isinstance(text, str) or not text.strip():
        raise InvalidParameter("the text is empty: write name or name:key=value,key=value")
    if len(text) > MAX_TEXT:
        raise InvalidParameter(f"{quote(text)} is {len(text)} characters long: at most {MAX_TEXT} are read")
    text = text.strip()
    name, inner = _split_name(text)
    if inner is None:
        return name, []
    pairs = []
    for part in _split_commas(inner, text):
        key, equals, value = part.partition("=")
        if not equals or not key.strip():
            raise InvalidParameter(f"{quote(part)} in {quote(text)} must be key=value")
        pairs.append((key.strip(), value.strip()))
    return name, pairs


def _split_name(text: str) -> tuple[str, str | None]:
    """The name and what sets its parameters, without the colon or the parentheses around it."""
    start = 0
    marker = text.find(".py:")
    if 0 <= marker and not set("=,(") & set(text[:marker]):
        start = marker + len(".py:")  # the colon after a file's name belongs to the name
    colon, bracket = text.find(":", start), text.find("(", start)
    if colon >= 0 and (bracket < 0 or colon < bracket):
        return text[:colon].strip(), text[colon + 1 :]
    if bracket >= 0:
        if not text.endswith(")"):
            raise InvalidParameter(f"{quote(text)} must end with ')' : write name(key=value,key=value)")
        return text[:bracket].strip(), text[bracket + 1 : -1]
    return text, None


def _split_commas(inner: str, whole: str) -> list[str]:
    """`inner` split at the commas that are outside parentheses; empty gives no parts."""
    parts, depth, start = [], 0, 0
    for i, character in enumerate(inner):
        depth += (character == "(") - (character == ")")
        if depth < 0:
            break
        if character == "," and depth == 0:
            parts.append(inner[start:i])
            start = i + 1
    if depth != 0:
        raise InvalidParameter(f"the parentheses in {quote(whole)} don't match")
    parts.append(inner[start:])
    return [] if parts == [""] else parts
