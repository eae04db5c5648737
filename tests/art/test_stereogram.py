"""Hidden shapes are found by stereo matching from the dots alone, with the right sign, and only where they are."""

from __future__ import annotations

import io
import itertools
import random
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from twofold.art.stereogram import Bits, Designation, Shifts, Texture, disparity, random_bits
from twofold.art.stereogram_board import (
    Pair,
    Stereogram,
    board_textures,
    designation_at,
    key_text,
    position_board,
    set_sheet,
)
from twofold.art.stereogram_draw import (
    Look,
    Print,
    data_url,
    gif_bytes,
    key_image,
    layout,
    png_bytes,
    save,
    texture_png,
    texture_url,
    tile_pitch_mm,
    to_image,
    to_svg,
)
from twofold.art.stereogram_mask import fit_mask, levels, parse_mask, read_mask
from twofold.art.stereogram_match import agreement, match, near_edges
from twofold.art.stereogram_sets import PolyominoSet, PositionSet, ShapeSet
from twofold.errors import InvalidFile, InvalidParameter, TwofoldError
from twofold.rules import Board, Game, Variant, parse_board
from twofold.rules.random import stream_key, word

LEFT, RIGHT = Designation.LEFT, Designation.RIGHT
FLOOR = 0.95


@pytest.fixture(scope="module")
def tiles() -> PolyominoSet:
    return PolyominoSet()


@pytest.fixture(scope="module")
def report_tiles() -> PolyominoSet:
    """S0's set: four squares in the column, ten designs."""
    return PolyominoSet(10)


def found(left: Texture, right: Texture, most: int = 6) -> Shifts:
    return match(left.bits, right.bits, most)


def plain_matcher(left: Bits, right: Bits, most: int, half: int = 3) -> Shifts:
    """A second matcher, written apart: centred blocks, at every dot the shift with the fewest differences."""
    size = left.shape[0]
    result = np.zeros(left.shape, np.int16)
    margin = half + most
    for y in range(half, size - half):
        for x in range(margin, size - margin):
            scores = []
            for shift in sorted(range(-most, most + 1), key=abs):
                a = x + (shift + 1) // 2
                b = a - shift
                one = left[y - half : y + half + 1, a - half : a + half + 1]
                two = right[y - half : y + half + 1, b - half : b + half + 1]
                scores.append((int((one != two).sum()), abs(shift), shift))
            result[y, x] = min(scores)[2]
    return result


# What a pair hides


@pytest.mark.parametrize("rank", range(1, 18))
def test_own_counterpart_shows_column_and_one_arm(tiles: PolyominoSet, rank: int) -> None:
    left, right = tiles.texture(rank, LEFT), tiles.texture(rank, RIGHT)
    key = disparity(left, right)
    assert (key == 4 * tiles.mask(rank)).all()
    assert agreement(found(left, right), key, 4) >= FLOOR


def pairs_to_test() -> list[tuple[int, int]]:
    every = [pair for pair in itertools.product(range(1, 18), repeat=2) if pair[0] != pair[1]]
    return random.Random(7).sample(every, 12)


@pytest.mark.parametrize("pair", pairs_to_test(), ids=str)
def test_two_tiles_show_both_arms_at_half_depth(tiles: PolyominoSet, pair: tuple[int, int]) -> None:
    one, other = pair
    left, right = tiles.texture(one, LEFT), tiles.texture(other, RIGHT)
    key = disparity(left, right)
    assert (key == 2 * (tiles.mask(one) + tiles.mask(other))).all()
    assert agreement(found(left, right), key, 4) >= FLOOR
    # Swapped, everything that was raised is sunken.
    assert (disparity(right, left) == -key).all()
    assert agreement(found(right, left), -key, 4) >= FLOOR


@pytest.mark.parametrize("designation", [LEFT, RIGHT])
def test_equal_designations_show_arms_and_no_column(tiles: PolyominoSet, designation: Designation) -> None:
    for one, other in [(1, 10), (3, 14), (17, 5)]:
        left, right = tiles.texture(one, designation), tiles.texture(other, designation)
        seen = found(left, right)
        arms = tiles.mask(one) - tiles.mask(other)
        key = disparity(left, right)
        assert (key == 2 * int(designation) * arms).all()
        assert agreement(seen, key, 4) >= FLOOR
        column = (tiles.mask(one) > 0) & (tiles.mask(other) > 0) & ~near_edges(key, 4)
        assert column.any()
        assert (seen[column] == 0).mean() >= FLOOR
    same = tiles.texture(4, designation)
    assert not found(same, same).any()


def test_a_matcher_written_apart_finds_the_same(report_tiles: PolyominoSet) -> None:
    size = report_tiles.dots
    inside = np.zeros((size, size), bool)
    inside[3 : size - 3, 9 : size - 9] = True
    for (one, first), (other, second) in [((3, LEFT), (8, RIGHT)), ((2, RIGHT), (2, LEFT))]:
        left, right = report_tiles.texture(one, first), report_tiles.texture(other, second)
        key = disparity(left, right)
        seen = plain_matcher(left.bits, right.bits, 5)
        counted = inside & ~near_edges(key, 4)
        assert (seen[counted] == key[counted]).mean() >= FLOOR
        figure = counted & (key != 0)
        assert (seen[figure] == key[figure]).mean() >= 0.9


@pytest.mark.slow
def test_every_pair_of_the_set(tiles: PolyominoSet) -> None:
    worst = 1.0
    for one, other in itertools.product(range(1, 18), repeat=2):
        for first, second in itertools.product((LEFT, RIGHT), repeat=2):
            left, right = tiles.texture(one, first), tiles.texture(other, second)
            worst = min(worst, agreement(found(left, right), disparity(left, right), 4))
    assert worst >= FLOOR


def test_a_matcher_can_fail(tiles: PolyominoSet) -> None:
    left, right = tiles.texture(3, LEFT), tiles.texture(3, RIGHT)
    other = tiles.texture(9, RIGHT)
    seen = found(left, other)
    key = disparity(left, right)
    arm = (tiles.mask(3) != 0) & (tiles.mask(9) == 0) & ~near_edges(disparity(left, other), 4)
    assert arm.any()
    assert (seen[arm] == key[arm]).mean() < 0.1
    noise = random_bits(99, 3, tiles.dots, tiles.dots)
    assert agreement(match(left.bits, noise, 6), key, 4) < 0.5


def test_one_eye_sees_nothing(tiles: PolyominoSet) -> None:
    """As many black dots inside the figure as outside, and no more runs."""
    for rank, designation in [(1, LEFT), (9, RIGHT), (17, LEFT)]:
        texture = tiles.texture(rank, designation)
        inside = tiles.mask(rank) != 0
        for part in (inside, ~inside):
            sigma = 0.5 / np.sqrt(part.sum())
            assert abs(texture.bits[part].mean() - 0.5) < 4 * sigma
            same = (texture.bits[:, 1:] == texture.bits[:, :-1])[part[:, 1:]]
            assert abs(same.mean() - 0.5) < 4 * 0.5 / np.sqrt(same.size)


# The set


def test_the_report_s_set_makes_pentominoes_and_hexominoes(report_tiles: PolyominoSet) -> None:
    assert (report_tiles.column, report_tiles.ranks) == (4, 10)
    arms = [report_tiles.arm(rank) for rank in range(1, 11)]
    assert len(set(arms)) == 10
    assert {len(report_tiles.squares(rank)) for rank in range(1, 11)} == {5}
    assert {len(report_tiles.squares(a, b)) for a, b in itertools.combinations(range(1, 11), 2)} == {6}
    # All eight places at the sides and both ends.
    assert set(arms) == {(row, side) for row in range(1, 5) for side in (0, 2)} | {(0, 1), (5, 1)}


@pytest.mark.parametrize(("ranks", "column", "designs"), [(1, 4, 10), (11, 5, 12), (17, 8, 18), (60, 29, 60)])
def test_the_column_grows_with_the_ranks(ranks: int, column: int, designs: int) -> None:
    made = PolyominoSet(ranks)
    assert (made.column, made.ranks) == (column, designs)
    arms = {made.arm(rank) for rank in range(1, made.ranks + 1)}
    assert len(arms) == made.ranks
    for row, side in arms:  # each touches the column
        assert (side in (0, 2) and 1 <= row <= column) or (side == 1 and row in (0, column + 1))


def test_four_squares_serve_every_tile_of_a_4x4_game() -> None:
    """Ten arms of whole squares are all that there are; the others lie half a square between two of them."""
    tiles = PolyominoSet(17, column=4)
    assert (tiles.ranks, tiles.square) == (20, 15)
    places = [tiles.arm(rank) for rank in range(1, 21)]
    assert len(set(places)) == 20
    assert places[:10] == [PolyominoSet(10).arm(rank) for rank in range(1, 11)]
    column = {(row, 1) for row in range(1, 5)}
    for rank, (row, side) in enumerate(places, 1):
        touching = [
            (y, x)
            for y, x in column
            if (abs(row - y) < 1 and abs(side - x) == 1) or (abs(row - y) == 1 and abs(side - x) < 1)
        ]
        assert touching, rank
        assert (row, side) not in column
        left, right = (tiles.texture(rank, each) for each in (LEFT, RIGHT))
        shown = disparity(left, right)
        assert int((shown == tiles.depth).sum()) == 5 * tiles.square**2  # a pentomino
    pairs = [(11, 17), (12, 4), (20, 1), (16, 13)]
    for a, b in pairs:
        assert Pair(0, 0, tiles.texture(a, LEFT), tiles.texture(b, RIGHT)).found() > 0.98


def test_a_grey_map_keeps_its_levels(tmp_path: Path) -> None:
    grey = np.repeat(np.linspace(255, 0, 9).round().astype(np.uint8)[None, :], 9, axis=0)
    Image.fromarray(grey).save(tmp_path / "ramp.png")
    mask = read_mask(tmp_path / "ramp.png")
    for depth in (4, 8):
        tiles = ShapeSet(mask, 120, depth)
        left, right = tiles.texture(1, LEFT), tiles.texture(1, RIGHT)
        shown = disparity(left, right)
        assert sorted(set(shown.ravel().tolist())) == list(range(depth + 1))
        assert (disparity(right, left) == -shown).all()
        assert (np.diff(shown[60, 12:108]) >= 0).all()
        assert Pair(0, 0, left, right).found() > 0.9
    Image.fromarray(np.uint8([[250, 255]])).save(tmp_path / "faint.png")
    with pytest.raises(InvalidParameter, match="too faint"):
        ShapeSet(read_mask(tmp_path / "faint.png"))


@pytest.mark.parametrize(
    "options",
    [
        {"board": Board.parse("2 4 8|16 32 .")},
        {"mask": parse_mask(".##|-#.")},
        {"set": "positions", "size": (2, 3)},
        {"sheet": True, "designs": 10},
    ],
)
def test_crossed_eyes_see_what_parallel_ones_do(options: dict[str, Any]) -> None:
    parallel, crossed = (Stereogram(**options, crossed=crossed).textures() for crossed in (False, True))
    for one, other in zip(parallel.pairs(), crossed.pairs(), strict=True):
        assert (one.disparity == other.disparity).all()
        assert (disparity(other.left, other.right) == -disparity(one.left, one.right)).all()
    assert crossed.pairs()[0].found() > 0.98


def test_a_game_is_a_moving_picture(tmp_path: Path) -> None:
    game = Game(Variant.of_size(2, 3), 4)
    boards = [game.board]
    while not game.is_over and len(boards) < 6:
        game.move(game.legal_moves()[0])
        boards.append(game.board)
    chosen = Stereogram(seed=3)
    made = list(chosen.of_boards(boards))
    for each in made:  # designations alternate on every board
        names = [(pair.left.name, pair.right.name) for pair in each.pairs()]
        assert all(left[-1] != right[-1] for left, right in names if "empty" not in (left, right))
    look = Look(dot=1)
    told: list[int] = []
    shown = Image.open(io.BytesIO(gif_bytes(made, look, 0.5, told.append)))
    assert told == list(range(1, len(boards) + 1))
    assert shown.n_frames == len(boards)
    for number, each in enumerate(made):
        shown.seek(number)
        assert shown.info["duration"] == 500
        assert (np.asarray(shown.convert("RGB")) == np.asarray(to_image(each, look))).all()
    with pytest.raises(InvalidParameter, match="polyomino and shape"):
        list(Stereogram(set="positions").of_boards(boards))


def test_large_tiles_have_textures_too() -> None:
    made = PolyominoSet(60)
    left, right = made.texture(60, LEFT), made.texture(59, RIGHT)
    assert agreement(found(left, right), disparity(left, right), 4) >= FLOOR


def test_dots_come_from_the_seed_alone() -> None:
    one, again, other = (PolyominoSet(10, seed=seed).texture(3, LEFT).bits for seed in (5, 5, 6))
    assert (one == again).all()
    assert abs((one == other).mean() - 0.5) < 0.02
    # Bit 63 of the words of the generator of the rules.
    key = stream_key(5, 0, 0)
    expected = [word(key, k) >> 63 for k in range(300)]
    assert random_bits(5, 0, 3, 100).ravel().astype(int).tolist() == expected


@pytest.mark.parametrize(
    "bad",
    [
        {"ranks": 0},
        {"ranks": 61},
        {"dots": 0},
        {"dots": 10**6},
        {"dots": 40},
        {"depth": 3},
        {"depth": 0},
        {"depth": 10**6},
        {"column": 3},
        {"column": 10**6},
    ],
    ids=str,
)
def test_sets_that_cannot_be(bad: dict[str, int]) -> None:
    with pytest.raises(InvalidParameter) as refusal:
        PolyominoSet(**bad)
    assert "\n" not in str(refusal.value)


def test_a_texture_that_the_set_lacks(report_tiles: PolyominoSet) -> None:
    with pytest.raises(InvalidParameter, match="no texture for rank '11'"):
        report_tiles.texture(11, LEFT)


# Boards


def test_designations_alternate_along_every_row(tiles: PolyominoSet) -> None:
    board = parse_board("2 4 2 . 8 8|. x 16 2 2 4|131072 2 . . 4 2")
    made = board_textures(board, tiles)
    for row, textures in zip(board.ranks, made.textures, strict=True):
        for column, texture in enumerate(textures):
            if row[column] == 255:
                assert texture is None
            elif row[column]:
                assert texture is not None
                letter = designation_at(column).letter
                assert texture.name == f"{row[column]}{letter}"
        for one, two in itertools.pairwise(textures):
            if one and two and "empty" not in (one.name, two.name):
                assert one.name[-1] != two.name[-1]
    assert all(
        texture is None or texture.name != "2R"
        for texture in board_textures(board, tiles, LEFT).textures[0][:1]
    )


def test_columns_are_raised_and_sunken_in_turn(tiles: PolyominoSet) -> None:
    """S0's figure 28: with parallel eyes the middle one of three fused columns is raised, the outer ones sunken."""
    made = board_textures(parse_board("2 4 8 16|2 2 2 2"), tiles)
    signs = {(pair.row, pair.column): np.sign(pair.disparity).sum() for pair in made.pairs()}
    assert all((total > 0) == (column == 1) for (_, column), total in signs.items())
    assert len(signs) == 6
    assert all(pair.found() >= FLOOR for pair in made.pairs())


def test_a_slide_keeps_the_rule(tiles: PolyominoSet) -> None:
    board = parse_board("2 4 8 .|. 2 4 8|2 2 . 4|x 2 . 2")
    for direction in board.legal_moves():
        made = board_textures(board.slide(direction).board, tiles)
        for pair in made.pairs():
            names = pair.left.name, pair.right.name
            if "empty" not in names:
                assert names[0][-1] != names[1][-1]


def test_a_tile_beside_an_empty_cell_shows_alone(tiles: PolyominoSet) -> None:
    (pair,) = board_textures(parse_board("8 .|"), tiles, LEFT).pairs()
    assert (pair.disparity == 2 * tiles.mask(3)).all()
    assert pair.found() >= FLOOR


def test_the_sheet_has_every_design(report_tiles: PolyominoSet) -> None:
    sheet = set_sheet(report_tiles, 10)
    names = [texture.name for row in sheet.textures for texture in row if texture]
    assert names == [f"{rank}{side}" for rank in range(1, 11) for side in "LR"]
    with pytest.raises(InvalidParameter):
        set_sheet(report_tiles, 0)


def test_the_key_as_text(report_tiles: PolyominoSet) -> None:
    (pair,) = board_textures(parse_board("2 4|"), report_tiles).pairs()
    lines = key_text(pair, 4)
    assert len(lines) == 12
    assert set("".join(lines)) == {".", "=", "-"}
    mirrored = key_text(board_textures(parse_board("2 4|"), report_tiles, LEFT).pairs()[0], 4)
    assert [line.replace("=", "#").replace("-", "+") for line in lines] == [
        line.replace("-", "+") for line in mirrored
    ]
    assert set("".join(mirrored)) == {".", "#", "+"}


# Places and shapes


def test_the_position_bound_set_is_half_raised_and_half_sunken() -> None:
    places = PositionSet()
    raised, sunken = (places.picture == 1).sum(), (places.picture == -1).sum()
    assert raised == sunken > 0.15 * places.picture.size
    assert (places.picture[:, : places.picture.shape[1] // 2] >= 0).all()
    board = position_board(places)
    pairs = board.pairs()
    assert len(pairs) == 12
    for pair in pairs:
        assert (pair.disparity == places.place(pair.row, pair.column)).all()
        assert pair.found() >= FLOOR
    keys = [np.hstack([p.disparity for p in pairs if p.row == row]) for row in range(4)]
    assert (np.vstack(keys) == 4 * places.picture).all()


def test_places_hide_any_picture() -> None:
    rng = np.random.default_rng(3)
    coarse = rng.integers(-1, 2, (4, 8)).astype(np.int8)
    places = PositionSet(2, 5, coarse, dots=96)
    for pair in position_board(places).pairs():
        assert (pair.disparity == places.place(pair.row, pair.column)).all()
        assert pair.found() >= FLOOR


@pytest.mark.parametrize("size", [(0, 4), (4, 1), (17, 4), (10**6, 10**6)])
def test_places_of_impossible_boards(size: tuple[int, int]) -> None:
    with pytest.raises(InvalidParameter, match="boards go from"):
        PositionSet(*size)


def test_a_shape_of_one_s_own() -> None:
    own = ShapeSet(parse_mask(".##.##.|#######|.#####.|..###..|...#..."))
    pair, *rest = board_textures(parse_board("2 4 .|64 x 8"), own, LEFT).pairs()
    assert (pair.disparity == 4 * own.mask).all()
    assert pair.found() >= FLOOR
    assert (rest[0].disparity == -2 * own.mask).all()  # a right texture beside nothing
    share = (own.mask != 0).mean()
    assert 0.2 < share < 0.7


def test_masks_are_scaled_whole() -> None:
    mask = parse_mask("#.|.-")
    fitted = fit_mask(mask, 8, 20)
    assert fitted.shape == (8, 20)
    assert (fitted[:, 6:14] == mask.repeat(4, axis=0).repeat(4, axis=1)).all()
    assert not fitted[:, :6].any()
    assert not fitted[:, 14:].any()


def test_a_mask_from_a_picture(tmp_path: Path) -> None:
    pixels = np.full((20, 30, 4), 255, np.uint8)
    pixels[5:10, 4:9, :3] = 20
    pixels[12:15, 4:9] = (0, 0, 0, 0)  # transparent is flat
    Image.fromarray(pixels).save(tmp_path / "own.png")
    expected = np.zeros((20, 30))
    expected[5:10, 4:9] = 1 - 20 / 255
    assert np.allclose(read_mask(tmp_path / "own.png"), expected, atol=1e-6)
    assert (levels(read_mask(tmp_path / "own.png"), 4) == 4 * expected.round()).all()
    (tmp_path / "own.txt").write_text("..#\n.#-\n", "utf-8")
    assert read_mask(tmp_path / "own.txt").tolist() == [[0, 0, 1], [0, 1, -1]]


def test_masks_that_are_none(tmp_path: Path) -> None:
    def written(name: str, content: bytes) -> Path:
        (tmp_path / name).write_bytes(content)
        return tmp_path / name

    header = b"IHDR" + (60000).to_bytes(4, "big") * 2 + b"\x08\x02\x00\x00\x00"
    bomb = b"\x89PNG\r\n\x1a\n\x00\x00\x00\x0d" + header + zlib.crc32(header).to_bytes(4, "big")
    large = io.BytesIO()
    Image.new("1", (5000, 4)).save(large, "PNG")
    white = io.BytesIO()
    Image.new("L", (4, 4), 255).save(white, "PNG")
    for path in [
        written("bytes.png", bytes(range(256)) * 4),
        written("cut.png", white.getvalue()[:40]),
        written("bomb.png", bomb),
        written("large.png", large.getvalue()),
        written("white.png", white.getvalue()),
        written("empty.txt", b""),
        written("flat.txt", b"...\n...\n"),
        written("full.txt", b"##\n##\n"),
        written("long.txt", b"#." * 5000),
        tmp_path / "missing.png",
        tmp_path,
    ]:
        with pytest.raises(TwofoldError) as refusal:
            read_mask(path)
        assert "\n" not in str(refusal.value)


# Pictures


def test_pixels_are_the_dots(tiles: PolyominoSet) -> None:
    made = board_textures(parse_board("2 4|8 x"), tiles)
    look = Look(dot=2, gap=3)
    image = np.asarray(to_image(made, look))
    place = layout(made, look)
    assert image.shape == (2 * place.height, 2 * place.width, 3)
    texture = made.textures[1][0]
    assert texture is not None
    y, x, size = 2 * (place.top + place.pitch), 2 * look.gap, 2 * made.dots
    assert ((image[y : y + size : 2, x : x + size : 2, 0] == 0) == texture.bits).all()
    assert (image[y : y + size, x + size + 6 :] == look.frame).all()  # the brick
    # Gaps have the same width everywhere, so that tiles repeat with the pitch.
    assert place.pitch == made.dots + look.gap


def test_svg_draws_the_same_dots(report_tiles: PolyominoSet) -> None:
    made = board_textures(parse_board("2 4 2|"), report_tiles)
    text = to_svg(made, Look(gap=4, guides=False))
    assert text.count("<symbol") == 2
    assert text.count("<use") == 3
    drawn = np.zeros((made.dots, made.dots), bool)
    path = text.split(' d="', 1)[1].split('"', 1)[0]
    for step in path.split("z")[:-1]:
        x, rest = step[1:].split(" ", 1)
        y, rest = rest.split("h", 1)
        drawn[int(y), int(x) : int(x) + int(rest.split("v")[0])] = True
    texture = made.textures[0][0]
    assert texture is not None
    assert (drawn == texture.bits).all()


def test_sizes_on_paper(tiles: PolyominoSet) -> None:
    made = board_textures(parse_board("2 4 8 16|"), tiles)
    sized = Print.parse("a4")
    assert (sized.width, sized.height) == (190, 277)
    image = Image.open(io.BytesIO(png_bytes(to_image(made, sized=sized))))
    assert image.width / image.info["dpi"][0] * 25.4 == pytest.approx(190, abs=0.1)
    assert tile_pitch_mm(made, sized) == pytest.approx(190 * 126 / 510)
    assert 'width="190.000mm"' in to_svg(made, sized=sized)
    assert Print.parse("18cm").width == pytest.approx(180)
    assert Print.parse("7in").width == pytest.approx(177.8)
    for bad in ("", "a9", "0mm", "-5mm", "1e9mm", "nanmm", "infmm", "mm", "5", "1_00mm"):
        with pytest.raises(InvalidParameter):
            Print.parse(bad)
    for dpi in (0, 10**6):
        with pytest.raises(InvalidParameter):
            Print.parse("a4", dpi)


def test_pictures_that_would_be_too_large(tiles: PolyominoSet) -> None:
    made = board_textures(parse_board("2 4 8 16|"), tiles)
    with pytest.raises(InvalidParameter, match="the most is 8192"):
        to_image(made, Look(dot=40))
    for bad in ({"dot": -1}, {"dot": 10**6}, {"gap": -1}, {"gap": 10**6}):
        with pytest.raises(InvalidParameter):
            Look(**bad)


def test_the_key_s_colours(tiles: PolyominoSet) -> None:
    made = board_textures(parse_board("2 2 .|"), tiles, LEFT)
    pixels = np.asarray(key_image(made, Look(dot=1, gap=2)))
    full, half = pixels[2 + 60, 2 + 60], pixels[2 + 60, 2 + 122 + 60]
    assert full.tolist() == [232, 120, 24]  # raised
    assert half[2] > half[0]  # sunken, and paler than the full blue
    assert half.tolist() != [32, 96, 200]
    with pytest.raises(InvalidParameter, match="one column"):
        key_image(board_textures(parse_board("2|4"), tiles))


def test_textures_for_a_page(tiles: PolyominoSet) -> None:
    texture = tiles.texture(5, LEFT)
    png = texture_png(texture)
    image = Image.open(io.BytesIO(png))
    assert ((np.asarray(image.convert("L")) == 0) == texture.bits).all()
    assert len(png) < 4000
    assert data_url(png).startswith("data:image/png;base64,iVBOR")
    plain, tinted = texture_url(tiles, 5, LEFT), texture_url(tiles, 5, LEFT, tinted=True)
    assert plain == data_url(png)
    assert plain != tinted
    assert texture_url(tiles, 0, LEFT) == texture_url(tiles, 0, RIGHT)


def test_saving_by_the_ending(tiles: PolyominoSet, tmp_path: Path) -> None:
    made = board_textures(parse_board("2 4|"), tiles)
    save(made, tmp_path / "a.png")
    save(made, tmp_path / "a.svg")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "a.svg").read_text("utf-8").startswith("<svg")
    for bad in (tmp_path / "a.gif", tmp_path / "no" / "a.png"):
        with pytest.raises(InvalidFile):
            save(made, bad)
