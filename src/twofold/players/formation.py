"""`formation`: a search with formation tables at the root. Stateless as to results.

Where a table advises, its move is played: the one most likely to make the next tile with the large ones in their
block. Elsewhere an expectimax search decides, which deepens until its positions are used up: so it looks farther where
the board is crowded. Its evaluation (`corner`) brings games into the block; it speaks of the top left corner, so the
board is turned first to the image that it likes best.
"""

from __future__ import annotations

import functools
import threading
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InvalidParameter, PlayerError, quote
from twofold.evaluation.base import Evaluation, EvaluationLike
from twofold.evaluation.compiled import lean_tables, pack
from twofold.evaluation.registry import as_evaluation
from twofold.exact.formation_sets import load_set
from twofold.exact.formation_tables import FOUR, FormationTables, LeafFormations, fits_tables
from twofold.kernels.games.formation import turned
from twofold.players.base import NEXT_TILE, Decision, Limit, PlayerLike, Values
from twofold.players.batch import BatchRunner, LoopRunner, formation_batch, runner_of
from twofold.players.deepening import MOST_DEPTH, DeepeningPlayer
from twofold.players.made import BuiltIn
from twofold.players.registry import as_player
from twofold.rules.board import Board
from twofold.rules.direction import DIRECTIONS
from twofold.rules.state import State
from twofold.rules.variant import Variant
from twofold.search.expectimax import Searcher
from twofold.search.workspace import Found, layout_of

_EMPTY = Board.empty(4, 4)

DEFAULT_NODES = 80_000
"""Positions a move if nothing else is said."""


def formation_evaluation(
    evaluation: Evaluation, tables: FormationTables | None, promise: float
) -> Evaluation:
    """An evaluation that also likes boards of which the tables know that the next tile is likely.

    promise: points that a sure one is worth.
    """
    if tables is None or not promise or evaluation.network is None or lean_of(evaluation) is None:
        return evaluation
    return replace(evaluation, formations=tables.for_leaves(promise))


def lean_of(evaluation: Evaluation) -> NDArray[np.float32] | None:
    """What the evaluation says of lines, float32 (8, 65536); None if it has no such part."""
    if evaluation.line is None and evaluation.placed is None:
        return None
    return lean_tables(evaluation, layout_of(evaluation, _EMPTY))


@functools.cache
def _image_numbers() -> tuple[int, ...]:
    """For each image of kernels/exact/formation_lookup.py its number in `states.images`."""
    marked = Board(4, 4, bytes(range(1, 17)))
    found = [image.cells for image in marked.symmetries()]
    numbers = []
    for i in range(8):
        cells = np.arange(1, 17, dtype=np.uint8).reshape(4, 4)
        cells = cells[:, ::-1] if i & 1 else cells
        cells = cells[::-1] if i & 2 else cells
        numbers.append(found.index((cells.T if i & 4 else cells).tobytes()))
    return tuple(numbers)


class _Turned(DeepeningPlayer):
    """The search of a `Formation`: expectimax."""

    def __new__(cls, *_: object, **__: object) -> _Turned:
        made: _Turned = object.__new__(cls)  # not a player that anyone names
        made.text = "formation"
        return made

    def __init__(self, limit: Limit, search: Searcher, cut: float) -> None:
        super().__init__(limit, search, model="variant")
        self._searcher, self._cut = search, cut

    def _search(self, depth: int, budget: int) -> Found | None:
        return self._searcher.search(depth, cut=self._cut, nodes=budget)


class Formation(BuiltIn):
    """See the module's text.

    file: a folder of tables, empty for none. least: the chance from which on a table is used. promise: points that
    a sure next tile is worth at a leaf. opening: who plays until a tile of `until` is made. depth, nodes, time, cut,
    evaluation, table: as for `expectimax`.
    """

    def __init__(
        self,
        text: str = "",
        *,
        file: str = "",
        least: float = 0.0,
        promise: float = 20000.0,
        opening: PlayerLike | None = None,
        until: int = 16384,
        depth: int | None = None,
        nodes: int | None = None,
        time: float | None = None,
        cut: float = 0.003,
        evaluation: EvaluationLike = "corner",
        table: int = 18,
    ) -> None:
        self.tables: FormationTables | None = load_set(file, least=least) if file else None
        self._evaluation = formation_evaluation(as_evaluation(evaluation), self.tables, promise)
        self._lean = lean_of(self._evaluation)
        self._leaves: LeafFormations | None = self._evaluation.formations
        self._lock = threading.Lock()
        self._cut, self._promise, self._table = cut, promise, table
        self._opening = None if opening is None else as_player(opening)
        if until.bit_count() != 1:
            raise InvalidParameter(f"until={until} is not a tile: 4, 8, 16, up to 32768")
        self._until = until
        self._search = _Turned(
            Limit(depth, nodes if depth or nodes or time else DEFAULT_NODES, time),
            Searcher(self._evaluation, table_bits=table),
            cut,
        )

    @property
    def limit(self) -> Limit:
        """That of the search."""
        return self._search.limit

    def stop(self) -> None:
        """Ends a running `decide` soon, from another thread."""
        self._search.stop()
        getattr(self._opening, "stop", lambda: None)()

    def decide(self, state: State, key: int = 0) -> Decision:
        """The opening's move, the table's, or the search's; `key` is for the first.

        Raises PlayerError off the open 4x4 board.
        """
        variant = state.variant
        if not state.board.is_open_4x4 or not fits_tables(variant):
            raise PlayerError(
                f"{quote(self.text)} is for random spawns on the open 4x4 board, {FOUR} of them 4s, not for "
                f"{quote(str(variant))}"
            )
        if self._opening is not None and state.board.max_tile < self._until:
            return self._opening.decide(state, key)
        advice = self.tables.advice(state.board) if self.tables is not None else None
        if advice is None:
            with self._lock:
                if self._leaves is not None and self.tables is not None:
                    self._leaves.hope(not self.tables.at_goal(state.board))
                return self._searched(state, key)
        values: list[float | None] = [
            chance if move in state.legal_moves() else None
            for move, chance in zip(DIRECTIONS, advice.values, strict=True)
        ]
        up, right, down, left = values
        found: Values = (up, right, down, left)
        return Decision(
            advice.move,
            advice.chance,
            found,
            nodes=1,
            note=f"{advice.chance:.3f} to make the next tile, from a formation table",
            unit=NEXT_TILE,
        )

    def batch(self, variant: Variant) -> BatchRunner | None:
        """Whole games in a compiled loop, where no time limits the search."""
        depth, nodes = self.limit.depth or MOST_DEPTH, self.limit.nodes
        if self.limit.is_timed or variant.chance_of_four != FOUR:
            return None
        opening = None
        if self._opening is not None:
            runner = runner_of(self._opening, variant)
            if not isinstance(runner, LoopRunner):
                return None
            opening = runner.make_loop, self._until.bit_length() - 1
        tables = self.tables or FormationTables((), (), ())
        asked = (tables.address, len(tables))
        more = (self._cut, self._table, asked, self._lean, self._promise, opening)
        return formation_batch(self, self._evaluation, variant, depth, nodes, *more)

    def _searched(self, state: State, key: int) -> Decision:
        """The search's decision on the image that the evaluation likes best, in the board's own directions."""
        if self._lean is None:
            return self._search.decide(state, key)
        own = np.zeros(4, np.int64)
        number = turned(np.uint64(self._lean.ctypes.data), np.uint64(pack(state.board)), own)
        board = state.board.symmetries()[_image_numbers()[number]]
        turned_state = State.reached(state.variant, board, state.score, state.moves)
        found = self._search.decide(turned_state, key)
        if found.move is None:
            return found
        values: list[float | None] = [None] * 4
        for d in range(4):
            values[int(own[d])] = found.values[d]
        up, right, down, left = values
        return Decision(
            DIRECTIONS[int(own[found.move])],
            found.value,
            (up, right, down, left),
            found.nodes,
            found.depth,
            found.seconds,
            found.table_hits,
            found.pruned,
        )
