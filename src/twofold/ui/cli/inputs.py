"""What people hand to the command line: rules as options, boards as text, in files and on standard input."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from twofold.errors import InvalidBoard, InvalidFile, TwofoldError, quote
from twofold.files import open_file
from twofold.rules.board import parse_board
from twofold.rules.notation import MAX_TEXT

_CELL = r"[.#·_-]{1,3}|-?\d{1,19}(?:\.0*)?|[xX]|\"\d*\"|"
_FILE_NAME = re.compile(r"[\w -]*[A-Za-z_][\w .-]*\.(?:txt|csv|tsv|json|jsonl|dat|md|log)")

STDIN = "-"
"""The argument that stands for standard input."""


@dataclass(frozen=True, slots=True)
class Line:
    """One board of a list: the number of its first line, counted from 1, and its text."""

    number: int
    text: str


def find_boards(argument: str | None, file: str | None) -> str | Iterator[Line]:
    """What a board argument means: the text of one board, or those of a file or of standard input.

    `-` is standard input, and so is no argument at all when something is piped in. A text that names an existing
    file, and is not a board, is that file. Lines that are rows make one board together, until a blank line or `---`; a
    line that holds a whole board is one.
    """
    if file is not None and argument is not None:
        raise InvalidFile("give a BOARD or --file, not both")
    if file is not None:
        return read_lines(file)
    if argument is None:
        if sys.stdin is None or sys.stdin.isatty():
            raise InvalidBoard(
                "give a BOARD such as '2 . 4 .|. . . .|. 16 . .|. . . 2', a file, or - for input"
            )
        return read_lines(STDIN)
    if argument == STDIN or _names_file(argument):
        return read_lines(argument)
    return argument


def _names_file(argument: str) -> bool:
    try:
        path = Path(argument)
        if path.is_dir() or not path.exists():
            # No board has a slash or ends like "boards.txt": let reading say that there is no such file.
            return "/" in argument or _FILE_NAME.fullmatch(argument) is not None
    except (OSError, ValueError):  # too long, or a NUL in it: no name of a file
        return False
    try:
        parse_board(argument)
    except TwofoldError:
        return True
    return False


def read_lines(path: str) -> Iterator[Line]:
    """The boards of a file, or of standard input for `-`, as they come. Raises `InvalidFile` at once if it can't."""
    if path == STDIN:
        return _boards_of(_lines_of(sys.stdin.buffer, "standard input"))
    return _boards_of(_lines_of(open_file(path), path))


def _lines_of(stream: BinaryIO, name: str) -> Iterator[Line]:
    number = 0
    with stream:
        while True:
            try:
                raw = stream.readline(MAX_TEXT + 2)
            except OSError as error:  # a directory opens on some systems and fails here
                raise InvalidFile(f"can't read {quote(name)}: {error.strerror}") from None
            if not raw:
                return
            number += 1
            if len(raw) > MAX_TEXT + 1:
                raise InvalidFile(f"line {number} of {quote(name)} is too long: write one board per line")
            yield Line(number, raw.decode("utf-8-sig", "replace").rstrip("\r\n"))


def _boards_of(lines: Iterator[Line]) -> Iterator[Line]:
    """Lines put together to boards."""
    rows: list[str] = []
    first = depth = 0
    for line in lines:
        text = line.text.strip()
        parts = not text or re.fullmatch(r"-{3}", text) is not None
        whole = not parts and not depth and not _is_row(text) and not (rows and _is_bad_row(text, rows[-1]))
        if (parts or whole) and rows and not depth:
            yield Line(first, "\n".join(rows))
            rows = []
        if whole:
            yield Line(line.number, text)
        elif text and not (parts and not depth):
            first = first if rows else line.number
            depth += text.count("{") - text.count("}")
            rows.append(line.text)
            if sum(map(len, rows)) > MAX_TEXT:
                raise InvalidFile(
                    f"the board from line {first} on is too long: separate boards by a blank line"
                )
    if rows:
        yield Line(first, "\n".join(rows))


def _is_bad_row(text: str, before: str) -> bool:
    """Whether a line that is no row was meant for one: it has as many cells as the row before, and some can be read."""
    cells, others = (re.split(r"\s*,\s*|\s+", each) for each in (text, before.strip()))
    same = len(cells) == len(others) > 1 and not set(text) & set("|[{")
    return same and any(re.fullmatch(_CELL, cell) for cell in cells)


def _is_row(text: str) -> bool:
    """Whether a line is a part of a board: a row of cells, or a line of a printed table, a list or JSON."""
    if text[0] in "+┌├└╔╠╚╭╰│║┃┏┗" or (text[0] == text[-1] == "|") or re.fullmatch(r"[-=+| ]{4,}", text):
        return True
    if text[0] == "{":
        return text.count("{") != text.count("}")
    if text[0] == "[" or text.startswith("array("):
        return (not text.endswith("]]") and not text.endswith("]])")) or text.count("[[") != text.count("]]")
    if "|" in text:
        return re.fullmatch(r"[\w.,#]+(?: +\| +[\w.,#]+)+", text) is not None
    cells = re.split(r"\s*,\s*|\s+", text)
    if len(cells) == 1 and len(text) == 16:
        return False
    packed = len(cells) == 1 and set(text) <= set(".#xX248")
    return packed or (len(cells) != 16 and all(re.fullmatch(_CELL, cell) for cell in cells))
