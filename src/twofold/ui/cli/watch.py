"""A watched game or run on the terminal: it goes on in a thread of its own, the main thread draws and hears keys.

So the picture never waits for a search, and a search never waits for the picture: compiled kernels release the
interpreter lock.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from concurrent.futures import Future

from twofold.matches.play import GameResult
from twofold.players.base import Player
from twofold.records.record import Record
from twofold.rules.variant import Variant
from twofold.threads import has_ended, in_thread
from twofold.ui.cli.output import PATIENCE, Interrupted
from twofold.ui.cli.screen import Screen, suspendable
from twofold.ui.shared.keys import WATCH_ACTIONS, Action, Keyboard
from twofold.ui.shared.pace import Pace
from twofold.ui.shared.session import Shot, Watching, getting_ready

FRAMES_PER_SECOND = 30

_LOADING = 0.7
"""Seconds before the first move after which the reason for the wait is told."""


def watch_game(
    player: Player | str,
    variant: Variant,
    seed: int,
    screen: Screen,
    *,
    index: int = 0,
    moves: int | None = None,
    stop_at_target: bool = False,
    speed: float | None = None,
    keep: Callable[[Record], None] = lambda _: None,
) -> GameResult | None:
    """Plays and shows one game, to its end or as far as it came; `None` if it was quit before it had begun.

    index: number of the game in its run. moves: after how many it is stopped. keep: is given the record at the end.
    Ctrl-C raises `Interrupted` with the result so far.
    """
    pace = Pace(speed)

    def count(shot: Shot) -> None:
        if shot.state.moves == moves:
            pace.stop()

    watching = Watching(
        player, variant, seed, pace, index=index, stop_at_target=stop_at_target, on_move=count
    )
    begin = time.monotonic()

    def play() -> None:
        watching.start()
        watching.join()
        if watching.failure is not None:
            raise watching.failure

    def draw() -> None:
        if watching.shot is not None:
            screen.show_watch(watching, _notice(watching, time.monotonic() - begin))

    try:
        watch_work(play, draw, watching.pace, screen)
    except KeyboardInterrupt:
        raise Interrupted(watching.result()) from None
    finally:
        keep(watching.record())
    return watching.result()


def _notice(watching: Watching, seconds: float) -> str:
    shot = watching.shot
    if shot is None or shot.decision is None:
        return getting_ready() if seconds > _LOADING else ""
    if not shot.state.won:
        return ""
    target = shot.state.variant.target
    moves = watching.tiles.get(target)
    return f"{target:,} made at move {moves:,}." if moves else f"{target:,} made."


def watch_work(work: Callable[[], None], draw: Callable[[], None], pace: Pace, screen: Screen) -> None:
    """Runs `work` in a thread of its own, draws meanwhile and hears keys, until it ends or the pace is stopped.

    Raises what `work` raises, and KeyboardInterrupt after Ctrl-C, once the work has ended. It should wait by `pace`,
    and end soon when that says so.
    """
    keyboard = Keyboard() if sys.stdin is not None and sys.stdin.isatty() else None
    interrupted = False
    with suspendable(keyboard, screen):
        task = in_thread(work)
        try:
            while not (task.done() or pace.stopped):
                draw()
                _hear(pace, keyboard, task)
        except KeyboardInterrupt:
            interrupted = True
            pace.stop()
        ended = has_ended(task, PATIENCE)
        draw()
    if ended:
        task.result()
    if interrupted:
        raise KeyboardInterrupt


def _hear(pace: Pace, keyboard: Keyboard | None, task: Future[None]) -> None:
    """Waits for one frame, acting on keys meanwhile."""
    end = time.monotonic() + 1 / FRAMES_PER_SECOND
    while (left := end - time.monotonic()) > 0 and not task.done():
        if keyboard is None:
            has_ended(task, left)
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
