"""A chunk's rows are the games that `play_game` plays, in compiled loops too."""

from __future__ import annotations

from pathlib import Path

import pytest

from twofold import play_game
from twofold.arena.experiment import Chunk, Experiment, Row, Task, chunk_size
from twofold.arena.match import play_task
from twofold.errors import InvalidParameter, UnknownPlayer
from twofold.evaluation.network import Design, Network
from twofold.evaluation.tuples import parse_tuples
from twofold.evaluation.weights import save_network


def task(
    player: str, variant: str = "4x4", games: tuple[int, ...] | range = range(6), stop: bool = False
) -> Task:
    chunk = Chunk(1, player, min(games), len(games))
    return Task(chunk, variant, 7, stop, games)


@pytest.mark.parametrize(
    "variant", ["4x4", "4x4;p4=0.5;target=64", "3x5", "4x4;spawn=tl-rows", "map=x . . .|. . . ."]
)
def test_random_games_are_those_of_the_rules(variant: str) -> None:
    columns = play_task(task("random", variant, (2, 3, 9)))
    rows = list(zip(*columns.values(), strict=True))
    assert tuple(columns) == Row._fields[:6]
    assert columns["game"] == [2, 3, 9]
    for row in rows:
        game = play_game("random", variant, 7, row[0])
        assert row[1:4] == (game.score, game.max_tile, game.moves)
        assert row[5:] == (game.won,)
        assert game.reason == "no legal move"  # what the table says if nothing is given
        assert row[4] >= 0


@pytest.mark.parametrize(
    ("player", "variant", "stop"),
    [
        ("expectimax:depth=1,eval=empty", "4x4;p4=0.3", False),
        pytest.param("ntuple", "4x4;p4=0.3;target=256", True, marks=pytest.mark.slow),
    ],
)
def test_games_of_one_move_ahead_are_those_of_the_rules(player: str, variant: str, stop: bool) -> None:
    columns = play_task(task(player, variant, range(2), stop))
    assert "nodes" not in columns  # played in a compiled loop
    for row in zip(*columns.values(), strict=True):
        game = play_game(player, variant, 7, row[0], stop)
        assert row[1:4] == (game.score, game.max_tile, game.moves)


@pytest.mark.slow
@pytest.mark.parametrize("depth", [2, 3])
def test_games_with_a_network_some_moves_ahead_are_those_of_the_rules(tmp_path: Path, depth: int) -> None:
    file = tmp_path / "small.2048net"
    save_network(file, Network.fresh(Design(tuples=parse_tuples("0123 0145", 16), stages=(9,))))
    player = f"expectimax:depth={depth},eval=network(file={file})"
    assert chunk_size(player) == {2: 4, 3: 1}[depth]
    columns = play_task(task(player, games=range(1)))
    assert "nodes" not in columns  # played in a compiled loop
    game = play_game(player, seed=7)
    assert [columns[name] for name in ("score", "max_tile", "moves")] == [
        [game.score],
        [game.max_tile],
        [game.moves],
    ]
    stopped = play_task(task(player, "4x4;target=64", range(1), stop=True))
    assert tuple(stopped) == Row._fields[:7]  # in the same loop, which says why the game ended
    game = play_game(player, "4x4;target=64", 7, 0, True)
    assert [stopped[name] for name in ("score", "max_tile", "moves", "won", "reason")] == [
        [game.score],
        [64],
        [game.moves],
        [1],
        ["target reached"],
    ]


@pytest.mark.slow
def test_networks_that_read_no_packed_boards_play_game_by_game(tmp_path: Path) -> None:
    file = tmp_path / "small.2048net"
    save_network(file, Network.fresh(Design(tuples=parse_tuples("0123", 16), base=12)))
    columns = play_task(task(f"ntuple:file={file}", games=range(1)))
    assert tuple(columns) == Row._fields
    assert columns["score"] == [play_game(f"ntuple:file={file}", seed=7).score]


@pytest.mark.parametrize(
    ("player", "variant", "stop"),
    [
        ("greedy", "4x4", False),
        ("random", "4x4;target=4", False),  # a 4 may spawn: only a merge wins
        ("greedy", "4x4;target=16", True),
        pytest.param("expectimax:nodes=60,eval=empty", "4x4;target=16", True, marks=pytest.mark.slow),
        ("expectimax:depth=2,eval=empty", "3x3", False),
    ],
)
def test_other_games_count_everything(player: str, variant: str, stop: bool) -> None:
    columns = play_task(task(player, variant, range(3), stop))
    assert tuple(columns) == Row._fields
    for row in map(Row._make, zip(*columns.values(), strict=True)):
        game = play_game(player, variant, 7, row.game, stop)
        assert (row.score, row.max_tile, row.moves, row.nodes) == (
            game.score,
            game.max_tile,
            game.moves,
            game.nodes,
        )
        assert (row.won, row.reason) == (game.won, game.reason)
        assert row.tiles == " ".join(f"{tile}:{moves}" for tile, moves in game.tile_moves)
        if "depth=2" in player:
            assert row.depths == 2 * row.moves


@pytest.mark.parametrize(
    ("player", "size"),
    [
        ("random", 8192),
        ("ntuple", 256),
        ("neural", 4),
        ("greedy", 8),
        ("scripted", 8),
        ("rules", 8),
        ("expectimax", 1),
        ("expectimax:depth=1", 64),
        ("expectimax:depth=2", 1),
        ("expectimax:depth=3", 1),
        ("expectimax:depth=2,eval=network", 4),
        ("expectimax:depth=3,eval=network", 1),
        ("expectimax:depth=2,eval=neural", 4),
        ("expectimax:depth=2,eval=network,time=1", 1),
        ("expectimax:depth=2,eval=network,nodes=3000", 13),
        ("expectimax:nodes=200", 32),
        ("expectimax:nodes=5000", 8),
        ("expectimax:nodes=100000", 1),
        ("chain", 1),
        ("mcts", 1),
        ("default", 1),
    ],
)
def test_chunks_stay_what_they_are_in_stored_runs(player: str, size: int) -> None:
    assert chunk_size(player) == size


def test_an_experiment_says_what_is_wrong() -> None:
    made = Experiment(["greedy", "expectimax:cut=0,depth=2"], 10, variant="3x3")
    assert made.players == ("greedy", "expectimax:depth=2")
    assert made.name == Experiment(["greedy", "expectimax:depth=2"], 99, variant="3x3").name
    assert made.name != Experiment(["greedy", "expectimax:depth=2"], 10).name
    assert "seed '1' instead of '0'" in Experiment(["greedy"], 1, seed=1).difference(
        Experiment(["greedy"], 1)
    )
    for players, games, options in (
        ([], 1, {}),
        (["greedy", "greedy"], 1, {}),
        (["human"], 1, {}),
        (["greedy"], 0, {}),
        (["greedy"], 1, {"seed": 1 << 64}),
        (["greedy"], 1, {"name": "a/b"}),
        (["greedy"], 1, {"name": " a"}),
    ):
        with pytest.raises(InvalidParameter):
            Experiment(players, games, **options)
    with pytest.raises(UnknownPlayer):
        Experiment(["greddy"], 1)
