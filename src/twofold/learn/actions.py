"""S4's neural player as an experiment: what its network learns, and which change of its set-up makes it learn.

S4 (chapters 9 and 10) trains a feed-forward network by hand-written backpropagation. Its input is the 16 face values,
its output four numbers, one per move; the move with the largest is made, or one by chance in 10 % of cases. After each
game every move made gets a label, and the gradients of its squared errors, summed and divided by the number of moves,
make one step of gradient descent with momentum and L2 regularisation. The best tile it ever made was 64.

`action_network.Setup` holds each of these choices as a switch. The report's sizes are not known: two hidden layers of
64 are used unless told otherwise, with ReLU.

Labels: `lost`: minus the penalty for every move of a lost game ("a reward of -1000 is propagated throughout the
sequence"; a game is lost unless it made 2048); `end`: the points from the move on, and minus the penalty at the end;
`return`: the points from the move on; `td`: the points of the move and the network's value of what follows. In points;
divided by `points`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.kernels.board.line_tables import line_table
from twofold.kernels.neural import batches
from twofold.learn.action_network import Setup, encode, ranks_of, save_actions
from twofold.learn.curve import CsvFile
from twofold.learn.neural import torch_or_refusal
from twofold.rules.variant import Variant

BATCH = 512
LANES = 64
EVALUATED = 256
_FIRST_EVALUATED = 1 << 32
_WON = 11  # rank of 2048
_U = np.uint64


FIGURES = (
    "games", "moves", "score", "best", "favourite", "label_mean", "label_spread", "explained", "diverged"
)  # fmt: skip
"""The figures of a line of the curve, as `Measurement.as_json` and the CSV file name them."""


@dataclass(frozen=True)
class Measurement:
    """One line of the experiment's curve, after `games` games learned from.

    Attributes:
        score, best, tops: mean points, largest rank and shares by highest rank (64,) of `EVALUATED` games without
            moves by chance; random play makes about 1,100 points.
        favourite: the largest share of one direction among the moves of these games: 0.25 to 1.
        labels: mean and standard deviation of the labels since the last line, points.
        explained: share of the labels' variance that the network's outputs explain, on moves before it learns from
            them; below 0 if it does worse than their mean, nan where all labels are the same.
        diverged: whether the numbers of the network have left the finite ones.
    """

    games: int
    moves: int
    score: float
    best: int
    tops: NDArray[np.float64]
    favourite: float
    labels: tuple[float, float]
    explained: float
    diverged: bool = False

    def as_json(self) -> dict[str, Any]:
        """Its figures by name, without the shares; `best` as a tile, None for what isn't known."""
        values = (self.games, self.moves, self.score, 1 << self.best, self.favourite, *self.labels)
        explained = None if math.isnan(self.explained) else self.explained
        return dict(zip(FIGURES, (*values, explained, self.diverged), strict=True))


def _top(boards: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Highest rank of each packed board, int64 (n,)."""
    top: NDArray[np.int64] = ranks_of(boards).max(axis=1)
    return top


@dataclass
class _Games:
    """Games side by side: their boards and, move by move, what each game has been through."""

    seed: int
    first: int
    count: int
    following: int = 0
    steps: list[tuple[NDArray[Any], ...]] = field(default_factory=list)

    def __post_init__(self) -> None:
        n = self.count
        self._table = line_table(False)
        self._four = _U(Variant().four_threshold)
        self.boards, self.chosen, self._spawns, self._players = (np.zeros(n, _U) for _ in range(4))
        self.last, self.ended = np.zeros(n, np.uint8), np.zeros(n, np.uint8)
        self.score, self.moves, self._a, self._b, self._c = (np.zeros(n, np.int64) for _ in range(5))
        self.after, self.gains = np.zeros((n, 4), _U), np.zeros((n, 4), np.int64)
        batches.first_boards(
            self._four, _U(self.seed), _U(self.first), self._spawns, self._players, self.boards
        )
        self.following = self.first + n

    def expand(self) -> None:
        """Fill `after` and `gains` for the boards."""
        batches.four_moves(self._table, self.boards, self.after, self.gains)

    def play(self, choice: NDArray[np.int64]) -> None:
        """Make the moves and spawn; where `last` is set a game ends as it is. Ended games begin anew."""
        rows = np.arange(self.count)
        self.chosen[:] = self.after[rows, choice]
        self.score += np.maximum(self.gains[rows, choice], 0)
        self.moves += 1
        self.last |= self.gains[rows, choice] >= 1 << 16
        following, _ = batches.spawn_tiles(
            self._table,
            self._four,
            _U(self.seed),
            _U(self.following),
            self.chosen,
            self._spawns,
            self._players,
            self.last,
            self.score,
            self.moves,
            self.boards,
            self.ended,
            self._a,
            self._b,
            self._c,
        )
        self.following = int(following)
        self.last[:] = 0


class ActionTraining:
    """A run of one set-up; `run` plays it and yields its curve. Raises InvalidParameter without PyTorch."""

    def __init__(self, setup: Setup, seed: int = 0) -> None:
        self._torch = torch = torch_or_refusal()
        self.setup = setup
        self.seed = seed
        self.games = self.moves = 0
        chance = np.random.Generator(np.random.PCG64([seed, 3]))
        self.weights = []
        for shape in setup.shapes:
            if len(shape) == 2:
                bound = 1 / math.sqrt(shape[0])
            numbers = chance.uniform(-bound, bound, shape).astype(np.float32)
            self.weights.append(torch.tensor(numbers, requires_grad=True))
        if setup.method == "adam":
            self._descent = torch.optim.Adam(self.weights, lr=setup.rate, weight_decay=setup.l2, fused=True)
        else:
            self._descent = torch.optim.SGD(
                self.weights, lr=setup.rate, momentum=setup.momentum, weight_decay=setup.l2
            )
        self._chance = np.random.Generator(np.random.PCG64([seed, 4]))
        self._pool: list[tuple[NDArray[Any], ...]] = []
        self._labels: list[NDArray[np.float32]] = []
        self._errors: list[NDArray[np.float32]] = []

    def save(self, path: str) -> None:
        """Write the network, for the player `s4`. Raises InvalidFile."""
        save_actions(path, self.setup, [weight.detach().numpy() for weight in self.weights])

    def _forward(self, boards: NDArray[np.uint64]) -> Any:
        x = self._torch.from_numpy(encode(ranks_of(boards), self.setup.inputs))
        w = self.weights
        for k in range(0, len(w), 2):
            x = x @ w[k] + w[k + 1]
            if k + 2 < len(w):
                x = self._torch.relu(x)
        return x

    def values(self, boards: NDArray[np.uint64]) -> NDArray[np.float32]:
        """The network's outputs for packed boards, float32 (n, outputs), in units of `points`."""
        with self._torch.inference_mode():
            values = self._forward(boards)
        out: NDArray[np.float32] = values.numpy()
        return out

    def _choose(self, games: _Games, explore: float) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """The move of every game, and whether it is stuck: its choice changes nothing."""
        legal = games.gains >= 0
        if self.setup.form == "actions":
            values = self.values(games.boards)
        else:
            ahead = self.values(games.after.reshape(-1)).reshape(-1, 4) * self.setup.discount
            values = games.gains / np.float32(self.setup.points) + ahead
        values = np.nan_to_num(values, nan=0.0, posinf=1e30, neginf=-1e30)
        choice = np.argmax(np.where(legal, values, -np.inf), axis=1)
        stuck = np.zeros(games.count, bool)
        if self.setup.stuck:
            wanted = np.argmax(values, axis=1)
            stuck = ~legal[np.arange(games.count), wanted]
        if explore > 0:
            stray = self._chance.random(games.count) < explore
            order = np.argmax(np.where(legal, self._chance.random((games.count, 4)), -1), axis=1)
            choice = np.where(stray, order, choice)
            stuck &= ~stray
        return choice.astype(np.int64), stuck

    def run(self, games: int, every: int | None = None, out: str | None = None) -> Iterator[Measurement]:
        """Learn from `games` games; a line of the curve at the start and after every `every` games, a tenth of all.

        out: a new CSV file for the curve. Raises InvalidFile.
        """
        file = None if out is None else CsvFile(out, FIGURES)
        for measurement in self._measurements(games, every or max(1, games // 10)):
            if file is not None:
                file.add_row(list(measurement.as_json().values()))
            yield measurement

    def _measurements(self, games: int, every: int) -> Iterator[Measurement]:
        threads = self._torch.get_num_threads()
        self._torch.set_num_threads(1)
        lanes = _Games(self.seed, 0, LANES)
        paths: list[list[tuple[Any, ...]]] = [[] for _ in range(LANES)]
        told = 0
        try:
            yield self.measure()
            while self.games < games:
                before = lanes.boards.copy()
                lanes.expand()
                choice, stuck = self._choose(lanes, self.setup.explore)
                lanes.last[:] = stuck
                gains = lanes.gains[np.arange(LANES), choice]
                lanes.play(choice)
                for b in range(LANES):
                    if not stuck[b]:
                        paths[b].append((before[b], lanes.chosen[b], choice[b], gains[b]))
                    if lanes.ended[b] != batches.GOES_ON:
                        self._finish(paths[b])
                        paths[b] = []
                if self.games // every > told:
                    told = self.games // every
                    measurement = self.measure()
                    yield measurement
                    if measurement.diverged:
                        return
        finally:
            self._torch.set_num_threads(threads)

    def _finish(self, path: list[tuple[Any, ...]]) -> None:
        """Learn from a game that ended, at once or when the pool is full."""
        self.games += 1
        self.moves += len(path)
        if not path:
            return
        boards, after, choice, gains = (np.array(column) for column in zip(*path, strict=True))
        labels = self.label(boards, after, gains.astype(np.float64))
        inputs = boards if self.setup.form == "actions" else after
        if self.setup.form == "afterstates":
            choice = np.zeros(len(choice), np.int64)
        self._pool.append((inputs, choice.astype(np.int64), labels))
        if self.setup.update == "game":
            self.learn(*self._pool.pop())
        elif sum(len(part[0]) for part in self._pool) >= 8 * BATCH:
            columns = [np.concatenate(column) for column in zip(*self._pool, strict=True)]
            self._pool.clear()
            order = self._chance.permutation(len(columns[0]))
            for begin in range(0, len(order) - BATCH + 1, BATCH):
                self.learn(*(column[order[begin : begin + BATCH]] for column in columns))

    def label(self, boards: Any, after: Any, gains: NDArray[np.float64]) -> NDArray[np.float32]:
        """Labels of a whole game's moves in units, float32 (n,)."""
        setup, n = self.setup, len(gains)
        ahead = (
            setup.form == "afterstates"
        )  # an afterstate's label has not the points of the move that led to it
        if setup.label == "lost" and int(_top(after[-1:])[0]) < _WON:
            return np.full(n, -setup.penalty / setup.points, np.float32)
        if setup.label == "td":
            values = self.values(after if ahead else boards).astype(np.float64) * setup.points
            if not ahead:
                four, points = np.empty((n, 4), _U), np.empty((n, 4), np.int64)
                batches.four_moves(line_table(False), boards, four, points)
                values[points < 0] = -np.inf
            following = np.append(setup.discount * values.max(axis=1)[1:], 0.0)
            own = np.append(gains[1:], 0.0) if ahead else gains
            return np.asarray((own + following) / setup.points, np.float32)
        total = -setup.penalty if setup.label == "end" and int(_top(after[-1:])[0]) < _WON else 0.0
        out = np.empty(n)
        for i in range(n - 1, -1, -1):
            if ahead:
                out[i] = total
            total = gains[i] + setup.discount * total
            if not ahead:
                out[i] = total
        return (out / setup.points).astype(np.float32)

    def learn(self, boards: Any, choice: Any, labels: NDArray[np.float32]) -> None:
        """One step of descent on the mean of squared errors."""
        torch = self._torch
        outputs = self._forward(boards).gather(1, torch.from_numpy(choice)[:, None]).squeeze(1)
        loss = torch.mean((outputs - torch.from_numpy(labels)) ** 2)
        self._descent.zero_grad()
        loss.backward()
        self._descent.step()
        self._labels.append(labels)
        with np.errstate(invalid="ignore", over="ignore"):  # of a network that diverges; `measure` tells
            self._errors.append(outputs.detach().numpy() - labels)

    def measure(self) -> Measurement:
        """Play `EVALUATED` games without learning, and sum up the labels met since the last measurement."""
        games = _Games(self.seed, _FIRST_EVALUATED, EVALUATED)
        open_ = np.ones(EVALUATED, bool)
        score, top, made = np.zeros(EVALUATED), np.zeros(EVALUATED, np.int64), np.zeros(4)
        while open_.any():
            games.expand()
            choice, stuck = self._choose(games, 0.0)
            games.last[:] = stuck
            made += np.bincount(choice[open_ & ~stuck], minlength=4)
            score = np.where(open_ & ~stuck, games.score + games.gains[np.arange(EVALUATED), choice], score)
            games.play(choice)
            top = np.where(open_, np.maximum(top, _top(games.chosen)), top)
            open_ &= games.ended == batches.GOES_ON
        labels, errors = (
            np.concatenate(parts).astype(np.float64) * self.setup.points if parts else np.zeros(1)
            for parts in (self._labels, self._errors)
        )
        self._labels.clear()
        self._errors.clear()
        variance = float(labels.var())
        finite = np.isfinite(errors).all() and np.abs(errors).max() < 1e100
        explained = 1 - float((errors**2).mean()) / variance if variance > 0 and finite else math.nan
        diverged = not all(bool(self._torch.isfinite(w).all()) for w in self.weights)
        shares = np.bincount(top, minlength=64) / EVALUATED
        return Measurement(
            self.games,
            self.moves,
            float(score.mean()),
            int(top.max()),
            shares,
            float(made.max() / max(1, made.sum())),
            (float(labels.mean()), math.sqrt(variance)),
            explained,
            diverged,
        )
