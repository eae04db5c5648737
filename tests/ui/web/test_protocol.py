"""The page's own protocol spoken by a hostile client: every message is refused in one line, and the game goes on."""

from __future__ import annotations

import asyncio
import json
import re
import time
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.ui.web.conftest import Server

websockets = pytest.importorskip("websockets", reason="comes with the extra web")

MESSAGES: tuple[tuple[str, object], ...] = (
    *(("move", what) for what in (9, -1, "0", None, [0], {"a": 1}, 1e308, True)),
    *(("act", what) for what in ("rm", None, {"a": 1}, ["undo"])),
    *(
        ("ready", what)
        for what in ({"link": 5}, {"link": "x" * 900_000}, {"stored": {"a": 1}}, {"stored": "{" * 9999})
    ),
)
FRAMES = ('42["event",{}]', '42["event",null]', '42["nope",1]', '42["log",{"client_id":"x","level":"x"}]')


def told(heard: list[str]) -> list[str]:
    """The refusals."""
    return [
        shown for text in heard for shown in re.findall(r'"message":("(?:[^"\\]|\\.)*"),"position"', text)
    ]


def has_moved(heard: list[str]) -> bool:
    """Whether a move was answered."""
    return any('\\"kind\\":\\"move\\"' in text for text in heard)


async def speak(url: str) -> list[str]:
    """What the server says to the messages, then to frames that are none, then to a move."""
    with urllib.request.urlopen(url, timeout=120) as answer:
        html = answer.read().decode()
    client = re.findall(r"'client_id': '([0-9a-f-]+)'", html)[0]
    elements = json.loads(re.findall(r"parseElements\(String\.raw`(.*?)`\)", html, re.DOTALL)[0])
    number, view = next((int(i), e) for i, e in elements.items() if e["tag"] == "nicegui-play_view")
    listeners = {event["type"]: event["listener_id"] for event in view["events"]}
    query = (
        f"client_id={client}&next_message_id=0&implicit_handshake=true&document_id={client}&tab_id={client}"
    )
    address = f"{url.replace('http', 'ws')}/_nicegui_ws/socket.io/?{query}&EIO=4&transport=websocket"
    heard: list[str] = []
    async with websockets.connect(address, max_size=None) as ws:

        async def listen() -> None:
            async for text in ws:
                if text == "2":
                    await ws.send("3")
                heard.append(text)

        async def say(event: str, what: object) -> None:
            message = {
                "id": number,
                "client_id": client,
                "listener_id": listeners[event],
                "args": [json.dumps(what)],
            }
            await ws.send("42" + json.dumps(["event", message]))
            await asyncio.sleep(0.1)

        async def until(holds: Callable[[], bool]) -> None:
            end = time.monotonic() + 120
            while not holds() and time.monotonic() < end:
                await asyncio.sleep(0.1)

        listening = asyncio.create_task(listen())
        await ws.send("40")
        await until(lambda: any(text.startswith("40") for text in heard))
        await asyncio.sleep(1)
        for event, what in MESSAGES:
            await say(event, what)
        for frame in FRAMES:
            await ws.send(frame)
        for move in range(4):
            await say("move", move)
        await until(lambda: len(told(heard)) >= len(MESSAGES) and has_moved(heard))
        await asyncio.sleep(1)  # what there may be more than was expected
        listening.cancel()
    return heard


def test_a_hostile_client_gets_refusals_and_nothing_else(server: Server) -> None:
    # In a thread of its own: the browser of other tests keeps a loop in this one.
    with ThreadPoolExecutor(1) as pool:
        heard = pool.submit(lambda: asyncio.run(speak(server.url))).result()
    refusals = told(heard)
    assert len(refusals) == len(MESSAGES)
    for text in refusals:
        assert "Traceback" not in text
        assert "site-packages" not in text
        assert len(text) < 500
    assert has_moved(heard)
