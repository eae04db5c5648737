"""``twofold exact solve``: the value of every position of a game."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from twofold.ui.cli.commands import options
from twofold.ui.cli.commands.options import argument
from twofold.ui.cli.output import print_json, print_text, run_interruptibly
from twofold.ui.cli.progress import StatusLine

if TYPE_CHECKING:
    from twofold.exact.problem import Problem
    from twofold.exact.solver import SolveProgress

GIB = 1 << 30


Map = Annotated[str, argument("MAP", "A size such as 3x3, or a map with bricks and start tiles.")]


@options.rules("target p4 spawn spawn_value spawn_values empty_start")
@options.table("""
    --score                          flag              Maximise the expected score instead of the chance of a target.
    rules
    --gamma=1.0                      float X           Discount factor per move.
    --symmetry/--no-symmetry=1       flag              Merge symmetric boards.
    --raw                            flag              Also count boards without merging symmetric ones.
    --lock                           text fixed|loose  Lock the map's tiles from the target up: they never merge; \
        fixed: they don't move; loose: they slide.
    --luck                           text best|worst   Assume the most helpful spawns, or the least: find the most \
        points of any game, or the fewest moves to a target.
    --memory                         float GiB         Memory to use, in GiB. [free memory]
    --work                           text DIR          Folder for layers; a stopped run continues from it. \
        [FILE.work if memory is short]
    --out                            text FILE         Policy file to write.
    --threads=0                      int 0..256 N      Threads for large layers; 0: all cores.
    json unused_seed
""")
def solve(
    map: Map,
    *,
    rules: options.Rules,
    score: bool,
    gamma: float,
    symmetry: bool,
    raw: bool,
    lock: str | None,
    luck: str | None,
    memory: float | None,
    work: str | None,
    out: str | None,
    threads: int,
    json: bool,
    seed: int | None,
) -> None:
    """Solve a game exactly: the largest chance of making a target, or the largest expected score."""
    from twofold.errors import InvalidParameter
    from twofold.exact.problem import MAX_EXPECTED_SCORE, MAX_PROBABILITY, Problem
    from twofold.exact.run import plan, solve_planned

    if score and rules.target is not None:
        raise InvalidParameter("--target and --score are different objectives: give only one of them")
    rules = _on_board(rules, map)
    objective = MAX_EXPECTED_SCORE if score else MAX_PROBABILITY
    problem = Problem(
        rules.to_variant(), objective, gamma, symmetric=symmetry, lock=lock or "", luck=luck or ""
    )
    planned = plan(problem, memory=memory, work=work, out=out)

    def solve_it() -> dict[str, Any]:
        with SolverLine(planned.boards) as line:
            return solve_planned(planned, threads=threads, raw=raw, on_progress=line.show)

    try:
        answer = {"map": map} | run_interruptibly(solve_it)
    except KeyboardInterrupt:
        if planned.work is not None:
            print(f"stopped: the same command continues from {planned.work}", file=sys.stderr)
        raise
    if out is not None:
        answer |= {"file": out, "bytes": Path(out).stat().st_size}
    if json:
        print_json(answer)
    else:
        _show_solution(problem, answer)


def _on_board(rules: options.Rules, text: str) -> options.Rules:
    """`3x3` is a size, anything else a map (a map of a 2, a brick and a 2 is written `2 x 2|`).

    `0x0` is a size too, one to be refused, and not the short hexadecimal number of an empty board.
    """
    is_size = re.fullmatch(r"[0-9]{1,9}[xX][0-9]{1,9}", text.strip())
    return replace(rules, size=text) if is_size else replace(rules, map=text)


class SolverLine(StatusLine):
    """A line on standard error that tells how far the solver is."""

    def __init__(self, expected: int) -> None:
        """`expected`: boards, states and afterstates together."""
        super().__init__()
        self._expected = expected

    def __enter__(self) -> SolverLine:
        return self

    def show(self, progress: SolveProgress) -> None:
        """Tell it, if it is time for that."""
        self.tell(lambda: self._text(progress))

    def _text(self, progress: SolveProgress) -> str:
        total = progress.total or max(self._expected, progress.boards)
        rate = progress.boards / max(progress.seconds, 1e-9)
        if progress.phase == "up":
            done, left = f"{progress.boards:,} boards", (2 * total - progress.boards) / max(rate, 1e-9)
        else:
            rate = (total + progress.boards) / max(progress.seconds, 1e-9)
            done, left = f"{100 * progress.boards / total:.0f} %", (total - progress.boards) / max(rate, 1e-9)
        return (
            f"{progress.phase:<4} tile sum {progress.layer:<6} {done}, {rate / 1e6:.1f} M/s, "
            f"{progress.nbytes / GIB:.2f} GiB, {progress.seconds:,.0f} s, about {left:,.0f} s left"
        )


def _show_solution(problem: Problem, answer: dict[str, Any]) -> None:
    value, starts = answer["value"], answer["starts"]
    if problem.luck:
        print_text(_with_luck(problem, value))
    elif problem.chance:
        what = "probability" if problem.is_probability else f"value, discounted by {problem.gamma:g} a move,"
        print_text(f"{what} of {problem.target}: {value:.15g}")
        if answer["out_of_reach"]:
            print_text(f"no position of this game leads to {problem.target}: it is out of reach")
        if answer["sure"]:
            print_text(f"{problem.target} can be made with certainty, whatever appears")
    else:
        discounted = "" if problem.gamma == 1 else f", discounted by {problem.gamma:g} a move"
        print_text(
            f"expected score{discounted}: {value:.15g}; the largest reachable tile is {answer['largest_tile']}"
        )
    if not problem.luck:
        print_text(f"mean over the {len(starts)} canonical starts: {answer['mean_over_starts']:.15g}")
    print_text(
        f"{answer['states']:,} states ({answer['lost']:,} of them lost), {answer['afterstates']:,} afterstates, "
        f"{answer['seconds']:.2f} s, {answer['peak_memory_bytes'] / GIB:.2f} GiB"
    )
    for start in starts[:10]:
        chance = 100 * start["probability"]
        worth = "never" if start["value"] is None else f"{start['value']:.12g}"
        print_text(f"  {start['board']}   {worth}   (starts {chance:.3g} %)")
    if len(starts) > 10:
        print_text(f"  … {len(starts) - 10} more: --json lists all")
    if "file" in answer:
        print_text(f"{answer['file']}: {answer['bytes']:,} bytes")


def _with_luck(problem: Problem, value: float | None) -> str:
    best = problem.luck == "best"
    if not problem.chance:
        return f"{value:,.15g} points: " + (
            "the most with the best luck" if best else "certain, whatever appears"
        )
    if value is None:
        return f"{problem.target} " + ("is out of reach" if best else "can't be forced")
    return f"{problem.target} " + (
        f"takes at least {value:,} moves" if best else f"can be made within {value:,} moves, whatever appears"
    )
