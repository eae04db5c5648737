"""Boards as people paste them, recognised by their look: printed tables, lists, CSV, numpy's print, JSON.

Used by `parse_board` where no notation is named. A text that could be two boards is refused, and both are shown.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from twofold.errors import InvalidBoard, InvalidNotation, quote
from twofold.rules.cells import BRICK, MAX_RANK, MAX_SIDE, cell_of_value, cells_text

Rows = list[list[int]]
Cell = Callable[[str, int], int]
"""Reads one cell of a row with this number. Raises InvalidBoard."""

TILES: dict[str, int] = {str(1 << rank): rank for rank in range(1, MAX_RANK + 1)}
EMPTY: dict[str, int] = dict.fromkeys((".", "#", "0", "-", "--", "_", "__", "___", "·", "null", "None"), 0)
_BRICKS = {"x": BRICK, "X": BRICK, "-1": BRICK}
VALUES = {**EMPTY, **TILES, **_BRICKS}
_RANKS = {**EMPTY, **{str(rank): rank for rank in range(1, MAX_RANK + 1)}, **_BRICKS}
_BOX = str.maketrans("│┃║┆┊╎─━═┄┈╌┌┬┐├┼┤└┴┘╔╦╗╠╬╣╚╩╝╭╮╰╯┏┳┓┣╋┫┗┻┛╒╤╕╞╪╡╘╧╛", "||||||------" + "+" * 40)
_RULE = re.compile(r"[\s|:+=-]*(?:\+|-{3}|={3})[\s|:+=-]*")
_FLOAT = re.compile(r"\d{1,20}\.\d{0,20}(?:e\+\d\d)?")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+")
_WRAPPER = re.compile(r"(?:[\w.]+\()?\s*(\[.*\])\s*(?:,\s*(?:dtype|device)=[^()]*)?\)?\s*,?", re.DOTALL)
_INNER = re.compile(r"\[([^\[\]]*)\]")
_STORE = re.compile(r"((?:\d+[ \t]+){15}\d+)[ \t]*\n[ \t]*\d+")


def read_pasted(text: str, ranks: bool, packed: Callable[[str], Rows]) -> list[Rows]:
    """All boards that a text could be, as rows of cell bytes; a single row is still to be given a size.

    text: without blank lines around. ranks: numbers are exponents, not tiles. packed: reads rows without separators.
    Raises InvalidBoard.
    """
    read = _cell_reader(_RANKS if ranks else VALUES, ranks)
    stripped = text.strip()
    if stripped.startswith("{"):
        return [_of_json(stripped)]
    if re.match(r"(?:[\w.]+\(\s*)?\[", stripped):
        return [_brackets(stripped, read)]
    store = _STORE.fullmatch(stripped)
    if store is not None and not ranks:
        return [[Flat(read(cell, 1) for cell in store[1].split())]]
    lines = [line.rstrip(" ") for line in text.translate(_BOX).split("\n")]
    found = _table(lines, read)
    if found is None:
        found = _separated(lines, read, packed if not ranks else None)
    if not found:
        found = [packed(stripped)] if not ranks else [_spaced(stripped, read)]
    return [rows for i, rows in enumerate(found) if rows not in found[:i]]


def _cell_reader(names: dict[str, int], ranks: bool) -> Cell:
    def read(token: str, row: int) -> int:
        plain = token.strip().strip("\"'")
        if _FLOAT.fullmatch(plain) and float(plain).is_integer():
            plain = str(int(float(plain)))
        found = names.get(plain)
        if found is None:
            hint = f"exponents go from 0 to {MAX_RANK}" if ranks else cell_hint(plain)
            raise InvalidBoard(f"{quote(token)} in row {row} is not a cell: {hint}")
        return found

    return read


def cell_hint(token: str) -> str:
    """What would be right where `token` is not a cell."""
    if not token:
        return "nothing stands between two commas"
    if token.isascii() and token.lstrip("-").isdigit():
        exponents = "; exponents are read with --exponents" if len(token) < 3 and token[0] != "-" else ""
        return f"tiles are the powers of two from 2 to 2^{MAX_RANK}{exponents}"
    return "write '.' or '#' for empty, 'x' for a brick, or a power of two"


# Lists


def _brackets(text: str, read: Cell) -> Rows:
    """`[[0, 2], [4, 8]]`, numpy's print of it, rows in brackets one a line, or one flat list."""
    wrapped = _WRAPPER.fullmatch(text)
    body = wrapped[1] if wrapped else text
    inside = _INNER.findall(body)
    around = re.sub(r"[\s,]", "", _INNER.sub("", body))
    if not inside or around not in ("", "[]") or (body.startswith("[[") and around != "[]"):
        raise InvalidNotation(f"{quote(text)} is not an array; write [[0,2],[4,8]]")
    if not any(char.isalnum() for char in text):
        raise InvalidNotation(f"{quote(text)} is an array without numbers; write [[0,2],[4,8]]")
    rows = [_listed(row, number, read) for number, row in enumerate(inside, 1)]
    nested = around == "[]" or len(rows) > 1
    return rows if nested else [Flat(rows[0])]


class Flat(list[int]):
    """Cells in one line, the list of a whole board, whose size has to be told if they aren't 16."""


def _listed(text: str, number: int, read: Cell) -> list[int]:
    tokens = [token.strip() for token in text.split(",")] if "," in text else text.split()
    if len(tokens) > 1 and not tokens[-1]:
        tokens.pop()  # a comma after the last cell
    for token in tokens:
        if token in (".", "#"):
            raise InvalidBoard(f"{quote(token)} in row {number} is not a cell: write 0 in a list")
    try:
        return [read(token, number) for token in tokens]
    except InvalidBoard:
        wrong = next(token for token in tokens if not _readable(token, read))
        hint = f"0, a power of two from 2 to 2^{MAX_RANK}, or -1 for a brick"
        raise InvalidBoard(f"{quote(wrong)} in row {number} is not a cell: write {hint}") from None


def _readable(token: str, read: Cell) -> bool:
    try:
        read(token, 0)
    except InvalidBoard:
        return False
    return True


# Tables


def _table(lines: list[str], read: Cell) -> list[Rows] | None:
    """A table with bars between its cells, or a frame around its rows; None for other texts."""
    rows = [line.strip() for line in lines if not _RULE.fullmatch(line) or not line.strip()]
    ruled = len(rows) < len(lines) and any("|" in row or "+" in line for row in rows for line in lines)
    framed = all(len(row) > 1 and row[0] == row[-1] == "|" for row in rows)
    barred = len(rows) > 1 and all("|" in row for row in rows)
    if not rows or not all(rows) or not (ruled or framed or barred):
        return None
    pieces = [row.removeprefix("|").removesuffix("|").split("|") for row in rows]
    words = max(len(piece.split()) for row in pieces for piece in row)
    if max(map(len, pieces)) == 1 and (ruled or framed) and words > 1:
        return [[[read(token, number) for token in re.split(r"\s*,\s*|\s+", row[0].strip())]
                 for number, row in enumerate(pieces, 1)]]  # fmt: skip
    if words > 1 or not all(_is_cell(piece, read) for row in pieces for piece in row):
        if not (ruled or (framed and len(rows) > 1)):
            return None  # rows of a map, split by bars
        for number, row in enumerate(pieces, 1):
            for piece in row:
                if not _is_cell(piece, read):
                    raise InvalidBoard(
                        f"{quote(piece.strip())} in row {number} is not a cell: {cell_hint(piece)}"
                    )
    table = [[_of_piece(piece, number, read) for piece in row] for number, row in enumerate(pieces, 1)]
    if framed and len(rows) == 1 and len(table[0]) > 1 and not ruled:
        return [table, [[cell] for cell in table[0]]]  # one row of cells, or as many rows of one
    ends = [row.endswith("|") and not row.startswith("|") for row in rows]
    if all(ends) and not ruled:
        wider = [[*row, 0] for row in table]  # the last column may be empty
        return [table, wider] if max(map(len, table)) == 1 else [wider]
    return [table]


def _is_cell(piece: str, read: Cell) -> bool:
    return not piece.strip() or bool(_GROUPED.fullmatch(piece.strip())) or _readable(piece.strip(), read)


def _of_piece(piece: str, number: int, read: Cell) -> int:
    token = piece.strip()
    return read(token.replace(",", ""), number) if token else 0


# Rows


def _separated(lines: list[str], read: Cell, packed: Callable[[str], Rows] | None) -> list[Rows]:
    """Rows one a line whose cells are split by spaces, commas or tabs, which may have nothing between them."""
    if any("|" in line for line in lines) or not all(line.strip() for line in lines):
        return []
    if len(lines) > 1 and packed is not None and any(re.fullmatch(r"\s*-{2,}\s*", line) for line in lines):
        raise InvalidBoard(
            "a line --- separates boards, or is a row of empty cells: write . for an empty cell"
        )
    found: list[Rows] = []
    for mark in "\t,":
        fields = [line.split(mark) for line in lines]
        if (
            len(lines) > 1
            and all(mark in line for line in lines)
            and any(not field.strip() for row in fields for field in row)
        ):
            found += _with_gaps(fields, read)
            if mark == "," and all(not row[-1].strip() for row in fields):
                found += _with_gaps([row[:-1] for row in fields], read)
            if mark == ",":
                return found
    stripped = [line.strip() for line in lines]
    if all(re.search(r"[\s,]", line) for line in stripped):
        plain = [
            [read(token, number) for token in re.split(r"\s*,\s*|\s+", line)]
            for number, line in enumerate(stripped, 1)
        ]
        if not found or len({len(row) for row in plain}) == 1:
            found.append(plain if len(plain) > 1 else [Flat(plain[0])])
    elif len(lines) == 16 and all(_readable(line, read) for line in stripped):
        column = [read(line, number) for number, line in enumerate(stripped, 1)]
        found += [[[cell] for cell in column], [column[i : i + 4] for i in range(0, 16, 4)]]
    return found


def _with_gaps(fields: list[list[str]], read: Cell) -> list[Rows]:
    """Fields of CSV, an empty one an empty cell, if all rows have as many."""
    if len({len(row) for row in fields}) > 1:
        return []
    try:
        return [
            [
                [read(field, number) if field.strip() else 0 for field in row]
                for number, row in enumerate(fields, 1)
            ]
        ]
    except InvalidBoard:
        return []


def _spaced(text: str, read: Cell) -> Rows:
    """Rows split by bars or lines, cells by spaces or commas; for exponents, where there are no packed rows."""
    rows = re.split(r"\s*(?:\|\s*|\n)\s*", text.removesuffix("|").strip())
    return [
        [read(token, number) for token in re.split(r"\s*,\s*|\s+", row)] for number, row in enumerate(rows, 1)
    ]


# Other programs


def _of_json(text: str) -> Rows:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidBoard(f"{quote(text)} is not JSON, or is cut off") from None
    return rows_of_state(found)


def rows_of_state(found: Any) -> Rows:
    """The board of the original game's stored state (cells column by column) or 2048verse's (row by row), from JSON.

    Raises InvalidBoard.
    """
    grid = found.get("grid") if isinstance(found, dict) else None
    cells = grid.get("cells") if isinstance(grid, dict) else None
    if isinstance(cells, list):
        return [list(row) for row in zip(*_rows_of_cells(cells), strict=True)]
    rows = found.get("boardState") if isinstance(found, dict) else None
    if isinstance(rows, list):
        return _rows_of_cells(rows)
    raise InvalidBoard('the JSON holds no board, as the original game\'s state does: {"grid": {"cells": …}}')


def _rows_of_cells(cells: list[Any]) -> Rows:
    width = len(cells[0]) if cells and isinstance(cells[0], list) else 0
    if not 1 <= len(cells) <= MAX_SIDE or not 1 <= width <= MAX_SIDE:
        raise InvalidBoard("the JSON's cells are not a grid")
    if not all(isinstance(row, list) and len(row) == width for row in cells):
        raise InvalidBoard("the JSON's cells are not a grid: its rows differ in length")
    return [
        [cell_of_value(tile.get("value", "?") if isinstance(tile, dict) else tile) for tile in row]
        for row in cells
    ]


# Which of them it is


def sizes_for(count: int) -> str:
    """The sizes that as many cells fit, for a message."""
    fits = [f"{rows}x{count // rows}" for rows in range(1, count + 1) if count % rows == 0]
    kept = [size for size in fits if max(map(int, size.split("x"))) <= MAX_SIDE]
    return " or ".join(kept) if kept else "none"


def flat_error(row: list[int], text: str) -> InvalidBoard:
    """The refusal of a list of cells whose size isn't told."""
    return InvalidBoard(
        f"{quote(text)} is a flat list, which needs a size: {sizes_for(len(row))} "
        f"hold {cells_text(len(row))}; or write [[0,2],[4,8]]"
    )
