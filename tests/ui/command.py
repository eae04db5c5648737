"""Runs ``twofold`` for the tests: as a process, and within this one where only the answer matters."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

import pytest

from twofold.ui.cli.app import run
from twofold.ui.cli.output import guarded

PROGRESS = (" left", "time left unknown", " points", "stops it after N", "only the first time takes long")
"""How lines end that tell how far long work is: on a slow machine any command may print some."""


@dataclass(frozen=True)
class Answer:
    """What a command left behind."""

    code: int
    out: str
    err: str

    def json(self) -> dict[str, Any]:
        """The one JSON object that standard output must hold."""
        assert self.code == 0, self.err
        assert [line for line in self.said() if line and not line.startswith("unpacking the network")] == []
        assert self.out.count("\n") == 1
        answer: dict[str, Any] = json.loads(self.out)
        return answer

    def refusal(self) -> str:
        """The one line on standard error of a refused command."""
        assert self.code == 2
        assert self.out == ""
        (said,) = self.said()
        assert said.startswith("error: ")
        assert "Traceback" not in said
        assert len(said) < 500
        return f"{said}\n"

    def said(self) -> list[str]:
        """The lines on standard error, those of progress left out."""
        return [line for line in self.err.removesuffix("\n").split("\n") if not line.endswith(PROGRESS)]


def command(*arguments: str, input: str | bytes | None = "", timeout: float = 600) -> Answer:
    """The command in a process of its own."""
    data = input.encode() if isinstance(input, str) else input
    done = subprocess.run(
        [sys.executable, "-m", "twofold", *arguments],
        input=data,
        capture_output=True,
        timeout=timeout,
        check=False,
    )
    return Answer(done.returncode, done.stdout.decode(), done.stderr.decode())


def here(capture: pytest.CaptureFixture[str], *arguments: str) -> Answer:
    """The command within this process, which is much faster."""
    code = guarded(lambda: run(list(arguments)))
    out, err = capture.readouterr()
    return Answer(code, out, err)


def line(capture: pytest.CaptureFixture[str], text: str) -> Answer:
    """`here` with the arguments as one text, split at spaces."""
    return here(capture, *text.split(" "))
