"""The searching players keep the contract, share work between threads exactly, and say why they move."""

from __future__ import annotations

import random
import threading

import pytest

from tests.thorough import quick_ones
from tests.waiting import at_once
from twofold import Board, Direction, State, Variant, check_player, make_player, new_game, play_game
from twofold.matches.check import CHECKED_MAPS
from twofold.players.base import Decision
from twofold.players.lookahead import Lookahead
from twofold.players.rules import RULES, features, locked_lines
from twofold.threads import beside

VARIANTS = [Variant(start=Board.parse(text)) for text in CHECKED_MAPS] + [
    Variant.parse("4x4;spawn=evil:depth=1,eval=empty"),
    Variant.parse("4x4;spawn=br-columns;value=2"),
    Variant.parse("3x3;spawn=script:0@2,5@4,3@2"),
]

PLAYERS = (
    "expectimax:depth=2,eval=highscore,four_cut=0.1,cut=0.01",
    "expectimax:depth=3,eval=highscore,bound=8",
    "lookahead:steps=2,eval=highscore,threads=2",
    "minimax:depth=2,eval=highscore",
    "minimax:nodes=2000,eval=empty",
    "chain:eval=empty",
    "chain:mode=mean,eval=empty,window=0.5",
    "chain:mode=difference,eval=empty",
    "rules",
    "montecarlo:playouts=5",
    "montecarlo:nodes=2000",
    "montecarlo:depth=8,playouts=5,eval=empty",
    "mcts:iterations=50",
    "mcts:nodes=2000,playout=0,eval=empty",
    "adls:depth=3,samples=5,eval=highscore",
    "adls:depth=3,nodes=1000,eval=highscore",
)

QUICK = {PLAYERS[0], "chain:eval=empty", "rules", "montecarlo:playouts=5"}

OWN = (
    "minimax:depth=2",
    "chain",
    "lookahead:steps=1",
    "adls:depth=2",
    "expectimax:depth=2",
    "mcts:time=0.05",
    "minimax:time=0.05",
)


PACKED = [VARIANTS[0], *VARIANTS[-2:]]
"""Those that fit in one word each, for which one kernel of each search is compiled."""


@pytest.mark.parametrize("variants", quick_ones([PACKED, VARIANTS], PACKED.__eq__))
@pytest.mark.parametrize("text", quick_ones(PLAYERS, QUICK.__contains__))
def test_the_contract(text: str, variants: list[Variant]) -> None:
    check_player(text, variants, moves=4)


@pytest.mark.slow
@pytest.mark.parametrize("text", OWN)
def test_the_contract_with_the_own_evaluations(text: str) -> None:
    check_player(text, VARIANTS, moves=4)


def positions(count: int, variant: str = "4x4", seed: int = 1) -> list[State]:
    """States of a random game, every fifth."""
    draw = random.Random(seed)
    game = new_game(variant, seed)
    found: list[State] = []
    while len(found) < count and not game.is_over:
        if game.state.moves % 5 == 4:
            found.append(game.state)
        game.move(draw.choice(game.legal_moves()))
    return found


@pytest.mark.parametrize(
    "variant",
    quick_ones(["4x4", "3x5", "4x4;spawn=tl-rows", "3x3;spawn=evil:depth=1,eval=empty"], "4x4".__eq__),
)
@pytest.mark.parametrize("evaluation", quick_ones(["order", "highscore"], "highscore".__eq__))
def test_threads_give_the_same_bits(variant: str, evaluation: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("twofold.search.shared.ALONE_NODES", 50)
    for steps in (2, 3):
        one = make_player(f"lookahead:steps={steps},eval={evaluation},table=4")
        many = make_player(f"lookahead:steps={steps},eval={evaluation},table=4,threads=3")
        for state in positions(5, variant):
            assert one.decide(state).values == many.decide(state).values, state


@pytest.mark.slow
def test_threads_that_fight_for_a_tiny_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("twofold.search.shared.ALONE_NODES", 50)
    for state in positions(12, seed=2):
        expected = make_player("lookahead:steps=3,table=0").decide(state).values
        for table in (1, 3, 8, 16):
            many = make_player(f"lookahead:steps=3,table={table},threads=8")
            for _ in range(6):
                assert many.decide(state).values == expected


def test_ctrl_c_reaches_a_long_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception in the waiting thread stops the work beside it."""
    stopped, waiting = threading.Event(), threading.get_ident()
    wait = threading.Event.wait

    def interrupt(self: threading.Event, timeout: float | None = None) -> bool:
        if threading.get_ident() == waiting and timeout is not None and not stopped.is_set():
            raise KeyboardInterrupt
        return wait(self, timeout)

    monkeypatch.setattr(threading.Event, "wait", interrupt)
    with pytest.raises(KeyboardInterrupt):
        beside(lambda: stopped.wait(60), stopped.set)
    assert stopped.is_set()


@pytest.mark.parametrize(
    "text", ["montecarlo:playouts=2", "mcts:iterations=20", "adls:depth=2,samples=2,eval=highscore"]
)
def test_a_key_counts_in_its_64_bits(text: str) -> None:
    state = positions(1)[0]
    player = make_player(text)
    for key in (-1, 1 << 64):
        assert player.decide(state, key).values == player.decide(state, key % (1 << 64)).values


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["minimax:time=0.2", "mcts:time=0.2", "adls:depth=12,time=0.2", "montecarlo:time=0.2"]
)
def test_time_ends_a_search(text: str) -> None:
    player = make_player(text)
    state = positions(3)[2]
    player.decide(state)
    with at_once(10.0):  # without a limit these search for hours
        player.decide(state)


def test_lookahead_looks_one_move_further_than_its_steps() -> None:
    player = make_player("lookahead:steps=2,eval=highscore")
    assert isinstance(player, Lookahead)
    assert player.limit.depth == 3
    state = positions(1)[0]
    assert (
        player.decide(state).values == make_player("expectimax:depth=3,eval=highscore").decide(state).values
    )


def decide(text: str, board: str) -> Decision:
    return make_player(text).decide(State.of(Board.parse(board)))


@pytest.mark.parametrize(
    ("more", "usual", "deep"), [("depth=2", 2, 3), ("adaptive=1", 4, 5), ("adaptive=1,depth=3", 3, 4)]
)
def test_danger_is_one_move_more_where_few_cells_are_empty(more: str, usual: int, deep: int) -> None:
    crowded, open_ = "2 4 8 16|4 8 16 2|2 4 8 4|. . . 2", "2 4 8 16|4 8 16 2|2 4 8 .|. . . 2"
    text = f"expectimax:{more},danger=3,eval=highscore"
    found, free = decide(text, crowded), decide(text, open_)
    assert (found.depth, free.depth) == (deep, usual)
    for decision, depth, board in ((found, deep, crowded), (free, usual, open_)):
        assert decision.values == decide(f"expectimax:depth={depth},eval=highscore", board).values
    assert decide(f"expectimax:{more},danger=0,eval=highscore", crowded).depth == usual


def test_chain_modes_by_hand() -> None:
    """1x3, `2 2 .`: LEFT makes `4 . .`, RIGHT `. . 4`; a tile comes to one of two cells; `empty` counts cells."""
    board = "2 2 .|"
    # After LEFT, spawn, nothing else: 4 futures with one empty cell each.
    one = decide("chain:depth=1,eval=empty", board)
    assert one.values == (None, 1.0, None, 1.0)
    assert one.nodes == 8
    # Each of these futures counts with p / u: 0.45, 0.05, 0.45, 0.05.
    assert decide("chain:depth=1,eval=empty,mode=sum", board).values[3] == pytest.approx(1.0)
    assert decide("chain:depth=1,eval=empty,mode=mean", board).values[3] == pytest.approx(1.0 / 4)
    # The move itself leaves two empty cells where there was one.
    assert decide("chain:eval=empty,mode=difference", board).values[3] == 1.0


def test_chain_window_prunes() -> None:
    board = "2 4 8 2|. . 4 .|. 2 . .|. . . ."
    whole, some = decide("chain:eval=empty", board), decide("chain:eval=empty,window=0", board)
    assert some.pruned > 0 == whole.pruned
    assert some.nodes < whole.nodes


def test_rules_play_better_than_chance() -> None:
    rules, by_chance = (
        [play_game(player, seed=5, index=index).score for index in range(6)] for player in ("rules", "random")
    )
    assert sum(rules) > 2 * sum(by_chance)


def test_rules_merge_before_they_lock() -> None:
    # UP merges the 2s and leaves 8 4 4 4, which isn't locked; sliding the single 2 aside keeps the row locked.
    board = "8 4 2 4|. . 2 .|. . . .|. . . ."
    assert decide("rules", board).move == Direction.UP
    assert decide("rules:order=locks", board).move in (Direction.LEFT, Direction.RIGHT)


def test_rules_say_why() -> None:
    found = decide("rules", ". 8 . .|. . . .|. . . .|2 . . .")
    assert found.move in (Direction.LEFT, Direction.RIGHT)
    into = decide("rules", ". 8 . .|4 . . .|. . . .|. . . .")
    assert into.note in {rule.name for rule in RULES["merges"]} | {"the rules leave several moves: the first"}
    assert features(Board.parse("8 4|2 .")) == (0, 2, (0, 1))
    assert locked_lines(Board.parse("8 4|2 .")) == 2
    assert locked_lines(Board.parse("8 .|8 2")) == 0
    # S0's chain runs along the row or the column to its end and turns there: 16 8 stops at the 2.
    assert features(Board.parse("16 8 2|. 4 2|. . .")) == (0, 2, (0, 1))
    assert features(Board.parse("16 8 4|. . 2|. . .")) == (0, 2, (0, 1, 2, 5))
    assert features(Board.parse(". x .|. 4 .|. 2 .")) == (4, 1, (4, 7))
