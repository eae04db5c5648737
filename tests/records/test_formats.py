"""Games in other programs' files: published examples, round trips, and files that are refused with the place."""

from __future__ import annotations

import itertools
import json
import random
import struct
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

from tests.ui.command import here
from tests.waiting import at_once
from twofold.errors import InvalidFile, TwofoldError
from twofold.records.formats import convert, decode_record, encode_record, read_record
from twofold.records.line import Line, record_of
from twofold.records.record import Record
from twofold.rules.board import Board
from twofold.rules.game import Game
from twofold.rules.variant import Variant

HOLD = {"verse1": (2, 4), "verse2": (2, 8), "rpl": (4, 4), "rec": (4, 4), "vrs": (4, 4)}
"""Formats that are written: the smallest and the largest side."""


def random_game(seed: int, rows: int = 4, columns: int = 4, most: int = 10_000) -> Game:
    game = Game(Variant.of_size(rows, columns), seed)
    chance = random.Random(seed)
    while not game.is_over and game.moves < most:
        game.move(chance.choice(game.legal_moves()))
    return game


def same(record: Record, game: Game) -> None:
    played = record.replay()
    assert played.history == game.history
    assert played.board == game.board
    assert played.score == game.score
    assert [moved.spawn for moved in played.moved] == [moved.spawn for moved in game.moved]


def test_the_published_example_of_2048verse() -> None:
    """FORMATS 3 and 4: an end board and a score that were replayed elsewhere, in both forms."""
    for text in ("replay_(!äfC", "4x4-_¾úw¾û0¾ý2¾üh¾ý3", "(!äfC"):
        form = "verse1" if text.startswith("(") else None
        game = decode_record(text.encode(), form=form).replay()
        assert str(game.board) == ". . . .|. . . .|. . . 4|2 . . 4"
        assert game.score == 8
    record = decode_record("replay_(!äfC".encode())
    assert encode_record(record, "verse2").decode() == "4x4-_¾úw¾û0¾ý2¾üh¾ý3\n"
    assert encode_record(record, "verse1").decode() == "replay_(!äfC\n"


def test_the_second_published_example() -> None:
    """FORMATS 4: decoded with the official code."""
    game = decode_record(b"4x4-_00000g03O005").replay()
    assert [move.name for move in game.history] == ["LEFT", "DOWN"]
    assert str(game.board) == "4 . . .|. . . .|. . . .|4 . . 2"


def test_texts_that_went_through_a_wrong_encoding() -> None:
    text = "replay_(!äfC"
    for data in (
        text.encode("cp850"),
        text.encode().decode("latin-1").encode(),
        b"\xef\xbb\xbf" + text.encode(),
    ):
        assert str(decode_record(data).replay().board) == ". . . .|. . . .|. . . 4|2 . . 4"


@pytest.mark.parametrize("games", [60, pytest.param(1000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("form", HOLD)
def test_round_trips_of_random_games(form: str, games: int) -> None:
    """Games of the sizes that each format holds, one in twenty longer."""
    small, large = HOLD[form]
    sizes = itertools.cycle(itertools.product(range(small, large + 1), repeat=2))
    for seed, size in zip(range(games), sizes, strict=False):
        game = random_game(seed, *size, most=150 if seed % 20 == 0 else 12)
        ending = f".{form}" if form in ("rpl", "rec", "vrs") else ""
        data = encode_record(Record.of(game), form)
        if form.startswith("verse") and size[0] != size[1]:
            assert f"{size[0]}x{size[1]}".encode() in data
        if game.moves:
            same(decode_record(data, ending), game)


@pytest.mark.parametrize("form", HOLD)
def test_a_format_is_known_by_its_contents(form: str) -> None:
    """As from standard input, which has no ending."""
    same(decode_record(encode_record(Record.of(random_game(8)), form)), random_game(8))


def test_our_own_record_keeps_given_spawns(tmp_path: Path) -> None:
    game = random_game(3)
    (tmp_path / "game.vrs").write_bytes(encode_record(Record.of(game), "vrs"))
    record = read_record(tmp_path / "game.vrs")
    assert Record.from_json(record.to_json()) == record
    assert Record.from_fragment(record.to_fragment()) == record
    same(record, game)
    again = record.replay()
    again.undo()
    again.redo()
    assert again.board == game.board
    assert Record.of(again) == record


def test_our_own_record_keeps_changed_spawns() -> None:
    game = Game(seed=5)
    for number, value in enumerate(("4", "2", "random")):
        game.change_spawns(place="tl-rows" if number < 2 else "random", value=value)
        for _ in range(4):
            game.move(game.legal_moves()[0])
    for _ in range(6):
        game.undo()
    record = Record.of(game)
    assert record.changes == "0:tl-rows,4;4:tl-rows,2;8:random,random"
    assert Record.from_json(record.to_json()) == Record.from_fragment(record.to_fragment()) == record
    again = record.replay()
    assert (again.state, Record.of(again)) == (game.state, record)
    shown = json.loads(encode_record(record, "twofold", last=True))
    assert Record.from_json(json.dumps(shown)).replay().board == game.board
    while game.redo():
        assert again.redo()
        assert again.state == game.state


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ("1", "'1' is not MOVES:PLACE,VALUE"),
        ("0:tl-rows,2;", "'' is not"),
        ("2:tl-rows,2", "no move 2"),
        ("0:tl-rows,8", "8"),
    ],
)
def test_changes_that_are_none(changes: str, message: str) -> None:
    with pytest.raises(TwofoldError, match=message):
        Record("4x4", 1, "L", changes=changes).replay()


def test_rpl_in_both_orders_of_cells() -> None:
    game = random_game(5)
    data = encode_record(Record.of(game), "rpl")
    turned = b"".join(
        struct.pack("<Q", int(f"{number:016x}"[::-1], 16)) + rest
        for number, rest in struct.iter_unpack("<Q17s", data)
    )
    same(decode_record(turned, ".rpl"), game)
    marked = turned[:-25] + b"\xff" * 8 + turned[-17:]  # the mark's board may be anything
    played = decode_record(data[:-25] + b"\xff" * 8 + data[-17:], ".rpl").replay()
    assert played.board == game.board
    assert decode_record(marked, ".rpl").replay().moves == game.moves


def test_the_older_rec_file() -> None:
    game = random_game(6)
    boards = [(moved.before.board, moved.before.score) for moved in game.moved] + [(game.board, game.score)]
    data = b"".join(struct.pack("<QI", int(board.format("u64"), 16), score) for board, score in boards)
    played = decode_record(data, ".rec").replay()
    assert (played.board, played.score, played.moves) == (game.board, game.score, game.moves)


def test_next_replays_with_moves_taken_back() -> None:
    text = "REPLAY_v4C_S1100000000000000"
    alphabet = "".join(map(chr, (*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0xC4))))
    left = alphabet[3 << 5 | 15]
    back = alphabet[127] + alphabet[1]
    game = decode_record((text + left + back + left).encode()).replay()
    assert str(game.board) == "4 . . .|. . . .|. . . .|. . . 2"
    with pytest.raises(InvalidFile, match="taken back before the first"):
        decode_record((text + back).encode())
    with pytest.raises(InvalidFile, match="is edited"):
        decode_record((text + alphabet[127] + alphabet[2]).encode())


def test_stored_states() -> None:
    board = Board.parse("2 . . 4|. 8 . .|. . 16 .|. . . 2048")
    data = encode_record(record_of(Line(board, (), 20_000), "test"), "original")
    found = json.loads(data)
    assert found["grid"]["cells"][3][0] == {"position": {"x": 3, "y": 0}, "value": 4}
    assert (found["score"], found["over"], found["won"]) == (20_000, False, True)
    game = decode_record(data).replay()
    assert (game.board, game.score, game.moves) == (board, 20_000, 0)
    term = b"2 0 0 0 0 4 0 0 0 0 0 0 0 0 0 0\n8"
    assert decode_record(term).replay().score == 8


def test_what_a_format_cannot_hold() -> None:
    game = random_game(1)
    for record, form, message in (
        (Record("5x5", 1, "L"), "verse1", "boards up to 4x4"),
        (Record("map=2 . .|. 2 x", 1), "verse2", "holds open boards"),
        (Record("map=2 8 .|. 2 .", 1), "verse2", "begin with two tiles"),
        (Record("3x3", 1), "rpl", "open 4x4 boards"),
        (Record("map=32768 32768 . .|. . . .|. . . .|. . . .", 1, "L"), "rec", "move 1 makes 65,536"),
        (Record.of(game), "original", "--last"),
        (Record.of(game), "next", "read only"),
        (Record("4x4;values=8:1", 1, "LD"), "rpl", "2 and 4 only"),
    ):
        with pytest.raises(InvalidFile, match=message):
            encode_record(record, form)
    state = json.loads(encode_record(Record.of(game), "original", last=True))
    assert (state["score"], state["over"]) == (game.score, True)


def illegal(form: str, data: bytes) -> bytes:
    """A file whose moves stop to be legal, or to lead where it says."""
    if form == "twofold":
        record = json.loads(data)
        return json.dumps(record | {"moves": record["moves"][:20] + "U" * 500}).encode()
    if form == "verse1":
        return b"replay_(!" + b"!" * 60
    if form == "verse2":
        return b"4x4-_00000g" + b"000" * 60
    text = bytearray(data)
    place, flip = {"rpl": (20 * 25 + 8, 1 << 5), "rec": (21 * 17, 1 << 5), "vrs": (20 * 13, 0x55)}[form]
    text[place] ^= flip
    return bytes(text)


def broken(form: str, kind: str) -> bytes:
    game = random_game(2)
    data = encode_record(Record.of(game), form)
    if kind == "cut off":  # within an event: a file that ends between two is a game that wasn't finished
        return data[: {"verse1": 8, "twofold": 40}.get(form, -2)]
    if kind == "illegal":
        return illegal(form, data)
    return data * (1 + 26_000_000 // len(data))


@pytest.mark.parametrize("form", ["twofold", "verse1", "verse2", "rpl", "rec", "vrs"])
@pytest.mark.parametrize("kind", ["cut off", "illegal", "long"])
def test_broken_files_are_refused_at_once(form: str, kind: str, tmp_path: Path) -> None:
    ending = {"twofold": ".json", "verse1": ".txt", "verse2": ".txt"}.get(form, f".{form}")
    path = tmp_path / f"game{ending}"
    path.write_bytes(broken(form, kind))
    with pytest.raises(InvalidFile) as caught, at_once():
        read_record(path).replay()
    assert str(caught.value).isprintable()
    if kind == "illegal":
        assert "move" in str(caught.value)


MILLION = {
    "verse1.txt": "replay_!ä" + "fC" * 500_000,
    "verse2.txt": "4x4-_00000g" + "03O" * 1_000_000,
    "wide.txt": "8x8-_00000g" + "03O" * 999_998,
    "next.txt": "REPLAY_v4C_S0000000000000012" + "!" * 1_000_000,
    "game.rpl": "\0" * 25 * 300_000,
    "game.rec": "\0" * 17 * 490_000,
    "older.rec": "\0" * 12 * 650_000,
    "game.vrs": "\0" * 13 * 600_000,
    "game.json": json.dumps(
        {"twofold": 1, "variant": "8x8", "moves": "URDL" * 250_000, "spawns": "1@2,2@2" + ",9@2" * 1_000_000}
    ),
}


@pytest.mark.parametrize("name", MILLION)
def test_a_million_moves_of_each_format_are_refused_at_once_and_in_little_memory(
    name: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text(MILLION[name], encoding="utf-8")
    tracemalloc.start()
    try:
        with pytest.raises(InvalidFile, match="move"):
            read_record(path).replay()
        assert tracemalloc.get_traced_memory()[1] < 120_000_000
    finally:
        tracemalloc.stop()
    with pytest.raises(InvalidFile), at_once(1.5):
        read_record(path).replay()


@pytest.mark.parametrize("form", ["rpl", "rec", "vrs"])
def test_a_position_with_too_large_a_tile_is_refused(form: str) -> None:
    record = Record("map=131072 2 . .|. . . .|. . . .|. . . .")
    with pytest.raises(InvalidFile, match="begins with 131,072"):
        encode_record(record, form)


@pytest.mark.parametrize("ending", [".json", ".txt", ".rpl", ".rec", ".vrs", ""])
@pytest.mark.parametrize(
    "data", [b"", b"\0" * 60, b"PK\3\4rubbish", b"{", b"replay", b"4x4-", b"REPLAY_v4C_"]
)
def test_files_that_are_no_games(ending: str, data: bytes) -> None:
    with pytest.raises(InvalidFile) as caught:
        decode_record(data, ending)
    assert str(caught.value).isprintable()


# The memory of a child counts from that of the process that starts it: so a small one starts it.
MEASURED = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(done.returncode)
"""
WITHOUT_NUMBA = """
import sys
sys.modules["numba"] = None  # an import of it fails
from twofold.__main__ import main
main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="measures a process as Unix does")
@pytest.mark.parametrize(("form", "kind"), [("twofold", "illegal"), ("rpl", "cut off"), ("vrs", "long")])
def test_a_review_of_a_broken_file_is_refused_before_anything_heavy_is_loaded(
    form: str, kind: str, tmp_path: Path
) -> None:
    """One line, exit code 2, without numba, within 200 MB."""
    path = tmp_path / ("game.json" if form == "twofold" else f"game.{form}")
    path.write_bytes(broken(form, kind))
    command = [sys.executable, "-c", MEASURED, sys.executable, "-c", WITHOUT_NUMBA, "review", str(path)]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1
    assert int(done.stdout) < 200_000 * (1024 if sys.platform == "darwin" else 1)


def test_a_million_moves_are_refused_before_they_are_played() -> None:
    with pytest.raises(InvalidFile, match="no game on 4x4 has more than"), at_once():
        Record("4x4", 1, "LURD" * 250_000).replay()


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "game.json")
    played = here(capsys, "play", "-p", "greedy", "--seed", "4", "--record", path, "--json").json()
    assert read_record(path).replay().score == played["score"]
    for name in ("game.txt", "game.rpl", "game.rec", "game.vrs", "again.json"):
        done = here(capsys, "record", "convert", path, str(tmp_path / name), "--json").json()
        assert done["score"] == played["score"]
        assert read_record(tmp_path / name).replay().board == Board.parse(played["board"])
    message = here(capsys, "record", "convert", path, str(tmp_path / "game.xyz")).refusal()
    assert "none of the endings" in message
    assert "can't read" in here(capsys, "record", "convert", str(tmp_path / "none"), path).refusal()
    assert convert(path, str(tmp_path / "x"), write="verse2").moves
