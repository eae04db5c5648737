"""Start patterns of Life: by name, drawn as text, and from files (run-length encoded, plain text, Life 1.05 and 1.06).

Formats as the LifeWiki describes them (https://conwaylife.com/wiki/Run_Length_Encoded, /wiki/Plaintext,
/wiki/Life_1.05 and /wiki/Life_1.06). RLE headers may give a rule, and a board as Golly writes it: `B3/S23:T8,8` is a
torus and `:P8,8` a bounded board, 8 columns wide and 8 rows high.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path

import numpy as np

from twofold.art.life import CONWAY, MOST_SIDE, Cells, Life, Rule, check_life_size
from twofold.errors import InvalidFile, InvalidPattern, UnknownPattern, quote
from twofold.files import read_file

MAX_TEXT = 1_000_000
"""The most characters of a pattern's text."""

_HEADER = re.compile(
    r"\s*x\s*=\s*([0-9]{1,9})\s*,\s*y\s*=\s*([0-9]{1,9})\s*(?:,\s*rule\s*=\s*([^\s:,]+)\s*(?::\s*(\S+))?\s*)?"
)
_LOOKS_LIKE_HEADER = re.compile(r"\s*x\s*=")
_TORUS = re.compile(r"([TPtp])\s*([0-9]{1,9})(?:,([0-9]{1,9}))?")
_RUN = re.compile(r"([0-9]*)([boxyz$.A!])")
_ALIVE_IN_RLE = "oxyzA"
_COMMENT = re.compile(r"#+\s*[A-Za-z]|#+(?:\s|$)")
_PLACE = re.compile(r"\s*(-?[0-9]{1,9})\s+(-?[0-9]{1,9})\s*")
_LINE = 70
"""RLE lines have at most so many characters."""
_DEAD, _ALIVE = ".-_0 ", "#*oOxX1@"


@dataclass(frozen=True, slots=True)
class Pattern:
    """A start pattern.

    rows, columns, cells: as in `Life`; name and rule as given; board: (rows, columns, wrapped) if the text
    says on which board it lives.
    """

    rows: int
    columns: int
    cells: bytes
    name: str = ""
    rule: Rule = CONWAY
    board: tuple[int, int, bool] | None = None

    @property
    def array(self) -> Cells:
        """The cells, (rows, columns)."""
        return np.frombuffer(self.cells, np.uint8).reshape(self.rows, self.columns)

    def place(
        self, rows: int, columns: int, *, wrap: bool = False, at: tuple[int, int] | None = None
    ) -> Life:
        """The pattern on a board.

        at: row and column of its top left cell, from 0; by default it is in the middle. What would lie beyond the
        side comes in again on a wrapped board. Raises InvalidPattern if it doesn't fit, InvalidBoard for a bad size.
        """
        check_life_size(rows, columns)
        if self.rows > rows or self.columns > columns:
            raise InvalidPattern(
                f"the pattern {quote(self.name) + ' ' if self.name else ''}has {self.rows}x{self.columns} cells: "
                f"it doesn't fit on a {rows}x{columns} board"
            )
        top, left = at if at is not None else ((rows - self.rows) // 2, (columns - self.columns) // 2)
        inside = 0 <= top <= rows - self.rows and 0 <= left <= columns - self.columns
        if not inside and not (wrap and 0 <= top < rows and 0 <= left < columns):
            raise InvalidPattern(
                f"{quote(f'{top},{left}')} is not a position for a pattern of {self.rows}x{self.columns} cells "
                f"on a {rows}x{columns} board; places count from 0,0"
            )
        cells = np.zeros((rows, columns), np.uint8)
        y, x = (np.arange(self.rows) + top) % rows, (np.arange(self.columns) + left) % columns
        cells[np.ix_(y, x)] = self.array
        return Life.of(cells, wrap=wrap, rule=self.rule)


# Names

_LINES = (Path(__file__).parent.parent / "data" / "patterns.tsv").read_text("utf-8").splitlines()
NAMED: dict[str, tuple[str, str]] = {name: (rle, what) for name, rle, what in (x.split("\t") for x in _LINES)}
"""Name: (RLE, what it does), from data/patterns.tsv. The facts are tested in `tests/art/test_life.py`."""


def named(name: str) -> Pattern:
    """A pattern by its name, in any case, with spaces or underscores for hyphens. Raises UnknownPattern."""
    known = name.strip().lower().replace(" ", "-").replace("_", "-")
    if known not in NAMED:
        raise UnknownPattern(name, NAMED)
    pattern = parse_rle(NAMED[known][0])
    return Pattern(pattern.rows, pattern.columns, pattern.cells, known)


# Texts


def parse_pattern(text: str) -> Pattern:
    """A pattern from the text of a file or a drawing, in the format that it looks like.

    Life 1.05 or 1.06 by its first line; RLE if it has a header, ends in `!` or has letters that a drawing has not;
    else plain text.

    Raises InvalidPattern.
    """
    if len(text) > MAX_TEXT:
        raise InvalidPattern(f"{quote(text)} is too long for a pattern: the most is {MAX_TEXT:,} characters")
    lines = text.lstrip("\ufeff").splitlines()
    if lines and lines[0].startswith("#Life"):
        return _parse_life_1(lines, text)
    written = [line for line in lines if line.strip() and not _is_comment(line)]
    body = [line for line in written if not line.startswith("!")]
    if body and (_LOOKS_LIKE_HEADER.match(body[0]) or _is_bare_rle(body)):
        return parse_rle(text)
    return _parse_plain(lines, text)


def parse_rle(text: str) -> Pattern:
    """A pattern from run-length encoding, with or without its header. Raises InvalidPattern."""
    name, rule, board, size = "", CONWAY, None, None
    body: list[str] = []
    for line in text.lstrip("\ufeff").splitlines():
        if line.startswith("#"):
            name = line[2:].strip() if line.startswith("#N") and not name else name
            rule = Rule.parse(line[2:]) if line.startswith("#r") else rule
        elif size is None and not body and _LOOKS_LIKE_HEADER.match(line):
            size, given, board = _parse_header(line)
            rule = given or rule
        else:
            body.append(line)
            if "!" in line:
                break
    rows = _parse_body("".join(body), size, text)
    height, width = size if size is not None else (len(rows), max(map(len, rows), default=0))
    cells = _filled(rows, height, width, text)
    return Pattern(height, width, cells, name, rule, board)


def to_rle(life: Life, name: str = "") -> str:
    """One generation as RLE, with its rule and board in the header, which `parse_rle` reads again."""
    runs: list[str] = []
    skipped = 0
    for row in life.array.tolist():
        end = len(row) - row[::-1].index(1) if 1 in row else 0
        if end:
            runs += [_run(skipped, "$")] if skipped else []
            runs += _row_runs(row[:end])
            skipped = 0
        skipped += 1
    lines, line = [], ""
    for run in [*runs, "!"]:
        if len(line) + len(run) > _LINE:
            lines.append(line)
            line = ""
        line += run
    topology = "T" if life.wrap else "P"
    heading = [f"#N {' '.join(name.split())}"] if name else []
    header = f"x = {life.columns}, y = {life.rows}, rule = {life.rule}:{topology}{life.columns},{life.rows}"
    return "\n".join([*heading, header, *lines, line, ""])


def to_plain(life: Life, name: str = "") -> str:
    """One generation as plain text: `O` alive, `.` dead, and the name after `!`."""
    heading = [f"!Name: {' '.join(name.split())}"] if name else []
    rows = ["".join(".O"[cell] for cell in row) for row in life.array.tolist()]
    return "\n".join([*heading, *rows, ""])


def read_pattern(path: str | PathLike[str]) -> Pattern:
    """A pattern from a file, RLE or plain text by its look. Raises InvalidFile, InvalidPattern."""
    name = fspath(path)
    content = read_file(name, MAX_TEXT + 1)
    if b"\0" in content:
        raise InvalidFile(f"{quote(name)} is not a text file: a pattern is RLE or lines of '.' and 'O'")
    try:
        return parse_pattern(content.decode("utf-8-sig", "replace"))
    except InvalidPattern as error:
        raise InvalidPattern(f"{quote(name)}: {error}") from None


# Parts of the above


def _is_comment(line: str) -> bool:
    """True for a comment of RLE, as `#N Glider`; `#O #` is a row of cells."""
    return _COMMENT.match(line) is not None and bool(set(line) - set(_DEAD + _ALIVE + "|"))


def _is_bare_rle(body: list[str]) -> bool:
    """True for RLE without a header: counts, `b`, `o` and `$`, with a `!` or a character that no drawing has."""
    joined, ended, _ = "".join("".join(body).split()).partition("!")
    return not set(joined) - set("0123456789boxyz$") and bool(ended or set(joined) - set(_DEAD + _ALIVE))


def _parse_header(line: str) -> tuple[tuple[int, int], Rule | None, tuple[int, int, bool] | None]:
    found = _HEADER.fullmatch(line)
    if found is None:
        raise InvalidPattern(f"{quote(line)} is not an RLE header: write 'x = 3, y = 3, rule = B3/S23'")
    columns, rows = int(found[1]), int(found[2])
    if not (1 <= rows <= MOST_SIDE and 1 <= columns <= MOST_SIDE):
        raise InvalidPattern(
            f"{quote(line.strip())}: a pattern has 1 to {MOST_SIDE} columns (x) and rows (y)"
        )
    rule = Rule.parse(found[3]) if found[3] else None
    return (rows, columns), rule, _parse_topology(found[4]) if found[4] else None


def _parse_topology(text: str) -> tuple[int, int, bool]:
    found = _TORUS.fullmatch(text)
    if found is None:
        raise InvalidPattern(f"the board {quote(text)} isn't supported: T8,8 is a torus, P8,8 is bounded")
    columns = int(found[2])
    rows = int(found[3]) if found[3] else columns
    check_life_size(rows, columns)
    return rows, columns, found[1] in "Tt"


def _parse_body(body: str, size: tuple[int, int] | None, text: str) -> list[list[int]]:
    """Rows of 0 and 1, as long as they are written."""
    height, width = size if size is not None else (MOST_SIDE, MOST_SIDE)
    rows: list[list[int]] = [[]]
    joined = "".join(body.split())
    position = 0
    while position < len(joined):
        found = _RUN.match(joined, position)
        if found is None:
            raise InvalidPattern(
                f"{quote(joined[position : position + 20])} in the RLE {quote(text)}: "
                "expected a count and b, o, $ or !"
            )
        position = found.end()
        if found[2] == "!":
            return rows
        count = int(found[1][:9]) if found[1] else 1
        if found[2] == "$":
            # Ends of rows after the last one do no harm; more of them than one are not kept.
            rows += [[] for _ in range(min(count, height + 1 - len(rows)))]
        elif len(rows) > height or len(rows[-1]) + count > width:
            limit = f"{height} rows" if len(rows) > height else f"{width} columns"
            raise InvalidPattern(f"{quote(found[0])} in the RLE {quote(text)}: more than {limit}")
        else:
            rows[-1] += [int(found[2] in _ALIVE_IN_RLE)] * count
    return rows


def _parse_life_1(lines: list[str], text: str) -> Pattern:
    """Life 1.06 (a live cell a line, x and y) or 1.05 (drawn blocks, each at `#P x y`)."""
    version = lines[0].removeprefix("#Life").strip()
    if version not in ("1.05", "1.06"):
        raise InvalidPattern(
            f"{quote(lines[0])} isn't supported: use Life 1.05, Life 1.06, RLE or plain text"
        )
    name, rule, alive = "", CONWAY, []
    top, left = 0, 0
    for line in (line.rstrip() for line in lines[1:]):
        place = _PLACE.fullmatch(line.removeprefix("#P"))
        if line.startswith("#P"):
            if place is None:
                raise InvalidPattern(f"{quote(line)} is not a block's position: write '#P -1 -1'")
            left, top = int(place[1]), int(place[2])
        elif line.startswith("#R"):
            rule = Rule.parse(line[2:])
        elif line.startswith("#"):
            name = name or (line[2:].strip() if line.startswith("#D") else "")
        elif version == "1.06" and line:
            if place is None:
                raise InvalidPattern(
                    f"{quote(line)} is not a live cell: Life 1.06 has one per line, such as '-1 0'"
                )
            alive.append((int(place[2]), int(place[1])))
        elif version == "1.05":
            if set(line) - set(".*"):
                raise InvalidPattern(f"{quote(line)} is not a row: Life 1.05 has '.' dead and '*' alive")
            alive += [(top, left + column) for column, cell in enumerate(line) if cell == "*"]
            top += 1
    first = [min((cell[axis] for cell in alive), default=0) for axis in (0, 1)]
    height, width = (max((cell[axis] for cell in alive), default=0) - first[axis] + 1 for axis in (0, 1))
    _check_extent(height, width, bool(alive), text)
    cells = np.zeros((height, width), np.uint8)
    for row, column in alive:
        cells[row - first[0], column - first[1]] = 1
    return Pattern(height, width, cells.tobytes(), name, rule)


def _parse_plain(lines: list[str], text: str) -> Pattern:
    name = ""
    rows: list[list[int]] = []
    for line in lines:
        if line.startswith("!"):
            name = name or line[1:].removeprefix("Name:").strip()
            continue
        if _is_comment(line):
            continue
        for part in line.rstrip().split("|"):
            wrong = next((character for character in part if character not in _DEAD + _ALIVE), None)
            if wrong is not None:
                raise InvalidPattern(
                    f"{quote(wrong)} in the row {quote(part)}: a pattern is RLE, "
                    "or rows of '.' dead and 'O' or '#' alive"
                )
            rows.append([int(character in _ALIVE) for character in part])
    height, width = len(rows), max(map(len, rows), default=0)
    return Pattern(height, width, _filled(rows, height, width, text), name)


def _filled(rows: list[list[int]], height: int, width: int, text: str) -> bytes:
    """Rows filled up with dead cells. Raises InvalidPattern if there is nothing or too much."""
    _check_extent(height, width, any(map(any, rows)), text)
    return b"".join(bytes(row[:width]).ljust(width, b"\0") for row in [*rows, *[[]] * height][:height])


def _check_extent(height: int, width: int, is_alive: bool, text: str) -> None:
    if not is_alive:
        raise InvalidPattern(
            f"{quote(text)} has no live cell: write 'O' or '#' for alive, or RLE such as '3o!'"
        )
    if max(height, width) > MOST_SIDE:
        raise InvalidPattern(f"{quote(text)} has {height}x{width} cells: the most is {MOST_SIDE}x{MOST_SIDE}")


def _row_runs(row: list[int]) -> list[str]:
    return [_run(len(list(run)), "bo"[cell]) for cell, run in itertools.groupby(row)]


def _run(count: int, tag: str) -> str:
    return tag if count == 1 else f"{count}{tag}"
