"""The built-in players: names, parameters and where to find them. Plain data, imported before any listing.

Keep this module free of imports that cost time: factories are named by text.
"""

from __future__ import annotations

from twofold.notation import REQUIRED
from twofold.registry import Info, Parameter

_DEPTH = Parameter("depth", int, None, "moves looked ahead", minimum=1, maximum=40)

_TIME = Parameter("time", float, None, "seconds per move", minimum=1e-4, maximum=86400)

_TABLE = Parameter(
    "table", int, 18, "2^table entries in the transposition table, 0 for none", minimum=0, maximum=26
)

_MODEL = Parameter("model", str, "variant", "spawns that the search expects", ("variant", "random"))


def _nodes(help: str) -> Parameter:
    return Parameter("nodes", int, None, help, minimum=1, maximum=10**12)


def _eval(default: str = "default", use: str = "evaluation at the leaves") -> Parameter:
    registry = "twofold.evaluation.registry:EVALUATIONS"
    return Parameter("eval", str, default, use, registry=registry, argument="evaluation")


BUILT_IN: tuple[Info, ...] = (
    Info(
        "default",
        "twofold.players.default:Default",
        (
            _nodes("positions searched per move; if no time is given, 200000 with the network, else 1000000"),
            _TIME,
        ),
        summary="the default player: expectimax, with the network at the leaves on the open 4x4 board",
        source="docs/results/strength.md; the network: docs/guides/learning.md",
        formula="open 4x4: expectimax:nodes=200000,eval=network,cut=3e-05,bound=2000; all other boards: "
        "expectimax:nodes=1000000,cut=0.0001",
    ),
    Info(
        "random",
        "twofold.players.simple:Random",
        summary="a legal move chosen uniformly at random",
        source="S0, S4: the baseline in every table",
    ),
    Info(
        "greedy",
        "twofold.players.simple:Greedy",
        summary="the move with the largest immediate reward",
        source="S4: one step of lookahead on the score",
        formula="value of a move = points of its merges; ties: the first of UP, RIGHT, DOWN, LEFT",
    ),
    Info(
        "scripted",
        "twofold.players.simple:Scripted",
        (
            Parameter(
                "moves", str, "LDRD", "letters U, R, D, L; letter m (from 0) is for the move after m moves"
            ),
            Parameter("illegal", str, "error", "what an illegal letter means", ("error", "skip")),
            Parameter("then", str, "stop", "what to do after the last letter", ("stop", "repeat")),
        ),
        summary="plays a fixed sequence of moves, for tests and for blind habits such as LDRD with then=repeat",
        source="S4 14.4: letters as input",
        formula="with illegal=skip: the first legal letter from number m on, cyclically, else the first legal move",
    ),
    Info(
        "human",
        "twofold.players.simple:Human",
        summary="asks you: arrows, WASD, HJKL; u undo, r redo, x restart, q quit in the terminal game",
        source="S4 14.4",
    ),
    Info(
        "expectimax",
        "twofold.players.expectimax:Expectimax",
        (
            _DEPTH,
            Parameter(
                "adaptive", bool, False, "depth max(3, distinct tiles - 2) + 1, or less if depth is given"
            ),
            Parameter(
                "danger",
                int,
                0,
                "search one move deeper if at most this many cells are empty; 0: never",
                minimum=0,
                maximum=400,
            ),
            _nodes("positions searched, by iterative deepening; 500000 if no depth or time is given"),
            _TIME,
            _eval(),
            Parameter(
                "cut",
                float,
                0.0,
                "evaluate branches below this probability without search",
                minimum=0,
                maximum=1,
            ),
            Parameter(
                "four_cut",
                float,
                0.0,
                "assume that only 2s spawn below this probability",
                minimum=0,
                maximum=1,
            ),
            Parameter(
                "bound",
                float,
                0.0,
                "assumed maximum that search adds to a move's value; moves too far behind are skipped; 0: none",
                minimum=0,
            ),
            Parameter("deeper", bool, False, "use table entries that were searched deeper than needed"),
            _TABLE,
            _MODEL,
        ),
        summary="averages over spawns, maximises over moves",
        source="S2, S3; adaptive depth and probability cut as in nneonneo's 2048-ai",
        formula="V(state) = max over moves of reward + sum over spawns of P * V(next); "
        "leaves are evaluated after the last move",
    ),
    Info(
        "lookahead",
        "twofold.players.lookahead:Lookahead",
        (
            Parameter("steps", int, 2, "moves looked ahead after the first", minimum=0, maximum=39),
            _eval("order"),
            Parameter("threads", int, 1, "threads that search one position", minimum=1, maximum=256),
            _TABLE,
            _MODEL,
        ),
        summary="Bellman backup over moves and all spawns, nothing pruned",
        source="S4 chapters 7, 8 and 11.2; its steps=N behaves like N + 1 moves",
        formula="V(state) = max over moves of reward + sum over spawns of P * V(next), steps + 1 moves deep; "
        "threads=T gives the values of one thread bit for bit",
    ),
    Info(
        "minimax",
        "twofold.players.minimax:Minimax",
        (
            _DEPTH,
            _nodes("positions searched, by iterative deepening; 100000 if no depth or time is given"),
            _TIME,
            _eval("sah"),
            _TABLE,
            Parameter("order", bool, True, "try promising moves and refuting spawns first"),
            _MODEL,
        ),
        summary="assumes the worst spawn; alpha-beta search",
        source="S1, S2 5.2; S1's depths 1, 3, 5, 7 count layers and are 1, 2, 3, 4 here",
        formula="V(state) = max over moves of reward + min over spawns of V(next)",
    ),
    Info(
        "chain",
        "twofold.players.chain:Chain",
        (
            Parameter("depth", int, 2, "moves looked ahead", minimum=1, maximum=6),
            Parameter(
                "mode",
                str,
                "best",
                "how the values of the futures are combined",
                ("best", "sum", "mean", "difference"),
            ),
            Parameter(
                "window",
                float,
                None,
                "explore only futures worth at least best - window * |best|",
                minimum=0,
                maximum=1e9,
            ),
            Parameter("along", bool, False, "sum, mean: multiply p/u along the path"),
            _eval("chain", "evaluation of the futures"),
            _MODEL,
        ),
        summary="the move that can lead to the best board",
        source="S0, Gameplay Solver, Future Observation",
        formula="best: the largest value of a board after 1 .. depth moves and spawns; sum, mean: of (p/u) * value "
        "over these boards; difference: value after the move - value now",
    ),
    Info(
        "rules",
        "twofold.players.rules:Rules",
        (
            Parameter(
                "order",
                str,
                "merges",
                "what is checked first once the largest tile is in place",
                ("merges", "locks"),
            ),
        ),
        summary="checks conditions in order: largest tile to a corner, merges, the chain, locked lines",
        source="S0, Formulation of Heuristics: its first player",
        formula="value of a move = the number of conditions it passed; the note names the one that decided",
    ),
    Info(
        "montecarlo",
        "twofold.players.montecarlo:MonteCarlo",
        (
            Parameter(
                "playouts",
                int,
                None,
                "playouts per move; 100 if there is no other limit",
                minimum=1,
                maximum=10**9,
            ),
            Parameter(
                "depth",
                int,
                None,
                "moves per playout; to the end of the game if not given",
                minimum=1,
                maximum=10**4,
            ),
            _nodes("positions searched"),
            _TIME,
            _eval("highscore", "evaluation where a playout stops"),
            _MODEL,
        ),
        summary="the move after which random play does best",
        source="S2 5.2, S4 7.3",
        formula="value of a move = its reward + mean over playouts of points scored + evaluation at the end",
    ),
    Info(
        "mcts",
        "twofold.players.mcts:Mcts",
        (
            Parameter(
                "iterations", int, None, "descents; 1000 if there is no other limit", minimum=1, maximum=10**9
            ),
            _nodes("positions searched"),
            _TIME,
            Parameter(
                "backup", str, "best", "how a node's value is computed from its children", ("best", "mean")
            ),
            Parameter(
                "c",
                float,
                0.5,
                "exploration, as a fraction of the range of values seen",
                minimum=0,
                maximum=100,
            ),
            _eval("highscore", "evaluation where a playout stops"),
            Parameter(
                "playout",
                int,
                None,
                "random moves below the tree; to the end of the game if not given",
                minimum=0,
                maximum=10**4,
            ),
            _MODEL,
        ),
        summary="Monte Carlo tree search: UCT with chance nodes",
        source="S2 5.2, S4 5.4 and 7.3; Kocsis and Szepesvari 2006",
        formula="descend by reward + V + c * range * sqrt(ln N / n); value of a move = reward + V(afterstate)",
    ),
    Info(
        "adls",
        "twofold.players.adls:Adls",
        (
            Parameter("depth", int, 3, "moves looked ahead", minimum=1, maximum=40),
            Parameter(
                "samples",
                int,
                None,
                "sampled trees; 100 if there is no other limit",
                minimum=1,
                maximum=10**9,
            ),
            _nodes("positions searched"),
            _TIME,
            _eval(),
            _MODEL,
        ),
        summary="average depth-limited search: expectimax on sampled trees, one spawn drawn at each chance node",
        source="S2 5.2",
        formula="value of a move = mean over sampled trees of max over moves of reward + V(next)",
    ),
    Info(
        "ntuple",
        "twofold.players.ntuple:Ntuple",
        (
            Parameter(
                "file",
                str,
                "",
                "network file; the one shipped with twofold if not given",
                is_file=True,
            ),
        ),
        summary="plays by a trained n-tuple network, without search",
        source="S0 future work; n-tuple networks: Szubert and Jaskowski 2014",
        formula="value of a move = points of its merges + network value of the afterstate",
    ),
    Info(
        "neural",
        "twofold.players.ntuple:Neural",
        (
            Parameter(
                "file",
                str,
                "",
                "network file; the one shipped with twofold if not given",
                is_file=True,
            ),
        ),
        summary="plays by a trained neural network, without search",
        source="S4 chapters 9 and 10: its neural player, fixed so that it learns; trained by `twofold train neural`",
        formula="value of a move = points of its merges + network value of the afterstate",
    ),
    Info(
        "optimal",
        "twofold.players.optimal:Optimal",
        (
            Parameter(
                "file",
                str,
                "",
                "a policy written by 'twofold exact solve'; without one, the player solves small games itself",
                is_file=True,
            ),
            Parameter(
                "goal",
                str,
                None,
                "what to maximise without a file; default: the target if the rules set one other than 2048, "
                "else the score",
                ("score", "target"),
            ),
        ),
        summary="plays a solved game perfectly",
        source="S4: the optimal algorithm",
        formula="V(state) = max over moves of reward + sum over spawns of P * V(next), over the whole game",
    ),
    Info(
        "formation",
        "twofold.players.formation:Formation",
        (
            Parameter(
                "file",
                str,
                "",
                "a folder of tables of 'twofold exact formations'; none if not given",
                is_file=True,
            ),
            Parameter("least", float, 0.0, "a table is heard from this probability on", minimum=0, maximum=1),
            Parameter(
                "promise", float, 20000.0, "points that a sure next tile is worth at a leaf", minimum=0
            ),
            Parameter(
                "depth", int, None, "moves looked ahead; 3 if no limit is given", minimum=1, maximum=40
            ),
            Parameter(
                "danger",
                int,
                0,
                "one move deeper where at most so many cells are empty",
                minimum=0,
                maximum=16,
            ),
            _nodes("positions looked at a move"),
            _TIME,
            _eval("block"),
            _TABLE,
        ),
        summary="expectimax that builds the block formation, and exact tables that play in it",
        source="S0, Perimeter Defense Formation; docs/guides/formations.md",
        formula="the move with the largest chance to make the next tile, where a table has it; else expectimax",
    ),
    Info(
        "strongest",
        "twofold.players.strongest:Strongest",
        (
            Parameter(
                "budget",
                float,
                4.0,
                "GiB of disk space for its tables, made on first use; 0 for none",
                minimum=0,
            ),
        ),
        summary="the best player at one or two milliseconds a move; makes its tables on first use, for minutes",
        source="docs/guides/formations.md",
        formula="formation:depth=4 with the tables in the user's cache folder",
    ),
    Info(
        "endgame",
        "twofold.players.endgame:Endgame",
        (
            Parameter(
                "file",
                str,
                REQUIRED,
                "a table written by 'twofold exact solve --lock --out', or a folder of them",
                is_file=True,
            ),
            Parameter(
                "then",
                str,
                "expectimax",
                "the player for all other boards, as name(key=value,...)",
                registry="twofold.players.registry:PLAYERS",
            ),
            Parameter(
                "least", float, 0.5, "use a table if its probability is at least this", minimum=0, maximum=1
            ),
            Parameter(
                "margin",
                float,
                0.0,
                "how much probability the other player's move may lose",
                minimum=0,
                maximum=1,
            ),
        ),
        summary="another player plus exact tables for endgames: large tiles locked, the next tile to be made",
        source="S4's optimal algorithm on positions with locked tiles",
        formula="the move of `then`, unless it gives up more than `margin` of P(next target tile)",
    ),
)
