"""What a visitor of the page may ask for. Everything that comes from a browser goes through here first."""

from __future__ import annotations

from dataclasses import dataclass

from twofold.errors import InvalidBoard, InvalidLimit, InvalidParameter, InvalidVariant, quote
from twofold.notation import Call, is_reference, parse_call
from twofold.players.registry import canonical_text
from twofold.rules.board import Board, parse_board
from twofold.rules.direction import DIRECTIONS, Direction
from twofold.rules.variant import Variant
from twofold.ui.shared.record import Record


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one session.

    seconds: of one answer; hint: of one move, where a search may have to be compiled first; replay: of playing a
    record again; searches: that run at a time, all sessions together; own: of one session; watched:
    games that are watched at a time, all sessions together.
    """

    side: int = 16
    text: int = 4_000
    record: int = 120_000
    seconds: float = 20.0
    hint: float = 90.0
    replay: float = 10.0
    table_bits: int = 20
    threads: int = 2
    evil_cells: int = 25
    evil_depth: int = 2
    searches: int = 16
    own: int = 4
    watched: int = 24


LIMITS = Limits()
_BOUNDS = {"table": LIMITS.table_bits, "threads": LIMITS.threads}
_FILES = ("file",)


def checked_text(text: object, what: str, longest: int = LIMITS.text) -> str:
    """`text` if it is one of a sensible length. Raises InvalidParameter."""
    if not isinstance(text, str):
        raise InvalidParameter(f"{what} {quote(text)} is no text")
    if len(text) > longest:
        raise InvalidParameter(f"{what} of {len(text):,} characters: at most {longest:,} are read here")
    return text


def checked_direction(number: object) -> Direction:
    """A direction from its number 0 to 3. Raises InvalidParameter."""
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < len(DIRECTIONS):
        raise InvalidParameter(f"{quote(number)} is no move: 0 up, 1 right, 2 down, 3 left")
    return DIRECTIONS[number]


def checked_player(text: object) -> str:
    """The canonical text of a player that a visitor may have play.

    Raises UnknownPlayer or InvalidParameter; no player or evaluation is read from a file here, and memory and threads
    are bounded.
    """
    known = checked_text(text, "the player")
    _check_call(parse_call(known))
    canonical = canonical_text(known)
    if parse_call(canonical).name == "human":
        raise InvalidParameter("'human' plays on the page Play; choose another player")
    return canonical


def checked_evaluation(text: str) -> str:
    """An evaluation that a visitor may name. Raises UnknownEvaluation or InvalidParameter."""
    from twofold.evaluation.registry import canonical_text as canonical_evaluation

    _check_call(parse_call(text))
    return canonical_evaluation(text)


def _check_call(call: Call) -> None:
    if is_reference(call.name):
        raise InvalidParameter(
            "players and evaluations from files work on the command line only, not on the page"
        )
    for key, value in call.parameters:
        if key in _FILES:
            raise InvalidParameter(f"{key}= works on the command line only, not on the page")
        bound = _BOUNDS.get(key)
        if bound is not None and value.isascii() and value.isdigit() and int(value[:9]) > bound:
            raise InvalidParameter(f"{key}={quote(value)} is more than the {bound} that the page allows")
        if "(" in value or ".py" in value:
            _check_call(parse_call(value))


def checked_board(text: object) -> Board:
    """A board from any notation, of a size that the page shows. Raises InvalidBoard."""
    board = parse_board(checked_text(text, "the board"))
    check_size(board.rows, board.columns)
    return board


def check_size(rows: int, columns: int) -> None:
    """Raises InvalidBoard for a board that the page doesn't show."""
    if max(rows, columns) > LIMITS.side:
        raise InvalidBoard(
            f"a board of {rows}x{columns}: the page shows boards up to {LIMITS.side}x{LIMITS.side}"
        )


def checked_variant(variant: Variant) -> Variant:
    """A variant that a visitor may play. Raises InvalidBoard or InvalidVariant."""
    check_size(variant.rows, variant.columns)
    evil = variant.evil
    if evil is not None:
        cells = variant.rows * variant.columns
        if cells > LIMITS.evil_cells or evil.depth > LIMITS.evil_depth:
            raise InvalidVariant(
                f"evil spawns on the page: boards of at most {LIMITS.evil_cells} cells and "
                f"depth {LIMITS.evil_depth}, not {cells} cells and depth {evil.depth}"
            )
        checked_evaluation(evil.evaluation)
    return variant


def checked_record(record: Record) -> Record:
    """A record that may be played again here. Raises what `checked_variant` raises, and InvalidLimit."""
    checked_variant(Variant.parse(checked_text(record.variant, "the variant")))
    if len(record.moves) + len(record.undone) > LIMITS.record:
        raise InvalidLimit(f"a record of more than {LIMITS.record:,} moves is too long for the page")
    return record
