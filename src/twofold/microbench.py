"""Engine figures for `twofold bench` and `benchmarks/`: one core, warm, processor time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from twofold.players.random_games import random_games
from twofold.rules.variant import Variant

_MOST_MOVES = 10_000  # of a game on a general board: on 16x16 a random game goes on for millions


def _rate(seconds: float, run: Callable[[int], int]) -> float:
    """Things done per second of processor time, by rounds that grow until `seconds` are used."""
    run(1)
    count, done, used = 1, 0, 0.0
    while used < seconds:
        begin = time.process_time()
        done += run(count)
        used += time.process_time() - begin
        count = min(count * 2, 200_000)
    return done / used


def random_rate(seconds: float = 1.0) -> float:
    """Moves per second of uniformly random play on the packed 4x4 board."""
    return _random_rate(seconds, Variant())


def general_rate(seconds: float = 1.0, rows: int = 5, columns: int = 5) -> float:
    """Moves per second of uniformly random play on a general board."""
    return _random_rate(seconds, Variant.of_size(rows, columns), general=True, most_moves=_MOST_MOVES)


def _random_rate(seconds: float, variant: Variant, **options: Any) -> float:
    begun = 0

    def run(games: int) -> int:
        nonlocal begun
        begun += games
        done = random_games(variant, count=games, seed=1, first=begun - games, **options)
        return int(done.moves.sum())

    return _rate(seconds, run)


def expectimax_rate(seconds: float = 1.0) -> tuple[float, float]:
    """Moves and leaves per second of expectimax at nneonneo's rule (adaptive depth, cut 1e-4) over a game's positions.

    The positions are every 40th of a game played by depth 2, so that all phases of a game count.
    """
    from twofold.matches.play import play_game
    from twofold.players.registry import make_player
    from twofold.rules.state import Event, State

    states: list[State] = []

    def keep(event: Event, decision: object) -> None:
        if event.state.moves % 40 == 0 and event.state.legal_moves():
            states.append(event.state)

    play_game("expectimax:depth=2", None, seed=1, on_event=keep)
    player = make_player("expectimax:adaptive=1,cut=0.0001,deeper=1")
    player.decide(states[0])
    moves = leaves = 0
    used = 0.0
    while used < seconds:
        state = states[moves * 7 % len(states)]
        begin = time.process_time()
        leaves += player.decide(state).nodes
        used += time.process_time() - begin
        moves += 1
    return moves / used, leaves / used
