"""A board and what is known about it, drawn for a terminal of any size, as lines of rich text.

The largest tiles that fit are used: eight columns by three lines on a classic board at 80×24, more where there is
room, down to one character on boards of 64×64. Where the numbers don't fit they are written in binary units (16k for
16384), then as ranks.
Without colour (NO_COLOR, a plain terminal) cells are told apart by a grid of lines, and bricks are an x.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import zip_longest

from rich.console import Console
from rich.style import Style
from rich.text import Text

from twofold.coach.units import losses, unit_of
from twofold.players.base import Decision, Values
from twofold.rules.board import Board
from twofold.rules.cells import BRICK, face_value
from twofold.rules.direction import DIRECTIONS, Direction
from twofold.rules.palette import FRAME, colours

PANEL_WIDTH = 34
"""Columns that the panel beside a board needs."""

_MARGIN = 2
_UNITS = "kMGTPE"
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Look:
    """What the terminal can show: colours, and characters beyond ASCII."""

    colour: bool
    unicode: bool

    @classmethod
    def of(cls, console: Console) -> Look:
        """The look for a console."""
        colour = not console.no_color and console.color_system is not None
        return cls(colour, (console.encoding or "").lower().startswith("utf"))

    def arrow(self, direction: Direction) -> str:
        """``↑ UP``, or ``UP`` where arrows can't be shown."""
        return f"{direction.arrow} {direction.name}" if self.unicode else direction.name


@dataclass(frozen=True, slots=True)
class FrameLayout:
    """Sizes in characters: a tile, the gaps between tiles, and the rows and columns of the board that are shown."""

    width: int
    height: int
    gap_x: int
    gap_y: int
    rows: int
    columns: int
    beside: bool

    @property
    def room(self) -> int:
        """Characters for a tile's number: without gaps one column stays free, or neighbours run together."""
        return self.width if self.gap_x or self.width in (1, 4) else self.width - 1

    @property
    def board_width(self) -> int:
        """Characters that the board is wide."""
        return self.columns * self.width + (self.columns + 1) * self.gap_x

    @property
    def board_height(self) -> int:
        """Lines that the board is high."""
        return self.rows * self.height + (self.rows + 1) * self.gap_y

    def corner(self, row: int, column: int) -> tuple[int, int]:
        """The line and the column of characters where a cell begins."""
        return (
            self.gap_y + row * (self.height + self.gap_y),
            self.gap_x + column * (self.width + self.gap_x),
        )

    def cell_at(self, line: int, column: int) -> tuple[int, int] | None:
        """The row and the column of the cell that a character belongs to, None for the frame and beyond."""
        place = (
            (line - self.gap_y) // (self.height + self.gap_y),
            (column - self.gap_x) // (self.width + self.gap_x),
        )
        if not (0 <= place[0] < self.rows and 0 <= place[1] < self.columns):
            return None
        top, left = self.corner(*place)
        return place if line < top + self.height and column < left + self.width else None


# Tile width, tile height, gap between columns, gap between rows; the first that fits is used.
Sizes = tuple[int, int, int, int]
_COLOURED: tuple[Sizes, ...] = (
    (16, 7, 2, 1),
    (12, 5, 2, 1),
    (8, 3, 2, 1),
    (8, 1, 2, 1),
    (7, 1, 1, 1),
    (7, 1, 1, 0),
    (5, 1, 0, 0),
    (4, 1, 0, 0),
    (3, 1, 0, 0),
    (1, 1, 0, 0),
)
_PLAIN: tuple[Sizes, ...] = ((8, 1, 1, 1), *_COLOURED[4:])


def choose_layout(
    board: Board, look: Look, width: int, height: int, *, beside_height: int, below_height: int
) -> FrameLayout:
    """The most comfortable layout for `width` × `height` characters that keeps the panel in sight.

    The panel stands beside the board, then `beside_height` lines high, or below it, then `below_height` lines high,
    where that allows larger tiles. A board that can't be shown whole even at one character a cell is cut at the
    right and the bottom.
    """
    rows, columns = board.size
    choices = _COLOURED if look.colour else _PLAIN
    for sizes in choices:
        layout = FrameLayout(*sizes, rows, columns, beside=True)
        tall_enough = max(layout.board_height, beside_height) <= height
        if tall_enough and layout.board_width + _MARGIN + PANEL_WIDTH <= width:
            return layout
        if layout.board_width <= width and layout.board_height + below_height <= height:
            return replace(layout, beside=False)
    rows, columns = min(rows, max(1, height - below_height)), min(columns, max(1, width))
    return FrameLayout(*choices[-1], rows, columns, beside=False)


def in_units(rank: int) -> str:
    """The tile 2^rank in at most four characters: 512, 1k for 1024, 128k, 1M, up to 1E for 2^60."""
    power, rest = divmod(rank, 10)
    return f"{1 << rest}{_UNITS[power - 1]}" if power else str(1 << rest)


def rank_label(rank: int, width: int) -> str:
    """The rank in decimal, or as one digit beyond 9 and A to Z where there is room for one character only."""
    return str(rank) if len(str(rank)) <= width else _DIGITS[rank]


def shows_ranks(board: Board, layout: FrameLayout) -> bool:
    """True if the tiles are too wide for this layout, so that ranks stand for all of them."""
    return any(len(in_units(rank)) > layout.room for rank in board.tile_ranks)


def tile_labels(board: Board, layout: FrameLayout) -> dict[int, str]:
    """What is written on each tile of the board: values or units, or ranks on all of them, never mixed."""
    ranks, room = sorted(set(board.tile_ranks)), layout.room
    if shows_ranks(board, layout):
        return {rank: rank_label(rank, room) for rank in ranks}
    values = {rank: str(face_value(rank)) for rank in ranks}
    return {rank: value if len(value) <= room else in_units(rank) for rank, value in values.items()}


def board_lines(board: Board, layout: FrameLayout, look: Look) -> list[Text]:
    """The board, `layout.board_height` lines of `layout.board_width` characters."""
    rule = _rule(layout, look)
    lines = [rule] if rule else []
    texts = tile_labels(board, layout)
    texts[0] = "" if look.colour and layout.gap_y else "·" if look.unicode else "."
    texts[BRICK] = "" if look.colour else "x"
    align = "^" if layout.gap_x else ">"
    texts = {rank: f"{text:{align}{layout.width}}" for rank, text in texts.items()}
    for row in board.ranks[: layout.rows]:
        lines += _row_lines(row[: layout.columns], texts, layout, look)
        if rule:
            lines.append(rule)
    return lines


def _rule(layout: FrameLayout, look: Look) -> Text | None:
    if not layout.gap_y:
        return None
    if look.colour:
        return Text(" " * layout.board_width, _style_of_frame())
    return Text("+" + ("-" * layout.width + "+") * layout.columns)


def _row_lines(row: tuple[int, ...], texts: dict[int, str], layout: FrameLayout, look: Look) -> list[Text]:
    gap = (" " if look.colour else "|") * layout.gap_x
    gap_style = _style_of_frame() if look.colour else Style.null()
    lines = []
    for level in range(layout.height):
        line = Text(gap, gap_style, no_wrap=True)
        for rank in row:
            text = texts[rank] if level == (layout.height - 1) // 2 else " " * layout.width
            line.append(text, style_of(rank) if look.colour else None)
            line.append(gap, gap_style)
        lines.append(line)
    return lines


@lru_cache(maxsize=256)
def style_of(rank: int) -> Style:
    """The colours of a cell."""
    back, ink = colours(rank)
    return Style(bold=True, color=_colour(ink), bgcolor=_colour(back))


@lru_cache(maxsize=1)
def _style_of_frame() -> Style:
    return Style(bgcolor=_colour(FRAME))


def _colour(rgb: tuple[int, int, int]) -> str:
    return "#{:02x}{:02x}{:02x}".format(*rgb)


def value_text(value: float | None) -> str:
    """A move's value in at most nine characters; a dash for an illegal move."""
    if value is None:
        return "-"
    if not math.isfinite(value):
        return str(value)
    size = abs(value)
    if size >= 1e7 or 0 < size < 1e-3:
        return f"{value:.2e}"
    if size >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3f}".rstrip("0").rstrip(".") if size < 10 else f"{value:.1f}"


def behind_texts(values: Values) -> list[str]:
    """How far each move falls short of the best: `best`, `−12.5`; a dash for an illegal move."""
    return [
        "-" if loss is None else "best" if loss == 0 else f"−{value_text(loss)}" for loss in losses(values)
    ]


def value_bars(
    values: Values,
    best: Direction | None,
    look: Look,
    width: int = PANEL_WIDTH,
    texts: Sequence[str] | None = None,
) -> list[Text]:
    """One line per direction: its name, a bar from the worst to the best legal move, its value, or its text."""
    legal = [value for value in values if value is not None and math.isfinite(value)]
    low, high = min(legal, default=0.0), max(legal, default=0.0)
    room = width - 18
    lines = []
    texts = [value_text(value) for value in values] if texts is None else texts
    for direction, value, text in zip(DIRECTIONS, values, texts, strict=True):
        share = 0.0
        if value is not None and math.isfinite(value):
            # The worst legal move keeps a short bar: it is a move, and an illegal one is none.
            share = 1.0 if high == low else 0.1 + 0.9 * (value - low) / (high - low)
        style = Style(bold=direction == best, dim=value is None)
        line = Text(f"{look.arrow(direction):<7} ", style, no_wrap=True)
        colour = Style(color="green" if direction == best else "cyan") if look.colour else Style.null()
        line.append(_bar(share, room, look), colour)
        line.append(f" {text:>9}", style)
        lines.append(line)
    return lines


def _bar(share: float, width: int, look: Look) -> str:
    if not look.unicode:
        return ("#" * max(round(share * width), int(share > 0))).ljust(width)
    eighths = max(round(share * width * 8), int(share > 0))
    whole, part = divmod(eighths, 8)
    return ("█" * whole + (" ▏▎▍▌▋▊▉"[part] if part else "")).ljust(width)


def side_by_side(left: list[Text], right: list[Text], left_width: int) -> list[Text]:
    """Two blocks of lines beside each other, `_MARGIN` columns apart."""
    lines = []
    for one, other in zip_longest(left, right):
        line = Text(no_wrap=True)
        line.append_text(one if one is not None else Text(" " * left_width))
        if other is not None:
            line.append(" " * (left_width - (one.cell_len if one is not None else left_width) + _MARGIN))
            line.append_text(other)
        lines.append(line)
    return lines


@dataclass(frozen=True, slots=True)
class Panel:
    """What is told about a board: as a column beside it, or as few and wide lines below it."""

    beside: list[Text]
    below: list[Text]


def compose(board: Board, panel: Panel, look: Look, width: int, height: int) -> list[Text]:
    """Board and panel as at most `height` lines."""
    layout = choose_layout(
        board, look, width, height, beside_height=len(panel.beside), below_height=len(panel.below)
    )
    lines = board_lines(board, layout, look)
    if layout.beside:
        lines = side_by_side(lines, panel.beside, layout.board_width)
    else:
        lines += panel.below
    if (layout.rows, layout.columns) != board.size:
        lines[-1] = Text(f"the terminal shows {layout.rows}x{layout.columns} of {board.rows}x{board.columns}")
    elif shows_ranks(board, layout):
        lines.append(Text("numbers are ranks: n stands for the tile 2^n"))
    return lines[:height]


def print_board(console: Console, board: Board) -> None:
    """The board alone, small enough to leave room for a summary."""
    look = Look.of(console)
    width, height = console.size
    layout = choose_layout(board, look, width, max(height - 12, board.rows), beside_height=0, below_height=0)
    _print(console, board_lines(board, layout, look))


def loss_lines(values: Values, best: Direction | None, look: Look, unit: str) -> list[Text]:
    """What the other moves give away against the best, in the unit of the values; no number is cut."""
    behind = [
        f"{look.arrow(direction).split()[0]}\u00a0{value_text(loss)}"
        for direction, loss in zip(DIRECTIONS, losses(values), strict=True)
        if loss is not None and math.isfinite(loss) and direction != best
    ]
    told = f"{unit}; loss: {', '.join(behind)}" if behind else unit
    return [Text(line.replace("\u00a0", " "), "dim") for line in textwrap.wrap(told, PANEL_WIDTH)]


def answer_lines(text: str, decision: Decision, look: Look, unit: str = "") -> list[Text]:
    """One player's answer: its name, the best move, the four values and what they are, what the search cost."""
    move = look.arrow(decision.move) if decision.move is not None else "no move is legal"
    lines = [Text(text, "bold"), Text(f"best: {move}"), *value_bars(decision.values, decision.move, look)]
    if unit:
        lines += loss_lines(decision.values, decision.move, look, unit)
    cost = f"depth {decision.depth}, nodes {decision.nodes:,}, {1000 * decision.seconds:,.1f} ms"
    return [*lines, Text(cost, "dim"), *([Text(decision.note, "italic")] if decision.note else [])]


def print_answers(console: Console, board: Board, answers: list[tuple[str, Decision]]) -> None:
    """The board with one player's answer, or with several side by side below it."""
    look = Look.of(console)
    blocks = [
        answer_lines(text, decision, look, unit_of(text, board, decision)) for text, decision in answers
    ]
    width, height = console.size
    panel = blocks.pop(0) if len(blocks) == 1 else []
    across = _across(width)
    # Several answers stand below the board, so it gets what they leave.
    room = height - 2 - sum(1 + len(blocks[i]) for i in range(0, len(blocks), across))
    layout = choose_layout(
        board, look, width, max(room, board.rows), beside_height=len(panel), below_height=len(panel)
    )
    lines = board_lines(board, layout, look)
    if panel:
        if layout.beside and panel[0].cell_len > width - layout.board_width - _MARGIN:
            # A player's text that would be cut stands above, on as many lines as it takes.
            console.print(panel.pop(0), soft_wrap=True)
        lines = side_by_side(lines, panel, layout.board_width) if layout.beside else [*lines, Text(), *panel]
    _print(console, lines + [line for row in in_rows(blocks, width) for line in (Text(), *row)])


def _across(width: int) -> int:
    """Panels that stand side by side in `width` columns."""
    return max(1, (width + _MARGIN) // (PANEL_WIDTH + _MARGIN))


def in_rows(blocks: list[list[Text]], width: int) -> list[list[Text]]:
    """Blocks of lines, as many side by side as there is room for: one list of lines for each row of blocks."""
    across = _across(width)
    return [_columns(blocks[start : start + across]) for start in range(0, len(blocks), across)]


def _columns(blocks: list[list[Text]]) -> list[Text]:
    """Blocks of lines side by side, each cut to the width of a panel."""
    joined = blocks[0]
    for number, block in enumerate(blocks[1:], 1):
        for line in joined:
            line.truncate(number * (PANEL_WIDTH + _MARGIN) - _MARGIN, overflow="crop")
        joined = side_by_side(joined, block, number * (PANEL_WIDTH + _MARGIN) - _MARGIN)
    return joined


def _print(console: Console, lines: list[Text]) -> None:
    for line in lines:
        console.print(line, no_wrap=True, overflow="ignore", crop=True)
