"""Learning against a plain Python program of the same algorithm, and what a run promises."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.waiting import wait_for
from twofold.errors import InvalidParameter
from twofold.evaluation.compiled import pack
from twofold.evaluation.learned import from_network
from twofold.evaluation.network import Design, Network, downgrade, parse_stages
from twofold.evaluation.tuples import parse_tuples
from twofold.evaluation.weights import load_network
from twofold.kernels.ntuple.temporal import LATE
from twofold.learn.settings import TrainingSettings
from twofold.learn.temporal import Training, idle_cores
from twofold.learn.workers import CellsWorker, PackedWorker, make_worker, plays_packed
from twofold.rules.board import Board
from twofold.rules.direction import DIRECTIONS
from twofold.rules.game import Game
from twofold.rules.random import GAMMA, MASK, mix64, stream_key
from twofold.rules.variant import Variant
from twofold.search.expectimax import Searcher

CASES = [
    (Variant(), "0123 0145", 16, "", "td"),
    (Variant(), "0123 0145", 16, "", "tc"),
    (Variant(p4=0.5), "0123 4567", 16, "32 128", "tc"),
    (Variant(), "0123 4567", 16, "sum:20 90", "tc"),
    (Variant.of_size(2, 4), "0123 0145", 10, "sum:12 70", "td"),
    (Variant.of_size(2, 3), "012345 0134", 8, "", "tc"),
    (Variant.of_size(2, 3), "012 14", 8, "", "tc"),
    (Variant.of_size(2, 3), "012 14", 8, "", "td expected"),
    (Variant(Board.parse("x 2 .|. . .|. . .")), "0123 457", 10, "16", "tc expected"),
    (Variant.of_size(2, 4, place="br-columns", p4=1.0), "0123 0145", 10, "", "td expected"),
    (Variant(), "0123 0145", 16, "32", "tc explore"),
    (Variant(p4=0.5), "0123 4567", 16, "", "td explore"),
    (Variant.of_size(3, 3), "0123 24", 11, "", "tc explore"),
    (Variant.of_size(2, 3), "012 14", 8, "", "td expected explore"),
    (Variant(Board.parse("x 2 .|. . .|. . .")), "0123 457", 10, "16", "td"),
    (Variant.of_size(3, 4, place="tl-rows", value="2"), "0123 4567", 12, "", "tc"),
    (Variant.of_size(4, 4, empty_start=True), "0123", 5, "", "td"),  # tiles outgrow the base: downgraded
]


def entries_of(network: Network, board: Board) -> list[tuple[int, int]]:
    """Stage and entry of each look-up."""
    design = network.design
    ranks = downgrade(list(board.cells), design.base)
    tiles = [rank for rank in ranks if 0 < rank < 255]
    size = sum(1 << rank for rank in tiles) if design.by_sum else max(tiles, default=0)
    stage = sum(size >= begin for begin in design.stages)
    found = []
    first = 0
    for cells in design.tuples:
        for image in design.shape.symmetric_cells():
            digits = [ranks[image[cell]] for cell in cells]
            found.append(
                (stage, first + sum((0 if d == 255 else d) * design.base**i for i, d in enumerate(digits)))
            )
        first += design.base ** len(cells)
    return found


def best(searcher: Searcher, board: Board) -> tuple[float, float, int] | None:
    """Worth, V and direction of the best move, or None; V as the kernels round it, for equal worths are common."""
    found = None
    for direction in DIRECTIONS:
        slide = board.slide(direction)
        if slide.changed:
            value = searcher.evaluate(slide.board, 0)
            if found is None or slide.reward + value > found[0]:
                found = (slide.reward + value, value, int(direction))
    return found


def mean_over_spawns(searcher: Searcher, variant: Variant, board: Board) -> float:
    """The mean worth of the best move over the spawns on an afterstate."""
    free = board.empty_cells
    if variant.place != "random":
        free = tuple(cell for cell in variant.place_order() if cell in free)[:1]
    four = variant.four_threshold / 2**32
    total = 0.0
    for cell in free:
        for rank, chance in ((1, 1 - four), (2, four)):
            found = best(searcher, board.with_cell(cell, rank)) if chance else None
            total += chance * found[0] if found else 0.0
    return total / len(free)


EXPLORE, WITHIN = 0.25, 8.0
"""Chance of an exploring move, and how much worse it may seem, in points."""


def exploring(
    searcher: Searcher, board: Board, game: Game, choice: tuple[float, float, int]
) -> tuple[float, float, int]:
    """The move that is made instead of the best one, or that one."""
    # The state of the game's generator after as many spawns, see rules/random.py.
    state = (stream_key(game.seed, game.index, 0) + (1 + 2 + game.moves) * GAMMA) & MASK
    draw = mix64(state ^ 0x5851F42D4C957F2D)
    if draw >> 32 >= EXPLORE * 2**32:
        return choice
    for turn in range(4):
        direction = DIRECTIONS[(draw + turn) % 4]
        slide = board.slide(direction)
        if slide.changed:
            value = searcher.evaluate(slide.board, 0)
            if slide.reward + value >= choice[0] - WITHIN:
                return (slide.reward + value, value, int(direction))
    return choice


def learned_game(
    network: Network, searcher: Searcher, method: str, game: Game, rate: float
) -> Generator[None, None, tuple[int, int]]:
    """A game that is learned from as the algorithm's texts say it, a step for each state; returns points and moves."""
    weights, errors = network.weights, network.errors
    packed = plays_packed(network)
    number = np.float32 if packed else np.float64
    moved: Board | None = None
    kept = 0.0
    while True:
        choice = following = best(searcher, game.board)
        if moved is not None:
            target = following[0] if following else 0.0
            if "expected" in method:
                target = mean_over_spawns(searcher, game.variant, moved)
            if packed:  # another game may have taught the entries since
                kept = searcher.evaluate(moved, 0)
            difference = np.float32(number(target) - number(kept))
            for at in entries_of(network, moved):
                share = np.float32(1)
                if errors is not None:
                    e, a = errors[at]
                    share = abs(e) / a if a > 0 else share
                    errors[at] = (e + difference, a + abs(difference))
                weights[at] += share * (np.float32(rate) * difference)
            choice = best(searcher, game.board) if "expected" in method else following
            if choice is not None and "explore" in method:
                choice = exploring(searcher, game.board, game, choice)
        if choice is None:
            return game.score, game.moves
        kept = choice[1]
        moved = game.move(DIRECTIONS[choice[2]]).slide.board
        yield


def learn_plainly(network: Network, method: str, games: int, seed: int, rate: float) -> list[tuple[int, int]]:
    """Some games with the public rules, in float32; on the open 4x4 board two of them in turn."""
    searcher = Searcher(from_network(network), table_bits=0)
    waiting = iter(range(games))
    lanes: list[tuple[int, Generator[None, None, tuple[int, int]]] | None]

    def begun() -> tuple[int, Generator[None, None, tuple[int, int]]] | None:
        for index in waiting:
            game = Game(network.design.variant, seed, index=index)
            return index, learned_game(network, searcher, method, game, rate)
        return None

    results = [(0, 0)] * games
    lanes = [begun() for _ in range(2 if plays_packed(network) else 1)]
    while any(lanes):
        for number, lane in enumerate(lanes):
            if lane is not None:
                try:
                    next(lane[1])
                except StopIteration as end:
                    results[lane[0]] = end.value
                    lanes[number] = begun()
    return results


@pytest.mark.parametrize(
    ("variant", "tuples", "base", "stages", "method"),
    [  # each is a kernel of its own
        pytest.param(*case, marks=[] if i == 1 else pytest.mark.slow) for i, case in enumerate(CASES)
    ],
)
def test_the_algorithm(variant: Variant, tuples: str, base: int, stages: str, method: str) -> None:
    design = Design(variant, parse_tuples(tuples, len(variant.start.cells)), base, *parse_stages(stages))
    coherent = method.startswith("tc")
    fast, plain = (Network.fresh(design, coherent=coherent) for _ in range(2))
    fast.weights[:] = plain.weights[:] = np.random.default_rng(1).normal(0, 5, plain.weights.shape)
    explore = {"explore": EXPLORE, "within": WITHIN} if "explore" in method else {}
    worker = make_worker(fast, coherent=coherent, expected="expected" in method, **explore)
    games = 5 if plays_packed(fast) else 2
    worker.play(7, 0, np.full(games, 0.5 / design.terms, np.float32), np.zeros(1, np.uint64))
    expected = learn_plainly(plain, method, games, 7, 0.5 / design.terms)
    assert [(int(s), int(m)) for s, m in zip(worker.score[:games], worker.moves, strict=False)] == expected
    np.testing.assert_array_equal(fast.weights, plain.weights)
    if coherent:
        np.testing.assert_array_equal(fast.errors, plain.errors)


@pytest.mark.parametrize("start", [". . .|. . .|. . .", "x . .|. . 2"])
def test_an_optimistic_start_may_fall_with_the_sum(start: str) -> None:
    board = Board.parse(start)
    tuples = parse_tuples("0123 24 5", len(board.cells))
    network = Network.fresh(Design(Variant(board), tuples, 9), optimistic=800.0, fall=2.5)
    cells = np.random.default_rng(3).integers(0, 9, (20, len(board.cells)))
    for ranks in cells:
        ranks[[cell == 255 for cell in board.cells]] = 255
        seen = {
            image[cell]
            for image in network.design.shape.symmetric_cells()
            for group in tuples
            for cell in group
        }
        total = sum(2.0**r for i, r in enumerate(ranks) if 0 < r < 255 and i in seen)
        filled = Board(board.rows, board.columns, bytes(ranks.tolist()))
        assert network.value(filled) == pytest.approx(800.0 - 2.5 * total, rel=1e-5)


@pytest.mark.slow
def test_a_second_optimistic_start_is_for_what_is_little_known() -> None:
    network = small()
    training = Training(network, TrainingSettings(games=300, seed=2))
    list(training.run())
    assert network.errors is not None
    before, size = network.weights.copy(), network.errors[..., 1].copy()
    limit = float(np.median(size[size > 0]))
    network.add_optimism(120.0, limit)
    gained = network.weights - before
    np.testing.assert_allclose(gained[size < limit], 120.0 / network.design.terms, rtol=1e-3)
    assert not gained[size >= limit].any()
    assert not network.errors[size < limit].any()
    np.testing.assert_array_equal(network.errors[size >= limit][:, 1], size[size >= limit])
    with pytest.raises(InvalidParameter, match="tc"):
        Network.fresh(network.design).add_optimism(1.0, 1.0)


def test_forgotten_errors() -> None:
    network = small()
    list(Training(network, TrainingSettings(games=50, seed=2)).run())
    assert network.errors is not None
    before, weights = network.errors.copy(), network.weights.copy()
    network.forget(0.75)
    np.testing.assert_array_equal(network.errors, before / 4)
    np.testing.assert_array_equal(network.weights, weights)
    for share in (1.0, -0.1, float("nan")):
        with pytest.raises(InvalidParameter, match=r"0 to 0\.999"):
            network.forget(share)
    with pytest.raises(InvalidParameter, match="tc"):
        Network.fresh(network.design).forget(0.5)


def small() -> Network:
    return Network.fresh(Design(Variant.of_size(2, 3), parse_tuples("012345 0134", 6), 8), optimistic=300.0)


def test_a_stopped_run_goes_on_as_if_it_had_not_stopped(tmp_path: Path) -> None:
    whole, parts = small(), small()
    list(Training(whole, TrainingSettings(games=60, decay=0, seed=3)).run())
    path = str(tmp_path / "a")
    list(Training(parts, TrainingSettings(games=25, decay=0, seed=3)).run(path))
    list(Training(load_network(path, learning=True), TrainingSettings(games=35, decay=0, seed=3)).run(path))
    again = load_network(path, learning=True)
    assert (again.weights == whole.weights).all()
    assert again.origin["games"] == "60"


def test_leaving_early_keeps_a_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "a"
    run = Training(small(), TrainingSettings(games=10**9, seed=3)).run(str(path), every=0.1)
    games = next(line.games for line in run if line.games)  # compiling may take the first lines
    run.close()
    assert int(load_network(path).origin["games"]) >= games


@pytest.mark.slow
def test_exploring_finds_what_a_greedy_learner_never_tries() -> None:
    """On 2x3, whose optimum is 480.258, greedy learning from zero stays at less than half of it."""
    means = []
    for explore in ({}, {"explore": 0.1, "within": 1e9}):
        design = Design(Variant.of_size(2, 3), parse_tuples("012345", 6), 8)
        training = Training(
            Network.fresh(design),
            TrainingSettings(games=20_000, rate=0.5, decay=0.5, seed=1, **explore),
        )
        list(training.run())
        means.append(training.evaluate(2000))
    assert means[0] < 300 < 350 < means[1] < 485


def test_threads_share_the_table() -> None:
    training = Training(small(), TrainingSettings(games=5000, threads=3, evaluation_games=0))
    lines = list(training.run(every=0.2))
    assert training.games == 5000
    assert lines[-1].games == 5000
    assert lines[-1].threads == 3
    assert training.evaluate(500) > 250  # random play scores 200


@pytest.mark.parametrize("threads", [1, 2])
def test_what_a_thread_raises_ends_the_run(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    training = Training(small(), TrainingSettings(games=10, threads=threads, evaluation_games=0))
    calls = []

    def fail(*arguments: object) -> None:
        calls.append(arguments)
        if len(calls) > 5:
            training.games = 10  # ends a run that goes on
        raise ZeroDivisionError("as a kernel might")

    monkeypatch.setattr(CellsWorker, "play", fail)
    with pytest.raises(ZeroDivisionError):
        list(training.run())


def test_a_decaying_run_is_a_function_of_its_settings() -> None:
    """What the module's text promises, and no more: in two runs the rate falls twice."""
    networks = [small() for _ in range(3)]
    for network in networks[:2]:
        list(Training(network, TrainingSettings(games=60, decay=0.5, seed=3)).run())
    for _ in range(2):
        list(Training(networks[2], TrainingSettings(games=30, decay=0.5, seed=3)).run())
    assert (networks[0].weights == networks[1].weights).all()
    assert (networks[0].weights != networks[2].weights).any()


def test_restarts_begin_late() -> None:
    network = Network.fresh(Design(tuples=parse_tuples("0123 0145", 16)), coherent=True)
    worker = make_worker(network, coherent=True, restart=20)
    worker.play(1, 0, np.full(50, 0.01, np.float32), np.zeros(1, np.uint64))
    late = worker.top[:50] == LATE
    assert 20 <= late.sum() < 50
    assert not late[0]
    with pytest.raises(InvalidParameter, match="restarts"):
        make_worker(small(), coherent=False, restart=5)


def doubled_tile(board: Board, _: int) -> Board | None:
    """With its 128 doubled, if it has one."""
    return board.with_cell(board.cells.index(7), 8) if board.max_rank == 7 else None


def doubled_tiles(board: Board, index: int) -> Board | None:
    """At sums of 100 and 200 in turn, with tiles from a sixteenth of that on doubled: 8 and 16."""
    total, smallest = ((100, 8), (200, 16))[index % 2]
    ranks = bytes(rank + (1 << rank >= smallest) for rank in board.cells)
    return board.with_cells(ranks) if board.tile_sum >= total else None


@pytest.mark.slow
@pytest.mark.parametrize(("double", "following"), [("128", doubled_tile), ("sum:100,200", doubled_tiles)])
def test_a_game_is_followed_by_one_with_doubled_tiles(
    double: str, following: Callable[[Board, int], Board | None]
) -> None:
    network = Network.fresh(Design(tuples=parse_tuples("0123 0145", 16)))
    network.weights[:] = np.random.default_rng(1).normal(0, 5, network.weights.shape)
    worker = make_worker(network, coherent=False, double=double)
    assert isinstance(worker, PackedWorker)
    searcher = Searcher(from_network(network), table_bits=0)
    made = []
    for index in range(12):
        worker.next_start[0] = 0
        worker.play(7, index, np.zeros(1, np.float32), np.zeros(1, np.uint64))
        game = Game(seed=7, index=index)
        expected = None
        while (choice := best(searcher, game.board)) is not None:
            game.move(DIRECTIONS[choice[2]])
            expected = expected or following(game.board, index)
        made.append(expected is not None)
        assert worker.score[0] == game.score
        assert int(worker.next_start[0]) == (pack(expected) if expected else 0)
        if expected:  # the game from there is not followed by another one
            worker.play(7, index, np.zeros(1, np.float32), np.zeros(1, np.uint64))
            assert (worker.top[0], int(worker.next_start[0])) == (LATE, 0)
    assert any(made)
    with pytest.raises(InvalidParameter, match="doubled tiles"):
        make_worker(small(), coherent=False, double=double)


@pytest.mark.parametrize("coherent", [False, True])
def test_a_game_ends_where_nibbles_end(coherent: bool) -> None:
    """A packed board can't hold 65536, so what could follow isn't learned from."""
    network = Network.fresh(Design(tuples=parse_tuples("0123 0145", 16)), coherent=coherent)
    worker = make_worker(network, coherent=coherent)
    assert isinstance(worker, PackedWorker)
    worker.next_start[0] = pack(Board.parse("32768 32768 32768 .|. . . .|. . . .|. . 2 ."))
    worker.play(1, 0, np.full(1, 0.01, np.float32), np.zeros(1, np.uint64))
    assert (worker.played, worker.moves[0], worker.score[0]) == (1, 1, 65536)
    assert not network.weights.any()


@pytest.mark.slow
def test_learning_pays() -> None:
    network = Network.fresh(Design(tuples=parse_tuples("0123 0145", 16)))
    training = Training(network, TrainingSettings(games=3000, rate=0.3))
    before = training.evaluate(200)
    list(training.run())
    assert training.evaluate(200) > 2 * before


@pytest.mark.slow
def test_two_games_in_turn_do_not_teach_the_same_twice() -> None:
    """Begun alike from nothing, they made TC at rate 1 blow up while each remembered what its board had been worth."""
    training = Training(Network.fresh(Design()), TrainingSettings(games=400, seed=1))
    list(training.run())
    assert training.evaluate(100) > 5000


def test_the_rate_falls_at_the_end() -> None:
    settings = TrainingSettings(games=10, decay=0.2)
    assert settings.rate_at(np.array([0.0, 0.8, 0.9, 1.0])) == pytest.approx([1.0, 1.0, 0.5, 0.01])


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"games": 0},
        {"minutes": float("nan")},
        {"minutes": 0},
        {"games": 1, "method": "sarsa"},
        {"games": 1, "decay": 2},
        {"games": 1, "rate": 0},
        {"games": 1, "threads": -1},
        {"games": 1, "seed": 1 << 64},
        {"games": 1, "double": "48"},
        {"games": 1, "double": "32768"},
        {"games": 1, "double": "4"},
        {"games": 1, "double": "8 16"},
        {"games": 1, "double": "sum:"},
        {"games": 1, "double": "sum:60"},
        {"games": 1, "double": "sum:64,32768"},
    ],
)
def test_bad_settings_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidParameter):
        TrainingSettings(**wrong)


def test_what_cannot_be_learned_is_refused() -> None:
    evil = Variant.parse("2x3;spawn=evil:depth=1,eval=default")
    with pytest.raises(InvalidParameter, match="evil"):
        Training(Network.fresh(Design(evil, ((0, 1),))), TrainingSettings(games=1))
    with pytest.raises(InvalidParameter, match="small boards"):
        Training(Network.fresh(Design(tuples=((0, 1),))), TrainingSettings(games=1, expected=True))
    whole = Network(Design(tuples=((0, 1),)), np.zeros((1, 256), np.int16))
    with pytest.raises(InvalidParameter, match="shrunk"):
        Training(whole, TrainingSettings(games=1))


def test_idle_cores() -> None:
    assert idle_cores(0.01) >= 1


@pytest.mark.slow
def test_a_killed_run_leaves_its_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "a.2048net"
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "twofold",
            "train",
            "ntuple",
            "--size",
            "2x3",
            "--minutes",
            "60",
            "--out",
            str(path),
            "--checkpoint",
            "0.2",
        ],
        stdout=subprocess.DEVNULL,
    )
    try:
        wait_for(lambda: path.exists() and int(load_network(path).origin["games"]), 600)
        games = int(load_network(path).origin["games"])
    finally:
        process.kill()
        process.wait()
    assert int(load_network(path, learning=True).origin["games"]) >= games


@pytest.mark.slow
def test_2x3_is_learned_to_the_optimum() -> None:
    """The exact optimal expected score is 480.258 (docs/log/learning.md)."""
    network = Network.fresh(Design(Variant.of_size(2, 3), parse_tuples("012345", 6), 8), optimistic=600.0)
    training = Training(network, TrainingSettings(games=1_000_000, rate=0.3, decay=0.9, seed=1))
    list(training.run())
    assert training.evaluate(16384) >= 0.99 * 480.258
