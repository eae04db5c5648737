"""Writes what is made at every build: the reference pages, from the package itself, and the tutorials as notebooks.

`conf.py` calls it; nothing of it is kept in the repository.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import twofold
from twofold.evaluation.registry import list_evaluations
from twofold.notation import REQUIRED, format_number
from twofold.registry import Info


def write_reference(folder: Path) -> None:
    """Write `cli.md`, `players.md` and `evaluations.md` into a folder, where their text has changed."""
    formulas = tomllib.loads((Path(__file__).parent / "formulas.toml").read_text("utf-8"))
    players = _registered("Players", _PLAYERS, twofold.list_players(), formulas["players"])
    evaluations = _registered("Evaluations", _EVALUATIONS, list_evaluations(), formulas["evaluations"])
    pages = {"cli.md": _commands(), "players.md": players, "evaluations.md": evaluations}
    for name, text in pages.items():
        path = folder / name
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")


def write_notebooks(tutorials: Path, folder: Path) -> None:
    """Write each tutorial as `NAME.ipynb` into a folder, not run, for a student to open."""
    import nbformat
    from myst_nb.core.read import read_myst_markdown_notebook

    folder.mkdir(parents=True, exist_ok=True)
    for page in tutorials.glob("*.md"):
        notebook = read_myst_markdown_notebook(page.read_text("utf-8"))
        for number, cell in enumerate(notebook.cells):
            cell.setdefault("id", f"cell-{number}")
            if cell.cell_type == "markdown":  # links within the site lead nowhere from a notebook
                cell.source = re.sub(r"\[([^]]+)\]\((?!https?:)[^)]+\)", r"\1", cell.source)
        nbformat.write(notebook, folder / f"{page.stem}.ipynb", version=4)


_PLAYERS = """\
A player is written as `name:key=value,key=value`. `twofold players` lists them in a terminal, `twofold players NAME`
explains one. Everything that takes a player also takes `file.py:Name`, a player of your own.
"""
_EVALUATIONS = """\
An evaluation gives a board its value at the leaves of a search: `expectimax:depth=3,eval=snake`, and with parameters
`expectimax:depth=3,eval=snake(ratio=3)`. `twofold evals` lists them in a terminal. Everything that takes an evaluation
also takes `file.py:name`, a function of your own.
"""


def _registered(title: str, lead: str, infos: Iterable[Info], formulas: dict[str, dict[str, str]]) -> str:
    parts = [f"# {title}\n\n{lead}"]
    for info in infos:
        parts.append(f"## `{info.name}`\n\n{_sentence(info.summary)}\n")
        if info.name in formulas:
            typeset = formulas[info.name]
            parts += [f"$$\n{line}\n$$\n" for line in typeset["tex"].strip().split("\n")]
            parts.append(f"{typeset['where'].strip()}\n")
        elif info.formula:
            parts.append(f"```text\n{info.formula}\n```\n")
        if info.source:
            linked = re.sub(r"docs/([\w/-]+\.md)", r"[\1](../\1)", info.source)
            parts.append(f"Source: {linked}.\n")
        if info.parameters:
            rows = "".join(_parameter_row(parameter) for parameter in info.parameters)
            parts.append(f"| parameter | default | meaning |\n|---|---|---|\n{rows}")
    return "\n".join(parts)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."


def _parameter_row(parameter: Any) -> str:
    choices = f" ({', '.join(map(str, parameter.choices))})" if parameter.choices else ""
    bounds = [f"from {parameter.minimum:,.15g}" if parameter.minimum is not None else ""]
    bounds += [f"to {parameter.maximum:,.15g}" if parameter.maximum is not None else ""]
    span = " ".join(filter(None, bounds))
    meaning = f"{parameter.help}{choices}{f'; {span}' if span else ''}".replace("|", "\\|")
    default = (
        "required"
        if parameter.default is REQUIRED
        else ""
        if parameter.default in (None, "")
        else f"`{format_number(parameter.default)}`"
        if isinstance(parameter.default, float)
        else f"`{parameter.default}`"
    )
    return f"| `{parameter.name}` | {default} | {meaning} |\n"


def _commands() -> str:
    """Every command with its arguments and options, from the commands themselves."""
    import typer.main

    from twofold.ui.cli.app import app

    root = typer.main.get_command(app)
    lead = "`twofold COMMAND --help` says the same in a terminal.\n"
    return "\n".join(["# Command line\n", lead, *_command_parts(root, "twofold")])


def _command_parts(command: Any, name: str) -> list[str]:
    parts = []
    subcommands = getattr(command, "commands", {})
    if name != "twofold":
        parts.append(f"## `{name}`\n")
    if command.help:
        parts.append(_paragraphs(command.help))
    if not subcommands:
        rows = "".join(
            _option_row(option) for option in command.params if not getattr(option, "hidden", False)
        )
        parts.append(f"| argument or option | meaning |\n|---|---|\n{rows}" if rows else "")
    for each in subcommands.values():
        parts += _command_parts(each, f"{name} {each.name}")
    return parts


def _paragraphs(text: str) -> str:
    import inspect

    return inspect.cleandoc(text).replace("\b", "").replace("<", "\\<") + "\n"


def _option_row(option: Any) -> str:
    is_argument = option.param_type_name == "argument"
    names = [option.metavar or option.name.upper()] if is_argument else [*option.opts, *option.secondary_opts]
    metavar = "" if is_argument or option.is_flag or not option.metavar else f" {option.metavar}"
    label = ", ".join(f"`{name}{metavar}`" for name in names).replace("|", "\\|")
    default = getattr(option, "show_default", None)
    told = f" Default: {default}." if isinstance(default, str) else ""
    if (
        not told
        and option.default not in (None, False, ())
        and not callable(option.default)
        and not is_argument
    ):
        told = f" Default: {option.default}."
    meaning = (
        f"{getattr(option, 'help', None) or ''}{told}".replace("|", "\\|")
        .replace("<", "\\<")
        .replace("\n", " ")
    )
    return f"| {label} | {meaning} |\n"
