"""Options that several commands share, as annotated types, and the values that they stand for."""

from __future__ import annotations

from dataclasses import fields
from typing import Annotated, Any

import typer

from twofold.ui.cli.output import reserve_output


def option(names: str, metavar: str, help: str, shown: str | bool = True, **limits: Any) -> Any:
    """An option with a value, for typer: names with spaces between; shown: its default in words, False for none."""
    return typer.Option(*names.split(), metavar=metavar, help=help, show_default=shown, **limits)


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
SpawnValue = Annotated[str | None, option("--spawn-value", "VALUE", "2, 4 or random.", "random")]
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

# Of the commands that train networks

Decay = Annotated[
    float, option("--decay", "X", "Last part of the run, as a fraction, in which the rate falls to 1/100.")
]
NetworkOut = Annotated[
    str | None,
    option(
        "--out",
        "FILE",
        "File for checkpoints and the result; the learning curve is stored next to it as .csv.",
        "the file of --resume, or one named after the kind of network",
    ),
]
Resume = Annotated[
    str | None, option("--resume", "FILE", "Continue training the network in this file.", False)
]
Checkpoint = Annotated[float, option("--checkpoint", "X", "Seconds between checkpoints.")]
CurvePicture = Annotated[
    str | None, option("--picture", "FILE", "Draw the learning curve to this .png or .svg file.", False)
]


def given(kind: type, options: dict[str, Any]) -> dict[str, Any]:
    """Those of a command's options that are fields of the dataclass `kind`, None left out: what it is made from."""
    names = {field.name for field in fields(kind)}
    return {name: value for name, value in options.items() if name in names and value is not None}


def checked_seed(seed: int | None) -> int:
    """`seed`, or 0 if none is given. Raises `InvalidParameter` outside 0 to 2^64−1."""
    from twofold.rules.random import checked_word

    return 0 if seed is None else checked_word("seed", seed)
