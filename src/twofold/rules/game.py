"""`State`, `step` from one to the next, and `Game`: a line of play with undo, redo, restart and events for watchers.

The key of the spawn stream is an argument of `step` and no part of a state: a state is what a player is given, and a
player must not know what will appear. With its key a state needs nothing else to go on: `spawns` counts the words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from twofold.errors import GameOver, IllegalMove, InvalidBoard, InvalidParameter, InvalidVariant, quote
from twofold.rules.board import Board, Slide
from twofold.rules.direction import Direction, direction_list, parse_direction
from twofold.rules.history import History
from twofold.rules.random import Stream, checked_word, stream_key
from twofold.rules.spawn import Adversary, Spawn, draw_spawn
from twofold.rules.variant import Variant


@dataclass(frozen=True, slots=True)
class State:
    """A board waiting for a move, with all that the future depends on but the random key.

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
class Outcome:
    """How a game ended. `reason` is `no legal move` or `target reached`; `max_tile` is a face value."""

    won: bool
    reason: str
    score: int
    max_tile: int
    moves: int


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in a game; `state` is the state after it."""

    state: State


@dataclass(frozen=True, slots=True)
class Started(Event):
    """A game began, or an observer came to it and learns where it stands."""


@dataclass(frozen=True, slots=True)
class Moved(Event):
    """A move was played: from `before`, the `slide`, then the `spawn`."""

    before: State
    direction: Direction
    slide: Slide
    spawn: Spawn


@dataclass(frozen=True, slots=True)
class Undone(Event):
    """The move `undone` was taken back."""

    undone: Moved


@dataclass(frozen=True, slots=True)
class Redone(Event):
    """The move `redone` was played again, with the same spawn."""

    redone: Moved


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """The game is over (until a move is undone)."""

    outcome: Outcome


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


def _moved_again(state: State, direction: Direction, spawn: Spawn) -> Moved:
    return _moved(state, direction, state.board.slide(direction), spawn)


Observer = Callable[[Event], None]


class Game:
    """One game: a variant, a seed, and the line of play so far.

    The game is a function of (variant, seed, index, moves): undo rewinds chance with the board, so that the
    same move after an undo meets the same spawn.

    seed: whole number below 2^64. index: number of the game in a run of games with one seed.
    stop_at_target: the game is over once the target is made. adversary: places the tiles of an evil
    variant; without one such a variant is refused with InvalidVariant.
    """

    given: tuple[Spawn, ...] = ()
    """Spawns that are not drawn: see `draw_spawn`."""

    def __init__(
        self,
        variant: Variant | None = None,
        seed: int = 0,
        *,
        index: int = 0,
        stop_at_target: bool = False,
        adversary: Adversary | None = None,
    ) -> None:
        if variant is not None and not isinstance(variant, Variant):
            raise InvalidVariant(f"{quote(variant)} is not a Variant; Variant.parse reads one from a text")
        self.variant = variant if variant is not None else Variant()
        self.index = checked_word("index", index)
        self.stop_at_target = stop_at_target
        self._adversary = adversary
        self._observers: list[Observer] = []
        self._begin(checked_word("seed", seed))

    def _begin(self, seed: int) -> None:
        self.seed = seed
        self.spawn_key = stream_key(seed, self.index, Stream.SPAWN)
        self.player_key = stream_key(seed, self.index, Stream.PLAYER)
        self._state = first_state(self.variant, self.spawn_key, self._adversary, self.given)
        self._history = History(self._state, _moved_again)
        self._outcome = self._outcome_of(self._state)

    # Where the game stands

    def __repr__(self) -> str:
        end = f", {self.outcome.reason}" if self.outcome is not None else ""
        return f"Game({self.variant}, seed={self.seed}: {self.score:,} points after {self.state.moves:,} moves{end})"

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return self.board.to_svg()

    @property
    def state(self) -> State:
        """The state now."""
        return self._state

    @property
    def board(self) -> Board:
        """The board now."""
        return self._state.board

    @property
    def score(self) -> int:
        """Points so far."""
        return self._state.score

    @property
    def moves(self) -> int:
        """Moves played so far."""
        return self._state.moves

    @property
    def won(self) -> bool:
        """True once a merge has made the target."""
        return self._state.won

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        return self._outcome

    @property
    def is_over(self) -> bool:
        """True if no further move can be made."""
        return self._outcome is not None

    @property
    def history(self) -> tuple[Direction, ...]:
        """The moves played so far, without those undone."""
        return self._history.directions

    @property
    def moved(self) -> Sequence[Moved]:
        """The moves played so far with all that they did: a view, in which early moves are played again to be read."""
        return self._history

    @property
    def undone(self) -> tuple[Direction, ...]:
        """The moves that can be redone, the next one first."""
        return self._history.undone

    @property
    def can_redo(self) -> bool:
        """True if a move was undone and none played since."""
        return self._history.can_redo

    def legal_moves(self) -> tuple[Direction, ...]:
        """The moves that can be made now; none once the game is over."""
        return () if self.is_over else self._state.legal_moves()

    # Playing

    def move(self, direction: Direction | str | int) -> Moved:
        """Play a move: slide, then one spawn. A move that was undone before can't be redone any more.

        Raises GameOver if the game has ended and IllegalMove if the move changes nothing; then nothing
        has happened: no spawn, no history entry, and what can be redone stays so.
        """
        wanted = parse_direction(direction)
        if self._outcome is not None:
            raise GameOver(f"the game is over ({self._outcome.reason}); undo or restart to play on")
        moved = play_move(self._state, wanted, self.spawn_key, self._adversary, self.given)
        self._history.add(moved)
        self._go_to(moved.state, moved)
        return moved

    def undo(self) -> bool:
        """Take back the last move, with its spawn, score and win. False if there is none."""
        if not self._history:
            return False
        moved = self._history.undo()
        self._go_to(moved.before, Undone(moved.before, moved))
        return True

    def redo(self) -> bool:
        """Play the move undone last again, with the same spawn. False if there is none."""
        if not self._history.can_redo:
            return False
        moved = self._history.redo()
        self._go_to(moved.state, Redone(moved.state, moved))
        return True

    def restart(self, seed: int | None = None) -> None:
        """Begin again, with another seed or the same; nothing is left to undo or redo."""
        self._begin(self.seed if seed is None else checked_word("seed", seed))
        self._publish(*self._opening())

    # Watching

    def subscribe(self, observer: Observer) -> Callable[[], None]:
        """Call `observer` with every event from now on; returns a function that ends this.

        The observer is first told where the game stands (`Started`, and `Ended` if it is over), so that a
        front end may come at any time. Its exceptions reach whoever made the move, after the move.
        """
        self._observers.append(observer)
        for event in self._opening():
            observer(event)

        def unsubscribe() -> None:
            if observer in self._observers:
                self._observers.remove(observer)

        return unsubscribe

    def _opening(self) -> list[Event]:
        events: list[Event] = [Started(self._state)]
        if self._outcome is not None:
            events.append(Ended(self._state, self._outcome))
        return events

    def _go_to(self, state: State, event: Event) -> None:
        self._state = state
        self._outcome = self._outcome_of(state)
        ended = [] if self._outcome is None else [Ended(state, self._outcome)]
        self._publish(event, *ended)

    def _publish(self, *events: Event) -> None:
        for event in events:
            for observer in tuple(self._observers):
                observer(event)

    def _outcome_of(self, state: State) -> Outcome | None:
        if self.stop_at_target and state.won:
            reason = "target reached"
        elif state.is_dead:
            reason = "no legal move"
        else:
            return None
        return Outcome(state.won, reason, state.score, state.board.max_tile, state.moves)
