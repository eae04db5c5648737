"""Endgame tables at the root, measured: how often the next tile is made with and without them.

    python -m benchmarks.studies.endgame TABLES [--start BOARD] [--target T] [--player TEXT] [--games N]

Each game starts from BOARD with two tiles spawned, by the game's own rules (locked tiles may be moved), and ends when a
tile of the target is made or no move is left. Both players meet the same spawns as long as they agree; games that only
one of them won are what decides (McNemar's test, exact binomial). TABLES comes from `twofold exact endgames`.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections.abc import Iterator

from twofold.exact.locked import starts_of_class
from twofold.matches.play import StopGame, play_game
from twofold.players.base import Decision, Player
from twofold.players.registry import make_player
from twofold.rules.board import Board
from twofold.rules.state import Event, Moved
from twofold.rules.variant import Variant

START = "2048 4096 8192 16384|1024 512 256 .|. . . .|. . . ."


def starts(variant: Variant, games: int) -> Iterator[Variant]:
    """`games` positions with two spawned tiles, drawn by their probabilities."""
    boards, chances = zip(*starts_of_class(variant), strict=True)
    for index in range(games):
        (drawn,) = random.Random(index).choices(boards, chances)
        yield Variant(start=drawn, target=variant.target)


def makes(player: Player, variant: Variant, index: int) -> bool:
    """Whether the player makes the target in one game."""
    rank = variant.target_rank
    made = False

    def watch(event: Event, decision: Decision | None) -> None:
        nonlocal made
        if isinstance(event, Moved):
            before = event.before.board
            slide = before.slide(event.direction)
            made = any(m.merged and before.cells[m.source] == rank - 1 for m in slide.motions)
            if made:
                raise StopGame

    play_game(player, variant, seed=1, index=index, on_event=watch)
    return made


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tables")
    parser.add_argument("--start", default=START)
    parser.add_argument("--target", type=int, default=128)
    parser.add_argument("--player", default="ntuple")
    parser.add_argument("--least", default="0.5")
    parser.add_argument("--margin", default="0")
    parser.add_argument("--games", type=int, default=200)
    options = parser.parse_args()
    variant = Variant(start=Board.parse(options.start), target=options.target)
    inner = options.player.replace(":", "(", 1) + ")" if ":" in options.player else options.player
    texts = (
        options.player,
        f"endgame:file={options.tables},then={inner},least={options.least},margin={options.margin}",
    )
    players = [make_player(text) for text in texts]
    won: list[list[bool]] = [[], []]
    used = [0.0, 0.0]
    for index, start in enumerate(starts(variant, options.games)):
        for side, player in enumerate(players):
            begin = time.process_time()
            won[side].append(makes(player, start, index))
            used[side] += time.process_time() - begin
    for side, text in enumerate(texts):
        print(
            f"{text}: {sum(won[side])} of {options.games} made {options.target}, {used[side]:.1f} s processor time"
        )
    only = [sum(a and not b for a, b in zip(*pair, strict=True)) for pair in (won, won[::-1])]
    n, k = sum(only), min(only)
    p = min(1.0, 2 * sum(math.comb(n, i) for i in range(k + 1)) / 2**n)
    print(f"won only without tables {only[0]}, only with {only[1]}: p = {p:.3g}")


if __name__ == "__main__":
    main()
