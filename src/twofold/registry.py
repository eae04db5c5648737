"""Named things with parameters: the boring registry behind players and evaluations.

The grammar of ``name:key=value,key=value`` is that of `twofold.notation`; this module keeps who is who. The
*canonical text* of a call has its parameters in the order of registration and leaves out those at their default, so
two texts that mean the same thing have one canonical text, and it can serve as a key in a store.

Registering imports nothing: a factory may be given as ``"module:attribute"`` and is imported when a thing is made,
so that listing what there is costs no compiled module.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Generic, TypeVar
from weakref import WeakValueDictionary

from twofold.errors import InvalidParameter, UnknownName, did_you_mean, quote
from twofold.notation import (
    Call,
    Parameter,
    expectation,
    is_reference,
    parse_call,
    read_parameters,
    write_call,
)

T = TypeVar("T")

_OBJECT = re.compile(r"<[^<>]+>")


@dataclass(frozen=True, slots=True)
class Info:
    """What a registry knows about one name.

    Attributes:
        factory: a callable, or ``"module:attribute"`` of one, called as ``factory(text, **values)`` with the
            canonical text and the value of every parameter.
        summary: one line; source: where the idea comes from; formula: how the value comes about, may be empty.
        alone: whether no other call may have it as a parameter.
    """

    name: str
    factory: str | Callable[..., Any]
    parameters: tuple[Parameter, ...] = ()
    summary: str = ""
    source: str = ""
    formula: str = ""
    alone: bool = False


class Registry(Generic[T]):
    """A dict from names to `Info`, with the call grammar on top. No duplicates, errors that list the names."""

    def __init__(
        self,
        noun: str,
        unknown: type[UnknownName],
        infos: Iterable[Info] = (),
        *,
        from_file: Callable[[str, str], Info] | None = None,
        from_object: Callable[[Any, dict[str, Any]], T] | None = None,
        own_text: Callable[[T], str | None] = lambda _: None,
    ) -> None:
        """A registry of things called `noun`, first those of `infos`; raises `unknown` for a name it doesn't have.

        `from_file(path, name)` makes the `Info` of an object in a user's file, so that ``file.py:Name`` works;
        `from_object(item, given)` makes a thing of a user's object, with parameters by keyword; `own_text(thing)` is
        the text that `make` makes an equal thing of, if there is one.
        """
        self.noun = noun
        self._unknown = unknown
        self._from_file = from_file
        self._from_object, self._own_text = from_object, own_text
        self._kept: WeakValueDictionary[str, Any] = WeakValueDictionary()
        self._infos: dict[str, Info] = {}
        for info in infos:
            self._add(info)

    def register(
        self,
        name: str,
        factory: str | Callable[..., T],
        parameters: Iterable[Parameter] = (),
        summary: str = "",
        source: str = "",
        formula: str = "",
    ) -> None:
        """Adds a name; raises `InvalidParameter` when it is taken or can't be written in a call."""
        self._add(Info(name, factory, tuple(parameters), summary, source, formula))

    def _add(self, info: Info) -> None:
        name = info.name
        if name in self._infos:
            raise InvalidParameter(f"a {self.noun} called {quote(name)} is already registered")
        if parse_call(name) != Call(name) or is_reference(name):
            raise InvalidParameter(f"{quote(name)} can't name a {self.noun}: write it without : = , ( )")
        self._infos[name] = info

    def names(self) -> tuple[str, ...]:
        """All names, in the order of registration."""
        return tuple(self._infos)

    def infos(self) -> tuple[Info, ...]:
        """Everything registered, in the order of registration."""
        return tuple(self._infos.values())

    def info(self, name: str) -> Info:
        """What is known about `name` (or about ``file.py:Name``); raises the registry's `UnknownName`."""
        found = self._infos.get(name)
        if found is not None:
            return found
        if _OBJECT.fullmatch(name):
            return Info(name, lambda _: self._recall(name))
        if self._from_file is not None and is_reference(name):
            path, _, item = name.rpartition(":")
            return self._from_file(path, item)
        raise self._unknown(name, self._infos)

    def keep(self, name: str, thing: T) -> str:
        """A text, ``<name>``, that means `thing` in this process for as long as `thing` lives."""
        base = " ".join(re.sub(r"[^\w .-]", " ", name).split()) or self.noun
        for number in itertools.count(1):
            text = f"<{base}>" if number == 1 else f"<{base} {number}>"
            if self._kept.setdefault(text, thing) is thing:
                return text
        raise AssertionError

    def kept(self, text: str) -> T | None:
        """The living object that ``<name>`` means."""
        return self._kept.get(text)

    def _recall(self, text: str) -> T:
        thing = self.kept(text)
        if thing is None:
            raise InvalidParameter(
                f"the {self.noun} {quote(text)} is an object of the process that made it: give a text, or "
                f"file.py:Name, which every process can load"
            )
        return thing

    def take(self, item: Any, given: Mapping[str, Any] | None = None) -> T:
        """The thing that `item` means, a text or an object; `given`: parameters by their Python names."""
        if isinstance(item, str):
            return self._make_with(item, given) if given else self.make(item)
        if given and not callable(item):
            raise InvalidParameter(
                f"parameters go with a name, a class or a function, not with {quote(item)}"
            )
        if self._from_object is None:
            raise InvalidParameter(f"{quote(item)} is no {self.noun}: give a text")
        return self._from_object(item, dict(given or {}))

    def text_of(self, thing: Any) -> str:
        """A text that means `thing` to `make` in this process: its own, or one that lasts as long as the thing."""
        own = self._own_text(thing)
        return self.keep(getattr(thing, "text", "") or type(thing).__name__, thing) if own is None else own

    def _make_with(self, name: str, given: Mapping[str, Any]) -> T:
        things = {
            keyword: within.take(given[keyword])
            for keyword, within in self._nested(name)
            if not isinstance(given.get(keyword, ""), str)
        }
        info, values = self.parse(self.spell(name, {**given, **things}))
        return self._call(info, values, things)

    def _nested(self, name: str) -> list[tuple[str, Registry[Any]]]:
        """The parameters of `name` that are calls themselves, and the registries of these."""
        parameters = self.info(name).parameters
        return [(each.keyword, load_attribute(each.registry)) for each in parameters if each.registry]

    def spell(self, name: str, given: Mapping[str, Any]) -> str:
        """The canonical text of `name` with parameters as Python values, by their Python names.

        A value that is itself a call may be an object. Raises InvalidParameter for an unknown name and for a value that
        the text form would refuse.
        """
        info = self.info(name)
        known = {parameter.keyword: parameter for parameter in info.parameters}
        nested = dict(self._nested(name))
        values: dict[str, object] = {}
        for keyword, value in given.items():
            parameter = known.get(keyword)
            if parameter is None:
                hint, its = did_you_mean(keyword, known), ", ".join(known) or "none"
                raise InvalidParameter(f"{name} has no parameter {quote(keyword)}{hint} (it has: {its})")
            if keyword in nested and value is not None:
                within = nested[keyword]
                text = value if isinstance(value, str) else within.text_of(within.take(value))
                value = within.canonical(text, nested=True)
            if value != parameter.default:
                values[parameter.name] = (
                    float(value) if type(value) is int and parameter.kind is float else value
                )
        text = str(write_call(name, values, info.parameters))
        understood = self.parse(text)[1]
        for key, value in values.items():
            if understood[key] != value or isinstance(value, str) != isinstance(understood[key], str):
                right = expectation(next(each for each in info.parameters if each.name == key))
                raise InvalidParameter(f"{key}={quote(value)} is not {right}")
        return self.canonical(text)

    def parse(self, text: str) -> tuple[Info, dict[str, Any]]:
        """Who is called in `text`, and the checked value of each of its parameters."""
        call = parse_call(text)
        info = self.info(call.name)
        values = read_parameters(call, info.parameters)
        given = dict(call.parameters)
        for parameter in info.parameters:
            if parameter.registry and parameter.name in given:
                within = load_attribute(parameter.registry)
                values[parameter.name] = within.canonical(given[parameter.name], nested=True)
        return info, values

    def calls(self, text: str) -> Iterator[tuple[Info, dict[str, Any]]]:
        """What `parse` gives for `text` and for every call in its parameters, however deep, given or by default."""
        info, values = self.parse(text)
        yield info, values
        for parameter in info.parameters:
            value = values[parameter.name]
            if parameter.registry and isinstance(value, str):
                yield from load_attribute(parameter.registry).calls(value)

    def names_object(self, text: str) -> bool:
        """Whether `text` names an object of a process, at whatever depth."""
        return "<" in text and any(_OBJECT.fullmatch(info.name) for info, _ in self.calls(text))

    def canonical(self, text: str, *, nested: bool = False) -> str:
        """The one canonical text of everything that means the same as `text`.

        `nested` gives ``name(key=value)``, the form for a value inside another call.
        """
        info, values = self.parse(text)
        if nested and info.alone:
            raise InvalidParameter(f"{quote(info.name)} can't be used inside another {self.noun}")
        call = write_call(info.name, values, info.parameters)
        return call.nested() if nested else str(call)

    def make(self, text: str) -> T:
        """The thing that `text` describes, from its factory."""
        return self._call(*self.parse(text))

    def _call(self, info: Info, values: dict[str, Any], objects: Mapping[str, Any] | None = None) -> T:
        factory = load_attribute(info.factory) if isinstance(info.factory, str) else info.factory
        arguments = {parameter.keyword: values[parameter.name] for parameter in info.parameters}
        made: T = factory(
            str(write_call(info.name, values, info.parameters)), **(arguments | dict(objects or {}))
        )
        return made


def load_attribute(reference: str) -> Any:
    """The object at ``"module:attribute"``, importing the module now."""
    module, _, attribute = reference.partition(":")
    return getattr(import_module(module), attribute)
