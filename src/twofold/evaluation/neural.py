"""A neural value network: what an afterstate of the open 4x4 board is worth, by its rows, columns and squares.

Of the board's eight images the *canonical* one is looked at (the largest corner tile lies at the bottom right), so
all of them have the same value. Its eight lines and nine squares of 2x2 cells are looked up as vectors of `width`
numbers, lines in one table and squares in another; the 17 vectors, side by side, go through two dense layers with
ReLU and a last sum, in units of `points`. So rows and columns share one embedding, as a convolution would share
weights, and the layers find out how they work together. Tiles above 32768 are downgraded (`evaluation/network.py`).

A table's vector begins as a sum over its cells of a vector per cell and rank, `cells`: contents that were never seen
look like those that were. Files for playing hold only what learning changed of it, so what was never
seen takes no room.

Playing needs no PyTorch: kernels/neural/evaluator.py values boards with the same numbers in compiled code.
"""

from __future__ import annotations

import functools
import os
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InvalidFile, InvalidParameter, TwofoldError
from twofold.evaluation.network import downgrade
from twofold.evaluation.tensors import TensorFile, check_memory, check_ratio, open_tensors, write_tensors
from twofold.kernels.neural import evaluator as kernels
from twofold.kernels.neural.dense import WIDE
from twofold.notation import without_code
from twofold.rules.board import Board
from twofold.rules.variant import Variant

FORMAT = "twofold neural network"
VERSION = 1
SUFFIX = ".2048nn"
_TRAINING = "training."

Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class NeuralDesign:
    """Sizes of a network: numbers per vector, and of the two layers. Raises InvalidParameter.

    points: what one unit of its output is worth, so that outputs are of the size of 1. discount: how much less a point
    of the next move is worth than one of this move.
    """

    width: int = 16
    first: int = 256
    second: int = 64
    points: float = 1000.0
    discount: float = 1.0
    variant: Variant = field(default_factory=Variant)

    def __post_init__(self) -> None:
        sizes = (
            ("width", self.width, kernels.MOST_WIDTH),
            ("first layer", self.first, kernels.MOST_FIRST),
            ("second layer", self.second, kernels.MOST_SECOND),
        )
        for name, size, most in sizes:
            if not 1 <= size <= most:
                raise InvalidParameter(f"a neural network's {name} has 1 to {most} numbers, not {size}")
        if not 0 < self.points < 1e9:
            raise InvalidParameter(f"a unit of {self.points} points is not above 0")
        if not 0 < self.discount <= 1:
            raise InvalidParameter(f"discount {self.discount} is not above 0 and at most 1")
        v = self.variant
        if not v.is_random_open_4x4 or v.has_own_values:
            raise InvalidParameter(
                f"a neural network is for the open 4x4 board with random spawns of 2s and 4s, not for {v}"
            )

    @property
    def base(self) -> int:
        """Ranks that its tables hold: 0 to 15."""
        return 16

    packed = True
    """It reads packed boards."""

    @property
    def shape(self) -> Board:
        """An empty board of its size."""
        return self.variant.start

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The arrays of a network and their shapes."""
        inputs = kernels.FEATURES * self.width
        return {
            "table": (2 * kernels.TABLE, self.width),
            "w1": (inputs, self.first),
            "b1": (self.first,),
            "w2": (self.first, self.second),
            "b2": (self.second,),
            "w3": (self.second,),
            "b3": (1,),
        }

    @property
    def numbers(self) -> int:
        """How many numbers are learned."""
        return sum(int(np.prod(shape)) for shape in self.shapes.values())


@dataclass(eq=False)
class NeuralNetwork:
    """A design with its numbers.

    arrays: float32, named and shaped as `NeuralDesign.shapes` says. cells: float32 (2, 4, 16, width), what the tables
    began as. origin: how it was made. training: what a checkpoint keeps for going on, by name.
    """

    design: NeuralDesign
    arrays: Arrays = field(repr=False)
    cells: NDArray[np.float32] = field(repr=False)
    origin: dict[str, str] = field(default_factory=dict, repr=False)
    training: Arrays = field(default_factory=dict, repr=False)

    @classmethod
    def fresh(cls, design: NeuralDesign, seed: int = 0) -> NeuralNetwork:
        """An untrained network; random numbers from `seed`, of a size that keeps layers in proportion."""
        chance = np.random.Generator(np.random.PCG64([seed, 1]))
        arrays: Arrays = {}
        cells = (0.5 * chance.standard_normal((2, 4, 16, design.width))).astype(np.float32)
        arrays["table"] = smooth_table(cells)
        for name, inputs in (("1", kernels.FEATURES * design.width), ("2", design.first)):
            shape = design.shapes[f"w{name}"]
            arrays[f"w{name}"] = _uniform(chance, shape, inputs)
            arrays[f"b{name}"] = _uniform(chance, shape[1:], inputs)
        arrays["w3"] = np.float32(0.1) * _uniform(chance, (design.second,), design.second)
        arrays["b3"] = np.zeros(1, np.float32)
        return cls(design, arrays, cells)

    @functools.cached_property
    def _parts(self) -> tuple[NDArray[np.float32], NDArray[np.uint64]]:
        design = self.design
        inputs = kernels.FEATURES * design.width
        first, second = (-(-size // WIDE) * WIDE for size in (design.first, design.second))
        # What is beyond a layer's own numbers is 0 and stays so.
        padded = {
            "w1": (inputs, first),
            "b1": (first,),
            "w2": (first, second),
            "b2": (second,),
            "w3": (second,),
        }
        parts = {}
        for name, array in self.arrays.items():
            shape = padded.get(name, array.shape)
            whole = np.zeros(shape, np.float32)
            whole[tuple(slice(size) for size in array.shape)] = array
            parts[name] = whole.reshape(-1)
        names = list(design.shapes)
        places = np.cumsum([0, *(len(parts[name]) for name in names)])
        points = np.float64(design.points * design.discount).view(np.uint64)
        sizes = [design.width, first, second, points, *places[1 : len(names)]]
        return np.concatenate([parts[name] for name in names]), np.array(sizes, np.uint64)

    def forget(self) -> None:
        """To be called when `arrays` have changed: what kernels read is made anew."""
        self.__dict__.pop("_parts", None)

    @property
    def flat(self) -> NDArray[np.float32]:
        """All numbers in sequence, as kernels read them: layers filled up to whole vectors."""
        return self._parts[0]

    @property
    def sizes(self) -> NDArray[np.uint64]:
        """Widths and places of the parts, as kernels read them (kernels/neural/evaluator.py)."""
        return self._parts[1]

    def value(self, board: Board) -> float:
        """The value of an afterstate in points, by the plain definition (slow; the kernels' oracle)."""
        arrays = self.arrays
        x = arrays["table"][features(board)].reshape(-1).astype(np.float64)
        x = np.maximum(x @ arrays["w1"] + arrays["b1"], 0)
        x = np.maximum(x @ arrays["w2"] + arrays["b2"], 0)
        return float(x @ arrays["w3"] + arrays["b3"][0]) * self.design.points * self.design.discount

    def values(self, words: NDArray[np.uint64]) -> NDArray[np.float64]:
        """Values of packed afterstates, points, float64 (n,), by the compiled code that searches use."""
        out = np.zeros(len(words))
        scratch = np.zeros(kernels.SCRATCH, np.uint64)
        addresses = (np.uint64(a.ctypes.data) for a in (self.flat, self.sizes, scratch))
        kernels.many_values(*addresses, words, out)
        return out


def _uniform(chance: np.random.Generator, shape: tuple[int, ...], inputs: int) -> NDArray[np.float32]:
    bound = 1 / np.sqrt(inputs)
    return chance.uniform(-bound, bound, shape).astype(np.float32)


def smooth_table(cells: NDArray[np.float32]) -> NDArray[np.float32]:
    """The table whose vectors are sums over their four cells: (131072, width) from (2, 4, 16, width).

    Cell i of an entry's number is bits 4i.
    """
    width = cells.shape[-1]
    table = np.zeros((2, 16, 16, 16, 16, width), np.float32)
    for cell in range(4):
        shape = [2, 1, 1, 1, 1, width]
        shape[4 - cell] = 16
        table += cells[:, cell].reshape(shape)
    return table.reshape(2 * kernels.TABLE, width)


def features(board: Board) -> list[int]:
    """The rows of the table for a 4x4 board: 4 rows, 4 columns, 9 squares of its canonical image."""
    ranks = np.array(downgrade(list(board.cells), 16)).reshape(4, 4)
    images = [turned[:, ::s][::r] for turned in (ranks, ranks.T) for s in (1, -1) for r in (1, -1)]
    # The largest word: the last cell counts most.
    best = max(images, key=lambda image: image.reshape(-1)[::-1].tolist())
    lines = [*best, *best.T]
    squares = [best[r : r + 2, c : c + 2].reshape(-1) for r in range(3) for c in range(3)]

    def number(cells: NDArray[Any]) -> int:
        return sum(int(rank) << 4 * i for i, rank in enumerate(cells))

    return [number(line) for line in lines] + [kernels.TABLE + number(square) for square in squares]


def save_neural(path: str | os.PathLike[str], network: NeuralNetwork, *, small: bool = False) -> None:
    """Write a network, whole or not at all. small: for playing only, in float16. Raises InvalidFile."""
    design = network.design
    tensors: Arrays = {"cells": network.cells}
    if small:
        change = network.arrays["table"] - smooth_table(network.cells)
        tensors |= {name: array.astype(np.float16) for name, array in network.arrays.items()}
        tensors["change"] = change.astype(np.float16)
        del tensors["table"]
    else:
        tensors |= network.arrays
        tensors |= {f"{_TRAINING}{name}": array for name, array in network.training.items()}
    texts = {
        "format": FORMAT,
        "version": str(VERSION),
        "variant": str(design.variant),
        "width": str(design.width),
        "layers": f"{design.first} {design.second}",
        "points": repr(design.points),
        "discount": repr(design.discount),
    }
    texts |= {f"origin.{key}": text for key, text in network.origin.items()}
    write_tensors(path, tensors, texts, level=19 if small else 1)


def load_neural(path: str | os.PathLike[str], *, learning: bool = False) -> NeuralNetwork:
    """The network in a file. learning: with what a checkpoint keeps for going on.

    Raises InvalidFile for anything but a complete file of this format; no code in the file is ever run.
    """
    with open_tensors(path, "neural network") as file:
        design = _design(file)
        shapes = {name: shape for name, (_, shape) in file.shapes.items() if not name.startswith(_TRAINING)}
        wanted = {"cells": (2, 4, 16, design.width), **design.shapes}
        small = wanted | {"change": wanted["table"]}
        del small["table"]
        if shapes not in (wanted, small):
            raise InvalidFile("its arrays don't have the sizes that its layers need")
        check_memory(file.nbytes, path)
        if not learning:
            check_ratio(file.nbytes, path)
        arrays = file.read()
        plain = {name: arrays[name].astype(np.float32) for name in shapes}
        if not all(np.isfinite(array).all() for array in plain.values()):
            raise InvalidFile("it holds numbers that are not finite")
    training = {key[len(_TRAINING) :]: arrays[key] for key in arrays if key.startswith(_TRAINING)}
    cells = plain.pop("cells")
    if "change" in plain:
        plain["table"] = plain.pop("change") + smooth_table(cells)
    origin = {key[7:]: text for key, text in file.metadata.items() if key.startswith("origin.")}
    return NeuralNetwork(design, plain, cells, origin, training if learning else {})


def is_neural(path: str | os.PathLike[str]) -> bool:
    """Whether a file says that it holds a neural network. Raises InvalidFile for what is not a file of arrays."""
    with open_tensors(path, "network") as file:
        return file.metadata.get("format") == FORMAT


def _design(file: TensorFile) -> NeuralDesign:
    texts = file.metadata
    file.check_format(FORMAT, VERSION)
    first, second = (int(word) for word in texts["layers"].split())
    try:
        return NeuralDesign(
            int(texts["width"]),
            first,
            second,
            float(texts["points"]),
            float(texts["discount"]),
            Variant.parse(without_code(texts["variant"], "it")),
        )
    except TwofoldError as error:
        raise InvalidFile(str(error)) from error
