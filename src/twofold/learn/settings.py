"""How to train, and what to begin with, as frozen values that refuse what doesn't fit together."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InvalidParameter, quote
from twofold.evaluation.network import Design, Network, parse_stages
from twofold.evaluation.neural import NeuralDesign, NeuralNetwork, load_neural
from twofold.evaluation.tensors import origin_number
from twofold.evaluation.tuples import default_base, default_tuples, parse_tuples
from twofold.evaluation.weights import load_network
from twofold.learn.workers import BLOCK, parse_double
from twofold.rules.random import checked_word
from twofold.rules.variant import Variant

METHODS = ("td", "tc")
RATES = {"td": 0.1, "tc": 1.0}
"""Learning rate of each method unless told otherwise."""

LEAST_RATE = 0.01
"""What a decaying rate ends at, as a share of the first."""

WITHIN = 500.0
"""Points that an exploring move may seem worse unless told otherwise."""


@dataclass(frozen=True)
class TrainingSettings:
    """How to train a tuple network.

    Attributes:
        method: `td` or `tc`; rate: learning rate, None for the method's usual one.
        minutes, games: how long; at least one of them, and the run ends at the first that is reached.
        decay: the share of the run, at its end, in which the rate falls linearly to a hundredth.
        restart: a game of at least 2*restart moves is followed by one from its middle; 0 for never.
        double: a game that makes this tile is followed by one from there with that tile doubled; or, `sum:S,…`, one
            that comes to that sum of tiles by one with its large tiles doubled (kernels/ntuple/temporal.py); empty
            for never.
        expected: learn from the mean over all spawns instead of the spawn that came.
        explore: chance that a move is drawn among those that seem at most `within` points worse than the best.
        threads: 0 for as many as others leave idle; seed: of the games; None for that of the
            checkpoint, or 0.
        device: `cpu` or `cuda`; lanes: games side by side on the latter.
        checkpoint: seconds between checkpoints; evaluation: seconds between evaluations of `evaluation_games` games
            without learning, 0 games for none.

    Raises InvalidParameter.
    """

    method: str = "tc"
    rate: float | None = None
    minutes: float | None = None
    games: int | None = None
    decay: float = 0.1
    restart: int = 0
    double: str = ""
    expected: bool = False
    explore: float = 0.0
    within: float | None = None
    threads: int = 1
    device: str = "cpu"
    lanes: int | None = None
    seed: int | None = None
    checkpoint: float = 60.0
    evaluation: float = 60.0
    evaluation_games: int = 100

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise InvalidParameter(f"method {quote(self.method)} is neither td nor tc")
        if self.minutes is None and self.games is None:
            raise InvalidParameter("give the length of training: --minutes or --games")
        if self.within is not None and not self.explore:
            raise InvalidParameter("--within is for exploring moves: give --explore too")
        _check("minutes", self.minutes, 0, 1e7, above=True)
        _check("games", self.games, 1, 1 << 40)
        _check("rate", self.rate, 0, 10, above=True)
        _check("decay", self.decay, 0, 1)
        _check("restart", self.restart, 0, 1 << 20)
        parse_double(self.double)
        _check("explore", self.explore, 0, 1)
        _check("within", self.within, 0, 1e9)
        _check("threads", self.threads, 0, 256)
        _check("checkpoint", self.checkpoint, 0, 86400, above=True)
        _check("evaluation", self.evaluation, 0, 1e7, above=True)
        _check("evaluation games", self.evaluation_games, 0, BLOCK)
        checked_word("seed", self.seed or 0)
        _check_device(self.device)
        if self.lanes is not None and self.device != "cuda":
            raise InvalidParameter("--lanes is for --device cuda")

    def rate_at(self, done: NDArray[np.float64]) -> NDArray[np.float64]:
        """The learning rates when the shares `done` of the run are over."""
        start = RATES[self.method] if self.rate is None else self.rate
        return decayed(start, self.decay, done)


def decayed(start: float, decay: float, done: NDArray[np.float64]) -> NDArray[np.float64]:
    """The rates, of which `start` is the first, when the shares `done` of the run are over: see `decay` above."""
    if decay == 0:
        return np.full(len(done), start)
    return np.asarray(start * np.clip((1 - done) / decay, LEAST_RATE, 1.0))


def _check(name: str, value: float | None, least: float, most: float, *, above: bool = False) -> None:
    if value is None:
        return
    if not (math.isfinite(value) and least <= value <= most) or (above and value == least):
        raise InvalidParameter(
            f"{name} {value} is not a number "
            + (f"above {least:,.0f} and up to {most:,.0f}" if above else f"from {least:,.0f} to {most:,.0f}")
        )


def _check_device(device: str) -> None:
    if device not in ("cpu", "cuda"):
        raise InvalidParameter(f"device {quote(device)} is neither cpu nor cuda")


S = TypeVar("S", "TrainingSettings", "NeuralSettings")


def seeded(settings: S, origin: Mapping[str, str]) -> S:
    """The settings with the seed of the checkpoint that goes on, unless they name one."""
    return settings if settings.seed is not None else replace(settings, seed=origin_number(origin, "seed"))


@dataclass(frozen=True)
class TupleStart:
    """The tuple network that a training begins with: a fresh one, or one from a file, changed or not.

    Attributes:
        resume: file of the network to go on with; None for a fresh one.
        tuples: text as `parse_tuples` reads it: those of a fresh network, or those of the file's and more; None for
            the usual ones or the file's.
        stages: text as `parse_stages` reads it; the file's are split.
        variant: the rules; None for the classic ones, or the file's, which it must agree with.
        optimistic: points that a fresh network gives every board, or that boards which a network from a file is
            unsure of gain: `Network.add_optimism`, to which `unsure` goes. fall: points that a fresh network gives a
            board less for each point of its tiles' sum.
        promote, forget: see the methods of `Network`, for one from a file. trust: see `Network.dequantised`, for a file
            that was shrunk.

    Raises InvalidParameter.
    """

    resume: str | None = None
    tuples: str | None = None
    stages: str | None = None
    variant: Variant | None = None
    optimistic: float = 0.0
    fall: float = 0.0
    unsure: float = 20000.0
    promote: bool = False
    forget: float | None = None
    trust: float | None = None

    def __post_init__(self) -> None:
        for name in ("optimistic", "fall", "unsure"):
            points = getattr(self, name)
            if not (math.isfinite(points) and abs(points) <= 1e9):
                raise InvalidParameter(f"--{name} {points} is not a number of points")
        if self.resume:
            if self.fall:
                raise InvalidParameter("--fall is for a new network: leave it out with --resume")
            if self.trust is not None and not 0 < self.trust <= 1:
                raise InvalidParameter(f"--trust {self.trust} is not above 0 and at most 1")
        elif self.promote or self.forget is not None:
            raise InvalidParameter(
                "--promote and --forget apply to a trained network: give --resume FILE too"
            )
        elif self.trust is not None:
            raise InvalidParameter("--trust applies to a trained network: give --resume FILE too")

    def network(self, method: str = "tc") -> Network:
        """The network, to be trained by `method`. Raises InvalidParameter, and InvalidFile for the file."""
        if self.trust is not None and method != "tc":
            raise InvalidParameter("--trust is for --method tc")
        if self.forget is not None and method != "tc":
            raise InvalidParameter("--forget is for --method tc, whose rates come from its errors")
        if not self.resume:
            return self._fresh(method)
        network = self._resumed(self.resume)
        if self.promote:
            network.promote()
        if self.optimistic:
            network.add_optimism(self.optimistic, self.unsure)
        if self.forget is not None:
            network.forget(self.forget)
        return network

    def _fresh(self, method: str) -> Network:
        variant = self.variant or Variant()
        board = variant.start
        tuples = default_tuples(board) if self.tuples is None else self.tuples
        design = Design(
            variant,
            parse_tuples(tuples, len(board.cells)),
            default_base(board.without_tiles()),
            *parse_stages(self.stages or ""),
        )
        return Network.fresh(design, optimistic=self.optimistic, fall=self.fall, coherent=method == "tc")

    def _resumed(self, path: str) -> Network:
        network = load_network(path, learning=True)
        if self.trust is not None:
            if network.weights.dtype == np.float32:
                raise InvalidParameter("--trust is for a shrunk network: this one has its own rates")
            network = network.dequantised(self.trust)
        elif network.weights.dtype != np.float32:
            raise InvalidParameter(
                "a shrunk network has no rates: resume from a checkpoint, or use --method tc with --trust"
            )
        design = network.design
        if self.variant is not None and self.variant != design.variant:
            raise InvalidParameter(f"the network in {path} is for {design.variant}, not for {self.variant}")
        if self.tuples is not None:
            network = network.with_tuples(parse_tuples(self.tuples, len(design.shape.cells)))
        return network if self.stages is None else network.with_stages(*parse_stages(self.stages))


@dataclass(frozen=True)
class NeuralSettings:
    """How to train a neural network.

    Attributes:
        minutes: of this run; moves: of the network in all, those of earlier runs counted. At least one of them, and
            the run ends at the first that is reached.
        rate: of Adam; decay: the share of the run, at its end, in which it falls linearly to a hundredth.
        lanes: games side by side; stretch: moves of each between two rounds of learning; batch: afterstates per step
            of Adam; lam: lambda; explore: probability of a random move.
        device: `cpu` or `cuda`; threads: of PyTorch on the CPU; seed: of everything; None for that
            of the checkpoint, or 0.
        checkpoint: seconds between checkpoints.

    Raises InvalidParameter.
    """

    minutes: float | None = None
    moves: int | None = None
    rate: float = 1e-3
    decay: float = 0.3
    lanes: int = 256
    stretch: int = 16
    batch: int = 512
    lam: float = 0.8
    explore: float = 0.0
    device: str = "cpu"
    threads: int = 1
    seed: int | None = None
    checkpoint: float = 60.0

    def __post_init__(self) -> None:
        if self.minutes is None and self.moves is None:
            raise InvalidParameter("give the length of training: --minutes or --moves")
        _check_device(self.device)
        checked_word("seed", self.seed or 0)
        for name, least, most in _BOUNDS:
            value = getattr(self, name)
            if value is not None and not (math.isfinite(value) and least <= value <= most):
                raise InvalidParameter(f"{_SAID.get(name, name)} {value} is not from {least:,} to {most:,}")

    def rate_at(self, done: float) -> float:
        """The rate when the share `done` of the run is over."""
        return float(decayed(self.rate, self.decay, np.array([done]))[0])


_BOUNDS = (
    ("minutes", 1e-6, 1e7),
    ("moves", 1, 1e15),
    ("rate", 1e-9, 1.0),
    ("decay", 0, 1),
    ("lanes", 1, 1 << 20),
    ("stretch", 1, 1 << 10),
    ("batch", 1, 1 << 24),
    ("lam", 0, 1),
    ("explore", 0, 1),
    ("threads", 1, 256),
    ("checkpoint", 1e-3, 86400),
)
_SAID = {"lam": "lambda"}


@dataclass(frozen=True)
class NeuralStart:
    """The neural network that a training begins with: that of a checkpoint, or a fresh one of these sizes.

    resume: the checkpoint's file. width, layers, points, discount: see `NeuralDesign`, whose `first` and `second` are
    the layers; None for the usual size, or the checkpoint's, which can't be changed.
    """

    resume: str | None = None
    width: int | None = None
    layers: tuple[int, int] | None = None
    points: float | None = None
    discount: float | None = None

    def network(self, seed: int = 0) -> NeuralNetwork:
        """The network; `seed` of the numbers of a fresh one. Raises InvalidParameter, and InvalidFile for the file."""
        first, second = self.layers or (None, None)
        sizes: dict[str, Any] = {"width": self.width, "first": first, "second": second}
        sizes |= {"points": self.points, "discount": self.discount}
        given = {name: value for name, value in sizes.items() if value is not None}
        if self.resume is None:
            return NeuralNetwork.fresh(NeuralDesign(**given), seed)
        network = load_neural(self.resume, learning=True)
        for name, value in given.items():
            if getattr(network.design, name) != value:
                raise InvalidParameter(
                    f"the network in {self.resume} was made with another {name}: leave it out"
                )
        return network
