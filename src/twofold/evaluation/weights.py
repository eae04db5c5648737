"""Networks in files.

A file holds a `Design` and its numbers (evaluation/tensors.py): metadata `format`, `version`, `variant`, `tuples`,
`base`, `stages`, `scale` and, under `origin.…`, how the network was made. Arrays: `weights` and, in checkpoints,
`errors`; a network made for shipping has `codes` instead, its streams one behind the other, and `ends`, where each of
them ends (evaluation/coding.py).
"""

from __future__ import annotations

import itertools
import math
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from twofold.errors import InvalidFile, InvalidParameter, TwofoldError
from twofold.evaluation.coding import Coded, decode, encode
from twofold.evaluation.network import Design, Network, parse_stages
from twofold.evaluation.tensors import TensorFile, check_memory, check_ratio, open_tensors, write_tensors
from twofold.evaluation.tuples import parse_tuples
from twofold.notation import without_code
from twofold.rules.variant import Variant

FORMAT = "twofold tuple network"
VERSION = 1
SUFFIX = ".2048net"


def describe(network: Network) -> dict[str, str]:
    """The metadata of a network's file."""
    design = network.design
    texts = {
        "format": FORMAT,
        "version": str(VERSION),
        "variant": str(design.variant),
        "tuples": design.text,
        "base": str(design.base),
        "stages": design.stages_text,
        "scale": repr(network.scale),
    }
    return texts | {f"origin.{key}": text for key, text in network.origin.items()}


def save_network(path: str | os.PathLike[str], network: Network, coded: Coded | None = None) -> None:
    """Write a network, whole or not at all; coded: the entries of a shrunk one, if they are coded already.

    Raises InvalidFile if that can't be done.
    """
    tensors: dict[str, Any]
    if network.weights.dtype == np.int16:
        streams = (coded or encode(network.design, network.weights)).streams
        ends = np.cumsum([len(stream) for stream in streams]).astype("<i8")
        tensors = {"ends": ends, "codes": np.concatenate(streams)}
    else:
        tensors = {"weights": network.weights}
    if network.errors is not None:
        tensors["errors"] = network.errors
    write_tensors(path, tensors, describe(network))


@dataclass(frozen=True)
class Form:
    """What a network's file says before its numbers; shrunk: whether these are 16-bit entries."""

    design: Design
    scale: float
    origin: dict[str, str]
    shrunk: bool

    @property
    def shape(self) -> tuple[int, int]:
        """That of the weights: stages + 1, entries."""
        return len(self.design.stages) + 1, self.design.entries

    @property
    def nbytes(self) -> int:
        """Bytes that shrunk entries take in memory beside those of the file; 0 for others."""
        return 2 * math.prod(self.shape) if self.shrunk else 0


def load_network(
    path: str | os.PathLike[str], *, learning: bool = False, on_read: Callable[[int], None] = lambda _: None
) -> Network:
    """The network in a file. learning: with the errors, if there are any; on_read: as for `coding.decode`.

    Raises InvalidFile for anything but a complete file of this format; no code in the file is ever run.
    """
    with open_tensors(path, "network") as file:
        form = _form(file)
        nbytes = form.nbytes + file.nbytes
        check_memory(nbytes, path)
        if not learning:  # one that has just begun to learn is nearly all zeros
            check_ratio(nbytes, path)
        arrays = file.read()
        weights = _decoded(form.design, arrays, on_read) if form.shrunk else arrays["weights"]
    errors = arrays.get("errors") if learning else None
    return Network(form.design, weights, form.scale, errors, form.origin)


def read_form(path: str | os.PathLike[str]) -> Form:
    """What the file of a network says of it, without its numbers. Raises InvalidFile."""
    with open_tensors(path, "network") as file:
        return _form(file)


def _form(file: TensorFile) -> Form:
    design, scale = _design(file)
    size = (len(design.stages) + 1, design.entries)
    plain = {"weights": (np.dtype("<f4"), size)}
    known = plain | {"errors": (np.dtype("<f4"), (*size, 2))}
    small = {
        "ends": (np.dtype("<i8"), (len(design.tuples),)),
        "codes": (np.dtype("u1"), (int(np.prod(file.shapes.get("codes", ("", (0,)))[1])),)),
    }
    if "high" in file.shapes:
        raise InvalidFile("it was shrunk by an older version: shrink its checkpoint again")
    if file.shapes not in (plain, known, small):
        raise InvalidFile("its tables don't have the sizes that its tuples need")
    origin = {key[7:]: text for key, text in file.metadata.items() if key.startswith("origin.")}
    return Form(design, scale, origin, file.shapes == small)


def _decoded(design: Design, arrays: dict[str, Any], on_read: Callable[[int], None]) -> Any:
    ends = [0, *map(int, arrays["ends"])]
    if ends != sorted(ends) or ends[-1] != len(arrays["codes"]):
        raise InvalidFile("the ends of its streams are damaged")
    return decode(design, [arrays["codes"][a:b] for a, b in itertools.pairwise(ends)], on_read)


def _design(file: TensorFile) -> tuple[Design, float]:
    texts = file.metadata
    file.check_format(FORMAT, VERSION)
    try:
        variant = Variant.parse(without_code(texts["variant"], "it"))
        tuples = parse_tuples(texts["tuples"], len(variant.start.cells))
        design = Design(variant, tuples, int(texts["base"]), *parse_stages(texts["stages"]))
    except InvalidParameter as error:
        raise InvalidFile(str(error)) from error
    except TwofoldError as error:
        raise InvalidFile(f"its rules can't be read: {error}") from error
    scale = float(texts["scale"])
    if not 0 < scale < 1e9:
        raise InvalidFile("its scale is not a positive number")
    return design, scale
