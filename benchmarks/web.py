"""Measures the page: first paint, a key until its tile has moved, moves shown while a search runs, sessions served.

    python -m benchmarks.web [--sessions 50 100 200] [--seconds 15] [--json FILE] [--paint] [--load]

The first three are taken in Chromium on this machine. The load test speaks the page's own protocol (a page is fetched,
its socket opened, moves are sent as the component sends them) with the server held on one core and the clients on
another; each session plays two moves a second, and an answer is timed from the sending of a move to the shot of the
board. On a machine that does other things at the same time the figures are worse than they need be.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

RATE = 2.0
"""Moves a second of each session."""


@contextmanager
def server(core: int | None = None) -> Iterator[tuple[str, int]]:
    """The command in a process of its own, on one core if one is named; gives its address and number."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "twofold", "web", "--no-open", "--port", str(port)]
        command += ["--store", f"sqlite:///{folder}/arena.db"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            if core is not None:
                os.sched_setaffinity(process.pid, {core})
            url = f"http://127.0.0.1:{port}"
            _wait_for(url)
            yield url, process.pid
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(30)


def _wait_for(url: str) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            urllib.request.urlopen(url, timeout=5).close()
        except OSError:
            time.sleep(0.1)
        else:
            time.sleep(4)  # the search of hints is loaded meanwhile
            return
    raise SystemExit("the server does not answer")


# In the browser


@contextmanager
def chromium() -> Iterator[Any]:
    """The Chromium that is installed, driven by Playwright."""
    from playwright.sync_api import sync_playwright

    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


def in_browser(url: str) -> dict[str, float]:
    """First paint, key to moved tile, and moves shown a second while a search runs."""
    with chromium() as browser:
        page = browser.new_page()
        paints, games = [], []
        for _ in range(5):
            page.goto("about:blank")
            page.goto(url + "/#variant=4x4&seed=1")
            page.wait_for_selector(".tf-tile")
            paints.append(
                page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
            )
            games.append(page.evaluate("performance.now()"))
        keys = page.evaluate(_KEYS)
        page.goto(url + "/watch")
        page.wait_for_selector(".tf-cell")
        page.get_by_label("Speed", exact=True).select_option("fast")
        page.get_by_role("button", name="Start").click()
        page.wait_for_selector(".tf-tile", timeout=120_000)
        page.wait_for_timeout(1500)
        shown = page.evaluate(_SHOWN)
        played = float(page.locator(".tf-facts-list dd").nth(2).inner_text().replace(",", ""))
    return {
        "first_visit_paint_ms": paints[0],
        "first_paint_ms": statistics.median(paints),
        "game_shown_ms": statistics.median(games),
        "key_to_tile_ms": statistics.median(keys),
        "key_to_tile_worst_ms": max(keys),
        "moves_shown_per_second": shown,
        "moves_played_per_second": played,
    }


# From the key press to the frame in which a tile has another place than before.
_KEYS = """async () => {
  const frame = () => new Promise(requestAnimationFrame);
  const place = (box) => Math.round(7 * box.x + box.y);
  const places = () => [...document.querySelectorAll('.tf-tile')].map(t => place(t.getBoundingClientRect())).join();
  const times = [], keys = ['ArrowLeft', 'ArrowDown', 'ArrowRight', 'ArrowUp'];
  for (let i = 0; times.length < 40 && i < 200; i++) {
    await new Promise(done => setTimeout(done, 450));
    const before = places(), begin = performance.now();
    document.dispatchEvent(new KeyboardEvent('keydown', { key: keys[i % 4], bubbles: true }));
    while (places() === before && performance.now() - begin < 400) await frame();
    if (places() !== before) times.push(performance.now() - begin);
  }
  return times;
}"""

# Different boards that were on the screen, frame by frame, over five seconds.
_SHOWN = """async () => {
  const tile = (t) => t.style.transform + t.textContent;
  const board = () => [...document.querySelectorAll('.tf-tile')].map(tile).sort().join();
  let last = board(), seen = 0;
  const begin = performance.now();
  while (performance.now() - begin < 5000) {
    await new Promise(requestAnimationFrame);
    const now = board();
    if (now !== last) seen++;
    last = now;
  }
  return seen / 5;
}"""


# Load

_ANSWER = re.compile(r'\\"kind\\":\\"(move|refused)')
"""A shot of the board after a move, as it comes: JSON within JSON."""


async def connect(address: str) -> tuple[str, dict[int, Any], Any]:
    """Comes to a page: the client's name, the page's elements by number, and its open connection."""
    import websockets

    loop = asyncio.get_running_loop()
    html = await loop.run_in_executor(
        None, lambda: urllib.request.urlopen(address, timeout=60).read().decode()
    )
    client = re.findall(r"'client_id': '([0-9a-f-]+)'", html)[0]
    found = json.loads(re.findall(r"parseElements\(String\.raw`(.*?)`\)", html, re.DOTALL)[0])
    query = f"client_id={client}&next_message_id=0&implicit_handshake=true&document_id={client}"
    query += f"&tab_id={client}&EIO=4&transport=websocket"
    root = re.sub(r"^http(.*?://[^/]+).*", r"ws\1", address)
    ws = await websockets.connect(f"{root}/_nicegui_ws/socket.io/?{query}", max_size=None)
    return client, {int(number): element for number, element in found.items()}, ws


class Session:
    """One visitor, by the page's own protocol: Engine.IO and Socket.IO frames over a WebSocket."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.times: list[float] = []
        self.faults: list[str] = []
        self._sent: list[float] = []
        self._count = 0

    async def play(self, begin: float, end: float) -> None:
        """Comes at `begin`, plays until `end` (seconds of the loop's clock)."""
        loop = asyncio.get_running_loop()
        await asyncio.sleep(max(0.0, begin - loop.time()))
        self._client, elements, connection = await connect(self.url)
        self._id, view = next((i, e) for i, e in elements.items() if e["tag"] == "nicegui-play_view")
        self._listeners = {event["type"]: event["listener_id"] for event in view["events"]}
        async with connection as ws:
            reader = asyncio.create_task(self._read(ws))
            await ws.send("40")
            await asyncio.sleep(0.5)
            await self._emit(ws, "ready", {"link": "", "stored": ""})
            await asyncio.sleep(0.5)
            while loop.time() < end:
                self._sent.append(loop.time())
                await self._emit(ws, "move", self._count % 4)
                self._count += 1
                await asyncio.sleep(1 / RATE)
            await asyncio.sleep(1.0)
            reader.cancel()
        if self._sent:
            self.faults.append(f"{len(self._sent)} moves without an answer")

    async def _emit(self, ws: Any, event: str, args: object) -> None:
        message = {
            "id": self._id,
            "client_id": self._client,
            "listener_id": self._listeners[event],
            "args": [json.dumps(args)],
        }
        await ws.send("42" + json.dumps(["event", message]))

    async def _read(self, ws: Any) -> None:
        loop = asyncio.get_running_loop()
        async for text in ws:
            if text == "2":
                await ws.send("3")
            elif _ANSWER.search(text):
                if self._sent:
                    self.times.append(loop.time() - self._sent.pop(0))
            elif text.startswith("44") or "notify" in text:
                self.faults.append(text[:200])


def cpu_seconds(process: int) -> float:
    """Seconds of processor time that a process has used (Linux)."""
    with open(f"/proc/{process}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def load(url: str, process: int, sessions: int, seconds: float) -> dict[str, float]:
    """What `sessions` visitors at once see: milliseconds until an answer, faults, and what a move costs."""
    before = cpu_seconds(process)
    loop = asyncio.get_running_loop()
    arrive = sessions / 20  # seconds in which all of them come
    begin = loop.time() + 0.5
    visitors = [Session(url) for _ in range(sessions)]
    tasks = [
        visitor.play(begin + i * arrive / sessions, begin + arrive + seconds)
        for i, visitor in enumerate(visitors)
    ]
    results = await asyncio.gather(*tasks, return_exceptions=True)
    faults = [fault for visitor in visitors for fault in visitor.faults]
    faults += [repr(result) for result in results if isinstance(result, BaseException)]
    times = sorted(1000 * t for visitor in visitors for t in visitor.times)
    if faults:
        print(f"  {faults[0]}", file=sys.stderr)
    return {
        "sessions": sessions,
        "moves": len(times),
        "median_ms": statistics.median(times) if times else float("nan"),
        "p95_ms": times[int(0.95 * len(times))] if times else float("nan"),
        "faults": len(faults),
        # With the pages that are fetched, so it is less for sessions that last.
        "server_cpu_ms_per_move": 1000 * (cpu_seconds(process) - before) / max(1, len(times)),
    }


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--sessions", type=int, nargs="*", default=[50, 100, 200])
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--json", help="write the figures into this file")
    parser.add_argument("--paint", action="store_true", help="the browser's figures only")
    parser.add_argument("--load", action="store_true", help="the load test only")
    given = parser.parse_args()
    figures: dict[str, Any] = {"load_average": os.getloadavg()[0]}
    if not given.load:
        with server() as (url, _):
            figures |= in_browser(url)
        for name, value in figures.items():
            print(f"{name:<26} {value:,.1f}")
    if not given.paint:
        cores = sorted(os.sched_getaffinity(0))
        figures["load"] = []
        with server(cores[0]) as (url, process):
            os.sched_setaffinity(0, {cores[-1]})
            for sessions in given.sessions:
                found = asyncio.run(load(url, process, sessions, given.seconds))
                figures["load"].append(found)
                print("  ".join(f"{name} {value:,.1f}" for name, value in found.items()), flush=True)
    if given.json:
        with open(given.json, "w", encoding="utf-8") as file:
            json.dump(figures, file, indent=1)


if __name__ == "__main__":
    main()
