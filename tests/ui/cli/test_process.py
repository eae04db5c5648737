"""How a process of the command line ends: closed pipes, signals, a coprocess."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.ui.command import PROGRESS, Answer, command
from twofold import __version__

COMMAND = [sys.executable, "-m", "twofold"]
SLOW = """
import sys, time
class Slow:
    def decide(self, state, key):
        print("thinking", file=sys.stderr, flush=True)
        time.sleep(600)
"""
posix = pytest.mark.skipif(os.name == "nt", reason="signals and pipes as on Unix")


@posix
@pytest.mark.parametrize(
    "arguments",
    [["players"], ["best", "-", "-p", "greedy", "--json"], ["convert", "-", "--to", "grid"]],
)
def test_a_closed_pipe_ends_quietly(arguments: list[str]) -> None:
    boards = b"2 . .|. . 4\n" * 5000
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [*COMMAND, *arguments], input=boards, stdout=writer, stderr=subprocess.PIPE, timeout=300, check=False
    )
    os.close(writer)
    assert [line for line in done.stderr.decode().splitlines() if not line.endswith(PROGRESS)] == []
    assert done.returncode == 141


# Command lines, each run as a process whose reader has gone before the first word; forks, since loading takes longest.
FORKS = """
import json, os, sys, tempfile
import twofold.ui.cli.app
from twofold.__main__ import main

found = []
for arguments in json.loads(sys.argv[1]):
    reader, writer = os.pipe()
    os.close(reader)
    with tempfile.TemporaryFile() as told:
        child = os.fork()
        if child == 0:
            os.dup2(writer, 1)
            os.dup2(told.fileno(), 2)
            sys.stdout, sys.stderr = open(1, "w"), open(2, "w")
            sys.argv = ["twofold", *arguments]
            main()
        os.close(writer)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        told.seek(0)
        found.append([arguments, code, told.read().decode()])
print(json.dumps(found))
"""


@pytest.mark.slow
@posix
def test_all_commands_end_alike_where_nobody_reads(tmp_path: Path) -> None:
    lines = [
        [], ["--help"], ["--version"], ["play", "--help"], ["web", "--help"], ["arena"],
        ["play", "-p", "random", "--size", "2x2"], ["move", "2 .|. 2", "L"], ["best", "2 .|. 2", "-p", "greedy"],
        ["best", "2 .|. 2", "-p", "greedy", "--json"], ["convert", "2 .|. 2"], ["players"], ["evals", "--json"],
        ["paint", ".#|#."], ["paths", "2x2"], ["life", "-p", "blinker", "-g", "1"], ["life", "--list"], ["stereogram"],
        ["exact", "tree", "2 2|. .", "--depth", "1"],
        ["arena", "run", "-p", "random", "--size", "2x2", "-n", "1", "-j", "1", "--store", str(tmp_path / "a.db")],
        ["arena", "list", "--store", str(tmp_path / "a.db")],
    ]  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", FORKS, json.dumps(lines)],
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    slow = ("compiling, ", " a second, about ")  # what a command tells that takes longer than a second
    found = [
        [arguments, code, [line for line in told.splitlines() if not any(part in line for part in slow)]]
        for arguments, code, told in json.loads(done.stdout)
    ]
    assert found == [[arguments, 141, []] for arguments in lines]


@posix
def test_a_reader_that_stops_early_ends_it_quietly() -> None:
    with subprocess.Popen(
        [*COMMAND, "convert", "-", "--to", "grid"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(b"2 . .|. . 4\n" * 2000)
        process.stdin.flush()
        assert process.stdout.readline() == b"+------+------+------+\n"
        process.stdout.close()
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(b"2 . .|. . 4\n" * 20000)
            process.stdin.close()
        assert process.wait(timeout=300) == 141
        assert process.stderr.read() == b""


@posix
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_a_long_search_at_once(tmp_path: Path, number: int, code: int) -> None:
    path = tmp_path / "slow.py"
    path.write_text(SLOW)
    process = subprocess.Popen(
        [*COMMAND, "best", "2 . .|. . 4", "-p", f"{path}:Slow", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stderr is not None
    assert process.stderr.readline() == b"thinking\n"
    process.send_signal(number)
    out, err = process.communicate(timeout=300)  # the player sleeps for 600
    assert process.returncode == code
    assert out == b""
    assert err == (b"interrupted\n" if number == signal.SIGINT else b"")


STEADY = """
import sys, time
def steady(state):
    print("thinking", file=sys.stderr, flush=True)
    time.sleep(0.01)
    return state.legal_moves()[0]
"""


@posix
def test_ctrl_c_in_a_game_tells_the_game_so_far(tmp_path: Path) -> None:
    path = tmp_path / "steady.py"
    path.write_text(STEADY)
    process = subprocess.Popen(
        [*COMMAND, "play", "-p", f"{path}:steady", "--size", "16x16", "--seed", "1", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    for _ in range(5):
        assert process.stderr.readline() == "thinking\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.endswith("interrupted\n")
    assert json.loads(out)["moves"] >= 4


def test_another_program_may_wait_for_each_answer() -> None:
    with subprocess.Popen(
        [*COMMAND, "convert", "-", "--to", "array"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        # A line that could be one row of a board is answered once a blank line ends it.
        for text, answer in (("2#|##", b"[[2,0],[0,0]]"), ("x4\n", b"[[-1,4]]")):
            process.stdin.write(text.encode() + b"\n")
            process.stdin.flush()
            assert process.stdout.readline().rstrip() == answer
        process.stdin.close()
        assert process.wait(timeout=300) == 0


def test_an_output_without_unicode_is_no_obstacle() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = subprocess.run(
        [*COMMAND, "best", "2 . .|. . 4", "-p", "greedy"],
        capture_output=True,
        env=environment,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0
    assert b"best: " in done.stdout


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys; from twofold.ui.cli.app import run; run(['--help']);"
        "print(*(sys.modules.keys() & {'numpy', 'numba', 'PIL', 'torch'}), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.stderr.strip() == ""


def test_piped_letters_play_a_game() -> None:
    answer = command("play", "-p", "human", "--seed", "5", "--json", input="wasd\nu r\x1b[A\x1bOD q w").json()
    assert answer["player"] == "human"
    moves = answer["moves"]
    assert 0 < moves <= 6
    undone = command("play", "-p", "human", "--seed", "5", "--json", input="wasduuuuuu").json()
    assert (undone["moves"], undone["score"]) == (0, 0)
    assert command("play", "-p", "human", input="wz").refusal().count("letter 2 of the input is 'z'") == 1


@posix
@pytest.mark.parametrize(
    ("command_line", "message"),
    [
        ("players >&-", "error: standard output is closed"),
        ("play -p greedy --seed 1 --json >&-", "error: standard output is closed"),
        ("convert - <&-", "error: there is no board to read"),
        ("best <&-", "error: there is no board to read"),
        ("players >&- 2>&-", ""),
    ],
)
def test_closed_streams_are_told(command_line: str, message: str) -> None:
    done = subprocess.run(
        ["sh", "-c", f"exec '{sys.executable}' -m twofold {command_line}"],
        capture_output=True,
        timeout=300,
        check=False,
        text=True,
    )
    assert done.returncode == 2
    assert done.stderr.startswith(message)
    assert done.stderr.count("\n") == bool(message)


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory as on Linux")
@pytest.mark.parametrize(
    ("kib", "message"),
    [(30_000, "not enough memory"), (400_000, "not enough memory"), (700_000, "not enough memory")],
)
def test_little_memory_is_called_so(kib: int, message: str) -> None:
    arguments = [*COMMAND, "best", "2 4 . .|. . . .|. . . .|. . . .", "--player", "ntuple"]
    limited = ["sh", "-c", f'ulimit -v {kib}; exec "$@"', "sh", *arguments]
    done = subprocess.run(limited, capture_output=True, text=True, check=False)
    answer = Answer(done.returncode, done.stdout, done.stderr)
    assert message in answer.refusal()
    assert "damaged" not in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory as on Linux")
@pytest.mark.parametrize(("option", "told"), [("--help", "Usage"), ("--version", f"twofold {__version__}")])
def test_what_needs_no_numba_needs_little_memory(option: str, told: str) -> None:
    limited = ["sh", "-c", 'ulimit -v 400000; exec "$@"', "sh", *COMMAND, option]
    done = subprocess.run(limited, capture_output=True, text=True, check=True)
    assert told in done.stdout
    assert done.stderr == ""
