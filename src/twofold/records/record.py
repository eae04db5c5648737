"""A game as a short text that any front end can keep and any other can take up: rules, seed, moves.

Chance is a function of the seed, so nothing else is needed: whoever reads a record plays it again by the rules, and a
record that was tampered with either plays or is refused. Two forms:

- JSON, for files and the browser's store:
  `{"twofold": 1, "variant": "4x4", "seed": 7, "index": 0, "moves": "LDR", "undone": "U"}`;
- the fragment of a URL: `variant=4x4&seed=7&moves=LDR&undone=U`; more than 60 moves are packed, three to a character:
  `packed=6000.Zk0…`, the number of moves, then 2 bits a move (U, R, D, L), the highest first, as base64url.

`undone` holds the moves that can be redone, the next one first. Scripts of spawns and maps are part of the variant. A
game of another program has no seed: its record says the `spawns`, `"8@2,4@2"` (cell and value, those of the start
first), and where it began with points already made its `start_score`. Chance after them is that of the seed. Where
rules of spawns were changed on the way, `changes` says `"12:tl-rows,2;40:random,random"`: after 12 moves the place and
the value, and so on.
"""

from __future__ import annotations

import json
import re
import string
import time
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

from twofold.errors import IllegalMove, InvalidFile, InvalidLimit, quote
from twofold.notation import without_code
from twofold.records.given import GivenGame, format_spawns, parse_spawns
from twofold.rules.direction import DIRECTIONS, Direction
from twofold.rules.game import Game
from twofold.rules.random import checked_word
from twofold.rules.variant import Variant
from twofold.threads import checkpoint

VERSION = 1
MOST_MOVES = 1_000_000
_SHORT = 60
"""Moves that a link spells out."""

_BASE64 = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
_NUMBERS = ("seed", "index", "start_score")
_TEXTS = ("undone", "spawns", "changes")
_BY_LETTER = {direction.letter: direction for direction in DIRECTIONS}


@dataclass(frozen=True, slots=True)
class Record:
    """One line of play. variant: canonical text. moves, undone: letters U, R, D, L.

    spawns: the tiles that are given and not drawn, as `format_spawns` writes them. start_score: points at the start.
    changes: of the spawns' rules, as `Game.spawn_changes` tells them.
    """

    variant: str
    seed: int = 0
    moves: str = ""
    undone: str = ""
    index: int = 0
    spawns: str = ""
    start_score: int = 0
    changes: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.variant, str):
            raise InvalidFile(f"the record's variant {quote(self.variant)} is not text")
        for name in _NUMBERS:
            number = checked_word(f"the record's {name}", getattr(self, name), InvalidFile)
            object.__setattr__(self, name, number)
        for name in ("moves", "undone"):
            letters = getattr(self, name)
            if not isinstance(letters, str) or not set(letters) <= set(_BY_LETTER):
                raise InvalidFile(f"the record's {name} {quote(letters)} are not letters U, R, D, L")
        for name in ("spawns", "changes"):
            if not isinstance(getattr(self, name), str):
                raise InvalidFile(f"the record's {name} {quote(getattr(self, name))} are not text")
        _read_changes(self.changes)
        if len(self.moves) + len(self.undone) > MOST_MOVES:
            raise InvalidFile(f"a record holds at most {MOST_MOVES:,} moves")

    @classmethod
    def of(cls, game: Game) -> Record:
        """The record of a game as it stands."""
        given = (format_spawns(game.given), game.start_score) if isinstance(game, GivenGame) else ("", 0)
        changes = ";".join(f"{at}:{place},{value}" for at, place, value in game.spawn_changes)
        moves = letters(game.history), letters(game.undone)
        return cls(str(game.variant), game.seed, *moves, game.index, *given, changes)

    def first(self, moves: int) -> Record:
        """The record of the first moves alone, to be played on from there."""
        changes = [each for each in self.changes.split(";") if each and int(each.partition(":")[0]) <= moves]
        return replace(self, moves=self.moves[:moves], undone="", changes=";".join(changes))

    # Texts

    def to_json(self) -> str:
        """One line of JSON."""
        return json.dumps({"twofold": VERSION, **self.facts()})

    def to_fragment(self) -> str:
        """The fragment of a URL, without the `#`."""
        facts = self.facts()
        if len(self.moves) > _SHORT:
            facts["packed"] = pack_moves(facts.pop("moves"))
        return urlencode({name: fact for name, fact in facts.items() if fact != ""})

    def facts(self) -> dict[str, Any]:
        """What the texts hold, by name; what is at its default is left out, but the moves."""
        facts: dict[str, Any] = {"variant": self.variant, "seed": self.seed, "moves": self.moves}
        if self.index:
            facts["index"] = self.index
        for name in (*_TEXTS, "start_score"):
            if getattr(self, name):
                facts[name] = getattr(self, name)
        return facts

    @classmethod
    def from_json(cls, text: str) -> Record:
        """Reads `to_json`. Raises InvalidFile for anything else."""
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            raise InvalidFile(f"{quote(text)} is not a twofold game file (not JSON)") from None
        if not isinstance(found, dict) or "variant" not in found:
            raise InvalidFile(
                f'{quote(text)} is not a twofold game file, which is {{"twofold": 1, "variant": …}}'
            )
        if found.pop("twofold", VERSION) != VERSION:
            raise InvalidFile(f"the record {quote(text)} is not of version {VERSION}")
        return _from_facts(found, text)

    @classmethod
    def from_fragment(cls, text: str) -> Record:
        """Reads `to_fragment`, with or without the `#`. Raises InvalidFile for anything else."""
        try:
            pairs = parse_qsl(
                text.removeprefix("#"), strict_parsing=True, keep_blank_values=True, max_num_fields=10
            )
        except ValueError:
            raise InvalidFile(
                f"{quote(text)} is not a link to a game, which has the form variant=…&seed=…&moves=…"
            ) from None
        facts: dict[str, Any] = dict(pairs)
        if "packed" in facts and "moves" not in facts:
            facts["moves"] = unpack_moves(facts.pop("packed"))
        return _from_facts(facts, text)

    # Playing it

    def begin(self) -> Game:
        """The game before its first move. Raises as `replay`."""
        variant = Variant.parse(self.variant)
        most = most_moves(variant)
        if len(self.moves) + len(self.undone) > most:
            raise InvalidFile(
                f"the record has {len(self.moves) + len(self.undone):,} moves; "
                f"no game on {variant.rows}x{variant.columns} has more than {most:,}"
            )
        if self.spawns or self.start_score:
            given = parse_spawns(self.spawns, len(variant.start.cells))
            return GivenGame(variant, given, start_score=self.start_score, seed=self.seed, index=self.index)
        if variant.evil is None:
            return Game(variant, self.seed, index=self.index)
        from twofold.matches.play import (
            new_game,  # late: an adversary searches, and brings compiled kernels along
        )

        return new_game(variant, self.seed, index=self.index)

    def replay(self, *, seconds: float | None = None) -> Game:
        """The game, played again by the rules; what was undone can be redone.

        seconds: give up after so long with InvalidLimit. Raises InvalidFile for a move that can't be made, and
        InvalidVariant or InvalidBoard for rules that can't be.
        """
        end = None if seconds is None else time.monotonic() + seconds
        game = self.begin()
        changes = _read_changes(self.changes)
        for number, letter in enumerate(self.moves + self.undone, 1):
            _change(game, changes)
            checkpoint()
            if end is not None and number % 64 == 0 and time.monotonic() > end:
                raise InvalidLimit(f"replaying the record takes longer than {seconds:g} s")
            try:
                game.move(_BY_LETTER[letter])
            except IllegalMove:
                raise InvalidFile(f"move {number:,} of the record, {letter}, can't be made there") from None
        _change(game, changes)
        if changes:
            raise InvalidFile(f"the record has no move {min(changes):,}, after which it changes the spawns")
        for _ in self.undone:
            game.undo()
        return game


def _read_changes(text: str) -> dict[int, tuple[str, str]]:
    """The place and the value of each change, by the number of moves before it."""
    found: dict[int, tuple[str, str]] = {}
    for entry in text.split(";") if text else ():
        known = re.fullmatch(r"([0-9]{1,7}):([a-z-]+),([a-z0-9]+)", entry)
        if known is None:
            raise InvalidFile(f"the record's change {quote(entry)} is not MOVES:PLACE,VALUE")
        found[int(known[1])] = known[2], known[3]
    return found


def _change(game: Game, changes: dict[int, tuple[str, str]]) -> None:
    """Changes the rules as a record says for this moment, and takes that out of `changes`."""
    if game.moves in changes:
        place, value = changes.pop(game.moves)
        game.change_spawns(place=place, value=value)


def _from_facts(facts: dict[str, Any], text: str) -> Record:
    unknown = set(facts) - {"variant", "moves", *_NUMBERS, *_TEXTS}
    if unknown or "variant" not in facts:
        what = f"it says {quote(min(unknown))}" if unknown else "it has no variant"
        raise InvalidFile(f"{quote(text)} is not a twofold game file: {what}")
    without_code(str(facts["variant"]), "the record")
    return Record(**{name: _number(name, fact) for name, fact in facts.items()})


def _number(name: str, fact: object) -> Any:
    """A seed or an index that is written as text, as in a URL and by browsers, is a number."""
    if name not in _NUMBERS or not isinstance(fact, str) or len(fact) > 20:
        return fact
    return int(fact) if fact.isascii() and fact.isdigit() else fact


def most_moves(variant: Variant) -> int:
    """More moves than any game of this variant has, if that is below `MOST_MOVES`.

    Every move adds at least 2 to the sum of the tiles. On n cells without bricks, where ranks up to t (at least 2)
    spawn, no tile exceeds rank n + t - 1, and no two tiles of a full board of the highest ranks are equal but two, so
    that the sum stays below 2^(n + t); start tiles may be higher, and add theirs.
    """
    start = variant.start
    free = len(start.cells) - len(start.bricks)
    top = max(2, *variant.allowed_ranks)
    return min(MOST_MOVES, (1 << min(free, 40) + top - 1) + start.tile_sum)


def letters(moves: tuple[Direction, ...]) -> str:
    """Directions as letters."""
    return "".join(move.letter for move in moves)


def pack_moves(moves: str) -> str:
    """Letters of moves at 2 bits each, after their number: `4.S8A`."""
    numbers = [int(_BY_LETTER[letter]) for letter in moves] + [0] * (-len(moves) % 3)
    packed = (_BASE64[a << 4 | b << 2 | c] for a, b, c in zip(*[iter(numbers)] * 3, strict=True))
    return f"{len(moves)}.{''.join(packed)}"


def unpack_moves(text: str) -> str:
    """Reads `pack_moves`. Raises InvalidFile for anything else."""
    count, _, packed = text.partition(".")
    if not (count.isascii() and count.isdigit() and len(count) < 8) or not set(packed) <= set(_BASE64):
        raise InvalidFile(f"the packed moves {quote(text)} are not a number, a point and base64url")
    if len(packed) != -(-int(count) // 3):
        raise InvalidFile(f"the link is cut off: {len(packed):,} characters can't hold {int(count):,} moves")
    codes = [_BASE64.index(character) for character in packed]
    return "".join(DIRECTIONS[code >> shift & 3].letter for code in codes for shift in (4, 2, 0))[
        : int(count)
    ]
