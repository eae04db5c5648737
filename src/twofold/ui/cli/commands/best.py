"""``twofold best``: the best move for a board, or for each board of a list, by one or several players."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from twofold.ui.cli.commands import options
from twofold.ui.cli.commands.options import option
from twofold.ui.cli.output import make_console, print_json, print_text, run_interruptibly

if TYPE_CHECKING:
    from twofold.players.base import Decision, Player
    from twofold.rules import Board, State
    from twofold.ui.cli.batch import Answer, Answerer


@options.rules("target p4 spawn spawn_value spawn_values")
def best(
    board: options.Boards = None,
    player: options.Players = None,
    size: options.Size = None,
    exponents: options.Exponents = False,
    score: options.Score = None,
    *,
    rules: options.Rules,
    file: Annotated[str | None, option("--file", "PATH", "Read boards from a file.", False)] = None,
    seed: options.Seed = None,
    json: options.Json = False,
) -> None:
    """Find the best move and the value of every move.

    Boards from a file or from standard input are answered in order, on all
    cores: one per line, or row by row, separated by a blank line or ---. A text
    that is not a board is answered by an error that names the line, and the exit
    code is 2. With several --player options the JSON holds a list "answers".
    """
    from twofold.coach.about import check_score
    from twofold.players.defaults import DEFAULT_PLAYER
    from twofold.players.registry import canonical_text
    from twofold.rules import Stream, parse_board, parse_size, stream_key, word
    from twofold.ui.cli.inputs import find_boards

    shape = parse_size(size) if size is not None else None
    texts = [canonical_text(text) for text in player or [DEFAULT_PLAYER]]
    first_seed = options.checked_seed(seed)

    def state_of(text: str) -> State:
        made = rules.to_state(parse_board(text, shape, "exponents" if exponents else None), score)
        if score is not None:
            check_score(made.board, score, made.variant)
        return made

    def key_of(place: int) -> int:
        return word(stream_key(first_seed, place, Stream.PLAYER), 0)

    found = find_boards(board, file)
    if isinstance(found, str):
        _answer_one(state_of(found), texts, key_of(0), json=json)
        return

    def make_answerer() -> Answerer:
        players = _make_players(texts)

        def answer(text: str, place: int) -> Answer:
            state = state_of(text)
            answers = [(each.text, _ask(each, state, key_of(place))) for each in players]
            return answer_json(answers, state.board) | _next_tile(state)

        return answer

    from twofold.ui.cli.batch import answer_lines

    raise typer.Exit(answer_lines(found, make_answerer, json=json, show=_show_line))


def _make_players(texts: list[str]) -> list[Player]:
    from twofold.players.registry import make_player

    return [make_player(text) for text in texts]


def _ask(player: Player, state: State, key: int) -> Decision:
    """The decision, its time measured here where the player doesn't tell it. Raises `PlayerError` as `check_move`."""
    from dataclasses import replace

    from twofold.kernels.compile_time import Stopwatch
    from twofold.players.base import check_move

    watch = Stopwatch()
    decision = player.decide(state, key)
    check_move(player.text, state, decision.move)
    return decision if decision.seconds else replace(decision, seconds=watch.seconds)


def answer_json(answers: list[tuple[str, Decision]], board: Board) -> dict[str, Any]:
    """One player's decision as JSON with what its values are, or several in a list with the players' names."""
    from twofold.coach.units import unit_of

    told = [{**decision_json(decision), "unit": unit_of(text, board, decision)} for text, decision in answers]
    if len(answers) == 1:
        return told[0]
    return {"answers": [{"player": text, **each} for (text, _), each in zip(answers, told, strict=True)]}


def decision_json(decision: Decision) -> dict[str, Any]:
    """A decision as JSON: `null` for illegal moves, and for `best` if there is none; losses against the best."""
    from twofold.coach.units import losses
    from twofold.rules import DIRECTIONS

    return {
        "best": decision.move.name if decision.move is not None else None,
        "values": {d.name: _finite(v) for d, v in zip(DIRECTIONS, decision.values, strict=True)},
        "losses": {d.name: _finite(v) for d, v in zip(DIRECTIONS, losses(decision.values), strict=True)},
        "nodes": decision.nodes,
        "depth": decision.depth,
        "seconds": round(decision.seconds, 6),
    }


def _finite(value: float | None) -> float | None:
    """JSON has no infinity; the largest number stands for it."""
    if value is None or math.isfinite(value):
        return value
    return math.copysign(sys.float_info.max, value)


def _answer_one(state: State, texts: list[str], key: int, *, json: bool) -> None:
    answers = run_interruptibly(lambda: [(p.text, _ask(p, state, key)) for p in _make_players(texts)])
    if json:
        print_json(answer_json(answers, state.board) | _next_tile(state))
        return
    from twofold.coach.units import next_tile
    from twofold.ui.shared.frame import print_answers

    print_answers(make_console(), state.board, answers)
    known = next_tile(state)
    if known is not None:
        print_text(str(known))


def _next_tile(state: State) -> dict[str, Any]:
    """What is known of the chance to make the next tile, as JSON has it: {} if nothing is."""
    from twofold.coach.units import next_tile

    known = next_tile(state)
    if known is None:
        return {}
    told = {"tile": known.tile, "chance": known.chance, "best": known.move.name, "source": known.source}
    return {"next_tile": told}


def _show_line(answer: Answer) -> None:
    """One line for people: the best move, then the values."""
    if "error" in answer:
        print_text(f"error: {answer['error']}")
        return
    print_text("   ".join(_brief(each) for each in answer.get("answers", [answer])))


def _brief(answer: Answer) -> str:
    values = "  ".join(
        f"{name} {'-' if value is None else f'{value:,.1f}'}" for name, value in answer["values"].items()
    )
    return f"{answer['best'] or 'none':<5}  ({values})"
