"""S4's tables of exact play: its counts of states, and win rates in exact fractions."""

from __future__ import annotations

import pytest

from tests.exact.brute import Brute
from twofold import Board, InvalidParameter, Variant
from twofold.exact.depth_first import PRINTED, count


@pytest.mark.parametrize(("target", "start", "states", "rate"), PRINTED)
def test_the_counts_of_s4(target: int, start: str, states: int, rate: str) -> None:
    found = count(Board.parse(start), target)
    assert found.searched == states
    # S4 prints two places, some of them cut and not rounded; 8.36 is 8.375.
    assert float(100 * found.probability) == pytest.approx(float(rate.split()[0]), abs=0.016)
    brute = Brute(Variant(Board.parse(start), target=target), target)
    assert brute.value() == found.probability
    assert brute.states == found.alive + found.lost


def test_large_games_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("twofold.exact.depth_first.MOST", 100)
    with pytest.raises(InvalidParameter, match="more than 100 states"):
        count(Board.parse("2 2|. ."), 32)


def test_an_empty_board_is_no_start() -> None:
    with pytest.raises(InvalidParameter, match="no tiles"):
        count(Board.empty(2, 2), 8)
