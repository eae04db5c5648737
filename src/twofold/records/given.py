"""A game whose tiles are given one by one, as in another program's replay, and not drawn from a seed."""

from __future__ import annotations

from dataclasses import replace

from twofold.errors import InvalidFile, quote
from twofold.rules.game import Game
from twofold.rules.spawn import Adversary, Spawn
from twofold.rules.variant import Variant


class GivenGame(Game):
    """A game that begins with given spawns and given points; once they have run out, tiles are drawn from the seed.

    given: the spawns in order, those of the start first. A spawn whose cell is taken, as after another move than the
    recorded one, goes to the next empty cell in reading order. start_score: points at the start.
    """

    def __init__(
        self,
        variant: Variant,
        given: tuple[Spawn, ...] = (),
        *,
        start_score: int = 0,
        seed: int = 0,
        index: int = 0,
        adversary: Adversary | None = None,
    ) -> None:
        self.given = given
        self.start_score = start_score
        super().__init__(variant, seed, index=index, adversary=adversary)

    def restart(self, seed: int | None = None) -> None:
        """Begin again, with the given tiles; with a seed they are left out."""
        if seed is not None:
            self.given, self.start_score = (), 0
        super().restart(seed)

    def _begin(self, seed: int) -> None:
        super()._begin(seed)
        if self.start_score:
            self._state = replace(self._state, score=self.start_score)
            self._outcome = self._outcome_of(self._state)


def format_spawns(spawns: tuple[Spawn, ...]) -> str:
    """`cell@value` of each, split by commas; cells count from 0 in reading order."""
    return ",".join(f"{spawn.cell}@{1 << spawn.rank}" for spawn in spawns)


def parse_spawns(text: str, cells: int) -> tuple[Spawn, ...]:
    """Reads `format_spawns` for a board of so many cells. Raises InvalidFile."""
    entries = text.split(",") if text else []
    kinds = {entry: _read_spawn(entry, cells) for entry in dict.fromkeys(entries)}  # a million moves have few
    return tuple(map(kinds.__getitem__, entries))


def _read_spawn(text: str, cells: int) -> Spawn:
    cell, _, value = text.partition("@")
    if not (
        cell.isascii() and cell.isdigit() and len(cell) <= 4 and int(cell) < cells and value in ("2", "4")
    ):
        raise InvalidFile(
            f"the spawn {quote(text)} of the record is not CELL@2 or CELL@4, cells from 0 to {cells - 1}"
        )
    return Spawn(int(cell), 1 if value == "2" else 2)
