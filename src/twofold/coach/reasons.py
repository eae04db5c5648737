"""A move explained to people in one line, by what S0 looks at: corner, locked line, chain, order, rectangle states.

A search knows why a move is good only as a number. So the move is compared with its strongest rival, condition by
condition in the order in which they matter to people, and the first on which it is better is the reason.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice, pairwise

from twofold.errors import IllegalMove, quote
from twofold.players.base import NO_VALUES, Values
from twofold.players.rules import CORNER, features, locked_lines
from twofold.rules.board import Board, Slide
from twofold.rules.cells import BRICK, face_value
from twofold.rules.direction import Direction
from twofold.rules.spawn import spawns_of
from twofold.rules.state import State

MOST_SPAWNS = 24
"""Spawns after a move are looked at one by one up to this many: fuller boards are the risky ones."""


@dataclass(frozen=True, slots=True)
class Option:
    """A move that could be played: the state it is played from, its direction and what it does to the board."""

    state: State
    move: Direction
    slide: Slide

    @property
    def name(self) -> str:
        """The direction in small letters."""
        return self.move.name.lower()

    @property
    def root(self) -> str:
        """The largest tile after the move, as people write it."""
        return f"{self.slide.board.max_tile:,}"


Score = Callable[[Option], float]
Words = Callable[[Option, Option], str]


def reason(state: State, move: Direction, values: Values = NO_VALUES) -> str:
    """One line, without a full stop, that says why `move` is good in `state`.

    values: what a player thinks of each move; the rival is the best of the others (without values the first). Raises
    IllegalMove for a move that could not be made.
    """
    legal = [direction for direction in state.legal_moves() if direction != move]
    chosen = Option(state, move, state.board.slide(move))
    if not chosen.slide.changed:
        raise IllegalMove(f"{move.name} changes nothing on {quote(str(state.board))}")
    if not legal:
        return f"{chosen.name} is the only legal move"
    best = max(legal, key=lambda direction: _known(values[direction]))
    rival = Option(state, best, state.board.slide(best))
    for score, words in _CONDITIONS:
        if score(chosen) > score(rival):
            return words(chosen, rival)
    return _further_ahead(chosen, rival, values)


def _further_ahead(chosen: Option, rival: Option, values: Values) -> str:
    """What is left to say of moves that look alike: what the values say, and nothing where they say nothing."""
    mine, other = values[chosen.move], values[rival.move]
    if mine is None or other is None:
        return f"no feature sets it apart from {rival.name}"
    if mine == other:
        return f"exactly as good as {rival.name}"
    if mine < other:
        return f"the search values it {_gap(other - mine)} below {rival.name} because of what comes later"
    return f"the search values it {_gap(mine - other)} above {rival.name} because of what comes later"


def _gap(value: float) -> str:
    """A difference of values, short and never 0."""
    return f"{value:,.0f}" if value >= 9.5 else f"{value:.2g}"


def _known(value: float | None) -> float:
    return float("-inf") if value is None else value


# What is looked at


def _wins(option: Option) -> float:
    target = option.state.variant.target_rank
    return not option.state.won and any(
        motion.merged and option.slide.board.cells[motion.target] >= target for motion in option.slide.motions
    )


def _spawns(option: Option) -> list[tuple[Board, float]]:
    """The boards after each spawn with their chances, or none if they are many."""
    found = list(islice(spawns_of(option.state.variant, option.slide.board), MOST_SPAWNS + 1))
    return found if len(found) <= MOST_SPAWNS else []


def _survives(option: Option) -> float:
    """Minus the chance of a spawn after which no move is left."""
    return -sum(chance for board, chance in _spawns(option) if board.is_dead)


def _stays_free(option: Option) -> float:
    """Minus the chance of a spawn that leaves one move alone, as in S0's rectangle states."""
    return -sum(chance for board, chance in _spawns(option) if len(board.legal_moves()) == 1)


def _in_corner(option: Option) -> float:
    return features(option.slide.board).stability == CORNER


def _stays(option: Option) -> float:
    root = features(option.state.board).root
    return root >= 0 and option.slide.board.cells[root] >= option.state.board.cells[root]


def _locked(option: Option) -> float:
    return locked_lines(option.slide.board) if option.slide.board.max_rank else 0


def _chain(option: Option) -> float:
    return len(features(option.slide.board).chain)


def _points(option: Option) -> float:
    return option.slide.reward


def _ordered(option: Option) -> float:
    """Lines that only rise or only fall, rows and columns each counted in their commoner direction (as S0 does)."""
    board = option.slide.board
    total = 0
    for lines in (board.ranks, board.transpose().ranks):
        pairs = [[pair for pair in pairwise(line) if BRICK not in pair] for line in lines]
        rising = sum(all(a <= b for a, b in each) for each in pairs)
        falling = sum(all(a >= b for a, b in each) for each in pairs)
        total += max(rising, falling)
    return total


def _room(option: Option) -> float:
    return len(option.slide.board.empty_cells)


def _pairs(option: Option) -> float:
    """Neighbours that are equal and can be merged next."""
    board = option.slide.board
    lines = (*board.ranks, *board.transpose().ranks)
    return sum(a == b and 0 < a < BRICK for line in lines for a, b in pairwise([r for r in line if r]))


def _smooth(option: Option) -> float:
    """Minus the steps in rank between neighbouring tiles."""
    board = option.slide.board
    lines = (*board.ranks, *board.transpose().ranks)
    return -sum(abs(a - b) for line in lines for a, b in pairwise(line) if 0 < a < BRICK and 0 < b < BRICK)


# How it is said


def _say_win(option: Option, _: Option) -> str:
    return f"makes {option.state.variant.target:,}"


def _say_survival(option: Option, rival: Option) -> str:
    if _survives(option):
        return f"after {rival.name} the next tile ends the game more often"
    return f"after {rival.name} the next tile could end the game"


def _say_corner(option: Option, rival: Option) -> str:
    if features(option.state.board).stability == CORNER:
        if option.slide.board.max_rank > option.state.board.max_rank:
            elsewhere = f"; after {rival.name} it would lie elsewhere" if option.root == rival.root else ""
            return f"makes {option.root} in a corner{elsewhere}"
        if _stays(option):
            return f"keeps {option.root} in its corner; {rival.name} would move it away"
        return f"brings {option.root} into another corner; after {rival.name} it would lie in none"
    return f"brings {option.root} into a corner"


def _say_place(option: Option, rival: Option) -> str:
    return f"{option.state.board.max_tile:,} keeps its place; {rival.name} would move it"


def _say_freedom(option: Option, rival: Option) -> str:
    how = "leaves a single move more often" if _stays_free(option) else "could leave a single move"
    return f"after {rival.name} the next tile {how} (a rectangle state)"


def _say_lock(option: Option, rival: Option) -> str:
    if _locked(rival):
        return f"two full lines beside {option.root} keep it from slipping; {rival.name} leaves one"
    return f"a full line beside {option.root} keeps it from slipping; {rival.name} leaves none"


def _say_chain(option: Option, rival: Option) -> str:
    board = option.slide.board
    ranks = sorted((board.cells[cell] for cell in features(board).chain), reverse=True)
    shown = " ".join(f"{face_value(rank):,}" for rank in ranks[:6]) + (" …" if len(ranks) > 6 else "")
    return f"the chain {shown} is longer than after {rival.name}"


def _say_points(option: Option, rival: Option) -> str:
    return f"merges tiles for {_points(option):,} points; {rival.name} for {_points(rival):,}"


def _say_order(_: Option, rival: Option) -> str:
    return f"more rows and columns rise or fall the same way than after {rival.name}"


def _say_room(option: Option, rival: Option) -> str:
    return f"leaves {len(option.slide.board.empty_cells)} cells free, {rival.name} fewer"


def _say_pairs(option: Option, rival: Option) -> str:
    return f"leaves more equal neighbours to merge next ({_pairs(option):.0f}) than {rival.name} ({_pairs(rival):.0f})"


def _say_smooth(_: Option, rival: Option) -> str:
    return f"neighbouring tiles differ less than after {rival.name}"


_CONDITIONS: tuple[tuple[Score, Words], ...] = (
    (_wins, _say_win),
    (_survives, _say_survival),
    (_in_corner, _say_corner),
    (_stays, _say_place),
    (_stays_free, _say_freedom),
    (_locked, _say_lock),
    (_chain, _say_chain),
    (_points, _say_points),
    (_ordered, _say_order),
    (_room, _say_room),
    (_pairs, _say_pairs),
    (_smooth, _say_smooth),
)
