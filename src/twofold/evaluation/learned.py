"""Networks as evaluations, and those that come with the package."""

from __future__ import annotations

import contextlib
import functools
import os
import threading
from concurrent.futures import Future
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

from twofold.errors import InvalidFile, InvalidParameter, quote
from twofold.evaluation.base import Evaluation
from twofold.evaluation.network import Network
from twofold.evaluation.neural import NeuralNetwork, load_neural
from twofold.evaluation.unpacked import is_unpacked, map_network
from twofold.evaluation.weights import load_network
from twofold.rules.board import Board
from twofold.threads import in_thread

SHIPPED = "network.2048net"
"""Name of the network in the package's folder `data`."""

SHIPPED_NEURAL = "neural.2048nn"
"""Name of the neural one."""


def shipped_path(name: str = SHIPPED) -> Path:
    """Where the network that comes with the package lies; raises InvalidFile if this copy has none."""
    path = Path(str(files("twofold"))) / "data" / name
    if not path.is_file():
        raise InvalidFile("this copy of twofold has no network: train one, or give file=…")
    return path


def read_network(path: str | os.PathLike[str] = "") -> Network:
    """The network in a file, the shipped one by default. One that was read already, and did not change, is reused.

    To play by, not to change: the entries of the shipped one are read-only and shared (evaluation/unpacked.py).
    """
    place = Path(path) if path else shipped_path()
    try:
        status = place.stat()
    except OSError:
        return load_network(place)
    with contextlib.nullcontext() if path else _READING:  # two threads would unpack it twice
        return _read(str(place), status.st_mtime_ns, status.st_size, shipped=not path)


def read_neural(path: str | os.PathLike[str] = "") -> NeuralNetwork:
    """The neural network in a file, the shipped one by default; reused like `read_network`'s."""
    place = Path(path) if path else shipped_path(SHIPPED_NEURAL)
    try:
        status = place.stat()
    except OSError:
        return load_neural(place)
    return _read_neural(str(place), status.st_mtime_ns, status.st_size)


@functools.lru_cache(maxsize=2)
def _read_neural(path: str, changed: int, size: int) -> NeuralNetwork:
    return load_neural(path)


@functools.lru_cache(maxsize=2)
def _read(path: str, changed: int, size: int, *, shipped: bool) -> Network:
    return map_network(path) if shipped else load_network(path)


_READING, _ASKING = threading.Lock(), threading.Lock()
_unpacking: list[Future[Network]] = []


def is_network_ready() -> bool:
    """Whether the shipped network is at hand; if it has to be unpacked, that begins now, in another thread.

    True too if it can't be: whoever reads it is told why.
    """
    with _ASKING:
        if not _unpacking:
            if is_unpacked(shipped_path()):
                return True
            _unpacking.append(in_thread(read_network))
    return _unpacking[0].done()


def _named(board: Board) -> str:
    """What a board is called by its shape."""
    return quote(str(board.without_tiles())) if board.bricks else f"{board.rows}x{board.columns}"


def from_network(network: Network | NeuralNetwork, text: str = "network") -> Evaluation:
    """A network, of tables or neural, as the leaves of a search.

    Its values are points still to come, so that the search adds those made on the way.
    """
    shape = network.design.shape

    def accepts(board: Board) -> None:
        if (board.rows, board.columns, set(board.bricks)) != (shape.rows, shape.columns, set(shape.bricks)):
            raise InvalidParameter(f"{text} is for the board {_named(shape)}, not for {_named(board)}")

    return Evaluation(
        text, network=network, reward=1.0, accepts=accepts, recipe=(from_network, network, text)
    )


def network(text: str, *, file: str) -> Evaluation:
    """The evaluation `network`, `network:file=PATH`."""
    return replace(from_network(read_network(file), text), recipe=None)  # remade by its text


def neural(text: str, *, file: str) -> Evaluation:
    """The evaluation `neural`, `neural:file=PATH`."""
    return replace(from_network(read_neural(file), text), recipe=None)
