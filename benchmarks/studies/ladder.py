"""Plays the ladder, all players on the same seeds, and writes it into docs/results and README.md.

    python -m benchmarks.studies.ladder [--minutes 6] [--games 100] [--jobs 2] [--store URL]
    python -m benchmarks.studies.ladder --stored          # write again what is stored

The time is shared out among the players; slow ones play fewer games, the first ones of the same seed. Stop it at any
time and call it again: it goes on. The games are kept in the arena's store; after a change of the default evaluation or
of a network that comes with the package it refuses to go on with them: name a new store. Written are
docs/results/ladder.md, its picture and, between two comments, the table of README.md. Players' times are of the clock,
so measure on an idle machine.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

from benchmarks import history
from benchmarks.report import README, fill
from twofold.arena.play import RunProgress
from twofold.arena.seed_tables import table
from twofold.arena.store import Store
from twofold.arena.tables import Played, Section, Shares, play_section, section_table, write_table
from twofold.arena.text import markdown
from twofold.cores import core_count

RESULTS = history.ROOT / "docs" / "results"
PICTURE = "docs/results/ladder-1.svg"


def readme_table(section: Section, played: Sequence[Played]) -> str:
    """The players that have played, without the column of labels, and the picture."""
    rows = [row[1:] for row in section_table(section, [each for each in played if each.summary.games])]
    return (
        markdown(rows)
        + f"\n![Mean score of each player over the time it takes for a move, both logarithmic]({PICTURE})\n"
    )


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
    parser.add_argument("--store", default=None)
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
    text = fill(README.read_text("utf-8"), "ladder", readme_table(section, played))
    README.write_text(text, "utf-8", newline="\n")
    print(f"wrote {README}")


if __name__ == "__main__":
    main()
