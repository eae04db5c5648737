"""Random games: the same game from the reference, the packed and the general kernel; right scores, right spawns."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.thorough import quick_ones
from twofold.errors import IllegalMove, InvalidLimit, InvalidParameter
from twofold.evaluation.compiled import pack
from twofold.kernels.bits import U
from twofold.kernels.board.line_tables import two_ways
from twofold.kernels.games import random_play
from twofold.kernels.games.random_play import REPLAY
from twofold.matches.play import play_game
from twofold.players.random_games import random_games
from twofold.players.registry import make_player
from twofold.rules.board import Board
from twofold.rules.direction import Direction
from twofold.rules.state import State
from twofold.rules.variant import CORNERS, Variant

VARIANTS = [
    "4x4",
    "4x4;p4=0.5",
    "3x3",
    "2x3;value=4",
    "5x5",
    "1x6",
    "map=2 . x .|. . . .|. x . .|. . . 4",
    *(f"4x4;spawn={corner}" for corner in CORNERS),
    "3x5;spawn=br-columns;value=2",
    "3x4;spawn=tr-rows",
]


@pytest.mark.parametrize("text", quick_ones(VARIANTS, lambda text: "5" not in text))
@pytest.mark.parametrize("general", [False, True])
def test_the_kernels_play_the_reference_game(text: str, general: bool) -> None:
    variant = Variant.parse(text)
    games = random_games(variant, seed=12345, count=6, first=3, general=general)
    for i in range(6):
        expected = play_game("random", variant, seed=12345, index=3 + i)
        assert (games.score[i], games.moves[i], 1 << games.top[i]) == (
            expected.score,
            expected.moves,
            expected.max_tile,
        )


def packed_games(variant: Variant, seed: int, count: int) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Scores and highest ranks as the packed kernel leaves them, marks and all."""
    board = variant.start
    with_bricks = board.has_bricks or len(board.cells) < 16
    score, moves, top = np.zeros(count, np.int64), np.zeros(count, np.int64), np.zeros(count, np.uint8)
    random_play.random_games(
        two_ways(with_bricks),
        U(random_play.PICKS.ctypes.data),
        15 if with_bricks else 16,
        14 if with_bricks else 15,
        U(pack(board)),
        0,
        U(variant.four_threshold),
        0,
        U(seed),
        U(0),
        np.zeros(count, np.uint64),
        score,
        moves,
        top,
    )
    return score, top


@pytest.mark.parametrize(
    ("text", "largest", "rank"),
    [
        # Eight tiles of rank 13 make 65,536: a nibble holds at most rank 15.
        ("8192 8192 8192 8192|8192 8192 8192 8192|. . . .|. . . .", 15, 16),
        # Four make 32,768, whose nibble is a brick here.
        ("8192 8192 8192 8192|. . . .|. . x .|. . . .", 14, 15),
        ("8192 8192 8192|8192 . .|. . .", 14, 15),
    ],
)
def test_a_game_that_outgrows_the_nibbles_is_replayed_right(text: str, largest: int, rank: int) -> None:
    variant = Variant(Board.parse(text))
    _, top = packed_games(variant, seed=1, count=40)
    games = random_games(variant, seed=1, count=40)
    assert games.top.max() == rank
    assert ((top == REPLAY) == (games.top >= largest)).all()
    for i in range(40):
        expected = play_game("random", variant, seed=1, index=i)
        assert (games.score[i], games.moves[i], 1 << games.top[i]) == (
            expected.score,
            expected.moves,
            expected.max_tile,
        )


def within(scores: NDArray[np.int64], expected: float, errors: float = 4.0) -> bool:
    return abs(float(scores.mean()) - expected) < errors * float(scores.std()) / math.sqrt(len(scores))


@pytest.mark.slow
def test_mean_score_of_random_play_on_4x4() -> None:
    # 1095.5: mean of 6 million games of another program with the same rules.
    assert within(random_games(Variant(), seed=2, count=1_000_000).score, 1095.5)


def test_mean_score_of_random_play_on_3x3() -> None:
    # 178.743854 is exact: the value of the uniformly random policy, by backward induction.
    assert within(random_games(Variant.of_size(3, 3), seed=3, count=400_000).score, 178.743854)


def test_one_and_two_lanes_and_none() -> None:
    alone = random_games(Variant(), seed=4, count=1, first=5)
    pair = random_games(Variant(), seed=4, count=2, first=5)
    assert alone.score[0] == pair.score[0]
    assert len(random_games(Variant(), seed=4, count=0).score) == 0


def test_a_board_on_which_random_games_hardly_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("twofold.players.random_games.MOST_MOVES", 20_000)
    with pytest.raises(InvalidLimit, match="2x64"):
        random_games(Variant.parse("2x64"), count=3)
    assert random_games(Variant.parse("2x64"), count=2, most_moves=300).moves.tolist() == [300, 300]


@pytest.mark.slow
def test_two_of_the_largest_tiles_merge_nowhere() -> None:
    top = str(2**60)
    board = Board.parse(f"{top} {top} . . .|2 . . . .")
    with pytest.raises(InvalidParameter, match="smaller tiles"):
        random_games(Variant(start=board), count=1)
    decision = make_player("expectimax:depth=2").decide(State.of(board))
    assert [value is not None for value in decision.values] == [board.is_legal(d) for d in Direction]
    for direction in (Direction.LEFT, Direction.RIGHT):
        with pytest.raises(IllegalMove):
            board.slide(direction)
