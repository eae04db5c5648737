"""``twofold train``: what it leaves behind, and what it refuses."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.ui.command import here
from tests.waiting import wait_for
from twofold.evaluation.weights import load_network
from twofold.learn.curve import draw_curves, read_curve
from twofold.ui.cli.training import sparkline


def train(capsys: pytest.CaptureFixture[str], out: Path, *arguments: str) -> dict[str, object]:
    games = ["--games", "300", "--size", "2x3", "--seed", "4"]
    return here(capsys, "train", "ntuple", *games, "--out", str(out), "--json", *arguments).json()


def test_training_and_going_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "a.2048net"
    figures = train(capsys, out, "--optimistic", "300")
    assert figures["games"] == 300
    assert figures["file"] == str(out)
    network = load_network(out)
    assert network.origin["games"] == "300"
    assert "twofold" in network.origin["command"]
    assert float(network.origin["score"]) > 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.2048net", "a.csv"]
    lines = read_curve(tmp_path / "a.csv")["games"]
    assert (
        lines[-1] == 300
    )  # the last of one line every ten seconds, which is the only one unless compiling took longer
    again = here(
        capsys, "train", "ntuple", "--games", "100", "--resume", str(out), "--stages", "32", "--json"
    ).json()
    assert again["games"] == 400
    assert load_network(out).design.stages == (5,)
    both = read_curve(tmp_path / "a.csv")["games"]
    assert both[: len(lines)] == lines
    assert 300 <= both[len(lines)] <= both[-1] == 400  # 300 where compiling took ten seconds


@pytest.mark.slow
def test_going_on_with_more_tuples(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "a.2048net"
    train(capsys, out)
    network = load_network(out)
    wider = [
        "--tuples",
        f"012 {network.design.text}",
        "--out",
        str(tmp_path / "b.2048net"),
        "--resume",
        str(out),
        "--games",
        "10",
    ]
    assert here(capsys, "train", "ntuple", *wider, "--json").json()["games"] == 310
    best = here(capsys, "best", "2 . 4|2 4 .", "--player", f"ntuple:file={out}", "--json").json()
    assert best["best"] in ("UP", "RIGHT", "DOWN", "LEFT")
    assert load_network(tmp_path / "b.2048net").design.text == f"012 {network.design.text}"


@pytest.mark.slow
def test_shrinking(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    train(capsys, tmp_path / "a")
    small = tmp_path / "b"
    arguments = ["--out", str(small), "--quantum", "0.5", "--megabytes", "1", "--json"]
    answer = here(capsys, "train", "shrink", str(tmp_path / "a"), *arguments).json()
    assert answer["bytes"] == small.stat().st_size
    assert load_network(small).scale == 0.5
    refusal = here(
        capsys, "train", "ntuple", "--games", "1", "--resume", str(small), "--out", str(tmp_path / "c")
    )
    assert "shrunk" in refusal.refusal()
    on = ["--resume", str(small), "--trust", "0.1", "--games", "5"]
    kept = small.read_bytes()
    assert "--out" in here(capsys, "train", "ntuple", *on).refusal()
    assert small.read_bytes() == kept
    here(capsys, "train", "ntuple", *on, "--out", str(tmp_path / "d"), "--json").json()
    assert load_network(tmp_path / "d").scale == 1.0
    for rate, part in (("0", "above 0"), ("2", "at most 1"), ("nan", "number")):
        on[3] = rate
        assert part in here(capsys, "train", "ntuple", *on, "--out", str(tmp_path / "e")).refusal()


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["--out", "{}/none/a"], "there is no folder"),
        (["--out", "{}"], "directory"),
        (["--out", "{}/there"], "already exists"),
        (["--resume", "{}/there"], "not a usable network"),
        (["--resume", "{}/missing"], "No such file"),
        (["--out", "{}/a", "--tuples", "0!"], "digits"),
        (["--out", "{}/a", "--stages", "100"], "not a tile"),
        (["--out", "{}/a", "--method", "magic"], "neither td nor tc"),
        (["--out", "{}/a", "--games", "0"], "games"),
        (["--out", "{}/a", "--picture", "{}/a.gif"], ".png or .svg"),
        (["--out", "{}/a", "--picture", "{}/none/a.png"], "no such folder"),
        (["--out", "{}/a", "--optimistic", "nan"], "optimistic"),
        (["--out", "{}/a", "--explore", "1.5"], "explore 1.5"),
        (["--out", "{}/a", "--within", "9"], "give --explore"),
        (["--out", "{}/a", "--double", "100"], "not a tile"),
        (["--out", "{}/a", "--double", "sum:40000"], "sum:40000"),
        (["--out", "{}/a", "--double", "64", "--size", "3x3"], "doubled tiles"),
        (["--out", "{}/a", "--promote"], "--resume"),
        (["--out", "{}/a", "--forget", "0.5"], "--resume"),
        (["--out", "{}/a", "--explore", "0.1", "--within", "-1", "--size", "2x3"], "within -1"),
        (["--out", "{}/a", "--spawn", "evil:depth=1,eval=default"], "evil"),
    ],
)
def test_refusals(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], part: str
) -> None:
    (tmp_path / "there").write_text("something")
    given = [argument.format(tmp_path) for argument in arguments]
    assert part in here(capsys, "train", "ntuple", *given).refusal()
    assert [path.name for path in tmp_path.iterdir()] == ["there"]


def test_no_file_of_others_is_the_curve(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, other = tmp_path / "a.2048net", tmp_path / "b.csv"
    train(capsys, first)
    other.write_text("name,value\n")
    for arguments in ([], ["--resume", str(first)]):
        for name, part in (("b.2048net", "b.csv"), ("c.csv", "of the curve"), ("c.CSV", "of the curve")):
            options = ["--games", "5", "--size", "2x3", "--out", str(tmp_path / name), *arguments]
            assert part in here(capsys, "train", "ntuple", *options).refusal()
    assert other.read_text() == "name,value\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.2048net", "a.csv", "b.csv"]
    # A curve goes on where its network does, in a new file beside the old one too.
    options = ["--games", "5", "--resume", str(first), "--out", str(tmp_path / "a.more")]
    here(capsys, "train", "ntuple", *options, "--json").json()
    games = read_curve(tmp_path / "a.csv")["games"]
    assert 300 in games
    assert games[-1] == 305


@pytest.mark.slow
def test_a_network_of_another_game_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "a"
    train(capsys, out)
    falling = here(capsys, "train", "ntuple", "--resume", str(out), "--fall", "2", "--games", "1")
    assert "for a new network" in falling.refusal()
    hopeful = ["--optimistic", "50", "--unsure", "1e4", "--expected", "--games", "200", "--json"]
    hopeful += ["--promote", "--forget", "0.5"]
    assert here(capsys, "train", "ntuple", "--resume", str(out), *hopeful).json()["games"] > 200
    other = here(capsys, "train", "ntuple", "--resume", str(out), "--size", "3x3", "--games", "1")
    assert "is for 2x3" in other.refusal()
    assert "not for" in here(capsys, "best", "2 .|. 2", "--player", f"ntuple:file={out}").refusal()


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals as on Unix")
def test_ctrl_c_keeps_what_was_learned(tmp_path: Path) -> None:
    out = tmp_path / "a.2048net"
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
            "--checkpoint",
            "0.1",
            "--out",
            str(out),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_for(lambda: out.exists() and int(load_network(out).origin["games"]), 600)  # compiled, and learning
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=300)
    assert process.returncode == 130
    assert "continue with --resume" in errors
    assert "Traceback" not in errors
    load_network(out, learning=True)


@pytest.mark.slow
def test_pictures_of_curves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    train(capsys, tmp_path / "a", "--picture", str(tmp_path / "a.png"))
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    draw_curves({"one": tmp_path / "a.csv", "two": tmp_path / "a.csv"}, tmp_path / "b.svg")
    assert "<svg" in (tmp_path / "b.svg").read_text("utf-8")


def test_sparklines() -> None:
    assert sparkline([0, 4, 8], 10) == "▁▅█"
    assert len(sparkline(list(range(1000)), 40)) == 40
    assert sparkline([], 5) == ""
