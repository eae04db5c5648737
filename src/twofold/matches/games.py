"""`play_games`: many games of a player at once, in a compiled loop where the player has one, else move by move."""

from __future__ import annotations

from dataclasses import replace
from numbers import Integral

import numpy as np

from twofold.errors import InvalidParameter, quote
from twofold.kernels.compile_time import Stopwatch
from twofold.matches.play import play_game
from twofold.players.base import Decision, Player, PlayerLike
from twofold.players.batch import BatchGames, runner_of
from twofold.players.registry import as_player
from twofold.rules.random import checked_word
from twofold.rules.state import Event, Moved
from twofold.rules.variant import Variant


def play_games(
    player: PlayerLike,
    games: int,
    variant: Variant | str | None = None,
    seed: int = 0,
    first: int = 0,
    stop_at_target: bool = False,
    threads: int = 1,
) -> BatchGames:
    """Plays games `first` to `first + games - 1` of the run with `seed`: those of `play_game`, move for move.

    player: a player, or whatever `as_player` takes. threads: how many a compiled loop may use. Raises what `play_game`
    raises.
    """
    player = as_player(player)
    variant = Variant.parse(variant) if isinstance(variant, str) else variant or Variant()
    if not isinstance(games, Integral) or games < 0:
        raise InvalidParameter(f"games {quote(games)} is not a whole number of at least 0")
    if not isinstance(threads, Integral) or threads < 1:
        raise InvalidParameter(f"threads {quote(threads)} is not a whole number of at least 1")
    checked_word("seed", seed)
    checked_word("first", first)
    runner = runner_of(player, variant)
    if runner is None:
        return _one_by_one(player, games, variant, seed, first, stop_at_target)
    watch = Stopwatch()
    found = runner(first, games, seed, stop_at_target, threads)
    share = watch.seconds / max(1, int(found.moves.sum()))
    return replace(found, seconds=found.moves.astype(np.float64) * share)


def _one_by_one(
    player: Player, games: int, variant: Variant, seed: int, first: int, stop_at_target: bool
) -> BatchGames:
    hits, pruned, depths = np.zeros((3, games), np.int64)
    times = np.full((games, 64), -1, np.int64)
    results = []
    for i in range(games):

        def count(event: Event, decision: Decision | None, i: int = i) -> None:
            if decision is not None and isinstance(event, Moved):
                hits[i] += decision.table_hits
                pruned[i] += decision.pruned
                depths[i] += decision.depth

        result = play_game(player, variant, seed, first + i, stop_at_target, on_event=count)
        results.append(result)
        for tile, moves in result.tile_moves:
            times[i, tile.bit_length() - 1] = moves
    cells = b"".join(result.board.cells for result in results)
    return BatchGames(
        variant,
        first,
        np.array([result.score for result in results], np.int64),
        np.array([result.moves for result in results], np.int64),
        np.array([result.board.max_rank for result in results], np.int64),
        np.array([result.won for result in results], bool),
        [result.reason for result in results],
        np.frombuffer(cells, np.uint8).reshape(games, len(variant.start.cells)),
        np.array([result.seconds for result in results]),
        np.array([result.nodes for result in results], np.int64),
        hits,
        pruned,
        depths,
        times,
    )
