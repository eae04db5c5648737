"""Named things with parameters: the boring registry behind players and evaluations.

The grammar of ``name:key=value,key=value`` is that of `twofold.notation`; this module keeps who is who. The
*canonical text* of a call has its parameters in the order of registration and leaves out those at their default, so
two texts that mean the same thing have one canonical text, and it can serve as a key in a store.

Registering imports nothing: a factory may be given as ``"module:attribute"`` and is imported when a thing is made,
so that listing what there is costs no compiled module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Generic, TypeVar

from twofold.errors import InvalidParameter, UnknownName, quote
from twofold.notation import Call, Parameter, is_reference, parse_call, read_parameters, write_call

T = TypeVar("T")


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


class Registry(Generic[T]):
    """A dict from names to `Info`, with the call grammar on top. No duplicates, errors that list the names."""

    def __init__(
        self,
        noun: str,
        unknown: type[UnknownName],
        infos: Iterable[Info] = (),
        *,
        from_file: Callable[[str, str], Info] | None = None,
    ) -> None:
        """A registry of things called `noun`, first those of `infos`; raises `unknown` for a name it doesn't have.

        `from_file(path, name)` makes the `Info` of an object in a user's file, so that ``file.py:Name`` works.
        """
        self.noun = noun
        self._unknown = unknown
        self._from_file = from_file
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
            raise InvalidParameter(f"a {self.noun} called {quote(name)} is registered already")
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
        if self._from_file is not None and is_reference(name):
            path, _, item = name.rpartition(":")
            return self._from_file(path, item)
        raise self._unknown(name, self._infos)

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

    def canonical(self, text: str, *, nested: bool = False) -> str:
        """The one canonical text of everything that means the same as `text`.

        `nested` gives ``name(key=value)``, the form for a value inside another call.
        """
        info, values = self.parse(text)
        call = write_call(info.name, values, info.parameters)
        return call.nested() if nested else str(call)

    def make(self, text: str) -> T:
        """The thing that `text` describes, from its factory."""
        info, values = self.parse(text)
        factory = load_attribute(info.factory) if isinstance(info.factory, str) else info.factory
        made: T = factory(str(write_call(info.name, values, info.parameters)), **values)
        return made


def load_attribute(reference: str) -> Any:
    """The object at ``"module:attribute"``, importing the module now."""
    module, _, attribute = reference.partition(":")
    return getattr(import_module(module), attribute)


__all__ = ["Info", "Parameter", "Registry", "load_attribute"]
