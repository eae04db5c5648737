"""The tables of the five reports S0 to S4 and the ladder of all players: definitions only, nothing is played."""

from __future__ import annotations

from twofold.arena.tables import Line, Section, TableInfo
from twofold.errors import InvalidParameter, did_you_mean, quote

_TILES = ("512", "1024", "2048")


def _lookahead(label: str, player: str, *seeds: float | str | None) -> Line:
    given = {tile: seed for tile, seed in zip(_TILES, seeds, strict=False) if seed is not None}
    return Line(label, player, given)


_S4 = TableInfo(
    "s4",
    "S4: lookahead, order matrices, threads",
    "S4's `steps=N` behaves like N + 1 player moves, which is what `lookahead:steps=N` does. A game ends when it makes "
    "2048, as in S4, so one run gives the rates of all three targets.",
    (
        Section(
            "Lookahead (7.2.3, 7.2.5)",
            (
                _lookahead("empty, 2 steps", "lookahead:steps=2,eval=empty", 100, 85, 15),
                _lookahead("highscore, 2 steps", "lookahead:steps=2,eval=highscore", 100, 97, 29),
                _lookahead("highscore, 3 steps", "lookahead:steps=3,eval=highscore", None, None, 69),
                _lookahead("empty, 1 step: two moves, S4's prose", "lookahead:steps=1,eval=empty"),
            ),
            _TILES,
            stop_at_target=True,
            report_games=100,
        ),
        Section(
            "Order matrices (11.3)",
            (
                _lookahead("row 1", "lookahead:eval=order(shape=gradient,ratio=1.5)", None, None, 46),
                _lookahead("row 2", "lookahead:eval=order(shape=gradient,ratio=16)", None, None, 15),
                _lookahead("row 3", "lookahead:eval=order(shape=gradient)", None, None, 80),
                _lookahead("row 4", "lookahead:eval=order(ratio=1)", None, None, 0),
                _lookahead("row 5", "lookahead:eval=order(ratio=1.5)", None, None, 92),
                _lookahead("rows 6, 7, 8: one matrix, three targets", "lookahead", 100, 98, 91),
                _lookahead("row 9: the same, 3 steps", "lookahead:steps=3", None, None, 94),
                _lookahead("row 10: the best, 2 steps", "lookahead:eval=order(ratio=4)", None, None, 97),
                _lookahead(
                    "row 11: the best, 3 steps", "lookahead:steps=3,eval=order(ratio=4)", None, None, 97
                ),
            ),
            _TILES,
            stop_at_target=True,
            report_games=100,
            text="S4's matrices are lost pictures, so a row here has a matrix of ours: `shape` along a snake or along "
            "diagonals, each weight `ratio` times the next one. A row can be compared with S4's best, not with the row "
            "of the same number: the bad ones in S4 were bad because of their matrix.",
        ),
        Section(
            "Threads (8)",
            (
                Line(
                    "1 step, 100 games, 1 thread",
                    "lookahead:steps=1,eval=highscore",
                    {"seconds": 44},
                    games=100,
                ),
                Line(
                    "1 step, 100 games, 2 threads",
                    "lookahead:steps=1,eval=highscore,threads=2",
                    {"seconds": 16},
                    games=100,
                ),
                Line(
                    "2 steps, 100 games, 1 thread", "lookahead:eval=highscore", {"seconds": 1378}, games=100
                ),
                Line(
                    "2 steps, 100 games, 2 threads",
                    "lookahead:eval=highscore,threads=2",
                    {"seconds": 296},
                    games=100,
                ),
                Line(
                    "3 steps, 5 games, 1 thread",
                    "lookahead:steps=3,eval=highscore",
                    {"seconds": 1279},
                    games=5,
                ),
                Line(
                    "3 steps, 5 games, 2 threads",
                    "lookahead:steps=3,eval=highscore,threads=2",
                    {"seconds": 290},
                    games=5,
                ),
            ),
            ("seconds", "ms", "nodes", "2048"),
            stop_at_target=True,
            one_job=True,
            text="Seconds of thinking. S4 does not say how many threads it had; the games are the same with any number "
            "of them.",
        ),
        Section(
            "Neural network (9, 10)",
            (Line("neural network, greedy", "neural", {"2048": 0, "1024": 0, "512": 0}),),
            _TILES,
            stop_at_target=True,
            games=100,
            text="S4's network never made a tile above 64. docs/log/neural.md tells why, and how this one learned.",
        ),
    ),
)


def _s3() -> TableInfo:
    averages = {
        1: (268.8, 294.4, 345.6, 313.6),
        2: (633.6, 921.6, 1996.8, 2278.4),
        3: (896, 1484.8, 4608, 4300.8),
    }
    best = {1: (512, 512, 1024, 512), 2: (1024, 2048, 4096, 4096), 3: (1024, 4096, 8192, 8192)}
    worst = {1: (128, 256, 128, 128), 2: (128, 512, 1024, 512), 3: (512, 1024, 2048, 2048)}
    lines = []
    for ply in (1, 2, 3, 4):
        for i, name in enumerate(("h1", "h2", "h3", "h4")):
            seed: dict[str, float | str] = {}
            if ply in averages:
                seed = {
                    "mean-max": averages[ply][i],
                    "best-max": str(best[ply][i]),
                    "worst-max": str(worst[ply][i]),
                }
            else:
                seed = dict.fromkeys(("mean-max", "best-max", "worst-max"), "blank")
            lines.append(Line(f"{ply}-ply, heuristic {i + 1}", f"expectimax:depth={ply},eval={name}", seed))
    return TableInfo(
        "s3",
        "S3: expectimax with four heuristics",
        "S3 played 20 games of each and left the row of 4-ply blank; a ply is a move of the player. The best and the "
        "worst of more games are further apart than those of 20, so only the averages are compared; S3 does not tell "
        "how much its games spread, so the verdict takes the spread of ours.",
        (
            Section(
                "Highest tiles",
                tuple(lines),
                ("mean-max", "best-max", "worst-max", "score", "ms"),
                games=20,
                picture="time",
                report_games=20,
            ),
        ),
    )


_S1 = TableInfo(
    "s1",
    "S1: alpha-beta",
    "S1's depth counts single layers, so its 1, 3, 5, 7 are 1, 2, 3, 4 moves of the player.",
    (
        Section(
            "Wins",
            tuple(
                Line(f"depth {2 * depth - 1}", f"minimax:depth={depth}", {"2048": rate})
                for depth, rate in ((1, 0), (2, 0), (3, 40), (4, 70))
            ),
            ("2048", "1024", "score", "ms", "nodes", "pruned"),
            stop_at_target=True,
            report_games=10,
        ),
        Section(
            "The evaluation as S1 printed it",
            tuple(
                Line(f"depth {2 * depth - 1}, {words}", f"minimax:depth={depth},eval=sah({key})")
                for words, key in (("plus clustering", "sign=1"), ("S1's code", "as_printed=1"))
                for depth in (2, 3)
            ),
            ("2048", "1024", "score"),
            games=20,
            stop_at_target=True,
        ),
    ),
)


def _formula(rows: int, columns: int, depth: int) -> float:
    """S2 6.1 for 2·depth − 1 layers, without the factor m²n² for the work at a node."""
    layers = 2 * depth - 1
    return float(round((4 * (rows * columns - 1)) ** (layers / 2)))


def _s2() -> TableInfo:
    twos = "4x4;p4=0"
    cuts = tuple(
        Line(
            f"cut {cut}" if cut else "nothing cut",
            f"expectimax:depth=4,eval=snake,cut={cut}" if cut else "expectimax:depth=4,eval=snake",
        )
        for cut in ("", "0.0001", "0.001", "0.01", "0.1")
    )
    early = "4x4;target=64"
    depths = tuple(
        Line(
            f"4x4, {depth} moves",
            f"expectimax:depth={depth},eval=snake,table=0",
            {"nodes": _formula(4, 4, depth)},
            early,
        )
        for depth in (1, 2, 3, 4)
    )
    sizes = tuple(
        Line(
            f"{rows}x{columns}, 3 moves",
            "expectimax:depth=3,eval=snake,table=0",
            {"nodes": _formula(rows, columns, 3)},
            f"{rows}x{columns};target=64",
        )
        for rows, columns in ((3, 3), (3, 4), (4, 4), (4, 5), (5, 5))
    )
    return TableInfo(
        "s2",
        "S2: snake against diagonal, pruning, cost",
        "",
        (
            Section(
                "Snake against diagonal",
                tuple(
                    Line(f"{name}, {depth} moves", f"expectimax:depth={depth},eval={name}", {}, twos)
                    for depth in (1, 2)
                    for name in ("snake", "diagonal")
                ),
                ("score", "1024", "2048", "4096", "ms"),
                text="S2 played 100 games of each with 2s only, at a depth that it does not tell, and found no "
                "significant difference.",
                pairs=((0, 1), (2, 3)),
            ),
            Section(
                "Pruning by probability",
                cuts,
                ("score", "2048", "nodes", "pruned", "hits", "ms"),
                games=10,
                text="S2's deliverable 7: branches less likely than `cut` are valued at once. Four moves ahead.",
                pairs=tuple((0, i) for i in range(1, len(cuts))),
                picture="time",
            ),
            Section(
                "Cost and depth",
                depths,
                ("nodes", "ms"),
                games=3,
                stop_at_target=True,
                text="Without a transposition table, from the start to the tile 64. S2 6.1 derives "
                "O(4^(d/2) (mn−1)^(d/2) m²n²) for d layers; *report* is 4^(d/2) (mn−1)^(d/2). It assumes an empty "
                "board and forgets that two tile values may spawn, which doubles a spawn layer.",
                picture="cost",
            ),
            Section(
                "Cost and size of the board",
                sizes,
                ("nodes", "ms"),
                games=3,
                stop_at_target=True,
                picture="cost",
            ),
        ),
    )


_FIRST = "chain(largest=4,monotonicity=64,empty=64,chain=1,shift=16,adjacent=1)"
_BY_HAND = "chain(largest=2,monotonicity=600,empty=600,chain=-0.3,shift=150,adjacent=0.5)"
_EARLIER = "chain-both(monotonicity=0,empty=0,shift=0,adjacent=0,largest=1,chain=1,length=100,locked=100)"
_S0 = TableInfo(
    "s0",
    "S0: the chain solver",
    "",
    (
        Section(
            "Weights",
            tuple(
                Line(label, player, {"2048": 25, "1024": 79})
                for label, player in (
                    ("tuned, the default", "chain"),
                    ("by hand, after the correlations", f"chain:eval={_BY_HAND}"),
                    ("by hand", f"chain:eval={_FIRST}"),
                )
            ),
            ("512", "1024", "2048", "mean-max", "best-max", "worst-max", "score", "ms"),
            games=1000,
            text="Of figure 30 too, the average highest tile. "
            "S0's weights, found by its genetic algorithm, are a lost picture, and it does not tell how many "
            "games its rates are from. docs/log/tuning.md tells how these were found. The best board of "
            "the future decides.",
        ),
        Section(
            "Modes and the first player",
            (
                Line("best board", "chain", games=100),
                *(
                    Line(label, f"chain:{key}")
                    for label, key in (
                        ("sum of (p/u)·value", "mode=sum,eval=chain(dead=0)"),
                        ("mean of (p/u)·value", "mode=mean,eval=chain(dead=0)"),
                        ("difference to the board before", "mode=difference"),
                        ("the same, with S0's earlier features", f"mode=difference,eval={_EARLIER}"),
                        ("best board, window 0.5", "window=0.5"),
                    )
                ),
                Line("ordered conditions", "rules"),
                Line("the same, locked lines before merges", "rules:order=locks"),
                Line("random", "random"),
            ),
            ("512", "1024", "2048", "mean-max", "best-max", "worst-max", "score", "ms"),
            games=100,
            text="S0's figure 14 says that sums and means over the futures do badly. The best weights of the section "
            "above; for sums and means a dead board counts as 0, for S0 tells of no penalty. Only the first row plays "
            "in a compiled loop, so times of a move can't be compared.",
            pairs=tuple((0, i) for i in range(1, 5)),
        ),
        Section(
            "Chaining or monotonicity",
            tuple(
                Line(label, f"chain:eval=chain({weights})" if weights else "chain")
                for label, weights in (
                    ("all six features", ""),
                    ("without the chain", "chain=0"),
                    ("without monotonicity", "monotonicity=0"),
                    ("without both", "chain=0,monotonicity=0"),
                    ("the chain alone", "largest=0,monotonicity=0,empty=0,chain=1,shift=0,adjacent=0"),
                    ("monotonicity alone", "largest=0,monotonicity=1,empty=0,chain=0,shift=0,adjacent=0"),
                    ("the chain and empty cells", "largest=0,monotonicity=0,chain=1,shift=0,adjacent=0"),
                    ("monotonicity and empty cells", "largest=0,chain=0,shift=0,adjacent=0"),
                )
            ),
            ("512", "1024", "2048", "mean-max", "score"),
            games=200,
            text="S0 asks at its end whether its trust in chains was misplaced, for other solvers do better with "
            "monotonicity. A feature is left out of the tuned weights, or is alone, or with empty cells.",
            pairs=((0, 1), (0, 2), (7, 6)),
        ),
    ),
)

LADDER = (
    "random",
    "greedy",
    "rules",
    "chain",
    "expectimax:depth=1",
    "neural",
    "ntuple",
    "lookahead:steps=1",
    "expectimax:depth=2",
    "montecarlo:playouts=50",
    "mcts:iterations=500",
    "adls:depth=2,samples=20",
    "minimax:depth=3",
    "lookahead",
    "expectimax:depth=2,eval=network",
    "expectimax:depth=2,eval=neural",
    "expectimax:depth=3",
    "expectimax:nodes=20000",
    "expectimax:depth=3,eval=network",
    "expectimax:nodes=200000",
)
"""The players of the ladder, quick ones first, so that what they leave of the time is for the slow ones.

Players that think for minutes a game, as the default one, have a table of their own (benchmarks.studies.strength)."""

_LADDER = TableInfo(
    "ladder",
    "Every player on the same seeds",
    "All play the classic game to its end, game 0, 1, 2, … of the same seed: slow players as many as the time allows. "
    "*Score per ms* is the mean score over the milliseconds that a move takes. `python -m benchmarks.studies.ladder` "
    "plays it and writes this page.",
    (
        Section(
            "Ladder",
            tuple(Line(player, player) for player in LADDER),
            ("score", "1024", "2048", "8192", "16384", "ms", "score-per-ms"),
            picture="time",
            ranked=True,
        ),
    ),
)


def tables() -> dict[str, TableInfo]:
    """All tables by name."""
    return {info.name: info for info in (_S0, _S1, _s2(), _s3(), _S4, _LADDER)}


def table(name: str) -> TableInfo:
    """The table called `name`; raises InvalidParameter with those that there are."""
    known = tables()
    if name not in known:
        raise InvalidParameter(f"no table {quote(name)}: {', '.join(known)}{did_you_mean(name, known)}")
    return known[name]
