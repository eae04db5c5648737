"""Named shapes: drawn by hand at small sizes, one piece and symmetric at all."""

from __future__ import annotations

import itertools

import pytest

from tests.thorough import quick_ones
from twofold.errors import InvalidBoard, UnknownShape
from twofold.rules import SHAPES, Board, Game, Variant, shape

DRAWN = {
    "plus": ["x#x|###|x#x", "x##x|####|####|x##x", "xx#xx|xx#xx|#####|xx#xx|xx#xx"],
    "ring": ["###|#x#|###", "####|#xx#|#xx#|####", "#####|#xxx#|#xxx#|#xxx#|#####"],
    "diamond": ["x#x|###|x#x", "x##x|####|####|x##x", "xx#xx|x###x|#####|x###x|xx#xx"],
    "circle": ["x#x|###|x#x", "x##x|####|####|x##x", "x###x|#####|#####|#####|x###x"],
    "triangle": ["#xx|##x|###", "#xxx|##xx|###x|####", "#xxxx|##xxx|###xx|####x|#####"],
    "h": ["#x#|###|#x#", "#xx#|####|####|#xx#", "#xxx#|#xxx#|#####|#xxx#|#xxx#"],
}


def connected(board: Board) -> bool:
    """True if one can walk from any free cell to any other."""
    free = set(board.empty_cells)
    reached, border = set(), [min(free)]
    while border:
        cell = border.pop()
        reached.add(cell)
        column = cell % board.columns
        near = [cell - board.columns, cell + board.columns]
        near += [cell - 1] * (column > 0) + [cell + 1] * (column < board.columns - 1)
        border += [other for other in near if other in free - reached]
    return reached == free


@pytest.mark.parametrize("name", SHAPES)
def test_small_shapes_as_drawn(name: str) -> None:
    for size, drawing in enumerate(DRAWN[name], 3):
        assert shape(name, size, size) == Board.parse(drawing)
        assert shape(name.upper(), size, size) == Board.parse(drawing)


@pytest.mark.parametrize("step", quick_ones([13, 1], (13).__eq__))
@pytest.mark.parametrize("name", SHAPES)
def test_shapes_at_any_size(name: str, step: int) -> None:
    large = (64, 64) if step == 1 else (3, 3)
    for rows, columns in [*itertools.product(range(3, 17, step), repeat=2), (3, 64), (64, 3), large]:
        board = shape(name, rows, columns)
        assert board.size == (rows, columns)
        assert board.has_bricks, "a shape leaves something out"
        assert len(board.empty_cells) >= 5
        assert connected(board)
        if name == "triangle":
            assert (board[rows - 1, columns - 1], board[rows - 1, 0]) == (0, 0)
        else:
            assert board == board.flip_horizontal() == board.flip_vertical()
        if name not in ("triangle", "h"):
            assert board.transpose() == shape(name, columns, rows)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes_can_be_played(name: str) -> None:
    game = Game(Variant(shape(name, 4, 4)), 1)
    while not game.is_over:
        game.move(game.legal_moves()[0])
    assert game.moves > 0


@pytest.mark.parametrize("size", [(2, 3), (3, 2), (2, 2), (1, 9)])
def test_too_small(size: tuple[int, int]) -> None:
    with pytest.raises(InvalidBoard, match="at least 3x3"):
        shape("plus", *size)


def test_other_refusals() -> None:
    with pytest.raises(UnknownShape, match="did you mean 'diamond'"):
        shape("diamnd")
    with pytest.raises(InvalidBoard, match="sizes go from"):
        shape("plus", 99999, 99999)
