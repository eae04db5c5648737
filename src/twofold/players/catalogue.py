"""The built-in players: names, parameters and where to find them. Plain data, imported before any listing.

Keep this module free of imports that cost time: factories are named by text.
"""

from __future__ import annotations

from twofold.players.registry import register
from twofold.registry import Parameter

register(
    "random",
    "twofold.players.simple:RandomPlayer",
    summary="any legal move, each as likely as the others",
    source="S0, S4: the baseline of every table",
)
register(
    "greedy",
    "twofold.players.simple:GreedyPlayer",
    summary="the move with the largest immediate reward",
    source="S4: one step of lookahead on the score",
    formula="value of a move = points of its merges; ties: the first of UP, RIGHT, DOWN, LEFT",
)
register(
    "scripted",
    "twofold.players.simple:ScriptedPlayer",
    (
        Parameter(
            "moves", str, "LDRD", "letters U, R, D, L; letter m (from 0) is for the move after m moves"
        ),
        Parameter("illegal", str, "error", "what an illegal letter means", ("error", "skip")),
        Parameter("then", str, "stop", "what follows the last letter", ("stop", "repeat")),
    ),
    summary="plays given letters, for tests and for the blind habits people have (like LDRD, then=repeat)",
    source="S4 14.4: letters as input",
    formula="with illegal=skip: the first legal letter from number m on, going round, else the first legal move",
)
register(
    "human",
    "twofold.players.simple:HumanPlayer",
    summary="asks you: arrows, WASD, HJKL; u undo, r redo, x restart, q quit in the terminal game",
    source="S4 14.4",
)
register(
    "expectimax",
    "twofold.players.expectimax:ExpectimaxPlayer",
    (
        Parameter("depth", int, None, "moves looked ahead", minimum=1, maximum=40),
        Parameter("adaptive", bool, False, "depth max(3, distinct tiles - 2) + 1, or less if depth is given"),
        Parameter("nodes", int, None, "positions looked at, by iterative deepening; 500000 if no depth or time is given", minimum=1, maximum=10**12),
        Parameter("time", float, None, "seconds per move, by iterative deepening", minimum=1e-4, maximum=86400),
        Parameter(
            "eval", str, "default", "evaluation at the leaves", normalise="twofold.values.registry:canonical_text"
        ),
        Parameter("cut", float, 0.0, "value branches below this probability at once", minimum=0, maximum=1),
        Parameter("four_cut", float, 0.0, "below this probability only 2s spawn", minimum=0, maximum=1),
        Parameter("deeper", bool, False, "use table entries searched deeper than asked"),
        Parameter("table", int, 18, "2^table entries in the transposition table, 0 for none", minimum=0, maximum=26),
        Parameter("model", str, "variant", "spawns that the search expects", ("variant", "random")),
    ),
    summary="averages over spawns, maximises over moves",
    source="S2, S3; adaptive depth and probability cut as in nneonneo's 2048-ai",
    formula="V(state) = max over moves of reward + sum over spawns of P * V(next); "
    "leaves are valued after the last move",
)
register(
    "ntuple",
    "twofold.players.ntuple:NtuplePlayer",
    (Parameter("file", str, "", "the network's file; the one that comes with twofold if not given"),),
    summary="follows a trained tuple network, without search",
    source="S0 future work; tuple networks: Szubert and Jaskowski 2014",
    formula="value of a move = points of its merges + network value of the afterstate",
)
