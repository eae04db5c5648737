"""`Variant`: one text form, what it refuses, and what its rules come to."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rules.strategies import variants
from tests.waiting import at_once
from twofold.errors import InvalidVariant, TwofoldError
from twofold.rules import CORNERS, Board, Evil, Variant, format_spawn_style, parse_spawn_style


@pytest.mark.parametrize(
    ("variant", "text"),
    [
        (Variant(), "4x4"),
        (Variant.of_size(3, 5, target=512), "3x5;target=512"),
        (Variant(Board.parse("2 . x|. . ."), p4=0.2), "map=2 . x|. . .;p4=0.2"),
        (Variant(p4=0), "4x4;p4=0"),
        (Variant(p4=1.0), "4x4;p4=1"),
        (Variant(p4=1e-7), "4x4;p4=1e-07"),
        (Variant(place="br-columns", value="2"), "4x4;spawn=br-columns;value=2"),
        (Variant(empty_start=True), "4x4;empty-start=1"),
        (Variant(evil=Evil()), "4x4;spawn=evil:depth=2,eval=default"),
        (Variant(evil=Evil(3, "a(b=1,c=2)")), "4x4;spawn=evil:depth=3,eval=a(b=1,c=2)"),
        (Variant.of_size(2, 2, script=((0, 1), (3, 2))), "2x2;spawn=script:0@2,3@4"),
        (Variant(target=1 << 60), "4x4;target=1152921504606846976"),
        (Variant(values=((8, 0.05), (2, 0.8), (4, 0.15))), "4x4;values=2:0.8,4:0.15,8:0.05"),
        (Variant(values=((8, 1),)), "4x4;values=8:1"),
    ],
)
def test_the_text_form(variant: Variant, text: str) -> None:
    assert str(variant) == text
    assert Variant.parse(text) == variant


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("4X4 ; p4 = 0.10", "4x4"),
        ("value=4;map=####|#2##", "map=. . . .|. 2 . .;value=4"),
        ("map=[[0,0],[0,0]]", "2x2"),
        ("map=0x1200000000000000", "map=2 4 . .|. . . .|. . . .|. . . ."),
        ("p4=0.5", "4x4;p4=0.5"),
        ("4x4;values=2:0.9,4:0.1", "4x4"),
        ("4x4;values= 4:0.2, 2:0.8", "4x4;p4=0.2"),
        ("4x4;values=2:1,8:0", "4x4;p4=0"),
        ("4x4;spawn=evil", "4x4;spawn=evil:depth=2,eval=default"),
        ("4x4;spawn=evil:eval=x,depth=1", "4x4;spawn=evil:depth=1,eval=x"),
        ("4x4;empty-start=0;spawn=random;value=random;target=2048;p4=0.1", "4x4"),
    ],
)
def test_other_spellings(text: str, canonical: str) -> None:
    assert str(Variant.parse(text)) == canonical


@given(variants())
def test_round_trip(variant: Variant) -> None:
    text = str(variant)
    assert text.isprintable()
    assert Variant.parse(text) == variant
    assert hash(Variant.parse(text)) == hash(variant)
    assert pickle.loads(pickle.dumps(variant)) == variant
    assert (variant == Variant()) == (text == "4x4")


@given(variants())
def test_the_spawn_style_alone_round_trips(variant: Variant) -> None:
    rules = parse_spawn_style(format_spawn_style(variant))
    assert rules == {"place": variant.place, "evil": variant.evil, "script": variant.script}


def test_scripts_may_be_split_by_semicolons_outside_a_variant() -> None:
    assert parse_spawn_style("script:0@2; 5@4")["script"] == ((0, 1), (5, 2))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is not a size; write ROWSxCOLUMNS"),
        ("99999x99999", "sizes go from 1x2 to 64x64"),
        ("-4x4", "write ROWSxCOLUMNS"),
        ("4x4;p4=nan", "p4 'nan' is not a probability from 0 to 1"),
        ("4x4;p4=inf", "p4 'inf'"),
        ("4x4;p4=-0.1", "p4 '-0.1'"),
        ("4x4;p4=1.01", "p4 '1.01'"),
        ("4x4;p4=", "p4 ''"),
        ("4x4;target=3", "target '3' is not a power of two from 4"),
        ("4x4;target=2", "target '2'"),
        ("4x4;target=2305843009213693952", "to 2\\^60"),
        ("4x4;targt=8", "did you mean 'target'"),
        ("4x4;", "is not a rule"),
        ("4x4;p4", "'p4' is not a rule; write p4=VALUE"),
        ("4x4;p4=1;p4=0", "'p4' is given twice"),
        ("4x4;map=2 2", "both a size and a map"),
        ("map=2 3", "map: '3' in row 1 is not a cell"),
        ("map=####|###", "map: row 2 has 3 cells but row 1 has 4"),
        ("map=x x|x x", "bricks only"),
        ("4x4;value=8", "value '8' is not one of random, 2, 4"),
        ("4x4;spawn=tl-row", "did you mean 'tl-rows'"),
        ("4x4;spawn=evil:dept=2", "did you mean 'depth'"),
        ("4x4;spawn=evil:depth=0", "whole number from 1 to 20"),
        ("4x4;spawn=evil:depth=9999999999999", "whole number from 1 to 20"),
        ("4x4;spawn=evil:eval=a(b", "without '\\)'"),
        ("4x4;spawn=script:", "is not CELL@2 or CELL@4"),
        ("4x4;spawn=script:1@8", "'1@8' in the spawn script is not CELL@2 or CELL@4"),
        ("4x4;spawn=script:16@2", "no cell '16' for the spawn script: cells are 0 to 15"),
        ("4x4;empty-start=maybe", "neither 1 nor 0"),
        ("4x4\0", r"'4x4\\x00' is not a size"),
    ],
)
def test_bad_texts(text: str, message: str) -> None:
    with pytest.raises(InvalidVariant, match=message) as caught:
        Variant.parse(text)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    "text", ["4x4" * 10**6, ";" * 10**6, "4x4;p4=" + "1" * 90_000, "4x4;" * 40_000, "map=" + "x|" * 49_000]
)
def test_huge_texts_are_refused_at_once(text: str) -> None:
    with pytest.raises(InvalidVariant) as caught, at_once():
        Variant.parse(text)
    assert len(str(caught.value)) < 300


@given(st.text(alphabet="4x;=.map 2p4spawn:evil,()@#|\0\n", max_size=40) | st.text(max_size=30))
def test_any_text_is_a_variant_or_one_printable_line(text: str) -> None:
    try:
        variant = Variant.parse(text)
    except TwofoldError as refusal:
        assert isinstance(refusal, InvalidVariant)
        assert str(refusal).isprintable()
    else:
        assert Variant.parse(str(variant)) == variant


@pytest.mark.parametrize(
    "rules",
    [
        {"p4": float("nan")},
        {"p4": True},
        {"p4": None},
        {"p4": 10**400},
        {"target": 2048.0},
        {"target": True},
        {"place": "evil"},
        {"place": None},
        {"value": 2},
        {"empty_start": 1},
        {"evil": "evil"},
        {"script": 5},
        {"script": ((0, 3),)},
        {"script": ((0,),)},
        {"script": ((0.0, 1),)},
        {"script": ((0, 1),) * 10_001},
        {"place": "tl-rows", "script": ((0, 1),)},
        {"evil": Evil(), "script": ((0, 1),)},
        {"start": "4x4"},
    ],
)
def test_bad_rules(rules: dict[str, object]) -> None:
    with pytest.raises(InvalidVariant):
        Variant(**rules)  # type: ignore[arg-type]


@pytest.mark.parametrize("evaluation", ["", "a;b", "a,b", "a,depth=3", "a(b", "a\nb", "a=b", " a", 3, "a\0"])
def test_an_evil_evaluation_must_survive_the_text(evaluation: str) -> None:
    with pytest.raises(InvalidVariant):
        Evil(2, evaluation)


def test_effective_odds() -> None:
    assert Variant().chance_of_four == 0.1
    assert Variant().four_threshold == 429496730
    assert Variant().allowed_ranks == (1, 2)
    assert Variant(value="2").chance_of_four == 0
    assert Variant(value="2").allowed_ranks == (1,)
    assert Variant(value="4", p4=0).allowed_ranks == (2,)
    assert Variant(value="4").four_threshold == 2**32
    assert Variant(p4=0).allowed_ranks == (1,)
    assert Variant(p4=1).allowed_ranks == (2,)
    assert str(Variant(p4=-0.0)) == "4x4;p4=0"


def test_styles() -> None:
    assert Variant().style == "random"
    assert Variant(place="tl-rows").style == "tl-rows"
    assert Variant(evil=Evil()).style == "evil"
    assert Variant(script=((0, 1),)).style == "script"
    assert Variant(place="tl-rows").is_drawn
    assert not Variant(evil=Evil()).is_drawn
    assert not Variant(script=((0, 1),)).is_drawn
    assert Variant(target=1024).target_rank == 10


def test_place_orders_on_two_by_three() -> None:
    """Cells 0 1 2 over 3 4 5, each corner by rows and by columns."""
    orders = {
        "tl-rows": (0, 1, 2, 3, 4, 5),
        "tl-columns": (0, 3, 1, 4, 2, 5),
        "tr-rows": (2, 1, 0, 5, 4, 3),
        "tr-columns": (2, 5, 1, 4, 0, 3),
        "bl-rows": (3, 4, 5, 0, 1, 2),
        "bl-columns": (3, 0, 4, 1, 5, 2),
        "br-rows": (5, 4, 3, 2, 1, 0),
        "br-columns": (5, 2, 4, 1, 3, 0),
    }
    assert set(orders) == set(CORNERS)
    for place, order in orders.items():
        assert Variant.of_size(2, 3, place=place).place_order() == order


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ("2:0.5,4:0.4", "add up to 0.9, not 1"),
        ("2:0.5,4:0.6", "add up to 1.1, not 1"),
        ("2:0.5,6:0.5", "6.*not a power of two from 2 to 1024"),
        ("2:0.5,2048:0.5", "2048.*not a power of two from 2 to 1024"),
        ("2:0.5,1:0.5", "1.*not a power of two"),
        ("2:1.5,4:-0.5", "1.5.*not a probability"),
        ("2:0.5,2:0.5", "2 is given twice"),
        ("2:half,4:0.5", "half.*not a probability"),
        ("2:nan,4:0.5", "nan.*not a probability"),
        ("2", "'2' is not a value with its probability"),
        ("", "'' is not a value"),
        ("-2:1", "'-2:1' is not a value"),
        ("2:0.5,8:0.5;p4=0.2", "only one of them"),
    ],
)
def test_spawn_values_that_are_none(values: str, message: str) -> None:
    with pytest.raises(InvalidVariant, match=message):
        Variant.parse(f"4x4;values={values}")


@pytest.mark.parametrize("values", [3, ((2,),), ((2, 0.5), (True, 0.5)), ((2.0, 1),)])
def test_spawn_values_that_are_no_pairs(values: object) -> None:
    with pytest.raises(InvalidVariant):
        Variant(values=values)  # type: ignore[arg-type]


def test_a_fixed_value_goes_before_spawn_values() -> None:
    variant = Variant.parse("4x4;values=2:0.5,8:0.5;value=4")
    assert (variant.chances, variant.has_own_values, variant.chance_of_four) == (((2, 1.0),), False, 1.0)
