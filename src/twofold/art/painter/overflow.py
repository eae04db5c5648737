"""Words too large for their row: the rest of a word grown along a snake that turns at the wall into the row below.

Letters that grow from one wall towards the other may be larger than their row has room for: the counter of such a
letter goes on in the row below, backwards, and what is finished there comes up by UP at the wall. When and where
carries come is found by a beam search: all games of t moves hold the same tiles in sum, so those are kept that have
most of it in the word and in a falling chain behind it. It sees the row above, the row in work and the one below; a
move that touches the row above is not taken.
"""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import NDArray

from twofold.art.painter.words import slide
from twofold.kernels.compiling import helper, kernel

_WIDTH = 24
"""Games that are kept."""


@helper
def _made(board, word):  # type: ignore[no-untyped-def]
    """How many letters of the word stand in the row in work, from the left."""
    n = word.shape[0]
    made = 0
    for column in range(n):
        v = board[1, column]
        if v == 0:
            continue
        if v != word[made]:
            break
        made += 1
    return made


@helper
def _rate(board, word):  # type: ignore[no-untyped-def]
    """How much of the board is in the word and in a falling chain behind it, less what is not."""
    n = word.shape[0]
    made = _made(board, word)
    total, seen = 0.0, 0
    last = word[made] - 1 if made < n else 0
    in_chain = True
    for i in range(2 * n):
        v = board[1, i] if i < n else board[2, 2 * n - 1 - i]
        if v == 0:
            continue
        seen += 1
        if seen <= made:
            total += 2.0**v
            continue
        in_chain = in_chain and v <= last
        if in_chain:
            total += 2.0**v * (1 - 0.001 * i)
            last = v
        else:
            total -= 0.5 * 2.0**v
        total -= 1.5
    return total + 0.25 * made


@helper
def _side_of_rest(board, word, core, raised, out):  # type: ignore[no-untyped-def]
    """On which side what lies in the lowest row can be grown on to a tile `core`: 1 right, -1 left, 0 neither.

    That side is where the next move along the row leaves room; after it the rest must be a chain that falls towards it,
    and where letters are to be raised nothing of it may be below them or below an equal letter.
    """
    total, any_raised = 0, False
    for column in range(word.shape[0]):
        v = board[2, column]
        any_raised = any_raised or raised[column]
        if v == 1:
            return 0
        if v:
            total += 1 << v
    if total == 0 or total >= 1 << core:
        return 0
    for way in range(2):
        slide(board, way, out)
        moved, last, is_chain = False, 99, True
        for i in range(word.shape[0]):
            column = word.shape[0] - 1 - i if way else i
            v = out[2, column]
            moved = moved or v != board[2, column]
            if v == 0:
                continue
            is_chain = is_chain and v < last
            last = v
            if any_raised and (raised[column] or word[column] == v):
                is_chain = False
        if moved and is_chain:
            return -1 if way else 1
    return 0


@helper
def _hash(board):  # type: ignore[no-untyped-def]
    code = 0
    for row in range(1, 3):
        for column in range(board.shape[1]):
            code = code * 31 + board[row, column]
    return code


@helper
def _may_lie(out, row, column):  # type: ignore[no-untyped-def]
    """Whether a tile is tried on a cell: an empty one at a wall or beside a tile."""
    n = out.shape[1]
    if out[row, column]:
        return False
    return column == 0 or column == n - 1 or out[row, column - 1] > 0 or out[row, column + 1] > 0


@helper
def _is_same(one, other):  # type: ignore[no-untyped-def]
    for i in range(len(one)):  # noqa: SIM110 - numba compiles no generator
        if one[i] != other[i]:
            return False
    return True


@helper
def _list_moves(now, kept, word, out, score, origin):  # type: ignore[no-untyped-def]
    """All that can follow the kept games: minus its rating, and (game, way, cell, rank). Gives their number."""
    n, found = word.shape[0], 0
    for game in range(kept):
        for way in range(3):
            if not slide(now[game], way, out) or not _is_same(out[0], now[game, 0]):
                continue
            made = _made(out, word)
            for cell in range(2 * n):
                row, column = 1 + cell // n, cell % n
                if not _may_lie(out, row, column):
                    continue
                # A 2 is for a letter that is one.
                least = 1 if row == 1 and made < n and word[made] == 1 else 2
                for rank in range(least, 3):
                    out[row, column] = rank
                    score[found] = -_rate(out, word)
                    origin[found, 0], origin[found, 1], origin[found, 2], origin[found, 3] = (
                        game,
                        way,
                        cell,
                        rank,
                    )
                    found += 1
                out[row, column] = 0
    return found


@helper
def _is_new(codes, count):  # type: ignore[no-untyped-def]
    for other in range(count):  # noqa: SIM110 - numba compiles no generator
        if codes[other] == codes[count]:
            return False
    return True


@functools.partial(kernel, allocates=True)
def _beam(word, core, raised, games, out, score, origin, codes, kept_moves):  # type: ignore[no-untyped-def]
    """Plays until the row in work is the word and the rest can be grown on; see `finish`.

    games: (2, width, 3, n), the first of all at 0, 0. out: (3, n), score, origin, codes: scratch. kept_moves: (moves,
    width, 4), how each kept game came about: the game before, way, cell, rank. Gives the number of moves, the place of
    the game in the last step and the side of the rest; 0 moves if nothing is found.
    """
    n, width, kept = word.shape[0], games.shape[1], 1
    for t in range(kept_moves.shape[0]):
        now, new = games[t % 2], games[1 - t % 2]
        found = _list_moves(now, kept, word, out, score, origin)
        kept = 0
        for place in np.argsort(score[:found]):
            game, way, cell, rank = origin[place, 0], origin[place, 1], origin[place, 2], origin[place, 3]
            slide(now[game], way, new[kept])
            new[kept, 1 + cell // n, cell % n] = rank
            codes[kept] = _hash(new[kept])
            if not _is_new(codes, kept):
                continue
            for i in range(4):
                kept_moves[t, kept, i] = origin[place, i]
            if _made(new[kept], word) == n:
                side = _side_of_rest(new[kept], word, core, raised, out)
                if side:
                    return t + 1, kept, side
            kept += 1
            if kept == width:
                break
        if kept == 0:
            break
    return 0, 0, 0


def finish(
    rows: NDArray[np.int64], word: tuple[int, ...], core: int, raised: tuple[bool, ...], most: int
) -> tuple[list[tuple[int, int, int]], int] | None:
    """Moves that make the row in work the word, which is grown from the left wall; None if none are found.

    rows: (3, n) ranks of the row above, the row in work and the one below. core: the first letter of the next word,
    which what is left in the row below must suit. raised: which letters are raised afterwards. most: moves.
    Gives (way 0 left, 1 right, 2 up; cell from the row in work on; rank) for each move, and the side (1 or -1) on
    which the rest must be grown on.
    """
    n = len(word)
    room = _WIDTH * 3 * 4 * n
    kept_moves = np.zeros((most, _WIDTH, 4), np.int64)
    games = np.zeros((2, _WIDTH, 3, n), np.int64)
    games[0, 0] = rows
    count, place, side = _beam(
        np.array(word, np.int64),
        core,
        np.array(raised),
        games,
        np.zeros((3, n), np.int64),
        np.zeros(room),
        np.zeros((room, 4), np.int64),
        np.zeros(_WIDTH, np.int64),
        kept_moves,
    )
    if not count:
        return None
    steps = []
    for t in range(count - 1, -1, -1):
        before, way, cell, rank = map(int, kept_moves[t, place])
        steps.append((way, cell, rank))
        place = before
    return steps[::-1], int(side)
