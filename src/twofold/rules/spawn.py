"""What appears next: the k-th spawn of a line of play, for every spawn style.

Each spawn uses one word of the game's spawn stream: its upper half chooses among the empty cells in reading
order, its lower half what spawns. Styles that fix one of the two still use the same word, so that the
k-th spawn is word k whatever the style (see `rules/random.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from twofold.errors import InvalidSpawn, InvalidVariant, quote
from twofold.rules.board import Board
from twofold.rules.random import below, word
from twofold.rules.variant import Variant


@dataclass(frozen=True, slots=True)
class Spawn:
    """A new tile: its cell (index in reading order) and its rank (1 for a 2)."""

    cell: int
    rank: int


class Adversary(Protocol):
    """Places the tiles of an evil variant: a function of the afterstate and the score so far."""

    def __call__(self, board: Board, score: int, variant: Variant) -> Spawn:
        """The spawn for this afterstate: an empty cell and one of `variant.allowed_ranks`."""
        ...


def draw_spawn(
    variant: Variant,
    board: Board,
    key: int,
    k: int,
    adversary: Adversary | None = None,
    score: int = 0,
    given: Sequence[Spawn] = (),
) -> Spawn:
    """Spawn number `k` (from 0) of the line of play with spawn stream `key`, on the afterstate `board`.

    score: points so far, passed on to the adversary. given: the first spawns, in any style, told one by one; one whose
    cell is taken goes where a scripted one would.
    Raises InvalidSpawn if no cell is empty or the adversary's answer can't be placed, and InvalidVariant
    if the variant is evil and there is no adversary.
    """
    empty = board.empty_cells
    if not empty:
        raise InvalidSpawn(f"no tile can spawn: no cell is empty on {quote(str(board))}")
    if k < len(given):
        return _scripted(board, given[k].cell, given[k].rank)
    if variant.evil:
        return _evil(variant, board, adversary, score)
    if k < len(variant.script):
        return _scripted(board, *variant.script[k])
    bits = word(key, k)
    low = bits & 0xFFFFFFFF
    if variant.has_own_values:
        rank = next(rank for bound, rank in variant.thresholds if low < bound)
    else:
        rank = 2 if low < variant.four_threshold else 1
    cells = spawn_cells(variant, board)
    return Spawn(cells[below(bits, len(cells))], rank)


def spawn_cells(variant: Variant, board: Board) -> tuple[int, ...]:
    """The cells where a drawn tile can appear: every empty one, or the first by a corner style."""
    if variant.place == "random":
        return board.empty_cells
    return (next(cell for cell in variant.place_order() if not board.cells[cell]),)


def spawns_of(variant: Variant, board: Board) -> Iterator[tuple[Board, float]]:
    """The boards after each tile that can be drawn, on a board with an empty cell, with their probabilities."""
    cells = spawn_cells(variant, board)
    for rank, chance in variant.chances:
        p = chance / len(cells)
        for cell in cells:
            yield board.with_cell(cell, rank), p


def _scripted(board: Board, wanted: int, rank: int) -> Spawn:
    """The wanted cell, or the next empty one after it in reading order, going round at the end."""
    empty = board.empty_cells
    return Spawn(next((cell for cell in empty if cell >= wanted), empty[0]), rank)


def _evil(variant: Variant, board: Board, adversary: Adversary | None, score: int) -> Spawn:
    if adversary is None:
        raise InvalidVariant(
            f"{quote(str(variant))} needs an adversary that places tiles; make the game with twofold.new_game"
        )
    spawn = adversary(board, score, variant)
    if spawn.cell not in board.empty_cells or spawn.rank not in variant.allowed_ranks:
        raise InvalidSpawn(
            f"the adversary put rank {spawn.rank} on cell {spawn.cell} of {quote(str(board))}; "
            f"it must choose an empty cell and one of the ranks {variant.allowed_ranks}"
        )
    return spawn
