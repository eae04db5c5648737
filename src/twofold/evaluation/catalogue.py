"""The built-in evaluations: names, parameters and where to find them. Plain data, no compiled code."""

from __future__ import annotations

from twofold.notation import Parameter, parameters
from twofold.registry import Info


def _smooth(
    empty: float, merges: float, mono: float, mono_power: float, sum_: float, sum_power: float
) -> tuple[Parameter, ...]:
    """The parameters of the default evaluation, with these weights for defaults."""
    return parameters(f"""
        lost=200000              float        constant per line, so that a live board beats a dead one
        empty={empty}            float        per empty cell
        merges={merges}          float        per tile that has an equal neighbour
        mono={mono}              float        penalty for lines that are not monotonic
        mono_power={mono_power}  float 0..8   power of the rank in mono
        sum={sum_}               float        penalty for many and large tiles
        sum_power={sum_power}    float 0..8   power of the rank in sum
    """)


_SMOOTH = (
    "sum over rows and columns of lost + empty*(empty cells) + merges*(tiles with an equal neighbour) "
    "- mono*min(falls, rises) - sum*S; falls and rises are the steps of rank^mono_power down and up along the line, "
    "S the sum of rank^sum_power"
)

_PENALTY = "sum over tiles of |difference| to each neighbouring tile"

_CHAIN = parameters("""
    largest=0.25      float  weight of the largest tile's position
    monotonicity=400  float  weight of monotonic rows and columns
    empty=600         float  weight of an empty cell
    chain=0.18        float  weight of the chain's sum
    shift=460         float  weight of merges available after a shift
    adjacent=-2.1     float  weight of the tiles off the chain
    border=0.5        float  fraction of its value that the largest tile counts for on a border
    along=0           bool   also count merges along the shift itself
    dead=-1000000     float  value of a dead board
""")

_BORDER, _ALONG = _CHAIN[6:8]

_NETWORK = "file=  file  network file; the one shipped with twofold if not given"

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
        summary="the default evaluation with the weights it had before tuning",
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
        parameters("""
            matrix=      text            the weights: rows separated by |, numbers by spaces; replaces the other three
            shape=snake  snake|gradient  pattern of the matrix
            ratio=2      float 1..16     ratio of a cell's weight to the next one's
            scale=16     float           weight of the first cell
        """),
        summary="tiles weighted by a matrix, plus the score",
        source="S4 chapter 11.2; S4's matrices are lost, so this one is twofold's own",
        formula="sum over cells of matrix * value + score; matrix = scale * ratio^-i, i the cell's index on the "
        "snake from the top left corner, or its steps from that corner",
    ),
    # S1: alpha-beta's evaluation.
    Info(
        "sah",
        "twofold.evaluation.reports.s1_clustering:sah",
        parameters("""
            sign=-1        int -1..1  sign of the clustering; S1 prints +1 but describes -1
            as_printed=0   bool       clustering as in S1's listing, where rows run into each other
            dead=-1000000  float      value of a dead board, added to its score
        """),
        summary="score, empty cells times the logarithm of the score, clustering",
        source="S1 chapter 5",
        formula="score + ln(max(score, 1)) * empty cells - clustering; clustering = sum over tiles of the mean "
        "|difference| to the neighbouring cells",
    ),
    # S3: expectimax's four heuristics.
    Info(
        "h1",
        "twofold.evaluation.reports.s4_order:empty",
        summary="number of empty cells",
        source="S3 chapter 2.i",
        formula="the number of empty cells",
    ),
    Info(
        "h2",
        "twofold.evaluation.reports.s3_snakes:h2",
        parameters("""
            tiles=0  bool  leave empty cells out of a row or column
            pairs=0  bool  differences of all pairs, not of neighbours
            ranks=0  bool  sum of ranks, not of values
        """),
        summary="order score: how smoothly rows and columns decrease",
        source="S3 chapter 2.ii",
        formula="sum over rows and columns, doubled on the edges, of: 0 if all equal, -1 if not monotonic, else "
        "sum of values / sum of |log2 differences| of neighbours",
    ),
    Info(
        "h3",
        "twofold.evaluation.reports.s3_snakes:h3",
        parameters("""
            distance=1  float  factor of the cubed distances
            penalty=1   float  factor of the squared penalty
            faces=0     bool   distances of face values, not of ranks
            dead        float  value of a dead board; if not given, below anything that 4x4 play can reach
        """),
        summary="two fixed snakes of cubes with penalties",
        source="S3 chapter 2.iii.a",
        formula="max over two snakes from the bottom right of (sum of (16^3 ... 1^3) * value - penalty^2) - (sum of "
        "|rank differences| of neighbours)^3; penalty = cells of the first four without the tile that belongs there",
    ),
    Info(
        "h4",
        "twofold.evaluation.reports.s3_snakes:h4",
        parameters("""
            empty=30  float  per empty cell
        """),
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
        parameters("""
            ratio=4    float 1..16    ratio of a cell's weight to the next one's on the snake
            penalty=0  float 0..1e12  w, penalty for differences between neighbours
        """),
        summary="tiles weighted by powers of 4 along a snake, with or without the penalty of diagonal",
        source="S2 chapters 5.2.1 and 5.3",
        formula=f"sum over cells of ratio^(n-1-i) * value - w * ({_PENALTY}), i = 0 for the first cell of the snake",
    ),
    Info(
        "diagonal",
        "twofold.evaluation.reports.s2_patterns:diagonal",
        parameters("""
            penalty=1           float 0..1e12  penalty for differences between neighbours
            dead=-150000000000  float          value of a dead board
        """),
        summary="squared tiles weighted by diagonals, minus differences between neighbours",
        source="S2 chapter 5.2.2",
        formula=f"sum of W * value^2 - penalty * ({_PENALTY}); W = 6 5 4 1 / 5 4 1 0 / 4 1 0 -1 / 1 0 -1 -2",
    ),
    Info(
        "snake-diagonal",
        "twofold.evaluation.reports.s2_patterns:snake_diagonal",
        parameters("""
            power=2         float 0..4     power of the value
            penalty=1       float 0..1e12  penalty for differences between neighbours
            dead=-10000000  float          value of a dead board
        """),
        summary="large tiles in the first row, the others in diagonals below",
        source="S2 chapter 5.3, which gives only the matrix",
        formula=f"sum of W * value^power - penalty * ({_PENALTY}); W = 7 6 5 4 / 2 3 4 3 / 1 2 3 2 / 0 1 2 1",
    ),
    Info(
        "gradient",
        "twofold.evaluation.reports.s2_patterns:gradient",
        parameters("""
            ratio=2    float 1..16    ratio of a diagonal's weight to the next one's
            trapped=0  float 0..1e12  w, penalty for trapped tiles
        """),
        summary="tiles decreasing from a corner, with or without a penalty for trapped tiles",
        source="S2 chapter 5.1, a pattern; the formula is twofold's own",
        formula="sum of value * ratio^-(steps from the top left corner) + w * the value by trapped",
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
        _CHAIN,
        summary="weighted sum of six features around the chain of tiles",
        source=_S0 + ", Equation Formulation; S0's weights are lost; these are tuned",
        formula="sum of weight * feature: largest, monotonicity, empty, chain, shift, adjacent",
    ),
    Info(
        "chain-both",
        "twofold.evaluation.reports.s0_chain:both_lists",
        (
            *_CHAIN[:6],
            *parameters("""
                length=0  float  weight of a tile of the chain
                values=0  float  weight of the mean value on the chain
                locked=0  float  weight of a locked row or column of the largest tile
            """),
            *_CHAIN[6:],
        ),
        summary="chain, with the three further features of S0's comparative scoring",
        source=_S0 + ", Future Observation",
        formula="chain + length * tiles of the chain + values * mean value on it + locked * (row and column of the "
        "largest tile that are full and can't merge)",
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
        formula="sum of the values along the longer of two snakes from the largest tile, one along its row and one "
        "along its column first, as far as each tile is half of the previous one",
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
        parameters("""
            disorder=1     float 0..1  penalty for values that rise away from the corner
            dead=-1000000  float       value of a dead board, added to its points
        """),
        summary="Perimeter Defense Formation: the largest tiles in a monotonic square",
        source="S0, Perimeter Defense Formation, an idea; the formula is twofold's own",
        formula="max over four corners of (values in the square of (rows-1)x(columns-1) - values outside - disorder * "
        "rises away from the corner) + score",
    ),
    # Learned.
    Info(
        "network",
        "twofold.evaluation.learned:network",
        parameters(_NETWORK),
        summary="a trained n-tuple network: points still to come",
        source="n-tuple networks: Szubert and Jaskowski 2014; trained by `twofold train ntuple`, see "
        "docs/guides/learning.md",
        formula="sum over tuples and symmetries of a table's entry for the cells' ranks, in points",
    ),
    Info(
        "corner",
        "twofold.evaluation.corner:corner",
        parameters("""
            lost=250000             float         constant per line, so that a live board beats a dead one
            empty=71.56             float         per empty cell
            merges=835.6            float         per pair of equal neighbours
            row1=118.6              float         penalty for steps along the first row
            row2=148.6              float         penalty for steps along the second row
            row3=45.19              float         penalty for steps along the third row
            row4=108.7              float         penalty for steps along the fourth row
            column1=33.88           float         penalty for steps along the first column
            column2=69.02           float         penalty for steps along the second column
            column3=149.1           float         penalty for steps along the third column
            column4=70.3            float         penalty for steps along the fourth column
            mono_power=3.221        float 0..8    power of the rank in the steps
            row_falls=0.05217       float 0..     weight of a step down in a row, relative to a step up
            column_falls=0.111      float 0..     the same for a column
            weight1=11.32           float         penalty for tiles in the first row
            weight2=7.629           float         penalty for tiles in the second row
            weight3=37.42           float         penalty for tiles in the third row
            weight4=25.99           float         penalty for tiles in the fourth row
            beside2=5.261           float         additional penalty in the second column
            beside3=-4.456          float         additional penalty in the third column
            beside4=1.692           float         additional penalty in the fourth column
            sum_power=3.494         float 0..8    power of the rank in the weights
        """),
        summary="rows and columns that fall from the top left corner, for formation tables",
        source="features as in nneonneo's 2048-ai, with weights by place; weights by CMA-ES, docs/log/formations.md",
        formula="sum over rows and columns of lost + empty*(empty cells) + merges*(pairs of equal neighbours) "
        "- mono*(R + falls*F), minus the sum over tiles of (weight + beside)*rank^sum_power; mono is that of the row "
        "or column, R and F are the steps of rank^mono_power up and down along it; weight is that of the tile's row, "
        "beside that of its column",
    ),
    Info(
        "block",
        "twofold.evaluation.block:block",
        parameters("""
            file=              file          network file; the one shipped with twofold if not given
            outside=1.21       float 0..1e6  penalty for large tiles outside the block
            outside_power=0.7  float 0..2    power of the face value in it
            inside=0.03        float 0..1e6  penalty for large tiles far from the block's corner
            rises=0.54         float 0..1e6  penalty for rows and columns that rise
            rises_power=0.7    float 0..2    power of the face value in it
        """),
        summary="the network, with large tiles drawn into a 2x3 block in the top left corner",
        source="twofold's own, for formation tables; docs/guides/formations.md",
        formula="network - outside*sum of b*w(tile) outside the block - inside*sum of c*w(tile) in it - rises*sum "
        "over rows and columns of w(tile) - w(previous tile) where that is above 0; w = 2048*(face/2048)^power, 0 for "
        "2s and 4s; c = 0 1 2 / 1.5 2.5 3; b = 2 to the right of the block, 0.5 below its corner, else 1",
    ),
    Info(
        "neural",
        "twofold.evaluation.learned:neural",
        parameters(_NETWORK),
        summary="a trained neural network: points still to come",
        source="S4 chapters 9 and 10, whose network did not learn; trained by `twofold train neural`, see "
        "docs/guides/neural.md",
        formula="rows, columns and 2x2 squares of the canonical image as learned vectors, two dense layers, a sum",
    ),
)
