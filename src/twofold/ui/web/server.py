"""Starts the page's server, on this machine alone unless another address is given."""

from __future__ import annotations

import errno
import json
import socket
import sys
import threading
from collections.abc import Awaitable, Callable
from typing import Any

from twofold.errors import InvalidParameter, quote
from twofold.ui.web.gate import Gate, quieten, read_only_whole

DEFAULT_PORT = 2048
MOST_MESSAGE = 1_000_000
"""Bytes of a message from a browser that are read; a larger one ends its connection."""


def check_address(host: str, port: int) -> None:
    """Raises InvalidParameter for an address that can't be listened at."""
    if not 0 < port < 65536:
        raise InvalidParameter(f"--port {port} is not a number from 1 to 65535")
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except (OSError, UnicodeError, OverflowError) as error:
        used = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
        why = "is in use: choose another with --port" if used else "can't be used"
        raise InvalidParameter(f"{quote(f'{host}:{port}')} {why}") from None


def serve(
    host: str = "127.0.0.1",
    port: int = DEFAULT_PORT,
    *,
    open_browser: bool = True,
    store: str | None = None,
    curves: tuple[str, ...] = (),
    ready: Callable[[], None] | None = None,
) -> None:
    """Serve the pages until Ctrl-C. store: the arena's database; curves: files of learning curves to show.

    ready: called once the server listens.
    """
    check_address(host, port)
    from nicegui import app, core, ui

    from twofold.ui.web import experiments, pages

    pages.register()
    experiments.SETTINGS.store, experiments.SETTINGS.curves = store, curves
    _add_style(app)
    _guard(app, host)
    core.sio.eio.max_http_buffer_size = MOST_MESSAGE
    core.sio.eio.cors_allowed_origins = None  # its own pages; by default every site, with credentials
    read_only_whole(core.sio)
    quieten()
    if ready is not None:
        app.on_startup(ready)
    # Threads that play must not keep the one that answers waiting (benchmarks/web.py: moves shown a second).
    sys.setswitchinterval(0.0005)
    threading.Thread(target=_warm_up, daemon=True).start()
    ui.run(
        host=host,
        port=port,
        title="twofold",
        favicon="data:image/svg+xml," + _FAVICON,
        dark=None,
        language="en-US",
        reload=False,
        show=open_browser,
        show_welcome_message=False,
        tailwind=False,
        reconnect_timeout=0.5,
        uvicorn_logging_level="critical",
        binding_refresh_interval=None,
    )


_FAVICON = (
    "%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='6' "
    "fill='%23a8481c'/%3E%3Ctext x='16' y='22' font-size='16' font-weight='700' text-anchor='middle' "
    "font-family='sans-serif' fill='white'%3E2f%3C/text%3E%3C/svg%3E"
)

_MANIFEST = {
    "name": "twofold",
    "short_name": "twofold",
    "start_url": "/",
    "display": "standalone",
    "background_color": "#faf4ea",
    "theme_color": "#a8481c",
    "icons": [{"src": "data:image/svg+xml," + _FAVICON, "sizes": "any", "type": "image/svg+xml"}],
}
"""By which a phone can put the page among its programs."""


def _warm_up() -> None:
    """Has the search of hints compiled, or loaded from the disk, before it is wanted."""
    from twofold.players.registry import make_player
    from twofold.rules.board import Board
    from twofold.rules.state import State
    from twofold.ui.shared.session import HINT_PLAYER

    make_player(HINT_PLAYER).decide(State.of(Board.parse("2 4 8 16|. . . .|. . . .|. . . 2")))


def _guard(app: Any, host: str) -> None:
    """Answers say that nothing is to be loaded from elsewhere; other names and foreign pages get none."""
    from starlette.requests import Request
    from starlette.responses import Response

    @app.middleware("http")  # type: ignore[untyped-decorator]
    async def headers(request: Request, call_next: Callable[[Request], Awaitable[Response]]) -> Response:
        response = await call_next(request)
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["X-Frame-Options"] = "SAMEORIGIN"
        response.headers["Content-Security-Policy"] = (
            "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; connect-src 'self' ws: wss:; "
            "frame-ancestors 'self'; base-uri 'self'; form-action 'self'"
        )
        return response

    app.add_middleware(Gate, host=host)


def _add_style(app: Any) -> None:
    from fastapi import Request, Response
    from nicegui import ui

    from twofold import __version__
    from twofold.ui.web.layout import missing_page, style_css, tiles_css

    path, css = f"/twofold-{__version__}.css", style_css() + tiles_css()
    app.add_api_route(
        path,
        lambda: Response(css, media_type="text/css", headers={"Cache-Control": "no-cache"}),
        methods=["GET"],
    )
    app.add_api_route(
        "/app.webmanifest",
        lambda: Response(json.dumps(_MANIFEST), media_type="application/manifest+json"),
        methods=["GET"],
    )

    @app.exception_handler(404)  # type: ignore[untyped-decorator]
    async def missing(request: Request, exception: Exception) -> Response:
        return Response(missing_page(path), status_code=404, media_type="text/html")

    ui.add_head_html(
        f'<link rel="stylesheet" href="{path}"><link rel="manifest" href="/app.webmanifest">'
        '<meta name="theme-color" content="#a8481c"><meta name="description" content="The game 2048, played">',
        shared=True,
    )
