"""Replays as bytes: `.rpl`, `.rec` and `.vrs` files, of 4x4 games with tiles up to 32768.

A board is a number of 64 bits, a digit of 4 per cell; programs differ in whether the top left one is the highest or the
lowest, so the order in which the moves are legal is taken. All numbers are little-endian.

- `.rpl`, 25 bytes an entry: the board before the move; `move << 5 | cell << 1 | four`, left, right, up, down; four
  success rates. The last entry is a mark.
- `.rec`, 17 bytes: the start board in four parts; then `direction | cell << 2 | four << 6`, up, down, left, right; four
  rates.
- `.rec`, older, 12 bytes: a board and a score.
- `.vrs`, 13 bytes: a board, a score, the move that led there: 1 to 4, left, right, up, down.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

from twofold.errors import InvalidFile, quote
from twofold.records.line import Line, Step, check_count, steps_between
from twofold.rules.board import Board
from twofold.rules.direction import ORDERS, Direction
from twofold.rules.spawn import Spawn

_RPL = struct.Struct("<QB4I")
_REC = struct.Struct("<B4I")
_VRS = struct.Struct("<QIB")
_OLD = struct.Struct("<QI")
_MARK = (88, 666666666, 233333333, 314159265, 987654321)
_LARGEST = 15

Order = Callable[[int], Board]


def _high(number: int) -> Board:
    return Board(4, 4, bytes(number >> shift & 15 for shift in range(60, -1, -4)))


def _low(number: int) -> Board:
    return Board(4, 4, bytes(number >> shift & 15 for shift in range(0, 64, 4)))


def _number(board: Board) -> int:
    return sum(rank << 60 - 4 * cell for cell, rank in enumerate(board.cells))


def _either(read: Callable[[Order], Line]) -> Line:
    """What `read` makes of the boards in the usual order of cells, else in the other one."""
    try:
        return read(_high)
    except InvalidFile as error:
        try:
            return read(_low)
        except InvalidFile:
            raise error from None


def _entries(data: bytes, form: struct.Struct, what: str) -> list[tuple[int, ...]]:
    if not data or len(data) % form.size:
        raise InvalidFile(f"the {what} is cut off: it has {len(data):,} bytes, not a multiple of {form.size}")
    start = _start_of(data) if form is _REC else _high(form.unpack_from(data)[0])
    check_count(start, len(data) // form.size - 1, what)
    return list(form.iter_unpack(data))


def _start_of(data: bytes) -> Board:
    """The board that the first entry of a `.rec` file holds in four parts."""
    return _high(sum(part << 16 * i for i, part in enumerate(_REC.unpack_from(data)[1:])))


def is_rpl(data: bytes) -> bool:
    """Whether a file ends with the mark of `.rpl` files."""
    return len(data) % _RPL.size == 0 and data[-_RPL.size + 8 :] == _RPL.pack(0, *_MARK)[8:]


def is_rec(data: bytes) -> bool:
    """Whether a file begins as `.rec` files do, the older ones left out."""
    return len(data) % _REC.size == 0 and data[:1] == b"\0" and not any(data[3:17:4] + data[4:17:4])


def is_vrs(data: bytes) -> bool:
    """Whether a file begins as `.vrs` files do, with no points and no move."""
    return len(data) % _VRS.size == 0 and data[8:13] == bytes(5)


def read_rpl(data: bytes) -> Line:
    """A `.rpl` file."""
    entries = _entries(data, _RPL, ".rpl file")
    *moves, last = entries
    if last[1:] != _MARK:
        raise InvalidFile("the .rpl file is cut off: its last entry is not the end mark")
    if not moves:
        raise InvalidFile("the .rpl file holds no move")
    order = ORDERS["rpl"]
    turns = [order[entry[1] >> 5 & 3] for entry in moves]

    def read(board_of: Order) -> Line:
        boards, steps = steps_between((board_of(entry[0]) for entry in moves), turns, ".rpl file")
        try:
            _, end = steps_between([boards[-1], board_of(last[0])], turns[-1:], ".rpl file")
        except InvalidFile:  # the mark's board may be anything: the last tile is in the move
            code = moves[-1][1]
            end = (Step(turns[-1], Spawn(code >> 1 & 15, 1 + (code & 1))),)
        return Line(boards[0], steps + end)

    return _either(read)


def write_rpl(line: Line) -> bytes:
    """A `.rpl` file, its rates 0. Raises InvalidFile for a game that it can't hold."""
    numbers = {direction: number for number, direction in enumerate(ORDERS["rpl"])}
    boards = _boards(line, ".rpl files")
    out = [
        _RPL.pack(
            _number(board), numbers[step.move] << 5 | step.spawn.cell << 1 | step.spawn.rank - 1, 0, 0, 0, 0
        )
        for board, step in zip(boards[:-1], line.steps, strict=True)
    ]
    return b"".join(out) + _RPL.pack(_number(boards[-1]), *_MARK)


def read_rec(data: bytes) -> Line:
    """A `.rec` file, of either age."""
    if is_rec(data):
        _, *moves = _entries(data, _REC, ".rec file")
        order = ORDERS["rec"]
        steps = []
        for count, (code, *_) in enumerate(moves, 1):
            if code >> 7:
                raise InvalidFile(f"move {count:,} of the .rec file is not a move: {code}")
            steps.append(Step(order[code & 3], Spawn(code >> 2 & 15, 1 + (code >> 6 & 1))))
        return Line(_start_of(data), tuple(steps))
    entries = _entries(data, _OLD, ".rec file")
    return _either(lambda board_of: _from_scores(entries, board_of, [None] * len(entries), ".rec file"))


def write_rec(line: Line) -> bytes:
    """A `.rec` file, its rates 0. Raises InvalidFile for a game that it can't hold."""
    numbers = {direction: number for number, direction in enumerate(ORDERS["rec"])}
    _boards(line, ".rec files")
    start = _number(line.start)
    out = [_REC.pack(0, *(start >> shift & 0xFFFF for shift in (0, 16, 32, 48)))]
    for step in line.steps:
        code = numbers[step.move] | step.spawn.cell << 2 | (step.spawn.rank - 1) << 6
        out.append(_REC.pack(code, 0, 0, 0, 0))
    return b"".join(out)


def read_vrs(data: bytes) -> Line:
    """A `.vrs` file."""
    entries = _entries(data, _VRS, ".vrs file")
    order = ORDERS["vrs"]
    codes = [entry[2] for entry in entries[1:]]
    for number, code in enumerate(codes, 1):
        if not 1 <= code <= 4:
            raise InvalidFile(f"move {number:,} of the .vrs file is {code}; moves are 1 to 4")
    turns: list[Direction | None] = [order[code - 1] for code in codes]
    return _either(lambda board_of: _from_scores(entries, board_of, turns, ".vrs file"))


def write_vrs(line: Line) -> bytes:
    """A `.vrs` file. Raises InvalidFile for a game that it can't hold."""
    numbers = {direction: number for number, direction in enumerate(ORDERS["vrs"], 1)}
    boards = _boards(line, ".vrs files")
    if line.score:
        raise InvalidFile(f".vrs files hold games that begin with no points, not {line.score:,}")
    score = 0
    out = [_VRS.pack(_number(boards[0]), 0, 0)]
    for before, after, step in zip(boards[:-1], boards[1:], line.steps, strict=True):
        score += before.slide(step.move).reward
        out.append(_VRS.pack(_number(after), score, numbers[step.move]))
    return b"".join(out)


def _from_scores(
    entries: list[tuple[int, ...]], board_of: Order, turns: list[Direction | None], what: str
) -> Line:
    boards, steps = steps_between((board_of(entry[0]) for entry in entries), turns, what)
    score = entries[0][1]
    for number, (board, step, entry) in enumerate(zip(boards, steps, entries[1:], strict=False), 1):
        score += board.slide(step.move).reward
        if entry[1] != score:
            raise InvalidFile(f"move {number:,} of the {what} leads to {score:,} points, not to {entry[1]:,}")
    return Line(boards[0], steps, entries[0][1])


def _boards(line: Line, what: str) -> list[Board]:
    """The boards of a line, the start first. Raises InvalidFile for what 64 bits can't hold."""
    if not line.start.is_open_4x4:
        raise InvalidFile(f"{what} hold open 4x4 boards, not {quote(str(line.start.without_tiles()))}")
    if line.start.max_rank > _LARGEST:
        raise InvalidFile(f"{what} hold tiles up to 32,768; the game begins with {line.start.max_tile:,}")
    boards = [line.start]
    for number, step in enumerate(line.steps, 1):
        board = boards[-1].slide(step.move).board
        if board.max_rank > _LARGEST:
            raise InvalidFile(f"{what} hold tiles up to 32,768; move {number:,} makes {board.max_tile:,}")
        boards.append(board.with_cell(step.spawn.cell, step.spawn.rank))
    return boards
