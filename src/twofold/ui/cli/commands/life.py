"""``twofold life``: Conway's Game of Life, each generation painted by legal play of 2048."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any

import typer

from twofold.ui.cli.commands import options
from twofold.ui.cli.output import check_folder, is_live_terminal, make_console, print_json, print_text

if TYPE_CHECKING:
    from twofold.art.life import Life
    from twofold.art.life_paint import Generation
    from twofold.art.life_patterns import Pattern

_ENDINGS = (".gif", ".json", ".rle", ".cells")
_MARGIN = 5  # dead cells round a pattern if no size is given
_SHOWN_CELLS = 100  # of the last board as text
_SHOWN_GENERATIONS = 1000  # of a live run that is given no number


PatternText = Annotated[
    str,
    typer.Option(
        "--pattern",
        "-p",
        help="A name (see --list), a file (RLE or plain text), cells such as '.#.|..#|###', or random.",
        metavar="PATTERN",
    ),
]
Size = Annotated[
    str | None,
    typer.Option("--size", help="N or ROWSxCOLUMNS.", metavar="SIZE", show_default="room for the pattern"),
]
Wrap = Annotated[
    bool | None,
    typer.Option("--wrap/--bounded", help="A torus, or dead cells all round.", show_default="bounded"),
]
Generations = Annotated[
    int | None, typer.Option("--generations", "-g", help="How many to run.", metavar="N", show_default="32")
]
At = Annotated[
    str | None,
    typer.Option(
        "--at", help="ROW,COLUMN of the pattern's top left cell.", metavar="R,C", show_default="middle"
    ),
]
Rule = Annotated[
    str | None,
    typer.Option("--rule", help="Another rule, as B36/S23.", metavar="RULE", show_default="B3/S23"),
]
Density = Annotated[
    float, typer.Option("--density", help="Live share of a random pattern.", metavar="X", min=0, max=1)
]
Painted = Annotated[bool, typer.Option("--paint/--no-paint", help="Paint each generation by legal play.")]
Out = Annotated[
    list[str] | None,
    typer.Option(
        "--out",
        help="Write the run (.gif, .json) or its last generation (.rle, .cells); may be given again.",
        metavar="PATH",
        show_default=False,
    ),
]
Moves = Annotated[bool, typer.Option("--moves", help="Show every move of every painting in the GIF.")]
Speed = Annotated[
    float, typer.Option("--speed", help="Generations a second, on the screen and in a GIF.", metavar="X")
]
List = Annotated[bool, typer.Option("--list", help="The patterns that have names.")]


def life(
    pattern: PatternText = "glider",
    size: Size = None,
    wrap: Wrap = None,
    generations: Generations = None,
    at: At = None,
    rule: Rule = None,
    density: Density = 0.35,
    painted: Painted = True,
    out: Out = None,
    moves: Moves = False,
    speed: Speed = 5.0,
    list_: List = False,
    seed: options.Seed = None,
    json: options.Json = False,
) -> None:
    """Conway's Game of Life on a 2048 board: every generation is a game that ends in it.

    On a terminal it is shown live: space pauses, n makes one step, + and - change the speed, q quits.
    """
    if list_:
        _list(json=json)
        return
    start = _start(pattern, size, wrap, at, rule, density, options.checked_seed(seed))
    _check(out, speed)
    live = is_live_terminal() and not json and not out
    count = generations if generations is not None else _SHOWN_GENERATIONS if live else 32
    if live:
        _tell(_run_live(start, count, painted, speed, pattern), pattern)
        return
    run, is_whole = _run(start, count, painted)
    for path in out or []:
        _write(path, run, pattern, speed, moves=moves)
    if not is_whole:  # what was done is written; the rest as with any Ctrl-C
        raise KeyboardInterrupt
    if json:
        print_json(_answer(run, pattern) | {"written": list(out or [])})
    else:
        _tell(run, pattern)
        for path in out or []:
            print_text(f"wrote {path}")


def _start(
    pattern: str,
    size: str | None,
    wrap: bool | None,
    at: str | None,
    rule: str | None,
    density: float,
    seed: int,
) -> Life:
    """Generation 0. Raises a TwofoldError that says what does not fit."""
    from dataclasses import replace

    from twofold.art.life import Rule, soup

    wanted = _parse_size(size) if size is not None else None
    chosen = Rule.parse(rule) if rule is not None else None
    place = _parse_place(at) if at is not None else None
    if pattern.strip().lower() == "random":
        rows, columns = wanted or (16, 16)
        start = soup(rows, columns, density, seed, wrap=bool(wrap))
        return start if chosen is None else replace(start, rule=chosen)
    found: Pattern = _find_pattern(pattern)
    if found.board is not None:
        wanted = wanted or found.board[:2]
        wrap = found.board[2] if wrap is None else wrap
    rows, columns = wanted or (
        _room(found.rows),
        _room(found.columns),
    )
    start = found.place(rows, columns, wrap=bool(wrap), at=place)
    return start if chosen is None else replace(start, rule=chosen)


def _room(cells: int) -> int:
    """The side of a board for a pattern: with a margin as long as the board can be painted."""
    from twofold.art.life import MOST_SIDE
    from twofold.rules.cells import MAX_SIDE

    return min(MAX_SIDE if cells <= MAX_SIDE else MOST_SIDE, cells + 2 * _MARGIN)


def _find_pattern(text: str) -> Pattern:
    """A name, a file, `-` for standard input, or drawn cells."""
    import sys
    from pathlib import Path

    from twofold.art.life_patterns import MAX_TEXT, named, parse_pattern, read_pattern

    if text == "-":
        return parse_pattern(sys.stdin.read(MAX_TEXT + 1))
    if "|" in text or "\n" in text or text.rstrip().endswith("!") or not set(text) - set(".#oO*"):
        return parse_pattern(text)
    try:
        is_file = Path(text).is_file() or "/" in text or text.lower().endswith((".rle", ".cells", ".txt"))
    except (OSError, ValueError):  # too long, or a NUL in it: no name of a file
        is_file = False
    return read_pattern(text) if is_file else named(text)


def _parse_size(text: str) -> tuple[int, int]:
    from twofold.rules import parse_size

    cleaned = text.strip()
    return parse_size(f"{cleaned}x{cleaned}" if cleaned.isascii() and cleaned.isdigit() else text)


def _parse_place(text: str) -> tuple[int, int]:
    from twofold.errors import InvalidParameter, quote

    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 2 or not all(part.isascii() and part.isdigit() and len(part) < 10 for part in parts):
        raise InvalidParameter(f"--at {quote(text)} is no place: write ROW,COLUMN counted from 0,0")
    return int(parts[0]), int(parts[1])


def _check(out: list[str] | None, speed: float) -> None:
    """Refuses what would fail only after the work."""
    from twofold.errors import InvalidFile, InvalidParameter, quote

    if not (math.isfinite(speed) and 0.1 <= speed <= 50):
        raise InvalidParameter(
            f"--speed {quote(speed)} is not a number of generations a second from 0.1 to 50"
        )
    for path in out or []:
        if not path.lower().endswith(_ENDINGS):
            raise InvalidFile(f"can't tell what to write from {quote(path)}; end it in {', '.join(_ENDINGS)}")
        check_folder(path)


def _run(start: Life, count: int, painted: bool) -> tuple[list[Generation], bool]:
    """The generations, and False if Ctrl-C ended them early."""
    from twofold.art.life_paint import run_painted
    from twofold.ui.cli.progress import ProgressLine

    run: list[Generation] = []
    try:
        with ProgressLine("generations", count + 1) as line:
            for generation in run_painted(start, count, painted=painted):
                run.append(generation)
                line.show(len(run))
    except KeyboardInterrupt:
        if not run:
            raise
        return run, False
    return run, True


def _run_live(start: Life, count: int, painted: bool, speed: float, pattern: str) -> list[Generation]:
    from twofold.art.life_paint import run_painted
    from twofold.ui.cli.life_screen import LifeScreen, watch_life

    rows, columns = start.size
    kind = "wrapped" if start.wrap else "bounded"
    screen = LifeScreen(make_console(), f"Life  {pattern[:40]}  {rows}x{columns} {kind}  {start.rule}")
    return watch_life(
        run_painted(start, count, painted=painted), screen, speed, f"the end of {count:,} generations"
    )


def _write(path: str, run: list[Generation], pattern: str, speed: float, *, moves: bool) -> None:
    from twofold.art.animate import write_gif
    from twofold.art.life_paint import gif_frames
    from twofold.art.life_patterns import to_plain, to_rle
    from twofold.files import write_file

    ending = path.lower().rpartition(".")[2]
    if ending == "gif":
        frames = gif_frames(run, moves=moves)
        write_gif(frames, path, frame_seconds=1 / (speed * (10 if moves else 1)), last_seconds=1.0)
        return
    if ending == "json":
        import json

        text = json.dumps(_answer(run, pattern)) + "\n"
    else:
        name = f"{pattern[:60]}, generation {run[-1].number}"
        text = (to_rle if ending == "rle" else to_plain)(run[-1].life, name)
    write_file(path, text)


def _answer(run: list[Generation], pattern: str) -> dict[str, Any]:
    """The run as JSON: cells as rows of # and ., boards and games so that they can be played again."""
    from twofold.art.life import fate

    first = run[0].life
    end = fate(first, run[-1].number)
    told = []
    for generation in run:
        each: dict[str, Any] = {
            "number": generation.number,
            "alive": generation.life.alive,
            "cells": str(generation.life),
        }
        painting = generation.painting
        if painting is not None:
            variant = painting.variant
            each |= {
                "board": str(generation.board),
                "moves": painting.moves,
                "variant": str(variant) if variant is not None else None,
            }
        elif generation.reason:
            each["reason"] = generation.reason
        told.append(each)
    return {
        "pattern": pattern,
        "rows": first.rows,
        "columns": first.columns,
        "wrap": first.wrap,
        "rule": str(first.rule),
        "fate": None if end is None else {"begin": end.begin, "period": end.period, "extinct": end.extinct},
        "painted": sum(generation.painting is not None for generation in run),
        "total_moves": sum(generation.moves for generation in run),
        "generations": told,
    }


def _tell(run: list[Generation], pattern: str) -> None:
    from twofold.art.life import fate

    if not run:
        print_text("stopped before the first generation")
        return
    first, last = run[0].life, run[-1]
    for row in str(last.life).split("|"):
        print_text(" ".join(row))
    end = fate(first, last.number)
    painted = [generation for generation in run if generation.painting is not None]
    total, seconds = sum(each.moves for each in painted), sum(each.seconds for each in painted)
    board = f"{first.rows}x{first.columns} {'wrapped' if first.wrap else 'bounded'}"
    facts = {
        "pattern": f"{pattern[:60]}, {board}, {first.rule}",
        "generation": f"{last.number:,}, {last.life.alive:,} alive",
        "fate": str(end) if end is not None else "nothing has come again yet",
    }
    if painted or any(generation.reason for generation in run):
        facts["painted"] = (
            f"{len(painted):,} of {len(run):,} generations, {total:,} moves, found in {seconds:,.2f} s"
        )
    if last.board is not None and first.rows * first.columns <= _SHOWN_CELLS:
        facts["last board"] = str(last.board)
    reason = next((generation.reason for generation in run if generation.reason), "")
    if reason:
        facts["not painted"] = reason
    for name, fact in facts.items():
        print_text(f"{name:<11} {fact}")


def _list(*, json: bool) -> None:
    from twofold.art.life_patterns import NAMED, named

    patterns = [(named(name), what) for name, (_, what) in NAMED.items()]
    if json:
        print_json(
            {
                "patterns": [
                    {"name": each.name, "rows": each.rows, "columns": each.columns, "what": what}
                    for each, what in patterns
                ]
            }
        )
        return
    for each, what in patterns:
        print_text(f"{each.name:<15} {f'{each.rows}x{each.columns}':<6} {what}")
