"""The room Life: generations that run, and the game of 2048 that paints each of them."""

from __future__ import annotations

import json
from collections import deque
from dataclasses import replace

from nicegui import ui
from nicegui.events import GenericEventArguments

from twofold.art.animate import MAX_FRAMES, Frame, gif_bytes
from twofold.art.life import Life, fate, soup
from twofold.art.life_paint import Generation, life_picture
from twofold.art.life_patterns import NAMED, named, parse_pattern, to_rle
from twofold.art.painter.painting import NotPainted, Painting
from twofold.art.painter.painting_file import painting_json
from twofold.art.painter.planner import paint
from twofold.art.picture import PALETTE
from twofold.errors import InvalidParameter, quote
from twofold.rules.board import Board
from twofold.ui.shared.rules_form import fresh_seed
from twofold.ui.web.components import Field, drawing_and_board
from twofold.ui.web.layout import Work, button, page_head, paragraph, set_text, told
from twofold.ui.web.limits import LIMITS, check_size, checked_text
from twofold.ui.web.new_game import whole

_SPEEDS = (("2", "2 per second"), ("6", "6 per second"), ("20", "20 per second"))
_MOST_FATE = 2_000


@ui.page("/rooms/life")
def life_page() -> None:
    """The page."""
    page_head("/rooms", "Life")
    LifeRoom()


class LifeRoom:
    """One visitor's cells."""

    def __init__(self) -> None:
        self.work = Work()
        self.life = named("glider").place(12, 12, wrap=True)
        self.generation = 0
        self._painting = False
        self._frames: deque[Frame] = deque(maxlen=MAX_FRAMES)
        self._found: Painting | None = None
        self.canvas, self.board, self.legend = drawing_and_board(
            self._controls,
            ("Life", "cells of Life"),
            ("This generation, painted by a game", "the board that is this generation"),
        )
        self._frames.append(self._frame)
        self.canvas.on("cell", told(self._toggle))
        self.board.show(Board.empty(12, 12))
        self.timer = ui.timer(1 / 6, told(self._step), active=False)
        self._show()

    def _controls(self) -> None:
        paragraph("Life", tag="h1")
        paragraph(
            "Click cells to switch them on or off. Each generation is a picture that a game can paint.",
            "tf-small",
        )
        with ui.element("div").classes("tf-buttons"):
            self.run = button("Run", self._run, primary=True)
            button("Step", told(self._step))
            button("Random", told(self._soup))
            button("Clear", told(lambda: self._place("")))
            button("How it ends", told(self._tell_fate))
            button("RLE", self._download)
            button("Run as GIF", told(self._gif))
            button("Game as JSON", told(self._json))
        self.status = paragraph("", "tf-small")
        self.status.props["role"] = "status"
        self.fate = paragraph("", "tf-small")
        self.fate.props["role"] = "status"
        with ui.element("div").classes("tf-fields"):
            names = [("", "–"), *((name, name) for name in NAMED)]
            self.name = Field("Pattern", "glider", "select", options=names, on_text=told(self._named))
            self.rows = Field("Rows", "12", "number", min=3, max=LIMITS.side)
            self.columns = Field("Columns", "12", "number", min=3, max=LIMITS.side)
            self.wrap = Field("Wrap around", "1", "checkbox")
            self.speed = Field("Speed", "6", "select", options=_SPEEDS, on_text=self._pace)
            for field in (self.rows, self.columns):
                field.on("change", told(self._fit), args=[])
            self.painted = Field("Paint each generation", "1", "checkbox")
        self.text = Field("Or a pattern, as RLE or text", "", "textarea", rows=3)
        button("Load the pattern", told(lambda: self._place(self.text.text)))

    def _show(self) -> None:
        life = self.life
        self.canvas.show(life.rows, life.columns, life.cells, PALETTE[:2])
        set_text(self.status, f"Generation {self.generation:,}, {life.alive:,} alive.")

    # What the buttons do

    def _size(self) -> tuple[int, int]:
        rows, columns = whole("rows", self.rows.text), whole("columns", self.columns.text)
        check_size(rows, columns)
        return rows, columns

    def _begin(self, life: Life) -> None:
        self.life, self.generation, self._found = life, 0, None
        self._frames.clear()
        self._frames.append(self._frame)
        set_text(self.fate, "")
        self.board.show(Board.empty(*life.size))
        self.legend.show(None)
        self._show()

    def _fit(self) -> None:
        """Give the board the size that is filled in, with the cells that lie on it."""
        size = self._size()
        if size != self.life.size:
            cells = life_picture(self.life).resized(*size).cells
            self._begin(replace(self.life, rows=size[0], columns=size[1], cells=cells))

    def _named(self) -> None:
        if self.name.text:
            self._begin(named(self.name.text).place(*self._size(), wrap=self.wrap.text == "1"))

    def _place(self, text: str) -> None:
        rows, columns = self._size()
        if not text.strip():
            self._begin(Life(rows, columns, bytes(rows * columns), self.wrap.text == "1"))
            return
        pattern = parse_pattern(checked_text(text, "the pattern", 20_000))
        self._begin(pattern.place(rows, columns, wrap=self.wrap.text == "1"))

    def _soup(self) -> None:
        self._begin(soup(*self._size(), 0.35, fresh_seed(), wrap=self.wrap.text == "1"))

    def _toggle(self, event: GenericEventArguments) -> None:
        cell = event.args
        if not isinstance(cell, int) or isinstance(cell, bool) or not 0 <= cell < len(self.life.cells):
            raise InvalidParameter(f"no cell {quote(cell)} on the board")
        self.life = self.life.toggled(*divmod(cell, self.life.columns))
        self._frames[-1] = self._frame
        self._show()

    def _run(self) -> None:
        self.timer.active = not self.timer.active
        set_text(self.run, "Pause" if self.timer.active else "Run")

    def _pace(self) -> None:
        if self.speed.text in dict(_SPEEDS):
            self.timer.interval = 1 / int(self.speed.text)

    async def _step(self) -> None:
        if self._painting:  # the game of the generation before is still looked for
            return
        self.life = self.life.next()
        self.generation += 1
        self._frames.append(self._frame)
        self._show()
        if self.painted.text == "1":
            await self._paint()

    async def _paint(self) -> None:
        self._painting, life = True, self.life
        try:
            painting = await self.work.run(lambda: paint(life_picture(life)))
        except NotPainted as error:
            set_text(self.status, f"Generation {self.generation:,}: {error}")
            return
        finally:
            self._painting = False
        if life == self.life:
            self._found = painting
            self.board.colour({rank: painting.look(rank) for rank in painting.colour_of})
            self.board.show(painting.prove())
            self.legend.show(painting)
            set_text(
                self.status,
                f"Generation {self.generation:,}, {life.alive:,} alive, painted in {len(painting.steps):,} moves.",
            )

    async def _tell_fate(self) -> None:
        life, generation = self.life, self.generation
        line = await self.work.run(lambda: fate_line(life, generation), seconds=LIMITS.seconds)
        if self.generation == generation or self.timer.active:
            set_text(self.fate, line)

    @property
    def _frame(self) -> Frame:
        return Generation(self.generation, self.life).frame

    async def _gif(self) -> None:
        frames = list(self._frames)
        data = await self.work.run(lambda: gif_bytes(frames, frame_seconds=0.2), seconds=LIMITS.seconds)
        ui.download(data, "life.gif", "image/gif")

    def _json(self) -> None:
        if self._found is None:
            raise InvalidParameter("no generation has been painted yet: take a step")
        ui.download(json.dumps(painting_json(self._found)).encode(), "painting.json", "application/json")

    def _download(self) -> None:
        ui.download(to_rle(self.life).encode(), "life.rle", "text/plain")


def fate_line(life: Life, generation: int) -> str:
    """How it goes on for ever after this generation, in one sentence."""
    found = fate(life, _MOST_FATE)
    if found is None:
        return f"Nothing repeats within {_MOST_FATE:,} generations of generation {generation:,}."
    begin = f"from generation {generation + found.begin:,} on"
    if found.period == 1:
        return f"Nothing changes {begin}."
    return f"It repeats every {found.period:,} generations {begin}."
