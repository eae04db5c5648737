"""``twofold exact``: what solved games are for: look up, export, measure players, draw trees."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from twofold.ui.cli.commands import options
from twofold.ui.cli.commands.options import argument, flag, option
from twofold.ui.cli.output import print_json, print_text, run_interruptibly
from twofold.ui.cli.progress import ProgressLine

if TYPE_CHECKING:
    from twofold.coach.regret import Regret
    from twofold.exact.formation_tables import FormationTables
    from twofold.exact.policy import Policy
    from twofold.ui.cli.batch import Answer

PolicyFile = Annotated[str, argument("FILE", "A policy written by 'twofold exact solve --out'.")]


def value(
    file: PolicyFile,
    board: Annotated[str | None, argument("[BOARD]", "A board; a file of boards, or - for input.")] = None,
    json: options.Json = False,
    seed: options.UnusedSeed = None,
) -> None:
    """Look up the value of a position of a solved game, and of each move.

    FILE may also be a folder of 'twofold exact formations', or one of its tables: then values are the chances of
    making the next tile.
    """
    from twofold.exact.formation_sets import is_formation, load_set
    from twofold.exact.policy_file import load_policy
    from twofold.rules import parse_board
    from twofold.ui.cli.batch import answer_lines
    from twofold.ui.cli.inputs import find_boards

    if is_formation(file):
        tables = load_set(file)

        def answer(text: str, _place: int) -> Answer:
            return _formation_json(tables, parse_board(text))

    else:
        policy = load_policy(file)

        def answer(text: str, _place: int) -> Answer:
            return _value_json(policy, parse_board(text))

    found = find_boards(board, None)
    if not isinstance(found, str):
        raise typer.Exit(answer_lines(found, lambda: answer, json=json, show=_show_value, threads=1))
    result = answer(found, 0)
    if json:
        print_json(result)
    else:
        _show_value(result)


def _formation_json(tables: FormationTables, board: Any) -> dict[str, Any]:
    from twofold.errors import InvalidBoard, quote
    from twofold.rules import DIRECTIONS

    advice = tables.advice(board)
    if advice is None:
        raise InvalidBoard(
            f"{quote(str(board))} is not in these tables: they hold boards with six large tiles in a 2x3 block in a "
            "corner, different from their neighbours, and smaller tiles elsewhere"
        )
    return {
        "board": str(board),
        "objective": "probability",
        "target": 1 << advice.formation.rank,
        "table": advice.formation.name,
        "value": advice.chance,
        "best": advice.move.name,
        "values": {
            d.name: value if board.slide(d).changed else None
            for d, value in zip(DIRECTIONS, advice.values, strict=True)
        },
    }


def _value_json(policy: Policy, board: Any) -> dict[str, Any]:
    from twofold.rules import DIRECTIONS

    moves, best, told = policy.moves(board), policy.best(board), policy.problem.told
    answer: dict[str, Any] = {
        "board": str(board),
        "objective": policy.problem.objective,
        "target": policy.problem.target,
        "gamma": None if policy.problem.luck else policy.problem.gamma,
        "value": told(best.value if best else 0.0),
        "best": best.direction.name if best else None,
        "values": {d.name: None for d in DIRECTIONS}
        | {move.direction.name: told(move.value) for move in moves},
    }
    if policy.problem.is_probability:
        answer["loss"] = best.loss if best else 1.0
    return answer


def _show_value(answer: Answer) -> None:
    if "error" in answer:
        print_text(f"error: {answer['error']}")
        return
    values = "  ".join(f"{name} {'-' if v is None else f'{v:.12g}'}" for name, v in answer["values"].items())
    loss = f", loses {answer['loss']:.6g}" if 0 < answer.get("loss", 0) < 0.5 else ""
    worth = "never" if answer["value"] is None else f"{answer['value']:.15g}"
    print_text(f"{worth}   {answer['best'] or 'none':<5}   ({values}){loss}")


def moves(file: PolicyFile, json: options.Json = False, seed: options.UnusedSeed = None) -> None:
    """Show how many moves a solved target takes: at least, at most if it is certain, and on average."""
    import math

    from twofold.exact.certain import count_moves
    from twofold.exact.policy_file import load_policy

    policy = load_policy(file)
    with ProgressLine("positions searched") as line:
        found = run_interruptibly(lambda: count_moves(policy, line.show))
    if json:
        rows = [
            {
                "board": str(board),
                "fewest": None if math.isinf(each.fewest) else each.fewest,
                "surely": None if math.isinf(each.surely) else each.surely,
                "expected": each.expected,
            }
            for board, each in found.items()
        ]
        print_json({"target": policy.problem.target, "starts": rows})
        return
    for board, each in found.items():
        surely = "never certain" if math.isinf(each.surely) else f"certain within {each.surely:g}"
        least = "out of reach" if math.isinf(each.fewest) else f"at least {each.fewest:g}"
        print_text(f"{board}   {least}, {surely}, best play takes {each.expected:.6g} on average")


def count(
    board: Annotated[str | None, argument("[BOARD]", "The start; without one: S4's table 4.1.")] = None,
    target: options.Target = None,
    json: options.Json = False,
    seed: options.UnusedSeed = None,
) -> None:
    """Count the states of a small game, as report S4 does and in full, with its probability as an exact fraction."""
    from twofold.arena.text import markdown
    from twofold.errors import InvalidParameter
    from twofold.exact.depth_first import count as counted
    from twofold.exact.depth_first import printed_table
    from twofold.rules import parse_board
    from twofold.rules.variant import Variant

    if board is None:
        if target is not None:
            raise InvalidParameter("--target needs a BOARD to start from, '2 2|. .' for example")
        head, *rows = table = printed_table()
        if json:
            print_json({"table": [dict(zip(head, row, strict=True)) for row in rows]})
        else:
            print_text(markdown(table).rstrip())
        return
    start = parse_board(board)
    rules = Variant(start) if target is None else Variant(start, target=target)
    found = run_interruptibly(lambda: counted(start, rules.target))
    if json:
        numbers = {"searched": found.searched, "alive": found.alive, "lost": found.lost}
        print_json({"target": rules.target, "probability": str(found.probability), **numbers})
        return
    print_text(f"probability of {rules.target}: {found.probability} = {float(found.probability):.15g}")
    print_text(
        f"{found.searched:,} states in S4's search; {found.alive:,} with a move and {found.lost:,} lost in all"
    )


def export(
    file: PolicyFile,
    out: Annotated[str, option("--out", "FILE", "A .csv or .parquet file, or an .sqlite database.", False)],
    json: options.Json = False,
    seed: options.UnusedSeed = None,
) -> None:
    """Export every afterstate of a policy with its value, as a table."""
    from twofold.exact.export import check_table, write_table
    from twofold.exact.policy_file import load_policy

    check_table(out)
    policy = load_policy(file)
    with ProgressLine("rows", int(policy.facts["afterstates"])) as line:
        rows = run_interruptibly(lambda: write_table(policy, out, line.show))
    if json:
        print_json({"file": out, "rows": rows, "bytes": Path(out).stat().st_size})
    else:
        print_text(f"{out}: {rows:,} rows, {Path(out).stat().st_size:,} bytes")


def regret(
    file: PolicyFile,
    player: options.PlayerText = None,
    games: Annotated[
        int, flag("--games", "Games to play; 0: exactly, over every position the player can reach.", min=0)
    ] = 100,
    json: options.Json = False,
    seed: options.Seed = None,
) -> None:
    """Measure how much a player loses against the solution, per move and per game, and where."""
    from twofold.coach.regret import enumerated_regret, played_regret
    from twofold.exact.policy_file import load_policy
    from twofold.players.defaults import DEFAULT_PLAYER
    from twofold.players.registry import make_player

    policy = load_policy(file)
    first_seed = options.checked_seed(seed)
    text = player if player is not None else DEFAULT_PLAYER

    line = ProgressLine("games", games) if games else ProgressLine("positions")

    def measure() -> Regret:
        made = make_player(text)
        if games:
            return played_regret(policy, made, games, first_seed, line.show)
        return enumerated_regret(policy, made, line.show)

    with line:
        found = run_interruptibly(measure)
    if json:
        print_json(_regret_json(found))
        return
    how = f"in {found.games:,} games ± {found.error:.3g}" if found.games else "exactly"
    print_text(f"{found.player}: {found.value:.12g} {how}; the solution: {found.optimal:.12g}")
    print_text(
        f"regret {found.per_move:.6g} per move, {found.per_game:.6g} per game; "
        f"{found.best_moves:,} of {found.moves:,} moves are best"
    )
    for each in found.worst:
        print_text(f"  {each.board}   {each.played.name} instead of {each.best.name}: {each.regret:.6g}")


def _regret_json(found: Regret) -> dict[str, Any]:
    answer = {each.name: getattr(found, each.name) for each in fields(found)}
    answer["worst"] = [
        {"board": str(m.board), "played": m.played.name, "best": m.best.name, "regret": m.regret}
        for m in found.worst
    ]
    return answer


@options.rules("target p4 spawn spawn_value spawn_values")
def tree(
    board: Annotated[str, argument("BOARD", "The position to start from.")],
    depth: Annotated[int | None, option("--depth", "N", "Moves looked ahead.", "the whole game")] = None,
    eval: Annotated[str | None, option("--eval", "TEXT", "Evaluation at the depth limit.", "0")] = None,
    *,
    rules: options.Rules,
    full: Annotated[bool, flag("--full", "A plain tree: equal positions are not merged.")] = False,
    symmetric: Annotated[bool, flag("--symmetric", "Also merge symmetric positions.")] = False,
    worst: Annotated[bool, flag("--worst", "Assume the worst spawn instead of a random one.")] = False,
    format: Annotated[str, option("--format", "NAME", "text, dot, mermaid or svg.")] = "text",
    out: Annotated[str | None, option("--out", "FILE", "File to write.", False)] = None,
    most: Annotated[int, option("--most", "N", "Maximum number of nodes.", min=1)] = 200_000,
    json: options.Json = False,
    seed: options.UnusedSeed = None,
) -> None:
    """Draw the decision tree of a position, for the score or for the chance of a --target."""
    from twofold.errors import UnknownFormat
    from twofold.exact.diagrams import FORMATS, HEADS, draw
    from twofold.exact.tree import build
    from twofold.files import check_target, write_file
    from twofold.rules import DIRECTIONS, parse_board

    if format not in FORMATS:
        raise UnknownFormat(format, FORMATS)
    if out is not None:
        check_target(out, f"a tree as {format}", HEADS[format])
    state = rules.to_state(parse_board(board))
    made = run_interruptibly(
        lambda: build(
            state.board,
            state.variant,
            target=rules.target,
            depth=depth,
            evaluation=eval,
            merged=not full,
            symmetric=symmetric,
            worst=worst,
            most=most,
        )
    )
    if out is not None:
        write_file(out, draw(made, format))
    if json:
        kinds: dict[str, int] = {}
        for node, _ in made.nodes():
            kinds[node.kind] = kinds.get(node.kind, 0) + 1
        print_json(
            {
                "board": str(made.root.board),
                "value": made.root.value,
                "values": {d.name: v for d, v in zip(DIRECTIONS, made.values, strict=True)},
                "nodes": kinds,
                "file": out,
            }
        )
    elif out is None:
        print_text(draw(made, format).rstrip("\n"))
    else:
        print_text(f"{out}: {sum(1 for _ in made.nodes()):,} nodes, value {made.root.value:.12g}")
