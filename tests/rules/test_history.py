"""Long games: every move can be read and taken back, in a few bytes a move."""

from __future__ import annotations

import gc
import tracemalloc

import pytest

from twofold.errors import InvalidVariant
from twofold.rules import Board, Changed, Direction, Game, Moved, Spawn, Variant
from twofold.rules.history import EVERY

MOVES = 3 * EVERY + 5


def long_game(moves: int, size: tuple[int, int] = (6, 6), seed: int = 1) -> tuple[Game, list[Moved]]:
    game, made = Game(Variant(Board.empty(*size)), seed), []
    for number in range(moves):
        legal = game.legal_moves()
        made.append(game.move(legal[number * 7 % len(legal)]))
    return game, made


def test_every_move_is_read_as_it_was_made() -> None:
    game, made = long_game(MOVES)
    assert list(game.moved) == made
    assert game.history == tuple(moved.direction for moved in made)
    assert [game.moved[number] for number in (0, EVERY - 1, EVERY, -1, -EVERY)] == [
        made[number] for number in (0, EVERY - 1, EVERY, -1, -EVERY)
    ]
    assert game.moved[EVERY - 2 : EVERY + 2] == tuple(made[EVERY - 2 : EVERY + 2])
    with pytest.raises(IndexError):
        game.moved[MOVES]


@pytest.mark.parametrize("moves", [EVERY - 1, EVERY, EVERY + 1, MOVES])
def test_a_long_game_is_taken_back_to_its_start_and_played_again(moves: int) -> None:
    game, made = long_game(moves)
    for number in reversed(range(moves)):
        assert game.undo()
        assert game.state == made[number].before
    assert not game.undo()
    assert game.state == Game(game.variant, 1).state
    for moved in made:
        assert game.redo()
        assert game.state == moved.state
    assert not game.redo()


def test_another_line_after_an_undo_replaces_what_was_read_before() -> None:
    game, made = long_game(MOVES)
    assert game.moved[EVERY + 3] == made[EVERY + 3]
    while game.moves > EVERY:
        game.undo()
    other = next(direction for direction in game.legal_moves() if direction != made[EVERY].direction)
    first = game.move(other)
    rest = [game.move(game.legal_moves()[0]) for _ in range(2 * EVERY)]
    assert list(game.moved) == [*made[:EVERY], first, *rest]


def test_an_adversary_is_asked_once_for_each_move() -> None:
    asked: list[Board] = []

    def adversary(board: Board, score: int, variant: Variant) -> Spawn:
        asked.append(board)
        return Spawn(board.empty_cells[len(asked) % len(board.empty_cells)], 1)

    game = Game(Variant.parse("6x6;spawn=evil"), adversary=adversary)
    start = game.state
    states = [game.move(game.legal_moves()[0]).state for _ in range(EVERY + 9)]
    count = len(asked)
    while game.undo():
        pass
    assert game.state == start
    while game.redo():
        pass
    assert game.state == states[-1]
    assert len(asked) == count


@pytest.mark.slow
def test_a_long_game_takes_few_bytes_a_move() -> None:
    game, _ = long_game(10, (8, 8))
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for number in range(30 * EVERY):
            legal = game.legal_moves()
            game.move(legal[number % len(legal)])
        gc.collect()
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    # 4 bytes a move, a state in 128 moves; the last 128 moves are held with all that they did.
    assert grown < 30 * EVERY * 16 + EVERY * 4000
    assert game.history[-1] in Direction


def play_some(game: Game, count: int) -> None:
    for number in range(count):
        game.move(game.legal_moves()[number % len(game.legal_moves())])


def test_rules_of_spawns_that_are_changed_belong_to_the_line_of_play() -> None:
    game = Game(Variant.of_size(6, 6), 3)
    events: list[object] = []
    game.subscribe(events.append)
    play_some(game, EVERY)
    assert game.change_spawns(place="tl-rows", value="2")
    assert events[-1] == Changed(game.state)
    assert not game.change_spawns(place="tl-rows")
    play_some(game, 5)
    for moved in game.moved[EVERY:]:
        free = [cell for cell, rank in enumerate(moved.slide.board.cells) if not rank]
        assert (moved.spawn.cell, moved.spawn.rank) == (free[0], 1)
    game.change_spawns(value="4")
    play_some(game, 5)
    assert [moved.spawn.rank for moved in game.moved[EVERY + 5 :]] == [2] * 5
    styles = [str(moved.before.variant) for moved in game.moved[EVERY - 1 :: 5]]
    assert styles == ["6x6", "6x6;spawn=tl-rows;value=2", "6x6;spawn=tl-rows;value=4"]

    made = list(game.moved)
    for moved in reversed(made):
        assert game.undo()
        assert game.state == moved.before
    assert game.state.variant == game.variant
    for moved in made:
        assert game.redo()
        assert game.state.board == moved.state.board
    assert str(game.state.variant) == "6x6;spawn=tl-rows;value=4"
    assert list(game.moved) == made

    for _ in range(7):  # to before the second change
        game.undo()
    play_some(game, 1)
    assert game.spawn_changes == ((EVERY, "tl-rows", "2"),)
    assert game.state.variant.value == "2"
    game.restart()
    assert game.state.variant == game.variant
    assert game.spawn_changes == ()


def test_a_change_takes_the_place_of_what_was_undone() -> None:
    game = Game(seed=3)
    play_some(game, 3)
    game.undo()
    assert game.can_redo
    game.change_spawns(value="2")
    assert not game.can_redo
    game.change_spawns(value="random")
    assert game.state.variant == game.variant
    game.undo()
    assert game.redo()


@pytest.mark.parametrize("variant", ["4x4;spawn=script:0@2", "4x4;spawn=evil:depth=1,eval=empty"])
def test_spawns_that_are_not_drawn_keep_their_rules(variant: str) -> None:
    game = Game(
        Variant.parse(variant), adversary=lambda board, score, variant: Spawn(board.empty_cells[0], 1)
    )
    with pytest.raises(InvalidVariant, match="can't be changed"):
        game.change_spawns(place="tl-rows")
    game = Game()
    with pytest.raises(InvalidVariant, match="did you mean"):
        game.change_spawns(place="tl-row")
    assert game.spawn_changes == ()
