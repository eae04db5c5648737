"""The formats of games in files: their names, which one a file is in, reading and writing.

| name | file | what it holds |
|---|---|---|
| `twofold` | `.json` | our own record: any game, with its seed |
| `verse1` | text, `replay_…` | 2048verse's first form: open boards up to 4x4 |
| `verse2` | text, `4x4-_…` | its second form: open boards up to 8x8 |
| `next` | text, `REPLAY_v4C_…` | 2048-next's replay, read only |
| `rpl`, `rec`, `vrs` | `.rpl`, `.rec`, `.vrs` | open 4x4 games with tiles up to 32768 |
| `original` | JSON, `{"grid": …}` | the original game's stored state: one position; 2048verse's is read |
| `term2048` | `~/.term2048.store` | one position, read only |

A game that is no `twofold` record has no seed: its record keeps every tile that appeared.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from twofold.errors import InvalidFile, TwofoldError, UnknownFormat, quote
from twofold.files import check_target, read_file, write_file
from twofold.records import boards, positions, verse
from twofold.records.line import Line, line_of, record_of
from twofold.records.record import Record

MOST_BYTES = 8 << 20
"""A longer file is no game: a record of the most moves, with its spawns, has less."""


@dataclass(frozen=True, slots=True)
class Format:
    """How one format is read and written.

    what: what a message calls it. looks: whether bytes look like it, by their first ones; a file of boards, by all of
    them. ending: of a file's name.
    read, write: None where it can't be; both raise InvalidFile.
    """

    what: str
    looks: Callable[[bytes], bool]
    read: Callable[[bytes], Line] | None = None
    write: Callable[[Line], bytes] | None = None
    ending: str = ""


def _json_with(*names: str) -> Callable[[bytes], bool]:
    return lambda data: data.lstrip()[:1] == b"{" and any(f'"{name}"'.encode() in data for name in names)


FORMATS: dict[str, Format] = {
    "twofold": Format("record", _json_with("twofold", "variant"), ending=".json"),
    "original": Format(
        "stored state", _json_with("grid", "boardState", "gameState"), positions.read_state, positions.write_state
    ),
    "next": Format("replay", lambda data: data.startswith(b"REPLAY_"), verse.read_next),
    "verse1": Format("replay", lambda data: data.startswith(b"replay"), verse.read_one, verse.write_one, ".txt"),
    "verse2": Format(
        "replay", lambda data: data[:1].isdigit() and b"-" in data[:8] and b"x" in data[:4], verse.read_two,
        verse.write_two,
    ),
    "rpl": Format(".rpl file", boards.is_rpl, boards.read_rpl, boards.write_rpl, ".rpl"),
    "rec": Format(".rec file", boards.is_rec, boards.read_rec, boards.write_rec, ".rec"),
    "vrs": Format(".vrs file", boards.is_vrs, boards.read_vrs, boards.write_vrs, ".vrs"),
    "term2048": Format("store", lambda data: data[:31].replace(b" ", b"").isdigit(), positions.read_term),
}  # fmt: skip


def find_format(name: str) -> Format:
    """The format of that name. Raises UnknownFormat."""
    if name not in FORMATS:
        raise UnknownFormat(name, FORMATS)
    return FORMATS[name]


def read_record(path: str | os.PathLike[str], form: str | None = None) -> Record:
    """The game in a file, of any format, or of the one named; `-` is standard input. Raises InvalidFile."""
    name = os.fspath(path)
    data = sys.stdin.buffer.read(MOST_BYTES + 1) if name == "-" else read_file(name, MOST_BYTES + 1)
    try:
        return decode_record(data, Path(name).suffix, form)
    except InvalidFile as error:
        raise InvalidFile(f"{quote(name)}: {error}") from None


def decode_record(data: bytes, ending: str = "", form: str | None = None) -> Record:
    """The game that bytes hold; ending: of the file they come from, `.rpl`. Raises InvalidFile."""
    if len(data) > MOST_BYTES:
        raise InvalidFile(f"more than {MOST_BYTES >> 20} MiB: no game is that long")
    if not data.strip():
        raise InvalidFile("it is empty")
    found = _form_of(data, ending) if form is None else find_format(form)
    if found is FORMATS["twofold"]:
        return Record.from_json(data.decode("utf-8-sig", "replace"))
    assert found.read is not None
    return record_of(found.read(data), found.what)


def _form_of(data: bytes, ending: str) -> Format:
    head = data.removeprefix(b"\xef\xbb\xbf").lstrip()[:4096]
    by_look = next(
        (form for form in FORMATS.values() if form.looks(data if _is_binary(form) else head)), None
    )
    by_name = next((form for form in FORMATS.values() if form.ending and form.ending == ending.lower()), None)
    binary = by_name is not None and _is_binary(by_name)
    found = by_name if binary else by_look
    if found is None:
        raise InvalidFile(
            f"{quote(head[:40].decode('utf-8', 'replace'))} begins like no known game file: {', '.join(FORMATS)}"
        )
    return found


def _is_binary(form: Format) -> bool:
    return form.what.startswith(".")


def format_of_name(path: str) -> str:
    """The name of the format that the ending of a file's name says. Raises InvalidFile."""
    ending = Path(path).suffix.lower()
    found = next((name for name, form in FORMATS.items() if form.ending and form.ending == ending), None)
    if found is None:
        raise InvalidFile(
            f"{quote(path)} has none of the endings .json, .txt, .rpl, .rec and .vrs: name one of these "
            f"formats: {', '.join(_writable())}"
        )
    return found


def check_record_file(path: str, form: str) -> None:
    """Refuses, before the work, a file that a game can't be written to in that format. Raises InvalidFile."""
    found = find_format(form)

    def is_game(content: bytes) -> bool:
        try:
            decode_record(content, form=form)
        except TwofoldError:
            return False
        return True

    check_target(path, f"a {found.what} of a game", is_game)


def encode_record(record: Record, form: str, *, last: bool = False) -> bytes:
    """A game in a format. last: its last position alone. Raises InvalidFile for what the format can't hold."""
    found = find_format(form)
    if found is FORMATS["twofold"]:
        record.begin()  # refuses a variant that can't be
        return (_ended(record).to_json() + "\n").encode() if last else (record.to_json() + "\n").encode()
    if found.write is None:
        raise InvalidFile(f"{form} is read only: it can't be written")
    line = line_of(_ended(record) if last else record)
    if any(step.spawn.rank > 2 for step in line.steps):
        raise InvalidFile(f"a {found.what} holds spawns of 2 and 4 only: write twofold's own format, .json")
    return found.write(line)


def _ended(record: Record) -> Record:
    game = record.first(len(record.moves)).replay()
    return record_of(Line(game.board, (), game.score), "position")


def convert(
    source: str, target: str, *, read: str | None = None, write: str | None = None, last: bool = False
) -> Record:
    """Write the game of a file into another, in the format named or that of the target's ending; returns it.

    Raises InvalidFile, and writes nothing, if the target's format can't hold the game.
    """
    write = write or format_of_name(target)
    check_record_file(target, write)
    record = read_record(source, read)
    try:
        content = encode_record(record, write, last=last)
    except TwofoldError as error:
        raise InvalidFile(f"can't write {quote(target)}: {error}") from None
    write_file(target, content)
    return record


def _writable() -> list[str]:
    return [name for name, form in FORMATS.items() if form.write is not None or name == "twofold"]
