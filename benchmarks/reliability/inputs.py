"""Odd texts, odd command lines and damaged files: read, or refused in one line."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.reliability.common import Found, command, in_child, told_of
from twofold.errors import TwofoldError

PIECES = (
    "2", "4", "0", "x", ".", "#", "|", ",", ";", ":", "=", "(", ")", "[", "]", "{", "}", " ", "\n", "\t", "\x00", "é",
    "∞", "-1", "2048", "4x4", "1e9", "9" * 30, "0x", "nan", "inf", "map=", "p4=", "spawn=", "evil:", "depth=", "eval=",
    "default", "expectimax", "greedy", "snake", "lines", "a.py:b", "UDLR", "seed=", "moves=", "variant=", "target=",
    "tl-rows", "b3/s23", "bo$3o!", "\x1b[31m", "../", "sum:", "LEFT", '"', "'", "\\", "true", "null",
)  # fmt: skip
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
