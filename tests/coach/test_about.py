"""A position's arithmetic against games that were played, and against all positions of small boards."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.ui.command import here
from twofold.coach.about import about_board, check_score
from twofold.errors import InvalidParameter
from twofold.exact.certain import count_moves
from twofold.exact.policy import policy_of
from twofold.exact.problem import Problem
from twofold.exact.solver import solve
from twofold.rules import Board, Game, Variant, parse_board
from twofold.rules.random import word

seeds, sizes = st.integers(0, 2**32), st.sampled_from([(2, 2), (2, 3), (4, 4), (1, 5), (3, 4), (2, 5)])
fours, lengths = st.sampled_from([0.0, 0.1, 0.7, 1.0]), st.integers(0, 150)


@given(seed=seeds, size=sizes, p4=fours, length=lengths)
def test_every_position_of_a_game_is_possible_and_counted(
    seed: int, size: tuple[int, int], p4: float, length: int
) -> None:
    check_position(seed, size, p4, length)


@pytest.mark.slow  # each takes seconds
@settings(max_examples=10)
@given(seed=seeds, p4=fours, length=lengths)
def test_every_position_of_a_game_with_long_rows_too(seed: int, p4: float, length: int) -> None:
    check_position(seed, (2, 8), p4, length)


def check_position(seed: int, size: tuple[int, int], p4: float, length: int) -> None:
    variant = Variant.of_size(*size, p4=p4)
    game = Game(variant, seed)
    fours = sum(rank == 2 for rank in game.board.tile_ranks)
    while not game.is_over and game.moves < length:
        legal = game.legal_moves()
        fours += game.move(legal[word(seed, game.moves) % len(legal)]).spawn.rank == 2
    found = about_board(game.board, game.score, variant=variant)
    assert found.possible, found.why
    assert (found.fours, found.moves, found.sum) == (fours, game.moves, game.board.tile_sum)
    loose = about_board(game.board, variant=variant)
    assert loose.score_least <= game.score <= loose.score_most
    assert loose.score_least <= loose.score_mean <= loose.score_most
    assert loose.fours_least <= fours <= loose.fours_most
    assert loose.moves_least <= game.moves <= loose.moves_most
    assert about_board(game.board, fours=fours, variant=variant).score == game.score
    check_score(game.board, game.score, variant)


def test_all_positions_of_the_2x2_game() -> None:
    """Walked from every start; among boards of small tiles no other is called possible."""
    start = [
        Board.empty(2, 2).with_cell(a, x).with_cell(b, y)
        for a, b in product(range(4), repeat=2)
        for x, y in product((1, 2), repeat=2)
        if a < b
    ]
    seen, queue = set(start), list(start)
    while queue:
        board = queue.pop()
        for direction in board.legal_moves():
            left = board.slide(direction).board
            for cell, rank in product(left.empty_cells, (1, 2)):
                after = left.with_cell(cell, rank)
                if after not in seen:
                    seen.add(after)
                    queue.append(after)
    for cells in product(range(6), repeat=4):
        board = Board(2, 2, bytes(cells))
        found = about_board(board)
        if board in seen:
            assert found.possible, (board, found.why)
        else:
            assert not found.possible, board


@pytest.mark.parametrize(("size", "target"), [("2x2", 16), ("2x2", 32), ("2x3", 16), ("2x2;p4=0", 8)])
def test_the_fewest_moves_of_small_boards_are_those_of_the_solution(size: str, target: int) -> None:
    variant = Variant.parse(f"{size};target={target}")
    solved = count_moves(policy_of(solve(Problem(variant))))
    for board, moves in list(solved.items())[::9]:
        found = about_board(board, variant=variant, way=True)
        assert found.target_moves == found.target_way == moves.fewest, board


def test_the_fewest_moves_of_large_boards_are_bounded() -> None:
    """A bound by arithmetic, and a way that was found; the last fours that appear only wait for the merges."""
    found = about_board(parse_board("4 4 . .|. . . .|. . . .|. . . ."), variant=Variant(target=256), way=True)
    assert found.target_moves == (256 - 8) // 4 + 6
    assert found.target_way is not None
    assert found.target_moves <= found.target_way < (256 - 8) // 2  # which 2s alone would take
    board = parse_board("1024 512 256 128|. . . 64|. . . 32|4 4 8 16")
    found = about_board(board, way=True)
    assert found.target_moves == found.target_way == 9
    far = about_board(board, variant=Variant(target=65536), way=True)
    assert (far.target_moves, far.target_way) == ((65536 - board.tile_sum) // 4 + 14, None)


def test_positions_of_a_small_sum_are_all_searched() -> None:
    """On 4x4 too: every position with a sum of 8 that games come to, and a slid one that none comes to."""
    for seed in range(40):
        game = Game(seed=seed)
        while game.board.tile_sum < 8:
            game.move(game.legal_moves()[seed % len(game.legal_moves())])
        if game.board.tile_sum == 8:
            assert about_board(game.board).proven
            assert about_board(game.board).possible
    alone = about_board(parse_board("4 . . .|. . . .|. . . .|4 . . ."))
    assert alone.possible
    assert alone.proven


def test_what_is_known_of_a_2048_board() -> None:
    """20,480 points by 2s alone; about 20,100 is what players with that board report."""
    found = about_board(parse_board("2048 2 . .|. . . .|. . . .|. . . ."))
    assert (found.sum, found.score_most, found.score_least) == (2050, 20_480, 20_480 - 4 * 512)
    assert 20_000 < found.score_mean < 20_200
    assert about_board(parse_board("2048 2 . .|. . . .|. . . .|. . . ."), 20_000).fours == 120


@pytest.mark.parametrize(
    ("board", "score", "why"),
    [
        ("2 . . .|. . . .|. . . .|. . . .", None, "starts with 2 tiles"),
        ("8 16 . .|. . . .|. . . .|. . . .", None, "the last tile that appeared must be a 2 or 4"),
        (". . . .|. 8 2 .|. . . .|. . . 16", None, "no move followed by a new tile"),
        ("262144 2 . .|. . . .|. . . .|. . . .", None, "no tile above 131,072"),
        ("8 2 . .|. . . .|. . . .|. . . .", 17, "from 8 to 16 in steps of 4"),
        ("8 2 . .|. . . .|. . . .|. . . .", 20, "from 8 to 16 in steps of 4"),
        ("8 2 . .|. . . .|. . . .|. . . .", 4, "from 8 to 16 in steps of 4"),
    ],
)
def test_what_is_impossible(board: str, score: int | None, why: str) -> None:
    found = about_board(parse_board(board), score)
    assert not found.possible
    assert why in found.why
    assert found.fours is None


def test_bricks_and_lists_that_do_not_agree() -> None:
    assert about_board(parse_board("2 x|4 .")).possible
    with pytest.raises(InvalidParameter, match="with 1 fours the score is 12, not 16"):
        about_board(parse_board("8 2 . .|. . . .|. . . .|. . . ."), 16, fours=1)
    with pytest.raises(InvalidParameter, match="no game has this score"):
        check_score(parse_board("2 2|"), 2)


@pytest.mark.slow
def test_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    board = "2048 2 . .|. . . .|. . . .|. . . ."
    facts = here(capsys, "about", board, "--score", "20000", "--json").json()
    assert set(facts) >= {"sum", "score_least", "score_mean", "score_most", "fours", "moves", "possible"}
    assert (facts["fours"], facts["moves"]) == (120, 2050 // 2 - 120 - 2)
    assert (facts["possible"], facts["proven"]) == (False, True)
    assert (
        "possible  no: all positions that could precede it were searched" in here(capsys, "about", board).out
    )
    large = "2048 8 8 2|512 16 2 .|4 4 2 .|. . . ."  # of a game
    assert "possible  perhaps: " in here(capsys, "about", large).out
    assert "possible  yes (" in here(capsys, "about", "2 4 2 4|4 2 4 2|2 4 2 4|4 2 4 2").out
    wrong = here(capsys, "about", "8 2 . .|. . . .|. . . .|. . . .", "--score", "17")
    assert wrong.code == 0
    assert "possible  no: no game has this score; here it is from 8 to 16" in wrong.out
    dead = "2 4 8 16|32 64 128 256|512 1024 2 4|8 16 32 64"
    assert here(capsys, "about", dead, "--json").json()["target_moves"] is None
    assert "target    2,048 can't be made any more" in here(capsys, "about", dead).out
    assert here(capsys, "about", "11 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0", "--exponents").out.startswith("+")
    assert "no game has this score" in here(capsys, "best", board, "--score", "20001").refusal()
    assert here(capsys, "best", board, "--score", "20000", "-p", "greedy", "--json").code == 0
