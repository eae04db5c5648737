"""`step` against the second program for the rules and against `Game`, on variants of every kind."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rules import naive
from tests.rules.strategies import variants
from twofold.errors import IllegalMove
from twofold.rules import (
    BRICK,
    DIRECTIONS,
    MAX_RANK,
    Board,
    Game,
    Spawn,
    State,
    Stream,
    Variant,
    first_state,
    step,
    stream_key,
)


def last_cell(board: Board, score: int, variant: Variant) -> Spawn:
    """An adversary whose tile tells the score that it was given."""
    return Spawn(board.empty_cells[score % len(board.empty_cells)], variant.allowed_ranks[0])


@given(
    variant=variants(), seed=st.integers(0, (1 << 64) - 1), wishes=st.lists(st.integers(0, 3), max_size=12)
)
def test_a_step_is_a_slide_and_a_spawn(variant: Variant, seed: int, wishes: list[int]) -> None:
    key = stream_key(seed, 5, Stream.SPAWN)
    game = Game(variant, seed, index=5, adversary=last_cell)
    state = first_state(variant, key, last_cell)
    assert state == game.state
    for wish in wishes:
        direction = DIRECTIONS[wish]
        grid, reward = naive.slide(naive.to_grid(state.board), wish)
        if max((rank for rank in naive.to_board(grid).cells if rank != BRICK), default=0) > MAX_RANK:
            return
        slid = naive.to_board(grid)
        if slid == state.board:
            with pytest.raises(IllegalMove, match=direction.name):
                step(state, direction, key, last_cell)
            continue
        after = step(state, direction, key, last_cell)
        assert after == step(state, direction, key, last_cell) == game.move(direction).state
        assert (after.variant, after.score, after.moves, after.spawns) == (
            variant,
            state.score + reward,
            state.moves + 1,
            state.spawns + 1,
        )
        changes = [(a, b) for a, b in zip(slid.cells, after.board.cells, strict=True) if a != b]
        assert len(changes) == 1
        assert changes[0][0] == 0
        # A script's tiles are 2s and 4s; where it has run out, what the variant says spawns.
        assert changes[0][1] in {*variant.allowed_ranks, *((1, 2) if variant.script else ())}
        if state.won or state.board.max_rank < variant.target_rank:
            assert after.won == (state.won or slid.max_rank >= variant.target_rank)
        state = after


def test_a_state_needs_its_key_and_nothing_else_to_go_on() -> None:
    game = Game(seed=3)
    key = game.spawn_key
    for _ in range(30):
        game.move(game.legal_moves()[0])
    state = first_state(Variant(), key)
    for direction in game.history:
        state = step(state, direction, key)
    assert state == game.state
    assert State.reached(Variant(), state.board, state.score, 30) == state
