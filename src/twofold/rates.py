"""Engine figures for `twofold bench` and `benchmarks/`: one core, warm, processor time."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from twofold.kernels import rollout
from twofold.kernels.geometry import buffer_of, geometry
from twofold.kernels.tables import line_table
from twofold.rules.board import Board

_U = np.uint64
_FOUR = _U(round(0.1 * 2**32))
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
    table = line_table()
    picks = _U(rollout.PICKS.ctypes.data)
    state = {"first": 0}

    def run(games: int) -> int:
        score, moves = np.zeros(games, np.int64), np.zeros(games, np.int64)
        top = np.zeros(games, np.uint8)
        rollout.random_games(
            table, picks, _U(16), _U(65536), _U(0), 2, _FOUR, _U(1), _U(state["first"]), score, moves, top
        )
        state["first"] += games
        return int(moves.sum())

    return _rate(seconds, run)


def general_rate(seconds: float = 1.0, rows: int = 5, columns: int = 5) -> float:
    """Moves per second of uniformly random play on a general board."""
    board = Board.empty(rows, columns)
    start, buffer, shape = buffer_of(board), buffer_of(board), geometry(board)
    state = {"first": 0}

    def run(games: int) -> int:
        score, moves = np.zeros(games, np.int64), np.zeros(games, np.int64)
        top = np.zeros(games, np.uint8)
        rollout.random_games_cells(
            _U(start.ctypes.data),
            _U(shape.ctypes.data),
            _U(rollout.ORDERS.ctypes.data),
            2,
            0,
            _FOUR,
            _U(1),
            _U(state["first"]),
            _MOST_MOVES,
            _U(buffer.ctypes.data),
            score,
            moves,
            top,
        )
        state["first"] += games
        return int(moves.sum())

    return _rate(seconds, run)


def expectimax_rate(seconds: float = 1.0) -> tuple[float, float]:
    """Moves and leaves per second of expectimax at nneonneo's rule (adaptive depth, cut 1e-4) over a game's positions.

    The positions are every 40th of a game played by depth 2, so that all phases of a game count.
    """
    from twofold.players.play import play_game
    from twofold.players.registry import make_player
    from twofold.rules.game import Event, State

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
