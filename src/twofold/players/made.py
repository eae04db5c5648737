"""What the players of the catalogue have in common: made by text or by keywords, copied."""

from __future__ import annotations

from typing import Any, ClassVar, Self, cast

from twofold.players.base import Player
from twofold.players.registry import PLAYERS


class BuiltIn:
    """A player that is copied and pickled by what it was made of: locks and compiled searches can't be.

    `Class(depth=3)` is the player of the text `name:depth=3`: the same defaults, the same limits. A registry gives the
    text along.
    """

    text: str
    objects: ClassVar[frozenset[str]] = frozenset()
    """Arguments that no text has."""

    def __new__(cls, text: str = "", **given: Any) -> Self:
        """Takes note of the arguments. Raises InvalidParameter for those that the text form would refuse."""
        made = super().__new__(cls)
        made._arguments = text, given
        name = _name_of(cls)
        if name:
            made.text = text or PLAYERS.spell(name, {k: v for k, v in given.items() if k not in cls.objects})
        else:  # a user's subclass, which no text can name
            made.text = PLAYERS.keep(cls.__name__, cast(Player, made))
        return made

    _arguments: tuple[str, dict[str, Any]]

    def __reduce__(self) -> tuple[Any, ...]:
        return _remade, (type(self), *self._arguments)

    def __repr__(self) -> str:
        return f"make_player({self.text!r})"


def _name_of(player: type) -> str:
    """The name in the catalogue; empty if it has none."""
    factory = f"{player.__module__}:{player.__qualname__}"
    return next((info.name for info in PLAYERS.infos() if info.factory == factory), "")


def _remade(player: type[BuiltIn], text: str, given: dict[str, Any]) -> BuiltIn:
    return player(text, **given)
