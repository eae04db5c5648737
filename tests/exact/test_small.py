"""Positions solved when they are asked for: values, limits, boards that a game can't reach."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.exact.brute import Brute
from twofold import Board, Direction, InvalidVariant, State, TwofoldError, Variant
from twofold.exact.problem import MAX_PROBABILITY
from twofold.exact.small import solve_position


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("twofold.cache.platformdirs.user_cache_dir", lambda name: str(tmp_path / name))
    return tmp_path


@pytest.mark.parametrize("text", ["2 .|. 2", "4 2|. .", "16 2|4 .", "2 2|2 2"])
def test_a_position_is_worth_what_recursion_says(text: str) -> None:
    board = Board.parse(text)
    brute = Brute(Variant(start=board), None)
    found = solve_position(State.of(board))
    assert found.value == pytest.approx(float(brute.state(board)), rel=1e-12)
    for move in found.moves:
        exact = brute.move(board, move.direction)
        assert exact is not None
        assert move.value == pytest.approx(float(exact), rel=1e-12)
    assert found.best in {move.direction for move in found.moves}


def test_chances_wins_and_ends() -> None:
    variant = Variant.parse("2x2;target=16")
    found = solve_position(State.of(Board.parse("2 2|. ."), variant), MAX_PROBABILITY)
    assert found.value == pytest.approx(0.962612875, rel=1e-12)
    assert found.value + found.loss == pytest.approx(1)
    won = solve_position(State.of(Board.parse("16 2|. ."), variant), MAX_PROBABILITY)
    assert (won.value, won.loss) == (1.0, 0.0)
    over = solve_position(State.of(Board.parse("2 4|4 2"), variant), MAX_PROBABILITY)
    assert (over.value, over.loss, over.best, over.moves) == (0.0, 1.0, None, ())


def test_a_late_board_of_a_large_game() -> None:
    board, variant = Board.parse("8 16 32|64 128 256|2 2 4"), Variant.parse("3x3;target=512")
    found = solve_position(State.of(board, variant), MAX_PROBABILITY)
    assert found.value == pytest.approx(float(Brute(variant, 512).state(board)), rel=1e-12, abs=0)
    assert found.best in {Direction.LEFT, Direction.RIGHT}


def test_limits() -> None:
    state = State.of(Board.parse("2 . . .|. . . .|. . . .|. . . 2"))
    with pytest.raises(InvalidVariant, match="more than 1,000 positions"):
        solve_position(state, most_states=1000)
    with pytest.raises(InvalidVariant, match=r"than 0\.01 s allow"):
        solve_position(state, seconds=0.01)
    with pytest.raises(TwofoldError, match="25 free cells"):
        solve_position(State.of(Board.empty(5, 5).with_cell(0, 1)))


def test_a_damaged_cache_is_made_anew(cache: Path) -> None:
    state = State.of(Board.parse("2 .|. 2"))
    found = solve_position(state)
    (file,) = (cache / "twofold" / "exact").iterdir()
    data = bytearray(file.read_bytes())
    data[20] ^= 0xFF  # in the first layer, behind the 16 bytes that say what the file is
    file.unlink()
    file.write_bytes(bytes(data))
    assert solve_position(state) == found
