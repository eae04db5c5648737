"""`check_player` finds each breach of the contract."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from twofold import Board, Direction, State, Variant, check_player, make_player
from twofold.matches.check import PlayerCheckError
from twofold.players.base import Decision, Limit

Change = Callable[[State, Decision], Decision]


class Bent:
    """Greedy, with one thing bent."""

    def __init__(self, change: Change, limit: Limit | None = None, text: str = "greedy") -> None:
        self.text = text
        self.limit = limit or Limit()
        self._change = change
        self._greedy = make_player("greedy")

    def decide(self, state: State, key: int = 0) -> Decision:
        return self._change(state, self._greedy.decide(state, key))


def illegal(state: State, decision: Decision) -> Decision:
    wrong = next(d for d in Direction if d not in state.legal_moves())
    return replace(decision, move=wrong)


def value_of_illegal(_: State, decision: Decision) -> Decision:
    up, right, down, left = (0.0 if value is None else value for value in decision.values)
    return replace(decision, values=(up, right, down, left))


def forgetful(_: State, decision: Decision) -> Decision:
    forgetful.calls = getattr(forgetful, "calls", 0) + 1  # type: ignore[attr-defined]
    return replace(decision, value=float(forgetful.calls))  # type: ignore[attr-defined]


def meddling(state: State, decision: Decision) -> Decision:
    object.__setattr__(state, "score", state.score + 1)
    return decision


def slow(_: State, decision: Decision) -> Decision:
    time.sleep(0.3)
    return decision


def lively(state: State, decision: Decision) -> Decision:
    return replace(decision, move=Direction.UP) if state.is_dead else decision


@pytest.mark.parametrize(
    ("change", "limit", "message"),
    [
        (illegal, None, "its move is .* legal are"),
        (value_of_illegal, None, "the value of .* is 0.0"),
        (lambda _s, d: replace(d, values=(float("nan"), *d.values[1:])), None, "value of UP"),
        (forgetful, None, "all randomness must come from the key"),
        (meddling, None, "changed the state"),
        (slow, Limit(seconds=0.01), "its limit is 0.01 s"),
        (lambda _s, d: replace(d, depth=9), Limit(depth=2), "looked 9 moves ahead"),
        (lambda _s, d: replace(d, nodes=9999), Limit(nodes=100), "looked at 9999 nodes"),
        (lambda _s, d: d.move, None, "not a Decision"),
        (lively, None, "on a dead board"),
    ],
)
def test_a_breach_is_named(change: Change, limit: Limit | None, message: str) -> None:
    # The corner start makes some moves illegal from the first one on.
    corner = Variant(start=Board.parse("2 . .|. . .|. . ."))
    with pytest.raises(PlayerCheckError, match=message) as caught:
        check_player(Bent(change, limit), [corner], moves=5, round_trip=False)
    assert "\n" not in str(caught.value)


def test_the_text_must_read_back() -> None:
    def keep(_: State, decision: Decision) -> Decision:
        return decision

    with pytest.raises(PlayerCheckError, match="text must be canonical"):
        check_player(Bent(keep, text="scripted:then=stop,moves=L"))
    with pytest.raises(PlayerCheckError, match="parsed back with"):
        check_player(Bent(keep, Limit(depth=3)))
    with pytest.raises(PlayerCheckError, match="must be a text"):
        check_player(Bent(keep, text=""))


def test_one_variant_need_not_be_a_list() -> None:
    check_player("greedy", "3x3")
    check_player("greedy", Variant.parse("3x3"))


def test_a_good_player_passes_on_given_variants() -> None:
    check_player("greedy", ["2x2", "1x6;p4=1"], games=2)
