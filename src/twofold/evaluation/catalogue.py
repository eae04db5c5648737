"""The built-in evaluations: names, parameters and where to find them. Plain data, no compiled code."""

from __future__ import annotations

from twofold.registry import Info, Parameter


def _smooth(
    empty: float, merges: float, mono: float, mono_power: float, sum_: float, sum_power: float
) -> tuple[Parameter, ...]:
    """The parameters of the default evaluation, with these weights for defaults."""
    return (
        Parameter("lost", float, 200000.0, "constant per line, so that a live board beats a dead one"),
        Parameter("empty", float, empty, "per empty cell"),
        Parameter("merges", float, merges, "per tile that has an equal neighbour"),
        Parameter("mono", float, mono, "penalty for lines that are not monotonic"),
        Parameter("mono_power", float, mono_power, "power of the rank in mono", minimum=0, maximum=8),
        Parameter("sum", float, sum_, "penalty for many and large tiles"),
        Parameter("sum_power", float, sum_power, "power of the rank in sum", minimum=0, maximum=8),
    )


_SMOOTH = (
    "sum over rows and columns of lost + empty*E + merges*M - mono*min(falls, rises) - sum*S; "
    "falls and rises are the differences of rank^mono_power along the line, S the sum of rank^sum_power"
)

_PENALTY = "sum over tiles of |difference| to each neighbouring tile"

_BORDER = Parameter(
    "border", float, 0.5, "fraction of its value that the largest tile counts for on a border"
)

_ALONG = Parameter("along", bool, False, "also count merges along the shift itself")

_S0 = "S0, Gameplay Solver"

BUILT_IN: tuple[Info, ...] = (
    Info(
        "default",
        "twofold.evaluation.heuristics:smooth",
        _smooth(154.586, 412.841, 63.828, 3.07796, 23.9088, 3.09383),
        summary="empty cells, merges, monotonicity and sums of every row and column",
        source="features as in nneonneo's 2048-ai; weights by 'twofold tune', docs/guides/tuning.md",
        formula=_SMOOTH,
    ),
    Info(
        "default-0",
        "twofold.evaluation.heuristics:smooth",
        _smooth(270.0, 700.0, 47.0, 4.0, 11.0, 3.5),
        summary="the default evaluation with its weights from before tuning; fixed",
        source="features and weights as in nneonneo's 2048-ai",
        formula=_SMOOTH,
    ),
    # S4: lookahead's heuristics.
    Info(
        "empty",
        "twofold.evaluation.reports.s4_order:empty",
        summary="number of empty cells",
        source="S4 chapter 7.2.2",
        formula="the number of empty cells",
    ),
    Info(
        "highscore",
        "twofold.evaluation.reports.s4_order:highscore",
        summary="the score",
        source="S4 chapter 7.2.4",
        formula="score at the leaf",
    ),
    Info(
        "order",
        "twofold.evaluation.reports.s4_order:order",
        (
            Parameter(
                "matrix",
                str,
                "",
                "the weights: rows separated by |, numbers by spaces; replaces the other three",
            ),
            Parameter("shape", str, "snake", "pattern of the matrix", choices=("snake", "gradient")),
            Parameter(
                "ratio", float, 2.0, "ratio of a cell's weight to the next one's", minimum=1, maximum=16
            ),
            Parameter("scale", float, 16.0, "weight of the first cell"),
        ),
        summary="tiles weighted by a matrix, plus the score",
        source="S4 chapter 11.2; S4's matrices are lost, so this one is twofold's own",
        formula="sum over cells of matrix * value + score; matrix = scale * ratio^-i, i the cell's index on the "
        "snake from the top left corner, or its steps from that corner",
    ),
    # S1: alpha-beta's evaluation.
    Info(
        "sah",
        "twofold.evaluation.reports.s1_clustering:sah",
        (
            Parameter(
                "sign",
                int,
                -1,
                "sign of the clustering; S1 prints +1 but describes -1",
                minimum=-1,
                maximum=1,
            ),
            Parameter(
                "as_printed", bool, False, "clustering as in S1's listing, where rows run into each other"
            ),
            Parameter("dead", float, -1e6, "value of a dead board, added to its score"),
        ),
        summary="score, empty cells times the logarithm of the score, clustering",
        source="S1 chapter 5",
        formula="score + ln(max(score, 1)) * empty cells - clustering; clustering = sum over tiles of the mean "
        "|difference| to the neighbouring cells",
    ),
    # S3: expectimax's four heuristics.
    Info(
        "h1",
        "twofold.evaluation.reports.s3_snakes:h1",
        summary="number of empty cells",
        source="S3 chapter 2.i",
        formula="the number of empty cells",
    ),
    Info(
        "h2",
        "twofold.evaluation.reports.s3_snakes:h2",
        summary="order score: how smoothly rows and columns decrease",
        source="S3 chapter 2.ii",
        formula="sum over rows and columns, doubled on the edges, of: 0 if all equal, -1 if not monotonic, else "
        "sum of values / sum of |log2 differences| of neighbours",
    ),
    Info(
        "h3",
        "twofold.evaluation.reports.s3_snakes:h3",
        (
            Parameter("distance", float, 1.0, "factor of the cubed distances"),
            Parameter("penalty", float, 1.0, "factor of the squared penalty"),
            Parameter("faces", bool, False, "distances of face values, not of ranks"),
            Parameter(
                "dead",
                float,
                None,
                "value of a dead board; if not given, below anything that 4x4 play can reach",
            ),
        ),
        summary="two fixed snakes of cubes with penalties",
        source="S3 chapter 2.iii.a",
        formula="max over two snakes from the bottom right of (sum of (16^3 ... 1^3) * value - penalty^2) - (sum of "
        "|rank differences| of neighbours)^3; penalty = cells of the first four without the tile that belongs there",
    ),
    Info(
        "h4",
        "twofold.evaluation.reports.s3_snakes:h4",
        (Parameter("empty", float, 30.0, "per empty cell"),),
        summary="best of eight snakes, order score, empty cells",
        source="S3 chapter 2.iii.b",
        formula="max over 8 snakes of the sum of (2^16 ... 2^1) * value + h2 + empty * empty cells",
    ),
    # S2: sums, snakes, diagonals, human patterns.
    Info(
        "sum",
        "twofold.evaluation.reports.s2_patterns:tile_sum",
        summary="sum of the tiles",
        source="S2 chapter 2.5",
        formula="sum of values",
    ),
    Info(
        "rows",
        "twofold.evaluation.reports.s2_patterns:rows",
        summary="tiles weighted by the number of their row",
        source="S2 chapter 2.5",
        formula="sum of value * row number, the top row being 1",
    ),
    Info(
        "snake",
        "twofold.evaluation.reports.s2_patterns:snake",
        (
            Parameter(
                "ratio",
                float,
                4.0,
                "ratio of a cell's weight to the next one's on the snake",
                minimum=1,
                maximum=16,
            ),
            Parameter(
                "penalty",
                float,
                0.0,
                "w, penalty for differences between neighbours",
                minimum=0,
                maximum=1e12,
            ),
        ),
        summary="tiles weighted by powers of 4 along a snake, with or without the penalty of diagonal",
        source="S2 chapters 5.2.1 and 5.3",
        formula=f"sum over cells of ratio^(n-1-i) * value - w * ({_PENALTY}), i = 0 for the first cell of the snake",
    ),
    Info(
        "diagonal",
        "twofold.evaluation.reports.s2_patterns:diagonal",
        (
            Parameter(
                "penalty", float, 1.0, "penalty for differences between neighbours", minimum=0, maximum=1e12
            ),
            Parameter("dead", float, -1.5e11, "value of a dead board"),
        ),
        summary="squared tiles weighted by diagonals, minus differences between neighbours",
        source="S2 chapter 5.2.2",
        formula=f"sum of W * value^2 - penalty * ({_PENALTY}); W = 6 5 4 1 / 5 4 1 0 / 4 1 0 -1 / 1 0 -1 -2",
    ),
    Info(
        "snake-diagonal",
        "twofold.evaluation.reports.s2_patterns:snake_diagonal",
        (
            Parameter("power", float, 2.0, "power of the value", minimum=0, maximum=4),
            Parameter(
                "penalty", float, 1.0, "penalty for differences between neighbours", minimum=0, maximum=1e12
            ),
            Parameter("dead", float, -1e7, "value of a dead board"),
        ),
        summary="large tiles in the first row, the others in diagonals below",
        source="S2 chapter 5.3, which gives only the matrix",
        formula=f"sum of W * value^power - penalty * ({_PENALTY}); W = 7 6 5 4 / 2 3 4 3 / 1 2 3 2 / 0 1 2 1",
    ),
    Info(
        "gradient",
        "twofold.evaluation.reports.s2_patterns:gradient",
        (
            Parameter(
                "ratio", float, 2.0, "ratio of a diagonal's weight to the next one's", minimum=1, maximum=16
            ),
            Parameter("trapped", float, 0.0, "w, penalty for trapped tiles", minimum=0, maximum=1e12),
        ),
        summary="tiles decreasing from a corner, with or without a penalty for trapped tiles",
        source="S2 chapter 5.1, a pattern; the formula is twofold's own",
        formula="sum of value * ratio^-(steps from the top left corner) + w * trapped",
    ),
    Info(
        "trapped",
        "twofold.evaluation.reports.s2_patterns:trapped",
        summary="penalty for tiles among larger ones",
        source="S2 chapter 5.1, a pattern; the formula is twofold's own",
        formula="- sum over tiles whose neighbours are all larger tiles of (smallest neighbour - tile)",
    ),
    # S0: the chain.
    Info(
        "chain",
        "twofold.evaluation.reports.s0_chain:chain",
        (
            Parameter("largest", float, 0.25, "weight of the largest tile's position"),
            Parameter("monotonicity", float, 400.0, "weight of monotonic rows and columns"),
            Parameter("empty", float, 600.0, "weight of an empty cell"),
            Parameter("chain", float, 0.18, "weight of the chain's sum"),
            Parameter("shift", float, 460.0, "weight of merges available after a shift"),
            Parameter("adjacent", float, -2.1, "weight of the tiles off the chain"),
            _BORDER,
            _ALONG,
            Parameter("dead", float, -1e6, "value of a dead board"),
        ),
        summary="weighted sum of six features around the chain of tiles",
        source=_S0 + ", Equation Formulation; S0's weights are lost; these are tuned",
        formula="sum of weight * feature: largest, monotonicity, empty, chain, shift, adjacent",
    ),
    Info(
        "chain-both",
        "twofold.evaluation.reports.s0_chain:both_lists",
        (
            Parameter("largest", float, 0.25, "weight of the largest tile's place"),
            Parameter("monotonicity", float, 400.0, "weight of monotonic rows and columns"),
            Parameter("empty", float, 600.0, "weight of an empty cell"),
            Parameter("chain", float, 0.18, "weight of the chain's sum"),
            Parameter("shift", float, 460.0, "weight of merges open after a shift"),
            Parameter("adjacent", float, -2.1, "weight of the tiles off the chain"),
            Parameter("length", float, 0.0, "weight of a tile of the chain"),
            Parameter("locked", float, 0.0, "weight of a locked row or column of the largest tile"),
            _BORDER,
            _ALONG,
            Parameter("dead", float, -1e6, "worth of a dead board"),
        ),
        summary="chain with the two features more that S0's comparative scoring had",
        source=_S0 + ", Future Observation",
        formula="chain + length * tiles of the chain + locked * (row and column of the largest tile that are full and "
        "can't merge)",
    ),
    Info(
        "largest",
        "twofold.evaluation.reports.s0_chain:largest",
        (_BORDER,),
        summary="position of the largest tile",
        source=_S0 + ", Largest Tile",
        formula="its value in a corner, border * its value on a border, 1 in the middle",
    ),
    Info(
        "monotonicity",
        "twofold.evaluation.reports.s0_chain:monotonic",
        summary="number of monotonic rows and columns",
        source=_S0 + ", Monotonicity",
        formula="max(rows that never rise, rows that never fall) + the same for columns",
    ),
    Info(
        "longest-chain",
        "twofold.evaluation.reports.s0_chain:longest_chain",
        summary="sum of the chain from the largest tile",
        source=_S0 + ", Chain",
        formula="sum of the values along the longest snake-wise path from the largest tile on which each is half of "
        "the one before",
    ),
    Info(
        "shift-load",
        "twofold.evaluation.reports.s0_chain:shift_loads",
        (_ALONG,),
        summary="merges available after a shift",
        source=_S0 + ", Shift Load",
        formula="max over the four shifts of the merges then available across its direction",
    ),
    Info(
        "adjacent",
        "twofold.evaluation.reports.s0_chain:adjacent",
        summary="large tiles near the root of the chain",
        source=_S0 + ", Adjacent",
        formula="mean over the tiles off the chain of value / Euclidean distance to the root",
    ),
    Info(
        "perimeter",
        "twofold.evaluation.reports.s0_perimeter:perimeter",
        (
            Parameter(
                "disorder",
                float,
                1.0,
                "penalty for values that rise away from the corner",
                minimum=0,
                maximum=1,
            ),
            Parameter("dead", float, -1e6, "value of a dead board, added to its points"),
        ),
        summary="Perimeter Defense Formation: the largest tiles in a monotonic square",
        source="S0, Perimeter Defense Formation, an idea; the formula is twofold's own",
        formula="max over four corners of (values in the square of (rows-1)x(columns-1) - values outside - disorder * "
        "rises away from the corner) + score",
    ),
    # Learned.
    Info(
        "network",
        "twofold.evaluation.learned:network",
        (
            Parameter(
                "file",
                str,
                "",
                "network file; the one shipped with twofold if not given",
                is_file=True,
            ),
        ),
        summary="a trained n-tuple network: points still to come",
        source="n-tuple networks: Szubert and Jaskowski 2014; trained by `twofold train ntuple`, see "
        "docs/guides/learning.md",
        formula="sum over tuples and symmetries of a table's entry for the cells' ranks, in points",
    ),
    Info(
        "block",
        "twofold.evaluation.block:block",
        (
            Parameter(
                "file",
                str,
                "",
                "the network's file; the one that comes with twofold if not given",
                is_file=True,
            ),
            Parameter("outside", float, 1.21, "against large tiles off the block", minimum=0, maximum=1e6),
            Parameter("outside_power", float, 0.7, "power of the face in it", minimum=0, maximum=2),
            Parameter(
                "inside",
                float,
                0.03,
                "against large tiles far from the block's corner",
                minimum=0,
                maximum=1e6,
            ),
            Parameter("rises", float, 0.54, "against rows and columns that rise", minimum=0, maximum=1e6),
            Parameter("rises_power", float, 0.7, "power of the face in it", minimum=0, maximum=2),
        ),
        summary="the network, with large tiles drawn into a block of 2x3 in the top left corner",
        source="ours, for formation tables; docs/guides/formations.md",
        formula="network - outside*sum of w(tile) off the block - inside*sum of c*w(tile) in it - rises*sum over rows "
        "and columns of w(tile) - w(the one before it) where that is above 0; w = 2048*(face/2048)^power",
    ),
    Info(
        "neural",
        "twofold.evaluation.learned:neural",
        (
            Parameter(
                "file",
                str,
                "",
                "network file; the one shipped with twofold if not given",
                is_file=True,
            ),
        ),
        summary="a trained neural network: points still to come",
        source="S4 chapters 9 and 10, whose network did not learn; trained by `twofold train neural`, see "
        "docs/guides/neural.md",
        formula="rows, columns and 2x2 squares of the canonical image as learned vectors, two dense layers, a sum",
    ),
)
