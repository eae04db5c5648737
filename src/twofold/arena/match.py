"""One task: the games of a chunk, in compiled loops over whole games where a player has them, else move by move."""

from __future__ import annotations

import contextlib
import functools
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from twofold.arena.experiment import Columns, Row, Task, as_columns, learned_depth, parse_player
from twofold.errors import InvalidParameter, TwofoldError
from twofold.matches.play import move_key, new_game, play_game
from twofold.players.base import Decision
from twofold.players.registry import make_player
from twofold.rules.game import Event, Moved
from twofold.rules.variant import Variant

if TYPE_CHECKING:
    from twofold.evaluation.base import Evaluation
    from twofold.matches.many import Games
    from twofold.matches.whole import Play, Played
    from twofold.players.base import Player

_AGAIN = 1 << 13  # a tile that a start board of a compiled game stays below, see `_whole_games`


def play_task(task: Task) -> Columns:
    """Plays the games of `task`; a pure function but for the seconds."""
    variant = Variant.parse(task.variant)
    counted = None if task.stop_at_target else _counted_games(task.chunk.player, variant)
    if counted is not None:
        return _counted(counted, task, variant)
    quick = None if task.stop_at_target else _whole_games(task.chunk.player, variant)
    if quick is None:
        player = _player(task.chunk.player, variant)
        return as_columns([_play(player, task, variant, index) for index in task.games])
    _warm(task.chunk.player, variant)
    columns: Columns = {}
    for first, count in _stretches(task.games):
        begin = time.perf_counter()
        games = quick(first, count, task.seed)
        for name, values in _columns(games, first, time.perf_counter() - begin, variant).items():
            columns.setdefault(name, []).extend(values)
    return columns


def _counted_games(text: str, variant: Variant) -> Play | None:
    """Whole games with all that a row tells, see matches/whole.py."""
    if _hides_target(variant):
        return None
    from twofold.matches.whole import whole_games

    return whole_games(text, variant)


def _counted(play: Play, task: Task, variant: Variant) -> Columns:
    play(0, 0, 0)  # loads compiled code, which counts in no game
    columns: Columns = {}
    for first, count in _stretches(task.games):
        begin = time.perf_counter()
        games = play(first, count, task.seed)
        for name, values in _columns(games, first, time.perf_counter() - begin, variant).items():
            columns.setdefault(name, []).extend(values)
        columns.setdefault("reason", []).extend(["no legal move"] * count)
        for name in ("nodes", "table_hits", "depths"):
            numbers = getattr(games, name)
            columns.setdefault(name, []).extend([None] * count if numbers is None else numbers.tolist())
        columns.setdefault("pruned", []).extend([None if games.nodes is None else 0] * count)
        columns.setdefault("tiles", []).extend(_tile_times(row) for row in games.times.tolist())
    return columns


def _tile_times(times: list[int]) -> str:
    """`tile:moves` for each rank that ever lay on the board, as in `Row.tiles`."""
    return " ".join(f"{1 << rank}:{moves}" for rank, moves in enumerate(times) if rank and moves >= 0)


def _hides_target(variant: Variant) -> bool:
    """Whether the highest tile doesn't tell if a merge made the target: a start tile or a spawn may be one."""
    return variant.target < 8 or variant.start.max_tile >= min(variant.target, _AGAIN)


@functools.lru_cache(maxsize=4)
def _player(text: str, variant: Variant) -> Player:
    """A player that has made its first decision, so that loading compiled code counts in no game."""
    player = make_player(text)
    game = new_game(variant)
    if not game.is_over:
        with contextlib.suppress(TwofoldError):  # it will say so again in the game
            player.decide(game.state, move_key(game))
    return player


@functools.lru_cache(maxsize=16)
def _warm(text: str, variant: Variant) -> None:
    """The same for players of whole games."""
    _whole_games(text, variant)(0, 1, 0)


def _play(player: Player, task: Task, variant: Variant, index: int) -> Row:
    counts = [0, 0, 0]

    def count(event: Event, decision: Decision | None) -> None:
        if decision is not None and isinstance(event, Moved):
            counts[0] += decision.table_hits
            counts[1] += decision.pruned
            counts[2] += decision.depth

    result = play_game(player, variant, task.seed, index, task.stop_at_target, on_event=count)
    return Row(
        index,
        result.score,
        result.max_tile,
        result.moves,
        result.seconds,
        int(result.won),
        result.reason,
        result.nodes,
        counts[0],
        counts[1],
        counts[2],
        " ".join(f"{tile}:{moves}" for tile, moves in result.tile_moves),
    )


def _stretches(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Runs of neighbouring numbers, ascending, as (first, count)."""
    if isinstance(numbers, range):
        yield numbers.start, len(numbers)
        return
    first = last = None
    for number in numbers:
        if first is not None and last is not None and number == last + 1:
            last = number
            continue
        if first is not None and last is not None:
            yield first, last - first + 1
        first = last = number
    if first is not None and last is not None:
        yield first, last - first + 1


def _whole_games(text: str, variant: Variant) -> Any:
    """A function (first, count, seed) -> Games that plays whole games of this player at once, or None.

    Only where the result says all that a row needs: that the target was made by a merge shows in the highest tile if
    neither a start tile nor a spawn can be one.
    """
    if _hides_target(variant):
        return None
    name, values = parse_player(text)
    if name == "random" and variant.style not in ("evil", "script"):
        from twofold.matches.random_games import random_games

        return lambda first, count, seed: random_games(variant, count=count, seed=seed, first=first)
    if not variant.is_random_open_4x4:
        return None
    if name in ("ntuple", "neural"):
        return _searched(name, values["file"], variant)
    plain = {
        "adaptive": False,
        "danger": 0,
        "nodes": None,
        "time": None,
        "cut": 0.0,
        "four_cut": 0.0,
        "bound": 0.0,
        "deeper": False,
    }
    if name == "expectimax" and all(values[key] == value for key, value in plain.items()):
        depth = values["depth"]
        if depth == 1 or learned_depth(name, values):
            return _searched("expectimax", values["eval"], variant, depth, values["table"])
    return None


@functools.lru_cache(maxsize=4)
def _evaluation(name: str, what: str) -> Evaluation:
    from twofold.evaluation.learned import network, neural
    from twofold.evaluation.registry import make_evaluation

    learned = {"ntuple": network, "neural": neural}.get(name)
    return make_evaluation(what) if learned is None else learned(name, file=what)


def _searched(name: str, what: str, variant: Variant, depth: int = 1, table: int = 0) -> Any:
    from twofold.matches.many import check_whole_games, play_many

    evaluation = _evaluation(name, what)
    try:
        check_whole_games(evaluation, variant, depth)
    except InvalidParameter:
        return None
    return functools.partial(_many, play_many, evaluation, variant, depth, table)


def _many(
    play: Any,
    evaluation: Evaluation,
    variant: Variant,
    depth: int,
    table: int,
    first: int,
    count: int,
    seed: int,
) -> Games:
    games: Games = play(
        evaluation, count, depth=depth, seed=seed, first=first, variant=variant, table_bits=table
    )
    return games


def _columns(games: Games | Played, first: int, seconds: float, variant: Variant) -> Columns:
    """Games played at once, which share the time by their moves."""
    tiles = np.where(games.top > 0, np.int64(1) << games.top, 0)
    return {
        "game": list(range(first, first + len(tiles))),
        "score": games.score.tolist(),
        "max_tile": tiles.tolist(),
        "moves": games.moves.tolist(),
        "seconds": (games.moves * (seconds / max(1, int(games.moves.sum())))).tolist(),
        "won": (tiles >= variant.target).astype(np.int64).tolist(),
    }
