"""What a player's values are: points still to come, or the score of a formula that means nothing by itself.

And what is known of a position whoever values it: the chance to make the next tile, where a model gives it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from twofold.errors import TwofoldError
from twofold.notation import parse_call
from twofold.players.base import POINTS, Decision, Values
from twofold.players.defaults import default_texts
from twofold.rules.board import Board
from twofold.rules.cells import MAX_RANK
from twofold.rules.direction import Direction
from twofold.rules.state import State

ENGINE_SCORE = "engine score"

_IN_POINTS = ("network", "neural", "highscore")
"""Evaluations of the points that are still to come."""


def unit_of(player: str, board: Board, decision: Decision) -> str:
    """The unit of a player's values on a board: points, a chance, or `engine score`, which only compares moves."""
    if decision.unit:
        return decision.unit
    try:
        call = parse_call(player)
        if call.name == "default":
            call = parse_call(default_texts()[0 if board.is_open_4x4 else 1])
        evaluation = dict(call.parameters).get("eval", "")
        name = parse_call(evaluation).name if evaluation else ""
    except TwofoldError:  # an object, or a file's name
        return ENGINE_SCORE
    if call.name == "greedy":
        return "points of the move"
    in_points = call.name in ("ntuple", "neural") or name in _IN_POINTS
    return POINTS if in_points else ENGINE_SCORE


def losses(values: Values) -> Values:
    """What each move gives away against the best of them; None where illegal."""
    best = max((value for value in values if value is not None), default=0.0)
    up, right, down, left = (
        None if value is None else 0.0 if value == best else best - value for value in values
    )
    return up, right, down, left


@dataclass(frozen=True, slots=True)
class NextTile:
    """The chance to make the next tile, twice the largest, under the play that is best for that, and its first move.

    source: what knows it, `formation table` or `exact`.
    """

    tile: int
    chance: float
    move: Direction
    source: str

    def __str__(self) -> str:
        made = f"the next tile, {self.tile:,}, is made with probability {self.chance:.4f}"
        return f"{made} by {self.move.name} ({self.source})"


def next_tile(state: State) -> NextTile | None:
    """From the formation tables of `strongest`, if they are there; on small boards exactly, within half a second.

    None where neither says anything.
    """
    from twofold.players.strongest import known_advice

    advice = known_advice(state)
    if advice is not None:
        return NextTile(1 << advice.formation.rank, advice.chance, advice.move, "formation table")
    board = state.board
    if len(board.cells) - len(board.bricks) > _SMALL or not 0 < board.max_rank < MAX_RANK:
        return None
    return _solved(replace(state, variant=replace(state.variant, target=board.max_tile * 2), won=False))


_SMALL = 9
"""Free cells of a board on which the chance is solved for."""


def _solved(state: State) -> NextTile | None:
    from twofold.exact.problem import MAX_PROBABILITY
    from twofold.exact.small import solve_position

    try:
        found = solve_position(state, MAX_PROBABILITY, most_states=200_000, seconds=0.5)
    except TwofoldError:
        return None
    if found.best is None:
        return None
    return NextTile(state.variant.target, found.value, found.best, "exact")
