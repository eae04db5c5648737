"""Fuzzers and killers: what must hold whatever is typed, read, or killed. Each says what it tried and what it found.

    python -m benchmarks.reliability texts    [--count 100000]  fuzzed texts for each notation
    python -m benchmarks.reliability commands [--count 5000]    odd command lines
    python -m benchmarks.reliability files    [--count 5000]    damaged files of all formats
    python -m benchmarks.reliability kills    [--count 50]      kill -9 at random moments of long runs
    python -m benchmarks.reliability moves    [--count 1000000000]  differential moves over shapes, bricks and ranks

One line at the end, and exit code 1 if anything was found. `--seed` names another draw. `tests/test_reliability.py`
runs small counts of each; docs/reliability.md has the figures of larger ones.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from twofold.errors import TwofoldError

PIECES = (
    "2",
    "4",
    "0",
    "x",
    ".",
    "#",
    "|",
    ",",
    ";",
    ":",
    "=",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    " ",
    "\n",
    "\t",
    "\x00",
    "é",
    "∞",
    "-1",
    "2048",
    "4x4",
    "1e9",
    "9" * 30,
    "0x",
    "nan",
    "inf",
    "map=",
    "p4=",
    "spawn=",
    "evil:",
    "depth=",
    "eval=",
    "default",
    "expectimax",
    "greedy",
    "snake",
    "lines",
    "a.py:b",
    "UDLR",
    "seed=",
    "moves=",
    "variant=",
    "target=",
    "tl-rows",
    "b3/s23",
    "bo$3o!",
    "\x1b[31m",
    "../",
    "sum:",
    "LEFT",
    '"',
    "'",
    "\\",
    "true",
    "null",
)

EXIT_CODES = {0, 1, 2, 130, 141}


def fuzzed(draw: random.Random, seeds: tuple[str, ...]) -> str:
    """A text: pieces in a row, or a good text with some characters changed."""
    if draw.random() < 0.4:
        return "".join(draw.choice(PIECES) for _ in range(draw.randrange(12)))
    text = list(draw.choice(seeds))
    for _ in range(draw.randrange(1, 3)):
        at = draw.randrange(len(text) + 1)
        text[at : at + draw.randrange(3)] = draw.choice(PIECES)
    return "".join(text)


def parsers() -> dict[str, tuple[Callable[[str], object], tuple[str, ...]]]:
    """Every reader of a notation, with texts that it reads."""
    from twofold.art.life_patterns import parse_pattern
    from twofold.art.picture import Picture
    from twofold.evaluation.registry import EVALUATIONS
    from twofold.evaluation.tuples import parse_tuples
    from twofold.players.registry import PLAYERS
    from twofold.records.record import Record
    from twofold.rules import Board, Variant, parse_direction

    def refused_code(registry: Any) -> Callable[[str], object]:
        return lambda text: registry.canonical(text.replace(".py:", ".px:"))

    return {
        "board": (Board.parse, ("2 4 . x|. 8 . .", "[[2,4],[0,8]]", "0x1234", "2 4\n8 16")),
        "variant": (
            Variant.parse,
            ("4x4;p4=0.2;target=512", "map=2 . x|. . .;spawn=tl-rows", "4x4;spawn=evil:depth=1,eval=default"),
        ),
        "player": (refused_code(PLAYERS), ("expectimax:depth=3,eval=snake(ratio=3)", "mcts:iterations=5")),
        "evaluation": (refused_code(EVALUATIONS), ("default:empty=3", "snake(ratio=2)")),
        "direction": (parse_direction, ("LEFT", "u")),
        "record": (Record.from_json, ('{"twofold": 1, "variant": "4x4", "seed": 7, "moves": "LDR"}',)),
        "link": (Record.from_fragment, ("#variant=4x4&seed=7&moves=LDR",)),
        "tuples": (lambda text: parse_tuples(text, 16), ("0123 4567", "abcdef 0145")),
        "picture": (Picture.from_text, (".##.|####", "012|120")),
        "pattern": (parse_pattern, ("x = 3, y = 3\nbo$2bo$3o!", "#Life 1.06\n0 0")),
    }


def texts(count: int, seed: int) -> tuple[str, int]:
    """Every notation: read, or refused in one line."""
    faults: Counter[str] = Counter()
    read = 0
    tried = parsers()
    for name, (parse, seeds) in tried.items():
        draw = random.Random(f"{seed} {name}")
        for _ in range(count):
            text = fuzzed(draw, seeds)
            try:
                parse(text)
                read += 1
            except TwofoldError as error:
                if "\n" in str(error):
                    faults[f"{name}: a message of several lines for {text!r}"] += 1
            except Exception as error:
                faults[f"{name}: {type(error).__name__} for {text!r}"] += 1
    return told(f"{count:,} texts for each of {len(tried)} notations, {read:,} of them read", faults)


WORDS = (
    "--size",
    "--map",
    "--player",
    "-p",
    "--games",
    "-n",
    "--seed",
    "--json",
    "--target",
    "--p4",
    "--spawn",
    "--out",
    "--depth",
    "--help",
    "--variant",
    "--eval",
    "--store",
    "--name",
    "--threads",
    "--memory",
    "4x4",
    "2x2",
    "3x3",
    "-1",
    "0",
    "1",
    "2",
    "greedy",
    "random",
    "expectimax:depth=1",
    "nosuch",
    "1e99",
    "nan",
    "",
    "2 4|8 16",
    "2 4",
    "[[2,4],[8,16]]",
    "x",
    "--",
    "/dev/null",
    "/nowhere/at/all",
    "é∞",
    "\x1b[31m",
    "a=b",
    "--no-such-option",
    "--size=4x4",
    "-vvv",
    "sqlite:///nowhere/x.db",
)
ROOMS = (
    ("board",),
    ("play",),
    ("best",),
    ("players",),
    ("evals",),
    ("paths",),
    ("life",),
    ("paint",),
    ("stereogram",),
    ("arena", "list"),
    ("arena", "report"),
    ("arena", "export"),
    ("exact", "value"),
    ("exact", "tree"),
    ("exact", "moves"),
    ("train", "shrink"),
    ("tune",),
    ("bench",),
    ("nosuch",),
    (),
)


def commands(count: int, seed: int) -> tuple[str, int]:
    """Odd command lines in this process: no traceback, and exit codes that mean something."""
    from twofold.ui.cli.app import run
    from twofold.ui.cli.output import guarded

    draw, faults, codes = random.Random(seed), Counter[str](), Counter[int]()
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ["TWOFOLD_STORE"] = f"sqlite:///{folder}/a.db"
        try:
            for _ in range(count):
                line = [*draw.choice(ROOMS), *(draw.choice(WORDS) for _ in range(draw.randrange(1, 5)))]
                if "bench" in line[:1] or "tune" in line[:1]:
                    line.append("--help")  # they take minutes if all is right
                out, err = io.StringIO(), io.StringIO()
                with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                    try:
                        code = guarded(lambda line=line: run(line))  # type: ignore[misc]
                    except SystemExit as stop:
                        code = stop.code if isinstance(stop.code, int) else 1
                    except BaseException as error:
                        faults[f"{type(error).__name__} for {line}"] += 1
                        continue
                codes[code] += 1
                if code not in EXIT_CODES or "Traceback" in err.getvalue():
                    faults[f"exit {code} for {line}"] += 1
        finally:
            os.chdir(before)
    return told(f"{count:,} command lines, exit codes {dict(sorted(codes.items()))}", faults)


def files(count: int, seed: int) -> tuple[str, int]:
    """Good files with bytes changed, cut out or put in: refused in one line, or read as what was written."""
    from twofold.arena.store import Store
    from twofold.evaluation.network import Design, Network
    from twofold.evaluation.neural import NeuralDesign, NeuralNetwork, load_neural, save_neural
    from twofold.evaluation.tuples import parse_tuples
    from twofold.evaluation.weights import load_network, save_network
    from twofold.exact.policy_file import load_policy, save_policy
    from twofold.exact.problem import MAX_PROBABILITY, Problem
    from twofold.exact.solver import solve
    from twofold.rules import Board, Variant

    draw, faults = random.Random(seed), Counter[str]()
    read = refused = 0
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        small = Network.fresh(Design(variant=Variant.of_size(2, 2), tuples=parse_tuples("01 23", 4), base=8))
        small.weights[:] = np.arange(small.weights.size).reshape(small.weights.shape)
        save_network(folder / "network", small)
        save_neural(folder / "neural", NeuralNetwork.fresh(NeuralDesign(2, 16, 16)))
        problem = Problem(Variant(start=Board.parse("##|##"), target=16), MAX_PROBABILITY)
        save_policy(folder / "policy", solve(problem))
        Store(str(folder / "store.db")).close()
        board = Board.parse("2 4|. .")

        def names(path: Path) -> object:
            with Store(str(path), create=False) as store:
                return [run.experiment.name for run in store.runs()]

        readers: dict[str, Callable[[Path], Any]] = {
            "network": lambda path: load_network(path).weights.tobytes(),
            "neural": lambda path: b"".join(a.tobytes() for a in load_neural(path).arrays.values()),
            "policy": lambda path: load_policy(path, verify=True).moves(board),
            "store.db": names,
        }
        expected = {name: reader(folder / name) for name, reader in readers.items()}
        good = {name: (folder / name).read_bytes() for name in readers}
        for number in range(count):
            name = draw.choice(list(readers))
            data, bad = bytearray(good[name]), folder / f"bad{Path(name).suffix}"
            for _ in range(draw.choice((1, 1, 1, 4, 50))):
                at = draw.randrange(len(data))
                change = draw.randrange(3)
                data[at : at + (0 if change == 2 else draw.randrange(1, 9))] = (
                    b"" if change == 1 else draw.randbytes(draw.randrange(1, 9))
                )
            if draw.random() < 0.2:
                del data[draw.randrange(len(data)) :]
            bad.write_bytes(data)
            try:
                found = readers[name](bad)
                read += 1
                if name != "store.db" and found != expected[name]:
                    faults[f"{name} {number}: another content was accepted"] += 1
            except TwofoldError as error:
                refused += 1
                if "\n" in str(error):
                    faults[f"{name} {number}: a message of several lines"] += 1
            except Exception as error:
                faults[f"{name} {number}: {type(error).__name__}"] += 1
            for left in folder.glob("bad*"):
                left.unlink()
    return told(f"{count:,} damaged files, {refused:,} refused, {read:,} read as what was written", faults)


def kills(count: int, seed: int) -> tuple[str, int]:
    """kill -9 at random moments of an arena and an exact solution: begun again, the same result."""
    draw, faults, killed = random.Random(seed), Counter[str](), Counter[str]()

    def twofold(*words: str, limit: float | None = None) -> bool:
        process = subprocess.Popen(
            [sys.executable, "-m", "twofold", *words],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            process.wait(limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return False
        if process.returncode:
            faults[f"{words[0]}: exit {process.returncode}"] += 1
        return True

    def games_of(path: Path) -> object:
        from twofold.arena.store import Store

        with Store(str(path)) as store:
            return list(store.exported(store.run("a")))

    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)

        def arena(name: str) -> tuple[str, ...]:
            return (
                "arena",
                "run",
                "-p",
                "greedy",
                "-n",
                "600",
                "--name",
                "a",
                "--jobs",
                "1",
                "--store",
                str(folder / f"{name}.db"),
            )

        def exact(name: str) -> tuple[str, ...]:
            work, out = str(folder / f"{name}.work"), str(folder / name)
            return ("exact", "solve", "2x4", "--target", "64", "--threads", "1", "--work", work, "--out", out)

        kinds: dict[str, tuple[Callable[..., tuple[str, ...]], Callable[[str], object]]] = {
            "arena": (arena, lambda name: [(r[4], r[6], r[8]) for r in games_of(folder / f"{name}.db")]),  # type: ignore[attr-defined]
            "exact": (exact, lambda name: (folder / name).read_bytes()),
        }
        for kind, (command, result) in kinds.items():
            begin = time.monotonic()
            twofold(*command("whole"))
            length = time.monotonic() - begin
            expected = result("whole")
            for number in range(count):
                name = f"{kind}{number}"
                for _ in range(3):
                    if twofold(*command(name), limit=draw.uniform(0.3, 1.0) * length):
                        break
                    killed[kind] += 1
                twofold(*command(name))
                if result(name) != expected:
                    faults[f"{kind} {number}: another result"] += 1
    return told(f"{sum(killed.values())} kills ({dict(killed)})", faults)


def moves(count: int, seed: int) -> tuple[str, int]:
    """The compiled slide on bytes against the rules, on boards of all shapes, with bricks, of all ranks."""
    from twofold.kernels.board.byteboard import cells_slide
    from twofold.kernels.board.geometry import buffer_of, geometry
    from twofold.kernels.compiling import clone
    from twofold.rules import Board, Direction

    kernel = clone(_slide_all, {"cells_slide": cells_slide})
    generator, faults, done, shapes = np.random.default_rng(seed), Counter[str](), 0, 0
    end = time.monotonic() + 600
    while done < count and time.monotonic() < end:
        rows, columns = int(generator.integers(1, 9)), int(generator.integers(1, 9))
        bricks = generator.random(rows * columns) < generator.choice([0.0, 0.1, 0.3])
        if bricks.all() or rows * columns < 2:
            continue
        top = int(generator.integers(2, 60))
        shape = Board(rows, columns, bytes(255 if b else 0 for b in bricks))
        plan = geometry(shape)
        shapes += 1
        ranks = generator.integers(0, top + 1, (64, rows * columns)).astype(np.uint8)
        ranks[generator.random(ranks.shape) < 0.3] = 0
        ranks[:, bricks] = 255
        boards = np.repeat(ranks, 4, axis=0)
        buffers = np.tile(buffer_of(shape), (len(boards), 1))
        buffers[:, : rows * columns] = boards
        changed, rewards = np.zeros(len(boards), np.uint8), np.zeros(len(boards), np.int64)
        kernel(buffers, plan, changed, rewards)
        for i, cells in enumerate(boards):
            wanted = Board(rows, columns, cells.tobytes()).slide(Direction(i % 4))
            got = (buffers[i, : rows * columns].tobytes(), int(rewards[i]), bool(changed[i]))
            if got != (wanted.board.cells, wanted.reward, wanted.changed):
                faults[f"{shape} {cells.tolist()} {Direction(i % 4).name}"] += 1
        done += len(boards)
    return told(f"{done:,} moves in {shapes:,} shapes", faults)


def _slide_all(buffers, plan, changed, rewards):  # type: ignore[no-untyped-def]
    for i in range(buffers.shape[0]):
        moved, points = cells_slide(np.uint64(buffers[i].ctypes.data), np.uint64(plan.ctypes.data), i % 4)  # noqa: F821
        changed[i] = moved
        rewards[i] = points


def told(tried: str, faults: Counter[str]) -> tuple[str, int]:
    """One line of what was tried and found, and how many faults there are."""
    for fault, times in list(faults.items())[:10]:
        print(f"  {times} x {fault[:300]}", file=sys.stderr)
    return f"{tried}: {sum(faults.values())} faults", sum(faults.values())


KINDS: dict[str, tuple[Callable[[int, int], tuple[str, int]], int]] = {
    "texts": (texts, 100_000),
    "commands": (commands, 5_000),
    "files": (files, 5_000),
    "kills": (kills, 50),
    "moves": (moves, 1_000_000_000),
}


def main() -> None:
    """See the module's text."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    work, usual = KINDS[options.kind]
    begin = time.monotonic()
    line, wrong = work(options.count or usual, options.seed)
    print(f"{options.kind}: {line}, {time.monotonic() - begin:,.0f} s")
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
