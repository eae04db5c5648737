"""Refusals: one printable line, whatever the input, and safe to send between processes."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twofold import errors
from twofold.errors import TwofoldError, UnknownName, UnknownPlayer, did_you_mean, quote


def test_quote() -> None:
    assert quote("a b") == "'a b'"
    assert quote("a\0\x1b[2J\n") == r"'a\x00\x1b[2J\n'"
    assert quote("\ud800\u202e") == r"'\ud800\u202e'"
    assert quote(3.5) == "'3.5'"
    assert quote("x" * 1_000_000) == f"'{'x' * 40}…{'x' * 20}' (1,000,000 characters)"
    assert quote(f"{'folder/' * 20}name.net").endswith("folder/name.net' (148 characters)")


@given(st.text())
def test_quotes_are_printable_and_short(text: str) -> None:
    assert quote(text).isprintable()
    assert len(quote(text)) < 60 * 10 + 40


def test_did_you_mean() -> None:
    assert did_you_mean("expectmax", ["greedy", "expectimax"]) == "; did you mean 'expectimax'?"
    assert did_you_mean("GREEDY", ["greedy"]) == "; did you mean 'greedy'?"
    assert did_you_mean("zzz", ["greedy"]) == ""
    assert did_you_mean("x" * 10**6, ["greedy"]) == ""


def test_unknown_names() -> None:
    error = UnknownPlayer("gredy", ["random", "greedy"])
    assert str(error) == "unknown player 'gredy'; did you mean 'greedy'? (known: random, greedy)"
    assert isinstance(error, UnknownName)


@pytest.mark.parametrize(
    "kind",
    [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, TwofoldError)],
)
def test_every_refusal_is_a_twofold_error_and_survives_pickling(kind: type[TwofoldError]) -> None:
    error = kind("gredy", ["greedy"]) if issubclass(kind, UnknownName) else kind("a line")
    assert isinstance(error, TwofoldError)
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind
    assert str(again) == str(error)
