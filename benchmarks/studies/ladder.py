"""Plays the ladder, all players on the same seeds, and writes docs/results/ladder.md.

    python -m benchmarks.studies.ladder [--minutes 6] [--games 100] [--jobs 2] [--store URL]
    python -m benchmarks.studies.ladder --stored          # write again what is stored

The time is shared out among the players; slow ones play fewer games, the first ones of the same seed. Stop it at any
time and call it again: it goes on. The games are kept in benchmarks/studies/games.db; after a change of the
default evaluation or of a network that comes with the package it refuses to go on with them: name a new store. Written
are docs/results/ladder.md and its picture. Players' times are of the clock, so measure on an idle machine.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

from benchmarks import history
from benchmarks.studies.games import STORE
from twofold.arena.play import RunProgress
from twofold.arena.seed_tables import table
from twofold.arena.store import Store
from twofold.arena.tables import Shares, play_section, write_table
from twofold.cores import core_count

RESULTS = history.ROOT / "docs" / "results"


def _watch(label: str) -> Callable[[RunProgress], None]:
    told = 0.0
    print(label, flush=True)

    def show(state: RunProgress) -> None:
        nonlocal told
        if state.seconds - told >= 5:
            told = state.seconds
            print(f"  {state.done:,} of {state.games:,} games, {state.seconds:.0f} s", flush=True)

    return show


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=6.0, help="for all players together")
    parser.add_argument("--games", type=int, default=None, help="of each player, at most")
    parser.add_argument("--jobs", type=int, default=core_count())
    parser.add_argument("--store", default=f"sqlite:///{STORE.as_posix()}")
    parser.add_argument("--stored", action="store_true", help="play nothing")
    options = parser.parse_args()
    info = table("ladder")
    section = info.sections[0]
    shares = Shares(60 * options.minutes, len(section.lines))
    with Store(options.store) as store:
        played = play_section(
            store,
            section,
            games=options.games,
            jobs=options.jobs,
            stored_only=options.stored,
            watch=_watch,
            shares=shares,
        )
    for path in write_table(info, [played], str(RESULTS)):
        print(f"wrote {path}")


if __name__ == "__main__":
    main()
