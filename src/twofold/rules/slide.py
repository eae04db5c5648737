"""What a move does: the one merge rule of twofold, and its use on the lines of a board.

`slide_run` is the reference. The line tables of the compiled kernels are built by calling it; the compiled slides on
bytes (`kernels/board/byteboard.py`, and `shifted` in `evaluation/reports/s0_chain.py`) are tested against it. See
`tests/rules/test_slide.py` for the hand-worked cases.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from twofold.errors import IllegalMove
from twofold.rules.cells import BRICK, MAX_RANK, Grid
from twofold.rules.direction import Direction


class Motion(NamedTuple):
    """One tile's way in a move: from cell `source` to cell `target` (equal if it stays).

    `merged` is true for both tiles of a pair that becomes one on `target`.
    """

    source: int
    target: int
    merged: bool


def slide_run(ranks: Sequence[int]) -> tuple[list[int], int, list[int]]:
    """Slide one brick-free run towards its index 0.

    Tiles close up; the pair nearest the wall merges first, and a tile made by a merge merges no more in
    this move: [2,2,2] becomes [4,2], [4,4,8] becomes [8,8] (values).

    ranks: the run's ranks, wall first, 0 for an empty cell; no bricks.
    Returns the ranks afterwards, the reward in points, and for each index the index its tile goes to
    (-1 for an empty cell; two equal entries are a merge).
    Raises IllegalMove if two tiles of the largest rank would merge.
    """
    slid = [0] * len(ranks)
    targets = [-1] * len(ranks)
    reward = 0
    last = -1  # index of the tile put down last
    partner = 0  # its rank while it may still merge, else 0
    for source, rank in enumerate(ranks):
        if not rank:
            continue
        if rank == partner:
            if rank >= MAX_RANK:
                raise IllegalMove(
                    f"two tiles of {1 << MAX_RANK} (rank {MAX_RANK}) would merge; no tile can be larger"
                )
            slid[last] = rank + 1
            reward += 2 << rank
            partner = 0
        else:
            last += 1
            slid[last] = partner = rank
        targets[source] = last
    return slid, reward, targets


@lru_cache(maxsize=1024)
def lines(rows: int, columns: int, direction: Direction) -> tuple[tuple[int, ...], ...]:
    """The cells of each line that `direction` slides along, the cell at the wall first."""
    if direction.is_vertical:
        found = [tuple(range(column, rows * columns, columns)) for column in range(columns)]
    else:
        found = [tuple(range(row * columns, (row + 1) * columns)) for row in range(rows)]
    if direction in (Direction.RIGHT, Direction.DOWN):
        found = [line[::-1] for line in found]
    return tuple(found)


def runs(board: Grid, direction: Direction) -> Iterator[tuple[int, ...]]:
    """The brick-free runs of cells that slide on their own, each with the cell at its wall first."""
    cells = board.cells
    for line in lines(board.rows, board.columns, direction):
        start = 0
        for end, cell in enumerate(line):
            if cells[cell] == BRICK:
                if end > start:
                    yield line[start:end]
                start = end + 1
        if start < len(line):
            yield line[start:]


def slide_cells(board: Grid, direction: Direction) -> tuple[bytes, int, tuple[Motion, ...]]:
    """The cells after every tile has slid, the points, and one `Motion` for every tile; no tile spawns.

    Raises IllegalMove if two tiles of the largest rank would merge.
    """
    before = board.cells
    after = bytearray(before)
    total = 0
    motions: list[Motion] = []
    for run in runs(board, direction):
        slid, reward, targets = slide_run([before[cell] for cell in run])
        total += reward
        for cell, rank in zip(run, slid, strict=True):
            after[cell] = rank
        for source, target in enumerate(targets):
            if target >= 0:
                motions.append(Motion(run[source], run[target], targets.count(target) == 2))
    return bytes(after), total, tuple(motions)


__all__ = ["BRICK", "Motion", "lines", "runs", "slide_cells", "slide_run"]
