"""What a visitor may ask for, without a browser: refusals of one line, and what passes comes out as it should."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from tests.ui.command import here
from tests.ui.web.conftest import HOSTILE, free_port
from twofold.errors import InvalidLimit, InvalidParameter, TwofoldError
from twofold.players import strongest
from twofold.records.record import Record
from twofold.rules import Board, Direction, Variant
from twofold.rules.palette import contrast, safe_colours

pytest.importorskip("nicegui", reason="the web page needs NiceGUI: pip install 'twofold[web]'")

from twofold.ui.shared.editing import edited
from twofold.ui.web.limits import (
    LIMITS,
    Memory,
    checked_board,
    checked_direction,
    checked_player,
    checked_record,
    checked_text,
    checked_variant,
    memory_of,
)


@pytest.mark.parametrize(
    "text",
    [
        "", "x" * 5000, None, 7, ["expectimax"], "human", "my.py:Mine", "expectimax:eval=my.py:f",
        "formation:opening=human", "formation:opening=formation(opening=human)",
        "expectimax:eval=lines(empty=1,merge=my.py:f)", "ntuple:file=a.net", "optimal:file=/etc/passwd",
        "expectimax:eval=network(file=a.net)", "expectimax:table=26", "lookahead:threads=64", "expectimax:depth=1e9",
        "\x00", "a:b=c",
        "expectimax:depth=1,eval=network:file=/etc/passwd", "expectimax:eval=neural:file=a", "neural:file=a",
        "expectimax(eval=network(file=a))", "endgame:file=/tmp,then=greedy", "optimal(file=a)",
        "endgame:file=,then=expectimax(table=26)", "montecarlo:eval= network:file=a",
        "expectimax:table=+26", "expectimax:table=0000000026", "expectimax:table=2_1", "expectimax:table=21e0",
        "expectimax(table=+26)", "lookahead:threads=+3", "lookahead:threads=3e0", "lookahead:threads=0_3",
        "minimax:table=2_6", "expectimax:eval=my.py:f:a=1", "expectimax:eval=(my.py:f)", "a(b=" * 300 + ")" * 300,
    ],
)  # fmt: skip
def test_players_that_a_visitor_may_not_have(text: object) -> None:
    with pytest.raises(TwofoldError) as caught:
        checked_player(text)
    assert "\n" not in str(caught.value)


def test_tables_are_made_for_no_visitor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strongest, "strongest_folder", lambda: tmp_path)
    for text in ("strongest", "strongest:budget=1"):
        with pytest.raises(InvalidParameter, match="have not been made"):
            checked_player(text)
    assert checked_player("strongest:budget=0") == "strongest:budget=0"


def test_a_players_text_comes_out_canonical() -> None:
    assert checked_player(" expectimax:depth=3,table=18 ") == "expectimax:depth=3"
    assert checked_player("greedy") == "greedy"
    assert checked_player("expectimax:table=+19,eval=network") == "expectimax:eval=network,table=19"
    assert checked_player("lookahead:threads=+2") == "lookahead:threads=2"


def test_all_visitors_share_one_bound_of_memory() -> None:
    large = memory_of("expectimax:table=20")
    assert large - memory_of("expectimax:table=0") == 16 << 20
    memory = Memory(3 * large)
    given = [memory.take(large) for _ in range(3)]
    with pytest.raises(InvalidLimit, match="memory"):
        memory.take(1)
    given[0]()
    given[0]()  # what is given back twice counts once
    memory.take(large)
    with pytest.raises(InvalidLimit):
        memory.take(1)


@pytest.mark.parametrize(
    "text", ["17x4", "4x64;p4=0.2", "4x4;spawn=evil:depth=3,eval=default", "6x6;spawn=evil:depth=1,eval=default",
             "4x4;spawn=evil:depth=1,eval=a.py:f", "4x4;spawn=evil:depth=1,eval=network(file=/etc/passwd)"]
)  # fmt: skip
def test_rules_that_a_visitor_may_not_have(text: str) -> None:
    with pytest.raises(TwofoldError):
        checked_variant(Variant.parse(text))
    with pytest.raises(TwofoldError):
        checked_record(Record(text))


@pytest.mark.parametrize("fragment", HOSTILE)
def test_hostile_links_are_refused_in_one_line(fragment: str) -> None:
    with pytest.raises(TwofoldError) as caught:
        checked_record(Record.from_fragment("#" + fragment)).replay()
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_the_largest_that_is_allowed_is_allowed() -> None:
    assert checked_variant(Variant.parse("16x16")).rows == 16
    assert checked_variant(Variant.parse("5x5;spawn=evil:depth=2,eval=default")).evil is not None
    with pytest.raises(TwofoldError):
        checked_record(Record("4x4", 1, "U" * (LIMITS.record + 1)))


@pytest.mark.parametrize("number", [-1, 4, 1.0, True, "1", None, [0], float("nan")])
def test_what_is_no_move(number: object) -> None:
    with pytest.raises(TwofoldError):
        checked_direction(number)


def test_moves_are_numbers() -> None:
    assert [checked_direction(number) for number in range(4)] == list(Direction)


@pytest.mark.parametrize("text", ["", "2 3", "2" * 10_000, "2 . " * 20 + "2", None, "[[NaN]]"])
def test_what_is_no_board(text: object) -> None:
    with pytest.raises(TwofoldError):
        checked_board(text)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--curve", "none.csv"], "can't read 'none.csv'"),
        (["--curve", "other.csv"], "'other.csv' is not a learning curve"),
        (["--store", "other.csv/a.db"], "other.csv/a.db"),
        (["--store", "nonsense"], "postgresql://"),
        (["--store", "other.db"], "other.db"),
    ],
)
def test_a_bad_curve_or_store_is_told_at_the_start(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: list[str],
    why: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("twofold.ui.web.server.serve", lambda *_, **__: pytest.fail("it was started"))
    for name in ("other.csv", "other.db"):
        Path(name).write_text("name,value\na,1\n")
    assert why in here(capsys, "web", "--no-open", "--port", str(free_port()), *options).refusal()


def test_texts_are_short() -> None:
    with pytest.raises(TwofoldError, match="at most"):
        checked_text("x" * (LIMITS.text + 1), "the text")


def test_a_board_is_edited_cell_by_cell() -> None:
    board = Board.parse("2 .|x 4")
    assert str(edited(board, {"cell": 0, "change": "raise"})) == "4 .|x 4"
    assert str(edited(board, {"cell": 0, "change": "lower"})) == ". .|x 4"
    assert str(edited(board, {"cell": 1, "change": "lower"})) == "2 .|x 4"
    assert str(edited(board, {"cell": 2, "change": "brick"})) == "2 .|. 4"
    assert str(edited(board, {"cell": 1, "change": "brick"})) == "2 x|x 4"
    assert str(edited(board, {"cell": 3, "change": "clear"})) == "2 .|x ."
    assert str(edited(board, {"cell": 1, "change": "value", "value": "131072"})) == "2 131072|x 4"
    assert edited(board, {"cell": 1, "change": "value", "value": "13"}) == board


@pytest.mark.parametrize(
    "change",
    [None, 3, {}, {"cell": 4, "change": "raise"}, {"cell": -1, "change": "raise"}, {"cell": True, "change": "raise"},
     {"cell": 0, "change": "burn"}, {"cell": 0, "change": "value", "value": 2}, {"cell": "0", "change": "raise"}],
)  # fmt: skip
def test_what_is_no_change_of_a_cell(change: object) -> None:
    with pytest.raises(TwofoldError):
        edited(Board.parse("2 .|x 4"), change)


def test_colours_for_those_who_see_few_differ_in_lightness_and_are_legible() -> None:
    white = (255, 255, 255)
    lightness = [contrast(white, safe_colours(rank).background) for rank in range(1, 18)]
    assert all(a * 1.02 < b for a, b in pairwise(lightness))
    assert all(contrast(*safe_colours(rank)) >= 4.5 for rank in (0, *range(1, 61), 255))
