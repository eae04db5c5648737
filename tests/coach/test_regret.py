"""Regret of known players on solved boards."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from tests.exact.brute import Brute
from tests.exact.test_locked import LockedBrute, locked
from tests.exact.test_solve import problem
from twofold import Board, InvalidParameter, Variant, make_player
from twofold.coach.regret import enumerated_regret, played_regret
from twofold.exact.policy import Policy, policy_of
from twofold.exact.policy_file import save_policy
from twofold.exact.solver import solve


def policy(text: str = "##|##", target: int | None = None) -> Policy:
    return policy_of(solve(problem(text, target)))


@pytest.mark.parametrize("target", [None, 16])
def test_the_solution_has_no_regret(tmp_path: Path, target: int | None) -> None:
    solved = solve(problem("##|##", target))
    save_policy(tmp_path / "p", solved)
    found = enumerated_regret(policy_of(solved), make_player(f"optimal:file={tmp_path / 'p'}"))
    assert found.per_move == 0
    assert found.value == pytest.approx(found.optimal, rel=1e-12)
    assert found.best_moves == found.moves
    assert found.worst == []


class First(Brute):
    """The value of always playing the first legal move of UP, RIGHT, DOWN, LEFT."""

    def _state(self, board: Board):  # type: ignore[no-untyped-def]
        gains = [self.move(board, direction) for direction in range(4)]
        return next((gain for gain in gains if gain is not None), 0)


@pytest.mark.parametrize("target", [None, 16])
def test_the_exact_value_of_a_fixed_player(target: int | None) -> None:
    exact = float(First(Variant.parse("2x2"), target).value())
    player = make_player("scripted:moves=U,illegal=skip,then=repeat")
    found = enumerated_regret(policy("##|##", target), player)
    assert found.value == pytest.approx(exact, rel=1e-12)
    assert found.per_game == pytest.approx(found.optimal - exact, rel=1e-9)
    assert len(found.worst) == 10
    assert found.worst == sorted(found.worst, key=lambda each: -each.regret)
    played = played_regret(policy("##|##", target), player, 300, seed=2)
    assert abs(played.value - exact) < 4 * played.error
    assert 0 < played.best_moves < played.moves
    assert played.per_game == pytest.approx(played.per_move * played.moves / played.games)


def test_games_are_at_least_one() -> None:
    with pytest.raises(InvalidParameter, match="at least 1"):
        played_regret(policy(), make_player("greedy"), 0)


class FirstInClass(LockedBrute):
    """The value of the first legal move where leaving the class is worth nothing."""

    def _state(self, board: Board):  # type: ignore[no-untyped-def]
        for direction in range(4):
            if board.slide(direction).changed:
                return self.move(board, direction) or 0
        return 0


@pytest.mark.slow
def test_locked_tiles() -> None:
    wanted = locked("64 32|. .|. .", 16, "fixed")
    solved = policy_of(solve(wanted))
    brute = FirstInClass(wanted.variant, "fixed")
    exact = float(
        sum(Fraction(p).limit_denominator(10**9) * brute.state(board) for board, p in wanted.starts())
    )
    player = make_player("scripted:moves=U,illegal=skip,then=repeat")
    found = enumerated_regret(solved, player)
    assert 0 < exact < found.optimal
    assert found.value == pytest.approx(exact, rel=1e-12)
    played = played_regret(solved, player, 400, seed=1)
    assert abs(played.value - exact) < 4 * played.error
