"""The screen Watch: a player at work, with its figures and charts."""

from __future__ import annotations

import math

from textual import events
from textual.app import ComposeResult

from twofold.ui.shared.facts import watch_panel
from twofold.ui.shared.frame import value_text
from twofold.ui.shared.keys import WATCH_ACTIONS, Action
from twofold.ui.shared.pace import Pace
from twofold.ui.shared.rules_form import fresh_seed
from twofold.ui.shared.session import Row, Shot, Watching, getting_ready
from twofold.ui.terminal.choose_player import ChoosePlayer, WatchedGame
from twofold.ui.terminal.room import Room
from twofold.ui.terminal.views import POINTS, Chart, GameView, key_name

FRAME = 1 / 20
"""Seconds between two looks at the game."""

_CHART_EVERY = 5  # frames


class Watch(Room):
    """One watched game after another. Leaving the room pauses the game and ends the search."""

    def __init__(self, chosen: WatchedGame, speed: float | None) -> None:
        super().__init__("watch")
        self.watching: Watching | None = None
        self.view = GameView()
        self.score, self.value = Chart("score"), Chart("value")
        self._chosen_game, self._speed = chosen, speed
        self._frames = 0
        self._seen: tuple[object, ...] = ()
        self._rate = 0.0

    def compose(self) -> ComposeResult:
        """Board, charts, what happened, keys."""
        yield self.view
        yield self.score
        yield self.value
        yield self._notice
        yield self._help

    def on_mount(self) -> None:
        """Look at the game regularly, while the room is shown."""
        self._timer = self.set_interval(FRAME, self._tick, pause=True)

    def main(self) -> GameView:
        """The board."""
        return self.view

    @property
    def heading(self) -> str:
        """Player and seed."""
        watching = self.watching
        return self._chosen_game.player if watching is None else f"{watching.text}  seed {watching.seed}"

    # Beginning and ending

    def enter(self) -> None:
        """Begins the first game, or goes on with the one that was left."""
        super().enter()
        if self.watching is None:
            self.begin(self._chosen_game)
        elif self.watching.pace.stopped and not self._has_ended(self.watching):
            self._watch(self.watching.resumed(Pace(self.watching.pace.speed, paused=True)))
        self._timer.resume()

    def leave(self) -> None:
        """The player stops thinking."""
        super().leave()
        if self.watching is not None:
            self.watching.close()
        if self.is_mounted:
            self._timer.pause()

    def begin(self, chosen: WatchedGame) -> None:
        """Watch another game."""
        pace = Pace(self._speed if self.watching is None else self.watching.pace.speed)
        if self.watching is not None:
            self.watching.close()
        self._chosen_game = chosen
        seed = fresh_seed() if chosen.seed is None else chosen.seed
        self._watch(Watching(chosen.player, chosen.variant, seed, pace, stop_at_target=chosen.stop_at_target))

    def _watch(self, watching: Watching) -> None:
        self.watching = watching
        self._seen = ()
        watching.start()

    @staticmethod
    def _has_ended(watching: Watching) -> bool:
        game = watching.game
        return watching.failure is not None or (game is not None and game.is_over)

    # Keys

    def on_key(self, event: events.Key) -> None:
        """The keys of `twofold play`, and those for another player, analysis and playing on."""
        key = key_name(event)
        watching = self.watching
        if key == "c":
            self.app.push_screen(ChoosePlayer(self._chosen_game), self._chosen)
        elif watching is None:
            return
        elif key == "v" and watching.shot is not None:
            self.post_message(self.Analyse(watching.shot.state))
        elif key == "b" and watching.shot is not None:
            self.post_message(self.TakeOver(watching.record()))
        elif key == "e" and watching.shot is not None and watching.shot.state.moves:
            self.post_message(self.Review(watching.record()))
        elif not self._act(WATCH_ACTIONS.get(key, Action.QUIT), watching.pace):
            return
        event.stop()

    def _act(self, action: Action, pace: Pace) -> bool:
        does = {
            Action.PAUSE: pace.toggle,
            Action.STEP: pace.step,
            Action.FASTER: pace.faster,
            Action.SLOWER: pace.slower,
        }
        if action not in does:
            return False
        does[action]()
        self._tick()
        return True

    def _chosen(self, chosen: WatchedGame | None) -> None:
        if chosen is not None:
            self.begin(chosen)

    # What is seen

    def _tick(self) -> None:
        watching = self.watching
        if watching is None:
            return
        shot, pace = watching.shot, watching.pace
        self._frames += 1
        if self._frames % _CHART_EVERY == 1:
            self._rate = watching.rate
        seen = (shot, pace.paused, pace.speed, watching.is_over, f"{self._rate:.1f}")
        if seen == self._seen:
            return
        if shot is not None:
            last = shot.moved.direction if shot.moved is not None else None
            panel = watch_panel(shot.state, last, shot.decision, shot.seconds, self._rate, self.view.look)
            self.view.show(shot.state.board, panel)
        if self._frames % _CHART_EVERY == 1 or watching.is_over or pace.paused:
            self._draw_charts(watching.rows)
            self._seen = seen
        self.tell(_notice(watching, shot))
        speed = "no limit" if pace.speed is None else f"{pace.speed:g}/s"
        self.tell_keys(
            f"space {'go on' if pace.paused else 'pause'}  n step  + - {speed}  c choose  v analyse"
            "  b play on  e review  q quit"
        )

    def _draw_charts(self, rows: list[Row]) -> None:
        if not rows:
            return
        # Thinned out first, which copies: the playing thread goes on adding rows.
        some = [*rows[:: max(1, len(rows) // POINTS)], rows[-1]]
        values = [row.value for row in some if row.value is not None and math.isfinite(row.value)]
        self.score.show([row.score for row in some], f"{some[-1].score:,}")
        self.value.show(values, value_text(values[-1]) if values else "")

    def on_resize(self) -> None:
        """Where there is room, the charts are several lines high."""
        lines = min(4, max(1, (self.size.height - 20) // 4))
        self.score.styles.height = self.value.styles.height = lines
        self._seen = ()


def _notice(watching: Watching, shot: Shot | None) -> str:
    if watching.failure is not None:
        return str(watching.failure)
    if shot is None or shot.decision is None:
        return "Paused." if watching.pace.paused else getting_ready()
    told = [f"{shot.state.variant.target:,} made."] if shot.state.won else []
    tiles = [f"{tile:,} at {moves:,}" for tile, moves in sorted(watching.tiles.items()) if tile >= 256]
    if watching.game is not None and watching.game.is_over:
        told.append("The game is over.")
    elif watching.pace.paused:
        told.append("Paused.")
    if tiles:
        told.append("Tiles: " + ", ".join(tiles[-4:]))
    return " ".join(told)
