"""An evaluation made ready for a kind of board: compiled functions for the search's holes, and their tables."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InvalidParameter, TwofoldError, UserCodeError, quote
from twofold.evaluation.base import Evaluation
from twofold.evaluation.network import Network
from twofold.evaluation.neural import NeuralNetwork
from twofold.kernels.board.line_tables import line_table
from twofold.kernels.compiling import clone
from twofold.kernels.exact import leaning
from twofold.kernels.neural import evaluator
from twofold.kernels.ntuple import lookup, stages, symmetry
from twofold.kernels.search import boards, evaluators, expectimax
from twofold.rules.board import Board
from twofold.rules.cells import BRICK
from twofold.userfile import user_code_error

LINES = 65536


@dataclass(frozen=True)
class BoardLayout:
    """How a search holds its boards.

    packed: one word inside 4x4, else bytes. with_bricks: nibble 15 is a brick, else the rank `top`. shape: a board
    whose bricks and size are meant.
    """

    packed: bool
    with_bricks: bool
    top: int
    shape: Board


@dataclass(frozen=True, eq=False)
class Evaluator:
    """What fills the search's holes for one evaluation and layout; the arrays must outlive the search."""

    parts: Mapping[str, Any]
    values: NDArray[Any]
    extra: NDArray[Any]


@functools.lru_cache(maxsize=64)
def prepare(evaluation: Evaluation, layout: BoardLayout) -> Evaluator:
    """Compiled parts and tables of an evaluation; raises InvalidParameter where it makes no sense on the board."""
    if evaluation.accepts is not None:
        evaluation.accepts(layout.shape)
    if isinstance(evaluation.network, NeuralNetwork):
        return _neural_evaluator(evaluation.network, layout)
    if evaluation.network is not None:
        return _network_evaluator(evaluation, evaluation.network, layout)
    if evaluation.function is not None:
        return _function_evaluator(evaluation, layout.packed)
    if not layout.packed:
        return _cells_evaluator(evaluation, layout.shape)
    if evaluation.placed is None or evaluation.single:
        return _line_evaluator(evaluation, layout)
    return _wide_evaluator(evaluation, layout)


def packs(evaluation: Evaluation, board: Board) -> bool:
    """Whether the evaluation can be asked about packed boards of this shape."""
    if evaluation.network is not None:
        return evaluation.network.design.packed
    inside = board.rows <= 4 and board.columns <= 4
    if evaluation.function is not None:
        return board.is_open_4x4
    return inside


@functools.cache
def _clone(template: str, module: Any, **parts: Any) -> Any:
    return clone(getattr(module, template), parts, cached=False)


def _frontier(board: str, evaluate: Any, **constants: Any) -> Any:
    operations = boards.PACKED if board == "packed" else boards.CELLS_BOARD
    return clone(expectimax.frontier, {**operations, "evaluate": evaluate, **constants}, cached=False)


def _line_formula(evaluation: Evaluation) -> Any:
    line = evaluation.line
    formula = line if evaluation.numbered else _clone("unnumbered", evaluators, formula=line)
    return _clone("line_worth", evaluators, formula=formula)


def _line_values(evaluation: Evaluation, layout: BoardLayout, number: int = 0) -> NDArray[np.float64]:
    """Value of each of the 65,536 lines, float64."""
    out = np.zeros(LINES)
    if evaluation.line is not None:
        fill = clone(evaluators.line_values, {"line_worth": _line_formula(evaluation)})
        try:
            arrays = np.zeros(4, np.uint8), out
            fill(evaluation.parameter_array(), number, layout.top, layout.with_bricks, *arrays)
        except Exception as error:
            if evaluation.origin is None:
                raise
            raise user_code_error(error, *evaluation.origin) from error
        _refuse_nan(evaluation, out, "some row or column")
    return out


def _refuse_nan(evaluation: Evaluation, values: NDArray[np.float64], on: str) -> None:
    if np.isnan(values).any():
        raise nan_error(evaluation, on)


def nan_error(evaluation: Evaluation, on: str) -> TwofoldError:
    """The refusal of an evaluation that gave nan, or infinity: by file and line if a user's function is behind it."""
    text = f"the evaluation {quote(evaluation.text)} gives nan or infinity, not a number, on {on}"
    if evaluation.origin is None:
        return InvalidParameter(text)
    path, line = evaluation.origin
    return UserCodeError(f"{path}:{line}: {text}")


def _line_evaluator(evaluation: Evaluation, layout: BoardLayout) -> Evaluator:
    """One float32 table for all rows and columns, or eight where cells count by their places."""
    spread = evaluation.numbered or evaluation.placed is not None
    tables = _eight_tables(evaluation, layout) if spread else _line_values(evaluation, layout)
    values = tables.astype(np.float32).reshape(-1, LINES)
    moves = line_table(layout.with_bricks)
    left = moves & np.uint64(0xFFFF)
    right = moves >> np.uint64(16) & np.uint64(0xFFFF)
    line = np.arange(LINES, dtype=np.uint64)
    extra = np.empty((len(values), LINES, 2), np.uint64)
    extra[:, :, 0] = (left ^ line) | (right ^ line) << np.uint64(16) | moves >> np.uint64(32) << np.uint64(32)
    bits = values.view(np.uint32).astype(np.uint64)
    extra[:, :, 1] = bits[:, left.astype(np.int64)] | bits[:, right.astype(np.int64)] << np.uint64(32)
    constants = {"SPREAD": np.uint64(spread)}
    evaluate = clone(evaluators.line_evaluate, constants, cached=False)
    rewarded = {"REWARDED": evaluation.reward != 0.0}
    frontier = clone(evaluators.line_frontier, constants | rewarded, cached=False)
    return Evaluator({"evaluate": evaluate, "frontier": frontier, "SCORED": False}, values, extra)


def _eight_tables(evaluation: Evaluation, layout: BoardLayout) -> NDArray[np.float64]:
    """Value of each line as row 0 … 3 and as column 0 … 3, float64 (8, 65536), the cells' values in the rows'."""
    board = layout.shape
    if evaluation.numbered:
        rows, columns = ([min(4 * i // count, 3) for i in range(4)] for count in (board.rows, board.columns))
        numbers = [*rows, *(4 + number for number in columns)]
        tables = np.stack([_line_values(evaluation, layout, number) for number in numbers])
    else:
        tables = np.tile(_line_values(evaluation, layout), (8, 1))
    placed = _placed(evaluation, board)
    line = np.arange(LINES)
    for row in range(board.rows):
        for column in range(board.columns):
            rank = line >> (4 * column) & 15
            value = np.where(rank == 15, placed[row * board.columns + column][layout.top], 0.0)
            if layout.with_bricks:
                value[:] = 0.0
            plain = rank < 15
            value[plain] = placed[row * board.columns + column][rank[plain]]
            tables[row] += value
    return tables


def lean_tables(evaluation: Evaluation, layout: BoardLayout) -> NDArray[np.float32]:
    """What a line and cell formula says of each row and column, float32 (8, 65536): rows, then columns."""
    return _eight_tables(evaluation, layout).astype(np.float32)


def _wide_evaluator(evaluation: Evaluation, layout: BoardLayout) -> Evaluator:
    """Eight float64 tables, rows then columns."""
    tables = _eight_tables(evaluation, layout)
    evaluate = clone(evaluators.wide_evaluate, {}, cached=False)
    frontier = _frontier("packed", evaluate)
    return Evaluator({"evaluate": evaluate, "frontier": frontier, "SCORED": False}, tables, tables)


def _placed(evaluation: Evaluation, board: Board) -> NDArray[np.float64]:
    """Value of each rank on each cell, float64 (cells, 64); bricks are worth nothing."""
    if evaluation.placed is None:
        return np.zeros((len(board.cells), 64))
    table = np.ascontiguousarray(evaluation.placed(board), np.float64)
    if table.shape != (len(board.cells), 64):
        raise InvalidParameter(f"evaluation {evaluation.text} gave a cell table of shape {table.shape}")
    _refuse_nan(evaluation, table, "some cell")
    return table


def _cells_evaluator(evaluation: Evaluation, board: Board) -> Evaluator:
    parts: dict[str, Any] = {"LINEAR": evaluation.line is not None, "PLACED": evaluation.placed is not None}
    parts["NUMBERED"] = evaluation.numbered
    if evaluation.line is not None:
        line = {"line_worth": _line_formula(evaluation), "ROUNDED": evaluation.placed is None}
        parts["line_value"] = clone(evaluators.line_value, line, cached=False)
    evaluate = clone(evaluators.cells_lines, parts, cached=False)
    frontier = _frontier("cells", evaluate)
    values = evaluation.parameter_array()
    return Evaluator(
        {"evaluate": evaluate, "frontier": frontier, "SCORED": False}, values, _placed(evaluation, board)
    )


@functools.lru_cache(maxsize=64)
def _function_evaluator(evaluation: Evaluation, packed: bool) -> Evaluator:
    """The same evaluator for boards of any shape, so that the compiled search is fetched from disk once."""
    template = evaluators.packed_function if packed else evaluators.cells_function
    parts = {"formula": evaluation.function, "SCORED": evaluation.scored}
    evaluate = clone(template, parts, cached=False)
    frontier = _frontier("packed" if packed else "cells", evaluate)
    values = evaluation.parameter_array()
    return Evaluator(
        {"evaluate": evaluate, "frontier": frontier, "SCORED": evaluation.scored}, values, values
    )


def network_parts(network: Network) -> dict[str, Any]:
    """The holes of kernels/ntuple/lookup.py filled for a network on packed boards."""
    design = network.design
    whole = network.weights.dtype == np.int16
    return {
        "entries": symmetry.table_sum(design.masks, whole=whole),
        "stage": stages.stage_finder(design.stages, design.by_sum),
        "BYTES": np.uint64(design.entries * network.weights.itemsize),
        "SCALE": float(network.scale),
    }


def _leaning_evaluator(evaluation: Evaluation, network: Network, layout: BoardLayout) -> Evaluator:
    """A network and what lines count beside it, on packed boards."""
    tables = lean_tables(evaluation, layout)
    known = evaluation.formations
    addresses = [network.weights.ctypes.data, tables.ctypes.data, known.address if known else 0]
    alone = clone(lookup.network_value, network_parts(network), cached=False)
    parts = {"network_value": alone, "FORMATIONS": known is not None}
    valued = clone(leaning.leaning_value, parts, cached=False)
    evaluate = clone(lookup.network_evaluate, {"network_value": valued}, cached=False)
    frontier = clone(lookup.network_frontier, {"network_value": valued}, cached=False)
    words = np.array(addresses, np.uint64)
    return Evaluator({"evaluate": evaluate, "frontier": frontier, "SCORED": False}, words, tables)


def _network_evaluator(evaluation: Evaluation, network: Network, layout: BoardLayout) -> Evaluator:
    design = network.design
    if layout.packed and (evaluation.line is not None or evaluation.placed is not None):
        return _leaning_evaluator(evaluation, network, layout)
    if layout.packed:
        valued = clone(lookup.network_value, network_parts(network), cached=False)
        evaluate = clone(lookup.network_evaluate, {"network_value": valued}, cached=False)
        frontier = clone(lookup.network_frontier, {"network_value": valued}, cached=False)
    else:
        constants = {"BASE": design.base, "SIZE": np.uint64(design.entries), "STAGES": design.stages or (0,)}
        constants |= {"BY_SUM": design.by_sum, "SCALE": float(network.scale)}
        constants |= {"WHOLE": network.weights.dtype == np.int16}
        valued = clone(lookup.lookup_value, constants, cached=False)
        evaluate = clone(lookup.lookup_evaluate, {"lookup_value": valued}, cached=False)
        frontier = _frontier("cells", evaluate)
    parts = {"evaluate": evaluate, "frontier": frontier, "SCORED": False}
    return Evaluator(parts, network.weights, design.lookups)


def _neural_evaluator(network: NeuralNetwork, layout: BoardLayout) -> Evaluator:
    if layout.packed:
        evaluate = clone(evaluator.neural_evaluate, {}, cached=False)
        frontier = clone(evaluator.neural_frontier, {}, cached=False)
    else:
        valued = clone(evaluator.neural_evaluate, {}, cached=False)
        evaluate = clone(evaluator.neural_cells, {"neural_evaluate": valued}, cached=False)
        frontier = _frontier("cells", evaluate)
    parts = {"evaluate": evaluate, "frontier": frontier, "SCORED": False}
    return Evaluator(parts, network.flat, network.sizes)


def unpack(word: int) -> Board:
    """The open 4x4 board in a packed word."""
    return Board(4, 4, bytes(word >> 4 * i & 15 for i in range(16)))


def unpack_cells(words: NDArray[np.uint64], shape: Board) -> NDArray[np.uint8]:
    """The ranks on packed boards of this shape, in reading order, uint8 (n, rows * columns); bricks as BRICK."""
    pairs = words.astype("<u8").view(np.uint8).reshape(-1, 8)
    grid = np.stack([pairs & 15, pairs >> 4], axis=2).reshape(-1, 4, 4)
    cells = grid[:, : shape.rows, : shape.columns].reshape(len(words), len(shape.cells)).copy()
    cells[:, list(shape.bricks)] = BRICK
    return cells


def pack(board: Board) -> int:
    """A board inside 4x4 as a word: bricks and the cells beyond its edge as nibble 15, tiles above 15 as 15."""
    word = 0
    for row in range(4):
        for column in range(4):
            inside = row < board.rows and column < board.columns
            rank = board.cells[row * board.columns + column] if inside else BRICK
            word |= min(rank, 15) << (16 * row + 4 * column)
    return word
