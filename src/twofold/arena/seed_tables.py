"""The tables of the five reports S0 to S4 and the ladder of all players, from twofold/data/tables.toml."""

from __future__ import annotations

import functools
import tomllib
from importlib.resources import files
from typing import Any

from twofold.arena.tables import Line, Section, TableInfo
from twofold.errors import InvalidParameter, did_you_mean, quote


@functools.cache
def tables() -> dict[str, TableInfo]:
    """All tables by name. Nothing is played."""
    text = files("twofold").joinpath("data", "tables.toml").read_text("utf-8")
    return {name: _table(name, facts) for name, facts in tomllib.loads(text).items()}


def table(name: str) -> TableInfo:
    """The table called `name`; raises InvalidParameter with those that there are."""
    known = tables()
    if name not in known:
        raise InvalidParameter(f"no table {quote(name)}: {', '.join(known)}{did_you_mean(name, known)}")
    return known[name]


def _table(name: str, facts: dict[str, Any]) -> TableInfo:
    sections = tuple(_section(**each) for each in facts["sections"])
    return TableInfo(name, facts["title"], facts.get("text", "").strip(), sections)


def _section(
    columns: list[str],
    lines: tuple[dict[str, Any], ...] = (),
    players: tuple[str, ...] = (),
    pairs: tuple[list[int], ...] = (),
    text: str = "",
    **others: Any,
) -> Section:
    """lines: as in the file; or `players`, each called by its text."""
    found = [*(Line(**each) for each in lines), *(Line(player, player) for player in players)]
    both = tuple((first, second) for first, second in pairs)
    return Section(lines=tuple(found), columns=tuple(columns), pairs=both, text=text.strip(), **others)
