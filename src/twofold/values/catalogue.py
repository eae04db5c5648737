"""The built-in evaluations: names, parameters and where to find them. Plain data, no compiled code."""

from __future__ import annotations

from twofold.registry import Parameter
from twofold.values.registry import register

_S4 = "S4 chapter 7"

register(
    "default",
    "twofold.values.heuristics:smooth",
    (
        Parameter("lost", float, 200000.0, "worth of a line as such, so that a live board beats a dead one"),
        Parameter("empty", float, 270.0, "per empty cell"),
        Parameter("merges", float, 700.0, "per tile that has an equal neighbour"),
        Parameter("mono", float, 47.0, "against lines that rise and fall"),
        Parameter("mono_power", float, 4.0, "power of the rank in it", minimum=0, maximum=8),
        Parameter("sum", float, 11.0, "against many and large tiles"),
        Parameter("sum_power", float, 3.5, "power of the rank in it", minimum=0, maximum=8),
    ),
    summary="empty cells, merges, monotonicity and sums of every row and column",
    source="features as in nneonneo's 2048-ai, weights tuned by us",
    formula="sum over rows and columns of lost + empty*E + merges*M - mono*min(falls, rises) - sum*S; "
    "falls and rises are the differences of rank^mono_power along the line, S the sum of rank^sum_power",
)
register(
    "snake",
    "twofold.values.heuristics:snake",
    (Parameter("ratio", float, 4.0, "weight of a cell over the next one on the snake", minimum=1, maximum=16),),
    summary="tiles weighted by powers of 4 along a snake",
    source="S2 chapter 5",
    formula="sum over cells of ratio^(n-1-i) * value, i = 0 for the first cell of the snake",
)
register(
    "empty",
    "twofold.values.heuristics:empty",
    summary="number of empty cells",
    source=_S4,
    formula="the number of empty cells",
)
register(
    "highscore",
    "twofold.values.heuristics:highscore",
    summary="the score",
    source=_S4,
    formula="score at the leaf",
)
register(
    "order",
    "twofold.values.heuristics:order",
    (
        Parameter("ratio", float, 2.0, "weight of a cell over the next one on the snake", minimum=1, maximum=16),
        Parameter("scale", float, 16.0, "weight of the first cell"),
    ),
    summary="tiles weighted along a snake, plus the score",
    source=_S4 + ", 11.2; S4's matrices are lost, so the matrix is ours",
    formula="sum over cells of scale * ratio^-i * value + score, i = 0 for the first cell of the snake",
)
register(
    "network",
    "twofold.values.learned:network",
    (Parameter("file", str, "", "the network's file; the one that comes with twofold if not given"),),
    summary="a trained tuple network: points still to come",
    source="tuple networks: Szubert and Jaskowski 2014; trained by `twofold train ntuple`, see docs/learning.md",
    formula="sum over tuples and symmetries of a table's entry for the cells' ranks, in points",
)
