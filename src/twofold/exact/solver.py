"""The solver: the value of every position of a game, by one walk up the layers of equal tile sum and one down.

The game is finite and every move and spawn raises the tile sum, so each Bellman equation (kernels/exact/bellman.py) has
only layers above it on its right-hand side; no iteration is needed and the values are exact up to rounding.
Conventions: the winning move ends the game before a spawn; states are boards that wait for a move, won boards left
out, lost ones included; the score counts from 0 at the start.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass

import numpy as np

from twofold.errors import InvalidBoard, InvalidFile, InvalidParameter, quote
from twofold.exact.estimate import peak_memory
from twofold.exact.layers import Counts, KeySet, Layers, ValueMap, Words, Workers
from twofold.exact.luck import MOST_MOVES
from twofold.exact.problem import Problem, Start, decode, losses, weighted_mean
from twofold.exact.states import passes_for
from twofold.threads import checkpoint

_U = np.uint64


@dataclass(frozen=True, slots=True)
class SolveProgress:
    """Progress of a solver.

    phase: `up` or `down`. layer: tile sum. boards: states and afterstates done in this phase, of `total` (0 while
    unknown). nbytes: memory of its arrays.
    """

    phase: str
    layer: int
    boards: int
    total: int
    seconds: float
    nbytes: int


@dataclass(slots=True)
class Solution:
    """The value of a game and of every afterstate in it.

    value: over the random start (or of the given board), with `luck` of the best or worst start; mean: the plain mean
        over canonical starts.
    states, afterstates: canonical boards; lost: states without a legal move, among the states.
    states_raw, afterstates_raw, lost_raw: the boards they stand for, None if not asked for.
    largest_tile: the largest face value that a board of the game can hold (the target itself ends it before).
    layers: where the afterstates (`after`) and their values (`values`) are, layer by layer.
    """

    problem: Problem
    layers: Layers
    value: float = 0.0
    mean: float = 0.0
    starts: tuple[Start, ...] = ()
    states: int = 0
    afterstates: int = 0
    lost: int = 0
    states_raw: int | None = None
    afterstates_raw: int | None = None
    largest_tile: int = 0
    first: int = 0
    last: int = -1
    seconds: float = 0.0
    peak_memory_bytes: int = 0

    def __repr__(self) -> str:
        problem = self.problem
        return f"Solution({problem.variant}, {problem.objective}: {self.value:.6g}, {self.states:,} states)"


OnProgress = Callable[[SolveProgress], None]


def solve(
    problem: Problem,
    *,
    layers: Layers | None = None,
    threads: int = 1,
    raw: bool = False,
    keep: bool = True,
    memory: int | None = None,
    on_progress: OnProgress | None = None,
) -> Solution:
    """Solve a game.

    layers: where boards are kept meanwhile; with a `DiskLayers` a killed run goes on where it was.
    threads: used in layers of more than 100,000 boards; the values don't depend on it.
    raw: also count the boards that symmetric ones stand for.
    keep: keep afterstates and values for looking up.
    memory: bytes that its arrays may take, None for no limit. Raises InvalidParameter when they would take more.
    """
    solver = _Solver(
        problem, layers if layers is not None else Layers(), threads, raw, keep, memory, on_progress
    )
    try:
        return solver.run()
    finally:
        solver.workers.close()


def _height(rank: int) -> int:
    """How many layers a spawn of this rank goes up."""
    return 1 << rank - 1


class _Solver:
    """The state of one run."""

    def __init__(
        self,
        problem: Problem,
        layers: Layers,
        threads: int,
        raw: bool,
        keep: bool,
        memory: int | None,
        on_progress: OnProgress | None,
    ) -> None:
        self.problem, self.layers, self.raw, self.keep = problem, layers, raw, keep
        self.memory, self.on_progress = memory, on_progress
        self.layout = problem.layout()
        self.passes = passes_for(self.layout.packing, problem.chance, problem.luck)
        self.workers = Workers(threads)
        self.nothing = ValueMap(np.empty(0, _U), np.empty(0, _U), self.workers)
        self.chances = dict(problem.variant.chances)
        self.reach = max(2, 1 << max(self.chances) - 1)  # layers that a spawn goes up at most
        self.counts = Counts()
        self.kept_bytes = 0
        self.began = time.perf_counter()
        self.before = 0.0
        self.starts = self._starts()
        self.starts_by_layer = {
            layer: np.array(list(keys), _U)
            for layer, keys in itertools.groupby(self.starts, self.layout.sum_of)
        }
        self.values: dict[int, int] = {}
        self.done = 0

    def _starts(self) -> dict[int, float]:
        """Canonical start boards and their probabilities, in the order of layers."""
        found: dict[int, list[float]] = {}
        for board, chance in self.problem.starts():
            found.setdefault(self.layout.canonical(self.layout.pack(board)), []).append(chance)
        whole = math.fsum(itertools.chain.from_iterable(found.values()))  # 1, but for rounding
        keys = sorted(found, key=lambda key: (self.layout.sum_of(key), key))
        return {key: math.fsum(found[key]) / whole for key in keys}

    def _starts_of(self, layer: int) -> Words:
        return self.starts_by_layer.get(layer, np.empty(0, _U))

    # Bookkeeping

    def _report(self, phase: str, layer: int, total: int, nbytes: int) -> None:
        checkpoint()
        nbytes += self.kept_bytes
        if self.memory is not None and nbytes > self.memory:
            raise InvalidParameter(
                f"the layer of tile sum {2 * layer} needs {nbytes / (1 << 30):.2f} GiB, more than --memory allows: "
                "give more, or a folder with --work"
            )
        if self.on_progress is not None:
            seconds = self.before + time.perf_counter() - self.began
            self.on_progress(SolveProgress(phase, 2 * layer, self.done, total, seconds, nbytes))

    def _put(self, kind: str, layer: int, array: Words) -> None:
        self.layers.put(kind, layer, array)
        if not self.layers.on_disk:
            self.kept_bytes += array.nbytes

    def _drop(self, kind: str, layer: int) -> None:
        if not self.layers.on_disk:
            self.kept_bytes -= self.layers.get(kind, layer).nbytes
        self.layers.drop(kind, layer)

    def _note(self, phase: str, layer: int) -> None:
        if self.layers.on_disk:
            self.layers.note(
                {
                    "problem": self.problem.facts(),
                    "phase": phase,
                    "layer": layer,
                    "last": self.last,
                    "counts": asdict(self.counts),
                    "raw": self.raw,
                    "values": {f"{key:x}": f"{word:x}" for key, word in self.values.items()},
                    "seconds": self.before + time.perf_counter() - self.began,
                }
            )

    def _resume(self) -> tuple[str, int]:
        """(phase, the layer done last), or ("", 0)."""
        facts = self.layers.facts()
        if not facts:
            return "", 0
        if facts.get("phase") == "done":  # of a solution that was written and then removed
            self.layers.forget()
            return "", 0
        try:
            if Problem.from_facts(facts["problem"]) != self.problem or facts["raw"] != self.raw:
                raise InvalidFile(f"its folder holds another problem: {quote(str(facts['problem']))}")
            self.counts = Counts(**facts["counts"])
            self.values = {int(key, 16): int(word, 16) for key, word in facts["values"].items()}
            self.last = int(facts["last"])
            self.before = float(facts["seconds"])
            return str(facts["phase"]), int(facts["layer"])
        except (KeyError, TypeError, ValueError):
            raise InvalidFile("the progress in its folder is damaged") from None

    # The walks

    def run(self) -> Solution:
        self.last = -1
        self.first = min([self.layout.sum_of(next(iter(self.starts))), *self.layout.layers[:1]])
        phase, layer = self._resume()
        if phase != "down":
            self._walk_up(layer if phase == "up" else None)
            layer = self.last + 1
            self._note("down", layer)
        self._walk_down(layer)
        return self._solution()

    def _pending(self, done: int | None) -> dict[int, KeySet]:
        """The sets of states above the layer `done` as far as they are known: from its afterstates and those below."""
        pending: dict[int, KeySet] = {}
        if done is not None:
            for layer in range(done + 1 - self.reach, done + 1):
                after = self.layers.get("after", layer)
                for rank in self.chances:
                    if layer + _height(rank) > done:
                        self._spawn(after, layer, rank, pending)
        return pending

    def _spawn(self, after: Words, layer: int, rank: int, pending: dict[int, KeySet]) -> None:
        if not len(after):
            return
        states = pending.setdefault(layer + _height(rank), KeySet(self.workers.tables, len(after) * 3 // 2))
        expand, ws, lines = self.passes.expand_afterstates, self.layout.ws, self.layout.lines
        r = _U(rank)
        states.expand(
            self.workers,
            len(after),
            lambda first, last, *rest: expand(ws, lines, after, first, last, r, *rest),
        )

    def _walk_up(self, done: int | None) -> None:
        layer = self.first if done is None else done + 1
        top_start = max([*self.starts_by_layer, *self.layout.layers[-1:]])
        pending = self._pending(done)
        self.done = self.counts.states + self.counts.afterstates
        while pending or layer <= top_start:
            found = pending.pop(layer, None) or KeySet(self.workers.tables)
            found.add(self._starts_of(layer))
            found.add_all(self.layout.every(layer))
            states = found.keys()
            nbytes = found.nbytes
            found.close()
            del found
            if len(states):
                self._up(states, layer, pending, nbytes)
                self._note("up", layer)
            layer += 1

    def _up(self, states: Words, layer: int, pending: dict[int, KeySet], nbytes: int) -> None:
        self._check_fits(layer)
        expand, ws, lines = self.passes.expand_states, self.layout.ws, self.layout.lines
        found = KeySet(self.workers.tables, len(states) * 2 // 3)
        self.counts.lost += found.expand(
            self.workers,
            len(states),
            lambda first, last, *rest: expand(ws, lines, states, first, last, *rest),
        )
        after = found.keys()
        nbytes = max(nbytes, found.nbytes)
        found.close()
        del found
        self._see_largest(states, layer)
        self._see_largest(after, layer)
        self._put("states", layer, states)
        self._put("after", layer, after)
        self.last = layer
        for rank in self.chances:
            self._spawn(after, layer, rank, pending)
        counts = self.counts
        counts.states += len(states)
        counts.afterstates += len(after)
        if self.raw:
            count, images = self.passes.count_raw, self.layout.group
            counts.states_raw += count(ws, lines, states, images)
            counts.afterstates_raw += count(ws, lines, after, images)
        self.done += len(states) + len(after)
        self._report("up", layer, 0, nbytes + sum(each.nbytes for each in pending.values()))

    def _see_largest(self, boards: Words, layer: int) -> None:
        """Look for the next larger tile where the tile sum allows it, which is in few layers."""
        while 2 * layer >= 2 << self.counts.largest and len(boards):
            rank = self.layout.largest_rank(boards)
            if rank <= self.counts.largest:
                return
            self.counts.largest = rank

    def _check_fits(self, layer: int) -> None:
        """No tile outgrows its nibble while the tile sum is below twice the largest tile, or the target ends it."""
        target = self.layout.ws[15] if self.problem.chance else 16
        if 2 * layer >= 2 << self.layout.top and target > self.layout.top:
            raise InvalidBoard(
                f"tiles above {1 << self.layout.top}may occur: exact play has only four bits per cell"
            )

    def _walk_down(self, layer: int) -> None:
        """From the layer below `layer` to the first; the layers above it are done."""
        if self.problem.counts_moves and self.last - self.first > MOST_MOVES:
            raise InvalidParameter(
                f"games of more than {MOST_MOVES:,} moves: too many to count: try a smaller target"
            )
        maps: dict[int, ValueMap] = {}
        for above in range(layer + self.reach - 1, layer - 1, -1):
            if above <= self.last:
                maps[above] = self._state_values(above, self.layers.get("values", above))
        total = self.counts.states + self.counts.afterstates
        self.done = 0
        for s in range(layer - 1, self.first - 1, -1):
            words = self._after_values(s, maps)
            if s + self.reach in maps:
                maps.pop(s + self.reach).close()  # before the next is made
            maps[s] = self._state_values(s, words)
            if self.layers.on_disk:
                self._drop("states", s + self.reach + 1)
            else:
                self._drop("states", s)
                if not self.keep:
                    self._drop("after", s)
                    self._drop("values", s)
            self._note("down", s)
            self._report("down", s, total, sum(each.nbytes for each in maps.values()))

    def _after_values(self, s: int, maps: dict[int, ValueMap]) -> Words:
        """The values of a layer's afterstates from the maps of the states above."""
        after = self.layers.get("after", s)
        words: Words = np.empty(len(after), _U)
        above = {rank: maps.get(s + _height(rank), self.nothing) for rank in (1, 2, *self.chances)}
        value = self._value_two if max(self.chances) <= 2 else self._value_any
        value(s, after, above, words)
        self._put("values", s, words)
        self.done += len(after)
        return words

    def _value_two(self, s: int, after: Words, above: dict[int, ValueMap], words: Words) -> None:
        """With 2s and 4s only: both at once."""
        ws, lines, four = self.layout.ws, self.layout.lines, self.chances.get(2, 0.0)
        twos, fours = above[1], above[2]
        missing = []

        def part(first: int, last: int, buffer: Words) -> None:
            missing.append(
                self.passes.value_afterstates(
                    ws, lines, after, first, last, four,
                    twos.address, twos.shift, twos.mask, fours.address, fours.shift, fours.mask, words, buffer,
                )
            )  # fmt: skip

        self.workers.ranges(len(after), part)
        self._check_found(sum(missing), s)

    def _value_any(self, s: int, after: Words, above: dict[int, ValueMap], words: Words) -> None:
        """With any tiles: one rank after the other."""
        ws, lines = self.layout.ws, self.layout.lines
        sums = np.zeros((2, len(after)))
        missing = []
        for rank, chance in self.chances.items():
            known, r = above[rank], _U(rank)

            def part(first: int, last: int, buffer: Words) -> None:
                place = (known.address, known.shift, known.mask)  # noqa: B023 (called before the next)
                missing.append(
                    self.passes.add_spawns(ws, lines, after, first, last, r, chance, *place, sums, buffer)  # noqa: B023
                )

            self.workers.ranges(len(after), part)
        self._check_found(sum(missing), s)
        self.passes.joined(sums, words)

    def _state_values(self, s: int, after_words: Words) -> ValueMap:
        """The values of a layer's states from those of its afterstates; notes those of start boards."""
        known = ValueMap(self.layers.get("after", s), after_words, self.workers)
        states = self.layers.get("states", s)
        words: Words = np.empty(len(states), _U)
        ws, lines, gamma = self.layout.ws, self.layout.lines, self.problem.gamma
        missing = []

        def part(first: int, last: int, buffer: Words) -> None:
            missing.append(
                self.passes.value_states(
                    ws,
                    lines,
                    states,
                    first,
                    last,
                    gamma,
                    known.address,
                    known.shift,
                    known.mask,
                    words,
                    buffer,
                )
            )

        self.workers.ranges(len(states), part)
        self._check_found(sum(missing), s)
        self.done += len(states)
        known.close()
        made = ValueMap(states, words, self.workers)
        keys = self._starts_of(s)
        self.values.update({int(k): int(w) for k, w in zip(keys, made.find(keys), strict=True)})
        return made

    def _check_found(self, missing: int, s: int) -> None:
        if missing:
            raise InvalidFile(f"the layers around tile sum {2 * s} don't fit together: solve again")

    def _solution(self) -> Solution:
        keys = list(self.starts)
        if not self.values.keys() >= self.starts.keys():
            raise InvalidFile(
                "the progress in its folder lacks values of starts: remove the folder and solve again"
            )
        words = np.array([self.values[key] for key in keys], _U)
        values = decode(words, self.problem.chance)
        missed = losses(words) if self.problem.chance else np.zeros(len(keys))
        starts = tuple(
            Start(self.layout.unpack(key), self.starts[key], float(value), float(loss))
            for key, value, loss in zip(keys, values, missed, strict=True)
        )
        counts = self.counts
        return Solution(
            self.problem,
            self.layers,
            _over_starts(self.problem.luck, starts),
            math.fsum(start.value for start in starts) / len(starts),
            starts,
            counts.states,
            counts.afterstates,
            counts.lost,
            counts.states_raw if self.raw else None,
            counts.afterstates_raw if self.raw else None,
            1 << self.counts.largest,
            self.first,
            self.last,
            self.before + time.perf_counter() - self.began,
            peak_memory(),
        )


def _over_starts(luck: str, starts: tuple[Start, ...]) -> float:
    values = [start.value for start in starts]
    if luck:
        return max(values) if luck == "best" else min(values)
    return weighted_mean([start.probability for start in starts], values)
