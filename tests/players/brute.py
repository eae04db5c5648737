"""Brute force over `twofold.rules`: searches without tables, pruning or compiled code, for small boards."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator

from twofold.rules import Board, Direction, State, Variant
from twofold.rules.board import Slide
from twofold.rules.random import GAMMA, MASK, below, mix64, word

Leaf = Callable[[Board, int], float]
Values = tuple[float | None, ...]


@functools.lru_cache(maxsize=200_000)
def slides(board: Board) -> tuple[Slide | None, ...]:
    """The slide of each direction, `None` where it is illegal."""
    found = (board.slide(direction) for direction in Direction)
    return tuple(slide if slide.changed else None for slide in found)


def chances(variant: Variant) -> dict[int, float]:
    """The probability of each rank to spawn, smallest first."""
    if variant.values and variant.value == "random":
        return {value.bit_length() - 1: chance for value, chance in variant.values}
    four = variant.chance_of_four
    return {rank: chance for rank, chance in ((1, 1 - four), (2, four)) if chance}


def spawns(variant: Variant, board: Board, k: int) -> Iterator[tuple[float, Board]]:
    """Every board after spawn number `k`, with its probability (evil and minimax ignore it)."""
    empty = board.empty_cells
    if k < len(variant.script):
        wanted, rank = variant.script[k]
        yield 1.0, board.with_cell(next((c for c in empty if c >= wanted), empty[0]), rank)
        return
    if variant.place != "random":
        empty = (next(cell for cell in variant.place_order() if not board.cells[cell]),)
    for cell in empty:
        for rank, p in chances(variant).items():
            yield p / len(empty), board.with_cell(cell, rank)


class Brute:
    """Searches of one variant with a leaf: what a board is worth at a score; weight: of the points on the way."""

    def __init__(
        self, variant: Variant, leaf: Leaf, weight: float, worst: bool = False, bound: float = math.inf
    ) -> None:
        self.variant = variant
        self.leaf = leaf
        self.weight = weight
        self.worst = worst or variant.evil is not None
        self.bound = bound

    def values(self, state: State, depth: int) -> Values:
        """The value of each move, `depth` moves ahead."""
        return tuple(
            None if slide is None else self._after(slide, state.score, depth, state.spawns)
            for slide in slides(state.board)
        )

    def _after(self, slide: Slide, score: int, depth: int, k: int) -> float:
        score += slide.reward
        if depth == 1:
            return self.weight * slide.reward + self.leaf(slide.board, score)
        worths = [
            (p, self._best(board, score, depth - 1, k + 1))
            for p, board in spawns(self.variant, slide.board, k)
        ]
        value = min(v for _, v in worths) if self.worst else math.fsum(p * v for p, v in worths)
        return self.weight * slide.reward + value

    def _best(self, board: Board, score: int, depth: int, k: int) -> float:
        moves = [slide for slide in slides(board) if slide is not None]
        if depth == 1 or not moves:
            return max((self._after(slide, score, 1, k) for slide in moves), default=0.0)
        best = -math.inf
        ahead = {slide: self._after(slide, score, 1, k) for slide in moves}
        for slide in sorted(moves, key=lambda slide: -ahead[slide]):  # equal ones in the order of directions
            if ahead[slide] + self.bound <= best:
                break
            best = max(best, self._after(slide, score, depth, k))
        return best

    def sampled(self, state: State, depth: int, key: int, samples: int) -> Values:
        """The mean of each move over sampled trees, as kernels/search/sampling.py draws them."""
        out: list[float | None] = []
        for d, slide in enumerate(slides(state.board)):
            own = [step(word(key, i), d) for i in range(samples)]
            out.append(
                None
                if slide is None
                else math.fsum(self._drawn(slide, state.score, depth, q, state.spawns) for q in own) / samples
            )
        return tuple(out)

    def _drawn(self, slide: Slide, score: int, depth: int, path: int, k: int) -> float:
        score += slide.reward
        if depth == 1:
            return self.weight * slide.reward + self.leaf(slide.board, score)
        board = drawn(self.variant, slide.board, mix64(path), k)
        moves = [
            self._drawn(after, score, depth - 1, step(path, d), k + 1)
            for d, after in enumerate(slides(board))
            if after is not None
        ]
        return self.weight * slide.reward + max(moves, default=0.0)


def step(key: int, direction: int) -> int:
    """The key of the place that a move leads to."""
    return mix64((key + (direction + 1) * GAMMA) & MASK)


def drawn(variant: Variant, board: Board, bits: int, k: int) -> Board:
    """The board after the spawn that a word draws."""
    if k < len(variant.script):
        return next(iter(spawns(variant, board, k)))[1]
    odds = chances(variant)
    above = {rank: sum(p for other, p in odds.items() if other >= rank) for rank in odds}
    low = bits & 0xFFFFFFFF
    rank = max((r for r, p in above.items() if low < round(p * (1 << 32))), default=min(odds))
    empty = board.empty_cells
    if variant.place != "random":
        return board.with_cell(next(c for c in variant.place_order() if not board.cells[c]), rank)
    return board.with_cell(empty[below(bits, len(empty))], rank)
