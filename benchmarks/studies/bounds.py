"""What a search leaves out by a bound or a cut, and what that costs: the same positions, searched in many ways.

    python -m benchmarks.studies.bounds                  # writes docs/results/bounds.md; four minutes of one core

The positions are every 150th of three games at depth 2 with the network that comes with the package. A far deeper
search says what each move there is worth; what a way to search gives away is the difference from its best move. Times
are processor time of one core, to be compared with each other only.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from benchmarks.history import ROOT
from twofold.players.base import Decision
from twofold.players.fingerprint import named_networks
from twofold.players.registry import make_player
from twofold.rules.game import Game
from twofold.rules.state import State

REPORT = ROOT / "docs" / "results" / "bounds.md"
GUIDE = "expectimax:depth=2,eval=network"
JUDGE = "expectimax:nodes=12000000,eval=network,bound=8000,cut=0.000005,table=22"
SEEDS = (11, 12, 13)
EVERY = 150
CAP = 300.0
"""Points: single blunders count up to this in one column, so that two of them don't hide the rest."""

DEPTHS = tuple(
    f"depth={depth},bound={bound}" for depth in (3, 4, 5) for bound in (0, 8000, 4000, 2000, 1000, 500, 250)
)
LIMITS = (
    *(
        f"nodes={nodes},cut={cut},bound={bound}"
        for nodes in (40_000, 200_000, 600_000)
        for cut, bound in ((1e-4, 0), (1e-4, 8000), (1e-4, 2000), (1e-4, 500), (3e-5, 2000), (1e-5, 2000))
    ),
    "nodes=6000000,cut=1e-05,bound=2000",
)


@dataclass(frozen=True)
class Way:
    """A way to search, on all positions: means a position."""

    name: str
    nodes: float
    depth: float
    milliseconds: float
    same: int
    lost: float
    capped: float


def positions() -> list[State]:
    """The states that are searched."""
    player = make_player(GUIDE)
    states = []
    for seed in SEEDS:
        game = Game(seed=seed)
        while game.state.legal_moves():
            move = player.decide(game.state).move
            if game.state.moves % EVERY == EVERY - 1:
                states.append(game.state)
            assert move is not None
            game.move(move)
    return states


def best(decision: Decision) -> float:
    """The value of the best move."""
    return max(value for value in decision.values if value is not None)


def measure(name: str, states: list[State], judged: list[Decision]) -> Way:
    """Search all positions."""
    player = make_player(f"expectimax:{name},eval=network")
    player.decide(states[0])  # compile
    begin = time.process_time()
    found = [player.decide(state) for state in states]
    spent = time.process_time() - begin
    worths = [
        judge.values[own.move] for judge, own in zip(judged, found, strict=True) if own.move is not None
    ]
    lost = np.array([best(judge) for judge in judged]) - np.array(worths, float)
    n = len(states)
    return Way(
        name,
        sum(own.nodes for own in found) / n,
        sum(own.depth for own in found) / n,
        1000 * spent / n,
        int((lost == 0).sum()),
        float(lost.mean()),
        float(np.minimum(lost, CAP).mean()),
    )


def table(ways: list[Way]) -> list[str]:
    """The lines of a table."""
    head = "| `expectimax:…,eval=network` | nodes | depth | ms | the judge's move | points lost | at most 300 each |"
    rows = [
        f"| `{way.name}` | {way.nodes:,.0f} | {way.depth:.1f} | {way.milliseconds:.2f} | {way.same} | "
        f"{way.lost:.1f} | {way.capped:.1f} |"
        for way in ways
    ]
    return [head, "|---|--:|--:|--:|--:|--:|--:|", *rows, ""]


def main() -> None:
    """Write the report."""
    states = positions()
    judge = make_player(JUDGE)
    judged = [judge.decide(state) for state in states]
    text = [
        "# Bounds and cuts",
        "",
        "Written by `python -m benchmarks.studies.bounds`. Means per position; processor time on one core of a",
        f"machine with other work. {len(states)} positions, every {EVERY}th of three games of `{GUIDE}`; the judge is",
        f"`{JUDGE}`. *Points lost*: the",
        "judge's value of the best move minus that of the chosen one. A few blunders make up most of this, so the",
        "last column caps each at 300.",
        named_networks([GUIDE]),
        "",
        "## At a fixed depth",
        "",
        *table([measure(name, states, judged) for name in DEPTHS]),
        "## At a fixed number of nodes",
        "",
        *table([measure(name, states, judged) for name in LIMITS]),
    ]
    REPORT.write_text("\n".join(text), encoding="utf-8")
    print(REPORT.read_text("utf-8"))


if __name__ == "__main__":
    main()
