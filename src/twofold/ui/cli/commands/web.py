"""``twofold web``: the page."""

from __future__ import annotations

from typing import Annotated

import typer

from twofold.ui.cli.commands import options
from twofold.ui.cli.commands.options import flag, option
from twofold.ui.cli.output import EXIT_INTERRUPTED, print_json, print_text


def web(
    host: Annotated[
        str, flag("--host", "Address to listen on; the default can be reached only from this machine.")
    ] = "127.0.0.1",
    port: Annotated[int, option("--port", "N", "Port to listen on.")] = 2048,
    no_open: Annotated[bool, flag("--no-open", "Do not open the browser.")] = False,
    store: Annotated[
        str | None, option("--store", "URL", "Database of experiments, as for 'twofold arena'.", "arena.db")
    ] = None,
    curve: Annotated[
        list[str] | None,
        option("--curve", "FILE", "Learning curve (CSV from 'twofold train') to show; can be repeated."),
    ] = None,
    json: options.Json = False,
    seed: options.UnusedSeed = None,
) -> None:
    """Open the web page: play, watch, analyse, review, experiment and paint in a browser, fully offline.

    Ctrl-C ends it. With --json it prints one object with the address once it is ready.
    """
    from importlib.util import find_spec

    from twofold.arena.store import Store
    from twofold.errors import InvalidParameter
    from twofold.learn.curve import score_curve
    from twofold.ui.web.gate import is_local
    from twofold.ui.web.server import check_address, serve

    if find_spec("nicegui") is None:
        raise InvalidParameter("the web page needs NiceGUI: pip install 'twofold[web]'")
    check_address(host, port)
    for path in curve or ():
        score_curve(path)
    if store is not None:
        Store(store).close()
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{port}/"

    def ready() -> None:
        if json:
            print_json({"url": address})
            return
        print_text(f"twofold is at {address} (Ctrl-C stops it)")
        if not is_local(host):
            print_text("It can be reached from other machines and has no password.")

    try:
        serve(host, port, open_browser=not no_open, store=store, curves=tuple(curve or ()), ready=ready)
    except KeyboardInterrupt:  # its usual end, of which nothing need be said
        raise typer.Exit(EXIT_INTERRUPTED) from None
