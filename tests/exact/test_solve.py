"""The solver against independently solved boards, published counts, and a plain recursion in exact fractions."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.exact.brute import Brute
from tests.thorough import quick_ones
from twofold import Board, TwofoldError, Variant
from twofold.errors import InvalidFile
from twofold.exact.layers import DiskLayers
from twofold.exact.policy_file import save_policy
from twofold.exact.problem import MAX_EXPECTED_SCORE, MAX_PROBABILITY, Problem, losses
from twofold.exact.solver import Solution, SolveProgress, solve

REFERENCE: dict[str, Any] = json.loads((Path(__file__).parents[1] / "data" / "exact.json").read_text("utf-8"))
SMALL, MIDDLE = 100_000, 60_000_000


def problem(text: str, target: int | None = None, **options: Any) -> Problem:
    """A problem from a map; target None is the expected score."""
    rules = {
        name: options.pop(name)
        for name in ("p4", "place", "empty_start", "value", "values")
        if name in options
    }
    variant = Variant(start=Board.parse(text), target=target or 2048, **rules)
    return Problem(variant, MAX_EXPECTED_SCORE if target is None else MAX_PROBABILITY, **options)


def check(entry: dict[str, Any], threads: int = 1, raw: bool = True) -> Solution:
    found = solve(problem(entry["map"], entry["target"]), raw=raw, threads=threads)
    assert (found.states, found.afterstates, found.lost) == (
        entry["states_canon"], entry["after_canon"], entry["lose_canon"],
    )  # fmt: skip
    if raw:
        assert (found.states_raw, found.afterstates_raw) == (entry["states_raw"], entry["after_raw"])
    assert found.value == pytest.approx(entry["value"], rel=1e-12, abs=0)
    assert found.problem.layout().group == entry["nsym"]
    return found


def entries(least: int, most: int) -> list[Any]:
    return [
        pytest.param(entry, id=f"{entry['map']} {entry['target'] or 'score'}")
        for entry in REFERENCE["results"]
        if least < entry["states_canon"] <= most
    ]


@pytest.mark.parametrize("entry", entries(0, SMALL))
def test_reference_values_counts_and_starts(entry: dict[str, Any]) -> None:
    found = check(entry)
    layout = found.problem.layout()
    shape = found.problem.variant.start
    expected: dict[int, tuple[float, float]] = {}
    for cells, chance, value in entry["starts"]:
        ranks = iter(v.bit_length() - 1 if v else 0 for v in cells)
        board = shape.with_cells(bytes(next(ranks) if cell == 0 else cell for cell in shape.cells))
        expected[layout.canonical(layout.pack(board))] = (chance, value)
    assert len(found.starts) == len(expected) == len(entry["starts"])
    for start in found.starts:
        chance, value = expected[layout.pack(start.board)]
        assert start.probability == pytest.approx(chance, rel=1e-11)
        assert start.value == pytest.approx(value, rel=1e-12, abs=0)
    assert math.fsum(start.probability for start in found.starts) == pytest.approx(1)


def test_2x4_with_two_threads() -> None:
    check(next(e for e in REFERENCE["results"] if e["map"] == "####|####" and e["target"] == 256), threads=2)


@pytest.mark.slow
@pytest.mark.parametrize("entry", entries(SMALL, MIDDLE))
def test_large_reference_values(entry: dict[str, Any]) -> None:
    check(entry, threads=2)


@pytest.mark.slow
@pytest.mark.parametrize("entry", entries(MIDDLE, 10**9))
def test_largest_reference_values(entry: dict[str, Any]) -> None:
    check(entry, threads=2, raw=False)


@pytest.mark.parametrize("size", ["2x2", "3x3"])
def test_published_counts_of_states_that_are_not_over(size: str) -> None:
    counts = REFERENCE["published"]["jdleesmiller twenty48: canonical non-terminal states"][size]
    for target, count in counts.items():
        if count < 200_000:
            found = solve(Problem(Variant.parse(f"{size};target={target}")))
            assert found.states - found.lost == count


@pytest.mark.parametrize("entry", REFERENCE["fractions"], ids=lambda e: f"{e['map']} {e['T']}")
def test_2x2_in_exact_fractions(entry: dict[str, Any]) -> None:
    exact = Fraction(entry["fraction"])
    brute = Brute(Variant(start=Board.parse(entry["map"])), entry["T"])
    assert brute.value() == exact
    assert solve(problem(entry["map"], entry["T"])).value == pytest.approx(float(exact), rel=1e-14)


S4_STARTS = {
    "two 2s adjacent, any orientation": "22|##",
    "2 and 4 adjacent": "24|##",
    "4 and 4 adjacent": "44|##",
    "two 2s diagonal": "2#|#2",
    "2 and 4 diagonal": "2#|#4",
}


@pytest.mark.parametrize("entry", REFERENCE["s4_2x2"], ids=lambda e: f"{e['T']} {e['start']}")
def test_values_of_report_s4(entry: dict[str, Any]) -> None:
    assert solve(problem(S4_STARTS[entry["start"]], entry["T"])).value == pytest.approx(
        entry["value"], rel=1e-12
    )


@pytest.mark.parametrize(("target", "counts"), [(32, {275, 301, 273}), (64, {429, 403, 418})])
def test_counts_of_report_s4(target: int, counts: set[int]) -> None:
    # S4 counts boards as they are, reachable from the given one, those without a move left out.
    found = [
        solve(problem(start, target, symmetric=False))
        for start in ("44|##", "2#|#2", "24|##", "2#|#4", "22|##")
    ]
    assert counts <= {each.states - each.lost for each in found}


VARIANTS = [
    ("##|##", 16, {"p4": 0.0}),
    ("##|##", 32, {"p4": 1.0}),
    ("##|##", None, {"p4": 0.25, "gamma": 0.9}),
    ("##|##", 16, {"gamma": 0.5}),
    ("##|##", 16, {"empty_start": True}),
    ("##|##", None, {"value": "4"}),
    ("##|##", None, {"place": "tl-rows"}),
    ("2#|8#", None, {"place": "br-columns"}),
    ("####", 16, {}),
    ("#|#|#", None, {}),
    ("#####", 16, {}),  # five cells in a line: packed cell by cell
    ("###x#|x#x##", 16, {}),
    ("#x#|xxx|#x#", None, {}),  # islands
    ("##x##", None, {}),
    ("#x#x#|#####", 16, {}),
    ("x#", 8, {}),  # one free cell: it fills, and no move is ever legal
    ("x#", None, {}),
    ("24|42", None, {}),  # no legal first move
    ("2#|x#", None, {}),
    ("8#|2#", 8, {}),  # a start tile of the target's size is no win
    ("64 64|. .", 32, {}),  # a merge beyond the target is
    ("x##|##x|###", 16, {"p4": 0.5}),  # symmetric under one diagonal only
    ("#x#|###|x##", 16, {"p4": 1.0}),
    ("x##x|####", 16, {}),
    ("x##|#x#|##x", 16, {}),
    ("x#|##|#x", None, {}),  # a half turn only
    ("##|##", 64, {"values": ((2, 0.8), (4, 0.15), (8, 0.05))}),
    ("##|##", None, {"values": ((2, 0.5), (8, 0.5)), "gamma": 0.9}),
    ("##|##", 64, {"values": ((4, 0.25), (16, 0.75)), "place": "tl-rows"}),
    ("##|##", 8, {"values": ((2, 0.5), (8, 0.25), (32, 0.25))}),  # a tile that spawns is no win
    ("#####", None, {"values": ((8, 1.0),)}),
    ("#x#|###|x##", 16, {"values": ((2, 0.25), (4, 0.5), (8, 0.25))}),
    ("#x#|###|x##", 64, {"values": ((2, 0.25), (4, 0.5), (8, 0.25))}),
]
LONG = {"#####", "##x##", "#x#x#|#####", "x##|##x|###", "###x#|x#x##"}


@pytest.mark.parametrize(
    ("text", "target", "options"),
    [
        pytest.param(*case, marks=[pytest.mark.slow] * (case[0] in LONG or "values" in case[2]))
        for case in VARIANTS
    ],
)
def test_small_boards_against_plain_recursion(text: str, target: int | None, options: dict[str, Any]) -> None:
    wanted = problem(text, target, **options)
    gamma = Fraction(options.get("gamma", 1)).limit_denominator(100)
    brute = Brute(wanted.variant, target, gamma)
    exact = brute.value()
    found = solve(wanted, raw=True)
    assert found.value == pytest.approx(float(exact), rel=1e-12, abs=0)
    plain = solve(Problem(wanted.variant, wanted.objective, wanted.gamma, symmetric=False))
    assert plain.value == pytest.approx(float(exact), rel=1e-12, abs=0)
    assert plain.states == brute.states or target is not None  # the recursion goes on behind no win
    if target is None:
        assert plain.afterstates == brute.afterstates
    if not wanted.variant.start.tile_ranks:
        assert (found.states_raw, found.afterstates_raw) == (plain.states, plain.afterstates)


@pytest.mark.parametrize("text", REFERENCE["certain"][:3])
def test_sure_wins_are_exactly_sure(text: str) -> None:
    size, target = text.split(" T")
    found = solve(Problem(Variant.parse(f"{size};target={target}")))
    assert found.value == pytest.approx(1, abs=1e-15)
    assert all(start.value == 1 for start in found.starts)


def test_tiny_chances_of_losing_are_kept() -> None:
    # A spawn of probability 1e-9 on one cell of four loses; as 1 - p it would be known to seven digits only.
    found = solve(problem("##|##", 16, p4=1e-9))
    small = [x for layer in range(found.last + 1) for x in losses(found.layers.get("values", layer)) if x > 0]
    assert min(small) == pytest.approx(2.5e-10, rel=1e-12, abs=0)


def test_a_solution_does_not_depend_on_where_layers_are_kept(tmp_path: Path) -> None:
    wanted = problem("###|###", 64)
    memory, disk = solve(wanted), solve(wanted, layers=DiskLayers(tmp_path / "work"))
    assert (memory.value, memory.states, memory.starts) == (disk.value, disk.states, disk.starts)


class Killed(Exception):
    """Stands for a kill at some layer."""


@pytest.mark.parametrize(
    ("phase", "at"),
    quick_ones([("up", 4), ("up", 60), ("down", 90), ("down", 8)], lambda case: case[1] in (60, 8)),
)
@pytest.mark.parametrize("values", [(), ((2, 0.5), (8, 0.5))])
def test_a_killed_run_goes_on(tmp_path: Path, phase: str, at: int, values: Any) -> None:
    wanted = problem("###|###", 64, values=values)
    expected = solve(wanted, raw=True)

    def kill(progress: SolveProgress) -> None:
        if progress.phase == phase and progress.layer == at:
            raise Killed

    folder = tmp_path / "work"
    with pytest.raises(Killed):
        solve(wanted, layers=DiskLayers(folder), raw=True, on_progress=kill)
    (folder / ".after-00099.npy.1.part").write_bytes(b"what another was killed at")
    phases = []
    found = solve(wanted, layers=DiskLayers(folder), raw=True, on_progress=lambda p: phases.append(p.phase))
    assert (found.value, found.starts) == (expected.value, expected.starts)
    assert (found.states, found.afterstates, found.lost) == (
        expected.states,
        expected.afterstates,
        expected.lost,
    )
    assert (found.states_raw, found.afterstates_raw) == (expected.states_raw, expected.afterstates_raw)
    assert ("up" in phases) == (phase == "up")
    assert not list(folder.glob(".*"))
    for layer in range(found.last + 1):
        pairs = [
            dict(zip(*(each.layers.get(kind, layer).tolist() for kind in ("after", "values")), strict=True))
            for each in (found, expected)
        ]
        assert pairs[0] == pairs[1]


def cut_off(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-8])


def shorten(path: Path) -> None:
    np.save(path, np.zeros(1, np.uint64))


@pytest.mark.parametrize("change", [Path.unlink, cut_off, shorten])
@pytest.mark.parametrize("kind", ["after", "states"])
def test_a_layer_that_is_gone_or_cut_is_refused(
    tmp_path: Path, kind: str, change: Callable[[Path], object]
) -> None:
    wanted = problem("###|###", 64)

    def kill(progress: SolveProgress) -> None:
        if progress.phase == "down" and progress.layer == 90:
            raise Killed

    with pytest.raises(Killed):
        solve(wanted, layers=DiskLayers(tmp_path), on_progress=kill)
    change(tmp_path / f"{kind}-00030.npy")
    with pytest.raises(InvalidFile, match=f"{kind}-00030.*remove the folder"):
        solve(wanted, layers=DiskLayers(tmp_path))


@pytest.mark.parametrize("cut", ["after", "values"])
def test_a_policy_is_not_written_from_layers_that_are_gone(tmp_path: Path, cut: str) -> None:
    found = solve(problem("###|###", 64), layers=DiskLayers(tmp_path / "work"))
    out = tmp_path / "policy"
    out.write_bytes(b"what was here before")
    (tmp_path / "work" / f"{cut}-00030.npy").unlink()
    with pytest.raises(InvalidFile, match="is missing"):
        save_policy(out, found)
    assert out.read_bytes() == b"what was here before"


def test_layers_that_no_progress_tells_of_are_not_read(tmp_path: Path) -> None:
    expected = solve(problem("###|###", 64))
    solve(problem("##|##", 16), layers=DiskLayers(tmp_path))
    (tmp_path / "progress.json").unlink()
    (tmp_path / "mine.npy").write_bytes(b"")
    assert solve(problem("###|###", 64), layers=DiskLayers(tmp_path)).starts == expected.starts
    assert (tmp_path / "mine.npy").exists()


def test_another_problem_in_the_folder_is_refused(tmp_path: Path) -> None:
    solve(problem("##|##", 8), layers=DiskLayers(tmp_path))
    with pytest.raises(TwofoldError, match="another problem"):
        solve(problem("##|##", 16), layers=DiskLayers(tmp_path))
    (tmp_path / "progress.json").write_text("{")
    with pytest.raises(TwofoldError, match="not a usable progress of an exact solution"):
        solve(problem("##|##", 8), layers=DiskLayers(tmp_path))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: problem("#####|#####|#####|#####", 8), "20 free cells"),
        (lambda: solve(problem("16384 16384|. .")), "may occur"),
        (lambda: problem("##|##", 8, gamma=0.0), "gamma"),
        (lambda: Problem(Variant.parse("2x2;spawn=script:0@2")), "script"),
        (lambda: Problem(Variant(), "fun"), "objective"),
        (lambda: solve(problem("###|###", 64), memory=1000), "--memory"),
    ],
)
def test_refusals(make: Any, message: str) -> None:
    with pytest.raises(TwofoldError, match=message):
        make()


def test_the_largest_tiles_are_won_as_any() -> None:
    assert solve(problem("8192 8192|. .", 16384)).value == 1
    assert solve(problem("16384 16384 . . .|", 32768)).value == 1


def test_no_probability_leaves_0_to_1() -> None:
    """Every start of 2x4 makes 16 for sure, so the value is 1 and not 1.0000000000000002."""
    solution = solve(Problem(Variant.parse("2x4;target=16")))
    assert solution.value == solution.mean == 1.0
    assert math.fsum(start.probability for start in solution.starts) == pytest.approx(1.0, abs=1e-15)
    assert solution.value <= max(start.value for start in solution.starts)
