"""The game solved by plain recursion over `Board` in exact fractions: slow, obvious, independent of the kernels."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from twofold import Board, Variant


class Brute:
    """Values of `variant` by recursion; target None is the expected score."""

    def __init__(self, variant: Variant, target: int | None, gamma: Fraction = Fraction(1)) -> None:
        self.variant, self.target, self.gamma = variant, target, gamma
        four = variant.chance_of_four
        chances = {v.bit_length() - 1: p for v, p in variant.values} or {1: 1 - four, 2: four}
        self.chances = {rank: Fraction(p).limit_denominator(10**6) for rank, p in chances.items()}
        self.state = cache(self._state)
        self.after = cache(self._after)

    def _state(self, board: Board) -> Fraction:
        return max(
            (gain for gain in map(self.move, [board] * 4, range(4)) if gain is not None), default=Fraction(0)
        )

    def move(self, board: Board, direction: int) -> Fraction | None:
        """The value of a move, None if it is illegal."""
        slide = board.slide(direction)
        if not slide.changed:
            return None
        if self.target is None:
            return slide.reward + self.gamma * self.after(slide.board)
        rank = self.target.bit_length() - 1
        merged = {motion.target for motion in slide.motions if motion.merged}
        won = any(slide.board.cells[cell] >= rank for cell in merged)
        return self.gamma * (1 if won else self.after(slide.board))

    def _after(self, board: Board) -> Fraction:
        return sum((p * self.state(after) for after, p in self.spawns(board)), Fraction(0))

    def spawns(self, board: Board) -> list[tuple[Board, Fraction]]:
        """Every spawn and its probability."""
        cells = list(board.empty_cells)
        if self.variant.place != "random":
            cells = [next(c for c in self.variant.place_order() if board.cells[c] == 0)]
        return [
            (board.with_cell(cell, rank), p / len(cells))
            for rank, p in self.chances.items()
            if p
            for cell in cells
        ]

    def value(self) -> Fraction:
        """Over the random start, or of the map's tiles."""
        board = self.variant.start
        if board.tile_ranks:
            return self.state(board)
        boards = [(board, Fraction(1))]
        for _ in range(1 if self.variant.empty_start else 2):
            boards = [
                (after, p * q)
                for each, p in boards
                for after, q in ([(each, Fraction(1))] if each.is_full else self.spawns(each))
            ]
        return sum((p * self.state(each) for each, p in boards), Fraction(0))

    @property
    def states(self) -> int:
        """Boards that waited for a move."""
        return self.state.cache_info().currsize

    @property
    def afterstates(self) -> int:
        """Boards that waited for a spawn."""
        return self.after.cache_info().currsize
