"""The dialog for the rules of a new game."""

from __future__ import annotations

from dataclasses import dataclass

from textual.widget import Widget

from twofold.rules.random import MASK
from twofold.rules.shapes import SHAPES
from twofold.rules.spawn_values import format_spawn_values
from twofold.rules.variant import CORNERS, Variant, format_spawn_style
from twofold.ui.shared.rules_form import Rules, value_names
from twofold.ui.terminal.fields import Choice, Form, number, text_field, whole

_SPAWNS = [(text, text) for text in ("random", *CORNERS, "evil:depth=1", "evil:depth=2")]
_SHAPES = [("", "rectangle"), *((name, name) for name in SHAPES)]


@dataclass(frozen=True, slots=True)
class NewGameChoice:
    """A game to begin; any seed will do if it is None."""

    variant: Variant
    seed: int | None


class NewGame(Form[NewGameChoice]):
    """Asks for rules, beginning with those of the game before."""

    TITLE = "New game"

    def __init__(self, variant: Variant) -> None:
        super().__init__()
        start = variant.start
        self.size_of = text_field(f"{variant.rows}x{variant.columns}")
        self.shape = Choice(_SHAPES, "")
        self.map = text_field(str(start) if any(start.cells) else "", "start board in any notation")
        self.target = text_field(str(variant.target))
        self.p4 = text_field(f"{variant.p4:.12g}")
        self.values = text_field(
            format_spawn_values(variant.values), "empty: 2s and 4s; or 2:0.8,4:0.15,8:0.05"
        )
        self.spawn = Choice(_SPAWNS, format_spawn_style(variant))
        self.value = Choice(list(value_names(Variant()).items()), variant.value)
        self.empty = Choice([("", "no"), ("1", "yes")], "1" if variant.empty_start else "")
        self.seed = text_field("", "empty: a random game")
        self.text = text_field("", "all rules as one text, used instead of the fields")

    def rows(self) -> list[tuple[str, Widget]]:
        """The fields."""
        return [
            ("size", self.size_of),
            ("shape", self.shape),
            ("map", self.map),
            ("target", self.target),
            ("chance of a 4", self.p4),
            ("tiles and chances", self.values),
            ("new tiles appear", self.spawn),
            ("new tiles are", self.value),
            ("empty start", self.empty),
            ("seed", self.seed),
            ("or as text", self.text),
        ]

    def result(self) -> NewGameChoice:
        """The rules that are filled in."""
        seed = whole("seed", self.seed.value, 0, MASK)
        if self.text.value.strip():
            return NewGameChoice(Variant.parse(self.text.value.strip()), seed)
        values = self.values.value.strip()
        rules = Rules(
            size=self.size_of.value.strip() or None,
            map=self.map.value.strip() or None,
            shape=self.shape.value or None,
            target=whole("target", self.target.value, 4, 1 << 60),
            p4=None
            if values or self.value.value != "random"
            else number("chance of a 4", self.p4.value, 0, 1),
            spawn_values=values or None,
            spawn=self.spawn.value,
            spawn_value=self.value.value,
            empty_start=bool(self.empty.value),
        )
        return NewGameChoice(rules.to_variant(), seed)
