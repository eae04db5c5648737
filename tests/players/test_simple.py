"""The players that don't search."""

from __future__ import annotations

from collections import Counter

import pytest

from twofold import Board, Direction, State, check_player, make_player
from twofold.errors import InvalidLimit, InvalidParameter, PlayerError
from twofold.players.base import Decision, Limit, best_of
from twofold.players.simple import Human
from twofold.rules.random import word

UP, RIGHT, DOWN, LEFT = Direction
DEAD = State.of(Board.parse("2 4|4 2"))


def state(text: str, moves: int = 0) -> State:
    made = State.of(Board.parse(text))
    return State(made.variant, made.board, made.score, moves)


@pytest.mark.parametrize("text", ["random", "greedy", "scripted:moves=LDRU,illegal=skip,then=repeat"])
def test_players_keep_the_contract(text: str) -> None:
    check_player(text)


def test_random_is_uniform_over_the_legal_moves() -> None:
    player, position = make_player("random"), state("2 . .|. . .|. . .")
    seen = Counter(player.decide(position, word(7, k)).move for k in range(4000))
    assert set(seen) == {RIGHT, DOWN}
    # 2000 expected of each, standard deviation 32.
    assert all(abs(count - 2000) < 160 for count in seen.values())


def test_greedy_takes_the_largest_reward_and_the_first_of_equals() -> None:
    decision = make_player("greedy").decide(state("2 2 .|8 . .|8 . ."))
    assert decision.values == (16.0, 4.0, 16.0, 4.0)
    assert (decision.move, decision.value) == (UP, 16.0)


def test_a_script_is_played_letter_by_letter() -> None:
    player = make_player("scripted:moves=ldR")
    open_board = "2 . .|. . .|. . ."
    assert player.decide(state(". . 2|. . .|. . .", 0)).move is LEFT
    assert player.decide(state(open_board, 1)).move is DOWN
    assert player.decide(state(open_board, 2)).move is RIGHT
    ended = player.decide(state(open_board, 3))
    assert ended.move is None
    assert ended.values == (None, 0.0, 0.0, None)


def test_an_illegal_letter_is_an_error_or_skipped() -> None:
    position = state("2 . .|. . .|. . .")
    with pytest.raises(PlayerError, match="letter 1 of the script, L, is illegal"):
        make_player("scripted:moves=LD").decide(position)
    assert make_player("scripted:moves=LUD,illegal=skip").decide(position).move is DOWN
    assert make_player("scripted:moves=L,illegal=skip").decide(position).move is RIGHT


def test_a_script_of_other_letters_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="letters U, R, D, L"):
        make_player("scripted:moves=LQ")


def test_human_asks_again_after_an_illegal_move_and_may_give_up() -> None:
    answers = iter([LEFT, UP, DOWN, None])
    player = Human(source=lambda _: next(answers))
    position = state("2 . .|. . .|. . .")
    assert player.decide(position).move is DOWN
    assert player.decide(position).move is None


@pytest.mark.parametrize("text", ["random", "greedy", "scripted:then=repeat", "human"])
def test_a_dead_board_has_no_move(text: str) -> None:
    assert make_player(text).decide(DEAD) == Decision(None)


def test_best_of_takes_the_first_of_equals_and_none_of_none() -> None:
    assert best_of((None, 2.0, 3.0, 3.0)).move is DOWN
    assert best_of((None, None, None, None)).move is None
    assert best_of((float("-inf"), None, None, None)).move is UP


@pytest.mark.parametrize(
    "limits", [{"depth": 0}, {"nodes": -1}, {"nodes": True}, {"seconds": 0.0}, {"seconds": float("nan")}]
)
def test_a_limit_that_cannot_be_kept_is_refused(limits: dict[str, float]) -> None:
    with pytest.raises(InvalidLimit):
        Limit(**limits)  # type: ignore[arg-type]
