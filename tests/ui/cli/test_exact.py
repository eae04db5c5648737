"""``twofold exact``: JSON, texts, refusals, and runs that are stopped and go on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.thorough import quick_ones
from tests.ui.command import command, here, line
from twofold.exact.layers import DiskLayers

Capture = pytest.CaptureFixture[str]
COMMAND = [sys.executable, "-m", "twofold", "exact"]


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = str(tmp_path_factory.mktemp("exact") / "p.2048exact")
    answer = command("exact", "solve", "###|###", "--target", "32", "--out", path, "--json").json()
    assert answer["file"] == path
    assert answer["bytes"] == Path(path).stat().st_size
    return path


def test_solve_as_json(capsys: Capture) -> None:
    answer = line(capsys, "exact solve 2x2 --target 16 --raw --json").json()
    assert answer["seconds"] >= 0
    assert answer["peak_memory_bytes"] > 1 << 20
    assert {key: answer[key] for key in ("map", "objective", "target", "states", "afterstates", "lost")} == {
        "map": "2x2",
        "objective": "max_probability",
        "target": 16,
        "states": 41,
        "afterstates": 23,
        "lost": 6,
    }
    assert answer["value"] == pytest.approx(770009003 / 800000000, rel=1e-14)
    assert (answer["states_raw"], answer["afterstates_raw"]) == (214, 140)
    assert len(answer["starts"]) == 6
    assert answer["out_of_reach"] is False


def test_solve_in_words(capsys: Capture) -> None:
    assert "expected score: 66.964149457101" in line(capsys, "exact solve ##|## --score").out
    assert "out of reach" in line(capsys, "exact solve ##|## --target 64").out
    assert line(capsys, "exact solve x#|.x --json").json()["value"] == 0
    assert line(capsys, "exact solve 24|42 --score --json").json()["states"] == 1
    assert line(capsys, "exact solve 2x2 --p4 1 --target 32 --json").json()["value"] > 0
    late = "2 4 2 4|4 2 4 2|2 4 2 4"  # no position is left, whatever 3x4 has
    assert here(capsys, "exact", "solve", late, "--score", "--memory", "1", "--json").json()["states"] == 1
    gamma = line(capsys, "exact solve 4#|4# --target 8 --gamma 0.5 --json").json()
    assert (gamma["value"], gamma["gamma"], gamma["sure"]) == (0.5, 0.5, None)
    told = line(capsys, "exact solve 4#|4# --target 8 --gamma 0.5").out
    assert told.startswith("value, discounted by 0.5 a move, of 8: 0.5\n")
    assert "probability" not in told


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("2x2 --score --target 8", "different objectives"),
        ("4x4", "GiB of memory"),
        ("3x3 --score --memory 0.1", "GiB of memory"),
        ("4x4 --memory 0.2", "GiB, more than --memory allows"),
        ("2x2 --memory nan", "--memory='nan'"),
        ("2x2 --gamma 2", "gamma"),
        ("5x5 --target 8", "25 free cells"),
        ("2x2 --target 7", "target '7'"),
        ("2x2 --spawn evil:depth=1", "evil"),
        ("2x2 --out /nowhere/at/all", "there is no such folder"),
        ("zz", "not a cell"),
        ("0x0", "no board of '0x0'"),
        ("2x2 --threads 9999999", "from 0 to 256"),
    ],
)
def test_refusals(capsys: Capture, options: str, message: str) -> None:
    assert message in line(capsys, f"exact solve {options}").refusal()


def test_value(capsys: Capture, policy: str, tmp_path: Path) -> None:
    answer = here(capsys, "exact", "value", policy, "2 . .|. 4 .", "--json").json()
    assert answer["value"] == pytest.approx(0.9999010167181, rel=1e-12)
    assert answer["best"] == "UP"
    assert answer["loss"] == pytest.approx(1 - answer["value"])
    assert list(answer["values"]) == ["UP", "RIGHT", "DOWN", "LEFT"]
    lines = tmp_path / "boards"
    lines.write_text("2 . .|. 4 .\n2 4 .|. . .\n")
    assert here(capsys, "exact", "value", policy, str(lines)).out.count("0.9999010167181 ") == 2
    assert "shape" in here(capsys, "exact", "value", policy, "2 .|. 2").refusal()
    assert "not a policy" in here(capsys, "exact", "value", __file__, "2 .|. 2").refusal()


def test_export_regret_and_the_player(capsys: Capture, policy: str, tmp_path: Path) -> None:
    out = str(tmp_path / "p.sqlite")
    assert here(capsys, "exact", "export", policy, "--out", out, "--json").json()["rows"] == 1691
    answer = here(
        capsys,
        "exact",
        "regret",
        policy,
        "-p",
        f"optimal:file={out}",
        "--games",
        "3",
        "--seed",
        "1",
        "--json",
    ).json()
    assert answer["per_game"] == 0
    assert answer["games"] == 3
    exact = here(capsys, "exact", "regret", policy, "-p", "greedy", "--games", "0", "--json").json()
    assert exact["value"] + exact["per_game"] == pytest.approx(exact["optimal"])
    assert "instead of" in here(capsys, "exact", "regret", policy, "-p", "greedy", "--games", "2").out
    assert "must end in" in here(capsys, "exact", "export", policy, "--out", str(tmp_path / "x")).refusal()


def test_tree(capsys: Capture, tmp_path: Path) -> None:
    assert here(capsys, "exact", "tree", "2 .|4 4", "--depth", "1").out.startswith("2 .|4 4  max 8\n")
    answer = here(capsys, "exact", "tree", "2 2|. .", "--target", "16", "--json").json()
    assert answer["value"] == pytest.approx(0.962612875)
    assert answer["nodes"]["max"] > 100
    out = tmp_path / "tree.svg"
    text = here(
        capsys,
        "exact",
        "tree",
        "2 2|. .",
        "--depth",
        "2",
        "--eval",
        "empty",
        "--format",
        "svg",
        "--out",
        str(out),
    ).out
    assert "nodes" in text
    assert out.read_text().startswith("<svg")
    assert "did you mean" in here(capsys, "exact", "tree", "2 2|. .", "--format", "dots").refusal()
    assert "--most" in here(capsys, "exact", "tree", "2 2|. .", "--most", "9").refusal()


# The command, which sends itself a signal when it has kept the 30th layer, whatever the speed of the machine.
STOPPED = """
import os, time
from twofold.__main__ import main
from twofold.exact.layers import DiskLayers

keep, kept = DiskLayers.put, []

def put(self, kind, layer, array):
    keep(self, kind, layer, array)
    kept.append(kind)
    if kept.count("after") == 30:
        os.kill(os.getpid(), int(os.environ["SENT_SIGNAL"]))
        time.sleep(600)

DiskLayers.put = put
main()
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals as on Unix")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_stopped_run_goes_on_to_the_same_file(tmp_path: Path, number: int) -> None:
    work = tmp_path / "work"
    whole, resumed = tmp_path / "whole", tmp_path / "resumed"
    arguments = ["solve", "2x4", "--target", "64", "--threads", "1", "--json"]
    assert (
        subprocess.run(
            [*COMMAND, *arguments, "--out", str(whole)], check=False, capture_output=True
        ).returncode
        == 0
    )
    options = [*arguments, "--work", str(work), "--out", str(resumed)]
    stopped = subprocess.run(
        [sys.executable, "-c", STOPPED, "exact", *options],
        check=False,
        capture_output=True,
        env={**os.environ, "SENT_SIGNAL": str(int(number))},
    )
    assert stopped.returncode == (130 if number == signal.SIGINT else -signal.SIGKILL)
    assert number == signal.SIGKILL or b"continues from" in stopped.stderr
    assert not resumed.exists()
    assert (work / "progress.json").exists()
    done = subprocess.run([*COMMAND, *options], check=False, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert resumed.read_bytes() == whole.read_bytes()
    assert not work.exists()


@pytest.mark.parametrize("removed", quick_ones([0, 1, 20, 1000], (20).__eq__))
def test_a_run_killed_while_it_tidies_up_has_finished(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, removed: int
) -> None:
    work, out = tmp_path / "work", tmp_path / "policy"
    options = ["exact", "solve", "2x3", "--target", "64", "--work", str(work), "--out", str(out), "--json"]

    def killed(self: DiskLayers) -> None:
        for path in sorted(self.folder.glob("*.npy"))[:removed]:
            path.unlink()
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(DiskLayers, "clear", killed)
        assert here(capsys, *options).code == 130
    whole = out.read_bytes()
    with monkeypatch.context() as patched:
        patched.setattr("twofold.exact.run.solve", lambda *_, **__: pytest.fail("it was solved again"))
        answer = here(capsys, *options).json()
    assert out.read_bytes() == whole
    assert not work.exists()
    out.unlink()
    anew = here(capsys, *options).json()
    different = ("seconds", "peak_memory_bytes")
    assert [(k, v) for k, v in answer.items() if k not in different] == [
        (k, v) for k, v in anew.items() if k not in different
    ]
    assert out.read_bytes() == whole


def test_a_finished_run_whose_policy_is_gone_is_solved_anew(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    work, out = tmp_path / "work", tmp_path / "policy"
    options = ["exact", "solve", "2x3", "--target", "64", "--work", str(work), "--out", str(out), "--json"]

    def killed(self: DiskLayers) -> None:
        for path in self.folder.glob("*.npy"):
            path.unlink()
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(DiskLayers, "clear", killed)
        assert here(capsys, *options).code == 130
    whole = out.read_bytes()
    out.write_bytes(whole[:-1])
    assert here(capsys, *options).json()["states"]
    assert out.read_bytes() == whole


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_log_gets_a_line_now_and_then(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, options: list[str]
) -> None:
    monkeypatch.setattr("twofold.ui.cli.progress.PLAIN_SECONDS", 1e9)
    assert "tile sum" not in here(capsys, "exact", "solve", "2x3", "--score", *options).err
    monkeypatch.setattr("twofold.ui.cli.progress.PLAIN_SECONDS", 0.0)
    found = here(capsys, "exact", "solve", "2x3", "--score", *options)
    assert "tile sum" in found.err
    assert "tile sum" not in found.out
    assert "M/s" in found.err


def test_long_work_with_a_policy_tells_how_far_it_is(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, policy: str, tmp_path: Path
) -> None:
    monkeypatch.setattr("twofold.ui.cli.progress.PLAIN_SECONDS", 0.0)
    for arguments, told in (
        (["export", policy, "--out", str(tmp_path / "a.csv")], "1,691 of 1,691 rows"),
        (["export", policy, "--out", str(tmp_path / "a.sqlite")], "1,691 of 1,691 rows"),
        (["regret", policy, "-p", "greedy", "--games", "3"], "3 of 3 games"),
        (["regret", policy, "-p", "greedy", "--games", "0"], "positions, "),
        (["moves", policy], "positions searched, "),
    ):
        answer = here(capsys, "exact", *arguments, "--json")
        assert answer.code == 0
        assert told in answer.err
        assert told not in answer.out
