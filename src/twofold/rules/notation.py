"""Boards as text: every notation read, each written so that `parse_board(format_board(board)) == board`.

| name | text | holds |
|---|---|---|
| `spaced` | `2 . 4 .|. . . .|x 16 . .|. . . 2` | every board |
| `map` | `####|2###|#2##|####` (S4), or `# 16|x #` when a tile has two digits | every board |
| `array` | `[[0,2],[4,8]]`, a brick is -1 | every board |
| `hex` | `18ff07ff15ff1334`: one digit per rank, `g` and `h` for 65536 and 131072 | 4×4, no bricks, to 2^17 |
| `u64` | `0x1200000000000000`: hex as one number, top left most significant | 4×4, no bricks, to 2^15 |
| `u64-low` | the same with the top left least significant (nneonneo's order) | 4×4, no bricks, to 2^15 |
| `exponents` | `1 . 2 .|. . . .|x 4 . .|. . . 1`: as `spaced`, ranks instead of tiles | every board |

All but `u64-low` and `exponents` are recognised by themselves, and so is what people paste (`rules/pasted.py`): printed
tables with bars, rules and box characters, numpy's print, lists one a line, CSV and tabs, other programs' JSON. Rows
may be split by newlines instead of `|`; cells by spaces or commas; `.`, `#`, `-`, `_` and (between separators) `0` are
empty cells. Sixteen characters without separators are hex. Sixteen cells in one line are 4×4; for another number
a size has to be given; a `|` at the end makes one row of them. `2x2` alone is refused: it looks like a size.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from twofold.errors import InvalidBoard, InvalidNotation, UnknownNotation, quote
from twofold.rules.cells import (
    BRICK,
    MAX_SIDE,
    Grid,
    cells_text,
    check_size,
    face_value,
    max_rank,
    split_rows,
)
from twofold.rules.pasted import TILES, VALUES, Flat, cell_hint, flat_error, read_pasted

MAX_TEXT = 100_000
"""The longest board text that is looked at, in characters: 64×64 cells of the widest tile fit."""

_SYMBOLS: dict[str, int] = {".": 0, "#": 0, "x": BRICK, "X": BRICK}
_PACKED = {**_SYMBOLS, "2": 1, "4": 2, "8": 3}
_HEX_DIGITS = "0123456789abcdefgh"
_ROW_BREAK = re.compile(r"[ \t]*(?:\|[ \t]*\n?|\n)[ \t]*")
_PLAIN_SIZE = re.compile(r"[1-9][0-9]*[xX][0-9]+")
"""What people write for a size; a row of tiles and a brick looks so too. `0x12` is a number."""
_SIZE = re.compile(r"\s*([0-9]{1,9})\s*[xX×,*]\s*([0-9]{1,9})\s*")


def parse_rows(
    text: str, size: tuple[int, int] | None = None, notation: str | None = None
) -> list[list[int]]:
    """The cells that `text` shows, row by row; see `twofold.rules.board.parse_board`.

    text: any notation of this module, recognised by its look, or the one named by `notation`.
    size: (rows, columns) the board must have; one row of the right number of cells is cut into that size.
    Raises InvalidBoard (InvalidNotation when a notation was named) with one line saying what is wrong.
    """
    if not isinstance(text, str):
        raise InvalidBoard(f"a board text must be a string, not {type(text).__name__}")
    if size is not None:
        try:
            rows_wanted, columns_wanted = size
        except (TypeError, ValueError):
            raise InvalidBoard(
                f"{quote(size)} is not a size; give (rows, columns), for example (4, 4)"
            ) from None
        check_size(rows_wanted, columns_wanted)
    if len(text) > MAX_TEXT:
        raise InvalidBoard(f"{quote(text)} is too long for a board of at most {MAX_SIDE}x{MAX_SIDE}")
    cleaned = re.sub(r"\A(?:[ \t]*\n)+|\s+\Z", "", text.replace("\r\n", "\n").replace("\r", "\n"))
    if not cleaned.strip():
        raise InvalidBoard("an empty text is not a board; write for example '2 . .|. 4 x' or '####|#2##'")
    if notation is not None and notation not in _READERS:
        raise UnknownNotation(notation, NOTATIONS)
    stripped = cleaned.strip()
    if size is None and notation is None and _PLAIN_SIZE.fullmatch(stripped):
        raise InvalidBoard(
            f"{quote(stripped)} is a size, not a board: an empty 2x2 board is '. .|. .', "
            "and a row of two tiles and a brick '2 x 2|'"
        )
    reader = None if notation is None else _READERS[notation]
    readings = _by_look(cleaned, stripped, notation) if reader is None else [reader(stripped)]
    return _only(readings, size, stripped)


def _by_look(text: str, stripped: str, notation: str | None) -> list[list[list[int]]]:
    """What a text can be; `text` still has what stands before its first cell, a tab for an empty one."""
    if notation is None and stripped[:2] in ("0x", "0X"):
        return [_read_u64(stripped)]
    if notation is None and len(stripped) == 16 and not re.search(r"[\s,|\[{]", stripped):
        return [_read_hex(stripped)]
    if notation == "array" and stripped[0] != "[":
        raise InvalidNotation(f"{quote(stripped)} is not an array; write [[0,2],[4,8]]")
    return read_pasted(text, notation == "exponents", _read_map)


def _only(readings: list[list[list[int]]], size: tuple[int, int] | None, text: str) -> list[list[int]]:
    """The one board that a text can be. Raises InvalidBoard if there are two, or none of this size."""
    found: list[list[list[int]]] = []
    failure: InvalidBoard | None = None
    for rows in readings:
        try:
            fitting = _squared(rows, text) if size is None else _fit(rows, size)
            check_size(len(fitting), len(fitting[0]))
        except InvalidBoard as error:
            failure = failure or error
            continue
        if fitting not in found:
            found.append(fitting)
    if not found:
        assert failure is not None
        raise failure
    if len(found) > 1:
        shown = " or ".join(_shown(rows) for rows in found)
        raise InvalidBoard(f"{quote(text)} could be {shown}: give a size, or write one of these")
    return found[0]


def _squared(rows: list[list[int]], text: str) -> list[list[int]]:
    """Sixteen cells in one line are 4x4. Raises InvalidBoard for another list whose size isn't told."""
    flat = rows[0]
    if not isinstance(flat, Flat):
        return rows
    if len(flat) == 16:
        return _square(flat)
    raise flat_error(flat, text)


def _shown(rows: list[list[int]]) -> str:
    cells = [_symbols([face_value(rank) for rank in row], ".") for row in rows]
    end = "|" if len(rows) == 1 else ""
    return f"{len(rows)}x{len(rows[0])} {quote('|'.join(' '.join(row) for row in cells) + end)}"


def format_board(board: Grid, notation: str = "spaced") -> str:
    """`board` in a notation. Raises InvalidNotation if it cannot be written in it, with the reason."""
    if not isinstance(notation, str) or notation not in _WRITERS:
        raise UnknownNotation(str(notation), NOTATIONS)
    return _WRITERS[notation](board)


def parse_size(text: str, check: Callable[[int, int], object] = check_size) -> tuple[int, int]:
    """(rows, columns) from `4x4` and the like; `check` refuses those that can't be. Raises InvalidBoard."""
    found = _SIZE.fullmatch(text) if len(text) <= 100 else None
    if not found:
        raise InvalidBoard(f"{quote(text)} is not a size; write ROWSxCOLUMNS, for example 4x4")
    rows, columns = int(found[1]), int(found[2])
    check(rows, columns)
    return rows, columns


# Reading


def _fit(rows: list[list[int]], size: tuple[int, int]) -> list[list[int]]:
    """`rows` if they have this size, or their single row cut into it."""
    height, width = size
    if len(rows) == 1 and len(rows[0]) == height * width:
        flat = rows[0]
        return [flat[i : i + width] for i in range(0, len(flat), width)]
    if len(rows) != height or any(len(row) != width for row in rows):
        raise InvalidBoard(f"the board text has {_shape_text(rows)}, not the {height}x{width} asked for")
    return rows


def _shape_text(rows: list[list[int]]) -> str:
    widths = {len(row) for row in rows}
    width = str(widths.pop()) if len(widths) == 1 else "unequal"
    return f"{len(rows)} row{'s' if len(rows) != 1 else ''} of {width} cells"


def _read_map(text: str) -> list[list[int]]:
    """Rows split by `|` or newlines; each row with or without separators between its cells."""
    whole = text.removesuffix("|").rstrip() if len(text) > 1 else text
    rows = [_read_row(row, number, text) for number, row in enumerate(_ROW_BREAK.split(whole), 1)]
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise InvalidBoard(
                f"row {number} has {cells_text(len(row))} but row 1 has {len(rows[0])} in {quote(text)}; "
                f"all rows must be equally long"
            )
    return rows


def _read_row(row: str, number: int, text: str) -> list[int]:
    row = row.strip()
    if not row:
        raise InvalidBoard(f"row {number} is empty in {quote(text)}")
    if re.search(r"[\s,]", row):
        return [_cell(token, VALUES, number) for token in re.split(r"\s*,\s*|\s+", row)]
    if row in TILES:  # a column's row; no such number could be read digit by digit as well
        return [TILES[row]]
    return [_cell(char, _PACKED, number, row) for char in row]


def _cell(token: str, table: dict[str, int], row: int, packed_row: str | None = None) -> int:
    found = table.get(token)
    if found is None:
        raise InvalidBoard(f"{quote(token)} in row {row} is not a cell: {_cell_hint(token, packed_row)}")
    return found


def _cell_hint(token: str, packed_row: str | None) -> str:
    if packed_row is not None and token.isascii() and token.isalnum():
        if len(packed_row) > 8 and re.fullmatch(r"[0-9a-hA-H]+", packed_row):
            return f"a hex board has 16 digits, this has {len(packed_row)}"
        if token.isdigit():
            return "without separators only 2, 4 and 8 are tiles; put spaces between cells, as in '# 16 #'"
    return cell_hint(token)


def _read_hex(text: str) -> list[list[int]]:
    ranks = [_HEX_DIGITS.find(char) for char in text.lower()]
    if len(ranks) != 16 or -1 in ranks:
        raise InvalidNotation(
            f"{quote(text)} is not a hex board (16 digits 0-9, a-h, one per rank); a 1x16 map needs separators"
        )
    return _square(ranks)


def _read_u64(text: str) -> list[list[int]]:
    try:
        number = int(text, 0) if len(text) <= 20 else -1
    except ValueError:
        number = -1
    if not 0 <= number < 1 << 64:
        raise InvalidNotation(
            f"{quote(text)} is not a packed board; write a number below 2^64, as 0x12000000"
        )
    return _square([number >> shift & 15 for shift in range(60, -1, -4)])


def _read_u64_low(text: str) -> list[list[int]]:
    rows = _read_u64(text)
    return [row[::-1] for row in rows[::-1]]


def _square(ranks: list[int]) -> list[list[int]]:
    return [ranks[i : i + 4] for i in range(0, 16, 4)]


# Writing


def _values(board: Grid) -> list[list[int]]:
    return [[face_value(rank) for rank in row] for row in split_rows(board)]


def _write_spaced(board: Grid) -> str:
    return "|".join(" ".join(_symbols(row, ".")) for row in _values(board)) + _row_end(board)


def _row_end(board: Grid) -> str:
    """A bar at the end of a single row, which would be taken for a list of cells without."""
    return "|" if board.rows == 1 else ""


def _write_exponents(board: Grid) -> str:
    names = {0: ".", BRICK: "x"}
    rows = (" ".join(names.get(rank, str(rank)) for rank in row) for row in split_rows(board))
    return "|".join(rows) + _row_end(board)


def _write_map(board: Grid) -> str:
    rows = [_symbols(row, "#") for row in _values(board)]
    # Sixteen characters in one row would be read as hex, so that row gets separators too.
    packed = max_rank(board.cells) <= 3 and (board.rows, board.columns) != (1, 16)
    return "|".join(("" if packed else " ").join(row) for row in rows) + _row_end(board)


def _symbols(values: Iterable[int], empty: str) -> list[str]:
    return [empty if value == 0 else "x" if value < 0 else str(value) for value in values]


def _write_array(board: Grid) -> str:
    return "[" + ",".join("[" + ",".join(map(str, row)) + "]" for row in _values(board)) + "]"


def _write_hex(board: Grid) -> str:
    _check_square(board, "hex", 17)
    return "".join(_HEX_DIGITS[rank] for rank in board.cells)


def _write_u64(board: Grid) -> str:
    _check_square(board, "u64", 15)
    return "0x" + "".join(_HEX_DIGITS[rank] for rank in board.cells)


def _write_u64_low(board: Grid) -> str:
    _check_square(board, "u64-low", 15)
    return "0x" + "".join(_HEX_DIGITS[rank] for rank in reversed(board.cells))


def _check_square(board: Grid, notation: str, highest: int) -> None:
    if (board.rows, board.columns) != (4, 4):
        raise InvalidNotation(f"{notation} holds 4x4 boards only, not {board.rows}x{board.columns}")
    if BRICK in board.cells:
        raise InvalidNotation(f"{notation} has no sign for a brick; use spaced, map or array")
    if max_rank(board.cells) > highest:
        largest = face_value(highest)
        raise InvalidNotation(
            f"{notation} holds tiles up to {largest}, not {face_value(max_rank(board.cells))}; use spaced, map or array"
        )


_WRITERS: dict[str, Callable[[Grid], str]] = {
    "spaced": _write_spaced,
    "map": _write_map,
    "array": _write_array,
    "hex": _write_hex,
    "u64": _write_u64,
    "u64-low": _write_u64_low,
    "exponents": _write_exponents,
}

_READERS: dict[str, Callable[[str], list[list[int]]] | None] = {
    "spaced": _read_map,
    "map": _read_map,
    "array": None,
    "hex": _read_hex,
    "u64": _read_u64,
    "u64-low": _read_u64_low,
    "exponents": None,
}

NOTATIONS: tuple[str, ...] = tuple(_WRITERS)
"""The names of the notations."""
