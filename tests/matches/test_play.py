"""A whole game: `new_game`, `play_game`, what comes of it and who watches."""

from __future__ import annotations

from typing import Any

import pytest

from twofold import Board, Game, Variant, make_player, new_game, play_game
from twofold.errors import InvalidVariant, PlayerError
from twofold.matches.play import StopGame, move_key
from twofold.players.base import Decision, Limit
from twofold.rules import Direction, Ended, Event, Moved, Started, State


def test_a_game_is_a_function_of_variant_player_seed_and_index() -> None:
    first = play_game("greedy", "3x4;p4=0.3", seed=5, index=2)
    again = play_game(make_player("greedy"), Variant.parse("3x4;p4=0.3"), 5, 2)
    assert (first.board, first.score, first.moves, first.tile_moves) == (
        again.board,
        again.score,
        again.moves,
        again.tile_moves,
    )
    assert play_game("greedy", "3x4;p4=0.3", seed=5, index=3).board != first.board


def test_the_result_is_what_playing_by_hand_gives() -> None:
    game, player = new_game("4x4", seed=9), make_player("random")
    tiles = {tile: 0 for row in game.board.values for tile in row if tile}
    while not game.is_over:
        move = player.decide(game.state, move_key(game)).move
        assert move is not None
        game.move(move)
        for tile in (tile for row in game.board.values for tile in row if tile):
            tiles.setdefault(tile, game.moves)
    result = play_game("random", "4x4", seed=9)
    assert result.board == game.board
    assert (result.score, result.moves, result.won) == (game.score, game.moves, game.won)
    assert dict(result.tile_moves) == tiles
    assert result.max_tile == max(tiles)
    assert result.reason == "no legal move"
    assert (result.player, result.variant) == ("random", "4x4")
    assert result.seconds > 0


def test_stop_at_target_ends_with_a_win() -> None:
    result = play_game("greedy", "4x4;target=32", seed=1, stop_at_target=True)
    assert result.won
    assert (result.max_tile, result.reason) == (32, "target reached")
    on = play_game("greedy", "4x4;target=32", seed=1)
    assert on.won
    assert on.moves > result.moves


def test_events_come_in_order_with_their_decisions() -> None:
    seen: list[tuple[Event, Decision | None]] = []
    result = play_game(
        "greedy", "2x2", seed=3, on_event=lambda event, decision: seen.append((event, decision))
    )
    assert isinstance(seen[0][0], Started)
    assert seen[0][1] is None
    assert isinstance(seen[-1][0], Ended)
    moves = [(event, decision) for event, decision in seen if isinstance(event, Moved)]
    assert len(moves) == result.moves
    assert all(decision is not None and decision.move is event.direction for event, decision in moves)


def test_a_callback_can_end_the_game() -> None:
    def stop(event: Event, decision: Decision | None) -> None:
        if event.state.moves == 3:
            raise StopGame

    result = play_game("greedy", seed=1, on_event=stop)
    assert (result.moves, result.reason) == (3, "stopped")


def test_a_player_that_gives_up_ends_the_game() -> None:
    result = play_game("scripted:moves=UDLR,illegal=skip", seed=1)
    assert (result.moves, result.reason) == (4, "stopped")


def test_an_illegal_move_is_the_player_s_error() -> None:
    class Stubborn:
        text = "stubborn"
        limit = Limit()

        def decide(self, state: State, key: int = 0) -> Decision:
            return Decision(Direction.UP)

    with pytest.raises(PlayerError, match="'stubborn' made an illegal move"):
        play_game(Stubborn())


def test_a_game_that_is_over_at_once_has_no_moves() -> None:
    result = play_game("greedy", Variant(start=Board.parse("2 4|4 2")))
    assert (result.moves, result.reason, result.tile_moves) == (0, "no legal move", ((2, 0), (4, 0)))


@pytest.mark.parametrize("wrong", [None, 5, b"greedy", ["greedy"], object()])
def test_what_is_no_player_or_variant_is_refused(wrong: object) -> None:
    player: Any = wrong
    with pytest.raises(PlayerError, match="is not a player"):
        play_game(player)
    with pytest.raises(PlayerError, match="is not a player"):
        make_player(player)
    if wrong is not None:
        with pytest.raises(InvalidVariant, match="a variant must be a text"):
            new_game(player)
        with pytest.raises(InvalidVariant, match="is not a Variant"):
            Game(player)


def test_a_key_of_any_size_will_do() -> None:
    player = make_player("random")
    state = new_game("3x3").state
    assert player.decide(state, 5 + (1 << 64)) == player.decide(state, 5)
