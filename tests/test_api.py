"""What a user imports: names of rooms, loaded when first used; short texts and pictures of results."""

import importlib
import inspect
import re
import subprocess
import sys

import pytest

import twofold
from twofold import Board, State, TwofoldError, Variant, errors, make_player, new_game, play_game
from twofold.art import Life, Picture, board_for, count_paths, paint, rank_paths
from twofold.evaluation import Design, Network, NeuralDesign, NeuralNetwork
from twofold.exact import Problem, build_tree, policy_of, solve

ROOMS = ("arena", "art", "coach", "evaluation", "exact", "learn", "matches", "players", "tune")


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_offers_what_it_names(room: str) -> None:
    package = importlib.import_module(f"twofold.{room}")
    assert dir(package) == sorted(package.__all__)
    for name in package.__all__:
        found = getattr(package, name)
        assert not inspect.ismodule(found), name
        assert getattr(found, "__doc__", None), name
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        package.nothing  # noqa: B018


def test_names_are_the_same_in_whatever_order_modules_were_loaded() -> None:
    code = (
        "import importlib, pkgutil, twofold\n"
        f"for room in {ROOMS!r}:\n"
        "    package = importlib.import_module(f'twofold.{room}')\n"
        "    within = {each.name for each in pkgutil.iter_modules(package.__path__)}\n"
        "    assert not within & set(package.__all__), (room, within & set(package.__all__))\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_every_error_is_exported() -> None:
    def below(kind: type) -> set[type]:
        return {kind}.union(*(below(each) for each in kind.__subclasses__()))

    for room in ROOMS:
        for name in importlib.import_module(f"twofold.{room}").__all__:
            getattr(importlib.import_module(f"twofold.{room}"), name)
    ours = {each for each in below(TwofoldError) if each.__module__.startswith("twofold.")}
    inner = {each for each in ours if each.__module__.startswith(("twofold.ui.", "twofold.envs."))}
    assert {each.__name__ for each in ours - inner} <= set(twofold.__all__)
    for name, value in vars(errors).items():
        assert not inspect.isclass(value) or value not in ours or getattr(twofold, name) is value


def test_dir_is_what_is_offered_and_nothing_is_loaded() -> None:
    assert dir(twofold) == sorted(twofold.__all__)
    code = (
        "import sys, twofold; dir(twofold); twofold.Board; assert not {'numpy', 'numba'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_results_have_short_texts_and_pictures() -> None:
    board = Board.parse("2 4|. 2")
    problem = Problem(Variant.of_size(2, 2, target=16))
    solution = solve(problem)
    tree = build_tree(board, problem.variant, target=16, depth=1)
    picture = Picture(2, 2, bytes([0, 1, 1, 0]))
    life = Life(2, 3, bytes([0, 1, 1, 0, 0, 0]))
    result = play_game("greedy", "2x2", seed=1)
    texts = {
        board: r"Board\.parse\('2 4\|\. 2'\)",
        State.of(board): r"State\('2 4\|\. 2', 2x2, score=4, moves=0\)",
        new_game("2x2", 1): r"Game\(2x2, seed=1: 0 points after 0 moves\)",
        result: r"GameResult\('greedy' on 2x2: \d+ points, tile \d+, \d+ moves, no legal move\)",
        make_player("greedy").decide(State.of(board)): r"Decision\(\w+, value=\d, depth=1, nodes=\d\)",
        policy_of(solution): r"Policy\(2x2;target=16, max_probability, value 0\.\d+\)",
        picture: r"Picture\(2x2, 2 colours\)",
        life: r"Life\(2x3, 2 alive\)",
        problem.variant: r"Variant\.parse\('2x2;target=16'\)",
        Network.fresh(
            Design(problem.variant, ((0, 1), (0, 2)))
        ): r"Network\(design=Design\(.{50,150}\), scale=1\.0\)",
        NeuralNetwork.fresh(NeuralDesign()): r"NeuralNetwork\(design=NeuralDesign\(.{50,150}\)\)",
    }
    for value, pattern in texts.items():
        assert re.fullmatch(pattern, repr(value)), repr(value)
    assert re.fullmatch(r"Solution\(2x2;target=16, max_probability: 0\.\d+, \d+ states\)", repr(solution))
    assert re.fullmatch(r"Tree\('2 4\|\. 2': max [\d.]+, \d+ nodes\)", repr(tree))
    paths = rank_paths(Board.empty(2, 3))
    assert repr(paths) == "Ranking('. . .|. . .': 4 paths, 1 of them best)"
    assert repr(count_paths(Board.empty(2, 3))) == "Count('. . .|. . .': 16 paths)"
    painting = paint(picture)
    assert re.fullmatch(r"Painting\(2x2, \d+ moves, method='\w+'\)", repr(painting))
    for drawn in (
        board,
        State.of(board),
        new_game("2x2"),
        result,
        tree,
        paths,
        picture,
        life,
        painting,
        board_for(board),
    ):
        assert re.match(r"<svg\b.*</svg>\s*$", drawn._repr_svg_(), re.DOTALL), drawn
