"""What a search with the shipped network gains for its time: depth, danger, limits, cuts, bounds, endgame tables.

    python -m benchmarks.studies.searching --games 100                   # play what is missing
    python -m benchmarks.studies.searching --games 100 --only "depth 3"  # only players whose names begin so
    python -m benchmarks.studies.searching --games 100 --tables FOLDER   # with the tables of `exact endgames`
    python -m benchmarks.studies.searching --report                      # docs/results/searching.md

All play the same games (number i of run 2026), so differences are taken pair by pair. They are kept in
benchmarks/studies/games.db, so a run that was stopped goes on. The report is of the shipped network: games with others
stay, but aren't shown.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import numpy as np

from benchmarks.history import ROOT
from benchmarks.studies import games
from twofold.arena.statistics import paired_difference, wilson
from twofold.arena.summary import PlayerSummary
from twofold.evaluation.learned import read_network, shipped_path
from twofold.players.fingerprint import named_networks

REPORT = ROOT / "docs" / "results" / "searching.md"
SEED = 2026
LEAST_GAMES = 5


@dataclass(frozen=True)
class Way:
    """A player, what its games are compared with pair by pair, and how many games are affordable."""

    text: str
    beside: str = ""
    most: int = 1000


def _search(options: str, beside: str = "", most: int = 1000) -> Way:
    return Way(f"expectimax:{options},eval=network", beside, most)


WAYS = {
    "greedy": Way("ntuple"),
    "depth 2": _search("depth=2", "greedy"),
    "depth 2, danger 2": _search("depth=2,danger=2", "depth 2"),
    "depth 2, danger 4": _search("depth=2,danger=4", "depth 2"),
    "depth 2, danger 6": _search("depth=2,danger=6", "depth 3"),
    "depth 3": _search("depth=3", "depth 2"),
    "depth 3, danger 2": _search("depth=3,danger=2", "depth 3"),
    "depth 3, danger 4": _search("depth=3,danger=4", "depth 3", 200),
    "depth 4": _search("depth=4", "depth 3", 60),
    "nodes 200": _search("nodes=200", "depth 2"),
    "nodes 2000": _search("nodes=2000", "depth 3"),
    "nodes 20000": _search("nodes=20000", "depth 3", 60),
    "depth 3, bound 2000": _search("depth=3,bound=2000", "depth 3"),
    "depth 4, bound 2000": _search("depth=4,bound=2000", "depth 4", 60),
    "depth 5, bound 2000": _search("depth=5,bound=2000", "depth 4", 30),
    "nodes 20000, bound 2000": _search("nodes=20000,bound=2000", "nodes 20000", 60),
    "depth 4, cut 0.01": _search("depth=4,cut=0.01", "depth 3", 60),
    "adaptive, cut 0.01": _search("adaptive=1,cut=0.01", "depth 3", 20),
    "greedy, tables": Way("endgame:file={tables},then=ntuple", "greedy"),
    "greedy, tables, margin 0.05": Way("endgame:file={tables},then=ntuple,margin=0.05", "greedy"),
    "depth 2, tables": Way("endgame:file={tables},then=expectimax(depth=2,eval=network)", "depth 2"),
    "depth 3, tables": Way("endgame:file={tables},then=expectimax(depth=3,eval=network)", "depth 3", 100),
}


def network_mark() -> str:
    """What tells the shipped network from others: moves it learned from, and the size of its file."""
    return f"{read_network().origin.get('moves', '?')} moves {shipped_path().stat().st_size} bytes"


def results() -> dict[str, PlayerSummary]:
    """The games of each player with the shipped network."""
    names = {games.name_of("", name, network_mark()): name for name in WAYS}
    return {names[run]: summary.players[0] for run, summary in games.stored("searching") if run in names}


def row(name: str, found: dict[str, PlayerSummary]) -> str:
    """One line of the table."""
    way, own = WAYS[name], found[name]
    interval = own.mean_score_interval
    half = "" if interval is None else f" ± {(interval[1] - interval[0]) / 2:,.0f}"
    shares = []
    for tile in (16384, 32768):
        low, high = wilson(own.hits(tile), own.games)
        shares.append(f"{100 * own.hits(tile) / own.games:.0f} ({100 * low:.0f}–{100 * high:.0f})")
    compared = ""
    if way.beside in found:
        other = found[way.beside]
        _, mine, theirs = np.intersect1d(own.columns["game"], other.columns["game"], return_indices=True)
        difference = paired_difference(own.scores[mine], other.scores[theirs])
        if difference.interval is not None:
            low, high = difference.interval
            compared = f"{way.beside}: {difference.mean:+,.0f} ({low:+,.0f} to {high:+,.0f}), {difference.pairs} pairs"
    return (
        f"| {name} | {milliseconds(own):.3g} | {own.games:,} | {own.mean_score:,.0f}{half} | {' | '.join(shares)} | "
        f"{compared} |"
    )


def milliseconds(own: PlayerSummary) -> float:
    """Time of a move."""
    return 1000 * own.seconds / own.moves


def report() -> None:
    """Write the table, from fast to slow, of players with enough games for an interval."""
    found = {name: own for name, own in results().items() if own.games >= LEAST_GAMES}
    text = [
        "# Search with the network",
        "",
        "Written by `python -m benchmarks.studies.searching --report` from benchmarks/studies/games.db. Intervals are",
        "95 %; shares of games with a tile are in percent. Times are from a machine with other work: processor time",
        "for whole games in compiled code, clock time for games played move by move. The latter are",
        "those with cuts, bounds, adaptive depth, *danger k* (one move deeper if at most k cells are empty) or",
        "*tables* (endgame tables looked up at the root, docs/guides/exact.md).",
        named_networks(own.player for own in found.values()),
        "",
        "| player | ms a move | games | mean score | 16384 % | 32768 % | difference from |",
        "|---|--:|--:|--:|---|---|---|",
        *(row(name, found) for name in sorted(found, key=lambda name: milliseconds(found[name]))),
        "",
    ]
    REPORT.write_text("\n".join(text), encoding="utf-8")
    print("\n".join(text))


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=0, help="how many each player shall have played")
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME", help="players whose names begin so")
    parser.add_argument("--tables", default="", help="folder of endgame tables")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--report", action="store_true")
    options = parser.parse_args()
    for name, way in WAYS.items():
        if not options.games or (options.only and not name.startswith(tuple(options.only))):
            continue
        if "{tables}" not in way.text or options.tables:
            games.play(
                "searching",
                way.text.format(tables=options.tables),
                min(options.games, way.most),
                seed=SEED,
                what=name,
                mark=network_mark(),
                jobs=options.jobs,
            )
    if options.report:
        report()


if __name__ == "__main__":
    main()
