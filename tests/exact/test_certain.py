"""Sure wins, targets out of reach, largest tiles, numbers of moves."""

from __future__ import annotations

import math
from functools import cache

import pytest

from tests.exact.brute import Brute
from tests.exact.test_solve import problem
from twofold import Board, InvalidParameter, Variant
from twofold.exact.certain import count_moves, out_of_reach
from twofold.exact.policy import policy_of
from twofold.exact.solver import solve


@pytest.mark.parametrize(
    ("text", "options", "largest"),
    [
        ("##|##", {}, 32),
        ("##|##", {"p4": 0.0}, 16),
        ("##|##", {"p4": 1.0}, 32),
        ("###|###", {}, 128),
        ("####", {}, 32),
        ("x#", {}, 4),
        ("24|42", {}, 4),
        ("64 .|64 .", {}, 128),
    ],
)
def test_the_largest_tile_within_reach(text: str, options: dict[str, float], largest: int) -> None:
    found = solve(problem(text, **options))
    assert found.largest_tile == largest
    board = Board.parse(text)
    if not board.tile_ranks:
        assert not out_of_reach(solve(problem(text, max(4, largest), **options))) or largest == 4
        assert out_of_reach(solve(problem(text, 2 * largest, **options)))


def test_sure_wins_are_those_that_some_move_keeps_sure() -> None:
    @cache
    def is_sure(board: Board) -> bool:
        moves = [board.slide(d) for d in range(4)]
        return any(
            each.changed
            and (
                any(m.merged and each.board.cells[m.target] >= 4 for m in each.motions)
                or after_is_sure(each.board)
            )
            for each in moves
        )

    @cache
    def after_is_sure(board: Board) -> bool:
        return all(is_sure(b) for b, _ in brute.spawns(board))

    wanted = problem("##|##", 16, symmetric=False)
    brute = Brute(wanted.variant, 16)
    found = solve(wanted)
    layout, sure = wanted.layout(), []
    for layer in range(found.first, found.last + 1):
        keys, words = found.layers.get("after", layer), found.layers.get("values", layer)
        for key, word in zip(keys, words, strict=True):
            sure.append(int(word) == 2**64 - 1)
            assert sure[-1] == after_is_sure(layout.unpack(int(key)))
    assert 0 < sum(sure) < len(sure)


def test_numbers_of_moves_against_plain_recursion() -> None:
    variant = Variant.parse("2x2;target=16")
    policy = policy_of(solve(problem("##|##", 16)))
    brute = Brute(variant, 16)

    @cache
    def moves(board: Board) -> tuple[float, float]:
        found = []
        for direction in range(4):
            slide = board.slide(direction)
            if slide.changed:
                won = any(m.merged and slide.board.cells[m.target] >= 4 for m in slide.motions)
                after = [(0.0, 0.0)] if won else [moves(b) for b, _ in brute.spawns(slide.board)]
                found.append((1 + min(a for a, _ in after), 1 + max(b for _, b in after)))
        return min((a for a, _ in found), default=math.inf), min((b for _, b in found), default=math.inf)

    for board, each in count_moves(policy).items():
        assert (each.fewest, each.surely) == moves(board)
        assert each.expected >= each.fewest
    sure = count_moves(policy_of(solve(problem("##|##", 8))))
    assert all(each.fewest <= each.expected <= each.surely < math.inf for each in sure.values())


def test_moves_are_counted_to_a_target() -> None:
    with pytest.raises(InvalidParameter, match="score"):
        count_moves(policy_of(solve(problem("##|##"))))
