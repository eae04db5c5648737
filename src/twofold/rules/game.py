"""`Game`: a line of play with undo, redo, restart and events for watchers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from twofold.errors import GameOver, InvalidVariant, quote
from twofold.rules.board import Board
from twofold.rules.direction import Direction, parse_direction
from twofold.rules.history import History
from twofold.rules.random import Stream, checked_word, stream_key
from twofold.rules.spawn import Adversary, Spawn
from twofold.rules.state import Event, Moved, State, first_state, play_move
from twofold.rules.variant import Variant

DEAD, WON = "no legal move", "target reached"
"""Why a game ended."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended. `reason` is `DEAD` or `WON`; `max_tile` is a face value."""

    won: bool
    reason: str
    score: int
    max_tile: int
    moves: int


@dataclass(frozen=True, slots=True)
class Started(Event):
    """A game began, or an observer subscribed and learns its current state."""


@dataclass(frozen=True, slots=True)
class Undone(Event):
    """The move `undone` was taken back."""

    undone: Moved


@dataclass(frozen=True, slots=True)
class Redone(Event):
    """The move `redone` was played again, with the same spawn."""

    redone: Moved


@dataclass(frozen=True, slots=True)
class Changed(Event):
    """The rules of spawns were changed, see `Game.change_spawns`; the state has the new ones."""


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """The game is over (until a move is undone)."""

    outcome: Outcome


Observer = Callable[[Event], None]


class Game:
    """One game: a variant, a seed, and the line of play so far.

    The game is a function of (variant, seed, index, moves): undo rewinds chance with the board, so that the
    same move after an undo meets the same spawn. Rules of spawns that were changed belong to the line of play.

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
        self._history = History(self._state)
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
        """The current state."""
        return self._state

    @property
    def board(self) -> Board:
        """The current board."""
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
        """How the game ended, or None while it continues."""
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

    def boards(self) -> Iterator[Board]:
        """The board before the first move and after each."""
        yield self._history[0].before.board if self._history else self.board
        for moved in self._history:
            yield moved.state.board

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
        """Play a move: slide, then one spawn. After it, undone moves can't be redone.

        Raises GameOver if the game has ended and IllegalMove if the move changes nothing; then nothing
        has happened: no spawn, no history entry, and what can be redone stays so.
        """
        wanted = parse_direction(direction)
        if self._outcome is not None:
            raise GameOver(f"the game is over ({self._outcome.reason}); undo or restart to continue")
        moved = play_move(self._state, wanted, self.spawn_key, self._adversary, self.given)
        self._history.add(moved)
        self._go_to(moved.state, moved)
        return moved

    def change_spawns(self, *, place: str | None = None, value: str | None = None) -> bool:
        """Changes the spawns from the next move on: see `Variant.place` and `Variant.value`. False if nothing changes.

        `variant` stays what the game began with; `state.variant` has the rules that hold. A move that was undone before
        can't be redone any more; undoing moves made before brings the old rules back, and so does `restart`.
        Raises InvalidVariant, also where an adversary or a script places the tiles.
        """
        now = self._state.variant
        if now.evil is not None or now.script:
            raise InvalidVariant(f"the spawns of {quote(str(now))} can't be changed: they are not drawn")
        wanted = replace(now, place=place or now.place, value=value or now.value)
        if wanted == now:
            return False
        self._history.change(wanted)
        state = replace(self._state, variant=wanted)
        self._go_to(state, Changed(state))
        return True

    @property
    def spawn_changes(self) -> tuple[tuple[int, str, str], ...]:
        """(moves before, place, value) of each change of the spawns' rules, those behind undone moves too."""
        return tuple((at, rules.place, rules.value) for at, rules in sorted(self._history.changes.items()))

    def undo(self) -> bool:
        """Take back the last move, with its spawn, score and win. False if there is none."""
        if not self._history:
            return False
        moved = self._history.undo()
        self._go_to(moved.before, Undone(moved.before, moved))
        return True

    def redo(self) -> bool:
        """Play the move that was undone last again, with the same spawn. False if there is none."""
        if not self._history.can_redo:
            return False
        moved = self._history.redo()
        state = self._history.ruled(moved.state, len(self._history))
        self._go_to(state, Redone(state, moved))
        return True

    def restart(self, seed: int | None = None) -> None:
        """Start again, with another seed or the same; then there is nothing to undo or redo."""
        self._begin(self.seed if seed is None else checked_word("seed", seed))
        self._publish(*self._opening())

    # Watching

    def subscribe(self, observer: Observer) -> Callable[[], None]:
        """Call `observer` with every event from now on; returns a function that unsubscribes it.

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
            reason = WON
        elif state.is_dead:
            reason = DEAD
        else:
            return None
        return Outcome(state.won, reason, state.score, state.board.max_tile, state.moves)
