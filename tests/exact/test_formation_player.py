"""The player with formation tables: images, whole games move for move, its evaluation; and the commands about them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from twofold.errors import InvalidParameter, PlayerError
from twofold.evaluation.registry import make_evaluation
from twofold.exact.formation_files import make_table
from twofold.exact.formation_sets import block, table_path
from twofold.matches.games import play_games
from twofold.matches.play import play_game
from twofold.players.registry import make_player
from twofold.rules.board import Board
from twofold.rules.state import State
from twofold.rules.variant import Variant
from twofold.search.evaluate import evaluate_board

IN_BLOCK = Board.parse("16384 8192 4096 .|2048 1024 8 .|4 . . .|2 . . 2")
ELSEWHERE = Board.parse("16384 8192 4096 2|2048 1024 512 4|256 128 64 2|4 2 . .")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("formations")
    assert make_table(block(3), table_path(folder, block(3)), threads=1)
    return folder


@pytest.mark.slow
def test_a_table_is_heard_where_it_knows_the_board(folder: Path) -> None:
    player = make_player(f"formation:file={folder},depth=1")
    decision = player.decide(State.of(IN_BLOCK))
    assert "formation table" in decision.note
    assert decision.unit == "chance of the next tile"
    assert decision.value is not None
    assert 0 < decision.value <= 1
    assert not player.decide(State.of(ELSEWHERE)).note


@pytest.mark.slow
@pytest.mark.parametrize("board", [IN_BLOCK, ELSEWHERE])
def test_images_get_the_same_values(folder: Path, board: Board) -> None:
    player = make_player(f"formation:file={folder},depth=2")
    found = [player.decide(State.of(image)) for image in board.symmetries()]
    for image, each in zip(board.symmetries(), found, strict=True):
        assert each.move in State.of(image).legal_moves()
        assert each.value == pytest.approx(found[0].value, rel=1e-6)


OPENING = "nodes=300,cut=0.01,opening=expectimax(nodes=200),until=128"


@pytest.mark.slow
@pytest.mark.parametrize("how", ["depth=1", OPENING, "depth=1,eval=block"])
def test_whole_games_are_those_of_single_moves(folder: Path, how: str) -> None:
    player = make_player(f"formation:file={folder},{how}")
    some = play_games(player, 2, seed=5)
    assert some.times is not None  # by the loop
    for number in range(2):
        game = play_game(player, Variant(), seed=5, index=number)
        assert (game.score, game.moves) == (some.score[number], some.moves[number])
        times = {1 << rank: t for rank, t in enumerate(some.times[number].tolist()) if rank and t >= 0}
        assert dict(game.tile_moves) == times


@pytest.mark.slow
def test_an_opening_ends_with_its_tile(folder: Path) -> None:
    opening = "expectimax(depth=1,eval=empty)"
    player = make_player(f"formation:file={folder},depth=1,opening={opening},until=128")
    for text in ("64 64 8 2|. . . .|2 . 4 .|. . . .", "128 64 8 2|. . . .|2 . 4 .|. . . ."):
        board = Board.parse(text)
        alone = make_player("expectimax:depth=1,eval=empty" if board.max_tile < 128 else "formation:depth=1")
        assert player.decide(State.of(board)).values == alone.decide(State.of(board)).values
    with pytest.raises(InvalidParameter, match="until=100 is not a tile"):
        make_player("formation:opening=greedy,until=100")
    for target in (64, 256):  # within the opening and after it
        rules = Variant(target=target)
        some = play_games(player, 2, rules, seed=5, stop_at_target=True)
        assert (some.times, some.nodes) == (None, None)  # this opening counts neither
        for number in range(2):
            game = play_game(player, rules, seed=5, index=number, stop_at_target=True)
            assert (game.score, game.moves, game.won) == (
                some.score[number],
                some.moves[number],
                some.won[number],
            )


@pytest.mark.slow
def test_no_value_is_below_0() -> None:
    for text in ("default:nodes=2000", "formation:depth=2"):
        for image in ELSEWHERE.symmetries():
            values = make_player(text).decide(State.of(image)).values
            assert all(value is None or value >= 0 for value in values)


def test_it_is_for_the_classic_spawns_only(folder: Path) -> None:
    player = make_player(f"formation:file={folder},depth=1")
    with pytest.raises(PlayerError, match="open 4x4"):
        player.decide(State.of(Board.parse("2 2|. .")))


def test_without_a_budget_strongest_needs_no_tables() -> None:
    decision = make_player("strongest:budget=0").decide(
        State.of(Board.parse("2 2 . .|. . . .|. . . .|. . . ."))
    )
    assert decision.move is not None


def test_strongest_searches_as_many_positions_as_asked_for() -> None:
    state = State.of(Board.parse("16384 8192 4 2|512 1024 64 8|32 64 . .|2 . . ."))
    spelled = "formation:opening=expectimax(depth=3,eval=network),nodes="
    few, many = (make_player(f"strongest:budget=0,nodes={nodes}").decide(state) for nodes in (300, 30_000))
    assert few.nodes * 10 < many.nodes
    for decision, nodes in ((few, 300), (many, 30_000)):
        assert decision.values == make_player(f"{spelled}{nodes}").decide(state).values
    default = make_player("strongest:budget=0").decide(state)
    assert default.values == make_player(f"{spelled}500000,cut=0.001").decide(state).values


def test_the_corner_evaluation_falls_from_the_top_left_corner() -> None:
    evaluation = make_evaluation("corner")
    falling = Board.parse("4096 2048 1024 8|512 256 128 4|32 16 4 2|8 4 2 .")
    worths = [evaluate_board(evaluation, image) for image in falling.symmetries()]
    assert worths.index(max(worths)) == 0
    assert len(set(worths)) == 8  # rows and columns are told apart


@pytest.mark.slow
def test_the_block_evaluation_prefers_the_block() -> None:
    evaluation, network = make_evaluation("block"), make_evaluation("network")
    inside = Board.parse("4096 2048 1024 .|512 256 128 .|. . . .|2 . . .")
    outside = Board.parse("4096 2048 1024 512|. . 256 128|. . . .|2 . . .")
    lean = [evaluate_board(evaluation, board) - evaluate_board(network, board) for board in (inside, outside)]
    assert lean[0] > lean[1]
    assert np.isfinite(lean).all()
