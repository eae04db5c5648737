"""How many pictures are painted, how fast, in how many moves: ``python -m benchmarks.studies.painting``.

Writes docs/results/painting.md and docs/images/painting-*.svg; with ``--only 8x4`` (8x8 cells, four colours) it prints
those rows only, ``--many`` pictures each. Pictures are random (each cell by chance) or smooth (cells take the colour of
the nearest of some points, like a photograph reduced to a palette). Every plan is proven by the rules. Seconds are
processor time of this process.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Iterator

from benchmarks.history import ROOT
from twofold.art.painter import NotPainted, paint
from twofold.art.painter.rows import table
from twofold.art.picture import Picture


def random_picture(chance: random.Random, n: int, colours: int) -> Picture:
    """Each cell by chance."""
    return Picture(n, n, bytes(chance.randrange(colours) for _ in range(n * n)))


def smooth_picture(chance: random.Random, n: int, colours: int) -> Picture:
    """Each cell in the colour of the nearest of 2·colours points."""
    points = [(chance.random() * n, chance.random() * n, number % colours) for number in range(2 * colours)]
    return Picture.from_rows(
        [min(points, key=lambda p: (p[0] - r) ** 2 + (p[1] - c) ** 2)[2] for c in range(n)] for r in range(n)
    )


HEAD = (
    "| method | pictures | size | colours | painted | median s | longest s | median moves |\n"
    + "|---" * 8
    + "|"
)
KINDS = {"random": random_picture, "smooth": smooth_picture}


def measure(kind: str, n: int, colours: int, times: int, method: str, seconds: float) -> str:
    """One row of a table."""
    chance = random.Random(f"{kind} {n} {colours}")
    took, moves = [], []
    for number in range(times):
        picture = KINDS[kind](chance, n, colours)
        begin = time.process_time()
        try:
            painting = paint(picture, method, seconds=seconds, seed=number)
        except NotPainted:
            continue
        took.append(time.process_time() - begin)
        moves.append(len(painting.steps))
    share = f"{len(moves)} of {times}"
    if not moves:
        return f"| {method} | {kind} | {n}x{n} | {colours} | {share} | | | |"
    return (
        f"| {method} | {kind} | {n}x{n} | {colours} | {share} | {statistics.median(took):.3f} | {max(took):.2f} | "
        f"{statistics.median(moves):,.0f} |"
    )


def report(times: int, many: int, seconds: float) -> Iterator[str]:
    """The lines of docs/results/painting.md as they come."""
    yield "# Pictures painted by legal play\n"
    command = f"python -m benchmarks.studies.painting --times {times} --many {many} --seconds {seconds:g}"
    yield f"Written by `{command}`; see docs/guides/painting.md.\n"
    yield "## S0's table of rows\n"
    yield "| cells | filled rows | rows visited |\n|---|---|---|"
    for n, filled, met in table():
        yield f"| {n} | {filled:,} | {met:,} |"
    yield "\n## Two colours\n"
    yield HEAD
    paint(Picture.from_text("0120|1012|2201|0110"))  # compiles
    for n in (4, 8, 12, 16):
        for kind in KINDS:
            yield measure(kind, n, 2, times, "planner", seconds)
    for n in (4, 6, 8, 12, 16):
        for kind in KINDS:
            yield measure(kind, n, 2, max(4, many), "rows", seconds)
    yield f"\n## More colours\n\nAt most {seconds:g} s per picture.\n"
    yield HEAD
    for n in (4, 6, 8, 12):
        for colours in range(3, 9):
            for kind in KINDS:
                yield measure(kind, n, colours, many, "planner", seconds)


def main() -> None:
    """Writes the report line by line, so that what was measured stays if it is stopped."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=50, help="pictures of two colours for each row")
    parser.add_argument("--many", type=int, default=4, help="pictures of more colours for each row")
    parser.add_argument("--seconds", type=float, default=1.5, help="for each picture of more colours")
    parser.add_argument("--only", nargs="+", metavar="NxCOLOURS", help="print these rows and write nothing")
    options = parser.parse_args()
    if options.only:
        print(HEAD)
        for row in options.only:
            n, _, colours = row.partition("x")
            for kind in KINDS:
                print(
                    measure(kind, int(n), int(colours), options.many, "planner", options.seconds), flush=True
                )
        return
    images = ROOT / "docs" / "images"
    for name, text in (("glider", ".#..|..#.|###.|...."), ("r-pentomino", ".##.|##..|.#..|....")):
        painting = paint(Picture.from_text(text))
        (images / f"painting-{name}.svg").write_text(painting.to_svg(), "utf-8")
    with (ROOT / "docs" / "results" / "painting.md").open("w", encoding="utf-8", newline="\n") as file:
        for line in report(options.times, options.many, options.seconds):
            print(line, flush=True)
            file.write(line + "\n")
            file.flush()


if __name__ == "__main__":
    main()
