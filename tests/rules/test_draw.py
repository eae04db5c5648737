"""Pictures: legible for every rank (faults 17 to 20), well-formed, and told to screen readers (fault 36)."""

from __future__ import annotations

import math
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings

from tests.rules.strategies import boards
from twofold.errors import InvalidFile, InvalidParameter
from twofold.rules import BRICK, MAX_RANK, Board
from twofold.rules.draw import cell_text, describe, text_size, to_ansi, to_image, to_svg
from twofold.rules.palette import FRAME, Rgb, colours, contrast

BOARD = Board.parse("2 . 1024|x 131072 16384")
SVG = "{http://www.w3.org/2000/svg}"


def lab(colour: Rgb) -> tuple[float, float, float]:
    """Oklab coordinates (Ottosson 2020), in which distances are about as large as they look."""
    r, g, b = (part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour)
    long = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)
    medium = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    short = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short,
    )


def test_the_measure_of_contrast() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast((119, 119, 119), (255, 255, 255)) == pytest.approx(
        4.48, abs=0.01
    )  # the known #777 on white


@pytest.mark.parametrize("rank", [*range(MAX_RANK + 1), BRICK])
def test_every_cell_has_a_legible_pair_of_colours(rank: int) -> None:
    pair = colours(rank)
    assert contrast(*pair) >= 4.5  # WCAG 2.2 AA for text
    assert re.fullmatch(r"#[0-9a-f]{6}", pair.background_hex)
    assert math.dist(lab(pair.background), lab(FRAME)) > 0.05  # and stands out from the frame


def test_tiles_differ_at_a_glance() -> None:
    """Fault 20: 128 to 2048 looked alike. 0.02 is the least difference that is noticed."""
    backs = {rank: lab(colours(rank).background) for rank in range(MAX_RANK + 1)}
    for one in range(18):
        for other in range(one):
            assert math.dist(backs[one], backs[other]) > 0.06, (one, other)
    for rank in range(1, MAX_RANK):
        assert math.dist(backs[rank], backs[rank + 1]) > 0.06, rank


def test_numbers_always_fit() -> None:
    """Fault 19: six digits overflowed."""
    sizes = [text_size(cell_text(rank), 100) for rank in range(1, MAX_RANK + 1)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] == 46
    for rank, size in enumerate(sizes, 1):
        assert len(cell_text(rank)) * 0.62 * size <= 90


def test_grid() -> None:
    assert Board.parse("2 . 1024|x 16 .").pretty() == "\n".join(
        [
            "+------+------+------+",
            "|    2 |    . | 1024 |",
            "+------+------+------+",
            "|    x |   16 |    . |",
            "+------+------+------+",
        ]
    )
    assert "| 1152921504606846976 |" in Board.from_ranks([[60], [0]]).pretty()


@given(boards(max_rank=60))
@settings(max_examples=30)
def test_texts_have_lines_of_one_width(board: Board) -> None:
    assert len({len(line) for line in board.pretty().splitlines()}) == 1
    assert board.pretty().isascii()
    for height in (1, 3):
        lines = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in to_ansi(board, height).splitlines()]
        assert {len(line) for line in lines} == {board.columns * max(6, len(str(board.max_tile)) + 2)}
        assert len(lines) == height * board.rows
        for rank in board.tile_ranks:
            assert any(str(1 << rank) in line for line in lines)


def test_ansi_ends_every_line_in_a_reset() -> None:
    assert all(line.endswith("\x1b[0m") for line in BOARD.to_ansi().splitlines())
    with pytest.raises(InvalidParameter, match="from 1 to 9"):
        to_ansi(BOARD, 0)


@given(boards(max_rank=60))
@settings(max_examples=30)
def test_svg_is_well_formed_and_complete(board: Board) -> None:
    root = ElementTree.fromstring(to_svg(board))
    assert root.get("role") == "img"
    title = root.find(f"{SVG}title")
    assert title is not None
    assert title.text == root.get("aria-label") == describe(board)
    assert [text.text for text in root.iter(f"{SVG}text")] == [str(1 << rank) for rank in board.tile_ranks]
    assert len(list(root.iter(f"{SVG}rect"))) == len(board.cells) + 1
    _, _, width, height = map(float, str(root.get("viewBox")).split())
    for rect in root.iter(f"{SVG}rect"):
        assert float(rect.get("x", 0)) + float(str(rect.get("width"))) <= width
        assert float(rect.get("y", 0)) + float(str(rect.get("height"))) <= height


def test_words() -> None:
    assert describe(Board.parse("2 .|x 8")) == "2048 board, 2 by 2; row 1: 2, empty; row 2: brick, 8"
    assert BOARD._repr_svg_() == BOARD.to_svg()


def test_png(tmp_path: Path) -> None:
    image_module = pytest.importorskip("PIL.Image")
    path = tmp_path / "board.PNG"
    BOARD.save(path)
    with image_module.open(path) as image:
        assert image.format == "PNG"
        assert image.size == (334, 227)  # 348 and 236 units at 0.96 pixels
        for cell, rank in enumerate(BOARD.cells):
            row, column = divmod(cell, 3)
            place = (round((12 + 112 * column + 8) * 0.96), round((12 + 112 * row + 8) * 0.96))
            assert image.convert("RGB").getpixel(place) == colours(rank).background
    Board.from_ranks([[60] * 64] * 64).save(tmp_path / "large.png")
    with image_module.open(tmp_path / "large.png") as image:
        assert max(image.size) <= 8192


def test_every_tile_has_ink_inside_its_cell_only() -> None:
    """The number is drawn, and a margin at both sides stays free of it."""
    pytest.importorskip("PIL.Image")
    for rank in (1, 10, 17, 20, 34, MAX_RANK):
        image = to_image(Board(1, 2, bytes([rank, 0])), 96)
        back = colours(rank).background
        tile = image.crop((12, 12, 12 + 96, 12 + 96))
        middle = [tile.getpixel((x, y)) for x in range(8, 88) for y in range(30, 66)]
        assert any(pixel != back for pixel in middle), rank
        margin = [tile.getpixel((x, y)) for x in (2, 3, 92, 93) for y in range(30, 66)]
        assert all(pixel == back for pixel in margin), rank


def test_svg_file(tmp_path: Path) -> None:
    BOARD.save(tmp_path / "board.svg")
    assert (tmp_path / "board.svg").read_text(encoding="utf-8") == BOARD.to_svg()


@pytest.mark.parametrize("name", ["board", "board.gif", "png", "", "a.png.txt"])
def test_unknown_kinds_of_picture(name: str) -> None:
    with pytest.raises(InvalidFile, match=r"end it in \.svg or \.png"):
        BOARD.save(name)


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_places_that_cannot_be_written(tmp_path: Path, ending: str) -> None:
    for name in (f"nowhere/x.{ending}", f"a\0b.{ending}"):
        with pytest.raises(InvalidFile, match="can't write"):
            BOARD.save(f"{tmp_path}/{name}")


def test_pictures_of_unreasonable_size() -> None:
    for pixels in (0, 4, 5000):
        with pytest.raises(InvalidParameter, match="at least 8"):
            to_image(BOARD, pixels)
