"""Solutions of small games made when they are asked for, and kept in the user's cache folder."""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import dataclass, replace
from pathlib import Path

from twofold.cache import cache_folder
from twofold.errors import InvalidBoard, InvalidFile, InvalidVariant, quote
from twofold.exact.estimate import estimate
from twofold.exact.policy import MoveValue, Policy, policy_of
from twofold.exact.policy_file import SUFFIX, load_policy, save_policy
from twofold.exact.problem import MAX_EXPECTED_SCORE, Problem
from twofold.exact.solver import OnProgress, SolveProgress, solve
from twofold.rules.board import Board
from twofold.rules.direction import Direction
from twofold.rules.state import State

MOST_STATES = 3_000_000
"""The largest game that is solved without being asked to: about a second, and 40 MB in the cache."""


def small_policy(problem: Problem, on_progress: OnProgress | None = None) -> Policy:
    """The policy of a small game: from the cache, else solved now and stored there.

    Raises InvalidVariant for a game that is too large: it has to be solved with `twofold exact solve` first.
    """
    size = estimate(problem)
    if size.states > MOST_STATES:
        raise InvalidVariant(
            f"{quote(str(problem.variant))} has about {size.states:,} states, too large to solve here: "
            "run 'twofold exact solve … --out FILE' and name the file"
        )
    path = _cache_path(problem)
    try:
        return load_policy(path, verify=True)  # a damaged one is made anew, not met in the middle of a game
    except InvalidFile:
        found = solve(problem, on_progress=on_progress)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        save_policy(path, found)
    except (OSError, InvalidFile):  # a read-only home: the solution is used all the same
        pass
    return policy_of(found)


def _cache_path(problem: Problem) -> Path:
    sources = b"".join(
        path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py"))
    )  # a cache of an older version is not looked at
    text = json.dumps(problem.facts(), sort_keys=True).encode()
    mark = hashlib.blake2b(text + sources, digest_size=12).hexdigest()
    return cache_folder() / "exact" / f"{mark}{SUFFIX}"


def from_board(
    problem: Problem,
    board: Board,
    *,
    most_states: int = MOST_STATES,
    seconds: float = math.inf,
    on_progress: OnProgress | None = None,
) -> Policy:
    """The policy of the game that starts at `board`, solved now and not stored.

    Raises InvalidVariant when it turns out to have more states, or to take more seconds.
    """
    problem = Problem(replace(problem.variant, start=board), problem.objective, problem.gamma)

    def check(progress: SolveProgress) -> None:
        if on_progress is not None:
            on_progress(progress)
        many = progress.phase == "up" and progress.boards > 2 * most_states
        if many or progress.seconds > seconds:
            why = f"more than {most_states:,} positions" if many else f"more work than {seconds:g} s allow"
            raise InvalidVariant(
                f"{quote(str(board))} has {why}: too large to solve here; try a smaller target"
            )

    return policy_of(solve(problem, on_progress=check))


@dataclass(frozen=True, slots=True)
class Position:
    """The value of a position under best play.

    value: points to come, or the probability of the target; loss: the probability of missing it, exact where tiny
    (0 for scores). best: the move, None if none is legal. moves: the legal moves with their values.
    """

    value: float
    loss: float
    best: Direction | None
    moves: tuple[MoveValue, ...]


def solve_position(
    state: State,
    objective: str = MAX_EXPECTED_SCORE,
    *,
    most_states: int = MOST_STATES,
    seconds: float = math.inf,
    on_progress: OnProgress | None = None,
) -> Position:
    """The exact value of a position and of its moves, for boards small or late enough.

    The whole game's solution is used where it has at most `most_states` states (it is kept in the cache then), else
    what follows from the position is solved within `seconds`. on_progress: called meanwhile; what it raises ends it.
    Raises InvalidVariant if that is too much, InvalidBoard for a board that exact play has no room for.
    """
    variant, board = state.variant, state.board
    problem = Problem(variant, objective)
    if problem.chance and state.won:
        moves = tuple(MoveValue(d, 1.0, 0.0, board.slide(d).reward, False) for d in board.legal_moves())
    else:
        moves = _moves_of(problem, board, most_states, seconds, on_progress)
    best = min(moves, key=lambda move: (move.loss, -move.value), default=None)
    if best is None:
        return Position(0.0, float(problem.chance), None, ())
    return Position(best.value, best.loss, best.direction, moves)


def _moves_of(
    problem: Problem, board: Board, most_states: int, seconds: float, on_progress: OnProgress | None
) -> tuple[MoveValue, ...]:
    bare = replace(problem.variant, start=board.without_tiles())
    if not board.without_tiles().is_full:
        game = Problem(bare, problem.objective)
        if estimate(game).states <= min(most_states, MOST_STATES):
            try:
                return small_policy(game, on_progress).moves(board)
            except InvalidBoard:  # the game can't reach it
                pass
    return from_board(
        problem, board, most_states=most_states, seconds=seconds, on_progress=on_progress
    ).moves(board)
