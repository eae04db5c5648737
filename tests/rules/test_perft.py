"""The table of reachable boards, counted again through the rules."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.rules import naive
from tests.rules.perft import STARTS, Entry, count_layers, read_table
from twofold.rules import DIRECTIONS, Board

TABLE = read_table()
NAMES = [str(entry.start) for entry in TABLE]
QUICK = 150
"""Boards expanded per start in the quick test; the slow one expands all."""


def successors(board: Board) -> Iterator[Board]:
    for direction in DIRECTIONS:
        slide = board.slide(direction)
        if slide.changed:
            for cell in slide.board.empty_cells:
                for rank in (1, 2):
                    yield slide.board.with_cell(cell, rank)


def within(counts: tuple[int, ...], budget: int) -> tuple[int, ...]:
    """The counts that need no more than `budget` boards to be expanded."""
    kept: list[int] = []
    spent = 1
    for count in counts:
        if spent > budget:
            break
        kept.append(count)
        spent += count
    return tuple(kept)


def check(entry: Entry, budget: int) -> None:
    expected = within(entry.counts, budget)
    # The counts come first: asked first, the layers would count one more than is looked at.
    layers = zip(expected, count_layers(entry.start, successors), strict=False)
    for k, (count, counted) in enumerate(layers, 1):
        assert counted == count, f"{entry.start}: {counted} boards after {k} moves, the table says {count}"


def test_the_table_holds_what_its_program_says() -> None:
    assert [str(Board.parse(start)) for start in STARTS] == NAMES
    assert [len(entry.counts) for entry in TABLE] == list(STARTS.values())


def test_the_first_count_by_hand() -> None:
    """`2 2`: LEFT leaves `4 .` and RIGHT `. 4`, each with a 2 or a 4 spawned; `4 4` is made twice."""
    assert TABLE[0] == Entry(Board.parse("2 2|"), (3, 4, 0))


@pytest.mark.parametrize("entry", TABLE, ids=NAMES)
def test_counts_through_the_rules(entry: Entry) -> None:
    check(entry, QUICK)


@pytest.mark.slow
@pytest.mark.parametrize("entry", TABLE, ids=NAMES)
def test_all_counts_through_the_rules(entry: Entry) -> None:
    check(entry, 10**9)


@pytest.mark.slow
@pytest.mark.parametrize("entry", TABLE, ids=NAMES)
def test_all_counts_through_the_naive_program(entry: Entry) -> None:
    layers = count_layers(naive.to_grid(entry.start), naive.successors)
    assert tuple(next(layers) for _ in entry.counts) == entry.counts
