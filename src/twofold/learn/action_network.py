"""S4's neural network itself: the set-up that it learns by, its inputs, its file, and its values without PyTorch."""

from __future__ import annotations

import itertools
import json
import math
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InvalidFile, InvalidParameter, TwofoldError, check_choice, quote
from twofold.evaluation.tensors import check_memory, check_ratio, open_tensors, write_tensors

INPUTS = ("raw", "log", "ranks")
FORMS = ("actions", "afterstates")
LABELS = ("lost", "end", "return", "td")
UPDATES = ("game", "batch")
METHODS = ("momentum", "adam")
FORMAT = "twofold action network"
VERSION = 1

_MOST_LAYERS, _MOST_WIDTH = 8, 4096
_U = np.uint64


@dataclass(frozen=True)
class Setup:
    """One way to learn; the defaults are S4's.

    Attributes:
        inputs: `raw` face values, `log` their logarithms (ranks as numbers), `ranks` one input per cell and rank.
        form: `actions` (board in, four values out) or `afterstates` (board after a move in, one value out).
        label: see learn/actions.py; penalty: points that a lost game costs, for `lost` and `end`; points: what one
            unit is; discount: of the next move's points.
        stuck: a game ends when the network chooses a move that changes nothing; else the best legal one is made.
        explore: probability of a random move. method, rate, momentum, l2: of the descent.
        update: one step per `game`, or per batch of 512 moves drawn from many games.
        hidden: sizes of the hidden layers (S4's are unknown).

    Raises InvalidParameter.
    """

    inputs: str = "raw"
    form: str = "actions"
    label: str = "lost"
    penalty: float = 1000.0
    points: float = 1.0
    discount: float = 1.0
    stuck: bool = False
    explore: float = 0.1
    method: str = "momentum"
    rate: float = 1e-4
    momentum: float = 0.9
    l2: float = 1e-4
    update: str = "game"
    hidden: tuple[int, ...] = (64, 64)

    def __post_init__(self) -> None:
        for name, known in (
            ("inputs", INPUTS),
            ("form", FORMS),
            ("label", LABELS),
            ("update", UPDATES),
            ("method", METHODS),
        ):
            check_choice(name, getattr(self, name), known)
        bounds = (
            ("penalty", 0, 1e6),
            ("points", 1e-3, 1e6),
            ("discount", 0, 1),
            ("explore", 0, 1),
            ("rate", 1e-12, 10),
            ("l2", 0, 1),
            ("momentum", 0, 1),
        )
        for name, least, most in bounds:
            value = getattr(self, name)
            if not (math.isfinite(value) and least <= value <= most):
                raise InvalidParameter(f"{name} {value} is not from {least:,} to {most:,}")
        sizes = tuple(self.hidden)
        if len(sizes) > _MOST_LAYERS or not all(1 <= size <= _MOST_WIDTH for size in sizes):
            raise InvalidParameter(
                f"hidden {quote(','.join(map(str, sizes)))} is not up to {_MOST_LAYERS} sizes from 1 to {_MOST_WIDTH:,}"
            )
        object.__setattr__(self, "hidden", sizes)

    @property
    def shapes(self) -> tuple[tuple[int, ...], ...]:
        """The shapes of weights and biases, layer by layer."""
        ends = (256 if self.inputs == "ranks" else 16), (4 if self.form == "actions" else 1)
        sizes = (ends[0], *self.hidden, ends[1])
        return tuple(itertools.chain(*((pair, pair[1:]) for pair in itertools.pairwise(sizes))))


S4 = Setup()
OURS = Setup(
    "ranks",
    "afterstates",
    "td",
    points=1000.0,
    explore=0.0,
    method="adam",
    rate=1e-3,
    l2=0.0,
    update="batch",
)

SETUPS: dict[str, Setup] = {
    "s4": S4,
    "s4-stuck": replace(S4, stuck=True),
    "s4-log": replace(S4, inputs="log"),
    "s4-ranks": replace(S4, inputs="ranks"),
    "s4-end": replace(S4, label="end"),
    "s4-return": replace(S4, label="return", points=1000.0),
    "ours": OURS,
}


def setup_of(name: str, **changes: Any) -> Setup:
    """The set-up called `name` in `SETUPS` with some of its fields changed. Raises InvalidParameter."""
    check_choice("--setup", name, SETUPS)
    return replace(SETUPS[name], **changes)


def ranks_of(boards: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Ranks of packed boards (n,) cell by cell, int64 (n, 16)."""
    return ((boards[:, None] >> np.arange(0, 64, 4, dtype=_U)) & _U(15)).astype(np.int64)


def encode(ranks: NDArray[np.int64], inputs: str) -> NDArray[np.float32]:
    """The network's inputs for boards by their ranks (n, 16): float32 (n, 16), or (n, 256) for `ranks`."""
    if inputs == "log":
        return ranks.astype(np.float32)
    if inputs == "raw":
        return np.where(ranks == 0, 0.0, np.exp2(ranks.astype(np.float32))).astype(np.float32)
    out = np.zeros((len(ranks), 16, 16), np.float32)
    np.put_along_axis(out, np.minimum(ranks, 15)[:, :, None], 1.0, axis=2)
    return out.reshape(len(ranks), 256)


@dataclass(frozen=True)
class ActionNetwork:
    """A trained network: its set-up, and weights (inputs, outputs) and biases (outputs,) layer by layer, float32."""

    setup: Setup
    weights: tuple[NDArray[np.float32], ...]

    def values(self, ranks: NDArray[np.int64]) -> NDArray[np.float32]:
        """Its outputs in points for boards by their ranks (n, 16): float32 (n, 4), or (n, 1) for afterstates."""
        x: NDArray[np.float32] = encode(ranks, self.setup.inputs)
        for k in range(0, len(self.weights), 2):
            x = (np.maximum(x, 0) if k else x) @ self.weights[k] + self.weights[k + 1]
        return x * np.float32(self.setup.points)


def save_actions(path: str | os.PathLike[str], setup: Setup, weights: Sequence[NDArray[np.float32]]) -> None:
    """Write a network, whole or not at all. Raises InvalidFile."""
    texts = {"format": FORMAT, "version": str(VERSION), "setup": json.dumps(asdict(setup))}
    write_tensors(path, {f"layer.{k}": array for k, array in enumerate(weights)}, texts)


def load_actions(path: str | os.PathLike[str]) -> ActionNetwork:
    """The network in a file. Raises InvalidFile for anything else; no code in the file is ever run."""
    with open_tensors(path, "network of 'twofold train s4'") as file:
        file.check_format(FORMAT, VERSION)
        setup = _setup(file.metadata.get("setup", ""))
        wanted = {f"layer.{k}": shape for k, shape in enumerate(setup.shapes)}
        if {name: shape for name, (_, shape) in file.shapes.items()} != wanted:
            raise InvalidFile("its arrays don't have the sizes that its layers need")
        check_memory(file.nbytes, path)
        check_ratio(file.nbytes, path)
        arrays = file.read()
        weights = tuple(arrays[name].astype(np.float32) for name in wanted)
        if not all(np.isfinite(array).all() for array in weights):
            raise InvalidFile("it holds numbers that are not finite")
    return ActionNetwork(setup, weights)


def _setup(text: str) -> Setup:
    try:
        facts = json.loads(text)
        return Setup(**{**facts, "hidden": tuple(map(int, facts["hidden"]))})
    except (TypeError, ValueError, KeyError, RecursionError, TwofoldError) as error:
        raise InvalidFile(f"its set-up is damaged: {error}") from None
