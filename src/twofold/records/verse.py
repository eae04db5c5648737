"""Replays as text: 2048verse in its two forms, and 2048-next's `REPLAY_v4C_`.

Form 1 has a character per event: `direction << 5 | four << 4 | column << 2 | row`, directions up, right, down, left,
in 128 characters: U+0020 to U+007E, then code page 850 from 0x80 to 0xA0. Form 2 has three per event, 21 bits in base
128 with the digits 0-9 a-z A-Z U+00C0 to U+00FF and two more: from the lowest bit 2 of direction (up, down, left,
right), 2 of the tile, 3 of the column, 3 of the row, and 11 of the time. In both the first two events are the start
tiles. 2048-next writes its start board and `direction << 5 | four << 4 | cell` in other 128 characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from twofold.errors import InvalidFile, TwofoldError, quote
from twofold.records.line import Line, Step, check_count
from twofold.rules.board import Board, parse_board
from twofold.rules.direction import ORDERS, Direction
from twofold.rules.spawn import Spawn

_ONE = "".join(map(chr, range(0x20, 0x7F))) + bytes(range(0x80, 0xA1)).decode("cp850")
_TWO = (
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    + "".join(map(chr, range(0xC0, 0x100)))
    + "¤¾"
)
_NEXT = "".join(map(chr, (*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0xC4))))
_DIGITS = {text: {char: number for number, char in enumerate(text)} for text in (_ONE, _TWO, _NEXT)}
_HEAD_ONE = re.compile(r"replay(?:[:_](?:(\d)x(\d))?)?")
_HEAD_TWO = re.compile(r"(\d+)x(\d+)-([^_]*)_")
_HEAD_NEXT = "REPLAY_v4C_"
_NO_TIME = 7 << 10 | 255 << 13
"""What form 2 writes where no time was taken."""

_MISREAD = ("gb18030", "latin-1", "cp1252")
"""Encodings that UTF-8 texts have been taken for on their way."""


def _text_of(data: bytes, alphabet: str, head: str) -> str:
    """The text in the alphabet that the bytes are, also where they went through a wrong encoding."""
    allowed = set(alphabet) | set(head)
    usual = data.decode("utf-8-sig", "replace").rstrip("\r\n")
    others = (data.decode(name, "replace") for name in ("cp850", "gb18030", "latin-1"))
    misread = (usual.encode(name, "replace").decode("utf-8", "replace") for name in _MISREAD)
    for text in chain((usual,), others, misread):
        if set(text := text.rstrip("\r\n")) <= allowed:
            return text
    strange = next(char for char in usual if char not in allowed)
    raise InvalidFile(f"the character {quote(strange)} does not occur in replays")


def _line(rows: int, columns: int, events: list[tuple[int, int, int, int]], order: str) -> Line:
    """A line from (direction, rank, row, column) per event."""
    if len(events) < 2:
        raise InvalidFile("a replay begins with two tiles: this one is cut off")
    directions = ORDERS[order]
    kinds = set(events)  # few, so that a million moves take little time and memory
    wrong = {each for each in kinds if each[1] not in (1, 2) or each[2] >= rows or each[3] >= columns}
    if wrong:
        number = next(number for number, event in enumerate(events) if event in wrong)
        _, rank, row, column = events[number]
        where = f"after move {number - 1:,}" if number > 1 else "at the start"
        raise InvalidFile(
            f"{where} of the replay a {1 << rank} appears in row {row + 1}, column {column + 1} of {rows}x{columns}"
        )
    board = Board.empty(rows, columns)
    for _, rank, row, column in events[:2]:
        if board[row, column]:
            raise InvalidFile("both start tiles of the replay lie on one cell")
        board = board.with_cell(row * columns + column, rank)
    steps = {
        event: Step(directions[event[0]], Spawn(event[2] * columns + event[3], event[1])) for event in kinds
    }
    return Line(board, tuple(steps[event] for event in events[2:]))


def _sized(size: tuple[int, int], events: list[tuple[int, int, int, int]], order: str) -> Line:
    """A line of this size, rows first; if its cells fit the other way only, columns first."""
    try:
        return _line(*size, events, order)
    except InvalidFile:
        if size[0] == size[1] or any(row >= size[1] or column >= size[0] for *_, row, column in events):
            raise
    return _line(*size[::-1], events, order)


def read_one(data: bytes) -> Line:
    """2048verse, form 1, with or without its head."""
    text = _text_of(data, _ONE, "")
    head = _HEAD_ONE.match(text)
    size = (int(head[1]), int(head[2])) if head and head[1] else (4, 4)
    if not 1 <= min(size) <= max(size) <= 4 or size == (1, 1):
        raise InvalidFile(f"a replay of this kind has a board up to 4x4, not {size[0]}x{size[1]}")
    body = text[head.end() if head else 0 :]
    check_count(Board.empty(*size), len(body) - 2, "replay")
    codes = [_DIGITS[_ONE][char] for char in body]
    events = [(code >> 5, 1 + (code >> 4 & 1), code & 3, code >> 2 & 3) for code in codes]
    return _sized(size, events, "replay-v1")


def write_one(line: Line) -> bytes:
    """2048verse, form 1. Raises InvalidFile for a game that it can't hold."""
    _check(line, 4, "2048verse's first form")
    size = "" if line.start.size == (4, 4) else f"{line.start.rows}x{line.start.columns}"
    numbers = {direction: number for number, direction in enumerate(ORDERS["replay-v1"])}
    codes = []
    for move, spawn in _events(line):
        row, column = divmod(spawn.cell, line.start.columns)
        codes.append((0 if move is None else numbers[move]) << 5 | (spawn.rank - 1) << 4 | column << 2 | row)
    return (f"replay_{size}" + "".join(_ONE[code] for code in codes) + "\n").encode()


def read_two(data: bytes) -> Line:
    """2048verse, form 2. The times are left out."""
    text = _text_of(data, _TWO, "-_")
    head = _HEAD_TWO.match(text)
    if head is None:
        raise InvalidFile("not a replay of 2048verse's second form, which begins like 4x4-_")
    if head[3]:
        raise InvalidFile(f"the replay is of the mode {quote(head[3])}; only the plain game, 4x4-_, is known")
    size = (int(head[1][:6]), int(head[2][:6]))
    if not 1 <= min(size) <= max(size) <= 8 or size == (1, 1):
        raise InvalidFile(f"a replay of this kind has a board up to 8x8, not {size[0]}x{size[1]}")
    body = text[head.end() :]
    if len(body) % 3:
        raise InvalidFile("the replay is cut off: every event has three characters")
    check_count(Board.empty(*size), len(body) // 3 - 2, "replay")
    strange = re.search("[-_]", body)
    if strange:
        raise InvalidFile(f"the character {quote(strange[0])} does not occur in replays")
    every = [(code & 3, 1 + (code >> 2 & 3), code >> 7, code >> 4 & 7) for code in range(1 << 10)]
    digit = _DIGITS[_TWO]
    events = [
        every[(digit[high] & 7) << 7 | digit[low]] for high, low in zip(body[1::3], body[2::3], strict=True)
    ]
    return _sized(size, events, "verse-v2")


def write_two(line: Line) -> bytes:
    """2048verse, form 2, without times. Raises InvalidFile for a game that it can't hold."""
    _check(line, 8, "2048verse's second form")
    numbers = {direction: number for number, direction in enumerate(ORDERS["verse-v2"])}
    out = [f"{line.start.rows}x{line.start.columns}-_"]
    for move, spawn in _events(line):
        row, column = divmod(spawn.cell, line.start.columns)
        code = (
            _NO_TIME | (0 if move is None else numbers[move]) | (spawn.rank - 1) << 2 | column << 4 | row << 7
        )
        out += _TWO[code >> 14], _TWO[code >> 7 & 127], _TWO[code & 127]
    return ("".join(out) + "\n").encode()


def _events(line: Line) -> Iterator[tuple[Direction | None, Spawn]]:
    for cell, rank in enumerate(line.start.cells):
        if rank:
            yield None, Spawn(cell, rank)
    for step in line.steps:
        yield step.move, step.spawn


def _check(line: Line, most: int, what: str) -> None:
    start = line.start
    if start.rows > most or start.columns > most or start.has_bricks:
        raise InvalidFile(
            f"{what} holds open boards up to {most}x{most}, not {quote(str(start.without_tiles()))}"
        )
    if len(start.tile_ranks) != 2 or start.max_rank > 2 or line.score:
        raise InvalidFile(f"{what} holds games that begin with two tiles, not with {quote(str(start))}")


def read_next(data: bytes) -> Line:
    """2048-next, `REPLAY_v4C_`. Moves taken back are left out; a board edited on the way is refused."""
    text = _text_of(data, _NEXT, "")
    mode, shown, body = text[11:12], text[12:28], text[28:]
    if not text.startswith(_HEAD_NEXT) or mode not in tuple("SCKP") or len(shown) < 16:
        raise InvalidFile("the replay is cut off: after REPLAY_v4C_ come a letter and 16 digits of the board")
    try:
        start = parse_board(shown, notation="hex")
    except TwofoldError as error:
        raise InvalidFile(f"the replay's start: {error}") from None
    check_count(start, len(body) - 2 * body.count(_NEXT[127]), "replay")
    steps: list[Step] = []
    codes = iter([_DIGITS[_NEXT][char] for char in body])
    for code in codes:
        if code == 127:
            code = next(codes, 3)
            if code == 1 and steps:
                steps.pop()
                continue
            if code:
                why = {1: "a move is taken back before the first", 2: "the board is edited"}.get(
                    code, "it is cut off"
                )
                raise InvalidFile(f"after move {len(steps):,} of the replay {why}")
            code = 127
        steps.append(Step(ORDERS["2048-next"][code >> 5], Spawn(code & 15, 1 + (code >> 4 & 1))))
    return Line(start, tuple(steps))
