"""Whole games of a player at once: the type of the result, and how a player with a compiled loop plays them.

A player may have a method `batch(variant) -> BatchRunner | None`: None where it has no faster way to play whole games
of that variant than move by move. `matches.games.play_games` asks for it. A class of players may also say, by a static
method `chunk_size(**values)`, how many games the arena plays and stores at once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from twofold.evaluation.base import Evaluation
from twofold.evaluation.compiled import unpack, unpack_cells
from twofold.players.base import Player
from twofold.rules.board import Board
from twofold.rules.game import DEAD, WON
from twofold.rules.random import Stream, stream_key
from twofold.rules.state import State, step
from twofold.rules.variant import Variant
from twofold.threads import Work, spread

if TYPE_CHECKING:
    from twofold.search.loops import GameLoop, LoopGames

LOOP_DEPTH = 3
"""Moves ahead to which searches play whole games in a loop: deeper ones spend little between two moves."""

_PART = 64  # games that a thread plays at a time, at most
_AGAIN = 1 << 13  # a tile that a start board of a compiled game stays below


@dataclass(frozen=True)
class BatchGames:
    """Games `first`, `first + 1`, … of a player on a variant, a column for each thing known.

    Attributes:
        score: points; moves: legal moves made; top: highest rank on the last board; int64 (n,) each.
        won: a merge has made the target, bool (n,). reason: why each game ended, as in `GameResult`.
        cells: the last boards' ranks in reading order, 255 for a brick, uint8 (n, rows * columns).
        seconds: time the player thought, float64 (n,); games played at once share it by their moves.
        nodes, table_hits, pruned: of all moves together; depths: the sum of the depths reached; int64 (n,) each, None
            where games are played in a compiled loop that doesn't count.
        times: moves made when each rank first lay on the board, -1 if it never did, int64 (n, 64) or None.
    """

    variant: Variant
    first: int
    score: NDArray[np.int64]
    moves: NDArray[np.int64]
    top: NDArray[np.int64]
    won: NDArray[np.bool_]
    reason: list[str]
    cells: NDArray[np.uint8]
    seconds: NDArray[np.float64]
    nodes: NDArray[np.int64] | None = None
    table_hits: NDArray[np.int64] | None = None
    pruned: NDArray[np.int64] | None = None
    depths: NDArray[np.int64] | None = None
    times: NDArray[np.int64] | None = None

    def __repr__(self) -> str:
        mean = f", mean score {self.score.mean():,.1f}" if len(self) else ""
        return f"BatchGames({self.variant}: {len(self):,} games from {self.first}{mean})"

    def __len__(self) -> int:
        return len(self.score)

    @property
    def max_tile(self) -> NDArray[np.int64]:
        """The largest tile of each last board, face values, int64 (n,)."""
        return np.where(self.top > 0, np.int64(1) << self.top, 0)

    def board(self, i: int) -> Board:
        """The last board of game `first + i`."""
        return self.variant.start.with_cells(self.cells[i].tobytes())


class BatchRunner(Protocol):
    """Plays whole games of a player on a variant, those of `play_game` move for move."""

    def __call__(
        self, first: int, count: int, seed: int, stop_at_target: bool = False, threads: int = 1
    ) -> BatchGames:
        """Games `first` to `first + count - 1` of run `seed`; the seconds may be left 0. No game: what loads code."""


def runner_of(player: Player, variant: Variant) -> BatchRunner | None:
    """What plays whole games of the player faster than move by move, if it offers that."""
    # Not for a subclass with a `decide` of its own, whose games are others than those of the loop.
    home = next((each for each in type(player).__mro__ if vars(each).keys() & {"batch", "decide"}), None)
    if home is None or "batch" not in vars(home):
        return None
    runner: BatchRunner | None = getattr(player, "batch")(variant)  # noqa: B009 (no part of the protocol)
    return runner


def loop_games(
    variant: Variant,
    first: int,
    stop_at_target: bool,
    cells: NDArray[np.uint8],
    score: NDArray[np.int64],
    moves: NDArray[np.int64],
    **counts: Any,
) -> BatchGames:
    """The games of a compiled loop from what it knows of each; won and reason follow if `tells_target(variant)`."""
    ranks = np.where(cells == 255, 0, cells) if variant.start.has_bricks else cells
    # By columns, which is some five times as fast as along short rows.
    top = np.ascontiguousarray(ranks.T).max(axis=0, initial=0).astype(np.int64)
    won = top >= variant.target_rank
    reason = [WON if made else DEAD for made in won.tolist()] if stop_at_target else [DEAD] * len(score)
    return BatchGames(variant, first, score, moves, top, won, reason, cells, np.zeros(len(score)), **counts)


def tells_target(variant: Variant) -> bool:
    """Whether the highest tile tells if a merge made the target: no start tile and no spawn can be one."""
    most = max(4, variant.start.max_tile, 1 << variant.allowed_ranks[-1])
    return most < variant.target and variant.start.max_tile < _AGAIN


@dataclass(frozen=True)
class LoopRunner:
    """Games of a player on the open 4x4 board by a compiled loop; those that it leaves the player itself plays on."""

    player: Player
    variant: Variant
    make_loop: Callable[[], GameLoop]

    def __call__(
        self, first: int, count: int, seed: int, stop_at_target: bool = False, threads: int = 1
    ) -> BatchGames:
        """See `BatchRunner`."""
        rank = self.variant.target_rank
        target = (
            rank if stop_at_target and rank < 16 else 0
        )  # a larger one comes up where a game is played on
        parts: dict[int, BatchGames] = {}

        def make(over: threading.Event) -> Work:
            loop = self.make_loop()

            def work(begin: int, end: int) -> None:
                found = loop.play(seed, first + begin, end - begin, target)
                cells = unpack_cells(found.words, self.variant.start)
                for i in np.flatnonzero(found.left).tolist():
                    key = stream_key(seed, first + begin + i, Stream.SPAWN)
                    cells[i] = self._play_on(found, i, key, rank if stop_at_target else 0, over)
                counts = {"nodes": found.nodes, "table_hits": found.table_hits, "depths": found.depths}
                pruned = None if found.nodes is None else np.zeros(end - begin, np.int64)
                parts[begin] = loop_games(
                    self.variant,
                    first + begin,
                    stop_at_target,
                    cells,
                    found.score,
                    found.moves,
                    pruned=pruned,
                    times=found.times,
                    **counts,
                )

            def stop() -> None:
                loop.stop()
                getattr(self.player, "stop", lambda: None)()

            if not count:
                work(0, 0)
            return work, stop

        spread(count, threads, _PART, make)
        return _joined([parts[begin] for begin in sorted(parts)])

    def _play_on(
        self, found: LoopGames, i: int, key: int, target: int, over: threading.Event
    ) -> NDArray[np.uint8]:
        """Play a game that was left to its end by the rules, which hold any tile; its last board."""
        state = State.reached(
            self.variant, unpack(int(found.words[i])), int(found.score[i]), int(found.moves[i])
        )
        while not over.is_set() and not (target and state.board.max_rank >= target):
            decision = self.player.decide(state)
            if decision.move is None:
                break
            state = step(state, decision.move, key)
            for name in ("nodes", "table_hits"):
                column = getattr(found, name)
                if column is not None:
                    column[i] += getattr(decision, name)
            if found.depths is not None:
                found.depths[i] += decision.depth
            if found.times is not None:
                new = [rank for rank in set(state.board.cells) if found.times[i, rank] < 0]
                found.times[i, new] = state.moves
        found.score[i], found.moves[i] = state.score, state.moves
        return np.frombuffer(state.board.cells, np.uint8)


def depth_batch(
    player: Player, evaluation: Evaluation, variant: Variant, depth: int, table: int
) -> BatchRunner | None:
    """Games of a player that looks `depth` moves ahead, if a compiled loop can play them. It counts no positions."""
    from twofold.search import loops

    if not _is_open(variant) or not loops.reads_packed(evaluation, depth):
        return None
    if depth == 1 and evaluation.network is not None:
        return LoopRunner(player, variant, lambda: loops.GreedyLoop(evaluation, variant))
    return LoopRunner(player, variant, lambda: loops.SearchedLoop(evaluation, variant, depth, table))


def nodes_batch(
    player: Player, evaluation: Evaluation, variant: Variant, deepest: int, nodes: int, table: int
) -> BatchRunner | None:
    """Games of a player that deepens, up to `deepest` moves, until `nodes` positions are used up; all is counted."""
    from twofold.search import loops

    if not _is_open(variant) or not loops.reads_packed(evaluation, deepest):
        return None
    return LoopRunner(player, variant, lambda: loops.DeepenedLoop(evaluation, variant, deepest, nodes, table))


def formation_batch(
    player: Player, evaluation: Evaluation, variant: Variant, depth: int, *more: Any
) -> BatchRunner | None:
    """Games with formation tables at the root of a search; `more`: as for `FormationLoop`."""
    from twofold.search import loops

    if not _is_open(variant) or not loops.reads_packed(evaluation, depth):
        return None
    return LoopRunner(player, variant, lambda: loops.FormationLoop(evaluation, variant, depth, *more))


def chain_batch(player: Player, evaluation: Evaluation, variant: Variant) -> BatchRunner | None:
    """Games of S0's solver, two moves ahead by its own evaluation, with the times of tiles."""
    from twofold.search import loops

    if not _is_open(variant) or variant.has_own_values:
        return None
    return LoopRunner(player, variant, lambda: loops.ChainLoop(evaluation, variant))


def _is_open(variant: Variant) -> bool:
    return variant.is_random_open_4x4 and tells_target(variant)


def _joined(parts: list[BatchGames]) -> BatchGames:
    """Games that follow each other as one."""
    if len(parts) == 1:
        return parts[0]
    columns: dict[str, Any] = {"reason": [why for part in parts for why in part.reason]}
    for field in fields(BatchGames)[2:]:
        if field.name not in columns:
            found = [getattr(part, field.name) for part in parts]
            columns[field.name] = None if found[0] is None else np.concatenate(found)
    return BatchGames(parts[0].variant, parts[0].first, **columns)
