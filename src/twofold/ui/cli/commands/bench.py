"""``twofold bench``: how fast the engine is here, on one core, warm."""

from __future__ import annotations

import math
from typing import Annotated

from twofold.ui.cli.commands import options
from twofold.ui.cli.commands.options import option
from twofold.ui.cli.output import print_json, print_text, run_interruptibly


def bench(
    seconds: Annotated[float, option("--seconds", "X", "Seconds for each of the three measurements.")] = 2.0,
    json: options.Json = False,
    seed: options.UnusedSeed = None,
) -> None:
    """Measure the engine on one core, after warm-up: random play on 4x4 and on general boards, expectimax."""
    from twofold.errors import InvalidParameter

    if not (math.isfinite(seconds) and 0 < seconds <= 600):
        raise InvalidParameter(f"--seconds {seconds} is not a number above 0 and up to 600")
    figures = run_interruptibly(lambda: _measure(seconds))
    if json:
        print_json(figures)
        return
    for name, figure in figures.items():
        print_text(f"{name.replace('_', ' '):<30} {figure:>16,.0f}")


def _measure(seconds: float) -> dict[str, float]:
    from twofold.microbench import expectimax_rate, general_rate, random_rate

    random_moves, general_moves = random_rate(seconds), general_rate(seconds)
    searched_moves, leaves = expectimax_rate(seconds)
    return {
        "random_moves_per_second": random_moves,
        "general_moves_per_second": general_moves,
        "expectimax_moves_per_second": searched_moves,
        "expectimax_leaves_per_second": leaves,
    }
