"""The room Painting: a picture drawn by hand or read from a file, and the game that ends in it, played."""

from __future__ import annotations

import json
from collections.abc import Sequence

from nicegui import ui
from nicegui.events import GenericEventArguments

from twofold.art.animate import gif_bytes, thin_out
from twofold.art.painter.painting import Painting
from twofold.art.painter.painting_file import painting_json
from twofold.art.painter.planner import paint
from twofold.art.picture import LETTER_COLOURS, MAX_COLOURS, PALETTE, Picture
from twofold.errors import InvalidParameter, quote
from twofold.rules.board import Board
from twofold.rules.palette import hex_colour
from twofold.ui.web.components import Field, FileField, drawing_and_board
from twofold.ui.web.layout import Work, button, page_head, paragraph, set_text, told
from twofold.ui.web.limits import LIMITS, check_size, checked_bytes, checked_text
from twofold.ui.web.new_game import whole

FIRST = ".##..##.|########|########|########|.######.|..####..|...##...|........"
MOST_FRAMES = 400
FRAME = 1 / 25
_TEXT_NOTE = "digits and a to f are colours by number; " + ", ".join(
    f"{letter} {name}" for letter, (name, _) in LETTER_COLOURS.items()
)
_METHODS = (("planner", "planner"), ("rows", "rows and columns (S0)"))


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
        self.canvas, self.board, self.legend = drawing_and_board(
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
            self.method = Field("Method", "planner", "select", options=_METHODS)
            self.coloured = Field("Tiles in the picture's colours", "1", "checkbox", on_text=self._look)
        for field in (self.rows, self.columns):
            field.on("change", told(self._fit), args=[])
        with ui.element("div").classes("tf-buttons"):
            button("Paint", told(self._paint), primary=True)
            button("Replay", self._replay)
            button("Clear", told(self._clear))
            button("Game as GIF", told(self._gif))
            button("Game as JSON", told(self._json))
        self.status = paragraph("", "tf-small")
        self.status.props["role"] = "status"
        with ui.element("details").classes("tf-more"):
            ui.element("summary")._text = "From text or an image"
            self.text = Field("Text", FIRST, "textarea", rows=3, note=_TEXT_NOTE)
            button("Load the text", told(self._read))
            self.colours = Field("Colours of an image", "3", "number", min=2, max=MAX_COLOURS)
            FileField("Open an image", "or drop it here", told(self._take_file))

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
        if self.painting is not None or picture.size != self.picture.size:  # a game of another picture
            self.timer.active, self._frames = False, ()
            self.board.show(Board.empty(*picture.size))
            self.legend.show(None)
            set_text(self.status, "")
        self.picture, self.painting = picture, None
        if quick:
            self.canvas.show(picture.rows, picture.columns, picture.cells, picture.palette)
        else:
            self.colour = min(self.colour, len(picture.palette) - 1)
            self._show()

    def _size(self) -> tuple[int, int]:
        """Rows and columns as they are filled in. Raises what says which are allowed."""
        rows, columns = whole("rows", self.rows.text), whole("columns", self.columns.text)
        if not (rows and columns) or rows * columns == 1:
            raise InvalidParameter(
                f"a picture of {rows}x{columns} cells: sizes go from 1x2 to {LIMITS.side}x{LIMITS.side}"
            )
        check_size(rows, columns)
        return rows, columns

    def _fit(self) -> None:
        """Give the picture the size that is filled in."""
        size = self._size()
        if size != self.picture.size:
            self._take(self.picture.resized(*size), quick=True)

    def _clear(self) -> None:
        rows, columns = self._size()
        self._take(Picture(rows, columns, bytes(rows * columns), PALETTE))

    def _read(self) -> None:
        self._load(Picture.from_text(checked_text(self.text.text, "the picture")))

    async def _take_file(self, event: GenericEventArguments) -> None:
        data, name = checked_bytes(event.args)
        size, colours = self._size(), whole("colours", self.colours.text)
        self._load(
            await self.work.run(lambda: Picture.from_bytes(data, name, colours, size), seconds=LIMITS.seconds)
        )

    def _load(self, picture: Picture) -> None:
        check_size(*picture.size)
        self.rows.set(str(picture.rows))
        self.columns.set(str(picture.columns))
        self._take(picture)

    async def _paint(self) -> None:
        self._fit()
        picture, method = self.picture, self.method.text
        set_text(self.status, "Looking for a game …")
        try:
            # The planner has its own limit; the first time it is compiled before.
            found, frames = await self.work.run(lambda: _painted(picture, method))
        finally:
            set_text(self.status, "")
        if picture != self.picture:
            return
        self.painting, self._frames = found, frames
        moves = len(found.steps)
        note = f" ({found.note})" if found.note else ""
        set_text(
            self.status,
            f"A game of {moves:,} moves ends in this picture, checked against the rules{note}.",
        )
        self.legend.show(found)
        self._look()
        self._replay()

    def _look(self) -> None:
        """The tiles in the colours of the picture, or in their own."""
        painting, coloured = self.painting, self.coloured.text == "1"
        if painting is not None:
            self.board.colour(
                {rank: painting.look(rank) for rank in painting.colour_of} if coloured else None
            )
            self.board.show(self._frames[min(self._place, len(self._frames)) - 1])

    def _replay(self) -> None:
        self._place = 0
        self.timer.active = bool(self._frames)

    def _tick(self) -> None:
        if self._place >= len(self._frames):
            self.timer.active = False
            return
        self.board.show(self._frames[self._place])
        self._place += 1

    def _found(self) -> Painting:
        if self.painting is None:
            raise InvalidParameter("paint the picture first")
        return self.painting

    async def _gif(self) -> None:
        painting = self._found()
        data = await self.work.run(lambda: gif_bytes(painting.frames()), seconds=LIMITS.seconds)
        ui.download(data, "painting.gif", "image/gif")

    def _json(self) -> None:
        ui.download(json.dumps(painting_json(self._found())).encode(), "painting.json", "application/json")


def _painted(picture: Picture, method: str) -> tuple[Painting, list[Board]]:
    painting = paint(picture, method)
    painting.prove()
    return painting, thin_out(list(painting.boards()), MOST_FRAMES)
