"""Training of a neural value network by temporal differences, with PyTorch: many games side by side, CPU or GPU.

In stretches of `stretch` moves all games play greedily by the network as it is (kernels/neural/batches.py); then the
network is moved, batch by batch in an order by chance, towards the lambda-returns of the afterstates that were met,

    G(y) = 0 if the game is over after y, else  r' + (1 - lambda) V(y') + lambda G(y'),

y' being the afterstate of the best next move and r' its points, by the mean of squared errors and Adam (Kingma and Ba
2015). lambda = 0 is TD(0), of which stretch = 1 is the usual form; lambda = 1 is the return of up to `stretch` moves.
After a move by chance (`explore`) G goes on from the best move instead: learning stays about the best play.

What a run learns is a function of its settings: games are numbered (game i of seed s spawns the tiles of that game of
the run), batches come from a generator keyed by seed and stretch, and with one thread PyTorch adds up in one order.
Checkpoints hold the games being played and Adam's state: a run that was killed and resumed, for a number of moves
instead of minutes, learns bit for bit what it would have learned.
"""

from __future__ import annotations

import math
import time
from collections.abc import Generator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InvalidParameter
from twofold.evaluation.neural import NeuralDesign, NeuralNetwork, save_neural
from twofold.evaluation.tensors import origin_number, origin_seconds
from twofold.kernels.board.line_tables import line_table
from twofold.kernels.neural import batches
from twofold.kernels.neural.evaluator import FEATURES
from twofold.learn.settings import NeuralSettings, seeded
from twofold.learn.temporal import CurvePoint, Interval

_U = np.uint64


def torch_or_refusal() -> Any:
    """PyTorch. Raises InvalidParameter, saying what to install, where it is missing."""
    try:
        import torch
    except ImportError:
        raise InvalidParameter(
            "training neural networks needs PyTorch: pip install 'twofold[neural]'"
        ) from None
    return torch


class Lanes:
    """Games side by side: what `kernels/neural/batches.py` needs, its state as named arrays for checkpoints."""

    _STATE = ("boards", "after", "spawns", "players", "last", "score", "moves", "chosen", "value")

    def __init__(self, design: NeuralDesign, settings: NeuralSettings) -> None:
        n = settings.lanes
        self.following = 0
        self._four = _U(design.variant.four_threshold)
        self._seed = _U(settings.seed or 0)
        self._points = design.points * design.discount
        self._explore = _U(round(settings.explore * 2**32))
        self._table = line_table(False)
        self.boards, self.after, self.spawns, self.players = (np.zeros(n, _U) for _ in range(4))
        self.last, self.ended, self.strayed = (np.zeros(n, np.uint8) for _ in range(3))
        self.score, self.moves = np.zeros(n, np.int64), np.zeros(n, np.int64)
        self.scores, self.lengths, self.tops = (np.zeros(n, np.int64) for _ in range(3))
        self.chosen = np.zeros((n, FEATURES), np.int32)
        self.value, self.best = np.zeros(n, np.float32), np.zeros(n, np.float32)
        self._words, self._gains = np.zeros(4 * n, _U), np.zeros(4 * n, np.int64)
        self._first = np.zeros(n + 1, np.int64)
        self._features = np.zeros((4 * n, FEATURES), np.int32)

    def begin(self) -> None:
        """New games 0, 1, … on all lanes."""
        batches.first_boards(self._four, self._seed, _U(0), self.spawns, self.players, self.boards)
        self.following = len(self.boards)

    def spawn(self) -> int:
        """A tile on every board; how many games ended, told in `scores`, `lengths`, `tops`."""
        following, done = batches.spawn_tiles(
            self._table,
            self._four,
            self._seed,
            _U(self.following),
            self.after,
            self.spawns,
            self.players,
            self.last,
            self.score,
            self.moves,
            self.boards,
            self.ended,
            self.scores,
            self.lengths,
            self.tops,
        )
        self.following = int(following)
        return int(done)

    def move(self, valued: Any) -> None:
        """A move on every board; `valued` gives float32 values in units for rows of features."""
        n = batches.expand(self._table, self.boards, self._words, self._gains, self._first, self._features)
        batches.choose(
            self._words,
            self._gains,
            self._first,
            self._features,
            valued(self._features[:n]),
            self._points,
            self._explore,
            self.players,
            self.after,
            self.last,
            self.score,
            self.moves,
            self.chosen,
            self.value,
            self.best,
            self.strayed,
        )

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything that the next move depends on."""
        return {name: getattr(self, name) for name in self._STATE} | {"following": np.array([self.following])}

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        """Go on with what `state` gave; raises InvalidParameter for another number of lanes."""
        if len(state["boards"]) != len(self.boards):
            raise InvalidParameter(
                f"the checkpoint has {len(state['boards'])} parallel games, not {len(self.boards)}"
            )
        for name in self._STATE:
            getattr(self, name)[:] = state[name]
        self.following = int(state["following"][0])


class NeuralTraining:
    """A run of learning on one network; `run` plays it and yields its curve.

    Raises InvalidParameter without PyTorch, without the device, and for a network made for playing only.
    """

    def __init__(self, network: NeuralNetwork, settings: NeuralSettings) -> None:
        self._torch = torch = torch_or_refusal()
        if settings.device == "cuda" and not torch.cuda.is_available():
            raise InvalidParameter("this machine, or its PyTorch, has no CUDA device")
        origin = network.origin
        if origin_number(origin, "moves") and not network.training:
            raise InvalidParameter(
                "a network made only for playing can't be trained further: resume from a checkpoint"
            )
        self.network = network
        self.settings = settings = seeded(settings, network.origin)
        self.games, self.moves = origin_number(origin, "games"), origin_number(origin, "moves")
        self.seconds = origin_seconds(origin)
        self.lanes = Lanes(network.design, settings)
        self._device = torch.device(settings.device)
        # A tensor of its own for each array: the network's are the last checkpoint's.
        self.weights = {
            name: torch.tensor(array, device=self._device, requires_grad=True)
            for name, array in network.arrays.items()
        }
        self._adam = torch.optim.Adam(list(self.weights.values()), lr=settings.rate, fused=True)
        self._rounds = origin_number(origin, "rounds")
        self._first_move, self._before, self._began = self.moves, self.seconds, 0.0
        self._score = 0.0
        self._whole: tuple[int, int, dict[str, NDArray[Any]]] | None = None
        if network.training:
            self._restore(network.training)
        else:
            self.lanes.begin()

    def _restore(self, training: dict[str, NDArray[Any]]) -> None:
        torch = self._torch
        self.lanes.restore(training)
        for name, weight in self.weights.items():
            self._adam.state[weight] = {
                "step": torch.tensor(float(training["step"][0])),
                "exp_avg": torch.tensor(training[f"mean.{name}"], device=self._device),
                "exp_avg_sq": torch.tensor(training[f"square.{name}"], device=self._device),
            }

    def _forward(self, features: Any) -> Any:
        functional, w = self._torch.nn.functional, self.weights
        x = functional.embedding(features, w["table"]).flatten(1)
        x = functional.relu(functional.linear(x, w["w1"].t(), w["b1"]))
        x = functional.relu(functional.linear(x, w["w2"].t(), w["b2"]))
        return x @ w["w3"] + w["b3"]

    def values(self, features: NDArray[np.int32]) -> NDArray[np.float32]:
        """Values in units, float32 (n,), of afterstates given by their rows of features, int32 (n, 17)."""
        torch = self._torch
        with torch.inference_mode():
            values = self._forward(torch.from_numpy(features).to(self._device))
        found: NDArray[np.float32] = values.cpu().numpy()
        return found

    @property
    def done(self) -> float:
        """The fraction of the run that is done."""
        share = 0.0
        if self.settings.moves is not None:
            share = self.moves / self.settings.moves
        if self.settings.minutes is not None:
            share = max(share, (time.monotonic() - self._began) / (self.settings.minutes * 60))
        return share

    def play(self, interval: Interval) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """All games play `stretch` moves: features of the afterstates met, (n, 17), and their targets, (n,)."""
        lanes, steps, n = self.lanes, self.settings.stretch, self.settings.lanes
        # What a checkpoint goes back to if this round is interrupted: games are resumed between two rounds only.
        self._whole = self.games, self.moves, {name: array.copy() for name, array in lanes.state().items()}
        met = np.empty((steps, n, FEATURES), np.int32)
        value, best = np.empty((steps + 1, n), np.float32), np.empty((steps + 1, n), np.float32)
        ended, strayed = np.empty((steps, n), np.uint8), np.empty((steps, n), np.uint8)
        for step in range(steps):
            met[step], value[step] = lanes.chosen, lanes.value
            done = lanes.spawn()
            ended[step] = lanes.ended
            interval.add(n, lanes.scores[:done], lanes.tops[:done])
            self.games += done
            lanes.move(self.values)
            best[step + 1], strayed[step] = lanes.best / self.network.design.points, lanes.strayed
        value[steps] = lanes.value
        targets = self.returns(value, best, ended, strayed)
        self.moves += steps * n
        return met.reshape(steps * n, FEATURES), targets.reshape(-1)

    def returns(self, value: Any, best: Any, ended: Any, strayed: Any) -> NDArray[np.float32]:
        """The lambda-returns in units, (steps, n), of the afterstates before each step.

        value: of the afterstates, (steps + 1, n); best: value of the best move after step k in row k + 1; ended,
        strayed: (steps, n). A game that was left is taken to go on as its last value says.
        """
        lam = np.float32(self.settings.lam)
        targets: NDArray[np.float32] = np.empty_like(value[1:])
        following = value[-1]
        discount = np.float32(self.network.design.discount)
        for step in range(len(targets) - 1, -1, -1):
            beyond = np.where(
                strayed[step] != 0, np.float32(0), lam * discount * (following - value[step + 1])
            )
            following = np.where(ended[step] == batches.DEAD, np.float32(0), best[step + 1] + beyond)
            following = np.where(ended[step] == batches.LEFT, value[step], following)
            targets[step] = following
        return targets

    def learn(self, features: NDArray[np.int32], targets: NDArray[np.float32]) -> None:
        """One step of Adam per batch, once over all afterstates."""
        torch, batch = self._torch, self.settings.batch
        for group in self._adam.param_groups:
            group["lr"] = self.settings.rate_at(self.done)
        order = np.random.Generator(np.random.PCG64([self.settings.seed or 0, 2, self._rounds])).permutation(
            len(targets)
        )
        losses = []
        for begin in range(0, len(targets), batch):
            part = order[begin : begin + batch]
            found = self._forward(torch.from_numpy(features[part]).to(self._device))
            loss = torch.mean((found - torch.from_numpy(targets[part]).to(self._device)) ** 2)
            self._adam.zero_grad()
            loss.backward()
            self._adam.step()
            losses.append(loss.detach())
        self._rounds += 1
        self._whole = None
        if not math.isfinite(float(torch.stack(losses).mean())):
            raise InvalidParameter(
                "learning diverged: the values are no longer numbers; a smaller --rate may help"
            )

    def run(self, out: str | None = None, *, every: float = 10.0) -> Generator[CurvePoint, None, None]:
        """Play the run; a line of the curve about every `every` seconds. `out`: file for checkpoints and the result.

        Leaving the iteration early (by Ctrl-C too) writes a last checkpoint. Raises InvalidFile if one can't be
        written.
        """
        torch = self._torch
        threads = torch.get_num_threads()
        torch.set_num_threads(self.settings.threads)
        self._began = time.monotonic()
        self._first_move, self._before = self.moves, self.seconds
        kept = self._began
        interval = Interval(self._began)
        try:
            if self.moves == 0:
                self.lanes.move(self.values)  # the first afterstates
            while self.done < 1:
                self.learn(*self.play(interval))
                now = time.monotonic()
                self.seconds = self._before + now - self._began
                if now - interval.began >= every or self.done >= 1:
                    self._score = interval.mean if interval.games else self._score
                    rate = self.settings.rate_at(self.done)
                    yield interval.line(self, now, self._score, rate, self.settings.threads)
                    interval = Interval(time.monotonic())
                if out is not None and now - kept >= self.settings.checkpoint:
                    self.save(out)
                    kept = time.monotonic()
        finally:
            torch.set_num_threads(threads)
            if out is not None:
                self.save(out)

    def update(self) -> None:
        """Bring `network` up to date with what was learned."""
        if self._whole is not None:
            self.games, self.moves, state = self._whole
            self.lanes.restore(state)
            self._whole = None
        self.network.arrays = {
            name: weight.detach().cpu().numpy().copy() for name, weight in self.weights.items()
        }
        self.network.forget()
        training = self.lanes.state()
        steps = 0.0
        for name, weight in self.weights.items():
            state = self._adam.state.get(weight)
            zero = np.zeros(tuple(weight.shape), np.float32)
            steps = float(state["step"]) if state else 0.0
            training[f"mean.{name}"] = state["exp_avg"].cpu().numpy().copy() if state else zero
            training[f"square.{name}"] = state["exp_avg_sq"].cpu().numpy().copy() if state else zero
        training["step"] = np.array([steps], np.float32)
        self.network.training = training
        self.network.origin |= {
            "games": str(self.games),
            "moves": str(self.moves),
            "seconds": f"{self.seconds:.1f}",
            "rounds": str(self._rounds),
            "seed": str(self.settings.seed),
        }

    def save(self, path: str) -> None:
        """Write a checkpoint: complete or not at all."""
        self.update()
        save_neural(path, self.network)

    def finish(self, path: str) -> dict[str, Any]:
        """After the run, whose result is saved: its figures."""
        return {
            "games": self.games,
            "moves": self.moves,
            "seconds": round(self.seconds, 1),
            "numbers": self.network.design.numbers,
        }
