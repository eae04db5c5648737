"""The room Stereograms: a board whose tiles hide figures, with the key to what two eyes see."""

from __future__ import annotations

from nicegui import ui

from twofold.art.stereogram_board import StereoBoard, board_for, position_board
from twofold.art.stereogram_draw import Look, data_url, key_image, layout, png_bytes, to_image, to_svg
from twofold.art.stereogram_sets import PositionSet
from twofold.errors import InvalidBoard
from twofold.ui.web.components import Field
from twofold.ui.web.layout import Work, button, page_head, paragraph, told
from twofold.ui.web.limits import checked_board
from twofold.ui.web.new_game import seed_number

_FIRST = "2 4 8 16|32 64 128 256|512 1024 2048 4096|8192 16384 32768 65536"
MOST_CELLS = 36


@ui.page("/rooms/stereogram")
def stereogram_page() -> None:
    """The page."""
    page_head("/rooms", "Stereograms")
    StereogramRoom()


class StereogramRoom:
    """One visitor's stereogram."""

    def __init__(self) -> None:
        self.work = Work()
        self.made: StereoBoard | None = None
        with ui.element("div").classes("tf-columns"):
            with ui.element("div").classes("tf-panel"):
                paragraph("Stereograms", tag="h1")
                paragraph(
                    "Look through the picture until the two dots above it become three: neighbouring tiles fuse, "
                    "and each pair shows a shape in depth.",
                    "tf-small",
                )
                self.board = Field("Board, in any notation", _FIRST, "textarea", rows=3)
                sets = [("tiles", "a shape per tile value"), ("places", "one picture on a full 4x4 board")]
                self.set = Field("Figures", "tiles", "select", options=sets)
                with ui.element("div").classes("tf-fields"):
                    self.seed = Field("Seed of the dots", "0", inputmode="numeric", maxlength=20)
                    self.key = Field("Show the solution", "", "checkbox", on_text=told(self._draw))
                with ui.element("div").classes("tf-buttons"):
                    button("Draw", told(self._draw), primary=True)
                    button("SVG", told(self._svg))
            self.box = ui.element("div").classes("tf-picture")
            # It scrolls, so keys must reach it.
            self.box.props["tabindex"] = 0
            self.box.props["role"] = "region"
            self.box.props["aria-label"] = "stereogram"
        ui.timer(0.1, told(self._draw), once=True)

    def _stereo(self) -> StereoBoard:
        seed = seed_number(self.seed.text or "0")
        if self.set.text == "places":
            return position_board(PositionSet(seed=seed))
        board = checked_board(self.board.text)
        if len(board.cells) > MOST_CELLS:
            raise InvalidBoard(
                f"a stereogram of {len(board.cells)} cells: the page draws at most {MOST_CELLS}"
            )
        return board_for(board, seed)

    async def _draw(self) -> None:
        width = await self._room()
        made, picture, key = await self.work.run(lambda: self._pictures(width))
        self.made = made
        self.box.clear()
        with self.box:
            _image(picture, "the stereogram: random dots, with a shape hidden in every pair of neighbours")
            if key is not None:
                paragraph("Seen with parallel eyes: orange is raised, blue is sunken.", "tf-small")
                _image(key, "the solution")

    async def _room(self) -> int:
        """Pixels that there are from left to right; those of a desktop if the browser doesn't tell."""
        try:
            width = await ui.run_javascript(f"getHtmlElement({self.box.id}).clientWidth", timeout=2.0)
        except TimeoutError:
            return 1000
        return width if isinstance(width, int) and 0 < width < 10_000 else 1000

    def _pictures(self, width: int) -> tuple[StereoBoard, bytes, bytes | None]:
        made = self._stereo()
        # Whole pixels a dot, so many that neighbours are seen without scrolling.
        look = Look(dot=max(1, min(4, width // layout(made, Look()).width)))
        key = png_bytes(key_image(made, look)) if self.key.text == "1" and made.size[1] > 1 else None
        return made, png_bytes(to_image(made, look)), key

    def _svg(self) -> None:
        ui.download(to_svg(self.made or self._stereo()).encode(), "stereogram.svg", "image/svg+xml")


def _image(png: bytes, text: str) -> None:
    image = ui.element("img")
    image.props["src"] = data_url(png)
    image.props["alt"] = text
