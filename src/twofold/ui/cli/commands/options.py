"""Options that several commands share, as annotated types, and the values that they stand for."""

from __future__ import annotations

import functools
import inspect
import keyword
import re
from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from twofold.notation import Parameter, read_value
from twofold.ui.cli.output import reserve_output

if TYPE_CHECKING:
    from twofold.ui.shared.rules_form import Rules as Rules
else:
    Rules = Any

Command = TypeVar("Command", bound=Callable[..., None])


def option(names: str, metavar: str, help: str, shown: str | bool = True, **limits: Any) -> Any:
    """An option with a value, for typer: names with spaces between; shown: its default in words, False for none."""
    return typer.Option(*names.split(), metavar=metavar, help=help, show_default=shown, **limits)


def argument(metavar: str, help: str, shown: bool = False) -> Any:
    """A value that is told by its place, for typer; shown: whether its default is."""
    return typer.Argument(metavar=metavar, help=help, show_default=shown)


def flag(names: str, help: str, **more: Any) -> Any:
    """An option without a value, for typer."""
    return typer.Option(*names.split(), help=help, **more)


Json = Annotated[bool, flag("--json", "Print only one JSON object.", callback=reserve_output)]
Seed = Annotated[int | None, option("--seed", "N", "Seed for all random choices, a whole number.", False)]
UnusedSeed = Annotated[
    int | None, option("--seed", "N", "Accepted by every command; has no effect here.", False)
]
Players = Annotated[
    list[str] | None,
    option(
        "--player -p",
        "TEXT",
        "Player as name:key=value,key=value; repeat it to compare several. See 'twofold players'.",
        False,
    ),
]
PlayerText = Annotated[
    str | None,
    option(
        "--player -p", "TEXT", "Player as name:key=value,key=value, or 'human'. See 'twofold players'.", False
    ),
]
Size = Annotated[str | None, option("--size", "RxC", "ROWSxCOLUMNS.", "4x4")]
Boards = Annotated[
    str | None, argument("[BOARD]", "A board in any notation; a file of boards, or - for input.")
]
Exponents = Annotated[bool, flag("--exponents", "Read numbers as exponents: 1 is a 2, 11 is a 2048.")]
MapText = Annotated[str | None, option("--map", "MAP", "Start board with tiles and bricks, in any notation.")]
Shape = Annotated[
    str | None, option("--shape", "NAME", "plus, ring, diamond, circle, triangle or h, made of bricks.")
]
Target = Annotated[int | None, option("--target", "TILE", "Tile that wins the game.", "2048")]
FourChance = Annotated[float | None, option("--p4", "X", "Probability of a 4, 0 to 1.", "0.1", min=0, max=1)]
Spawn = Annotated[
    str | None,
    option(
        "--spawn",
        "STYLE",
        "Where new tiles appear: random, a corner style such as tl-rows or br-columns, evil:depth=2,eval=NAME, "
        "or script:cell@value,cell@value.",
        "random",
    ),
]
SpawnValues = Annotated[
    str | None,
    option(
        "--spawn-values",
        "LIST",
        "New tiles with their probabilities, which add up to 1: 2:0.8,4:0.15,8:0.05. For 2s and 4s use --p4.",
        "2:0.9,4:0.1",
    ),
]
SpawnValue = Annotated[
    str | None, option("--spawn-value", "VALUE", "Always 2, always 4, or random, as --p4 says.", "random")
]
EmptyStart = Annotated[
    bool, flag("--empty-start", "Start with only the map's tiles (one random tile if it has none).")
]
VariantText = Annotated[
    str | None,
    option("--variant", "TEXT", "All the rules as one text, as in the JSON output of 'play'.", False),
]
Score = Annotated[
    int | None, option("--score", "N", "Score so far; default: as if only 2s had appeared.", min=0)
]

_SHARED: dict[str, Any] = {
    "rules": Rules,  # where `rules` puts its options
    "size": Size,
    "map": MapText,
    "shape": Shape,
    "target": Target,
    "p4": FourChance,
    "spawn": Spawn,
    "spawn_value": SpawnValue,
    "spawn_values": SpawnValues,
    "empty_start": EmptyStart,
    "variant": VariantText,
    "seed": Seed,
    "unused_seed": UnusedSeed,
    "json": Json,
}
"""What a table may name without saying more."""

_RULES = "size map shape target p4 spawn spawn_value spawn_values empty_start variant"


def table(rows: str) -> Callable[[Command], Command]:
    """Gives a command that takes keywords its options, by a table of them, one a line, two or more spaces between.

    The columns: the names, and `=default`; the kind, with bounds (`int 1..`, `float 0..1`) if there are any, and what
    its value is called; the help, behind it in brackets the default in words. Kinds: text, texts for an option that can
    be repeated, int, float, flag (`=1`: on by default; `=`: neither). A line of names alone is of options that others
    have too. A parameter of the command that isn't in the table, an argument, comes first.
    """
    parameters = [each for row in rows.strip().splitlines() for each in _of_row(row.strip())]

    def add(command: Command) -> Command:
        own = inspect.signature(command, eval_str=True).parameters.values()
        first = [each for each in own if each.kind is each.POSITIONAL_OR_KEYWORD]
        command.__signature__ = inspect.Signature([*first, *parameters])  # type: ignore[attr-defined]
        return command

    return add


def rules(names: str = _RULES) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Gives a command the options that say which game is played, and it the `Rules` made of them as `rules`."""
    options = list(_of_row(names))

    def add(command: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(command)
        def with_rules(**chosen: Any) -> None:
            from twofold.ui.shared.rules_form import Rules

            command(rules=Rules(**{each.name: chosen.pop(each.name) for each in options}), **chosen)

        parameters = list(inspect.signature(command, eval_str=True).parameters.values())
        i = [each.name for each in parameters].index("rules")
        with_rules.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [*parameters[:i], *options, *parameters[i + 1 :]]
        )
        return with_rules

    return add


def _of_row(row: str) -> Iterator[inspect.Parameter]:
    if not row.startswith("-"):
        for name in row.split():
            kind = _SHARED[name]
            yield _parameter(
                name.removeprefix("unused_"), kind, False if kind in (Json, EmptyStart) else None
            )
        return
    names, told, help = re.split(r"\s{2,}", row, maxsplit=2)
    names, given, text = names.partition("=")
    word, *bounds, metavar = told.split() if " " in told else (told, "")
    kind = {"int": int, "float": float, "flag": bool}.get(word, str)
    default = (
        read_value(text, Parameter(names, kind)) if text else False if word == "flag" and not given else None
    )
    help, _, shown = " ".join(help.split()).removesuffix("]").partition(" [")
    limits: dict[str, Any] = {}
    for bound in bounds:
        low, _, high = bound.partition("..")
        limits = {"min": kind(low) if low else None, "max": kind(high) if high else None}
    if word == "flag":
        made = flag(names, help, show_default=shown or True)
    else:
        made = option(names, metavar, help, shown or default is not None, **limits)
    name = names.split()[0].partition("/")[0].strip("-").replace("-", "_")
    of = list[str] if word == "texts" else kind
    yield _parameter(name, Annotated[of if default is not None else of | None, made], default)


def _parameter(name: str, kind: Any, default: object) -> inspect.Parameter:
    name = f"{name}_" if keyword.iskeyword(name) else name
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)


def given(kind: type, options: dict[str, Any]) -> dict[str, Any]:
    """Those of a command's options that are fields of the dataclass `kind`, None left out: what it is made from."""
    names = {field.name for field in fields(kind)}
    return {name: value for name, value in options.items() if name in names and value is not None}


def checked_seed(seed: int | None) -> int:
    """`seed`, or 0 if none is given. Raises `InvalidParameter` outside 0 to 2^64−1."""
    from twofold.rules.random import checked_word

    return 0 if seed is None else checked_word("seed", seed)
