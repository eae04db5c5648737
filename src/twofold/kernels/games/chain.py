"""Whole games of S0's solver (players/chain.py, mode `best`, two moves ahead) on the open 4x4 board.

The solver takes the move that leads to the best board it can see. To know that move, most boards need not be valued:
the features of the board before the last tile appears bound those of every board after it, and where the bound is not
above the best value met so far, none of them can matter. Nor can a board before the last tile that was looked at
already: two places for the first tile often slide into the same board. So games are those of `play_game`, move for
move (tests/matches/test_games.py), at a small part of the cost.

`lines`: per line of 16 bits, bit 0: never rises, bit 1: never falls, bits 2-3: merges that a slide makes in it.
`weights`: the parameters of `evaluation/reports/s0_chain.py: chain_value`, which is the reference for all that is here.
"""

from __future__ import annotations

import numpy as np

from twofold.kernels.bits import U, popcount
from twofold.kernels.board.bitboard import GAMMA, LINE, empties, slide_rows, transpose
from twofold.kernels.board.steps import first_state, holds, next_state
from twofold.kernels.compiling import helper, kernel

SEEN = 2048
"""Boards remembered within a decision, at most."""
SEEN_SHIFT = U(64 - 11)

_SLACK = 1e-9  # sums in another order differ in the last digits


@helper
def spread_of_lines(lines, x, y):  # type: ignore[no-untyped-def]
    """Monotonicity of a board and of the merges open in its rows and columns; y is its transpose."""
    a = lines[x & LINE]
    b = lines[(x >> U(16)) & LINE]
    c = lines[(x >> U(32)) & LINE]
    d = lines[x >> U(48)]
    e = lines[y & LINE]
    f = lines[(y >> U(16)) & LINE]
    g = lines[(y >> U(32)) & LINE]
    h = lines[y >> U(48)]
    rows = max((a & 1) + (b & 1) + (c & 1) + (d & 1), ((a & 2) + (b & 2) + (c & 2) + (d & 2)) >> 1)
    columns = max((e & 1) + (f & 1) + (g & 1) + (h & 1), ((e & 2) + (f & 2) + (g & 2) + (h & 2)) >> 1)
    merges = (a >> 2) + (b >> 2) + (c >> 2) + (d >> 2) + (e >> 2) + (f >> 2) + (g >> 2) + (h >> 2)
    return rows + columns, merges


@helper
def row_merges(lines, x):  # type: ignore[no-untyped-def]
    """Merges that a slide of the rows makes."""
    return (
        (lines[x & LINE] >> 2)
        + (lines[(x >> U(16)) & LINE] >> 2)
        + (lines[(x >> U(32)) & LINE] >> 2)
        + (lines[x >> U(48)] >> 2)
    )


@helper
def packed_shift_load(table, lines, x, y, along):  # type: ignore[no-untyped-def]
    """`shift_load` of a packed board; y is its transpose."""
    left, right, _ = slide_rows(table, x)
    up, down, _ = slide_rows(table, y)  # of the transpose: its rows are the board's columns
    a = row_merges(lines, transpose(left))
    b = row_merges(lines, transpose(right))
    c = row_merges(lines, transpose(up))
    d = row_merges(lines, transpose(down))
    if along:
        a += row_merges(lines, left)
        b += row_merges(lines, right)
        c += row_merges(lines, up)
        d += row_merges(lines, down)
    return max(max(a, b), max(c, d))


@helper
def rank_at(x, cell):  # type: ignore[no-untyped-def]
    return (x >> (U(cell) << U(2))) & U(15)


@helper
def root_of(x):  # type: ignore[no-untyped-def]
    """Cell and rank of the largest tile; of several one in a corner, else on a border, else the first."""
    top = U(0)
    cell = 0
    place = -1
    for i in range(16):
        rank = rank_at(x, i)
        if rank < top or rank == U(0):
            continue
        here = place_of(i)
        if rank > top or here > place:
            top, cell, place = rank, i, here
    return cell, top, place


@helper
def place_of(cell):  # type: ignore[no-untyped-def]
    """2 in a corner, 1 on a border, 0 in the middle."""
    edge_row = cell < 4 or cell >= 12
    column = cell & 3
    edge_column = column == 0 or column == 3
    return int(edge_row) + int(edge_column)


@helper
def walk(x, cell, by_columns):  # type: ignore[no-untyped-def]
    """`walk_chain` on a packed board: the cells as bits, and their number."""
    r, c = cell >> 2, cell & 3
    down = 1 if 3 - r >= r else -1
    right = 1 if 3 - c >= c else -1
    marks = U(1) << U(cell)
    length = 1
    rank = rank_at(x, cell)
    while rank > U(1):
        if by_columns:
            v, w = r + down, c
            if v < 0 or v > 3:
                v, w = r, c + right
                down = -down
                if w < 0 or w > 3:
                    break
        else:
            v, w = r, c + right
            if w < 0 or w > 3:
                v, w = r + down, c
                right = -right
                if v < 0 or v > 3:
                    break
        at = 4 * v + w
        if rank_at(x, at) + U(1) != rank:
            break
        r, c = v, w
        rank -= U(1)
        length += 1
        marks |= U(1) << U(at)
    return marks, length


@helper
def chain_marks(x, cell):  # type: ignore[no-untyped-def]
    """The cells of the longer chain, the one along the row if they are equal, and its length."""
    row_marks, by_row = walk(x, cell, False)
    column_marks, by_column = walk(x, cell, True)
    if by_column > by_row:
        return column_marks, by_column
    return row_marks, by_row


@helper
def chain_sum(top, length):  # type: ignore[no-untyped-def]
    """Sum of the values of a chain of `length` tiles from rank `top` down."""
    return np.float64((U(2) << top) - (U(2) << (top - U(length))))


@helper
def most_merges(tiles, w):  # type: ignore[no-untyped-def]
    """The most that the shift load of a board of so many tiles can add to its value."""
    return max(0.0, w[4] * np.float64(tiles if w[7] != 0.0 else tiles >> 1))


@helper
def adjacent_sum(x, cell, marks, distances):  # type: ignore[no-untyped-def]
    """Sum over the tiles that aren't marked of value / distance to `cell`, and their number."""
    total = 0.0
    count = 0
    for i in range(16):
        rank = rank_at(x, i)
        if rank != U(0) and (marks >> U(i)) & U(1) == U(0):
            total += np.float64(U(1) << rank) / distances[cell, i]
            count += 1
    return total, count


@helper
def value_of(table, lines, distances, x, y, free, w, most):  # type: ignore[no-untyped-def]
    """`chain_value` of a live board with `free` empty cells, or −inf if that can't be above `most`."""
    mono, _ = spread_of_lines(lines, x, y)
    cell, top, place = root_of(x)
    largest = np.float64(U(1) << top)
    part = w[0] * (largest if place == 2 else w[6] * largest if place == 1 else 1.0)
    chained = 0.0
    near = 0.0
    if w[3] != 0.0 or w[5] != 0.0:
        marks, length = chain_marks(x, cell)
        chained = w[3] * chain_sum(top, length)
        if w[5] != 0.0:
            total, count = adjacent_sum(x, cell, marks, distances)
            near = w[5] * (total / np.float64(count) if count > 0 else 0.0)
    if w[4] != 0.0:
        rest = w[1] * np.float64(mono) + w[2] * np.float64(free) + part + chained + near
        bound = rest + most_merges(16 - free, w)
        if bound + _SLACK * (abs(bound) + abs(most)) <= most:
            return -np.inf
    sum_ = 0.0
    if w[1] != 0.0:
        sum_ += w[1] * np.float64(mono)
    if w[2] != 0.0:
        sum_ += w[2] * np.float64(free)
    if w[4] != 0.0:
        sum_ += w[4] * np.float64(packed_shift_load(table, lines, x, y, w[7] != 0.0))
    sum_ += part
    if w[3] != 0.0 or w[5] != 0.0:
        sum_ += chained
        if w[5] != 0.0:
            sum_ += near
    return sum_


@helper
def ceiling(lines, distances, x, free, w):  # type: ignore[no-untyped-def]
    """No less than the value of any live board that one more tile makes of afterstate x, which has `free` cells.

    A tile changes one row and one column, so monotonicity by at most 2; it can lengthen a chain that ends at 8 or 4 by
    itself and a 2 behind it, by 6 points; if it does not, there is one tile more off the chain.
    """
    cell, top, place = root_of(x)
    if top < U(3):  # the new tile may be the largest
        return np.inf
    y = transpose(x)
    mono, _ = spread_of_lines(lines, x, y)
    largest = np.float64(U(1) << top)
    bound = w[0] * (largest if place == 2 else w[6] * largest if place == 1 else 1.0)
    bound += w[1] * np.float64(min(mono + 2, 8) if w[1] > 0.0 else max(mono - 2, 0))
    bound += w[2] * np.float64(free - 1)
    bound += most_merges(17 - free, w)
    if w[3] != 0.0 or w[5] != 0.0:
        marks, length = chain_marks(x, cell)
        grows = U(length) + U(2) >= top  # it ends at 8 or below
        chain = chain_sum(top, length)
        bound += w[3] * (chain + 6.0 if grows and w[3] > 0.0 else chain)
        if w[5] != 0.0:
            # Where the chain grows, its other way may become the longer one: any tile may then be off the chain.
            total, count = adjacent_sum(x, cell, U(1) << U(cell) if grows else marks, distances)
            high = total + 4.0 if grows else (total + 4.0) / np.float64(count + 1)
            low = 0.0 if grows else total / np.float64(count + 1)
            bound += w[5] * (high if w[5] > 0.0 else low)
    return bound


@helper
def leaves_best(table, lines, distances, seen, x, twos, fours, w, dead, best):  # type: ignore[no-untyped-def]
    """The best of `best` and the boards that one more tile makes of afterstate x."""
    slot = (x * GAMMA) >> SEEN_SHIFT
    if seen[slot] == x:
        return best
    seen[slot] = x
    open_ = empties(x)
    free = np.int64(popcount(open_))
    bound = ceiling(lines, distances, x, free, w)
    if free == 1:
        bound = max(bound, dead)
    if bound + _SLACK * (abs(bound) + abs(best)) <= best:
        return best
    while open_ != U(0):
        bit = open_ & (~open_ + U(1))
        open_ ^= bit
        for rank in range(1, 3):
            if (rank == 1 and not twos) or (rank == 2 and not fours):
                continue
            b = x | (bit << U(rank - 1))
            y = transpose(b)
            if free == 1:
                _, merges = spread_of_lines(lines, b, y)
                if merges == 0:
                    best = max(best, dead)
                    continue
            best = max(best, value_of(table, lines, distances, b, y, free - 1, w, best))
    return best


@helper
def best_future(table, lines, distances, seen, x, twos, fours, w, dead, best):  # type: ignore[no-untyped-def]
    """The best of `best` and the boards after one and two moves and tiles from afterstate x."""
    open_ = empties(x)
    free = np.int64(popcount(open_))
    while open_ != U(0):
        bit = open_ & (~open_ + U(1))
        open_ ^= bit
        for rank in range(1, 3):
            if (rank == 1 and not twos) or (rank == 2 and not fours):
                continue
            b = x | (bit << U(rank - 1))
            y = transpose(b)
            left, right, _ = slide_rows(table, b)
            up, down, _ = slide_rows(table, y)
            if left == b and right == b and up == y and down == y:
                best = max(best, dead)
                continue
            best = max(best, value_of(table, lines, distances, b, y, free - 1, w, best))
            if up != y:
                best = leaves_best(table, lines, distances, seen, transpose(up), twos, fours, w, dead, best)
            if right != b:
                best = leaves_best(table, lines, distances, seen, right, twos, fours, w, dead, best)
            if down != y:
                best = leaves_best(table, lines, distances, seen, transpose(down), twos, fours, w, dead, best)
            if left != b:
                best = leaves_best(table, lines, distances, seen, left, twos, fours, w, dead, best)
    return best


@helper
def chain_choice(table, lines, distances, seen, x, twos, fours, w, dead):  # type: ignore[no-untyped-def]
    """The direction that leads to the best board, the first of equal ones; −1 without a legal move."""
    seen[:] = U(0)
    y = transpose(x)
    left, right, _ = slide_rows(table, x)
    up, down, _ = slide_rows(table, y)
    best = -np.inf
    choice = -1
    for d in range(4):
        if d == 0:
            child, moved = transpose(up), up != y
        elif d == 1:
            child, moved = right, right != x
        elif d == 2:
            child, moved = transpose(down), down != y
        else:
            child, moved = left, left != x
        if moved:
            found = best_future(table, lines, distances, seen, child, twos, fours, w, dead, best)
            if choice < 0 or found > best:
                best, choice = found, d
    return choice


@kernel
def chain_games(  # type: ignore[no-untyped-def]
    table,
    lines,
    distances,
    seen,
    weights,
    dead,
    four,
    target,
    seed,
    first,
    limit,
    stop,
    boards,
    score,
    moves,
    sums,
    times,
):
    """Play games first, first + 1, … of run `seed`; returns how many were finished or left.

    table: the line table of slides; distances: float64 (16, 16) between cells; seen: uint64 (SEEN,), scratch; four: the
    word below which a 4 spawns; target: a game ends when a tile of this rank is made, 0 for never; limit: a game whose
    tiles add up to this is left, for a tile may outgrow its nibble; stop: uint8 (1,), set by anyone to leave. Out per
    game: the last board, score (points), moves, sum of the tiles, and times, int64 (n, 16 or more): moves made when
    each rank first lay there, −1 if it never did.
    """
    twos, fours = four < U(1) << U(32), four > U(0)
    for game in range(len(score)):
        x, s, tiles = first_state(seed, first + U(game), four)
        total = 0
        count = 0
        note_tiles(x, 0, times[game])
        while tiles < limit and stop[0] == 0:
            choice = chain_choice(table, lines, distances, seen, x, twos, fours, weights, dead)
            if choice < 0:
                break
            y = transpose(x) if choice == 0 or choice == 2 else x
            left, right, points = slide_rows(table, y)
            y = left if choice == 0 or choice == 3 else right
            if choice == 0 or choice == 2:
                y = transpose(y)
            total += np.int64(points)
            count += 1
            x, s, tile = next_state(y, s, four)
            tiles += tile
            note_tiles(x, count, times[game])
            if holds(x, target):
                break
        boards[game] = x
        score[game] = total
        moves[game] = count
        sums[game] = tiles
    return len(score)


@helper
def note_tiles(x, count, times):  # type: ignore[no-untyped-def]
    """Keep the moves made when each rank first lies on the board."""
    for i in range(16):
        rank = rank_at(x, i)
        if times[rank] < 0:
            times[rank] = count
