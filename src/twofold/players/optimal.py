"""`optimal`: the player that follows an exact solution. Stateless as to results; values are exact."""

from __future__ import annotations

import threading
from dataclasses import replace

from twofold.errors import InvalidBoard, PlayerError, quote
from twofold.exact.policy import MoveValue, Policy
from twofold.exact.policy_file import load_policy
from twofold.exact.problem import MAX_EXPECTED_SCORE, MAX_PROBABILITY, Problem
from twofold.exact.small import from_board, small_policy
from twofold.players.base import POINTS, Decision, Limit
from twofold.players.made import BuiltIn
from twofold.rules.board import Board
from twofold.rules.state import State
from twofold.rules.variant import Variant

_KEPT = 8


class Optimal(BuiltIn):
    """Plays the best move of a solved game.

    With a file it plays the game of that file; else it solves the state's own game, if it is small, and keeps the
    solution in the user's cache folder. `goal` says what is maximised: `score`, `target`, or, if left out, the chance
    of the target where the variant asks for another one than 2048, and the score elsewhere. A board that the solved
    game can't reach is solved from there, if it is small.
    """

    limit = Limit()

    def __init__(self, text: str = "", *, file: str = "", goal: str | None = None) -> None:
        self._goal = goal
        self._file = load_policy(file) if file else None
        self._policies: dict[object, Policy] = {}
        self._lock = threading.Lock()

    def decide(self, state: State, key: int = 0) -> Decision:
        """The best move and the exact value of each; `key` is not used."""
        if not state.legal_moves():
            return Decision(None)
        with self._lock:
            moves, note = self._moves(state)
        values: list[float | None] = [None] * 4
        for move in moves:
            values[move.direction] = move.value
        best = min(moves, key=lambda move: (move.loss, -move.value))
        variant = state.variant
        problem = self._file.problem if self._file else Problem(variant, self._objective(variant))
        unit = f"chance of {problem.variant.target:,}" if problem.chance else POINTS
        return Decision(best.direction, best.value, tuple(values), nodes=len(moves), note=note, unit=unit)

    def _moves(self, state: State) -> tuple[tuple[MoveValue, ...], str]:
        if self._file is not None:
            problem = self._file.problem
            if rules_of(problem.variant) != rules_of(state.variant):
                raise PlayerError(f"{quote(self.text)} knows the game {quote(str(problem.variant))} only")
            if problem.chance and state.won:
                return _won(state.board), "the target is made already"
            return self._file.moves(state.board), ""
        variant = state.variant
        problem = Problem(variant, self._objective(variant))
        if problem.chance and state.won:
            return _won(state.board), "the target is made already"
        if not state.variant.start.tile_ranks:
            try:
                return self._kept(variant, lambda: small_policy(problem)).moves(state.board), ""
            except InvalidBoard:
                pass  # a board that the game can't reach
        elif state.variant.start != state.board:
            try:
                return self._kept(variant, lambda: from_board(problem, variant.start)).moves(state.board), ""
            except InvalidBoard:
                pass
        start = replace(variant, start=state.board)
        return self._kept(start, lambda: from_board(problem, state.board)).moves(
            state.board
        ), "solved from here"

    def _objective(self, variant: Variant) -> str:
        goal = self._goal or ("target" if variant.target != Variant().target else "score")
        return MAX_PROBABILITY if goal == "target" else MAX_EXPECTED_SCORE

    def _kept(self, key: object, make: object) -> Policy:
        if key not in self._policies:
            if len(self._policies) >= _KEPT:
                self._policies.clear()
            assert callable(make)
            self._policies[key] = make()
        return self._policies[key]


def rules_of(variant: Variant) -> tuple[object, ...]:
    """What must be equal for a solution to hold."""
    return variant.start.without_tiles(), variant.chances, variant.style


def _won(board: Board) -> tuple[MoveValue, ...]:
    return tuple(
        MoveValue(direction, 1.0, 0.0, board.slide(direction).reward, False)
        for direction in board.legal_moves()
    )
