"""``twofold exact formations``: tables of the crowded end of long games."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, Annotated

import typer

from twofold.ui.cli.commands import options
from twofold.ui.cli.commands.options import argument
from twofold.ui.cli.output import Interrupted, print_json, print_text, run_interruptibly
from twofold.ui.cli.progress import StatusLine

if TYPE_CHECKING:
    from twofold.exact.formation_files import Progress


def formations(
    folder: Annotated[str, argument("FOLDER", "Folder for the tables.")],
    budget: Annotated[
        float, typer.Option("--budget", help="Disk space for all tables together, in GiB.", metavar="GiB")
    ] = 4.0,
    threads: Annotated[
        int, typer.Option("--threads", help="Threads; 0: all cores.", metavar="N", min=0, max=256)
    ] = 0,
    json: options.Json = False,
    seed: options.UnusedSeed = None,
) -> None:
    """Make formation tables for crowded positions of long games: the best set for a budget of disk space.

    Existing tables are kept: the same command continues a stopped run.
    """
    from twofold.errors import InvalidParameter
    from twofold.exact.formation_sets import formations_for, make_set, missing, set_bytes
    from twofold.files import check_new_folder

    check_new_folder(folder)
    wanted = formations_for(budget)
    if not wanted:
        raise InvalidParameter(f"a budget of {budget:g} GiB is too small for tables: give 1 or more")
    left = missing(
        folder,
        wanted,
        lambda path: print(f"{path} is from another version: it is made again", file=sys.stderr),
    )
    stop = threading.Event()
    with StatusLine() as line:

        def tell(progress: Progress) -> None:
            line.tell(lambda: _text(progress))

        try:
            run_interruptibly(
                lambda: make_set(folder, left, threads=threads, stop=stop, on_progress=tell), stop.set
            )
        except Interrupted:
            print(f"stopped: the same command continues from {folder}", file=sys.stderr)
            raise
    answer = {
        "folder": folder,
        "tables": [each.name for each in wanted],
        "made": [each.name for each in left],
        "bytes": set_bytes(wanted),
    }
    if json:
        print_json(answer)
    else:
        print_text(f"{folder}: {len(wanted)} tables, {answer['bytes']:,} bytes; {len(left)} of them made now")


def _text(progress: Progress) -> str:
    return (
        f"{progress.name}: {progress.done:,} of {progress.total:,} positions, "
        f"{progress.rate / 1e6:.1f} million a second, about {progress.left:,.0f} s left"
    )
