"""What a search with the shipped network gains for its time: depth, danger, limits, cuts, bounds, endgame tables.

    python -m benchmarks.searching --games 100                   # play what is missing
    python -m benchmarks.searching --games 100 --only "depth 3"  # only players whose names begin so
    python -m benchmarks.searching --games 100 --tables FOLDER   # with the tables of `twofold exact endgames` too
    python -m benchmarks.searching --report                      # docs/results/searching.md

All play the same games (number i of run 2026), so differences are taken pair by pair. docs/results/searching.jsonl gets
a line for every few games, and a run that was stopped goes on. The report is of the network that comes with the
package: lines of others stay, but aren't shown. Time is processor time. Fixed depths, danger and limits by nodes are
played in compiled loops; cuts, bounds, adaptive depth and tables move by move, which costs about 0.1 ms a move on
top.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import history
from twofold.arena.experiment import parse_player
from twofold.arena.statistics import mean_interval, paired_difference, wilson
from twofold.evaluation.learned import read_network, shipped_path
from twofold.evaluation.registry import make_evaluation
from twofold.kernels.bits import U, popcount
from twofold.kernels.board.bitboard import empties
from twofold.kernels.compiling import clone
from twofold.kernels.games import searched
from twofold.matches.many import OVERFLOW, play_many, unpack
from twofold.matches.play import play_game
from twofold.matches.whole import whole_games
from twofold.players.registry import make_player
from twofold.rules.board import Board
from twofold.rules.game import State
from twofold.rules.variant import Variant
from twofold.search.expectimax import Searcher

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "results"
LINES, REPORT = FOLDER / "searching.jsonl", FOLDER / "searching.md"
SEED = 2026
SECONDS = 20.0
"""About how long the games of a line take."""

LEAST_GAMES = 5
_FIRST_STAMP = 1 << 40  # see matches/many.py


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

Columns = tuple[Any, Any, Any]
"""Scores, moves and highest ranks of some games."""

root: Any = None
CELLS = 0


def careful_root(ws, x, score, left, values):  # type: ignore[no-untyped-def]
    """The search of a board one spawn layer deeper where at most CELLS cells are empty."""
    root(ws, x, score, left + np.int64(popcount(empties(x)) <= U(CELLS)), values)


def careful_games(text: str, first: int, count: int, seed: int) -> Columns:
    """Games of `expectimax:depth=…,danger=…,eval=…`, in a compiled loop (tests/players/test_searching.py)."""
    _, values = parse_player(text)
    depth = values["depth"]
    searcher = Searcher(make_evaluation(values["eval"]), table_bits=values["table"])
    searcher.start(State.of(Board.empty(4, 4).with_cell(0, 1)), depth=depth + 1)
    searcher.ready()
    careful = clone(careful_root, {"root": searcher.root_kernel, "CELLS": values["danger"]}, cached=False)
    kernel = clone(searched.searched_games, {"root": careful})
    boards = np.zeros(count, np.uint64)
    score, moves, sums = (np.zeros(count, np.int64) for _ in range(3))
    limit = OVERFLOW - 4 * (depth + 1) - 4
    numbers = (U(Variant().four_threshold), U(seed), U(first), limit, U(_FIRST_STAMP))
    searcher.run(kernel, *searcher.addresses, depth - 1, *numbers, boards, score, moves, sums)
    top = np.array([unpack(int(board)).max_rank for board in boards])
    for i in np.flatnonzero(sums >= limit).tolist():  # a tile may have outgrown its nibble
        score[i], moves[i], top[i] = (column[0] for column in one_by_one(text, first + i, 1, seed))
    return score, moves, top


def one_by_one(text: str, first: int, count: int, seed: int) -> Columns:
    """Games of any player."""
    player = make_player(text)
    games = [play_game(player, None, seed, first + i) for i in range(count)]
    rows = [(game.score, game.moves, game.max_tile.bit_length() - 1) for game in games]
    score, moves, top = (np.array(column) for column in zip(*rows, strict=True))
    return score, moves, top


def loop_of(text: str) -> Callable[[int, int, int], Columns]:
    """The fastest way to play a player's games: (first, count, seed)."""
    name, values = parse_player(text)
    loop = whole_games(text, Variant())
    if loop is not None:

        def whole(first: int, count: int, seed: int) -> Columns:
            found = loop(first, count, seed)
            return found.score, found.moves, found.top

        return whole
    plain = (
        name == "expectimax"
        and values["depth"]
        and not any(values[key] for key in ("adaptive", "cut", "bound"))
    )
    if plain and values["danger"]:
        return lambda first, count, seed: careful_games(text, first, count, seed)
    if plain or name == "ntuple":
        evaluation = make_evaluation("network" if name == "ntuple" else values["eval"])
        depth = 1 if name == "ntuple" else values["depth"]

        def many(first: int, count: int, seed: int) -> Columns:
            found = play_many(evaluation, count, depth=depth, seed=seed, first=first)
            return found.score, found.moves, found.top

        return many
    return lambda first, count, seed: one_by_one(text, first, count, seed)


def network_mark() -> str:
    """What tells the shipped network from others: moves it learned from, and the size of its file."""
    return f"{read_network().origin.get('moves', '?')} moves, {shipped_path().stat().st_size} bytes"


def read(mark: str) -> dict[str, list[dict[str, Any]]]:
    """The lines of each player with that network, in order."""
    found: dict[str, list[dict[str, Any]]] = {}
    if LINES.exists():
        for text in LINES.read_text("utf-8").splitlines():
            line = json.loads(text)
            if line["network"] == mark:
                found.setdefault(line["name"], []).append(line)
    return found


def run(name: str, games: int, tables: str) -> None:
    """Play the games that are missing."""
    mark = network_mark()
    done = sum(len(line["scores"]) for line in read(mark).get(name, ()))
    loop = loop_of(WAYS[name].text.format(tables=tables))
    if done < games:
        loop(1 << 30, 1, SEED)  # compile
    count = 1
    while done < games:
        begin = time.process_time()
        count = min(count, games - done)
        score, moves, top = loop(done, count, SEED)
        spent = time.process_time() - begin
        line = {
            "name": name,
            "network": mark,
            "first": done,
            "scores": score.tolist(),
            "moves": moves.tolist(),
            "tops": top.tolist(),
            "seconds": round(spent, 3),
            "commit": history.commit(),
        }
        with LINES.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(line) + "\n")
        done += count
        count = max(1, min(500, round(count * SECONDS / max(spent, 0.01))))
        print(
            f"{name}: {done} games, {spent / moves.sum() * 1000:.4f} ms a move, mean {score.mean():,.0f}",
            flush=True,
        )


@dataclass(frozen=True)
class Found:
    """All games of a player: scores in order of the games, moves in all, highest ranks, seconds."""

    scores: Any
    moves: int
    tops: Any
    seconds: float

    @property
    def milliseconds(self) -> float:
        """Processor time of a move."""
        return 1000 * self.seconds / self.moves


def gather(lines: list[dict[str, Any]]) -> Found:
    """The lines of a player put together."""
    scores = np.array([score for line in lines for score in line["scores"]])
    tops = np.array([top for line in lines for top in line["tops"]])
    moves = sum(sum(line["moves"]) for line in lines)
    return Found(scores, moves, tops, sum(line["seconds"] for line in lines))


def results() -> dict[str, Found]:
    """What is known of each player with the present network."""
    found = read(network_mark())
    return {name: gather(found[name]) for name in WAYS if name in found}


def row(name: str, found: dict[str, Found]) -> str:
    """One line of the table."""
    way, own = WAYS[name], found[name]
    n = len(own.scores)
    interval = mean_interval(own.scores)
    half = "" if interval is None else f" ± {(interval[1] - interval[0]) / 2:,.0f}"
    shares = []
    for rank in (14, 15):
        low, high = wilson(int((own.tops >= rank).sum()), n)
        shares.append(f"{100 * (own.tops >= rank).mean():.0f} ({100 * low:.0f}–{100 * high:.0f})")
    compared = ""
    if way.beside in found:
        other = found[way.beside]
        pairs = min(n, len(other.scores))
        difference = paired_difference(own.scores[:pairs], other.scores[:pairs])
        if difference.interval is not None:
            low, high = difference.interval
            compared = f"{way.beside}: {difference.mean:+,.0f} ({low:+,.0f} to {high:+,.0f}), {pairs} pairs"
    return (
        f"| {name} | {own.milliseconds:.3g} | {n:,} | {own.scores.mean():,.0f}{half} | {' | '.join(shares)} | "
        f"{compared} |"
    )


def report() -> None:
    """Write the table, from fast to slow, of players with enough games for an interval."""
    found = {name: own for name, own in results().items() if len(own.scores) >= LEAST_GAMES}
    text = [
        "# Search with the network",
        "",
        "Written by `python -m benchmarks.searching --report` from searching.jsonl; not by hand. 95 % intervals;",
        "shares of games with a tile in percent. Milliseconds: processor time on a machine with other work.",
        "*danger k*: one move deeper where at most k cells are empty. *tables*: endgame tables asked at the root",
        "(docs/exact.md). Cuts, bounds, adaptive depth and tables are played move by move, which costs some 0.1 ms",
        "a move that the others don't pay.",
        "",
        "| player | ms a move | games | mean score | 16384 % | 32768 % | difference from |",
        "|---|--:|--:|--:|---|---|---|",
        *(row(name, found) for name in sorted(found, key=lambda name: found[name].milliseconds)),
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
    parser.add_argument("--report", action="store_true")
    options = parser.parse_args()
    for name, way in WAYS.items():
        if options.only and not name.startswith(tuple(options.only)):
            continue
        if "{tables}" not in way.text or options.tables:
            run(name, min(options.games, way.most), options.tables)
    if options.report:
        report()


if __name__ == "__main__":
    main()
