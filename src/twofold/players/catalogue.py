"""The built-in players: names, parameters and where to find them. Plain data, imported before any listing.

Keep this module free of imports that cost time: factories are named by text.
"""

from __future__ import annotations

from twofold.notation import parameters
from twofold.players.defaults import HAND_MADE_NODES, LEARNED_NODES, default_texts
from twofold.registry import Info

_TIME = "time  float 1e-4..86400  seconds per move"

_TABLE = "table=18  int 0..26  2^table entries in the transposition table, 0 for none"

_MODEL = "model=variant  variant|random  spawns that the search expects"

_NETWORK = "file=  file  network file; the one shipped with twofold if not given"

BUILT_IN: tuple[Info, ...] = (
    Info(
        "default",
        "twofold.players.default:Default",
        parameters(f"""
            nodes  int 1..1e12          positions searched per move; without a time {LEARNED_NODES} with the network, \
                else {HAND_MADE_NODES}
            {_TIME}
        """),
        summary="the default player: expectimax, with the network at the leaves on the open 4x4 board",
        source="docs/results/strength.md; the network: docs/guides/learning.md",
        formula="open 4x4: {}; all other boards: {}".format(*default_texts()),
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
        parameters("""
            moves=LDRD     text         letters U, R, D, L; letter m (from 0) is for the move after m moves
            illegal=error  error|skip   what an illegal letter means
            then=stop      stop|repeat  what to do after the last letter
        """),
        summary="plays a fixed sequence of moves, for tests and for blind habits such as LDRD with then=repeat",
        source="S4 14.4: letters as input",
        formula="with illegal=skip: the first legal letter from number m on, cyclically, else the first legal move",
    ),
    Info(
        "human",
        "twofold.players.simple:Human",
        summary="asks you: arrows, WASD, HJKL; u undo, r redo, x restart, q quit in the terminal game",
        source="S4 14.4",
        alone=True,
    ),
    Info(
        "expectimax",
        "twofold.players.expectimax:Expectimax",
        parameters(f"""
            depth          int 1..40            moves looked ahead
            adaptive=0     bool                 depth max(3, distinct tiles - 2) + 1, or less if depth is given
            danger=0       int 0..400           search one move deeper if at most this many cells are empty; 0: never
            nodes          int 1..1e12          positions searched, by iterative deepening; 500000 if no depth or \
                time is given
            {_TIME}
            eval=default   evaluation           evaluation at the leaves
            cut=0          float 0..1           evaluate branches below this probability without search
            four_cut=0     float 0..1           assume that only 2s spawn below this probability
            bound=0        float 0..            assumed maximum that search adds to a move's value; moves too far \
                behind are skipped; 0: none
            deeper=0       bool                 use table entries that were searched deeper than needed
            {_TABLE}
            {_MODEL}
        """),
        summary="averages over spawns, maximises over moves",
        source="S2, S3; adaptive depth and probability cut as in nneonneo's 2048-ai",
        formula="V(state) = max over moves of reward + sum over spawns of P * V(next); "
        "leaves are evaluated after the last move; rewards count if the evaluation is in points",
    ),
    Info(
        "lookahead",
        "twofold.players.lookahead:Lookahead",
        parameters(f"""
            steps=2        int 0..39       moves looked ahead after the first
            eval=order     evaluation      evaluation at the leaves
            threads=1      int 1..256      threads that search one position
            {_TABLE}
            {_MODEL}
        """),
        summary="Bellman backup over moves and all spawns, nothing pruned",
        source="S4 chapters 7, 8 and 11.2; its steps=N behaves like N + 1 moves",
        formula="V(state) = max over moves of reward + sum over spawns of P * V(next), steps + 1 moves deep; "
        "threads=T gives the values of one thread bit for bit",
    ),
    Info(
        "minimax",
        "twofold.players.minimax:Minimax",
        parameters(f"""
            depth          int 1..40            moves looked ahead
            nodes          int 1..1e12          positions searched, by iterative deepening; 100000 if no depth or \
                time is given
            {_TIME}
            eval=sah       evaluation           evaluation at the leaves
            {_TABLE}
            order=1        bool                 try promising moves and refuting spawns first
            {_MODEL}
        """),
        summary="assumes the worst spawn; alpha-beta search",
        source="S1, S2 5.2; S1's depths 1, 3, 5, 7 count layers and are 1, 2, 3, 4 here",
        formula="V(state) = max over moves of reward + min over spawns of V(next)",
    ),
    Info(
        "chain",
        "twofold.players.chain:Chain",
        parameters(f"""
            depth=2        int 1..6                  moves looked ahead
            mode=best      best|sum|mean|difference  how the values of the futures are combined
            window         float 0..1e9              explore only futures valued at least best - window * |best|
            along=0        bool                      sum, mean: multiply p/u along the path
            eval=chain     evaluation                evaluation of the futures
            {_MODEL}
        """),
        summary="the move that can lead to the best board",
        source="S0, Gameplay Solver, Future Observation",
        formula="best: the largest value of a board after 1 .. depth moves and spawns; sum, mean: of (p/u) * value "
        "over these boards, where p is the chance of the last tile's value and u the number of cells where it "
        "could have appeared; difference: value after the move - value now",
    ),
    Info(
        "rules",
        "twofold.players.rules:Rules",
        parameters("""
            order=merges  merges|locks  what is checked first once the largest tile is in place
        """),
        summary="checks conditions in order: largest tile to a corner, merges, the chain, locked lines",
        source="S0, Formulation of Heuristics: its first player",
        formula="value of a move = the number of conditions it passed; the note names the one that decided",
    ),
    Info(
        "montecarlo",
        "twofold.players.montecarlo:MonteCarlo",
        parameters(f"""
            playouts        int 1..1e9           playouts per move; 100 if there is no other limit
            depth           int 1..10000         moves per playout; to the end of the game if not given
            nodes           int 1..1e12          positions searched
            {_TIME}
            eval=highscore  evaluation           evaluation where a playout stops
            {_MODEL}
        """),
        summary="the move after which random play does best",
        source="S2 5.2, S4 7.3",
        formula="value of a move = its reward + mean over playouts of points scored + evaluation at the end",
    ),
    Info(
        "mcts",
        "twofold.players.mcts:Mcts",
        parameters(f"""
            iterations      int 1..1e9           descents; 1000 if there is no other limit
            nodes           int 1..1e12          positions searched
            {_TIME}
            backup=best     best|mean            how a node's value is computed from its children
            c=0.5           float 0..100         exploration, as a fraction of the range of values seen
            eval=highscore  evaluation           evaluation where a playout stops
            playout         int 0..10000         random moves below the tree; to the end of the game if not given
            {_MODEL}
        """),
        summary="Monte Carlo tree search: UCT with chance nodes",
        source="S2 5.2, S4 5.4 and 7.3; Kocsis and Szepesvari 2006",
        formula="descend by reward + V + c * range * sqrt(ln N / n), where N and n are the visits of the state and of "
        "the move; value of a move = reward + V(afterstate)",
    ),
    Info(
        "adls",
        "twofold.players.adls:Adls",
        parameters(f"""
            depth=3        int 1..40            moves looked ahead
            samples        int 1..1e9           sampled trees; 100 if there is no other limit
            nodes          int 1..1e12          positions searched
            {_TIME}
            eval=default   evaluation           evaluation at the leaves
            {_MODEL}
        """),
        summary="average depth-limited search: expectimax on sampled trees, one spawn drawn at each chance node",
        source="S2 5.2",
        formula="value of a move = reward + mean over sampled trees of V(afterstate); V(afterstate) = max of reward + "
        "V(next afterstate) over the moves after the one spawn that is drawn",
    ),
    Info(
        "ntuple",
        "twofold.players.ntuple:Ntuple",
        parameters(_NETWORK),
        summary="plays with a trained n-tuple network, without search",
        source="S0 future work; n-tuple networks: Szubert and Jaskowski 2014",
        formula="value of a move = points of its merges + network value of the afterstate",
    ),
    Info(
        "neural",
        "twofold.players.ntuple:Neural",
        parameters(_NETWORK),
        summary="plays with a trained neural network, without search",
        source="S4 chapters 9 and 10: its neural player, changed so that it learns; trained by `twofold train neural`",
        formula="value of a move = points of its merges + network value of the afterstate",
    ),
    Info(
        "s4",
        "twofold.players.s4:S4",
        parameters("""
            file=!  file  a network written by 'twofold train s4 --save'
        """),
        summary="plays with a network of S4's kind, without search",
        source="S4 chapters 9 and 10: the network as the report describes it, or with some of its choices changed",
        formula="the network's output for the move, or its points + discount * the network's value of the afterstate",
    ),
    Info(
        "optimal",
        "twofold.players.optimal:Optimal",
        parameters("""
            file=  file          a policy written by 'twofold exact solve'; without one, the player solves small \
                games itself
            goal   score|target  what to maximise without a file; default: the target if the rules set one other \
                than 2048, else the score
        """),
        summary="plays a solved game perfectly",
        source="S4: the optimal algorithm",
        formula="V(state) = max over moves of reward + sum over spawns of P * V(next), over the whole game",
    ),
    Info(
        "formation",
        "twofold.players.formation:Formation",
        parameters(f"""
            file=          file                 a folder of tables from 'twofold exact formations'; none if not given
            least=0        float 0..1           use a table if its chance is at least this
            promise=20000  float 0..            points that a leaf gains if the next tile is certain
            opening        player               plays until a tile of `until` is made, as name(key=value,...)
            until=16384    int 4..32768         a tile, a power of two
            depth          int 1..40            moves looked ahead
            nodes          int 1..1e12          positions searched per move; 80000 if no limit is given
            {_TIME}
            cut=0.003      float 0..1           evaluate branches below this probability without search
            eval=corner    evaluation           evaluation at the leaves
            {_TABLE}
        """),
        summary="plays the block formation from exact tables, and builds it by expectimax",
        source="S0, Perimeter Defense Formation; docs/guides/formations.md",
        formula="the move with the largest chance of the next tile, if the board is in a table; otherwise expectimax",
    ),
    Info(
        "strongest",
        "twofold.players.strongest:Strongest",
        parameters("""
            budget=4      float 0..      GiB of disk space for its tables, made on first use; 0 for none
            nodes=500000  int 1..1e12    maximum positions searched per move, once it has made 16384
        """),
        summary="the strongest player, about a millisecond per move; making its tables on first use takes minutes",
        source="docs/guides/formations.md",
        formula="formation:opening=expectimax(depth=3,eval=network),nodes=NODES,cut=CUT with the tables in the user's "
        "cache folder; CUT is 0.001 from 500000 nodes on, else 0.003",
    ),
    Info(
        "endgame",
        "twofold.players.endgame:Endgame",
        parameters("""
            file=!           file        a table written by 'twofold exact solve --lock --out', or a folder of them
            then=expectimax  player      the player for all other boards, as name(key=value,...)
            least=0.5        float 0..1  use a table if its probability is at least this
            margin=0         float 0..1  how much probability the other player's move may lose
        """),
        summary="another player plus exact tables for endgames, with large tiles locked until the next tile is made",
        source="S4's optimal algorithm on positions with locked tiles",
        formula="the move of `then`, unless it gives up more than `margin` of P(next target tile)",
    ),
)
