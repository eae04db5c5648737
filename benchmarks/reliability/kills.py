"""Long runs, killed at random moments and gone on with."""

from __future__ import annotations

import random
import shlex
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.reliability.common import Found, command, in_child, told_of


class _Kind:
    """A long run that is killed. command: begun or gone on with; what: its result, to be compared."""

    def __init__(self, folder: Path, name: str) -> None:
        self.place = folder / name
        self.place.mkdir()

    def command(self) -> str:
        raise NotImplementedError

    def run(self) -> int:
        code, told = command(shlex.split(self.command()))
        if code:
            print(told, file=sys.stderr)
        return code

    def what(self) -> object:
        raise NotImplementedError


class _Arena(_Kind):
    def command(self) -> str:
        return f"arena run -p greedy -n 400 --size 2x3 --name a --store {self.place}/a.db -j 1 --json"

    def what(self) -> object:
        from twofold.arena.schema import EXPORTED
        from twofold.arena.store import Store

        keep = [EXPORTED.index(name) for name in ("player", "game", "score", "max_tile", "moves")]
        with Store(str(self.place / "a.db")) as store:
            return sorted(tuple(row[i] for i in keep) for row in store.exported(store.run("a")))


class _Training(_Kind):
    GAMES = 3000

    def _done(self) -> int:
        return int(self._network().origin["games"]) if (self.place / "n").exists() else 0

    def run(self) -> int:
        return super().run() if self._done() < self.GAMES else 0  # it was killed after its last checkpoint

    def command(self) -> str:
        file = self.place / "n"
        begin = f"--resume {file}" if file.exists() else f"--size 3x3 --tuples '012345 345678' --out {file}"
        left = f"--games {self.GAMES - self._done()} --decay 1 --checkpoint 0.05 --seed 7 --json"
        return f"train ntuple {begin} {left}"

    def _network(self) -> Any:
        from twofold.evaluation.weights import load_network

        return load_network(self.place / "n", learning=True)

    def what(self) -> object:
        network = self._network()
        return network.weights.tobytes(), network.errors.tobytes(), network.origin["games"]


class _Exact(_Kind):
    def command(self) -> str:
        return f"exact solve 2x4 --target 64 --threads 1 --work {self.place}/work --out {self.place}/policy --json"

    def what(self) -> object:
        return (self.place / "policy").read_bytes()


class _Tuning(_Kind):
    def command(self) -> str:
        out = self.place / "t"
        if (out / "tuning.json").exists():
            return f"tune --resume --out {out} -j 1 --json"
        small = "--games 2 --generations 3 --population 4 --test-games 0 --seed 3 --variant 2x3"
        return f"tune default --weights empty,merges -p expectimax:depth=1 {small} --out {out} -j 1 --json"

    def what(self) -> object:
        from twofold.tune.driver import read_record

        record = read_record(self.place / "t")
        assert record is not None
        return record["generations"], record["best"]


class _Formations(_Kind):
    def run(self) -> int:
        from twofold.exact.formation_files import make_table
        from twofold.exact.formation_sets import block

        return int(not make_table(block(4), self.place / "block-4.formation", threads=1))

    def what(self) -> object:
        return (self.place / "block-4.formation").read_bytes()


KILLED = (_Arena, _Training, _Exact, _Tuning, _Formations)


def kills(count: int, seed: int) -> Found:
    """kill -9 at `count` random moments of each kind of run: gone on with to its end, it has the same result."""
    draw, faults, killed = random.Random(seed), Counter[str](), Counter[str]()
    with tempfile.TemporaryDirectory() as place:
        for kind in KILLED:
            name = kind.__name__[1:].lower()
            whole = kind(Path(place), f"{name}-whole")
            whole.run()  # compiles
            again = kind(Path(place), f"{name}-again")
            begin = time.monotonic()
            assert in_child(again.run) == 0, f"{name} fails"
            length, expected = time.monotonic() - begin, whole.what()
            if again.what() != expected:
                faults[f"{name}: two runs differ"] += 1
            for number in range(4 * count):  # some runs end before they are killed
                if killed[name] >= count:
                    break
                run = kind(Path(place), f"{name}-{number}")
                for _ in range(4):
                    code = in_child(run.run, draw.uniform(0, 1.1) * length)
                    if code != -signal.SIGKILL:
                        break
                    killed[name] += 1
                else:
                    code = in_child(run.run)
                if code or run.what() != expected:
                    faults[f"{name} {number}: exit {code}, or another result"] += 1
    return told_of(f"{sum(killed.values())} kills ({dict(killed)})", faults)
