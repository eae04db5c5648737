"""The four directions, their texts, and the orders in which other projects number them."""

from __future__ import annotations

import itertools
from enum import IntEnum

from twofold.errors import UnknownDirection


class Direction(IntEnum):
    """A direction of a move. The number is the index in every table of twofold, and breaks ties."""

    UP = 0
    RIGHT = 1
    DOWN = 2
    LEFT = 3

    @property
    def letter(self) -> str:
        """`U`, `R`, `D` or `L`."""
        return "URDL"[self]

    @property
    def arrow(self) -> str:
        """`↑`, `→`, `↓` or `←`."""
        return "↑→↓←"[self]

    @property
    def is_vertical(self) -> bool:
        """True for `UP` and `DOWN`, which slide columns."""
        return self in (Direction.UP, Direction.DOWN)


DIRECTIONS: tuple[Direction, ...] = tuple(Direction)
"""All four, in order."""

PERMUTATIONS: tuple[tuple[Direction, ...], ...] = tuple(itertools.permutations(DIRECTIONS))
"""The 24 orders of the directions, lexicographic; random play draws one of them."""

_BY_TEXT: dict[str, Direction] = {
    text: direction
    for direction in Direction
    for text in (direction.name.lower(), direction.letter.lower(), direction.arrow, str(int(direction)))
}


def parse_direction(text: str | int) -> Direction:
    """The direction meant by a name, its first letter, an arrow or a number 0 to 3, in any case.

    Raises UnknownDirection for anything else. (The keys W, A, S and D are left to the front ends: `d`
    alone means DOWN here.)
    """
    if isinstance(text, Direction):
        return text
    found = _BY_TEXT.get(str(text).strip().lower()) if isinstance(text, str | int) else None
    if found is None or isinstance(text, bool):
        raise UnknownDirection(str(text), [direction.name for direction in Direction])
    return found


def _order(letters: str) -> tuple[Direction, ...]:
    return tuple(_BY_TEXT[letter] for letter in letters.lower())


ORDERS: dict[str, tuple[Direction, ...]] = {
    "twofold": _order("URDL"),
    "gabrielecirulli": _order("URDL"),
    "gymnasium-2048": _order("URDL"),
    "replay-v1": _order("URDL"),
    "2048-next": _order("URDL"),
    "nneonneo": _order("UDLR"),
    "verse-v2": _order("UDLR"),
    "rec": _order("UDLR"),
    "endgame-tablebase": _order("LRUD"),
    "rpl": _order("LRUD"),
    "vrs": _order("LRUD"),
    "pgx": _order("LURD"),
    "macroxue": _order("ULRD"),
}
"""Other programs' numbering: `ORDERS[name][their number]` is our direction.

EndgameTablebase's engine and `.vrs` files count from 1: subtract it first.
"""


def direction_list(directions: tuple[Direction, ...]) -> str:
    """`UP, LEFT` for a message, or `none`."""
    return ", ".join(direction.name for direction in directions) or "none"
