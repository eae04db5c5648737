"""`paint`: a plan for a picture, proven."""

from __future__ import annotations

from collections.abc import Iterator

from twofold.art.paint.builder import Builder
from twofold.art.paint.painting import NotPainted, Painting
from twofold.art.paint.words import Word, cheapest_word
from twofold.art.picture import Picture

MAX_RANKS = 20
"""The largest rank of a word in place; one such tile takes a quarter of a million moves."""


def paint(picture: Picture) -> Painting:
    """A game that ends in `picture`, proven by the rules.

    Raises NotPainted with the reason.
    """
    found = _in_place(picture)
    if found is None:
        raise NotPainted("no tile values were found with which each row can be grown in place")
    found.prove()
    return found


def _in_place(picture: Picture) -> Painting | None:
    """Every row grown in place, or every column, whichever takes fewer moves."""
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
    start, steps = Builder(image.rows, image.columns).build(words)
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
