"""``twofold arena table``: the tables of the five reports, played and written again."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

from twofold.files import check_new_folder
from twofold.ui.cli.commands import options
from twofold.ui.cli.commands.arena import Jobs, MoreGames, StoreUrl, progress_lines
from twofold.ui.cli.commands.options import argument, flag, option
from twofold.ui.cli.output import print_json, print_text

if TYPE_CHECKING:
    from twofold.arena.play import RunProgress


def table(
    name: Annotated[str, argument("NAME", "s0, s1, s2, s3, s4 or ladder.")],
    games: MoreGames = None,
    section: Annotated[
        int | None, option("--section", "N", "Only this section, counted from 1.", False)
    ] = None,
    minutes: Annotated[
        float | None,
        option(
            "--minutes", "M", "Time to play, shared among the rows; run again to continue.", False, min=0.01
        ),
    ] = None,
    stored: Annotated[bool, flag("--stored", "Play nothing: show what is already stored.")] = False,
    out: Annotated[
        str | None,
        option(
            "--out", "FOLDER", "Write NAME.md and its plots into this folder; NAME-N.md with --section N."
        ),
    ] = None,
    jobs: Jobs = None,
    store: StoreUrl = None,
    json: options.Json = False,
    seed: options.UnusedSeed = None,
) -> None:
    """Reproduce a table of the five reports, or the ladder of all players, beside the published figures."""
    from dataclasses import replace

    from twofold.arena import tables
    from twofold.arena.seed_tables import table as find
    from twofold.arena.store import Store
    from twofold.arena.text import aligned
    from twofold.cores import core_count
    from twofold.errors import InvalidParameter

    info = find(name)
    if section is not None:
        if not 1 <= section <= len(info.sections):
            raise InvalidParameter(f"--section must be from 1 to {len(info.sections)}, not {section}")
        info = replace(info, sections=(info.sections[section - 1],))
    lines = sum(len(each.lines) for each in info.sections)
    if out is not None:
        check_new_folder(out)
    shares = None if minutes is None else tables.Shares(60 * minutes, lines)
    found = []
    with Store(store) as opened:
        for each in info.sections:
            if not json:
                print_text(each.title)
            watch = None if json or stored else _line_watch
            played = tables.play_section(
                opened,
                each,
                games=games,
                jobs=jobs or core_count(),
                stored_only=stored,
                watch=watch,
                shares=shares,
            )
            found.append(played)
            if not json:
                for line in aligned(tables.section_table(each, played)):
                    print_text(line)
    files = tables.write_table(info, found, out, section) if out is not None else []
    if json:
        sections = [tables.section_json(*pair) for pair in zip(info.sections, found, strict=True)]
        print_json({"table": name, "sections": sections, "files": files})
    for path in files if not json else ():
        print_text(path)


def _line_watch(label: str) -> Callable[[RunProgress], None]:
    show = progress_lines()
    print(label, file=sys.stderr, flush=True)
    return show
