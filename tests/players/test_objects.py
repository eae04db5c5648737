"""Players and evaluations of objects: every kind that the gates take, and copies that decide the same."""

import copy
import functools
import pickle
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.thorough import quick_ones
from twofold import (
    Board,
    Decision,
    Direction,
    Limit,
    PlayerError,
    State,
    UserCodeError,
    make_player,
    play_game,
    play_games,
)
from twofold.arena.experiment import Experiment
from twofold.arena.play import play_run
from twofold.arena.store import Store
from twofold.arena.summary import summarise
from twofold.errors import InvalidParameter, TwofoldError, UnknownEvaluation, UnknownPlayer
from twofold.evaluation.base import Evaluation
from twofold.evaluation.network import Design, Network
from twofold.evaluation.registry import as_evaluation, make_evaluation
from twofold.players.catalogue import BUILT_IN
from twofold.players.expectimax import Expectimax
from twofold.players.fingerprint import fingerprint
from twofold.players.registry import PLAYERS, as_player
from twofold.players.simple import Greedy, Human, Scripted
from twofold.registry import load_attribute
from twofold.rules.variant import Variant

STATE = State.of(Board.parse("2 4 8|. . 4|. . 2"))


class Corner:
    """A user's player: no text, no limit."""

    def __init__(self, first: str = "LEFT") -> None:
        self.first = Direction[first]

    def decide(self, state: State, key: int) -> Direction | None:
        legal = state.legal_moves()
        return self.first if self.first in legal else legal[0] if legal else None


class Whole(Corner):
    """A user's player that keeps the whole protocol."""

    text, limit = "whole", Limit(depth=2)

    def decide(self, state: State, key: int = 0) -> Any:
        return Decision(super().decide(state, key))


class Mine(Greedy):
    """A subclass of a built-in player, with other decisions."""

    def decide(self, state: State, key: int = 0) -> Decision:
        return Decision(state.legal_moves()[-1] if state.legal_moves() else None)


def last(state: State) -> str | None:
    return state.legal_moves()[-1].name.lower() if state.legal_moves() else None


def by_key(state: State, key: int) -> Direction | None:
    legal = state.legal_moves()
    return legal[key % len(legal)] if legal else None


def empties(board: np.ndarray) -> float:
    free = 0.0
    for row in range(board.shape[0]):
        for column in range(board.shape[1]):
            free += board[row, column] == 0
    return free


def scaled(board: np.ndarray, by: float = 2.0) -> float:
    return by * board[0, 0]


def three() -> Evaluation:
    return make_evaluation("snake:ratio=3")


def network() -> Network:
    made = Network.fresh(Design(Variant.of_size(3, 3), ((0, 1, 2), (3, 4)), 11))
    made.weights[:] = np.random.default_rng(1).normal(size=made.weights.shape)
    return made


class Run:
    """What a trained run looks like to the gates."""

    def __init__(self) -> None:
        self.network = network()


PLAYERS_OF_OBJECTS = {
    "text": "scripted:moves=LD,then=repeat,illegal=skip",
    "instance": Corner(),
    "class": Corner,
    "whole": Whole(),
    "whole class": Whole,
    "function": last,
    "with key": by_key,
    "partial": functools.partial(by_key),
    "built-in": Scripted(moves="LD", then="repeat", illegal="skip"),
    "built-in class": Greedy,
    "subclass": Mine,
    "network": network(),
    "run": Run(),
}


def own_kernels_are_slow(kinds: Iterable[str]) -> list[Any]:
    """Each of their searches is a kernel of its own."""
    return quick_ones(kinds, lambda kind: kind not in ("network", "run", "with a parameter"))


@pytest.mark.parametrize("kind", own_kernels_are_slow(PLAYERS_OF_OBJECTS))
def test_a_player_of_any_kind_plays(kind: str) -> None:
    given = PLAYERS_OF_OBJECTS[kind]
    result = play_game(given, "3x3", seed=4)
    assert result.reason == "no legal move"
    assert (result.score, result.moves) == (lambda again: (again.score, again.moves))(
        play_game(as_player(given), "3x3", seed=4)
    )
    assert make_player(as_player(given)).text  # a player is its own gate


@pytest.mark.parametrize("kind", own_kernels_are_slow(PLAYERS_OF_OBJECTS))
def test_copies_play_the_same_game(kind: str) -> None:
    made = as_player(PLAYERS_OF_OBJECTS[kind])
    wanted = play_game(made, "3x3", seed=6)
    for twin in (copy.deepcopy(made), copy.copy(made), pickle.loads(pickle.dumps(made))):
        found = play_game(twin, "3x3", seed=6)
        assert (found.score, found.moves, found.board) == (wanted.score, wanted.moves, wanted.board)


@pytest.mark.parametrize("kind", own_kernels_are_slow(["instance", "function", "network", "subclass"]))
def test_many_games_of_an_object_are_those_of_each(kind: str) -> None:
    found = play_games(PLAYERS_OF_OBJECTS[kind], 3, "3x3", seed=8)
    one_by_one = [play_game(PLAYERS_OF_OBJECTS[kind], "3x3", seed=8, index=i) for i in range(3)]
    assert found.score.tolist() == [each.score for each in one_by_one]
    assert [found.board(i) for i in range(3)] == [each.board for each in one_by_one]


@pytest.mark.parametrize(
    "info", [info for info in BUILT_IN if info.name not in ("endgame", "s4")], ids=lambda info: info.name
)
def test_every_built_in_player_is_copied(info: Any) -> None:
    made = make_player(info.name)
    for twin in (copy.deepcopy(made), pickle.loads(pickle.dumps(made)), type(made)()):
        assert (type(twin), twin.text, twin.limit) == (type(made), made.text, made.limit)


def test_the_same_function_is_the_same_game_as_by_hand() -> None:
    game = play_game(last, "3x3", seed=9)
    wanted = play_game(Mine, "3x3", seed=9)
    assert (game.score, game.board, game.player) == (wanted.score, wanted.board, "<last>")


@pytest.mark.parametrize("wrong", [3, None, 2.5, object(), [1], make_evaluation("empty")])
def test_what_is_no_player_is_refused(wrong: object) -> None:
    with pytest.raises(PlayerError, match="is not a player: give a text"):
        as_player(wrong)


def test_an_unknown_text_is_refused_as_ever() -> None:
    with pytest.raises(UnknownPlayer, match="did you mean 'greedy'"):
        play_game("gredy")


def test_errors_in_an_object_name_file_and_line() -> None:
    def broken(state: State) -> Direction:
        return Direction[str(1 / 0)]

    with pytest.raises(UserCodeError, match=r"test_objects\.py:\d+: ZeroDivisionError"):
        play_game(broken)
    with pytest.raises(UserCodeError, match=r"test_objects\.py:\d+: KeyError"):
        make_player(Corner, first="NOWHERE")


def test_keywords_mean_what_the_text_means() -> None:
    assert make_player("expectimax", depth=3, evaluation="snake:ratio=3", cut=0).text == (
        "expectimax:depth=3,eval=snake(ratio=3)"
    )
    assert Expectimax(depth=2, evaluation=make_evaluation("empty")).text == "expectimax:depth=2,eval=empty"
    assert Expectimax().text == "expectimax"
    assert make_player(Corner, first="UP").decide(STATE).move is Direction.DOWN
    assert Human(source=lambda state: Direction.LEFT).text == "human"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"depth": 99}, "depth='99' is not a whole number from 1 to 40"),
        ({"depth": 2.5}, "depth='2.5' is not a whole number"),
        ({"adaptive": "yes"}, "adaptive='yes' is not 1 or 0"),
        ({"dpth": 3}, "no parameter 'dpth'; did you mean 'depth'"),
        ({"table": None}, "table='None' is not a whole number"),
        ({"evaluation": 3}, "'3' is not an evaluation"),
        ({"evaluation": "snak"}, "unknown evaluation 'snak'; did you mean 'snake'"),
    ],
)
def test_keywords_are_checked_as_in_a_text(given: dict[str, Any], message: str) -> None:
    for make in (Expectimax, functools.partial(make_player, "expectimax")):
        with pytest.raises(TwofoldError, match=message):
            make(**given)


@pytest.mark.parametrize("info", BUILT_IN, ids=lambda info: info.name)
def test_classes_have_the_defaults_of_their_texts(info: Any) -> None:
    import inspect

    signature = inspect.signature(load_attribute(info.factory).__init__).parameters
    for parameter in info.parameters:
        default = signature[parameter.keyword].default
        assert default == (
            inspect.Parameter.empty if repr(parameter.default) == "REQUIRED" else parameter.default
        )


EVALUATIONS = {
    "text": "snake:ratio=3",
    "evaluation": make_evaluation("snake:ratio=3"),
    "factory": three,
    "function": empties,
    "with a parameter": scaled,
    "network": network(),
    "run": Run(),
}


@pytest.mark.parametrize("kind", quick_ones(EVALUATIONS, {"text", "evaluation", "factory"}.__contains__))
def test_an_evaluation_of_any_kind_searches_and_is_copied(kind: str) -> None:
    player = Expectimax(depth=2, evaluation=EVALUATIONS[kind])
    wanted = player.decide(STATE).values
    copies = (copy.deepcopy(player), pickle.loads(pickle.dumps(player)), make_player(player.text))
    assert [each.decide(STATE).values for each in copies] == [wanted] * 3
    evaluation = as_evaluation(EVALUATIONS[kind])
    for twin in (copy.deepcopy(evaluation), pickle.loads(pickle.dumps(evaluation))):
        assert Expectimax(depth=2, evaluation=twin).decide(STATE).values == wanted


@pytest.mark.slow
def test_a_function_is_what_it_computes() -> None:
    wanted = make_player("expectimax:depth=2,eval=empty").decide(STATE).values
    assert Expectimax(depth=2, evaluation=empties).decide(STATE).values == wanted


@pytest.mark.parametrize("wrong", [3, None, object(), "x" * 3, Corner, as_player("greedy")])
def test_what_is_no_evaluation_is_refused(wrong: object) -> None:
    with pytest.raises((InvalidParameter, UnknownEvaluation)):
        as_evaluation(wrong)


def test_a_function_that_numba_refuses_is_told_by_line() -> None:
    def wild(board: np.ndarray) -> float:
        return open("x")  # type: ignore[return-value]

    with pytest.raises(UserCodeError, match=r"test_objects\.py:\d+"):
        as_evaluation(wild)


def test_objects_play_in_the_arena_of_their_process(tmp_path: Path) -> None:
    experiment = Experiment([Corner(), Corner("UP"), "greedy", Greedy, Whole][:3], 3, variant="3x3", seed=2)
    assert experiment.players == ("<Corner>", "<Corner 2>", "greedy")
    with Store(f"sqlite:///{tmp_path / 'games.db'}") as store:
        run = store.begin(experiment)
        with pytest.raises(InvalidParameter, match=r"'<Corner>' is an object of this process.*file\.py:Name"):
            play_run(store, run, jobs=2)
        play_run(store, run)
        scores = [list(each.scores) for each in summarise(store, run).players]
    players = (Corner(), Corner("UP"), "greedy")
    assert scores == [[play_game(p, "3x3", seed=2, index=i).score for i in range(3)] for p in players]


def test_a_fingerprint_tells_objects_apart() -> None:
    """By what they were made of, so that a stored run is not gone on with by another player of the same text."""
    alive = [
        as_player(Corner()),
        as_player(Corner("UP")),
        as_player(last),
        as_player(by_key),
        as_player(network()),
    ]
    marks = {fingerprint(player.text) for player in alive}
    assert len(marks) == len(alive)
    first = fingerprint(alive[0].text)
    text = alive.pop(0).text
    again = as_player(Corner())
    assert (again.text, fingerprint(again.text)) == (text, first)
    other = network()
    other.weights[0, 0] += 1
    assert (
        fingerprint(as_player(other).text) not in marks
    )  # its text may be the one of a network that is gone


def test_a_text_of_an_object_that_is_gone_says_so() -> None:
    text = as_player(Corner()).text
    with pytest.raises(InvalidParameter, match="is an object of the process that made it"):
        make_player(text)


def test_a_subclass_is_never_taken_for_the_player_that_it_refines() -> None:
    mine = Mine()
    assert mine.text == "<Mine>"
    assert PLAYERS.text_of(mine) == "<Mine>"
    assert make_player("<Mine>") is mine
