"""What a front end has in its hands: a game that someone plays, a game that a player plays, and a hint.

Free of any toolkit. The page (`ui/web`), the terminal game (`ui/terminal`) and the plain terminal (`ui/cli/human.py`,
`ui/cli/watch.py`) draw what these say and turn keys and buttons into their methods.

| name | what it is |
|---|---|
| `Playing` | a game by hand: moves, undo, redo, restart, what to say about it, its record |
| `Watching` | a game played by a player in a thread of its own, at a `Pace`, with figures move by move |
| `ask` | one decision, with a limit of time and a way to call it off |
| `give_hint` | a decision with its reason in words |
"""

from __future__ import annotations

import csv
import io
import math
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from twofold.cache import UNPACKING
from twofold.errors import (
    GameOver,
    IllegalMove,
    InvalidLimit,
    InvalidVariant,
    PlayerError,
    TwofoldError,
    quote,
)
from twofold.kernels.compile_time import Stopwatch
from twofold.matches.play import GameResult, move_key, new_game, result_of
from twofold.players.base import Decision, Player
from twofold.players.registry import as_player, make_player
from twofold.records.record import Record, letters
from twofold.rules.cells import face_value
from twofold.rules.direction import Direction
from twofold.rules.game import Game
from twofold.rules.state import Moved, State
from twofold.rules.variant import Variant
from twofold.threads import has_ended, in_thread
from twofold.ui.shared.pace import Pace, Speedometer
from twofold.ui.shared.rules_form import spawn_words

T = TypeVar("T")

HINT_PLAYER = "default:nodes=200000"
"""The player for hints: some milliseconds on a classic board."""

HINT_SECONDS = 10.0
"""A hint that takes longer is called off."""

MOST_ROWS = 200_000
"""Moves of a watched game whose figures are kept."""


class Playing:
    """A game that someone plays, and what is to be said about it.

    game: the game; what it does not refuse goes on after the target. notice: what happened, in one line, empty after
    an ordinary move. last: the direction of the last move on the board.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.notice = over_notice(game) if game.is_over else ""
        self._begin = time.perf_counter()

    @property
    def last(self) -> Direction | None:
        """The last move that was not undone."""
        return self.game.moved[-1].direction if self.game.moves else None

    @property
    def seconds(self) -> float:
        """Since the game was taken up."""
        return time.perf_counter() - self._begin

    def move(self, direction: Direction) -> Moved | None:
        """Plays a move; None, with a notice, if it can't be made."""
        game, had_won = self.game, self.game.won
        try:
            moved = game.move(direction)
        except GameOver:
            self.notice = "the game is over: undo the last move, or restart"
            return None
        except IllegalMove:
            self.notice = f"{direction.name} moves nothing"
            return None
        told = [win_notice(game)] if game.won and not had_won else []
        if game.is_over:
            told.append(over_notice(game))
        self.notice = " ".join(told)
        return moved

    def undo(self) -> bool:
        """Takes the last move back."""
        done = self.game.undo()
        self.notice = "one move back" if done else "there is no move to undo"
        return done

    def redo(self) -> bool:
        """Plays an undone move again."""
        done = self.game.redo()
        self.notice = "one move forward" if done else "there is no move to redo"
        return done

    def change_spawns(self, place: str | None = None, value: str | None = None) -> bool:
        """Other rules of spawns from here on, None for what stays; False, with a notice, if nothing is to change."""
        try:
            done = self.game.change_spawns(place=place, value=value)
        except InvalidVariant as refusal:
            self.notice = str(refusal)
            return False
        self.notice = f"new tiles from here on: {spawn_words(self.game.state.variant)}"
        return done

    def restart(self, seed: int | None = None) -> None:
        """Begins again, with the same seed or another."""
        self.game.restart(seed)
        self.notice = "a new game"

    def record(self) -> Record:
        """The game as a text to keep."""
        return Record.of(self.game)


def win_notice(game: Game) -> str:
    """What is said when the target is made."""
    end = "" if game.is_over else " You can play on."
    return f"You made {game.variant.target:,}!{end}"


def over_notice(game: Game) -> str:
    """What is said when the game is over."""
    assert game.outcome is not None
    return f"Game over: {game.outcome.reason}."


# One decision


class Cancelled(TwofoldError):
    """The search was called off before it had an answer."""


def ask(
    player: Player | str,
    state: State,
    key: int = 0,
    *,
    seconds: float | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Decision:
    """The decision of a player, thought about in a thread beside the calling one; one named by text is made there too.

    seconds: at most so long, else InvalidLimit. cancelled: asked some 20 times a second; `Cancelled` is raised once it
    says yes. In both cases the player is stopped, if it has a way to be.
    """
    made = [] if isinstance(player, str) else [as_player(player)]
    text = player if isinstance(player, str) else made[0].text

    def think() -> Decision:
        if not made:
            made.append(make_player(player))
        return made[0].decide(state, key)

    def stop() -> None:
        for each in made:
            getattr(each, "stop", lambda: None)()

    watch = Stopwatch()
    decision, legal = _beside(think, stop, text, seconds, cancelled), state.legal_moves()
    if decision.move is not None and decision.move not in legal:
        raise PlayerError(f"{quote(text)} answered {decision.move.name}, which changes nothing")
    return decision if decision.seconds else replace(decision, seconds=watch.seconds)


def made_within(text: str, seconds: float | None, cancelled: Callable[[], bool]) -> Player:
    """The player of a text, made in a thread beside the calling one; limits and refusals as those of `ask`."""
    return _beside(lambda: make_player(text), lambda: None, text, seconds, cancelled)


def _beside(
    work: Callable[[], T],
    stop: Callable[[], None],
    what: str,
    seconds: float | None,
    cancelled: Callable[[], bool],
) -> T:
    end = math.inf if seconds is None else time.monotonic() + seconds
    task = in_thread(work)
    try:
        while not has_ended(task, 0.05):
            late = time.monotonic() > end
            if late or cancelled():
                _insist(stop, task)
                if late:
                    raise InvalidLimit(f"{quote(what)} took longer than {seconds:g} s and was stopped")
                raise Cancelled("the search was cancelled")
    except KeyboardInterrupt:
        _insist(stop, task, 0.0)  # nobody waits for its end
        raise
    return task.result()


def _insist(stop: Callable[[], None], task: Future[T], patience: float = 2.0) -> None:
    """Calls `stop` until a task has ended, and waits for that, `patience` seconds at most.

    Again and again, if need be after the return too: a search that has not begun yet (the first one is compiled before)
    forgets that it was stopped.
    """

    def insist(seconds: float) -> None:
        end = time.monotonic() + seconds
        while not task.done() and time.monotonic() < end:
            stop()
            has_ended(task, 0.02)

    insist(patience)
    if not task.done():
        in_thread(partial(insist, 600.0))


@dataclass(frozen=True, slots=True)
class Hint:
    """A decision, one line in words that says why, and the text of the player that was asked.

    unit: of its values. next_tile: the chance of the next tile in words, empty if nothing knows it. waits: why another
    player answered than the one asked for, in one line, or empty.
    """

    decision: Decision
    reason: str
    player: str
    unit: str = ""
    next_tile: str = ""
    waits: str = ""


def give_hint(
    state: State,
    text: str = HINT_PLAYER,
    key: int = 0,
    *,
    seconds: float | None = HINT_SECONDS,
    cancelled: Callable[[], bool] = lambda: False,
) -> Hint:
    """What a player would do in `state`, and why, in human terms.

    While the network of the default player is being unpacked, the hand-made evaluation answers in its place.
    """
    from twofold.coach.reasons import reason
    from twofold.coach.units import next_tile, unit_of
    from twofold.players.default import meanwhile

    other = meanwhile(text, state.board)
    waits = f"{getting_ready()} Until then the hand-made evaluation answers." if other else ""
    decision = ask(other or text, state, key, seconds=seconds, cancelled=cancelled)
    if decision.move is None:
        return Hint(
            decision,
            "no legal move" if state.is_dead else "the player gives no move",
            other or text,
            waits=waits,
        )
    known = next_tile(state)
    return Hint(
        decision,
        decision.note or reason(state, decision.move, decision.values),
        other or text,
        unit_of(other or text, state.board, decision),
        "" if known is None else str(known),
        waits,
    )


def getting_ready() -> str:
    """Why there is no decision yet: the network is being unpacked, or else a search compiled."""
    told = UNPACKING.text
    return f"{told[:1].upper()}{told[1:]}." if told else "Thinking … (on first use the search is compiled)"


# A watched game


@dataclass(frozen=True, slots=True)
class Row:
    """The figures of one move. moves: its number, from 1; seconds, nodes, hits: of this move; tile: the largest."""

    moves: int
    move: str
    score: int
    tile: int
    value: float | None
    depth: int
    nodes: int
    hits: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Shot:
    """A watched game at one moment; nodes, hits and seconds are sums over the game."""

    state: State
    moved: Moved | None = None
    decision: Decision | None = None
    nodes: int = 0
    hits: int = 0
    seconds: float = 0.0


class Watching:
    """A game that a player plays in a thread of its own. Attributes are read, methods called, from any thread.

    shot: where the game stands. rows: the figures of the moves so far. tiles: face value -> moves made when it first
    lay there. failure: the refusal that ended the game, if one did.
    """

    def __init__(
        self,
        player: Player | str,
        variant: Variant,
        seed: int,
        pace: Pace,
        *,
        index: int = 0,
        stop_at_target: bool = False,
        seconds: float | None = None,
        on_move: Callable[[Shot], None] = lambda _: None,
        at_start: Callable[[], None] = lambda: None,
        at_end: Callable[[], None] = lambda: None,
    ) -> None:
        """`seconds`: the longest that one move may be thought about.

        `at_start`, `on_move`, and `at_end` when it is over, are called in the playing thread.
        """
        self._player = player
        self.text = player if isinstance(player, str) else player.text
        self.variant = variant
        self.seed = seed
        self.pace = pace
        self.rows: list[Row] = []
        self.tiles: dict[int, int] = {}
        self.failure: TwofoldError | None = None
        self.game: Game | None = None
        self.shot: Shot | None = None
        self.is_over = False
        self._index, self._stop_at_target, self._seconds = index, stop_at_target, seconds
        self._on_move, self._at_start, self._at_end = on_move, at_start, at_end
        self._speedometer = Speedometer()
        self._before: Watching | None = None
        self._task: Future[None] | None = None

    def start(self) -> None:
        """Begins; the player is made (and compiled, the first time) in the playing thread."""
        self._task = in_thread(self._run)

    def close(self) -> None:
        """Ends the game and whatever is being thought about; returns at once."""
        self.pace.stop()

    def join(self, timeout: float | None = None) -> None:
        """Waits for the end of the playing thread; Ctrl-C ends the wait at once, on every system."""
        end = math.inf if timeout is None else time.monotonic() + timeout
        while self._task is not None and not has_ended(self._task, min(0.1, end - time.monotonic())):
            if time.monotonic() >= end:
                return

    @property
    def is_alive(self) -> bool:
        """True while the playing thread runs."""
        return self._task is not None and not self._task.done()

    @property
    def rate(self) -> float:
        """Moves per second over the last two seconds, as seen by whoever asks regularly."""
        return self._speedometer.rate(self.shot.state.moves if self.shot else 0)

    def resumed(self, pace: Pace, at_end: Callable[[], None] | None = None) -> Watching:
        """The same game and its figures, to be started from where this one was closed; at_end: in place of its own.

        Its first move waits until this one's thread has ended.
        """
        other = Watching(
            self._player,
            self.variant,
            self.seed,
            pace,
            index=self._index,
            stop_at_target=self._stop_at_target,
            seconds=self._seconds,
            on_move=self._on_move,
            at_start=self._at_start,
            at_end=at_end or self._at_end,
        )
        other._before, other.game, other.shot = self, self.game, self.shot
        other.rows, other.tiles = self.rows, self.tiles
        return other

    def record(self) -> Record:
        """The game so far as a text to keep."""
        moves = letters(self.game.history) if self.game is not None else ""
        return Record(str(self.variant), self.seed, moves, index=self._index)

    def result(self) -> GameResult | None:
        """The game as it stands; None before it has begun."""
        game, shot = self.game, self.shot
        if game is None or shot is None:
            return None
        return result_of(game, self.text, shot.seconds, shot.nodes, self.tiles)

    def _run(self) -> None:
        self._at_start()
        try:
            if self._before is not None:
                self._before.join()
                # What it did between being closed and its end counts too.
                self.game, self.shot, self._before = self._before.game, self._before.shot, None
            player = self._player
            if isinstance(player, str):
                player = made_within(player, self._seconds, lambda: self.pace.stopped)
            game = self.game
            if game is None:
                game = self.game = new_game(
                    self.variant, self.seed, index=self._index, stop_at_target=self._stop_at_target
                )
            if self.shot is None:
                self._see(Shot(game.state))
            while not game.is_over and self.pace.wait():
                decision = ask(
                    player,
                    game.state,
                    move_key(game),
                    seconds=self._seconds,
                    cancelled=lambda: self.pace.stopped,
                )
                if decision.move is None or self.pace.stopped:
                    break
                self._count(game.move(decision.move), decision)
        except Cancelled:
            pass
        except TwofoldError as error:
            self.failure = error
        except Exception as error:  # a fault in a player must not leave a front end waiting
            self.failure = PlayerError(f"{quote(self.text)} failed: {type(error).__name__}")
            self.failure.__cause__ = error
        self.is_over = True
        self._at_end()

    def _count(self, moved: Moved, decision: Decision) -> None:
        shot, state = self.shot, moved.state
        assert shot is not None
        if len(self.rows) < MOST_ROWS:
            self.rows.append(
                Row(
                    state.moves,
                    moved.direction.letter,
                    state.score,
                    state.board.max_tile,
                    decision.value,
                    decision.depth,
                    decision.nodes,
                    decision.table_hits,
                    decision.seconds,
                )
            )
        self._see(
            Shot(
                state,
                moved,
                decision,
                shot.nodes + decision.nodes,
                shot.hits + decision.table_hits,
                shot.seconds + decision.seconds,
            )
        )

    def _see(self, shot: Shot) -> None:
        for rank in set(shot.state.board.tile_ranks):
            self.tiles.setdefault(face_value(rank), shot.state.moves)
        self.shot = shot
        self._on_move(shot)


def rows_csv(rows: list[Row]) -> str:
    """The figures of a game as CSV with a header."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(Row.__slots__)
    for row in list(rows):
        writer.writerow(
            "" if (cell := getattr(row, name)) is None else f"{cell:.6f}" if name == "seconds" else cell
            for name in Row.__slots__
        )
    return buffer.getvalue()
