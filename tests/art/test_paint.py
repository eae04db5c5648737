"""Paintings: every plan is replayed by the rules, cell by cell; S0's table; refusals."""

import contextlib
import io
import itertools
import json
import random
import re

import pytest
from PIL import Image

from tests.thorough import quick_ones
from tests.waiting import at_once
from twofold.art.animate import write_gif
from twofold.art.painter import NotPainted, Painting, Step, paint
from twofold.art.painter.painting_file import painting_json, save_painting
from twofold.art.painter.rows import table
from twofold.art.picture import LETTER_COLOURS, PALETTE, Picture, load_image, read_picture
from twofold.errors import InvalidFile, InvalidParameter
from twofold.rules import Board, Direction, Game, Variant
from twofold.rules.palette import hex_colour
from twofold.ui.cli.app import run as run_command
from twofold.ui.cli.output import guarded


def run(arguments: list[str]) -> int:
    """The exit code of a command line."""
    return guarded(lambda: run_command(arguments))


def check(painting: Painting, picture: Picture) -> None:
    """Plays the plan by the rules alone, with none of the painting's own checks."""
    board = painting.start
    for direction, cell, rank in painting.steps:
        slide = board.slide(direction)
        assert slide.changed
        assert slide.board.cells[cell] == 0
        assert rank in (1, 2)
        board = slide.board.with_cell(cell, rank)
    assert painting.picture == picture
    colour_of = {rank: colour for colour, ranks in enumerate(painting.colours) for rank in ranks}
    assert len(colour_of) == sum(map(len, painting.colours))
    assert bytes(colour_of[rank] for rank in board.cells) == picture.cells
    assert painting.replay() == board
    painting.prove()


def random_picture(chance: random.Random, rows: int, columns: int, colours: int) -> Picture:
    return Picture(rows, columns, bytes(chance.randrange(colours) for _ in range(rows * columns)))


def smooth_picture(chance: random.Random, n: int, colours: int) -> Picture:
    """Blobs: each cell takes the colour of the nearest of some points."""
    points = [(chance.random() * n, chance.random() * n, c % colours) for c in range(colours + 2)]
    return Picture.from_rows(
        [min(points, key=lambda p: (p[0] - r) ** 2 + (p[1] - c) ** 2)[2] for c in range(n)] for r in range(n)
    )


@pytest.mark.parametrize(("rows", "columns"), [(1, 2), (2, 1), (1, 6), (2, 2), (2, 3), (3, 3), (2, 5)])
def test_every_small_picture_of_two_colours(rows, columns):
    for cells in itertools.product((0, 1), repeat=rows * columns):
        picture = Picture(rows, columns, bytes(cells))
        check(paint(picture), picture)


@pytest.mark.slow
def test_all_65536_pictures_of_4x4():
    for number in range(1 << 16):
        picture = Picture(4, 4, bytes(number >> cell & 1 for cell in range(16)))
        check(paint(picture), picture)


@pytest.mark.slow
@pytest.mark.parametrize("n", [8, 12, 16])
def test_1000_random_and_200_smooth_pictures_of_two_colours(n):
    chance = random.Random(n)
    for number in range(1200):
        picture = random_picture(chance, n, n, 2) if number < 1000 else smooth_picture(chance, n, 2)
        painting = paint(picture)
        assert painting.replay() == painting.prove()


@pytest.mark.parametrize(
    ("n", "times"), quick_ones([(4, 100), (8, 20), (12, 6), (16, 3), (32, 1)], lambda case: case[0] <= 8)
)
def test_random_pictures_of_two_colours(n, times):
    chance = random.Random(n)
    for _ in range(times):
        picture = random_picture(chance, n, n, 2)
        check(paint(picture), picture)


@pytest.mark.parametrize("n", quick_ones([8, 12, 16], (8).__eq__))
def test_smooth_pictures_of_two_colours(n):
    chance = random.Random(n)
    for _ in range(24 // n):
        picture = smooth_picture(chance, n, 2)
        check(paint(picture), picture)


@pytest.mark.slow
def test_three_colours_and_more():
    chance = random.Random(5)
    for n, colours in ((4, 3), (4, 4), (6, 3), (8, 3), (8, 4)):
        picture = random_picture(chance, n, n, colours)
        check(paint(picture, seconds=60), picture)


@pytest.mark.slow
@pytest.mark.parametrize(("colours", "share"), [(3, 0.98), (4, 0.6)])
def test_most_pictures_of_8x8(colours, share):
    """The floors for random and smooth pictures together."""
    chance = random.Random(84)
    pictures = [random_picture(chance, 8, 8, colours) for _ in range(10)]
    pictures += [smooth_picture(chance, 8, colours) for _ in range(10)]
    painted = 0
    for picture in pictures:
        try:
            check(paint(picture, seconds=20), picture)
        except NotPainted:
            continue
        painted += 1
    assert painted >= share * len(pictures), painted


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "columns", "seconds"), [(3, 3, 0.2), (3, 4, 0.2), (4, 4, 1.0), (3, 5, 1.0)])
def test_small_pictures_of_any_colours(rows, columns, seconds):
    """Every cell of another colour if need be: a game whose tiles all differ."""
    cells = bytes(range(rows * columns))
    picture = Picture(rows, columns, cells)
    check(paint(picture, seconds=seconds), picture)


@pytest.mark.slow
def test_most_pictures_of_4x4_with_six_colours():
    """The floor is 50 %."""
    chance = random.Random(46)
    for make in (lambda: random_picture(chance, 4, 4, 6), lambda: smooth_picture(chance, 4, 6)):
        for _ in range(5):
            picture = make()
            check(paint(picture, seconds=2), picture)


@pytest.mark.slow
def test_progress_is_told_and_a_budget_is_kept():
    told = []
    picture = Picture.from_text("0123456|0123456|6543210|2223334|4455016|1234506|6012345")
    with pytest.raises(NotPainted, match=r"not found within 1 s: [\d,]+ maps"), at_once(30):
        paint(picture, seconds=1, progress=told.append)
    assert told == sorted(told)
    assert told[-1] >= 100


@pytest.mark.parametrize("method", ["planner", "rows"])
@pytest.mark.parametrize("text", [".##|##.|.#.", ".#..|..#.|###.|...."])
def test_what_s0_shows(method, text):
    """The R-pentomino and a glider."""
    picture = Picture.from_text(text)
    check(paint(picture, method), picture)


def test_s0_rows_and_columns_paint_small_pictures():
    chance = random.Random(0)
    for _ in range(20):
        picture = random_picture(chance, 4, 4, 2)
        try:
            painting = paint(picture, "rows", seconds=60)
        except NotPainted:
            continue
        check(painting, picture)


def test_s0_table_of_rows():
    assert table(8) == [
        (1, 2, 2), (2, 6, 12), (3, 26, 67), (4, 142, 431), (5, 850, 2_923),
        (6, 5_626, 20_738), (7, 40_882, 156_031), (8, 320_902, 1_245_210),
    ]  # fmt: skip


def test_s0_inequality():
    picture = Picture.from_text("00|11|22|33".replace("|", "|"))
    square = Picture.from_text("0011|2233|4455|6677")
    with pytest.raises(NotPainted, match=r"0 colours .* \+ 2·8 .* = 16 tile values.* 2·4 = 8"):
        paint(square, "rows")
    with pytest.raises(NotPainted, match="squares"):
        paint(picture, "rows")


@pytest.mark.slow
def test_not_found_is_said_with_the_budget():
    picture = random_picture(random.Random(1), 12, 12, 8)
    with pytest.raises(NotPainted, match=r"not found within 0\.2 s: [\d,]+ maps"):
        paint(picture, seconds=0.2)


def test_a_painting_is_a_game_that_others_can_play():
    picture = Picture.from_text(".##.|#..#|#.##|.##.")
    painting = paint(picture)
    assert painting.variant is not None
    game = Game(Variant.parse(str(painting.variant)))
    for letter in painting.moves:
        game.move(letter)
    assert game.board == painting.replay()


def test_a_wrong_plan_is_refused():
    picture = Picture.from_text("01")
    start = Board.parse("2 .|")
    good = Painting(picture, start, (Step(Direction.RIGHT, 0, 2),), ((2,), (1,)))
    good.prove()
    for steps, what in [
        ((Step(Direction.LEFT, 1, 1),), "changes nothing"),
        ((Step(Direction.RIGHT, 1, 2),), "impossible"),
        ((Step(Direction.RIGHT, 0, 3),), "impossible"),
        ((Step(Direction.RIGHT, 0, 1),), "column 1"),
    ]:
        bad = Painting(picture, start, steps, good.colours)
        for proof in (bad.prove, bad.replay):
            with pytest.raises(NotPainted, match=what):
                proof()


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("01|0", "row 2"),
        ("4", "1x1"),
        ("", "fit a board"),
        ("0" * 65, "at most 64"),
        ("abcdefghijklmnopqrs", "colours"),
    ],
)
def test_bad_texts(text, what):
    with pytest.raises(InvalidParameter, match=what):
        Picture.from_text(text)


def test_text_round_trip():
    chance = random.Random(3)
    for _ in range(20):
        picture = random_picture(chance, chance.randint(1, 9), chance.randint(2, 9), 16)
        assert Picture.from_text(str(picture)) == picture
        assert picture.transpose().transpose() == picture


def test_images(tmp_path):
    path = tmp_path / "a.png"
    picture = Picture.from_text("0123|3210|0000")
    picture.to_image().save(path)
    read = Picture.open(path)
    assert read.to_image().tobytes() == picture.to_image().tobytes()
    photo = Image.radial_gradient("L").convert("RGB")
    photo.save(path)
    assert Picture.open(path, 4, (8, 8)).colours == 4
    with pytest.raises(InvalidParameter, match="largest board"):
        Picture.open(path)
    with pytest.raises(InvalidParameter, match="colours"):
        Picture.open(path, None, (16, 16))
    Image.new("1", (20_000, 20_000)).save(path)  # 400 million pixels in a few kilobytes
    with pytest.raises(InvalidFile, match="pixels"):
        Picture.open(path)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(50))
    with pytest.raises(InvalidFile, match="neither an image"):
        read_picture(str(path))
    with pytest.raises(InvalidFile, match="can't read"):
        read_picture(str(tmp_path / "none.png"))


@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "WEBP", "BMP", "PPM", "ICO"])
def test_damaged_images_are_refused_or_read(form):
    stream, by_chance = io.BytesIO(), random.Random(5)
    Image.effect_noise((40, 30), 60).save(stream, form)
    good = stream.getvalue()
    assert load_image(good, "good").width > 1
    for _ in range(60):
        bad = bytearray(good)
        for _ in range(by_chance.choice((1, 8, 30))):
            bad[by_chance.randrange(min(len(bad), 300))] = by_chance.randrange(256)
        with contextlib.suppress(InvalidFile):
            Picture.from_image(load_image(bytes(bad), "bad"), 8, (8, 8))


@pytest.mark.parametrize("form", ["EPS", "DDS", "PCX"])
def test_images_of_rare_formats_are_not_opened(form, monkeypatch):
    stream = io.BytesIO()
    Image.new("RGB", (8, 8)).save(stream, form)
    monkeypatch.setattr("PIL.EpsImagePlugin.Ghostscript", lambda *_, **__: pytest.fail("a program was run"))
    with pytest.raises(InvalidFile, match="neither an image"):
        load_image(stream.getvalue(), "picture.png")


def test_gif(tmp_path):
    painting = paint(Picture.from_text(".#.|###|.#."))
    frames = painting.frames()
    assert write_gif(frames, tmp_path / "a.gif") == len(frames) == len(painting.steps) + 1
    with Image.open(tmp_path / "a.gif") as image:
        image.seek(image.n_frames - 1)
        side = image.width // 3
        shown = image.convert("RGB")
        middle = [
            shown.getpixel((c * side + side // 2, r * side + side // 2)) for r in range(3) for c in range(3)
        ]
    assert middle == [painting.picture.palette[colour] for colour in painting.picture.cells]


def test_command(capsys, tmp_path):
    for ending in ("gif", "svg", "png", "json"):
        out = tmp_path / f"a.{ending}"
        assert run(["paint", ".##|#.#", "--json", "--out", str(out)]) == 0
        answer = json.loads(capsys.readouterr().out)
        assert answer["picture"] == "011|101"
        assert len(answer["moves"]) == len(answer["spawns"])
        assert out.stat().st_size > 0
    with Image.open(tmp_path / "a.png") as image:  # the picture in its colours, not tiles
        shown = image.convert("RGB").resize((3, 2), Image.Resampling.NEAREST)
        wanted = Picture.from_text("011|101").to_image().convert("RGB")
        assert shown.tobytes() == wanted.tobytes()
    assert run(["paint", ".##|#.#"]) == 0
    assert "checked against the rules" in capsys.readouterr().out


def test_thin_pictures_of_many_colours_are_told_apart_from_a_search_in_vain() -> None:
    with pytest.raises(NotPainted, match="from 3x3 cells on, and this is 1x5"):
        paint(Picture.from_text("01234"), seconds=30)


def test_sixteen_letters_are_sixteen_colours() -> None:
    assert Picture.from_text("ghij|klmn|opqr|stuv").cells == bytes(range(16))
    assert Picture.from_text("g.g|.g.").cells == bytes([1, 0, 1, 0, 1, 0])
    with pytest.raises(InvalidParameter, match="more than 16 colours"):
        Picture.from_text("ghij|klmn|opqr|stuv|....")


def test_letters_choose_colours() -> None:
    picture = Picture.from_text("R.B|#KR")
    red, blue, black = (LETTER_COLOURS[letter][1] for letter in "RBK")
    shown = [picture.palette[colour] for colour in picture.cells]
    assert shown == [red, PALETTE[0], blue, PALETTE[1], black, red]
    assert len(picture.palette) == len(set(picture.palette)) == 16
    everything = Picture.from_text("".join(LETTER_COLOURS))
    assert [everything.palette[c] for c in everything.cells] == [rgb for _, rgb in LETTER_COLOURS.values()]
    assert len({rgb for _, rgb in LETTER_COLOURS.values()}) == len(LETTER_COLOURS)
    assert Picture.from_text(".##.|#..#").palette == PALETTE


def test_a_painting_shows_its_picture(tmp_path) -> None:
    """The final board as SVG: behind each number is the colour of the picture."""
    painting = paint(Picture.from_text("RR.|.RR|R.R"))
    fills = re.findall(r'<rect x=[^>]*fill="(#[0-9a-f]{6})"', painting.to_svg())
    wanted = [hex_colour(painting.picture.palette[colour]) for colour in painting.picture.cells]
    assert fills == wanted
    assert painting._repr_svg_() == painting.to_svg()
    save_painting(painting, str(tmp_path / "a.svg"))
    assert (tmp_path / "a.svg").read_text("utf-8") == painting.to_svg()
    told = painting_json(painting)["value_colours"]
    values = painting.prove().values
    assert [told[str(value)] for row in values for value in row] == wanted


def test_resizing_keeps_what_fits() -> None:
    picture = Picture.from_text("012|345")
    assert str(picture.resized(3, 2)) == "01|34|00"
    assert str(picture.resized(1, 5)) == "01200"
    assert picture.resized(2, 3) == picture
