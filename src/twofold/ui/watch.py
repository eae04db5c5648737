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

from twofold.players.base import Decision, Player
from twofold.players.play import GameResult, StopGame, play_game
from twofold.rules.game import Ended, Event, Moved
from twofold.rules.variant import Variant
from twofold.ui.keys import WATCH_ACTIONS, Action, Keyboard
from twofold.ui.pace import Pace
from twofold.ui.screen import Screen, Snapshot, suspendable

FRAMES_PER_SECOND = 30
_PATIENCE = 2.0  # seconds that a player gets to end its search after `q`


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


def watch_game(
    player: Player | str,
    variant: Variant,
    seed: int,
    screen: Screen,
    *,
    stop_at_target: bool = False,
    speed: float | None = None,
) -> GameResult | None:
    """Plays and shows one game; `None` if it was quit in the middle of a search that took too long to end."""
    watch = Watch(speed)
    results: list[GameResult] = []

    def play() -> None:
        results.append(play_game(player, variant, seed, 0, stop_at_target, watch.on_event))

    def draw() -> None:
        shot = watch.picture()
        if shot is not None:
            screen.show_watch(shot, paused=watch.pace.paused, speed=watch.pace.speed)

    watch_work(play, draw, watch.pace, screen)
    return results[0] if results else None


def watch_work(work: Callable[[], None], draw: Callable[[], None], pace: Pace, screen: Screen) -> None:
    """Runs `work` in a thread of its own, draws meanwhile and hears keys, until it ends or the pace is stopped.

    Raises what `work` raises. It should wait by `pace`, and end soon when that says so.
    """
    failures: list[BaseException] = []

    def guarded_work() -> None:
        try:
            work()
        except BaseException as error:  # the main thread raises it
            failures.append(error)

    thread = threading.Thread(target=guarded_work, daemon=True)
    keyboard = Keyboard() if sys.stdin is not None and sys.stdin.isatty() else None
    with suspendable(keyboard, screen):
        thread.start()
        while thread.is_alive() and not pace.stopped:
            draw()
            _hear(pace, keyboard, thread)
        thread.join(_PATIENCE)
        draw()
    if failures:
        raise failures[0]


def _hear(pace: Pace, keyboard: Keyboard | None, thread: threading.Thread) -> None:
    """Waits for one frame, acting on keys meanwhile."""
    end = time.monotonic() + 1 / FRAMES_PER_SECOND
    while (left := end - time.monotonic()) > 0 and thread.is_alive():
        if keyboard is None:
            thread.join(left)
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
