"""Players from a user's file: parameters from the signature, errors by file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from twofold import check_player, make_player, play_game, player_info
from twofold.errors import InvalidFile, InvalidParameter, PlayerError, UserCodeError

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
    with pytest.raises(PlayerError, match="a Direction or a Decision is right"):
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
