"""The page Watch: one player, or two side by side on the same seed, with their figures as they think."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, replace
from urllib.parse import urlencode
from weakref import WeakSet

from nicegui import ui

from twofold.errors import InvalidLimit, InvalidParameter
from twofold.players.base import Decision
from twofold.players.defaults import DEFAULT_PLAYER
from twofold.rules.direction import DIRECTIONS
from twofold.rules.state import State
from twofold.rules.variant import Variant
from twofold.ui.shared.frame import value_text
from twofold.ui.shared.pace import SPEEDS, Pace
from twofold.ui.shared.rules_form import fresh_seed
from twofold.ui.shared.session import Row, Shot, Watching, getting_ready, rows_csv
from twofold.ui.web.analyse import analyse_address
from twofold.ui.web.components import BoardView, ChartView, Field
from twofold.ui.web.layout import Work, button, page_head, paragraph, set_text, step_back, told
from twofold.ui.web.limits import LIMITS, MEMORY, checked_text, checked_variant, memory_of
from twofold.ui.web.player_form import PlayerForm


@dataclass(frozen=True, slots=True)
class Kept:
    """A page as it was left: its fields, and its games, which are over or were closed."""

    fields: tuple[str, ...]
    games: tuple[Watching, ...]


FRAME = 1 / 60
"""Seconds between two looks at the game: what is played faster is shown in part."""

FIGURES = 0.25
"""Seconds between two updates of the figures."""

_FAST = "fast"
_RATE = "moves/s by clock"

_watched: WeakSet[Watching] = WeakSet()
"""The games of all visitors, as long as anyone keeps them."""

_KEPT_PAGES = 12
_PATIENCE = 10
_kept: OrderedDict[str, Kept] = OrderedDict()
"""What the pages that were left last showed, by a name that only their own tab knows."""

_NAME_OF_TAB = """(() => {
  try { return sessionStorage["twofold.watch"] ??= %s; } catch { return %s; }
})()"""


@ui.page("/watch")
async def watch_page(rules: str = "") -> None:
    """The page; it goes on from where this tab left it, paused, unless `rules` come with the address."""
    page_head("/watch")
    page = WatchPage(rules[: LIMITS.text])
    await ui.context.client.connected()
    await told(page.come_back)()


def watch_address(state: State) -> str:
    """The page's address with a position that a player is to go on from."""
    return f"/watch?{urlencode({'rules': str(replace(state.variant, start=state.board))})}"


class PlayerPanel:
    """One player at a board: its game, and what is shown of it."""

    def __init__(self, title: str) -> None:
        self.watching: Watching | None = None
        self._moves = self._rows = -1
        with ui.element("div").style(
            "min-width: 0; display: flex; flex-direction: column; gap: 0.5rem"
        ) as self.box:
            self.title = paragraph("Press Start.", "tf-small mono")
            self.board = BoardView(title, room=240)
            self.notice = paragraph("", "tf-small")
            self.notice.props["role"] = "status"
            with ui.element("dl").classes("tf-facts-list"):
                names = (
                    "score",
                    "moves",
                    _RATE,
                    "depth",
                    "positions",
                    "table hits",
                    "ms per move",
                    "best tile",
                )
                self.facts = {name: _fact(name) for name in names}
            self.values = paragraph("", "tf-small mono")
            self.values.props["title"] = "the player's value of each move"
            self.chart = ChartView("Score and value over the moves", ["score", "value"])
            self.tiles = paragraph("", "tf-small")

    def watch(self, watching: Watching, *, start: bool = True) -> None:
        """Show another game; start: whether it goes on."""
        self.leave()
        self.watching = watching
        _watched.add(watching)
        self._moves = self._rows = -1
        self.chart.empty()
        set_text(self.title, watching.text)
        set_text(self.notice, getting_ready())
        if start:
            watching.start()

    def leave(self) -> None:
        """End the game."""
        if self.watching is not None:
            self.watching.close()

    def draw(self, speed: float | None) -> None:
        """The board, if a move was made since."""
        watching = self.watching
        shot = watching.shot if watching is not None else None
        if shot is None or shot.state.moves == self._moves:
            return
        single = shot.moved if shot.state.moves == self._moves + 1 else None
        self._moves = shot.state.moves
        self.board.show(shot.state.board, single, _milliseconds(speed))

    def figure(self) -> None:
        """The figures, and the points of the chart that are new."""
        watching = self.watching
        if watching is None or watching.shot is None:
            if watching is not None:
                set_text(self.notice, str(watching.failure or getting_ready()))
            return
        shot = watching.shot
        for name, text in figures(shot, watching.rate).items():
            set_text(self.facts[name], text)
        if watching.is_over:  # the last decision was about a board that is gone
            set_text(self.facts[_RATE], "–")
            set_text(self.values, "")
        elif shot.decision is not None:
            set_text(self.values, values_line(shot.decision))
        rows = watching.rows
        begin = max(self._rows, 0)
        if len(rows) > begin:
            self.chart.add(points(rows[begin:]))
            self._rows = len(rows)
        best = [f"{tile:,} after {moves:,}" for tile, moves in sorted(watching.tiles.items()) if tile >= 128]
        set_text(self.tiles, ("Tiles made: " + ", ".join(best)) if best else "")
        set_text(self.notice, self._notice(watching, shot))

    @staticmethod
    def _notice(watching: Watching, shot: Shot) -> str:
        if watching.failure is not None:
            return str(watching.failure)
        if shot.decision is None and not (watching.is_over or watching.pace.paused):
            return getting_ready()
        made = f"{shot.state.variant.target:,} made. " if shot.state.won else ""
        if watching.is_over:
            return f"{made}The game is over after {shot.state.moves:,} moves."
        return made + ("Paused." if watching.pace.paused else "")


def _fact(name: str) -> ui.element:
    with ui.element("div"):
        paragraph(name, tag="dt")
        return paragraph("–", tag="dd")


def _milliseconds(speed: float | None) -> int:
    """How long a slide is animated: a part of the time until the next move."""
    return 0 if speed is None or speed > 15 else int(min(110, 500 / speed))


def figures(shot: Shot, rate: float) -> dict[str, str]:
    """The figures of a game as texts."""
    state, decision = shot.state, shot.decision or Decision(None)
    return {
        "score": f"{state.score:,}",
        "moves": f"{state.moves:,}",
        _RATE: f"{rate:,.1f}",
        "depth": f"{decision.depth:,}",
        "positions": f"{decision.nodes:,}",
        "table hits": f"{decision.table_hits:,}",
        "ms per move": f"{1000 * shot.seconds / state.moves:,.2f}" if state.moves else "–",
        "best tile": f"{state.board.max_tile:,}",
    }


def values_line(decision: Decision) -> str:
    """The values of the four moves on one line."""
    pairs = zip(DIRECTIONS, decision.values, strict=True)
    return "values:  " + "  ".join(f"{direction.arrow} {value_text(value)}" for direction, value in pairs)


def points(rows: list[Row], most: int = 400) -> list[list[float | None]]:
    """Points of the chart, thinned out if there are many: moves, score, value."""
    step = max(1, len(rows) // most)
    return [[row.moves, row.score, row.value] for row in rows[::step]]


class WatchPage:
    """What one visitor watches."""

    def __init__(self, rules: str = "") -> None:
        self.work = Work()
        self._given = rules
        self._tab = ""
        self.panels: list[PlayerPanel] = []
        self._ticks = 0
        with ui.element("div").classes("tf-columns"):
            with ui.element("div").classes("tf-left"):
                with ui.element("div").classes("tf-panel"):
                    self._controls()
                with ui.element("div").classes("tf-panel settings"):
                    self._settings()
            self.stage = ui.element("div").classes("tf-columns even")
        self.work.at_end(self._keep)
        self._lay_out(1)
        self.panels[0].board.show(Variant().start)
        self.timer = ui.timer(FRAME, self._tick, active=False)

    def _controls(self) -> None:
        paragraph("Watch", tag="h1")
        with ui.element("div").classes("tf-buttons"):
            button("Start", told(self._start), primary=True)
            self.pause = button("Pause", self._toggle)
            button("Step", self._step)
            button("Slower", lambda: self._nudge(faster=False))
            button("Faster", lambda: self._nudge(faster=True))
            button("CSV", told(self._csv))
            button("Play on by hand", told(lambda: self._take("/")))
            button("Analyse", told(lambda: self._take("/analyse")))
            button("Review", told(lambda: self._take("/review")))

    def _settings(self) -> None:
        self.player = PlayerForm("Player", DEFAULT_PLAYER)
        self.second = PlayerForm("Second player, on the same seed", "", optional=True)
        with ui.element("div").classes("tf-fields"):
            self.rules = Field("Rules", self._given or "4x4", note="4x4;p4=0.2;target=512 …")
            self.seed = Field(
                "Seed", "", note="Leave empty for a random game", inputmode="numeric", maxlength=20
            )
            self.stop = Field("End at the target", "", "checkbox")
            speeds = [(f"{speed:g}", f"{speed:g} moves/s") for speed in SPEEDS]
            self.speed = Field(
                "Speed",
                "5",
                "select",
                options=[*speeds, (_FAST, "as fast as possible")],
                on_text=self._set_speed,
            )

    def _lay_out(self, number: int) -> None:
        self.stage.clear()
        with self.stage:
            self.panels = [PlayerPanel("board" if number == 1 else f"board {i + 1}") for i in range(number)]

    # What the buttons do

    def _start(self) -> None:
        texts = [self.player.checked()]
        if self.second.is_filled:
            texts.append(self.second.checked())
        variant = checked_variant(Variant.parse(checked_text(self.rules.text.strip() or "4x4", "the rules")))
        seed = checked_seed(self.seed.text)
        self._leave()
        if sum(watching.is_alive for watching in list(_watched)) + len(texts) > LIMITS.watched:
            raise InvalidLimit("the server is busy with other games: try again in a moment")
        if len(self.panels) != len(texts):
            self._lay_out(len(texts))
        set_text(self.pause, "Pause")
        self.timer.active = True
        for panel, text in zip(self.panels, texts, strict=True):
            panel.watch(
                Watching(
                    text,
                    variant,
                    seed,
                    Pace(self._chosen_speed()),  # one for each: steps and waits are counted per game
                    stop_at_target=self.stop.text == "1",
                    seconds=LIMITS.hint,
                    at_start=step_back,
                    at_end=MEMORY.take(memory_of(text)),
                )
            )

    def _paces(self) -> list[Pace]:
        return [panel.watching.pace for panel in self.panels if panel.watching is not None]

    def _chosen_speed(self) -> float | None:
        text = self.speed.text
        return None if text == _FAST else next((s for s in SPEEDS if f"{s:g}" == text), 5.0)

    def _set_speed(self) -> None:
        for pace in self._paces():
            pace.set_speed(self._chosen_speed())

    def _toggle(self) -> None:
        for pace in self._paces():
            pace.toggle()
            set_text(self.pause, "Continue" if pace.paused else "Pause")

    def _step(self) -> None:
        for pace in self._paces():
            pace.step()
        set_text(self.pause, "Continue")

    def _nudge(self, *, faster: bool) -> None:
        choices = [f"{speed:g}" for speed in SPEEDS] + [_FAST]
        place = choices.index(self.speed.text) if self.speed.text in choices else 2
        self.speed.set(choices[min(len(choices) - 1, max(0, place + (1 if faster else -1)))])
        self._set_speed()

    def _csv(self) -> None:
        if not any(panel.watching is not None and panel.watching.rows for panel in self.panels):
            raise InvalidParameter("there is no move to save yet: press Start first")
        for i, panel in enumerate(self.panels, 1):
            if panel.watching is not None and panel.watching.rows:
                ui.download(rows_csv(panel.watching.rows).encode(), f"twofold-game-{i}.csv", "text/csv")

    def _take(self, page: str) -> None:
        """Go on with the first game, or analyse where it stands, on another page."""
        watching = self.panels[0].watching
        if watching is None or watching.shot is None:
            raise InvalidParameter("there is no game to take yet: press Start first")
        is_position = page == "/analyse"
        record = watching.record().to_fragment()
        ui.navigate.to(analyse_address(watching.shot.state) if is_position else f"{page}#{record}")

    def _leave(self) -> None:
        for panel in self.panels:
            panel.leave()

    def _fields(self) -> tuple[PlayerForm | Field, ...]:
        return self.player, self.second, self.rules, self.seed, self.stop, self.speed

    def _keep(self) -> None:
        """When the visitor leaves: his games end, and can be gone on with by the tab that knows their name."""
        self._leave()
        games = tuple(panel.watching for panel in self.panels if panel.watching is not None)
        if games and self._tab:
            texts = tuple(f.text.text if isinstance(f, PlayerForm) else f.text for f in self._fields())
            _kept[self._tab] = Kept(texts, games)
            while len(_kept) > _KEPT_PAGES:
                _kept.popitem(last=False)

    async def come_back(self) -> None:
        """Show what this tab left, if it is still kept; games are paused."""
        name = secrets.token_urlsafe(16)
        with suppress(TimeoutError):  # the browser has gone
            found = await ui.run_javascript(_NAME_OF_TAB % (json.dumps(name), json.dumps(name)))
            self._tab = checked_text(found, "the name of the tab", 100)
        for _ in range(_PATIENCE if self._tab != name else 0):
            if self._tab not in _kept:  # the page that was left may not be known to be gone
                await asyncio.sleep(0.1)
        kept = _kept.pop(self._tab, None)
        if kept is not None and not self._given and all(panel.watching is None for panel in self.panels):
            self._restore(kept)

    def _restore(self, kept: Kept) -> None:
        for field, text in zip(self._fields(), kept.fields, strict=True):
            (field.fill if isinstance(field, PlayerForm) else field.set)(text)
        self._lay_out(len(kept.games))
        for panel, game in zip(self.panels, kept.games, strict=True):
            over = game.failure is not None or (game.game is not None and game.game.is_over)
            pace = Pace(self._chosen_speed(), paused=True)
            again = game if over else game.resumed(pace, MEMORY.take(memory_of(game.text)))
            panel.watch(again, start=not over)
            if not over:
                set_text(self.pause, "Continue")
        self.timer.active = True

    def _tick(self) -> None:
        self._ticks += 1
        paces = self._paces()
        for panel in self.panels:
            panel.draw(paces[0].speed if paces else None)
            if self._ticks % int(FIGURES / FRAME) == 0:
                panel.figure()
                self.timer.active = any(
                    c.watching is not None and not c.watching.is_over for c in self.panels
                )


def checked_seed(text: str) -> int:
    """The seed in a field, or another one each time if it is empty. Raises InvalidParameter."""
    from twofold.ui.web.new_game import seed_number

    return seed_number(text) if text.strip() else fresh_seed()
