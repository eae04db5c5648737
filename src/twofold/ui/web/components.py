"""The elements of our own, as NiceGUI knows them; what they do in the browser is in the JavaScript beside this file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments

from twofold.art.painter.painting import Painting
from twofold.rules.board import Board
from twofold.rules.palette import Colours, Rgb, hex_colour
from twofold.rules.state import Moved
from twofold.ui.web.layout import paragraph

MOST_TEXT = 20_000
"""Characters of a field that are read."""


def board_payload(board: Board) -> dict[str, Any]:
    """A board as the browser draws it: rows, columns, ranks in reading order."""
    return {"rows": board.rows, "columns": board.columns, "cells": list(board.cells)}


def moved_payload(moved: Moved, milliseconds: int) -> dict[str, Any]:
    """A move as the browser animates it: [source, target] of every tile, then the spawn."""
    return {
        **board_payload(moved.state.board),
        "motions": [[motion.source, motion.target] for motion in moved.slide.motions],
        "spawn": [moved.spawn.cell, moved.spawn.rank],
        "milliseconds": milliseconds,
    }


class PlayView(ui.element, component="play_view.js", esm={"twofold": "js"}):
    """A game by hand. Emits `ready`, `move`, `act` and `file`."""

    def show(self, shot: dict[str, Any]) -> None:
        """Draw what happened."""
        self.run_method("show", shot)

    def show_hint(self, hint: dict[str, Any] | None) -> None:
        """Show a hint, or take it away."""
        self.run_method("showHint", hint)


class BoardView(ui.element, component="board_view.js"):
    """A board to watch or to edit. Emits `ready`, `cell` while it is edited, `move` and `back` where it is playable."""

    def __init__(
        self,
        label: str,
        *,
        editable: bool = False,
        playable: bool = False,
        room: int = 24,
        largest: int = 165,
    ) -> None:
        """label: for screen readers; room: pixels that stay free below it; largest: pixels of a cell, at most."""
        super().__init__()
        self.props["label"] = label
        self.props["editable"] = editable
        self.props["playable"] = playable
        self.props["room"] = room
        self.props["largest"] = largest
        self.board: Board | None = None
        self._look: dict[int, list[str]] | None = None
        self.on("ready", self._again)

    def show(self, board: Board, moved: Moved | None = None, milliseconds: int = 0) -> None:
        """Draw a board, by the move that led to it if there was one."""
        self.board = board
        shot = moved_payload(moved, milliseconds) if moved else board_payload(board)
        self.run_method("show", shot | {"look": self._look})

    def colour(self, look: Mapping[int, Colours] | None) -> None:
        """Colours of tiles by rank from here on, None for the usual ones; to be seen when a board is shown."""
        self._look = (
            None if look is None else {rank: [c.background_hex, c.text_hex] for rank, c in look.items()}
        )

    def _again(self) -> None:
        if self.board is not None:
            self.show(self.board)


class ChartView(ui.element, component="chart_view.js"):
    """Lines over the moves of a game."""

    def __init__(self, label: str, names: list[str], unit: str = "moves") -> None:
        """label: for screen readers; names: of the lines; unit: what is counted from left to right."""
        super().__init__()
        self.props["unit"] = unit
        self.props["label"] = label
        self.props["names"] = names

    def add(self, rows: list[list[float | None]]) -> None:
        """Append points: x, then one y for each line."""
        self.run_method("add", rows)

    def empty(self) -> None:
        """Begin anew."""
        self.run_method("clear")


class GamesView(ui.element, component="games_view.js"):
    """Games to choose from: files, the game of Play, saved ones, the address. Emits `record`, `link` or `file`."""

    def __init__(self, *, begin: bool) -> None:
        """begin: choose the game of Play at once."""
        super().__init__()
        self.props["begin"] = begin


class ReviewView(ui.element, component="review_view.js"):
    """A game's graph and moves. Emits `go` with a number of moves, and `arrow` with a direction."""

    def show(self, shown: dict[str, Any]) -> None:
        """Draw a game: see review_view.js."""
        self.run_method("show", shown)

    def go(self, at: int) -> None:
        """Mark a move."""
        self.run_method("go", at)


class Field(ui.element, component="field_view.js"):
    """A labelled field of the browser's own kind; `text` is what it holds."""

    def __init__(
        self,
        label: str,
        text: str = "",
        kind: str = "text",
        *,
        options: Iterable[tuple[str, str]] | None = None,
        note: str = "",
        on_text: Callable[[], Any] | None = None,
        **attributes: str | int | float,
    ) -> None:
        """kind: an HTML input's type, `select` or `textarea`; options: (value, text) to choose from or suggest."""
        super().__init__()
        self.text = text
        for name, value in (("label", label), ("kind", kind), ("initial", text), ("note", note)):
            self.props[name] = value
        self.props["attributes"] = attributes
        if options is not None:
            self.props["options"] = [list(option) for option in options]
        self._on_text = on_text
        self.on("text", self._hear)

    def _hear(self, event: Any) -> Any:
        # A hostile client may send anything; what is no short text is left out, whoever reads it checks the rest.
        if isinstance(event.args, str) and len(event.args) <= MOST_TEXT:
            self.text = event.args
            return self._on_text() if self._on_text is not None else None
        return None

    def set(self, text: str) -> None:
        """Fill the field."""
        self.text = text
        self.run_method("set", text)


class PixelsView(ui.element, component="pixels_view.js"):
    """A grid of colours to look at or to paint on. Emits `cell` while it is edited."""

    def __init__(self, label: str, *, editable: bool = False, largest: int = 40) -> None:
        """label: for screen readers; largest: pixels of a cell, at most."""
        super().__init__()
        self.props["label"] = label
        self.props["editable"] = editable
        self.props["largest"] = largest
        self._shown: dict[str, Any] | None = None
        self.on("ready", self._again)

    def show(self, rows: int, columns: int, cells: Iterable[int], palette: Iterable[Rgb]) -> None:
        """Draw cells by the numbers of their colours."""
        colours = [hex_colour(colour) for colour in palette]
        self._shown = {"rows": rows, "columns": columns, "cells": list(cells), "colours": colours}
        self._again()

    def _again(self) -> None:
        if self._shown is not None:
            self.run_method("show", self._shown)


class FileField(ui.element, component="file_view.js"):
    """A file to choose or to drop; `take` is called with what `limits.checked_bytes` reads."""

    def __init__(self, label: str, note: str, take: Callable[[GenericEventArguments], Any]) -> None:
        super().__init__()
        self.props["label"] = label
        self.props["note"] = note
        self.on("file", take)


class Legend(ui.element):
    """The map from tile values to the colours of a picture."""

    def __init__(self) -> None:
        super().__init__("ul")
        self.classes("tf-legend")
        self.props["aria-label"] = "the tile values of each colour"
        self._shown: list[tuple[str, str]] = []

    def show(self, painting: Painting | None) -> None:
        """Fill it with the values that lie on the last board; without a painting it is empty."""
        wanted = []
        if painting is not None:
            lie = set(painting.prove().cells)
            seen = [sorted(lie.intersection(ranks)) for ranks in painting.colours]
            wanted = [
                (painting.look(ranks[0]).background_hex, ", ".join(f"{1 << rank:,}" for rank in ranks))
                for ranks in seen
                if ranks
            ]
        if wanted == self._shown:
            return
        self._shown = wanted
        self.clear()
        with self:
            for colour, values in wanted:
                with ui.element("li"):
                    ui.element("span").style(f"background: {colour}")
                    paragraph(values, tag="span")


def drawing_and_board(
    controls: Callable[[], None], drawing: tuple[str, str], board: tuple[str, str]
) -> tuple[PixelsView, BoardView, Legend]:
    """A page of three parts: controls, a drawing to edit, the board of a game with the map from its tiles to colours.

    drawing, board: (heading, label).
    """
    with ui.element("div").classes("tf-columns"):
        with ui.element("div").classes("tf-panel"):
            controls()
        with ui.element("div").classes("tf-columns even"):
            with ui.element("div"):
                paragraph(drawing[0], "tf-small")
                pixels = PixelsView(drawing[1], editable=True)
            with ui.element("div"):
                paragraph(board[0], "tf-small")
                view = BoardView(board[1], room=60, largest=64)
                return pixels, view, Legend()
