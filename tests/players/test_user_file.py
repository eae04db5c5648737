"""Players from a user's file: parameters from the signature, errors by file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from twofold import check_player, make_player, new_game, play_game, player_info
from twofold.errors import (
    InvalidFile,
    InvalidParameter,
    PlayerError,
    TwofoldError,
    UserCodeError,
)

SOURCE = '''\
from twofold import Decision, Direction

class Corner:
    """Prefers one direction."""

    def __init__(self, first: str = "left", strength: float = 1.0):
        self.first, self.strength = Direction[first.upper()], strength

    def decide(self, state, key):
        legal = state.legal_moves()
        if not legal:
            return Decision(None)
        move = self.first if self.first in legal else legal[0]
        values = [self.strength * (d == move) if d in legal else None for d in Direction]
        return Decision(move, self.strength, tuple(values))

def last(state, bias: int = 0):
    """The last legal move."""
    legal = state.legal_moves()
    return legal[-1] if legal else None

def broken(state, key):
    return 1 / 0

def wordy(state):
    return [state]

NUMBER = 3
'''


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "mine.py").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    return "mine.py"


def test_a_class_with_parameters_is_a_player(path: str) -> None:
    player = make_player(f"{path}:Corner:strength=2,first=left")
    assert player.text == f"{path}:Corner:strength=2"
    assert play_game(player, "3x3", seed=1).moves > 5
    check_player(player, ["3x3", "1x6"])
    info = player_info(f"{path}:Corner")
    assert info.summary == "Prefers one direction."
    assert [parameter.name for parameter in info.parameters] == ["first", "strength"]


def test_a_function_is_a_player(path: str) -> None:
    check_player(f"{path}:last", ["3x3", "1x6"])
    assert make_player(f"{path}:last:bias=3").text == f"{path}:last:bias=3"


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("Coner", InvalidFile, "defines no 'Coner'; did you mean 'Corner'"),
        ("NUMBER", InvalidFile, "neither a class nor a function"),
        ("Corner:frist=up", InvalidParameter, "did you mean 'first'"),
        ("Corner:first=diagonal", UserCodeError, r"^mine.py:7: KeyError"),
    ],
)
def test_making_a_wrong_one_is_refused(path: str, name: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make_player(f"{path}:{name}")


def test_a_failure_names_file_and_line(path: str) -> None:
    with pytest.raises(UserCodeError, match=r"^mine.py:23: ZeroDivisionError: division by zero$"):
        play_game(f"{path}:broken")
    with pytest.raises(PlayerError, match="must be a Direction or a Decision"):
        play_game(f"{path}:wordy")


def test_a_file_that_is_missing_or_no_python_is_refused(path: str) -> None:
    with pytest.raises(InvalidFile, match=r"can't read 'none\.py'"):
        make_player("none.py:Corner")
    Path("bad.py").write_text("x = 1\ny = (\n")
    with pytest.raises(UserCodeError, match=r"^bad.py:2: SyntaxError"):
        make_player("bad.py:Corner")


def test_an_edited_file_is_read_again(path: str) -> None:
    assert player_info(f"{path}:last").summary == "The last legal move."
    Path(path).write_text(SOURCE.replace("The last legal move.", "Edited."))
    assert player_info(f"{path}:last").summary == "Edited."


ANSWERS = """\
from twofold import Decision, Direction

def answer(state, what: str = "int"):
    move = state.legal_moves()[0]
    if what == "exit":
        raise SystemExit(3)
    return {
        "int": Decision(int(move)),
        "text": Decision(move.name),
        "list": Decision(move, 1, [1, 2, 3, 4]),
        "short": Decision(move, 1.0, (1.0,)),
        "words": Decision(move, 1.0, ("a", "b", "c", "d")),
        "nan": Decision(move, float("nan")),
        "nowhere": Decision("west"),
        "nodes": Decision(move, nodes=-1),
        "time": Decision(move, seconds="1"),
        "note": Decision(move, note=None),
    }[what]
"""


@pytest.mark.parametrize("what", ["int", "text", "list"])
def test_a_decision_may_be_written_loosely(path: str, what: str) -> None:
    Path(path).write_text(ANSWERS)
    state = new_game("2x2", 1).state
    decision = make_player(f"{path}:answer:what={what}").decide(state)
    assert decision.move is state.legal_moves()[0]
    assert isinstance(decision.values, tuple)


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("short", "values .* one number or None for each"),
        ("words", "value 'a': a number"),
        ("nan", "value 'nan'"),
        ("nowhere", "unknown direction 'west'"),
        ("nodes", "nodes '-1': a number of at least 0"),
        ("time", "seconds '1'"),
        ("note", "note .* a text"),
        ("exit", r"^mine.py:6: SystemExit: 3$"),
    ],
)
def test_a_decision_of_the_wrong_kind_is_refused(path: str, what: str, message: str) -> None:
    Path(path).write_text(ANSWERS)
    with pytest.raises(TwofoldError, match=message):
        play_game(f"{path}:answer:what={what}", "2x2")


def test_a_file_that_ends_the_program_is_refused(path: str) -> None:
    Path(path).write_text("raise SystemExit(5)\n")
    with pytest.raises(UserCodeError, match=r"^mine.py:1: SystemExit: 5$"):
        make_player(f"{path}:Corner")


@pytest.mark.slow
def test_an_evaluation_without_a_number_is_refused(path: str) -> None:
    Path(path).write_text("def hollow(board):\n    return float('nan')\n")
    with pytest.raises(UserCodeError, match=r"^mine.py:1: the evaluation 'mine.py:hollow' gives nan"):
        make_player(f"expectimax:depth=1,eval={path}:hollow").decide(new_game("2x2", 1).state)
    with pytest.raises(TwofoldError, match=r"the evaluation .* gives nan"):
        play_game("greedy", f"2x2;spawn=evil:depth=1,eval={path}:hollow")
