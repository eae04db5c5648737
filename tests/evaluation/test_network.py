"""Tuple networks: their text, their plain definition, and the compiled look-ups against it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rules.strategies import boards
from tests.thorough import quick_ones
from twofold.errors import InvalidParameter
from twofold.evaluation.base import Evaluation
from twofold.evaluation.learned import from_network
from twofold.evaluation.network import Design, Network, downgrade, parse_stages
from twofold.evaluation.tuples import (
    default_base,
    default_tuples,
    format_tuples,
    local_tuples,
    parse_tuples,
)
from twofold.rules.board import Board
from twofold.rules.variant import Variant
from twofold.search.expectimax import Searcher


def random_network(design: Design, *, whole: bool = False, seed: int = 1) -> Network:
    rng = np.random.default_rng(seed)
    size = (len(design.stages) + 1, design.entries)
    if whole:
        return Network(design, rng.integers(-30000, 30000, size).astype(np.int16), scale=0.5)
    return Network(design, rng.normal(0, 100, size).astype(np.float32))


WIDER = random_network(Design(Variant.of_size(3, 3), ((0, 1), (3, 4, 5)), 11, (7,)))
WIDER.errors = np.full((*WIDER.weights.shape, 2), 3, np.float32)


UNMOVED = random_network(Design(tuples=parse_tuples("0145 0256 016", 16), stages=(11,)))
UNMOVED.weights[:] = np.random.default_rng(3).permuted(
    np.indices(UNMOVED.weights.shape)[1], axis=1
)  # none twice
UNMOVED.errors = np.random.default_rng(2).normal(0, 9, (*UNMOVED.weights.shape, 2)).astype(np.float32)
MOVED = UNMOVED.with_local_tuples()


def test_tuples_are_read_and_written() -> None:
    text = "012345 456789 012456 45689a"
    assert format_tuples(parse_tuples(text, 16)) == text
    assert parse_tuples("3210", 16) == ((0, 1, 2, 3),)
    assert parse_tuples("0,1,40", 64) == ((0, 1, 40),)
    assert format_tuples(((0, 1, 40),)) == "0,1,40"
    assert parse_tuples("ab", 16) == ((10, 11),)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "at least one"),
        ("01g", "outside"),
        ("0!", "digits"),
        ("00", "twice"),
        ("01 10", "twice"),
        ("0,99", "outside"),
    ],
)
def test_bad_tuples_are_refused(text: str, part: str) -> None:
    with pytest.raises(InvalidParameter, match=part):
        parse_tuples(text, 16)


def test_sizes() -> None:
    assert Design().entries == 4 << 24
    assert Design().terms == 32
    assert default_base(Board.empty(2, 3)) == 8
    assert default_base(Board.empty(3, 3)) == 11
    assert default_tuples(Board.empty(3, 3)) == "012345"
    assert default_tuples(Board.empty(1, 7)) == "012345"
    assert len(parse_tuples(default_tuples(Board.empty(5, 5)), 25)) == 4
    assert {len(cells) for cells in parse_tuples(default_tuples(Board.empty(9, 9)), 81)} == {4}
    Design(Variant.of_size(9, 9), parse_tuples(default_tuples(Board.empty(9, 9)), 81))
    with pytest.raises(InvalidParameter, match="too large"):
        Design(tuples=((0, 1, 2, 3, 4, 5, 6, 7),))
    with pytest.raises(InvalidParameter, match="stages"):
        Design(stages=(14, 13))


@pytest.mark.parametrize(
    ("board", "count"),
    [
        (Board.empty(4, 4), 8),
        (Board.empty(2, 3), 4),
        (Board.parse("x . .|. . .|. . ."), 2),
        (Board.empty(1, 5), 2),
    ],
)
def test_symmetries_of_shapes(board: Board, count: int) -> None:
    assert len(board.symmetric_cells()) == count


@given(boards(max_rank=15, bricks=False, size=(4, 4)))
def test_symmetric_boards_are_worth_the_same(board: Board) -> None:
    network = random_network(Design(tuples=parse_tuples("0123 0145", 16)))
    value = network.value(board)
    for image in board.symmetries():
        assert network.value(image) == pytest.approx(value, rel=1e-9)


def test_near_tuples_are_images_that_begin_in_no_corner() -> None:
    square = Board.empty(4, 4)
    tuples = parse_tuples("012345 456789 012456 45689a 05af", 16)
    near = local_tuples(tuples, square)
    assert format_tuples(near) == "abcdef 456789 9abdef 45689a 369c"
    assert local_tuples(near, square) == near
    for kept in (Board.empty(3, 4), Board.parse("x . . .|. . . .|. . . .|. . . .")):
        assert local_tuples(((0, 1),), kept) == ((0, 1),)
    for pair in (((0, 1), (14, 15)), ((14, 15), (0, 1))):  # two images of one tuple stay two
        assert local_tuples(pair, square) == pair
    assert local_tuples(((0, 1), (2, 3), (0, 4)), square) == ((14, 15), (2, 3), (0, 4))


@given(boards(max_rank=17, bricks=False, size=(4, 4)))
def test_a_network_moved_to_near_tuples_values_every_board_as_before(board: Board) -> None:
    assert MOVED.value(board) == pytest.approx(UNMOVED.value(board), rel=1e-12)


def test_what_was_learned_moves_with_the_entries() -> None:
    assert MOVED.design.text == "abef 9adf acd"
    assert MOVED.with_local_tuples() is MOVED
    triples = []
    for network in (UNMOVED, MOVED):
        assert network.errors is not None
        triple = np.concatenate([network.weights[..., None], network.errors], axis=2)
        order = np.argsort(triple[..., 0], axis=1)
        triples.append(np.take_along_axis(triple, order[..., None], axis=1))
    np.testing.assert_array_equal(*triples)


def test_downgrading() -> None:
    assert downgrade([16, 3, 2, 0], 16) == [15, 3, 2, 0]
    assert downgrade([17, 16, 15, 1], 16) == [15, 14, 13, 1]
    assert downgrade([16, 255, 0, 15], 16) == [15, 255, 0, 14]
    assert downgrade([4, 3, 2, 1], 4) == [3, 3, 2, 1]  # no gap: the largest tiles are cut off
    assert downgrade([15, 1], 16) == [15, 1]


def leaf(evaluation: Evaluation, board: Board) -> float:
    return Searcher(evaluation, table_bits=0).evaluate(board, 0)


@given(st.lists(boards(max_rank=17, bricks=False, size=(4, 4)), min_size=1, max_size=5))
@pytest.mark.parametrize("whole", quick_ones([False, True], (False).__eq__))
@pytest.mark.parametrize("stages", quick_ones(["", "512 16384", "sum:700 40000"], "512 16384".__eq__))
def test_compiled_values_on_4x4(whole: bool, stages: str, found: list[Board]) -> None:
    network = _cached(whole, stages)
    searcher = Searcher(from_network(network), table_bits=0)
    for board in found:
        assert searcher.evaluate(board, 0) == pytest.approx(network.value(board), rel=1e-4, abs=1e-2)


_networks: dict[tuple[bool, str], Network] = {}


def _cached(whole: bool, stages: str) -> Network:
    key = (whole, stages)
    if key not in _networks:
        design = Design(Variant(), parse_tuples("0123 0145 0126", 16), 16, *parse_stages(stages))
        _networks[key] = random_network(design, whole=whole)
    return _networks[key]


@pytest.mark.parametrize(
    "text", ["2 . 4|8 2 16", "2 x .|. 4 .|64 . 8", "2 4 8 16 . 2 2|", ". . . . .|2 . 4 . 8|. . 2 . ."]
)
def test_compiled_values_on_other_boards(text: str) -> None:
    board = Board.parse(text)
    shape = board.without_tiles()
    base = min(9, default_base(shape))
    design = Design(Variant(shape), parse_tuples("0123 14", len(board.cells)), base, (3,))
    network = random_network(design)
    assert leaf(from_network(network), board) == pytest.approx(network.value(board), rel=1e-6)
    with pytest.raises(InvalidParameter, match="not for"):
        leaf(from_network(network), Board.empty(2, 2).with_cell(0, 1))


@pytest.mark.slow
def test_big_tiles_search_like_their_downgraded_boards() -> None:
    """With 65536 or 131072 on the board the moves are those of the board with every tile above the gap halved."""
    evaluation = from_network(_cached(False, ""))
    big = Board.parse("131072 65536 8 2|4 . 2 .|8 4 . .|. . . .")
    small = Board.parse("32768 16384 8 2|4 . 2 .|8 4 . .|. . . .")
    from twofold.rules.state import State

    for depth in (1, 2):
        found = []
        for board in (big, small):
            searcher = Searcher(evaluation)
            searcher.start(State.of(board), depth=depth)
            found.append(searcher.search(depth))
        assert found[0] == pytest.approx(found[1], rel=1e-6)


def test_stages_are_split_by_copying() -> None:
    network = random_network(Design(tuples=((0, 1),)))
    split = network.with_stages((10, 12))
    assert split.weights.shape == (3, 256)
    assert (split.weights == network.weights[0]).all()
    split.weights[2] = 7
    again = split.with_stages((10, 11, 12))
    assert (again.weights[2] == split.weights[1]).all()
    assert (again.weights[3] == 7).all()
    with pytest.raises(InvalidParameter, match="not taken away"):
        split.with_stages(())
    by_sum = again.with_stages((1024, 2048, 3000, 4096), by_sum=True)
    assert (by_sum.weights[3] == again.weights[2]).all()
    assert (by_sum.weights[4] == 7).all()
    with pytest.raises(InvalidParameter, match="not taken away"):
        split.with_stages((1024, 4000), by_sum=True)
    with pytest.raises(InvalidParameter, match="by the largest tile"):
        by_sum.with_stages((10, 11, 12))


@given(boards(max_rank=10, bricks=False, size=(3, 3)))
def test_more_tuples_change_no_value(board: Board) -> None:
    more = WIDER.with_tuples(((0, 1, 2, 3), (3, 4, 5), (0, 1)))
    assert more.value(board) == pytest.approx(WIDER.value(board), rel=1e-6, abs=1e-3)


def test_more_tuples_keep_what_was_learned() -> None:
    more = WIDER.with_tuples(((0, 1, 2, 3), (3, 4, 5), (0, 1)))
    assert more.weights.shape == (2, 11**4 + 11**3 + 11**2)
    assert more.errors is not None
    assert more.design.stages == WIDER.design.stages
    assert not more.weights[:, : 11**4].any()  # a new tuple, before the old ones
    assert not more.errors[:, : 11**4].any()
    assert (more.errors[:, -(11**2) :] == 3).all()
    with pytest.raises(InvalidParameter, match="345 is missing"):
        WIDER.with_tuples(((0, 1, 2), (0, 1)))


def holding_largest(known: float) -> Network:
    """A 2x2 network that is unsure of all entries with the largest rank, but for the board that is full of it."""
    network = random_network(Design(Variant.of_size(2, 2), ((0, 1, 2, 3),), 8, (5,)))
    network.errors = np.ones((*network.weights.shape, 2), np.float32)
    largest = (np.indices((8, 8, 8, 8)) == 7).any(axis=0).reshape(-1)
    network.errors[:, largest] = 0
    network.errors[:, -1] = known
    return network


@given(boards(max_rank=7, bricks=False, size=(2, 2)))
def test_a_promoted_board_is_worth_what_it_is_one_tile_lower(board: Board) -> None:
    network = holding_largest(known=1)
    before = network.value(board)
    changed = network.promote()
    assert 0 < changed <= 2 * (8**4 - 7**4)
    lower = Board(2, 2, bytes(downgrade(list(board.cells), 7)))
    full = board.cells == bytes([7, 7, 7, 7])
    same_stage = network.design.stage_of(list(lower.cells)) == network.design.stage_of(list(board.cells))
    if full or board.max_rank < 7:
        assert network.value(board) == before
    elif same_stage:
        assert network.value(board) == pytest.approx(network.value(lower), rel=1e-6)


@pytest.mark.parametrize(
    ("text", "stages"),
    [("", ((), False)), ("8192,16384", ((13, 14), False)), ("sum:24576", ((24576,), True))],
)
def test_the_text_of_stages(text: str, stages: tuple[tuple[int, ...], bool]) -> None:
    assert parse_stages(text) == stages
    assert parse_stages(Design(Variant(), ((0, 1),), 16, *stages).stages_text) == stages


@pytest.mark.parametrize("text", ["100", "16384 x", "sum:x", "sum:1", "sum:9999999", "-2", "\u0661", "0"])
def test_bad_stages(text: str) -> None:
    with pytest.raises(InvalidParameter, match="stage '"):
        parse_stages(text)
