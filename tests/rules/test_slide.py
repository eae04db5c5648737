"""The merge rule and the slide: worked by hand, against a second program, and by its symmetries.

Numbers such as "fault 3" refer to faults that users reported on other 2048 programs; each is a kind of test.
"""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rules import naive
from tests.rules.strategies import boards
from twofold.errors import IllegalMove
from twofold.rules import DIRECTIONS, MAX_RANK, Board, Direction, slide_run

UP, RIGHT, DOWN, LEFT = Direction

# Face values of one line, the wall on the left: before, after, reward.
LINES = [
    ("8 8 16 .", "16 16 . .", 16),  # fault 1: a tile just merged merges no more
    ("4 4 8 .", "8 8 . .", 8),
    ("2 2 2 2", "4 4 . .", 8),  # fault 2
    ("4 4 4 .", "8 4 . .", 8),  # fault 3: the pair nearest the wall
    ("2 2 2 .", "4 2 . .", 4),
    ("2 . . 2", "4 . . .", 4),
    ("2 . 2 2", "4 2 . .", 4),
    (". . . 2", "2 . . .", 0),
    ("2 4 2 4", "2 4 2 4", 0),
    ("2 2 4 4", "4 8 . .", 12),  # fault 8: every merge scores
    ("4 2 2 4", "4 4 4 .", 4),
    ("2 2 4 8", "4 4 8 .", 4),
    ("32768 32768 . .", "65536 . . .", 65536),  # fault 16: no cap at 4 bits
    ("65536 65536 65536 65536", "131072 131072 . .", 262144),  # fault 17
    ("131072 . 131072 2", "262144 2 . .", 262144),
    ("128 128 . .", "256 . . .", 256),  # 8-bit sums elsewhere score 0
    ("576460752303423488 576460752303423488 . .", "1152921504606846976 . . .", 1 << 60),
    (". . . .", ". . . .", 0),
]


def laid(line: str, direction: Direction) -> Board:
    """A board of one line whose wall side is where `direction` slides to."""
    cells = line.split()
    if direction in (RIGHT, DOWN):
        cells.reverse()
    return Board.parse(" ".join(cells) + "|" if direction in (LEFT, RIGHT) else "|".join(cells))


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize(("before", "after", "reward"), LINES)
def test_lines_worked_by_hand_in_all_directions(
    before: str, after: str, reward: int, direction: Direction
) -> None:
    board = laid(before, direction)
    slide = board.slide(direction)
    assert slide.board == laid(after, direction)
    assert slide.reward == reward
    assert slide.changed == (before != after)
    assert board.is_legal(direction) == slide.changed


def test_every_line_moves_not_only_some() -> None:
    """Fault 4: the top row didn't move down."""
    board = Board.parse("2 2 2 2|. . . .|. . . .|. . . .")
    assert str(board.slide(DOWN).board) == ". . . .|. . . .|. . . .|2 2 2 2"
    full = Board.parse("2 4 8 16|2 4 8 16|2 4 8 16|2 4 8 16")
    assert str(full.slide(UP).board) == "4 8 16 32|4 8 16 32|. . . .|. . . ."
    assert full.slide(UP).reward == 2 * (4 + 8 + 16 + 32)


def test_bricks_block_and_each_run_slides_on_its_own() -> None:
    board = Board.parse("2 . x 2 2|. 2 x . .|x 2 . x 2")
    assert str(board.slide(LEFT).board) == "2 . x 4 .|2 . x . .|x 2 . x 2"
    assert str(board.slide(RIGHT).board) == ". 2 x . 4|. 2 x . .|x . 2 x 2"
    assert str(board.slide(DOWN).board) == ". . x . .|2 . x 2 .|x 4 . x 4"
    assert not Board.parse("2 x 2|").slide(LEFT).changed  # a brick between equal tiles keeps them apart
    assert Board.parse("2 x 2|").is_dead


def test_dead_or_only_full() -> None:
    """Faults 12 and 13: full isn't over while something merges; over at once when nothing does."""
    full = Board.parse("2 4 2 4|4 2 4 2|2 4 2 4|4 2 8 8")
    assert full.is_full
    assert full.legal_moves() == (RIGHT, LEFT)
    assert not full.is_dead
    dead = Board.parse("2 4 2 4|4 2 4 2|2 4 2 4|4 2 4 2")
    assert dead.is_dead
    assert dead.legal_moves() == ()


def test_the_largest_tiles_refuse_to_merge() -> None:
    board = Board.from_ranks([[60, 60], [1, 1], [0, 0]])
    for direction in (LEFT, RIGHT):
        with pytest.raises(IllegalMove, match=r"1152921504606846976 \(rank 60\)"):
            board.slide(direction)
    assert board.legal_moves() == (DOWN,)
    assert Board.from_ranks([[60, 60]]).is_dead


def test_motions_tell_where_each_tile_went() -> None:
    slide = Board.parse(". 2 . 2|4 x . 4").slide(LEFT)
    assert [(m.source, m.target, m.merged) for m in slide.motions] == [
        (1, 0, True),
        (3, 0, True),
        (4, 4, False),
        (7, 6, False),
    ]


def test_slide_run_reports_targets() -> None:
    assert slide_run([0, 1, 1, 1]) == ([2, 1, 0, 0], 4, [-1, 0, 0, 1])
    assert slide_run(b"\x05\x05\x06") == ([6, 6, 0], 64, [0, 0, 1])
    assert slide_run([]) == ([], 0, [])


def test_slide_run_is_the_naive_rule_on_every_line_of_four() -> None:
    """All 65,536 lines of ranks 0 to 15, the rows of the compiled tables."""
    base = naive.BASE
    for line in itertools.product(range(16), repeat=4):
        slid, reward, _ = slide_run(line)
        row, expected = naive.slide_row("".join(chr(base + rank) if rank else "." for rank in line))
        assert [0 if sign == "." else ord(sign) - base for sign in row] == slid
        assert reward == expected


@given(boards(), st.sampled_from(DIRECTIONS))
def test_slide_agrees_with_the_naive_program(board: Board, direction: Direction) -> None:
    grid, reward = naive.slide(naive.to_grid(board), direction)
    slide = board.slide(direction)
    assert slide.board == naive.to_board(grid)
    assert slide.reward == reward
    assert slide.changed == (slide.board != board)


@given(boards(), st.sampled_from(DIRECTIONS))
def test_slide_keeps_the_sum_and_the_bricks(board: Board, direction: Direction) -> None:
    slide = board.slide(direction)
    assert slide.board.tile_sum == board.tile_sum
    assert slide.board.bricks == board.bricks
    # As if only 2s had spawned: the default score grows by exactly what the move earns.
    assert slide.board.default_score() - board.default_score() == slide.reward


@given(boards(), st.sampled_from(DIRECTIONS))
def test_motions_explain_the_board(board: Board, direction: Direction) -> None:
    slide = board.slide(direction)
    after = board.without_tiles()
    for motion in slide.motions:
        after = after.with_cell(motion.target, board.cells[motion.source] + motion.merged)
    assert after == slide.board
    assert sorted(m.source for m in slide.motions) == [
        cell for cell, rank in enumerate(board.cells) if 0 < rank <= MAX_RANK
    ]
    assert slide.changed == any(m.source != m.target for m in slide.motions)


@given(boards())
def test_slides_commute_with_mirrors_and_turns(board: Board) -> None:
    mirrored = board.flip_horizontal()
    assert mirrored.slide(RIGHT).board == board.slide(LEFT).board.flip_horizontal()
    assert mirrored.slide(UP).board == board.slide(UP).board.flip_horizontal()
    assert board.flip_vertical().slide(DOWN).board == board.slide(UP).board.flip_vertical()
    assert board.transpose().slide(UP).board == board.slide(LEFT).board.transpose()
    for direction in DIRECTIONS:  # a clockwise turn takes UP to RIGHT, and so on
        turned = board.rotate().slide(Direction((direction + 1) % 4))
        assert turned.board == board.slide(direction).board.rotate()
        assert turned.reward == board.slide(direction).reward


@given(boards())
def test_sliding_again_never_moves_without_merging(board: Board) -> None:
    for direction in DIRECTIONS:
        once = board.slide(direction)
        twice = once.board.slide(direction)
        assert twice.changed == (twice.reward > 0)
