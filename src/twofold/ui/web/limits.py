"""What a visitor of the page may ask for. Everything that comes from a browser goes through here first."""

from __future__ import annotations

import base64
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from twofold.errors import InvalidBoard, InvalidFile, InvalidLimit, InvalidParameter, InvalidVariant, quote
from twofold.evaluation.registry import EVALUATIONS
from twofold.notation import may_name_code, parse_call
from twofold.players.registry import PLAYERS
from twofold.records.formats import decode_record
from twofold.records.record import Record
from twofold.registry import Registry
from twofold.rules.board import Board, parse_board
from twofold.rules.direction import DIRECTIONS, Direction
from twofold.rules.variant import Variant


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one session.

    seconds: of one answer; hint: of one move, where a search may have to be compiled first; replay: of playing a
    record again; memory: bytes of all searches together; searches: that run at a time, all sessions together; own: of
    one session; watched: games that are watched at a time, all sessions together.
    """

    side: int = 16
    text: int = 4_000
    record: int = 120_000
    seconds: float = 20.0
    hint: float = 90.0
    replay: float = 10.0
    table_bits: int = 20
    memory: int = 1 << 30
    threads: int = 2
    evil_cells: int = 25
    evil_depth: int = 2
    searches: int = 16
    own: int = 4
    watched: int = 24


LIMITS = Limits()
_BOUNDS = {"table": LIMITS.table_bits, "threads": LIMITS.threads}
_MB = 1 << 20
MOST_FILE = 960_000
"""Characters of a file as base64: less than a message to the server may have."""

_SEARCH = 8 * _MB
"""What any search takes: tables of lines, boards on the way, stored values."""


def checked_text(text: object, what: str, longest: int = LIMITS.text) -> str:
    """`text` if it is one of a sensible length. Raises InvalidParameter."""
    if not isinstance(text, str):
        raise InvalidParameter(f"{what} {quote(text)} is not text")
    if len(text) > longest:
        raise InvalidParameter(
            f"{what} of {len(text):,} characters: the web page accepts at most {longest:,}"
        )
    return text


def checked_direction(number: object) -> Direction:
    """A direction from its number 0 to 3. Raises InvalidParameter."""
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < len(DIRECTIONS):
        raise InvalidParameter(f"{quote(number)} is not a move: 0 up, 1 right, 2 down, 3 left")
    return DIRECTIONS[number]


def checked_player(text: object) -> str:
    """The canonical text of a player that a visitor may have play.

    Raises UnknownPlayer or InvalidParameter; no player or evaluation is read from a file here, and memory and threads
    are bounded.
    """
    canonical = _checked_call(PLAYERS, checked_text(text, "the player"))
    if parse_call(canonical).name == "human":
        raise InvalidParameter("'human' plays on the Play page; choose another player")
    return canonical


def checked_evaluation(text: str) -> str:
    """An evaluation that a visitor may name. Raises UnknownEvaluation or InvalidParameter."""
    return parse_call(_checked_call(EVALUATIONS, text)).nested()


def _checked_call(registry: Registry[Any], text: str) -> str:
    """The canonical text of a call, all parsed values of which, however deep, a visitor may give."""
    if may_name_code(
        text
    ):  # before anything is parsed: a name in a user's file is known by running that file
        raise InvalidParameter(
            "players and evaluations from files work only on the command line, not on the web page"
        )
    for info, values in registry.calls(text):
        if info.name == "strongest":
            _check_tables(values["budget"])
        for parameter in info.parameters:
            key, value = parameter.name, values[parameter.name]
            if parameter.is_file and value != parameter.default:
                raise InvalidParameter(f"{key}= works only on the command line, not on the web page")
            bound = _BOUNDS.get(key)
            if bound is not None and isinstance(value, int) and value > bound:
                raise InvalidParameter(f"{key}={value} is more than the web page allows ({bound})")
    return registry.canonical(text)


def _check_tables(budget: float) -> None:
    """Raises InvalidParameter for formation tables that aren't made yet: that takes minutes and gigabytes."""
    from twofold.exact.formation_sets import formations_for, missing
    from twofold.players.strongest import strongest_folder

    if missing(strongest_folder(), formations_for(budget)):
        raise InvalidParameter(
            "the tables of strongest have not been made, and the web page doesn't make them: run "
            "'twofold play --player strongest' on the server, or use budget=0"
        )


def memory_of(player: str) -> int:
    """Bytes that a player of a canonical text may take, the networks aside, which all of them share."""
    total = 0
    for info, values in PLAYERS.calls(player):
        total += _SEARCH + (16 << values["table"] if values.get("table") else 0)
        if info is PLAYERS.info("mcts"):
            total += 48 * _MB  # players/mcts.py: MOST_NODES
        elif info is PLAYERS.info("default"):
            total += 2 * _SEARCH  # it has two searches
    return total


class Memory:
    """Bytes that the searches of all visitors may take together."""

    def __init__(self, most: int = LIMITS.memory) -> None:
        self._left = most
        self._lock = threading.Lock()

    def take(self, count: int) -> Callable[[], None]:
        """Takes so many bytes; what is returned gives them back, once. Raises InvalidLimit if there are not so many."""
        with self._lock:
            if count > self._left:
                raise InvalidLimit("the server has no memory left for another search: try again in a moment")
            self._left -= count
        given = [count]

        def give_back() -> None:
            with self._lock:
                self._left += given.pop() if given else 0

        return give_back


MEMORY = Memory()


def checked_board(text: object) -> Board:
    """A board from any notation, of a size that the page shows. Raises InvalidBoard."""
    board = parse_board(checked_text(text, "the board"))
    check_size(board.rows, board.columns)
    return board


def check_size(rows: int, columns: int) -> None:
    """Raises InvalidBoard for a board that the page doesn't show."""
    if max(rows, columns) > LIMITS.side:
        raise InvalidBoard(
            f"a board of {rows}x{columns}: the web page shows boards up to {LIMITS.side}x{LIMITS.side}"
        )


def checked_variant(variant: Variant) -> Variant:
    """A variant that a visitor may play. Raises InvalidBoard or InvalidVariant."""
    check_size(variant.rows, variant.columns)
    evil = variant.evil
    if evil is not None:
        cells = variant.rows * variant.columns
        if cells > LIMITS.evil_cells or evil.depth > LIMITS.evil_depth:
            raise InvalidVariant(
                f"for evil spawns the web page allows boards of at most {LIMITS.evil_cells} cells and "
                f"depth {LIMITS.evil_depth}, not {cells} cells and depth {evil.depth}"
            )
        checked_evaluation(evil.evaluation)
    return variant


def checked_file(sent: object) -> Record:
    """The game in a file of any format, which a browser sent. Raises as `checked_record`."""
    content, name = checked_bytes(sent)
    return checked_record(decode_record(content, PurePath(name).suffix))


def checked_bytes(sent: object) -> tuple[bytes, str]:
    """What is in a file, which a browser sent as name and base64, and its name. Raises InvalidFile."""
    name, data = (sent.get("name"), sent.get("data")) if isinstance(sent, dict) else (None, None)
    name = checked_text(name, "the file's name")
    text = checked_text(data, "the file", MOST_FILE)
    try:
        return base64.b64decode(text, validate=True), name
    except ValueError:
        raise InvalidFile("the file did not arrive completely: try again") from None


def checked_record(record: Record) -> Record:
    """A record that may be played again here. Raises what `checked_variant` raises, and InvalidLimit."""
    checked_variant(Variant.parse(checked_text(record.variant, "the variant")))
    if len(record.moves) + len(record.undone) > LIMITS.record:
        raise InvalidLimit(f"a record of more than {LIMITS.record:,} moves is too long for the web page")
    return record
