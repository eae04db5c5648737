"""Paintings as files: the game as a moving picture or a record, its last board as a picture."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from twofold.art.animate import write_gif
from twofold.art.painter.painting import Painting
from twofold.errors import InvalidFile, quote
from twofold.files import begins, check_target, replacing, write_file

ENDINGS = (".gif", ".svg", ".png", ".json")

_PNG_PIXELS = 480
"""The longer side of a PNG picture, about: cells have a whole number of pixels."""


def painting_json(painting: Painting, seed: int = 0) -> dict[str, Any]:
    """A painting for JSON: with `variant`, `seed` and `moves` any game of twofold plays it again."""
    variant = painting.variant
    return {
        "picture": str(painting.picture),
        "rows": painting.picture.rows,
        "columns": painting.picture.columns,
        "palette": [list(colour) for colour in painting.picture.palette],
        "method": painting.method,
        "seed": seed,
        "colours": [[1 << rank for rank in ranks] for ranks in painting.colours],
        "value_colours": {str(value): colour for value, colour in painting.value_colours.items()},
        "start": str(painting.start),
        "board": str(painting.replay()),
        "moves": painting.moves,
        "spawns": [[step.cell, 1 << step.rank] for step in painting.steps],
        "variant": None if variant is None else str(variant),
        "note": painting.note,
    }


def check_painting_file(path: str) -> None:
    """Refuses, before the work, a file that `save_painting` can't write. Raises InvalidFile."""
    if Path(path).suffix.lower() not in ENDINGS:
        raise InvalidFile(f"can't tell what to write from {quote(path)}; end it in .gif, .svg, .png or .json")
    if Path(path).suffix.lower() == ".json":
        check_target(path, "a painting", begins(b'{"picture"'))
    else:
        check_target(path)


def save_painting(painting: Painting, path: str) -> None:
    """The game as .gif or .json, the last board as .svg with its tiles or .png without. Raises InvalidFile."""
    check_painting_file(path)
    painting.replay()  # proves it
    ending = Path(path).suffix.lower()
    if ending == ".gif":
        write_gif(painting.frames(), path)
    elif ending == ".svg":
        write_file(path, painting.to_svg())
    elif ending == ".png":
        image = painting.picture.to_image(max(1, _PNG_PIXELS // max(painting.picture.size)))
        with replacing(path) as stream:
            image.save(stream, "PNG")
    else:
        write_file(path, json.dumps(painting_json(painting)) + "\n")
