"""Compiled once per machine: a second process compiles nothing. And light imports stay light."""

from __future__ import annotations

import subprocess
import sys

import pytest

WORK = """
from numba.core import event
with event.install_recorder("numba:compile") as recorder:
{body}
print(sum(1 for _, e in recorder.buffer if e.is_start))
"""

BODIES = {
    "expectimax": """
    from twofold import Board, State, make_player
    for text in ("4x4", "3x3", "5x5"):
        board = {
            "4x4": "2 4 8 16|. 2 4 8|. . 2 4|. . . 2",
            "3x3": "2 4 8|. 2 4|. . 2",
            "5x5": "2 . . . 4|. . . . .|" * 2 + ". x . . 2",
        }
        make_player("expectimax:depth=2").decide(State.of(Board.parse(board[text])))
    make_player("expectimax:depth=2,eval=snake").decide(State.of(Board.parse(board["4x4"])))
    """,
    "random games": """
    from twofold.players.random_games import random_games
    random_games(count=2)
    random_games(count=2, general=True)
    """,
}


def run(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("body", BODIES)
def test_a_second_process_compiles_nothing(body: str) -> None:
    code = WORK.format(body=BODIES[body])
    run(code)
    assert run(code) == "0"


@pytest.mark.parametrize("code", ["import twofold", "import twofold; twofold.Board.empty().slide(0)"])
def test_import_loads_nothing_heavy(code: str) -> None:
    heavy = "numba", "numpy", "typer", "rich", "PIL", "matplotlib", "nicegui", "torch", "sqlalchemy"
    loaded = run(f"{code}\nimport sys\nprint(*(name for name in {heavy!r} if name in sys.modules))")
    assert loaded == ""
