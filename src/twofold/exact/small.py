"""Solutions of small games made when they are asked for, and kept in the user's cache folder."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import platformdirs

from twofold.errors import InvalidFile, InvalidVariant, quote
from twofold.exact.estimate import estimate
from twofold.exact.policy import SUFFIX, Policy, load_policy, policy_of, save_policy
from twofold.exact.solve import Problem, solve
from twofold.rules.board import Board

MOST_STATES = 3_000_000
"""The largest game that is solved without being asked to: about a second, and 40 MB in the cache."""


def small_policy(problem: Problem) -> Policy:
    """The policy of a small game: from the cache, else solved now and stored there.

    Raises InvalidVariant for a game that is too large: it has to be solved with `twofold exact solve` first.
    """
    size = estimate(problem)
    if size.states > MOST_STATES:
        raise InvalidVariant(
            f"{quote(str(problem.variant))} has about {size.states:,} states, too many to solve on the way: "
            "run 'twofold exact solve … --out FILE' and name the file"
        )
    path = _cache_path(problem)
    try:
        return load_policy(path)
    except InvalidFile:
        found = solve(problem)
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
    return Path(platformdirs.user_cache_dir("twofold")) / "exact" / f"{mark}{SUFFIX}"


def from_board(problem: Problem, board: Board) -> Policy:
    """The policy of the game that starts at `board`, solved now and not stored."""
    problem = Problem(replace(problem.variant, start=board), problem.objective, problem.gamma)
    size = estimate(problem)
    if size.states > MOST_STATES:
        raise InvalidVariant(f"{quote(str(board))} has too many positions behind it to be solved on the way")
    return policy_of(solve(problem))
