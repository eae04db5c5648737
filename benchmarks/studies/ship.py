"""Trains the network that comes with the package, from zero to the small file: one command, some hours of two cores.

    python -m benchmarks.studies.ship [--out FOLDER] [--threads N] [--scale X] [--seed N]

Runs the stretches below one after another, each by `twofold train ntuple`, then `twofold train shrink`, and puts the
file at FOLDER/network.2048net. Called again it goes on where it was stopped, by Ctrl-C or otherwise. `--scale 0.01`
takes a hundredth of the games, to see the whole of it; 0.001 takes five minutes.

The stretches are those of the shipped file, by games. They were run with other numbers of threads and with pauses
(docs/log/learning.md), and two threads never learn the same twice, so another run gives an equally strong network, not
the same one.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from twofold.evaluation.weights import load_network


@dataclass(frozen=True)
class Stretch:
    """Games of the network in all at its end, and the options that it is trained with."""

    games: int
    options: str
    begin: str = ""
    """Options that only begin it: they stay with the network."""


EIGHT = "012345 456789 012456 45689a 01259a 345678 134567 01489a"
"""The four tuples that the first stretches learn, and four more (Matsuzaki 2016; TDL2048)."""

STRETCHES = (
    Stretch(511_479, "--decay 0"),
    Stretch(607_659, "--decay 0 --restart 500"),
    Stretch(733_063, "--decay 0", begin="--stages 8192,16384"),
    Stretch(1_022_140, "--decay 0"),
    Stretch(1_164_647, "--decay 0.15"),
    Stretch(1_246_731, "--decay 1"),
    Stretch(1_264_948, "--decay 1 --rate 0.1"),
    Stretch(1_674_747, "--decay 0.5 --rate 0.3"),
    Stretch(2_745_600, "--decay 0.5 --rate 0.5 --double 16384", begin="--promote --forget 0.9"),
    Stretch(2_919_948, "--decay 0 --rate 0.5 --double 16384", begin=f"--tuples '{EIGHT}'"),
    Stretch(3_244_588, "--decay 0.65 --rate 0.5 --double sum:14336", begin="--stages sum:8192,16384,24576"),
)
UNSPLIT = -2
"""The last stretch before stages were split: of a stage begun as a copy, only what it has changed since counts."""
MEGABYTES, QUANTUM = 32, 16
"""What the small file may have; points that entries are rounded to."""


def run(command: str) -> None:
    """A command of twofold, shown first."""
    print(f"$ twofold {command}", flush=True)
    subprocess.run([sys.executable, "-m", "twofold", *shlex.split(command)], check=True)


def games_of(path: Path) -> int:
    """How many games a checkpoint has learned from; 0 if there is none."""
    return int(load_network(str(path)).origin["games"]) if path.exists() else 0


def train(files: list[Path], scale: float, common: str) -> None:
    """All stretches that are not done yet, each into its own file."""
    for i, (stretch, file) in enumerate(zip(STRETCHES, files, strict=True)):
        missing = round(scale * stretch.games) - games_of(file)
        if missing <= 0:
            continue
        start = ""
        if file.exists():
            start = f"--resume {shlex.quote(str(file))}"
        elif i > 0:
            start = f"--resume {shlex.quote(str(files[i - 1]))} {stretch.begin} "
            missing -= games_of(files[i - 1])
        run(
            f"train ntuple {start} --out {shlex.quote(str(file))} {stretch.options} --games {missing} {common}"
        )


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=Path("network"))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    files = [options.out / f"stretch-{i}.net" for i in range(len(STRETCHES))]
    small = options.out / "network.2048net"
    try:
        train(files, options.scale, f"--threads {options.threads} --seed {options.seed}")
        run(
            f"train shrink {shlex.quote(str(files[-1]))} --split {shlex.quote(str(files[UNSPLIT]))} "
            f"--megabytes {MEGABYTES} --quantum {QUANTUM} --out {shlex.quote(str(small))}"
        )
    except KeyboardInterrupt:
        return 130
    except subprocess.CalledProcessError as error:
        return int(error.returncode)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
