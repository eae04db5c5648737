"""Reviews of games by players of known strength: accuracy, grades, luck and losses, for docs/results/coach.md.

Run: `python -m benchmarks.coach --games 500 --long 50`. Games are kept in coach.jsonl beside the report, so that a run
that was broken off goes on; all players' first games come first. It takes about 45 minutes of one core. `--pace` only
prints how long a review of 15,000 moves takes.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from pathlib import Path

from twofold.coach.reviewing import GRADES, review
from twofold.matches.play import move_key, new_game
from twofold.players.fingerprint import named_networks
from twofold.players.registry import make_player
from twofold.rules.game import Game

RESULTS = Path(__file__).resolve().parent.parent / "docs" / "results"
PLAYERS = {
    "random": False,
    "greedy": False,
    "expectimax:depth=1,eval=network": True,
    "expectimax:depth=2,eval=network": True,
    "expectimax:depth=3,eval=network": True,
}
"""Players of the ladder, and whether their games are long."""

SEED = 2026


def _played(player: str, index: int, most: float = math.inf) -> Game:
    chooser, game = make_player(player), new_game(seed=SEED, index=index)
    while not game.is_over and game.moves < most:
        move = chooser.decide(game.state, move_key(game)).move
        assert move is not None
        game.move(move)
    return game


def pace() -> None:
    """Prints the processor time of reviews of 15,000 moves, for moves of long games and of short ones."""
    for player, most in (("ntuple", 3000), ("greedy", 1000)):
        game = _played(player, 0, most)
        review(game)  # compiles
        begin = time.process_time()
        review(game)
        print(f"{player}: {15_000 * (time.process_time() - begin) / game.moves:.1f} s for 15,000 moves")


def measure(player: str, index: int) -> dict[str, object]:
    """One game played and reviewed."""
    game = _played(player, index)
    begin = time.process_time()
    found = review(game)
    return {
        "player": player,
        "index": index,
        "score": game.score,
        "moves": game.moves,
        "accuracy": found.accuracy,
        "start_value": found.start_value,
        "luck": found.luck,
        "loss": found.loss,
        "percentile": found.percentile,
        "seconds": time.process_time() - begin,
        **{grade: found.count(grade) for grade in GRADES},
    }


def read(path: Path) -> list[dict[str, float]]:
    """The games measured so far."""
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def _mean(values: list[float]) -> str:
    mean = math.fsum(values) / len(values)
    spread = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / max(1, len(values) - 1))
    digits = 1 if abs(mean) < 1000 else 0
    return f"{mean:,.{digits}f} ± {1.96 * spread / math.sqrt(len(values)):,.{digits}f}"


def report(rows: list[dict[str, float]]) -> str:
    """The page of results."""
    out = [
        "# Reviews of games by players of known strength",
        "",
        "Written by `python -m benchmarks.coach --games 500 --long 50`. Every game is reviewed with the default",
        "settings, three moves deep with the shipped network; means have 95 % intervals. Grades are shares of moves;",
        "ms a move is processor time of the review. An interrupted run can be continued; `games` counts whole games.",
        named_networks(["ntuple"]),
        "",
        f"| player | games | score | accuracy | luck | loss | start value | {' | '.join(GRADES)} | ms a move |",
        "|---|---|---|---|---|---|---|" + "---|" * (len(GRADES) + 1),
    ]
    for player in PLAYERS:
        mine = [row for row in rows if row["player"] == player]
        if not mine:
            continue
        moves = sum(row["moves"] for row in mine)
        columns = [
            _mean([row[name] for row in mine])
            for name in ("score", "accuracy", "luck", "loss", "start_value")
        ]
        grades = [f"{sum(row[grade] for row in mine) / moves:.2%}" for grade in GRADES]
        pace = f"{1000 * sum(row['seconds'] for row in mine) / moves:.1f}"
        out.append(f"| `{player}` | {len(mine)} | {' | '.join([*columns, *grades, pace])} |")
    return "\n".join(out) + "\n"


def main() -> None:
    """Measures what is missing, and writes the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--long", type=int, default=10, help="games of the players whose games are long")
    parser.add_argument("--report", action="store_true", help="only write the report")
    parser.add_argument(
        "--pace", action="store_true", help="only print how long a review of 15,000 moves takes"
    )
    wanted = parser.parse_args()
    if wanted.pace:
        pace()
        return
    path = RESULTS / "coach.jsonl"
    if not wanted.report:
        done = {(row["player"], row["index"]) for row in read(path)}
        for index in range(max(wanted.games, wanted.long)):
            for player, is_long in PLAYERS.items():
                if index < (wanted.long if is_long else wanted.games) and (player, index) not in done:
                    with path.open("a") as stream:
                        stream.write(json.dumps(measure(player, index)) + "\n")
    (RESULTS / "coach.md").write_text(report(read(path)))


if __name__ == "__main__":
    main()
