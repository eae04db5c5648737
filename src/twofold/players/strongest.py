"""`strongest`: the best player at about a millisecond a move, with formation tables of its own.

It makes its tables on first use, in the user's cache folder, after saying on standard error how long that takes and how
large they are. Which they are depends on the budget of disk space; with 0 it does without.
"""

from __future__ import annotations

import functools
import sys
import threading
import time
from pathlib import Path

from twofold.cache import cache_folder
from twofold.cores import core_count
from twofold.exact.formation_files import SUFFIX, Progress
from twofold.exact.formation_sets import formations_for, load_set, make_set, missing, set_bytes
from twofold.exact.formation_tables import Advice, FormationTables, fits_tables
from twofold.players.base import Decision, Limit
from twofold.players.batch import BatchRunner
from twofold.players.formation import Formation
from twofold.players.made import BuiltIn
from twofold.players.registry import make_player
from twofold.rules.state import State
from twofold.rules.variant import Variant

OPENING = "expectimax(depth=3,eval=network)"
"""Who plays until then."""

DEEP_NODES, DEEP_CUT = 500_000, 0.001
"""From so many positions a move on, branches less likely than this are valued without search; else 0.003."""

_RATE = 9e6
"""Positions a second and core, about."""

_TELL_SECONDS = 15.0


def strongest_folder() -> Path:
    """Where its tables are kept."""
    return cache_folder() / "formations"


def strongest_text(budget: float, nodes: int) -> str:
    """The player that it is, as text, once its tables are there."""
    file = f"file={strongest_folder()}," if formations_for(budget) else ""
    cut = f",cut={DEEP_CUT}" if nodes >= DEEP_NODES else ""
    return f"formation:{file}opening={OPENING},nodes={nodes}{cut}"


def make_tables(budget: float) -> None:
    """Make the tables of a budget that aren't there yet, telling on standard error what is done."""
    folder = strongest_folder()

    def tell(text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    wanted = formations_for(budget)
    left = missing(folder, wanted, lambda path: tell(f"{path} is from another version: it is made again"))
    if not left:
        return
    size = set_bytes(left)
    minutes = max(1, round(size / _RATE / core_count() / 60))
    tell(
        f"strongest makes its tables, once: {size / 1e9:.2g} GB in {folder}, about {minutes} "
        f"minute{'s' * (minutes > 1)}; strongest:budget=0 does without"
    )
    told = time.monotonic()

    def show(progress: Progress) -> None:
        nonlocal told
        if time.monotonic() - told > _TELL_SECONDS:
            told = time.monotonic()
            share = progress.done / progress.total
            tell(f"{progress.name}: {share:.0%}, about {progress.left:,.0f} s left")

    make_set(folder, left, on_progress=show)


@functools.cache
def _tables(folder: Path) -> FormationTables | None:
    return load_set(folder) if any(folder.glob(f"*{SUFFIX}")) else None


def known_advice(state: State) -> Advice | None:
    """What the tables in the user's cache folder say of a position; None without tables, or where they say nothing."""
    if not state.board.is_open_4x4 or not fits_tables(state.variant):
        return None
    tables = _tables(strongest_folder())
    return tables.advice(state.board) if tables is not None else None


def _made(budget: float, nodes: int) -> Formation:
    made = make_player(strongest_text(budget, nodes))
    assert isinstance(made, Formation)
    return made


class Strongest(BuiltIn):
    """See the module's text.

    budget: GiB of disk space that its tables may take. nodes: positions searched per move, about, after 16384.
    """

    def __init__(self, text: str = "", *, budget: float = 4.0, nodes: int = 500_000) -> None:
        self.limit = Limit(nodes=nodes)
        self._budget, self._nodes = budget, nodes
        self._lock = threading.Lock()
        self._player: Formation | None = None if formations_for(budget) else _made(0, nodes)

    def decide(self, state: State, key: int = 0) -> Decision:
        """The decision of `strongest_text`'s player; `key` is not used. Raises what it raises."""
        return self._ready().decide(state, key)

    def batch(self, variant: Variant) -> BatchRunner | None:
        """Whole games in a compiled loop; the tables are made first."""
        return self._ready().batch(variant)

    def _ready(self) -> Formation:
        with self._lock:
            if self._player is None:
                make_tables(self._budget)
                self._player = _made(self._budget, self._nodes)
            return self._player

    def stop(self) -> None:
        """Ends a running `decide` soon, from another thread."""
        stop = getattr(self._player, "stop", None)
        if stop is not None:
            stop()


__all__ = ["Strongest", "known_advice", "make_tables", "strongest_folder", "strongest_text"]
