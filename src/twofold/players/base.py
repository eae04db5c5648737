"""What a player is: something that chooses a move for a state, within a limit, and says why.

A player is *stateless as to results*: the same state and key give the same move and values, whatever it was asked
before. (It may keep tables for speed.) The exception is a limit of time, which depends on the machine.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from twofold.errors import InvalidLimit, PlayerError, quote
from twofold.rules.direction import DIRECTIONS, Direction
from twofold.rules.state import State

Values = tuple[float | None, ...]
"""One value per direction UP, RIGHT, DOWN, LEFT; `None` where the move is illegal."""

NO_VALUES: Values = (None,) * 4


@dataclass(frozen=True, slots=True)
class Limit:
    """How much a player may think about one move; `None` means no limit.

    Attributes:
        depth: player moves looked ahead, at least 1 (depth d has d−1 spawn layers; the leaf is an afterstate).
        nodes: positions looked at, at least 1. Results don't depend on the machine.
        seconds: wall-clock time, above 0. Results depend on the machine.

    Raises `InvalidLimit` for anything else.
    """

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name in ("depth", "nodes"):
            value = getattr(self, name)
            if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < 1):
                raise InvalidLimit(f"{name} must be a whole number of at least 1, not {quote(value)}")
        seconds = self.seconds
        if seconds is not None and not (
            isinstance(seconds, int | float)
            and not isinstance(seconds, bool)
            and math.isfinite(seconds)
            and seconds > 0
        ):
            raise InvalidLimit(f"seconds must be a number above 0, not {quote(seconds)}")

    @property
    def is_timed(self) -> bool:
        """True if results depend on the machine's speed."""
        return self.seconds is not None


def check_move(text: str, state: State, move: Direction | None) -> None:
    """Raises PlayerError unless `move`, of the player of that text, is legal; None is right where no move is."""
    legal = state.legal_moves()
    if move not in legal and (legal or move is not None):
        names = ", ".join(each.name for each in legal) or "none"
        answer = "gave no move" if move is None else f"answered {move.name}"
        raise PlayerError(f"{quote(text)} {answer} on {quote(str(state.board))}; legal: {names}")


POINTS = "points to come"
NEXT_TILE = "chance of the next tile"
"""Units of values."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A move, and what the player found while choosing it.

    Attributes:
        move: the choice; `None` if no move is legal (or the player gives up).
        value: the player's value of the position when it plays `move`, in its own unit.
        values: the value of each direction, `None` exactly where the move is illegal.
        nodes: positions looked at; depth: the depth reached, in player moves (0: no search).
        seconds: time used; table_hits: positions found in a table; pruned: branches cut off.
        note: one line for people, for example why a rule applied.
        unit: what the values are, where it depends on the position; else it is known of the player.
    """

    move: Direction | None
    value: float | None = None
    values: Values = NO_VALUES
    nodes: int = 0
    depth: int = 0
    seconds: float = 0.0
    table_hits: int = 0
    pruned: int = 0
    note: str = ""
    unit: str = ""

    def __repr__(self) -> str:
        move = "no move" if self.move is None else self.move.name
        value = "" if self.value is None else f", value={self.value:.6g}"
        return f"Decision({move}{value}, depth={self.depth}, nodes={self.nodes:,})"


@runtime_checkable
class Player(Protocol):
    """The protocol: a text that names the player, a limit, and `decide`.

    A player may also have a method `batch(variant)`, for whole games faster than move by move: see `players/batch.py`.
    """

    @property
    def text(self) -> str:
        """The canonical text: `make_player(player.text)` is an equal player."""

    @property
    def limit(self) -> Limit:
        """How much the player may think about one move."""

    def decide(self, state: State, key: int = 0) -> Decision:
        """The move for `state`.

        `key` is a 64-bit number that all of the player's own randomness for this move comes from; in a game it
        is word m of the game's player stream after m moves.
        """


PlayerLike = Any
"""Whatever `twofold.as_player` takes: a text, a player, a class, a function of a state, a network."""


def best_of(values: Values, **statistics: Any) -> Decision:
    """The decision for the largest value; among equals the first of UP, RIGHT, DOWN, LEFT."""
    move: Direction | None = None
    best: float | None = None
    for direction, value in zip(DIRECTIONS, values, strict=True):
        if value is not None and (best is None or value > best):
            move, best = direction, value
    return Decision(move, best, values, **statistics)
