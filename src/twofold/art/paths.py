"""Chain paths: paths from cell to neighbouring cell that visit every cell of a board once, bricks left out.

S0 counted them on 4×4 to find the best chain of tiles: 552 from all 16 start cells, 69 up to symmetry. Two methods:
`count_paths` by a frontier (a transfer method: cell by cell in reading order, keeping only how the path's pieces meet
the border between seen and unseen cells), which needs no list; `list_paths` by search with pruning, which gives
each path. A path and its reverse count as two (a chain has a root), as S0 and OEIS A096969 do: 1, 8, 40, 552, 8648,
458696 on n×n.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from twofold.errors import InvalidParameter
from twofold.rules.board import Board
from twofold.rules.cells import BRICK
from twofold.threads import checkpoint

Path = tuple[int, ...]
"""Cells in the order in which they are visited."""

MAX_WIDTH, MAX_LENGTH = 8, 16
"""The largest sides of a board that is counted: the number of frontiers grows about threefold with each column."""

MAX_LISTED = 2_000_000
"""The most paths that are listed."""


Plugs = tuple[int, ...]
"""What crosses the border between seen and unseen cells: for each column, and for the step to the right in between,
0 nothing, 1 and 2 the left and the right end of one piece, 3 a piece that has an end of the path. The last number is 1
once the far end has been set."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What a path is like.

    turns: how often it changes direction. monotonic: the rows and columns along which its numbers only rise or only
    fall.
    """

    turns: int
    monotonic: int


@dataclass(frozen=True, slots=True)
class Count:
    """The paths of a board: from each free cell, and how many start cells are alike by symmetry."""

    board: Board
    starts: dict[int, int]

    def __repr__(self) -> str:
        return f"Count({str(self.board)!r}: {self.total:,} paths)"

    @property
    def total(self) -> int:
        """All paths, a path and its reverse counted as two."""
        return sum(self.starts.values())


def neighbours_of(board: Board) -> dict[int, tuple[int, ...]]:
    """The cells that are not bricks and their neighbours of that kind."""
    rows, columns = board.size
    free = {cell for cell, rank in enumerate(board.cells) if rank != BRICK}
    found = {}
    for cell in sorted(free):
        row, column = divmod(cell, columns)
        around = ((row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1))
        inside = (r * columns + c for r, c in around if 0 <= r < rows and 0 <= c < columns)
        found[cell] = tuple(other for other in inside if other in free)
    return found


def count_paths(board: Board) -> Count:
    """The number of paths from each free cell, by the frontier method; tiles on the board don't matter.

    Raises InvalidParameter for a board whose shorter side is more than 8 cells.
    """
    if board.columns > board.rows:
        turned = count_paths(board.transpose())
        starts = {
            (cell % board.rows) * board.columns + cell // board.rows: number
            for cell, number in turned.starts.items()
        }
        return Count(board, dict(sorted(starts.items())))
    if board.columns > MAX_WIDTH or board.rows > MAX_LENGTH:
        raise InvalidParameter(
            f"the paths of a {board.rows}x{board.columns} board: the sides are at most {MAX_WIDTH} and {MAX_LENGTH}"
        )
    free = neighbours_of(board)
    images = board.symmetric_cells()
    known: dict[int, int] = {}
    for cell in free:
        alike = min(image[cell] for image in images)
        if alike not in known:
            known[alike] = 1 if len(free) == 1 else _count_from(board, set(free), alike)
    return Count(board, {cell: known[min(image[cell] for image in images)] for cell in free})


def _count_from(board: Board, free: set[int], start: int) -> int:
    columns = board.columns
    states: dict[Plugs, int] = {(0,) * (columns + 2): 1}
    last = max(free)
    for cell in range(last + 1):
        checkpoint()
        column = cell % columns
        if column == 0 and cell:  # the plugs move by one: what crossed downwards now comes from above
            states = {(0, *s[:columns], s[-1]): number for s, number in states.items() if s[columns] == 0}
        down = cell + columns in free
        right = column + 1 < columns and cell + 1 in free
        following: dict[Plugs, int] = {}
        for state, number in states.items():
            if cell not in free:
                found = [state] if state[column] == state[column + 1] == 0 else []
            else:
                found = _visit(state, column, down, right, is_start=cell == start, is_last=cell == last)
            for new in found:
                following[new] = following.get(new, 0) + number
        states = following
    return sum(number for state, number in states.items() if state[-1] and not any(state[:-1]))


def _visit(state: Plugs, j: int, down: bool, right: bool, *, is_start: bool, is_last: bool) -> list[Plugs]:
    """The states after a cell that the path visits; plug j comes from the left, j + 1 from above."""
    left, above = state[j], state[j + 1]
    found = []
    if is_start or not state[-1]:  # an end of the path
        ended = state if is_start else (*state[:-1], 1)
        if not left and not above:
            found += _set(ended, j, down, right, 3)
        elif not (left and above):
            place = j if left else j + 1
            done = _joined(ended, place, None)
            if done is not None and (left + above != 3 or (is_last and not any(done[:-1]))):
                found.append(done)
    if not is_start:  # the path goes through
        if not left and not above:
            if down and right:
                found.append((*state[:j], 1, 2, *state[j + 2 :]))
        elif left and above:
            done = _joined(state, j, j + 1)
            if done is not None and ((left, above) != (3, 3) or (is_last and not any(done[:-1]))):
                found.append(done)
        else:
            found += _set(state, j, down, right, left or above)
    return found


def _set(state: Plugs, j: int, down: bool, right: bool, plug: int) -> list[Plugs]:
    """The piece goes on downwards or to the right."""
    found = []
    if down:
        found.append((*state[:j], plug, 0, *state[j + 2 :]))
    if right:
        found.append((*state[:j], 0, plug, *state[j + 2 :]))
    return found


def _joined(state: Plugs, one: int, other: int | None) -> Plugs | None:
    """Two pieces become one, or a piece ends if `other` is None; None if that would close a ring."""
    new = list(state)
    new[one] = 0
    first, second = state[one], 3 if other is None else state[other]
    if other is not None:
        new[other] = 0
        if (first, second) == (1, 2):  # neighbours on the border: the two ends of one piece
            return None
    mates = [_mate(state, place) for place in (one, other) if place is not None and state[place] != 3]
    if 3 in (first, second):
        for mate in mates:  # the far end of the piece that was no end of the path is one now
            new[mate] = 3
    else:
        # Of the two ends that are left, the one further left opens and the other one closes.
        new[min(mates)], new[max(mates)] = 1, 2
    return tuple(new)


def _mate(state: Plugs, place: int) -> int:
    """Where the other end of a piece is: pieces don't cross, so their ends nest like brackets."""
    step = 1 if state[place] == 1 else -1
    depth = 0
    while True:
        plug = state[place]
        depth += (plug == 1) - (plug == 2)
        if depth == 0:
            return place
        place += step


def list_paths(board: Board, start: int | None = None) -> Iterator[Path]:
    """Each path, from every free cell or from `start`, in a fixed order; dead ends are cut off early."""
    around = neighbours_of(board)
    for first in around if start is None else [start]:
        yield from _extend([first], {first}, around)


def _extend(path: list[int], seen: set[int], around: dict[int, tuple[int, ...]]) -> Iterator[Path]:
    checkpoint()
    if len(path) == len(around):
        yield tuple(path)
        return
    # A free cell with one way left, not next to the head, is the end; two of them can't both be.
    head = around[path[-1]]
    ends = 0
    for cell, others in around.items():
        if cell not in seen and cell not in head:
            ways = sum(other not in seen for other in others)
            ends += ways < 2
            if ways == 0 or ends > 1:
                return
    for cell in head:
        if cell not in seen:
            path.append(cell)
            seen.add(cell)
            yield from _extend(path, seen, around)
            seen.discard(path.pop())


def unique_paths(board: Board) -> list[Path]:
    """One path of each class of images under the board's symmetries. Raises InvalidParameter for too many."""
    total = count_paths(board).total
    if total > MAX_LISTED:
        raise InvalidParameter(f"{total:,} paths are too many to list; at most {MAX_LISTED:,}")
    images = board.symmetric_cells()
    first = {min(image[cell] for image in images) for cell in neighbours_of(board)}
    return [
        path
        for start in sorted(first)
        for path in list_paths(board, start)
        if path == min(tuple(image[cell] for cell in path) for image in images)
    ]


def count_unique(board: Board) -> int:
    """Classes of paths under the board's symmetries, without a list.

    A symmetry that keeps a path, cell after cell, keeps every free cell; so all classes have as many paths as there
    are different symmetries of the free cells.
    """
    free = list(neighbours_of(board))
    different = {tuple(image[cell] for cell in free) for image in board.symmetric_cells()}
    return count_paths(board).total // len(different)


def shape_of(path: Path, board: Board) -> Shape:
    """Turns and monotonic lines of a path; of a line with bricks the free cells count, if they are two or more."""
    columns = board.columns
    ways = [b - a for a, b in itertools.pairwise(path)]
    turns = sum(one != other for one, other in itertools.pairwise(ways))
    time = {cell: number for number, cell in enumerate(path)}
    monotonic = 0
    lines = [range(r * columns, (r + 1) * columns) for r in range(board.rows)]
    lines += [range(c, board.rows * columns, columns) for c in range(columns)]
    for line in lines:
        times = [time[cell] for cell in line if cell in time]
        if len(times) > 1:
            monotonic += times in (sorted(times), sorted(times, reverse=True))
    return Shape(turns, monotonic)


@dataclass(frozen=True, slots=True)
class Ranking:
    """The paths of a board, one of each class, with what they are like: the best first.

    The best have the most monotonic lines, and of these the fewest turns.
    """

    board: Board
    shapes: dict[Path, Shape]

    def __repr__(self) -> str:
        return f"Ranking({str(self.board)!r}: {len(self.shapes):,} paths, {len(self.best):,} of them best)"

    def _repr_svg_(self) -> str | None:
        """What a notebook shows: a best path, if there is one."""
        return path_svg(self.best[0], self.board) if self.shapes else None

    @property
    def best(self) -> list[Path]:
        """The paths than which none is better."""
        first = next(iter(self.shapes.values()), None)
        return [path for path, shape in self.shapes.items() if shape == first]


def rank_paths(board: Board) -> Ranking:
    """Compare the paths of a board, at most 2,000,000. Raises InvalidParameter for more."""
    shapes = {path: shape_of(path, board) for path in unique_paths(board)}
    order = sorted(shapes, key=lambda path: (-shapes[path].monotonic, shapes[path].turns, path))
    return Ranking(board, {path: shapes[path] for path in order})


def paths_json(count: Count, ranking: Ranking | None = None, listed: int = 0) -> dict[str, Any]:
    """The numbers of paths for JSON, and of the compared ones the best and the first `listed`."""
    board = count.board
    answer: dict[str, Any] = {
        "board": str(board),
        "rows": board.rows,
        "columns": board.columns,
        "total": count.total,
        "unique": count_unique(board),
        "starts": [
            [count.starts.get(row * board.columns + column) for column in range(board.columns)]
            for row in range(board.rows)
        ],
    }
    if ranking is None:
        return answer | dict.fromkeys(("most_monotonic", "fewest_turns", "best", "paths"))

    def told(paths: Iterable[Path]) -> list[dict[str, Any]]:
        return [{"cells": list(path)} | asdict(ranking.shapes[path]) for path in paths]

    shapes = ranking.shapes.values()
    return answer | {
        "most_monotonic": max((shape.monotonic for shape in shapes), default=None),
        "fewest_turns": min((shape.turns for shape in shapes), default=None),
        "best": told(ranking.best),
        "paths": told(itertools.islice(ranking.shapes, listed)),
    }


def snake(board: Board) -> Path:
    """Row by row, to the right and back: S0's snake chain."""
    columns = board.columns
    path: list[int] = []
    for row in range(board.rows):
        line = range(row * columns, (row + 1) * columns)
        path += line if row % 2 == 0 else reversed(line)
    return tuple(path)


def path_svg(path: Path, board: Board, cell: int = 40) -> str:
    """A path as SVG: the cells, the line, a dot where it starts."""
    columns = board.columns
    width, height = columns * cell, board.rows * cell
    points = [(c % columns * cell + cell // 2, c // columns * cell + cell // 2) for c in path]
    line = " ".join(f"{x},{y}" for x, y in points)
    bricks = "".join(
        f'<rect x="{b % columns * cell}" y="{b // columns * cell}" width="{cell}" height="{cell}" fill="#382c25"/>'
        for b in board.bricks
    )
    grid = "".join(f"M0 {y}H{width}" for y in range(0, height + 1, cell))
    grid += "".join(f"M{x} 0V{height}" for x in range(0, width + 1, cell))
    x, y = points[0]
    title = f"a path over all cells of a board of {board.rows} by {columns}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-2 -2 {width + 4} {height + 4}" width="{width + 4}" '
        f'height="{height + 4}" role="img" aria-label="{title}"><title>{title}</title>'
        f'<rect width="{width}" height="{height}" fill="#f6ead8"/>{bricks}'
        f'<path d="{grid}" stroke="#c9b8a4" fill="none"/>'
        f'<polyline points="{line}" fill="none" stroke="#b03a1a" stroke-width="{cell // 8}" '
        f'stroke-linejoin="round" stroke-linecap="round"/><circle cx="{x}" cy="{y}" r="{cell // 5}" fill="#b03a1a"/>'
        "</svg>\n"
    )
