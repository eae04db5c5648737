"""Regret: how much a player gives away against an exact solution.

The regret of a move is the value of the best move less that of the one played: probability, or points. By playing,
one samples it where the player really goes; by enumerating, the player is asked in every position that it can come
to, and its own value follows exactly (the sum of the regrets on the way is then what it lacks to the solution).
"""

from __future__ import annotations

import heapq
import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from twofold.errors import InvalidParameter, PlayerError, quote
from twofold.exact.policy import MoveValue, Policy
from twofold.matches.play import StopGame, play_game
from twofold.players.base import Decision, Player, PlayerLike, check_move
from twofold.players.registry import as_player
from twofold.rules.board import Board
from twofold.rules.direction import Direction
from twofold.rules.spawn import spawns_of
from twofold.rules.state import Event, Moved, State
from twofold.rules.variant import Variant

WORST = 10
MOST_STATES = 2_000_000
"""The most positions that are enumerated."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A move that was not best: the board, the move played, the best move, and the regret."""

    board: Board
    played: Direction
    best: Direction
    regret: float


@dataclass(slots=True)
class Regret:
    """How much a player loses against best play.

    player: its text. optimal: the value of the solution. value: the player's own, sampled or exact; error: the
    standard error of a sampled one. moves, games: what it was asked and played (games is 0 if enumerated).
    per_move: mean regret of a move; per_game: mean sum over a game; best_moves: moves without regret.
    worst: the largest, worst first.
    """

    player: str
    optimal: float
    value: float = 0.0
    error: float = 0.0
    games: int = 0
    moves: int = 0
    per_move: float = 0.0
    per_game: float = 0.0
    best_moves: int = 0
    worst: list[Mistake] = field(default_factory=list)

    def __repr__(self) -> str:
        return f"Regret({self.player!r}: value {self.value:.6g} of {self.optimal:.6g}, {self.per_move:.3g} a move)"


class _Ledger:
    """The regrets so far: their sum and the worst of them, each board once."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.total = 0.0
        self.moves = self.best = 0
        self._worst: list[tuple[float, int, Mistake]] = []
        self._seen: set[tuple[Board, Direction]] = set()

    def judge(self, board: Board, played: Direction) -> MoveValue:
        """Note a move; returns its value. With locked tiles a move out of the class is worth nothing."""
        moves = {move.direction: move for move in self.policy.moves(board)}
        leaves = MoveValue(played, 0.0, 1.0, 0, False)
        if played not in moves and not (self.policy.problem.lock and board.slide(played).changed):
            raise PlayerError(f"{played.name} is not legal on {quote(str(board))}")
        mine = moves.get(played, leaves)
        best = min((*moves.values(), mine), key=lambda move: (move.loss, -move.value))
        chance = self.policy.problem.chance and best.value > 0.5
        regret = mine.loss - best.loss if chance else best.value - mine.value
        self.moves += 1
        self.best += regret <= 0
        self.total += regret
        if regret > 0 and (board, played) not in self._seen:
            self._seen.add((board, played))
            item = (regret, -self.moves, Mistake(board, played, best.direction, regret))
            if len(self._worst) < WORST:
                heapq.heappush(self._worst, item)
            else:
                heapq.heappushpop(self._worst, item)
        return mine

    def worst(self) -> list[Mistake]:
        return [item[2] for item in sorted(self._worst, reverse=True)]


def played_regret(
    policy: Policy,
    player: PlayerLike,
    games: int,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> Regret:
    """Regret over seeded games of the solved game. Raises InvalidParameter for fewer than one game.

    progress: told the number of games played.
    """
    if games < 1:
        raise InvalidParameter(f"games {quote(games)} is not at least 1")
    problem, player = policy.problem, as_player(player)
    ledger = _Ledger(policy)
    results = []
    for index in range(games):
        watch = _Watch(ledger)
        game = play_game(player, _start_of(policy, seed, index), seed=seed, index=index, on_event=watch)
        if game.reason == "stopped" and not watch.ended:  # by the player
            check_move(player.text, State.of(game.board), None)
        results.append(float(watch.won if problem.chance else game.score))
        if progress is not None:
            progress(len(results))
    mean = math.fsum(results) / games
    spread = math.fsum((x - mean) ** 2 for x in results) / max(1, games - 1)
    return Regret(
        player.text,
        float(policy.facts["value"]),
        mean,
        math.sqrt(spread / games),
        games,
        ledger.moves,
        ledger.total / max(1, ledger.moves),
        ledger.total / games,
        ledger.best,
        ledger.worst(),
    )


class _Watch:
    """Judges the moves of one game; ends it when the target is made or the solved game is left."""

    def __init__(self, ledger: _Ledger) -> None:
        self.ledger = ledger
        self.won = False
        self.ended = False

    def __call__(self, event: Event, decision: Decision | None) -> None:
        """Look at an event of the game."""
        if isinstance(event, Moved):
            mine = self.ledger.judge(event.before.board, event.direction)
            self.won = mine.wins
            if mine.wins or (self.ledger.policy.problem.lock and mine.loss == 1.0):
                self.ended = True
                raise StopGame


def _start_of(policy: Policy, seed: int, index: int) -> Variant:
    """The game to be played: for locked tiles one of the class's start positions, drawn by their probabilities."""
    problem = policy.problem
    if not problem.lock:
        return problem.variant
    boards, chances = zip(*problem.starts(), strict=True)
    drawn = random.Random(f"{seed}/{index}").choices(boards, chances)[0]
    return replace(problem.variant, start=drawn)


def enumerated_regret(
    policy: Policy, player: PlayerLike, progress: Callable[[int], None] | None = None
) -> Regret:
    """Regret over every position that the player can come to; the player's value is exact.

    The player is asked with the key 0: one that plays by chance is judged as if it always drew that.
    progress: told the number of positions judged.
    Raises InvalidParameter for a game with too many positions.
    """
    problem, player = policy.problem, as_player(player)
    variant = problem.variant
    ledger = _Ledger(policy)
    choices: dict[Board, MoveValue | None] = {}
    layers: dict[int, set[Board]] = {}
    starts = list(problem.starts())
    for board, _ in starts:
        layers.setdefault(board.tile_sum, set()).add(board)
    for total in _rising(layers):
        for board in layers[total]:
            choice = _choice(ledger, player, variant, board)
            choices[board] = choice
            if progress is not None:
                progress(len(choices))
            if len(choices) > MOST_STATES:
                raise InvalidParameter(
                    f"more than {MOST_STATES:,} positions: play games instead, with --games"
                )
            if choice is not None and not choice.wins and not (problem.lock and choice.loss == 1.0):
                for after, _ in spawns_of(variant, board.slide(choice.direction).board):
                    layers.setdefault(after.tile_sum, set()).add(after)
    values: dict[Board, float] = {}
    for board in sorted(choices, key=lambda each: -each.tile_sum):
        values[board] = _own_value(policy, variant, board, choices[board], values)
    value = math.fsum(p * values[board] for board, p in starts)
    optimal = float(policy.facts["value"])
    return Regret(
        player.text,
        optimal,
        value,
        moves=ledger.moves,
        per_move=ledger.total / max(1, ledger.moves),
        per_game=optimal - value,
        best_moves=ledger.best,
        worst=ledger.worst(),
    )


def _rising(layers: dict[int, set[Board]]) -> Iterator[int]:
    """The tile sums in rising order, while more are added."""
    done = -1
    while True:
        left = [total for total in layers if total > done]
        if not left:
            return
        done = min(left)
        yield done


def _choice(ledger: _Ledger, player: Player, variant: Variant, board: Board) -> MoveValue | None:
    state = State.of(board, replace(variant, start=board.without_tiles()))
    move = player.decide(state).move
    check_move(player.text, state, move)
    return None if move is None else ledger.judge(board, move)


def _own_value(
    policy: Policy, variant: Variant, board: Board, choice: MoveValue | None, values: dict[Board, float]
) -> float:
    gamma = policy.problem.gamma
    if choice is None:
        return 0.0
    if choice.wins:
        return gamma
    if policy.problem.lock and choice.loss == 1.0:
        return 0.0
    after = board.slide(choice.direction).board
    ahead = math.fsum(p * values[each] for each, p in spawns_of(variant, after))
    return (0.0 if policy.problem.chance else choice.reward) + gamma * ahead


__all__ = ["Mistake", "Regret", "enumerated_regret", "played_regret"]
