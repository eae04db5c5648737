"""One task: the games of a chunk, as columns for the store."""

from __future__ import annotations

import contextlib
import functools
import itertools
from collections.abc import Iterator, Sequence

from twofold.arena.experiment import Columns, Task
from twofold.errors import TwofoldError
from twofold.matches.games import play_games
from twofold.matches.play import move_key, new_game
from twofold.players.base import Player
from twofold.players.batch import BatchGames, runner_of
from twofold.players.registry import make_player
from twofold.rules.variant import Variant


def play_task(task: Task) -> Columns:
    """Plays the games of `task`; a pure function but for the seconds."""
    variant = Variant.parse(task.variant)
    player = _player(task.chunk.player, variant)
    columns: Columns = {}
    for first, count in _stretches(task.games):
        games = play_games(player, count, variant, task.seed, first, task.stop_at_target)
        for name, values in _columns(games, task.stop_at_target).items():
            columns.setdefault(name, []).extend(values)
    return columns


@functools.lru_cache(maxsize=4)
def _player(text: str, variant: Variant) -> Player:
    """A player that has played before, so that loading compiled code counts in no game."""
    player = make_player(text)
    if runner_of(player, variant) is not None:
        play_games(player, 0, variant)
        return player
    game = new_game(variant)
    if not game.is_over:
        with contextlib.suppress(TwofoldError):  # it will say so again in the game
            player.decide(game.state, move_key(game))
    return player


def _columns(games: BatchGames, stop_at_target: bool) -> Columns:
    """The games by the names of `Row`; what a compiled loop doesn't count, or is always the same, is left out."""
    columns: Columns = {
        "game": list(range(games.first, games.first + len(games))),
        "score": games.score.tolist(),
        "max_tile": games.max_tile.tolist(),
        "moves": games.moves.tolist(),
        "seconds": games.seconds.tolist(),
        "won": [int(won) for won in games.won.tolist()],
    }
    if games.times is None and not stop_at_target:
        return columns
    columns["reason"] = games.reason
    if games.times is None:
        return columns
    for name in ("nodes", "table_hits", "pruned", "depths"):
        counts = getattr(games, name)
        columns[name] = [None] * len(games) if counts is None else counts.tolist()
    columns["tiles"] = [
        " ".join(f"{1 << rank}:{moves}" for rank, moves in enumerate(times) if rank and moves >= 0)
        for times in games.times.tolist()
    ]
    return columns


def _stretches(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Runs of neighbouring numbers, ascending, as (first, count)."""
    for _, run in itertools.groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        (_, first), *others = run
        yield first, 1 + len(others)
