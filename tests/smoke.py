"""What an installed twofold must do, without pytest and without the source tree: ``python smoke.py``.

`.ci/run` runs it beside a wheel in a clean environment. It fails with an AssertionError that names the step.
"""

from __future__ import annotations

import importlib.metadata
import importlib.resources
import json
import subprocess
import sys
from pathlib import Path

import twofold

BOARD = "2 . 4 .|. . . .|. 16 . .|. . . 2"
COMMAND = str(Path(sys.executable).with_name("twofold"))


def run(*arguments: str, code: int = 0) -> str:
    """Runs the installed command and gives what it printed."""
    done = subprocess.run([COMMAND, *arguments], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == code, (arguments, done.returncode, done.stderr)
    return done.stdout


def check_package() -> None:
    """The right version, from where packages are installed, with its type marker and its command."""
    assert "site-packages" in Path(twofold.__file__).parts, twofold.__file__
    assert twofold.__version__ == importlib.metadata.version("twofold")
    assert importlib.resources.files("twofold").joinpath("py.typed").is_file()
    assert run("--version").split() == ["twofold", twofold.__version__]


def check_commands() -> None:
    """Boards are read, moved and written; a bad one is refused in one line."""
    moved = json.loads(run("move", BOARD, "left", "--json"))
    assert moved["legal"] is True, moved
    assert moved["board"].startswith("2 4 . ."), moved
    best = json.loads(run("best", BOARD, "--json"))
    assert best["best"] in best["values"], best
    assert run("convert", BOARD, "--to", "hex").strip() == "1020000004000001"
    run("best", "2 3|4 5", code=2)


def check_game() -> None:
    """A whole game of a searching player on a small board; the same seed gives the same game."""
    arguments = ("play", "--player", "expectimax:depth=2", "--size", "3x3", "--seed", "7", "--json")
    first, second = json.loads(run(*arguments)), json.loads(run(*arguments))
    assert first["board"] == second["board"], (first, second)
    assert first["moves"] > 20, first
    piped = twofold.play_game("greedy", "4x4", seed=1)
    assert piped.reason == "no legal move", piped


def main() -> None:
    """Runs all checks."""
    for check in (check_package, check_commands, check_game):
        check()
        print(f"smoke: {check.__name__[6:]} ok")


if __name__ == "__main__":
    main()
