"""Who may speak to the page: names that it answers to, pages that may ask it, messages that are read at all.

A browser sends along which site asks (`Origin`, `Sec-Fetch-Site`). Only pages of this server may open its websocket or
read its answers, else any site that a visitor has open could play for him. The name in `Host` must be one that no
stranger can have lead here (DNS rebinding): an address in digits, or a name of this machine.
"""

from __future__ import annotations

import contextlib
import logging
import socket
import sys
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from twofold.errors import quote

_Scope = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
_Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
_App = Callable[[_Scope, _Receive, _Send], Awaitable[None]]


def is_local(host: str) -> bool:
    """True if only programs of this machine can reach the address."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def names_of(host: str) -> frozenset[str]:
    """The names, apart from addresses in digits, that a server which listens at `host` answers to."""
    own = {"localhost", host.casefold()}
    if not is_local(host):
        name = socket.gethostname().casefold()
        own |= {name, f"{name.partition('.')[0]}.local"}
    return frozenset(own)


class Gate:
    """Refuses requests to other names, and those that another site's page makes. An ASGI middleware."""

    def __init__(self, app: _App, *, host: str) -> None:
        self._app = app
        self._names = names_of(host)
        self._local = is_local(host)

    async def __call__(self, scope: _Scope, receive: _Receive, send: _Send) -> None:
        """Passes on what may be asked, and answers the rest: 400 for a wrong name, 403 for a foreign page."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = {key.lower(): value.decode("latin-1") for key, value in scope["headers"]}
        status = self.refusal(headers, scope["path"])
        if not status:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        else:
            plain = [(b"content-type", b"text/plain")]
            await send({"type": "http.response.start", "status": status, "headers": plain})
            await send({"type": "http.response.body", "body": b"this server does not answer that"})

    def refusal(self, headers: dict[bytes, str], path: str) -> int:
        """The status of a request that is refused, else 0. headers: by names in lower case."""
        host = headers.get(b"host", "")
        if not self._is_own(host):
            return 400
        origin = headers.get(b"origin")
        if origin is not None and origin.casefold() not in (f"http://{host}", f"https://{host}"):
            return 403
        # A foreign page may load scripts, without an Origin, and a script is what answers to polling can be written as.
        site = headers.get(b"sec-fetch-site", "none")
        return 403 if "/_nicegui_ws" in path and site not in ("same-origin", "none") else 0

    def _is_own(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        try:
            return ip_address(name).is_loopback or not self._local
        except ValueError:
            return name in self._names


def read_only_whole(sio: Any) -> None:
    """Lets through to NiceGUI only messages of its own form, from the connection of the client that they name.

    What a browser wants written into the server's log is dropped.
    """
    handlers = sio.handlers["/"]
    handlers["log"] = _dropped
    for name in ("event", "javascript_response", "ack"):
        handlers[name] = _checked(sio, handlers[name])
    shake = handlers["handshake"]

    async def handshake(sid: str, data: object = None, *_: object) -> bool:
        fields = ("client_id", "tab_id", "document_id")
        if not isinstance(data, dict) or not all(isinstance(data.get(field), str) for field in fields):
            return False
        return bool(await shake(sid, data))

    handlers["handshake"] = handshake


def _dropped(*_: object) -> None:
    return


def _checked(sio: Any, handler: Callable[[str, Any], None]) -> Callable[..., None]:
    def read(sid: str, message: object = None, *_: object) -> None:
        if not isinstance(message, dict) or message.get("client_id") not in sio.rooms(sid):
            return
        # Faults of our own handlers never get here, NiceGUI tells them itself: what does is no message of its form.
        with contextlib.suppress(KeyError, TypeError, ValueError, AttributeError, RecursionError):
            handler(sid, message)

    return read


class OneLine(logging.Handler):
    """Says what a library logs in one line, each line once and not more than `most` of them."""

    def __init__(self, most: int = 100) -> None:
        super().__init__(logging.ERROR)
        self._most = most
        self._said: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        """Writes the line to the error output."""
        error = record.exc_info[1] if record.exc_info else None
        text = f"{record.name}: {quote(record.getMessage())}"
        text += f" ({type(error).__name__})" if error is not None else ""
        if text not in self._said and len(self._said) < self._most:
            self._said.add(text)
            with contextlib.suppress(OSError, ValueError):
                sys.stderr.write(text + "\n")


def quieten(
    names: Iterable[str] = ("engineio.server", "socketio.server", "asyncio", "uvicorn.error"),
) -> None:
    """What a browser sends must not fill a terminal: libraries say nothing, and NiceGUI each fault in one line."""
    for name in names:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    log = logging.getLogger("nicegui")
    log.setLevel(logging.ERROR)
    log.propagate = False
    log.handlers = [OneLine()]
