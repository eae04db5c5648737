"""Solving with files: what a solution needs, whether it fits memory and disk, its layers and its policy file."""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from twofold.cores import core_count, free_memory
from twofold.errors import InvalidFile, InvalidParameter, quote
from twofold.exact.certain import out_of_reach
from twofold.exact.estimate import estimate
from twofold.exact.layers import DiskLayers
from twofold.exact.policy_file import MAGIC, load_policy, save_policy
from twofold.exact.problem import Problem
from twofold.exact.solver import Solution, SolveProgress, solve
from twofold.files import begins, check_target

GIB = 1 << 30


@dataclass(frozen=True, slots=True)
class Plan:
    """Where a solution is worked out: see `plan`.

    memory: bytes of memory at most, None for no limit; work: the folder that layers are kept in, None for memory;
    out: the policy file to write, if any; boards: states and afterstates expected.
    """

    problem: Problem
    memory: int | None
    work: str | None
    out: str | None
    boards: int


def plan(
    problem: Problem, *, memory: float | None = None, work: str | None = None, out: str | None = None
) -> Plan:
    """How the problem will be solved; refuses what will not fit. Raises InvalidParameter, InvalidFile.

    memory: GiB that may be used, by default what is free. work: folder for layers, by default `OUT.work` if memory is
    short of what `out` and `memory`, both given, allow.
    """
    if memory is not None and not (math.isfinite(memory) and memory > 0):
        raise InvalidParameter(f"--memory {memory} is not a number of GiB above 0")
    if out is not None:
        check_target(out, "a policy", begins(MAGIC))
    limit = int(memory * GIB) if memory is not None else free_memory() or None
    size = estimate(problem)
    boards = size.states + size.afterstates
    about = "" if size.known else "about "
    needs = f"{about}{size.states:,} states: {about or 'about '}{size.memory / GIB:,.1f} GiB of memory"
    if memory is not None and not size.known and work is None and out is None:
        # The estimate may be far off, say for a start late in the game: the limit decides.
        return Plan(problem, limit, None, None, boards)
    if work is None and limit is not None and size.memory > limit:
        if out is None or memory is None:
            raise InvalidParameter(
                f"{needs}, but only {limit / GIB:.1f} may be used; give --work DIR for {size.work / GIB:,.1f} GiB "
                "on disk, or --memory to try it"
            )
        work = f"{out}.work"
    if work is not None and memory is None and limit is not None and size.streamed > limit:
        raise InvalidParameter(
            f"{needs}, or with --work about {size.streamed / GIB:,.1f}, but only {limit / GIB:.1f} may be used; "
            "give --memory to try it"
        )
    wanted = (size.work if work is not None else 0) + (size.file if out is not None else 0)
    place = work or out or "."
    free = _free_disk(place) + _held_in(work)
    if wanted > free:
        raise InvalidFile(
            f"{needs}, and {wanted:,} bytes of disk, but there are {free:,} free for {quote(place)}: name another place"
        )
    return Plan(problem, limit, work, out, boards)


def _held_in(folder: str | None) -> int:
    """Bytes that a stopped run has left in its folder: they are part of what it needs."""
    return sum(path.stat().st_size for path in Path(folder).glob("*.npy")) if folder is not None else 0


def _free_disk(place: str) -> int:
    path = Path(place).absolute()
    while not path.exists():
        path = path.parent
    return shutil.disk_usage(path).free


def solve_planned(
    planned: Plan,
    *,
    threads: int = 0,
    raw: bool = False,
    on_progress: Callable[[SolveProgress], None] | None = None,
) -> dict[str, Any]:
    """Solve, and write the policy file; what `solution_json` says of the solution.

    threads: 0 for all cores; raw, on_progress: see `solve`. A run that was stopped goes on from the folder of its
    layers, and one that was ended after its policy was written has finished.
    """
    layers = DiskLayers(planned.work) if planned.work is not None else None
    answer = _finished(planned, layers)
    if answer is None:
        answer = _solved(planned, layers, threads, raw, on_progress)
    if planned.out is not None and layers is not None:
        layers.clear()
    return answer


def _finished(planned: Plan, layers: DiskLayers | None) -> dict[str, Any] | None:
    """What the folder says of a finished solution, if the policy is whole and of this problem."""
    facts = layers.facts() if layers is not None else {}
    if planned.out is None or facts.get("phase") != "done":
        return None
    try:
        if load_policy(planned.out, verify=True).problem != planned.problem:
            return None
    except InvalidFile:
        return None
    answer = facts.get("answer")
    return answer if isinstance(answer, dict) and facts.get("problem") == planned.problem.facts() else None


def _solved(
    planned: Plan,
    layers: DiskLayers | None,
    threads: int,
    raw: bool,
    on_progress: Callable[[SolveProgress], None] | None,
) -> dict[str, Any]:
    found = solve(
        planned.problem,
        layers=layers,
        threads=threads or core_count(),
        raw=raw,
        keep=planned.out is not None,
        memory=planned.memory,
        on_progress=on_progress,
    )
    if planned.out is not None:
        save_policy(planned.out, found)
    answer = solution_json(found)
    if planned.out is not None and layers is not None:
        # First it is said that all is done: a crash while layers are removed leaves a finished solution.
        layers.note({"problem": planned.problem.facts(), "phase": "done", "answer": answer})
    return answer


def solution_json(found: Solution) -> dict[str, Any]:
    """What a solution says of its problem, for JSON."""
    problem = found.problem
    answer: dict[str, Any] = {
        "objective": problem.objective,
        "target": problem.target,
        "lock": problem.lock or None,
        "luck": problem.luck or None,
        "gamma": None if problem.luck else problem.gamma,
        "value": problem.told(found.value),
        "mean_over_starts": None if problem.counts_moves else found.mean,
        "states": found.states,
        "afterstates": found.afterstates,
        "lost": found.lost,
        "seconds": round(found.seconds, 3),
        "peak_memory_bytes": found.peak_memory_bytes,
        "starts": [
            {"board": str(start.board), "probability": start.probability, "value": problem.told(start.value)}
            for start in found.starts
        ],
        "out_of_reach": out_of_reach(found),
        # Discounted values don't tell whether a target is certain.
        "sure": None
        if problem.gamma != 1 and not problem.luck
        else problem.is_probability and all(start.loss == 0 for start in found.starts),
        "largest_tile": found.largest_tile,
    }
    if found.states_raw is not None:
        answer |= {"states_raw": found.states_raw, "afterstates_raw": found.afterstates_raw}
    return answer
