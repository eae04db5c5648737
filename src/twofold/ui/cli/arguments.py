"""How typer is told of our commands: numbers that are read as everywhere in twofold, flags without a type.

typer's own reading of a number refuses it without quoting it, and accepts what no other place of twofold does. So
every option of kind int or float gets a parser here, made from its own limits: no command can forget it.
"""

from __future__ import annotations

import copy
import inspect
import re
from collections.abc import Callable
from typing import Annotated, Any, get_args, get_origin

import typer
from typer.core import TyperCommand, TyperGroup

from twofold.errors import InvalidParameter
from twofold.files import check_apart
from twofold.notation import Parameter, read_value


def prepared(function: Callable[..., Any]) -> inspect.Signature:
    """The signature of a command with the parsers of its numbers, for typer to read."""
    signature = inspect.signature(function, eval_str=True)
    return signature.replace(
        parameters=[p.replace(annotation=_annotation(p)) for p in signature.parameters.values()]
    )


def _annotation(parameter: inspect.Parameter) -> Any:
    if get_origin(parameter.annotation) is not Annotated:
        return parameter.annotation
    kind, told = get_args(parameter.annotation)[:2]
    plain = next((one for one in (bool, int, float) if kind == one or kind == one | None), None)
    if plain is None:
        return parameter.annotation
    told = copy.copy(told)
    if plain is bool:
        told.metavar = ""  # typer would write <bool> after a flag, which takes no value
    else:
        names = [name for name in (told.default, *(told.param_decls or ())) if isinstance(name, str)]
        name = next((name for name in names if name.startswith("--")), parameter.name)
        told.parser = number_parser(Parameter(name, plain, minimum=told.min, maximum=told.max))
        told.min = told.max = None
    return Annotated[kind, told]


def number_parser(parameter: Parameter) -> Callable[[Any], Any]:
    """Reads an option's text as the number it stands for; raises `InvalidParameter` that quotes it."""

    def parse(given: Any) -> Any:
        # typer also asks about defaults, which are numbers already.
        return read_value(given, parameter) if isinstance(given, str) else given

    return parse


_WRITTEN = ("html", "markdown", "out", "picture", "plots", "record", "save", "target", "work")
"""The parameters that name what is written; some are of another kind in some commands, which does no harm."""


def check_texts(signature: inspect.Signature, chosen: dict[str, Any]) -> None:
    """Refuses an option that is empty, and a command that would write a file that it reads, or one file twice.

    A file that is read may be within a text, as in `ntuple:file=NAME`, `NAME.py:Player` and `sqlite:///NAME`. What
    --resume goes on with may be written by --out. Raises InvalidParameter and InvalidFile.
    """
    written, read = [], []
    for name, value in chosen.items():
        told = next(iter(get_args(signature.parameters[name].annotation)[1:]), None)
        if told is None:
            continue
        what = next(
            (text for text in (told.default, *(told.param_decls or ())) if str(text).startswith("--")), None
        )
        what = what or told.metavar or name
        for text in value if isinstance(value, list) else [value]:
            if text == "" and str(what).startswith("--"):
                raise InvalidParameter(f"{what} is empty: give it a value, or leave it out")
            if not isinstance(text, str) or told.metavar == "NAME":
                continue
            if name in _WRITTEN:
                written.append((what, text))
            else:
                read += [(what, part) for part in {text, *_PARTS.split(text)} if part]
    for each in written:
        check_apart([each], [other for other in read if (each[0], other[0]) != ("--out", "--resume")])
    check_apart(written)


_PARTS = re.compile(r"sqlite:///|[:=,()]")


class Command(TyperCommand):
    """A command whose --help has no type."""

    def get_help_option(self, ctx: Any) -> Any:
        """The option --help."""
        return _bare(super().get_help_option(ctx))


class Group(TyperGroup):
    """A group of commands whose --help has no type."""

    def get_help_option(self, ctx: Any) -> Any:
        """The option --help."""
        return _bare(super().get_help_option(ctx))


def _bare(option: Any) -> Any:
    if option is not None:
        option.metavar = ""
    return option


def make_group(help: str) -> typer.Typer:
    """A group of commands that prints its help when none is named."""
    return typer.Typer(help=help, cls=Group, no_args_is_help=True)
