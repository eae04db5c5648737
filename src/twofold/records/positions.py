"""One position and its score, as other programs keep a game that goes on: a game without its moves.

gabrielecirulli's 2048 keeps `gameState`, with its cells column by column; 2048verse `gameState4x4`, row by row;
term2048 16 numbers and a score.
"""

from __future__ import annotations

import json
import re
from typing import Any

from twofold.errors import InvalidFile, TwofoldError, quote
from twofold.records.line import Line
from twofold.rules.board import board_of_rows, parse_board
from twofold.rules.pasted import rows_of_state

_TERM = re.compile(r"\s*((?:\d+[ \t]+){15}\d+)[ \t]*\n\s*(\d+)\s*")


def read_state(data: bytes) -> Line:
    """The original game's stored state, or 2048verse's. Raises InvalidFile."""
    try:
        found = json.loads(data.decode("utf-8-sig"))
        if isinstance(found, dict) and isinstance(found.get("gameState"), str):  # a copy of the whole store
            found = json.loads(found["gameState"])
        board, score = board_of_rows(rows_of_state(found)), found.get("score", 0)
    except (ValueError, RecursionError):
        raise InvalidFile("the stored state is not JSON, or cut off") from None
    except TwofoldError as error:
        raise InvalidFile(f"the stored state: {error}") from None
    if not isinstance(score, int) or isinstance(score, bool):
        raise InvalidFile(f"the stored state's score {quote(score)} is not a number")
    return Line(board, (), score)


def write_state(line: Line) -> bytes:
    """The original game's stored state, of the line's start. Raises InvalidFile for a board that it can't hold."""
    board = line.start
    if board.rows != board.columns or board.has_bricks:
        raise InvalidFile(
            f"the original game's state holds open square boards, not {quote(str(board.without_tiles()))}"
        )
    if line.steps:
        raise InvalidFile(
            f"the original game's state holds one position, not the {len(line.steps):,} moves that led to it: "
            "give --last to write the last position alone"
        )
    cells = [
        [_cell(board[row, column], column, row) for row in range(board.rows)]
        for column in range(board.columns)
    ]
    won = board.max_rank >= 11
    state = {
        "grid": {"size": board.rows, "cells": cells},
        "score": line.score,
        "over": board.is_dead,
        "won": won,
        "keepPlaying": won,
    }
    return (json.dumps(state, separators=(",", ":")) + "\n").encode()


def _cell(rank: int, x: int, y: int) -> dict[str, Any] | None:
    return {"position": {"x": x, "y": y}, "value": 1 << rank} if rank else None


def read_term(data: bytes) -> Line:
    """term2048's store. Raises InvalidFile."""
    found = _TERM.fullmatch(data.decode("ascii", "replace"))
    if found is None:
        raise InvalidFile("not a saved game of term2048, which is 16 numbers and a score")
    return Line(parse_board(found[1], (4, 4)), (), int(found[2][:18]))
