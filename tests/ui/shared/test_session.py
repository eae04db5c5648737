"""Games as records, played, watched, and hints: what all front ends share."""

from __future__ import annotations

import _thread
import json
import string
import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules.strategies import variants
from tests.waiting import wait_for
from twofold.errors import InvalidFile, InvalidLimit, PlayerError, TwofoldError
from twofold.matches.play import new_game, play_game
from twofold.players.base import Decision
from twofold.players.registry import make_player
from twofold.records.record import Record, pack_moves, unpack_moves
from twofold.rules import Board, Direction, Game, State, Variant
from twofold.ui.shared.human_game import HumanGame
from twofold.ui.shared.pace import SPEEDS, Pace
from twofold.ui.shared.session import Cancelled, Playing, Watching, ask, give_hint, rows_csv


def played(variant: Variant, seed: int, moves: int, undone: int) -> Game:
    game = new_game(variant, seed)
    for _ in range(moves):
        if game.is_over:
            break
        game.move(game.legal_moves()[game.moves % len(game.legal_moves())])
    for _ in range(undone):
        game.undo()
    return game


@settings(max_examples=60)
@given(
    variants().filter(lambda v: v.evil is None and len(v.start.cells) <= 36),
    st.integers(0, 2**64 - 1),
    st.integers(0, 12),
    st.integers(0, 5),
)
def test_a_record_gives_the_game_back(variant: Variant, seed: int, moves: int, undone: int) -> None:
    game = played(variant, seed, moves, undone)
    record = Record.of(game)
    for again in (Record.from_json(record.to_json()), Record.from_fragment("#" + record.to_fragment())):
        assert again == record
        other = again.replay()
        assert (other.state, other.history, other.undone) == (game.state, game.history, game.undone)


def test_what_was_undone_comes_back_in_order() -> None:
    game = played(Variant(), 3, 10, 4)
    whole = played(Variant(), 3, 10, 0)
    other = Record.of(game).replay()
    assert other.moves == 6
    assert len(other.undone) == 4
    while other.redo():
        pass
    assert other.state == whole.state


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "not JSON"),
        ("[1]", "not a twofold game file"),
        ("{}", "not a twofold game file"),
        ('{"variant": "4x4", "seed": -1}', "seed '-1'"),
        ('{"variant": "4x4", "seed": 1.5}', "seed '1.5'"),
        ('{"variant": "4x4", "seed": true}', "seed 'True'"),
        ('{"variant": "4x4", "seed": NaN}', "seed 'nan'"),
        ('{"variant": 4}', "variant '4'"),
        ('{"variant": "4x4", "moves": "LX"}', "moves 'LX'"),
        ('{"variant": "4x4", "moves": ["L"]}', "moves"),
        ('{"variant": "4x4", "twofold": 9}', "version"),
        ('{"variant": "4x4", "score": 10}', "'score'"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_what_is_no_record_is_refused_in_one_line(text: str, part: str) -> None:
    with pytest.raises(InvalidFile, match=part) as caught:
        Record.from_json(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize(
    "text", ["x", "#", "seed=1", "variant=4x4&seed=", "variant=4x4&seed=١", "variant=4x4&a=1", "a=1&" * 40]
)
def test_what_is_no_fragment_is_refused(text: str) -> None:
    with pytest.raises(InvalidFile):
        Record.from_fragment(text)


@given(st.text("URDL", max_size=200), st.integers(0, 2**64 - 1))
def test_a_link_packs_long_games(moves: str, seed: int) -> None:
    record = Record("4x4", seed, moves)
    assert Record.from_fragment(record.to_fragment()) == record
    assert unpack_moves(pack_moves(moves)) == moves
    assert Record.from_fragment(f"variant=4x4&seed={seed}&moves={moves}") == record


def test_the_first_moves_of_a_record_are_a_record() -> None:
    game = played(Variant(), 4, 12, 2)
    game.change_spawns(place="tl-rows")
    for _ in range(3):
        game.move(game.legal_moves()[0])
    for at in range(game.moves + 1):
        other = Record.of(game).first(at).replay()
        assert (other.moves, other.board) == (
            at,
            game.moved[at].before.board if at < game.moves else game.board,
        )


def test_a_link_holds_6000_moves() -> None:
    link = "http://127.0.0.1:8048/#" + Record("4x4", 123_456_789, "LDRU" * 1500).to_fragment()
    assert len(link) < 2200
    assert set(link) <= set(string.ascii_letters + string.digits + "-_.~:/#=&")


@pytest.mark.parametrize(
    "packed", ["", "4.A", "x.AAAA", "9999999999.A", "3.é", "3", "-3.A", "3.A.A", "3.A=", "1.AA"]
)
def test_packed_moves_that_are_cut_off_are_refused(packed: str) -> None:
    with pytest.raises(InvalidFile):
        Record.from_fragment(f"variant=4x4&seed=1&packed={packed}")


def test_a_record_that_cheats_is_refused() -> None:
    with pytest.raises(InvalidFile, match="move 1 of the record, U"):
        Record("map=2 .|. .", 1, "U").replay()
    with pytest.raises(TwofoldError):
        Record("1000x1000").replay()


def test_a_record_that_takes_too_long_is_given_up() -> None:
    long = Record("4x4", 1, "UDLR" * 50_000)
    record = Record.of(played(Variant.of_size(6, 6), 1, 3000, 0))
    with pytest.raises(InvalidLimit):
        record.replay(seconds=0.001)
    with pytest.raises(InvalidFile):
        long.replay(seconds=60)


def test_playing_says_what_happened() -> None:
    playing = Playing(new_game(Variant(Board.parse("4 4|2 .", (2, 2)), target=8), 1))
    assert playing.move(Direction.DOWN) is not None or "moves nothing" in playing.notice
    playing.restart()
    moved = playing.move(Direction.LEFT)
    assert moved is not None
    assert playing.notice.startswith("You made 8!")
    assert playing.last is Direction.LEFT
    assert playing.undo()
    assert not playing.game.won
    assert playing.last is None
    assert not playing.undo()
    assert playing.redo()
    assert playing.game.won


def test_keys_change_the_spawns_of_a_game_and_its_record_keeps_that() -> None:
    human = HumanGame(new_game(Variant(), 1), confirm_restart=True)
    for key in "pt":
        assert human.press(key)
    assert human.notice == "new tiles from here on: top left first, by rows, always 2"
    for _ in range(5):
        human.move(human.game.legal_moves()[0])
        spawn = human.game.moved[-1].spawn
        assert (spawn.cell, spawn.rank) == (human.game.moved[-1].slide.board.empty_cells[0], 1)
    again = human.record().replay()
    assert (again.board, again.state.variant) == (human.game.board, human.game.state.variant)
    for _ in range(7):
        human.press("p")
    assert human.game.state.variant.place == "br-columns"
    human.press("p")
    human.press("t")
    human.press("t")
    assert human.game.state.variant == human.game.variant
    scripted = HumanGame(new_game("4x4;spawn=script:0@2", 1), confirm_restart=True)
    scripted.press("p")
    assert "can't be changed" in scripted.notice


class Slow:
    """A player that thinks until it is stopped."""

    text = "slow"
    limit = None

    def __init__(self) -> None:
        self.stopped = threading.Event()
        self.in_time = False

    def decide(self, state: State, key: int = 0) -> Decision:
        self.in_time = self.stopped.wait(300)
        raise PlayerError("stopped")

    def stop(self) -> None:
        self.stopped.set()


def test_ask_keeps_its_limit_and_stops_the_player() -> None:
    slow = Slow()
    with pytest.raises(InvalidLimit, match="took longer"):
        ask(slow, State.of(Board.parse("2 .|. 2")), seconds=0.1)
    wait_for(lambda: slow.in_time)


def test_ask_can_be_called_off() -> None:
    slow = Slow()
    with pytest.raises(Cancelled):
        ask(slow, State.of(Board.parse("2 .|. 2")), cancelled=lambda: True)
    assert slow.stopped.is_set()


def test_ctrl_c_ends_a_decision_at_once_and_stops_the_player() -> None:
    slow = Slow()
    timer = threading.Timer(0.2, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        ask(slow, State.of(Board.parse("2 .|. 2")))
    wait_for(lambda: slow.in_time)
    timer.join()


def test_ctrl_c_ends_the_wait_for_a_watched_game() -> None:
    watching = Watching("greedy", Variant(), 5, Pace(paused=True))
    watching.start()
    timer = threading.Timer(0.2, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        watching.join()
    assert watching.is_alive
    watching.join(0.01)
    watching.close()
    watching.join(60)
    assert not watching.is_alive
    timer.join()


DEEP = "2 4 8 16|32 64 128 256|. . . .|. . . 2"


def slow(player: str) -> object:
    """A search whose kernel takes long to compile."""
    return pytest.param(player, marks=pytest.mark.slow)


@pytest.mark.parametrize(
    "player",
    [
        "expectimax:depth=12",
        "lookahead:steps=9",
        "lookahead:steps=9,threads=2",
        "mcts:iterations=1000000000",
        slow("minimax:depth=12"),
        slow("chain:depth=6"),
        slow("montecarlo:playouts=1000000000"),
        slow("adls:depth=9,samples=1000000000"),
    ],
)
def test_every_long_search_can_be_stopped(player: str) -> None:
    threads = set(threading.enumerate())
    calls = iter([False] * 3)
    with pytest.raises(Cancelled):
        ask(make_player(player), State.of(Board.parse(DEEP)), cancelled=lambda: next(calls, True))
    # The first search may have to be compiled before it can be stopped.
    wait_for(lambda: not set(threading.enumerate()) - threads, 600)


def test_a_hint_has_a_reason() -> None:
    hint = give_hint(State.of(Board.parse("4 4|2 8")), "expectimax:depth=2")
    assert hint.decision.move in (Direction.LEFT, Direction.RIGHT)
    assert hint.reason
    assert give_hint(State.of(Board.parse("2 4|4 2")), "greedy").reason == "no legal move"


# Watching


def finish(watching: Watching) -> Watching:
    watching.start()
    watching.join(600)
    assert watching.is_over
    return watching


def test_a_watched_game_is_the_game_that_the_player_plays() -> None:
    shots = []
    begun: list[int] = []
    watching = finish(
        Watching(
            "greedy",
            Variant.of_size(3, 3),
            5,
            Pace(),
            on_move=shots.append,
            at_start=lambda: begun.append(len(shots)),
        )
    )
    assert begun == [0]
    result = play_game("greedy", "3x3", 5)
    assert watching.shot is not None
    assert (watching.shot.state.score, watching.shot.state.moves) == (result.score, result.moves)
    assert watching.tiles == dict(result.tile_moves)
    assert len(watching.rows) == result.moves == len(shots) - 1
    assert watching.record().replay().state == watching.shot.state
    lines = rows_csv(watching.rows).splitlines()
    assert lines[0] == "moves,move,score,tile,value,depth,nodes,hits,seconds"
    assert len(lines) == result.moves + 1


def test_a_watched_game_steps_pauses_and_ends() -> None:
    pace = Pace(paused=True)
    watching = Watching("greedy", Variant(), 5, pace)
    watching.start()
    for wanted in (1, 2, 3):
        pace.step()
        wait_for(lambda wanted=wanted: len(watching.rows) == wanted)
    wait_for(lambda: pace.waiting)
    assert len(watching.rows) == 3
    pace.set_speed(None)
    pace.resume()
    wait_for(lambda: len(watching.rows) > 20)
    watching.close()
    watching.join(60)
    assert not watching.is_alive


def test_closing_ends_a_long_search() -> None:
    watching = Watching("expectimax:depth=14", Variant(Board.parse(DEEP)), 1, Pace())
    watching.start()
    wait_for(lambda: watching.shot is not None)
    used = time.process_time()
    wait_for(lambda: time.process_time() > used + 0.3)  # by the search
    watching.close()
    watching.join(300)
    assert not watching.is_alive  # the search itself would take hours


def test_a_player_that_fails_is_told() -> None:
    assert "spawn" not in str(
        finish(Watching("scripted:moves=L,illegal=error", Variant(), 1, Pace())).failure
    )
    assert isinstance(finish(Watching("nobody", Variant(), 1, Pace())).failure, TwofoldError)


def test_a_limit_of_time_ends_the_watched_game() -> None:
    watching = finish(Watching("expectimax:depth=14", Variant(Board.parse(DEEP)), 1, Pace(), seconds=0.2))
    assert isinstance(watching.failure, InvalidLimit)


def test_speeds_go_up_and_down() -> None:
    pace = Pace(1.0)
    seen = []
    for _ in SPEEDS:
        pace.faster()
        seen.append(pace.speed)
    assert seen == [*SPEEDS[1:], None]
    pace.faster()
    assert pace.speed is None
    pace.slower()
    assert pace.speed == SPEEDS[-1]


def test_the_pace_is_kept() -> None:
    watching = Watching("random", Variant(), 1, Pace(50.0))
    begin = time.monotonic()
    watching.start()
    wait_for(lambda: len(watching.rows) >= 25)
    watching.close()
    assert time.monotonic() - begin > 0.4


def test_json_is_json() -> None:
    assert json.loads(Record("4x4", 7, "LD").to_json()) == {
        "twofold": 1,
        "variant": "4x4",
        "seed": 7,
        "moves": "LD",
    }
