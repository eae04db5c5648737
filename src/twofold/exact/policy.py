"""Policies: the value of every afterstate of a solved game, in memory or wherever a source looks it up.

Where a move leads to is all one needs to choose it, so states are not kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Protocol

import numpy as np
from annotated_types import MaxLen

from twofold.checking import Finite, Text, Whole
from twofold.errors import InvalidBoard, quote
from twofold.exact.layers import Words
from twofold.exact.problem import Problem, ProblemFacts, Start, decode, losses
from twofold.exact.solver import Solution
from twofold.exact.states import WordLayout
from twofold.rules.board import Board
from twofold.rules.direction import DIRECTIONS, Direction

_U = np.uint64


@dataclass(frozen=True, slots=True)
class MoveValue:
    """The value of a move. value: probability or points to come; loss: the probability of not winning, 0 for scores.

    reward: points of the move itself; wins: it makes the target.
    """

    direction: Direction
    value: float
    loss: float
    reward: int
    wins: bool


@dataclass
class Facts:
    """The schema of `facts_of` in a file."""

    problem: ProblemFacts
    value: Finite
    mean: Finite
    starts: Annotated[list[tuple[Text, Finite, Finite, Finite]], MaxLen(1 << 20)]
    states: Whole
    afterstates: Whole
    lost: Whole


class Source(Protocol):
    """Where values are looked up."""

    def find(self, layer: int, key: int) -> int | None:
        """The word of an afterstate, None if it isn't there."""

    def sections(self) -> Iterator[tuple[int, Words, Words]]:
        """Layer by layer: its number, the squeezed afterstates in order, and their words."""


class Policy:
    """A solved game: values of boards and of moves. The boards must be ones that the game can reach."""

    def __init__(self, problem: Problem, source: Source, facts: dict[str, Any]) -> None:
        self.problem = problem
        self.layout = problem.layout()
        self.source = source
        self.facts = facts

    def __repr__(self) -> str:
        problem, value = self.problem, self.facts.get("value")
        worth = "" if value is None else f", value {value:.6g}"
        return f"Policy({problem.variant}, {problem.objective}{worth})"

    def moves(self, board: Board) -> tuple[MoveValue, ...]:
        """The legal moves of a board with their values, in the order of `Direction`. Raises InvalidBoard."""
        layer = self.layout.layer_of(board)
        out = []
        for direction, move in zip(DIRECTIONS, self.layout.moves(board), strict=True):
            if move is not None:
                key, earned, wins = move
                out.append(self._valued(board, layer, direction, key, earned, wins))
        return tuple(out)

    def _valued(
        self, board: Board, layer: int, direction: Direction, key: int, earned: int, wins: bool
    ) -> MoveValue:
        gamma = self.problem.gamma
        if wins:
            return MoveValue(direction, gamma, 1.0 - gamma, board.slide(direction).reward, True)
        word = self.source.find(layer, key)
        if word is None:
            raise InvalidBoard(
                f"{quote(str(board))} can't occur in the solved game {quote(str(self.problem.variant))}"
            )
        if not self.problem.chance:
            value = earned + gamma * _value(word, False)
            return MoveValue(direction, value, 0.0, earned, False)
        value, loss = gamma * _value(word, True), (1.0 - gamma) + gamma * _loss(word)
        return MoveValue(direction, value, loss, earned, False)

    def value(self, board: Board) -> float:
        """The value of the board under best play: a probability, or points to come. 0 if it is dead."""
        return max((move.value for move in self.moves(board)), default=0.0)

    def best(self, board: Board) -> MoveValue | None:
        """The best move: the smallest chance of losing or the most points; None if none is legal."""
        return min(self.moves(board), key=lambda move: (move.loss, -move.value), default=None)


def _value(word: int, chance: bool) -> float:
    return float(decode(np.array([word], _U), chance)[0])


def _loss(word: int) -> float:
    return float(losses(np.array([word], _U))[0])


class _Memory:
    """The values of a solution that is in memory, sorted for looking up."""

    def __init__(self, solution: Solution) -> None:
        self._layout = solution.problem.layout()
        self._layers: dict[int, tuple[Words, Words]] = {}
        for layer in range(solution.first, solution.last + 1):
            keys = solution.layers.get("after", layer)
            order = np.argsort(keys)
            self._layers[layer] = keys[order], solution.layers.get("values", layer)[order]

    def find(self, layer: int, key: int) -> int | None:
        keys, words = self._layers.get(layer, (np.empty(0, _U), np.empty(0, _U)))
        at = int(np.searchsorted(keys, _U(key)))
        return int(words[at]) if at < len(keys) and int(keys[at]) == key else None

    def sections(self) -> Iterator[tuple[int, Words, Words]]:
        for layer, (keys, words) in self._layers.items():
            if not len(keys):
                continue
            squeezed = squeeze(self._layout, keys)
            order = np.argsort(squeezed)
            yield layer, squeezed[order], words[order]


def policy_of(solution: Solution) -> Policy:
    """The policy of a solution that kept its values."""
    return Policy(solution.problem, _Memory(solution), facts_of(solution))


def facts_of(solution: Solution) -> dict[str, Any]:
    """What a solution found, as JSON; the same on every machine."""
    return {
        "problem": solution.problem.facts(),
        "value": solution.value,
        "mean": solution.mean,
        "starts": [
            [str(start.board), start.probability, start.value, start.loss] for start in solution.starts
        ],
        "states": solution.states,
        "afterstates": solution.afterstates,
        "lost": solution.lost,
    }


def starts_of(facts: dict[str, Any]) -> tuple[Start, ...]:
    """The start boards of `facts`."""
    return tuple(
        Start(Board.parse(text), float(p), float(v), float(loss)) for text, p, v, loss in facts["starts"]
    )


def squeeze(layout: WordLayout, keys: Words) -> Words:
    """Words with the free cells' nibbles pushed together."""
    out: Words = np.zeros(len(keys), _U)
    for i, bit in enumerate(layout.bits.values()):
        out |= ((keys >> _U(bit)) & _U(15)) << _U(4 * i)
    return out
