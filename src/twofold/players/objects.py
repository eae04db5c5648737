"""Players made of a user's object: one with a method `decide`, or a function.

What goes wrong in it is told by file and line.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from twofold.errors import PlayerError, UserCodeError, quote
from twofold.players.base import Decision, Limit, check_move
from twofold.rules.direction import Direction, parse_direction
from twofold.rules.state import State
from twofold.userfile import user_code_error


class ObjectPlayer:
    """A player from an object with a method ``decide(state, key)`` or ``decide(state)``, or from such a function.

    Either returns a `Decision`, a `Direction`, or a text like ``"left"``; `None` only if no move is legal: to give up,
    it returns ``Decision(None)``, so that a forgotten `return` does not end a game without a word. A class is made
    first, with `given`; a function gets `given` at each call. An object may have a `limit`, and `stop()`, by which a
    long `decide` is ended.
    """

    def __init__(
        self,
        text: str,
        item: Any,
        *,
        path: str = "",
        given: Mapping[str, Any] | None = None,
        recipe: tuple[Any, ...] = (),
    ) -> None:
        """path: the file that errors name; recipe: a function and its arguments that make an equal player."""
        self.text = text
        self._recipe = recipe
        self._item, self._given = item, dict(given or {})
        self._path = path or source_file(item)
        try:
            made = item(**self._given) if inspect.isclass(item) else item
            decide = getattr(made, "decide", None)
            self._choose = _with_key(item, self._given) if decide is None else _with_key(decide, {})
            limit = getattr(made, "limit", None)
        except (Exception, SystemExit) as error:
            raise self._failure(error) from error
        self.limit = limit if isinstance(limit, Limit) else Limit()
        stop = getattr(made, "stop", None)
        if callable(stop):
            self.stop = stop

    def _failure(self, error: BaseException) -> UserCodeError:
        return user_code_error(error, self._path)

    def decide(self, state: State, key: int = 0) -> Decision:
        """What the user's code answers, as a `Decision`."""
        try:
            answer = self._choose(state, key)
        except (Exception, SystemExit) as error:
            raise self._failure(error) from error
        if isinstance(answer, Decision):
            return self._checked(answer)
        if answer is not None and not isinstance(answer, Direction | str | int):
            raise PlayerError(
                f"{quote(self.text)} answered {quote(answer)}: it must be a Direction or a Decision"
            )
        move = None if answer is None else parse_direction(answer)
        if move is None:
            check_move(self.text, state, move)
        legal = state.legal_moves()
        values = tuple(float(d == move) if d in legal else None for d in Direction)
        return Decision(move, None if move is None else 1.0, values)

    def _checked(self, decision: Decision) -> Decision:
        """`decision` with its move as a `Direction`, or `PlayerError`: its fields are printed, added and drawn."""
        values: Any = decision.values
        if not isinstance(values, tuple | list) or len(values) != len(Direction):
            raise self._refusal("values", values, "one number or None for each of UP, RIGHT, DOWN, LEFT")
        for value in (decision.value, *values):
            if value is not None and not _is_number(value):
                raise self._refusal("value", value, "a number, or None where a move is illegal")
        for name in ("nodes", "depth", "seconds", "table_hits", "pruned"):
            number = getattr(decision, name)
            if not _is_number(number) or number < 0:
                raise self._refusal(name, number, "a number of at least 0")
        if not isinstance(decision.note, str):
            raise self._refusal("note", decision.note, "a text")
        move = None if decision.move is None else parse_direction(decision.move)
        return replace(decision, move=move, values=tuple(values))

    def _refusal(self, name: str, value: object, right: str) -> PlayerError:
        return PlayerError(f"{quote(self.text)} answered {name} {quote(value)}: {right} is right")

    def __reduce__(self) -> tuple[Any, ...]:
        return self._recipe[0], self._recipe[1:]

    def __repr__(self) -> str:
        return f"make_player({self.text!r})"


def source_file(item: Any) -> str:
    """The file that an object's code is in, or what stands for one in a session."""
    for thing in (item, type(item)):
        code = getattr(thing, "__code__", None)
        if code is not None:
            return str(code.co_filename)
        try:
            return inspect.getfile(thing)
        except (TypeError, OSError):
            continue
    return "<unknown>"


def takes_key(function: Callable[..., Any]) -> bool:
    """Whether a function of a state wants the key too: its second parameter is called so."""
    return list(inspect.signature(function).parameters)[1:2] == ["key"]


def _with_key(function: Callable[..., Any], given: dict[str, Any]) -> Callable[[State, int], Any]:
    if takes_key(function):
        return lambda state, key: function(state, key, **given)
    return lambda state, key: function(state, **given)


def _is_number(value: object) -> bool:
    try:
        return isinstance(value, int | float) and not math.isnan(value)
    except OverflowError:  # a whole number that no float holds
        return False
