"""What a network makes of boards with the largest tile of its tables, which its own games hardly ever reach.

    python -m benchmarks.studies.beyond                       # the network that comes with the package
    python -m benchmarks.studies.beyond --file a.net b.net    # others, on the same boards
    python -m benchmarks.studies.beyond --players "expectimax:depth=3,eval=network" --boards 120     # who makes 32768

The boards: those of greedy games of the shipped network whose tiles add up to 17,408 for the first time and are a 16384
and smaller ones by then, and the same boards with a 32768 in its place. From each a game is played on, greedily and two
moves deep; shown is the mean of the points made from there, with its 95 % interval.

With `--players`: boards of games three moves deep whose tiles have just come to 28,672, with 16384 as the largest, and
the share of them from which each player makes 32768, in the crowded moment in which most games end.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from twofold.arena.statistics import mean_interval, wilson
from twofold.evaluation.compiled import pack, unpack
from twofold.evaluation.learned import from_network, read_network
from twofold.evaluation.network import Network
from twofold.kernels.bits import U
from twofold.kernels.board.bitboard import GAMMA, stream_key
from twofold.kernels.board.steps import first_state
from twofold.kernels.compiling import clone, helper
from twofold.kernels.games import searched
from twofold.players.registry import make_player
from twofold.rules.board import Board
from twofold.rules.game import Game
from twofold.rules.state import State
from twofold.rules.variant import Variant
from twofold.search.expectimax import Searcher
from twofold.search.loops import OVERFLOW

RANK = 14
ENOUGH = (1 << RANK) + 1024
CROWDED = (1 << RANK) + (1 << (RANK - 1)) + (1 << (RANK - 2))
CROWDED_GAMES = 260

Words = NDArray[np.uint64]


def play(
    network: Network, depth: int, begin: Callable[..., object], games: int, seed: int, limit: int
) -> tuple[Words, NDArray[np.int64]]:
    """The last boards of `games` games that begin as `begin` says, and the points made."""
    searcher = Searcher(from_network(network))
    searcher.start(State.of(Board.empty(4, 4).with_cell(0, 1)), depth=depth)
    searcher.ready()
    kernel = clone(
        searched.searched_games, {"root": searcher.root_kernel, "first_state": begin}, cached=False
    )
    boards = np.zeros(games, np.uint64)
    score, moves, sums = (np.zeros(games, np.int64) for _ in range(3))
    numbers = (U(Variant().four_threshold), 0, U(seed), U(0), limit, U(0))
    searcher.run(kernel, *searcher.addresses, depth - 1, *numbers, boards, score, moves, sums)
    return boards, score


def beginning_at(boards: list[Board]) -> Callable[..., object]:
    """Game i begins at the i-th of the boards."""
    words = np.array([pack(board) for board in boards], np.uint64)
    sums = np.array([board.tile_sum for board in boards], np.int64)

    @helper
    def begin(seed, game, four):  # type: ignore[no-untyped-def]
        return words[game], stream_key(seed, game, U(0)) + GAMMA, sums[game]

    return begin


def share_table(players: list[str], most: int) -> None:
    """Print the share of the crowded boards from which each player makes a tile of the next rank."""
    reached, _ = play(read_network(), 3, first_state, CROWDED_GAMES, 77, CROWDED)
    found = [board for board in map(unpack, reached.tolist()) if board.tile_sum >= CROWDED]
    boards = [board for board in found if board.max_rank == RANK][:most]
    print(f"{len(boards)} boards\n")
    print(f"| player | {2 << RANK} made, % | ms a move |\n|---|---|--:|")
    for text in players:
        player = make_player(text)
        made, moves, begin = 0, 0, time.process_time()
        for index, board in enumerate(boards):
            game = Game(Variant(start=board), 31, index=index)
            while not game.is_over and game.board.max_rank == RANK:
                game.move(player.decide(game.state).move)
            made += game.board.max_rank > RANK
            moves += game.moves
        low, high = (100 * share for share in wilson(made, len(boards)))
        spent = 1000 * (time.process_time() - begin) / moves
        print(
            f"| `{text}` | {100 * made / len(boards):.1f} ({low:.0f}–{high:.0f}) | {spent:.2f} |", flush=True
        )


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--file", nargs="+", default=[""], help="networks; default: the shipped one")
    parser.add_argument("--games", type=int, default=600, help="games that the boards are taken from")
    parser.add_argument("--players", nargs="+", help="who shall make 32768 from crowded boards")
    parser.add_argument("--boards", type=int, default=10**6, help="of the crowded ones, at most")
    options = parser.parse_args()
    if options.players:
        share_table(options.players, options.boards)
        return
    reached, _ = play(read_network(), 1, first_state, options.games, 99, ENOUGH)
    boards = [board for board in map(unpack, reached.tolist()) if board.max_rank == RANK]
    doubled = [board.with_cell(board.cells.index(RANK), RANK + 1) for board in boards]
    print(f"{len(boards)} boards\n")
    print(f"| network | depth | from {1 << RANK} | from {2 << RANK} |\n|---|--:|--:|--:|")
    for file in options.file:
        network = read_network(file)
        for depth, most in ((1, len(boards)), (2, 150)):
            cells = []
            for start in (boards[:most], doubled[:most]):
                _, score = play(network, depth, beginning_at(start), len(start), 5, OVERFLOW - 4 * depth - 4)
                low, high = mean_interval(score) or (np.nan, np.nan)
                cells.append(f"{score.mean():,.0f} ± {(high - low) / 2:,.0f}")
            print(f"| {file or 'shipped'} | {depth} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
