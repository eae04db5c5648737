"""Boards in files: rows one a line, boards one a line, tables, lists and JSON, parted by blank lines or ---."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.rules.test_pasted import PASTED
from tests.ui.command import here
from twofold.rules import Board, parse_board
from twofold.ui.cli.inputs import read_lines

BOARD = Board.parse("2 . . 4|. 8 . .|. . 16 .|. . . 2048")


def read(tmp_path: Path, text: str) -> list[str]:
    path = tmp_path / "boards.txt"
    path.write_text(text, encoding="utf-8")
    return [line.text for line in read_lines(str(path))]


@pytest.mark.parametrize("kind", PASTED)
@pytest.mark.parametrize("mark", ["\n\n", "\n---\n"])
def test_whatever_is_pasted_is_one_board_of_a_file(kind: str, mark: str, tmp_path: Path) -> None:
    text = PASTED[kind].rstrip("\n")
    if kind == "term2048":
        return  # two lines that are a board by themselves only
    found = read(tmp_path, mark.join([text, text]))
    assert [parse_board(each) for each in found] == [parse_board(text)] * 2


def test_a_row_with_a_bad_cell_stays_in_its_board(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert read(tmp_path, "2 4\n8 ?\n\n2 4\n8 16\nbut why\n2 4\n8 8\n") == [
        "2 4\n8 ?",
        "2 4\n8 16",
        "but why",
        "2 4\n8 8",
    ]
    (tmp_path / "b.txt").write_text("2 4\n8 ?\n")
    shown = here(capsys, "best", "--file", str(tmp_path / "b.txt"), "-p", "greedy")
    assert shown.code == 2
    assert shown.err.startswith("error: line 1: '?' in row 2 is not a cell")


def test_boards_one_a_line_stay_so(tmp_path: Path) -> None:
    lines = ["2 4|8 16", "####|2###|#2##|####", "18ff07ff15ff1334", "0x1200", "[[0,2],[4,8]]", "2 4|8 x"]
    assert read(tmp_path, "\n".join(lines)) == lines
    assert read(tmp_path, "2 4\n8 16\n18ff07ff15ff1334\n2 4\n8 8\n") == [
        "2 4\n8 16",
        "18ff07ff15ff1334",
        "2 4\n8 8",
    ]


def test_the_command_answers_once_for_a_board_of_rows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "board.txt"
    path.write_text("2 0 0 4\n0 8 0 0\n0 0 16 0\n0 0 0 2048\n")
    answer = here(capsys, "convert", str(path), "--json")
    assert json.loads(answer.out)["board"] == str(BOARD)


@pytest.mark.parametrize(
    "text", [PASTED["dashes in one line"].replace("2 - - 4", "- - - 4"), PASTED["frame of dashes"]]
)
def test_a_board_that_begins_with_dashes_is_no_option(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert here(capsys, "convert", text).out == f"{parse_board(text)}\n"
    assert "No such option: -x" in here(capsys, "convert", "-x").refusal()
