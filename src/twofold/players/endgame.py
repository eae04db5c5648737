"""`endgame`: another player with endgame tables at the root. Stateless as to results."""

from __future__ import annotations

from twofold.errors import PlayerError, quote
from twofold.exact.endgame import load_endgames
from twofold.exact.policy import MoveValue
from twofold.players.base import NEXT_TILE, Decision, Limit, PlayerLike
from twofold.players.made import BuiltIn
from twofold.players.registry import as_player
from twofold.rules.direction import Direction
from twofold.rules.state import State
from twofold.rules.variant import Variant


class Endgame(BuiltIn):
    """Plays as `then`, unless the board is in a table and that move gives too much away.

    file: a table of locked tiles, or a folder of them. least: a table is used if its best move makes the next
    tile with at least this probability. margin: the move of `then` stands if it gives up at most this probability;
    a move out of the table's class counts as giving up all.
    """

    def __init__(
        self,
        text: str = "",
        *,
        file: str,
        then: PlayerLike = "expectimax",
        least: float = 0.5,
        margin: float = 0.0,
    ) -> None:
        self._then = as_player(then)
        self._tables = load_endgames(file)
        self._least, self._margin = least, margin
        rules = {_rules(policy.problem.variant) for policy in self._tables.policies}
        if len(rules) > 1:
            raise PlayerError(f"the tables of {quote(file)} were solved for different spawns")
        self._rules = rules.pop()

    @property
    def limit(self) -> Limit:
        """That of the other player."""
        return self._then.limit

    def decide(self, state: State, key: int = 0) -> Decision:
        """The other player's decision, or the table's move; `key` is for the other player."""
        if _rules(state.variant) != self._rules:
            raise PlayerError(
                f"{quote(self.text)} has tables for spawns other than {quote(str(state.variant))} has"
            )
        moves = self._tables.moves(state.board)
        best = min(moves or (), key=lambda move: (move.loss, -move.value), default=None)
        if moves is None or best is None or best.value < self._least:
            return self._then.decide(state, key)
        if self._margin > 0:
            decision = self._then.decide(state, key)
            if _given_up(moves, best, decision.move) <= self._margin:
                return decision
        values: list[float | None] = [0.0 if move in state.legal_moves() else None for move in Direction]
        for move in moves:
            values[move.direction] = move.value
        return Decision(
            best.direction,
            best.value,
            tuple(values),
            nodes=len(moves),
            note="from an endgame table",
            unit=NEXT_TILE,
        )


def _given_up(moves: tuple[MoveValue, ...], best: MoveValue, played: Direction | None) -> float:
    return next((move.loss - best.loss for move in moves if move.direction == played), 1.0)


def _rules(variant: Variant) -> tuple[object, ...]:
    """What must be equal for a table to hold."""
    return variant.chances, variant.style
