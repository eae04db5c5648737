"""The room Painting: a picture drawn by hand or read from a file, and the game that ends in it, played."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence

from nicegui import ui
from nicegui.events import GenericEventArguments

from twofold.art.animate import thin_out
from twofold.art.painter.painting import Painting
from twofold.art.painter.planner import paint
from twofold.art.picture import MAX_COLOURS, PALETTE, Picture
from twofold.errors import InvalidParameter, quote
from twofold.rules.board import Board
from twofold.rules.palette import hex_colour
from twofold.ui.web.components import Field, drawing_and_board
from twofold.ui.web.layout import Work, button, page_head, paragraph, set_text, told
from twofold.ui.web.limits import LIMITS, check_size, checked_text
from twofold.ui.web.new_game import whole

FIRST = ".##..##.|########|########|########|.######.|..####..|...##...|........"
MOST_FRAMES = 400
FRAME = 1 / 25


@ui.page("/rooms/painting")
def painting_page() -> None:
    """The page."""
    page_head("/rooms", "Painting")
    PaintingRoom()


class PaintingRoom:
    """One visitor's picture and the game that paints it."""

    def __init__(self) -> None:
        self.work = Work()
        self.picture = Picture.from_text(FIRST)
        self.colour = 1
        self.painting: Painting | None = None
        self._frames: Sequence[Board] = ()
        self._place = 0
        self.canvas, self.board = drawing_and_board(
            self._controls,
            ("The picture", "picture"),
            ("The game that paints it", "the game that paints it"),
        )
        self.canvas.on("cell", told(self._paint_cell))
        self.board.show(Board.empty(*self.picture.size))
        self._show()
        self.timer = ui.timer(FRAME, self._tick, active=False)

    def _controls(self) -> None:
        paragraph("Painting", tag="h1")
        paragraph("Draw with a colour, then find a game that ends in the picture.", "tf-small")
        self.swatches = ui.element("div").classes("tf-swatches")
        with ui.element("div").classes("tf-fields"):
            self.rows = Field("Rows", "8", "number", min=1, max=LIMITS.side)
            self.columns = Field("Columns", "8", "number", min=1, max=LIMITS.side)
        with ui.element("div").classes("tf-buttons"):
            button("Paint", told(self._paint), primary=True)
            button("Again", self._replay)
            button("Clear", told(self._clear))
            button("Game as JSON", told(self._download))
        self.text = Field("Or as text", FIRST, "textarea", rows=3, note="digits and letters are colours")
        button("Load the text", told(self._read))
        self.status = paragraph("", "tf-small")
        self.status.props["role"] = "status"

    def _show(self) -> None:
        picture = self.picture
        self.canvas.show(picture.rows, picture.columns, picture.cells, picture.palette)
        self.swatches.clear()
        with self.swatches:
            for number, colour in enumerate(picture.palette[:MAX_COLOURS]):
                swatch = ui.element("button").style(f"background: {hex_colour(colour)}")
                swatch.props["type"] = "button"
                swatch.props["aria-label"] = f"colour {number}"
                swatch.props["aria-pressed"] = str(number == self.colour).lower()
                swatch.on("click", lambda number=number: self._choose(number), args=[])

    def _choose(self, number: int) -> None:
        self.colour = number
        self._show()

    def _paint_cell(self, event: GenericEventArguments) -> None:
        cell, picture = event.args, self.picture
        if not isinstance(cell, int) or isinstance(cell, bool) or not 0 <= cell < len(picture.cells):
            raise InvalidParameter(f"no cell {quote(cell)} in the picture")
        cells = picture.cells[:cell] + bytes([self.colour]) + picture.cells[cell + 1 :]
        self._take(Picture(picture.rows, picture.columns, cells, picture.palette), quick=True)

    def _take(self, picture: Picture, *, quick: bool = False) -> None:
        check_size(*picture.size)
        self.picture, self.painting = picture, None
        if quick:
            self.canvas.show(picture.rows, picture.columns, picture.cells, picture.palette)
        else:
            self.colour = min(self.colour, len(picture.palette) - 1)
            self._show()

    def _clear(self) -> None:
        rows, columns = whole("rows", self.rows.text), whole("columns", self.columns.text)
        check_size(rows, columns)
        self._take(Picture(rows, columns, bytes(rows * columns), PALETTE))

    def _read(self) -> None:
        picture = Picture.from_text(checked_text(self.text.text, "the picture"))
        check_size(*picture.size)
        self.rows.set(str(picture.rows))
        self.columns.set(str(picture.columns))
        self._take(picture)

    async def _paint(self) -> None:
        picture = self.picture
        set_text(self.status, "Looking for a game …")
        try:
            found, frames = await self.work.run(lambda: _painted(picture), seconds=LIMITS.seconds)
        finally:
            set_text(self.status, "")
        if picture != self.picture:
            return
        self.painting, self._frames = found, frames
        moves = len(found.steps)
        set_text(
            self.status,
            f"A game of {moves:,} moves ends in this picture, checked against the rules. {found.note}",
        )
        self._replay()

    def _replay(self) -> None:
        self._place = 0
        self.timer.active = bool(self._frames)

    def _tick(self) -> None:
        if self._place >= len(self._frames):
            self.timer.active = False
            return
        self.board.show(self._frames[self._place])
        self._place += 1

    def _download(self) -> None:
        if self.painting is None:
            raise InvalidParameter("paint the picture first")
        painting = self.painting
        steps = [[step.direction.letter, step.cell, 1 << step.rank] for step in painting.steps]
        text = json.dumps({"start": str(painting.start), "steps": steps, "board": str(painting.prove())})
        ui.download(io.BytesIO(text.encode()).getvalue(), "painting.json", "application/json")


def _painted(picture: Picture) -> tuple[Painting, list[Board]]:
    painting = paint(picture)
    painting.prove()
    return painting, thin_out(list(painting.boards()), MOST_FRAMES)
