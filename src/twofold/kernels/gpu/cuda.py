"""The GPU twin of play and learning on the open 4x4 board (numba-cuda, extra `gpu`).

Many games side by side, one per thread (a *lane*), one move of each per launch. The move, the spawns and the value are
those of the CPU: the same functions, compiled for the other processor, and sums in the same order, so that without
learning every game ends with the same score (tests/learn/test_gpu.py, in numba's CUDA simulator).

Learning differs in one way. The lanes move at once, so an entry may be asked for by many boards before any of them
has taught it. `step` adds each board's difference and a count into one 64-bit sum per entry, and `settle` moves every
entry that was asked for once, by the mean of its differences:

    sum = (sum of the differences in quarter points) · 2^22 + how many

with TD(0) and TC(0) as in `temporal.py`. At 131,072 lanes the mean costs about half of what the same number of moves
teaches one after the other.

A late start (`restart`) is a state from the second half of the game before: the last one whose number of moves was a
power of two, since a whole game per lane would not fit the GPU. A start with a doubled tile (`double`) follows a game
from the empty board only.

Nothing here imports numba-cuda before `play_kernels` is called.
"""

from __future__ import annotations

import functools
import math
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from twofold.kernels.bits import U
from twofold.kernels.board import bitboard
from twofold.kernels.board.bitboard import GAMMA
from twofold.kernels.ntuple import stages as stage_kernels
from twofold.kernels.ntuple import temporal
from twofold.kernels.ntuple.symmetry import IMAGES, mask_runs, mask_size
from twofold.kernels.ntuple.temporal import LAST_REWARD, LATE

COUNT_BITS = np.int64(22)
COUNT_MASK = np.int64((1 << 22) - 1)
MOST_LANES = 1 << 19
"""Lanes whose differences fit the sums: each asks at most `IMAGES` times for an entry."""

QUARTERS = np.float32(4)
MOST_DIFFERENCE = np.float32(1 << 19)  # points; larger ones are cut so that a sum can't overflow

cuda: Any = None  # holes, filled by `play_kernels`
best: Any = None
value: Any = None
entries: Any = None
add_entries: Any = None
settle_entries: Any = None
stage: Any = None
transpose: Any = None
mirror: Any = None
upend: Any = None
slide_rows: Any = None
highest_rank: Any = None
mix64: Any = None
stream_key: Any = None
spawn: Any = None
holds_rank: Any = None
double_tile: Any = None
settle_entry: Any = None
SIZE = U(0)
COHERENT = True


class Kernels(NamedTuple):
    """What `play_kernels` compiles: `start`, `step`, and `settle`."""

    start: Any
    step: Any
    settle: Any


def popcount(x):  # type: ignore[no-untyped-def]
    """`bits.popcount` on the GPU."""
    return U(cuda.popc(x))


def deposit(bit, mask):  # type: ignore[no-untyped-def]
    """`bits.pdep` for a single bit: the one of the mask whose number is that of `bit`."""
    while bit > U(1):
        mask &= mask - U(1)
        bit >>= U(1)
    return mask & (~mask + U(1))


def network_value(weights, y, t):  # type: ignore[no-untyped-def]
    """V(y); weights: float32 array, stage by stage; t: y transposed."""
    return entries(weights, stage(y) * SIZE, y, t)


def learn_entry(weights, errors, sums, at, rate):  # type: ignore[no-untyped-def]
    """Move entry `at` by the mean of the differences in its sum, and clear the sum."""
    both = cuda.atomic.exch(sums, at, np.int64(0))
    if both != np.int64(0):
        mean = np.float32(both >> COUNT_BITS) / (QUARTERS * np.float32(both & COUNT_MASK))
        part = rate * mean
        if COHERENT:
            e = errors[2 * at]
            a = errors[2 * at + 1]
            share = abs(e) / a if a > np.float32(0) else np.float32(1)
            weights[at] += share * part
            errors[2 * at] = e + mean
            errors[2 * at + 1] = a + abs(mean)
        else:
            weights[at] += part


def weighed(weights, found, changed, y, turned, reward):  # type: ignore[no-untyped-def]
    """The better of the best so far and another afterstate: (worth, V, afterstate, transposed, reward)."""
    if not changed:
        return found
    v = value(weights, y, turned)
    worth = np.float64(reward) + np.float64(v)
    return (worth, v, y, turned, reward) if worth > found[0] else found


def best_afterstate(table, weights, x):  # type: ignore[no-untyped-def]
    """The best move on x by reward + V: (worth, V, afterstate, transposed, reward, whether there is one).

    Equal values: the first of UP, RIGHT, DOWN, LEFT.
    """
    t = transpose(x)
    left, right, across = slide_rows(table, x)
    up, down, along = slide_rows(table, t)
    found = (-np.inf, np.float32(0), U(0), U(0), U(0))
    found = weighed(weights, found, up != t, transpose(up), up, along)
    found = weighed(weights, found, right != x, right, transpose(right), across)
    found = weighed(weights, found, down != t, transpose(down), down, along)
    most, kept, y, turned, reward = weighed(weights, found, left != x, left, transpose(left), across)
    return most, kept, y, turned, reward, most != -np.inf


def begin(boards, keys, games, lane, seed, four):  # type: ignore[no-untyped-def]
    """Put the first two tiles of the lane's game on an empty board."""
    s = stream_key(seed, U(games[lane]), U(0)) + GAMMA
    x = spawn(U(0), mix64(s), four)
    s += GAMMA
    boards[lane] = spawn(x, mix64(s), four)
    keys[lane] = s + GAMMA


def start(boards, keys, games, seed, four, last):  # type: ignore[no-untyped-def]
    """Begin the game of each lane, numbered in `games`; those from `last` on stay idle (board 0)."""
    lane = cuda.grid(1)
    if lane < boards.size:
        boards[lane] = U(0)
        if games[lane] < last:
            begin(boards, keys, games, lane, seed, four)


def step(  # type: ignore[no-untyped-def]
    boards,
    after,
    before,
    keys,
    games,
    score,
    moves,
    middle,
    doubled,
    late,
    table,
    weights,
    sums,
    ended,
    results,
    seed,
    four,
    last,
    restart,
    double,
    learning,
):
    """One move of each lane, and what it teaches the afterstate before into `sums`.

    Per lane: boards, after (the last afterstate, 0 at the beginning of a game), before (out: what `settle` is for, or
    0), keys (spawn stream), games (its number), score, moves, middle and doubled (where a late game may begin), late.
    restart and double: moves and rank of those, as in `temporal.learning_games`, 0 for never. A lane whose game is over
    notes (number, score, moves, highest rank) in the next of `results`, counts in `ended`, and goes on with the game
    whose number is as much higher as there are lanes, if that is below `last`.
    """
    lane = cuda.grid(1)
    if lane >= boards.size:
        return
    x = boards[lane]
    y = after[lane]
    before[lane] = y
    if x == U(0):
        return
    worth, _, child, _, reward, going = best(table, weights, x)
    if learning and y != U(0):
        target = np.float32(worth) if going else np.float32(0)
        t = transpose(y)
        difference = target - network_value(weights, y, t)
        difference = min(max(difference, -MOST_DIFFERENCE), MOST_DIFFERENCE)
        quarters = np.int64(math.floor(difference * QUARTERS + np.float32(0.5)))
        add_entries(sums, stage(y) * SIZE, y, t, (quarters << COUNT_BITS) + np.int64(1))
    if going:
        score[lane] += np.int64(reward)
        moves[lane] += 1
        if reward < U(LAST_REWARD):
            s = keys[lane]
            x = spawn(child, mix64(s), four)
            keys[lane] = s + GAMMA
            boards[lane] = x
            after[lane] = child
            if moves[lane] & (moves[lane] - 1) == 0:
                middle[lane] = x
            if double > U(0) and doubled[lane] == U(0) and not late[lane] and holds_rank(x, double):
                doubled[lane] = double_tile(x, double)
            return
        x = child
    top = np.int64(highest_rank(x))
    place = cuda.atomic.add(ended, 0, 1)
    if place < results.shape[0]:
        results[place, 0] = games[lane]
        results[place, 1] = score[lane]
        results[place, 2] = moves[lane]
        results[place, 3] = LATE if late[lane] else top
    again = U(0)
    if doubled[lane] != U(0):
        again = doubled[lane]
    elif restart > 0 and not late[lane] and moves[lane] >= 2 * restart:
        again = middle[lane]
    games[lane] += boards.size
    score[lane] = 0
    moves[lane] = 0
    after[lane] = U(0)
    doubled[lane] = U(0)
    late[lane] = 0
    boards[lane] = U(0)
    if games[lane] < last:
        begin(boards, keys, games, lane, seed, four)
        if again != U(0):
            boards[lane] = again
            late[lane] = 1


def settle(before, weights, errors, sums, rate):  # type: ignore[no-untyped-def]
    """Teach every entry of the afterstates in `before`, once; rate: learning rate / look-ups per board."""
    lane = cuda.grid(1)
    if lane < before.size:
        y = before[lane]
        if y != U(0):
            settle_entries(weights, errors, sums, stage(y) * SIZE, y, transpose(y), rate)


def _device(template: Any, parts: Mapping[str, Any]) -> Any:
    """A function for the GPU from one of the CPU, with the names in `parts` standing for GPU functions."""
    plain = getattr(template, "py_func", template)
    copy = types.FunctionType(plain.__code__, {**plain.__globals__, **parts}, plain.__name__)
    return parts["cuda"].jit(device=True)(copy)


def _index_text(mask: int, board: str, first: int) -> str:
    """The number of a mask's entry, as an expression of the board's name."""
    parts = []
    at = 0
    for low, length in mask_runs(mask):
        parts.append(f"(({board} >> U({low - at})) & U({((1 << length) - 1) << at:#x}))")
        at += length
    return f"({' | '.join(parts)}) + U({first}) + offset"


def _all_indices(masks: Sequence[int]) -> list[list[str]]:
    """For each mask the numbers of its entries in the order of the images of `symmetry.py`."""
    out = []
    first = 0
    for mask in masks:
        out.append([_index_text(mask, f"b{k}", first) for k in range(IMAGES)])
        first += mask_size(mask)
    return out


_BOARDS = """
    b0 = x
    b1 = mirror(x)
    b2 = upend(x)
    b3 = upend(b1)
    b4 = t
    b5 = mirror(t)
    b6 = upend(t)
    b7 = upend(b5)
"""


def _written(name: str, arguments: str, lines: Sequence[str], parts: Mapping[str, Any]) -> Any:
    """A GPU function from source text: the look-ups of all masks and images, unrolled."""
    text = f"def {name}({arguments}):{_BOARDS}" + "".join(f"    {line}\n" for line in lines)
    scope: dict[str, Any] = {"U": U, "np": np, **parts}
    exec(text, scope)
    return parts["cuda"].jit(device=True)(scope[name])


def _in_pairs(terms: list[str]) -> str:
    """The terms added up in pairs, these in pairs, and so on."""
    while len(terms) > 1:
        paired = [f"({a} + {b})" for a, b in zip(terms[::2], terms[1::2], strict=False)]
        terms = paired + terms[len(paired) * 2 :]
    return terms[0]


def _entry_functions(masks: Sequence[int], parts: Mapping[str, Any]) -> dict[str, Any]:
    """The holes `entries`, `add_entries` and `settle_entries`."""
    numbers = _all_indices(masks)
    sums = [f"s{k}" for k in range(IMAGES)]  # the order of `symmetry.table_sum`
    lines = [
        f"{name} = {_in_pairs([f'weights[{index}]' for index in images])}"
        for name, images in zip(sums, zip(*numbers, strict=True), strict=True)
    ]
    flat = [index for images in numbers for index in images]
    added = [f"cuda.atomic.add(sums, np.int64({index}), packed)" for index in flat]
    settled = [f"settle_entry(weights, errors, sums, np.int64({index}), rate)" for index in flat]
    return {
        "entries": _written("entries", "weights, offset, x, t", [*lines, f"return {_in_pairs(sums)}"], parts),
        "add_entries": _written("add_entries", "sums, offset, x, t, packed", added, parts),
        "settle_entries": _written(
            "settle_entries", "weights, errors, sums, offset, x, t, rate", settled, parts
        ),
    }


def device_parts(
    masks: tuple[int, ...], stages: tuple[int, ...], by_sum: bool, coherent: bool
) -> dict[str, Any]:
    """Every hole of the kernels, filled with GPU functions."""
    from numba import cuda as module

    parts: dict[str, Any] = {"cuda": module, "COHERENT": coherent}
    parts["SIZE"] = U(sum(mask_size(mask) for mask in masks))

    def add(name: str, template: Any, **more: Any) -> None:
        parts[name] = _device(template, {**parts, **more})

    for name in ("transpose", "mirror", "upend", "empties", "highest_rank", "slide_rows", "mix64", "below"):
        add(name, getattr(bitboard, name))
    add("popcount", popcount)
    add("pdep", deposit)
    add("stream_key", bitboard.stream_key)
    add("spawn", bitboard.spawn)
    add("holds_rank", stage_kernels.holds_rank)
    add("double_tile", temporal.double_tile)
    finder = (
        (stage_kernels.sum_stage if by_sum else stage_kernels.tile_stage)
        if stages
        else stage_kernels.no_stage
    )
    add("stage", finder, STAGES=stages)
    add("settle_entry", learn_entry)
    parts |= _entry_functions(masks, parts)
    add("value", network_value)
    add("network_value", network_value)
    add("weighed", weighed)
    add("best", best_afterstate)
    add("begin", begin)
    return parts


def _kernel(template: Callable[..., Any], parts: Mapping[str, Any], signature: Any) -> Any:
    copy = types.FunctionType(template.__code__, {**template.__globals__, **parts}, template.__name__)
    return copy, signature


def templates(parts: Mapping[str, Any]) -> list[tuple[Any, Any]]:
    """The three kernels as functions, with the types of their arguments."""
    from numba import types as t

    word, number, real = t.uint64[::1], t.int64[::1], t.float32[::1]
    flag = t.uint8[::1]
    begun = t.void(word, word, number, t.uint64, t.uint64, t.int64)
    lanes = (word, word, word, word, number, number, number, word, word, flag)
    moved = t.void(
        *(*lanes, word, real, number, number, t.int64[:, ::1]),
        *(t.uint64, t.uint64, t.int64, t.int64, t.uint64, t.boolean),
    )
    settled = t.void(word, real, real, number, t.float32)
    return [_kernel(start, parts, begun), _kernel(step, parts, moved), _kernel(settle, parts, settled)]


@functools.cache
def play_kernels(masks: tuple[int, ...], stages: tuple[int, ...], by_sum: bool, coherent: bool) -> Kernels:
    """The kernels for tuples (masks of nibbles), stages as in `ntuple.stages`, and TC (coherent) or TD."""
    parts = device_parts(masks, stages, by_sum, coherent)
    return Kernels(*(parts["cuda"].jit(signature)(copy) for copy, signature in templates(parts)))
