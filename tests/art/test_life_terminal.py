"""``twofold life`` at a pseudo-terminal: keys, and the terminal as it was afterwards."""

from __future__ import annotations

import os

import pytest

if os.name == "nt":
    pytest.skip("pseudo-terminals are a thing of Unix", allow_module_level=True)

from tests.ui.terminal.test_terminal import LEAVE_SCREEN, Terminal, plain


@pytest.mark.slow
@pytest.mark.parametrize("end", ["q", "\x03"])
def test_watching_a_run(end: str) -> None:
    terminal = Terminal("life", "-p", "blinker", "--size", "6", "-g", "9", "--speed", "20")
    try:
        terminal.wait_for("painted in")
        terminal.press(" ")
        terminal.wait_for("space go on")
        terminal.press("n")
        terminal.wait_for("generation")
        terminal.press("-")
        terminal.wait_for("at most 10 a second")
        terminal.press(" ")
        terminal.wait_for("the end of 9 generations")  # the last picture stays until q
        assert not terminal.is_restored()
        terminal.press(end)
        assert terminal.finish() == (0 if end == "q" else 130)
        assert terminal.is_restored()
        if end == "q":
            assert "repeats every 2 generations" in plain(terminal.output.rpartition(LEAVE_SCREEN)[2])
    finally:
        terminal.close()
