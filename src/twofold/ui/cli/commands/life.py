"""``twofold life``: Conway's Game of Life, each generation painted by legal play of 2048."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING

from twofold.ui.cli.commands import options
from twofold.ui.cli.output import is_live_terminal, make_console, print_json, print_text

if TYPE_CHECKING:
    from twofold.art.life import Life
    from twofold.art.life_paint import Generation
    from twofold.art.life_patterns import Pattern

_SHOWN_CELLS = 100  # of the last board as text
_SHOWN_GENERATIONS = 1000  # of a live run that is given no number


@options.table("""
    --pattern -p=glider    text PATTERN   A name (see --list), a file (RLE or plain text), cells such as \
        '.#.|..#|###', or random.
    --size                 text SIZE      N or ROWSxCOLUMNS. [large enough for the pattern]
    --wrap/--bounded=      flag           Wrap around, or surround with dead cells. [bounded]
    --generations -g       int N          Number of generations. [32]
    --at                   text R,C       ROW,COLUMN of the pattern's top left cell. [middle]
    --rule                 text RULE      Another rule, such as B36/S23. [B3/S23]
    --density=0.35         float 0..1 X   Fraction of live cells in a random pattern.
    --paint/--no-paint=1   flag           Paint each generation by legal play.
    --moves                flag           Show every move of every painting in the GIF.
    --speed=5              float X        Generations per second, on the screen and in a GIF.
    --out                  texts PATH     Write the run (.gif, .json) or its last generation (.rle, .cells); can be \
        repeated.
    --list                 flag           List the named patterns.
    seed json
""")
def life(
    *,
    pattern: str,
    size: str | None,
    wrap: bool | None,
    generations: int | None,
    at: str | None,
    rule: str | None,
    density: float,
    paint: bool,
    moves: bool,
    speed: float,
    out: list[str] | None,
    list: bool,
    seed: int | None,
    json: bool,
) -> None:
    """Run Conway's Game of Life on a 2048 board: each generation is painted by a game of 2048.

    In a terminal it is shown live: space pauses, n makes one step, + and - change the speed, q quits.
    """
    from twofold.art.life import Rule
    from twofold.art.life_run import check_run_file, first_generation, run_json, write_run

    if list:
        _list(json=json)
        return
    start = first_generation(
        _piped() if pattern == "-" else pattern,
        _parse_size(size) if size is not None else None,
        wrap=wrap,
        at=_parse_place(at) if at is not None else None,
        rule=Rule.parse(rule) if rule is not None else None,
        density=density,
        seed=options.checked_seed(seed),
    )
    _check_speed(speed)
    for path in out or []:
        check_run_file(path)
    live = is_live_terminal() and not json and not out
    count = generations if generations is not None else _SHOWN_GENERATIONS if live else 32
    if live:
        _tell(_run_live(start, count, paint, speed, pattern), pattern)
        return
    run, is_whole = _run(start, count, paint)
    for path in out or []:
        write_run(path, run, pattern, speed=speed, moves=moves)
    if not is_whole:  # what was done is written; the rest as with any Ctrl-C
        raise KeyboardInterrupt
    if json:
        print_json(run_json(run, pattern) | {"written": out or []})
    else:
        _tell(run, pattern)
        for path in out or []:
            print_text(f"wrote {path}")


def _piped() -> Pattern:
    """The pattern on standard input."""
    from twofold.art.life_patterns import MAX_TEXT, parse_pattern

    return parse_pattern(sys.stdin.read(MAX_TEXT + 1))


def _parse_size(text: str) -> tuple[int, int]:
    from twofold.art.life import check_life_size
    from twofold.rules import parse_size

    cleaned = text.strip()
    square = cleaned.isascii() and cleaned.isdigit()
    return parse_size(f"{cleaned}x{cleaned}" if square else text, check_life_size)


def _parse_place(text: str) -> tuple[int, int]:
    from twofold.errors import InvalidParameter, quote

    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 2 or not all(part.isascii() and part.isdigit() and len(part) < 10 for part in parts):
        raise InvalidParameter(f"--at {quote(text)} is not a position: write ROW,COLUMN counted from 0,0")
    return int(parts[0]), int(parts[1])


def _check_speed(speed: float) -> None:
    from twofold.errors import InvalidParameter, quote

    if not (math.isfinite(speed) and 0.1 <= speed <= 50):
        raise InvalidParameter(
            f"--speed {quote(speed)} is not a number of generations per second from 0.1 to 50"
        )


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
        "fate": str(end) if end is not None else "nothing has repeated yet",
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
