"""What is tuned: some parameters of an evaluation, as genes.

Any evaluation with numbers for parameters will do, also one in a user's file. All its numbers are weights but those
named in `NO_WEIGHTS`, which say how a special case is treated; `--weights` chooses otherwise.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from twofold.errors import InvalidParameter, did_you_mean, quote
from twofold.evaluation.registry import EVALUATIONS
from twofold.notation import Parameter, parse_call, write_call
from twofold.players.registry import PLAYERS, list_players

NO_WEIGHTS = frozenset({"dead", "lost", "border"})

Weights = tuple[float, ...]
"""One value per gene, in the order of `Space.genes`."""

_RANGE = re.compile(r"(?:([A-Za-z_]\w*)=)?(-?[\d.]+(?:e[+-]?\d+)?)\.\.(-?[\d.]+(?:e[+-]?\d+)?)")


@dataclass(frozen=True, slots=True)
class Gene:
    """One weight. start: its value now; low, high: what the genetic method draws from; unit: the smallest step there.

    step: the first standard deviation of CMA-ES. least, most: bounds that no method may pass, None for none.
    """

    name: str
    start: float
    low: float
    high: float
    unit: float
    step: float
    least: float | None
    most: float | None

    @property
    def count(self) -> int:
        """How many values the genetic method can draw."""
        return round((self.high - self.low) / self.unit) + 1

    def value(self, number: int) -> float:
        """Value `number` of `count`, from the low end."""
        return _rounded(self.low + number * self.unit)

    def number(self, value: float) -> int:
        """The nearest value's number."""
        return min(self.count - 1, max(0, round((value - self.low) / self.unit)))


@dataclass(frozen=True)
class Space:
    """The genes of an evaluation."""

    evaluation: str
    genes: tuple[Gene, ...]

    @classmethod
    def of(cls, evaluation: str, names: Sequence[str] | None = None, ranges: Sequence[str] = ()) -> Space:
        """The weights of `evaluation`, or those `names`.

        ranges: texts `LOW..HIGH` for all weights or `NAME=LOW..HIGH` for one; by default about eight times as far to
        both sides of 0 as the weight is now. Raises InvalidParameter for what is not a weight or no range.
        """
        info, values = EVALUATIONS.parse(evaluation)
        known = {p.name: p for p in info.parameters if _is_number(p, values)}
        chosen = list(names) if names else [name for name in known if name not in NO_WEIGHTS]
        if not chosen:
            raise InvalidParameter(f"{quote(evaluation)} has no weights to tune")
        for i, name in enumerate(chosen):
            if name not in known:
                hint = did_you_mean(name, known)
                raise InvalidParameter(
                    f"{quote(name)} is not a weight of {info.name}{hint} (it has: {', '.join(known) or 'none'})"
                )
            if name in chosen[:i]:
                raise InvalidParameter(f"the weight {quote(name)} is given twice")
        limits = _read_ranges(ranges, chosen)
        genes = tuple(
            _gene(known[name], float(values[name]), limits.get(name, limits.get(""))) for name in chosen
        )
        return cls(EVALUATIONS.canonical(evaluation), genes)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the weights."""
        return tuple(gene.name for gene in self.genes)

    @property
    def start(self) -> Weights:
        """The current weights."""
        return tuple(gene.start for gene in self.genes)

    def text(self, weights: Weights) -> str:
        """The evaluation with these weights, in the form for a value inside another call."""
        info, values = EVALUATIONS.parse(self.evaluation)
        kinds = {p.name: p.kind for p in info.parameters}
        for gene, weight in zip(self.genes, weights, strict=True):
            values[gene.name] = round(weight) if kinds[gene.name] is int else float(weight)
        return write_call(info.name, values, info.parameters).nested()

    def player(self, player: str, weights: Weights) -> str:
        """The player's canonical text with these weights in its evaluation."""
        list_players()
        info, values = PLAYERS.parse(player)
        values["eval"] = self.text(weights)
        return str(write_call(info.name, values, info.parameters))

    def rounded(self, weights: Sequence[float]) -> Weights:
        """Within all bounds, to six digits: what is played is what is told."""
        return tuple(
            _rounded(min(_or(gene.most, math.inf), max(_or(gene.least, -math.inf), float(weight))))
            for gene, weight in zip(self.genes, weights, strict=True)
        )

    def weights_of(self, text: str) -> Weights:
        """The weights in another text of the same evaluation. Raises InvalidParameter if it is another one."""
        info, values = EVALUATIONS.parse(text)
        if info.name != EVALUATIONS.parse(self.evaluation)[0].name:
            raise InvalidParameter(f"{quote(text)} is not {quote(self.evaluation)} with other weights")
        return tuple(float(values[name]) for name in self.names)

    def draw(self, rng: np.random.Generator) -> Weights:
        """Weights at random, each uniform among its values."""
        return tuple(gene.value(int(rng.integers(gene.count))) for gene in self.genes)


def check_player(player: str) -> str:
    """The canonical text of a player that takes an evaluation; its `eval` is left out."""
    list_players()
    info, values = PLAYERS.parse(player)
    names = [parameter.name for parameter in info.parameters]
    if "eval" not in names:
        raise InvalidParameter(f"the player {quote(player)} takes no evaluation: choose a player with eval=…")
    if "eval" in dict(parse_call(player).parameters):
        raise InvalidParameter(f"leave eval out of --player {quote(player)}: the tuned evaluation is put in")
    return str(write_call(info.name, values, info.parameters))


def _is_number(parameter: Parameter, values: Mapping[str, Any]) -> bool:
    value = values[parameter.name]
    return parameter.kind in (int, float) and isinstance(value, int | float) and not isinstance(value, bool)


def _gene(parameter: Parameter, start: float, limits: tuple[float, float] | None) -> Gene:
    reach = _round_up(max(10.0, 8 * abs(start)))
    low, high = limits or (-reach, reach)
    least, most = parameter.minimum, parameter.maximum
    if limits is None:
        low, high = max(low, _or(least, low)), min(high, _or(most, high))
    elif low < _or(least, low) or high > _or(most, high):
        raise InvalidParameter(
            f"the range {low:g}..{high:g} of {parameter.name} goes beyond {_or(least, -math.inf):g} to "
            f"{_or(most, math.inf):g}"
        )
    unit = 1.0 if parameter.kind is int or high - low > 20 else 0.1
    step = 0.3 * abs(start) or unit
    if least is not None and most is not None and most - least < 100:
        step = min(step, (most - least) / 25)
    if limits is not None:
        least, most = low, high
    return Gene(parameter.name, start, low, high, unit, step, least, most)


def _read_ranges(ranges: Sequence[str], names: Sequence[str]) -> dict[str, tuple[float, float]]:
    """Ranges by name; that of the empty name is for all others."""
    found: dict[str, tuple[float, float]] = {}
    for text in ranges:
        match = _RANGE.fullmatch(text.strip())
        try:
            name, low, high = (match[1] or "", float(match[2]), float(match[3])) if match else ("", 0.0, 0.0)
        except ValueError:
            match = None
        if match is None or not low < high:
            raise InvalidParameter(
                f"range {quote(text)} is not LOW..HIGH or NAME=LOW..HIGH with LOW below HIGH"
            )
        if name and name not in names:
            raise InvalidParameter(
                f"range {quote(text)} is not for a weight that is tuned{did_you_mean(name, names)}"
            )
        found[name] = (low, high)
    return found


def _or(value: float | None, otherwise: float) -> float:
    return otherwise if value is None else value


def _rounded(value: float) -> float:
    return float(f"{value:.6g}") + 0.0  # no −0


def _round_up(value: float) -> float:
    """The next number of the form 1, 2 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(power * digit for digit in (1, 2, 5, 10) if power * digit >= value * (1 - 1e-12))
