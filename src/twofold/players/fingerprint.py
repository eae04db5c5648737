"""What a player's text means at the moment, as a short mark: by it stored games of two states are told apart.

A text names defaults (weights, the default evaluation) and files (networks, tables, code of a user) that may change
while the text stays. The mark is a hash of everything spelled out: all parameters with their values, those of
evaluations and of players within players too, and what is in the files.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import inspect
import pickle
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from twofold.evaluation.learned import SHIPPED, SHIPPED_NEURAL, shipped_path
from twofold.evaluation.registry import EVALUATIONS
from twofold.notation import is_reference
from twofold.players.defaults import DEFAULT_PLAYER, default_texts
from twofold.players.registry import PLAYERS, canonical_text
from twofold.registry import Info, Registry

_SHIPPED = {"ntuple": SHIPPED, "network": SHIPPED, "neural": SHIPPED_NEURAL}
_WHOLE = 1 << 28
"""Bytes up to which a file is read whole; of a larger one its size, its begin and its end count."""


def fingerprint(player: str, evaluation: str | None = None) -> str:
    """The mark, 16 hexadecimal digits, of a player's text, and of the evaluation that an adversary's spawns go by.

    Raises what making the player raises for an unknown name, a bad value, or a file that can't be read.
    """
    parts = [_spelled(PLAYERS, canonical_text(player))]
    if evaluation is not None:
        parts.append(_spelled(EVALUATIONS, evaluation))
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def named_networks(players: Iterable[str]) -> str:
    """A sentence that names the shipped networks which players use, by fingerprint; empty if they use none."""
    spelled = [_spelled(PLAYERS, canonical_text(player)) for player in players]
    marks = [
        f"{what} `{fingerprint(name)[:8]}`"
        for what, name in (("the n-tuple network", "ntuple"), ("the neural network", "neural"))
        if any(_mark_of_shipped(name) in text for text in spelled)
    ]
    return f"Shipped with twofold: {' and '.join(marks)}." if marks else ""


def _spelled(registry: Registry[Any], text: str) -> str:
    """The call with every parameter and the marks of the files it reads."""
    info, values = registry.parse(text)
    kept = registry.kept(info.name)
    parts = [info.name + (_mark_of_reference(info.name) if kept is None else _mark_of_object(kept))]
    for parameter in info.parameters:
        value = values[parameter.name]
        if parameter.registry.endswith(":EVALUATIONS") and isinstance(value, str):
            told = _spelled(EVALUATIONS, value)
        elif parameter.is_file:
            told = _mark(Path(value)) if value else _mark_of_shipped(info.name)
        else:
            told = repr(value) + _mark_of_reference(value)
        parts.append(f"{parameter.name}={told}")
    if registry is PLAYERS and info.name == "strongest":
        from twofold.exact.formation_sets import set_name

        parts.append(set_name(values["budget"]))
    if registry is PLAYERS:  # an evaluation may have a player's name
        parts += [_spelled(PLAYERS, within) for within in _players_within(info, values)]
    return f"{parts[0]}({','.join(parts[1:])})"


def _players_within(info: Info, values: dict[str, Any]) -> tuple[str, ...]:
    """The texts of the players that a player asks."""
    if info.name == DEFAULT_PLAYER:
        return default_texts(**values)
    if info.name == "strongest":
        from twofold.players.strongest import strongest_text

        return (strongest_text(0, values["nodes"]),)
    asked = (values[each.name] for each in info.parameters if each.registry.endswith(":PLAYERS"))
    return tuple(text for text in asked if text)


def _mark_of_reference(value: object) -> str:
    """Of `file.py:Name`."""
    return _mark(Path(value.rpartition(":")[0])) if isinstance(value, str) and is_reference(value) else ""


def _mark_of_object(thing: Any) -> str:
    """Of what an object of this process was made of: its attributes, and the code of its class or function."""
    digest = hashlib.sha256()
    made_of = thing.__reduce_ex__(4)[1]
    try:
        pickle.Pickler(_Hashed(digest), protocol=5).dump(made_of)
    except (pickle.PicklingError, TypeError, AttributeError):
        digest.update(repr(made_of).encode())  # names addresses: such a run is never gone on with
    for each in made_of:
        with contextlib.suppress(TypeError, OSError):
            code = each if inspect.isclass(each) or inspect.isroutine(each) else type(each)
            digest.update(inspect.getsource(code).encode())
    return digest.hexdigest()


class _Hashed:
    """A file that keeps a hash of what is written."""

    def __init__(self, digest: Any) -> None:
        self.write = digest.update


def _mark_of_shipped(name: str) -> str:
    return _mark(shipped_path(_SHIPPED[name])) if name in _SHIPPED else ""


def _mark(path: Path) -> str:
    """Of a file, or of all the files in a folder; empty where there is none: the player itself says what is wrong."""
    if path.is_dir():
        return "+".join(f"{each.name}:{_mark(each)}" for each in sorted(path.iterdir()) if each.is_file())
    if not path.is_file():
        return ""
    status = path.stat()
    return _mark_of_file(str(path.absolute()), status.st_mtime_ns, status.st_size)


@functools.lru_cache(maxsize=64)
def _mark_of_file(path: str, _changed: int, size: int) -> str:
    with open(path, "rb") as stream:
        if size <= _WHOLE:
            return hashlib.file_digest(stream, "sha256").hexdigest()
        ends = hashlib.sha256(f"{size}".encode() + stream.read(1 << 20))
        stream.seek(-(1 << 20), 2)
        ends.update(stream.read())
        return ends.hexdigest()
