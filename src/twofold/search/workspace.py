"""A search made ready for a position: which board type, which tables, which spawn rule.

`Workspace` sets up the words that kernels/search/words.py lists; the searches build on it and bring their own kernels.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.errors import quote
from twofold.evaluation.base import Evaluation
from twofold.evaluation.compiled import BoardLayout, Evaluator, nan_error, pack, packs, prepare, unpack
from twofold.kernels.board.geometry import buffer_of, geometry
from twofold.kernels.board.line_tables import line_table
from twofold.kernels.board.steps import spawn_word
from twofold.kernels.compile_time import WATCH
from twofold.kernels.compiling import clone
from twofold.kernels.search import boards, evaluators, expectimax, words
from twofold.rules.board import Board
from twofold.rules.cells import BRICK
from twofold.rules.spawn_values import MAX_VALUE
from twofold.rules.state import State
from twofold.rules.variant import Variant
from twofold.userfile import user_code_error

UNLIMITED = (1 << 63) - 1
MOST_SCORE = 1 << 62
"""Scores above this count as this in a search, which has 64 bits for them; tiles of 2^58 and more get there."""
_U = np.uint64

Found = tuple[float, ...]
"""Values of UP, RIGHT, DOWN, LEFT, nan where the move is illegal."""


def layout_of(evaluation: Evaluation, board: Board, spawns: int = 0, largest: int = 4) -> BoardLayout:
    """How a search of `board` holds its boards, right for every tile that up to `spawns` more spawns can lead to.

    A tile of rank r needs a tile sum of at least 2^r, and every spawn adds at most `largest` to the sum; so while
    the sum stays below 2^16 (2^15 with bricks) no nibble overflows. With one larger tile on the board nibble 15 stands
    for it as long as the rest can't make another 2^15. Up to 9 cells, with no tile above the largest that play builds
    of 2s and 4s on so many, never get to rank 15 at all.
    """
    bricks = bytes(rank if rank == BRICK else 0 for rank in board.cells)
    shape = Board(board.rows, board.columns, bricks)
    general = BoardLayout(False, board.has_bricks, 0, shape)
    if not packs(evaluation, board):
        return general
    most = board.tile_sum + largest * spawns
    if board.has_bricks or len(board.cells) < 16:
        free = len(board.cells) - len(board.bricks)
        small = free <= 9 and board.max_rank <= free + 1 and largest <= 4
        return BoardLayout(True, True, 14, shape) if small or most < 1 << 15 else general
    if most < 1 << 16:
        return BoardLayout(True, False, 15, shape)
    top = board.max_rank
    if evaluation.function is None and top > 15 and most - (1 << top) < 1 << 15:
        return BoardLayout(True, False, top, shape)
    return general


def search_parts(evaluator: Evaluator, packed: bool) -> dict[str, Any]:
    """The holes of a search filled: board operations, spawn rule, evaluator."""
    operations = boards.PACKED if packed else boards.CELLS_BOARD
    parts = {**operations, **evaluator.parts}
    return parts | {"spawn_rule": clone(expectimax.spawn_rule, operations, cached=False)}


class Workspace:
    """What every compiled search shares with its driver. One search at a time; not for several threads at once.

    table_bits: the transposition table has 2^table_bits entries of 16 bytes; 0 for none. A table that fits the
    processor's cache is faster than a larger one. Results of one search never serve another.
    """

    _private = (words.LINE_BYTES, words.MEMO)
    """Words with addresses of memory that no other workspace may use."""

    def __init__(self, evaluation: Evaluation, *, table_bits: int = 18) -> None:
        self.evaluation = evaluation
        self._ws: NDArray[np.uint64] = np.zeros(words.WORKSPACE, _U)
        self._floats = self._ws.view(np.float64)
        self._values = np.zeros(4)
        self._scratch = np.zeros(64, _U)
        self._memo = np.zeros((int(evaluators.MEMO_MASK) + 1) * int(evaluators.MEMO_WORDS), _U)
        self._table = np.zeros(2 << table_bits if table_bits else 0, _U)
        self._searches = 0
        self._keep: tuple[Any, ...] = ()
        self._orders: tuple[Any, ...] = ()
        self._chances = np.zeros(MAX_VALUE.bit_length())
        self._layout: BoardLayout | None = None
        self._own_values = False
        self._board = _U(0)
        self._score = 0
        if table_bits:
            self._set(words.TABLE, self._table.ctypes.data)
            self._set(words.MASK, (1 << table_bits) - 1)
        self._set(words.CHANCES, self._chances.ctypes.data)
        self._set(words.LINE_BYTES, self._scratch.ctypes.data)
        self._set(words.MEMO, self._memo.ctypes.data)

    def _set(self, word: Any, value: int) -> None:
        self._ws[int(word)] = _U(value)

    def _set_float(self, word: Any, value: float) -> None:
        self._floats[int(word)] = value

    def _get(self, word: Any) -> int:
        return int(self._ws[int(word)])

    @property
    def _address(self) -> Any:
        return _U(self._ws.ctypes.data)

    @property
    def layout(self) -> BoardLayout | None:
        """How the position is held; None before `start`."""
        return self._layout

    def _compile(self, evaluator: Evaluator, packed: bool) -> None:
        """Take up the kernels for an evaluator and a board type; called when either changes."""
        raise NotImplementedError

    def start(
        self, state: State, *, depth: int, random_model: bool = False, spawns: int | None = None
    ) -> None:
        """Take up a position, for searches of up to `depth` moves.

        spawns: how many tiles may be placed ahead, if that isn't `depth`: what a packed board must have room for.
        random_model: search as if tiles spawned at random cells with the variant's probability of a 4.
        """
        board, variant = state.board, state.variant
        largest = 1 << max(2, *variant.allowed_ranks)
        layout = layout_of(self.evaluation, board, depth if spawns is None else spawns, largest)
        self._score = min(state.score, MOST_SCORE)
        if layout != self._layout or variant.has_own_values != self._own_values:
            self._own_values = variant.has_own_values
            with WATCH:
                self._prepare(layout, variant)
        self._place(board, layout, depth)
        self._set_spawns(state, layout, random_model)
        self._searches += 1
        for word in (words.NODES, words.HITS, words.PRUNED, words.STOP, words.ABORTED, words.NAN):
            self._set(word, 0)

    def run(self, kernel: Any, *arguments: Any) -> Any:
        """What a kernel gives that searches in this workspace.

        Raises UserCodeError, or InvalidParameter for an evaluation made elsewhere, where the evaluation fails or gives
        nan.
        """
        try:
            found = kernel(*arguments)
        except Exception as error:
            if self.evaluation.origin is None:
                raise
            raise user_code_error(error, *self.evaluation.origin) from error
        self.check()
        return found

    def check(self) -> None:
        """Raise as `run` does if the evaluation has given nan since `start`."""
        met = self._get(words.NAN)
        if not met:
            return
        self._set(words.NAN, 0)
        on = "a board of the search"
        if self._layout is not None and self._layout.packed and not self._layout.with_bricks:
            on = quote(str(unpack(met)))
        raise nan_error(self.evaluation, on)

    def _prepare(self, layout: BoardLayout, variant: Variant) -> None:
        evaluator = prepare(self.evaluation, layout)
        moves = line_table(layout.with_bricks) if layout.packed else geometry(layout.shape)
        self._compile(evaluator, layout.packed)
        self._keep = (evaluator, moves)
        self._layout = layout
        self._set(words.VALUES, evaluator.values.ctypes.data)
        self._set(words.EXTRA, evaluator.extra.ctypes.data)
        self._set(words.SLIDE_TABLE, moves.ctypes.data)
        shape = layout.shape
        self._set(words.SHAPE, shape.rows << 32 | shape.columns)
        self._floats[int(words.REWARD)] = self.evaluation.reward
        self._floats[int(words.DEAD)] = self.evaluation.dead
        self._floats[int(words.DEAD_SCORE)] = self.evaluation.dead_score

    def _place(self, board: Board, layout: BoardLayout, depth: int) -> None:
        if layout.packed:
            self._board = _U(pack(board))
            return
        buffer = buffer_of(board)
        self._board = _U(buffer.ctypes.data)
        self._set(words.STRIDE, len(buffer))
        self._set(words.WORDS, len(buffer) // 8)
        self._keep = (*self._keep[:2], buffer)
        self._take_rows(depth)

    def _take_rows(self, depth: int) -> None:
        """Scratch boards for `depth` levels and the root's."""
        self._rows = np.full((4 * (depth + 1), self._get(words.STRIDE)), BRICK, np.uint8)
        self._set(words.SCRATCH, self._rows.ctypes.data)

    def adopt(self, other: Workspace, depth: int) -> None:
        """Take up what `other` has started, with its table, for use in another thread while `other` stays as it is."""
        own = {word: self._get(word) for word in self._private}
        self._ws[:] = other._ws
        for word, address in own.items():
            self._set(word, address)
        self._layout, self._keep, self._orders = other._layout, other._keep, other._orders
        self._own_values = other._own_values
        self._board, self._score = other._board, other._score
        assert self._layout is not None
        self._compile(self._keep[0], self._layout.packed)
        if not self._layout.packed:
            self._take_rows(depth)
        for word in (words.NODES, words.HITS, words.PRUNED, words.ABORTED, words.NAN):
            self._set(word, 0)

    def hold(self, board: Board) -> tuple[Any, Any]:
        """A board of the position's shape as kernels take it, and what has to be kept alive meanwhile."""
        assert self._layout is not None
        if self._layout.packed:
            return _U(pack(board)), None
        buffer = buffer_of(board)
        return _U(buffer.ctypes.data), buffer

    def _set_spawns(self, state: State, layout: BoardLayout, random_model: bool) -> None:
        variant, shape = state.variant, layout.shape
        style = "random" if random_model else variant.style
        kinds = {"random": words.RANDOM, "evil": words.EVIL, "script": words.SCRIPT_STYLE}
        self._set(words.STYLE, kinds.get(style, words.CORNER))
        self._floats[int(words.FOUR)] = variant.chance_of_four
        self._set(words.DRAWN, int(spawn_word(variant)))
        self._chances[:] = 0.0
        for rank, chance in variant.chances:
            self._chances[rank] = chance
        self._set(words.RANKS, max(2, *variant.allowed_ranks))
        self._set(words.ALLOWED, sum(1 << rank for rank in variant.allowed_ranks))
        order = variant.place_order() if style not in kinds else range(len(shape.cells))
        cells = [cell for cell in order if shape.cells[cell] != BRICK]
        # A script counts every cell of the board, bricks too: they are never free.
        listed = list(range(len(shape.cells))) if style == "script" else cells
        numbers = [self._number(cell, shape, layout) for cell in listed]
        left = variant.script[state.spawns :] if style == "script" else ()
        order_array = np.array(numbers, np.uint32)
        script_array = np.array(left or [(0, 0)], np.uint32)
        self._orders = (order_array, script_array)
        self._set(words.ORDER, order_array.ctypes.data)
        self._set(words.CELLS, len(numbers))
        self._set(words.SCRIPT, script_array.ctypes.data)
        self._set(words.SCRIPTED, len(left))

    @staticmethod
    def _number(cell: int, shape: Board, layout: BoardLayout) -> int:
        return cell // shape.columns * 4 + cell % shape.columns if layout.packed else cell

    def stop(self) -> None:
        """Make a running `search` return None soon; may be called from another thread."""
        self._set(words.STOP, 1)

    def count(self, other: Workspace) -> None:
        """Add the statistics of a search that adopted this one."""
        for word in (words.NODES, words.HITS, words.PRUNED):
            self._set(word, self._get(word) + other._get(word))

    @property
    def stopped(self) -> bool:
        """Whether `stop` was called since `start`."""
        return bool(self._ws[int(words.STOP)])

    @property
    def nodes(self) -> int:
        """Positions valued since `start`."""
        return int(self._ws[int(words.NODES)])

    @property
    def table_hits(self) -> int:
        """Positions found in the table since `start`."""
        return int(self._ws[int(words.HITS)])

    @property
    def pruned(self) -> int:
        """Spawns valued at once because of their probability since `start`."""
        return int(self._ws[int(words.PRUNED)])
