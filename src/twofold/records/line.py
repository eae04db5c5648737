"""A game as every format holds it: where it began, then a move and the tile after it, again and again.

`record_of` plays what another program wrote by the rules, and says at which move it breaks them; `line_of` is a record
told move by move, for a writer.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from twofold.errors import IllegalMove, InvalidFile, quote
from twofold.records.given import GivenGame, format_spawns
from twofold.records.record import Record, most_moves
from twofold.rules.board import Board
from twofold.rules.cells import BRICK
from twofold.rules.direction import Direction
from twofold.rules.spawn import Spawn
from twofold.rules.variant import Variant


@dataclass(frozen=True, slots=True)
class Step:
    """One move and the tile that appeared after it."""

    move: Direction
    spawn: Spawn


@dataclass(frozen=True, slots=True)
class Line:
    """A game told move by move. start: the board before the first move; score: points made before it."""

    start: Board
    steps: tuple[Step, ...] = ()
    score: int = 0


def record_of(line: Line, what: str) -> Record:
    """The record of a line, once it has been played by the rules.

    what: the format, for messages. Raises InvalidFile that says at which move the rules are broken.
    """
    variant, spawns = _beginning(line.start)
    check_count(line.start, len(line.steps), what)
    game = GivenGame(
        variant, (*spawns, *(step.spawn for step in line.steps)), start_score=_checked_score(line.score, what)
    )
    for number, step in enumerate(line.steps, 1):
        board = game.board
        try:
            moved = game.move(step.move)
        except IllegalMove:
            raise InvalidFile(
                f"move {number:,} of the {what}, {step.move.name}, can't be made on {quote(str(board))}"
            ) from None
        if moved.spawn.cell != step.spawn.cell:
            row, column = divmod(step.spawn.cell, board.columns)
            raise InvalidFile(
                f"after move {number:,} of the {what} a tile appears in row {row + 1}, column {column + 1}, "
                "which is not empty"
            )
    moves = "".join(step.move.letter for step in line.steps)
    return Record(str(variant), moves=moves, spawns=format_spawns(game.given), start_score=line.score)


def check_count(start: Board, count: int, what: str) -> None:
    """Raises InvalidFile for more moves than any game from this board has; for readers, before they read them."""
    limit = most_moves(Variant(start))
    if count > limit:
        raise InvalidFile(f"the {what} has {count:,} moves; no game on this board has more than {limit:,}")


def _checked_score(score: int, what: str) -> int:
    if not 0 <= score < 1 << 63:
        raise InvalidFile(f"the {what} begins with a score of {score:,}")
    return score


def _beginning(start: Board) -> tuple[Variant, tuple[Spawn, ...]]:
    """The rules for a start board: where only two tiles lie that spawn, they are the first two spawns."""
    tiles = [Spawn(cell, rank) for cell, rank in enumerate(start.cells) if rank not in (0, BRICK)]
    if len(tiles) == 2 and all(tile.rank <= 2 for tile in tiles):
        return Variant(start.without_tiles()), tuple(tiles)
    if start.is_full and not tiles:
        raise InvalidFile(f"no move can be made on {quote(str(start))}")
    return Variant(start), ()


def line_of(record: Record) -> Line:
    """A record told move by move. What was undone is left out. Raises as `Record.replay`."""
    game = record.replay()
    first = game.moved[0].before if game.moves else game.state
    return Line(first.board, tuple(Step(moved.direction, moved.spawn) for moved in game.moved), first.score)


def steps_between(
    boards: Iterable[Board], moves: Iterable[Direction | None], what: str
) -> tuple[list[Board], tuple[Step, ...]]:
    """The boards and the steps that lead from each to the next, for formats that hold boards.

    moves: the direction of each where the format holds it, None where it has to be found out. Raises InvalidFile for
    the first board that no move leads to.
    """
    seen: list[Board] = []
    steps: list[Step] = []
    wanted = iter(moves)
    for board in boards:
        if seen:
            steps.append(_step(seen[-1], board, next(wanted), len(steps) + 1, what))
        seen.append(board)
    return seen, tuple(steps)


def _step(before: Board, after: Board, move: Direction | None, number: int, what: str) -> Step:
    for direction in Direction if move is None else (move,):
        slide = before.slide(direction)
        if not slide.changed:
            continue
        new = [cell for cell, rank in enumerate(after.cells) if rank != slide.board.cells[cell]]
        if len(new) == 1 and not slide.board.cells[new[0]] and after.cells[new[0]] in (1, 2):
            return Step(direction, Spawn(new[0], after.cells[new[0]]))
    name = "no move" if move is None else f"not {move.name}"
    raise InvalidFile(
        f"move {number:,} of the {what}: {name} and one new tile lead from {quote(str(before))} to "
        f"{quote(str(after))}"
    )
