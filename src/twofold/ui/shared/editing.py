"""A board edited cell by cell: what a click or a key makes of it, on the page and in the terminal."""

from __future__ import annotations

from twofold.errors import InvalidBoard, quote
from twofold.rules.board import Board
from twofold.rules.cells import BRICK, MAX_RANK

_VALUES = {str(1 << rank): rank for rank in range(1, MAX_RANK + 1)} | {"0": 0}


CLICKS = (
    ("raise", "raises a tile"),
    ("lower", "lowers a tile"),
    ("brick", "places a brick"),
    ("clear", "empties"),
)
"""What a click may do to a cell, by name and in words."""

_OTHER = {"raise": "lower", "lower": "raise", "brick": "raise", "clear": "raise"}


def by_click(change: object, click: str) -> object:
    """A change as `edited` takes it, if a click does `click` instead of raising, and one with shift the other thing."""
    if isinstance(change, dict) and click in _OTHER:
        if change.get("change") == "raise" and not change.get("typed"):
            return {**change, "change": click}
        if change.get("change") == "lower" and not change.get("typed"):
            return {**change, "change": _OTHER[click]}
    return change


def edited(board: Board, change: object) -> Board:
    """The board after a change as a front end sends it: cell, change (raise, lower, clear, brick, value), value.

    A number that is not a tile yet (1 and 13 on the way to 131072) leaves the board as it is. Raises InvalidBoard for
    anything else.
    """
    asked = change if isinstance(change, dict) else {}
    cell, what, value = asked.get("cell"), asked.get("change"), asked.get("value", "")
    if not isinstance(cell, int) or isinstance(cell, bool) or not 0 <= cell < len(board.cells):
        raise InvalidBoard(f"no cell {quote(cell)} on a {board.rows}x{board.columns} board")
    rank = board.cells[cell]
    tile = 0 if rank == BRICK else rank
    if what == "raise":
        return board.with_cell(cell, min(tile + 1, MAX_RANK))
    if what == "lower":
        return board.with_cell(cell, max(tile - 1, 0))
    if what == "clear":
        return board.with_cell(cell, 0)
    if what == "brick":
        return board.with_cell(cell, 0 if rank == BRICK else BRICK)
    if what == "value" and isinstance(value, str) and len(value) <= 20:
        found = _VALUES.get(value.lstrip("0") or "0")
        return board if found is None else board.with_cell(cell, found)
    raise InvalidBoard(f"{quote(what)} is not a way to change a cell")
