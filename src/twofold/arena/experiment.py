"""What is to be played: players × games × variant × seed, cut into chunks of games.

Game i of an experiment with seed s is the game that `twofold.play_game(player, variant, s, i)` plays, whoever plays it
and wherever; so the players of an experiment meet the same luck, and a chunk may be played twice without harm.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

from twofold.errors import InvalidParameter, quote
from twofold.notation import parse_call
from twofold.players.base import Player, PlayerLike
from twofold.players.registry import PLAYERS, as_player, canonical_text
from twofold.registry import load_attribute
from twofold.rules.random import checked_word
from twofold.rules.variant import Variant

MOST_GAMES = 100_000_000
_NAME = re.compile(r"[\w.+-][\w .+-]{0,99}")


@dataclass(frozen=True, slots=True, init=False)
class Experiment:
    """The settings of a run. `players`: texts, each once; `games`: the number that each of them plays.

    `objects` are the players that were given as such. Their texts mean something in this process only.
    """

    name: str
    players: tuple[str, ...]
    games: int
    variant: Variant
    seed: int
    stop_at_target: bool
    objects: tuple[Player, ...] = field(compare=False, repr=False)

    def __init__(
        self,
        players: Sequence[PlayerLike],
        games: int,
        *,
        name: str | None = None,
        variant: Variant | str | None = None,
        seed: int = 0,
        stop_at_target: bool = False,
        objects: tuple[Player, ...] = (),
    ) -> None:
        """An experiment of any players (see `twofold.as_player`); without a name it is called after what it is.

        Raises InvalidParameter or UnknownPlayer for what can't be played.
        """
        made = [None if isinstance(player, str) else as_player(player) for player in players]
        texts = [
            canonical_text(player) if found is None else PLAYERS.text_of(found)
            for player, found in zip(players, made, strict=True)
        ]
        rules = Variant.parse(variant) if isinstance(variant, str) else variant or Variant()
        alive = (*objects, *(found for found in made if found is not None))
        if name == "":
            raise InvalidParameter(
                "the name of an experiment is empty: give one, or None for an automatic one"
            )
        self._set(name or "", tuple(texts), games, rules, seed, stop_at_target, alive)
        if not name:
            object.__setattr__(self, "name", self.automatic_name())

    @classmethod
    def of_texts(
        cls,
        name: str,
        players: tuple[str, ...],
        games: int,
        variant: Variant,
        seed: int,
        stop_at_target: bool,
    ) -> Experiment:
        """An experiment as a store has it: the texts are canonical, and what they name is not looked up."""
        made = object.__new__(cls)
        made._set(name, players, games, variant, seed, stop_at_target, ())
        return made

    def with_games(self, games: int) -> Experiment:
        """The same with another number of games."""
        return self.of_texts(self.name, self.players, games, self.variant, self.seed, self.stop_at_target)

    def _set(self, *values: object) -> None:
        for each, value in zip(fields(self), values, strict=True):
            object.__setattr__(self, each.name, value)
        if self.name and (not _NAME.fullmatch(self.name) or self.name != self.name.strip()):
            raise InvalidParameter(
                f"name {quote(self.name)} must be up to 100 letters, digits, spaces and . + - _"
            )
        if not self.players:
            raise InvalidParameter("an experiment needs at least one player")
        for i, text in enumerate(self.players):
            if text in self.players[:i]:
                raise InvalidParameter(f"the player {quote(text)} is given twice")
            if parse_call(text).name == "human":  # what runs of a store name is not looked up to be read
                raise InvalidParameter("the arena can't play 'human'; name another player")
        if not isinstance(self.games, int) or not 1 <= self.games <= MOST_GAMES:
            raise InvalidParameter(f"games must be from 1 to {MOST_GAMES:,}, not {quote(self.games)}")
        checked_word("seed", self.seed)

    def automatic_name(self) -> str:
        """A name that stands for the settings but the number of games, so that asking for more games goes on."""
        import hashlib

        text = "\n".join((*self.players, str(self.variant), str(self.seed), str(self.stop_at_target)))
        return "run-" + hashlib.sha256(text.encode()).hexdigest()[:10]

    def difference(self, other: Experiment) -> str:
        """What differs from `other` apart from name and number of games, in words; empty if nothing does."""
        for what, mine, its in (
            ("players", ", ".join(self.players), ", ".join(other.players)),
            ("variant", str(self.variant), str(other.variant)),
            ("seed", str(self.seed), str(other.seed)),
            ("stop-at-target", str(self.stop_at_target), str(other.stop_at_target)),
        ):
            if mine != its:
                return f"{what} {quote(mine)} instead of {quote(its)}"
        return ""


def chunk_size(player: str) -> int:
    """Games of `player` in a chunk: one for players that think, many for those that hardly do.

    A chunk is what is claimed, played and stored at once, so it is also what a crash may cost. The size must not depend
    on the machine: chunks are told apart by their first game. A class of players says it by a static method
    `chunk_size` of the values of its parameters.
    """
    info, values = PLAYERS.parse(player)
    made = load_attribute(info.factory) if isinstance(info.factory, str) else info.factory
    told = getattr(made, "chunk_size", None)
    return 1 if told is None else int(told(**values))


@dataclass(frozen=True, slots=True)
class Chunk:
    """Games `first` to `first + count - 1` of one player of a run; `entrant` is the player's number in the store."""

    entrant: int
    player: str
    first: int
    count: int


@dataclass(frozen=True, slots=True)
class Task:
    """A chunk with all that a worker needs to play it; `games` are the numbers of the games that are missing."""

    chunk: Chunk
    variant: str
    seed: int
    stop_at_target: bool
    games: tuple[int, ...] | range


class Row(NamedTuple):
    """One game as it is kept.

    seconds: time the player thought; won: 1 or 0; nodes, table_hits, pruned: of all moves together, depths: the sum of
    the depths reached, each None where games are played in a compiled loop that does not count. tiles: `tile:moves`
    for each tile, ascending, the moves made when it first lay on the board, split by spaces; None where not known.
    """

    game: int
    score: int
    max_tile: int
    moves: int
    seconds: float
    won: int
    reason: str
    nodes: int | None = None
    table_hits: int | None = None
    pruned: int | None = None
    depths: int | None = None
    tiles: str | None = None


Columns = dict[str, list[Any]]
"""Games as columns of equal length by the names of `Row`; those from a compiled loop lack what it does not count.
Columns, since to make 100,000 rows takes as long as to play the games."""


def parse_player(text: str) -> tuple[str, dict[str, Any]]:
    """The name of a player and the values of its parameters."""
    info, values = PLAYERS.parse(text)
    return info.name, values
