"""Pages of other sites, other names for this machine, messages that are none: only the server's own pages are heard."""

from __future__ import annotations

import asyncio
import http.client
import json
import re
import threading
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.ui.web.conftest import Server
from twofold.ui.web.gate import Gate

websockets = pytest.importorskip("websockets", reason="comes with the extra web")

SOCKET = "/_nicegui_ws/socket.io/?EIO=4&transport="

FOREIGN = """<!doctype html><title>another site</title><script>
const server = location.hash.slice(1);
async function attempts() {
  const found = {};
  found.socket = await new Promise(done => {
    const socket = new WebSocket(server.replace("http", "ws") + "SOCKETwebsocket");
    socket.onmessage = message => done(message.data);
    socket.onerror = socket.onclose = () => done(null);
  });
  for (const credentials of ["include", "omit"])
    found["polling " + credentials] =
      await fetch(server + "SOCKETpolling", {credentials}).then(answer => answer.text(), () => null);
  found.page = await fetch(server + "/").then(answer => answer.text(), () => null);
  found.script = await new Promise(done => {
    window.___eio = [data => done(data)];
    const script = document.createElement("script");
    script.src = server + "SOCKETpolling&j=0";
    script.onerror = () => done(null);
    script.onload = () => setTimeout(() => done(null), 100);
    document.head.append(script);
  });
  found.frame = await new Promise(done => {
    const frame = document.createElement("iframe");
    frame.onload = () => {
      try { done(frame.contentDocument && frame.contentDocument.body.innerHTML); } catch { done(null); }
    };
    frame.src = server + "/";
    document.body.append(frame);
  });
  return found;
}
</script><body>""".replace("SOCKET", SOCKET)


@pytest.fixture
def foreign_site(tmp_path: Path) -> Iterator[str]:
    """Another site: another port is another origin."""
    (tmp_path / "index.html").write_text(FOREIGN)

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path))) as site:
        threading.Thread(target=site.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{site.server_address[1]}"
        site.shutdown()


def test_a_foreign_page_reads_and_moves_nothing(browser: Any, server: Server, foreign_site: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{foreign_site}/#{server.url}")
    found = page.evaluate("attempts()")
    context.close()
    assert found == dict.fromkeys(
        ["socket", "polling include", "polling omit", "page", "script", "frame"]
    )  # nothing was read in any way


@pytest.mark.parametrize("transport", ["polling", "websocket"])
@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1", "http://localhost"])
def test_a_foreign_origin_is_refused(server: Server, origin: str, transport: str) -> None:
    headers = {"Origin": origin}
    if transport == "websocket":
        headers |= {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
        headers |= {"Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA=="}
    status, sent = asked(server, SOCKET + transport, headers)
    assert status == 403
    assert "access-control-allow-origin" not in sent


def test_its_own_origin_is_answered(server: Server) -> None:
    assert asked(server, SOCKET + "polling", {"Origin": server.url})[0] == 200
    assert asked(server, "/", {})[0] == 200


def asked(server: Server, path: str, headers: dict[str, str]) -> tuple[int, dict[str, str]]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}


async def _nothing(*_: object) -> None:
    return


def status_of(host: str, name: str, origin: str | None = None) -> int:
    """What a server that listens at `host` answers when it is called by `name`; 0 for the page."""
    headers = {b"host": name} | ({b"origin": origin} if origin is not None else {})
    return Gate(_nothing, host=host).refusal(headers, "/")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "0.0.0.0", "::", "192.168.1.5"])
def test_no_binding_answers_to_a_strangers_name(host: str) -> None:
    for name in ("evil.com", "evil.com:2048", "localhost.evil.com", "127.0.0.1.evil.com", "", "[", "a@b"):
        assert status_of(host, name) == 400
    for name in ("127.0.0.1:2048", "localhost:2048", "LOCALHOST", "[::1]:2048"):
        assert status_of(host, name) == 0


def test_only_an_open_binding_answers_to_other_addresses() -> None:
    assert status_of("127.0.0.1", "192.168.1.5:2048") == 400
    assert status_of("0.0.0.0", "192.168.1.5:2048") == 0
    assert status_of("0.0.0.0", "192.168.1.5", origin="http://192.168.1.5") == 0
    assert status_of("0.0.0.0", "192.168.1.5", origin="http://192.168.1.6") == 403


async def conversation(url: str, frames: Callable[[str], list[str]]) -> None:
    """A connection of its own client that sends frames of its own making."""
    with urllib.request.urlopen(url, timeout=120) as answer:
        client = re.findall(r"'client_id': '([0-9a-f-]+)'", answer.read().decode())[0]
    query = (
        f"client_id={client}&next_message_id=0&implicit_handshake=true&document_id={client}&tab_id={client}"
    )
    address = f"{url.replace('http', 'ws')}/_nicegui_ws/socket.io/?{query}&EIO=4&transport=websocket"
    async with websockets.connect(address, max_size=None) as ws:
        await ws.send("40")
        heard = ""
        while not heard.startswith("40"):
            heard = await ws.recv()
        for frame in frames(client):
            await ws.send(frame)
        await ws.send('420["ack",{}]')  # answered when all before it has been read
        while not heard.startswith("430"):
            heard = await ws.recv()


def frames(client: str) -> list[str]:
    own = [{"client_id": client, **more} for more in ({}, {"id": "x"}, {"id": 4}, {"id": [1], "args": 5})]
    messages: list[object] = [None, 7, [], {}, {"id": 1}, {"client_id": []}, {"client_id": "other"}, *own]
    messages.append({"client_id": client, "level": "error", "message": "\x1b[31mRED\x07\x1b]0;title\x07"})
    names = ("event", "javascript_response", "ack", "log", "handshake", "no such name")
    said = ["42" + json.dumps([name, message]) for name in names for message in messages]
    return [*(said * 10), *('42["event"]', "42[]", "42{}", "429", "4", '42["log"')]


def test_messages_of_no_form_leave_nothing_in_the_terminal(server: Server) -> None:
    before = len(server.log.read_bytes())
    with ThreadPoolExecutor(1) as pool:
        pool.submit(lambda: asyncio.run(conversation(server.url, frames))).result()
    written = server.log.read_bytes()[before:].decode()
    assert "Traceback" not in written
    assert "\x1b" not in written
    assert written.count("\n") <= 3
