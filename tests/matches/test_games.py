"""`play_games` against `play_game`, game by game: in compiled loops and move by move, to the end and to the target."""

from __future__ import annotations

import concurrent.futures
import random
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.evaluation.test_network import random_network
from tests.thorough import quick_ones
from tests.waiting import wait_for
from twofold import play_game
from twofold import threads as thread_tools
from twofold.coach import about_board
from twofold.errors import InvalidParameter, TwofoldError
from twofold.evaluation.compiled import pack, unpack, unpack_cells
from twofold.evaluation.network import Design, Network
from twofold.evaluation.neural import NeuralDesign, NeuralNetwork, save_neural
from twofold.evaluation.registry import make_evaluation
from twofold.evaluation.tuples import parse_tuples
from twofold.evaluation.weights import save_network
from twofold.exact.problem import Problem
from twofold.kernels.board.line_tables import line_table
from twofold.learn.settings import TrainingSettings
from twofold.learn.temporal import Training
from twofold.matches.games import play_games, runner_of
from twofold.players.base import Decision
from twofold.players.batch import BatchGames, depth_batch
from twofold.players.registry import make_player
from twofold.players.simple import Random
from twofold.rules.board import Board
from twofold.rules.direction import Direction
from twofold.rules.state import State
from twofold.rules.variant import Variant
from twofold.search import loops
from twofold.search.evaluate import evaluate_board

FIRST = 3


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small network that has learned a little."""
    network = Network.fresh(Design(tuples=parse_tuples("0123 0145", 16)))
    list(Training(network, TrainingSettings(games=1000, evaluation_games=0)).run())
    path = tmp_path_factory.mktemp("network") / "small.2048net"
    save_network(path, network.with_stages((9,)))
    return path


@pytest.fixture(scope="module")
def neural_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small neural network that knows nothing."""
    path = tmp_path_factory.mktemp("neural") / "small.2048nn"
    save_neural(path, NeuralNetwork.fresh(NeuralDesign(2, 16, 16)))
    return path


def check(found: BatchGames, text: str, variant: str, stop: bool = False) -> None:
    """Every column against the game that `play_game` plays."""
    for i in range(len(found)):
        game = play_game(text, variant, seed=9, index=FIRST + i, stop_at_target=stop)
        assert found.board(i) == game.board
        assert (found.score[i], found.moves[i], found.max_tile[i], found.won[i], found.reason[i]) == (
            game.score,
            game.moves,
            game.max_tile,
            game.won,
            game.reason,
        )
        if found.times is not None:
            times = {1 << rank: t for rank, t in enumerate(found.times[i].tolist()) if rank and t >= 0}
            assert dict(game.tile_moves) == times
        if found.nodes is not None:
            assert found.nodes[i] == game.nodes


def compare(text: str, games: int, variant: str = "4x4", threads: int = 1) -> None:
    """Games to the end, and to the largest tile that any of them but the best makes."""
    assert runner_of(make_player(text), Variant.parse(variant)) is not None
    found = play_games(text, games, variant, 9, FIRST, threads=threads)
    check(found, text, variant)
    assert found.seconds.sum() > 0
    to_target = f"{variant};target={max(8, found.max_tile.min() // 2)}"
    stopped = play_games(text, games, to_target, 9, FIRST, stop_at_target=True, threads=threads)
    check(stopped, text, to_target, stop=True)
    assert "target reached" in stopped.reason


def outgrow(monkeypatch: pytest.MonkeyPatch, sum_: int) -> None:
    """From this sum of the tiles on, and about as many points, a tile counts as too large for a nibble."""
    monkeypatch.setattr(loops, "OVERFLOW", sum_)
    monkeypatch.setattr(loops, "greedy_limit", lambda variant: 2 * sum_)


@pytest.mark.slow
@pytest.mark.parametrize("handed_over", [False, True])
@pytest.mark.parametrize(
    ("depth", "games"),
    [(1, 5), (2, 3), (3, 1)],
)
def test_networks(file: Path, depth: int, games: int, handed_over: bool, monkeypatch: Any) -> None:
    if handed_over:
        outgrow(monkeypatch, 256)
    if depth == 1:
        compare(f"ntuple:file={file}", games, threads=2)
    compare(f"expectimax:depth={depth},eval=network(file={file})", games, threads=2)


@pytest.mark.slow
@pytest.mark.parametrize("handed_over", [False, True])
@pytest.mark.parametrize("depth", [1, 2])
def test_neural_networks(neural_file: Path, depth: int, handed_over: bool, monkeypatch: Any) -> None:
    if handed_over:
        outgrow(monkeypatch, 150)
    text = f"expectimax:depth={depth},eval=neural(file={neural_file})"
    compare(f"neural:file={neural_file}" if depth == 1 else text, 3, threads=2)


@pytest.mark.slow
def test_searches_limited_by_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    compare("expectimax:nodes=300", 2)
    outgrow(monkeypatch, 300)
    compare("expectimax:nodes=200", 1)


@pytest.mark.parametrize(
    ("player", "games", "variant"),
    quick_ones(  # each is a kernel of its own
        [
            ("expectimax:nodes=700,eval=snake", 1, "4x4;p4=0.5"),
            ("expectimax:depth=1,eval=snake", 2, "4x4;p4=0.4"),
            ("expectimax:depth=2,eval=gradient", 1, "4x4;p4=0.4"),
            ("expectimax:depth=2,eval=h3", 1, "4x4"),
            ("lookahead:steps=1,eval=highscore", 2, "4x4"),
        ],
        lambda case: case[0] == "expectimax:depth=1,eval=snake",
    ),
)
def test_any_evaluation_and_odds(player: str, games: int, variant: str) -> None:
    compare(player, games, variant)


VALUES = "4x4;values=2:0.5,4:0.2,16:0.3"


@pytest.mark.slow
@pytest.mark.parametrize("handed_over", [False, True])
@pytest.mark.parametrize(
    ("player", "games"),
    # Each is a kernel of its own.
    [("ntuple:file={}", 3), ("expectimax:nodes=200,eval=empty", 2), ("expectimax:depth=1,eval=snake", 2)],
)
def test_other_tiles_that_spawn(
    file: Path, player: str, games: int, handed_over: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if handed_over:
        outgrow(monkeypatch, 600)
    compare(player.format(file), games, VALUES)


def test_other_tiles_that_spawn_in_random_games() -> None:
    compare("random", 20, VALUES)
    compare("random", 10, "3x5;values=4:0.5,8:0.5;spawn=br-columns")


@pytest.mark.parametrize("seed", quick_ones(range(5), (1).__eq__))
@pytest.mark.slow
def test_s0_solver_with_any_weights(seed: int) -> None:
    draw = random.Random(seed)
    names = ("largest", "monotonicity", "empty", "chain", "shift", "adjacent")
    # Most weights positive, so that games are long; all signs, and weights of 0, which leave features out.
    weights = [draw.choice((0, 1, 1, 1)) * draw.randint(-30, 100) for _ in names]
    given = [f"{name}={weight}" for name, weight in zip(names, weights, strict=True)]
    given += [f"along={seed % 2}", f"border={draw.choice((0.2, 0.5))}", f"dead={draw.choice((0, -5000))}"]
    compare(f"chain:eval=chain({','.join(given)})", 2, "4x4" if seed else "4x4;p4=1")


@pytest.mark.slow
def test_s0_games_that_outgrow_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    outgrow(monkeypatch, 300)
    compare("chain", 2)


@pytest.mark.parametrize(
    "variant",
    quick_ones(
        [
            "4x4",
            "3x3",
            "5x5",
            "map=2 . x .|. . . .|. x . .|. . . 4",
            "4x4;spawn=tl-rows",
            "3x5;spawn=br-columns",
        ],
        lambda variant: "5" not in variant,
    ),
)
def test_random_games(variant: str) -> None:
    compare("random", 20, variant)


def test_random_games_to_tiles_that_no_nibble_holds() -> None:
    eight = "map=" + "8192 8192 8192 8192|" * 2 + ". . . .|. . . ."
    for target in (16384, 32768, 65536):
        text = f"{eight};target={target}"
        check(play_games("random", 20, text, 9, FIRST, stop_at_target=True), "random", text, stop=True)


@pytest.mark.parametrize(
    ("player", "variant"),
    [
        ("greedy", "4x4;target=64"),
        ("random", "4x4;target=4"),  # a 4 may spawn: only a merge wins
        ("random", "4x4;target=16;values=2:0.5,16:0.5"),
        pytest.param("chain:eval=empty", "3x4;target=32;values=2:0.5,4:0.4,8:0.1", marks=pytest.mark.slow),
        ("random", "4x4;spawn=evil:depth=1,eval=empty"),
        ("expectimax:depth=1,eval=empty", "3x3;target=32"),
        ("scripted:moves=LDRDLD,illegal=skip", "4x4"),
    ],
)
def test_move_by_move_where_there_is_no_loop(player: str, variant: str) -> None:
    assert runner_of(make_player(player), Variant.parse(variant)) is None
    for stop in (False, True):
        found = play_games(player, 2, variant, 9, FIRST, stop_at_target=stop)
        assert found.nodes is not None
        check(found, player, variant, stop)


@pytest.mark.parametrize(
    "text", quick_ones(["random", "chain", "greedy", "expectimax:nodes=50,eval=empty"], "random".__eq__)
)
def test_no_games(text: str) -> None:
    found = play_games(text, 0)
    assert (len(found), found.cells.shape, found.reason) == (0, (0, 16), [])


@pytest.mark.parametrize(
    "wrong", [{"games": -1}, {"games": 1.5}, {"seed": -1}, {"first": -1}, {"threads": 0}]
)
def test_wrong_numbers_are_refused(wrong: dict[str, Any]) -> None:
    (name,) = wrong
    with pytest.raises(InvalidParameter, match=f"{name} '.*' is not a whole number"):
        play_games("greedy", **({"games": 1} | wrong))


def test_who_has_no_loop(tmp_path: Path) -> None:
    for text in (
        "chain:mode=sum",
        "chain:window=1",
        "chain:depth=1",
        "chain:eval=snake",
        "expectimax:depth=2,table=0",
        "expectimax:depth=4",
        "lookahead:steps=3",
        "lookahead:threads=2",
        "expectimax",
        "expectimax:nodes=500,cut=0.1",
        "expectimax:nodes=500,eval=sah",
        "expectimax:depth=2,eval=network,time=1",
        "greedy",
    ):
        assert runner_of(make_player(text), Variant()) is None, text
    variants = (
        "3x4",
        "4x4;spawn=tl-rows",
        "map=2 . . .|. . . .|. . . .|. . . .",
        "4x4;empty-start=1",
        "4x4;target=4",
    )
    for text in ("chain", "expectimax:depth=1"):
        for variant in variants:
            assert runner_of(make_player(text), Variant.parse(variant)) is None
    file = tmp_path / "small.2048net"  # a network whose tables end before the nibbles do
    save_network(file, random_network(Design(tuples=parse_tuples("0123", 16), base=12)))
    for text in (f"ntuple:file={file}", f"expectimax:depth=2,eval=network(file={file})"):
        assert runner_of(make_player(text), Variant()) is None


def test_a_subclass_that_decides_by_itself_is_asked_for_each_move() -> None:
    class First(Random):
        def decide(self, state: State, key: int = 0) -> Decision:
            return Decision((*state.legal_moves(), None)[0])

    found = play_games(First, 2, seed=3)
    for i in range(2):
        assert found.score[i] == play_game(lambda state: state.legal_moves()[0], seed=3, index=i).score


@pytest.mark.slow
def test_a_stop_ends_what_is_played_on_by_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    player = make_player("expectimax:depth=3")
    runner = depth_batch(player, make_evaluation("default"), Variant(), 3, 18)
    assert runner is not None
    runner(0, 0, 1)  # compiles
    monkeypatch.setattr(loops, "OVERFLOW", 64)
    before = threading.active_count()
    waits = 0

    def interrupted(tasks: Iterable[Any], timeout: float | None = None) -> Any:
        """Ctrl-C comes while the caller waits for the second time: a real signal could hit anything in this process."""
        nonlocal waits
        waits += 1
        if waits == 2:
            raise KeyboardInterrupt
        return concurrent.futures.wait(tasks, timeout)

    monkeypatch.setattr(thread_tools, "wait", interrupted)
    with pytest.raises(KeyboardInterrupt):
        runner(0, 64, 1)
    wait_for(lambda: threading.active_count() <= before)  # no thread plays on


def test_packing() -> None:
    board = Board.parse("2 4 8 16|32768 . . .|2 2 . .|. . . 1024")
    assert unpack(pack(board)) == board
    for text in ("2 4 8 16|32768 . . .|2 2 . .|. . . 1024", "2 . x|. 4 8", "x .|2 4|. x|8 .", "2 4 8 .|"):
        board = Board.parse(text)
        found = unpack_cells(np.array([pack(board)] * 2, np.uint64), board.without_tiles())
        assert [row.tobytes() for row in found] == [board.cells] * 2


def test_lines() -> None:
    lines, slides = loops.chain_lines(), line_table(False)
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


def test_what_knows_2s_and_4s_only_refuses_other_tiles() -> None:
    values = "values=2:0.5,8:0.5"
    board, classic, small = (
        Board.parse("2 .|. 8"),
        Variant.parse(f"4x4;{values}"),
        Variant.parse(f"2x2;{values}"),
    )
    for refused in (
        lambda: Design(classic),
        lambda: NeuralDesign(2, 16, 16, variant=classic),
        lambda: Problem(small, luck="best"),
        lambda: about_board(board, variant=small),
        lambda: make_player("formation").decide(State.of(Board.empty().with_cell(0, 1), classic)),
    ):
        with pytest.raises(TwofoldError, match=r"2s and 4s|0\.1 of them 4s"):
            refused()
