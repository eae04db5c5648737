"""Play seeded games of a player and keep one line a game; resumable, and more jobs may join while it runs.

    python benchmarks/strength.py "expectimax:nodes=1000000,cut=0.0001" --games 100 --jobs 2
    python benchmarks/strength.py "expectimax:nodes=1000000,cut=0.0001" --games 100 --until-target
    python benchmarks/strength.py "expectimax:nodes=600000,eval=network,cut=3e-05,bound=2000" --games 20
    python benchmarks/strength.py --report

Results go to benchmarks/strength/NAME.jsonl, one JSON object a game; the report is written to
docs/results/strength.md and, between two comments, to README.md. Game i of a run with seed s is the same game wherever
it is played.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import os
import re
import subprocess
from pathlib import Path
from typing import Any

from twofold.arena.statistics import mean_interval, wilson

HERE = Path(__file__).parent
RESULTS = HERE / "strength"
REPORT = HERE.parent / "docs" / "results" / "strength.md"
README = HERE.parent / "README.md"
_BETWEEN = re.compile(r"(<!-- strength: begin.*? -->\n).*?(<!-- strength: end -->)", re.DOTALL)
LEAST_GAMES = 3
"""Fewer show no interval."""
TILES = (2048, 8192, 16384, 32768, 65536)


def file_of(player: str, until_target: bool = False) -> Path:
    """Where a player's games are kept; those that end at 2048 in a file of their own."""
    folder = RESULTS / "until-2048" if until_target else RESULTS
    folder.mkdir(parents=True, exist_ok=True)
    return folder / (re.sub(r"[^A-Za-z0-9.=-]+", "_", player).strip("_") + ".jsonl")


def read(path: Path) -> list[dict[str, Any]]:
    """The games so far; a line cut short by a crash is left out."""
    games: dict[int, dict[str, Any]] = {}
    if path.exists():
        for line in path.read_text("utf-8").splitlines():
            with contextlib.suppress(json.JSONDecodeError):
                game = json.loads(line)
                games[game["index"]] = game
    return [games[index] for index in sorted(games)]


def commit() -> str:
    """The commit that plays."""
    done = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False, cwd=HERE
    )
    return done.stdout.strip()


def claim(path: Path, index: int) -> bool:
    """Whether this process is the first to take up game `index`."""
    try:
        os.close(os.open(f"{path}.{index}.lock", os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return False
    return True


def work(player_text: str, seed: int, games: int, until_target: bool) -> None:
    """Play games nobody has taken up yet, in order."""
    from twofold.matches.play import play_game
    from twofold.players.registry import make_player

    player = make_player(player_text)
    path, at = file_of(player.text, until_target), commit()
    done = {game["index"] for game in read(path)}
    for index in range(games):
        if index in done or not claim(path, index):
            continue
        try:
            result = play_game(player, None, seed, index, stop_at_target=until_target)
        finally:
            os.unlink(f"{path}.{index}.lock")
        line = {
            "player": result.player,
            "seed": seed,
            "index": index,
            "score": result.score,
            "max_tile": result.max_tile,
            "moves": result.moves,
            "seconds": round(result.seconds, 2),
            "nodes": result.nodes,
            "commit": at,
        }
        with path.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(line) + "\n")
        print(index, result.score, result.max_tile, flush=True)


def row(games: list[dict[str, Any]]) -> str:
    """One line of the report's table."""
    n = len(games)
    scores = [game["score"] for game in games]
    mean = sum(scores) / n
    rates = []
    for tile in TILES:
        hits = sum(game["max_tile"] >= tile for game in games)
        low, high = wilson(hits, n)
        rates.append(f"{100 * hits / n:.1f} ({max(0.0, 100 * low):.0f}–{100 * high:.0f})")
    moves = sum(game["moves"] for game in games)
    pace = moves / max(1e-9, sum(game["seconds"] for game in games))
    interval = mean_interval(scores) if n >= LEAST_GAMES else None
    half = f" ± {(interval[1] - interval[0]) / 2:,.0f}" if interval else ""
    return (
        f"| `{games[0]['player']}` | {n} | {mean:,.0f}{half} | "
        + " | ".join(rates)
        + f" | {sum(game['nodes'] for game in games) / moves:,.0f} | {pace:,.0f} | {games[-1]['commit']} |"
    )


def report() -> str:
    """The table over all players measured so far, best mean first."""
    found = [read(path) for path in sorted(RESULTS.glob("*.jsonl"))]
    found = sorted(
        (games for games in found if games), key=lambda games: -sum(g["score"] for g in games) / len(games)
    )
    head = "| player | games | mean score, 95 % | " + " | ".join(f"{tile} %" for tile in TILES)
    head += " | nodes/move | moves/s | commit |\n|---|---|---|" + "---|" * len(TILES) + "---|---|---|\n"
    return (
        "# Strength\n\nWritten by `python benchmarks/strength.py --report`. Classic game; tile rates with Wilson 95 % "
        "intervals; moves per second on one core of the machine that played, which was busy with other work.\n\n"
        + head
        + "\n".join(map(row, found))
        + "\n"
        + "".join(map(until_target, sorted((RESULTS / "until-2048").glob("*.jsonl"))))
    )


def until_target(path: Path) -> str:
    """A sentence on games that were ended at 2048."""
    games = read(path)
    won = sum(game["max_tile"] >= 2048 for game in games)
    low, high = wilson(won, len(games))
    moves = sum(game["moves"] for game in games) / len(games)
    return (
        f"\n`{games[0]['player']}` made 2048 in {won} of {len(games)} games ended there "
        f"({100 * low:.1f}–{100 * high:.1f} %), after {moves:,.0f} moves on average.\n"
    )


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("player", nargs="?")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=2048)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--until-target", action="store_true", help="end each game at 2048")
    parser.add_argument("--report", action="store_true")
    options = parser.parse_args()
    RESULTS.mkdir(exist_ok=True)
    if options.player:
        tasks = [
            multiprocessing.Process(
                target=work, args=(options.player, options.seed, options.games, options.until_target)
            )
            for _ in range(options.jobs)
        ]
        for task in tasks:
            task.start()
        for task in tasks:
            task.join()
    if options.report or options.player:
        REPORT.parent.mkdir(parents=True, exist_ok=True)
        text = report()
        REPORT.write_text(text, encoding="utf-8")
        table = text.split("\n\n", 2)[2]
        page = README.read_text("utf-8")
        README.write_text(_BETWEEN.sub(lambda found: found[1] + table + found[2], page), encoding="utf-8")


if __name__ == "__main__":
    main()
