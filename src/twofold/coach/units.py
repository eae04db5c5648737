"""What a player's values are: points still to come, or the score of a formula that means nothing by itself."""

from __future__ import annotations

from twofold.errors import TwofoldError
from twofold.notation import parse_call
from twofold.players.base import Values
from twofold.players.defaults import default_texts
from twofold.rules.board import Board

POINTS = "points to come"
ENGINE_SCORE = "engine score"

_IN_POINTS = ("network", "neural", "highscore")
"""Evaluations of the points that are still to come."""


def unit_of(player: str, board: Board) -> str:
    """The unit of a player's values on a board: points, or `engine score`, which only compares moves."""
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
    up, right, down, left = (None if value is None else best - value for value in values)
    return up, right, down, left
