"""``twofold exact endgames``: the tables of locked tiles that fit a budget, made on the user's machine."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from twofold.ui.cli.commands import options
from twofold.ui.cli.commands.exact import GIB, SolverLine
from twofold.ui.cli.commands.options import argument, option
from twofold.ui.cli.output import print_json, print_text, run_interruptibly

if TYPE_CHECKING:
    from twofold.exact.patterns import Table


def endgames(
    folder: Annotated[str, argument("DIR", "Folder for the tables.")],
    budget: Annotated[float, option("--budget", "GiB", "Disk space for all tables together, in GiB.")] = 1.0,
    targets: Annotated[
        list[int] | None, option("--target", "T", "Next tile to make; repeat for more.", "64, 128, 256, 512")
    ] = None,
    p4: options.FourChance = None,
    threads: Annotated[
        int, option("--threads", "N", "Threads for large layers; 0: all cores.", min=0, max=256)
    ] = 0,
    json: options.Json = False,
    seed: options.UnusedSeed = None,
) -> None:
    """Make endgame tables of the classic board for the player `endgame`: as many as fit, smallest first.

    Existing tables are kept: the same command continues a stopped run.
    """
    from twofold.cores import core_count
    from twofold.errors import InvalidFile, InvalidParameter, quote
    from twofold.exact.patterns import TARGETS, tables_within

    if not (math.isfinite(budget) and budget > 0):
        raise InvalidParameter(f"--budget {budget} is not a number of GiB above 0")
    tables = tables_within(
        int(budget * GIB), tuple(targets) if targets else TARGETS, 0.1 if p4 is None else p4
    )
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidFile(f"can't make the folder {quote(folder)}: {error.strerror or error}") from None
    rows = []
    for number, table in enumerate(tables, 1):
        print(f"table {number} of {len(tables)}: {table.name}", file=sys.stderr, flush=True)
        row = run_interruptibly(lambda table=table: _made(table, Path(folder), threads or core_count()))  # type: ignore[misc]
        rows.append(row)
        if not json:
            print_text(
                f"{row['file']}: {row['states']:,} positions, {row['bytes']:,} bytes; "
                f"probability of {row['target']} from otherwise empty cells {row['value']:.6f}"
            )
    if json:
        print_json({"folder": folder, "bytes": sum(row["bytes"] for row in rows), "tables": rows})


def _made(table: Table, folder: Path, threads: int) -> dict[str, Any]:
    """Solve a table unless it is there; what is known about it."""
    from twofold.errors import InvalidFile
    from twofold.exact.estimate import estimate
    from twofold.exact.policy_file import SUFFIX, load_policy, save_policy
    from twofold.exact.solver import solve

    path = folder / f"{table.name}{SUFFIX}"
    try:
        facts = load_policy(path).facts
    except InvalidFile:
        size = estimate(table.problem)
        with SolverLine(size.states + size.afterstates) as line:
            found = solve(table.problem, threads=threads, on_progress=line.show)
        save_policy(path, found)
        facts = load_policy(path).facts
    return {
        "file": str(path),
        "target": table.problem.target,
        "states": facts["states"],
        "bytes": path.stat().st_size,
        "value": facts["value"],
    }
