"""Whole games in compiled loops against `play_game`, move for move: score, moves, tile times, positions."""

from __future__ import annotations

import random

import numpy as np
import pytest

from twofold import play_game
from twofold.evaluation.registry import make_evaluation
from twofold.kernels.board.line_tables import line_table
from twofold.matches.whole import Played, chain_lines, whole_games
from twofold.rules.board import Board
from twofold.rules.direction import Direction
from twofold.rules.variant import Variant
from twofold.search.evaluate import evaluate_board


def compare(text: str, games: int, variant: str = "4x4") -> None:
    play = whole_games(text, Variant.parse(variant))
    assert play is not None
    found: Played = play(1, games, 7)
    for i in range(games):
        game = play_game(text, variant, seed=7, index=1 + i)
        assert (game.score, game.moves, game.max_tile) == (
            found.score[i],
            found.moves[i],
            1 << found.top[i],
        ), text
        times = {1 << rank: t for rank, t in enumerate(found.times[i].tolist()) if rank and t >= 0}
        assert dict(game.tile_moves) == times
        if found.nodes is not None:
            assert game.nodes == found.nodes[i]


def test_searches_limited_by_nodes() -> None:
    compare("expectimax:nodes=300", 2)
    compare("expectimax:nodes=700,eval=snake", 1, "4x4;p4=0.5")


@pytest.mark.parametrize("seed", range(5))
def test_s0_solver_with_any_weights(seed: int) -> None:
    draw = random.Random(seed)
    names = ("largest", "monotonicity", "empty", "chain", "shift", "adjacent")
    # Most weights positive, so that games are long; all signs, and weights of 0, which leave features out.
    weights = [draw.choice((0, 1, 1, 1)) * draw.randint(-30, 100) for _ in names]
    given = [f"{name}={weight}" for name, weight in zip(names, weights, strict=True)]
    given += [f"along={seed % 2}", f"border={draw.choice((0.2, 0.5))}", f"dead={draw.choice((0, -5000))}"]
    compare(f"chain:eval=chain({','.join(given)})", 2, "4x4" if seed else "4x4;p4=1")


def test_a_game_that_outgrows_the_loop_is_played_on(monkeypatch: pytest.MonkeyPatch) -> None:
    from twofold.matches import whole

    monkeypatch.setattr(whole, "OVERFLOW", 300)  # tile sums from here on count as too large for nibbles
    compare("chain", 2)
    compare("expectimax:nodes=200", 1)


def test_others_have_no_loop() -> None:
    classic = Variant()
    for text in (
        "chain:mode=sum",
        "chain:window=1",
        "chain:depth=1",
        "chain:eval=snake",
        "expectimax:depth=2",
        "expectimax",
        "expectimax:nodes=500,cut=0.1",
        "expectimax:nodes=500,eval=sah",
        "greedy",
    ):
        assert whole_games(text, classic) is None, text
    for variant in ("3x4", "4x4;spawn=tl-rows", "map=2 . . .|. . . .|. . . .|. . . ."):
        assert whole_games("chain", Variant.parse(variant)) is None


def test_lines() -> None:
    lines, slides = chain_lines(), line_table(False)
    monotone = make_evaluation("monotonicity")
    for line in random.Random(1).sample(range(1 << 16), 400):
        ranks = [line >> 4 * i & 15 for i in range(4)]
        assert lines[line] & 1 == (sorted(ranks, reverse=True) == ranks)
        assert lines[line] >> 1 & 1 == (sorted(ranks) == ranks)
        slid = int(slides[line]) & 0xFFFF
        tiles = [sum(1 for i in range(4) if word >> 4 * i & 15) for word in (line, slid)]
        assert lines[line] >> 2 == tiles[0] - tiles[1]
        row = Board(1, 4, bytes(ranks))
        assert row.is_legal(Direction.LEFT) or lines[line] >> 2 == 0
    assert evaluate_board(monotone, Board(4, 4, bytes(16))) == 8
    assert np.all(lines >= 0)
