"""What spawns with which probability, as a value and as a text: `2:0.8,4:0.15,8:0.05`."""

from __future__ import annotations

import math
from collections.abc import Iterable

from twofold.errors import InvalidVariant, quote
from twofold.notation import underflows

MAX_VALUE = 1024
"""The largest tile that may spawn."""

SpawnValues = tuple[tuple[int, float], ...]
"""(face value, probability) pairs, smallest value first."""

_FORM = "write values and probabilities that add up to 1, such as 2:0.8,4:0.15,8:0.05"


def check_spawn_values(values: object) -> SpawnValues:
    """The pairs of `values` (a text too), sorted, without those of probability 0. Raises InvalidVariant."""
    pairs = parse_spawn_values(values) if isinstance(values, str) else values
    if not isinstance(pairs, Iterable):
        raise InvalidVariant(f"spawn values {quote(values)} are not pairs: {_FORM}")
    found: dict[int, float] = {}
    for pair in pairs:
        try:
            value, chance = pair
        except (TypeError, ValueError):
            raise InvalidVariant(f"{quote(pair)} is not a value with its probability: {_FORM}") from None
        whole = isinstance(value, int) and not isinstance(value, bool)
        if not whole or not 2 <= value <= MAX_VALUE or value.bit_count() != 1:
            raise InvalidVariant(f"spawn value {quote(value)} is not a power of two from 2 to {MAX_VALUE}")
        if value in found:
            raise InvalidVariant(f"spawn value {value} is given twice: {_FORM}")
        found[value] = probability(chance, f"the probability of {value}:")
    total = math.fsum(found.values())
    if not math.isclose(total, 1.0, abs_tol=1e-12):
        raise InvalidVariant(f"the probabilities of the spawn values add up to {total:.12g}, not 1: {_FORM}")
    return tuple(sorted((value, chance) for value, chance in found.items() if chance > 0.0))


def parse_spawn_values(text: str) -> SpawnValues:
    """Reads `2:0.8,4:0.15,8:0.05`; see `check_spawn_values`. Raises InvalidVariant."""
    pairs = []
    for entry in text.split(","):
        value, colon, chance = (part.strip() for part in entry.partition(":"))
        if not colon or not value.isascii() or not value.isdigit() or len(value) > 9:
            raise InvalidVariant(f"{quote(entry)} is not a value with its probability: {_FORM}")
        pairs.append((int(value), chance))
    return check_spawn_values(pairs)


def format_spawn_values(values: SpawnValues) -> str:
    """The text that `parse_spawn_values` reads back exactly."""
    return ",".join(
        f"{value}:{int(chance) if chance.is_integer() else repr(chance)}" for value, chance in values
    )


def probability(value: object, what: str) -> float:
    """`value` as a float from 0 to 1; what: its name in the error. Raises InvalidVariant."""
    try:
        number = math.nan if isinstance(value, bool) or len(str(value)) > 400 else float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        number = math.nan
    if not 0 <= number <= 1:
        raise InvalidVariant(f"{what} {quote(value)} is not a probability from 0 to 1")
    if isinstance(value, str) and underflows(value, number):
        raise InvalidVariant(f"{what} {quote(value)} is too near 0 for a 64-bit number: write 0")
    return number + 0.0  # -0.0 becomes 0.0, so that equal variants have equal texts
