"""The commands: their JSON, their texts for people, and every kind of bad input."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from tests.thorough import quick_ones
from tests.ui.command import command, here, line
from twofold import Board, Variant, __version__, play_game
from twofold.records.record import Record

BOARD = "2 . 4 .|. . . .|x 16 . .|. . . 2"
DEAD = "2 4|4 2"
Capture = pytest.CaptureFixture[str]


# play


def test_play_as_json_is_the_game_of_the_library() -> None:
    answer = command(
        "play", "--player", "greedy", "--size", "3x4", "--p4", "0.5", "--seed", "7", "--json"
    ).json()
    expected = play_game("greedy", "3x4;p4=0.5", seed=7)
    seconds, rate = answer.pop("seconds"), answer.pop("moves_per_second")
    assert answer == {
        "player": "greedy",
        "variant": "3x4;p4=0.5",
        "seed": 7,
        "score": expected.score,
        "max_tile": expected.max_tile,
        "moves": expected.moves,
        "won": False,
        "board": str(expected.board),
    }
    assert rate == pytest.approx(answer["moves"] / seconds, rel=0.05)


@pytest.mark.parametrize(
    ("options", "variant"),
    [
        ("--map 2#|x#", "map=2 .|x ."),
        ("--shape plus --size 5x5", "map=x . . . x|. . . . .|. . . . .|. . . . .|x . . . x"),
        ("--spawn br-columns --spawn-value 4 --target 64", "4x4;target=64;spawn=br-columns;value=4"),
        ("--empty-start --spawn script:0@2,5@4", "4x4;spawn=script:0@2,5@4;empty-start=1"),
        ("--variant 2x3;p4=1", "2x3;p4=1"),
    ],
)
def test_the_options_make_the_variant(capsys: Capture, options: str, variant: str) -> None:
    answer = line(capsys, f"play --player scripted:moves=LDRU,illegal=skip --seed 1 --json {options}").json()
    assert answer["variant"] == str(Variant.parse(answer["variant"]))
    if "plus" not in options:
        assert answer["variant"] == variant
    assert answer["moves"] <= 4


def test_play_can_stop_at_the_target(capsys: Capture) -> None:
    answer = line(capsys, "play -p greedy --target 16 --stop-at-target --seed 3 --json").json()
    assert answer["won"]
    assert answer["max_tile"] == 16


def test_a_game_of_a_run_is_played_by_its_number(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    answer = here(
        capsys, "play", "-p", "greedy", "--seed", "3", "--index", "5", "--json", "--record", str(path)
    )
    result = play_game("greedy", seed=3, index=5)
    assert (answer.json()["score"], answer.json()["board"]) == (result.score, str(result.board))
    assert Record.from_json(path.read_text("utf-8")).replay().board == result.board


def test_a_game_that_will_not_end_soon_says_so_and_stops(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("twofold.ui.cli.progress.PLAIN_SECONDS", 0.0)
    answer = here(capsys, "play", "-p", "random", "--size", "8x8", "--seed", "1", "--moves", "300", "--json")
    assert json.loads(answer.out)["moves"] == 300
    assert answer.err.startswith("1 moves so far (")
    assert "cells" not in answer.err
    monkeypatch.setattr("twofold.ui.cli.commands.play.LONG", 0.0)
    answer = here(capsys, "play", "-p", "random", "--size", "8x8", "--seed", "1", "--moves", "300", "--json")
    assert "64 cells may go on for millions of moves" in answer.err
    assert "--moves" in here(capsys, "play", "-p", "human", "--moves", "3").refusal()


def test_play_without_a_terminal_prints_a_plain_summary(capsys: Capture) -> None:
    answer = line(capsys, "play -p greedy --seed 3")
    assert answer.code == 0
    assert "\x1b" not in answer.out
    result = play_game("greedy", seed=3)
    assert result.board.pretty() in answer.out
    assert f"score     {result.score:,}" in answer.out


def test_without_a_seed_games_differ_and_tell_their_seed(capsys: Capture) -> None:
    first, second = (line(capsys, "play -p random --json").json() for _ in range(2))
    assert first["seed"] != second["seed"]
    again = line(capsys, f"play -p random --json --seed {first['seed']}").json()
    assert again["board"] == first["board"]


# move, best, convert


def test_move_tells_whether_it_is_legal() -> None:
    assert command("move", "2 2 .|. . .", "left", "--json").json() == {
        "legal": True,
        "board": "4 . .|. . .",
        "reward": 4,
    }


def test_an_illegal_move_changes_nothing_and_is_no_error(capsys: Capture) -> None:
    answer = here(capsys, "move", "4 . .|2 . .", "L", "--json").json()
    assert answer == {"legal": False, "board": "4 . .|2 . .", "reward": 0}
    assert "illegal" in here(capsys, "move", "4 . .|2 . .", "L").out


def test_best_as_json() -> None:
    answer = command("best", "2 2 .|8 . .|8 . .", "--player", "greedy", "--json").json()
    assert answer.pop("seconds") > 0
    assert answer == {
        "best": "UP",
        "values": {"UP": 16.0, "RIGHT": 4.0, "DOWN": 16.0, "LEFT": 4.0},
        "nodes": 4,
        "depth": 1,
        "losses": {"UP": 0.0, "RIGHT": 12.0, "DOWN": 0.0, "LEFT": 12.0},
        "unit": "points of the move",
        "next_tile": {"tile": 16, "chance": 1.0, "best": "UP", "source": "exact"},
    }


def test_a_dead_board_has_no_best_move_and_that_is_no_error(capsys: Capture) -> None:
    answer = here(capsys, "best", DEAD, "--player", "greedy", "--json").json()
    assert answer["best"] is None
    assert set(answer["values"].values()) == {None}
    assert "no move is legal" in here(capsys, "best", DEAD, "--player", "greedy").out


def test_an_illegal_answer_is_refused(capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / "up.py").write_text("def up(state):\n    return 'up'\n")
    text = here(capsys, "best", "2 2|4 4", "-p", f"{tmp_path}/up.py:up").refusal()
    assert "answered UP on '2 2|4 4'; legal: RIGHT, LEFT" in text


def test_a_player_that_gives_no_move_is_refused(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    (tmp_path / "lazy.py").write_text("def lazy(state):\n    pass\n")
    words = "gave no move on '2 2|. .'; legal: RIGHT, DOWN, LEFT"
    assert f"'lazy.py:lazy' {words}" in here(capsys, "best", "2 2|. .", "-p", "lazy.py:lazy").refusal()
    asked = here(capsys, "best", "2 2|. .", "-p", "human")
    assert (asked.code, asked.out) == (2, "")
    assert f"error: 'human' {words}\n" in asked.err
    assert "'lazy.py:lazy' gave no move on" in line(capsys, "play -p lazy.py:lazy --seed 1").refusal()
    assert line(capsys, "play -p scripted:moves=LDRD --size 3x3 --seed 2 --json").code == 0
    line(capsys, "exact solve 2x2 --target 8 --out a.policy")
    for games in ("0", "2"):
        told = here(capsys, "exact", "regret", "a.policy", "-p", "human", "--games", games)
        assert told.code == 2
        assert "'human' gave no move on" in told.err


def test_what_a_player_prints_keeps_out_of_the_json(tmp_path: Path) -> None:
    (tmp_path / "loud.py").write_text("print('hello')\ndef up(state):\n    print('hm')\n    return 'up'\n")
    done = command("best", "2 .|2 .", "-p", f"{tmp_path}/loud.py:up", "--json")
    assert json.loads(done.out)["best"] == "UP"
    assert [line for line in done.said() if line] == ["hello", "hm"]


def test_a_long_name_is_written_in_full(capsys: Capture) -> None:
    text = "scripted:moves=" + "LDRU" * 30
    assert text in here(capsys, "best", BOARD, "-p", text).out


def test_several_players_answer_side_by_side(capsys: Capture) -> None:
    arguments = ["best", BOARD, "-p", "greedy", "-p", "random"]
    answers = here(capsys, *arguments, "--json").json()["answers"]
    assert [answer["player"] for answer in answers] == ["greedy", "random"]
    out = here(capsys, *arguments).out
    assert any("greedy" in line and "random" in line for line in out.splitlines())


def test_every_loss_is_shown_in_full(capsys: Capture) -> None:
    arguments = ["best", "2 4 8 16|32 64 128 .|. . 4 .|2 . . .", "-p", "expectimax:depth=2"]
    losses = here(capsys, *arguments, "--json").json()["losses"]
    assert sum(loss > 1000 for loss in losses.values()) == 3  # wide numbers
    out = here(capsys, *arguments).out
    assert all(f" {loss:,.0f}" in out for loss in losses.values() if loss)


def test_best_depends_on_the_seed_only_through_chance(capsys: Capture) -> None:
    empty = ["best", "2 . .|. 4 .|. . .", "--player", "random", "--json", "--seed"]
    moves = {here(capsys, *empty, str(seed)).json()["best"] for seed in range(12)}
    assert len(moves) > 1
    assert here(capsys, *empty, "3").json()["best"] == here(capsys, *empty, "3").json()["best"]


@pytest.mark.parametrize("notation", ["spaced", "map", "array", "hex", "u64", "u64-low"])
def test_convert_writes_and_reads_each_notation(capsys: Capture, notation: str) -> None:
    board = Board.parse("0123456789abcdef")
    text = here(capsys, "convert", "0123456789abcdef", "--to", notation, "--json").json()["board"]
    assert text == board.format(notation)
    back = here(capsys, "convert", text, "--from", notation, "--json").json()
    assert back == {"board": str(board), "format": "spaced"}


def test_convert_draws_pictures(capsys: Capture) -> None:
    assert here(capsys, "convert", BOARD, "--to", "svg").out.startswith("<svg")
    assert here(capsys, "convert", BOARD, "--to", "grid").out == Board.parse(BOARD).pretty() + "\n"


# Lists of boards


@pytest.mark.parametrize("times", quick_ones([3, 30], (3).__eq__))
def test_a_list_is_answered_line_by_line_in_order(times: int) -> None:
    boards = ["2 2 .|. . .", "", DEAD, "[[4,4],[2,8]]", "0123456789abcdef"] * times
    done = command("best", "--player", "greedy", "--json", input="\n".join(boards))
    assert done.code == 0
    bests = [json.loads(line)["best"] for line in done.out.splitlines()]
    assert bests == ["RIGHT", None, "RIGHT", "UP"] * times


def test_a_bad_line_is_named_and_the_others_answered(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "boards.txt"
    file.write_bytes(b"2 2|. .\n\n3 .|. .\n\xff\xfe\n4 4|. .\n")
    done = here(capsys, "best", str(file), "--player", "greedy", "--json")
    assert done.code == 2
    answers = [json.loads(line) for line in done.out.splitlines()]
    assert answers[0]["best"] == answers[3]["best"] == "RIGHT"
    assert answers[1]["error"].startswith("line 3: '3' in row 1")
    assert answers[2]["error"].startswith("line 4: ")
    (said,) = done.said()
    assert said.startswith("error: line 3: ")
    plain = here(capsys, "best", "--file", str(file), "--player", "greedy")
    assert [line.split()[0] for line in plain.out.splitlines()] == ["RIGHT", "error:", "error:", "RIGHT"]


def test_convert_takes_lists_too(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "boards.txt"
    file.write_text("2#|##\n[[2,0],[0,0]]\n")
    assert here(capsys, "convert", str(file), "--to", "array").out == "[[2,0],[0,0]]\n" * 2


def test_random_answers_of_a_list_do_not_depend_on_the_threads(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "boards.txt"
    file.write_text("2 . .|. 4 .|. . .\n" * 12)
    runs = [here(capsys, "best", str(file), "-p", "random", "--seed", "5", "--json").out for _ in range(2)]
    first, second = ([json.loads(line)["best"] for line in run.splitlines()] for run in runs)
    assert first == second
    assert len(set(first)) > 1


# players, evals, help, version


def test_players_as_json_list_parameters(capsys: Capture) -> None:
    players = {entry["name"]: entry for entry in here(capsys, "players", "--json").json()["players"]}
    script = {parameter["name"]: parameter for parameter in players["scripted"]["parameters"]}
    assert script["illegal"]["choices"] == ["error", "skip"]
    assert script["illegal"]["default"] == "error"
    assert here(capsys, "players", "greedy", "--json").json() == players["greedy"]


def test_players_and_evals_for_people(capsys: Capture) -> None:
    assert "greedy" in here(capsys, "players").out
    one = here(capsys, "players", "scripted").out
    assert "illegal=error" in one
    assert "source: S4" in one
    assert "formula" in here(capsys, "evals", "snake").out
    assert {"snake", "empty"} <= {entry["name"] for entry in here(capsys, "evals", "--json").json()["evals"]}


def test_version_and_help(capsys: Capture) -> None:
    assert here(capsys, "--version").out == f"twofold {__version__}\n"
    assert here(capsys).out == here(capsys, "--help").out
    for name in ("train", "arena", "exact"):
        alone = here(capsys, name)
        assert (alone.code, alone.err) == (0, "")
        assert alone.out.split() == here(capsys, name, "--help").out.split()
    for name in ("play", "move", "best", "players", "evals", "convert", "bench"):
        done = here(capsys, name, "--help")
        assert done.code == 0
        assert "--json" in done.out
        assert "--seed" in done.out
        assert "<bool>" not in done.out


# Refusals


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["best", "2 . .|. ."], "all rows must be equally long"),
        (["best", "2x2"], "'2x2' is a size, not a board: an empty 2x2 board is '. .|. .'"),
        (["about", "4x4"], "is a size, not a board"),
        (["move", "2X2", "left"], "is a size, not a board"),
        (["exact", "count", "2x2"], "is a size, not a board"),
        (["exact", "tree", "2x2", "--target", "8"], "is a size, not a board"),
        (["best", "2 ? .|. . ."], "write '.' or '#' for empty"),
        (["best", "2 3 .|. . ."], "powers of two"),
        (["best", f"{2**61} .|. ."], "2^60"),
        (["play", "--size", "-4x4"], "write ROWSxCOLUMNS"),
        (["move", "2 2|4 .", "left", "--size", ""], "--size is empty: give it a value, or leave it out"),
        (["convert", "2 2|4 .", "--size", ""], "--size is empty"),
        (["arena", "run", "-p", "random", "--name", ""], "--name is empty"),
        (["arena", "list", "--store", ""], "--store is empty"),
        (["play", "--seed", "-1"], "error: seed '-1' is not a whole number from 0 to 2^64-1"),
        (["play", "--index", str(1 << 64)], "error: index '18446744073709551616' is not a whole number"),
        (["play", "--player", "/etc/passwd:Foo"], "names no Python file: code of your own is FILE.py:NAME"),
        (["best", BOARD, "-p", "expectimax:eval=evals.txt:mine"], "names no Python file"),
        (["best", "2 2|4 \udcff"], "'\\xff' in row 2 is not a cell"),
        (["exact", "solve", "2x2", "--gamma", "1e999"], "--gamma='1e999' is too large for a 64-bit number"),
        (["exact", "solve", "2x2", "--target", "16", "--work", "/dev/fd/none"], "free for '/dev/fd/none'"),
        (["train", "ntuple", "--threads", "-1"], "threads -1 is not a number from 0 to 256"),
        (["paths", "3x3", "--out", "no-folder/x.svg"], "there is no such folder"),
        (["play", "--size", "99999x99999"], "from 1x2 to 64x64"),
        (["best", "2" * 200_000], "too long"),
        (["play", "--player", "gredy"], "did you mean 'greedy'"),
        (["best", BOARD, "--player", "expectimax:dept=3"], "did you mean 'depth'"),
        (["best", BOARD, "--player", "expectimax:depth=0"], "from 1 to"),
        (["play", "--p4", "nan"], "from 0 to 1"),
        (["play", "--p4", "many"], "--p4='many' is not a number from 0 to 1"),
        (["play", "--p4", "1e-400"], "write 0"),
        (["play", "--variant", "4x4;p4=1e-400"], "write 0"),
        (["play", "--target", "abc"], "--target='abc' is not a whole number"),
        (["play", "--seed", "１"], "--seed='１' is not a whole number"),
        (["best", BOARD, "--score", "-1"], "--score='-1' is not a whole number of at least 0"),
        (["arena", "run", "--games", "x"], "--games='x' is not a whole number"),
        (["exact", "tree", "--most", "0"], "--most='0' is not a whole number of at least 1"),
        (["play", "--size", "4x4", "x" * 5000], "unexpected"),
        (["best", "[]"], "an array without numbers"),
        (["play", "--target", "100"], "power of two"),
        (["play", "--spawn", "middle"], "is not one of"),
        (["play", "--spawn-value", "8"], "is not one of"),
        (["play", "--spawn-value", "4", "--p4", "0.5"], "--p4 and --spawn-value 4 both say what spawns"),
        (
            ["best", BOARD, "--spawn-value", "4", "--spawn-values", "2:1"],
            "--spawn-values and --spawn-value 4 both",
        ),
        (["paint", ".#.|###", "--colours", "-1"], "is a picture in text, with colours and a size of its own"),
        (["paint", ".#.|###", "--size", "9x9"], "leave out --size, which is for images"),
        (["play", "--shape", "star"], "known: plus"),
        (["play", "--map", "2#", "--shape", "plus"], "use only one of them"),
        (["play", "--variant", "4x4", "--size", "3x3"], "leave out the other rule options"),
        (["play", "--seed", "-1"], "2^64"),
        (["best", BOARD, "--seed", str(2**64)], "2^64"),
        (["play", "--speed", "0"], "above 0"),
        (["move", BOARD, "sideways"], "UP, RIGHT, DOWN, LEFT"),
        (["convert", BOARD, "--to", "hex"], "no sign for a brick"),
        (["convert", "2 x|. .", "--to", "aray"], "did you mean 'array'"),
        (["best", "--file", "no/such/file.txt"], "can't read"),
        (["best", "no/such/file.txt"], "can't read"),
        (["best", "/"], "can't read"),
        (["best", "boards.txt"], "can't read 'boards.txt'"),
        (["best", BOARD, "--file", "x"], "not both"),
        (["evals", "snak"], "did you mean 'snake'"),
        (["bench", "--seconds", "inf"], "--seconds='inf' is not a number"),
        (["bench", "--seconds", "0"], "above 0"),
        (["plya"], "twofold --help"),
        (["play", "--sise", "4x4"], "--size"),
        (["move", BOARD], "DIRECTION"),
    ],
)
def test_bad_input_is_one_line_that_says_what_is_right(
    capsys: Capture, arguments: list[str], hint: str
) -> None:
    assert hint in here(capsys, *arguments).refusal()


@pytest.mark.parametrize(
    ("arguments", "input"),
    [
        (["best", "2 . .|. .", "--json"], ""),
        (["play", "--p4", "nan", "--json"], ""),
        (["play", "--player", "expectimax:dept=3"], ""),
        (["best", "--json"], ""),
        (["nonsense"], ""),
    ],
)
def test_refusals_hold_for_the_process_too(arguments: list[str], input: str) -> None:
    command(*arguments, input=input).refusal()


def test_nul_bytes_in_a_list_are_shown_escaped() -> None:
    done = command("best", "--json", "-p", "greedy", input=b"2 \x00 .|. . .\n")
    assert done.code == 2
    assert "\\x00" in done.err
    assert "\x00" not in done.err


def test_a_hostile_file_name_does_no_harm(capsys: Capture) -> None:
    assert "\x1b" not in here(capsys, "best", "\x1b[31mred").refusal()
    assert "\x1b" not in here(capsys, "\x1b[31mred").refusal()
    assert "can't read" in here(capsys, "best", "--file", "a\0b").refusal()
    assert "can't read" in here(capsys, "best", "--file", "/").refusal()


# The engine behind the commands


@pytest.mark.slow
def test_bench_gives_four_figures(capsys: Capture) -> None:
    figures = line(capsys, "bench --seconds 0.05 --json").json()
    assert set(figures) == {
        "random_moves_per_second",
        "general_moves_per_second",
        "expectimax_moves_per_second",
        "expectimax_leaves_per_second",
    }
    assert all(figure > 0 for figure in figures.values())


def test_an_evil_evaluation_that_there_is_not_is_refused(capsys: Capture) -> None:
    assert "nope" in here(capsys, "best", "2 .|. 2", "--spawn", "evil:eval=nope").refusal()


def test_an_evil_game_is_played(capsys: Capture) -> None:
    answer = line(capsys, "play -p greedy --size 2x2 --spawn evil:depth=1,eval=empty --seed 1 --json").json()
    assert answer["variant"] == "2x2;spawn=evil:depth=1,eval=empty"
    assert answer["moves"] > 0


def test_the_default_player_answers(capsys: Capture) -> None:
    answer = here(capsys, "best", BOARD, "--json").json()
    assert answer["best"] in answer["values"]
    assert answer["nodes"] > 0
    assert answer["depth"] > 0
