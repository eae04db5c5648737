"""`State`, and `step` from one to the next.

The key of the spawn stream is an argument of `step` and no part of a state: a state is what a player is given, and a
player must not know what will appear. With its key a state needs nothing else to go on: `spawns` counts the words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from twofold.errors import IllegalMove, InvalidBoard, InvalidParameter, InvalidVariant, quote
from twofold.rules.board import Board, Slide
from twofold.rules.direction import Direction, direction_list
from twofold.rules.spawn import Adversary, Spawn, draw_spawn
from twofold.rules.variant import Variant


@dataclass(frozen=True, slots=True)
class State:
    """A board waiting for a move, with all that the future depends on except the random key.

    score: points so far. moves: moves played. spawns: spawns drawn, the number of the next one.
    won: a merge has made the target (or a larger tile).
    """

    variant: Variant
    board: Board
    score: int = 0
    moves: int = 0
    spawns: int = 0
    won: bool = False

    @classmethod
    def of(cls, board: Board, variant: Variant | None = None, score: int | None = None) -> State:
        """A state for a bare board.

        variant: by default the classic rules on a board of this size with these bricks. score: by default
        as if only 2s had spawned; in the same spirit a tile of the target's size counts as merged, so won.
        Raises InvalidBoard for what is not a board, InvalidVariant if the variant is for another size or other bricks,
        InvalidParameter if the score is not a whole number of at least 0.
        """
        if not isinstance(board, Board):
            raise InvalidBoard(f"{quote(board)} is not a Board; Board.parse reads one from a text")
        # numpy's whole numbers are welcome, and become Python's.
        points = getattr(score, "__index__", lambda: -1)() if score is not None else 0
        if points < 0 or isinstance(score, bool):
            raise InvalidParameter(f"score {quote(score)} is not a whole number of at least 0")
        if variant is None:
            bare = board.without_tiles()
            # A board of bricks only is dead, but may be looked at; no variant could start from it.
            variant = Variant(bare if not bare.is_full else Board.empty(*board.size))
        elif (variant.start.size, variant.start.bricks) != (board.size, board.bricks):
            raise InvalidVariant(
                f"the board {quote(str(board))} must have the size and bricks of {quote(str(variant))}"
            )
        won = board.max_rank >= variant.target_rank
        return cls(variant, board, board.default_score() if score is None else points, won=won)

    @classmethod
    def reached(cls, variant: Variant, board: Board, score: int, moves: int, won: bool = False) -> State:
        """The state after `moves` moves of a game of `variant`; every move has drawn a spawn."""
        return cls(variant, board, score, moves, variant.start_spawns + moves, won)

    def __repr__(self) -> str:
        return f"State({str(self.board)!r}, {self.variant}, score={self.score}, moves={self.moves})"

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return self.board.to_svg()

    def legal_moves(self) -> tuple[Direction, ...]:
        """The legal moves, in the order of `Direction`."""
        return self.board.legal_moves()

    @property
    def is_dead(self) -> bool:
        """True if no move is legal."""
        return self.board.is_dead


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in a game; `state` is the state after it."""

    state: State


@dataclass(frozen=True, slots=True)
class Moved(Event):
    """A move was played: from `before`, the `slide`, then the `spawn`."""

    before: State
    direction: Direction
    slide: Slide
    spawn: Spawn


def first_state(
    variant: Variant, key: int, adversary: Adversary | None = None, given: Sequence[Spawn] = ()
) -> State:
    """The state that a game begins with: the start board's own tiles, or else two spawns (one with an empty start).

    key: of the game's spawn stream; adversary: places the tiles of an evil variant; given: as in `draw_spawn`.
    """
    board = variant.start
    for k in range(variant.start_spawns):
        spawn = draw_spawn(variant, board, key, k, adversary, 0, given)
        board = board.with_cell(spawn.cell, spawn.rank)
    return State.reached(variant, board, 0, 0)


def step(state: State, direction: Direction, key: int, adversary: Adversary | None = None) -> State:
    """The state after a move: the slide, then the spawn that word `state.spawns` of the stream `key` draws.

    key, adversary: as in `first_state`. Raises IllegalMove if the move changes nothing.
    """
    return play_move(state, direction, key, adversary).state


def play_move(
    state: State,
    direction: Direction,
    key: int,
    adversary: Adversary | None = None,
    given: Sequence[Spawn] = (),
) -> Moved:
    """`step` with all that the move did."""
    slide = state.board.slide(direction)
    if not slide.changed:
        raise IllegalMove(
            f"{direction.name} changes nothing on {quote(str(state.board))}; "
            f"legal: {direction_list(state.legal_moves())}"
        )
    score = state.score + slide.reward
    spawn = draw_spawn(state.variant, slide.board, key, state.spawns, adversary, score, given)
    return _moved(state, direction, slide, spawn)


def _moved(state: State, direction: Direction, slide: Slide, spawn: Spawn) -> Moved:
    after = State(
        state.variant,
        slide.board.with_cell(spawn.cell, spawn.rank),
        state.score + slide.reward,
        state.moves + 1,
        state.spawns + 1,
        state.won or slide.makes(state.variant.target_rank),
    )
    return Moved(after, state, direction, slide, spawn)


def play_again(state: State, direction: Direction, spawn: Spawn) -> Moved:
    """The move with a spawn that is known: nothing is drawn, and nothing checked."""
    return _moved(state, direction, state.board.slide(direction), spawn)
