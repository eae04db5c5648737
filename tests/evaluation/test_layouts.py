"""Every evaluation says the same of packed and of general boards, alone and in a search."""

from __future__ import annotations

import random

import pytest

from tests.thorough import quick_ones
from twofold.evaluation.base import Evaluation
from twofold.evaluation.compiled import BoardLayout, packs
from twofold.evaluation.registry import make_evaluation
from twofold.rules import BRICK, Board, State
from twofold.search import workspace
from twofold.search.expectimax import Searcher

TEXTS = [
    "empty",
    "highscore",
    "order",
    "order:shape=gradient",
    "order:matrix=9 8 7 6|1 2 3 4|0 -1 0 1|5 5 5 5",
    "sah",
    "sah:sign=1,as_printed=1",
    "h1",
    "h2",
    "h3",
    "h3:faces=1",
    "h4",
    "sum",
    "rows",
    "snake",
    "snake:penalty=1e6",
    "diagonal",
    "snake-diagonal",
    "gradient",
    "gradient:trapped=2",
    "trapped",
    "chain",
    "chain:adjacent=-3,along=1",
    "largest",
    "monotonicity",
    "longest-chain",
    "shift-load",
    "adjacent",
    "perimeter",
]


def some_boards(rows: int, columns: int, *, bricks: int = 0, top: int = 11) -> list[Board]:
    """Boards from nearly empty to nearly full, always the same."""
    random_ = random.Random(rows * 100 + columns * 10 + bricks)
    boards = []
    for count in (2, rows * columns // 2, rows * columns - bricks - 1):
        cells = [0] * (rows * columns)
        places = random_.sample(range(rows * columns), count + bricks)
        for place in places[:count]:
            cells[place] = random_.randint(1, top)
        for place in places[count:]:
            cells[place] = BRICK
        boards.append(Board(rows, columns, bytes(cells)))
    return boards


def answers(evaluation: Evaluation, boards: list[Board], depth: int) -> tuple[list[float], list[BoardLayout]]:
    """Worth of each board and values of its moves, and how the searches held them."""
    searcher = Searcher(evaluation, table_bits=8)
    out, layouts = [], []
    for board in boards:
        out.append(searcher.evaluate(board, board.default_score()))
        searcher.start(State.of(board), depth=depth)
        assert searcher.layout is not None
        layouts.append(searcher.layout)
        values = searcher.search(depth)
        assert values is not None
        out += values
    return out, layouts


def both(
    evaluation: Evaluation,
    boards: list[Board],
    depth: int,
    monkeypatch: pytest.MonkeyPatch,
    top: int | None = None,
) -> tuple[list[float], list[float]]:
    """The answers on the packed boards that the search must choose here, and on general boards."""
    usual, layouts = answers(evaluation, boards, depth)
    assert all(layout.packed for layout in layouts)
    assert top is None or {layout.top for layout in layouts} == {top}

    def general(evaluation: Evaluation, board: Board, *_: int) -> BoardLayout:
        return BoardLayout(False, board.has_bricks, 0, board.without_tiles())

    monkeypatch.setattr(workspace, "layout_of", general)
    expected, layouts = answers(evaluation, boards, depth)
    assert not any(layout.packed for layout in layouts)
    return usual, expected


@pytest.mark.parametrize("text", quick_ones(TEXTS, {"empty", "snake"}.__contains__))
def test_packed_and_general_boards_are_valued_alike(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    evaluation = make_evaluation(text)
    boards = some_boards(4, 4)
    assert packs(evaluation, boards[0])
    usual, general = both(evaluation, boards, 2, monkeypatch)
    assert general == pytest.approx(usual, rel=1e-12, nan_ok=True)


@pytest.mark.parametrize(
    "text", quick_ones(["default", "order", "diagonal", "snake:penalty=1e6", "rows"], "default".__eq__)
)
def test_small_boards_and_bricks_too(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    evaluation = make_evaluation(text)
    boards = [
        *some_boards(3, 4),
        *some_boards(4, 4, bricks=3),
        *some_boards(1, 4),
        *some_boards(3, 2, bricks=1),
    ]
    usual, general = both(evaluation, boards, 2, monkeypatch)
    assert general == pytest.approx(usual, rel=1e-12, nan_ok=True)


@pytest.mark.parametrize("text", quick_ones(["diagonal", "rows", "snake", "default"], "default".__eq__))
def test_a_tile_beyond_nibbles_is_valued_alike(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board.parse("131072 512 16 .|. 4 8 .|2 . . .|. . . 2")
    usual, general = both(make_evaluation(text), [board], 2, monkeypatch, top=17)
    assert general == pytest.approx(usual, rel=1e-12, nan_ok=True)


def test_functions_see_tiles_beyond_nibbles_on_bytes() -> None:
    searcher = Searcher(make_evaluation("h2"), table_bits=8)
    searcher.start(State.of(Board.parse("131072 512 16 .|. 4 8 .|2 . . .|. . . 2")), depth=1)
    assert searcher.layout is not None
    assert not searcher.layout.packed
