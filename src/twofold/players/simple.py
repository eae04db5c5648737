"""Players that don't search: random, greedy, scripted, human."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from twofold.errors import InvalidParameter, PlayerError, TwofoldError, quote
from twofold.players.base import NO_VALUES, Decision, Limit, Values, best_of
from twofold.players.made import BuiltIn
from twofold.rules.direction import DIRECTIONS, PERMUTATIONS, Direction, parse_direction
from twofold.rules.random import MASK, below
from twofold.rules.state import State
from twofold.rules.variant import Variant

if TYPE_CHECKING:
    from twofold.players.batch import BatchRunner


def flat_values(legal: tuple[Direction, ...], value: float = 0.0) -> Values:
    """`value` for every legal move, `None` for the others."""
    return tuple(value if direction in legal else None for direction in DIRECTIONS)


class Random(BuiltIn):
    """Uniform over the legal moves: the first legal one in the order of directions number ``below(key, 24)``.

    The 24 orders are `rules.direction.PERMUTATIONS`. The compiled games of `kernels/games/random_play.py`
    draw the same way, and can stop looking at the first legal direction.
    """

    limit = Limit()

    def decide(self, state: State, key: int = 0) -> Decision:
        """A random legal move; all legal moves have the value 0."""
        legal = state.legal_moves()
        if not legal:
            return Decision(None)
        move = next(direction for direction in PERMUTATIONS[below(key & MASK, 24)] if direction in legal)
        return Decision(move, 0.0, flat_values(legal))

    @staticmethod
    def chunk_size(**_: object) -> int:
        """Games of about a tenth of a second in a compiled loop."""
        return 8192

    def batch(self, variant: Variant) -> BatchRunner | None:
        """Whole games in a compiled loop, except with evil or scripted spawns."""
        from twofold.players.random_games import random_batch  # compiled code, which `decide` does without

        return random_batch(variant)


class Greedy(BuiltIn):
    """The largest immediate reward, in points."""

    limit = Limit()

    @staticmethod
    def chunk_size(**_: object) -> int:
        """Games of some hundredths of a second each."""
        return 8

    def decide(self, state: State, key: int = 0) -> Decision:
        """The move that scores most at once; the values are the rewards in points."""
        legal = state.legal_moves()
        values = tuple(float(state.board.slide(d).reward) if d in legal else None for d in DIRECTIONS)
        return best_of(values, nodes=len(legal), depth=min(1, len(legal)))


class Scripted(BuiltIn):
    """Plays the letters of a script: letter m (from 0) in the state after m moves.

    An illegal letter is an error (``illegal="error"``), or is skipped for the first legal letter after it, going
    round, and to the first legal move if no letter is legal (``"skip"``). After the last letter the player stops,
    that is it answers with no move, or starts again from the first (``then="repeat"``).
    """

    limit = Limit()

    def __init__(
        self, text: str = "", *, moves: str = "LDRD", illegal: str = "error", then: str = "stop"
    ) -> None:
        try:
            self.moves = tuple(parse_direction(letter) for letter in moves)
        except TwofoldError:
            raise InvalidParameter(f"moves={quote(moves)} must consist of the letters U, R, D, L") from None
        if not self.moves:
            raise InvalidParameter("moves= needs at least one of the letters U, R, D, L")
        self._skips = illegal == "skip"
        self._repeats = then == "repeat"

    @staticmethod
    def chunk_size(**_: object) -> int:
        """Games of some hundredths of a second each."""
        return 8

    def decide(self, state: State, key: int = 0) -> Decision:
        """The script's move; the values are 1 for it and 0 for other legal moves."""
        legal = state.legal_moves()
        if not legal or (state.moves >= len(self.moves) and not self._repeats):
            return Decision(None, None, flat_values(legal))
        start = state.moves % len(self.moves)
        move = self.moves[start]
        if move not in legal:
            if not self._skips:
                raise PlayerError(
                    f"letter {start + 1} of the script, {move.letter}, is illegal on {quote(str(state.board))}: "
                    f"set illegal=skip to continue with the next"
                )
            order = self.moves[start:] + self.moves[:start] + DIRECTIONS
            move = next(direction for direction in order if direction in legal)
        values = list(flat_values(legal))
        values[move] = 1.0
        return Decision(move, 1.0, tuple(values))


class Human(BuiltIn):
    """Asks someone: `source` is called with the state and returns a direction, or `None` to give up.

    The source defaults to a line of standard input. After an illegal answer it is called again. (The terminal game of
    ``twofold play --player human`` reads single keys and has undo; it does not use this class.)
    """

    limit = Limit()

    objects = frozenset({"source"})

    def __init__(self, text: str = "", *, source: Callable[[State], Direction | None] | None = None) -> None:
        self._source = source or ask_line

    def decide(self, state: State, key: int = 0) -> Decision:
        """The source's first legal answer."""
        legal = state.legal_moves()
        if not legal:
            return Decision(None, None, NO_VALUES)
        while True:
            move = self._source(state)
            if move is None or move in legal:
                return Decision(move, None if move is None else 0.0, flat_values(legal))


def ask_line(state: State) -> Direction | None:
    """A direction from a line of standard input, asked for on standard error; `None` at the end of the input."""
    while True:
        print(state.board.pretty(), "\nUP, RIGHT, DOWN or LEFT: ", end="", file=sys.stderr, flush=True)
        line = sys.stdin.readline()
        if not line:
            return None
        try:
            return parse_direction(line)
        except TwofoldError as error:
            print(error, file=sys.stderr)
