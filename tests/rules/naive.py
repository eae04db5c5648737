"""A second, deliberately different program for the same rules, to check `twofold.rules` against.

A board is a tuple of strings, one character per cell: `.` empty, `X` a brick, else chr(BASE + rank).
Merging is one regular-expression substitution: leftmost matches first, and what was substituted isn't
looked at again, which are the two rules of the game.
"""

from __future__ import annotations

import re

from twofold.rules import Board

BASE = 0x4E00  # letters far from '.' and 'X'
Grid = tuple[str, ...]


def to_grid(board: Board) -> Grid:
    signs = {0: ".", 255: "X"}
    return tuple("".join(signs.get(rank) or chr(BASE + rank) for rank in row) for row in board.ranks)


def to_board(grid: Grid) -> Board:
    ranks = {".": 0, "X": 255}
    return Board.from_ranks([[ranks.get(sign, ord(sign) - BASE) for sign in row] for row in grid])


def slide_row(row: str) -> tuple[str, int]:
    """One row to the left: the new row and its reward."""
    reward = 0

    def merge(pair: re.Match[str]) -> str:
        nonlocal reward
        rank = ord(pair[1]) - BASE + 1
        reward += 2**rank
        return chr(BASE + rank)

    parts = [re.sub(r"(.)\1", merge, part.replace(".", "")).ljust(len(part), ".") for part in row.split("X")]
    return "X".join(parts), reward


def turn(grid: Grid) -> Grid:
    """A quarter turn anticlockwise: what was the top is then on the left."""
    return tuple(map("".join, zip(*grid, strict=True)))[::-1]


def slide(grid: Grid, direction: int) -> tuple[Grid, int]:
    """The grid after a move (0 up, 1 right, 2 down, 3 left) and the reward."""
    turns = (direction + 1) % 4  # UP takes one turn to face left, RIGHT two, DOWN three, LEFT none
    for _ in range(turns):
        grid = turn(grid)
    rows = [slide_row(row) for row in grid]
    grid = tuple(row for row, _ in rows)
    for _ in range((4 - turns) % 4):
        grid = turn(grid)
    return grid, sum(reward for _, reward in rows)


def spawns(grid: Grid) -> set[Grid]:
    """Every grid after one spawn of a 2 or a 4."""
    found = set()
    for r, row in enumerate(grid):
        for c, sign in enumerate(row):
            if sign == ".":
                for tile in (chr(BASE + 1), chr(BASE + 2)):
                    found.add((*grid[:r], row[:c] + tile + row[c + 1 :], *grid[r + 1 :]))
    return found


def successors(grid: Grid) -> set[Grid]:
    """Every grid after one legal move and one spawn."""
    found: set[Grid] = set()
    for direction in range(4):
        slid, _ = slide(grid, direction)
        if slid != grid:
            found |= spawns(slid)
    return found
