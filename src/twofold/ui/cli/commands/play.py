"""``twofold play``: a game played by a player, or by you."""

from __future__ import annotations

import io
import math
import sys
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from twofold.ui.cli.commands import options
from twofold.ui.cli.commands.options import flag, option
from twofold.ui.cli.output import (
    Interrupted,
    is_live_terminal,
    make_console,
    print_json,
    print_text,
    run_interruptibly,
)
from twofold.ui.cli.progress import StatusLine

if TYPE_CHECKING:
    from collections.abc import Callable

    from twofold.matches.play import GameResult
    from twofold.players.base import Decision
    from twofold.records.record import Record
    from twofold.rules import Variant
    from twofold.rules.game import Game
    from twofold.rules.state import Event, State

    Keep = Callable[[Record], None]


@options.rules()
def play(
    player: options.PlayerText = None,
    *,
    rules: options.Rules,
    stop_at_target: Annotated[bool, flag("--stop-at-target", "End the game at the target.")] = False,
    speed: Annotated[float | None, option("--speed", "X", "Maximum moves per second.", "no limit")] = None,
    seed: options.Seed = None,
    index: Annotated[
        int,
        option("--index", "N", "Number of the game in a run with this seed, as in the arena.", "0", min=0),
    ] = 0,
    moves: Annotated[
        int | None, option("--moves", "N", "Stop after this many moves.", "no limit", min=1)
    ] = None,
    record: Annotated[
        str | None,
        option(
            "--record",
            "FILE",
            "Write the game's record: .json, or .txt, .rpl, .rec, .vrs for other programs.",
            False,
        ),
    ] = None,
    json: options.Json = False,
) -> None:
    """Watch a player play, or play yourself with --player human.

    To play, use the arrow keys, WASD or HJKL; u undoes, r redoes, x restarts, q
    quits; p and t change where new tiles appear and which; the same letters can
    be piped in.
    While you watch, space pauses, n makes one move, + and - change the speed, q
    quits.
    Without --seed every game is different; the summary shows its seed.
    --index N plays game N of a run: 'twofold arena run --seed S' plays 0, 1, 2, …
    """
    from twofold.errors import InvalidParameter
    from twofold.matches.play import new_game
    from twofold.players.defaults import DEFAULT_PLAYER
    from twofold.players.registry import canonical_text
    from twofold.rules.random import checked_word
    from twofold.ui.shared.rules_form import fresh_seed

    check_speed(speed)
    variant = rules.to_variant()
    seed = fresh_seed() if seed is None else options.checked_seed(seed)
    checked_word("index", index)
    text = canonical_text(player if player is not None else DEFAULT_PLAYER)
    live = is_live_terminal() and not json
    keep = _keeper(record)
    try:
        if text == "human":
            if moves is not None:
                raise InvalidParameter("--moves is for games that a player plays; q ends a game of your own")
            result: GameResult | None = _play_yourself(
                new_game(variant, seed, index=index, stop_at_target=stop_at_target), live, keep
            )
        else:
            wanted = _Wanted(text, variant, seed, index, stop_at_target, moves)
            result = _watch(wanted, speed, keep) if live else _play(wanted, keep)
    except Interrupted as stopped:
        if stopped.result is not None:
            print_result(stopped.result, json=json)
        raise
    print_result(result, json=json)


def _keeper(path: str | None) -> Keep:
    """Writes the record of a game into the file, if one is named; refuses a bad name at once."""
    if path is None:
        return lambda _: None
    from twofold.files import write_file
    from twofold.records.formats import check_record_file, encode_record, format_of_name

    form = format_of_name(path)
    check_record_file(path, form)
    return lambda record: write_file(path, encode_record(record, form))


def print_result(result: GameResult | None, *, json: bool) -> None:
    """A game as JSON or as a summary; None is one that was stopped before its first move."""
    if result is None:
        print_text("stopped in the middle of a move")
    elif json:
        print_json(result_json(result))
    else:
        _print_summary(result)


def check_speed(speed: float | None) -> None:
    """Raises InvalidParameter unless `speed` is None or a number above 0."""
    from twofold.errors import InvalidParameter

    if speed is not None and not (math.isfinite(speed) and speed > 0):
        raise InvalidParameter(f"--speed {speed} is not a number of moves per second above 0")


def _play_yourself(game: Game, live: bool, keep: Keep) -> GameResult:
    from twofold.records.record import Record
    from twofold.ui.cli.human import play_piped

    try:
        if not (live and sys.stdin is not None and sys.stdin.isatty()):
            return play_piped(game)
        from twofold.ui.cli.screen import Screen, play_keys

        return play_keys(game, Screen(make_console(), f"twofold  seed {game.seed}  {_short(game.variant)}"))
    finally:
        keep(Record.of(game))


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The game to play; `moves`: after how many it stops, if at all."""

    player: str
    rules: Variant
    seed: int
    index: int
    stop_at_target: bool
    moves: int | None


LONG = 20.0
"""Seconds after which a line says how to stop a game that is not shown."""


def _play(wanted: _Wanted, keep: Keep) -> GameResult | None:
    from twofold.kernels.compile_time import Stopwatch
    from twofold.matches.play import StopGame, play_game
    from twofold.players.registry import make_player
    from twofold.records.record import Record
    from twofold.rules.state import Moved

    stopped = threading.Event()
    letters = io.StringIO()
    line, clock = StatusLine(), Stopwatch()

    def look(event: Event, decision: Decision | None) -> None:
        if not isinstance(event, Moved):
            return
        letters.write(event.direction.letter)
        if stopped.is_set() or event.state.moves == wanted.moves:
            raise StopGame
        line.tell(lambda: _goes_on(event.state, clock.seconds, wanted))

    def play() -> GameResult:
        player = make_player(wanted.player)
        return play_game(player, wanted.rules, wanted.seed, wanted.index, wanted.stop_at_target, look)

    try:
        with line:
            return run_interruptibly(play, stopped.set)
    finally:
        keep(Record(str(wanted.rules), wanted.seed, letters.getvalue(), index=wanted.index))


def _goes_on(state: State, seconds: float, wanted: _Wanted) -> str:
    """How far a game is, and after a while how it can be ended."""
    start = wanted.rules.start
    cells = len(start.cells) - len(start.bricks)
    told = f"{state.moves:,} moves so far ({state.moves / max(seconds, 1e-9):,.0f} a second), {state.score:,} points"
    if seconds < LONG:
        return told
    if cells > CLASSIC:
        told += f"; a game on {cells} cells may go on for millions of moves"
    end = "Ctrl-C stops it and shows the result so far"
    return f"{told}; {end}" + (", --moves N stops it after N" if wanted.moves is None else "")


CLASSIC = 16
"""Cells of the classic board."""


def _watch(wanted: _Wanted, speed: float | None, keep: Keep) -> GameResult | None:
    from twofold.ui.cli.screen import Screen
    from twofold.ui.cli.watch import watch_game

    title = f"twofold  {wanted.player}  seed {wanted.seed}  {_short(wanted.rules)}"
    return watch_game(
        wanted.player,
        wanted.rules,
        wanted.seed,
        Screen(make_console(), title),
        index=wanted.index,
        moves=wanted.moves,
        stop_at_target=wanted.stop_at_target,
        speed=speed,
        keep=keep,
    )


def _short(rules: Variant) -> str:
    """The variant for a title: its map left out, which is in the picture."""
    first, *others = str(rules).split(";")
    return ";".join([f"{rules.rows}x{rules.columns}" if "=" in first else first, *others])


def result_json(result: GameResult) -> dict[str, Any]:
    """A game as JSON: seconds are the player's thinking, the board is spaced map text."""
    return {
        "player": result.player,
        "variant": result.variant,
        "seed": result.seed,
        "score": result.score,
        "max_tile": result.max_tile,
        "moves": result.moves,
        "seconds": round(result.seconds, 6),
        "moves_per_second": round(result.moves_per_second, 3),
        "won": result.won,
        "board": str(result.board),
    }


def _print_summary(result: GameResult) -> None:
    if sys.stdout.isatty():
        from twofold.ui.shared.frame import print_board

        print_board(make_console(), result.board)
    else:
        print_text(result.board.pretty())
    tiles = [f"{tile:,} at {moves:,}" for tile, moves in result.tile_moves if tile >= 512 and moves]
    facts = {
        "player": result.player,
        "variant": result.variant,
        "seed": str(result.seed),
        "score": f"{result.score:,}",
        "max tile": f"{result.max_tile:,}",
        "moves": f"{result.moves:,}",
        "tiles": ", ".join(tiles),
        "thinking": f"{result.seconds:,.2f} s ({result.moves_per_second:,.1f} moves/s)",
        "won": "yes" if result.won else "no",
        "ended": result.reason,
    }
    for name, fact in facts.items():
        if fact:
            print_text(f"{name:<9} {fact}")
