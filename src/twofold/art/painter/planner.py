"""`paint`: a plan for a picture, proven."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from twofold.art.painter.builder import Builder, RowPlan
from twofold.art.painter.chain import MAX_CELLS, paint_by_chain
from twofold.art.painter.layout import PaintLayout, search
from twofold.art.painter.painting import NotPainted, Painting
from twofold.art.painter.words import Word, cheapest_word
from twofold.art.picture import Picture
from twofold.errors import InvalidParameter, quote

MAX_RANKS = 20
"""The largest rank of a word in place; one such tile takes a quarter of a million moves."""

SECONDS = 20.0
"""How long plans for more than two colours are looked for, unless said otherwise."""

_LONG = 4
"""Moves a cell from which on a plan in place is called long, and a shorter one with raised letters is looked for."""

METHODS = ("planner", "rows")


def paint(
    picture: Picture,
    method: str = "planner",
    *,
    seconds: float = SECONDS,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> Painting:
    """A game that ends in `picture`, proven by the rules.

    method: `planner` or `rows` (S0's). seconds: how long to search. seed: of all random choices.
    progress: called now and then with the number of maps from tile values to colours tried.

    Raises NotPainted with the reason: what S0's inequality says, the budget that was spent, or a row that can't be
    made. Only where the message says "impossible" is that proven.
    """
    if not seconds > 0:
        raise InvalidParameter(f"{quote(seconds)} seconds to look for a plan: give more than 0")
    if method == "rows":
        from twofold.art.painter.rows import paint_rows

        return paint_rows(picture, seconds=seconds, progress=progress)
    if method != "planner":
        raise InvalidParameter(f"no method {quote(method)}: planner or rows")
    found = _in_place(picture)
    if found is None or len(found.steps) > _LONG * len(picture.cells):
        # Short plans for two colours come at once; more than two take a search.
        small = len(picture.cells) <= MAX_CELLS and min(picture.size) > 1
        budget = (seconds / 2 if small else seconds) if found is None else min(seconds, 1.0)
        try:
            other = _searched(picture, budget, seed, progress)
        except NotPainted:
            if found is None and small:
                return _with_different_tiles(picture)
            if found is None:
                raise
        else:
            if found is None or len(other.steps) < len(found.steps):
                return other
    if found is None:
        raise NotPainted("no plan was found")
    found.prove()
    return found


def _with_different_tiles(picture: Picture) -> Painting:
    """On a small board, long: every cell has a rank of its own. Raises NotPainted."""
    try:
        return paint_by_chain(picture)
    except NotPainted:
        return paint_by_chain(picture.transpose()).transposed()


def _searched(
    picture: Picture, seconds: float, seed: int, progress: Callable[[int], None] | None = None
) -> Painting:
    """Hill-climbing over maps from tile values to colours; see `layout.py`."""
    used = sorted(set(picture.cells))
    if min(picture.rows, picture.columns) < 3:
        raise NotPainted(
            f"not searched: pictures of more than two colours are planned from 3x3 cells on, and this is "
            f"{picture.rows}x{picture.columns}"
        )
    number_of = {colour: number for number, colour in enumerate(used)}
    image = np.array([[number_of[colour] for colour in line] for line in picture.lines], np.int64)
    sides = [image, image[::-1].copy()]
    if image.shape[0] == image.shape[1]:
        sides += [image.T.copy(), image.T[::-1].copy()]
    ranks = _ranks_for(len(used), min(image.shape))
    tried, unbuilt = 0, 0
    for found in search(sides, len(used), ranks, seed, seconds):
        if isinstance(found, int):
            tried = found
        else:
            tried = found.maps
            painting = _built(picture, used, found)
            if painting is not None:
                return painting
            unbuilt += 1
        if progress is not None:
            progress(tried)
    raise NotPainted(
        f"not found within {seconds:g} s: {tried:,} maps from tile values to {len(used)} colours were tried"
        + (f", {unbuilt:,} plans for all rows could not be carried out" if unbuilt else "")
        + "; more time may find one"
    )


def _ranks_for(colours: int, n: int) -> int:
    """How many tile values to use: two for each colour at least, as many as one line makes, S0's 2n at most."""
    return min(max(n + 1, 2 * colours), max(2 * n, colours), 14)


def _built(picture: Picture, used: list[int], layout: PaintLayout) -> Painting | None:
    """The painting of a layout, or None if it can't be carried out."""
    turned = layout.side >= 2
    image = picture.transpose() if turned else picture
    if layout.side % 2:
        image = image.flip_vertical()
    ranks = tuple(
        tuple(r for r in range(1, len(layout.ranks)) if used[layout.ranks[r]] == colour)
        for colour in range(len(picture.palette))
    )
    try:
        start, steps = Builder(image.rows, image.columns).build(layout.plans)
        painting = Painting(image, start, steps, ranks, "planner", f"{layout.maps:,} maps tried")
        painting.prove()
    except NotPainted:
        return None
    if layout.side % 2:
        painting = painting.flipped()
    return painting.transposed() if turned else painting


def _in_place(picture: Picture) -> Painting | None:
    """Two colours: every row grown in place, or every column, whichever takes fewer moves."""
    best: tuple[float, bool, list[Word], tuple[tuple[int, ...], ...]] | None = None
    for turned in (False, True):
        image = picture.transpose() if turned else picture
        if image.columns == 1:
            continue
        for colours in _two_colour_maps(image):
            words = _words(image, colours)
            if words is not None:
                moves = sum(word.cost for word in words) + len(words)
                if best is None or moves < best[0]:
                    best = moves, turned, words, colours
    if best is None:
        return None
    _, turned, words, colours = best
    image = picture.transpose() if turned else picture
    start, steps = Builder(image.rows, image.columns).build([RowPlan.in_place(word) for word in words])
    painting = Painting(image, start, steps, colours, "planner", "every line grown in place")
    return painting.transposed() if turned else painting


def _words(image: Picture, colours: tuple[tuple[int, ...], ...]) -> list[Word] | None:
    ranks = [frozenset(each) for each in colours]
    known: dict[tuple[int, ...], Word | None] = {}
    words = []
    for line in image.lines:
        if line not in known:
            known[line] = cheapest_word(tuple(ranks[colour] for colour in line), MAX_RANKS)
        word = known[line]
        if word is None:
            return None
        words.append(word)
    return words


def _two_colour_maps(image: Picture) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Ranks for colours: 2 and 8 (ranks 1 and 3) for one of them, 4, 16, 32, … for the other; both ways round."""
    used = sorted(set(image.cells))
    if len(used) > 2:
        return
    rest = (2, *range(4, min(image.columns + 1, MAX_RANKS) + 1))
    for first in used:
        yield tuple(
            (1, 3) if colour == first else rest if colour in used else ()
            for colour in range(len(image.palette))
        )
