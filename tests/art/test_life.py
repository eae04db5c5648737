"""Life against a second implementation on sets of cells; patterns do what is known of them; files come back."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from twofold.art.life import (
    CONWAY,
    Fate,
    Life,
    Rule,
    check_generations,
    fate,
    generations,
    soup,
    step,
)
from twofold.art.life_patterns import (
    NAMED,
    Pattern,
    named,
    parse_pattern,
    parse_rle,
    read_pattern,
    to_plain,
    to_rle,
)
from twofold.errors import (
    InvalidBoard,
    InvalidFile,
    InvalidParameter,
    InvalidPattern,
    TwofoldError,
    UnknownPattern,
)

Place = tuple[int, int]


def following(alive: set[Place], rows: int, columns: int, wrap: bool, rule: Rule = CONWAY) -> set[Place]:
    """The next generation, written apart: every live cell tells its neighbours."""
    told: Counter[Place] = Counter()
    for row, column in alive:
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                if down or right:
                    place = row + down, column + right
                    told[(place[0] % rows, place[1] % columns) if wrap else place] += 1
    every = {(row, column) for row in range(rows) for column in range(columns)}
    return {place for place in every if told[place] in (rule.survival if place in alive else rule.birth)}


def living(life: Life) -> set[Place]:
    return {divmod(index, life.columns) for index, cell in enumerate(life.cells) if cell}


lives = st.tuples(st.integers(1, 12), st.integers(2, 12), st.booleans()).flatmap(
    lambda board: st.binary(min_size=board[0] * board[1], max_size=board[0] * board[1]).map(
        lambda cells: Life(board[0], board[1], bytes(cell & 1 for cell in cells), board[2])
    )
)
rules = st.builds(Rule, st.frozensets(st.integers(0, 8)), st.frozensets(st.integers(0, 8)))


@given(lives)
def test_the_next_generation(life: Life) -> None:
    for _ in range(3):
        expected = following(living(life), life.rows, life.columns, life.wrap)
        life = life.next()
        assert living(life) == expected


@given(lives, rules)
def test_other_rules(life: Life, rule: Rule) -> None:
    expected = following(living(life), life.rows, life.columns, life.wrap, rule)
    assert living(Life(life.rows, life.columns, life.cells, life.wrap, rule).next()) == expected


@pytest.mark.parametrize("wrap", [False, True])
def test_large_random_boards(wrap: bool) -> None:
    for seed in range(5):
        life = soup(64, 64, 0.35, seed, wrap=wrap)
        alive = living(life)
        for _ in range(10):
            life, alive = life.next(), following(alive, 64, 64, wrap)
            assert living(life) == alive


def test_a_glider_on_a_torus_comes_back_after_32_generations() -> None:
    start = named("glider").place(8, 8, wrap=True)
    run = [life for life, _ in zip(generations(start), range(33), strict=False)]
    assert run[32] == start
    assert len(set(run[:32])) == 32
    assert fate(start) == Fate(0, 32, False)
    # Bounded, it ends as a block in the corner.
    end = named("glider").place(8, 8)
    for _ in range(40):
        end = end.next()
    assert living(end) == {(6, 6), (6, 7), (7, 6), (7, 7)}


def test_fates() -> None:
    assert str(fate(named("blinker").place(5, 5))) == "repeats every 2 generations from generation 0"
    assert str(fate(named("block").place(4, 4))) == "still from generation 0"
    assert fate(Life(3, 3, bytes(9))) == Fate(0, 1, True)
    assert str(fate(Life(1, 2, b"\1\0"))) == "all dead from generation 1"
    assert fate(named("acorn").place(64, 64), most=20) is None


PERIODS = {
    "block": 1, "tub": 1, "boat": 1, "ship": 1, "beehive": 1, "loaf": 1, "pond": 1,
    "blinker": 2, "toad": 2, "beacon": 2, "clock": 2, "pulsar": 3, "octagon": 5,
    "galaxy": 8, "figure-eight": 8, "pentadecathlon": 15,
}  # fmt: skip
SHIPS = {"glider": (1, 1), "lwss": (0, -2), "mwss": (0, -2), "hwss": (0, -2)}


@pytest.mark.parametrize("name", [*PERIODS, *SHIPS])
def test_periods_and_speeds(name: str) -> None:
    start = np.pad(named(name).array, 12)
    period, shift = (PERIODS[name], (0, 0)) if name in PERIODS else (4, SHIPS[name])
    cells = start
    for number in range(1, period + 1):
        cells = step(cells, wrap=True)
        if number < period:
            assert not (cells == start).all()
    assert (cells == np.roll(start, shift, (0, 1))).all()


def test_methuselahs_and_the_gun() -> None:
    cells = np.pad(named("diehard").array, 70)
    for number in range(1, 131):
        cells = step(cells, wrap=False)
        assert cells.any() == (number < 130)
    # A gun adds five cells, a glider, every 30 generations.
    cells = np.pad(named("gosper-gun").array, 80)
    counts = []
    for number in range(241):
        if number % 30 == 0:
            counts.append(int(cells.sum()))
        cells = step(cells, wrap=False)
    assert counts == [36 + 5 * k for k in range(9)]
    assert set(NAMED) == {*PERIODS, *SHIPS, "r-pentomino", "pi-heptomino", "diehard", "acorn", "gosper-gun"}


@pytest.mark.slow
def test_the_r_pentomino_settles() -> None:
    """116 cells from generation 1,103, as the LifeWiki says; no glider has come to the side by then."""
    cells = np.pad(named("r-pentomino").array, 300)
    for _ in range(1103):
        cells = step(cells, wrap=False)
    assert cells.sum() == 116
    for _ in range(2):
        cells = step(cells, wrap=False)
        assert cells.sum() == 116


@pytest.mark.slow
def test_the_acorn_settles() -> None:
    """633 cells from generation 5,206, as the LifeWiki says; on an endless plane, so by sets of cells."""
    alive = {(int(row), int(column)) for row, column in np.argwhere(named("acorn").array)}
    for _ in range(5206):
        told = Counter(
            (row + down, column + right)
            for row, column in alive
            for down in (-1, 0, 1)
            for right in (-1, 0, 1)
            if down or right
        )
        alive = {place for place, count in told.items() if count == 3 or (count == 2 and place in alive)}
    assert len(alive) == 633


def test_pi_heptomino_settles() -> None:
    """Its stable parts are 55 cells from generation 173 (https://conwaylife.com/wiki/Pi-heptomino)."""
    cells = np.pad(named("pi-heptomino").array, 100)
    history = []
    for _ in range(180):
        history.append(cells)
        cells = step(cells, wrap=False)
    settled = [number for number in range(178) if (history[number] == history[number + 2]).all()]
    assert settled[0] == 173


def test_rules_as_text() -> None:
    assert Rule.parse("b36/s23") == Rule(frozenset({3, 6}), frozenset({2, 3}))
    assert Rule.parse("23/3") == CONWAY
    assert Rule.parse("B3S23") == CONWAY
    assert str(Rule.parse("B2/S")) == "B2/S"
    assert Rule.parse("S23/B36") == Rule.parse("s23b36") == Rule.parse("23/36")
    for bad in ("", "/", "B9/S23", "B3/S23/4", "life", "3" * 10**5):
        with pytest.raises(InvalidPattern, match="is not a rule of Life"):
            Rule.parse(bad)


# Patterns


@given(lives)
def test_files_come_back(life: Life) -> None:
    if not life.alive:
        with pytest.raises(InvalidPattern, match="no live cell"):
            parse_pattern(to_rle(life))
        return
    for text in (to_rle(life, "a name"), to_plain(life, "a name")):
        pattern = parse_pattern(text)
        assert pattern.name == "a name"
        assert pattern.place(*life.size, wrap=life.wrap) == life
    assert parse_rle(to_rle(life)).board == (*life.size, life.wrap)
    assert parse_pattern(str(life)).place(*life.size, wrap=life.wrap) == life
    assert all(len(line) <= 70 for line in to_rle(life).splitlines())


def test_rle_as_others_write_it() -> None:
    glider = named("glider").cells
    for text in [
        "#N Glider\n#O Richard K. Guy\n#C A comment\nx = 3, y = 3, rule = B3/S23\nbo$2bo$3o!",
        "x=3,y=3\nbob$2bo$\n3o!\nwhat follows the end is a comment",
        "x = 3, y = 3, rule = 23/3\r\nb\r\no$2b o$3o!",
        "bo$2bo$3o!",
        "x = 3, y = 3, rule = B3/S23:T8,8\n.A$2.A$3A!",
        "\ufeff!Name: Glider\n!\n.O\n..O\nOOO\n",
        "!Glider\n.*.\n..*\n***",
        "#N Glider\n.#.|..#|###",
        "#CXRLE Pos=0,0 Gen=3\n#D a description\n## a remark\n#Cwithout a space\nx = 3, y = 3\nbx$2by$3z!",
        "#D only this\nbo$2bo$3o!",
        "x = 3, y = 3, rule = S23/B3\nbo$2bo$3o",
        "bo$2bo$3o",
        "#Life 1.06\n1 0\n2 1\n0 2\n1 2\n2 2\n",
        "#Life 1.06\r\n-4 -9\r\n-3 -8\r\n-5 -7\r\n-4 -7\r\n-3 -7\r\n",
        "#Life 1.05\n#D Glider\n#N\n#P -1 -1\n.*\n..*\n#P -1 1\n***\n",
    ]:
        pattern = parse_pattern(text)
        assert (pattern.rows, pattern.columns, pattern.cells) == (3, 3, glider), text
    assert parse_pattern("x = 3, y = 3, rule = B36/S23:P9\n3o!").board == (9, 9, False)
    # Blank rows count; rows that end early are filled up.
    assert parse_pattern("x = 2, y = 4\no3$2o!").cells == bytes([1, 0, 0, 0, 0, 0, 1, 1])
    assert parse_pattern("O\n\n.O").cells == bytes([1, 0, 0, 0, 0, 1])


def test_a_comment_gives_the_rule() -> None:
    """HighLife's replicator before it copies itself; the counts are those of an independent program."""
    pattern = parse_pattern("#r 23/36\n2b3o$bo2bo$o3bo$o2bo$3o!")
    assert str(pattern.rule) == "B36/S23"
    run = generations(pattern.place(40, 40))
    assert [life.alive for life, _ in zip(run, range(6), strict=False)] == [12, 20, 17, 30, 20, 28]
    assert str(parse_pattern("#Life 1.05\n#R 23/36\n***").rule) == "B36/S23"


def test_large_patterns() -> None:
    text = "x = 256, y = 256\n" + "$".join(["256o"] * 256) + "!"
    life = parse_pattern(text).place(256, 256, wrap=True)
    assert (life.alive, life.next().alive) == (65536, 0)
    assert fate(life).begin == 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no live cell"),
        ("!", "no live cell"),
        ("...\n...", "no live cell"),
        ("x = 3, y = 3\nbob$2bq$3o!", "'q$3o!'"),
        ("x = 3, y = 3\n4o!", "more than 3 columns"),
        ("x = 3, y = 3\no$o$o$o!", "more than 3 rows"),
        ("x = 0, y = 0\n!", "1 to 256"),
        ("x = 1000000, y = 1000000\no!", "1 to 256"),
        ("x = 99999999999999999999, y = 3\no!", "not an RLE header"),
        ("x = 3, y = -3\no!", "not an RLE header"),
        ("x = 3\no!", "not an RLE header"),
        ("x = 3, y = 3, rule = Langton\no!", "not a rule of Life"),
        ("x = 3, y = 3, rule = B3/S23:K8,8\no!", "isn't supported"),
        ("x = 3, y = 3, rule = B3/S23:T0,8\no!", "no board"),
        ("1000000o!", "more than 256 columns"),
        ("o999999999999999999999$o!", "more than 256 rows"),
        ("9" * 100_000 + "o!", "more than"),
        ("o" + "256$" * 200_000 + "o!", "more than 256 rows"),
        ("#Life 2.0\n0 0\n", "isn't supported"),
        ("#Life 1.06\n0 zero\n", "not a live cell"),
        ("#Life 1.06\n0 0\n0 256\n", "the most is 256x256"),
        ("#Life 1.06\n0 0\n999999999 0\n", "the most is 256x256"),
        ("#Life 1.05\n#P here\n*\n", "not a block's position"),
        ("#Life 1.05\n*o\n", "not a row"),
        ("O" * 257, "the most is 256x256"),
        ("O\n" * 257, "the most is 256x256"),
        ("O.?", "'?'"),
        ("hello", "'h'"),
        ("O" * 1_000_001, "too long"),
    ],
)
def test_patterns_that_are_none(text: str, why: str) -> None:
    with pytest.raises(TwofoldError) as refusal:
        parse_pattern(text)
    assert why in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 400


@given(st.text(alphabet="bo$!0123456789 \nxy=,.#OA|:TP/BS", max_size=60))
def test_any_text_is_a_pattern_or_refused(text: str) -> None:
    try:
        pattern = parse_pattern(text)
    except TwofoldError as refusal:
        assert "\n" not in str(refusal)
    else:
        assert isinstance(pattern, Pattern)
        assert 1 <= pattern.rows <= 256
        assert len(pattern.cells) == pattern.rows * pattern.columns


def test_files(tmp_path: Path) -> None:
    (tmp_path / "g.rle").write_text(to_rle(named("gosper-gun").place(20, 40)), "utf-8")
    assert read_pattern(tmp_path / "g.rle").place(20, 40) == named("gosper-gun").place(20, 40)
    (tmp_path / "bad.rle").write_bytes(b"\x89PNG\0\0")
    (tmp_path / "cut.rle").write_text("x = 3, y = 3\nbq", "utf-8")
    (tmp_path / "latin.cells").write_bytes("!Café\nOO".encode("latin-1"))
    assert read_pattern(tmp_path / "latin.cells").cells == b"\1\1"
    for name in ("bad.rle", "missing.rle", "."):
        with pytest.raises(InvalidFile):
            read_pattern(tmp_path / name)
    with pytest.raises(InvalidPattern, match=r"cut\.rle"):
        read_pattern(tmp_path / "cut.rle")


def test_names() -> None:
    assert named("R Pentomino").cells == named("r-pentomino").cells
    with pytest.raises(UnknownPattern, match="did you mean 'glider'"):
        named("glidre")


def test_placing() -> None:
    glider = named("glider")
    assert living(glider.place(8, 8)) == {(2, 3), (3, 4), (4, 2), (4, 3), (4, 4)}
    assert living(glider.place(5, 5, at=(0, 0))) == {(0, 1), (1, 2), (2, 0), (2, 1), (2, 2)}
    assert glider.place(4, 4, wrap=True, at=(3, 3)).alive == 5
    for rows, columns, at in [
        (2, 8, None),
        (8, 2, None),
        (5, 5, (3, 0)),
        (5, 5, (-1, 0)),
        (5, 5, (0, 10**6)),
    ]:
        with pytest.raises(InvalidPattern):
            glider.place(rows, columns, at=at)
    for size in (0, 10**6):
        with pytest.raises(InvalidBoard):
            glider.place(size, size)


def test_values_that_are_refused() -> None:
    for bad in (-1, 10**6):
        with pytest.raises(InvalidParameter):
            check_generations(bad)
    for density in (-0.1, 1.1, float("nan")):
        with pytest.raises(InvalidParameter):
            soup(4, 4, density)
    with pytest.raises(InvalidParameter):
        Life(2, 2, b"\0\1\2\0")
    with pytest.raises(InvalidParameter):
        Life(2, 2, b"\0")
    with pytest.raises(InvalidParameter):
        Life(2, 2, bytes(4)).toggled(2, 0)


def test_drawing() -> None:
    empty = Life(2, 3, bytes(6))
    drawn = empty.toggled(0, 1).toggled(1, 2)
    assert str(drawn) == ".#.|..#"
    assert drawn.toggled(0, 1).toggled(1, 2) == empty


def test_soup_comes_from_its_seed() -> None:
    assert soup(32, 32, 0.3, 5) == soup(32, 32, 0.3, 5) != soup(32, 32, 0.3, 6)
    assert abs(soup(64, 64, 0.3, 1).alive / 4096 - 0.3) < 0.03
    assert soup(4, 4, 0).alive == 0
    assert soup(4, 4, 1).alive == 16
