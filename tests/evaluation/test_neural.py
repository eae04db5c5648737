"""The neural network: compiled against plain values, files, the player and the searches over it."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.thorough import quick_ones
from tests.ui.command import command, here
from twofold.errors import InvalidFile, InvalidParameter
from twofold.evaluation.compiled import pack
from twofold.evaluation.learned import from_network, read_neural, shipped_path
from twofold.evaluation.neural import NeuralDesign, NeuralNetwork, features, load_neural, save_neural
from twofold.evaluation.tensors import write_tensors
from twofold.matches.check import check_player
from twofold.matches.games import play_games
from twofold.players.registry import make_player
from twofold.rules.board import Board
from twofold.rules.direction import DIRECTIONS
from twofold.rules.state import State
from twofold.rules.variant import Variant
from twofold.search.evaluate import evaluate_board
from twofold.search.expectimax import Searcher

DESIGN = NeuralDesign(3, 21, 5, points=500.0)
NETWORK = NeuralNetwork.fresh(DESIGN, 4)
BOARDS = st.lists(st.integers(0, 11), min_size=16, max_size=16).map(lambda ranks: Board(4, 4, bytes(ranks)))


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("neural") / "a.2048nn"
    save_neural(path, NETWORK)
    return path


def test_features_of_a_board_by_hand() -> None:
    # The largest corner tile goes to the last cell; of the two images with it there, the larger cells come last.
    board = Board.from_values([[64, 32, 0, 0], [8, 2, 0, 0], [0, 0, 4, 0], [0, 0, 0, 2]])
    rows = [[1, 0, 0, 0], [0, 2, 0, 0], [0, 0, 1, 3], [0, 0, 5, 6]]
    lines = [sum(rank << 4 * i for i, rank in enumerate(row)) for row in (*rows, *zip(*rows, strict=True))]
    found = features(board)
    assert found[:8] == lines
    assert found[8] == 65536 + (1 | 2 << 12)
    assert found[16] == 65536 + (1 | 3 << 4 | 5 << 8 | 6 << 12)
    assert len(found) == 17


@given(st.lists(BOARDS, min_size=1, max_size=7))
@settings(max_examples=30)
def test_compiled_values_are_the_plain_ones_in_any_batch(boards: list[Board]) -> None:
    words = np.array([pack(board) for board in boards], np.uint64)
    found = NETWORK.values(words)
    assert found == pytest.approx([NETWORK.value(board) for board in boards], rel=1e-4, abs=1e-3)
    alone = [NETWORK.values(words[i : i + 1])[0] for i in range(len(words))]
    assert found.tolist() == alone  # bit for bit


@given(BOARDS)
@settings(max_examples=30)
def test_all_images_have_one_value(board: Board) -> None:
    words = np.array([pack(image) for image in board.symmetries()], np.uint64)
    assert len(set(NETWORK.values(words).tolist())) == 1


@pytest.mark.slow
@given(BOARDS)
@settings(max_examples=10)
def test_a_search_averages_plain_values(board: Board) -> None:
    evaluation = from_network(NETWORK)
    state = State.of(board)
    searcher = Searcher(evaluation, table_bits=0)
    searcher.start(state, depth=2)
    two = searcher.search(2)
    assert two is not None
    for direction in DIRECTIONS:
        slide = board.slide(direction)
        if not slide.changed:
            assert np.isnan(two[direction])
            continue
        cells = slide.board.empty_cells
        total = 0.0
        for cell in cells:
            for rank, p in ((1, 0.9), (2, 0.1)):
                after = slide.board.with_cell(cell, rank)
                moves = [after.slide(d) for d in after.legal_moves()]
                total += p * max((move.reward + NETWORK.value(move.board) for move in moves), default=0.0)
        assert two[direction] == pytest.approx(slide.reward + total / len(cells), rel=1e-4, abs=0.01)


@pytest.mark.slow
def test_large_tiles_are_downgraded() -> None:
    text = "131072 65536 4096 16|2 4 . .|. . . .|. . . 2"
    board = Board.parse(text)
    twin = Board.parse("32768 16384 4096 16|2 4 . .|. . . .|. . . 2")
    found = make_player("neural").decide(State.of(board))
    assert found.values == pytest.approx(make_player("neural").decide(State.of(twin)).values)
    evaluation = from_network(NETWORK)
    assert evaluate_board(evaluation, board) == pytest.approx(NETWORK.value(board), rel=1e-4)
    assert NETWORK.value(board) == NETWORK.value(twin)


MAPS = "# # # #|# # # #|# # # #|# # # #", "65536 32768 16384 1024|2048 4 8 8|4 2 16 8|# # # 2"


@pytest.mark.parametrize(
    "text", quick_ones(["neural:file={}", "expectimax:depth=2,eval=neural(file={})"], "neural:file={}".__eq__)
)
@pytest.mark.parametrize("board", quick_ones(MAPS, MAPS[0].__eq__))
def test_the_players_keep_the_contract(file: Path, board: str, text: str) -> None:
    check_player(text.format(file), f"map={board}", moves=6)


def test_other_boards_are_refused() -> None:
    for text in ("5x5", "map=x # # #|# # # #|# # # #|# # # #"):
        state = State.of(Variant.parse(text).start.with_cell(5, 1))
        with pytest.raises(InvalidParameter, match="is for the board"):
            make_player("neural").decide(state)


def test_round_trip(tmp_path: Path) -> None:
    network = NeuralNetwork.fresh(DESIGN, 1)
    network.arrays["table"][5] = 7.5
    network.origin = {"moves": "12", "command": "twofold train neural"}
    network.training = {"score": np.arange(3)}
    save_neural(tmp_path / "a", network)
    again = load_neural(tmp_path / "a", learning=True)
    assert again.design == DESIGN
    assert again.origin == network.origin
    assert all((again.arrays[name] == array).all() for name, array in network.arrays.items())
    assert again.training["score"].tolist() == [0, 1, 2]
    assert load_neural(tmp_path / "a").training == {}


@pytest.mark.slow
def test_small_files_hold_what_was_learned(tmp_path: Path) -> None:
    network = NeuralNetwork.fresh(NeuralDesign(8, 32, 16), 1)
    network.arrays["table"][1000:1100] += 0.5
    save_neural(tmp_path / "a", network)
    save_neural(tmp_path / "b", network, small=True)
    assert (tmp_path / "b").stat().st_size < 20_000 < (tmp_path / "a").stat().st_size
    again = load_neural(tmp_path / "b")
    for name, array in network.arrays.items():
        assert again.arrays[name] == pytest.approx(array, abs=2e-3)


def test_foreign_and_damaged_files_are_refused_in_one_line(tmp_path: Path, file: Path) -> None:
    whole = file.read_bytes()
    inputs: dict[str, bytes] = {
        "empty": b"",
        "text": b"hello",
        "cut": whole[: len(whole) // 2],
        "longer": whole + b"x",
        "flipped": whole[:2000] + bytes([whole[2000] ^ 64]) + whole[2001:],
        "pickle": pickle.dumps({"w": 1}),
        "tuples": shipped_path().read_bytes()[:100_000],
    }
    for name, data in inputs.items():
        path = tmp_path / name
        path.write_bytes(data)
        with pytest.raises(InvalidFile, match=r"^[^\n]{1,400}$"):
            load_neural(path)
    with pytest.raises(InvalidFile, match="No such file"):
        load_neural(tmp_path / "none")


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"format": "other"}, "format"),
        ({"version": "9"}, "version"),
        ({"layers": "21"}, "damaged"),
        ({"layers": "22 5"}, "sizes that its layers"),
        ({"width": "0"}, "width"),
        ({"points": "nan"}, "points"),
        ({"variant": "5x5"}, "open 4x4"),
        ({"variant": "4x4;p4=7"}, "p4"),
    ],
)
def test_wrong_metadata_is_refused(tmp_path: Path, change: dict[str, str], part: str) -> None:
    texts = {
        "format": "twofold neural network",
        "version": "1",
        "variant": "4x4",
        "width": "3",
        "layers": "21 5",
    }
    texts |= {"points": "500.0", "discount": "1.0"}
    arrays = {"cells": NETWORK.cells, **NETWORK.arrays}
    write_tensors(tmp_path / "good", arrays, texts)
    load_neural(tmp_path / "good")
    write_tensors(tmp_path / "bad", arrays, texts | change)
    with pytest.raises(InvalidFile, match=part):
        load_neural(tmp_path / "bad")
    arrays["b2"] = np.array([0, np.nan, 0, 0, 0], np.float32)
    write_tensors(tmp_path / "nan", arrays, texts)
    with pytest.raises(InvalidFile, match="not finite"):
        load_neural(tmp_path / "nan")


def test_sizes_that_make_no_network() -> None:
    for wrong in ({"width": 0}, {"first": 2000}, {"second": 0}, {"points": 0.0}, {"discount": 1.5}):
        with pytest.raises(InvalidParameter, match=r"[0-9]"):
            NeuralDesign(**wrong)  # type: ignore[arg-type]


def test_the_shipped_network_plays(capsys: pytest.CaptureFixture[str]) -> None:
    assert shipped_path("neural.2048nn").stat().st_size <= 5_000_000
    network = read_neural()
    assert int(network.origin["moves"]) > 1_000_000
    games = play_games("neural", 20, seed=77)
    assert games.score.mean() > 50_000  # 71,175 in 1,000 games: docs/results/network.md
    best = here(capsys, "best", "2 . 4 .|. . . .|. . . .|. . . 2", "--player", "neural", "--json").json()
    assert best["best"] in ("UP", "RIGHT", "DOWN", "LEFT")


def test_playing_needs_no_torch() -> None:
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "from twofold import make_player, new_game\n"
        "print(make_player('neural').decide(new_game(seed=1).state).move.name, end='')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout in ("UP", "RIGHT", "DOWN", "LEFT")


def test_a_file_of_the_other_kind_is_refused(file: Path) -> None:
    answer = command("best", "2 . 4 .|. . . .|. . . .|. . . 2", "--player", f"ntuple:file={file}")
    assert "format" in answer.refusal()
