"""The game at a real (pseudo) terminal: keys, live view, signals, and the terminal as it was afterwards."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

if os.name == "nt":
    pytest.skip("pseudo-terminals are a thing of Unix", allow_module_level=True)

import fcntl
import pty
import struct
import termios

from twofold import new_game, play_game

ENTER_SCREEN, LEAVE_SCREEN = b"\x1b[?1049h", b"\x1b[?1049l"
HIDE_CURSOR, SHOW_CURSOR = b"\x1b[?25l", b"\x1b[?25h"

# Run by the child: its terminal becomes the one that controls its session.
TAKE_TERMINAL = (
    "import fcntl, runpy, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0);"
    "runpy.run_module('twofold', run_name='__main__')"
)


class Terminal:
    """``twofold`` in a terminal of 80×24, as the leader of its own session, so that Ctrl-C reaches it."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self.master, self._slave = pty.openpty()
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.before = termios.tcgetattr(self._slave)
        self.output = b""
        self.process = subprocess.Popen(
            [sys.executable, "-c", TAKE_TERMINAL, *arguments],
            stdin=self._slave,
            stdout=self._slave,
            stderr=self._slave,
            start_new_session=True,
            env={**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", **environment},
        )

    def wait_for(self, what: bytes | str, timeout: float = 300) -> None:
        """Reads until `what` has been written since the last wait."""
        wanted = what.encode() if isinstance(what, str) else what
        end = time.monotonic() + timeout
        seen = b""
        while wanted not in seen:
            assert time.monotonic() < end, (wanted, seen[-2000:])
            seen += self._read(0.1)

    def _read(self, timeout: float) -> bytes:
        if not select.select([self.master], [], [], timeout)[0]:
            return b""
        try:
            data = os.read(self.master, 65536)
        except OSError:
            data = b""
        self.output += data
        return data

    def press(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def finish(self, timeout: float = 120) -> int:
        """The exit code; everything written is in `output` then."""
        end = time.monotonic() + timeout
        while self.process.poll() is None:
            assert time.monotonic() < end, self.output[-2000:]
            self._read(0.05)
        while self._read(0.1):
            pass
        return self.process.returncode

    def is_restored(self) -> bool:
        """Modes as before, the shell's screen back, the cursor shown."""
        out = self.output
        return (
            termios.tcgetattr(self._slave) == self.before
            and out.count(ENTER_SCREEN) == out.count(LEAVE_SCREEN)
            and out.rfind(SHOW_CURSOR) >= out.rfind(HIDE_CURSOR)
        )

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.master)
        os.close(self._slave)


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    started: list[Terminal] = []
    yield started
    for terminal in started:
        terminal.close()


def plain(output: bytes) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", output.decode("utf-8", "replace"))


@pytest.mark.slow
def test_a_human_plays_by_arrows_and_letters(terminals: list[Terminal]) -> None:
    game = new_game("4x4", seed=5)
    terminal = Terminal("play", "--player", "human", "--seed", "5")
    terminals.append(terminal)
    terminal.wait_for("q quit")
    for key, move in (("\x1b[B", "down"), ("d", "right"), ("k", "up"), ("\x1b[D", "left")):
        legal = move.upper() in [direction.name for direction in game.legal_moves()]
        if legal:
            game.move(move)
        terminal.press(key)
        terminal.wait_for("quit")
    terminal.press("u")
    terminal.wait_for("one move back")
    terminal.press("r")
    terminal.wait_for("one move forward")
    terminal.press("q")
    assert terminal.finish() == 0
    assert terminal.is_restored()
    summary = plain(terminal.output.rpartition(LEAVE_SCREEN)[2])
    assert f"moves     {game.moves}" in summary
    assert f"score     {game.score}" in summary


def test_watching_shows_bars_and_statistics_and_hears_keys(terminals: list[Terminal]) -> None:
    terminal = Terminal("play", "--player", "greedy", "--seed", "3", "--speed", "20")
    terminals.append(terminal)
    terminal.wait_for("moves/s")
    terminal.press(" ")
    terminal.wait_for("space go on")
    terminal.press("n")
    terminal.press("+")
    terminal.wait_for("at most 50 moves/s")
    for _ in range(4):
        terminal.press("+")
    terminal.wait_for("as fast as it thinks")
    terminal.press(" ")
    assert terminal.finish() == 0
    assert terminal.is_restored()
    shown = plain(terminal.output)
    assert "█" in shown
    assert "nodes" in shown
    result = play_game("greedy", seed=3)
    assert f"score     {result.score:,}" in shown
    assert terminal.output.count(b"\x1b[2J") <= 2  # the screen is not cleared for each picture


@pytest.mark.parametrize(
    ("player", "stop", "code"),
    [("human", signal.SIGINT, 130), ("greedy", signal.SIGINT, 130), ("human", signal.SIGTERM, 143)],
)
def test_signals_restore_the_terminal(terminals: list[Terminal], player: str, stop: int, code: int) -> None:
    terminal = Terminal("play", "--player", player, "--seed", "3", "--speed", "5")
    terminals.append(terminal)
    terminal.wait_for("q quit")
    assert not terminal.is_restored()
    if stop == signal.SIGINT:
        terminal.press("\x03")  # the terminal itself sends the signal to the process group
    else:
        terminal.process.send_signal(stop)
    assert terminal.finish() == code
    assert terminal.is_restored()
    summary = plain(terminal.output.rpartition(LEAVE_SCREEN)[2])
    assert "Traceback" not in summary
    if player == "greedy":  # a watched game tells what was seen of it
        assert "score  " in summary
        assert "won       no" in summary
        assert "ended     stopped" in summary


def test_a_player_that_fails_restores_the_terminal(terminals: list[Terminal], tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("def bad(state):\n    return 1 / 0\n")
    terminal = Terminal("play", "--player", f"{tmp_path}/bad.py:bad")
    terminals.append(terminal)
    assert terminal.finish() == 2
    assert terminal.is_restored()
    assert "bad.py:2: ZeroDivisionError" in plain(terminal.output)
    assert "Traceback" not in plain(terminal.output)


@pytest.mark.slow
def test_ctrl_z_gives_the_terminal_back_and_fg_takes_it_again(terminals: list[Terminal]) -> None:
    terminal = Terminal("play", "--player", "human", "--seed", "3")
    terminals.append(terminal)
    terminal.wait_for("q quit")
    # A session leader gets no stop signal from its terminal, so it is sent as a shell's child would get it.
    terminal.process.send_signal(signal.SIGTSTP)
    _, status = os.waitpid(terminal.process.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status)
    terminal.wait_for(LEAVE_SCREEN)
    assert terminal.is_restored()
    terminal.process.send_signal(signal.SIGCONT)
    terminal.wait_for("q quit")
    terminal.press("q")
    assert terminal.finish() == 0
    assert terminal.is_restored()


def test_no_color_is_respected(terminals: list[Terminal]) -> None:
    terminal = Terminal("play", "--player", "greedy", "--seed", "3", "--speed", "500", NO_COLOR="1")
    terminals.append(terminal)
    terminal.wait_for("q quit")
    terminal.press("q")
    assert terminal.finish() == 0
    assert not re.search(rb"\x1b\[[0-9;]*[34]8;", terminal.output)
    assert not re.search(rb"\x1b\[[0-9;]*\b(3|4|9|10)[0-7]m", terminal.output)


def test_a_dumb_terminal_gets_plain_text(terminals: list[Terminal]) -> None:
    terminal = Terminal("play", "--player", "greedy", "--seed", "3", TERM="dumb")
    terminals.append(terminal)
    assert terminal.finish() == 0
    assert b"\x1b" not in terminal.output
