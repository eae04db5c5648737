"""A finished game reviewed: for every move what it gave away, for every tile what it was worth beyond its expectation.

With Q(s, a) the value of move a in state s and V(s) that of a state, both in points to come (`coach/values.py`):

- the *loss* of a move is max Q(s, ·) − Q(s, a), never below 0, as far as it lasts: where the search finds later
  positions to be better than it had thought, they make good the losses of the ten moves before, the latest first;
- the *luck* of the tile after it is r + V(s') − Q(s, a), r the points of the move: 0 on average over what may spawn;
- the *value* of a state along the game is the final score less all luck, plus all losses from there on.

So value − loss + luck is the next value, and start value + luck − loss = final score, whatever the evaluation says:
`start_value` is what the best play would have come to in this game with average luck. Where the evaluation is the exact
solution, `value` is the exact value of every state; else `estimate` is what the search says of the state by itself.
Where the rules of spawns change within the game, luck and loss are by the rules of their move; values before the change
have what it was worth in them.

Why losses have to last: values of a network are off by some hundred points, and by thousands on boards that its
training never met, so the best of four looks better than it is. Summed over a game of the ladder's player one move
deep that comes to several times what it really lacks to a player three moves deep; the losses that last come to about
that. `python -m benchmarks.coach` reviews the ladder's players.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.coach.values import Model, best_of_rows, model_for
from twofold.errors import InvalidParameter
from twofold.players.base import Values
from twofold.records.record import Record
from twofold.rules.board import Board
from twofold.rules.direction import DIRECTIONS, Direction
from twofold.rules.game import Game
from twofold.rules.spawn import spawns_of
from twofold.rules.state import Moved, State

Array = NDArray[np.float64]

GRADES = {"best": 0.0, "good": 0.003, "inaccuracy": 0.01, "mistake": 0.04, "blunder": math.inf}
"""Grades, and the share of the points to come up to which a loss has them. benchmarks/coach.py measures them."""

TURNING_POINTS = 5
WORST = 3

_CHUNK = 256
"""Moves reviewed between two reports of progress."""

_LOOKED_AT = 20_000
"""Tiles that other games draw from, over the whole game: all that could have come in up to 1,000 moves."""

_OTHER_GAMES = 1000
"""Simulated games with the same moves and other tiles, for the percentile of luck."""

_LASTING = 10
"""Moves within which a loss may be made good."""

_ACCURACY = 10.0

OnProgress = Callable[[int, int], None]
"""Told the number of moves reviewed, and of all."""


@dataclass(frozen=True, slots=True)
class MoveReview:
    """One move. All values are points of the whole game: made so far and to come.

    number: from 1. move, best: played and best. value: of the
    position under best play; loss: what the move gave away, in points, and share of the points to come; luck: of the
    tile after it. estimate: what the search says of the position; values: of the moves UP, RIGHT, DOWN, LEFT, None
    where illegal.
    """

    number: int
    move: Direction
    best: Direction
    value: float
    loss: float
    luck: float
    grade: str
    share: float
    estimate: float
    values: Values

    @property
    def played(self) -> float:
        """The value of the move made."""
        return self.value - self.loss

    @property
    def swing(self) -> float:
        """By how many points move and tile together changed the value."""
        return self.luck - self.loss


@dataclass(frozen=True, slots=True)
class Review:
    """A game reviewed; start_value + luck − loss = score, to rounding.

    game: what was reviewed. score: final score; of a review broken off, the value where it ended. luck_error: the
    standard deviation of luck over what could have spawned. percentile: the share of games with less luck, 0 to 100.
    accuracy: 0 to 100. model: what values are by; exact: whether they are known. complete: all moves were reviewed.
    """

    game: Game
    score: float
    start_value: float
    luck: float
    loss: float
    accuracy: float
    luck_error: float
    percentile: float
    model: str
    exact: bool
    complete: bool
    moves: tuple[MoveReview, ...] = field(repr=False)

    @property
    def worst(self) -> tuple[MoveReview, ...]:
        """The moves that lost most, in points, worst first; at most three, all with a loss."""
        losing = [move for move in self.moves if move.loss > 0]
        return tuple(sorted(losing, key=lambda move: -move.loss)[:WORST])

    @property
    def turning_points(self) -> tuple[MoveReview, ...]:
        """The moves after which the value had changed most, by loss and luck together, in the order of the game."""
        most = sorted(self.moves, key=lambda move: -abs(move.swing))[:TURNING_POINTS]
        return tuple(sorted(most, key=lambda move: move.number))

    def mistake_after(self, at: int) -> MoveReview | None:
        """The next mistake or blunder after `at` moves, from the start again after the last one; None without any."""
        ahead = [*self.moves[at + 1 :], *self.moves[: at + 1]]
        return next((move for move in ahead if move.grade in ("mistake", "blunder")), None)

    def expected_from(self, move: MoveReview) -> float:
        """The score that the same player would expect from before a move.

        Of the points still to come the player makes the share that the whole game made of its start value.
        """
        points = self.game.moved[move.number - 1].before.score
        return points + max(0.0, move.value - points) * min(1.0, self.score / max(self.start_value, 1.0))

    def count(self, grade: str) -> int:
        """How many moves have this grade."""
        return sum(move.grade == grade for move in self.moves)

    def facts(self) -> dict[str, Any]:
        """The review as JSON holds it."""
        return {
            "variant": str(self.game.variant),
            "score": self.score,
            "start_value": self.start_value,
            "luck": self.luck,
            "loss": self.loss,
            "accuracy": self.accuracy,
            "luck_percentile": self.percentile,
            "luck_error": self.luck_error,
            "model": self.model,
            "exact": self.exact,
            "complete": self.complete,
            "grades": {grade: self.count(grade) for grade in GRADES},
            "worst": [move.number for move in self.worst],
            "turning_points": [
                {"number": move.number, "expected": self.expected_from(move)} for move in self.turning_points
            ],
            "moves": [_move_facts(move) for move in self.moves],
        }


def _move_facts(move: MoveReview) -> dict[str, Any]:
    return {
        "number": move.number,
        "move": move.move.name,
        "best": move.best.name,
        "value": move.value,
        "loss": move.loss,
        "luck": move.luck,
        "grade": move.grade,
        "share": move.share,
        "estimate": move.estimate,
        "values": {d.name: value for d, value in zip(DIRECTIONS, move.values, strict=True)},
    }


def grade_of(share: float) -> str:
    """The grade of a move that loses this share of the points to come."""
    return next(grade for grade, most in GRADES.items() if share <= most)


def accuracy_of(share: float) -> float:
    """Accuracy, 0 to 100, of moves that lose this share of the points that were to come: 100·exp(−10·√share).

    The share is that of sums over the game, so that the last moves, with little left to lose, don't outweigh the rest.
    """
    return 100.0 * math.exp(-_ACCURACY * math.sqrt(max(0.0, share)))


def review(
    game: Game | Record,
    player: str | None = None,
    *,
    depth: int | None = None,
    model: Model | None = None,
    on_progress: OnProgress = lambda _done, _all: None,
) -> Review:
    """Review a game: what each move gave away and each tile gained.

    player: whose evaluation values the positions, as `expectimax:depth=3,eval=network`, which is the default on the
    open 4x4 board; small games are valued by their exact solution. depth: moves looked ahead, at least 2. model: values
    of another kind. Ctrl-C ends it early: then the review of the moves so far is returned, not `complete`.
    Raises InvalidParameter for a game without moves, or values that are not in points.
    """
    played = game.replay() if isinstance(game, Record) else game
    moved = played.moved
    if not moved:
        raise InvalidParameter("there is no move to review in this game")
    model = model or model_for(moved[0].before, player, depth)
    found = _Found()
    try:
        for begin in range(0, len(moved), _CHUNK):
            found.add(moved[begin : begin + _CHUNK], model, len(moved))
            on_progress(len(found.gaps), len(moved))
    except KeyboardInterrupt:
        if not found.gaps:
            raise
    return found.review(played, model)


class _Found:
    """What is known of the moves so far.

    gaps: what each falls short of the best by; tops: the best, to come; points: of the game before each move.
    """

    def __init__(self) -> None:
        self.gaps: list[float] = []
        self.tops: list[float] = []
        self.lucks: list[float] = []
        self.values: list[Values] = []
        self.played: list[Direction] = []
        self.best: list[Direction] = []
        self.points: list[int] = []
        self.variance = 0.0
        self.other_lucks = np.zeros(_OTHER_GAMES)
        self._chance = np.random.default_rng(0)

    def add(self, moved: Sequence[Moved], model: Model, total: int) -> None:
        """Judge some moves of a game of `total` moves."""
        values = model.moves([each.before for each in moved])
        after = model.best([each.state for each in moved])
        best = best_of_rows(values)
        self._simulate(moved, values, model, total)
        for i, each in enumerate(moved):
            points, mine = each.before.score, float(values[i, each.direction])
            gap = float(best[i]) - mine
            self.gaps.append(gap)
            self.points.append(points)
            self.played.append(each.direction)
            self.tops.append(float(best[i]))
            self.lucks.append(each.slide.reward + float(after[i]) - mine)
            self.best.append(each.direction if gap == 0.0 else DIRECTIONS[int(np.nanargmax(values[i]))])
            up, right, down, left = (None if math.isnan(v) else points + float(v) for v in values[i])
            self.values.append((up, right, down, left))

    def _simulate(self, moved: Sequence[Moved], values: Array, model: Model, total: int) -> None:
        """The variance of the luck of these moves, and the luck of other games in them."""
        states, means, weights, ends = [], [], [], [0]
        for i, each in enumerate(moved):
            if not each.before.variant.is_drawn:
                continue
            for board, weight in self._tiles(each, total):
                states.append(State(each.before.variant, board, each.state.score))
                means.append(float(values[i, each.direction]) - each.slide.reward)
                weights.append(weight)
            ends.append(len(states))
        if not states:
            return
        lucks, chances = model.best(states) - np.array(means), np.array(weights)
        variance = float(np.dot(chances, lucks**2))
        if (
            len(states) == len(ends) - 1
        ):  # one tile for each move: other games draw from those of all these moves
            ends = [0, len(states)]
        other_lucks = np.zeros(_OTHER_GAMES)
        for begin, end in pairwise(ends):
            pool, chance = lucks[begin:end], chances[begin:end] / chances[begin:end].sum()
            shape = (_OTHER_GAMES, round(chances[begin:end].sum()))
            other_lucks += self._chance.choice(pool - np.dot(chance, pool), shape, p=chance).sum(axis=1)
        self.variance += variance
        self.other_lucks += other_lucks

    def _tiles(self, moved: Moved, total: int) -> list[tuple[Board, float]]:
        """Boards after the tiles that could have come, and how much each counts; of a long game one drawn by chance."""
        tiles = list(spawns_of(moved.before.variant, moved.slide.board))
        if total * 20 <= _LOOKED_AT:
            return tiles
        chances = np.array([chance for _, chance in tiles])
        return [(tiles[int(self._chance.choice(len(tiles), p=chances / chances.sum()))][0], 1.0)]

    def review(self, game: Game, model: Model) -> Review:
        """The review of the moves so far."""
        count = len(self.gaps)
        complete = count == len(game.moved)
        last = game.moved[count - 1]
        score = float(game.score)
        if not (complete and last.state.is_dead):  # a game that goes on is worth what may still come
            score = last.state.score + float(model.best([last.state])[0])
        estimates = [points + top for points, top in zip(self.points, self.tops, strict=True)]
        gains = self._gains(game, model)
        losses = _lasting(self.gaps, self.lucks, list(np.array([*estimates, score]) - gains))
        shares = [loss / max(top, 1.0) for loss, top in zip(losses, self.tops, strict=True)]
        values = _chain(score, losses, self.lucks)
        moves = tuple(
            MoveReview(
                number + 1,
                self.played[number],
                self.best[number],
                values[number],
                losses[number],
                self.lucks[number],
                grade_of(shares[number]),
                shares[number],
                estimates[number],
                self.values[number],
            )
            for number in range(count)
        )
        luck, error = math.fsum(self.lucks), math.sqrt(self.variance)
        return Review(
            game,
            score,
            values[0],
            luck,
            math.fsum(losses),
            accuracy_of(math.fsum(losses) / max(1.0, math.fsum(self.tops))),
            error,
            100.0 * float(np.mean(self.other_lucks < luck - 1e-6)) if error > 0 else 50.0,
            model.text,
            model.exact,
            complete,
            moves,
        )

    def _gains(self, game: Game, model: Model) -> Array:
        """What all changes of the spawns' rules were worth, before each move and at the end: no search found that."""
        gains = np.zeros(len(self.gaps) + 1)
        for at, _, _ in game.spawn_changes:
            if 0 < at < len(self.gaps):
                old, new = model.best([game.moved[at - 1].state, game.moved[at].before])
                gains[at:] += new - old
        return gains


def _lasting(gaps: list[float], lucks: list[float], estimates: list[float]) -> list[float]:
    """What remains of the gaps once the search has seen the next moves.

    estimates: of the position before each move and after the last, in points of the game. By how much one exceeds the
    estimate before, less the gap, plus the luck, the search now thinks better of the position than it did.
    """
    losses = list(gaps)
    open_ones: deque[int] = deque()
    for number, (gap, luck) in enumerate(zip(gaps, lucks, strict=True)):
        if gap > 0.0:
            open_ones.append(number)
        while open_ones and open_ones[0] <= number - _LASTING:
            open_ones.popleft()
        better = estimates[number + 1] - (estimates[number] - gap + luck)
        while better > 1e-6 and open_ones:
            latest = open_ones[-1]
            paid = min(better, losses[latest])
            losses[latest] -= paid
            better -= paid
            if losses[latest] <= 0.0:
                open_ones.pop()
    return losses


def _chain(score: float, losses: list[float], lucks: list[float]) -> list[float]:
    """The value before each move, from the end back: the next value less the luck, plus the loss."""
    values = [score]
    for loss, luck in zip(reversed(losses), reversed(lucks), strict=True):
        values.append(values[-1] - luck + loss)
    return values[:0:-1]
