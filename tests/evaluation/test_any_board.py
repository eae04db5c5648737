"""No evaluation fails, or gives anything but a finite number, on any legal board."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.evaluation.test_layouts import TEXTS
from tests.rules.strategies import boards
from tests.thorough import quick_ones
from twofold.errors import InvalidParameter
from twofold.evaluation.base import Evaluation
from twofold.evaluation.registry import make_evaluation
from twofold.rules import Board
from twofold.search.evaluate import evaluate_board

ANY = [text for text in TEXTS if "matrix" not in text]
SYMMETRIC = [
    "empty",
    "sah",
    "h1",
    "h2",
    "h4",
    "sum",
    "trapped",
    "monotonicity",
    "shift-load",
    "shift-load:along=1",
    "largest",
    "perimeter",
    "default",
]
# These read the board from one corner, or break ties by the first cell in reading order.
TRANSPOSED = ["h3", "diagonal", "diagonal:penalty=0", "gradient", "gradient:trapped=2"]

QUICK = {"empty", "default", "gradient", "snake", "highscore"}
"""Those of which other tests compile searches too: each is a kernel of its own."""

sizes = st.tuples(st.integers(1, 8), st.integers(1, 8)).filter(lambda size: size[0] * size[1] >= 2)


@st.composite
def any_boards(draw: st.DrawFn) -> Board:
    """Ranks to 17, and to 60 on boards that have room for them."""
    size = draw(sizes)
    return draw(boards(max_rank=60 if size[0] * size[1] > 16 else 17, size=size))


def value(evaluation: Evaluation, board: Board) -> float | None:
    try:
        return evaluate_board(evaluation, board)
    except InvalidParameter as refusal:
        assert min(board.size) < 3, refusal
        return None


@pytest.mark.parametrize("text", quick_ones(ANY, QUICK.__contains__))
@settings(max_examples=6)
@given(board=any_boards())
def test_every_board_has_a_finite_value(text: str, board: Board) -> None:
    found = value(make_evaluation(text), board)
    assert found is None or math.isfinite(found)


@pytest.mark.parametrize("text", quick_ones(SYMMETRIC, QUICK.__contains__))
@settings(max_examples=3)
@given(board=any_boards())
def test_symmetric_boards_are_worth_the_same(text: str, board: Board) -> None:
    evaluation = make_evaluation(text)
    found = value(evaluation, board)
    for image in board.symmetries():
        again = value(evaluation, image)
        assert again == (None if found is None else pytest.approx(found, rel=1e-6))


@pytest.mark.parametrize("text", quick_ones(TRANSPOSED, QUICK.__contains__))
@settings(max_examples=3)
@given(board=any_boards())
def test_corner_patterns_are_the_same_along_rows_and_columns(text: str, board: Board) -> None:
    evaluation = make_evaluation(text)
    assert value(evaluation, board.transpose()) == pytest.approx(value(evaluation, board), rel=1e-6)


@pytest.mark.parametrize("text", quick_ones(ANY, QUICK.__contains__))
@settings(max_examples=6)
@given(board=boards(max_rank=16, bricks=False, size=(4, 4)))
def test_a_dead_board_is_never_preferred_on_4x4(text: str, board: Board) -> None:
    if not board.tile_ranks or not board.empty_cells or board.tile_sum >= 1 << 18:
        return  # only afterstates that 4x4 play can reach: they have a tile and an empty cell
    evaluation = make_evaluation(text)
    score = board.default_score()
    dead = evaluation.dead + evaluation.dead_score * score
    if text == "highscore":  # the score is all it sees
        assert evaluate_board(evaluation, board) == dead == 0
    else:
        assert evaluate_board(evaluation, board, score) > dead
