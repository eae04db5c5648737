"""Directions: their texts and other projects' orders."""

from __future__ import annotations

import pytest

from twofold.errors import IllegalMove, UnknownDirection
from twofold.rules import DIRECTIONS, ORDERS, Direction, parse_direction


def test_the_order_everywhere() -> None:
    assert [(d.name, int(d)) for d in DIRECTIONS] == [("UP", 0), ("RIGHT", 1), ("DOWN", 2), ("LEFT", 3)]


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_texts(direction: Direction) -> None:
    texts: list[str] = [
        direction.name,
        direction.name.lower(),
        direction.letter,
        direction.letter.lower(),
        direction.arrow,
    ]
    for text in [*texts, str(int(direction)), f" {direction.name} "]:
        assert parse_direction(text) is direction
    assert parse_direction(int(direction)) is direction
    assert parse_direction(direction) is direction


@pytest.mark.parametrize("text", ["", "x", "uup", "4", 4, -1, True, "w", "\0", "u" * 10**6, 1.0, None])
def test_no_direction(text: str | int) -> None:
    with pytest.raises(UnknownDirection, match="unknown direction") as caught:
        parse_direction(text)
    assert isinstance(caught.value, IllegalMove)
    assert len(str(caught.value)) < 250


def test_other_orders() -> None:
    for order in ORDERS.values():
        assert sorted(order) == list(DIRECTIONS)
    assert ORDERS["nneonneo"] == (Direction.UP, Direction.DOWN, Direction.LEFT, Direction.RIGHT)
    assert ORDERS["verse-v2"][2] is Direction.LEFT
    assert ORDERS["replay-v1"][3] is Direction.LEFT
    assert ORDERS["pgx"][0] is Direction.LEFT
    assert ORDERS["endgame-tablebase"][1 - 1] is Direction.LEFT
    assert ORDERS["macroxue"] == (Direction.UP, Direction.LEFT, Direction.RIGHT, Direction.DOWN)
