"""Many games of the player `random` at kernel speed: the same games, move for move, as `play_game` plays."""

from __future__ import annotations

import numpy as np

from twofold.errors import InvalidParameter
from twofold.evaluation.compiled import pack
from twofold.kernels.board.geometry import buffer_of, geometry
from twofold.kernels.board.line_tables import BRICK_NIBBLE, two_ways
from twofold.kernels.games import random_play
from twofold.matches.many import Games
from twofold.rules.board import Board
from twofold.rules.variant import CORNERS, Variant

_U = np.uint64
_NO_LIMIT = -1


def random_games(
    variant: Variant | None = None,
    *,
    count: int,
    seed: int = 0,
    first: int = 0,
    general: bool = False,
    most_moves: int | None = None,
) -> Games:
    """Play games `first` to `first + count - 1` of run `seed`.

    Open boards inside 4x4 with random spawns run packed, everything else (or all, with `general`) on bytes, where a
    game may be ended after `most_moves`. Raises InvalidParameter for evil and scripted spawns, which are played game
    by game.
    """
    variant = variant or Variant()
    if variant.style in ("evil", "script"):
        raise InvalidParameter(
            f"random games in one loop need spawns without a will; {variant} is played game by game"
        )
    games = Games(*(np.zeros(count, np.int64) for _ in range(3)))
    board = variant.start
    if general or variant.style != "random" or board.rows > 4 or board.columns > 4 or board.max_rank > 13:
        _on_cells(variant, games, 0, seed, first, limit=_NO_LIMIT if most_moves is None else most_moves)
        return games
    with_bricks = board.has_bricks or len(board.cells) < 16
    top = np.zeros(count, np.uint8)
    random_play.random_games(
        two_ways(with_bricks),
        _U(random_play.PICKS.ctypes.data),
        BRICK_NIBBLE if with_bricks else BRICK_NIBBLE + 1,
        BRICK_NIBBLE - 1 if with_bricks else BRICK_NIBBLE,
        _U(pack(board)),
        variant.start_spawns,
        _U(variant.four_threshold),
        _U(seed),
        _U(first),
        games.score,
        games.moves,
        top,
    )
    games.top[:] = top
    for i in np.flatnonzero(top == random_play.REPLAY):
        _on_cells(variant, games, int(i), seed, first, 1)
    return games


def _on_cells(
    variant: Variant,
    games: Games,
    begin: int,
    seed: int,
    first: int,
    count: int | None = None,
    limit: int = _NO_LIMIT,
) -> None:
    board: Board = variant.start
    start, buffer, shape = buffer_of(board), buffer_of(board), geometry(board)
    part = slice(begin, None if count is None else begin + count)
    top = np.zeros(len(games.top[part]), np.uint8)
    random_play.random_games_cells(
        _U(start.ctypes.data),
        _U(shape.ctypes.data),
        _U(random_play.ORDERS.ctypes.data),
        variant.start_spawns,
        0 if variant.style == "random" else 1 + CORNERS.index(variant.place),
        _U(variant.four_threshold),
        _U(seed),
        _U(first + begin),
        limit,
        _U(buffer.ctypes.data),
        games.score[part],
        games.moves[part],
        top,
    )
    games.top[part] = top
