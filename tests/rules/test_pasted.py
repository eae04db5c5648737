"""Boards as people paste them: each kind read, each printer read back, and no size guessed."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rules.strategies import boards
from twofold.errors import InvalidBoard
from twofold.rules import Board, format_board, parse_board

NUMBERS = "2 0 0 4 0 8 0 0 0 0 16 0 0 0 0 2048"
BOARD = Board.parse("2 . . 4|. 8 . .|. . 16 .|. . . 2048")
ROWS = [list(row) for row in BOARD.values]

PASTED = {
    "our grid": BOARD.pretty(),
    "box": "┌──┬──┬──┬────┐\n│2 │  │  │4   │\n├──┼──┼──┼────┤\n│  │8 │  │    │\n"
    "│  │  │16│    │\n│  │  │  │2048│\n└──┴──┴──┴────┘",
    "double box": "╔═══╦═══╗\n║ 2 ║   ║\n╠═══╬═══╣\n║   ║ 4 ║\n╚═══╩═══╝",
    "markdown": "| 2 | 0 | 0 | 4 |\n|---|---|---|---|\n| 0 | 8 | 0 | 0 |\n| 0 | 0 | 16 | 0 |\n| 0 | 0 | 0 | 2048 |",
    "bars between": "2 | . | . | 4\n. | 8 | . | .\n. | . | 16 | .\n. | . | . | 2,048",
    "frame": "+-----------+\n| 2 . . 4    |\n| . 8 . .    |\n| . . 16 .   |\n| . . . 2048 |\n+-----------+",
    "frame of dashes": "------\n| 2 | - | - | 4 |\n| - | 8 | - | - |\n| - | - | 16 | - |\n| - | - | - | 2048 |\n------",
    "numpy": str(np.array(ROWS)),
    "numpy's repr": repr(np.array(ROWS)),
    "floats": str(np.array(ROWS, float)),
    "rows in brackets": "\n".join(map(str, ROWS)),
    "rows in brackets, with commas": ",\n".join(map(str, ROWS)),
    "json": json.dumps(ROWS),
    "tabs": "\n".join("\t".join(map(str, row)) for row in ROWS),
    "csv": "\n".join(",".join(map(str, row)) for row in ROWS),
    "csv with gaps": "2,,,4\n,8,,\n,,16,\n,,,2048",
    "tabs with gaps": "2\t\t\t4\n\t8\t\t\n\t\t16\t\n\t\t\t2048",
    "quoted csv": "\n".join(",".join(f'"{cell}"' for cell in row) for row in ROWS),
    "dashes": "2 - - 4\n- 8 - -\n- - 16 -\n- - - 2048",
    "underscores": "2 __ __ 4\n__ 8 __ __\n__ __ 16 __\n__ __ __ 2048",
    "dashes in one line": "2 - - 4|- 8 - -|- - 16 -|- - - 2048",
    "underscores in one line": "2 __ __ 4|_ 8 _ _|_ _ 16 _|_ _ _ 2048",
    "indented": "    2 0 0 4\n    0 8 0 0\n    0 0 16 0\n    0 0 0 2048\n",
    "flat": NUMBERS,
    "flat with commas": NUMBERS.replace(" ", ", "),
    "flat list": "[" + NUMBERS.replace(" ", ", ") + "]",
    "numpy's flat list": "[" + NUMBERS + "]",
    "term2048": NUMBERS + "\n1234",
    "original": json.dumps(
        {
            "grid": {
                "size": 4,
                "cells": [
                    [
                        {"position": {"x": x, "y": y}, "value": ROWS[y][x]} if ROWS[y][x] else None
                        for y in range(4)
                    ]
                    for x in range(4)
                ],
            },
            "score": 0,
            "over": False,
        }
    ),
    "2048verse": json.dumps({"boardState": [[{"value": v} if v else None for v in row] for row in ROWS]}),
}


@pytest.mark.parametrize("kind", PASTED)
def test_what_people_paste(kind: str) -> None:
    expected = Board.parse("2 .|. 4") if kind == "double box" else BOARD
    assert parse_board(PASTED[kind]) == expected


def test_exponents() -> None:
    for text in ("1 0 0 2|0 3 0 0|0 0 4 0|0 0 0 11", "[[1,0,0,2],[0,3,0,0],[0,0,4,0],[0,0,0,11]]"):
        assert parse_board(text, notation="exponents") == BOARD
        with pytest.raises(InvalidBoard):
            parse_board(text)
    assert parse_board("1 0 0 2 0 3 0 0 0 0 4 0 0 0 0 11", notation="exponents") == BOARD


PRINTERS = {
    "spaced": lambda board: format_board(board, "spaced"),
    "map": lambda board: format_board(board, "map"),
    "array": lambda board: format_board(board, "array"),
    "grid": Board.pretty,
    "numpy": lambda board: np.array2string(np.array(board.values), threshold=10_000),
    "repr": lambda board: repr(np.array(board.values)) if len(board.cells) < 900 else board.pretty(),
    "json": lambda board: json.dumps(board.values),
}


@pytest.mark.parametrize("printer", PRINTERS)
@given(board=boards(max_rank=60))
def test_every_printer_is_read_back(printer: str, board: Board) -> None:
    assert parse_board(PRINTERS[printer](board)) == board
    exponents = format_board(board, "exponents")
    assert parse_board(exponents, notation="exponents") == board


@given(board=boards(max_rank=20, bricks=False))
def test_lines_are_read_back_or_refused(board: Board) -> None:
    """No text of rows is silently read as another size."""
    for mark in (" ", "\t", ",") if board.rows == 1 else (" ", "\t", ",", " | "):
        text = "\n".join(mark.join(str(cell) for cell in row) for row in board.values)
        try:
            found = parse_board(text)
        except InvalidBoard:
            assert board.rows == 1 or board.columns == 1
            continue
        if board.rows > 1:
            assert found == board
        else:
            assert found.cells == board.cells
            assert found.size in (board.size, (4, 4))


@given(st.text(alphabet="24 8.|-+[],\n\t0x", max_size=40))
def test_any_text_is_a_board_or_one_line(text: str) -> None:
    try:
        board = parse_board(text)
    except InvalidBoard as refusal:
        assert str(refusal).isprintable()
    else:
        assert parse_board(str(board)) == board


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\n".join("2" * 16), ["16x1", "4x4"]),
        ("| 2 | 4 |", ["1x2", "2x1"]),
        ("2,4,\n8,16,", ["2x3", "2x2"]),
        ("\t2\t4\n\t8\t16", ["2x3", "2x2"]),
        ("2|\n4|", ["2x1", "2x2"]),
    ],
)
def test_what_could_be_two_boards_shows_both(text: str, shown: list[str]) -> None:
    with pytest.raises(InvalidBoard) as caught:
        parse_board(text)
    assert all(size in str(caught.value) for size in shown)
    for reading in re.findall(r"\d+x\d+ '([^']+)'", str(caught.value)):
        assert (
            f"{parse_board(reading).rows}x{parse_board(reading).columns}" in shown
        )  # "write one of these" is so
    for size in shown:
        rows, columns = map(int, size.split("x"))
        if rows * columns == 4 or "," in text:
            assert parse_board(text, (rows, columns)).size == (rows, columns)


@pytest.mark.parametrize("count", [2, 4, 8, 9, 10, 12, 25, 36])
def test_a_list_of_another_length_names_the_sizes(count: int) -> None:
    text = " ".join(["2"] * count)
    with pytest.raises(InvalidBoard, match="needs a size") as caught:
        parse_board(text)
    sizes = re.findall(r"(\d+)x(\d+)", str(caught.value))
    assert sizes
    for rows, columns in sizes:
        assert parse_board(text, (int(rows), int(columns))).size == (int(rows), int(columns))


def test_lines_of_dashes_among_packed_rows() -> None:
    with pytest.raises(InvalidBoard, match="separates boards, or is a row"):
        parse_board("2248\n----\n2248\n2248")
