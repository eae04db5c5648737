"""Options that several commands share, as annotated types, and the values that they stand for."""

from __future__ import annotations

from dataclasses import fields
from typing import Annotated, Any

import typer

from twofold.ui.cli.output import reserve_output

Json = Annotated[
    bool, typer.Option("--json", callback=reserve_output, help="Print one JSON object and nothing else.")
]
Seed = Annotated[
    int | None,
    typer.Option("--seed", help="Whole number that all chance comes from.", metavar="N", show_default=False),
]
UnusedSeed = Annotated[
    int | None,
    typer.Option(
        "--seed", help="Read as by all commands; changes nothing here.", metavar="N", show_default=False
    ),
]
Players = Annotated[
    list[str] | None,
    typer.Option(
        "--player",
        "-p",
        help="Player as name:key=value,key=value; give it again to compare several. See 'twofold players'.",
        metavar="TEXT",
        show_default=False,
    ),
]
PlayerText = Annotated[
    str | None,
    typer.Option(
        "--player",
        "-p",
        help="Player as name:key=value,key=value, or 'human'. See 'twofold players'.",
        metavar="TEXT",
        show_default=False,
    ),
]
Size = Annotated[str | None, typer.Option("--size", help="ROWSxCOLUMNS.", metavar="RxC", show_default="4x4")]
MapText = Annotated[
    str | None,
    typer.Option("--map", help="Start board with tiles and bricks, in any notation.", metavar="MAP"),
]
Shape = Annotated[
    str | None,
    typer.Option(
        "--shape", help="plus, ring, diamond, circle, triangle or h, made of bricks.", metavar="NAME"
    ),
]
Target = Annotated[
    int | None, typer.Option("--target", help="Tile that wins.", metavar="TILE", show_default="2048")
]
FourChance = Annotated[
    float | None,
    typer.Option("--p4", help="Probability of a 4, 0 to 1.", metavar="X", show_default="0.1", min=0, max=1),
]
Spawn = Annotated[
    str | None,
    typer.Option(
        "--spawn",
        help="Where tiles appear: random, a corner style like tl-rows or br-columns, evil:depth=2,eval=NAME, "
        "or script:cell@value,cell@value.",
        metavar="STYLE",
        show_default="random",
    ),
]
SpawnValue = Annotated[
    str | None, typer.Option("--spawn-value", help="2, 4 or random.", metavar="VALUE", show_default="random")
]
EmptyStart = Annotated[
    bool, typer.Option("--empty-start", help="No start tiles beyond the map's (one if there are none).")
]
VariantText = Annotated[
    str | None,
    typer.Option(
        "--variant",
        help="All the rules as one text, as in the JSON of 'play'.",
        metavar="TEXT",
        show_default=False,
    ),
]
Score = Annotated[
    int | None,
    typer.Option("--score", help="Points so far; default: as if only 2s had appeared.", metavar="N", min=0),
]

# Of the commands that train networks

Decay = Annotated[
    float,
    typer.Option(
        "--decay", help="Share of the run, at its end, in which the rate falls to a hundredth.", metavar="X"
    ),
]
NetworkOut = Annotated[
    str | None,
    typer.Option(
        "--out",
        help="File for checkpoints and the result; the curve goes beside it as .csv.",
        metavar="FILE",
        show_default="the file of --resume, or one called after the kind of network",
    ),
]
Resume = Annotated[
    str | None,
    typer.Option("--resume", help="Go on with the network in this file.", metavar="FILE", show_default=False),
]
Checkpoint = Annotated[float, typer.Option("--checkpoint", help="Seconds between checkpoints.", metavar="X")]
CurvePicture = Annotated[
    str | None,
    typer.Option(
        "--picture", help="Draw the curve into this .png or .svg.", metavar="FILE", show_default=False
    ),
]


def given(kind: type, options: dict[str, Any]) -> dict[str, Any]:
    """Those of a command's options that are fields of the dataclass `kind`, None left out: what it is made from."""
    names = {field.name for field in fields(kind)}
    return {name: value for name, value in options.items() if name in names and value is not None}


def checked_seed(seed: int | None) -> int:
    """`seed`, or 0 if none is given. Raises `InvalidParameter` outside 0 to 2^64−1."""
    from twofold.rules.random import checked_word

    return 0 if seed is None else checked_word("seed", seed)
