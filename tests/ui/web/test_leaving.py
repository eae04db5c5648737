"""Work ends with its visitor, and the server with Ctrl-C."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.ui.web.conftest import Server, free_port
from twofold.art.painter.planner import paint
from twofold.art.paths import count_paths, list_paths
from twofold.art.picture import Picture
from twofold.exact.small import solve_position
from twofold.records.record import Record
from twofold.rules import Board, State
from twofold.threads import checkpoint, in_thread, interrupted_by

Visit = Callable[..., Any]

NOISE = "|".join("".join(str((7 * i * i + 5 * j * i + j) % 6) for j in range(16)) for i in range(16))
"""A picture of 16x16 cells and six colours for which plans are looked for as long as there is time."""


def paint_noise(page: Any) -> None:
    page.locator("summary", has_text="From text or an image").click()
    page.get_by_label("Text", exact=True).fill("0120|1012|2101|0210")
    page.get_by_role("button", name="Load the text").click()
    page.get_by_role("button", name="Paint").click()  # compiles, which nothing ends
    page.get_by_text("ends in this picture").wait_for(timeout=300_000)
    page.get_by_label("Text", exact=True).fill(NOISE)
    page.get_by_role("button", name="Load the text").click()
    page.get_by_role("button", name="Paint").click()
    page.get_by_text("Looking for a game").wait_for()


def ask_long(page: Any) -> None:
    page.get_by_label("Players, one per line").fill("expectimax:depth=1\nmontecarlo:playouts=1")
    page.get_by_role("button", name="Compare moves").click()  # compiles
    page.locator("td", has_text="montecarlo:playouts=1").wait_for(timeout=300_000)
    page.get_by_label("Players, one per line").fill("expectimax:depth=14\nmontecarlo:playouts=100000000")
    page.get_by_role("button", name="Compare moves").click()
    page.get_by_text("Thinking").wait_for()


def watch_long(page: Any) -> None:
    page.get_by_label("Player as text", exact=True).fill("expectimax:depth=1")
    page.get_by_role("button", name="Start").click()  # compiles
    page.get_by_text("values:  ↑").wait_for(timeout=300_000)
    page.get_by_label("Player as text", exact=True).fill("expectimax:depth=14")
    page.get_by_role("button", name="Start").click()
    page.get_by_text("expectimax:depth=14").first.wait_for()


def busy(server: Server) -> bool:
    return server.load(0.1) > 0.3


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processor times are read from /proc")
@pytest.mark.parametrize(
    ("path", "begin"),
    [
        pytest.param("/rooms/painting", paint_noise, id="painting", marks=pytest.mark.slow),
        pytest.param("/analyse", ask_long, id="analyse", marks=pytest.mark.slow),
        pytest.param("/watch", watch_long, id="watch"),
    ],
)
def test_work_ends_with_its_visitor(
    visit: Visit, server: Server, path: str, begin: Callable[[Any], None]
) -> None:
    before = server.log.read_bytes()
    page = visit(path, wait="button")
    begin(page)
    end = time.monotonic() + 120
    while not busy(server):
        assert time.monotonic() < end, "it never began"
    page.close()
    left = server.used()
    while busy(server):
        assert server.used() < left + 3.0, "it goes on"  # a second, and what the look itself takes
    assert b"Traceback" not in server.log.read_bytes()[len(before) :]


class Called(Exception):
    """Off."""


@pytest.mark.parametrize(
    "work",
    [
        pytest.param(lambda: paint(Picture.from_text(NOISE), seconds=1000), marks=pytest.mark.slow),
        lambda: count_paths(Board.empty(8, 8)),
        lambda: list(list_paths(Board.empty(6, 6))),
        lambda: solve_position(State.of(Board.parse("2 . . .|. . . .|. . . .|. . . .")), most_states=10**9),
        lambda: Record(
            "4x4;spawn=evil:depth=2,eval=default", 1, "LDLDLDLDLDLDLDLDLDLDLDLDLDLDLDLDLD"
        ).replay(),
    ],
    ids=["painting", "counting paths", "listing paths", "exact value", "evil record"],
)
def test_long_work_looks_whether_it_is_still_wanted(work: Callable[[], object]) -> None:
    looks = 0

    def look() -> None:
        nonlocal looks
        looks += 1
        if looks > 20:
            raise Called

    with interrupted_by(look), pytest.raises(Called):
        work()
    checkpoint()  # nobody asks any more
    assert looks == 21


def test_threads_are_called_off_like_those_that_began_them() -> None:
    def look() -> None:
        raise Called

    with interrupted_by(look):
        task = in_thread(checkpoint)
    with pytest.raises(Called):
        task.result(60)
    assert in_thread(checkpoint).result(60) is None


def test_a_task_that_runs_cannot_be_cancelled() -> None:
    going = threading.Event()
    task = in_thread(going.wait)
    assert not task.cancel()
    going.set()
    assert task.result(60) is True


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for one process")
def test_ctrl_c_ends_the_server_at_once(browser: Any, tmp_path: Path) -> None:
    server = Server(free_port(), tmp_path)
    server.start()
    page = browser.new_page()
    page.goto(server.url + "/analyse")
    page.get_by_role("button", name="Compare moves").wait_for()
    ask_long(page)
    server.stop(signal.SIGINT)
    page.close()
    said = server.log.read_text()
    assert "Traceback" not in said
    assert "interrupted" not in said
