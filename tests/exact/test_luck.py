"""The best and the worst of luck, against plain recursion over boards."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.exact.brute import Brute
from tests.exact.test_solve import problem
from tests.thorough import quick_ones
from tests.ui.command import here
from twofold import Board, InvalidParameter
from twofold.exact.certain import count_moves
from twofold.exact.policy import policy_of
from twofold.exact.run import solution_json
from twofold.exact.solver import solve

NEVER = float("inf")


def points(brute: Brute, choose: Callable[..., float]) -> Callable[[Board], float]:
    """The most points from a board where spawns are chosen."""

    @cache
    def value(board: Board) -> float:
        slides = [board.slide(d) for d in range(4)]
        return max((s.reward + choose(map(value, after(s.board))) for s in slides if s.changed), default=0)

    def after(board: Board) -> list[Board]:
        return [each for each, _ in brute.spawns(board)]

    return value


def moves(brute: Brute, rank: int, choose: Callable[..., float]) -> Callable[[Board], float]:
    """The fewest moves to a tile where spawns are chosen; inf if it is never made."""

    @cache
    def value(board: Board) -> float:
        slides = [board.slide(d) for d in range(4)]
        return min((1 + (0 if s.makes(rank) else after(s.board)) for s in slides if s.changed), default=NEVER)

    def after(board: Board) -> float:
        return choose(value(each) for each, _ in brute.spawns(board))

    return value


BOARDS = [
    ("##|##", {}),
    ("##|##", {"p4": 0.0}),
    ("##|##", {"p4": 1.0}),
    ("##|##", {"place": "tl-rows"}),
    ("#####", {}),
    ("x##|###", {}),
    ("2#|#4", {}),
]


@pytest.mark.parametrize(("text", "options"), quick_ones(BOARDS, lambda case: case not in BOARDS[4:6]))
@pytest.mark.parametrize("luck", ["best", "worst"])
def test_points_and_moves_with_chosen_spawns(text: str, options: dict[str, float], luck: str) -> None:
    best = luck == "best"
    wanted = problem(text, luck=luck, **options)
    brute = Brute(wanted.variant, None)
    by_hand = points(brute, max if best else min)
    found = solve(wanted)
    assert [start.value for start in found.starts] == [by_hand(start.board) for start in found.starts]
    assert found.value == (max if best else min)(start.value for start in found.starts)
    for target in (8, 16, 32):
        wanted = problem(text, target, luck=luck, **options)
        counted = moves(brute, target.bit_length() - 1, min if best else max)
        answer = solution_json(solve(wanted))
        for start in answer["starts"]:
            value = counted(Board.parse(start["board"]))
            assert start["value"] == (None if value == NEVER else value)


@pytest.mark.parametrize(
    ("text", "cells"),
    [("##|##", 4), ("###|###", 6), pytest.param("###|###|###", 9, marks=pytest.mark.slow)],
)
def test_the_most_points_are_those_of_the_fullest_board(text: str, cells: int) -> None:
    """All cells hold 4, 8, 16, … and a 4 was needed for each: on 4x4 the published 3,932,100 points."""

    def most(cells: int) -> int:
        return sum((rank - 1) << rank for rank in range(2, cells + 2)) - 4 * cells

    assert most(16) == 3_932_100
    assert solve(problem(text, luck="best")).value == most(cells)


def test_moves_are_those_that_a_solved_target_counts() -> None:
    counted = count_moves(policy_of(solve(problem("###|###", 32))))
    for luck, name in (("best", "fewest"), ("worst", "surely")):
        found = solve(problem("###|###", 32, luck=luck))
        for start in found.starts:
            told = found.problem.told(start.value)
            assert (NEVER if told is None else told) == getattr(counted[start.board], name)


def test_what_luck_does_not_go_with() -> None:
    for options in ({"luck": "good"}, {"luck": "best", "gamma": 0.9}):
        with pytest.raises(InvalidParameter, match="luck"):
            problem("##|##", 16, **options)
    with pytest.raises(InvalidParameter, match="lock"):
        problem("64 .|. .", 64, luck="best", lock="fixed")


def test_the_command_and_its_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = str(tmp_path / "luck.2048exact")
    solved = ("exact", "solve", "2x2", "--luck", "best")
    answer = here(capsys, *solved, "--score", "--json").json()
    assert (answer["luck"], answer["value"]) == ("best", 180)
    answer = here(capsys, *solved, "--target", "16", "--out", file, "--json").json()
    assert (answer["value"], answer["mean_over_starts"]) == (4, None)
    answer = here(capsys, "exact", "value", file, "2 2|. .", "--json").json()
    assert answer["value"] == 5
    brute = Brute(problem("##|##").variant, None)
    fewest = moves(brute, 4, min)
    slides = [Board.parse("2 2|. .").slide(d) for d in range(4)]
    boards = [[each for each, _ in brute.spawns(slide.board)] for slide in slides]
    wanted = [
        1 + min(map(fewest, after)) if s.changed else None for s, after in zip(slides, boards, strict=True)
    ]
    assert [answer["values"][name] for name in ("UP", "RIGHT", "DOWN", "LEFT")] == wanted
    assert "loss" not in answer
