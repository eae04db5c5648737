"""The call notation `name:key=value`: read, checked, written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.waiting import at_once
from twofold.errors import InvalidParameter, TwofoldError
from twofold.notation import (
    REQUIRED,
    Call,
    Parameter,
    format_number,
    parameters,
    parse_call,
    read_parameters,
    write_call,
)

PARAMETERS = (
    Parameter("depth", int, 3, minimum=1, maximum=9),
    Parameter("cut", float, 0.0001, minimum=0),
    Parameter("printed", bool, False),
    Parameter("mode", str, "best", choices=("best", "sum", "mean")),
    Parameter("eval", str, "default"),
    Parameter("seconds", float),
)


def test_a_table_of_parameters() -> None:
    found = parameters("""
        depth=3    int 1..9       how far it looks
        cut=1e-4   float 0..      a
        printed=0  bool           b
        mode=best  best|sum|mean  c
        eval=      text           d
        seconds    float          e
    """)
    assert [(each.kind, each.minimum, each.maximum, each.choices) for each in found] == [
        (each.kind, each.minimum, each.maximum, each.choices) for each in PARAMETERS
    ]
    assert [each.default for each in found] == [3, 0.0001, False, "best", "", None]
    assert found[0].help == "how far it looks"
    (needed,) = parameters("then=!  player  who plays on")
    assert needed.default is REQUIRED
    assert needed.registry == "twofold.players.registry:PLAYERS"


@pytest.mark.parametrize(
    ("text", "name", "pairs"),
    [
        ("random", "random", {}),
        (" a : b = 1 , c = 2 ", "a", {"b": "1", "c": "2"}),
        ("a(b=1,c=2)", "a", {"b": "1", "c": "2"}),
        ("a:b=c(d=e,f=g(h=i)),j=k", "a", {"b": "c(d=e,f=g(h=i))", "j": "k"}),
        ("a(b=c(d=e))", "a", {"b": "c(d=e)"}),
        ("a:b=c:d=e", "a", {"b": "c:d=e"}),
        ("file.py:Name", "file.py:Name", {}),
        ("dir/file.py:Name:x=1", "dir/file.py:Name", {"x": "1"}),
        (r"C:\dir\file.py:Name:x=1", r"C:\dir\file.py:Name", {"x": "1"}),
        ("file.py:Name(x=1)", "file.py:Name", {"x": "1"}),
        ("a:spawn-value=2", "a", {"spawn-value": "2"}),
    ],
)
def test_calls(text: str, name: str, pairs: dict[str, str]) -> None:
    call = parse_call(text)
    assert (call.name, dict(call.parameters)) == (name, pairs)
    assert parse_call(str(call)) == call
    assert parse_call(call.nested()) == call


@pytest.mark.parametrize(
    "text",
    [
        *["", " ", "\0", "a\nb", "a:", "a:b", "a:b=", "a:=1", "a:b=1,", "a:b=1,,c=2", "a:b,c=3", "a(b=c"],
        *["a)b", "a(b)", "a()", "(b=1)", ":b=1", "a:b=c,b=d", "a(b=c)d", "a=b", "a,b", "a:b c=1"],
        *["a(b=1)(c=2)", "(" * 10**6, "a:" + "b=1," * 30_000, "(" * 90_000],
    ],
)
def test_what_is_no_call(text: str) -> None:
    with pytest.raises(InvalidParameter) as caught, at_once():
        parse_call(text)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 300


def test_values_are_read_by_kind() -> None:
    values = read_parameters(parse_call("x:depth=5,cut=1e-3,printed=1,mode=sum,eval=a(b=1)"), PARAMETERS)
    assert values == {
        "depth": 5,
        "cut": 0.001,
        "printed": True,
        "mode": "sum",
        "eval": "a(b=1)",
        "seconds": None,
    }
    assert read_parameters(Call("x"), PARAMETERS)["depth"] == 3
    assert read_parameters(parse_call("x:depth=1e0"), PARAMETERS)["depth"] == 1


@pytest.mark.parametrize(
    ("text", "number"), [("200_000", 200_000), ("1e6", 10**6), ("12e20", 12 * 10**20), ("+7", 7)]
)
def test_long_whole_numbers(text: str, number: int) -> None:
    assert read_parameters(parse_call(f"x:n={text}"), [Parameter("n", int)]) == {"n": number}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x:dpth=3", "x has no parameter 'dpth'; did you mean 'depth'?"),
        ("x:depth=0", "depth='0' is not a whole number from 1 to 9"),
        ("x:depth=2.5", "is not a whole number from 1 to 9"),
        ("x:depth=1e400", "is not a whole number"),
        ("x:cut=nan", "cut='nan' is not a number of at least 0"),
        ("x:cut=inf", "is not a number"),
        ("x:cut=-1", "of at least 0"),
        ("x:seconds=soon", "seconds='soon' is not a number"),
        ("x:printed=2", "is not 1 or 0"),
        ("x:mode=man", "is not one of best, sum, mean; did you mean 'mean'?"),
        ("x:depth=" + "9" * 10_000, "characters"),
    ],
)
def test_bad_values(text: str, message: str) -> None:
    with pytest.raises(InvalidParameter) as caught:
        read_parameters(parse_call(text), PARAMETERS)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 300


def test_required_parameters() -> None:
    with pytest.raises(InvalidParameter, match="moves needs order="):
        read_parameters(Call("moves"), [Parameter("order", str, REQUIRED)])


def test_canonical_texts() -> None:
    call = write_call("x", {"eval": "a:b=1,c=2", "depth": 3, "cut": 0.5, "printed": True}, PARAMETERS)
    assert str(call) == "x:cut=0.5,printed=1,eval=a(b=1,c=2)"
    assert call.nested() == "x(cut=0.5,printed=1,eval=a(b=1,c=2))"
    assert str(write_call("x", {"depth": 3}, PARAMETERS)) == "x"


@given(
    st.integers(1, 9),
    st.floats(0, 1e300, allow_nan=False),
    st.booleans(),
    st.sampled_from(["best", "sum", "mean"]),
    st.sampled_from(["default", "a(b=1,c=d(e=f))", "file.py:Name"]),
)
def test_what_is_written_reads_back(
    depth: int, cut: float, printed: bool, mode: str, evaluation: str
) -> None:
    values = {
        "depth": depth,
        "cut": cut,
        "printed": printed,
        "mode": mode,
        "eval": evaluation,
        "seconds": None,
    }
    call = write_call("x", values, PARAMETERS)
    for text in (str(call), call.nested()):
        assert read_parameters(parse_call(text), PARAMETERS) == values


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers(value: float) -> None:
    assert float(format_number(value)) == value


@given(st.text(alphabet="ab:=,()1 .py\0", max_size=30))
def test_any_text_is_a_call_or_refused(text: str) -> None:
    try:
        call = parse_call(text)
    except TwofoldError as refusal:
        assert str(refusal).isprintable()
    else:
        assert parse_call(str(call)) == call
