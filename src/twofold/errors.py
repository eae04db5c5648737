"""The exception tree: every error that a user of twofold can meet.

Each message is one line that quotes the input and says what would be right. The command line turns any
`TwofoldError` into that line and exit code 2.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import ClassVar

_SHOWN = 60
"""Characters of a quoted input that a message shows: of a longer one the begin and, for a path's sake, the end."""

_END = 20


def quote(value: object) -> str:
    """`value` in quotation marks for a one-line message.

    Only 60 characters are shown and control characters are escaped, so that a hostile or huge input cannot spoil a
    terminal or flood a log.
    """
    text = value if isinstance(value, str) else repr(value)
    if len(text) > _SHOWN:
        begin, end = _escaped(text[: _SHOWN - _END]), _escaped(text[-_END:])
        return f"'{begin}…{end}' ({len(text):,} characters)"
    return f"'{_escaped(text)}'"


def _escaped(text: str) -> str:
    return "".join(char if char.isprintable() else _escape(char) for char in text)


def _escape(char: str) -> str:
    """A character as Python writes it; a byte that is no text, which the system hands on as a surrogate, as a byte."""
    if "\udc80" <= char <= "\udcff":
        return f"\\x{ord(char) - 0xDC00:02x}"
    return char.encode("unicode_escape").decode()


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """`"; did you mean 'x'?"` for the name in `names` that is closest to `name`, or `""` if none is close."""
    from difflib import get_close_matches

    by_folded = {known.casefold(): known for known in names}
    close = get_close_matches(name[:_SHOWN].casefold(), by_folded, n=1, cutoff=0.6)
    return f"; did you mean {quote(by_folded[close[0]])}?" if close else ""


class TwofoldError(Exception):
    """The base of all errors. Its text is one line that can be shown to a user."""


class InvalidBoard(TwofoldError):
    """An impossible board: its size, a tile, or a text that is not a board."""


class InvalidNotation(InvalidBoard):
    """A board that cannot be written in, or a text that is not in, the notation that was asked for."""


class InvalidVariant(TwofoldError):
    """A set of rules that cannot be played, or a text that is not a variant."""


class InvalidSpawn(TwofoldError):
    """An impossible spawn: the cell is not empty, or the tile does not spawn."""


class IllegalMove(TwofoldError):
    """A move that changes nothing, that is not a direction, or that would outgrow the largest tile."""


class GameOver(IllegalMove):
    """A move in a game that has ended."""


class InvalidParameter(TwofoldError):
    """A bad key or value in `name:key=value`, or a bad argument of that kind."""


class InvalidLimit(TwofoldError):
    """A limit of depth, nodes or seconds that cannot be kept."""


class InvalidFile(TwofoldError):
    """A file that cannot be read or written in its format."""


class OutOfMemory(TwofoldError):
    """Too little memory; the message says for what."""


class InvalidPattern(TwofoldError):
    """A start pattern or a rule of Conway's Life that cannot be read or does not fit."""


class StoreError(TwofoldError):
    """A database of experiments that cannot be opened, read or written, or an experiment that it does not contain."""


class UnknownName(TwofoldError):
    """A name that is not registered; `kind` says what was looked up.

    The message offers the closest known name and lists the rest.
    """

    kind: ClassVar[str] = "name"

    def __init__(self, name: str, names: Iterable[str] = ()) -> None:
        self.name = name
        self.names = tuple(names)
        known = f" (known: {', '.join(self.names)})" if self.names else ""
        super().__init__(f"unknown {self.kind} {quote(name)}{did_you_mean(name, self.names)}{known}")

    def __reduce__(self) -> tuple[type[UnknownName], tuple[str, tuple[str, ...]]]:
        # Exceptions are rebuilt from their message by default, which would nest it; workers send these back.
        return type(self), (self.name, self.names)


class UnknownPlayer(UnknownName):
    """No player of that name."""

    kind = "player"


class UnknownEvaluation(UnknownName):
    """No evaluation of that name."""

    kind = "evaluation"


class UnknownNotation(UnknownName):
    """No board notation of that name."""

    kind = "notation"


class UnknownShape(UnknownName):
    """No board shape of that name."""

    kind = "shape"


class UnknownPattern(UnknownName):
    """No pattern of Conway's Life of that name."""

    kind = "pattern"


class UnknownFormat(UnknownName):
    """No format of that name."""

    kind = "format"


class UnknownDirection(IllegalMove, UnknownName):
    """No direction of that name."""

    kind = "direction"


class PlayerError(TwofoldError):
    """A player that breaks its contract: an illegal move, a wrong answer, a limit not kept."""


class UserCodeError(TwofoldError):
    """Code in a user's file that cannot be loaded or that failed; the message names file and line."""


def check_choice(what: str, value: object, choices: Collection[str], more: str = "") -> None:
    """Raises InvalidParameter for a value that is none of `choices` (nor what `more` says), with the closest choice."""
    if value not in choices:
        hint = did_you_mean(value, choices) if isinstance(value, str) else ""
        raise InvalidParameter(f"{what} {quote(value)} is not one of {', '.join(choices)}{more}{hint}")
