"""Compiled once per machine: a second process compiles nothing. Kernels allocate nothing; light imports stay light."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numba.core.errors import NumbaError

from tests.thorough import quick_ones

WORK = """
SEARCHES = {searches!r}
from numba.core import event
with event.install_recorder("numba:compile") as recorder:
{body}
print(sum(1 for _, e in recorder.buffer if e.is_start))
"""

BODIES = {
    "expectimax": """
    from twofold import Board, State, make_player
    for text in ("4x4", "3x3", "5x5"):
        board = {
            "4x4": "2 4 8 16|. 2 4 8|. . 2 4|. . . 2",
            "3x3": "2 4 8|. 2 4|. . 2",
            "5x5": "2 . . . 4|. . . . .|" * 2 + ". x . . 2",
        }
        make_player("expectimax:depth=2").decide(State.of(Board.parse(board[text])))
    make_player("expectimax:depth=2,eval=snake").decide(State.of(Board.parse(board["4x4"])))
    """,
    "the default player": """
    from twofold import Board, State, make_player
    for text in ("2 4 8 16|. 2 4 8|. . 2 4|. . . 2", "131072 65536 131072 2|. . . .|. . . .|2 . . ."):
        make_player("default:nodes=2000").decide(State.of(Board.parse(text)))
    """,
    "random games": """
    from twofold.players.random_games import random_games
    random_games(count=2)
    random_games(count=2, general=True)
    """,
    "the other searches": """
    from twofold import Board, State, make_player
    state = State.of(Board.parse("2 4 8 16|. 2 4 8|. . 2 4|. . . 2"))
    for text in SEARCHES:
        make_player(text).decide(state)
    """,
    "the other searches on bytes": """
    from twofold import Board, State, make_player
    state = State.of(Board.parse("2 . . . 4|x . . . 2"))
    for text in SEARCHES:
        make_player(text).decide(state)
    """,
    "networks": """
    from twofold import Variant
    from twofold.learn.settings import TrainingSettings
    from twofold.learn.temporal import Training
    from twofold.evaluation.learned import from_network
    from twofold.evaluation.network import Design, Network
    from twofold.evaluation.tuples import parse_tuples
    from twofold.search.loops import GreedyLoop, SearchedLoop
    network = Network.fresh(Design(tuples=parse_tuples("0123 0145", 16)))
    list(Training(network, TrainingSettings(games=4, evaluation_games=2)).run())
    evaluation = from_network(network, "small")
    for loop in (GreedyLoop(evaluation, Variant()), SearchedLoop(evaluation, Variant(), 2, 18)):
        loop.play(0, 0, 2, 0)
    small = Network.fresh(Design(variant=Variant.of_size(2, 3), tuples=parse_tuples("012 14", 6), base=8))
    list(Training(small, TrainingSettings(games=4, evaluation_games=0)).run())
    """,
    "neural networks": """
    import numpy as np
    from twofold import Variant
    from twofold.evaluation.learned import from_network
    from twofold.evaluation.neural import NeuralDesign, NeuralNetwork
    from twofold.search.loops import GreedyLoop, SearchedLoop
    network = NeuralNetwork.fresh(NeuralDesign(2, 16, 16))
    evaluation = from_network(network, "small")
    for loop in (GreedyLoop(evaluation, Variant()), SearchedLoop(evaluation, Variant(), 2, 18)):
        loop.play(0, 0, 2, 0)
    network.values(np.ones(3, np.uint64))
    from importlib.util import find_spec
    if find_spec("torch"):
        from twofold.learn.neural import NeuralTraining
        from twofold.learn.settings import NeuralSettings
        list(NeuralTraining(network, NeuralSettings(moves=64, lanes=4)).run())
    """,
    "whole games": """
    from twofold.matches.games import play_games
    for text in ("random", "expectimax:depth=1,eval=empty", "expectimax:nodes=50,eval=empty", "chain"):
        play_games(text, 1, "4x4;target=64", stop_at_target=True)
    """,
    "exact play": """
    from twofold import Board, Variant
    from twofold.exact.problem import MAX_EXPECTED_SCORE, MAX_PROBABILITY, Problem
    from twofold.exact.solver import solve
    variant = Variant(start=Board.empty(2, 2), target=16)
    for goal in (MAX_EXPECTED_SCORE, MAX_PROBABILITY):
        solve(Problem(variant, goal))
    """,
}

SEARCHES = (
    "minimax:depth=2,eval=empty",
    "chain:mode=mean,eval=empty",
    "montecarlo:playouts=2",
    "mcts:iterations=4",
    "adls:samples=2",
    "lookahead:steps=2,threads=2",
    "rules",
)


def run(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("body", quick_ones(BODIES, "expectimax".__eq__))
def test_a_second_process_compiles_nothing(body: str) -> None:
    code = WORK.format(body=BODIES[body], searches=SEARCHES)
    run(code)
    assert run(code) == "0"


@pytest.mark.skipif(sys.platform == "win32", reason="there each process compiles for itself")
def test_of_processes_that_start_at_once_one_compiles(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(
        "from twofold.kernels.compiling import kernel\n@kernel\ndef add(x):\n    return x + 1\n", "utf-8"
    )
    code = f"""
import sys, time
from pathlib import Path
sys.path.insert(0, {str(tmp_path)!r})
import own
print("ready", flush=True)
while not Path({str(tmp_path / "go")!r}).exists():
    time.sleep(0.001)
{WORK.format(body="    own.add(1)", searches=())}"""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    with contextlib.ExitStack() as stack:
        started = [
            stack.enter_context(
                subprocess.Popen(
                    [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=environment
                )
            )
            for _ in range(3)
        ]
        for process in started:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        (tmp_path / "go").touch()
        counts = sorted(int(process.communicate(timeout=300)[0]) for process in started)
    assert counts[:2] == [0, 0]
    assert counts[2] > 0


def test_a_kernel_that_allocates_is_not_compiled_and_a_users_function_is() -> None:
    from twofold.kernels.compiling import guarded, kernel

    def allocates(count: int) -> float:
        return np.ones(count).sum()

    with pytest.raises(NumbaError, match="array passed into the function"):
        kernel(allocates)(3)
    assert guarded(allocates)(3) == 3.0


def test_python_cannot_call_what_only_kernels_call() -> None:
    from twofold.kernels.compiling import helper, kernel

    @helper
    def doubled(number: int) -> int:
        return 2 * number

    @kernel
    def quadrupled(number: int) -> int:
        return doubled(doubled(number))

    for _ in "before it is compiled", "and after":
        with pytest.raises(TypeError, match="doubled is for compiled code only"):
            doubled(3)
        assert quadrupled(3) == 12
    assert doubled.py_func(3) == 6


@pytest.mark.parametrize("code", ["import twofold", "import twofold; twofold.Board.empty().slide(0)"])
def test_import_loads_nothing_heavy(code: str) -> None:
    heavy = "numba", "numpy", "typer", "rich", "PIL", "matplotlib", "nicegui", "torch", "sqlalchemy"
    loaded = run(f"{code}\nimport sys\nprint(*(name for name in {heavy!r} if name in sys.modules))")
    assert loaded == ""


def test_kernels_leave_scipy_alone_and_users_can_still_multiply() -> None:
    pytest.importorskip("scipy")
    code = """
import sys
import twofold.kernels.compiling
print("scipy.linalg" in sys.modules)
import numpy as np
from numba import njit
a, b = np.arange(1.0, 5.0).reshape(2, 2), np.ones((2, 2))
made = njit(lambda a, b: (np.dot(a, b), np.kron(a, b)))(a, b)
assert (made[0] == a @ b).all() and (made[1] == np.kron(a, b)).all()
"""
    assert run(code) == "False"
