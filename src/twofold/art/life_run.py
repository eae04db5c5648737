"""A run of Life as it is asked for in words: its first generation, and what it came to as JSON and in files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from twofold.art.animate import write_gif
from twofold.art.life import MOST_SIDE, Life, Rule, fate, soup
from twofold.art.life_paint import Generation, gif_frames
from twofold.art.life_patterns import Pattern, named, parse_pattern, read_pattern, to_plain, to_rle
from twofold.errors import InvalidFile, quote
from twofold.files import begins, check_target, write_file
from twofold.rules.cells import MAX_SIDE

ENDINGS = (".gif", ".json", ".rle", ".cells")
"""Of the files that a run can be written to."""

_PATTERN_FILES = (".rle", ".cells", ".lif", ".life", ".txt")  # what is one though it may not be there
_MARGIN = 5  # dead cells round a pattern if no size is given


def find_pattern(text: str) -> Pattern:
    """The pattern that is meant by a name, the name of a file, or drawn cells. Raises a TwofoldError."""
    if "|" in text or "\n" in text or text.rstrip().endswith("!") or not set(text) - set(".#oO*"):
        return parse_pattern(text)
    try:
        is_file = Path(text).is_file() or "/" in text or text.lower().endswith(_PATTERN_FILES)
    except (OSError, ValueError):  # too long, or a NUL in it: no name of a file
        is_file = False
    if is_file:
        return read_pattern(text)
    return parse_pattern(text) if set(text) <= set("0123456789boxyz$") else named(text)


def first_generation(
    pattern: str | Pattern,
    size: tuple[int, int] | None = None,
    *,
    wrap: bool | None = None,
    at: tuple[int, int] | None = None,
    rule: Rule | None = None,
    density: float = 0.35,
    seed: int = 0,
) -> Life:
    """The pattern on a board; `random` is a soup of the given density.

    size: rows and columns, wrap: a torus; None for what the pattern says, else for room around it, bounded. at: see
    `Pattern.place`. Raises a TwofoldError that says what doesn't fit.
    """
    if isinstance(pattern, str) and pattern.strip().lower() == "random":
        rows, columns = size or (16, 16)
        start = soup(rows, columns, density, seed, wrap=bool(wrap))
    else:
        found = find_pattern(pattern) if isinstance(pattern, str) else pattern
        if found.board is not None:
            size = size or found.board[:2]
            wrap = found.board[2] if wrap is None else wrap
        rows, columns = size or (_room(found.rows), _room(found.columns))
        start = found.place(rows, columns, wrap=bool(wrap), at=at)
    return start if rule is None else replace(start, rule=rule)


def _room(cells: int) -> int:
    """The side of a board for a pattern: with a margin as long as the board can be painted."""
    return min(MAX_SIDE if cells <= MAX_SIDE else MOST_SIDE, cells + 2 * _MARGIN)


def check_run_file(path: str) -> None:
    """Refuses, before the work, a file that `write_run` can't write. Raises InvalidFile."""
    if not path.lower().endswith(ENDINGS):
        raise InvalidFile(f"can't tell what to write from {quote(path)}; end it in {', '.join(ENDINGS)}")
    heads = {".json": (b'{"pattern"',), ".rle": (b"#", b"x"), ".cells": (b"!", b".", b"O")}
    ending = Path(path).suffix.lower()
    if ending in heads:
        check_target(path, f"a pattern or a run as {ending}", begins(*heads[ending]))
    else:
        check_target(path)


def write_run(
    path: str, run: Sequence[Generation], name: str, *, speed: float = 5.0, moves: bool = False
) -> None:
    """The run as .gif or .json, or its last generation as .rle or .cells. Raises InvalidFile.

    name: of the pattern; speed: generations a second, moves: every move of every painting, in a GIF.
    """
    ending = path.lower().rpartition(".")[2]
    if ending == "gif":
        frames = gif_frames(run, moves=moves)
        write_gif(frames, path, frame_seconds=1 / (speed * (10 if moves else 1)), last_seconds=1.0)
    elif ending == "json":
        write_file(path, json.dumps(run_json(run, name)) + "\n")
    else:
        said = f"{name[:60]}, generation {run[-1].number}"
        write_file(path, (to_rle if ending == "rle" else to_plain)(run[-1].life, said))


def run_json(run: Sequence[Generation], name: str) -> dict[str, Any]:
    """The run for JSON: cells as rows of # and ., boards and games so that they can be played again."""
    first = run[0].life
    end = fate(first, run[-1].number)
    return {
        "pattern": name,
        "rows": first.rows,
        "columns": first.columns,
        "wrap": first.wrap,
        "rule": str(first.rule),
        "fate": None if end is None else {"begin": end.begin, "period": end.period, "extinct": end.extinct},
        "painted": sum(generation.painting is not None for generation in run),
        "total_moves": sum(generation.moves for generation in run),
        "generations": [_generation_json(generation) for generation in run],
    }


def _generation_json(generation: Generation) -> dict[str, Any]:
    life, painting = generation.life, generation.painting
    found: dict[str, Any] = {"number": generation.number, "alive": life.alive, "cells": str(life)}
    if painting is not None:
        variant = None if painting.variant is None else str(painting.variant)
        found |= {"board": str(generation.board), "moves": painting.moves, "variant": variant}
    elif generation.reason:
        found["reason"] = generation.reason
    return found
