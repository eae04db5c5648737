"""What positions and moves of a game are worth in points: by search over an evaluation, or exactly where that fits.

A model values states (points still to come under best play) and moves (the move's points and what may be expected
after it). The value of a move is the mean, over what may spawn, of the value of the next state one move shallower, so
what a spawn was worth beyond its expectation averages to 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InvalidBoard, InvalidParameter, TwofoldError, quote
from twofold.evaluation.base import Evaluation
from twofold.evaluation.registry import make_evaluation
from twofold.exact.policy import MoveValue, Policy
from twofold.exact.policy_file import load_policy
from twofold.exact.problem import MAX_EXPECTED_SCORE, Problem
from twofold.exact.small import from_board, small_policy
from twofold.notation import parse_call
from twofold.players.optimal import rules_of
from twofold.rules.state import State
from twofold.search.expectimax import Searcher

Array = NDArray[np.float64]

USUAL_DEPTH = 3
"""Moves looked ahead if nothing else is said: some milliseconds a position."""


class Model(Protocol):
    """Values of positions in points still to come.

    text: its name for people. exact: whether its values are.
    """

    text: str
    exact: bool

    def moves(self, states: Sequence[State]) -> Array:
        """The value of each move of each state, float64 (n, 4), nan where it is illegal."""
        ...

    def best(self, states: Sequence[State]) -> Array:
        """The value of each state as it counts in the mean behind a move's value, float64 (n,); 0 for a dead one."""
        ...


@dataclass
class Searched:
    """A model that searches `depth` moves ahead with an evaluation that counts points."""

    evaluation: Evaluation
    depth: int
    exact: bool = False

    def __post_init__(self) -> None:
        evaluation = self.evaluation
        if evaluation.dead or not (evaluation.reward == 1.0 or evaluation.dead_score == 1.0):
            raise InvalidParameter(
                f"{quote(evaluation.text)} doesn't count points, which a review needs: "
                "use network, neural, highscore or order"
            )
        if not isinstance(self.depth, int) or not 2 <= self.depth <= 12:
            raise InvalidParameter(f"depth {quote(self.depth)} is not a whole number from 2 to 12")
        self.text = f"{evaluation.text}, {self.depth} moves ahead"
        self._searcher = Searcher(evaluation)

    def moves(self, states: Sequence[State]) -> Array:
        """See `Model`."""
        return self._values(states, self.depth)

    def best(self, states: Sequence[State]) -> Array:
        """See `Model`."""
        return best_of_rows(self._values(states, self.depth - 1))

    def _values(self, states: Sequence[State], depth: int) -> Array:
        out = self._searcher.search_many(states, depth)
        if self.evaluation.scored:
            out -= np.array([state.score for state in states], float)[:, None]
        return out


@dataclass
class Solved:
    """A model that knows: the solution of a small game, or of what follows from a late position.

    Where the rules of spawns change within the game, what follows from the first position after that is solved too.
    """

    policy: Policy
    text: str = "exact"
    exact: bool = True
    _later: list[Policy] = field(default_factory=list)

    def moves(self, states: Sequence[State]) -> Array:
        """See `Model`."""
        out = np.full((len(states), 4), np.nan)
        for row, state in zip(out, states, strict=True):
            for move in self._moves(state):
                row[move.direction] = move.value
        return out

    def _moves(self, state: State) -> Sequence[MoveValue]:
        rules = rules_of(state.variant)
        for policy in (self.policy, *self._later):
            if rules_of(policy.problem.variant) == rules:
                try:
                    return policy.moves(state.board)
                except InvalidBoard:  # this game can't reach it
                    continue
        self._later.append(from_board(Problem(state.variant, MAX_EXPECTED_SCORE), state.board))
        return self._later[-1].moves(state.board)

    def best(self, states: Sequence[State]) -> Array:
        """See `Model`."""
        return best_of_rows(self.moves(states))


def best_of_rows(values: Array) -> Array:
    """The largest of each row, float64 (n,); 0 where no move is legal."""
    legal = ~np.isnan(values)
    return np.where(legal.any(axis=1), np.where(legal, values, -np.inf).max(axis=1, initial=-np.inf), 0.0)


def model_for(state: State, player: str | None = None, depth: int | None = None) -> Model:
    """The model that a game beginning with `state` is reviewed by.

    player: one that searches, as text, whose evaluation and depth are taken; or `optimal`, with a policy file. By
    default the exact solution where the whole game is small, else the shipped network. Raises InvalidParameter if the
    values are not in points.
    """
    if player is None:
        solved = _solved(state)
        if solved is not None:
            return solved
        if not state.board.is_open_4x4:
            raise InvalidParameter(_none_for(state))
        return Searched(make_evaluation("network"), USUAL_DEPTH if depth is None else depth)
    if parse_call(player).name == "optimal":
        return _known(state, player)
    evaluation, own = _asked(player)
    return Searched(evaluation, depth or own or USUAL_DEPTH)


def _solved(state: State) -> Model | None:
    try:
        game = Problem(replace(state.variant, start=state.board.without_tiles()), MAX_EXPECTED_SCORE)
        solved = Solved(small_policy(game))
        solved.moves([state])
    except TwofoldError:
        return None
    return solved


def _none_for(state: State) -> str:
    """What to name where nothing that comes with twofold counts points: a solution where the board isn't too large."""
    board = state.board.without_tiles()
    told = f"no evaluation that comes with twofold counts points on {quote(str(board))}"
    if len(board.empty_cells) <= _SOLVABLE:
        size = f"--map {quote(str(board))}" if board.has_bricks else f"{board.rows}x{board.columns}"
        return (
            f"{told}: use 'twofold exact solve {size} --score --out FILE', then 'twofold review GAME --player "
            "optimal:file=FILE'"
        )
    return f"{told}: train one, then use 'twofold review GAME --player expectimax:depth=3,eval=network:file=FILE'"


_SOLVABLE = 9
"""Cells of a board whose whole game a common machine solves for points."""


def _known(state: State, player: str) -> Model:
    """The exact solution that `optimal` names by its file, or makes where the game is small."""
    file = dict(parse_call(player).parameters).get("file")
    if not file:
        solved = _solved(state)
        if solved is None:
            raise InvalidParameter(_none_for(state))
        return solved
    policy = load_policy(file)
    problem = policy.problem
    if problem.chance or problem.gamma != 1.0:
        raise InvalidParameter(f"{quote(file)} doesn't count points: solve with --score and without --gamma")
    if rules_of(problem.variant) != rules_of(state.variant):
        raise InvalidParameter(f"{quote(file)} knows the game {quote(str(problem.variant))} only")
    return Solved(policy)


def _asked(player: str) -> tuple[Evaluation, int | None]:
    """The evaluation and the depth that a player's text names."""
    call = parse_call(player)
    parameters = dict(call.parameters)
    if call.name in ("ntuple", "neural"):
        name = "network" if call.name == "ntuple" else "neural"
        file = parameters.get("file")
        return make_evaluation(f"{name}:file={file}" if file else name), None
    if call.name == "default":
        return make_evaluation("network"), None
    if call.name in ("expectimax", "lookahead") and "eval" in parameters:
        depth = parameters.get("depth")
        return make_evaluation(parameters["eval"]), int(depth) if depth else None
    raise InvalidParameter(
        f"{quote(player)} has no evaluation to review with: name one, such as expectimax:depth=3,eval=network"
    )
