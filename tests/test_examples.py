"""The programs in examples/ are short and run."""

import re
import runpy
from pathlib import Path

import pytest

from twofold import Variant, play_game
from twofold.exact import Problem, solve

EXAMPLES = Path(__file__).parents[1] / "examples"
NAMES = ("play", "compare", "own_evaluation", "solve", "learn")


def run(name: str, capsys: pytest.CaptureFixture[str]) -> str:
    runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    return capsys.readouterr().out


@pytest.mark.parametrize("name", NAMES)
def test_a_program_has_at_most_ten_lines(name: str) -> None:
    text = (EXAMPLES / f"{name}.py").read_text("utf-8")
    code = text.split('"""', 2)[2]
    assert sum(bool(line.strip()) for line in code.splitlines()) <= 10


def test_play(capsys: pytest.CaptureFixture[str]) -> None:
    first, second = run("play", capsys).splitlines()
    assert re.fullmatch(
        r"GameResult\('<corner>' on 4x4: [\d,]+ points, tile \d+, [\d,]+ moves, no legal move\)", first
    )
    assert re.fullmatch(r"Decision\((UP|RIGHT|DOWN|LEFT), value=[\d.e+]+, depth=3, nodes=[\d,]+\)", second)


@pytest.mark.slow
def test_compare(capsys: pytest.CaptureFixture[str]) -> None:
    out = run("compare", capsys)
    mean, low, high = map(float, re.findall(r"-?[\d,.]*\d", out.splitlines()[-1].replace("95 %", ""))[:3])
    found = [
        play_game(player, "3x3", index=i).score
        for player in ("greedy", "expectimax:depth=1,eval=empty")
        for i in range(100)
    ]
    assert mean == round(sum(found[:100]) / 100 - sum(found[100:]) / 100)
    assert low < mean < high
    assert "greedy - expectimax:depth=1,eval=empty" in out


@pytest.mark.slow
def test_own_evaluation(capsys: pytest.CaptureFixture[str]) -> None:
    assert "'expectimax:depth=2,eval=<roomy>' on 3x3" in run("own_evaluation", capsys)


def test_solve(capsys: pytest.CaptureFixture[str]) -> None:
    value = solve(Problem(Variant.of_size(2, 2, target=32))).value
    assert f"max_probability: {value:.6g}," in run("solve", capsys)


@pytest.mark.slow
def test_learn(capsys: pytest.CaptureFixture[str]) -> None:
    assert "GameResult('<NetworkPlayer>' on 3x3" in run("learn", capsys)
