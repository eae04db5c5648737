"""``twofold players`` and ``twofold evals``: what there is, and one of them explained."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

from twofold.ui.cli.commands import options
from twofold.ui.cli.commands.options import argument
from twofold.ui.cli.output import print_json, print_text

if TYPE_CHECKING:
    from twofold.notation import Parameter
    from twofold.registry import Info

Name = Annotated[str | None, argument("[NAME]", "One name to explain, or file.py:Name.")]


def players(name: Name = None, json: options.Json = False, seed: options.UnusedSeed = None) -> None:
    """List the players: names, parameters, sources. With NAME, explain that one."""
    from contextlib import suppress

    from twofold.errors import TwofoldError
    from twofold.players.fingerprint import named_networks
    from twofold.players.registry import list_players, player_info

    _answer("players", name, list_players, player_info, json=json)
    if name is not None and not json:
        with suppress(TwofoldError):  # a player that needs parameters
            if networks := named_networks([name]):
                print_text(networks)


def evals(name: Name = None, json: options.Json = False, seed: options.UnusedSeed = None) -> None:
    """List the evaluations: formulas, parameters, sources. With NAME, explain that one."""
    from twofold.evaluation.registry import evaluation_info, list_evaluations

    _answer("evals", name, list_evaluations, evaluation_info, json=json)


def _answer(
    noun: str,
    name: str | None,
    list_all: Callable[[], tuple[Info, ...]],
    info: Callable[[str], Info],
    *,
    json: bool,
) -> None:
    if name is not None:
        found = info(name)
        if json:
            print_json(info_json(found))
        else:
            _explain(found)
    elif json:
        print_json({noun: [info_json(each) for each in list_all()]})
    else:
        infos = list_all()
        width = max(len(each.name) for each in infos)
        for each in infos:
            print_text(f"{each.name:<{width}}  {each.summary}")
            if each.parameters:
                print_text(" " * width + "  " + ", ".join(_short(parameter) for parameter in each.parameters))
        print_text(f"\n'twofold {noun} NAME' explains one; write NAME:key=value,key=value to set parameters.")


def info_json(info: Info) -> dict[str, Any]:
    """What is known about a name, as JSON."""
    return {
        "name": info.name,
        "summary": info.summary,
        "formula": info.formula,
        "source": info.source,
        "parameters": [_parameter_json(parameter) for parameter in info.parameters],
    }


def _parameter_json(parameter: Parameter) -> dict[str, Any]:
    return {
        "name": parameter.name,
        "kind": parameter.kind.__name__,
        "required": _is_required(parameter),
        "default": None if _is_required(parameter) else parameter.default,
        "help": parameter.help,
        "choices": list(parameter.choices),
        "minimum": parameter.minimum,
        "maximum": parameter.maximum,
    }


def _is_required(parameter: Parameter) -> bool:
    from twofold.notation import REQUIRED

    return parameter.default is REQUIRED


def _short(parameter: Parameter) -> str:
    if _is_required(parameter) or parameter.default is None:
        return f"{parameter.name}=…"
    return f"{parameter.name}={_value(parameter.default)}"


def _value(value: object) -> str:
    from twofold.notation import format_number

    if isinstance(value, bool):
        return str(int(value))
    return format_number(value) if isinstance(value, float) else str(value)


def _explain(info: Info) -> None:
    from twofold.notation import expectation

    _print_wrapped(f"{info.name}: {info.summary}" if info.summary else info.name, "")
    for title, text in (("formula", info.formula), ("source", info.source)):
        if text:
            _print_wrapped(f"{title}: {text}", "  ")
    print_text("parameters:" if info.parameters else "no parameters")
    for parameter in info.parameters:
        help = f"  {parameter.help}" if parameter.help else ""
        _print_wrapped(f"  {_short(parameter)}{help} ({expectation(parameter)})", "      ")


def _print_wrapped(text: str, indent: str) -> None:
    """Long lines broken at words where people read them, left whole for programs."""
    import shutil
    import sys
    import textwrap

    if sys.stdout.isatty():
        width = min(shutil.get_terminal_size().columns, 100)
        text = textwrap.fill(text, width, subsequent_indent=indent, break_long_words=False)
    print_text(text)
