"""`Game`: start, moves, undo, redo, restart, ends and events."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from twofold.errors import (
    GameOver,
    IllegalMove,
    InvalidBoard,
    InvalidParameter,
    InvalidVariant,
    UnknownDirection,
)
from twofold.rules import (
    DIRECTIONS,
    Board,
    Direction,
    Ended,
    Event,
    Game,
    Moved,
    Outcome,
    Redone,
    Started,
    State,
    Stream,
    Undone,
    Variant,
    draw_spawn,
    stream_key,
)


def game_on(text: str, **rules: object) -> Game:
    return Game(Variant(Board.parse(text), **rules))  # type: ignore[arg-type]


def test_the_classic_start() -> None:
    game = Game(seed=5)
    assert len(game.board.tile_ranks) == 2
    assert (game.score, game.moves, game.won, game.is_over, game.outcome) == (0, 0, False, False, None)
    assert game.state.spawns == 2
    assert game.spawn_key == stream_key(5, 0, Stream.SPAWN)
    assert game.player_key == stream_key(5, 0, Stream.PLAYER)
    assert Game(seed=5, index=1).spawn_key == stream_key(5, 1, Stream.SPAWN)


def test_a_game_is_pinned() -> None:
    """The same numbers on every machine, for ever: records of games depend on them."""
    game = Game(seed=2048)
    while not game.is_over:
        game.move(game.legal_moves()[-1])
    assert str(game.board) == "16 8 4 2|32 16 8 4|64 32 16 8|2 64 32 16"
    assert (game.score, game.moves) == (1224, 148)


def test_start_tiles() -> None:
    """SPEC 1: the map's tiles, or two spawns; with an empty start one, and only if there are none at all."""
    assert str(game_on("2 .|. .").board) == "2 .|. ."
    assert game_on("2 .|. .").state.spawns == 0
    assert str(game_on("2 .|. .", empty_start=True).board) == "2 .|. ."
    assert len(Game(Variant(empty_start=True)).board.tile_ranks) == 1
    assert len(game_on(". x|. .").board.tile_ranks) == 2
    assert len(game_on(". x|x x").board.tile_ranks) == 1  # there is room for no more
    full = game_on("2 4|4 2")
    assert full.is_over
    assert full.outcome == Outcome(False, "no legal move", 0, 4, 0)
    assert game_on("1024 2|. .").score == 0


def test_a_move_slides_scores_and_spawns() -> None:
    game = game_on("2 2 4 4|. . . .")
    moved = game.move("left")
    assert str(moved.slide.board) == "4 8 . .|. . . ."
    assert moved.before.board == Board.parse("2 2 4 4|. . . .")
    assert moved.spawn == draw_spawn(game.variant, moved.slide.board, game.spawn_key, 0)
    assert game.board == moved.slide.board.with_cell(moved.spawn.cell, moved.spawn.rank)
    assert moved.state == game.state
    assert (game.score, game.moves, game.state.spawns) == (12, 1, 1)
    assert game.history == (Direction.LEFT,)


def test_an_illegal_move_changes_nothing() -> None:
    """Faults 5, 6 and 29: no spawn, no history entry, and what was undone can still be redone."""
    game = game_on("2 4|. .", p4=0)
    game.move("DOWN")
    game.undo()
    for wrong in ("LEFT", Direction.RIGHT, 3, "up"):
        with pytest.raises(IllegalMove, match=r"changes nothing on '2 4\|\. \.'; legal: DOWN"):
            game.move(wrong)
    with pytest.raises(UnknownDirection):
        game.move("north")
    assert (game.moves, game.score, game.history, game.can_redo) == (0, 0, (), True)
    assert game.redo()
    assert game.history == (Direction.DOWN,)


def test_a_new_move_discards_the_redo_branch() -> None:
    game = Game(seed=3)
    first, second = game.legal_moves()[:2]
    game.move(first)
    game.undo()
    game.move(second)
    assert not game.redo()
    assert game.history == (second,)


def test_undo_rewinds_chance() -> None:
    game = Game(seed=9)
    direction = game.legal_moves()[0]
    first = game.move(direction)
    game.undo()
    assert game.move(direction) == first


def test_undo_across_a_win() -> None:
    """Fault 30."""
    game = game_on("1024 1024 .|. . .")
    game.move("LEFT")
    assert game.won
    assert not game.is_over  # the game goes on after the target
    game.undo()
    assert not game.won
    assert game.score == 0
    game.redo()
    assert game.won
    assert game.score == 2048


def test_a_win_on_the_last_move_counts() -> None:
    """Fault 14: the target made although no move is left."""
    game = game_on("4 8|1024 1024", value="2")
    game.move("LEFT")
    assert str(game.board) == "4 8|2048 2"
    assert game.is_over
    assert game.outcome == Outcome(True, "no legal move", 2048, 2048, 1)
    assert game.undo()
    assert not game.is_over
    assert not game.won


def test_stopping_at_the_target() -> None:
    game = Game(Variant(Board.parse("4 4 .|. . ."), target=8), stop_at_target=True)
    assert not game.won
    game.move("LEFT")
    assert game.outcome == Outcome(True, "target reached", 8, 8, 1)
    assert game.legal_moves() == ()
    with pytest.raises(GameOver, match="target reached"):
        game.move("RIGHT")
    assert isinstance(GameOver("x"), IllegalMove)
    game.undo()
    assert game.legal_moves()


def test_a_tile_of_the_map_is_no_win() -> None:
    """Only a merge wins."""
    game = game_on("2048 2 2|. . .")
    game.move("LEFT")
    assert not game.won
    assert State.of(game.board).won  # a bare board is read as if all but 2s had been merged


def test_merging_beyond_the_target_wins_too() -> None:
    game = game_on("2048 2048 .|. . .")
    game.move("LEFT")
    assert game.won


def test_over_at_once_when_no_move_is_left() -> None:
    """Fault 12: others noticed only at the next key."""
    game = game_on("4 8|4 2", p4=0)
    seen: list[Event] = []
    game.subscribe(seen.append)
    game.move("UP")  # 8 8|. 2, then a 2
    game.move("LEFT")
    while not game.is_over:
        game.move(game.legal_moves()[0])
    assert game.state.is_dead
    assert isinstance(seen[-1], Ended)
    assert isinstance(seen[-2], Moved)
    before = game.state
    with pytest.raises(GameOver, match="no legal move"):
        game.move("UP")
    assert game.state is before


def test_restart() -> None:
    game = Game(seed=4)
    start = game.state
    for _ in range(5):
        game.move(game.legal_moves()[0])
    game.undo()
    game.restart()
    assert game.state == start
    assert not game.undo()
    assert not game.redo()
    game.restart(seed=5)
    assert game.seed == 5
    assert game.state == Game(seed=5).state
    with pytest.raises(InvalidParameter):
        game.restart(seed=-1)
    assert game.state == Game(seed=5).state


@pytest.mark.parametrize("seed", [-1, 2**64, 1.0, True, "1", None])
def test_bad_seeds(seed: int) -> None:
    with pytest.raises(InvalidParameter, match=r"seed .* from 0 to 2\^64-1"):
        Game(seed=seed)
    with pytest.raises(InvalidParameter, match="index"):
        Game(index=seed)


def test_events() -> None:
    game = game_on("2 2|. .", value="2")
    seen: list[Event] = []
    stop = game.subscribe(seen.append)
    assert seen == [Started(game.state)]
    moved = game.move("LEFT")
    game.undo()
    game.redo()
    assert not game.redo()
    game.restart()
    assert seen[1:] == [moved, Undone(moved.before, moved), Redone(moved.state, moved), Started(game.state)]
    stop()
    stop()
    game.move("LEFT")
    assert len(seen) == 5


def test_an_observer_may_leave_or_come_during_an_event() -> None:
    game = Game(seed=1)
    seen: list[str] = []

    def once(event: Event) -> None:
        seen.append(f"once {type(event).__name__}")
        if isinstance(event, Moved):
            stop()

    stop = game.subscribe(once)
    game.subscribe(lambda event: seen.append(type(event).__name__))
    game.move(game.legal_moves()[0])
    game.move(game.legal_moves()[0])
    assert seen == ["once Started", "Started", "once Moved", "Moved", "Moved"]


def test_an_observer_of_a_finished_game_learns_that_it_is_over() -> None:
    seen: list[Event] = []
    game = game_on("2 4|")
    game.subscribe(seen.append)
    assert [type(event) for event in seen] == [Started, Ended]
    assert game.moves == 0


def test_a_failing_observer_does_not_undo_the_move() -> None:
    game = Game(seed=1)

    def fails(event: Event) -> None:
        if isinstance(event, Moved):
            raise RuntimeError("observer")

    game.subscribe(fails)
    with pytest.raises(RuntimeError):
        game.move(game.legal_moves()[0])
    assert game.moves == 1


def test_states_of_bare_boards() -> None:
    state = State.of(Board.parse("8 4|x ."))
    assert (state.score, state.moves, state.spawns, state.won) == (16 + 4, 0, 0, False)
    assert state.variant == Variant(Board.parse(". .|x ."))
    assert State.of(Board.parse("2 4|"), score=7).score == 7
    assert state.legal_moves() == (Direction.DOWN,)
    assert State.of(Board.parse("x x|")).is_dead
    with pytest.raises(InvalidVariant, match="size and bricks"):
        State.of(Board.parse("2 4|"), Variant())
    with pytest.raises(InvalidVariant):
        State.of(Board.parse("2 x|"), Variant.of_size(1, 2))


@pytest.mark.parametrize("score", [-1, 1.5, "7", True])
def test_a_state_refuses_what_is_no_board_and_no_score(score: Any) -> None:
    board: Any = "2 2|4 4"
    with pytest.raises(InvalidBoard, match="is not a Board"):
        State.of(board)
    with pytest.raises(InvalidParameter, match="is not a whole number of at least 0"):
        State.of(Board.parse(board), score=score)


def test_games_with_huge_tiles_go_on() -> None:
    """Faults 16 to 18: nothing ends at 65536."""
    game = game_on("65536 65536 .|131072 131072 .")
    game.move("LEFT")
    assert game.board.max_tile == 262144
    assert game.score == 131072 + 262144
    top = Game(Variant(Board.from_ranks([[60, 60, 1]])))
    assert top.is_over  # the largest tiles can't merge, so nothing can move


@given(st.integers(0, 2**64 - 1), st.integers(0, 5), st.lists(st.sampled_from(DIRECTIONS), max_size=60))
def test_a_game_is_a_function_of_seed_index_and_moves(seed: int, index: int, wanted: list[Direction]) -> None:
    games = [Game(seed=seed, index=index) for _ in range(2)]
    for direction in wanted:
        if direction in games[0].legal_moves():
            assert games[0].move(direction) == games[1].move(direction)
    game = games[0]
    assert game.state.spawns == game.moves + 2
    # Each spawned 4 is worth 4 points less than a 4 made of two 2s.
    assert game.score <= game.board.default_score()
    assert (game.board.default_score() - game.score) % 4 == 0


class PlayMachine(RuleBasedStateMachine):
    """Undo, redo and restart against the simplest model: a list of states and a place in it."""

    @initialize(seed=st.integers(0, 1000), size=st.sampled_from([(2, 2), (1, 4), (3, 3)]), stop=st.booleans())
    def begin(self, seed: int, size: tuple[int, int], stop: bool) -> None:
        self.game = Game(Variant.of_size(*size, target=8), seed, stop_at_target=stop)
        self.states = [self.game.state]
        self.at = 0
        self.mirror = self.game.state  # what an observer believes
        self.game.subscribe(self.watch)

    def watch(self, event: Event) -> None:
        self.mirror = event.state

    @rule(direction=st.sampled_from(DIRECTIONS))
    def move(self, direction: Direction) -> None:
        try:
            moved = self.game.move(direction)
        except IllegalMove:
            return
        assert moved.before == self.states[self.at]
        self.states = [*self.states[: self.at + 1], moved.state]
        self.at += 1

    @rule()
    def undo(self) -> None:
        assert self.game.undo() == (self.at > 0)
        self.at = max(self.at - 1, 0)

    @rule()
    def redo(self) -> None:
        assert self.game.redo() == (self.at + 1 < len(self.states))
        self.at = min(self.at + 1, len(self.states) - 1)

    @rule(seed=st.none() | st.integers(0, 1000))
    def restart(self, seed: int | None) -> None:
        self.game.restart(seed)
        fresh = Game(self.game.variant, self.game.seed, stop_at_target=self.game.stop_at_target)
        self.states, self.at = [fresh.state], 0

    @invariant()
    def agrees(self) -> None:
        game = self.game
        assert game.state == self.states[self.at] == self.mirror
        assert game.moves == len(game.history) == self.at
        assert game.can_redo == (self.at + 1 < len(self.states))
        over = not game.board.legal_moves() or (game.stop_at_target and game.won)
        assert game.is_over == over
        assert game.legal_moves() == (() if over else game.board.legal_moves())


PlayMachine.TestCase.settings = hypothesis_settings(max_examples=60, stateful_step_count=40, deadline=None)
TestPlay = PlayMachine.TestCase
