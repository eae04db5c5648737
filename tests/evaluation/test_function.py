"""A user's own evaluation: from Python, and from a file by name."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path

import pytest

from tests.thorough import quick_ones
from twofold.errors import InvalidFile, InvalidParameter, UserCodeError
from twofold.evaluation.base import Evaluation
from twofold.evaluation.function import from_function
from twofold.evaluation.registry import evaluation_info, make_evaluation
from twofold.matches.play import play_game
from twofold.players.registry import make_player
from twofold.rules import Board, State
from twofold.search.evaluate import evaluate_board

SOURCE = '''\
from math import sqrt
import numpy as np
from twofold.evaluation.base import Evaluation

def free(board):
    """Empty cells."""
    return float(np.sum(board == 0))

def weighed(board, score, per_point: float = 1.0, per_cell: float = 10.0):
    return per_point * score + per_cell * np.sum(board == 0)

def uncompilable(board):
    total = 0.0
    return total + board.nonsense()

def only_raises(board):
    raise ValueError("not yet")


def wrong_type(board):
    return "good"

def needs(board, weight):
    return weight * board[0, 0]

def made(text, weight: float = 2.0) -> Evaluation:
    return Evaluation(text, placed=lambda board: np.full((len(board.cells), 64), weight))

NUMBER = 3

def writes(board):
    board[0, 0] = 1
    return 0.0

def wrong(board, outside: int = 0, fails: int = 0, avoided: int = 0):
    """Parameters, since a search is compiled for a function and not for its numbers."""
    if avoided > 0:
        return -np.inf
    if outside > 0:
        return float(board[int(outside), 0])
    if fails > 0 and board[0, 0] == 1:
        raise ValueError("not here")
    if avoided < 0:
        return 1.0 / np.sum(board == 40)
    return np.nan if np.sum(board == 3) > 0 else 1.0

def bare():
    return 1.0

def stream(board):
    yield 1.0

class Kind:
    def __init__(self, weight):
        self.weight = weight

async def late(board):
    return 1.0

def nothing(board):
    pass

def sometimes(board):
    if board[0, 0] == 1:
        return 1.0

def same(board):
    return board

def pair(board):
    return 1.0, 2.0

def lines(line, empty: float = 1.0):
    """Empty cells, by rows and columns."""
    worth = 0.0
    for i in range(len(line)):
        worth += empty * (line[i] == 0)
    return worth

def beyond(line):
    return float(line[len(line)])

def endless_line(line):
    return 1.0 / np.sum(line == 40)

def undefined_line(line):
    return np.nan if line[0] == 3 else 1.0
'''
BOARD = Board.parse("2 4 .|. x 8")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all tests: what one compiled the others need not."""
    folder = tmp_path_factory.mktemp("mine")
    (folder / "mine.py").write_text(SOURCE)
    return folder


@pytest.fixture
def path(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(folder)
    return "mine.py"


def test_a_function_of_the_board(path: str) -> None:
    evaluation = make_evaluation(f"{path}:free")
    assert evaluate_board(evaluation, BOARD) == 2
    assert evaluation.text == "mine.py:free"
    assert evaluation_info(f"{path}:free").summary == "Empty cells."
    assert evaluate_board(make_evaluation("empty"), BOARD) == evaluate_board(evaluation, BOARD)


def test_score_and_parameters(path: str) -> None:
    assert evaluate_board(make_evaluation(f"{path}:weighed"), BOARD, 7) == 7 + 20
    assert evaluate_board(make_evaluation(f"{path}:weighed:per_cell=1"), BOARD, 7) == 7 + 2
    with pytest.raises(InvalidParameter, match="did you mean 'per_cell'"):
        make_evaluation(f"{path}:weighed:per_cel=1")


def test_a_factory_of_evaluations(path: str) -> None:
    evaluation = make_evaluation(f"{path}:made:weight=3")
    assert isinstance(evaluation, Evaluation)
    assert evaluate_board(evaluation, BOARD) == 5 * 3  # every cell but the brick


@pytest.mark.slow
def test_it_plays(path: str) -> None:
    assert play_game(f"expectimax:depth=2,eval={path}:free", "3x3", seed=1).moves > 5


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("fre", InvalidFile, "defines no 'fre'; did you mean 'free'"),
        ("NUMBER", InvalidParameter, "neither an evaluation nor a function"),
        ("uncompilable", UserCodeError, r"^mine.py:14: "),
        ("wrong_type", UserCodeError, r"^mine.py:\d+: wrong_type returns a text or another object: "),
        (
            "only_raises",
            UserCodeError,
            r"^mine.py:16: only_raises only raises an error: an evaluation is a function",
        ),
        (
            "bare",
            UserCodeError,
            r"^mine.py:\d+: bare has no parameter: an evaluation is a function of a board",
        ),
        ("stream", UserCodeError, r"^mine.py:\d+: stream yields values: "),
        ("Kind", UserCodeError, r"^mine.py:\d+: Kind is a class: "),
        ("late", UserCodeError, r"^mine.py:\d+: late is async: "),
        ("sqrt", UserCodeError, r"^mine.py: sqrt is no function written in Python: "),
        ("nothing", UserCodeError, r"^mine.py:\d+: nothing returns nothing: "),
        ("sometimes", UserCodeError, r"^mine.py:\d+: sometimes returns nothing on some boards: "),
        ("same", UserCodeError, r"^mine.py:\d+: same returns a board or other array: "),
        ("pair", UserCodeError, r"^mine.py:\d+: pair returns several values: "),
        ("needs", InvalidParameter, "needs a default"),
    ],
)
def test_errors_name_file_and_line(path: str, name: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message) as caught:
        make_evaluation(f"{path}:{name}")
    assert "\n" not in str(caught.value)


PACKED = Board.parse("2 2 8 16|. 4 4 8|. . 2 4|. . . 2")
BOARDS = [pytest.param(BOARD, id="bytes", marks=pytest.mark.slow), pytest.param(PACKED, id="packed")]


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize(
    ("name", "message"),
    quick_ones(
        [
            ("writes", r"^mine.py:\d+: TypingError: the board can't be written to: change a board.copy"),
            ("wrong(outside=9)", r"^mine.py:\d+: IndexError"),
            ("wrong(fails=1)", r"^mine.py:\d+: ValueError: not here"),
            ("wrong", r"^mine.py:\d+: the evaluation 'mine.py:wrong' gives nan"),
            (
                "wrong(avoided=-1)",
                r"^mine.py:\d+: the evaluation 'mine.py:wrong:avoided=-1' gives nan or infinity",
            ),
            ("endless_line", r"^mine.py:\d+: the evaluation 'mine.py:endless_line' gives nan or infinity"),
            ("beyond", r"^mine.py:\d+: IndexError"),
            ("undefined_line", r"^mine.py:\d+: the evaluation 'mine.py:undefined_line' gives nan"),
        ],
        lambda case: not case[0].startswith("wrong"),  # which compiles a search
    ),
)
def test_what_goes_wrong_in_a_search_is_told(path: str, name: str, message: str, board: Board) -> None:
    for search in (
        "depth=2",
        "depth=2",
        "depth=3,bound=5",
    ):  # what is remembered of one hides nothing in the next
        with pytest.raises(UserCodeError, match=message):
            make_player(f"expectimax:{search},eval={path}:{name}").decide(State.of(board))


@pytest.mark.slow
@pytest.mark.parametrize("board", BOARDS)
def test_minus_infinity_is_the_worst_value_and_not_a_dead_board(path: str, board: Board) -> None:
    decision = make_player(f"expectimax:depth=2,eval={path}:wrong(avoided=1)").decide(State.of(board))
    values = [value for value in decision.values if value is not None]
    assert all(math.isfinite(value) and value < -1e290 for value in values)


@pytest.mark.slow
@pytest.mark.parametrize("board", BOARDS)
def test_a_formula_of_lines_is_its_sum_over_rows_and_columns(path: str, board: Board) -> None:
    evaluation = make_evaluation(f"{path}:lines:empty=3")
    assert evaluate_board(evaluation, board) == 2 * 3 * len(board.empty_cells)
    whole, by_lines = (make_player(f"expectimax:depth=2,eval={path}:{name}") for name in ("free", "lines"))
    expected = whole.decide(State.of(board)).values
    found = by_lines.decide(State.of(board)).values
    for one, other in zip(expected, found, strict=True):
        assert other == (None if one is None else pytest.approx(2 * one, rel=1e-6))


def test_from_python() -> None:
    def corner(board, weight=2.0):  # type: ignore[no-untyped-def]
        return weight * board[0, 0]

    assert evaluate_board(from_function(corner), Board.parse("8 .|. .")) == 6
    assert evaluate_board(from_function(corner, weight=5), Board.parse("8 .|. .")) == 15
    with pytest.raises(InvalidParameter, match="has no parameter wight"):
        from_function(corner, wight=5)


def test_two_functions_of_one_name_are_two_evaluations() -> None:
    corner = [
        from_function(one) for one in (lambda board: 1.0 * board[0, 0], lambda board: -3.0 * board[0, 0])
    ]
    assert [evaluate_board(each, Board.parse("8 .|. .")) for each in corner] == [3, -9]


COUNTED = """
from numba.core import event
with event.install_recorder("numba:compile") as recorder:
    from twofold import Board, State, make_player
    for text in ("2 4 8 16|. 2 4 8|. . 2 4|. . . 2", "2 4 .|. x 8"):
        make_player("expectimax:depth=2,eval=mine.py:FREE").decide(State.of(Board.parse(text)))
print(sum(1 for _, e in recorder.buffer if e.is_start))
"""


def run(name: str) -> int:
    code = COUNTED.replace("FREE", name)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["free", "weighed"])
def test_a_second_process_compiles_no_search_for_an_unchanged_file(path: str, name: str) -> None:
    run(name)
    assert run(name) == 0
