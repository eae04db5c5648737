"""The players by name, and ``make_player("name:key=value,…")``.

Their names are in `twofold.players.catalogue`, which holds plain data: nothing is compiled, or even imported, before a
player is made.
"""

from __future__ import annotations

import functools
import inspect
from typing import Any, cast

from twofold.errors import InvalidFile, PlayerError, TwofoldError, UnknownPlayer, quote
from twofold.players.base import Limit, Player, PlayerLike
from twofold.players.catalogue import BUILT_IN
from twofold.players.defaults import DEFAULT_PLAYER
from twofold.players.objects import ObjectPlayer, source_file, takes_key
from twofold.registry import Info, Registry, load_attribute
from twofold.userfile import load_object, signature_parameters, user_code_error, user_info

PlayerInfo = Info


def _from_file(path: str, name: str) -> Info:
    item = load_object(path, name)
    if inspect.isclass(item):
        if not callable(getattr(item, "decide", None)):
            raise InvalidFile(
                f"{quote(name)} in {quote(path)} has no method decide(state, key): it is not a player"
            )
        given = 0
    elif not callable(item):
        raise InvalidFile(
            f"{quote(name)} in {quote(path)} is neither a class nor a function: it is not a player"
        )
    else:
        given = 2 if takes_key(item) else 1

    def make(text: str, **values: Any) -> Player:
        return ObjectPlayer(text, item, path=path, given=values, recipe=(make_player, text))

    return user_info(path, name, make, signature_parameters(item, given))


def _from_object(item: Any, given: dict[str, Any]) -> Player:
    """The player of an object; see `as_player`."""
    if inspect.isclass(item) and callable(getattr(item, "decide", None)):
        made = _made(item, given)
        return made if _is_player(made) else _kept(item.__name__, item, given)
    if _is_player(item):
        return cast(Player, item)
    if (
        callable(getattr(item, "decide", None))
        or inspect.isroutine(item)
        or isinstance(item, functools.partial)
    ):
        return _kept(getattr(item, "__name__", None) or type(item).__name__, item, given)
    from twofold.evaluation.registry import network_of

    network = network_of(item)
    if network is not None:
        follow = load_attribute("twofold.players.ntuple:NetworkPlayer")
        return cast(Player, follow(network=network))
    raise PlayerError(
        f"{quote(item)} is not a player: give a text, an object or class with a method decide(state, key), a function "
        f"from a state to a Direction, or a network"
    )


def _is_player(item: Any) -> bool:
    """Whether an object keeps the whole protocol by itself."""
    has = isinstance(getattr(item, "text", None), str) and isinstance(getattr(item, "limit", None), Limit)
    return has and callable(getattr(item, "decide", None)) and not inspect.isclass(item)


def _made(item: type, given: dict[str, Any]) -> Any:
    try:
        return item(**given)
    except TwofoldError:
        raise
    except Exception as error:
        raise user_code_error(error, source_file(item)) from error


def _kept(name: str, item: Any, given: dict[str, Any]) -> ObjectPlayer:
    player = ObjectPlayer("", item, given=given, recipe=(_kept, name, item, given))
    player.text = PLAYERS.keep(name, player)
    return player


def _own_text(player: Player) -> str | None:
    named = isinstance(player, ObjectPlayer) or type(player).__module__.startswith("twofold.")
    return player.text if named else None


PLAYERS: Registry[Player] = Registry(
    "player",
    UnknownPlayer,
    BUILT_IN,
    from_file=_from_file,
    from_object=_from_object,
    own_text=_own_text,
)


def as_player(player: PlayerLike) -> Player:
    """The player that `player` means.

    A text such as ``expectimax:depth=3,eval=snake`` or ``my.py:Mine``; an object with a method ``decide(state, key)``;
    a class of such objects, made without arguments; a function from a state to a `Direction`; a network, or a trained
    run that has one, which is then followed without search. An object's text, ``<Name>``, is known to this process
    alone, and only while the player lives.

    Raises `PlayerError` for anything else, `UnknownPlayer`, `InvalidParameter`, or `UserCodeError`.
    """
    return PLAYERS.take(player)


def make_player(player: PlayerLike = DEFAULT_PLAYER, **parameters: Any) -> Player:
    """The player that `player` means, see `as_player`; with parameters by keyword for a name.

    ``make_player("expectimax", depth=3, evaluation=my_function)`` is ``Expectimax(depth=3, evaluation=my_function)``.
    """
    return PLAYERS.take(player, parameters)


def canonical_text(text: str) -> str:
    """The canonical text of the player that `text` describes, without making the player."""
    return PLAYERS.canonical(text)


def list_players() -> tuple[PlayerInfo, ...]:
    """Every registered player, without importing any of them."""
    return PLAYERS.infos()


def player_info(name: str) -> PlayerInfo:
    """Information about one player: parameters, summary, source. Raises `UnknownPlayer`."""
    return PLAYERS.info(name)
