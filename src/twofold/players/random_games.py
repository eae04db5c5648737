"""Many games of the player `random` at kernel speed: the same games, move for move, as `play_game` plays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InvalidLimit, InvalidParameter
from twofold.evaluation.compiled import pack, unpack_cells
from twofold.kernels.board.geometry import buffer_of, geometry
from twofold.kernels.board.line_tables import BRICK_NIBBLE, two_ways
from twofold.kernels.board.steps import spawn_word
from twofold.kernels.games import random_play
from twofold.players.batch import BatchGames, BatchRunner, loop_games, tells_target
from twofold.rules.variant import CORNERS, Variant

_U = np.uint64
MOST_MOVES = 20_000_000
"""Moves of a game after which it is given up: some seconds, and far more than any game on a board of some 60 cells."""

_TOO_LARGE = 1 << 60
"""A sum of tiles with which two of 2^60 may meet, whose move the rules refuse and no loop over bytes takes back."""

_PART = 1 << 16  # games between two looks for Ctrl-C


def random_batch(variant: Variant) -> BatchRunner | None:
    """What plays whole games of `random`, None for evil and scripted spawns."""
    if not variant.is_drawn or not tells_target(variant) or variant.start.tile_sum >= _TOO_LARGE:
        return None
    return lambda first, count, seed, stop_at_target=False, threads=1: random_games(
        variant, count=count, seed=seed, first=first, stop_at_target=stop_at_target
    )


def random_games(
    variant: Variant | None = None,
    *,
    count: int,
    seed: int = 0,
    first: int = 0,
    stop_at_target: bool = False,
    general: bool = False,
    most_moves: int | None = None,
) -> BatchGames:
    """Play games `first` to `first + count - 1` of run `seed`.

    Open boards inside 4x4 with random spawns of 2s and 4s run packed, everything else (or all, with `general`) on
    bytes, where a game may be ended after `most_moves`. Raises InvalidParameter for evil and scripted spawns, which are
    played game by game, and for starts from which two tiles of 2^60 may meet; InvalidLimit for a game of more than
    `MOST_MOVES`, as those on 2x64 are, if no `most_moves` is given.
    """
    variant = variant or Variant()
    if not variant.is_drawn:
        raise InvalidParameter(
            f"compiled random games need non-adversarial, unscripted spawns; {variant} is played game by game"
        )
    if variant.start.tile_sum >= _TOO_LARGE:
        raise InvalidParameter(f"compiled random games need smaller tiles than those of {variant.start}")
    start = variant.start
    small = start.rows <= 4 and start.columns <= 4 and start.max_rank <= 13
    inside = small and variant.style == "random" and not variant.has_own_values
    score, moves = np.zeros(count, np.int64), np.zeros(count, np.int64)
    cells = np.zeros((count, len(start.cells)), np.uint8)
    target = variant.target_rank if stop_at_target else 0
    for begin in range(0, max(1, count), _PART):
        part = slice(begin, begin + _PART)
        out = (cells[part], score[part], moves[part])
        if inside and not general:
            _on_words(variant, seed, first + begin, target, out)
        else:
            if most_moves is None and not begin:  # one alone, so that a board without an end is refused soon
                _on_cells(variant, seed, first, target, (cells[:1], score[:1], moves[:1]))
            _on_cells(variant, seed, first + begin, target, out, most_moves)
    return loop_games(variant, first, stop_at_target, cells, score, moves)


Out = tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]
"""Last boards, score and moves of some games."""


def _on_words(variant: Variant, seed: int, first: int, target: int, out: Out) -> None:
    cells, score, moves = out
    board = variant.start
    with_bricks = board.has_bricks or len(board.cells) < 16
    top = np.zeros(len(score), np.uint8)
    largest = BRICK_NIBBLE - 1 if with_bricks else BRICK_NIBBLE
    words = np.zeros(len(score), _U)
    # A game in which a tile of rank `largest` shows is played anew anyway.
    stops = 0 < target < largest
    play: Any = random_play.stopping_games() if stops else random_play.random_games
    play(
        two_ways(with_bricks),
        _U(random_play.PICKS.ctypes.data),
        BRICK_NIBBLE if with_bricks else BRICK_NIBBLE + 1,
        largest,
        _U(pack(board)),
        variant.start_spawns,
        spawn_word(variant),
        target,
        _U(seed),
        _U(first),
        words,
        score,
        moves,
        top,
    )
    cells[:] = unpack_cells(words, board)
    for i in np.flatnonzero(top == random_play.REPLAY).tolist():
        one = slice(i, i + 1)
        _on_cells(variant, seed, first + i, target, (cells[one], score[one], moves[one]))


def _on_cells(
    variant: Variant, seed: int, first: int, target: int, out: Out, limit: int | None = None
) -> None:
    cells, score, moves = out
    board = variant.start
    start, buffer, shape = buffer_of(board), buffer_of(board), geometry(board)
    boards = np.zeros((len(score), len(buffer)), np.uint8)
    random_play.random_games_cells(
        _U(start.ctypes.data),
        _U(shape.ctypes.data),
        _U(random_play.ORDERS.ctypes.data),
        variant.start_spawns,
        0 if variant.style == "random" else 1 + CORNERS.index(variant.place),
        spawn_word(variant),
        target,
        _U(seed),
        _U(first),
        MOST_MOVES if limit is None else limit,
        _U(buffer.ctypes.data),
        boards,
        score,
        moves,
    )
    if limit is None and moves.max(initial=0) >= MOST_MOVES:
        raise InvalidLimit(
            f"a random game on {variant} takes more than {MOST_MOVES:,} moves: give a smaller board, or a limit"
        )
    cells[:] = boards[:, : len(board.cells)]
