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


@dataclass(frozen=True)
class Answer:
    """What a command left behind."""

    code: int
    out: str
    err: str

    def json(self) -> dict[str, Any]:
        """The one JSON object that standard output must hold; on a slow machine progress may be told beside it."""
        assert self.code == 0, self.err
        told = [line for line in self.err.splitlines() if not line.startswith("unpacking the network")]
        assert [line for line in told if not line.endswith((" left", "stops it after N"))] == []
        assert self.out.count("\n") == 1
        answer: dict[str, Any] = json.loads(self.out)
        return answer

    def refusal(self) -> str:
        """The one line on standard error of a refused command."""
        assert self.code == 2
        assert self.out == ""
        assert self.err.startswith("error: ")
        assert self.err.count("\n") == 1
        assert "Traceback" not in self.err
        assert len(self.err) < 500
        return self.err


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
