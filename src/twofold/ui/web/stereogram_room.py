"""The page Stereograms: boards and games whose tiles hide figures, with the key to what two eyes see."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from nicegui import ui
from nicegui.events import GenericEventArguments

from twofold.art.stereogram import Designation
from twofold.art.stereogram_board import StereoBoard, Stereogram
from twofold.art.stereogram_draw import (
    Look,
    data_url,
    gif_bytes,
    key_image,
    layout,
    png_bytes,
    to_image,
    to_svg,
)
from twofold.art.stereogram_mask import Mask, half_and_half, mask_of, parse_mask
from twofold.art.stereogram_sets import DOTS
from twofold.errors import InvalidBoard, InvalidParameter
from twofold.matches.play import new_game
from twofold.rules.direction import Direction
from twofold.rules.game import Game
from twofold.rules.variant import Variant
from twofold.ui.shared.rules_form import fresh_seed
from twofold.ui.web.components import BoardView, Field, FileField
from twofold.ui.web.layout import Work, button, page_head, paragraph, set_text, told
from twofold.ui.web.limits import LIMITS, checked_board, checked_bytes, checked_direction, checked_text
from twofold.ui.web.new_game import seed_number, whole

_FIRST = "2 4 8 16|32 64 128 256|512 1024 2048 4096|8192 16384 32768 65536"
_HEART = ".#.#.|#####|#####|.###.|..#.."
MOST_CELLS = 36
_SETS = [
    ("polyomino", "one per value"),
    ("shape", "your shape"),
    ("positions", "one on 4x4 places"),
]
_EYES = [("parallel", "parallel eyes"), ("crossed", "crossed eyes")]
_SIDES = [("RIGHT", "right"), ("LEFT", "left")]


@ui.page("/rooms/stereogram")
def stereogram_page() -> None:
    """The page."""
    page_head("/rooms", "Stereograms")
    StereogramRoom()


class StereogramRoom:
    """One visitor's stereogram: of a board, of all designs, or of a game that is played."""

    def __init__(self) -> None:
        self.work = Work()
        self.made: StereoBoard | None = None
        self.game: Game | None = None
        self._uploaded: Mask | None = None
        self._drawing, self._wanted = False, 0
        with ui.element("div").classes("tf-columns"):
            with ui.element("div").classes("tf-panel"):
                self._controls()
            with ui.element("div"):
                self.box = ui.element("div").classes("tf-picture")
                # It scrolls, so keys must reach it.
                self.box.props["tabindex"] = 0
                self.box.props["role"] = "region"
                self.box.props["aria-label"] = "stereogram"
                self._game_controls()
                self.solution = ui.element("div").classes("tf-picture")
        ui.timer(0.1, told(self._draw), once=True)

    def _controls(self) -> None:
        paragraph("Stereograms", tag="h1")
        paragraph(
            "Look until the two dots above the picture become three: neighbouring tiles fuse, and each pair shows a "
            "shape in depth.",
            "tf-small",
        )
        with ui.element("div").classes("tf-buttons"):
            button("Draw", told(self._draw_board), primary=True)
            button("Play a game", told(self._play))
            button("SVG", told(self._svg))
        with ui.element("div").classes("tf-fields"):
            self.eyes = Field("Seen with", "parallel", "select", options=_EYES, on_text=told(self._draw))
            self.set = Field("Figures", "polyomino", "select", options=_SETS)
            self.key = Field("Show the solution", "", "checkbox", on_text=told(self._draw))
            self.sheet = Field("All designs, no board", "", "checkbox")
        self.board = Field("Board, in any notation", _FIRST, "textarea", rows=3)
        self.shape = Field(
            "Your shape", _HEART, "textarea", rows=3, note=". flat, # raised, - sunken", on_text=self._forget
        )
        FileField(
            "Open an image",
            "or drop it here: black is raised, white flat, greys between",
            told(self._take_file),
        )
        with ui.element("details").classes("tf-more"):
            ui.element("summary")._text = "More: designs, sides, depth, dots"
            with ui.element("div").classes("tf-fields"):
                self.designs = Field("Designs", "17", "number", min=1, max=60)
                self.column = Field("Squares of the column", "4", "number", min=4, max=32)
                self.first = Field("Leftmost column", "RIGHT", "select", options=_SIDES)
                self.depth = Field("Depth in dots", "4", "number", min=2, max=10, step=2)
                self.seed = Field("Seed of the dots", "0", inputmode="numeric", maxlength=20)

    def _game_controls(self) -> None:
        self.play = ui.element("div")
        with self.play:
            self.score = paragraph("", "tf-small")
            self.score.props["role"] = "status"
            with ui.element("div").classes("tf-pad").style("display: grid"):
                for direction in (Direction.UP, Direction.LEFT, Direction.DOWN, Direction.RIGHT):
                    pressed = button(direction.arrow, told(self._mover(direction)))
                    pressed.classes(f"pad{int(direction)}").props["aria-label"] = direction.name.lower()
            with ui.element("div").classes("tf-buttons"):
                button("Undo", told(self._undo))
                button("Game as GIF", told(self._gif))
            with ui.element("details").classes("tf-more"):
                ui.element("summary")._text = "The same board in numbers"
                self.numbers = BoardView("the board in numbers", playable=True, room=10_000, largest=48)
        self.play.set_visibility(False)
        self.numbers.on("move", told(self._hear))
        self.numbers.on("back", told(self._undo))

    # What is drawn

    def _chosen(self, width: int) -> Stereogram:
        """What the fields say, with so many dots a tile that the picture fits a width in pixels."""
        name = self.set.text
        board = None
        if self.game is not None:
            board = self.game.board
        elif name != "positions" and self.sheet.text != "1":
            board = checked_board(self.board.text)
            if len(board.cells) > MOST_CELLS:
                raise InvalidBoard(
                    f"a stereogram of {len(board.cells)} cells: the web page draws at most {MOST_CELLS}"
                )
        columns = board.columns if board is not None else 4
        gap = Look().gap
        dots = max(24, min(DOTS, (width - gap * (columns + 1)) // columns))
        depth = whole("depth", self.depth.text)
        by_tile = name == "polyomino"
        return Stereogram(
            board,
            name,
            self._mask(name),
            self.game is None and self.sheet.text == "1" and name != "positions",
            designs=whole("designs", self.designs.text) if by_tile else None,
            first=Designation[self.first.text],
            # On a narrow screen figures are small, and so is what they can be moved.
            depth=depth if dots == DOTS else max(2, min(depth, dots // 16 & ~1)),
            dots=dots,
            seed=seed_number(self.seed.text or "0"),
            column=whole("squares of the column", self.column.text) if by_tile else None,
            crossed=self.eyes.text == "crossed",
        )

    def _mask(self, name: str) -> Mask | None:
        if name == "polyomino":
            return None
        if self._uploaded is not None:
            return self._uploaded
        own = parse_mask(checked_text(self.shape.text, "the shape"))
        return half_and_half() if name == "positions" and self.shape.text == _HEART else own

    async def _draw_board(self) -> None:
        self.game = None
        self.play.set_visibility(False)
        await self._draw()

    async def _draw(self) -> None:
        self._wanted += 1
        if self._drawing:  # whoever draws draws anew
            return
        self._drawing = True
        try:
            width, wanted = await self._room(), 0
            while wanted != self._wanted:
                wanted, chosen = self._wanted, self._chosen(width)
                made, picture, key = await self.work.run(partial(self._pictures, chosen, width))
        finally:
            self._drawing = False
        self.made = made
        self.box.clear()
        with self.box:
            _image(picture, "the stereogram: random dots, with a shape hidden in every pair of neighbours")
        self.solution.clear()
        with self.solution:
            if key is not None:
                paragraph(f"Seen with {self.eyes.text} eyes: orange is raised, blue is sunken.", "tf-small")
                _image(key, "the solution")

    async def _room(self) -> int:
        """Pixels that there are from left to right; those of a desktop if the browser doesn't tell."""
        try:
            width = await ui.run_javascript(f"getHtmlElement({self.box.id}).clientWidth", timeout=2.0)
        except TimeoutError:
            return 1000
        return width if isinstance(width, int) and 0 < width < 10_000 else 1000

    def _pictures(self, chosen: Stereogram, width: int) -> tuple[StereoBoard, bytes, bytes | None]:
        made = chosen.textures()
        # Whole pixels a dot, so many that neighbours are seen without scrolling.
        look = Look(dot=max(1, min(4, width // layout(made, Look()).width)))
        key = png_bytes(key_image(made, look)) if self.key.text == "1" and made.size[1] > 1 else None
        return made, png_bytes(to_image(made, look)), key

    async def _svg(self) -> None:
        if self.made is None:
            await self._draw()
        if self.made is not None:
            ui.download(to_svg(self.made).encode(), "stereogram.svg", "image/svg+xml")

    async def _take_file(self, event: GenericEventArguments) -> None:
        data, name = checked_bytes(event.args)
        self._uploaded = await self.work.run(lambda: mask_of(data, name), seconds=LIMITS.seconds)
        if self.set.text == "polyomino":
            self.set.set("shape")
        await self._draw()

    def _forget(self) -> None:
        """A shape that is typed takes the place of the image."""
        self._uploaded = None

    # A game

    async def _play(self) -> None:
        if self.set.text == "positions":
            raise InvalidParameter("a game needs a figure for each tile: choose a set under Figures")
        self.game = new_game(Variant(), fresh_seed())
        self.play.set_visibility(True)
        await self._show_game()

    async def _show_game(self) -> None:
        if self.game is None:
            return
        game = self.game
        end = f" Game over: {game.outcome.reason}." if game.outcome is not None else ""
        set_text(
            self.score,
            f"Score {game.score:,}, moves {game.moves:,}.{end} Arrow keys move, u takes a move back.",
        )
        self.numbers.show(game.board)
        await self._draw()

    def _mover(self, direction: Direction) -> Callable[[], object]:
        return lambda: self._move(direction)

    async def _hear(self, event: GenericEventArguments) -> None:
        await self._move(checked_direction(event.args))

    async def _move(self, direction: Direction) -> None:
        if self.game is not None and direction in self.game.legal_moves():
            self.game.move(direction)
            await self._show_game()

    async def _undo(self) -> None:
        if self.game is not None and self.game.undo():
            await self._show_game()

    async def _gif(self) -> None:
        game = self.game
        if game is None or not game.moves:
            raise InvalidParameter("there is no game yet: play some moves")
        boards = list(game.boards())
        chosen = replace(self._chosen(DOTS * 5), board=None)
        data = await self.work.run(
            lambda: gif_bytes(chosen.of_boards(boards), Look(dot=1)), seconds=LIMITS.seconds
        )
        ui.download(data, "stereogram.gif", "image/gif")


def _image(png: bytes, text: str) -> None:
    image = ui.element("img")
    image.props["src"] = data_url(png)
    image.props["alt"] = text
