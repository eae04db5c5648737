"""Every generation is a legal game that ends in it, played again by the tests' own slide; the command around it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from tests.rules.naive import BASE, slide, to_grid
from tests.ui.command import here, line
from twofold import new_game
from twofold.art.life import Life, soup
from twofold.art.life_paint import Generation, gif_frames, life_picture, run_painted
from twofold.art.life_patterns import named, read_pattern
from twofold.ui.cli.life_screen import life_lines
from twofold.ui.shared.frame import Look

Capture = pytest.CaptureFixture[str]


def replayed(generation: Generation) -> bytes:
    """Plays the game of a generation and reads its picture, one byte of 0 or 1 a cell."""
    painting = generation.painting
    assert painting is not None, generation.reason
    grid = to_grid(painting.start)
    for direction, cell, rank in painting.steps:
        slid, _ = slide(grid, direction)
        assert slid != grid, "a move that changes nothing"
        row, column = divmod(cell, len(grid[0]))
        assert slid[row][column] == "."
        assert rank in (1, 2)
        text = slid[row][:column] + chr(BASE + rank) + slid[row][column + 1 :]
        grid = (*slid[:row], text, *slid[row + 1 :])
    colour_of = {chr(BASE + rank): colour for colour, ranks in enumerate(painting.colours) for rank in ranks}
    return bytes(colour_of[sign] for row in grid for sign in row)


def test_a_glider_walks_round_a_wrapped_board() -> None:
    run = list(run_painted(named("glider").place(8, 8, wrap=True), 32))
    assert [generation.number for generation in run] == list(range(33))
    for generation in run:
        assert replayed(generation) == generation.life.cells
    assert run[32].life == run[0].life
    assert run[32].painting is run[0].painting  # what comes again is painted once
    assert run[32].seconds == 0


def test_the_r_pentomino_of_the_report() -> None:
    run = list(run_painted(named("r-pentomino").place(10, 10), 12))
    for generation in run:
        assert replayed(generation) == generation.life.cells


@pytest.mark.parametrize("size", [(1, 2), (5, 1), (2, 2), (2, 7), (7, 3), (12, 9), (16, 16)])
@pytest.mark.parametrize("density", [0.0, 0.35, 1.0])
def test_any_board_is_painted(size: tuple[int, int], density: float) -> None:
    for seed in range(3):
        for generation in run_painted(soup(*size, density, seed, wrap=bool(seed % 2)), 1):
            assert replayed(generation) == generation.life.cells


def test_without_painting() -> None:
    run = list(run_painted(soup(20, 20), 3, painted=False))
    assert [generation.painting for generation in run] == [None] * 4
    assert [generation.moves for generation in run] == [0] * 4


def test_pictures_and_frames() -> None:
    life = named("toad").place(4, 6)
    picture = life_picture(life)
    assert (picture.size, picture.cells) == ((4, 6), life.cells)
    run = list(run_painted(life, 4))
    frames = gif_frames(run)
    assert len(frames) == 5
    assert [len(set(frame.cells)) for frame in frames] == [2] * 5
    with_moves = gif_frames(run, moves=True)
    assert len(with_moves) == min(240, sum(generation.moves + 1 for generation in run))
    assert with_moves[-1] == frames[-1]
    last_of_first = run[0].moves
    assert with_moves[last_of_first] == frames[0]
    assert len(gif_frames(run, moves=True, most=7)) == 7


# The command


def test_the_command_of_the_issue(capsys: Capture) -> None:
    answer = line(capsys, "life --pattern glider --size 8 --wrap --generations 32 --json").json()
    assert answer["fate"] == {"begin": 0, "period": 32, "extinct": False}
    assert answer["painted"] == len(answer["generations"]) == 33
    assert answer["generations"][0]["cells"] == answer["generations"][32]["cells"]
    # Anyone can play it again from the JSON.
    told = answer["generations"][5]
    game = new_game(told["variant"])
    for letter in told["moves"]:
        game.move(letter)
    assert str(game.board) == told["board"]


def test_files(capsys: Capture, tmp_path: Path) -> None:
    names = [str(tmp_path / f"run.{ending}") for ending in ("gif", "json", "rle", "cells")]
    outs = [part for name in names for part in ("--out", name)]
    told = here(capsys, "life", "-p", "blinker", "--size", "5x6", "--wrap", "-g", "3", *outs)
    assert told.code == 0
    assert told.out.count("wrote") == 4
    last = Life(5, 6, named("blinker").place(5, 6).next().cells, True)
    for name in names[2:]:
        assert read_pattern(name).place(5, 6, wrap=True) == last
    assert len(json.loads(Path(names[1]).read_text("utf-8"))["generations"]) == 4
    with Image.open(names[0]) as image:
        assert getattr(image, "n_frames", 0) == 4
    # The header of the RLE brings size and topology back.
    again = here(capsys, "life", "-p", names[2], "-g", "1", "--json").json()
    assert (again["rows"], again["columns"], again["wrap"]) == (5, 6, True)


def test_patterns_are_named_drawn_read_and_random(capsys: Capture) -> None:
    drawn = line(capsys, "life -p .#.|..#|### -g 0 --no-paint --json").json()
    called = line(capsys, "life -p Glider -g 0 --no-paint --json").json()
    assert drawn["generations"] == called["generations"]
    for coded in ("bo$2bo$3o!", "bo$2bo$3o", "by$2bx$3z"):  # the final ! may be missing
        told = line(capsys, f"life -p {coded} -g 0 --no-paint --json").json()
        assert told["generations"] == drawn["generations"], coded
    one, same, other = (
        line(capsys, f"life -p random --seed {seed} --size 9 -g 0 --no-paint --json").json()["generations"]
        for seed in (1, 1, 2)
    )
    assert one == same != other
    high = line(capsys, "life -p random --rule B36/S23 --size 9 -g 1 --no-paint --json").json()
    assert high["rule"] == "B36/S23"
    large = line(capsys, "life -p glider --size 256 --wrap -g 1 --json").json()
    assert [large[key] for key in ("rows", "columns", "painted")] == [256, 256, 0]  # too large for a game
    assert [each["alive"] for each in large["generations"]] == [5, 5]
    listed = line(capsys, "life --list --json").json()["patterns"]
    assert {k: listed[16][k] for k in ("name", "rows", "columns")} == {
        "name": "glider",
        "rows": 3,
        "columns": 3,
    }
    assert "gosper-gun" in line(capsys, "life --list").out


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ("--size 0", "no board of '0x0'"),
        ("--size 1000000", "no board of '1000000x1000000'"),
        ("--size 257", "Life runs on 1x2 to 256x256 cells"),
        ("--size x", "is not a size"),
        ("--size -3", "is not a size"),
        ("--generations -1", "'-1' generations"),
        ("--generations 1000000", "'1000000' generations"),
        ("--pattern glidre", "did you mean 'glider'"),
        ("--pattern missing.rle", "can't read 'missing.rle'"),
        ("--pattern bad.rle", "'bad.rle': 'q$3o!'"),
        ("--pattern ....", "no live cell"),
        ("--pattern 3o3", "'3' in the RLE '3o3'"),
        ("--pattern missing.lif", "can't read 'missing.lif'"),
        ("--pattern 99999999o!", "more than 256 columns"),
        ("--pattern gosper-gun --size 8", "doesn't fit"),
        ("--at 5", "ROW,COLUMN"),
        ("--at 99,0", "not a position"),
        ("--at -1,0", "not a position"),
        ("--rule B9/S2", "not a rule of Life"),
        ("--density 2 --pattern random", "'2'"),
        ("--speed 0", "--speed"),
        ("--out x.mp4", ".gif, .json, .rle, .cells"),
        ("--out no/such/x.gif", "no such folder"),
        ("--seed 99999999999999999999", "seed"),
    ],
)
def test_refusals(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: str, why: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.rle").write_text("x = 3, y = 3\nbob$2bq$3o!", "utf-8")
    assert why in line(capsys, f"life {arguments}").refusal()
    assert [path.name for path in tmp_path.iterdir()] == ["bad.rle"]


# The command, which sends itself Ctrl-C soon after its third generation, whatever the speed of the machine.
STOPPED = """
import os, signal, threading
from twofold.__main__ import main
from twofold.art import life_paint

run_painted = life_paint.run_painted

def stopping(*arguments, **options):
    for generation in run_painted(*arguments, **options):
        yield generation
        if generation.number == 2:
            threading.Timer(0.02, os.kill, (os.getpid(), signal.SIGINT)).start()

life_paint.run_painted = stopping
main()
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_ctrl_c_keeps_what_was_done(tmp_path: Path) -> None:
    out = tmp_path / "run.json"
    arguments = ["life", "-p", "random", "--size", "40", "-g", "5000", "--out", str(out)]
    done = subprocess.run([sys.executable, "-c", STOPPED, *arguments], capture_output=True, check=False)
    assert done.returncode == 130
    assert done.stdout == b""
    assert done.stderr.splitlines()[-1] == b"interrupted"
    kept = json.loads(out.read_text("utf-8"))["generations"]
    assert 3 <= len(kept) < 5000
    assert kept[0]["moves"]


# On a terminal


def test_lines_fit_and_show_tiles() -> None:
    (first,) = run_painted(named("glider").place(6, 8), 0)
    for look in (Look(True, True), Look(False, False)):
        for width, height in [(100, 40), (48, 18), (33, 12), (20, 6), (8, 6), (5, 3)]:
            lines = life_lines(first, look, width, height)
            assert len(lines) <= max(1, height)
            if width >= 8:
                assert max(each.cell_len for each in lines) <= width
    wide = life_lines(first, Look(True, True), 100, 40)
    assert first.board is not None
    numbers = [int(number) for each in wide for number in each.plain.split()]
    assert numbers == [value for row in first.board.values for value in row]
    marks = "".join(each.plain for each in life_lines(first, Look(False, False), 8, 6))
    assert marks == str(first.life).replace("|", "")
