"""A player's game shown live: the game runs in a thread of its own, the main thread draws and hears keys.

So the picture never waits for a search, and a search never waits for the picture: compiled kernels release the
interpreter lock.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace

from twofold.matches.play import GameResult, StopGame, play_game
from twofold.players.base import Decision, Player
from twofold.rules.game import Ended, Event, Moved
from twofold.rules.variant import Variant
from twofold.ui.cli.output import PATIENCE, Interrupted
from twofold.ui.cli.screen import Screen, Snapshot, suspendable
from twofold.ui.shared.keys import WATCH_ACTIONS, Action, Keyboard
from twofold.ui.shared.pace import Pace

FRAMES_PER_SECOND = 30


class Watch:
    """One watched game: what the playing thread last did, and what the keys ask it to do."""

    def __init__(self, speed: float | None) -> None:
        """`speed`: moves per second at most, `None` for as fast as the player thinks."""
        self.pace = Pace(speed)
        self.shot: Snapshot | None = None
        self._begin = time.monotonic()

    # In the playing thread

    def on_event(self, event: Event, decision: Decision | None) -> None:
        """Keeps what happened, then waits as long as speed and pause ask for."""
        if isinstance(event, Ended):
            return
        shot = self.shot or Snapshot(event.state)
        if isinstance(event, Moved) and decision is not None:
            notice = shot.notice
            if event.state.won and not event.before.won:
                target = event.state.variant.target
                notice = f"{target:,} made at move {event.state.moves:,}."
            shot = Snapshot(
                event.state,
                event.direction,
                decision,
                shot.nodes + decision.nodes,
                shot.seconds + decision.seconds,
                notice,
            )
        self.shot = shot
        if not self.pace.wait():
            raise StopGame

    # In the main thread

    def picture(self) -> Snapshot | None:
        """What to draw now; `None` before the game has begun."""
        shot = self.shot
        if shot is not None and shot.decision is None and time.monotonic() > self._begin + 0.7:
            return replace(
                shot, notice="Getting ready: the first time, the search is compiled for this machine."
            )
        return shot

    def so_far(self, player: Player | str, seed: int) -> GameResult | None:
        """The game as it was last seen, for a player that is in the middle of a long search."""
        shot = self.shot
        if shot is None:
            return None
        state = shot.state
        return GameResult(
            player=player if isinstance(player, str) else player.text,
            variant=str(state.variant),
            seed=seed,
            index=0,
            score=state.score,
            max_tile=state.board.max_tile,
            moves=state.moves,
            seconds=shot.seconds,
            nodes=shot.nodes,
            won=state.won,
            reason="stopped in the middle of a move",
            board=state.board,
            tile_moves=(),
        )


def watch_game(
    player: Player | str,
    variant: Variant,
    seed: int,
    screen: Screen,
    *,
    stop_at_target: bool = False,
    speed: float | None = None,
) -> GameResult | None:
    """Plays and shows one game, to its end or as far as it came; `None` if it was quit before it had begun.

    Ctrl-C raises `Interrupted` with the result so far.
    """
    watch = Watch(speed)
    results: list[GameResult] = []

    def play() -> None:
        results.append(play_game(player, variant, seed, 0, stop_at_target, watch.on_event))

    def draw() -> None:
        shot = watch.picture()
        if shot is not None:
            screen.show_watch(shot, paused=watch.pace.paused, speed=watch.pace.speed)

    try:
        watch_work(play, draw, watch.pace, screen)
    except KeyboardInterrupt:
        raise Interrupted(results[0] if results else watch.so_far(player, seed)) from None
    return results[0] if results else watch.so_far(player, seed)


def watch_work(work: Callable[[], None], draw: Callable[[], None], pace: Pace, screen: Screen) -> None:
    """Runs `work` in a thread of its own, draws meanwhile and hears keys, until it ends or the pace is stopped.

    Raises what `work` raises, and KeyboardInterrupt after Ctrl-C, once the work has ended. It should wait by `pace`,
    and end soon when that says so.
    """
    failures: list[BaseException] = []

    def guarded_work() -> None:
        try:
            work()
        except BaseException as error:  # the main thread raises it
            failures.append(error)
        done.set()

    done = threading.Event()  # not `Thread.join`, see `output.run_interruptibly`
    keyboard = Keyboard() if sys.stdin is not None and sys.stdin.isatty() else None
    interrupted = False
    with suspendable(keyboard, screen):
        threading.Thread(target=guarded_work, daemon=True).start()
        try:
            while not (done.is_set() or pace.stopped):
                draw()
                _hear(pace, keyboard, done)
        except KeyboardInterrupt:
            interrupted = True
            pace.stop()
        done.wait(PATIENCE)
        draw()
    if failures:
        raise failures[0]
    if interrupted:
        raise KeyboardInterrupt


def _hear(pace: Pace, keyboard: Keyboard | None, done: threading.Event) -> None:
    """Waits for one frame, acting on keys meanwhile."""
    end = time.monotonic() + 1 / FRAMES_PER_SECOND
    while (left := end - time.monotonic()) > 0 and not done.is_set():
        if keyboard is None:
            done.wait(left)
            continue
        key = keyboard.read(left)
        if key in WATCH_ACTIONS:
            _act(WATCH_ACTIONS[key], pace)
        elif key is not None and key not in WATCH_ACTIONS:
            time.sleep(0.01)  # also where the input has ended, which would give keys without end


def _act(action: Action, pace: Pace) -> None:
    """Does what a key asks for."""
    does = {
        Action.QUIT: pace.stop,
        Action.PAUSE: pace.toggle,
        Action.STEP: pace.step,
        Action.FASTER: pace.faster,
        Action.SLOWER: pace.slower,
    }
    if action in does:
        does[action]()
