"""`History`: the moves of a game in four bytes each, with the states between them played again when they are asked for.

A state is kept before every `EVERY`-th move, so that no move is farther away than that. Spawns are stored with the
moves: an adversary is not asked again, and what was undone comes back the same. So are rules of spawns that were
changed on the way: with the number of moves before which they hold.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import overload

from twofold.rules.direction import DIRECTIONS, Direction
from twofold.rules.spawn import Spawn
from twofold.rules.state import Moved, State, play_again
from twofold.rules.variant import Variant

EVERY = 128
"""Moves from one kept state to the next."""


class History(Sequence[Moved]):
    """The moves played so far, the latest last: a view that follows the game. Moves that were undone lie behind them.

    first: the state before the first move.
    """

    def __init__(self, first: State) -> None:
        self._words = array("I")  # direction + 4·rank + 256·cell
        self._at = 0  # words before this are played, the others undone
        self._kept = [first]  # kept[k]: the state before move k·EVERY
        self._recent: list[Moved] = []  # the moves since the last kept state
        self._looked: tuple[int, list[Moved]] = (-1, [])  # the stretch of moves that was read last
        self._changes: dict[int, Variant] = {}

    def add(self, moved: Moved) -> None:
        """Plays a move. Those that were undone are forgotten."""
        self._forget_undone()
        self._words.append(moved.direction | moved.spawn.rank << 2 | moved.spawn.cell << 8)
        self._forward(moved)

    def change(self, variant: Variant) -> None:
        """Other rules from here on. Moves that were undone are forgotten."""
        self._forget_undone()
        self._changes[self._at] = variant

    def _forget_undone(self) -> None:
        if self._at < len(self._words):
            del self._words[self._at :]
            self._changes = {at: variant for at, variant in self._changes.items() if at <= self._at}
            self._looked = (-1, [])

    @property
    def changes(self) -> Mapping[int, Variant]:
        """The rules that were changed, by the number of moves before; those behind undone moves too."""
        return self._changes

    def ruled(self, state: State, number: int) -> State:
        """A state reached by `number` moves, with the rules that were given there."""
        variant = self._changes.get(number)
        return state if variant is None else replace(state, variant=variant)

    def undo(self) -> Moved:
        """Takes the last move back; there must be one."""
        if not self._recent:
            self._kept.pop()
            self._recent = self._stretch(len(self._kept) - 1)
        self._at -= 1
        return self._recent.pop()

    def redo(self) -> Moved:
        """Plays the move undone last again; there must be one."""
        state = self._recent[-1].state if self._recent else self._kept[-1]
        moved = self._replayed(state, self._at)
        self._forward(moved)
        return moved

    def _forward(self, moved: Moved) -> None:
        self._recent.append(moved)
        self._at += 1
        if self._at % EVERY == 0:
            self._kept.append(moved.state)
            self._recent = []

    def _replayed(self, state: State, number: int) -> Moved:
        word = self._words[number]
        return play_again(self.ruled(state, number), DIRECTIONS[word & 3], Spawn(word >> 8, word >> 2 & 63))

    def _stretch(self, k: int) -> list[Moved]:
        """The moves from kept state k on, played again."""
        state, found = self._kept[k], []
        for number in range(k * EVERY, min((k + 1) * EVERY, self._at)):
            moved = self._replayed(state, number)
            found.append(moved)
            state = moved.state
        return found

    @property
    def directions(self) -> tuple[Direction, ...]:
        """The moves played."""
        return tuple(DIRECTIONS[word & 3] for word in self._words[: self._at])

    @property
    def undone(self) -> tuple[Direction, ...]:
        """The moves that can be redone, the next one first."""
        return tuple(DIRECTIONS[word & 3] for word in self._words[self._at :])

    @property
    def can_redo(self) -> bool:
        """True if a move was undone and none played since."""
        return self._at < len(self._words)

    def __len__(self) -> int:
        return self._at

    @overload
    def __getitem__(self, index: int) -> Moved: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Moved, ...]: ...

    def __getitem__(self, index: int | slice) -> Moved | tuple[Moved, ...]:
        if isinstance(index, slice):
            return tuple(self[number] for number in range(*index.indices(self._at)))
        number = index + self._at if index < 0 else index
        if not 0 <= number < self._at:
            raise IndexError(f"move {index} of {self._at}")
        k = number // EVERY
        if k == len(self._kept) - 1:
            return self._recent[number % EVERY]
        if self._looked[0] != k:
            self._looked = (k, self._stretch(k))
        return self._looked[1][number % EVERY]
