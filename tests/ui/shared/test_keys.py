"""Keys from characters, and what keys do in a game."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twofold import Board, Direction, Variant, new_game
from twofold.rules import Game
from twofold.ui.shared.human_game import HumanGame
from twofold.ui.shared.keys import MOVE_KEYS, Decoder


def test_arrows_come_as_sequences_in_both_modes() -> None:
    decoder = Decoder()
    assert decoder.feed("\x1b[A\x1b[B\x1b[C\x1b[D\x1bOA") == ["up", "down", "right", "left", "up"]
    assert [key for part in ("\x1b", "[", "A") for key in decoder.feed(part)] == ["up"]


def test_other_sequences_give_nothing_and_letters_are_lower_case() -> None:
    assert Decoder().feed("W\x1b[3~a\x1b[1;5Cd\x1b[200~") == ["w", "a", "right", "d"]


@given(st.text())
def test_no_text_upsets_the_decoder(text: str) -> None:
    decoder = Decoder()
    keys = decoder.feed(text)
    assert all(key in MOVE_KEYS or len(key.encode()) <= 4 or len(key) <= 3 for key in keys)
    assert decoder.feed("\x1b" * 20 + "[A" * 20 + "w")[-1] == "w"


def pressed(game: Game, keys: str, *, confirm: bool = False) -> HumanGame:
    human = HumanGame(game, confirm_restart=confirm)
    for key in keys:
        human.press(key)
    return human


def test_letters_move_undo_redo_restart_and_quit() -> None:
    game = new_game("4x4", seed=5)
    start = game.state
    human = pressed(game, "sd")
    assert game.history == (Direction.DOWN, Direction.RIGHT)
    assert human.last is Direction.RIGHT
    after = game.state
    pressed(game, "uu")
    assert game.state == start
    pressed(game, "rr")
    assert game.state == after
    pressed(game, "x")
    assert game.state == start
    assert not game.can_redo
    assert pressed(game, "q").wants_to_quit


def test_an_illegal_move_does_nothing_but_a_notice() -> None:
    game = new_game(Variant(start=Board.parse("2 .|. .")), seed=1)
    before = game.state
    human = pressed(game, "w")
    assert game.state == before
    assert human.notice == "UP moves nothing"
    assert not human.press("y")


def test_winning_is_told_once_and_the_game_goes_on() -> None:
    game = new_game(Variant(start=Board.parse("4 4 .|. . .|. . ."), target=8), seed=1)
    human = pressed(game, "a")
    assert human.notice == "You made 8! You can play on."
    human.press("s")
    assert human.notice == ""
    assert game.moves == 2


def test_a_win_on_the_last_move_is_a_win() -> None:
    game = new_game(Variant(start=Board.parse("4 4|x x"), target=8, value="2"), seed=1)
    human = pressed(game, "a")
    assert human.notice.startswith("You made 8! Game over: no legal move.")
    human.press("a")
    assert "the game is over" in human.notice
    human.press("u")
    assert not game.is_over
    assert not game.won


def test_a_restart_in_mid_game_asks_again_at_a_terminal() -> None:
    game = new_game("4x4", seed=5)
    human = pressed(game, "sx", confirm=True)
    assert human.notice == "press x again to restart"
    assert game.moves == 1
    human.press("d")
    human.press("x")
    assert game.moves == 2
    human.press("x")
    assert game.moves == 0


@pytest.mark.parametrize("keys", ["", "ssddaassdd", "sdsdu"])
def test_the_result_is_the_game_as_it_stands(keys: str) -> None:
    game = new_game("4x4", seed=5)
    result = pressed(game, keys).result()
    assert (result.board, result.score, result.moves) == (game.board, game.score, game.moves)
    assert result.reason == "stopped"
    assert dict(result.tile_moves)[2] == 0
