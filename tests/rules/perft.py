"""The table `tests/data/perft.txt`: numbers of distinct boards after k moves, from given starts.

`python -m tests.rules.perft` writes it anew with the naive program of `tests/rules/naive.py`, which shares
nothing with twofold but the reading of the start boards.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, TypeVar

from tests.rules import naive
from twofold.rules import Board

TABLE = Path(__file__).parents[1] / "data" / "perft.txt"

HEADER = """\
# Numbers of distinct boards after k moves ("perft" of the game 2048).
#
# Each line: a start board in spaced map text, a tab, and the counts for k = 1, 2, 3, ... split by spaces.
# The start counts as a position waiting for a move. The boards after k moves are all that can be reached from
# the boards after k - 1 moves by one legal move (a direction that changes the board) followed by one spawn,
# on any empty cell, of a 2 or a 4. Equal boards are counted once; mirror images count as different boards;
# boards without a legal move are counted and have no successors. A count of 0 means that every line of play
# has ended. No tile limit, no win.
#
# How computed: every line by the program in tests/rules/naive.py (sets of strings, the merge as a regular
# expression), run by `python -m tests.rules.perft`. tests/rules/test_perft.py repeats the counts with
# twofold.rules, which shares no code with it.
"""

STARTS: dict[str, int] = {  # start: number of counts
    "2 2|": 3,
    "2 . . 2|": 25,
    "2|.|.|2": 25,
    "2 . . . . 2 . 4|": 12,
    "2 .|. 2": 25,
    "4 2|x .": 9,
    "2 . .|. . 2": 12,
    "2 4 8|8 4 2": 12,
    ". . .|. 2 .|. . 2": 5,
    "2 4 2|4 . 4|2 4 2": 4,
    "2 2 4|4 x 4|2 2 4": 4,
    ". . . .|. 2 . .|. . 2 .|. . . .": 4,
    "2 2 4 4|4 4 2 2|2 2 4 4|4 4 2 2": 3,
    "1024 512 256 128|8 16 32 64|4 2 2 .|. . . .": 3,
    "2 . 2 .|. x x .|. x x 2|4 . 4 .": 3,
    "65536 65536 32768 32768|16384 32768 32768 .|x 131072 131072 .|2 . . 2": 3,
    "65536 65536 32768 32768|16384 32768 32768 .|2 4 65536 65536|2 . . 2": 3,
    ". 576460752303423488 288230376151711744 288230376151711744|2 2 . .": 4,
    "2 x . 2 .|. 4 . x .|x . 2 . 4|. . x . .|2 . . 2 x": 2,
    ". . . . .|. 2 . . .|. . . . .|. . . 4 .|. . . . .": 2,
    ". . . . . . . .|. . . . . . . .|. . . x x . . .|. . . 2 . . . .|. . . . . 2 . .|4 . . . . . . .": 1,
}


class Entry(NamedTuple):
    """One line of the table."""

    start: Board
    counts: tuple[int, ...]


def read_table() -> list[Entry]:
    entries = []
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            start, counts = line.split("\t")
            entries.append(Entry(Board.parse(start), tuple(map(int, counts.split()))))
    return entries


Node = TypeVar("Node", bound=Hashable)


def count_layers(start: Node, successors: Callable[[Node], Iterable[Node]]) -> Iterator[int]:
    """The numbers of distinct nodes after 1, 2, 3, ... steps."""
    layer = {start}
    while True:
        layer = {after for node in layer for after in successors(node)}
        yield len(layer)


def main() -> None:
    lines = [HEADER]
    for start, depth in STARTS.items():
        layers = count_layers(naive.to_grid(Board.parse(start)), naive.successors)
        counts = " ".join(str(next(layers)) for _ in range(depth))
        lines.append(f"{start}\t{counts}\n")
    TABLE.write_text("".join(lines), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
