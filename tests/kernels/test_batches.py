"""Games side by side against the rules: all moves of a board, choices, games that end and begin."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from twofold.evaluation.compiled import pack
from twofold.evaluation.neural import features
from twofold.kernels.board.line_tables import line_table
from twofold.kernels.neural import batches
from twofold.kernels.neural.evaluator import FEATURES
from twofold.rules.board import Board
from twofold.rules.direction import DIRECTIONS
from twofold.rules.game import Game
from twofold.rules.random import word

BOARDS = st.lists(st.sampled_from([0, 0, 1, 2, 3, 5, 11]), min_size=16, max_size=16).map(
    lambda ranks: Board(4, 4, bytes(ranks))
)
U = np.uint64
FOUR = U(round(0.1 * 2**32))


@given(st.lists(BOARDS, min_size=1, max_size=5))
@settings(max_examples=40)
def test_all_moves_of_boards(boards: list[Board]) -> None:
    n = len(boards)
    packed = np.array([pack(board) for board in boards], U)
    after, gains = np.zeros((n, 4), U), np.zeros((n, 4), np.int64)
    batches.four_moves(line_table(False), packed, after, gains)
    words, rewards = np.zeros(4 * n, U), np.zeros(4 * n, np.int64)
    first, rows = np.zeros(n + 1, np.int64), np.zeros((4 * n, FEATURES), np.int32)
    count = batches.expand(line_table(False), packed, words, rewards, first, rows)
    listed = []
    for i, board in enumerate(boards):
        assert first[i] == len(listed)
        for direction in DIRECTIONS:
            slide = board.slide(direction)
            assert int(gains[i, direction]) == (slide.reward if slide.changed else -1)
            if slide.changed:
                assert int(after[i, direction]) == pack(slide.board)
                listed.append((pack(slide.board), slide.reward, features(slide.board)))
    assert count == first[n] == len(listed)
    found = zip(words[:count].tolist(), rewards[:count].tolist(), rows[:count].tolist(), strict=True)
    assert list(found) == listed


def lanes(count: int) -> dict[str, Any]:
    words = {name: np.zeros(count, U) for name in ("after", "spawns", "players", "boards")}
    small = {name: np.zeros(count, np.uint8) for name in ("last", "ended")}
    return words | small | {name: np.zeros(count, np.int64) for name in ("score", "moves", "a", "b", "c")}


def spawn(x: dict[str, Any], following: int) -> tuple[int, int]:
    done = batches.spawn_tiles(
        line_table(False), FOUR, U(7), U(following), x["after"], x["spawns"], x["players"], x["last"],
        x["score"], x["moves"], x["boards"], x["ended"], x["a"], x["b"], x["c"],
    )  # fmt: skip
    return int(done[0]), int(done[1])


def test_games_begin_and_end_as_those_of_the_rules() -> None:
    x = lanes(3)
    batches.first_boards(FOUR, U(7), U(10), x["spawns"], x["players"], x["boards"])
    assert x["boards"].tolist() == [pack(Game(seed=7, index=10 + lane).board) for lane in range(3)]
    full = Board.from_values(
        [[2, 4, 2, 4], [4, 2, 4, 2], [2, 4, 2, 4], [4, 2, 4, 0]]
    )  # a 4 ends it, a 2 does not
    x["after"][:] = pack(full.with_cell(15, 0).with_cell(0, 5).with_cell(1, 6))
    x["after"][2] = pack(Board.empty(4, 4).with_cell(3, 15))
    x["last"][2] = 1
    x["score"][:] = [100, 200, 300]
    x["moves"][:] = [1, 2, 3]
    dead = []
    for lane in range(2):
        game = Game(seed=7, index=10 + lane)
        rank = 2 if (word(game.spawn_key, 2) & 0xFFFFFFFF) < int(FOUR) else 1
        dead.append(full.with_cell(0, 5).with_cell(1, 6).with_cell(15, rank).is_dead)
    following, done = spawn(x, 50)
    assert x["ended"].tolist() == [*(batches.DEAD if end else batches.GOES_ON for end in dead), batches.LEFT]
    assert done == sum(dead) + 1
    assert following == 50 + done
    assert x["c"][:done].tolist() == [6] * sum(dead) + [16]
    assert x["a"][done - 1] == 300
    assert x["b"][done - 1] == 3
    assert int(x["boards"][2]) == pack(Game(seed=7, index=50 + sum(dead)).board)
    assert x["score"][2] == x["moves"][2] == 0


def test_among_equals_the_first_move_is_made() -> None:
    words, gains = np.array([5, 6, 7], U), np.array([4, 4, 0], np.int64)
    first, rows = np.array([0, 3], np.int64), np.arange(3 * FEATURES, dtype=np.int32).reshape(3, FEATURES)
    for values, chosen in (([0, 0, 0], 0), ([0, 0, 1], 2), ([-1, 0, 0], 1)):
        x = lanes(1)
        value, best, out = np.zeros(1, np.float32), np.zeros(1, np.float32), np.zeros((1, FEATURES), np.int32)
        arguments = (words, gains, first, rows, np.array(values, np.float32), 10.0, U(0), x["players"])
        outputs = (x["after"], x["last"], x["score"], x["moves"], out, value, best, x["ended"])
        batches.choose(*arguments, *outputs)
        assert int(x["after"][0]) == words[chosen]
        assert value[0] == values[chosen]
        assert best[0] == gains[chosen] + 10 * values[chosen]
        assert out[0].tolist() == rows[chosen].tolist()
        assert (x["score"][0], x["moves"][0]) == (gains[chosen], 1)
