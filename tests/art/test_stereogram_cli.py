"""``twofold stereogram``: what it writes, tells and refuses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from tests.ui.command import here, line
from twofold.records.record import Record

Capture = pytest.CaptureFixture[str]


def pixels(path: Path) -> NDArray[np.int64]:
    with Image.open(path) as image:
        return np.asarray(image).astype(np.int64)


def test_a_board_with_its_key(capsys: Capture, tmp_path: Path) -> None:
    out = tmp_path / "board.png"
    answer = here(
        capsys, "stereogram", "--board", "2 4 x|8 . 2", "--set", "polyomino", "--key", "--check", "--dot", "1",
        "--out", str(out), "--json",
    ).json()  # fmt: skip
    assert answer["textures"] == [["1R", "2L", None], ["3R", "empty", "1R"]]
    assert [pair["disparities"] for pair in answer["pairs"]] == [[-4, -2, 0], [-2, 0], [0, 2]]
    assert all(pair["found"] >= 0.95 for pair in answer["pairs"])
    assert [Path(path).name for path in answer["written"]] == ["board.png", "board-key.png", "board-seen.png"]
    width, height = answer["picture_dots"]
    assert pixels(out).shape == (height, width, 3)
    key, seen = (pixels(tmp_path / f"board-{name}.png") for name in ("key", "seen"))
    assert key.shape == seen.shape
    assert (np.abs(key - seen).max(axis=2) > 30).mean() < 0.03


def test_the_key_as_text(capsys: Capture) -> None:
    told = here(capsys, "stereogram", "--board", "2 4|", "--designs", "10", "--first", "left", "--key").out
    assert "1L 2R" in told
    assert "###" in told
    assert "=" not in told.split("1L 2R")[1]


def test_equal_seeds_give_equal_files(capsys: Capture, tmp_path: Path) -> None:
    contents = []
    for name, seed in (("a", "3"), ("b", "3"), ("c", "4")):
        here(capsys, "stereogram", "--board", "2 4|", "--seed", seed, "--out", str(tmp_path / f"{name}.svg"))
        contents.append((tmp_path / f"{name}.svg").read_bytes())
    assert contents[0] == contents[1] != contents[2]


def test_sheets_places_and_shapes(capsys: Capture, tmp_path: Path) -> None:
    sheet = line(capsys, "stereogram --sheet --designs 12 --json").json()
    assert (sheet["rows"], sheet["columns"]) == (6, 4)
    (tmp_path / "own.txt").write_text(".#.\n###\n", "utf-8")
    own = here(capsys, "stereogram", "--mask", str(tmp_path / "own.txt"), "--board", "2 4|", "--json").json()
    assert (own["set"], own["textures"]) == ("shape", [["R", "L"]])
    places = here(
        capsys, "stereogram", "--set", "positions", "--size", "2x3", "--mask", "##..|..##", "--json"
    ).json()
    assert places["textures"][1] == ["2-1", "2-2", "2-3"]
    paper = line(capsys, "stereogram --print a3 --json").json()
    assert paper["tile_pitch_mm"] > 65
    assert not paper["parallel_eyes_can"]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ("--set polyominoes", "did you mean 'polyomino'"),
        ("--set shape", "needs a --mask"),
        ("--set polyomino --mask .#", "--mask is for"),
        ("--set positions --board 2,4|", "leave out --board"),
        ("--set positions --size 0x0", "no board of '0x0'"),
        ("--set positions --size 1000000x1000000", "no board of"),
        ("--set positions --size 20x20", "boards go from 1x2 to 16x16"),
        ("--set positions --designs 3", "--designs is for"),
        ("--size 4x4", "--size is for"),
        ("--designs 0", "'0'"),
        ("--designs 1000000", "'1000000'"),
        ("--dots 0", "'0'"),
        ("--dots 1000000", "'1000000'"),
        ("--dots 40", "from 2 to 2"),
        ("--dots 50 --depth 2 --designs 40", "too small"),
        ("--set positions --dots 0", "'0'"),
        ("--depth 3", "even number"),
        ("--depth 1000000", "even number"),
        ("--dot 1000000", "pixels a dot"),
        ("--dot 0", "--dot='0'"),
        ("--dot 60 --out x.png", "the most is 8192"),
        ("--gap -1", "gap"),
        ("--first middle", "'middle'"),
        ("--print a99", "not a size for print"),
        ("--print a4 --dpi 0", "'0'"),
        ("--out x.gif", ".svg or .png"),
        ("--out no/such/folder/x.png", "can't write"),
        ("--mask missing.png", "can't read 'missing.png'"),
        ("--mask ....", "nothing would be visible"),
        ("--board 2,3", "'3'"),
        ("--seed -1", "seed"),
    ],
)
def test_refusals(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: str, why: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert why in line(capsys, f"stereogram {arguments}").refusal()
    assert not list(tmp_path.iterdir())


def test_where_nothing_can_be_written_is_told_before_the_work(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("twofold.art.stereogram_board.Stereogram.textures")
    assert "no such folder" in line(capsys, "stereogram --out no/such/x.png").refusal()
    assert ".svg or .png" in line(capsys, "stereogram --out x.gif").refusal()


def test_a_designation_the_board_needs(capsys: Capture) -> None:
    assert (
        "no texture for rank '17'"
        in here(capsys, "stereogram", "--board", "131072 2|", "--designs", "5").refusal()
    )
    large = here(capsys, "stereogram", "--board", f"{2**60} {2**59}|", "--json").json()
    assert large["textures"] == [["60R", "59L"]]


def test_a_game_is_drawn_move_by_move(capsys: Capture, tmp_path: Path) -> None:
    record, out = tmp_path / "game.json", tmp_path / "game.gif"
    record.write_text(Record("3x3", 5, "LDLD").to_json(), "utf-8")
    told = line(capsys, f"stereogram --record {record} --out {out} --dot 1 --eyes crossed --json").json()
    assert told == {"moves": 4, "set": "polyomino", "written": [str(out)]}
    with Image.open(out) as shown:
        assert shown.n_frames == 5
    assert "--out FILE.gif" in line(capsys, f"stereogram --record {record}").refusal()
    assert ".gif" in line(capsys, f"stereogram --record {record} --out x.png").refusal()


def test_s0_s_figures_for_all_tiles_and_crossed_eyes(capsys: Capture) -> None:
    told = line(capsys, "stereogram --column 4 --eyes crossed --key").out
    assert "seen with crossed eyes" in told
    assert "neither parallel nor crossed" in line(capsys, "stereogram --eyes left").refusal()
    assert "need 4 to" in line(capsys, "stereogram --column 3").refusal()
