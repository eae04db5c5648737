"""Whole games in one compiled loop against the rules and the players, game by game."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.evaluation.test_network import random_network
from twofold.errors import InvalidParameter
from twofold.evaluation.base import Evaluation
from twofold.evaluation.compiled import pack
from twofold.evaluation.learned import from_network
from twofold.evaluation.network import Design, Network
from twofold.evaluation.registry import make_evaluation
from twofold.evaluation.tuples import parse_tuples
from twofold.evaluation.weights import save_network
from twofold.learn.settings import TrainingSettings
from twofold.learn.temporal import Training
from twofold.matches import many
from twofold.matches.many import play_many, unpack, value_many
from twofold.matches.play import play_game
from twofold.players.registry import make_player
from twofold.rules.board import Board
from twofold.rules.game import State
from twofold.rules.variant import Variant
from twofold.search.expectimax import Searcher


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small network that has learned a little."""
    network = Network.fresh(Design(tuples=parse_tuples("0123 0145", 16), stages=(9,)))
    list(Training(network, TrainingSettings(games=1000, evaluation_games=0)).run())
    path = tmp_path_factory.mktemp("network") / "small.2048net"
    save_network(path, network)
    return path


@pytest.mark.parametrize(("depth", "games"), [(1, 5), (2, 3), (3, 1)])
@pytest.mark.parametrize("handed_over", [False, True])
def test_same_games_as_the_players(
    file: Path, depth: int, games: int, handed_over: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if handed_over:  # as if tiles outgrew their nibbles early
        monkeypatch.setattr(many, "OVERFLOW", 256)
        monkeypatch.setattr(many, "GREEDY_LIMIT", 500)
    found = play_many(make_evaluation(f"network:file={file}"), games, depth=depth, seed=9, first=3, threads=2)
    text = f"ntuple:file={file}" if depth == 1 else f"expectimax:depth={depth},eval=network(file={file})"
    for i in range(games):
        result = play_game(text, seed=9, index=3 + i)
        assert (result.score, result.moves) == (found.score[i], found.moves[i])
        assert result.max_tile == 1 << found.top[i]


def test_any_evaluation_and_odds() -> None:
    variant = Variant(p4=0.4)
    found = play_many(make_evaluation("default"), 2, depth=2, seed=1, variant=variant)
    for i in range(2):
        result = play_game("expectimax:depth=2", variant, seed=1, index=i)
        assert (result.score, result.moves) == (found.score[i], found.moves[i])


@pytest.mark.parametrize(
    "variant", ["3x3", "4x4;spawn=tl-rows", "map=2 . . .|. . . .|. . . .|. . . .", "4x4;empty-start=1"]
)
def test_other_games_are_refused(variant: str) -> None:
    with pytest.raises(InvalidParameter):
        play_many(make_evaluation("default"), 1, variant=Variant.parse(variant))


def unpacked() -> Evaluation:
    """A network whose tables end before the nibbles do."""
    return from_network(random_network(Design(tuples=parse_tuples("0123", 16), base=12)))


@pytest.mark.parametrize("depth", [1, 2])
def test_evaluations_that_read_no_packed_boards(depth: int) -> None:
    with pytest.raises(InvalidParameter, match="packed"):
        play_many(unpacked(), 1, depth=depth)
    board = Board.parse("2 4 . .|. . . .|. 2 . .|. . . .")
    searcher = Searcher(unpacked())
    searcher.start(State.of(board), depth=depth)
    assert value_many(unpacked(), [board], depth=depth)[0].tolist() == list(searcher.search(depth) or ())


def test_the_loops_and_the_search_share_no_entries() -> None:
    """One word, two boards: nibble 15 is 32768 in the loop, and 65536 where a search may call it so."""
    boards = [
        Board.parse("2 . . .|. . . .|. . . .|. . . 2"),
        Board.parse("32768 2 4 8|16 . . .|. . . .|. . . 2"),
        Board.parse("65536 2 4 8|16 . . .|. . . .|. . . 2"),
    ]
    evaluation = make_evaluation("diagonal")
    together = value_many(evaluation, boards, depth=2)
    for board, values in zip(boards, together, strict=True):
        np.testing.assert_array_equal(values, value_many(evaluation, [board], depth=2)[0])


def test_values_of_boards_with_bricks_and_of_other_rules() -> None:
    evaluation = make_evaluation("default")
    bricked, open_ = (
        Board.parse("x . . 2|. . . .|. . . .|2 . . ."),
        Board.parse("4 . . 2|. . . .|. . . .|2 . . ."),
    )
    expected = [make_player("expectimax:depth=2").decide(State.of(b)).values for b in (bricked, open_)]
    for variant in (None, Variant(bricked.without_tiles()), Variant.of_size(3, 3)):
        found = value_many(evaluation, [bricked, open_], depth=2, variant=variant)
        assert found.tolist() == [list(values) for values in expected]


def games(evaluation: Evaluation, count: int, depth: int) -> None:
    play_many(evaluation, count, depth=depth)


def positions(evaluation: Evaluation, count: int, depth: int) -> None:
    board = Board.parse("2 4 8 16|32 . . .|. . . .|. . . 2")
    value_many(evaluation, [board] * count, depth=depth)


@pytest.mark.parametrize(("play", "depth"), [(games, 3), (positions, 7)])
def test_a_stop_ends_what_is_played_by_the_rules(
    play: Callable[[Evaluation, int, int], None], depth: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluation = make_evaluation("default")
    if play is games:
        play(evaluation, 1, 2)  # compiles
    monkeypatch.setattr(many, "OVERFLOW", 64)
    if play is positions:
        play(evaluation, 1, 1)
    before = threading.active_count()
    waits = 0
    wait = threading.Thread.join

    def interrupted(self: threading.Thread, timeout: float | None = None) -> None:
        """Ctrl-C comes while the caller waits for the second time: a real signal could hit anything in this process."""
        nonlocal waits
        waits += 1
        if waits == 2:
            raise KeyboardInterrupt
        wait(self, timeout)

    monkeypatch.setattr(threading.Thread, "join", interrupted)
    with pytest.raises(KeyboardInterrupt):
        play(evaluation, 64, depth)
    end = time.monotonic() + 60
    while threading.active_count() > before:
        assert time.monotonic() < end, "a thread plays on"
        time.sleep(0.05)


@pytest.mark.parametrize("depth", [1, 2])
def test_values_of_many_boards(file: Path, depth: int) -> None:
    rng = np.random.default_rng(5)
    boards = [Board(4, 4, bytes(int(r) for r in rng.choice(6, 16))) for _ in range(70)]
    boards += [
        Board.parse("65536 65536 2 .|. . . .|. . . .|2 . . ."),
        Board(4, 4, bytes([1, 2] * 2 + [2, 1] * 2) * 2),
    ]
    evaluation = make_evaluation(f"network:file={file}")
    found = value_many(evaluation, boards, depth=depth, threads=2)
    player = make_player(f"expectimax:depth={depth},eval=network(file={file})")
    for board, values in zip(boards, found, strict=True):
        expected = player.decide(State.of(board)).values
        assert [None if np.isnan(v) else float(v) for v in values] == list(expected)


def test_values_of_boards_of_other_sizes() -> None:
    design = Design(Variant.of_size(2, 3), ((0, 1, 2), (1, 4)), 8)
    board = Board.parse("2 . 4|2 4 .")
    found = value_many(from_network(random_network(design)), [board, board], depth=2)
    assert (found[0] == found[1]).all()
    assert not np.isnan(found).all()


def test_packing() -> None:
    board = Board.parse("2 4 8 16|32768 . . .|2 2 . .|. . . 1024")
    assert unpack(pack(board)) == board
