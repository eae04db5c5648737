"""Chain paths: published counts, a second method on random boards with bricks, what the snake is best at."""

import json
import random

import pytest

from tests.thorough import quick_ones
from twofold.art.paths import (
    count_paths,
    count_unique,
    list_paths,
    shape_of,
    snake,
    unique_paths,
)
from twofold.errors import InvalidParameter
from twofold.rules.board import Board
from twofold.rules.cells import BRICK
from twofold.ui.cli.app import run as run_command
from twofold.ui.cli.output import guarded


def run(arguments: list[str]) -> int:
    """The exit code of a command line."""
    return guarded(lambda: run_command(arguments))


def test_s0_counts_on_4x4():
    """S0: 552 paths; 52 from a corner, 25 from a border cell, 36 from a middle cell; 69 = 26 + 25 + 18 unique."""
    count = count_paths(Board.empty(4, 4))
    assert count.total == 552
    assert (count.starts[0], count.starts[1], count.starts[5]) == (52, 25, 36)
    unique = unique_paths(count.board)
    assert [sum(path[0] == start for path in unique) for start in (0, 1, 5)] == [26, 25, 18]
    assert count_unique(count.board) == len(unique) == 69


@pytest.mark.parametrize(
    ("n", "total"),
    quick_ones(
        [(2, 8), (3, 40), (4, 552), (5, 8648), (6, 458_696), (7, 27_070_560), (8, 6_046_626_568)],
        lambda case: case[0] < 8,
    ),
)
def test_published_counts(n, total):
    """OEIS A096969: directed Hamiltonian paths of the n×n grid."""
    assert count_paths(Board.empty(n, n)).total == total


def test_frontier_equals_search_on_random_boards():
    chance = random.Random(96969)
    for _ in range(120):
        rows, columns = chance.randint(1, 4), chance.randint(2, 4)
        board = Board(
            rows, columns, bytes(BRICK if chance.random() < 0.15 else 0 for _ in range(rows * columns))
        )
        if not board.empty_cells:
            continue
        listed = dict.fromkeys(board.empty_cells, 0)
        for path in list_paths(board):
            assert sorted(path) == list(board.empty_cells)
            listed[path[0]] += 1
        assert count_paths(board).starts == listed
        assert count_unique(board) == len(unique_paths(board))


@pytest.mark.parametrize("size", [(2, 2), (3, 3), (4, 4), (5, 5), (3, 5), (4, 5)])
def test_no_path_has_more_monotonic_lines_than_the_snake(size):
    board = Board.empty(*size)
    shapes = [shape_of(path, board) for path in unique_paths(board)]
    assert max(shape.monotonic for shape in shapes) == sum(size) == shape_of(snake(board), board).monotonic
    assert min(shape.turns for shape in shapes) == 2 * (min(size) - 1)


def test_tiles_do_not_matter_and_large_boards_are_refused():
    assert count_paths(Board.parse("2 4|8 .")).total == 8
    with pytest.raises(InvalidParameter, match="9"):
        count_paths(Board.empty(9, 9))


def test_command(capsys, tmp_path):
    assert run(["paths", "4x4", "--json", "--out", str(tmp_path / "a.svg")]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["total"], answer["unique"], answer["starts"][1]) == (552, 69, [25, 36, 36, 25])
    assert answer["best"] == [{"cells": list(snake(Board.empty(4, 4))), "turns": 6, "monotonic": 8}]
    assert (tmp_path / "a.svg").read_text().startswith("<svg")
    assert run(["paths", "6x6", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["total"] == 458_696
