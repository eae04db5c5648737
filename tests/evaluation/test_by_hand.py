"""One example of each evaluation worked by hand."""

from __future__ import annotations

from functools import partial
from math import log, sqrt

import pytest

from tests.thorough import quick_ones
from twofold.errors import InvalidParameter
from twofold.evaluation.registry import list_evaluations, make_evaluation
from twofold.rules import Board, State
from twofold.search.evaluate import evaluate_board
from twofold.search.expectimax import Searcher

# S2 5.2.2's example, whose penalty at the middle 32 is |32 - 64| + |32 - 16| + |32 - 8| = 72.
PENALTY_BOARD = "128 64 32 16|8 32 . .|32 16 8 .|. . . ."
# S3: rows 28/3 (14 / 3 steps, doubled), 0 (all equal), -1, 4 (4 / 2 steps, doubled);
# columns 8 (12 / 3 steps, doubled), -1, 6 (6 / 1 step), -2 (doubled).
ORDER_BOARD = "8 4 2 .|2 2 2 2|2 4 2 .|. . . 4"
# S0: the chain is 32 16 8; off it are a 2, a 4 and a 2.
CHAIN_BOARD = "32 16 8 .|2 4 . .|. . . 2|. . . ."
ADJACENT = (2 / 1 + 4 / sqrt(2) + 2 / sqrt(13)) / 3

MONO = "row1=1,row2=2,row3=3,row4=4,column1=5,column2=6,column3=7,column4=8"
WEIGHT = "weight1=1,weight2=2,weight3=3,weight4=4,beside2=10,beside3=20,beside4=30"
QUICK = {"empty", "order", "snake", "gradient", "trapped", "perimeter"}
"""Each evaluation is a kernel of its own."""

EXAMPLES = [
    ("empty", "2 . 4|. x 8|. . 2", 4),
    ("highscore", "2 4|8 16", 0),  # the points come from the search, see below
    # 8*16 + 4*8 + 2*2 along the snake; 8*16 + (4 + 2)*8 by steps from the corner; 8*5 + 4*3 + 2*2.
    ("order", "8 4|2 .", 128 + 32 + 4),
    ("order:shape=gradient", "8 4|2 .", 128 + 48),
    ("order:matrix=5 3|2 1", "8 4|2 .", 40 + 12 + 4),
    ("order:scale=27,ratio=3", "8 4|2 .", 8 * 27 + 4 * 9 + 2 * 1),
    ("h1", "2 . 4|. x 8|. . 2", 4),
    ("h2", "2048 1024 512 256|", 2 * 3840 / 3),  # one row on the edge; columns of one cell are worth 0
    ("h2", ORDER_BOARD, 28 / 3 + 0 - 1 + 4 + 8 - 1 + 6 - 2),
    ("h2", "4 2 x 2 2|", 2 * (6 / 1 + 0)),  # two vectors, [4 2] and [2 2]
    ("h2:tiles=1", "2048 . 512 256|", 2 * 2816 / 3),
    ("h2:pairs=1", "2048 1024 512 256|", 2 * 3840 / 10),
    ("h2:tiles=1,pairs=1", "2048 . 512 256|", 2 * 2816 / 6),
    ("h2:ranks=1", "2048 1024 512 256|", 2 * 38 / 3),
    # Along the rows 16*64 + 8*27 + 2*8 + 4*1 = 1260, of 16 8 2 4 two tiles are misplaced: - 2^2;
    # along the columns 16*64 + 4*27 + 2*8 + 8*1 = 1156, three misplaced. Distances of ranks 1 + 1 + 2 + 2.
    ("h3", "2 4|8 16", 1260 - 2**2 - 6**3),
    ("h3:penalty=0,distance=2", "2 4|8 16", 1260 - 2 * 6**3),
    ("h3:faces=1", "2 4|8 16", 1260 - 2**2 - (2 + 8 + 6 + 12) ** 3),
    # The snake 16 8 2 4 with weights 16 8 4 2; order: 2*(6/1 + 24/1 + 10/2 + 20/2).
    ("h4", "2 4|8 16", 256 + 64 + 8 + 8 + 90),
    # The snake 4 2 along the column with weights 16 and 8; order: rows 4/2 and 2/1, columns 6/1 and 0, doubled.
    ("h4", "4 .|2 .", 4 * 16 + 2 * 8 + 2 * (4 / 2 + 2 / 1 + 6 / 1) + 30 * 2),
    ("sum", "2 . 4|. x 8", 14),
    ("rows", "2 . 4|. x 8", 2 * 1 + 4 * 1 + 8 * 2),
    ("snake", "8 4|. 2", 8 * 64 + 4 * 16 + 2 * 4),
    ("snake:penalty=2", "8 4|. 2", 584 - 2 * 2 * (4 + 2)),
    # Squares: 6*128^2 + 5*64^2 + 4*32^2 + 16^2 + 5*8^2 + 4*32^2 + 4*32^2 + 16^2 + 0*8^2 = 131904. Pairs:
    # rows 64 + 32 + 16, 24, 16 + 8; columns 120 + 24, 32 + 16; each seen twice.
    ("diagonal", PENALTY_BOARD, 131904 - 2 * (112 + 24 + 24 + 144 + 48)),
    ("diagonal:penalty=0", PENALTY_BOARD, 131904),
    # S2 5.3's example: 7*2048 + 6*512 + 5*128 + 4*16, 3*4 + 4*16 + 3*8, 3*4.
    ("snake-diagonal:power=1,penalty=0", "2048 512 128 16|. 4 16 8|. . 4 .|. . . .", 18112 + 100 + 12),
    ("snake-diagonal", "16 8 . .|. . . .|. . . .|. . . .", 7 * 256 + 6 * 64 - 2 * 8),
    ("gradient", "8 16|2 8", 8 + 16 / 2 + 2 / 2 + 8 / 4),
    ("gradient:trapped=3", "8 16|2 8", 19 - 3 * (8 - 2)),
    ("trapped", "8 16|2 8", -6),
    ("trapped", "x 2|4 8", -(8 - 2) - (8 - 4)),  # bricks are no neighbours
    ("trapped", "8 16|2 .", 0),  # an empty neighbour lets the 2 out
    ("largest", CHAIN_BOARD, 32),
    ("largest", "2 32 2|. . .|. . .", 16),
    ("largest:border=0.25", "2 32 2|. . .|. . .", 8),
    ("largest", ". . .|. 32 .|. . .", 1),
    # Rows: 32 16 8 . falls, . . . 2 rises, the empty one does both: 2. Columns: the first three fall: 3.
    ("monotonicity", CHAIN_BOARD, 5),
    # S0's ideal board, a snake: two rows rise and two fall, all columns rise. 6 of 8.
    (
        "monotonicity",
        "4 8 16 32|512 256 128 64|1024 2048 4096 8192|131072 65536 32768 16384",
        2 + 4,
    ),
    ("longest-chain", CHAIN_BOARD, 32 + 16 + 8),
    ("longest-chain", ". . . .|. 16 8 4|. . . 2|. . . .", 30),  # right and down: there are more cells
    ("shift-load", CHAIN_BOARD, 1),  # left puts the two 2s above each other
    # Left leaves 4 4 . / 4 . .: one merge across, one along.
    ("shift-load", "2 2 4|. . 4", 1),
    ("shift-load:along=1", "2 2 4|. . 4", 2),
    ("adjacent", CHAIN_BOARD, ADJACENT),
    (
        "chain:largest=4,monotonicity=64,empty=64,chain=1,shift=16,adjacent=1",
        CHAIN_BOARD,
        4 * 32 + 64 * 5 + 64 * 10 + 1 * 56 + 16 * 1 + ADJACENT,
    ),
    ("chain:largest=0,monotonicity=0,empty=2,chain=0,shift=0,adjacent=0", CHAIN_BOARD, 20),
    # A chain of 3; its root's column 32 . . isn't full, nor is its row.
    (
        "chain-both:largest=0,monotonicity=0,empty=0,chain=0,shift=0,adjacent=0,length=7,locked=100",
        CHAIN_BOARD,
        21,
    ),
    # 16 8 4 is full and locked, its column is not full; the chain is the row and the 2 under its end.
    (
        "chain-both:largest=0,monotonicity=0,empty=1,chain=0,shift=0,adjacent=0,length=10,locked=100",
        "16 8 4|. . 2",
        40 + 100 + 2,
    ),
    # Its mean value is 30 / 4.
    (
        "chain-both:largest=0,monotonicity=0,empty=0,chain=0,shift=0,adjacent=0,values=2",
        "16 8 4|. . 2",
        15,
    ),
    ("chain-both:largest=0,monotonicity=0,empty=0,chain=0,shift=0,adjacent=0,locked=1", "16 8|4 2", 2),
    ("chain-both:largest=0,monotonicity=0,empty=0,chain=0,shift=0,adjacent=0,locked=1", "16 x|4 2", 2),
    (
        "chain-both:largest=4,monotonicity=64,empty=64,chain=1,shift=16,adjacent=1",
        CHAIN_BOARD,
        4 * 32 + 64 * 5 + 64 * 10 + 1 * 56 + 16 * 1 + ADJACENT,
    ),
    # Rows 3 1 1 0, 2 0 0 0, 0 0 0 0, 0 0 0 1 and columns 3 2 0 0, 1 0 0 0, 1 0 0 0, 0 0 0 1.
    (
        f"corner:lost=0,empty=10,merges=100,{MONO},mono_power=1,row_falls=0.5,column_falls=0.25,{WEIGHT},sum_power=2",
        "8 2 2 .|4 . . .|. . . .|. . . 2",
        10 * 2 * 11
        + 100
        - (1 * 0.5 * 3 + 2 * 0.5 * 2 + 4 * 1)
        - (5 * 0.25 * 3 + 6 * 0.25 * 1 + 7 * 0.25 * 1 + 8 * 1)
        - (9 * 1 + 1 * (1 + 10) + 1 * (1 + 20) + 4 * 2 + 1 * (4 + 30)),
    ),
    # On a smaller board lines count by where they lie: here as the first and the third.
    (
        f"corner:lost=7,empty=0,merges=0,{MONO},mono_power=1,row_falls=0,column_falls=0,{WEIGHT},sum_power=1",
        "2 .|. 2",
        4 * 7 - 3 - 7 - 1 - (3 + 20),
    ),
    ("perimeter", "16 8 .|4 2 .|. . 4", 16 + 8 + 4 + 2 - 4),
    ("perimeter", "8 16 .|4 2 .|. . 4", 30 - 4 - (16 - 8)),
    ("perimeter:disorder=0.5", "8 16 .|4 2 .|. . 4", 30 - 4 - (16 - 8) / 2),
]


@pytest.mark.parametrize(
    ("evaluation", "board", "value"),
    quick_ones(EXAMPLES, lambda case: case[0].partition(":")[0] in QUICK),
)
def test_worked_by_hand(evaluation: str, board: str, value: float) -> None:
    assert evaluate_board(make_evaluation(evaluation), Board.parse(board)) == pytest.approx(value, rel=1e-6)


def test_every_evaluation_of_a_formula_has_an_example() -> None:
    shown = {evaluation.partition(":")[0] for evaluation, _, _ in EXAMPLES} | {"sah"}
    named = {info.name for info in list_evaluations()}
    assert named - shown <= {"default", "default-0", "network", "neural", "block"}
    for info in list_evaluations():
        assert info.summary, info.name
        assert info.source, info.name
        assert info.formula, info.name
        assert all(parameter.help for parameter in info.parameters), info.name


# Clustering of 8 4 / 2 . : 8 has (4 + 6)/2 = 5, 4 has (4 + 4)/2 = 4, 2 has (6 + 2)/2 = 4. As printed, 4 and 2 are
# neighbours too: 8 has 10/2 = 5, 4 has (4 + 2 + 4)/3 = 3 and 2 has (2 + 2 + 6)/3 = 3, whole parts.
@pytest.mark.parametrize(
    ("evaluation", "score", "value"),
    [
        ("sah", 12, 12 + log(12) - 13),
        ("sah:sign=+1", 12, 12 + log(12) + 13),
        ("sah:as_printed=1", 12, 12 + log(12) - 11),
        ("sah:sign=0", 12, 12 + log(12)),
        ("sah", 0, -13),  # ln 0 counts as 0
    ],
)
def test_clustering_with_a_score(evaluation: str, score: int, value: float) -> None:
    assert evaluate_board(make_evaluation(evaluation), Board.parse("8 4|2 ."), score) == pytest.approx(value)


@pytest.mark.parametrize(("evaluation", "value"), [("highscore", 4), ("order", 4 + 4 * 16), ("empty", 3)])
def test_points_on_the_way_count_where_they_should(evaluation: str, value: float) -> None:
    searcher = Searcher(make_evaluation(evaluation), table_bits=0)
    searcher.start(State.of(Board.parse("2 2|. .")), depth=1)
    assert searcher.first_move()[3] == value


def test_the_root_is_the_largest_tile_with_the_best_place() -> None:
    value = partial(evaluate_board, make_evaluation("largest"))
    assert value(Board.parse("2 8 2|. 8 .|. . 8")) == 8
    assert value(Board.parse(". . .|. 8 .|. 8 .")) == 4
    # Two bricks hold the middle cell as a corner would.
    assert value(Board.parse(". . . . .|. . x . .|. x 8 . .|. . . . .|. . . . .")) == 8


def test_chains_turn_at_bricks_and_take_the_longer_way() -> None:
    value = partial(evaluate_board, make_evaluation("longest-chain"))
    assert value(Board.parse("64 32 x . .|8 16 . . .|4 2 . . .")) == 126
    assert value(Board.parse("64 32 8 4 2|32 . . . .|16 8 . . .")) == 64 + 32 + 16 + 8
    assert value(Board.parse("64 64 32|")) == 64


@pytest.mark.parametrize(
    ("evaluation", "board"),
    [("perimeter", "2 . . .|. . . ."), ("perimeter", "1x4"), ("order:matrix=5 3|2 1", "2 . .|. . .")],
)
def test_boards_that_make_no_sense_are_refused(evaluation: str, board: str) -> None:
    shape = Board.empty(1, 4).with_cell(0, 1) if board == "1x4" else Board.parse(board)
    with pytest.raises(InvalidParameter, match=r"needs a board of 3x3|is for 2x2 boards"):
        evaluate_board(make_evaluation(evaluation), shape)


@pytest.mark.parametrize("matrix", ["16 8|4", "a b|c d", "1", "nan 1", "1e9 1", "| |"])
def test_what_is_no_matrix_is_refused(matrix: str) -> None:
    with pytest.raises(InvalidParameter, match="is not a matrix"):
        make_evaluation(f"order:matrix={matrix}")
