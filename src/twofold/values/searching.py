"""A search made ready for a position: which board type, which tables, which spawn rule."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.kernels import search
from twofold.kernels.compiling import clone
from twofold.kernels.geometry import buffer_of, geometry
from twofold.kernels.tables import line_table
from twofold.rules.board import Board
from twofold.rules.game import State
from twofold.rules.slide import BRICK
from twofold.rules.variant import Variant
from twofold.values.base import Evaluation
from twofold.values.compiled import Layout, Leaf, pack, packs, prepare

UNLIMITED = (1 << 63) - 1
_GAMMA = 0x9E3779B97F4A7C15
_CUTS = 0xD6E8FEB86659FD93
_U = np.uint64


def layout_of(evaluation: Evaluation, board: Board, spawns: int = 0) -> Layout:
    """How a search of `board` holds its boards, right for every tile that up to `spawns` more spawns can lead to.

    A tile of rank r needs a tile sum of at least 2^r, and every spawn adds at most 4 to the sum; so while the sum
    stays below 2^16 (2^15 with bricks) no nibble overflows. With one larger tile on the board nibble 15 stands for
    it as long as the rest can't make another 2^15.
    """
    bricks = bytes(rank if rank == BRICK else 0 for rank in board.cells)
    shape = Board(board.rows, board.columns, bricks)
    general = Layout(False, board.has_bricks, 0, shape)
    if not packs(evaluation, board):
        return general
    most = board.tile_sum + 4 * spawns
    if board.has_bricks or len(board.cells) < 16:
        return Layout(True, True, 14, shape) if most < 1 << 15 else general
    if most < 1 << 16:
        return Layout(True, False, 15, shape)
    top = board.max_rank
    if evaluation.function is None and top > 15 and most - (1 << top) < 1 << 15:
        return Layout(True, False, top, shape)
    return general


@functools.lru_cache(maxsize=64)
def _compiled(leaf: Leaf, packed: bool) -> tuple[Any, Any]:
    """The root of the search and the evaluator alone, compiled for a leaf."""
    operations = search.PACKED if packed else search.CELLS_BOARD
    parts = {**operations, **leaf.parts}
    chance = clone(search.chance, parts)
    root = clone(search.root, {**parts, "chance": chance})
    return root, clone(search.leaf, parts)


class Searcher:
    """Expectimax over one evaluation. One search at a time; not for several threads at once.

    table_bits: the transposition table has 2^table_bits entries of 16 bytes; 0 for none. A table that fits the
    processor's cache is faster than a larger one. Results of one search never serve another.
    """

    def __init__(self, evaluation: Evaluation, *, table_bits: int = 18) -> None:
        self.evaluation = evaluation
        self._ws: NDArray[np.uint64] = np.zeros(search.WORKSPACE, _U)
        self._floats = self._ws.view(np.float64)
        self._values = np.zeros(4)
        self._scratch = np.zeros(64, _U)
        self._table = np.zeros(2 << table_bits if table_bits else 0, _U)
        self._searches = 0
        self._root: Any = None
        self._leaf: Any = None
        self._keep: tuple[Any, ...] = ()
        self._layout: Layout | None = None
        self._board = _U(0)
        self._score = 0
        if table_bits:
            self._set(search.TABLE, self._table.ctypes.data)
            self._set(search.MASK, (1 << table_bits) - 1)
        self._set(search.LINE_BYTES, self._scratch.ctypes.data)

    def _set(self, word: Any, value: int) -> None:
        self._ws[int(word)] = _U(value)

    def start(self, state: State, *, depth: int, random_model: bool = False) -> None:
        """Take up a position, for searches of up to `depth` moves.

        random_model: search as if tiles spawned at random cells with the variant's probability of a 4.
        """
        board, variant = state.board, state.variant
        layout = layout_of(self.evaluation, board, depth)
        self._score = state.score
        if layout != self._layout:
            self._prepare(layout, variant)
        self._place(board, layout, depth)
        self._set_spawns(state, layout, random_model)
        self._searches += 1
        for word in (search.NODES, search.HITS, search.PRUNED, search.STOP, search.ABORTED):
            self._set(word, 0)

    def _prepare(self, layout: Layout, variant: Variant) -> None:
        leaf = prepare(self.evaluation, layout)
        moves = line_table(layout.walled) if layout.packed else geometry(layout.shape)
        self._root, self._leaf = _compiled(leaf, layout.packed)
        self._keep = (leaf, moves)
        self._layout = layout
        self._set(search.VALUES, leaf.values.ctypes.data)
        self._set(search.EXTRA, leaf.extra.ctypes.data)
        self._set(search.MOVES, moves.ctypes.data)
        shape = layout.shape
        self._set(search.SHAPE, shape.rows << 32 | shape.columns)
        self._floats[int(search.REWARD)] = self.evaluation.reward
        self._floats[int(search.DEAD)] = self.evaluation.dead
        self._floats[int(search.DEAD_SCORE)] = self.evaluation.dead_score

    def _place(self, board: Board, layout: Layout, depth: int) -> None:
        if layout.packed:
            self._board = _U(pack(board))
            return
        buffer = buffer_of(board)
        rows = np.full((4 * (depth + 1), len(buffer)), BRICK, np.uint8)
        self._keep = (*self._keep[:2], buffer, rows)
        self._board = _U(buffer.ctypes.data)
        self._set(search.SCRATCH, rows.ctypes.data)
        self._set(search.STRIDE, len(buffer))
        self._set(search.WORDS, len(buffer) // 8)
        if len(self._scratch) * 8 < max(board.rows, board.columns):
            self._scratch = np.zeros(64, _U)

    def _set_spawns(self, state: State, layout: Layout, random_model: bool) -> None:
        variant, shape = state.variant, layout.shape
        style = "random" if random_model else variant.style
        kinds = {"random": search.RANDOM, "evil": search.EVIL, "script": search.SCRIPT_STYLE}
        self._set(search.STYLE, kinds.get(style, search.CORNER))
        self._floats[int(search.FOUR)] = variant.chance_of_four
        order = variant.place_order() if style not in kinds else range(len(shape.cells))
        cells = [cell for cell in order if shape.cells[cell] != BRICK]
        # A script counts every cell of the board, bricks too: they are never free.
        listed = list(range(len(shape.cells))) if style == "script" else cells
        numbers = [self._number(cell, shape, layout) for cell in listed]
        left = variant.script[state.spawns :] if style == "script" else ()
        order_array = np.array(numbers, np.uint32)
        script_array = np.array(left or [(0, 0)], np.uint32)
        self._orders = (order_array, script_array)
        self._set(search.ORDER, order_array.ctypes.data)
        self._set(search.CELLS, len(numbers))
        self._set(search.SCRIPT, script_array.ctypes.data)
        self._set(search.SCRIPTED, len(left))

    @staticmethod
    def _number(cell: int, shape: Board, layout: Layout) -> int:
        return cell // shape.columns * 4 + cell % shape.columns if layout.packed else cell

    def search(
        self, depth: int, *, cut: float = 0.0, deeper: bool = False, nodes: int = UNLIMITED
    ) -> tuple[float, float, float, float] | None:
        """Values of UP, RIGHT, DOWN, LEFT (nan: illegal) looking `depth` moves ahead; None if it was stopped.

        cut: branches less probable than this are valued at once. deeper: results searched deeper than asked may be
        used. nodes: stop when this many positions were valued since `start`.
        """
        # Results of another position, or of another cut, must not be found in the table.
        self._set(search.STAMP, (self._searches * _GAMMA ^ hash(cut) * _CUTS) & (1 << 64) - 1)
        self._floats[int(search.CUT)] = cut
        self._set(search.DEEPER, int(deeper))
        self._set(search.LIMIT, nodes)
        self._set(search.ABORTED, 0)
        self._root(
            _U(self._ws.ctypes.data), self._board, self._score, depth - 1, _U(self._values.ctypes.data)
        )
        if self._ws[int(search.ABORTED)]:
            return None
        up, right, down, left = (float(v) for v in self._values)
        return up, right, down, left

    def first_move(self) -> tuple[float, float, float, float]:
        """The values one move ahead, whatever the limits: there is always an answer."""
        values = self.search(1)
        assert values is not None  # one move ahead there is no spawn layer to be stopped in
        return values

    def ready(self) -> None:
        """Set the limits of an exact search, for compiled loops over many positions (players/many.py)."""
        self._floats[int(search.CUT)] = 0.0
        self._set(search.DEEPER, 0)
        self._set(search.LIMIT, UNLIMITED)

    @property
    def root_kernel(self) -> Any:
        """The compiled `search.root` for the position's board type."""
        return self._root

    @property
    def addresses(self) -> tuple[Any, Any]:
        """Addresses of the workspace and of the four values, for `root_kernel`."""
        return _U(self._ws.ctypes.data), _U(self._values.ctypes.data)

    def leaf(self, board: Board, score: int) -> float:
        """What the evaluation says of one board."""
        self.start(State.of(board, score=score), depth=1)
        return float(self._leaf(_U(self._ws.ctypes.data), self._board, score))

    def stop(self) -> None:
        """Make a running `search` return None soon; may be called from another thread."""
        self._set(search.STOP, 1)

    @property
    def stopped(self) -> bool:
        """Whether `stop` was called since `start`."""
        return bool(self._ws[int(search.STOP)])

    @property
    def nodes(self) -> int:
        """Positions valued since `start`."""
        return int(self._ws[int(search.NODES)])

    @property
    def table_hits(self) -> int:
        """Positions found in the table since `start`."""
        return int(self._ws[int(search.HITS)])

    @property
    def pruned(self) -> int:
        """Spawns valued at once because of their probability since `start`."""
        return int(self._ws[int(search.PRUNED)])
