"""A training with its files: the network's checkpoints, the curve beside them, a picture of the curve."""

from __future__ import annotations

import contextlib
import tempfile
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

from twofold.errors import InvalidFile, InvalidParameter, TwofoldError, quote
from twofold.files import target_file
from twofold.learn.curve import Curve, check_picture, draw_curves
from twofold.learn.gpu import GpuTraining
from twofold.learn.neural import NeuralTraining, torch_or_refusal
from twofold.learn.settings import NeuralSettings, NeuralStart, TrainingSettings, TupleStart
from twofold.learn.temporal import CurvePoint, Training, origin_of

USUAL_FILES = {TupleStart: "ntuple.2048net", NeuralStart: "neural.2048nn"}
"""Where checkpoints go unless told otherwise."""

_EVERY = 10.0
"""Seconds between two lines of a curve's file."""


class TrainingRun:
    """A training that writes what it learns into files; `lines` runs it.

    Attributes:
        training: the run itself; target: the network's file; curve: its file, named as `target` but for `.csv`;
        figures: after the end, games, moves and seconds in all and how good the network is.

    out: the network's file; None for that of `start.resume` or, of a fresh network, the usual one. Only the files of
    the network that goes on may be there already. picture: a .png or .svg of the curve. command: what made the network,
    noted in its file. Raises InvalidParameter and InvalidFile.
    """

    def __init__(
        self,
        settings: TrainingSettings | NeuralSettings,
        start: TupleStart | NeuralStart,
        *,
        out: str | None = None,
        picture: str | None = None,
        command: str = "twofold.learn.train",
    ) -> None:
        if isinstance(settings, NeuralSettings):
            torch_or_refusal()
        if picture is not None:
            check_picture(picture)
        resume = start.resume
        if resume and not out and isinstance(start, TupleStart) and start.trust is not None:
            raise InvalidParameter("with --trust the small file would be lost: name another one with --out")
        self.target = target_file(out, resume, USUAL_FILES[type(start)])
        beside = curve_file(self.target, resume)
        self._picture = picture
        self.training = _training(settings, start)
        network = self.training.network
        before = network.origin.get("command", "")
        network.origin |= origin_of(f"{before}; {command}" if before else command)
        # Before the curve, which may not be there without a network: so a run that is killed here can go on. And a path
        # that can't be written shows now, not after hours.
        self.training.save(self.target)
        self.curve = Curve(beside, network.design, fresh=resume is None)
        self.figures: dict[str, Any] = {}

    def __repr__(self) -> str:
        return f"TrainingRun({self.target!r}, {100 * self.training.done:.0f} % done)"

    def _repr_svg_(self) -> str | None:
        """What a notebook shows: the curve, if Matplotlib is there and a line of the curve has been written."""
        with contextlib.suppress(TwofoldError), tempfile.TemporaryDirectory() as folder:
            picture = Path(folder) / "curve.svg"
            draw_curves({Path(self.target).stem: self.curve.path}, picture)
            return picture.read_text("utf-8")
        return None

    def lines(self, every: float = _EVERY) -> Generator[CurvePoint, None, None]:
        """Train; a line of the curve about every `every` seconds. Left early, it keeps what was learned."""
        added = 0.0
        try:
            with contextlib.closing(self.training.run(self.target, every=every)) as lines:
                for line in lines:
                    if time.monotonic() - added >= _EVERY or self.training.done >= 1:
                        self.curve.add(line)
                        added = time.monotonic()
                    yield line
        finally:
            if self._picture is not None:
                draw_curves({Path(self.target).stem: self.curve.path}, self._picture)
        self.figures = self.training.finish(self.target) | {"file": self.target}


def train(
    settings: TrainingSettings | NeuralSettings,
    start: TupleStart | NeuralStart,
    *,
    watch: Callable[[CurvePoint], None] | None = None,
    **files: Any,
) -> TrainingRun:
    """Train a network to the end; `watch` is called with every line of the curve. files: see `TrainingRun`."""
    run = TrainingRun(settings, start, **files)
    for line in run.lines():
        if watch is not None:
            watch(line)
    return run


def _training(
    settings: TrainingSettings | NeuralSettings, start: TupleStart | NeuralStart
) -> Training | NeuralTraining:
    if isinstance(settings, NeuralSettings) and isinstance(start, NeuralStart):
        return NeuralTraining(start.network(settings.seed or 0), settings)
    if isinstance(settings, TrainingSettings) and isinstance(start, TupleStart):
        kind = GpuTraining if settings.device == "cuda" else Training
        return kind(start.network(settings.method), settings)
    raise InvalidParameter("TrainingSettings go with a TupleStart, NeuralSettings with a NeuralStart")


def curve_file(target: str, resume: str | None) -> Path:
    """Where the curve goes; only the curve of the network that goes on may be there already. Raises InvalidFile."""
    if Path(target).suffix.lower() == ".csv":
        raise InvalidFile(
            f"{quote(Path(target).name)} would also be the file of the curve: give a name that doesn't end in .csv"
        )
    path = Path(target).with_suffix(".csv")
    if path.exists() and (resume is None or Path(resume).with_suffix(".csv") != path):
        raise InvalidFile(f"{quote(path.name)}, the file for the curve, already exists: choose another --out")
    return path
