"""`Variant`: the rules of one game as a value that travels with its record.

The text form is one line: a size or a map, then what differs from the classic game, split by `;`:

    4x4                                     the classic game
    5x5;p4=0.2;target=512
    map=2 . x|. . .;p4=0                    start tiles and bricks
    4x4;spawn=tl-rows;value=2               a deterministic game
    4x4;spawn=evil:depth=2,eval=default
    2x2;spawn=script:0@2,3@4;empty-start=1
    4x4;values=2:0.8,4:0.15,8:0.05          what spawns, with its probabilities

`str(variant)` is canonical (this order, defaults left out) and `Variant.parse` reads it back exactly.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from twofold.errors import InvalidVariant, TwofoldError, did_you_mean, quote
from twofold.notation import parse_call
from twofold.rules.board import Board, parse_board
from twofold.rules.cells import MAX_RANK
from twofold.rules.notation import MAX_TEXT, format_board, parse_size
from twofold.rules.random import four_threshold
from twofold.rules.spawn_values import (
    SpawnValues,
    check_spawn_values,
    format_spawn_values,
    parse_spawn_values,
    probability,
)

CORNERS: tuple[str, ...] = tuple(
    f"{corner}-{way}" for corner in ("tl", "tr", "bl", "br") for way in ("rows", "columns")
)
"""The corner styles: the corner, and whether its rows or its columns are filled first."""

PLACES: tuple[str, ...] = ("random", *CORNERS)
"""The values of `Variant.place`."""

VALUES: tuple[str, ...] = ("random", "2", "4")
"""The values of `Variant.value`."""

STYLES: tuple[str, ...] = (*PLACES, "evil", "script")
"""The values of `Variant.style`."""

_KEYS = ("map", "p4", "values", "target", "spawn", "value", "empty-start")
_MAX_SCRIPT = 10_000
_MAX_DEPTH = 20


def corner_order(style: str, rows: int, columns: int) -> tuple[int, ...]:
    """All cells in the order in which the corner style looks for an empty one."""
    corner, _, way = style.partition("-")
    down = range(rows)[:: 1 if corner[0] == "t" else -1]
    across = range(columns)[:: 1 if corner[1] == "l" else -1]
    if way == "rows":
        return tuple(row * columns + column for row in down for column in across)
    return tuple(row * columns + column for column in across for row in down)


@dataclass(frozen=True, slots=True)
class Evil:
    """The adversary: places the tile that minimises the best value at `depth` moves of `evaluation`.

    evaluation: a call text; one with several parameters has the nested form, `lines(empty=270,merge=700)`.
    """

    depth: int = 2
    evaluation: str = "default"

    def __post_init__(self) -> None:
        depth, name = self.depth, self.evaluation
        if not _is_whole(depth) or not 1 <= depth <= _MAX_DEPTH:
            raise InvalidVariant(f"evil depth {quote(depth)} is not a whole number from 1 to {_MAX_DEPTH}")
        if not _survives(name):
            raise InvalidVariant(f"evil eval {quote(name)} is not of the form name or name(key=value,…)")

    def __str__(self) -> str:
        return f"evil:depth={self.depth},eval={self.evaluation}"


@dataclass(frozen=True, slots=True)
class Variant:
    """The rules of one game. The default is the classic game.

    start: the board before the start spawns, with its bricks and tiles; it sets the size.
    p4: probability that a spawn is a 4, 0 to 1, where only 2s and 4s spawn.
    values: what spawns, as (face value, probability) pairs or a text like `2:0.8,4:0.15,8:0.05`: powers of two from 2
        to 1024, each once, probabilities that add up to 1. Empty: 2s and 4s by p4; values of 2 and 4 only become p4.
    target: the face value that wins, a power of two from 4 to 2^60.
    place: where tiles spawn: `random`, or a corner style as `tl-rows`: the first empty cell, row by row
        (or column by column) outwards from that corner.
    value: what spawns: `random` (by p4 or values), `2` or `4`. Evil and scripted spawns ignore it,
        but evil never places a tile that could not spawn.
    empty_start: without start tiles, one tile spawns first instead of two (S4's `--nogen`).
    evil: an adversary that places the tiles, or None.
    script: the first spawns as (cell, rank) pairs, ranks 1 or 2; random ones follow.
    Raises InvalidVariant for anything else.
    """

    start: Board = Board.empty(4, 4)
    p4: float = 0.1
    target: int = 2048
    place: str = "random"
    value: str = "random"
    empty_start: bool = False
    evil: Evil | None = None
    script: tuple[tuple[int, int], ...] = ()
    values: SpawnValues = ()

    def __post_init__(self) -> None:
        if not isinstance(self.start, Board):
            raise InvalidVariant(f"start must be a Board, not {quote(self.start)}")
        if not self.start.tile_ranks and self.start.is_full:
            raise InvalidVariant("the start board has bricks only; leave at least one cell free")
        object.__setattr__(self, "p4", probability(self.p4, "p4"))
        self._check_values()
        target = self.target
        if not _is_whole(target) or not 4 <= target <= 1 << MAX_RANK or target.bit_count() != 1:
            raise InvalidVariant(f"target {quote(target)} is not a power of two from 4 to 2^{MAX_RANK}")
        _check_choice("spawn", self.place, PLACES)
        _check_choice("value", self.value, VALUES)
        if not isinstance(self.empty_start, bool):
            raise InvalidVariant(f"empty-start {quote(self.empty_start)} is neither True nor False")
        self._check_style()

    def _check_values(self) -> None:
        if not self.values:
            object.__setattr__(self, "values", ())
            return
        if self.p4 != 0.1:
            raise InvalidVariant("p4 and values both say what spawns: give only one of them")
        values = check_spawn_values(self.values)
        if values[-1][0] <= 4:  # p4 says the same
            object.__setattr__(self, "p4", dict(values).get(4, 0.0))
            values = ()
        object.__setattr__(self, "values", values)

    def _check_style(self) -> None:
        if self.evil is not None and not isinstance(self.evil, Evil):
            raise InvalidVariant(f"evil must be an Evil or None, not {quote(self.evil)}")
        if (self.place != "random") + (self.evil is not None) + bool(self.script) > 1:
            raise InvalidVariant("a game has one spawn style: a corner, evil or a script, not two of them")
        object.__setattr__(self, "script", _checked_script(self.script, len(self.start.cells)))

    @classmethod
    def of_size(cls, rows: int, columns: int, **rules: Any) -> Variant:
        """A variant on an empty board of this size; other keywords as for `Variant`."""
        return cls(Board.empty(rows, columns), **rules)

    # What the rules come to

    @property
    def rows(self) -> int:
        """Rows of the board."""
        return self.start.rows

    @property
    def columns(self) -> int:
        """Columns of the board."""
        return self.start.columns

    @property
    def target_rank(self) -> int:
        """The rank of the target."""
        return self.target.bit_length() - 1

    @property
    def start_spawns(self) -> int:
        """Tiles that spawn before the first move: none beside start tiles, else two (one with an empty start)."""
        if self.start.tile_ranks:
            return 0
        return min(1 if self.empty_start else 2, len(self.start.empty_cells))

    @property
    def style(self) -> str:
        """`random`, a corner style, `evil` or `script`."""
        return "evil" if self.evil else "script" if self.script else self.place

    @property
    def is_drawn(self) -> bool:
        """True if chance decides what appears, and not an adversary or a script."""
        return not (self.evil or self.script)

    @property
    def has_own_values(self) -> bool:
        """True if other tiles than 2s and 4s can spawn."""
        return bool(self.values) and self.value == "random"

    @property
    def chances(self) -> tuple[tuple[int, float], ...]:
        """(rank, probability) of all that can spawn, smallest first."""
        if self.has_own_values:
            return tuple((value.bit_length() - 1, chance) for value, chance in self.values)
        four = self.chance_of_four
        return tuple(pair for pair in ((1, 1.0 - four), (2, four)) if pair[1] > 0.0)

    @property
    def chance_of_four(self) -> float:
        """The probability of a 4: 0 or 1 if `value` is fixed, else p4 or that of `values`."""
        four = dict(self.values).get(4, 0.0) if self.values else self.p4
        return {"2": 0.0, "4": 1.0}.get(self.value, four)

    @property
    def four_threshold(self) -> int:
        """Where only 2s and 4s spawn: a 4 if the lower half of the random word is below this; 0 to 2^32."""
        return four_threshold(self.chance_of_four)

    @property
    def thresholds(self) -> tuple[tuple[int, int], ...]:
        """(bound, rank), the largest rank first: the first whose bound is above the lower half of a word spawns."""
        bounds, total = [], 0.0
        for rank, chance in reversed(self.chances):
            total += chance
            bounds.append((four_threshold(min(total, 1.0)), rank))
        return (*bounds[:-1], (1 << 32, bounds[-1][1]))

    @property
    def allowed_ranks(self) -> tuple[int, ...]:
        """The ranks that can spawn, smallest first."""
        return tuple(rank for rank, _ in self.chances)

    @property
    def is_random_open_4x4(self) -> bool:
        """True on the open 4×4 board with random places and no start tile but two spawns; any p4, value, target."""
        start = self.start
        return start.is_open_4x4 and not start.tile_ranks and self.style == "random" and not self.empty_start

    def place_order(self) -> tuple[int, ...]:
        """All cells in the order in which a corner style looks for an empty one (else reading order)."""
        return corner_order(self.place if self.place in CORNERS else "tl-rows", self.rows, self.columns)

    # Text

    def __repr__(self) -> str:
        return f"Variant.parse({str(self)!r})"

    def __str__(self) -> str:
        plain = self.start.empty_cells and len(self.start.empty_cells) == len(self.start.cells)
        parts = [
            f"{self.rows}x{self.columns}" if plain else f"map={format_board(self.start).removesuffix('|')}"
        ]
        if self.values:
            parts.append(f"values={format_spawn_values(self.values)}")
        elif self.p4 != 0.1:
            parts.append(f"p4={int(self.p4) if self.p4.is_integer() else self.p4!r}")
        if self.target != 2048:
            parts.append(f"target={self.target}")
        if self.style != "random":
            parts.append(f"spawn={format_spawn_style(self)}")
        if self.value != "random":
            parts.append(f"value={self.value}")
        if self.empty_start:
            parts.append("empty-start=1")
        return ";".join(parts)

    @classmethod
    def parse(cls, text: str) -> Variant:
        """The variant that `text` names; see the module's docstring for the form. Raises InvalidVariant."""
        if not isinstance(text, str):
            raise InvalidVariant(f"a variant must be a text, not {quote(text)}; write for example 4x4;p4=0.1")
        if len(text) > 2 * MAX_TEXT:
            raise InvalidVariant(f"{quote(text)} is too long for a variant")
        first, *others = text.split(";")
        rules: dict[str, Any] = {}
        seen: set[str] = set()
        for part in [first, *others] if "=" in first else others:
            key, equals, value = (piece.strip() for piece in part.partition("="))
            if not equals or key not in _KEYS:
                hint = f"; write {key}=VALUE" if key in _KEYS else did_you_mean(key, _KEYS)
                raise InvalidVariant(
                    f"{quote(part)} is not a rule{hint} (a variant is SIZE or map=MAP, then ;key=value "
                    f"with the keys {', '.join(_KEYS[1:])})"
                )
            if key in seen:
                raise InvalidVariant(f"{quote(key)} is given twice in {quote(text)}")
            seen.add(key)
            rules.update(_read_rule(key, value))
        if "=" not in first:
            if "map" in seen:
                raise InvalidVariant(f"{quote(text)} gives both a size and a map; the map has its size")
            rules["start"] = Board.empty(*_read_size(first))
        return cls(**rules)


def parse_spawn_style(text: str) -> dict[str, Any]:
    """The keywords `place`, `evil` and `script` of `Variant` for a spawn style as text.

    text: `random`, a corner style, `evil:depth=D,eval=TEXT` or `script:cell@value,cell@value` (also split
    by `;`; cells count from 0 in reading order). Raises InvalidVariant.
    """
    name, _, rest = text.strip().partition(":")
    if name == "evil":
        call = _call_of_evil(text)
        depth = call.get("depth", "2")
        if not depth.isascii() or not depth.isdigit() or len(depth) > 9:
            raise InvalidVariant(f"evil depth {quote(depth)} is not a whole number from 1 to {_MAX_DEPTH}")
        return {"place": "random", "evil": Evil(int(depth), call.get("eval", "default")), "script": ()}
    if name == "script":
        entries = [_read_script_entry(entry) for entry in rest.replace(";", ",").split(",")]
        return {"place": "random", "evil": None, "script": tuple(entries)}
    _check_choice("spawn", text.strip(), STYLES)
    return {"place": text.strip(), "evil": None, "script": ()}


def format_spawn_style(variant: Variant) -> str:
    """The spawn style of a variant, as `parse_spawn_style` reads it."""
    if variant.evil:
        return str(variant.evil)
    if variant.script:
        return "script:" + ",".join(f"{cell}@{1 << rank}" for cell, rank in variant.script)
    return variant.place


def _read_rule(key: str, value: str) -> dict[str, Any]:
    """The keywords of `Variant` for one `key=value`."""
    if key == "map":
        try:
            # One row of cells is a row here, never a list of sixteen.
            row = "spaced" if re.fullmatch(r"[^|\n\[{]*[ ,][^|\n\[{]*", value.strip()) else None
            return {"start": parse_board(value, notation=row)}
        except TwofoldError as error:
            raise InvalidVariant(f"map: {error}") from None
    if key == "p4":
        return {"p4": value}
    if key == "values":
        return {"values": parse_spawn_values(value)}
    if key == "target":
        whole = value.isascii() and value.isdigit() and len(value) <= 20
        return {"target": int(value) if whole else value}
    if key == "spawn":
        return parse_spawn_style(value)
    if key == "value":
        return {"value": value}
    if value not in ("0", "1"):
        raise InvalidVariant(f"empty-start {quote(value)} is neither 1 nor 0")
    return {"empty_start": value == "1"}


def _read_size(text: str) -> tuple[int, int]:
    try:
        return parse_size(text)
    except TwofoldError as error:
        raise InvalidVariant(f"{error}; a variant is SIZE or map=MAP, then ;key=value") from None


def _call_of_evil(text: str) -> dict[str, str]:
    try:
        pairs = parse_call(text).parameters
    except TwofoldError as error:
        raise InvalidVariant(f"spawn: {error}") from None
    for key, _ in pairs:
        if key not in ("depth", "eval"):
            hint = did_you_mean(key, ("depth", "eval"))
            raise InvalidVariant(f"{quote(text)} is not evil:depth=D,eval=NAME{hint}")
    return dict(pairs)


def _survives(evaluation: object) -> bool:
    """True if `evaluation` is a call that comes back whole from the text of a variant."""
    if not isinstance(evaluation, str) or ";" in evaluation:  # the rules of a variant are split at ";"
        return False
    try:
        parse_call(evaluation)
        return parse_call(f"evil:eval={evaluation}").parameters == (("eval", evaluation),)
    except TwofoldError:
        return False


def _read_script_entry(text: str) -> tuple[int, int]:
    cell, _, value = text.strip().partition("@")
    if not (cell.isascii() and cell.isdigit() and len(cell) <= 9 and value in ("2", "4")):
        raise InvalidVariant(f"{quote(text)} in the spawn script is not CELL@2 or CELL@4")
    return int(cell), 1 if value == "2" else 2


def _checked_script(script: object, cells: int) -> tuple[tuple[int, int], ...]:
    """The script as a tuple of pairs of ints. Raises InvalidVariant."""
    try:
        pairs = tuple((cell, rank) for cell, rank in script)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        raise InvalidVariant(f"spawn script {quote(script)} is not a list of (cell, rank) pairs") from None
    if len(pairs) > _MAX_SCRIPT:
        raise InvalidVariant(f"the spawn script has {len(pairs):,} entries; at most {_MAX_SCRIPT:,} are kept")
    for cell, rank in pairs:
        if not _is_whole(cell) or not 0 <= cell < cells:
            raise InvalidVariant(f"no cell {quote(cell)} for the spawn script: cells are 0 to {cells - 1}")
        if not _is_whole(rank) or rank not in (1, 2):
            raise InvalidVariant(f"no rank {quote(rank)} in a spawn script: 1 (a 2) or 2 (a 4) spawns")
    return pairs


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _check_choice(what: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        hint = did_you_mean(value, choices) if isinstance(value, str) else ""
        raise InvalidVariant(f"{what} {quote(value)} is not one of {', '.join(choices)}{hint}")
