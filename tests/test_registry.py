"""The registry of named things: call texts, canonical texts, lazy factories, errors that help."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twofold.errors import InvalidParameter, UnknownPlayer
from twofold.notation import Parameter
from twofold.registry import Registry

PARAMETERS = (
    Parameter("depth", int, None, minimum=1, maximum=9),
    Parameter("weight", float, 0.5),
    Parameter("loud", bool, False),
    Parameter("mode", str, "best", choices=("best", "mean")),
)


def make(text: str, **values: Any) -> tuple[str, dict[str, Any]]:
    return text, values


@pytest.fixture
def things() -> Registry[Any]:
    registry: Registry[Any] = Registry("player", UnknownPlayer)
    registry.register("thing", make, PARAMETERS, "a thing")
    registry.register("lazy", "no.such.module:thing")
    return registry


def test_a_thing_gets_its_canonical_text_and_every_parameter(things: Registry[Any]) -> None:
    text, values = things.make("thing(mode=mean, loud=yes,weight=0.50)")
    assert text == "thing:loud=1,mode=mean"
    assert values == {"depth": None, "weight": 0.5, "loud": True, "mode": "mean"}


@given(
    depth=st.none() | st.integers(1, 9),
    weight=st.floats(allow_nan=False, allow_infinity=False),
    loud=st.booleans(),
    mode=st.sampled_from(["best", "mean"]),
)
def test_canonical_text_reads_back_as_the_same_values(
    depth: int | None, weight: float, loud: bool, mode: str
) -> None:
    registry: Registry[Any] = Registry("player", UnknownPlayer)
    registry.register("thing", make, PARAMETERS)
    pairs = [f"weight={weight!r}", f"loud={int(loud)}", f"mode={mode}"]
    pairs += [f"depth={depth}"] if depth is not None else []
    text, values = registry.make("thing:" + ",".join(pairs))
    assert values == {"depth": depth, "weight": weight, "loud": loud, "mode": mode}
    assert registry.make(text) == (text, values)
    assert registry.canonical(registry.canonical(text, nested=True)) == text


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("thing:dept=3", "did you mean 'depth'"),
        ("thing:depth=0", "from 1 to 9"),
        ("thing:depth=x", "a whole number"),
        ("thing:weight=nan", "a number"),
        ("thing:mode=meen", "did you mean 'mean'"),
        ("thing:depth", "key=value"),
        ("thing:depth=1,depth=2", "twice"),
        ("thing(depth=1", "'('"),
        ("", "write name"),
        ("thing:" + "weight=1," * 50_000, "too long"),
    ],
)
def test_a_bad_text_is_refused_in_one_line_that_helps(things: Registry[Any], text: str, hint: str) -> None:
    with pytest.raises(InvalidParameter, match=r"^[^\n]{1,400}$") as caught:
        things.make(text)
    assert hint in str(caught.value)


def test_an_unknown_name_suggests_the_closest(things: Registry[Any]) -> None:
    with pytest.raises(UnknownPlayer, match="did you mean 'thing'"):
        things.info("thnig")


def test_a_name_is_registered_once_and_fits_the_grammar(things: Registry[Any]) -> None:
    with pytest.raises(InvalidParameter, match="already registered"):
        things.register("thing", make)
    for name in ("a:b=1", "a(b)", "a.py:B"):
        with pytest.raises(InvalidParameter):
            things.register(name, make)


def test_listing_imports_no_factory(things: Registry[Any]) -> None:
    assert [info.name for info in things.infos()] == ["thing", "lazy"]
    with pytest.raises(ModuleNotFoundError):
        things.make("lazy")


WITHIN: Registry[Any] = Registry("evaluation", UnknownPlayer)
WITHIN.register("worth", make, [Parameter("a", int, 1), Parameter("b", int, 2)])


def test_calls_within_calls_have_one_spelling_and_are_all_found() -> None:
    registry: Registry[Any] = Registry("player", UnknownPlayer)
    registry.register("thing", make, [Parameter("eval", str, "worth", registry=f"{__name__}:WITHIN")])
    for text in ("thing:eval=worth:b=+3", "thing(eval=worth(b=03))", "thing:eval=worth(a=1,b=3)"):
        assert registry.canonical(text) == "thing:eval=worth(b=3)"
        assert registry.make(text)[1] == {"eval": "worth(b=3)"}
        assert [(info.name, values) for info, values in registry.calls(text)] == [
            ("thing", {"eval": "worth(b=3)"}),
            ("worth", {"a": 1, "b": 3}),
        ]
    assert [info.name for info, _ in registry.calls("thing")] == ["thing", "worth"]
