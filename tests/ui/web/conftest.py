"""One server and one Chromium for all tests of the page; skipped with a reason where one of them is missing."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from twofold.threads import in_thread

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


HOSTILE = (
    "variant=<script>alert(1)</script>",
    "variant=4x4&seed=1&moves=" + "U" * 1_200_000,
    "variant=4x4;spawn=evil:depth=1,eval=../../etc/passwd.py:x",
    "../../etc/passwd",
    "variant=999x999&seed=1",
    "variant=4x4&seed=NaN",
    "variant=4x4&moves=QQ",
    "variant=4x4;p4=nan",
    "variant=4x4;spawn=evil:depth=9,eval=default",
    "variant=map=x x|x x",
)
"""Fragments of addresses that are not games."""


def until(page: Any, holds: Callable[[], bool], seconds: float = 120) -> None:
    """Waits for what comes about in a moment on a fast machine and later on a slow one."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not come about"
        page.wait_for_timeout(50)


def hears(page: Any) -> None:
    """Waits until the server hears the page: of what is typed before that and clicked after, either may come first."""
    page.wait_for_function("window.did_handshake")


def start(page: Any, fields: Mapping[str, str]) -> None:
    """Fills in fields, by their labels, and presses Start."""
    for label, text in fields.items():
        page.get_by_label(label, exact=True).fill(text)
    page.get_by_role("button", name="Start").click()


def come_to_rest(page: Any) -> None:
    """Waits until the page is drawn, and for the end of all animations."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.wait_for_function("document.getAnimations().every(each => each.playState !== 'running')")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """The command `twofold web` in a process of its own."""

    def __init__(self, port: int, folder: Path) -> None:
        self.port = port
        self.url = f"http://127.0.0.1:{port}"
        self.log = folder / "server.log"
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "twofold", "web", "--no-open", "--port", str(self.port)]
        command += ["--store", f"sqlite:///{self._folder / 'arena.db'}"]
        # Without pytest's variables, by which NiceGUI thinks itself under test.
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
        end = time.monotonic() + 300
        while time.monotonic() < end:
            assert self._process.poll() is None, self.log.read_text()
            try:
                urllib.request.urlopen(self.url, timeout=60).close()
            except OSError:
                time.sleep(0.1)
            else:
                return
        raise AssertionError(f"the server does not answer: {self.log.read_text()}")

    def stop(self, number: int = signal.SIGTERM) -> None:
        """Sends a signal and waits for the end, which comes at once, whatever was going on."""
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait(120)
            self._process = None

    def load(self, seconds: float = 0.5) -> float:
        """The server's processor time over that of a loop beside it, which turns for `seconds` of it (Linux).

        1 where the server thinks all the time and 0 where it rests, on a machine that has other work too.
        """

        def turn() -> float:
            # The server's long work has this priority; a loop above it would keep it from the cores.
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)
            before, begin = self.used(), time.thread_time()
            while (passed := time.thread_time() - begin) < seconds:
                pass
            return (self.used() - before) / passed

        return in_thread(turn).result()

    def used(self) -> float:
        """Seconds of processor time that the server has used (Linux)."""
        assert self._process is not None
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    pytest.importorskip("nicegui", reason="the web page needs NiceGUI: pip install 'twofold[web]'")
    made = Server(free_port(), tmp_path_factory.mktemp("web"))
    made.start()
    yield made
    made.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="the tests of the page need playwright")
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed: apt-get install chromium")
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def visit(browser: Any, server: Server) -> Iterator[Callable[..., Any]]:
    """Opens a page; at the end no script of it has failed and nothing was asked of another machine."""
    contexts: list[Any] = []
    faults: list[str] = []
    foreign: list[str] = []

    def open_page(path: str = "/", wait: str = ".tf-tile", **context: Any) -> Any:
        made = browser.new_context(**{"viewport": {"width": 1000, "height": 700}, **context})
        contexts.append(made)
        page = made.new_page()
        page.set_default_timeout(120_000)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("request", lambda request: foreign.append(request.url) if is_foreign(request.url) else None)
        page.on("websocket", lambda ws: foreign.append(ws.url) if is_foreign(ws.url) else None)
        answer = page.goto(server.url + path)
        page.wait_for_selector(wait)
        if answer.ok:  # the page of an address that leads nowhere hears nobody
            hears(page)
        return page

    def is_foreign(url: str) -> bool:
        return not url.startswith((server.url, server.url.replace("http", "ws"), "data:", "blob:", "about:"))

    yield open_page
    for each in contexts:
        each.close()
    assert not faults
    assert not foreign
