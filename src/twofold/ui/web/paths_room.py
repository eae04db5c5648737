"""The room Paths: how many chains cover a board, from which cells, and what they look like."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from html import escape

from nicegui import ui

from twofold.art.paths import (
    Count,
    Path,
    Shape,
    count_paths,
    count_unique,
    list_paths,
    path_svg,
    shape_of,
    unique_paths,
)
from twofold.errors import InvalidBoard
from twofold.rules.board import Board
from twofold.rules.cells import BRICK
from twofold.rules.notation import parse_size
from twofold.ui.web.components import Field
from twofold.ui.web.layout import Work, button, page_head, paragraph, set_text, told
from twofold.ui.web.limits import LIMITS, checked_board, checked_text

MOST_CELLS = 36
"""Cells of a board whose paths are counted here: a second or two."""

MOST_SORTED = 10_000
"""Up to so many paths all classes are sorted by their shape; else the first found are shown."""

SHOWN = 72


@ui.page("/rooms/paths")
def paths_page() -> None:
    """The page."""
    page_head("/rooms", "Paths")
    PathsRoom()


@dataclass(frozen=True, slots=True)
class Found:
    """What is known of the paths of a board; `paths` are those to show, with their shapes."""

    count: Count
    classes: int
    paths: list[tuple[Path, Shape]]
    is_all: bool


def find(board: Board) -> Found:
    """The paths of a board. Raises InvalidParameter or InvalidBoard for one that is too large."""
    count = count_paths(board)
    is_all = count.total <= MOST_SORTED
    paths = unique_paths(board) if is_all else list(itertools.islice(list_paths(board), SHOWN))
    shaped = [(path, shape_of(path, board)) for path in paths]
    shaped.sort(key=lambda item: (item[1].turns, -item[1].monotonic))
    return Found(count, count_unique(board), shaped[:SHOWN], is_all)


class PathsRoom:
    """One visitor's board."""

    def __init__(self) -> None:
        self.work = Work()
        with ui.element("div").classes("tf-columns"):
            with ui.element("div").classes("tf-panel"):
                paragraph("Paths", tag="h1")
                paragraph(
                    "A chain of tiles, each half of the last one, is easiest to build along a path that visits every "
                    "cell once, with few turns and many monotonic lines.",
                    "tf-small",
                )
                self.text = Field("Size, or a board with bricks", "4x4", note="4x5, or . . x|. . .|. . .")
                with ui.element("div").classes("tf-buttons"):
                    button("Count", told(self._count), primary=True)
                self.status = paragraph("", "tf-small")
                self.status.props["role"] = "status"
                self.starts = ui.element("div")
            self.box = ui.element("div").classes("tf-gallery")
        ui.timer(0.1, told(self._count), once=True)

    def _board(self) -> Board:
        text = checked_text(self.text.text.strip(), "the board", 2000)
        is_map = any(sign in text for sign in ".|#[ ")
        board = checked_board(text).without_tiles() if is_map else Board.empty(*parse_size(text))
        if len(board.cells) > MOST_CELLS:
            raise InvalidBoard(
                f"a board of {len(board.cells)} cells: the web page counts at most {MOST_CELLS}, 'twofold paths' more"
            )
        return board

    async def _count(self) -> None:
        board = self._board()
        set_text(self.status, "Counting …")
        try:
            found = await self.work.run(lambda: find(board), seconds=LIMITS.seconds)
        finally:
            set_text(self.status, "")
        shown = "the straightest first" if found.is_all else "the first ones found"
        set_text(
            self.status,
            f"{found.count.total:,} paths, counting a path and its reverse as two; {found.classes:,} up to rotation "
            f"and reflection. Shown: {len(found.paths)}, {shown}.",
        )
        self.starts.clear()
        with self.starts:
            paragraph("Paths that start in each cell", tag="h2")
            ui.html(_starts_table(found.count), sanitize=False)
        self.box.clear()
        with self.box:
            ui.html(
                "".join(_figure(path, shape, board) for path, shape in found.paths), sanitize=False
            ).style("display: contents")


def _starts_table(count: Count) -> str:
    board = count.board
    rows = []
    for row in range(board.rows):
        cells = range(row * board.columns, (row + 1) * board.columns)
        shown = ("" if board.cells[cell] == BRICK else f"{count.starts.get(cell, 0):,}" for cell in cells)
        rows.append("<tr>" + "".join(f"<td>{escape(text)}</td>" for text in shown) + "</tr>")
    return f'<table class="tf-table tf-starts">{"".join(rows)}</table>'


def _figure(path: Path, shape: Shape, board: Board) -> str:
    turns = f"{shape.turns} turn{'' if shape.turns == 1 else 's'}, {shape.monotonic} monotonic"
    return f"<figure>{path_svg(path, board, 22)}<figcaption>{turns}</figcaption></figure>"
