"""The rules of a new game as people type them, field by field."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from typing import Any

from twofold.errors import InvalidVariant
from twofold.rules.board import Board, parse_board
from twofold.rules.notation import parse_size
from twofold.rules.shapes import shape as make_shape
from twofold.rules.spawn_values import parse_spawn_values
from twofold.rules.state import State
from twofold.rules.variant import CORNERS, Variant, parse_spawn_style

_ENDS = {"t": "top", "b": "bottom", "l": "left", "r": "right"}


def _place_name(style: str) -> str:
    """A corner style in words: `tl-rows` fills from the top left corner, row by row."""
    corner, _, along = style.partition("-")
    return f"{_ENDS[corner[0]]} {_ENDS[corner[1]]} first, by {along}"


PLACE_NAMES = {"random": "anywhere", **{style: _place_name(style) for style in CORNERS}}
"""`Variant.place` in words."""


def value_names(variant: Variant) -> dict[str, str]:
    """`Variant.value` in words, for this variant."""
    values = [f"{value:,}" for value, _ in variant.values] or ["2", "4"]
    drawn = f"{', '.join(values[:-1])} or {values[-1]}" if len(values) > 1 else values[0]
    return {"random": drawn, "2": "always 2", "4": "always 4"}


def spawn_words(variant: Variant) -> str:
    """Where tiles appear and which, in words."""
    return f"{PLACE_NAMES[variant.place]}, {value_names(variant)[variant.value]}"


@dataclass(frozen=True, slots=True)
class Rules:
    """The options that say which game is played; `None` where an option was not given."""

    size: str | None = None
    map: str | None = None
    shape: str | None = None
    target: int | None = None
    p4: float | None = None
    spawn: str | None = None
    spawn_value: str | None = None
    empty_start: bool = False
    variant: str | None = None
    spawn_values: str | None = None

    def to_variant(self) -> Variant:
        """The variant; raises `InvalidVariant` or `InvalidBoard`."""
        if self.variant is None:
            return Variant(start=self._start(), **self._keywords())
        if replace(self, variant=None) != Rules():
            raise InvalidVariant("--variant gives all the rules: leave out the other rule options")
        return Variant.parse(self.variant)

    def to_state(self, board: Board, score: int | None = None) -> State:
        """`board` as a state under these rules; its size and bricks come from the board itself."""
        bare = board.without_tiles()
        if bare.is_full:  # bricks only: dead, but may be looked at
            return State.of(board, None, score)
        if self.variant is not None:
            variant = replace(self.to_variant(), start=bare)
        else:
            variant = Variant(start=bare, **self._keywords())
        if variant.evil is not None:
            # Imported late, as it brings compiled kernels along; it refuses an evaluation that there isn't.
            from twofold.players.adversary import make_adversary

            make_adversary(variant)
        return State.of(board, variant, score)

    def _keywords(self) -> dict[str, Any]:
        """The keywords of `Variant`, the start board left out."""
        rules: dict[str, Any] = {"empty_start": self.empty_start}
        if self.target is not None:
            rules["target"] = self.target
        fixed = f"--spawn-value {self.spawn_value}" if self.spawn_value in ("2", "4") else ""
        said = ["--p4"] * (self.p4 is not None) + ["--spawn-values"] * (self.spawn_values is not None)
        if len(said) + bool(fixed) > 1:
            raise InvalidVariant(
                f"{said[0]} and {[*said, fixed][1]} both say what spawns: give only one of them"
            )
        if self.p4 is not None:
            rules["p4"] = self.p4
        if self.spawn_values is not None:
            rules["values"] = parse_spawn_values(self.spawn_values)
        if self.spawn_value is not None:
            rules["value"] = self.spawn_value
        if self.spawn is not None:
            rules |= parse_spawn_style(self.spawn)
        return rules

    def _start(self) -> Board:
        size = parse_size(self.size) if self.size is not None else None
        if self.map is not None:
            if self.shape is not None:
                raise InvalidVariant("--map and --shape both give the board: use only one of them")
            return parse_board(self.map, size)
        rows, columns = size or (4, 4)
        if self.shape is not None:
            return make_shape(self.shape, rows, columns)
        return Board.empty(rows, columns)


def fresh_seed() -> int:
    """A seed by chance, short enough to be typed again."""
    return secrets.randbelow(10**9)
