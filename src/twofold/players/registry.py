"""The players by name, and ``make_player("name:key=value,…")``.

Their names are in `twofold.players.catalogue`, which holds plain data: nothing is compiled, or even imported, before a
player is made.
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from twofold.errors import InvalidFile, PlayerError, UnknownPlayer, quote
from twofold.players.base import Decision, Limit, Player
from twofold.players.catalogue import BUILT_IN
from twofold.players.defaults import DEFAULT_PLAYER
from twofold.registry import Info, Registry
from twofold.rules.direction import Direction, parse_direction
from twofold.rules.game import State
from twofold.userfile import load_object, signature_parameters, user_code_error, user_info

PlayerInfo = Info


class FilePlayer:
    """A player from a user's file, with what goes wrong in it told by file and line.

    Wraps an object with a method ``decide(state, key)``, or a function of a state (and a key, if its second
    parameter is called ``key``). Either returns a `Decision`, a `Direction`, a text like ``"left"``, or `None`.
    """

    def __init__(self, text: str, path: str, item: Any, values: dict[str, Any]) -> None:
        self.text = text
        self._path = path
        try:
            if inspect.isclass(item):
                made: Any = item(**values)
                self._choose = made.decide
                self.limit = getattr(made, "limit", Limit())
            else:
                self._choose = _with_key(functools.partial(item, **values), item)
                self.limit = Limit()
        except (Exception, SystemExit) as error:
            raise user_code_error(error, path) from error

    def decide(self, state: State, key: int = 0) -> Decision:
        """What the user's code answers, as a `Decision`."""
        try:
            answer = self._choose(state, key)
        except (Exception, SystemExit) as error:
            raise user_code_error(error, self._path) from error
        if isinstance(answer, Decision):
            return self._checked(answer)
        if answer is not None and not isinstance(answer, Direction | str | int):
            raise PlayerError(
                f"{quote(self.text)} answered {quote(answer)}: a Direction or a Decision is right"
            )
        move = None if answer is None else parse_direction(answer)
        legal = state.legal_moves()
        up, right, down, left = ((0.0 + (d == move)) if d in legal else None for d in Direction)
        return Decision(move, None if move is None else 1.0, (up, right, down, left))

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
        up, right, down, left = values
        return replace(decision, move=move, values=(up, right, down, left))

    def _refusal(self, name: str, value: object, right: str) -> PlayerError:
        return PlayerError(f"{quote(self.text)} answered {name} {quote(value)}: {right} is right")


def _is_number(value: object) -> bool:
    try:
        return isinstance(value, int | float) and not math.isnan(value)
    except OverflowError:  # a whole number that no float holds
        return False


def _takes_key(function: Callable[..., Any]) -> bool:
    return list(inspect.signature(function).parameters)[1:2] == ["key"]


def _with_key(bound: Callable[..., Any], function: Callable[..., Any]) -> Callable[[State, int], Any]:
    return bound if _takes_key(function) else lambda state, key: bound(state)


def _from_file(path: str, name: str) -> Info:
    item = load_object(path, name)
    if inspect.isclass(item):
        if not callable(getattr(item, "decide", None)):
            raise InvalidFile(
                f"{quote(name)} in {quote(path)} has no method decide(state, key): it is no player"
            )
        given = 0
    elif not callable(item):
        raise InvalidFile(
            f"{quote(name)} in {quote(path)} is neither a class nor a function: it is no player"
        )
    else:
        given = 2 if _takes_key(item) else 1

    def make(text: str, **values: Any) -> Player:
        return FilePlayer(text, path, item, values)

    return user_info(path, name, make, signature_parameters(item, given))


PLAYERS: Registry[Player] = Registry("player", UnknownPlayer, BUILT_IN, from_file=_from_file)


def make_player(text: str = DEFAULT_PLAYER) -> Player:
    """The player that `text` describes, for example ``expectimax:depth=3,eval=snake`` or ``my.py:Mine``."""
    return PLAYERS.make(text)


def canonical_text(text: str) -> str:
    """The canonical text of the player that `text` describes, without making the player."""
    return PLAYERS.canonical(text)


def list_players() -> tuple[PlayerInfo, ...]:
    """Every registered player, without importing any of them."""
    return PLAYERS.infos()


def player_info(name: str) -> PlayerInfo:
    """What is known about one player: parameters, summary, source. Raises `UnknownPlayer`."""
    return PLAYERS.info(name)
