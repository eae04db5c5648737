"""How fast a watched game goes: speed, pause, single steps, and how fast it really went.

The game is played in a thread of its own, which asks `Pace.wait` before each move; any other thread changes the pace.
"""

from __future__ import annotations

import threading
import time

SPEEDS = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0)
"""Moves per second that `faster` and `slower` step through; beyond the last there is no limit."""


class Pace:
    """The pace of one or several games; all methods may be called from any thread."""

    def __init__(self, speed: float | None = None, *, paused: bool = False) -> None:
        """`speed`: moves per second at most, `None` for as fast as the player thinks."""
        self._speed = speed
        self._paused = paused
        self._steps = 0
        self._stopped = self._waiting = False
        self._change = threading.Condition()
        self._next_move = 0.0

    @property
    def speed(self) -> float | None:
        """Moves per second at most, or None."""
        return self._speed

    @property
    def paused(self) -> bool:
        """True while the game waits for `resume` or `step`."""
        return self._paused

    @property
    def waiting(self) -> bool:
        """True while the game's thread waits in a pause: no move is being thought about."""
        return self._waiting

    @property
    def stopped(self) -> bool:
        """True once `stop` was called."""
        return self._stopped

    def wait(self) -> bool:
        """Waits until the next move is due; False if the game is to end instead."""
        with self._change:
            while not self._stopped:
                self._waiting = self._paused and not self._steps
                if self._waiting:
                    self._change.wait()
                    continue
                if self._paused:
                    self._steps -= 1
                    return True
                left = self._next_move - time.monotonic()
                if self._speed is None or left <= 0:
                    break
                self._change.wait(left)
            if self._stopped:
                return False
            if self._speed is not None:
                # Counted from the planned time, so that a slow move is made up for, within one interval.
                now = time.monotonic()
                self._next_move = max(self._next_move, now - 1 / self._speed) + 1 / self._speed
            return True

    def set_speed(self, speed: float | None) -> None:
        """Moves per second at most from now on, None for no limit."""
        self._alter(speed=speed)

    def faster(self) -> None:
        """One step up in `SPEEDS`."""
        self.set_speed(next((s for s in SPEEDS if self._speed is not None and s > self._speed), None))

    def slower(self) -> None:
        """One step down in `SPEEDS`."""
        slower = [s for s in SPEEDS if self._speed is None or s < self._speed]
        self.set_speed(slower[-1] if slower else self._speed)

    def pause(self) -> None:
        """No more moves, but by `step`."""
        self._alter(paused=True)

    def resume(self) -> None:
        """Go on after a pause."""
        self._alter(paused=False)

    def toggle(self) -> None:
        """Pause, or go on."""
        self._alter(paused=not self._paused)

    def step(self) -> None:
        """One move, then pause."""
        self._alter(paused=True, steps=1)

    def stop(self) -> None:
        """End for good."""
        self._alter(stopped=True)

    def _alter(self, steps: int = 0, **changes: float | bool | None) -> None:
        with self._change:
            for name, value in changes.items():
                setattr(self, f"_{name}", value)
            self._steps = self._steps + steps if self._paused else 0
            self._next_move = 0.0
            self._change.notify_all()


class Speedometer:
    """Moves per second over the last two seconds."""

    def __init__(self) -> None:
        self._marks: list[tuple[float, int]] = []

    def rate(self, moves: int) -> float:
        """The rate when `moves` moves have been made by now."""
        now = time.monotonic()
        self._marks.append((now, moves))
        while len(self._marks) > 2 and self._marks[0][0] < now - 2:
            self._marks.pop(0)
        (begin, first), (end, last) = self._marks[0], self._marks[-1]
        return max(0.0, (last - first) / (end - begin)) if end > begin else 0.0
