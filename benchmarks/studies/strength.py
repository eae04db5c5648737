"""Play seeded games of a player that thinks long; resumable, and more processes may join while it runs.

    python -m benchmarks.studies.strength "expectimax:nodes=1000000,cut=0.0001" --games 100 --jobs 2
    python -m benchmarks.studies.strength "expectimax:nodes=1000000,cut=0.0001" --games 100 --until-target
    python -m benchmarks.studies.strength "expectimax:nodes=600000,eval=network,cut=3e-05,bound=2000" --games 20
    python -m benchmarks.studies.strength --speed                # of the named players
    python -m benchmarks.studies.strength --report

The games are kept in benchmarks/studies/games.db; the report is docs/results/strength.md. Of the games of
`eval=default-0` that ended at 2048 only tiles and moves were kept. Speeds of named players are in
benchmarks/history.jsonl, and all pages show these; those of other players are their stored games'.
"""

from __future__ import annotations

import argparse
import time

from benchmarks import history
from benchmarks.history import ROOT
from benchmarks.report import fill
from benchmarks.studies import games
from twofold.arena.statistics import wilson
from twofold.arena.summary import PlayerSummary, Summary
from twofold.matches.games import play_games
from twofold.players.defaults import default_texts
from twofold.players.fingerprint import fingerprint, named_networks

REPORT, GUIDE = ROOT / "docs" / "results" / "strength.md", ROOT / "docs" / "guides" / "formations.md"
LEAST_GAMES = 3
"""Fewer show no interval."""
TILES = (2048, 8192, 16384, 32768, 65536)
SPEEDS = {
    default_texts()[0]: "default_moves_per_second",
    "strongest": "strongest_moves_per_second",
    "strongest:nodes=20000": "strongest_20000_moves_per_second",
}
"""The named players, and their figures in benchmarks/history.jsonl."""
SPEED_GAMES, SPEED_SEED = 3, 2026


def players(*, until_target: bool = False) -> list[Summary]:
    """The runs of this study: of whole games, the best mean first, or of those that ended at 2048.

    Of players with a network or tables only those with what is shipped: the fingerprint is in the run's name.
    """
    found = [
        run
        for name, run in games.stored("strength")
        if run.run.experiment.stop_at_target == until_target
        and (not _shipped(name) or name.endswith(fingerprint(run.players[0].player)[:8]))
    ]
    return sorted(found, key=lambda run: -(run.players[0].mean_score or 0.0))


def measured_speed(player: str) -> float:
    """Moves a second of processor time in the first whole games of a seed, once all is compiled."""
    play_games(player, 1, "4x4;target=16", seed=SPEED_SEED, stop_at_target=True)
    begin = time.process_time()
    moves = play_games(player, SPEED_GAMES, seed=SPEED_SEED).moves.sum()
    return float(f"{moves / (time.process_time() - begin):.4g}")


def speed(own: PlayerSummary) -> float:
    """Moves a second of a player: the newest that was measured alone, else that of its stored games."""
    found = history.latest().get(SPEEDS.get(own.player, ""))
    return found[0] if found else own.moves_per_second or 0.0


def _shipped(name: str) -> bool:
    """Whether a run's player uses what is shipped or made: a network, or the tables of `strongest`."""
    return "network" in name or name.startswith("strongest")


def row(run: Summary) -> str:
    """One line of the report's table."""
    own = run.players[0]
    rates = []
    for tile in TILES:
        low, high = wilson(own.hits(tile), own.games)
        rates.append(f"{100 * own.hits(tile) / own.games:.1f} ({max(0.0, 100 * low):.0f}–{100 * high:.0f})")
    nodes = own.per_move("nodes")
    interval = own.mean_score_interval if own.games >= LEAST_GAMES else None
    half = f" ± {(interval[1] - interval[0]) / 2:,.0f}" if interval else ""
    return (
        f"| `{own.player}` | {own.games} | {own.mean_score:,.0f}{half} | {' | '.join(rates)} | "
        f"{'–' if nodes is None else f'{nodes:,.0f}'} | {speed(own):,.0f} | {', '.join(run.versions)} |"
    )


def until_target(own: PlayerSummary) -> str:
    """A sentence on games that were ended at 2048."""
    won = own.hits(2048)
    low, high = wilson(won, own.games)
    return (
        f"\n`{own.player}` made 2048 in {won} of {own.games} games that ended there "
        f"({100 * low:.1f}–{100 * high:.1f} %), after {own.moves / own.games:,.0f} moves on average.\n"
    )


def table(runs: list[Summary]) -> str:
    """A row for each run."""
    head = "| player | games | mean score, 95 % | " + " | ".join(f"{tile} %" for tile in TILES)
    head += (
        " | nodes/move | moves/s | version or commit |\n|---|---|---|"
        + "---|" * len(TILES)
        + "---|---|---|\n"
    )
    return head + "\n".join(map(row, runs)) + "\n"


def report() -> None:
    """Write the table of all players, and that of `strongest` in its guide."""
    runs = players()
    ended = sorted((run.players[0] for run in players(until_target=True)), key=lambda own: len(own.player))
    networks = named_networks(run.players[0].player for run in runs)
    head = (
        "# Strength\n\nWritten by `python -m benchmarks.studies.strength --report`. Classic game; tile rates with "
        "Wilson 95 % intervals. Moves per second are on one core: of `default` and `strongest` those of three "
        f"games by `--speed`, of the others those of all their games, beside other work. {networks}\n\n"
    )
    REPORT.write_text(head + table(runs) + "".join(map(until_target, ended)), encoding="utf-8")
    strongest = table([run for run in runs if run.players[0].player.startswith("strongest")])
    GUIDE.write_text(fill(GUIDE.read_text("utf-8"), "strongest", strongest), encoding="utf-8")


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
    parser.add_argument("--speed", action="store_true", help="measure the named players' speeds")
    parser.add_argument("--report", action="store_true")
    options = parser.parse_args()
    if options.player:
        games.play(
            "strength",
            options.player,
            options.games,
            seed=options.seed,
            jobs=options.jobs,
            stop_at_target=options.until_target,
        )
    if options.speed:
        history.append({name: measured_speed(player) for player, name in SPEEDS.items()})
    if options.report or options.player or options.speed:
        report()


if __name__ == "__main__":
    main()
