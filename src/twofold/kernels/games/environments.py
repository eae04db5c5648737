"""Many games stepped at once for the environments: slide, spawn, reward, end, observation, mask, in one pass.

The games of a batch are rows of arrays. Everything a kernel needs is found through one block of words `ws` (the
constants below say what lies where), so that a call costs the same for one game and for a million, and threads share
the work by ranges of rows. On the open 4x4 board with random spawns a game is one packed word until a merge outgrows
its nibbles; then, and on every other board, it lies in `CELLS`, one byte per cell.

Game `INDEX` of run `SEED` meets the tiles that `Game(variant, seed, index=…)` meets.
"""

from __future__ import annotations

import numpy as np

from twofold.kernels.bits import (
    U,
    bits_to_f64,
    load_u8,
    load_u32,
    load_u64,
    store_f32,
    store_f64,
    store_u8,
    store_u32,
    store_u64,
)
from twofold.kernels.board.bitboard import (
    GAMMA,
    drawn_rank,
    highest_rank,
    mix64,
    packed_slides,
    put_drawn,
    stream_key,
    transpose,
)
from twofold.kernels.board.byteboard import cells_copy, cells_highest, cells_slide, cells_spawn
from twofold.kernels.compiling import helper, kernel

# Words of the block: the rules.
TABLE = U(0)
"""Address of the open line table."""
GEOMETRY = U(1)
"""Address of the board's shape (`geometry.py`)."""
COUNT = U(2)
"""Cells of the board."""
STRIDE = U(3)
"""Bytes from one board of CELLS to the next."""
STYLE = U(4)
"""Spawn style: 0 random, 1..8 a corner style."""
FOUR = U(5)
"""What spawns: see `drawn_rank`."""
START = U(6)
"""Address of the start board, padded."""
START_WORD = U(7)
"""The start board packed, if PACKED."""
PLACE = U(8)
"""Start spawns."""
PACKED = U(9)
"""1 if games begin packed."""
TARGET = U(10)
"""Rank that wins."""
STOP = U(11)
"""1 if a game ends when it is won."""
ILLEGAL = U(12)
"""What an illegal action does: 0 nothing, 1 it ends the game. (Whoever wants an error looks before.)"""
PATIENCE = U(13)
"""Illegal actions in a row that cut a game short."""
LENGTH = U(14)
"""Steps that cut a game short."""
REWARD_KIND = U(15)
"""0 points, 1 their logarithm to base 2 (0 for none), 2 one for the move that wins, 3 left to the caller."""
PENALTY = U(16)
"""The reward of an illegal action, bits of a float64."""
AUTORESET = U(17)
"""0 off, 1 with the next step, 2 in the same step."""
OBSERVATION = U(18)
"""0 ranks, 1 planes, 2 logarithms."""
PLANES = U(19)
"""Planes of an observation: one for each rank from 0, and one for bricks where there are any."""
NEXT = U(20)
"""How much further the next game of a row is numbered."""

# Words of the block: addresses of arrays with a row for each game.
CELLS, STATE, ACTIONS, RANKS, OBSERVED, MASK = U(21), U(22), U(23), U(24), U(25), U(26)
REWARD, TERMINATED, TRUNCATED, FINAL_RANKS, FINAL = U(27), U(28), U(29), U(30), U(31)
WORDS = 32

# Columns of STATE and FINAL, 64-bit each.
BOARD, COUNTER, SCORE, MOVES, STEPS, IDLE, WON, OVER = U(0), U(1), U(2), U(3), U(4), U(5), U(6), U(7)
TOP, LEGAL, SEED, INDEX, WIDE, POINTS, TILE, ENDED = U(8), U(9), U(10), U(11), U(12), U(13), U(14), U(15)
COLUMNS = U(16)

_LIMIT = 1 << 16  # points of a merge that no nibble can hold
_BRICK = np.uint8(255)
_TOP_RANK = np.uint8(60)
_LOW = U(0xFFFFFFFF)


@helper
def _spread(half):  # type: ignore[no-untyped-def]
    """Eight nibbles as eight bytes."""
    half = (half | (half << U(16))) & U(0x0000FFFF0000FFFF)
    half = (half | (half << U(8))) & U(0x00FF00FF00FF00FF)
    return (half | (half << U(4))) & U(0x0F0F0F0F0F0F0F0F)


@helper
def _unpack(word, row):  # type: ignore[no-untyped-def]
    store_u64(row, U(0), _spread(word & _LOW))
    store_u64(row, U(1), _spread(word >> U(32)))


@helper
def _packed_legal(table, word):  # type: ignore[no-untyped-def]
    """Bit d set if direction d is legal."""
    turned = transpose(word)
    left, right, _ = packed_slides(table, word)
    up, down, _ = packed_slides(table, turned)
    return (
        U(up != turned) | (U(right != word) << U(1)) | (U(down != turned) << U(2)) | (U(left != word) << U(3))
    )


@helper
def _axis_legal(buffer, geometry, direction):  # type: ignore[no-untyped-def]
    """Whether slides to the wall of `direction`, and away from it, are legal."""
    towards = away = blocked = False
    p = U(load_u32(geometry, U(4) + direction))
    runs = load_u32(geometry, p)
    p += U(1)
    for _ in range(runs):
        end = p + U(1) + U(load_u32(geometry, p))
        gap = False
        last = np.uint8(0)
        for k in range(p + U(1), end):
            rank = load_u8(buffer, U(load_u32(geometry, U(k))))
            if rank == 0:
                gap = True
                away |= last != 0
                continue
            towards |= gap
            if rank == last:
                towards = away = True
                blocked |= rank == _TOP_RANK  # no tile can be larger
            last = rank
        p = end
    return towards and not blocked, away and not blocked


@helper
def _cells_legal(buffer, geometry):  # type: ignore[no-untyped-def]
    up, down = _axis_legal(buffer, geometry, U(0))
    left, right = _axis_legal(buffer, geometry, U(3))
    return U(up) | (U(right) << U(1)) | (U(down) << U(2)) | (U(left) << U(3))


@helper
def _best_merge(buffer, geometry, direction):  # type: ignore[no-untyped-def]
    """The highest rank that a slide merges, 0 for none; the board stays as it is."""
    best = np.uint8(0)
    p = U(load_u32(geometry, U(4) + direction))
    runs = load_u32(geometry, p)
    p += U(1)
    for _ in range(runs):
        end = p + U(1) + U(load_u32(geometry, p))
        waiting = np.uint8(0)
        for k in range(p + U(1), end):
            rank = load_u8(buffer, U(load_u32(geometry, U(k))))
            if rank == 0:
                continue
            if rank == waiting:
                best = max(best, np.uint8(rank + 1))
                waiting = np.uint8(0)
            else:
                waiting = rank
        p = end
    return best


@helper
def _at(ws, array, i, size):  # type: ignore[no-untyped-def]
    """Address of row i of an array whose rows have `size` bytes."""
    return load_u64(ws, array) + i * size


@helper
def _show(ws, i, row):  # type: ignore[no-untyped-def]
    """Write what can be seen of game i: ranks, observation, mask, largest tile."""
    state = _at(ws, STATE, i, COLUMNS * U(8))
    cells = load_u64(ws, COUNT)
    ranks = _at(ws, RANKS, i, cells)
    if load_u64(state, WIDE) == U(0):
        _unpack(load_u64(state, BOARD), ranks)
    else:
        for k in range(cells):
            store_u8(ranks, U(k), load_u8(row, U(k)))
    legal = load_u64(state, LEGAL)
    store_u32(_at(ws, MASK, i, U(4)), U(0), np.uint32((legal * U(0x00204081)) & U(0x01010101)))
    store_u64(state, TILE, U(1) << load_u64(state, TOP))
    kind = load_u64(ws, OBSERVATION)
    if kind == U(1):
        planes = load_u64(ws, PLANES)
        out = _at(ws, OBSERVED, i, planes * cells)
        for k in range(planes * cells):
            store_u8(out, U(k), np.uint8(0))
        for k in range(cells):
            rank = load_u8(ranks, U(k))
            plane = planes - U(1) if rank == _BRICK else U(rank)
            store_u8(out, plane * cells + U(k), np.uint8(1))
    elif kind == U(2):
        out = _at(ws, OBSERVED, i, U(4) * cells)
        for k in range(cells):
            rank = load_u8(ranks, U(k))
            store_f32(out, U(k), np.float32(-1.0) if rank == _BRICK else np.float32(rank))


@helper
def _begin(ws, i, row):  # type: ignore[no-untyped-def]
    """Start game INDEX of run SEED in row i; nothing is shown yet."""
    state = _at(ws, STATE, i, COLUMNS * U(8))
    counter = stream_key(load_u64(state, SEED), load_u64(state, INDEX), U(0)) + GAMMA
    four = load_u64(ws, FOUR)
    if load_u64(ws, PACKED):
        word = load_u64(ws, START_WORD)
        for _ in range(load_u64(ws, PLACE)):
            random = mix64(counter)
            word = put_drawn(word, random, drawn_rank(random, four))
            counter += GAMMA
        store_u64(state, BOARD, word)
        store_u64(state, WIDE, U(0))
        store_u64(state, TOP, highest_rank(word))
        store_u64(state, LEGAL, _packed_legal(load_u64(ws, TABLE), word))
    else:
        stride = load_u64(ws, STRIDE)
        geometry = load_u64(ws, GEOMETRY)
        cells_copy(load_u64(ws, START), row, stride >> U(3))
        for _ in range(load_u64(ws, PLACE)):
            cells_spawn(row, geometry, load_u64(ws, STYLE), mix64(counter), four)
            counter += GAMMA
        store_u64(state, WIDE, U(1))
        store_u64(state, TOP, U(cells_highest(row, stride)))
        store_u64(state, LEGAL, _cells_legal(row, geometry))
    store_u64(state, COUNTER, counter)
    for column in (SCORE, MOVES, STEPS, IDLE, WON, POINTS):
        store_u64(state, column, U(0))
    # A board on which nothing moves is no game; the first step ends it.
    store_u64(state, OVER, U(0))


@helper
def _slide_packed(ws, state, row, action):  # type: ignore[no-untyped-def]
    """Play a legal move and its spawn on a packed board; False if a tile would outgrow its nibble: nothing was done."""
    table = load_u64(ws, TABLE)
    word = load_u64(state, BOARD)
    flat = (action & U(1)) == U(1)
    left, right, points = packed_slides(table, word if flat else transpose(word))
    if points >= _LIMIT:
        return False
    slid = right if (action == U(1)) or (action == U(2)) else left
    slid = slid if flat else transpose(slid)
    top = load_u64(state, TOP)
    if points >> np.int64(top + U(1)):
        top = highest_rank(slid)
    target = load_u64(ws, TARGET)
    if load_u64(state, WON) == U(0) and points >> np.int64(target):
        _unpack(word, row)
        if U(_best_merge(row, load_u64(ws, GEOMETRY), action)) >= target:
            store_u64(state, WON, U(1))
    counter = load_u64(state, COUNTER)
    random = mix64(counter)
    rank = drawn_rank(random, load_u64(ws, FOUR))
    slid = put_drawn(slid, random, rank)
    store_u64(state, COUNTER, counter + GAMMA)
    store_u64(state, BOARD, slid)
    store_u64(state, TOP, max(top, rank))
    store_u64(state, LEGAL, _packed_legal(table, slid))
    store_u64(state, POINTS, U(points))
    return True


@helper
def _slide_cells(ws, state, row, action):  # type: ignore[no-untyped-def]
    """Play a legal move and its spawn on bytes."""
    geometry = load_u64(ws, GEOMETRY)
    top = load_u64(state, TOP)
    target = load_u64(ws, TARGET)
    # A merge makes the target only where a tile of at least half of it lies.
    reachable = load_u64(state, WON) == U(0) and top + U(1) >= target
    if reachable and U(_best_merge(row, geometry, action)) >= target:
        store_u64(state, WON, U(1))
    _, points = cells_slide(row, geometry, action)
    if points >> np.int64(top + U(1)):
        top = U(cells_highest(row, load_u64(ws, STRIDE)))
    counter = load_u64(state, COUNTER)
    random = mix64(counter)
    four = load_u64(ws, FOUR)
    cells_spawn(row, geometry, load_u64(ws, STYLE), random, four)
    store_u64(state, COUNTER, counter + GAMMA)
    store_u64(state, TOP, max(top, drawn_rank(random, four)))
    store_u64(state, LEGAL, _cells_legal(row, geometry))
    store_u64(state, POINTS, U(points))


@helper
def _play(ws, state, row, action):  # type: ignore[no-untyped-def]
    """Play a legal move, whichever way the board is held."""
    if load_u64(state, WIDE) == U(0):
        if not _slide_packed(ws, state, row, action):
            _unpack(load_u64(state, BOARD), row)
            store_u64(state, WIDE, U(1))
            _slide_cells(ws, state, row, action)
    else:
        _slide_cells(ws, state, row, action)
    store_u64(state, SCORE, load_u64(state, SCORE) + load_u64(state, POINTS))
    store_u64(state, MOVES, load_u64(state, MOVES) + U(1))
    store_u64(state, IDLE, U(0))


@helper
def _reward(ws, state, was_won):  # type: ignore[no-untyped-def]
    kind = load_u64(ws, REWARD_KIND)
    points = np.float64(load_u64(state, POINTS))
    if kind == U(0):
        return points
    if kind == U(1):
        return np.log2(points) if points > 0 else 0.0
    if kind == U(2):
        return 1.0 if load_u64(state, WON) != was_won else 0.0
    return 0.0


@helper
def _finish(ws, i, row):  # type: ignore[no-untyped-def]
    """Keep the end of game i and start the next in its row."""
    state = _at(ws, STATE, i, COLUMNS * U(8))
    _show(ws, i, row)
    final = _at(ws, FINAL, i, COLUMNS * U(8))
    for column in range(COLUMNS):
        store_u64(final, U(column), load_u64(state, U(column)))
    cells = load_u64(ws, COUNT)
    source, target = _at(ws, RANKS, i, cells), _at(ws, FINAL_RANKS, i, cells)
    for k in range(cells):
        store_u8(target, U(k), load_u8(source, U(k)))
    store_u64(state, INDEX, load_u64(state, INDEX) + load_u64(ws, NEXT))
    points = load_u64(state, POINTS)
    _begin(ws, i, row)
    store_u64(state, POINTS, points)


@helper
def _step(ws, i):  # type: ignore[no-untyped-def]
    """One step of game i; 1 if it ended."""
    state = _at(ws, STATE, i, COLUMNS * U(8))
    row = _at(ws, CELLS, i, load_u64(ws, STRIDE))
    reward = 0.0
    terminated = truncated = False
    if load_u64(state, OVER) != U(0):
        store_u64(state, INDEX, load_u64(state, INDEX) + load_u64(ws, NEXT))
        _begin(ws, i, row)
    else:
        legal = load_u64(state, LEGAL)
        action = load_u64(_at(ws, ACTIONS, i, U(8)), U(0))
        store_u64(state, STEPS, load_u64(state, STEPS) + U(1))
        was_won = load_u64(state, WON)
        if (legal >> action) & U(1):
            _play(ws, state, row, action)
            reward = _reward(ws, state, was_won)
        else:
            store_u64(state, POINTS, U(0))
            store_u64(state, IDLE, load_u64(state, IDLE) + U(1))
            reward = bits_to_f64(load_u64(ws, PENALTY))
            terminated = load_u64(ws, ILLEGAL) == U(1)
            truncated = load_u64(state, IDLE) >= load_u64(ws, PATIENCE)
        won = load_u64(ws, STOP) & load_u64(state, WON)
        terminated |= load_u64(state, LEGAL) == U(0) or won != U(0)
        truncated |= load_u64(state, STEPS) >= load_u64(ws, LENGTH)
        truncated &= not terminated
    ended = terminated or truncated
    store_f64(_at(ws, REWARD, i, U(8)), U(0), reward)
    store_u8(load_u64(ws, TERMINATED), i, np.uint8(terminated))
    store_u8(load_u64(ws, TRUNCATED), i, np.uint8(truncated))
    store_u64(state, ENDED, U(ended))
    if ended:
        if load_u64(ws, AUTORESET) == U(2):
            _finish(ws, i, row)
        else:
            store_u64(state, OVER, U(1))
    _show(ws, i, row)
    return U(ended)


@kernel
def step_games(ws, begin, end):  # type: ignore[no-untyped-def]
    """Step the games `begin` to `end` - 1 by their actions; the number of those that ended.

    A game that is over starts anew instead, as its number in the run goes on.
    """
    ended = U(0)
    for i in range(begin, end):
        ended += _step(ws, U(i))
    return ended


@kernel
def start_games(ws, rows):  # type: ignore[no-untyped-def]
    """Start the games of `rows` (int64) by their seeds and numbers and show them; other rows stay as they are."""
    for i in rows:
        row = _at(ws, CELLS, U(i), load_u64(ws, STRIDE))
        _begin(ws, U(i), row)
        _show(ws, U(i), row)


@kernel
def refused(actions, state, over, legal):  # type: ignore[no-untyped-def]
    """The first row whose action can't be stepped (-1: none), and why: 1 no direction, 2 its game is over, 3 illegal.

    actions: int64 (n,); state: uint64 (n, 16); over, legal: whether to look for these.
    """
    for i in range(len(actions)):
        if actions[i] < 0 or actions[i] > 3:
            return i, 1
        done = state[i, OVER] != U(0)
        if over and done:
            return i, 2
        if legal and not done and (state[i, LEGAL] >> U(actions[i])) & U(1) == U(0):
            return i, 3
    return -1, 0
