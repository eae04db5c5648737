"""A position's arithmetic: what its tiles say of score, spawns and moves, and whether it can arise at all.

A tile 2^r built from 2s alone has earned (r−1)·2^r points by its merges. A 4 that spawned was not merged, which saves 4
points. So with f spawned 4s, s the sum of the tiles and k start tiles

    score = Σ (r−1)·2^r − 4·f        spawns = s/2 − f        moves = s/2 − f − k

and any two of score, fours and moves follow from the third. A tile of rank r has at most 2^(r−2) spawned 4s within. The
mean number: a 4 comes from a spawn p times a spawn and from a merge (1−p)/2 times, so that a tile of rank r ≥ 2 holds
2^(r−2)·2p/(1+p) of them.

The last thing that happened was a spawn, so one of the tiles is a 2 or a 4 as it spawned, and the board without it is
what a slide leaves. That is necessary; a search back in time often decides (coach/reach.py).

The fewest moves to a target 2^t: a spawned 4 is part of it only after t − 2 merges, one a move at most. So the last
t − 3 spawns don't count, and n moves need tiles of s + 4·(n − t + 2) ≥ 2^t. Where s ≥ 2^t, a tile of rank r that the
larger ones can't do without takes t − r merges.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import accumulate
from typing import Any

from twofold.coach.reach import MOST_STEPS, arises, comes_after_a_move, shortest_way
from twofold.errors import InvalidParameter, quote
from twofold.rules.board import Board
from twofold.rules.variant import Variant


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """What is known of a position.

    sum: of the tiles. score_least, score_mean, score_most: points of games that come to it. fours, moves, score: None
    where they are not known; fours_least and so on: between what they lie. possible: False if no game can come to the
    position, or not with this score; why: the reason then. proven: False if a position is called possible because
    nothing is known that forbids it, not for a game that was found. tile_most: no larger tile can still be made;
    target_moves: no fewer moves make the target, as is proven, None if it can't be made any more; target_way: so many
    do with the best of luck, None if no way was found.
    """

    sum: int
    score: int | None
    score_least: int
    score_mean: float
    score_most: int
    fours: int | None
    fours_least: int
    fours_most: int
    moves: int | None
    moves_least: int
    moves_most: int
    possible: bool
    why: str
    proven: bool
    tile_most: int
    target: int
    target_moves: int | None
    target_way: int | None

    def facts(self) -> dict[str, Any]:
        """As JSON holds it."""
        return asdict(self)


def about_board(
    board: Board,
    score: int | None = None,
    *,
    fours: int | None = None,
    variant: Variant | None = None,
    way: bool = False,
) -> Arithmetic:
    """The arithmetic of a board in a game that began with the usual spawns.

    score, fours: points so far, or 4s that spawned, if known; variant: probability of a 4 and target; way: look for a
    short way to the target too, for some seconds. Raises InvalidParameter if score and fours don't agree, or are not
    whole numbers of at least 0, and where other tiles than 2s and 4s spawn.
    """
    variant = variant or Variant()
    if variant.has_own_values:
        raise InvalidParameter(f"this arithmetic is for spawns of 2s and 4s, not for {quote(str(variant))}")
    for what, number in (("score", score), ("fours", fours)):
        if number is not None and (not isinstance(number, int) or isinstance(number, bool) or number < 0):
            raise InvalidParameter(f"{what} {quote(number)} is not a whole number of at least 0")
    base, total = board.default_score(), board.tile_sum
    starts = min(2, len(board.cells) - len(board.bricks))
    least, most = _fours(board, variant, starts)
    if fours is not None:
        if score is not None and score != base - 4 * fours:
            raise InvalidParameter(f"with {fours:,} fours the score is {base - 4 * fours:,}, not {score:,}")
        score = base - 4 * fours
    known = (base - score) // 4 if score is not None and (base - score) % 4 == 0 else None
    why_score = "" if score is None else _why_not_score(board, score, least, most)
    why = _why_not(board, variant, starts) or why_score
    arising = False if why else arises(board, variant.allowed_ranks)
    if arising is False and not why:
        why = "all positions that could precede it were searched, and no game leads to it"
    chance = variant.chance_of_four
    mean = base - 4 * sum(1 << rank - 2 for rank in board.tile_ranks if rank > 1) * 2 * chance / (1 + chance)
    low, high = base - 4 * most, base - 4 * least
    fewest, reached = _target_moves(board, variant, search=way)
    return Arithmetic(
        sum=total,
        score=score,
        score_least=low,
        score_mean=min(max(mean, low), high),
        score_most=high,
        fours=None if why_score else known,
        fours_least=least,
        fours_most=most,
        moves=total // 2 - known - starts if known is not None and not why_score else None,
        moves_least=max(0, total // 2 - most - starts),
        moves_most=max(0, total // 2 - least - starts),
        possible=not why,
        why=why,
        proven=arising is not None,
        tile_most=1 << _rank_most(board, variant) if board.tile_ranks else 0,
        target=variant.target,
        target_moves=fewest,
        target_way=reached,
    )


def check_score(board: Board, score: int, variant: Variant | None = None) -> None:
    """Raises InvalidParameter, saying what would be possible, for a score that no game can have on this board.

    Where other tiles than 2s and 4s spawn nothing is checked.
    """
    variant = variant or Variant()
    if variant.has_own_values:
        return
    least, most = _fours(board, variant, min(2, len(board.cells) - len(board.bricks)))
    why = _why_not_score(board, score, least, most)
    if why:
        raise InvalidParameter(f"score {quote(str(score))} on {quote(str(board))}: {why}")


def _fours(board: Board, variant: Variant, starts: int) -> tuple[int, int]:
    """The least and the most 4s that can have spawned."""
    ranks = board.tile_ranks
    chance = variant.chance_of_four
    most = 0 if chance == 0.0 else sum(1 << rank - 2 for rank in ranks if rank > 1)
    most = max(0, min(most, board.tile_sum // 2 - starts))
    least = 1 if ranks and 1 not in ranks and chance > 0.0 else 0  # the last spawn still lies there
    free = len(board.cells) - len(board.bricks)
    if board.max_rank == free + 1:
        least = max(least, 1)
    if chance == 1.0:
        least = board.tile_sum // 4
    return min(least, most), most


def _why_not_score(board: Board, score: int, least: int, most: int) -> str:
    base = board.default_score()
    low, high = base - 4 * most, base - 4 * least
    between = f"{low:,}" if low == high else f"from {low:,} to {high:,} in steps of 4"
    if (base - score) % 4 or not low <= score <= high:
        return f"no game has this score; here it is {between}"
    return ""


def _why_not(board: Board, variant: Variant, starts: int) -> str:
    """Why no game can come to the board, as far as simple conditions tell; empty if they hold."""
    ranks = board.tile_ranks
    allowed = variant.allowed_ranks
    free = len(board.cells) - len(board.bricks)
    if len(ranks) < starts:
        return f"a game starts with {starts} tiles and never has fewer"
    if not any(rank in allowed for rank in ranks):
        values = " or ".join(str(1 << rank) for rank in allowed)
        return f"the last tile that appeared must be a {values}, and there is none"
    if 1 in ranks and 1 not in allowed:
        return "2s don't appear"
    if board.max_rank > free + (2 in allowed):
        return f"on {free} cells no tile above {1 << free + (2 in allowed):,} can be made"
    if len(ranks) == starts and all(rank in allowed for rank in ranks):
        return ""  # a start
    if not comes_after_a_move(board, allowed):
        return "no move followed by a new tile leads to it"
    return ""


def _rank_most(board: Board, variant: Variant) -> int:
    """No tile above this rank can still be made."""
    if not board.legal_moves():
        return board.max_rank
    free = len(board.cells) - len(board.bricks)
    return max(board.max_rank, free + (2 in variant.allowed_ranks))


def _target_moves(board: Board, variant: Variant, *, search: bool) -> tuple[int | None, int | None]:
    """No fewer moves make the target, and a way of so many, if one was found; None where it can't be made."""
    target = variant.target_rank
    if board.max_rank >= target:
        return 0, 0
    if _rank_most(board, variant) < target:
        return None, None
    missing = variant.target - board.tile_sum
    if missing > 0:
        largest = max(variant.allowed_ranks)
        least = -(-missing // (1 << largest)) + target - largest
    else:  # of the largest tiles that are enough, the smallest has to be merged most often
        enough = accumulate(1 << rank for rank in sorted(board.tile_ranks, reverse=True))
        needed = 1 + sum(1 for total in enough if total < variant.target)
        least = target - sorted(board.tile_ranks, reverse=True)[needed - 1]
    if not search or least > MOST_STEPS:
        return least, None
    way, exact = shortest_way(board, variant.allowed_ranks, target)
    return (way if exact and way is not None else least), way


__all__ = ["Arithmetic", "about_board", "check_score"]
