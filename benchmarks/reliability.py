"""Fuzzers and killers: what must hold whatever is typed, read, asked of the page, or killed, and what they found.

    python -m benchmarks.reliability texts    [--count 100000]  fuzzed texts for each notation
    python -m benchmarks.reliability commands [--count 5000]    odd command lines, in this process
    python -m benchmarks.reliability files    [--count 5000]    damaged files of all formats
    python -m benchmarks.reliability kills    [--count 50]      kill -9 at random moments, so many for each kind of run
    python -m benchmarks.reliability moves    [--count 1000000000]  differential moves over shapes, bricks and ranks
    python -m benchmarks.reliability visitors [--count 200]     visitors of the page beside five slow searches

One line at the end, and exit code 1 if anything was found. `--seed` names another draw. `tests/test_reliability.py`
runs small counts of each; docs/reliability.md has the figures of larger ones. How other sites are kept out is tried by
Chromium in `tests/ui/web/test_gate.py`.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import functools
import io
import os
import random
import shlex
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from twofold.errors import TwofoldError

PIECES = (
    "2", "4", "0", "x", ".", "#", "|", ",", ";", ":", "=", "(", ")", "[", "]", "{", "}", " ", "\n", "\t", "\x00", "é",
    "∞", "-1", "2048", "4x4", "1e9", "9" * 30, "0x", "nan", "inf", "map=", "p4=", "spawn=", "evil:", "depth=", "eval=",
    "default", "expectimax", "greedy", "snake", "lines", "a.py:b", "UDLR", "seed=", "moves=", "variant=", "target=",
    "tl-rows", "b3/s23", "bo$3o!", "\x1b[31m", "../", "sum:", "LEFT", '"', "'", "\\", "true", "null",
)  # fmt: skip
EXIT_CODES = {0, 1, 2, 130, 141}
Found = tuple[str, int]


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


def texts(count: int, seed: int) -> Found:
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
    return told_of(f"{count:,} texts for each of {len(tried)} notations, {read:,} of them read", faults)


WORDS = (
    "--size", "--map", "--player", "-p", "--games", "-n", "--seed", "--json", "--target", "--p4", "--spawn", "--out",
    "--depth", "--help", "--variant", "--eval", "--store", "--name", "--threads", "--memory", "4x4", "2x2", "3x3", "-1",
    "0", "1", "2", "greedy", "random", "expectimax:depth=1", "nosuch", "1e99", "nan", "", "2 4|8 16", "2 4",
    "[[2,4],[8,16]]", "x", "--", "/dev/null", "/nowhere/at/all", "é∞", "\x1b[31m", "a=b", "--no-such-option",
    "--size=4x4", "-vvv", "sqlite:///nowhere/x.db",
)  # fmt: skip
COMMANDS = (
    "board", "play", "best", "about", "review", "players", "evals", "convert", "paths", "life", "paint", "stereogram",
    "cache", "record convert", "arena list", "arena report", "arena export", "arena replay", "exact value",
    "exact tree", "exact moves", "exact count", "train shrink", "tune", "bench", "nosuch", "",
)  # fmt: skip
_LONG = {"bench", "tune", "stereogram", "paint", "paths", "life"}
"""Commands that take long if all is right, and leave nothing to be asked: their help is asked for too."""

_PATIENCE = 4.0
"""Seconds after which a command gets Ctrl-C."""


def commands(count: int, seed: int) -> Found:
    """Odd command lines, each in a process of its own: no traceback, exit codes that mean something, Ctrl-C heard."""
    draw, faults, codes = random.Random(seed), Counter[str](), Counter[int]()
    for line in (["best", "2 4|8 16", "-p", "expectimax:depth=1"], ["play", "--size", "2x2"], ["players"]):
        command(line)  # what is loaded here need not be loaded in each process
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        os.environ["TWOFOLD_STORE"] = f"sqlite:///{folder}/a.db"
        told = Path(folder, "told")
        with contextlib.suppress(KeyboardInterrupt):  # then what was tried so far is told
            for _ in range(count):
                name = draw.choice(COMMANDS)
                line = [*name.split(), *(draw.choice(WORDS) for _ in range(draw.randrange(1, 5)))]
                if name in _LONG:
                    line.append("--help")

                def run(line: list[str] = line) -> int:
                    code, text = command(line)
                    told.write_text(text)
                    return code if code in EXIT_CODES else 99

                told.write_text("")
                code = in_child(run, _PATIENCE, signal.SIGINT)
                codes[code] += 1
                if code not in EXIT_CODES or "Traceback" in told.read_text():
                    faults[f"exit {code} for {line}: {told.read_text()[-200:]}"] += 1
    return told_of(f"{sum(codes.values()):,} command lines, exit codes {dict(sorted(codes.items()))}", faults)


def command(line: list[str]) -> tuple[int, str]:
    """Exit code of a command that runs here, -1 if anything but an exit comes out of it; and what it told as errors."""
    from twofold.ui.cli.app import run
    from twofold.ui.cli.output import guarded

    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            return guarded(lambda: run(line)), err.getvalue()
        except SystemExit as stop:
            return stop.code if isinstance(stop.code, int) else 1, err.getvalue()
        except BaseException as error:
            return -1, f"{type(error).__name__}: {error}"


def in_child(work: Callable[[], int], seconds: float | None = None, number: int = signal.SIGKILL) -> int:
    """The exit code of work in a process of its own, a copy of this one with all its compiled code.

    After so many seconds it gets a signal; one that does not end by it in half a minute is killed. Of a process that
    was killed the code is -9.
    """
    child = os.fork()
    if not child:
        code = 98
        with contextlib.suppress(BaseException):
            code = work()
        os._exit(code)
    end = None if seconds is None else time.monotonic() + seconds
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        if end is not None and time.monotonic() > end:
            os.kill(child, number)
            end, number = time.monotonic() + 30, signal.SIGKILL
        time.sleep(0.002)


# Files

Read = Callable[[Path], object]


def formats(folder: Path) -> Iterator[tuple[str, Read, bool]]:
    """A good file of each format in `folder`: its name, how it is read, and whether a checksum tells every change."""
    from twofold.arena.store import Store
    from twofold.evaluation.network import Design, Network
    from twofold.evaluation.neural import NeuralDesign, NeuralNetwork, load_neural, save_neural
    from twofold.evaluation.tuples import parse_tuples
    from twofold.evaluation.weights import load_network, save_network
    from twofold.exact.export import load_sqlite, write_sqlite
    from twofold.exact.formation_files import make_table, open_table
    from twofold.exact.formation_sets import block
    from twofold.exact.policy_file import load_policy, save_policy
    from twofold.exact.problem import MAX_PROBABILITY, Problem
    from twofold.exact.solver import solve
    from twofold.matches.play import new_game
    from twofold.players.registry import make_player
    from twofold.records.formats import encode_record, read_record
    from twofold.records.record import Record
    from twofold.rules import Board, Variant

    board = Board.parse("2 4|. .")
    small = Network.fresh(Design(variant=Variant.of_size(2, 2), tuples=parse_tuples("01 23", 4), base=8))
    small.weights[:] = np.arange(small.weights.size).reshape(small.weights.shape)
    save_network(folder / "network", small)
    yield "network", lambda path: load_network(path).weights.tobytes(), True
    save_neural(folder / "neural", NeuralNetwork.fresh(NeuralDesign(2, 16, 16)))
    yield "neural", lambda path: b"".join(a.tobytes() for a in load_neural(path).arrays.values()), True
    problem = Problem(Variant(start=Board.parse("##|##"), target=16), MAX_PROBABILITY)
    save_policy(folder / "policy", solve(problem))
    yield "policy", lambda path: load_policy(path, verify=True).moves(board), True
    write_sqlite(load_policy(folder / "policy"), folder / "policy.sqlite")
    yield "policy.sqlite", lambda path: load_sqlite(path).moves(board), False
    make_table(block(2), folder / "block-2.formation", threads=1)
    yield "block-2.formation", lambda path: open_table(path).data.tobytes(), True

    def runs(path: Path) -> object:
        with Store(str(path), create=False) as store:
            return [(run.experiment.name, store.done(run), list(store.exported(run))) for run in store.runs()]

    store = ["--store", str(folder / "store.db")]
    assert command(["arena", "run", "-p", "greedy", "-n", "3", "--size", "2x2", "-j", "1", *store])[0] == 0
    yield "store.db", runs, False
    game, greedy = new_game(Variant(), 3), make_player("greedy")
    while (move := greedy.decide(game.state, 0).move) is not None:
        game.move(move)
    for form, ending in (
        ("twofold", ".json"), ("original", ".state"), ("verse1", ".txt"), ("verse2", ".verse"), ("rpl", ".rpl"),
        ("rec", ".rec"), ("vrs", ".vrs"),
    ):  # fmt: skip
        (folder / f"game{ending}").write_bytes(encode_record(Record.of(game), form, last=form == "original"))
        yield f"game{ending}", lambda path: read_record(path).replay().board, False


def files(count: int, seed: int) -> Found:
    """Good files with bytes changed, cut out or put in: refused in one line, or read.

    Where a checksum tells every change, what is read has to be what was written.
    """
    draw, faults, outcome = random.Random(seed), Counter[str](), Counter[str]()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        readers = {name: (read, checked) for name, read, checked in formats(folder)}
        expected = {name: read(folder / name) for name, (read, _) in readers.items()}
        good = {name: (folder / name).read_bytes() for name in readers}
        for number in range(count):
            name = draw.choice(list(readers))
            bad = folder / f"bad{Path(name).suffix}"
            bad.write_bytes(damaged(good[name], draw))
            read, checked = readers[name]
            try:
                same = read(bad) == expected[name]
                outcome["read as written" if same else "read as another"] += 1
                if checked and not same:
                    faults[f"{name} {number}: another content was accepted"] += 1
            except TwofoldError as error:
                outcome["refused"] += 1
                if "\n" in str(error):
                    faults[f"{name} {number}: a message of several lines"] += 1
            except Exception as error:
                faults[f"{name} {number}: {type(error).__name__}: {error}"] += 1
            for left in folder.glob("bad*"):
                left.unlink()
    return told_of(f"{count:,} damaged files of {len(readers)} formats, {dict(outcome)}", faults)


def damaged(data: bytes, draw: random.Random) -> bytes:
    """Bytes with others in some places, some left out or put in, and at times without their end."""
    out = bytearray(data)
    for _ in range(draw.choice((1, 1, 1, 4, 50))):
        at, change, some = draw.randrange(len(out) or 1), draw.randrange(3), draw.randrange(1, 9)
        out[at : at + (0 if change == 2 else some)] = b"" if change == 1 else draw.randbytes(some)
    if draw.random() < 0.2:
        del out[draw.randrange(len(out) or 1) :]
    return bytes(out)


# Kills


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
            for number in range(count):  # at most so many games, each killed once at least
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


# Moves


def plain_slide(grid, direction, out):  # type: ignore[no-untyped-def]
    """The rules once more, plainly: (changed, reward); grid and out: ranks by row and column, 255 for a brick.

    Each tile goes towards the wall, over empty cells; onto an equal tile that no merge of this move has made.
    """
    rows, columns = grid.shape
    out[:] = grid
    merged = np.zeros((rows, columns), np.bool_)
    down = 1 if direction == 2 else -1 if direction == 0 else 0
    right = 1 if direction == 1 else -1 if direction == 3 else 0
    reward, changed = 0, False
    for i in range(rows):
        r = rows - 1 - i if down == 1 else i
        for j in range(columns):
            c = columns - 1 - j if right == 1 else j
            rank = out[r, c]
            if rank in (0, 255):
                continue
            y, x = r, c
            while 0 <= y + down < rows and 0 <= x + right < columns and out[y + down, x + right] == 0:
                y, x = y + down, x + right
            out[r, c] = 0
            v, u = y + down, x + right
            if 0 <= v < rows and 0 <= u < columns and out[v, u] == rank and not merged[v, u]:
                out[v, u] = rank + 1
                merged[v, u] = True
                reward += np.int64(2) << np.int64(rank)
                changed = True
            else:
                out[y, x] = rank
                changed = changed or y != r or x != c
    return changed, reward


def _compare(shape, plan, buffer, top, count, seed):  # type: ignore[no-untyped-def]
    """Moves on random boards, both ways; the number of differences. shape: (rows, columns), 255 where a brick lies."""
    rows, columns = shape.shape
    cells = rows * columns
    grid, out = shape.copy(), shape.copy()
    before, after, bricks = grid.reshape(cells), out.reshape(cells), shape.reshape(cells)
    wrong, s = 0, np.uint64(seed)
    for number in range(count):
        direction = number % 4
        if direction == 0:
            for i in range(cells):
                if bricks[i] != 255:
                    s += GAMMA  # noqa: F821
                    word = mix64(s)  # noqa: F821
                    limit = U(4) if (word >> U(61)) & U(1) else U(top + 1)  # noqa: F821
                    before[i] = 0 if word >> U(62) == U(0) else ((word & U(0xFFFFFF)) * limit) >> U(24)  # noqa: F821
        changed, reward = plain(grid, direction, out)  # noqa: F821
        for i in range(cells):
            buffer[i] = before[i]
        moved, points = cells_slide(U(buffer.ctypes.data), U(plan.ctypes.data), direction)  # noqa: F821
        same = moved == changed and points == reward
        for i in range(cells):
            same &= buffer[i] == after[i]
        if rows == 4 and columns == 4 and top < 15:
            x, y = U(0), U(0)  # noqa: F821
            for i in range(16):
                x |= U(before[i] & 15) << U(4 * i)  # noqa: F821
                y |= U(after[i] & 15) << U(4 * i)  # noqa: F821
            left, right, points = slide_rows(table, transpose(x) if direction % 2 == 0 else x)  # noqa: F821
            z = left if direction in (0, 3) else right
            same &= (transpose(z) if direction % 2 == 0 else z) == y and np.int64(points) == reward  # noqa: F821
        wrong += not same
    return wrong


_WORK = 16_000_000
"""Cells that the moves of one shape go over, at most: small shapes get more of them."""


def moves(count: int, seed: int) -> Found:
    """Compiled slides, on bytes and on words, against a plain one, on boards of all shapes, with bricks, of all ranks.

    The plain one is compared with the rules themselves on some boards of each shape.
    """
    from twofold.kernels.bits import U
    from twofold.kernels.board.bitboard import GAMMA, mix64, slide_rows, transpose
    from twofold.kernels.board.byteboard import cells_slide
    from twofold.kernels.board.geometry import buffer_of, geometry
    from twofold.kernels.board.line_tables import line_table
    from twofold.kernels.compiling import clone, helper
    from twofold.rules import Board, Direction

    plain = helper(plain_slide)
    parts = {"plain": plain, "cells_slide": cells_slide, "mix64": mix64, "GAMMA": GAMMA, "U": U}
    parts |= {"slide_rows": slide_rows, "transpose": transpose}

    @functools.cache
    def kernel(bricks: bool) -> Any:
        return clone(_compare, {**parts, "table": line_table(bricks)})

    draw, faults, done, shapes = np.random.default_rng(seed), Counter[str](), 0, 0
    while done < count:
        rows, columns = (4, 4) if draw.random() < 0.2 else map(int, draw.integers(1, 9, 2))
        bricks = draw.random((rows, columns)) < draw.choice([0.0, 0.1, 0.3])
        if bricks.all() or bricks.size < 2:
            continue
        shape = np.where(bricks, 255, 0).astype(np.uint8)
        board, top = Board(rows, columns, shape.tobytes()), int(draw.choice([3, 11, 14, 30, 59]))
        some = min(_WORK // shape.size, count - done)
        with_bricks = bool(bricks.any())
        if with_bricks and top == 14:
            top = 13  # a nibble of 15 is a brick there
        begin = int(draw.integers(1 << 62))
        wrong = kernel(with_bricks)(shape, geometry(board), buffer_of(board), top, some, begin)
        for direction in Direction:
            grid = np.where(bricks, 255, draw.integers(0, top + 1, (rows, columns))).astype(np.uint8)
            out = grid.copy()
            slide = Board(rows, columns, grid.tobytes()).slide(direction)
            changed, reward = plain(grid, int(direction), out)
            wrong += (out.tobytes(), reward, changed) != (slide.board.cells, slide.reward, slide.changed)
        if wrong:
            faults[f"{rows}x{columns}, ranks up to {top}, {int(bricks.sum())} bricks, seed {begin}"] += int(
                wrong
            )
        done, shapes = done + some, shapes + 1
    return told_of(f"{done:,} moves in {shapes:,} shapes", faults)


# Visitors

SLOW = 5
SOON = 1.0
"""Seconds within which searches end after their visitors have left."""


def visitors(count: int, seed: int) -> Found:
    """Visitors who play two moves a second, beside five whose searches take long: how soon moves are answered.

    And how long the searches go on when their visitors leave. seed: not used.
    """
    from benchmarks.web import cpu_seconds, load, server

    async def both(url: str, process: int) -> tuple[dict[str, float], float, float]:
        slow = [asyncio.create_task(search(url)) for _ in range(SLOW)]
        leave = [await task for task in slow]
        began = cpu_seconds(process)
        await asyncio.sleep(2.0)
        searching = (cpu_seconds(process) - began) / 2.0
        found = await load(url, process, count, 15.0)
        for each in leave:
            await each.close()
        left = time.monotonic()
        while True:
            before, begin = cpu_seconds(process), time.monotonic()
            await asyncio.sleep(0.1)
            if (cpu_seconds(process) - before) / (time.monotonic() - begin) < 0.2:
                return found, begin - left, searching

    with server() as (url, process):
        found, took, searching = asyncio.run(both(url, process))
    faults = Counter[str]()
    if found["faults"]:
        faults[f"{found['faults']:.0f} refusals or unanswered moves"] += 1
    if not found["median_ms"] < 20:
        faults["a median above 20 ms"] += 1
    if took > SOON:
        faults[f"searches went on for {took:.1f} s"] += 1
    if searching < 0.2:
        faults["the searches did not run"] += 1
    return told_of(
        f"{count} visitors beside {SLOW} searches ({searching:.1f} cores): {found['moves']:,.0f} moves, answered "
        f"within {found['median_ms']:.1f} ms (median), {found['p95_ms']:.1f} ms (95 %); searches ended "
        f"within {max(0.1, took):.1f} s; load average {os.getloadavg()[0]:.1f}",
        faults,
    )


async def search(url: str) -> Any:
    """A visitor of Analyse whose search has begun, by the page's own protocol; gives its connection."""
    import json

    from benchmarks.web import connect

    client, elements, ws = await connect(f"{url}/analyse")

    async def say(number: int, event: str, *args: object) -> None:
        listener = next(e["listener_id"] for e in elements[number]["events"] if e["type"] == event)
        message = {
            "id": number,
            "client_id": client,
            "listener_id": listener,
            "args": [json.dumps(a) for a in args],
        }
        await ws.send("42" + json.dumps(["event", message]))

    await ws.send("40")
    await asyncio.sleep(0.5)
    players = next(
        i for i, e in elements.items() if e.get("props", {}).get("label") == "Players, one per line"
    )
    compare = next(i for i, e in elements.items() if e.get("text") == "Compare moves")
    await say(players, "text", "expectimax:depth=14")
    await say(compare, "click")
    asyncio.create_task(_answer(ws))  # noqa: RUF006 (ends with the connection)
    return ws


async def _answer(ws: Any) -> None:
    """Keeps a connection: pings are answered."""
    with contextlib.suppress(Exception):
        async for text in ws:
            if text == "2":
                await ws.send("3")


def told_of(tried: str, faults: Counter[str]) -> Found:
    """One line of what was tried and found, and how many faults there are."""
    for fault, times in list(faults.items())[:10]:
        print(f"  {times} x {fault[:300]}", file=sys.stderr)
    return f"{tried}: {sum(faults.values())} faults", sum(faults.values())


KINDS: dict[str, tuple[Callable[[int, int], Found], int]] = {
    "texts": (texts, 100_000),
    "commands": (commands, 5_000),
    "files": (files, 5_000),
    "kills": (kills, 50),
    "moves": (moves, 1_000_000_000),
    "visitors": (visitors, 200),
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
    signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background it may be ignored
    work, usual = KINDS[options.kind]
    begin = time.monotonic()
    line, wrong = work(options.count or usual, options.seed)
    print(f"{options.kind}: {line}, {time.monotonic() - begin:,.0f} s")
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
